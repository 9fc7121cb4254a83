"""Modules that run models import one another one way, also inside their functions."""

from __future__ import annotations

import ast
from graphlib import TopologicalSorter
from pathlib import Path

import fairlead

ROOT = Path(fairlead.__file__).parent


def imports_of(path: Path) -> set[str]:
    """Return the modules that a file imports, wherever; what only type checkers read is left out."""
    tree = ast.parse(path.read_text())
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            node.body = []
    found = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    named = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module]
    return found | {str(node.module) for node in named} | {f"{n.module}.{a.name}" for n in named for a in n.names}


def test_running_has_no_cycle():
    modules = {f"fairlead.running.{path.stem}": path for path in (ROOT / "running").glob("*.py")}
    graph = {name: imports_of(path) & modules.keys() - {name} for name, path in modules.items()}
    assert len(graph) > 10 and "fairlead.running.directory" in graph["fairlead.running.run"]
    TopologicalSorter(graph).prepare()  # a cycle is a CycleError that names its members
