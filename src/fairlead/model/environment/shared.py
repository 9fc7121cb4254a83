"""Waves and wind that several models of one process share: computed for the first of them, taken by the others.

Runs that are advanced side by side need the same rows of a table at nearly the same time. What is shared depends on
nothing but what its key says, so a run has the same bits alone and in company.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeVar

Made = TypeVar("Made")
KEPT = 8  # blocks of rows that are remembered
_KNOWN: ContextVar[dict[Hashable, Any] | None] = ContextVar("shared records", default=None)


@contextmanager
def shared_records() -> Iterator[None]:
    """Let models compiled inside share what they have in common; it is forgotten with the last of them."""
    token = _KNOWN.set({})
    try:
        yield
    finally:
        _KNOWN.reset(token)


def shared(key: Callable[[], Hashable], make: Callable[[], Made]) -> Made:
    """Return what `make` makes, made once for each key where records are shared."""
    known = _KNOWN.get()
    if known is None:
        return make()
    name = key()
    if name not in known:
        known[name] = make()
    found: Made = known[name]
    return found


def remembered(rows_of: Callable[[int, int], Any]) -> Callable[[int, int], Any]:
    """Return a function of blocks of rows that remembers the last few, where records are shared."""
    if _KNOWN.get() is None:
        return rows_of
    blocks: dict[tuple[int, int], Any] = {}

    def found(first: int, last: int) -> Any:
        if (first, last) not in blocks:
            while len(blocks) >= KEPT:
                del blocks[next(iter(blocks))]
            blocks[first, last] = rows_of(first, last)
        return blocks[first, last]

    return found
