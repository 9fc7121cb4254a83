"""Loads through the joints of a turbine: of what is outboard on what carries it, in the axes users expect."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from fairlead.results.channels.machine import Held
from fairlead.results.channels.motion import rotation
from fairlead.results.channels.rows import ChannelRows

Array = npt.NDArray[np.float64]


def _load(data: Any, held: Held) -> dict[str, Array]:
    """Return force and moment of what is outboard on what carries it, at the joint's point, world axes."""
    if "joint_force" not in data.variables or "joint_moment" not in data.variables:
        return {}
    sign = -1.0 if held.forward else 1.0  # the record has what acts on the child
    return {kind: sign * data[f"joint_{kind}"].values[:, held.row] for kind in ("force", "moment")}


def _in_axes(found: ChannelRows, stem: str, loads: dict[str, Array], R_WA: Array, number: int = 0) -> None:
    """Put the components of a load along the columns of R_WA."""
    for kind, values in loads.items():
        found.vector([f"{stem}_{kind}_{axis}" for axis in "xyz"], np.einsum("tij,ti->tj", R_WA, values), number)


def joint_angle(data: Any, held: Held, variable: str) -> Array | None:
    """Return a variable of the joint's angle, positive as the outboard body turns, or None where it has no angle."""
    label = f"{held.name}.angle"
    if variable not in data.variables or label not in data["coordinate"].values:
        return None
    return np.asarray(data[variable].sel(coordinate=label).values) * (1.0 if held.forward else -1.0)


def put_tower_top(found: ChannelRows, data: Any, held: Held | None) -> None:
    if held is None:
        return
    _in_axes(found, "tower_top", _load(data, held), rotation(data, held.inboard))
    angle = joint_angle(data, held, "joint_position")
    if angle is not None:
        found.put("nacelle_yaw", angle)


def put_rotor_joint(found: ChannelRows, data: Any, held: Held | None) -> None:
    if held is None:
        return
    angle, rate = (joint_angle(data, held, name) for name in ("joint_position", "joint_rate"))
    if angle is None or rate is None:
        return
    found.put("azimuth", np.mod(angle, 2 * np.pi))
    found.put("rotor_speed", rate)
    loads = _load(data, held)
    if loads and "joint_parent_frame" in data.variables:
        parent = held.inboard if held.forward else held.outboard
        axis = rotation(data, parent) @ data["joint_parent_frame"].values[held.row, :, 2]
        found.put("shaft_thrust", np.sum(axis * loads["force"], axis=1))
        found.put("shaft_torque", np.sum(axis * loads["moment"], axis=1))


def put_blade(found: ChannelRows, data: Any, held: Held, number: int) -> None:
    loads = _load(data, held)
    if "joint_parent_frame" in data.variables and not _crossed(data, held):
        # The frames of a joint coincide in the drawing: hub to blade is there F_parent F_child^T.
        ends = ("parent", "child") if held.forward else ("child", "parent")
        F_hub, F_blade = (data[f"joint_{end}_frame"].values[held.row] for end in ends)
        _in_axes(found, "blade_#_root", loads, rotation(data, held.inboard) @ (F_hub @ F_blade.T), number)
    _in_axes(found, "blade_#_pitched", loads, rotation(data, held.outboard), number)
    angle = joint_angle(data, held, "joint_position")
    if angle is not None:
        found.put("blade_#_pitch", angle, number)


def _crossed(data: Any, held: Held) -> bool:
    """Return whether the second axis of a joint leads the frame of its child, so that its frames do not coincide."""
    if "coordinate_axis" not in data.variables:  # a result of earlier versions, or a table
        return False
    axes = zip(data["coordinate"].values, data["coordinate_axis"].values)
    return any(str(name).rpartition(".")[0] == held.name and " child " in str(axis) for name, axis in axes)
