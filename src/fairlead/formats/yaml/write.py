"""A model as a readable YAML file that reads back to the same model."""

from __future__ import annotations

import contextlib
import os
import re
import tempfile
from typing import Any

from fairlead.errors import FilesFailure, InvalidInput, Problem
from fairlead.formats.yaml.tree import resolve
from fairlead.model.checks.checked import checked
from fairlead.model.loads.functions import placed_functions
from fairlead.model.schema import Model
from fairlead.model.writing import to_data

WIDTH = 118
# Texts that need no quotes inside brackets or outside, if YAML does not read them as something else.
_PLAIN = re.compile(r"[A-Za-z0-9.+][A-Za-z0-9_.+*/^()%° -]*")


def save(model: Model, path: str | os.PathLike[str]) -> None:
    """Write a model to a YAML file, whole or not at all: an earlier file stays until the new one is on the disk."""
    text = to_yaml(checked(model))
    target = os.path.realpath(os.fspath(path))  # a link keeps pointing to the file it points to
    folder = os.path.dirname(target)
    temporary = ""
    try:
        handle, temporary = tempfile.mkstemp(prefix=f".{os.path.basename(target)}.", dir=folder)
        with open(handle, "w", encoding="utf-8", newline="\n") as stream:
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
        os.chmod(temporary, _mode(target))
        os.replace(temporary, target)
        _sync_folder(folder)
    except OSError as error:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise FilesFailure(f"cannot write '{os.fspath(path)}': {error.strerror}") from None


def _mode(target: str) -> int:
    """Return the permissions a file has, or a new one would get."""
    try:
        return os.stat(target).st_mode & 0o777
    except OSError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask


def _sync_folder(folder: str) -> None:
    """Bring the new name to the disk too, where the system lets folders be synced."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def to_yaml(model: Model, *, named: bool = False) -> str:
    """Return a model as YAML text; InvalidInput if it holds a Python function, which no file can.

    In a text with `named` functions the name of its holder stands for each; it is read where they are given again.
    """
    functions = list(placed_functions(model))
    if functions and not named:
        message = "holds a Python function, which a file cannot; write it as an expression or a table"
        raise InvalidInput([Problem(message, f"{group}.{name}.function") for group, name in functions])
    data = to_data(model)
    for group, name in functions:
        data[group][name]["function"] = name
    lines = []
    for key, value in {"fairlead": 1, **data}.items():
        lines += _block(key, value, 0, open_groups=True)
    return "\n".join(lines) + "\n"


def _block(key: str, value: Any, indent: int, *, open_groups: bool = False) -> list[str]:
    """Return the lines of one field: on one line if it fits, in a block otherwise."""
    head = " " * indent + scalar(key) + ":"
    line = f"{head} {flow(value)}"
    group = open_groups and isinstance(value, dict) and any(isinstance(item, dict) for item in value.values())
    if not group and (len(line) <= WIDTH or not isinstance(value, (dict, list)) or not value):
        return [line]
    if isinstance(value, dict):
        return [head] + [line for name, item in value.items() for line in _block(name, item, indent + 2)]
    if any(isinstance(item, (dict, list)) for item in value):
        return [f"{head} ["] + [f"{' ' * indent}  {flow(item)}," for item in value] + [f"{' ' * indent}]"]
    return _wrapped(head, [flow(item) for item in value], indent + 2)


def _wrapped(head: str, items: list[str], indent: int) -> list[str]:
    lines = [head + " ["]
    row = " " * indent
    for item in items:
        if len(row) + len(item) + 2 > WIDTH and row.strip():
            lines.append(row.rstrip())
            row = " " * indent
        row += item + ", "
    return [*lines, row.rstrip().rstrip(","), " " * (indent - 2) + "]"]


def flow(value: Any) -> str:
    """Return plain data as YAML on one line."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{scalar(str(key))}: {flow(item)}" for key, item in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(flow(item) for item in value) + "]"
    return scalar(value)


def scalar(value: Any) -> str:
    """Return a text, number, boolean or null as YAML that reads back to the same."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return _number(value)
    if _PLAIN.fullmatch(value) and not value.endswith(" ") and resolve(value) == (value, ""):
        return value
    return '"' + "".join(_escaped(letter) for letter in value) + '"'


def _number(value: float) -> str:
    """Return the shortest spelling of a float that reads back to the same bits."""
    short = f"{value:g}"
    if float(short) != value:
        short = repr(value)
    if value == 0:
        return "-0.0" if str(value).startswith("-") else "0"
    return re.sub(r"e([-+])0*", lambda sign: "e-" if sign.group(1) == "-" else "e", short)


def _escaped(letter: str) -> str:
    if letter in '"\\':
        return "\\" + letter
    if " " <= letter <= "~" or letter in "°µ":
        return letter
    return f"\\u{ord(letter):04x}" if ord(letter) < 0x10000 else f"\\U{ord(letter):08x}"
