"""Gyroscopic moments and moments of the whole topside on the tower, from the record of any formulation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from fairlead.errors import InvalidInput
from fairlead.numeric import unit_rotation_matrix
from fairlead.results.reading import open_data

if TYPE_CHECKING:
    import xarray as xr

Array = npt.NDArray[np.float64]
AXES = ("nacelle", "horizontal")


def gyroscopic_moments(
    data: Any, spin: str = "spin", *, axes: str = "nacelle", up: Any = (0.0, 0.0, 1.0)
) -> xr.Dataset:
    """Return the moments that a spinning rotor and its nacelle put on what carries them, as a Dataset over `abc`.

    `spin` names the joint that carries the rotor (or a body with wheels). `gyroscopic_moment` is what vanishes when the
    rotor is parked, -d/dt (I_B psi' B) (Dissertation Eqs. 2.30-2.32, 3.28); `topside_moment` is the whole reaction
    about the topside's mass centre, -dH/dt plus the moments of loads on it (Eqs. 2.27-2.29 and 2.33, 3.27).
    B is the spin axis. With `axes="nacelle"` (Chapter 3) C is the nacelle's axis `up`, made perpendicular to B, and
    A = B x C; with "horizontal" (Chapter 2) C is horizontal and A = B x C points up or down the tower.
    """
    if axes not in AXES:
        raise InvalidInput(f"axes must be one of {', '.join(AXES)}; got {axes!r}")
    data = open_data(data)
    record = _Record(data)
    nacelle, B, stored, dstored = _spin(record, spin)
    frame = _frame(record, nacelle, B, axes, up)
    w = record.angular_velocity(nacelle)
    gyroscopic = -(np.cross(w, stored[:, None] * B) + dstored[:, None] * B)
    return _dataset(data, frame, B, gyroscopic, -_momentum_rate(record, record.outboard(nacelle)))


class _Record:
    """A Dataset in world axes, by the names of bodies."""

    def __init__(self, data: Any) -> None:
        self.data = data
        self.number = {str(name): i for i, name in enumerate(data["body"].values)}
        self.R = unit_rotation_matrix(data["orientation"].values)

    def turned(self, name: str, vector: Any) -> Array:
        """Return a vector given in a body's axes (one, or one per instant) in world axes."""
        return np.einsum("tij,j->ti" if np.ndim(vector) == 1 else "tij,tj->ti", self.R[:, self.number[name]], vector)

    def of(self, variable: str, name: str) -> Array:
        """Return a variable of a body over time."""
        return np.asarray(self.data[variable].values[:, self.number[name]])

    def angular_velocity(self, name: str) -> Array:
        """Return the angular velocity of a body, world axes."""
        return self.turned(name, self.of("angular_velocity", name))

    def joint(self, name: str) -> tuple[str, str]:
        """Return parent and child of a joint."""
        row = [str(label) for label in self.data["joint"].values].index(name)
        return str(self.data["joint_parent"].values[row]), str(self.data["joint_child"].values[row])

    def outboard(self, name: str) -> list[str]:
        """Return a body and all that it carries."""
        found = [name]
        for body in found:
            found += [
                str(c) for p, c in zip(self.data["joint_parent"].values, self.data["joint_child"].values) if p == body
            ]
        return found


def _spin(record: _Record, spin: str) -> tuple[str, Array, Array, Array]:
    """Return the nacelle, the spin axis over time, the momentum stored along it and its rate."""
    data = record.data
    if spin in record.number:
        stored = data["wheel_momentum"].values[record.number[spin]]
        size = float(np.linalg.norm(stored))
        if size == 0.0:
            raise InvalidInput(f"body '{spin}' has no wheels that turn; name the joint that carries the rotor")
        return spin, record.turned(spin, stored / size), np.full(len(data["time"]), size), np.zeros(len(data["time"]))
    label = f"{spin}.angle"
    if label not in data["coordinate"].values:
        raise InvalidInput(f"the result has no revolute joint '{spin}'; name the joint that carries the rotor")
    rate = data["joint_rate"].sel(coordinate=label).values
    nacelle, rotor = record.joint(spin)
    if not np.any(rate):
        raise InvalidInput(f"joint '{spin}' does not turn, so it has no gyroscopic moment")
    fastest = int(np.argmax(np.abs(rate)))
    turn = (record.angular_velocity(rotor) - record.angular_velocity(nacelle))[fastest] / rate[fastest]
    B_rotor = record.R[fastest, record.number[rotor]].T @ turn
    B = record.turned(rotor, B_rotor / np.linalg.norm(B_rotor))
    I_B = _about_axis(record, record.outboard(rotor), B, spin)
    return nacelle, B, I_B * rate, I_B * data["joint_acceleration"].sel(coordinate=label).values


def _about_axis(record: _Record, bodies: list[str], B: Array, spin: str) -> Array:
    """Return the inertia of the rotor's bodies about the spin axis."""
    data = record.data
    point = data["joint_point"].sel(joint=spin).values
    total = np.zeros(len(B))
    for body in bodies:
        i = record.number[body]
        arm = np.cross(record.of("position", body) - point, B)
        own = np.einsum("tij,ti->tj", record.R[:, i], B)
        total += np.einsum("ti,ij,tj->t", own, data["inertia"].values[i], own)
        total += float(data["mass"].values[i]) * np.sum(arm * arm, axis=1)
    return total


def _frame(record: _Record, nacelle: str, B: Array, axes: str, up: Any) -> Array:
    """Return the axes A, B, C over time as rows, world axes."""
    if axes == "horizontal":
        C = np.cross(B, [0.0, 0.0, 1.0])
    else:
        C = record.turned(nacelle, np.asarray(up, dtype=float))
        C = C - np.sum(C * B, axis=1, keepdims=True) * B
    length = np.linalg.norm(C, axis=1, keepdims=True)
    if not np.all(length > 1e-9):
        raise InvalidInput("the spin axis is along the axis that would give C; give another 'up' or other axes")
    C = C / length
    return np.stack([np.cross(B, C), B, C], axis=1)


def _momentum_rate(record: _Record, bodies: list[str]) -> Array:
    """Return dH/dt of some bodies about their common mass centre, less the moments of the loads on them, world axes."""
    data = record.data
    numbers = [record.number[body] for body in bodies]
    masses = data["mass"].values[numbers]
    x, a = data["position"].values[:, numbers], data["acceleration"].values[:, numbers]
    d = x - np.einsum("b,tbi->ti", masses, x)[:, None] / masses.sum()
    rate = np.einsum("b,tbi->ti", masses, np.cross(d, a))
    for body, i in zip(bodies, numbers):
        w, al, I = (
            record.of("angular_velocity", body),
            record.of("angular_acceleration", body),
            data["inertia"].values[i],
        )
        rate += record.turned(body, al @ I.T + np.cross(w, w @ I.T + data["wheel_momentum"].values[i]))
    for row, body in enumerate(str(name) for name in data["load_body"].values):
        if body in bodies:
            arm = d[:, bodies.index(body)]
            rate -= data["load_moment"].values[:, row] + np.cross(arm, data["load_force"].values[:, row])
    return rate


def _dataset(data: Any, frame: Array, B: Array, gyroscopic: Array, whole: Array) -> Any:
    import xarray as xr

    moments = {"gyroscopic_moment": gyroscopic, "topside_moment": whole}
    said = {
        "gyroscopic_moment": "moment of the rotor's spin on what carries the nacelle, axes A, B, C",
        "topside_moment": "moment of the topside on what carries it, about its mass centre, axes A, B, C",
    }
    found = {
        name: (("time", "abc"), np.einsum("tai,ti->ta", frame, value), {"units": "N m", "long_name": said[name]})
        for name, value in moments.items()
    }
    angles = {
        "precession": (np.unwrap(np.arctan2(-B[:, 0], B[:, 1])), "precession phi of the spin axis, 3-1-3 angles"),
        "nutation": (np.arcsin(np.clip(B[:, 2], -1, 1)) - np.pi / 2, "nutation theta of the spin axis, 3-1-3 angles"),
    }
    extra = {name: (("time",), value, {"units": "rad", "long_name": text}) for name, (value, text) in angles.items()}
    return xr.Dataset(found | extra, coords={"time": data["time"], "abc": ["A", "B", "C"]})
