"""A state given as a Dataset of one instant, read by names: where bodies and joint coordinates of a model start."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from fairlead.core.arrays import COMMANDED
from fairlead.core.motions import move
from fairlead.errors import InvalidInput
from fairlead.model.compile import Compiled
from fairlead.numeric import rotation_matrix

if TYPE_CHECKING:
    import xarray as xr

Array = npt.NDArray[np.float64]
NEEDED = ("position", "orientation", "velocity", "angular_velocity", "joint_position", "joint_rate")
KEPT = ("controller_output",)  # with which controllers may begin
JOINED = ("joint_parent", "joint_child")
AS_DRIVEN = 1e-9  # [rad, m, and per second]: a driven coordinate of the start counts as where its motion has it


class Given:
    """Bodies and joint coordinates where a Dataset has them: its only or its last instant."""

    def __init__(self, data: xr.Dataset, compiled: Compiled) -> None:
        self.data = instant(data)
        same_names(self.data, compiled)
        _same_topology(self.data, compiled)
        _defined(self.data)
        self._bodies = {str(name): number for number, name in enumerate(self.data["body"].values)}
        self._coordinates = {str(name): number for number, name in enumerate(self.data["coordinate"].values)}
        self.driven: dict[str, tuple[float, float]] = {}  # by their motions
        self.elsewhere: list[str] = []  # a sentence for each of them that the Dataset has elsewhere
        self.command(compiled)

    def output(self, label: str) -> float:
        """Return the output of a controller, nan where the Dataset has none."""
        if "controller_output" not in self.data or label not in self.data["controller"].values:
            return math.nan
        return float(self.data["controller_output"].sel(controller=label))

    def body(self, name: str) -> tuple[Array, Array, Array, Array]:
        """Return position, R_WB, velocity and angular velocity (both in world axes) of a body."""
        k = self._bodies[name]
        x, q, u, w_B = (np.array(self.data[one].values[k], dtype=float) for one in NEEDED[:4])
        R_WB = rotation_matrix(q)
        return x, R_WB, u, R_WB @ w_B

    def drive(self, time: float, compiled: Compiled, work: Any) -> None:
        """Let driven and locked coordinates be where the model has them at a time, whatever the Dataset says."""
        work.window[:] = time
        move(time, compiled.arrays, work)
        for row, now in zip(compiled.arrays.coordinates, work.coordinates):
            user = int(row["user"])
            label, role = compiled.index.coordinates[user], compiled.index.coordinate_role[user]
            if role != "free" and label not in self.driven:
                unit = "rad" if compiled.index.coordinate_kind[user] == "angle" else "m"
                self.elsewhere += _elsewhere(label, role, unit, now, *self.coordinate(label))
                self.driven[label] = float(now["q"]), float(now["dq"])

    def command(self, compiled: Compiled) -> None:
        """Let coordinates under feedback begin where the Dataset has them; as `memory` they are part of the state."""
        arrays = compiled.arrays
        first = arrays.states - len(arrays.memory)
        for row in arrays.coordinates:
            if row["code"] == COMMANDED:
                q, dq = self.coordinate(compiled.index.coordinates[int(row["user"])])
                row["par"][:2] = q, dq
                arrays.memory[int(row["state"]) - first], arrays.memory[int(row["rate"]) - first] = q, dq

    def coordinate(self, label: str) -> tuple[float, float]:
        """Return value and rate of a joint coordinate."""
        if label in self.driven:
            return self.driven[label]
        k = self._coordinates[label]
        return float(self.data["joint_position"].values[k]), float(self.data["joint_rate"].values[k])


def instant(data: xr.Dataset) -> xr.Dataset:
    """Return what of a Dataset says a state: its last instant, with poses, velocities and joint coordinates first."""
    missing = [name for name in NEEDED if name not in data]
    if missing:
        raise InvalidInput(f"the start has no '{missing[0]}'; give a result of a run, or of fl.equilibrium")
    if "time" in data.dims:
        if not data.sizes["time"]:
            raise InvalidInput("the start has no instants; give a result with at least one")
        data = data.isel(time=-1)
    found = (
        data[[*NEEDED, *(name for name in KEPT if name in data)]]
        .transpose(..., "body", "coordinate", "xyz", "wxyz", missing_dims="ignore")
        .load()
        .drop_encoding()
    )
    found = found.assign_coords({name: data[name].load() for name in JOINED if name in data.coords})
    found.attrs = {name: data.attrs[name] for name in ("title", "stable", "events") if name in data.attrs}
    return found


def same_names(data: xr.Dataset, compiled: Compiled) -> None:
    """Raise InvalidInput where a Dataset is not of these bodies and joints."""
    for dim, names in (("body", compiled.index.bodies), ("coordinate", compiled.index.coordinates)):
        given = [str(name) for name in data[dim].values] if dim in data.coords else []
        for name in names:
            if name not in given:
                raise InvalidInput(f"the start has no {dim} '{name}', which the model has; {_ALIKE}")
        for name in given:
            if name not in names:
                raise InvalidInput(f"the start has a {dim} '{name}', which the model has not; {_ALIKE}")


_ALIKE = "give one of a model with the same bodies and joints"


def _same_topology(data: xr.Dataset, compiled: Compiled) -> None:
    """Raise InvalidInput where a joint of the start joins other bodies."""
    if not set(JOINED) <= set(data.coords):
        return
    for name, *then in zip(*(data[one].values for one in ("joint", *JOINED))):
        joint = compiled.model.joints.get(str(name))
        if joint is not None and [joint.parent, joint.child] != [str(one) for one in then]:
            raise InvalidInput(
                f"joint '{name}' joins '{then[0]}' and '{then[1]}' in the start, '{joint.parent}' and '{joint.child}' "
                f"in the model; {_ALIKE}"
            )


def _defined(data: xr.Dataset) -> None:
    for name in NEEDED:
        if not np.isfinite(data[name].values).all():
            raise InvalidInput(f"'{name}' of the start is not all numbers (nan or infinite); choose another instant")


def _elsewhere(label: str, role: str, unit: str, now: Any, q: float, dq: float) -> list[str]:
    """Return the sentence about a driven or locked coordinate that the model has elsewhere, or moving otherwise."""
    by = "its motion has it" if role == "driven" else "it is locked"
    if abs(now["q"] - q) > AS_DRIVEN * max(1.0, abs(q)):
        return [f"'{label}' starts where {by}, at {now['q']:.6g} {unit}, not at {q:.6g} {unit}"]
    if abs(now["dq"] - dq) > AS_DRIVEN * max(1.0, abs(dq)):
        return [f"'{label}' starts with the rate of its motion, {now['dq']:.6g} {unit}/s, not {dq:.6g} {unit}/s"]
    return []
