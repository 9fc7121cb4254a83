"""Spectra by Welch's method, and what their moments say."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]
SEGMENTS = 8  # stretches of the record that a segment fits in, unless its length is given
NEAR = 1e-6  # of a step: how far from an even grid an instant may lie
FEWEST = 8  # instants that a segment needs


def even_part(time: Array) -> npt.NDArray[np.intp] | None:
    """Return which instants lie on an even grid, or None if there is none.

    Events record instants between the grid's, and a run may end with a shorter step: those are left out. Of two
    records of one instant (before and after an event) the later counts.
    """
    if len(time) < 2:
        return None
    step = float(np.median(np.diff(time)))
    if step <= 0.0:
        return None
    place = (time - time[0]) / step
    number = np.round(place)
    index = np.flatnonzero(np.abs(place - number) <= NEAR * np.maximum(1.0, NEAR * number))
    last = np.append(np.diff(number[index]) > 0, True)
    index = index[last]
    whole = np.array_equal(number[index], np.arange(len(index)))
    ended = len(time) - 1 - index[-1] <= 1 if len(index) else False
    return index if whole and ended and len(index) > 1 else None


def welch(time: Array, values: Array, segment: float | None) -> tuple[Array, Array]:
    """Return frequencies [Hz] and the one-sided spectral density of a series about its mean, on an even grid.

    Hann windows that overlap by half, the mean of each taken out (Welch 1967); `segment` [s] is their length.
    """
    from scipy.signal import welch as of_scipy

    step = (time[-1] - time[0]) / (len(time) - 1)
    length = len(values) // SEGMENTS if segment is None else round(segment / step)
    length = min(max(length, FEWEST), len(values))
    frequency, density = of_scipy(values, 1.0 / step, nperseg=length, detrend="constant")
    return frequency, density


def spectral_figures(frequency: Array, density: Array) -> dict[str, float]:
    """Return moments of a spectrum, m_n = int f^n S df, and the heights and periods that follow from them.

    4 sqrt(m0) is the significant height of a sea, sqrt(m0/m2) its mean zero-crossing period (Tz, T02). The peak period
    is int S^4 df / int f S^4 df (Young 1995), which scatters less than the frequency of the highest line.
    """
    m0 = float(np.trapezoid(density, frequency))
    m1 = float(np.trapezoid(frequency * density, frequency))
    m2 = float(np.trapezoid(frequency**2 * density, frequency))
    highest = float(np.max(density)) if len(density) else 0.0
    peaked = (density / highest) ** 4 if highest > 0.0 else density * np.nan
    turn = float(np.trapezoid(frequency * peaked, frequency))
    return {
        "m0": m0,
        "m1": m1,
        "m2": m2,
        "significant_height": 4.0 * np.sqrt(m0),
        "zero_crossing_period": float(np.sqrt(m0 / m2)) if m2 > 0.0 else np.nan,
        "peak_period": float(np.trapezoid(peaked, frequency)) / turn if turn > 0.0 else np.nan,
    }
