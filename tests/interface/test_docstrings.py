"""Docstrings say where a reader is: each module has one, and none begins with "What"."""

from __future__ import annotations

import ast
from pathlib import Path

import fairlead

HOME = Path(fairlead.__file__).parent
MODULES = {path.relative_to(HOME).as_posix(): ast.parse(path.read_text("utf-8")) for path in sorted(HOME.rglob("*.py"))}
NAMED = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def first_line(node: NAMED) -> str:
    return (ast.get_docstring(node) or "").partition("\n")[0]


def is_vague(line: str) -> bool:
    return line.casefold().startswith(("what ", "return what is to be"))


def test_vague_lines_are_seen():
    assert is_vague("What a table holds.") and is_vague("Return what is to be said of tables of so many bytes.")
    assert not is_vague("Return the warning for tables of this size.")


def test_every_module_and_room_has_a_sentence():
    rooms = {path.split("/")[0] for path in MODULES if "/" in path}
    assert rooms >= {"cli", "core", "model", "results", "auditing", "inverse_dynamics", "formats", "running", "view"}
    assert [path for path, tree in MODULES.items() if not first_line(tree).endswith((".", ":", "?"))] == []


def test_a_first_line_names_the_thing():
    found = [
        f"{path}: {getattr(node, 'name', 'module')}: {first_line(node)}"
        for path, tree in MODULES.items()
        for node in ast.walk(tree)
        if isinstance(node, NAMED) and is_vague(first_line(node))
    ]
    assert found == []
