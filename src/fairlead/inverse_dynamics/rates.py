"""Rates of sampled motion: differences of high order on any grid, with what they cost.

A table of another program rarely has accelerations, and the MCM paper (after Eq. 24) differentiates positions
numerically. Here the rates come from nine neighbouring samples (error of order h^8, at the ends of a table too), and
again from seven (h^6). The difference of the two is the error of the seven; the nine are better, so it is a bound
where the motion is smooth. Kinks show as a large difference. Samples that are not smooth (rounded, printed with few
digits, interpolated) are told by how far nine of them are from a polynomial of degree seven; that counts as noise.
"""

from __future__ import annotations

import numpy as np
from scipy.ndimage import maximum_filter1d

FINE, COARSE = 9, 7  # samples
KINK = 1.5  # a rate that jumps by one at a sample is missed by 1/2; the roughness alone would tell 20/113 * 2.08 = 0.37


def weights(time: np.ndarray, width: int) -> tuple[np.ndarray, np.ndarray]:
    """Return per row the samples to use (rows, width) and their weights (rows, width, 3) for value, rate, second rate.

    Fornberg, Generation of finite difference formulas on arbitrarily spaced grids, Math. Comp. 51 (1988), for all
    rows at once.
    """
    rows, width = len(time), min(width, len(time))
    first = np.clip(np.arange(rows) - width // 2, 0, rows - width)
    index = first[:, None] + np.arange(width)
    x = time[index] - time[:, None]
    c = np.zeros((rows, width, 3))
    c[:, 0, 0] = 1.0
    c1, c4 = np.ones(rows), x[:, 0]
    for i in range(1, width):
        c2, c5, c4 = np.ones(rows), c4, x[:, i]
        for j in range(i):
            c3 = x[:, i] - x[:, j]
            c2 = c2 * c3
            if j == i - 1:
                for k in (2, 1):
                    c[:, i, k] = c1 * (k * c[:, i - 1, k - 1] - c5 * c[:, i - 1, k]) / c2
                c[:, i, 0] = -c1 * c5 * c[:, i - 1, 0] / c2
            for k in (2, 1):
                c[:, j, k] = (c4 * c[:, j, k] - k * c[:, j, k - 1]) / c3
            c[:, j, 0] = c4 * c[:, j, 0] / c3
        c1 = c2
    return index, c


class Stencil:
    """Differences of `width` samples on one grid."""

    def __init__(self, time: np.ndarray, width: int):
        self.index, self.weights = weights(time, width)
        x = time[self.index]
        gaps = (x[:, :, None] - x[:, None, :]) / np.ptp(x[0]) * self.index.shape[1] + np.eye(self.index.shape[1])
        b = 1 / gaps.prod(2)
        self.highest = b / np.linalg.norm(b, axis=1, keepdims=True)

    def rate(self, values: np.ndarray, order: int = 1) -> np.ndarray:
        """Return the first or second rate of samples along axis 0."""
        w = self.weights[:, :, order].reshape(*self.index.shape, *[1] * (values.ndim - 1))
        total = np.zeros_like(values)
        for j in range(self.index.shape[1]):
            total += w[:, j] * values[self.index[:, j]]
        return total

    def roughness(self, values: np.ndarray) -> np.ndarray:
        """Return how far samples (rows, B, ...) are from smooth, (rows, B): the highest difference of each stencil.

        It is scaled so that independent errors of size s in the samples give s, and taken as the largest nearby, and
        half as much again for jumps of the acceleration.
        """
        total = np.zeros_like(values)
        for j in range(self.index.shape[1]):
            total += self.highest[:, j].reshape(-1, *[1] * (values.ndim - 1)) * values[self.index[:, j]]
        size = np.linalg.norm(total, axis=-1)
        return KINK * np.asarray(maximum_filter1d(size, 2 * self.index.shape[1] + 1, axis=0, mode="nearest"))

    def noise(self, doubt: np.ndarray, order: int = 1) -> np.ndarray:
        """Return the largest error (rows, B) of a rate whose samples are each wrong by up to `doubt` (rows, B)."""
        return np.abs(self.weights[:, :, order]).sum(1)[:, None] * doubt


def same_sign(q: np.ndarray) -> np.ndarray:
    """Return unit quaternions along axis 0 without jumps to the negative, which is the same attitude."""
    q = q / np.linalg.norm(q, axis=-1, keepdims=True)
    jump = np.where((q[1:] * q[:-1]).sum(-1, keepdims=True) < 0, -1.0, 1.0)
    return np.concatenate([q[:1], q[1:] * np.cumprod(jump, axis=0)])


def body_rate(q: np.ndarray, rate: np.ndarray) -> np.ndarray:
    """Return the vector part of 2 q* rate.

    With q' it is the angular velocity in body axes (MBDM note Eq. 40), with q'' the angular acceleration, because the
    rate of 2 q* q' is 2 q* q'' + 2 q'* q' and q'* q' is a scalar.
    """
    w, v = q[..., :1], q[..., 1:]
    return 2 * (w * rate[..., 1:] - rate[..., :1] * v - np.cross(v, rate[..., 1:]))
