"""Turbines on a 6x6 restoring matrix (Dissertation Figs. 28-29 and 38-43, MCM paper Figs. 5-6), and their steady start.

The Dissertation's matrix (consistent with Chapter 3, linearized near the average tilt, tuned) is not printed; here it
is the derivative of the loads of examples/thesis_truncated_spar_free_vibration.yaml, upright, not tuned.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from scipy.optimize import root
from scipy.spatial.transform import Rotation

import fairlead as fl

EXAMPLES = Path(__file__).parents[2] / "examples"
YAW = np.radians(1.2)  # [rad/s] of the nacelle
NAMES = ("surge", "sway", "heave", "roll", "pitch", "yaw")
LOAD = "buoyancy and mooring"
Array = Any


# Machines ------------------------------------------------------------------------------------------------------------


@cache
def restoring_matrix() -> tuple[Array, Array]:
    """Return force and moment of buoyancy and lines at the still-water point, and minus their derivative, upright."""
    spar = fl.load(EXAMPLES / "thesis_truncated_spar_free_vibration.yaml")

    def wrench(q: Array) -> Array:
        a, b, c = Rotation.from_rotvec(q[3:]).as_euler("XYZ")
        start = dict(zip("xyzabc", (*q[:3], a, b, c)))
        base = fl.Free("world", "tower", point=(0, 0, 0), initial=start)
        found = fl.accelerations(spar.model_copy(update={"joints": {**spar.joints, "base": base}}))
        force, moment = (found[f"load_{name}"].sum("load").values for name in ("force", "moment"))
        return np.concatenate([force, moment + np.cross(found["position"].sel(body="tower").values - q[:3], force)])

    steps = np.diag([1e-2] * 3 + [1e-4] * 3)  # [m], [rad]: errors of 1e-8 of the entries
    K = -np.column_stack([(wrench(h) - wrench(-h)) / (2 * h.max()) for h in steps])
    K[np.abs(K) < 1e-7 * np.sqrt(np.outer(np.abs(np.diag(K)), np.abs(np.diag(K))))] = 0.0
    return wrench(np.zeros(6)), 0.5 * (K + K.T)


def on_matrix(name: str, bodies: dict[str, Any], joints: dict[str, Any]) -> fl.Model:
    """Return a machine on the truncated spar's matrix, weight carried exactly."""
    weight = 9.80665 * sum(body.mass for body in bodies.values())
    load = fl.Matrix("tower", point=(0, 0, 0), stiffness=restoring_matrix()[1].tolist(),
                     preload=(0, 0, weight, 0, 0, 0))  # fmt: skip
    return fl.Model(name=name, bodies=bodies, joints=joints, loads={LOAD: load}, gravity=(0, 0, -9.80665))


def three_bodies() -> fl.Model:
    """Return tower, nacelle and rotor of the truncated spar from zero, yaw 1.2 deg/s, 12.1 rpm (Figs. 28-29)."""
    spar = fl.load(EXAMPLES / "thesis_truncated_spar_free_vibration.yaml")
    yaw = spar.joints["yaw"].model_copy(update={"motion": {"angle": fl.Rate("1.2 deg/s")}})
    return on_matrix("three bodies", spar.bodies, {"yaw": yaw, "spin": spar.joints["spin"]})


def six_bodies() -> fl.Model:
    """Return the six bodies of the NREL 5 MW on the truncated spar from zero, blades pitching too (Figs. 38-43)."""
    turbine = fl.load(EXAMPLES / "six_body_restoring_from_zero.yaml")
    tower = fl.load(EXAMPLES / "thesis_truncated_spar_free_vibration.yaml").bodies["tower"]
    return on_matrix("six bodies", {**turbine.bodies, "tower": tower}, turbine.joints)


# The steady start ----------------------------------------------------------------------------------------------------


def attitude(body: fl.Body) -> Array:
    """Return R_WB of a body in the drawing."""
    given = body.orientation
    if given is None:
        return np.eye(3)
    return np.array(given.matrix) if given.matrix else Rotation.from_euler("XYZ", given.euler123).as_matrix()


def leaning(model: fl.Model, q: Array, rate: float = YAW) -> fl.Model:
    """Return the machine drawn with its still-water point moved and turned by q, the lean going round at `rate`."""
    z, moved, R = np.array([0, 0, 1.0]), np.array(q[:3]), Rotation.from_rotvec(q[3:]).as_matrix()

    def place(point: Any) -> Any:
        return tuple(moved + R @ np.array(point))

    bodies = {}
    for name, body in model.bodies.items():
        R_WB = R @ attitude(body)
        change: dict[str, Any] = {"position": place(body.position), "orientation": fl.Orientation(matrix=R_WB.tolist())}
        if name == "tower":
            change["velocity"] = tuple(np.cross(rate * z, place(body.position)))
            change["angular_velocity"] = tuple(R_WB.T @ (rate * (z - R @ z)))
        bodies[name] = body.model_copy(update=change)
    joints = {
        name: joint.model_copy(update={"point": place(joint.point), "axis": tuple(R @ np.array(joint.axis))})
        for name, joint in model.joints.items()
    }
    (name, load), *_ = model.loads.items()
    preload = tuple(np.array(load.preload) - np.array(load.stiffness) @ q)
    loads = {name: load.model_copy(update={"point": place(load.point), "preload": preload})}
    return model.model_copy(update={"bodies": bodies, "joints": joints, "loads": loads})


def steady_start(model: fl.Model, rate: float = YAW) -> Array:
    """Return the displacement and rotation vector at which the upright `model` is steady beside its yawing nacelle.

    In the frame that turns with the nacelle nothing moves: acceleration = Omega x velocity for place and attitude.
    """
    Omega = np.array([0, 0, rate])

    def unsteady(q: Array) -> Array:
        turned = leaning(model, q, rate)
        tower, found = turned.bodies["tower"], fl.accelerations(turned).sel(body="tower")
        R_WB = attitude(tower)
        linear = found["acceleration"].values - np.cross(Omega, tower.velocity)
        angular = R_WB @ found["angular_acceleration"].values - np.cross(Omega, R_WB @ np.array(tower.angular_velocity))
        return np.concatenate([linear, 100 * angular])  # 100 m makes an angle a displacement

    return root(unsteady, np.zeros(6), tol=1e-13).x


# Reading -------------------------------------------------------------------------------------------------------------


def floating(model: fl.Model, data: Any) -> Array:
    """Return surge, sway, heave [m] of the still-water point and roll, pitch, yaw [deg], R = Rz Ry Rx, over time."""
    tower, load = model.bodies["tower"], model.loads[LOAD]
    R_WB = Rotation.from_quat(data["orientation"].sel(body="tower").values, scalar_first=True)
    r_BP_B = R_WB[0].inv().apply(np.array(load.point) - np.array(tower.position))
    place = data["position"].sel(body="tower").values + R_WB.apply(r_BP_B)
    return np.column_stack([place, R_WB.as_euler("ZYX", degrees=True)[:, ::-1]])


def crossings(time: Array, values: Array) -> Array:
    """Return the times at which values pass zero, straight between samples."""
    at = np.flatnonzero(np.sign(values[:-1]) * np.sign(values[1:]) < 0)
    return time[at] - values[at] * (time[at + 1] - time[at]) / (values[at + 1] - values[at])


def slow_part(time: Array, values: Array) -> tuple[float, float]:
    """Return amplitude and time of the first extreme (after 0) of the part that goes with the nacelle."""
    waves = np.column_stack([np.cos(YAW * time), np.sin(YAW * time), np.ones_like(time)])
    a, b, _ = np.linalg.lstsq(waves, values, rcond=None)[0]
    return float(np.hypot(a, b)), float(np.arctan2(b, a) / YAW % (np.pi / YAW))
