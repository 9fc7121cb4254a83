"""A state given as a Dataset of one instant, as the state of a simulation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from fairlead.core import arrays as ca
from fairlead.core.codes import LOOSE
from fairlead.core.layout import ATTITUDE, LENGTH, TURNING, VELOCITY
from fairlead.errors import InvalidInput
from fairlead.model.joints.geometry import euler123_matrix
from fairlead.running.formulations.start_tree import _from_base_to_centre, _tree_of
from fairlead.running.simulation import Simulation

if TYPE_CHECKING:
    import xarray as xr

Array = npt.NDArray[np.float64]


def state_of(simulation: Simulation, data: xr.Dataset, time: float) -> Array:
    """Return the state of a simulation whose bodies and joints are where a Dataset has them, its last instant."""
    if "time" in data.dims:
        data = data.isel(time=-1)
    compiled, y = simulation.compiled, simulation.y.copy()
    same_names(data, compiled)
    if int(compiled.arrays.options[LOOSE]):
        for name, number in compiled.index.tree_order.items():
            _put_body(y, LENGTH * number, data, name)
        return y
    for tree, row in zip(compiled.topology.trees, compiled.arrays.trees):
        if not tree.rooted:
            _put_body(y, int(row["state"]), data, tree.root)
    for number, row in enumerate(compiled.arrays.coordinates):
        if row["code"] == ca.FREE:
            _put_coordinate(y, number, row, data, simulation)
    if simulation.formulation.of_centre:
        _from_base_to_centre(y, time, compiled, simulation.work, simulation.formulation.kernels)
    return y


def same_names(data: xr.Dataset, compiled: Any) -> None:
    """Raise InvalidInput where a Dataset is not of these bodies and joints."""
    needed = {"body": compiled.index.bodies, "coordinate": compiled.index.coordinates}
    for dim, names in needed.items():
        missing = [name for name in names if dim not in data.coords or name not in data[dim].values]
        if missing:
            raise InvalidInput(f"the state given has no {dim} '{missing[0]}'; give one of a model with the same names")


def _put_body(y: Array, s: int, data: xr.Dataset, name: str) -> None:
    one = data.sel(body=name)
    y[s : s + 3], y[s + ATTITUDE : s + VELOCITY] = one["position"].values, one["orientation"].values
    y[s + VELOCITY : s + TURNING] = one["velocity"].values
    y[s + TURNING : s + LENGTH] = one["angular_velocity"].values


def _put_coordinate(y: Array, number: int, row: Any, data: xr.Dataset, simulation: Simulation) -> None:
    from fairlead.core.rotation import to_quaternion

    compiled = simulation.compiled
    label = compiled.index.coordinates[int(row["user"])]
    y[row["rate"]] = float(data["joint_rate"].sel(coordinate=label))
    if row["kind"] == ca.BALL:
        name = label.rpartition(".")[0]
        labels = [f"{name}.{c}" for c in compiled.model.joints[name].ball()]
        angles = [float(data["joint_position"].sel(coordinate=one)) for one in labels]
        R_WD = compiled.arrays.trees["R_WD"][_tree_of(number, compiled)].reshape(3, 3)
        turn = R_WD.T @ euler123_matrix(*angles) @ R_WD
        y[row["state"] : row["state"] + 4] = to_quaternion(tuple((turn.T if row["flip"] else turn).ravel()))
    elif row["kind"] != ca.BALL_REST:
        y[row["state"]] = float(data["joint_position"].sel(coordinate=label))
