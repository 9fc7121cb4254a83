"""Derivatives by central differences, extrapolated: as exact as rounding allows where the function is smooth."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]
STEP = 2e-3  # of the largest difference, in scaled coordinates; the others are halves of it


def derivative(function: Callable[[Array], Array], n: int, levels: int = 3, step: float = STEP) -> Array:
    """Return the matrix of derivatives of a function of n numbers at zero.

    Central differences D(h) = f' + c2 h^2 + c4 h^4 + ... with h, h/2, h/4 are extrapolated to h = 0 (Richardson), which
    leaves h^6 of three levels and h^2 of one.
    """
    columns = [_along(function, direction, levels, step) for direction in np.eye(n)]
    return np.array(columns).T if columns else np.zeros((len(function(np.zeros(0))), 0))


def _along(function: Callable[[Array], Array], direction: Array, levels: int, step: float) -> Array:
    sizes = [step / 2**level for level in range(levels)]
    found = [(function(h * direction) - function(-h * direction)) / (2 * h) for h in sizes]
    for order in range(1, levels):
        found = [(4**order * fine - coarse) / (4**order - 1) for coarse, fine in pairwise(found)]
    return found[0]
