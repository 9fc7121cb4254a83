"""Where a joint is on its two bodies and what it holds, as constants and labels of a Dataset."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from fairlead.model.compile import Compiled
from fairlead.model.joints.base import Joint
from fairlead.model.joints.description import ALL_BUT_COORDINATES
from fairlead.model.joints.equations import Frame, Frames
from fairlead.model.schema import Model
from fairlead.numeric import perpendicular

Array = npt.NDArray[np.float64]


def held_by(kind: type[Joint]) -> str:
    """Return what a kind of joint holds, as `inverse_dynamics/released.py` reads it."""
    return "; ".join(one.label for one in kind.equations) if kind.only_constrains else ALL_BUT_COORDINATES


def axis_of(model: Model, label: str) -> str:
    """Return the axis of the coordinate `joint.name`, such as 'slide parent 0'."""
    name, _, coordinate = label.rpartition(".")
    return model.joints[name].coordinates[coordinate].label


def joint_constants(compiled: Compiled) -> dict[str, Array]:
    """Return each joint's point on its parent and its frames on both bodies, in the order of the Dataset.

    The columns of a frame are the second axis (or a perpendicular), the third direction and the axis; a joint without
    an axis has the axes of the drawing. Where the second axis is one of the child, it leads the child's frame.
    """
    frames = Frames(compiled.model, compiled.index)
    joints = [compiled.model.joints[name] for name in compiled.index.joints]
    pairs = [frames.pair(joint) for joint in joints]
    child = [_arm(j) if joint.arm() else _columns(j) for joint, (_, j) in zip(joints, pairs)]
    return {
        "joint_parent_point": np.array([i.point for i, _ in pairs], dtype=float).reshape(-1, 3),
        "joint_parent_frame": np.array([_columns(i) for i, _ in pairs]).reshape(-1, 3, 3),
        "joint_child_frame": np.array(child).reshape(-1, 3, 3),
    }


def _columns(frame: Frame) -> Array:
    return np.column_stack([frame.f, frame.g, frame.h])


def _arm(frame: Frame) -> Array:
    """Return the frame whose first column is the second axis itself, whatever the first axis of that body is."""
    f = frame.axis2 / np.linalg.norm(frame.axis2)
    h = perpendicular(f)
    return np.column_stack([f, np.cross(h, f), h])
