"""Rainflow cycles of a series, and the constant load range that damages as much."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from fairlead.errors import InvalidInput

Array = npt.NDArray[np.float64]


def reversals(values: Array) -> Array:
    """Return the values at which a series turns, with its first and its last; flat stretches count once."""
    moving = np.append(True, np.diff(values) != 0.0)
    values = values[moving]
    if len(values) < 3:
        return values
    rising = np.diff(values) > 0.0
    turns = np.flatnonzero(rising[:-1] != rising[1:]) + 1
    return values[np.concatenate([[0], turns, [len(values) - 1]])]


def rainflow(values: Array) -> tuple[Array, Array]:
    """Return the ranges of the rainflow cycles of a series, and how much each counts: 1, or 0.5 what stays open.

    ASTM E1049-85, section 5.4.4; closed cycles are found by four points at a time (fatpack), which leaves the same
    cycles and counts what is left over as half cycles.
    """
    try:
        from fatpack import find_rainflow_cycles
    except ImportError:
        raise InvalidInput("rainflow counting needs fatpack; install it: pip install 'fairlead[fatigue]'") from None
    closed, residue = find_rainflow_cycles(reversals(values))
    full = np.abs(np.diff(closed, axis=1))[:, 0] if len(closed) else np.zeros(0)
    half = np.abs(np.diff(residue))
    return np.concatenate([full, half]), np.concatenate([np.full(len(full), 1.0), np.full(len(half), 0.5)])


def damage_equivalent(values: Array, seconds: float, exponents: tuple[float, ...]) -> dict[float, float]:
    """Return by Woehler exponent m the range that, once a second, damages as a series of that duration does.

    (sum n_i S_i^m / (1 Hz T))^(1/m)
    """
    if np.isnan(values).any() or seconds <= 0.0:
        return dict.fromkeys(exponents, np.nan)
    ranges, counts = rainflow(values)
    highest = float(ranges.max()) if len(ranges) else 0.0
    if highest == 0.0:
        return dict.fromkeys(exponents, 0.0)
    shares = ranges / highest  # so that no power overflows
    return {m: highest * float((counts @ shares**m / seconds) ** (1.0 / m)) for m in exponents}
