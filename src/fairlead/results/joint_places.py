"""Where a joint is on its two bodies, as constants of a Dataset: points and frames in body axes."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from fairlead.model.compile import Compiled
from fairlead.model.joints.equations import Frame, Frames
from fairlead.numeric import perpendicular

Array = npt.NDArray[np.float64]
TWO_ARMS = ("universal", "revolute-cylindrical", "relative-angle")  # their second axis is fixed in the child


def joint_constants(compiled: Compiled) -> dict[str, Array]:
    """Return each joint's point on its parent and its frames on both bodies, in the order of the Dataset.

    The columns of a frame are the second axis (or a perpendicular), the third direction and the axis; a joint without
    an axis has the axes of the drawing.
    """
    frames = Frames(compiled.model, compiled.index)
    joints = [compiled.model.joints[name] for name in compiled.index.joints]
    pairs = [frames.pair(joint) for joint in joints]
    child = [_arm(j) if getattr(joint, "type", "") in TWO_ARMS else _columns(j) for joint, (_, j) in zip(joints, pairs)]
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
