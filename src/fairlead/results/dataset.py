"""The record as an xarray Dataset, with names, units and everything an audit needs."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from fairlead.core.record import NAMES
from fairlead.model.compile import Compiled, wheel_momentum
from fairlead.model.joints.geometry import rotation_of
from fairlead.model.loads.table import OUTPUTS
from fairlead.model.motions import amount_in_si
from fairlead.results.joint_places import axis_of, held_by, joint_constants
from fairlead.results.variables import CONSTANT, DERIVED, FIXED_DIMS, LABELS, RECORD, Variable

Array = npt.NDArray[np.float64]
RECORDED = RECORD | OUTPUTS  # what every model has, and what its kinds of loads may add


def sizes_of(compiled: Compiled) -> dict[str, int]:
    """Return the length of every dimension but time."""
    index = compiled.index
    named = {"body": index.bodies, "joint": index.joints, "coordinate": index.coordinates, "load": index.loads}
    named |= {"controller": index.controllers, "relation": index.relations}
    return {name: len(values) for name, values in named.items()} | {name: len(v) for name, v in FIXED_DIMS.items()}


def coordinates_of(compiled: Compiled) -> dict[str, tuple[str, Any]]:
    """Return the labels of every dimension and the labels that ride on them."""
    index, model = compiled.index, compiled.model
    dims: dict[str, Any] = {
        "body": index.bodies,
        "joint": index.joints,
        "coordinate": index.coordinates,
        "load": index.loads,
        **FIXED_DIMS,
    }
    if index.controllers:
        dims["controller"] = index.controllers
    if index.relations:
        dims["relation"] = index.relations
    riding: dict[str, Any] = {
        "joint_parent": [model.joints[name].parent for name in index.joints],
        "joint_child": [model.joints[name].child for name in index.joints],
        "joint_type": [model.joints[name].type for name in index.joints],
        "joint_holds": [held_by(type(model.joints[name])) for name in index.joints],
        "load_body": index.load_body,
        "load_internal": index.load_internal,
        "coordinate_kind": index.coordinate_kind,
        "coordinate_role": index.coordinate_role,
        "coordinate_axis": [axis_of(model, label) for label in index.coordinates],
    }
    found = {name: (name, _labels(values)) for name, values in dims.items()}
    return found | {name: (LABELS[name][0], _labels(values)) for name, values in riding.items()}


def _labels(values: Any) -> Any:
    if len(values) and isinstance(values[0], int):
        return np.array(values, dtype=np.int64)
    return np.array(list(values), dtype=object if len(values) else "U1")


def constants_of(compiled: Compiled) -> dict[str, Array]:
    """Return mass, inertia, stored momentum, gravity, places of joints and the drawing in the user's order and axes."""
    bodies = list(compiled.model.bodies.values())
    return {
        "mass": np.array([body.mass for body in bodies]),
        "inertia": np.array([body.inertia for body in bodies]),
        "wheel_momentum": np.array([wheel_momentum(body) for body in bodies]),
        "gravity": np.array(compiled.model.gravity, dtype=float),
        "joint_limits": limits_of(compiled),
        **joint_constants(compiled),
        "drawn_position": np.array([body.position for body in bodies], dtype=float),
        "drawn_frame": np.array([rotation_of(body) for body in bodies]),
    }


def limits_of(compiled: Compiled) -> Array:
    """Return the range of each joint coordinate, not a number where it has none."""
    limits = np.full((len(compiled.index.coordinates), 2), np.nan)
    for row, label in enumerate(compiled.index.coordinates):
        name, _, coordinate = label.rpartition(".")
        joint = compiled.model.joints[name]
        if coordinate in joint.limits:
            limits[row] = [amount_in_si(end, joint.coordinates[coordinate].kind) for end in joint.limits[coordinate]]
    return limits


def recorded_of(compiled: Compiled) -> dict[str, Variable]:
    """Return the variables that a model's record has."""
    width = dict(zip(NAMES, np.diff(compiled.arrays.layout)))
    return {name: variable for name, variable in RECORDED.items() if not (variable.optional and width[name] == 0)}


def euler123(q: Array) -> Array:
    """Return the 1-2-3 angles of quaternions (scalar first): R = Rx Ry Rz, the middle angle within +-90 degrees."""
    w, x, y, z = np.moveaxis(q, -1, 0)
    r13 = 2 * (x * z + w * y)
    a = np.arctan2(-2 * (y * z - w * x), 1 - 2 * (x * x + y * y))
    c = np.arctan2(-2 * (x * y - w * z), 1 - 2 * (y * y + z * z))
    return np.stack([a, np.arcsin(np.clip(r13, -1, 1)), c], axis=-1)


def derived_of(record: dict[str, Array]) -> dict[str, Array]:
    """Return the variables that follow from the record."""
    return {"euler123": euler123(record["orientation"])}


def variable_attributes(variable: Variable) -> dict[str, str]:
    """Return unit and long name as attributes."""
    return {"units": variable.units, "long_name": variable.long_name}


def make_dataset(compiled: Compiled, record: dict[str, Array], attributes: dict[str, Any]) -> Any:
    """Return the Dataset of a record: a mapping from variable to array with time first."""
    import xarray as xr

    data = {}
    for name, variable in recorded_of(compiled).items():
        data[name] = (("time", *variable.dims), record[name], variable_attributes(variable))
    for name, values in derived_of(record).items():
        data[name] = (("time", *DERIVED[name].dims), values, variable_attributes(DERIVED[name]))
    for name, values in constants_of(compiled).items():
        data[name] = (CONSTANT[name].dims, values, variable_attributes(CONSTANT[name]))
    coordinates: dict[str, Any] = {"time": ("time", record["time"], {"units": "s", "long_name": "time"})}
    coordinates |= coordinates_of(compiled)
    return xr.Dataset(data, coords=coordinates, attrs=attributes)
