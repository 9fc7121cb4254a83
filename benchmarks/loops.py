"""Compiled loops round Fairlead's kernels, so that a timing holds many evaluations and one call from Python."""

from __future__ import annotations

from fairlead.core.compiled import kernel
from fairlead.core.formulations.cloud import rhs


@kernel
def many(n, y, dy, A, W):
    """Evaluate n times, at times from 0 to 1 s over and over."""
    for i in range(n):
        rhs(1e-3 * (i % 1000), y, dy, A, W)
