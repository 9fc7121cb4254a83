"""A second build of all kernels in which every index is checked: FAIRLEAD_BOUNDS_CHECK=1, for tests.

Compiled kernels do not look whether an index lies inside its array; one that does not reads or overwrites what lies
beside it. With the variable set each access outside ends in an IndexError that names file and line, at several times
the cost. The two builds have caches of their own (`core/jit/kernel.py`).

Numba counts negative indices from the end, as Python does. -1 is our number for "none" (no inboard body, the world), so
a test that was forgotten would read the last row without a word: the checked build refuses negative indices as well,
but for those written as a literal, `lowest[-1]`.
"""

from __future__ import annotations

import os
from typing import Any

from llvmlite import ir
from numba import types
from numba.np import arrayobj

VARIABLE = "FAIRLEAD_BOUNDS_CHECK"


def checks_bounds() -> bool:
    """Return whether kernels are to be compiled with a check of every index."""
    return os.environ.get(VARIABLE, "") not in ("", "0")


def refuse_negative_indices() -> None:
    """Let numba take an index that is not a literal as it is, so that its bounds check sees a negative one."""
    usual = arrayobj.fix_integer_index
    if hasattr(usual, "from_the_end"):
        return

    def as_it_is(context: Any, builder: Any, of: Any, index: Any, size: Any) -> Any:
        if isinstance(of, types.IntegerLiteral) or isinstance(index, ir.Constant):
            return usual(context, builder, of, index, size)
        return context.cast(builder, index, of, types.intp if of.signed else types.uintp)

    as_it_is.from_the_end = usual  # type: ignore[attr-defined]
    arrayobj.fix_integer_index = as_it_is
