"""Moments, quantiles and crossings of one series over time."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]


def weights_of(time: Array) -> Array:
    """Return the share of the time that each instant stands for (trapezoidal rule); they sum to one."""
    if len(time) < 2 or time[-1] <= time[0]:
        return np.full(len(time), 1.0 / max(len(time), 1))
    steps = np.diff(time)
    weights = np.zeros(len(time))
    weights[:-1] += 0.5 * steps
    weights[1:] += 0.5 * steps
    return weights / (time[-1] - time[0])


def moments(time: Array, values: Array) -> dict[str, float]:
    """Return mean, standard deviation, skewness, excess kurtosis and the extremes with their times.

    Means are over the time: (1/T) int x dt. Skewness and kurtosis of a constant do not exist (nan).
    """
    weights = weights_of(time)
    mean = float(weights @ values)
    about = values - mean
    variance = float(weights @ about**2)
    std = np.sqrt(variance)
    turns = std > 1e-14 * max(abs(mean), float(np.max(np.abs(values))))
    lowest, highest = int(np.argmin(values)), int(np.argmax(values))
    return {
        "mean": mean,
        "std": float(std),
        "rms": float(np.sqrt(weights @ values**2)),
        "skewness": float(weights @ about**3 / std**3) if turns else np.nan,
        "kurtosis": float(weights @ about**4 / variance**2 - 3.0) if turns else np.nan,
        "min": float(values[lowest]),
        "time_of_min": float(time[lowest]),
        "max": float(values[highest]),
        "time_of_max": float(time[highest]),
    }


def quantile(time: Array, values: Array, share: float) -> float:
    """Return the smallest recorded value that is not exceeded in at least this share of the time."""
    if np.isnan(values).any():
        return np.nan
    return float(np.quantile(values, share, weights=weights_of(time), method="inverted_cdf"))


def up_crossings(time: Array, values: Array, level: float) -> Array:
    """Return the times [s] at which a series rises through a level, linear between instants."""
    below, after = values[:-1], values[1:]
    at = np.flatnonzero((below < level) & (after >= level))
    rise = (level - below[at]) / (after[at] - below[at])
    return np.asarray(time[at] + rise * (time[at + 1] - time[at]))


def mean_crossings(time: Array, values: Array, mean: float) -> dict[str, float]:
    """Return how often a series rises through its mean, and the mean time between two such crossings (Tz)."""
    times = up_crossings(time, values, mean)
    count = len(times)
    apart = (times[-1] - times[0]) / (count - 1) if count > 1 else np.nan
    nan = bool(np.isnan(values).any())
    return {
        "mean_crossings": np.nan if nan else float(count),
        "mean_crossing_period": np.nan if nan else float(apart),
    }
