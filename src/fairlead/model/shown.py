"""Words as Python shows them: what was given, in a form that can be typed again."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel

MOST = 100  # entries of a list that are shown; with more of them only the first and the last
ENDS = 3


class Shown:
    """A value whose `repr` is what would be typed to give it."""

    def __init__(self, value: Any):
        self.value = value

    def __repr__(self) -> str:
        return typed(self.value)


def typed(value: Any) -> str:
    """Return what would be typed in Python to give a value; of very long lists only the ends."""
    if isinstance(value, BaseModel):
        return repr(value) if is_public(type(value)) else f"{{{_pairs(value.__repr_args__())}}}"
    if isinstance(value, dict):
        return f"{{{_pairs(value.items())}}}"
    if isinstance(value, tuple | list):
        return _sequence(value)
    if callable(value):
        return getattr(value, "__name__", "") or repr(value)
    return repr(value)


def _pairs(items: Any) -> str:
    return ", ".join(f"{name!r}: {typed(value)}" for name, value in items)


def _sequence(value: Any) -> str:
    entries = [typed(item) for item in (value if len(value) <= MOST else value[:ENDS])]
    if len(value) > MOST:
        entries += ["...", *(typed(item) for item in value[-ENDS:])]
    if isinstance(value, list):
        return f"[{', '.join(entries)}]"
    return f"({', '.join(entries)}{',' if len(entries) == 1 else ''})"


def is_public(word: type) -> bool:
    """Return whether `fl.` has the word; the others are given as mappings."""
    import fairlead

    return word.__name__ in fairlead.__all__


def same(value: Any, default: Any) -> bool:
    """Return whether a field holds its default; an array put into a copy does not."""
    return value is default or (type(value) is type(default) and bool(value == default))


def diagonal(rows: Any) -> Any:
    """Return the diagonal of a square matrix that has nothing else, or what is given."""
    if not isinstance(rows, tuple) or not all(isinstance(row, tuple) and len(row) == len(rows) for row in rows):
        return rows
    count = range(len(rows))
    alone = all(rows[i][j] == 0 for i in count for j in count if i != j)
    return tuple(rows[i][i] for i in count) if alone else rows
