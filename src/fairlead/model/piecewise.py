"""Functions of time made of cubic pieces: what tables, gusts and controllers become before they reach a kernel."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
MOST_KINKS = 200  # a table of more rows bends so often that steps are not divided at each


class PiecewiseCubic:
    """Piece i holds from knots[i] to knots[i+1] as a cubic of t - knots[i], highest power first; the ends run on.

    `kinks` are the times at which the value or a rate jumps.
    """

    def __init__(self, knots: Any, coefs: Any, kinks: Any = ()) -> None:
        self.knots, self.coefs = np.asarray(knots, dtype=float), np.asarray(coefs, dtype=float)
        self.kinks: set[float] = {float(kink) for kink in kinks}

    @classmethod
    def constant(cls, value: float) -> PiecewiseCubic:
        """Return the same value for ever."""
        return cls([0.0, 1.0], [[0.0, 0.0, 0.0, value]])

    @classmethod
    def linear(cls, times: Any, values: Any) -> PiecewiseCubic:
        """Return straight lines between rows."""
        times, values = np.asarray(times, dtype=float), np.asarray(values, dtype=float)
        slope = np.diff(values) / np.diff(times)
        zero = np.zeros_like(slope)
        bends = times[1:-1][np.diff(slope) != 0.0]
        return cls(times, np.column_stack([zero, zero, slope, values[:-1]]), bends if len(bends) <= MOST_KINKS else ())

    @classmethod
    def spline(cls, times: Any, values: Any, ends: Any = "not-a-knot") -> PiecewiseCubic:
        """Return the C2 cubic through rows."""
        from scipy.interpolate import CubicSpline

        fit = CubicSpline(times, values, bc_type=ends)
        return cls(fit.x, fit.c.T)

    @classmethod
    def event(cls, times: Any, values: Any) -> PiecewiseCubic:
        """Return zero before the first time, a smooth rise through the rows, and the last value from then on."""
        if len(times) == 1:
            begin = float(times[0])
            return cls([begin - 1, begin, begin + 1], [[0, 0, 0, 0], [0, 0, 0, values[-1]]], [begin])
        inner = cls.linear(times, values) if len(times) == 2 else cls.spline(times, values, "clamped")
        knots = np.concatenate([[times[0] - 1.0], inner.knots, [times[-1] + 1.0]])
        coefs = np.vstack([[0.0] * 3 + [0.0], inner.coefs, [0.0, 0.0, 0.0, values[-1]]])
        return cls(knots, coefs, [times[0], times[-1]])

    def __call__(self, t: Any) -> Array:
        """Return the value at times."""
        t = np.asarray(t, dtype=float)
        i = np.clip(np.searchsorted(self.knots, t, side="right") - 1, 0, len(self.coefs) - 1)
        s, c = t - self.knots[i], self.coefs[i]
        return np.asarray(((c[..., 0] * s + c[..., 1]) * s + c[..., 2]) * s + c[..., 3])

    def __add__(self, other: PiecewiseCubic) -> PiecewiseCubic:
        """Return the sum, on the knots of both."""
        if len(self.coefs) == 1 and not self.coefs[0, :3].any() and not self.kinks:
            return PiecewiseCubic(other.knots, other.coefs + [0.0, 0.0, 0.0, self.coefs[0, 3]], other.kinks)
        if len(other.coefs) == 1 and not other.coefs[0, :3].any() and not other.kinks:
            return other + self
        knots = np.union1d(self.knots, other.knots)
        return PiecewiseCubic(knots, self._on(knots) + other._on(knots), self.kinks | other.kinks)

    def _on(self, knots: Array) -> Array:
        """Return the coefficients of the same function from each of `knots` on."""
        middle = 0.5 * (knots[:-1] + knots[1:])
        i = np.clip(np.searchsorted(self.knots, middle, side="right") - 1, 0, len(self.coefs) - 1)
        s = knots[:-1] - self.knots[i]
        a, b, c, d = self.coefs[i].T
        return np.column_stack([a, 3 * a * s + b, (3 * a * s + 2 * b) * s + c, ((a * s + b) * s + c) * s + d])

    def put_into(self, pools: Any) -> tuple[int, int]:
        """Put the pieces into the pools and return where they start and stop; kinks go with them."""
        pools.kinks |= self.kinks
        start, stop = pools.pieces(self.knots, np.vstack([self.coefs, np.zeros(4)]))
        return int(start), int(stop)
