"""A record before its motion is looked at: bodies, joints, loads, and the route to accelerations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from fairlead.errors import InvalidInput
from fairlead.inverse_dynamics.rates import FINE
from fairlead.results.variables import RECORD

if TYPE_CHECKING:
    import xarray as xr

NEEDED = ("time", "position", "orientation", "mass", "inertia", "joint_point", "joint_parent", "joint_child")
ACCELERATIONS = ("acceleration", "angular_acceleration")
ROUTES = ("recorded", "differentiated")
FEWEST = FINE  # instants a differentiation needs
WORLD = "world"


@dataclass(frozen=True)
class Record:
    """The part of a record that does not change with time."""

    data: xr.Dataset
    time: np.ndarray  # [s] (T)
    bodies: list[str]
    joints: list[str]
    parent: np.ndarray  # (J) number of the body, -1 for the world
    child: np.ndarray
    mass: np.ndarray  # [kg] (B)
    g_W: np.ndarray  # [m/s2]
    load_rows: np.ndarray  # rows of the loads on bodies, internal ones included
    load_at: np.ndarray  # body of each
    differentiate: frozenset[str]  # which of ACCELERATIONS are not taken from the record


def read_record(data: xr.Dataset, route: str | None) -> Record:
    """Return the constants of a record; InvalidInput names whatever is missing."""
    if "time" not in data.dims:  # one instant, as `fl.accelerations` gives it
        data = data.assign({name: data[name].expand_dims("time") for name in RECORD if name in data.variables})
    missing = [name for name in NEEDED if name not in data.variables]
    if missing and all(name.startswith("joint") for name in missing):
        raise InvalidInput("the Dataset says nothing of joints; name them under `joints` in the column map of a table.")
    if missing:
        raise InvalidInput(f"internal loads cannot be found without {', '.join(missing)} in the Dataset.")
    if data.sizes.get("joint", 0) == 0:
        raise InvalidInput("the Dataset has no joints, so there are no internal loads.")
    time = np.asarray(data["time"].values, dtype=float)
    bodies = [str(name) for name in data["body"].values]
    at = {name: number for number, name in enumerate([*bodies])} | {WORLD: -1}
    rows, on = _loads(data, at)
    _refuse_mass_centre(data, rows)
    gravity = np.asarray(data["gravity"].values, dtype=float) if "gravity" in data.variables else np.zeros(3)
    return Record(
        data=data,
        time=time,
        bodies=bodies,
        joints=[str(name) for name in data["joint"].values],
        parent=_numbers(data, "joint_parent", at),
        child=_numbers(data, "joint_child", at),
        mass=np.asarray(data["mass"].values, dtype=float),
        g_W=np.zeros(3) if data.attrs.get("frame") == "mass-centre" else gravity,
        load_rows=rows,
        load_at=on,
        differentiate=_route(data, time, route),
    )


def _numbers(data: xr.Dataset, label: str, at: dict[str, int]) -> np.ndarray:
    names = [str(name) for name in data[label].values]
    strange = [name for name in names if name not in at]
    if strange:
        raise InvalidInput(f"{label} names '{strange[0]}', which is none of the bodies {', '.join(list(at)[:-1])}.")
    return np.array([at[name] for name in names], dtype=int)


def _loads(data: xr.Dataset, at: dict[str, int]) -> tuple[np.ndarray, np.ndarray]:
    """Return the rows of all loads on bodies (a load between two bodies has a row for each) and their bodies."""
    if data.sizes.get("load", 0) == 0:
        return np.zeros(0, int), np.zeros(0, int)
    for name in ("load_body", "load_force", "load_moment"):
        if name not in data.variables:
            raise InvalidInput(f"the Dataset has loads but no {name}, so what they do to the bodies is not known.")
    on = _numbers(data, "load_body", at)
    rows = np.flatnonzero(on >= 0)
    return rows, on[rows]


def _refuse_mass_centre(data: xr.Dataset, loads: np.ndarray) -> None:
    """Seen from the system's mass centre, joint loads follow only where nothing but gravity acts from outside."""
    world = any(str(name) == WORLD for label in ("joint_parent", "joint_child") for name in data[label].values)
    if data.attrs.get("frame") == "mass-centre" and (len(loads) or world):
        raise InvalidInput(
            "the table is written from the system's mass centre and has external loads; name the columns of "
            "`mass_centre`, so that accelerations are known."
        )


def _route(data: xr.Dataset, time: np.ndarray, route: str | None) -> frozenset[str]:
    """Return which accelerations are differentiated; InvalidInput if they cannot be."""
    if route is not None and route not in ROUTES:
        raise InvalidInput(f"route must be {' or '.join(ROUTES)}, got {route!r}.")
    absent = [name for name in ACCELERATIONS if name not in data.variables]
    if route == "recorded" and absent:
        raise InvalidInput(f"the Dataset has no {' and no '.join(absent)}; leave `route` out to differentiate.")
    if route != "differentiated" and "angular_velocity" not in data.variables:
        absent = list(dict.fromkeys([*absent, "angular_acceleration"]))
    names = frozenset(ACCELERATIONS if route == "differentiated" else absent)
    if names and len(time) < FEWEST:
        raise InvalidInput(f"{' and '.join(sorted(names))} by differentiation need {FEWEST} instants, not {len(time)}.")
    if names and not np.all(np.diff(time) > 0):
        at = int(np.argmax(~(np.diff(time) > 0)))
        raise InvalidInput(f"time must grow: it goes from {time[at]:.9g} s to {time[at + 1]:.9g} s at row {at + 1}.")
    return names


def read(record: Record, name: str, rows: slice) -> np.ndarray:
    """Return rows of a variable; InvalidInput names the first value that is not finite."""
    values = record.data[name].isel(time=rows).transpose("time", *RECORD[name].dims).values.astype(float)
    bad = np.argwhere(~np.isfinite(values))
    if len(bad):
        dim = RECORD[name].dims[0]
        label = record.data[dim].values[bad[0][1]]
        when = record.time[rows][bad[0][0]]
        raise InvalidInput(f"{name} of {dim} '{label}' is not finite at t = {when:.9g} s; cut the record before that.")
    return np.asarray(values)
