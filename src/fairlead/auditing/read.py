"""The content of a record, block by block and in world axes: the only part of the audit that knows a Dataset.

Everything is read lazily in blocks of time, so memory stays flat for a run of any length. Letters: W world, B a body
(its mass centre and its axes), S the mass centre of the system.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from fairlead.errors import InvalidInput
from fairlead.numeric import rotation_matrix, turn
from fairlead.results.variables import RECORD

if TYPE_CHECKING:
    import xarray as xr

NEEDED = ("time", "position", "velocity", "orientation", "angular_velocity", "mass", "inertia")
MOTION = ("position", "velocity", "acceleration", "orientation", "angular_velocity", "angular_acceleration")
WRENCH = ("load_force", "load_moment", "joint_point", "joint_force", "joint_moment", "load_work", "driver_work")
REPORTED = ("external_impulse", "external_angular_impulse", "momentum", "angular_momentum", "kinetic_energy")
REPORTED_MORE = ("potential_energy", "mass_centre_position", "mass_centre_velocity")
PER_ROW = MOTION + WRENCH + REPORTED + REPORTED_MORE


class NotFinite(Exception):
    """A value of the record is not finite; the sentence names the variable, the first time and the body."""


@dataclass(frozen=True)
class System:
    """The part of a record that does not change with time: masses, names, gravity, and which rows act from outside."""

    data: xr.Dataset
    time: np.ndarray  # [s] (T)
    bodies: list[str]
    mass: np.ndarray  # [kg] (B)
    g_W: np.ndarray  # [m/s2] (3)
    has: frozenset[str]  # the variables of the record
    load_at: np.ndarray  # index of the body of each external load
    load_rows: np.ndarray  # rows of the external loads
    joint_rows: np.ndarray  # rows of the joints to the world
    joint_sign: np.ndarray  # +1 where the body is the child, -1 where it is the parent
    wrench_known: bool  # every external load and world joint has its force and moment recorded
    attitude_known: np.ndarray  # (B) False where only world-axes quantities are known (foreign tables)
    printed: dict[str, float]  # how finely a foreign table printed each variable [SI]; 0 is full precision
    pieces: list[tuple[int, int]]  # first and last row of each stretch without events: no difference goes over one
    mass_centre_frame: bool  # the record has no R, Rdot: it is seen from the system's mass centre


@dataclass(frozen=True)
class Block:
    """Rows `first` to `last` of the record; missing variables are not in `row`."""

    time: np.ndarray  # [s] (n)
    row: dict[str, np.ndarray]
    R_WB: np.ndarray  # (n, B, 3, 3)
    w_WB_W: np.ndarray  # [rad/s] (n, B, 3)
    inertia: np.ndarray  # [kg m2] body axes, (B, 3, 3) or (n, B, 3, 3)
    wheel: np.ndarray  # [kg m2/s] body axes, (B, 3) or (n, B, 3)


def read_system(data: xr.Dataset) -> System:
    """Return the constants of a record; InvalidInput names whatever is missing or cannot be used."""
    missing = [name for name in NEEDED if name not in data.variables]
    if missing:
        raise InvalidInput(f"the Dataset cannot be audited without {', '.join(missing)}.")
    time = np.asarray(data["time"].values, dtype=float)
    if time.ndim != 1 or len(time) < 2:
        raise InvalidInput("an audit needs at least two instants of time.")
    if not np.all(np.isfinite(time)) or np.any(np.diff(time) <= 0):
        at = int(np.argmax(~(np.diff(time) > 0)))
        raise InvalidInput(f"time must grow: it goes from {time[at]:.9g} s to {time[at + 1]:.9g} s at row {at + 1}.")
    bodies = _labels(data, "body", len(data["mass"]))
    has = frozenset(name for name in PER_ROW if name in data.variables and data[name].size)
    index_of = {name: index for index, name in enumerate(bodies)}
    load_rows, load_at = _external_loads(data, index_of)
    joint_rows, joint_sign = _world_joints(data)
    known = (not len(load_rows) or {"load_force", "load_moment"} <= has) and (
        not len(joint_rows) or {"joint_point", "joint_force", "joint_moment"} <= has
    )
    apart = data.attrs.get("frame") == "mass-centre"
    gravity = np.asarray(data["gravity"].values, dtype=float) if "gravity" in data.variables else np.zeros(3)
    attitude = data["attitude_known"].values.astype(bool) if "attitude_known" in data else np.ones(len(bodies), bool)
    return System(
        data=data,
        time=time,
        bodies=bodies,
        mass=np.asarray(data["mass"].values, dtype=float),
        g_W=np.zeros(3) if apart else gravity,
        has=has,
        load_at=load_at,
        load_rows=load_rows,
        joint_rows=joint_rows,
        joint_sign=joint_sign,
        wrench_known=known,
        attitude_known=attitude,
        printed=_printed(data),
        pieces=_pieces(time, data.attrs.get("events", "[]")),
        mass_centre_frame=apart,
    )


def _pieces(time: np.ndarray, events: str) -> list[tuple[int, int]]:
    """Return first and last row of each stretch between events; the row at an event belongs to what follows it."""
    try:
        instants = sorted(float(one["time"]) for one in json.loads(events))
    except (TypeError, ValueError, KeyError):
        raise InvalidInput("the attribute 'events' is no list of events with their times.") from None
    starts = [int(row) for row in np.unique(np.searchsorted(time, instants)) if 0 < row < len(time)]
    return list(zip([0, *starts], [*(row - 1 for row in starts), len(time) - 1]))


def _printed(data: xr.Dataset) -> dict[str, float]:
    """Return how finely each variable was printed [SI]; 0 where it has full precision or is not there."""
    names = (*PER_ROW, "inertia", "wheel_momentum", "time")
    return {n: float(data[n].attrs.get("resolution", 0.0)) if n in data.variables else 0.0 for n in names}


def _labels(data: xr.Dataset, dim: str, size: int) -> list[str]:
    if dim in data.variables:
        return [str(name) for name in data[dim].values]
    return [f"{dim} {index + 1}" for index in range(size)]


def _external_loads(data: xr.Dataset, at: dict[str, int]) -> tuple[np.ndarray, np.ndarray]:
    """Return the rows of loads from outside and the body each acts on; `load_internal` 1 marks the others."""
    if "load" not in data.sizes or data.sizes["load"] == 0:
        return np.zeros(0, int), np.zeros(0, int)
    size = data.sizes["load"]
    internal = data["load_internal"].values.astype(int) if "load_internal" in data.variables else np.zeros(size, int)
    if "load_body" not in data.variables:
        raise InvalidInput("the Dataset has loads but no load_body that says which body each acts on.")
    on = [str(name) for name in data["load_body"].values]
    rows = [row for row in range(size) if not internal[row] and on[row] != "world"]
    strange = sorted({on[row] for row in rows} - set(at))
    if strange:
        raise InvalidInput(f"load_body names '{strange[0]}', which is none of the bodies {', '.join(at)}.")
    return np.array(rows, int), np.array([at[on[row]] for row in rows], int)


def _world_joints(data: xr.Dataset) -> tuple[np.ndarray, np.ndarray]:
    """Return the rows of joints to the world and the sign of their recorded wrench on the body."""
    if "joint_parent" not in data.variables or "joint_child" not in data.variables:
        return np.zeros(0, int), np.zeros(0)
    parent = [str(name) == "world" for name in data["joint_parent"].values]
    child = [str(name) == "world" for name in data["joint_child"].values]
    rows = [row for row in range(len(parent)) if parent[row] != child[row]]
    return np.array(rows, int), np.array([1.0 if parent[row] else -1.0 for row in rows])


def edges(rows: int, size: int) -> list[tuple[int, int]]:
    """Return first and last row of each block; neighbours share one row, and no block is shorter than nine rows."""
    starts = list(range(0, max(rows - 1, 1), size))
    if len(starts) > 1 and rows - 1 - starts[-1] < 8:
        starts.pop()
    return list(zip(starts, [*starts[1:], rows - 1]))


def blocks(
    system: System, size: int, names: tuple[str, ...] = PER_ROW, piece: tuple[int, int] | None = None
) -> Iterator[Block]:
    """Give the record or a piece of it in blocks of about `size` rows, with orientations as matrices."""
    start, end = piece or (0, len(system.time) - 1)
    for first, last in ((start + a, start + b) for a, b in edges(end + 1 - start, size)):
        rows = slice(first, last + 1)
        row = {name: _read(system.data, name, rows) for name in names if name in system.has}
        _refuse_bad(system, system.time[rows], row)
        yield _block(system, rows, row)


def _read(data: xr.Dataset, name: str, rows: slice) -> np.ndarray:
    dims = RECORD[name].dims if name in RECORD else ()
    return np.asarray(data[name].isel(time=rows).transpose("time", *dims, ...).values, dtype=float)


def _block(system: System, rows: slice, row: dict[str, np.ndarray]) -> Block:
    data = system.data
    R_WB = rotation_matrix(row["orientation"])
    inertia = data["inertia"]
    wheel = data["wheel_momentum"] if "wheel_momentum" in data.variables else None
    return Block(
        time=system.time[rows],
        row=row,
        R_WB=R_WB,
        w_WB_W=turn(R_WB, row["angular_velocity"]),
        inertia=_read(data, "inertia", rows) if "time" in inertia.dims else np.asarray(inertia.values, dtype=float),
        wheel=np.zeros((len(system.bodies), 3))
        if wheel is None
        else _read(data, "wheel_momentum", rows)
        if "time" in wheel.dims
        else np.asarray(wheel.values, dtype=float),
    )


def _refuse_bad(system: System, time: np.ndarray, row: dict[str, np.ndarray]) -> None:
    found: list[tuple[int, str]] = []
    for name in ("mass", "inertia", "wheel_momentum", "gravity"):
        if name in system.data.variables and not np.all(np.isfinite(system.data[name].values)):
            raise NotFinite(f"{name} holds a value that is not finite.")
    for name, values in row.items():
        bad = ~np.isfinite(values)
        if bad.any():
            where = np.argwhere(bad)[0]
            dims = RECORD[name].dims if name in RECORD else ()
            label = ""
            if dims and dims[0] in system.data.variables and dims[0] != "xyz":
                label = f" of {dims[0]} '{system.data[dims[0]].values[where[1]]}'"
            found.append((int(where[0]), f"{name}{label} is not finite at t = {time[where[0]]:.9g} s."))
    if found:
        raise NotFinite(min(found, key=lambda item: item[0])[1])
