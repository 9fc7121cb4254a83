"""Extremes beyond what was seen: Gumbel's law of maxima, and peaks over a threshold, with confidence intervals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from fairlead.errors import InvalidInput, Problem
from fairlead.results.summaries.moments import up_crossings

Array = npt.NDArray[np.float64]
FEWEST = 5  # maxima that a law is fitted to
# Of the maximum-likelihood estimates of Gumbel's law, times n / scale^2 (Kotz and Nadarajah, Extreme Value
# Distributions, section 2.6): variance of the location, covariance, variance of the scale.
EULER = float(np.euler_gamma)
SCALE_2 = 6.0 / np.pi**2
LOCATION_2, CROSS = 1.0 + SCALE_2 * (1.0 - EULER) ** 2, SCALE_2 * (1.0 - EULER)


class Law(NamedTuple):
    """A fitted law of maxima: its parameters, and the maximum of a longer time that is not exceeded by chance `share`.

    `low` and `high` bound it with the confidence asked for.
    """

    parameters: dict[str, float]
    share: float
    extreme: float
    low: float
    high: float


def _normal(confidence: float) -> float:
    from scipy.stats import norm

    return float(norm.ppf(0.5 + 0.5 * confidence))


def block_maxima(time: Array, values: Array, block: float) -> Array:
    """Return the highest value of each whole block of a series; a shorter rest at its end is left out."""
    number = np.floor((time - time[0]) / block + 1e-9).astype(int)
    whole = int(np.floor((time[-1] - time[0]) / block + 1e-9))
    return np.array([values[number == i].max() for i in range(whole)])


def gumbel(maxima: Sequence[float] | Array, share: float = 0.5, times: float = 1.0, confidence: float = 0.95) -> Law:
    """Return Gumbel's law exp(-exp(-(x - location) / scale)) by maximum likelihood (scipy) for maxima of equal blocks.

    `times` is how many blocks the time of the extreme asked for has: its law is the same, further on by
    scale ln(times). The interval is by the covariance of the estimates (delta method).
    """
    from scipy.stats import gumbel_r

    given = np.asarray(maxima, dtype=float)
    if len(given) < FEWEST or not np.isfinite(given).all() or np.ptp(given) == 0.0:
        return Law({"location": np.nan, "scale": np.nan}, share, np.nan, np.nan, np.nan)
    location, scale = (float(one) for one in gumbel_r.fit(given))
    y = np.log(times) - np.log(-np.log(share))
    spread = scale * np.sqrt((LOCATION_2 + 2.0 * CROSS * y + SCALE_2 * y**2) / len(given))
    extreme, away = location + scale * y, _normal(confidence) * spread
    return Law({"location": location, "scale": scale}, share, extreme, extreme - away, extreme + away)


def peaks_over(time: Array, values: Array, threshold: float) -> Array:
    """Return the highest value between each two upcrossings of the mean, where it is over a threshold."""
    times = up_crossings(time, values, float(np.mean(values)))
    if len(times) == 0:
        return np.zeros(0)
    group = np.searchsorted(times, time, side="right")
    order = np.flatnonzero(group > 0)
    starts = np.searchsorted(group[order], np.arange(1, len(times) + 1))
    highest = np.maximum.reduceat(values[order], np.minimum(starts, len(order) - 1))
    return np.asarray(highest[highest > threshold])


def over_threshold(
    time: Array, values: Array, threshold: float, seconds: float, share: float = 0.5, confidence: float = 0.95
) -> Law:
    """Return the generalised Pareto law of peaks over a threshold, and the extreme of so many seconds by it.

    Peaks above x come as a Poisson process of rate r (1 + xi (x - u) / s)^(-1/xi), so the maximum of T is below x with
    the chance exp(-r T (1 + xi (x - u) / s)^(-1/xi)). Fitted by maximum likelihood (scipy); the interval is by the
    covariance of the estimates (Smith 1987), for shapes above -1/2, and nan otherwise.
    """
    from scipy.stats import genpareto

    peaks = peaks_over(time, values, threshold)
    names = ("threshold", "peaks", "shape", "scale")
    if len(peaks) < FEWEST:
        return Law(dict(zip(names, (threshold, float(len(peaks)), np.nan, np.nan))), share, np.nan, np.nan, np.nan)
    n, duration = len(peaks), float(time[-1] - time[0])
    shape, _, scale = (float(one) for one in genpareto.fit(peaks - threshold, floc=0.0))
    parameters = dict(zip(names, (threshold, float(n), shape, scale)))
    a = n * seconds / duration / -np.log(share)  # how much rarer than the threshold the extreme is
    power = np.log(a) if abs(shape) < 1e-9 else np.expm1(shape * np.log(a)) / shape
    slope = 0.5 * np.log(a) ** 2 if abs(shape) < 1e-9 else (np.log(a) * a**shape - power) / shape
    extreme = threshold + scale * power
    gradient = np.array([scale * slope, power, scale * a**shape])  # by shape, scale and ln of the rate
    covariance = np.zeros((3, 3))
    covariance[:2, :2] = [[(1 + shape) ** 2, -scale * (1 + shape)], [-scale * (1 + shape), 2 * scale**2 * (1 + shape)]]
    covariance[2, 2] = 1.0
    away = _normal(confidence) * np.sqrt(gradient @ covariance @ gradient / n) if shape > -0.5 else np.nan
    return Law(parameters, share, extreme, extreme - away, extreme + away)


def checked_share(share: float, word: str) -> float:
    """Return a probability between zero and one, both excluded; InvalidInput otherwise."""
    if not (isinstance(share, int | float) and not isinstance(share, bool) and 0.0 < share < 1.0):
        raise InvalidInput([Problem(f"must be between 0 and 1, both excluded; got {share!r}", word)])
    return float(share)
