"""Rotations, perpendiculars and differences of sampled data in NumPy, once for all who work on recorded motion."""

from __future__ import annotations

import math

import numpy as np


def turn(R: np.ndarray, vector: np.ndarray) -> np.ndarray:
    """Return R @ vector over all leading dimensions."""
    return (R @ vector[..., None])[..., 0]


def rotation_matrix(q: np.ndarray) -> np.ndarray:
    """Return the matrices of quaternions (scalar first, normalised here): R = 1 + 2 w e~ + 2 e~ e~."""
    return unit_rotation_matrix(q / np.maximum(np.sqrt((q * q).sum(-1, keepdims=True)), 1e-300))


def unit_rotation_matrix(q: np.ndarray) -> np.ndarray:
    """Return the matrices of quaternions (scalar first) that have length one already."""
    w, x, y, z = np.moveaxis(q, -1, 0)
    R = np.empty((*q.shape[:-1], 3, 3))
    R[..., 0, 0], R[..., 0, 1], R[..., 0, 2] = 1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)
    R[..., 1, 0], R[..., 1, 1], R[..., 1, 2] = 2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)
    R[..., 2, 0], R[..., 2, 1], R[..., 2, 2] = 2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)
    return R


def rates_of(time: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Return time derivatives of samples along axis 0 by differences of up to five points on any grid."""
    rows, width = len(time), min(5, len(time))
    first = np.clip(np.arange(rows) - width // 2, 0, rows - width)
    index = first[:, None] + np.arange(width)
    nodes = time[index]
    here = np.arange(rows) - first
    # Lagrange: D_pj = (b_j / b_p) / (t_p - t_j), b_j = 1 / prod(t_j - t_m), D_pp = -sum of the others
    gaps = nodes[:, :, None] - nodes[:, None, :] + np.eye(width)
    b = 1 / gaps.prod(2)
    away = time[:, None] - nodes
    away[np.arange(rows), here] = 1.0
    weights = b / b[np.arange(rows), here][:, None] / away
    weights[np.arange(rows), here] = 0.0
    weights[np.arange(rows), here] = -weights.sum(1)
    return sum(
        (weights[:, j].reshape(-1, *[1] * (values.ndim - 1)) * values[index[:, j]] for j in range(width)),
        np.zeros_like(values),
    )


def perpendicular(h: np.ndarray) -> np.ndarray:
    """Return a unit vector perpendicular to h, the same for the same h."""
    aid = np.eye(3)[int(np.argmin(np.abs(h)))]
    f = aid - h * (h @ aid)
    return f / np.linalg.norm(f)


def quaternion_of(R: np.ndarray) -> np.ndarray:
    """Return the unit quaternion of a rotation matrix, scalar first and not negative (Shepperd's choice of divisor)."""
    t = float(np.trace(R))
    four = np.array([1.0 + t, *(1.0 - t + 2.0 * R[i, i] for i in range(3))])  # 4 q_i^2
    k = int(np.argmax(four))
    differences = np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]])
    if k == 0:
        q = np.array([four[0], *differences])
    else:
        i = k - 1
        q = np.array([differences[i], *(R[i, j] + R[j, i] if i != j else four[k] for j in range(3))])
    q *= 0.5 / math.sqrt(four[k])
    return -q if q[0] < 0 else q


def turned(before: np.ndarray, after: np.ndarray) -> np.ndarray:
    """Return the rotation vector, world axes, that turns one attitude into another."""
    R = after.reshape(3, 3) @ before.reshape(3, 3).T
    axis = 0.5 * np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]])
    size = float(np.linalg.norm(axis))
    return axis if size < 1e-12 else axis * (math.atan2(size, 0.5 * (float(np.trace(R)) - 1.0)) / size)
