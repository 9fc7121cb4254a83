"""The machines of the Dissertation's Figs. 7-11 and 15-23, from the shipped models; used by the tests and the pictures.

Chapters 2 and 3 draw Y along the spin axis B, into the wind, and Z up: wind and waves travel along -Y. The shipped
models have x downwind; hull and lines are the same after a quarter turn, so only topside, wind and waves are turned.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation

import fairlead as fl
from fairlead.model.joints.geometry import rotation_of

MODELS = Path(__file__).parents[2] / "models"
SPIN = 12.1 * 2 * math.pi / 60  # [rad/s]
# Chapter 2, section D [kg m2]: tower and hull across and about the axis, topside about A, B, C.
TOWER, TOPSIDE = (3.57e9, 3.57e9, 9.28e7), (2.35e7, 4.37e7, 2.54e7)
# Mass [kg] of nacelle and rotor, and height [m] of their mass centre: (240000 * 89.35 + 110000 * 90) / 350000.
MASS, HEIGHT = 350000.0, 89.554286
OFFSET = 0.4141  # [m] of that mass centre in front of the tower's axis: that of models/oc3_hywind.yaml
PIN = (0.0, 0.0, -58.67)  # [m] mass centre of the tower
LENGTH = 600.0  # [s] of the runs in wind and waves

Array = Any


# Chapter 2: turning about the tower's mass centre ---------------------------------------------------------------------


def pinned(lean: float, *, period: float = 11.2, shift: float = math.pi / 4, **words: Any) -> fl.Model:
    """Return Chapter 2's machine in wind and waves, leaning by theta_1 = `lean` about X, held at its mass centre.

    The topside is a nacelle without inertia and a rotor, both where spin and yaw axes meet, with equal moments about
    A and C (ERRATA 4 and 17).
    """
    spar = _turned(fl.load(MODELS / "truncated_spar.yaml"), shift, period)
    across = 0.5 * (TOPSIDE[0] + TOPSIDE[2])
    bodies = {
        "tower": spar.bodies["tower"].model_copy(update={"inertia": _tensor(TOWER)}),
        "nacelle": fl.Body(240000.0, (0, 0, 0), (0, 0, HEIGHT), idealised=True),
        "rotor": fl.Body(110000.0, (across, TOPSIDE[1], across), (0, 0, HEIGHT)),
    }
    joints = {
        "pin": fl.Spherical("world", "tower", point=PIN, initial={"a": lean}),
        "yaw": spar.joints["yaw"],
        "spin": fl.Revolute("nacelle", "rotor", (0, 0, HEIGHT), (0, 1, 0), motion=fl.Rate(SPIN)),
    }
    loads = {**spar.loads, **_lines(409.0)}
    return spar.model_copy(update={"name": "pinned spar", "bodies": bodies, "joints": joints, "loads": loads, **words})


def pinned_free(lean: float = 0.1, offset: float = OFFSET) -> fl.Model:
    """Return it without wind, waves and damping, its nacelle held: weight, buoyancy and lines alone (Figs. 7-9).

    The weight of the topside acts `offset` in front of the tower's axis, as a couple: the model keeps masses on it.
    """
    machine = pinned(lean)
    loads = {name: load for name, load in machine.loads.items() if name not in ("waves and drag", "thrust")}
    if offset:
        weight = 9.80665 * MASS
        loads["weight in front"] = fl.Force("nacelle", point=(0, offset, HEIGHT), force=(0, 0, -weight))
        loads["less on the axis"] = fl.Force("nacelle", point=(0, 0, HEIGHT), force=(0, 0, weight))
    yaw = fl.Revolute("tower", "nacelle", (0, 0, 87.6), (0, 0, 1), locked=True)
    still = machine.environment.model_copy(update={"waves": None, "wind": None})
    words = {"loads": loads, "joints": {**machine.joints, "yaw": yaw}, "environment": still, "controllers": {}}
    return machine.model_copy(update=words)


def angles_313(data: Any) -> Array:
    """Return theta_1, theta_2 and eta of the tower, R = Rz(theta_2) Rx(theta_1) Rz(eta), theta_1 >= 0."""
    w, x, y, z = data["orientation"].sel(body="tower").values.T
    half_sum, half_difference = np.arctan2(z, w), np.arctan2(y, x)
    lean = 2 * np.arctan2(np.hypot(x, y), np.hypot(w, z))
    return np.column_stack([lean, _about(half_sum + half_difference, 1.5), _about(half_sum - half_difference, -1.5)])


def _about(angle: Array, centre: float) -> Array:
    """Return angles between `centre` - pi and `centre` + pi, so that values near 0 and pi (or -pi) do not wrap."""
    return (angle - centre + np.pi) % (2 * np.pi) - np.pi + centre


def attitude(data: Any) -> Rotation:
    """Return the tower's attitude over time."""
    return Rotation.from_quat(data["orientation"].sel(body="tower").values, scalar_first=True)


def in_world(data: Any) -> Array:
    """Return the angular velocity of the tower in world axes."""
    return attitude(data).apply(data["angular_velocity"].sel(body="tower").values)


# Chapter 3: six motions -----------------------------------------------------------------------------------------------


def spar(shift: float = 0.0, seed: int = 1) -> fl.Model:
    """Return the truncated spar of Figs. 18-23 as two bodies; wind turns by `shift` at 100 s, the nacelle after it."""
    model = _turned(fl.load(MODELS / "truncated_spar.yaml"), shift, 10.0, seed)
    bodies = {
        "tower": model.bodies["tower"].model_copy(update={"inertia": _tensor(TOWER)}),
        "nacelle": unified(TOPSIDE, (0, 1, 0)),
    }
    return model.model_copy(update={"bodies": bodies, "joints": {"yaw": model.joints["yaw"]}})


def unified(moments: Any, axis: Any, height: float = HEIGHT) -> fl.Body:
    """Return nacelle and rotor as one body on the tower's axis, all of its inertia about `axis` spinning (Eq. 3.8)."""
    I_B = float(np.asarray(moments) @ np.asarray(axis))
    return fl.Body(MASS, moments, (0, 0, height), wheels=(fl.Wheel(axis, I_B, SPIN),))


def hywind(kind: str, lean: float = 0.1, matrix: bool = False) -> fl.Model:
    """Return OC3-Hywind on springs (Figs. 15-17), released at roll and pitch `lean` and sway 5 `lean` m.

    Axes of FAST: x downwind; 1-2-3 angles and displacements of the still-water point. `kind` is "unified" (two bodies,
    Eq. 3.8), "separate" (nacelle and rotor as two bodies, balanced on the tower's axis, no tilt), "overhanging" (the
    same with the published overhang) or "published" (the six bodies of models/oc3_hywind.yaml with tilt and cone).
    """
    model = fl.load(MODELS.parent / "examples" / "oc3_hywind_held_rotor.yaml")
    weight = 9.80665 * sum(body.mass for body in model.bodies.values())
    start = fl.Free("world", "tower", point=(0, 0, 0), initial={"a": lean, "b": lean, "y": 5 * lean})
    held = fl.Revolute("tower", "nacelle", (0, 0, 87.6), (0, 0, 1), locked=True)
    bodies, joints = dict(model.bodies), {**model.joints, "yaw": held}
    if kind != "published":
        bodies, spin = _three(bodies, balanced=kind != "overhanging")
        joints = {"yaw": held, "spin": spin}
    if kind == "unified":
        _, centre, tensor = combined([bodies["nacelle"], bodies["rotor"]])
        bodies = {"tower": bodies["tower"], "nacelle": unified(np.diag(tensor), (1, 0, 0), centre[2])}
        joints = {"yaw": held}
    return fl.Model(f"OC3-Hywind {kind}", bodies, {"start": start, **joints}, springs(weight, matrix))


def springs(weight: float, matrix: bool) -> dict[str, Any]:
    """Return 5e4 N/m in surge and sway, hydrostatics and OC3-Hywind's yaw spring: for small motion a 6x6 matrix.

    The buoyancy's -4.99918e9 N m/rad about the still-water point are a force at its depth, or with `matrix` entries of
    the matrix, which turn a leaning and yawed tower about its own axis as buoyancy does not.
    """
    tilt = -4.99918e9 if matrix else 0.0
    stiffness, up = (5e4, 5e4, 332941.0, tilt, tilt, 9.834e7), (0, 0, weight)
    if matrix:
        return {"springs": fl.Matrix("tower", (0, 0, 0), stiffness=stiffness, preload=(*up, 0, 0, 0))}
    buoyancy = fl.Force("tower", point=(0, 0, -4.99918e9 / weight), force=up)
    return {"buoyancy": buoyancy, "springs": fl.Matrix("tower", (0, 0, 0), stiffness=stiffness)}


def combined(parts: Any) -> tuple[float, Array, Array]:
    """Return mass, mass centre and inertia about it, world axes, of bodies as drawn."""
    masses = np.array([body.mass for body in parts])
    centre = masses @ np.array([body.position for body in parts]) / masses.sum()
    tensor = np.zeros((3, 3))
    for body in parts:
        R, d = rotation_of(body), np.array(body.position) - centre
        tensor += R @ np.array(body.inertia) @ R.T + body.mass * (d @ d * np.eye(3) - np.outer(d, d))
    return float(masses.sum()), centre, tensor


def still_water_point(data: Any) -> Array:
    """Return surge, sway, heave of the point of OC3-Hywind that was drawn on the still water."""
    return data["position"].sel(body="tower").values + attitude(data).apply([0, 0, 85.60257])


def mass_centre(data: Any) -> Array:
    """Return X1, X2, X3: the mass centre of the whole from where it was drawn."""
    m = data["mass"].values
    place = np.einsum("b,tbi->ti", m, data["position"].values) / m.sum()
    return place - place[0]


# Parts ----------------------------------------------------------------------------------------------------------------


def _turned(model: fl.Model, shift: float, period: float, seed: int = 1) -> fl.Model:
    """Return the truncated spar with wind and waves along -Y, the topside still to be given."""
    environment, thrust = model.environment, model.loads["thrust"]
    change = environment.wind.changes[0].model_copy(update={"by": shift})
    wind = {"direction": -math.pi / 2, "changes": (change,) if shift else (), "duration": LENGTH, "seed": seed}
    waves = {"direction": -math.pi / 2, "period": period, "seed": seed}
    update = {
        "waves": environment.waves.model_copy(update=waves),
        "wind": environment.wind.model_copy(update=wind),
    }
    # The rotor turns about +B, which points into the wind, and so does its torque; `axis` is drawn downwind.
    turned = {"body": "nacelle", "point": (0, 0, HEIGHT), "axis": (0, -1, 0), "torque": -5e6 / SPIN}
    return model.model_copy(
        update={
            "environment": environment.model_copy(update=update),
            "loads": {**model.loads, "thrust": thrust.model_copy(update=turned)},
        }
    )


def _lines(length: float) -> dict[str, fl.TautLine]:
    """Return the four lines of Chapter 2: EA 3.84e8 N and 409 m, fairleads and pretension of the shipped spar."""
    out = math.sqrt(length**2 - 250.0**2)
    ways = ((1, 0), (0, 1), (-1, 0), (0, -1))
    # 724.7 kN down, which closes the vertical balance
    words = {"EA": 3.84e8, "length": length, "pretension": 724.7e3 / 4 * length / 250.0}
    return {
        f"line {k}": fl.TautLine(
            "tower", (4.7 * x, 4.7 * y, -70), anchor=((4.7 + out) * x, (4.7 + out) * y, -320), **words
        )
        for k, (x, y) in enumerate(ways, start=1)
    }


def _three(bodies: dict[str, fl.Body], balanced: bool) -> tuple[dict[str, fl.Body], fl.Revolute]:
    """Return tower, nacelle and rotor of OC3-Hywind with a level shaft (that balances the nacelle), and its joint."""
    mass, centre, tensor = combined([body for name, body in bodies.items() if name not in ("tower", "nacelle")])
    shaft = np.array([math.cos(math.radians(5)), 0.0, -math.sin(math.radians(5))])
    I_B = float(shaft @ tensor @ shaft)
    across = 0.5 * (np.trace(tensor) - I_B)
    nacelle = bodies["nacelle"]
    overhang = nacelle.mass * nacelle.position[0] / mass if balanced else -float(centre[0])
    place = (-overhang, 0.0, float(centre[2]))
    rotor = fl.Body(mass, (I_B, across, across), place)
    spin = fl.Revolute("nacelle", "rotor", place, (1, 0, 0), motion=fl.Rate(SPIN))
    return {"tower": bodies["tower"], "nacelle": nacelle, "rotor": rotor}, spin


def _tensor(moments: Any) -> Any:
    return tuple(map(tuple, np.diag(moments)))
