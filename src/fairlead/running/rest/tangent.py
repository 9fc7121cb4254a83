"""Derivatives by central differences, extrapolated: as exact as rounding allows where the function is smooth."""

from __future__ import annotations

from collections.abc import Callable, Container
from itertools import pairwise

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]
STEP = 2e-3  # of the largest difference, in scaled coordinates; the others are halves of it
SHORT_STEP = 1e-4  # of the largest difference where the function may bend at zero


def derivative(
    function: Callable[[Array], Array], n: int, levels: int = 3, step: float = STEP, bent: Container[int] = ()
) -> Array:
    """Return the matrix of derivatives of a function of n numbers at zero.

    Central differences D(h) = f' + c2 h^2 + c4 h^4 + ... with h, h/2, h/4 are extrapolated to h = 0 (Richardson), which
    leaves h^6 of three levels and h^2 of one. Along the directions `bent` the function may have a part like |v| v,
    whose difference is c1 h: D(h) = f' + c1 h + c2 h^2 + ..., of which h^3 is left.
    """
    columns = [
        _along(function, direction, levels, SHORT_STEP if number in bent else step, 1 if number in bent else 2)
        for number, direction in enumerate(np.eye(n))
    ]
    return np.array(columns).T if columns else np.zeros((len(function(np.zeros(0))), 0))


def _along(function: Callable[[Array], Array], direction: Array, levels: int, step: float, power: int) -> Array:
    sizes = [step / 2**level for level in range(levels)]
    found = [(function(h * direction) - function(-h * direction)) / (2 * h) for h in sizes]
    for order in range(1, levels):
        weight = 2 ** (power * order)
        found = [(weight * fine - coarse) / (weight - 1) for coarse, fine in pairwise(found)]
    return found[0]
