"""Write `src/fairlead/__init__.pyi`: the public names with their types, for editors and type checkers.

A word such as `fl.Body` takes more than it holds: its constructor converts texts with units, lists and mappings. No
annotation of a field can say both, so the stub spells out each constructor (what it takes, in the order it takes it)
beside read-only fields (what they hold). Functions that speak of words are spelt out too; all else is re-exported.

`make stub` runs this; a test fails while the stub is not what it would write.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import re
import textwrap
import typing
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import fairlead
from fairlead.model.descriptions import summary_of
from fairlead.model.fields import SchemaModel
from stub_types import holds, is_word, members_of, named, order_of, taken_by, unions

STUB = Path(fairlead.__file__).with_suffix(".pyi")
WIDTH = 118
HEAD = '''"""Fairlead: rigid-body systems from a slider-crank to a floating wind turbine, every run audited."""

# Written by tools/make_stub.py (`make stub`); do not edit.

{imports}

_Plain: TypeAlias = float | floating[Any] | integer[Any]
_Number: TypeAlias = _Plain | str  # SI, or a text with its unit
_Numbers: TypeAlias = Sequence[_Number] | NDArray[Any]
_Rows: TypeAlias = Sequence[_Numbers] | NDArray[Any]
_Fields: TypeAlias = Mapping[str, Any]  # a word by its fields, as in a file
'''
KNOWN = {  # where names of annotations come from
    "Any": "typing",
    "ClassVar": "typing",
    "Literal": "typing",
    "Self": "typing",
    "TypeAlias": "typing",
    "overload": "typing",
    "Callable": "collections.abc",
    "Iterable": "collections.abc",
    "Iterator": "collections.abc",
    "Mapping": "collections.abc",
    "Sequence": "collections.abc",
    "Path": "pathlib",
    "NDArray": "numpy.typing",
    "floating": "numpy",
    "integer": "numpy",
}
WHOLE = {"os": "import os", "xr": "import xarray as xr", "np": "import numpy as np"}
NAME = re.compile(r"[A-Za-z_][\w.]*")


def text() -> str:
    """Return the stub."""
    objects = {name: getattr(fairlead, name) for name in fairlead.__all__}
    words = {one for one in objects.values() if is_word(one)}
    words |= {inner for word in words for field in word.model_fields.values() for inner in members_of(field.annotation)}
    found = sorted({base for word in words for base in word.__mro__ if is_word(base)}, key=order_of)
    parts = [*_unions(), *(_word(word) for word in found)]
    imports: set[str] = set()
    for name, value in objects.items():
        if is_word(value):
            continue
        written = _function(value, imports) if inspect.isfunction(value) else _class(value, imports)
        if written:
            parts.append(written)
        else:
            imports.add(f"from {fairlead._HOME[name]} import {name} as {name}")
    body = "\n\n".join(parts)
    head = HEAD.format(imports="\n".join(_sorted(imports | _imports(HEAD + body))))
    return f"{head}\n__version__: str\n__all__: list[str]\n\n{body}\n"


def _unions() -> Iterator[str]:
    for members, name in sorted(unions().items(), key=lambda item: item[1]):
        listed = " | ".join(named(word) for word in sorted(members, key=order_of))
        yield "\n".join(textwrap.wrap(f"{name}: TypeAlias = ({listed})", WIDTH, subsequent_indent="    "))


# Words: read-only fields, methods and the constructor.


def _word(word: Any) -> str:
    bases = [named(base) for base in word.__bases__ if is_word(base)]
    public = named(word) == word.__name__
    lines = [f"class {named(word)}({', '.join(bases)}):" if bases else f"class {named(word)}:"]
    lines += _doc(word) if public else []
    if word is SchemaModel:
        lines += ["    def model_copy(self, *, update: _Fields | None = None, deep: bool = False) -> Self: ..."]
        lines += ["    def model_dump(self, **options: Any) -> dict[str, Any]: ..."]
        lines += ["    def __iter__(self) -> Iterator[tuple[str, Any]]: ..."]
    else:
        for name in [name for name in vars(word).get("__annotations__", {}) if name in word.model_fields]:
            field = word.model_fields[name]
            lines += ["    @property", f"    def {name}(self) -> {holds(field.annotation)}: ..."]
        lines += _methods(word)
    if public:
        lines += _constructor(word)
    return "\n".join(lines if len(lines) > 1 else [lines[0] + " ..."])


def _doc(word: Any) -> list[str]:
    """Return the docstring: what the word is, and its fields with a sentence each."""
    rows = summary_of(word).splitlines()
    fields = [f"{name}: {word.model_fields[name].description}" for name in word._positional()]
    if fields:
        rows += ["", *(line for row in fields for line in textwrap.wrap(row, WIDTH - 4, subsequent_indent="    "))]
    rows = [row.replace("\\", "\\\\") for row in rows]
    if len(rows) == 1:
        return [f'    """{rows[0]}"""', ""]
    return [f'    """{rows[0]}', *(f"    {row}" if row else "" for row in rows[1:]), '    """', ""]


def _constructor(word: Any) -> list[str]:
    names = word._positional()
    needed = [word.model_fields[name].is_required() for name in names]
    kind = [_parameter(word, "type", False)] if "type" in word.model_fields else []
    plain = [_parameter(word, name, needed[i]) for i, name in enumerate(names)]
    if needed == sorted(needed, reverse=True):
        return _def(plain + (["*", *kind] if kind else []))
    last = max(i for i, one in enumerate(needed) if one)  # by position all up to the last that is needed, or by name
    placed = [_parameter(word, name, i <= last) for i, name in enumerate(names)]
    star = ["*", *kind] if kind else []
    return ["    @overload", *_def(placed + star), "    @overload", *_def(["*", *plain, *kind])]


def _parameter(word: Any, name: str, needed: bool) -> str:
    return f"{name}: {taken_by(word, name)}{'' if needed else _default(word.model_fields[name].default)}"


def _default(value: Any) -> str:
    """Return a default as the stub has it; long ones and those that are no literals only as present."""
    shown = repr(value)
    plain = value is None or isinstance(value, bool | int | float | str | tuple | dict)
    return f" = {shown}" if plain and len(shown) <= 40 else " = ..."


def _def(parameters: list[str]) -> list[str]:
    return _wrapped("    def __init__(", ["self", *parameters], ") -> None: ...")


def _wrapped(start: str, parts: list[str], end: str) -> list[str]:
    """Return a signature on one line if it fits, else with as many parts per line as fit."""
    line = start + ", ".join(parts) + end
    if len(line) <= WIDTH:
        return [line]
    indent = " " * (len(start) - len(start.lstrip()))
    rows, row = [], ""
    for part in parts:
        if row and len(indent) + 6 + len(row) + len(part) > WIDTH:
            rows.append(row)
            row = ""
        row += f"{part}, "
    return [start, *(f"{indent}    {one.rstrip()}" for one in [*rows, row]), f"{indent}{end}"]


# Functions and other classes, from their signatures.


def _methods(owner: Any) -> list[str]:
    """Return the public methods, properties and class variables that a class declares itself.

    Those that speak of our own machinery (how a load is compiled) are no one's business outside and are left out.
    """
    lines = []
    for name, value in vars(owner).get("__annotations__", {}).items():
        if str(value).startswith("ClassVar") and _is_public(f"{name}: {value}"):
            lines.append(f"    {name}: {value}")
    for name, value in vars(owner).items():
        if name.startswith("_") or name == "model_config":
            continue
        if isinstance(value, property):
            returns = inspect.signature(typing.cast(Any, value.fget)).return_annotation
            lines += ["    @property", f"    def {name}(self) -> {returns}: ..."]
        elif inspect.isfunction(value):
            written = _signature(value, "    ")
            lines += written if _is_public("\n".join(written)) else []
    return lines


def _is_public(code: str) -> bool:
    """Return whether annotations use nothing but public names, those the stub defines, and the standard library's."""
    names = {name.split(".")[0] for name in _annotation_names(code)}
    return all(name in fairlead.__all__ or name in KNOWN or name in WHOLE or hasattr(builtins, name) for name in names)


def _signature(function: Any, indent: str = "") -> list[str]:
    found = inspect.signature(function)
    parts, named_only = [], False
    for one in found.parameters.values():
        if one.kind is one.KEYWORD_ONLY and not named_only:
            parts.append("*")
            named_only = True
        star = {one.VAR_POSITIONAL: "*", one.VAR_KEYWORD: "**"}.get(one.kind, "")
        hint = "" if one.annotation is one.empty else f": {one.annotation}"
        parts.append(f"{star}{one.name}{hint}{'' if one.default is one.empty else _default(one.default)}")
    return _wrapped(f"{indent}def {function.__name__}(", parts, f") -> {found.return_annotation}: ...")


def _function(function: Any, imports: set[str]) -> str:
    """Return a function that speaks of words, spelt out; nothing for others."""
    lines = _signature(function)
    if not _speaks_of_words(lines):
        return ""
    if re.search(r": Model\b", "\n".join(lines)):  # models of modules that are not public are taken too
        lines = [re.sub(r": Model\b", ": Model | _Model", line) for line in lines]
        imports.add(f"from {fairlead._HOME['Model']} import Model as _Model")
    imports |= _foreign(function.__module__, "\n".join(lines)) - {f"from {function.__module__} import _Model"}
    doc = inspect.getdoc(function) or ""
    lines[-1] = lines[-1].removesuffix(" ...")
    return "\n".join([*lines, *_quoted(doc)])


def _quoted(doc: str) -> list[str]:
    rows = doc.replace("\\", "\\\\").splitlines()
    if len(rows) < 2:
        return [f'    """{doc}"""']
    return [f'    """{rows[0]}', *(f"    {row}" if row else "" for row in rows[1:]), '    """']


def _class(owner: Any, imports: set[str]) -> str:
    """Return a class that speaks of words, spelt out; nothing for others."""
    lines = _methods(owner)
    if "__init__" in vars(owner) and inspect.isfunction(owner.__init__):
        lines = _signature(owner.__init__, "    ") + lines
    if not _speaks_of_words(lines):
        return ""
    imports |= _foreign(owner.__module__, "\n".join(lines))
    return "\n".join([f"class {owner.__name__}:", *_quoted(inspect.getdoc(owner) or ""), "", *lines])


def _speaks_of_words(lines: list[str]) -> bool:
    return any(
        is_word(getattr(fairlead, one, None)) for one in NAME.findall("\n".join(lines)) if one in fairlead.__all__
    )


def _foreign(module: str, code: str) -> set[str]:
    """Return the imports of names that are neither public nor of the standard library."""
    found = set()
    for name in _annotation_names(code):
        first = name.split(".")[0]
        if first in fairlead.__all__ or first in KNOWN or first in WHOLE or hasattr(builtins, first):
            continue
        home = home_of(module, first)
        if home:
            found.add(f"from {home} import {first}")
    return found


def _annotation_names(code: str) -> set[str]:
    """Return the names that the annotations of some code use."""
    hints: list[ast.AST] = []
    for node in ast.walk(ast.parse(textwrap.dedent(code))):
        hints += [one for one in (getattr(node, "annotation", None), getattr(node, "returns", None)) if one]
    return {name.id for hint in hints for name in ast.walk(hint) if isinstance(name, ast.Name)}


def home_of(module: str, name: str) -> str:
    """Return the module of Fairlead that defines a name which `module` uses; nothing if it is not ours."""
    tree = ast.parse(Path(str(import_module(module).__file__)).read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and any((one.asname or one.name) == name for one in node.names):
            return home_of(str(node.module), name) if str(node.module).startswith("fairlead") else ""
    return module


def _imports(code: str) -> set[str]:
    names = _annotation_names(code.replace("{imports}", "")) | set(re.findall(r"\boverload\b", code))
    names |= {one.id for one in ast.walk(ast.parse(code.replace("{imports}", ""))) if isinstance(one, ast.Name)}
    found = {f"from {KNOWN[name]} import {name}" for name in names if name in KNOWN}
    return found | {line for name, line in WHOLE.items() if name in names}


def _sorted(lines: set[str]) -> list[str]:
    """Return the import lines, names from the same module together, the standard library first."""
    plain = sorted(line for line in lines if line.startswith("import "))
    modules: dict[str, list[str]] = {}
    for line in lines:
        if line.startswith("from "):
            module, names = line.removeprefix("from ").split(" import ")
            modules.setdefault(module, []).append(names)
    rows = []
    for module, names in sorted(modules.items()):
        line = f"from {module} import {', '.join(sorted(names))}"
        rows += [line] if len(line) <= WIDTH else _wrapped(f"from {module} import (", sorted(names), ")")
    return plain + rows


if __name__ == "__main__":
    wanted = text()
    current = STUB.read_text(encoding="utf-8") if STUB.exists() else ""
    STUB.write_text(wanted, encoding="utf-8")
    print(f"{STUB.name}: {len(wanted.splitlines())} lines, {'as before' if wanted == current else 'written anew'}")
