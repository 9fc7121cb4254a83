"""Rigid motions as 4x4 poses and six-vectors (angular, then linear) in body axes: twists, screws, adjoints."""

from __future__ import annotations

import numpy as np
from scipy.spatial.transform import Rotation


def hat(w):
    """The matrix of w x."""
    return np.array([[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]])


def pose(R, r):
    """The 4x4 pose of axes R at r."""
    T = np.eye(4)
    T[:3, :3], T[:3, 3] = R, r
    return T


def inverse(T):
    """The inverse pose."""
    R = T[:3, :3]
    return pose(R.T, -R.T @ T[:3, 3])


def adjoint(T):
    """The 6x6 matrix that takes twist components from the axes of T to those T is given in."""
    R, out = T[:3, :3], np.zeros((6, 6))
    out[:3, :3] = out[3:, 3:] = R
    out[3:, :3] = hat(T[:3, 3]) @ R
    return out


def little_adjoint(V):
    """The 6x6 matrix of the Lie bracket [V, .]."""
    out = np.zeros((6, 6))
    out[:3, :3] = out[3:, 3:] = hat(V[:3])
    out[3:, :3] = hat(V[3:])
    return out


def screw(kind, axis, point):
    """The unit twist of turning about an axis through a point, or of sliding along it."""
    if kind == "length":
        return np.concatenate([np.zeros(3), axis])
    return np.concatenate([axis, np.cross(point, axis)])


def exponential(S, q):
    """The pose reached by following the unit screw S for q."""
    w, v = S[:3], S[3:]
    if not w.any():
        return pose(np.eye(3), v * q)
    W = hat(w)
    arm = q * np.eye(3) + (1 - np.cos(q)) * W + (q - np.sin(q)) * W @ W
    return pose(Rotation.from_rotvec(w * q).as_matrix(), arm @ v)


def drawn_rotation(body):
    """Body axes in the drawing, from whichever form they are given in."""
    given = body.orientation
    if given is None:
        return np.eye(3)
    if given.matrix is not None:
        return np.array(given.matrix)
    if given.quaternion is not None:
        return Rotation.from_quat(given.quaternion, scalar_first=True).as_matrix()
    return Rotation.from_euler("XYZ", given.euler123).as_matrix()  # turning axes: Rx Ry Rz
