"""Where each variable of the record stands: one row of floats per instant, in the order of the one table."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from fairlead.core.loads.outputs import OUTPUTS
from fairlead.record import RECORD, width_of

NAMES = ("time", *RECORD, *OUTPUTS)
Places: Any = NamedTuple("Places", [(name, int) for name in NAMES])
AT = Places(*range(len(NAMES)))  # of each variable its place in the layout, for kernels: A.layout[AT.position]
OUTPUT_COUNT = len(OUTPUTS)
FIRST_OUTPUT = len(NAMES) - OUTPUT_COUNT


def record_layout(counts: dict[str, int], there: set[str]) -> np.ndarray:
    """Return where each variable of the record starts, and last its whole width.

    `counts` are the bodies, joints, coordinates, loads and outputs of controllers; `there` the optional variables and
    outputs of loads that are kept.
    """
    widths = [1]
    widths += [width_of(row, counts) * (not row.optional or name in there) for name, row in RECORD.items()]
    widths += [counts["load"] * (name in there) for name in OUTPUTS]
    return np.concatenate([[0], np.cumsum(widths)]).astype(np.int64)


def columns(layout: np.ndarray, name: str) -> slice:
    """Return the columns of a variable in rows of the record; none where it is left out."""
    at = NAMES.index(name)
    return slice(int(layout[at]), int(layout[at + 1]))
