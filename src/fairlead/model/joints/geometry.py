"""The drawing in numbers: body axes, joint axes and points, in world axes at t = 0."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from fairlead.model.bodies import Body
from fairlead.model.fields import WORLD
from fairlead.model.joints.base import Joint
from fairlead.numeric import unit_rotation_matrix

if TYPE_CHECKING:
    from fairlead.model.schema import Model

Array = npt.NDArray[np.float64]


def rotation_of(body: Body) -> Array:
    """Return R_WB of a body in the drawing, orthonormal to rounding."""
    given = body.orientation
    if given is None:
        return np.eye(3)
    if given.matrix is not None:
        u, _, vt = np.linalg.svd(np.array(given.matrix))  # the nearest rotation to a matrix that is one to 1e-6
        return u @ vt
    if given.quaternion is not None:
        return unit_rotation_matrix(np.array(given.quaternion) / np.linalg.norm(given.quaternion))
    return euler123_matrix(*(given.euler123 or (0.0, 0.0, 0.0)))


def euler123_matrix(a: float, b: float, c: float) -> Array:
    """Return R = Rx(a) Ry(b) Rz(c). MCM paper Eq. 3."""
    ca, sa, cb, sb, cc, sc = math.cos(a), math.sin(a), math.cos(b), math.sin(b), math.cos(c), math.sin(c)
    r_x = np.array([[1, 0, 0], [0, ca, -sa], [0, sa, ca]])
    r_y = np.array([[cb, 0, sb], [0, 1, 0], [-sb, 0, cb]])
    r_z = np.array([[cc, -sc, 0], [sc, cc, 0], [0, 0, 1]])
    return np.asarray(r_x @ r_y @ r_z)


def point_of(joint: Joint, model: Model) -> Array:
    """Return a joint's point; without one, the mass centre of the child (of the parent if the world is the child)."""
    point = getattr(joint, "point", None)
    if point is not None:
        return np.array(point, dtype=float)
    return np.array(model.bodies[joint.child if joint.child != WORLD else joint.parent].position, dtype=float)


def axes_of(joint: Joint) -> list[Array]:
    """Return the axis of each coordinate of a joint in its kinematic order: of the drawing, or of the bodies."""
    return [_column(joint, one.column) for one in joint.coordinates.values()]


def _column(joint: Joint, column: int) -> Array:
    """Return a column of the joint's frame as drawn (see `description.py`)."""
    if not joint.has_axes():
        return np.eye(3)[column]
    axis, axis2 = (getattr(joint, name, None) or getattr(joint, f"parent_{name}") for name in ("axis", "axis2"))
    if column == 2:
        return np.array(axis)
    if axis2 is None and joint.arm():
        return np.array(joint.child_axis2)
    along = np.array(axis2) - np.array(axis) * np.dot(axis, axis2)  # perpendicular to rounding, not only as drawn
    along = along / np.linalg.norm(along)
    return along if column == 0 else np.cross(axis, along)
