"""Angles and quaternions as the MBDM note has them: A = Rz(c) Ry(b) Rx(a) maps body to world components.

The note prints "1-2-3 notation"; its Eq. 91 and section 7.2 say in which order the matrices stand, and that holds.
Fairlead's own `euler123` is Rx Ry Rz.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]
SINGULAR = 1e-12  # cosine of the middle angle below which only the sum of the others is defined


def quaternion_of_angles(a: float, b: float, c: float) -> tuple[float, float, float, float]:
    """Return the unit quaternion (scalar first) of A = Rz(c) Ry(b) Rx(a)."""
    ca, sa, cb, sb = math.cos(a / 2), math.sin(a / 2), math.cos(b / 2), math.sin(b / 2)
    cc, sc = math.cos(c / 2), math.sin(c / 2)
    return (
        cc * cb * ca + sc * sb * sa,
        cc * cb * sa - sc * sb * ca,
        cc * sb * ca + sc * cb * sa,
        sc * cb * ca - cc * sb * sa,
    )


def matrix_of_quaternion(q: Any) -> Array:
    """Return A of quaternions (scalar first, last axis), which need not have length one. MBDM note Eq. 2."""
    q = np.asarray(q, dtype=float)
    w, x, y, z = np.moveaxis(q, -1, 0)
    s = 2.0 / (w * w + x * x + y * y + z * z)
    rows = [
        [1 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y)],
        [s * (x * y + w * z), 1 - s * (x * x + z * z), s * (y * z - w * x)],
        [s * (x * z - w * y), s * (y * z + w * x), 1 - s * (x * x + y * y)],
    ]
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


def angles_of_matrix(A: Any) -> Array:
    """Return the angles (a, b, c) of A = Rz(c) Ry(b) Rx(a); where cos b = 0 only c -+ a is defined and a is zero."""
    A = np.asarray(A, dtype=float)
    cosine = np.hypot(A[..., 0, 0], A[..., 1, 0])
    upright = cosine < SINGULAR
    a = np.where(upright, 0.0, np.arctan2(A[..., 2, 1], A[..., 2, 2]))
    b = np.arctan2(-A[..., 2, 0], cosine)
    c = np.where(upright, np.arctan2(-A[..., 0, 1], A[..., 1, 1]), np.arctan2(A[..., 1, 0], A[..., 0, 0]))
    return np.stack([a, b, c], axis=-1)


def matrix_of_angles(angles: Any) -> Array:
    """Return A = Rz(c) Ry(b) Rx(a) of angles (a, b, c) in the last axis. MBDM note Eq. 91."""
    sa, sb, sc = np.moveaxis(np.sin(angles), -1, 0)
    ca, cb, cc = np.moveaxis(np.cos(angles), -1, 0)
    rows = [
        [cc * cb, cc * sb * sa - sc * ca, cc * sb * ca + sc * sa],
        [sc * cb, sc * sb * sa + cc * ca, sc * sb * ca - cc * sa],
        [-sb, cb * sa, cb * ca],
    ]
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


def quaternion_from_vector(e: Any, near: Any) -> tuple[float, float, float, float] | None:
    """Return the unit quaternion with vector part `e` nearer in attitude to `near`; None if `e` is longer than one.

    A ground or angular constraint gives e1, e2, e3 alone, which two attitudes share.
    """
    square = float(np.dot(e, e))
    if square > 1.0 + 1e-9:
        return None
    e0 = math.sqrt(max(0.0, 1.0 - square))
    with_plus, with_minus = (e0, *map(float, e)), (-e0, *map(float, e))
    closer = max((with_plus, with_minus), key=lambda q: abs(float(np.dot(q, near))))
    return (closer[0], closer[1], closer[2], closer[3])
