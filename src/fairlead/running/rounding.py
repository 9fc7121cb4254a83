"""The gap that rounding leaves in a closed joint: far from the origin coordinates have few digits behind the point."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from fairlead.core.codes import GAP_ACCEPTED
from fairlead.core.work import Work
from fairlead.model.compile import Compiled

Array = npt.NDArray[np.float64]
ULPS = 8  # of the largest coordinate: a gap is a sum of a few terms of that size, each rounded by half of one
LEAST = 1e-10  # [m, -] that is accepted of every gap, as new work has it


def largest_coordinate(compiled: Compiled, y: Array | None = None) -> float:
    """Return the largest coordinate [m] of a body as drawn, or in a state of floating bodies."""
    largest = max(abs(part) for body in compiled.model.bodies.values() for part in body.position)
    if y is not None:
        for tree, row in zip(compiled.topology.trees, compiled.arrays.trees):
            if not tree.rooted:
                largest = max(largest, float(np.abs(y[row["state"] : row["state"] + 3]).max()))
    return largest


def rounding(compiled: Compiled, y: Array | None = None) -> float:
    """Return the gap of a joint that is no more than rounding."""
    return ULPS * float(np.finfo(float).eps) * largest_coordinate(compiled, y)


def allow_rounding(compiled: Compiled, work: Work, y: Array | None = None, least: float = LEAST) -> None:
    """Let joints count as closed where rounding does not let them be closer."""
    if len(compiled.arrays.constraints):
        work.constraint.newton[GAP_ACCEPTED] = max(least, rounding(compiled, y))
