"""Rows of a table over time that are computed shortly before they are needed and forgotten afterwards.

The array has room for the whole run, but the system gives memory only to rows that have been written, and takes it
back from rows that are behind. Rows are computed in blocks of a fixed number, so a resumed run gets the same bits.
"""

from __future__ import annotations

import mmap
from collections.abc import Callable
from typing import Any

import numpy as np

from fairlead.model.joints.geometry import Array

BLOCK = 256
FORGETS = hasattr(mmap, "MADV_DONTNEED") and hasattr(mmap, "MAP_ANONYMOUS")


class RollingTable:
    """An array with one row per step of time, filled by `rows_of(first, last)`; `cover` says how far it holds."""

    def __init__(
        self, rows: int, columns: int, per_dt: float, end: float, rows_of: Callable[[int, int], Array]
    ) -> None:
        self.rows, self.per_dt, self.end, self.rows_of = rows, per_dt, end, rows_of
        self.memory, self.table = _room(rows, columns)
        self.first = self.last = 0  # blocks that are filled: from first up to before last
        self.holds = self.cover(0.0, 0.0)

    @property
    def size(self) -> int:
        """Return the bytes of all rows."""
        return self.table.nbytes

    def cover(self, begin: float, end: float) -> float:
        """Fill what is needed from `begin` to `end`, forget what lies before; return up to when the rows hold."""
        first, last = int(begin * self.per_dt) // BLOCK, (int(end * self.per_dt) + 6) // BLOCK + 1
        if not self.first <= first <= self.last:  # a resumed run
            self.first = self.last = first
        for block in range(self.last, min(last, -(-self.rows // BLOCK))):
            self._fill(block * BLOCK, min((block + 1) * BLOCK, self.rows))
            self.last = block + 1
        if first > self.first:
            self._forget(self.first * BLOCK, first * BLOCK)
            self.first = first
        filled = min(self.last * BLOCK, self.rows)
        self.holds = self.end if filled == self.rows else (filled - 6) / self.per_dt
        return self.holds

    def _fill(self, first: int, last: int) -> None:
        from threadpoolctl import threadpool_limits

        with threadpool_limits(limits=1):  # the same bits whatever the number of threads
            self.table[first:last] = self.rows_of(first, last)

    def _forget(self, first: int, last: int) -> None:
        row, page = self.table.strides[0], mmap.PAGESIZE
        begin, end = -(-first * row // page) * page, last * row // page * page
        if self.memory is not None and end > begin:
            self.memory.madvise(mmap.MADV_DONTNEED, begin, end - begin)


def in_blocks(rows_of: Callable[[int, int], Array], rows: int) -> Array:
    """Return all rows at once, computed in blocks: BLAS gives other bits in products of other size."""
    from threadpoolctl import threadpool_limits

    with threadpool_limits(limits=1):
        return np.concatenate([rows_of(first, min(first + BLOCK, rows)) for first in range(0, rows, BLOCK)])


def _room(rows: int, columns: int) -> tuple[Any, Array]:
    """Return room for rows that takes no memory until it is written to, where the system has such."""
    if not FORGETS:
        return None, np.zeros((rows, columns))
    flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | getattr(mmap, "MAP_NORESERVE", 0)
    memory = mmap.mmap(-1, rows * columns * 8, flags=flags)
    return memory, np.frombuffer(memory, dtype=float).reshape(rows, columns)
