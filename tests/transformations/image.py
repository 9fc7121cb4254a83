"""How one result shows in another: what bodies, joints, loads and vectors become, and how far two results are apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation

from fairlead.results.dataset import RECORDED

NOTICED = 1e-3  # of its natural size: what stays below is measured by this, lest rounding is measured by rounding


@dataclass
class Image:
    """What the names, axes and units of a first result become in a second one; what is not named stays the same.

    A place x of the first is Q x + shift + drift t in the second, on top of that turned by `spin` [rad/s] about
    `pole`; the axes of body b are turned by axes[b] (R' = Q R S^T); lengths, masses and times are multiplied by `unit`.
    """

    Q: Any = field(default_factory=lambda: np.eye(3))
    shift: Any = field(default_factory=lambda: np.zeros(3))
    drift: Any = field(default_factory=lambda: np.zeros(3))
    spin: Any = field(default_factory=lambda: np.zeros(3))
    pole: Any = field(default_factory=lambda: np.zeros(3))
    unit: tuple[float, float, float] = (1.0, 1.0, 1.0)
    names: dict[str, str] = field(default_factory=dict)  # of bodies
    axes: dict[str, Any] = field(default_factory=dict)
    offsets: dict[str, Any] = field(default_factory=dict)  # from the second's mass centre to the first's, its axes
    joints: dict[str, tuple[Sequence[str], float]] = field(default_factory=dict)  # those that share it, and its sense
    coordinates: dict[str, tuple[str, float]] = field(default_factory=dict)
    loads: dict[str, str] = field(default_factory=dict)  # rows
    hidden: set[str] = field(default_factory=set)  # variables, `variable:label` or labels that are not compared

    @property
    def hand(self) -> float:
        """Return -1 for a mirror."""
        return float(np.sign(np.linalg.det(self.Q)))

    @property
    def moving(self) -> bool:
        """Return whether the second is seen from a moving place."""
        return bool(np.any(self.drift) or np.any(self.spin))


def quaternions(R: Any) -> Any:
    """Return unit quaternions, scalar first, of rotation matrices."""
    flat = np.reshape(R, (-1, 3, 3))
    return Rotation.from_matrix(flat).as_quat(scalar_first=True).reshape((*np.shape(R)[:-2], 4))


def matrices(q: Any) -> Any:
    """Return rotation matrices of quaternions, scalar first."""
    flat = np.reshape(q, (-1, 4))
    return Rotation.from_quat(flat, scalar_first=True).as_matrix().reshape((*np.shape(q)[:-1], 3, 3))


class SeenBack:
    """A second result as the first would have it: arrays in the first's order, axes and units."""

    def __init__(self, first: Any, second: Any, image: Image) -> None:
        self.first, self.second, self.image = first, second, image
        self.L, self.M, self.T = image.unit
        self.t = first["time"].values
        self.hidden = image.hidden
        turn = Rotation.from_rotvec(np.outer(self.t, image.spin)).as_matrix()  # exp(t [spin])
        self.Q = turn @ image.Q
        self.bodies = [str(b) for b in first["body"].values]
        self.second_bodies = {str(b): i for i, b in enumerate(second["body"].values)}
        self.at = [self.second_bodies[image.names.get(b, b)] for b in self.bodies]
        self._motion()

    def _motion(self) -> None:
        second, image = self.second, self.image
        R2 = matrices(second["orientation"].values[:, self.at])
        x, v, a = (second[n].values[:, self.at] for n in ("position", "velocity", "acceleration"))
        w_B, al_B = (second[n].values[:, self.at] for n in ("angular_velocity", "angular_acceleration"))
        offsets = np.array([image.offsets.get(b, np.zeros(3)) for b in self.bodies])
        arm = np.einsum("tbij,bj->tbi", R2, offsets)
        w, al = (np.einsum("tbij,tbj->tbi", R2, one) for one in (w_B, al_B))
        a = a + np.cross(al, arm) + np.cross(w, np.cross(w, arm))
        x, v = x + arm, v + np.cross(w, arm)
        self.centres = x  # of the first's mass centres, in the second's axes
        S = np.array([image.axes.get(b, np.eye(3)) for b in self.bodies])
        back = lambda one: np.einsum("tji,tbj->tbi", self.Q, one)  # noqa: E731
        place = back(x / self.L - self._moved()[:, None]) + image.pole
        speed = back(v * self.T / self.L - image.drift)
        pace = back(a * self.T**2 / self.L)
        self.R = np.einsum("tji,tbjk,bkl->tbil", self.Q, R2, S)
        w_B, al_B = (image.hand * np.einsum("bji,tbj->tbi", S, one) * self.T**n for n, one in ((1, w_B), (2, al_B)))
        if np.any(image.spin):
            speed = speed - np.cross(image.spin, place - image.pole)
            pace = pace - 2 * np.cross(image.spin, speed)
            pace = pace - np.cross(image.spin, np.cross(image.spin, place - image.pole))
            own = np.einsum("tbji,j->tbi", self.R, image.spin)
            w_B = w_B - own
            al_B = al_B + np.cross(w_B, own)
        self.found = {
            "position": place,
            "velocity": speed,
            "acceleration": pace,
            "orientation": quaternions(self.R),
            "angular_velocity": w_B,
            "angular_acceleration": al_B,
        }

    def _moved(self) -> Any:
        """Return where the first's pole is in the second, in the first's units."""
        image = self.image
        return image.pole + image.shift + np.outer(self.t, image.drift)

    def force_unit(self, length: int) -> float:
        """Return the unit of a force (1) or a moment (2)."""
        return self.M * self.L**length / self.T**2

    def vectors(self, values: Any, length: int, axial: bool = False) -> Any:
        """Return forces or moments of the second in the first's axes and units."""
        hand = self.image.hand if axial else 1.0
        return hand * np.einsum("tji,t...j->t...i", self.Q, values) / self.force_unit(length)

    def joints(self) -> dict[str, Any]:
        """Return forces, moments and places of joints, moments about the first's own points."""
        names = [str(j) for j in self.first["joint"].values]
        at = {str(j): i for i, j in enumerate(self.second["joint"].values)}
        points = self.first["joint_point"].values
        force, moment, place = (np.full(points.shape, np.nan) for _ in range(3))
        own = {n: self.second[n].values for n in ("joint_force", "joint_moment", "joint_point")}
        for row, name in enumerate(names):
            shared, sense = self.image.joints.get(name, ((name,), 1.0))
            if not all(one in at for one in shared):
                continue
            force[:, row] = moment[:, row] = 0.0
            for one in shared:
                f = sense * self.vectors(own["joint_force"][:, at[one]], 1)
                n = sense * self.vectors(own["joint_moment"][:, at[one]], 2, axial=True)
                p = np.einsum("tji,tj->ti", self.Q, own["joint_point"][:, at[one]] / self.L - self._moved())
                p = p + self.image.pole
                force[:, row] += f
                moment[:, row] += n + np.cross(p - points[:, row], f)
                if sense > 0 and name not in self.hidden:
                    place[:, row] = p
        return {"joint_force": force, "joint_moment": moment, "joint_point": place}

    def loads(self) -> dict[str, Any]:
        """Return forces, moments and channels of loads."""
        rows = [str(r) for r in self.first["load"].values]
        at = {str(r): i for i, r in enumerate(self.second["load"].values)}
        body = {str(r): str(b) for r, b in zip(self.first["load"].values, self.first["load_body"].values)}
        shape = self.first["load_force"].shape
        found = {"load_force": np.full(shape, np.nan), "load_moment": np.full(shape, np.nan)}
        scalars = {"tension": 1, "thrust": 1, "power": None, "hub_wind": None, "relative_wind": None, "load_work": 2}
        scalars = {n: length for n, length in scalars.items() if n in self.first and n in self.second}
        found |= {n: np.full(shape[:2], np.nan) for n in scalars}
        for row, name in enumerate(rows):
            other = self.image.loads.get(name, name)
            if other not in at:
                continue
            b = self.bodies.index(body[name])
            f2, n2 = (self.second[n].values[:, at[other]] for n in ("load_force", "load_moment"))
            arm = self.second["position"].values[:, self.at[b]] - self.centres[:, b]
            found["load_force"][:, row] = self.vectors(f2, 1)
            found["load_moment"][:, row] = self.vectors(n2 + np.cross(arm, f2), 2, axial=True)
            for n, length in scalars.items():
                unit = self.force_unit(length) if length else self.unit_of(n)
                found[n][:, row] = self.second[n].values[:, at[other]] / unit
        if self.image.moving:
            found.pop("load_work", None)
        return found

    def unit_of(self, name: str) -> float:
        """Return the unit of power or of a wind speed."""
        return self.force_unit(2) / self.T if name == "power" else self.L / self.T

    def coordinates(self) -> dict[str, Any]:
        """Return coordinates, rates and forces of drivers."""
        labels = [str(c) for c in self.first["coordinate"].values]
        kinds = [str(k) for k in self.first["coordinate_kind"].values]
        at = {str(c): i for i, c in enumerate(self.second["coordinate"].values)}
        names = ("joint_position", "joint_rate", "joint_acceleration", "driver_force", "driver_work")
        found = {n: np.full(self.first[n].shape, np.nan) for n in names}
        for row, (label, kind) in enumerate(zip(labels, kinds)):
            other, factor = self.image.coordinates.get(label, (label, 1.0))
            if other not in at or label in self.hidden:
                continue
            length = self.L if kind == "length" else 1.0
            own = {n: self.second[n].values[:, at[other]] for n in names}
            for power, n in enumerate(names[:3]):
                found[n][:, row] = factor * own[n] * self.T**power / length
            found["driver_force"][:, row] = factor * own["driver_force"] / self.force_unit(1 if kind == "length" else 2)
            found["driver_work"][:, row] = own["driver_work"] / self.force_unit(2)
        if self.image.moving:
            found.pop("driver_work")
        return found

    def controllers(self) -> dict[str, Any]:
        """Return the outputs of controllers, which no transformation changes: they read what they read before."""
        if "controller_output" not in self.first:
            return {}
        at = {str(label): i for i, label in enumerate(self.second["controller"].values)}
        parts = (str(label).partition(".") for label in self.first["controller"].values)
        rows = [at[f"{self.image.names.get(name, name)}.{output}"] for name, _, output in parts]
        return {"controller_output": self.second["controller_output"].values[:, rows]}

    def relations(self) -> dict[str, Any]:
        """Return what relations push along coordinates: like drivers, whatever way the equation is written."""
        if "relation_force" not in self.first:
            return {}
        at = {str(label): i for i, label in enumerate(self.second["relation"].values)}
        kinds = dict(zip(map(str, self.first["coordinate"].values), map(str, self.first["coordinate_kind"].values)))
        found = np.full(self.first["relation_force"].shape, np.nan)
        for row, label in enumerate(map(str, self.first["relation"].values)):
            name, _, coordinate = label.partition(".")
            other, factor = self.image.coordinates.get(coordinate, (coordinate, 1.0))
            unit = self.force_unit(1 if kinds[coordinate] == "length" else 2)
            found[:, row] = factor * self.second["relation_force"].values[:, at[f"{name}.{other}"]] / unit
        return {"relation_force": found}

    def sums(self) -> dict[str, Any]:
        """Return momentum and energy of the system, where the place they are seen from is at rest."""
        same = len(self.second_bodies) == len(self.bodies)
        if self.image.moving or not same:
            return {}
        unit = self.M * self.L / self.T
        found = {
            "momentum": np.einsum("tji,tj->ti", self.Q, self.second["momentum"].values) / unit,
            "angular_momentum": self.image.hand
            * np.einsum("tji,tj->ti", self.Q, self.second["angular_momentum"].values)
            / (unit * self.L),
            "kinetic_energy": self.second["kinetic_energy"].values / self.force_unit(2),
        }
        raised = np.sum(self.first["mass"].values) * (
            self.first["gravity"].values @ (self.image.Q.T @ self.image.shift)
        )
        found["potential_energy"] = self.second["potential_energy"].values / self.force_unit(2) + raised
        if "wave_elevation" in self.first and "wave_elevation" in self.second:
            found["wave_elevation"] = self.second["wave_elevation"].values / self.L
        return found


# What is not compared, and why; every other recorded variable must be, or the harness fails by name.
NOT_COMPARED = {
    "position_violation": "rounding by itself",
    "velocity_violation": "rounding by itself",
    "external_impulse": "follows from momentum, which is compared",
    "external_angular_impulse": "follows from angular momentum, which is compared",
}


def deviations(first: Any, second: Any, image: Image) -> dict[str, float]:
    """Return how far a second result is from the image of the first: per variable, relative to its size."""
    steps = min(len(first["time"]), len(second["time"]))
    if len(first["time"]) != len(second["time"]):
        return {"time": float("inf")}
    clock = float(np.abs(second["time"].values / image.unit[2] - first["time"].values).max())
    found = {"time": clock / max(float(first["time"].values[-1]), 1e-300)}
    seen = SeenBack(first, second, image)
    arrays = seen.found | seen.joints() | seen.loads() | seen.coordinates() | seen.controllers() | seen.sums()
    arrays |= seen.relations()
    passed_over = {*NOT_COMPARED, *image.hidden}
    unknown = [name for name in RECORDED if name in first and name not in arrays and name not in passed_over]
    allowed = {"momentum", "angular_momentum", "kinetic_energy", "potential_energy", "wave_elevation"}
    allowed |= {"load_work", "driver_work", "thrust", "power", "hub_wind", "relative_wind"}
    missing = [n for n in unknown if n not in allowed]
    if missing:
        raise KeyError(f"recorded variable '{missing[0]}' has no rule in tests/transformations/image.py")
    sizes = natural_sizes(first)
    open_ones = {
        j for data in (first, second) for j in str(data.attrs.get("reactions_not_unique", "")).split("; ") if j
    }
    for name, values in arrays.items():
        if name in image.hidden or not values.size:
            continue
        one = first[name].values[:steps]
        if name == "orientation":
            values = values * np.where(np.sum(one * values, axis=-1, keepdims=True) < 0, -1.0, 1.0)
        apart = np.abs(values - one)
        apart = _without(apart, name, first, image, open_ones)
        scale = max(_largest(one), sizes[name])
        bad = not np.isfinite(values).all() and name in seen.found
        found[name] = float("inf") if bad else _largest(apart) / scale
    return found


def _without(apart: Any, name: str, first: Any, image: Image, open_ones: set[str]) -> Any:
    """Return differences without what is not unique or not compared."""
    if name in ("joint_force", "joint_moment", "joint_point"):
        joints = [str(j) for j in first["joint"].values]
        for row, joint in enumerate(joints):
            shared = image.joints.get(joint, ((joint,), 1.0))[0]
            alone = len(shared) == 1 and (joint in open_ones or shared[0] in open_ones)
            if name != "joint_point" and (alone or f"{name}:{joint}" in image.hidden):
                apart[:, row] = 0.0
    if name == "driver_force":
        for row, label in enumerate(first["coordinate"].values):
            if str(label).rpartition(".")[0] in open_ones or f"{name}:{label}" in image.hidden:
                apart[:, row] = 0.0
    return apart


def _largest(values: Any) -> float:
    values = np.abs(values)
    values = values[np.isfinite(values)]
    return float(values.max()) if values.size else 0.0


def natural_sizes(data: Any) -> dict[str, float]:
    """Return the least size by which differences are measured: NOTICED of what the machine's own size gives."""
    points = np.concatenate([data["position"].values[0], data["joint_point"].values[0]])
    points = points[np.isfinite(points).all(axis=1)]
    mass, inertia = data["mass"].values, data["inertia"].values
    gyration = float(np.sqrt(np.trace(inertia, axis1=1, axis2=2).max() / mass.max()))
    length = max(float(np.linalg.norm(points - points.mean(0), axis=1).max()), gyration)
    speed = max(_largest(data["velocity"].values), _largest(data["angular_velocity"].values) * length)
    span = float(data["time"].values[-1])
    pull = max(_largest(data["acceleration"].values), float(np.abs(data["gravity"].values).max()), speed / span)
    force = float(mass.sum()) * pull
    turn = max(speed / length, _largest(data["angular_velocity"].values))
    loads = [_largest(data[n].values) for n in ("load_force", "joint_force")]
    force = max(force, *loads)
    natural = {
        "position": length,
        "velocity": max(speed, pull * span),
        "acceleration": pull,
        "orientation": 1.0,
        "angular_velocity": max(turn, pull * span / length),
        "angular_acceleration": pull / length,
        "joint_position": max(1.0, length),
        "joint_rate": max(turn, speed),
        "joint_acceleration": max(pull / length, pull),
        "driver_force": max(force, force * length),
        "relation_force": max(force, force * length),
        "driver_work": force * length,
        "joint_point": length,
        "joint_force": force,
        "joint_moment": force * length,
        "load_force": force,
        "load_moment": force * length,
        "controller_output": 1.0,
        "load_work": force * length,
        "tension": force,
        "thrust": force,
        "power": force * max(speed, pull * span),
        "hub_wind": 1.0,
        "relative_wind": 1.0,
        "momentum": float(mass.sum()) * max(speed, pull * span),
        "angular_momentum": float(mass.sum()) * length * max(speed, pull * span),
        "kinetic_energy": force * length,
        "potential_energy": force * length,
        "wave_elevation": 1.0,
    }
    return {name: NOTICED * float(size) for name, size in natural.items()}
