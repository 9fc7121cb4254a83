"""The rigid NREL 5 MW turbine on the OC3-Hywind spar as OpenFAST's cases S2-S4 and C5 have it, and what it recorded.

Masses are those OpenFAST integrates (properties of its run summaries, not the published ones): point masses on the axes
of tower and blades, a nacelle with inertia about the vertical only, a hub with inertia about the shaft only.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation

import fairlead as fl

HERE = Path(__file__).parents[1] / "reference" / "openfast"
HULL = [(-120, 9.4), (-12, 9.4), (-4, 6.5), (0, 6.5), (10, 6.5)]
# OpenFAST's strip theory; its strips are 2 m long, and 0.25 m near the surface.
ASSUMED = {"kinematics": "undisplaced", "waterline": "still", "normal": "fixed", "axial_pressure": True, "strips": 60}
RICHER = {"kinematics": "displaced", "waterline": "instantaneous", "normal": "body"}
START = {"S2": {"b": "5 deg"}, "S3": {"x": 10, "z": 2}, "S4": {}}
LENGTH = {"S2": 200.0, "S3": 200.0, "S4": 400.0}
RATED = 12.1 * 2 * np.pi / 60  # [rad/s]
TILT, CONE = np.radians(5.0), np.radians(2.5)
SHAFT = (np.cos(TILT), 0.0, -np.sin(TILT))  # pointing downwind
TOP, APEX = np.array([0, 0, 87.6]), np.array([-5.0, 0, 90.0])
DAMPING = np.array([1e5, 1e5, 1.3e5, 0, 0, 1.3e7])  # [N s/m], [N m s/rad] at the reference point
YAW_SPRING = 9.834e7  # [N m/rad]
MOTIONS = ("surge", "sway", "heave", "roll", "pitch", "yaw")
LOADS = ("Fx", "Fy", "Fz", "Mx", "My", "Mz")

Array = Any


def bodies() -> dict[str, fl.Body]:
    """Return tower with platform, nacelle with generator, hub and three blades."""
    generator = 534.116  # [kg m2] on the shaft that turns 97 times as fast, no mass of its own
    nacelle = np.diag([0, 0, 1741490.0]) + generator * np.outer(SHAFT, SHAFT)
    mass, first, second = 17536.614, 362132.653, 11752352.265  # of a blade, about its root at 1.5 m
    across = second - first**2 / mass
    found = {
        "tower": fl.Body(7716048.003, (8.64040691e9, 8.64040691e9, 1.6423e8), (0, 0, -85.602195)),
        "nacelle": fl.Body(240000.0, nacelle.tolist(), (1.9, 0, 89.35), idealised=True),
        "hub": fl.Body(56780.0, (115926.0, 0, 0), tuple(APEX), fl.Orientation(euler123=(0, TILT, 0)), idealised=True),
    }
    for number, azimuth in enumerate(np.radians([0, 120, 240]), start=1):
        turn = Rotation.from_euler("YXY", [TILT, azimuth, -CONE])
        centre = APEX + turn.apply([0, 0, 1.5 + first / mass])
        axes = fl.Orientation(matrix=turn.as_matrix().tolist())
        found[f"blade {number}"] = fl.Body(mass, (across, across, 0), tuple(centre), axes, idealised=True)
    return found


def machine(case: str, *, platform_axes: bool = True, sea: dict[str, Any] | None = None, **strips: Any) -> fl.Model:
    """Return the model of a case; `strips` replaces OpenFAST's assumptions, `platform_axes` those of the damping."""
    turning = case != "S3"
    parts = with_generator(bodies()) if turning else bodies()
    spin = {"motion": fl.Rate(RATED)} if turning else {"locked": True}
    joints = {
        "start": fl.Free("world", "tower", point=(0, 0, 0), initial=START[case]),
        "yaw": fl.Revolute("tower", "nacelle", tuple(TOP), (0, 0, 1), locked=True),
        "spin": fl.Revolute("nacelle", "hub", tuple(APEX), SHAFT, **spin),
    } | {f"root {k}": fl.Fixed("hub", f"blade {k}", point=tuple(APEX)) for k in (1, 2, 3)}
    waves = wave_table(**sea or {}) if case == "S4" else None
    loads = {
        "buoyancy": fl.Buoyancy("tower", HULL),
        "waves and drag": fl.Morison("tower", HULL, 0.969954, 0.6, **{**ASSUMED, **strips}),
        "additional": in_platform_axes() if platform_axes else in_world_axes(),
    } | lines()
    return fl.Model(f"OpenFAST {case}", parts, joints, loads, environment=fl.Environment(depth=320, waves=waves))


def with_generator(parts: dict[str, fl.Body]) -> dict[str, fl.Body]:
    """Return the bodies with the turning generator's momentum, beside its locked inertia in the nacelle."""
    wheel = fl.Wheel(SHAFT, 534.116, 97 * RATED)
    return {**parts, "nacelle": parts["nacelle"].model_copy(update={"wheels": (wheel,)})}


# C5, the MCM paper's section 8: the nacelle yaws at 1.2 deg/s, moved by ServoDyn's spring and damper
YAW_RATE = float(np.radians(1.2))  # [rad/s]
SERVO = f"9.02832e9*({YAW_RATE!r}*t - yaw.angle) + 6.8e8*({YAW_RATE!r} - yaw.rate)"
WEIGHT = 698.0945  # [N/m] of the lines in water: 9.80665 (77.7066 - 1025 pi 0.09^2 / 4), not rounded to 698.09
HYDROSTATICS = {"stiffness": (0, 0, 332940.98, -4.99918437e9, -4.99918437e9, YAW_SPRING), "axes": "yawing"}


def yawing(axes: str = "yawing", **changes: Any) -> fl.Model:
    """Return the model of C5; `changes` replaces joints."""
    joints = {
        "start": fl.Free("world", "tower", point=(0, 0, 0)),
        "yaw": fl.Revolute("tower", "nacelle", tuple(TOP), (0, 0, 1), actuator=fl.Actuator(SERVO)),
        "spin": fl.Revolute("nacelle", "hub", tuple(APEX), SHAFT, motion=fl.Rate(RATED)),
    } | {f"root {k}": fl.Fixed("hub", f"blade {k}", point=tuple(APEX)) for k in (1, 2, 3)}
    buoyancy = (0, 0, 80708145, 0, 0, 0)  # as recorded
    water = fl.Matrix("tower", (0, 0, 0), preload=buoyancy, **{**HYDROSTATICS, "axes": axes})
    return fl.Model("OpenFAST C5", with_generator(bodies()), joints | changes, {"water": water} | lines(WEIGHT))


def run_yawing(**words: Any) -> tuple[Array, Array, Array]:
    """Return time, six motions and six tower-top loads of C5 every half second, the loads by inverse dynamics."""
    data = fl.simulate(yawing(**words), 300.0, 0.0125, output_every=40)
    felt = fl.internal_loads(data, "yaw")
    turn = Rotation.from_quat(data["orientation"].sel(body="tower").values, scalar_first=True).inv()
    loads = np.hstack([-turn.apply(felt[name].values) / 1e3 for name in ("force", "moment")])
    return data["time"].values, motions(data), loads


def wave_table(**words: Any) -> fl.WaveTable:
    """Return the components of S4 up to 5 rad/s."""
    omega, amplitude, phase = np.loadtxt(HERE / "S4_components.csv", delimiter=",", skiprows=1, unpack=True)
    return fl.WaveTable(omega, amplitude, phase, **{"stretching": "none", **words})


def lines(weight: float = 698.09) -> dict[str, fl.Catenary]:
    """Return the three mooring lines."""
    found = {}
    for number, heading in enumerate(np.radians([0, 120, 240]), start=1):
        way = np.array([np.cos(heading), np.sin(heading), 0])
        ends = tuple(5.2 * way + [0, 0, -70]), tuple(853.87 * way + [0, 0, -320])
        found[f"line {number}"] = fl.Catenary("tower", *ends, length=902.2, EA=3.84243e8, weight=weight, friction=0.001)
    return found


def in_world_axes() -> fl.Matrix:
    """Return the additional stiffness and damping as our own word has them."""
    stiffness = (0, 0, 0, 0, 0, YAW_SPRING)
    return fl.Matrix("tower", (0, 0, 0), stiffness=stiffness, damping=tuple(DAMPING))


def in_platform_axes() -> fl.Force:
    """Return them as HydroDyn has them: damping in axes of the platform, the spring on the yaw angle."""

    def load(t: float, motion: Any) -> Array:
        _, R, v, w = (np.asarray(part) for part in motion["tower"])
        arm = R @ np.array([0, 0, 85.602195])  # to the reference point
        f = -R @ (DAMPING[:3] * (R.T @ (v + np.cross(w, arm))))
        n = -R @ (DAMPING[3:] * (R.T @ w))
        n[2] -= YAW_SPRING * np.arctan2(R[1, 0], R[0, 0])
        return np.concatenate([f, n + np.cross(arm, f)])

    return fl.Force("tower", function=load)


def run(case: str, dt: float = 0.05, **words: Any) -> tuple[Array, Array, Array]:
    """Return time, six motions [m, deg] and six tower-top loads [kN, kN m] every half second."""
    data = fl.simulate(machine(case, **words), LENGTH[case], dt, output_every=round(0.5 / dt))
    return data["time"].values, motions(data), tower_top(data)


def motions(data: Any) -> Array:
    """Return surge, sway, heave of the still-water point and roll, pitch, yaw by R = Rz Ry Rx."""
    turn = Rotation.from_quat(data["orientation"].sel(body="tower").values, scalar_first=True)
    place = data["position"].sel(body="tower").values + turn.apply([0, 0, 85.602195])
    return np.column_stack([place, turn.as_euler("ZYX", degrees=True)[:, ::-1]])


def tower_top(data: Any) -> Array:
    """Return what nacelle and rotor do to the tower top, in the tower's axes."""
    turn = Rotation.from_quat(data["orientation"].sel(body="tower").values, scalar_first=True).inv()
    loads = [data[name].sel(joint="yaw").values for name in ("joint_force", "joint_moment")]
    return np.hstack([-turn.apply(load) / 1e3 for load in loads])


def recorded(case: str) -> tuple[Array, Array, Array]:
    """Return the same of OpenFAST."""
    rows = np.loadtxt(HERE / f"{case}_motion.csv", delimiter=",", skiprows=1)
    return rows[:, 0], rows[:, 1:7], rows[:, 7:]


def still_machine(speed: float = 0.0, thrust: float = 0.0, torque: float = 0.0, *, drag: bool = True) -> fl.Model:
    """Return the machine in still water, parked or turning at `speed` [rad/s] under a thrust and torque at its apex.

    Turning, its yaw spring is HydroDyn's, on the yaw angle: our `matrix` on the rotation vector sways 0.6 mm less.
    """
    model = machine("S2" if speed else "S3", platform_axes=speed > 0)
    joints = {name: joint for name, joint in model.joints.items() if name != "start"}
    loads = dict(model.loads)
    if speed:
        joints["spin"] = fl.Revolute("nacelle", "hub", tuple(APEX), SHAFT, motion=fl.Rate(speed))
        push: Any = {"force": (thrust, 0, 0), "moment": (torque, 0, 0)}
        loads["rotor"] = fl.Force("hub", point=tuple(APEX), axes="body", **push)
    if not drag:
        loads["waves and drag"] = fl.Morison("tower", HULL, 0.969954, 0.0, **ASSUMED)
    return fl.Model("OpenFAST at rest", model.bodies, joints, loads, environment=model.environment)


def recorded_rest() -> list[dict[str, float]]:
    """Return where OpenFAST's machine rests: parked, and settled in constant winds."""
    rows = np.genfromtxt(HERE / "L2_rest.csv", delimiter=",", names=True, deletechars="")
    return [dict(zip(rows.dtype.names, map(float, row))) for row in rows]


def recorded_modes() -> dict[str, tuple[float, float]]:
    """Return undamped period [s] and damping ratio of OpenFAST's modes, parked, without drag."""
    rows = np.loadtxt(HERE / "L1_modes.csv", delimiter=",", skiprows=1, dtype=str)
    return {str(name): (float(period), float(ratio)) for name, period, ratio in rows}


def recorded_matrix() -> Array:
    """Return accelerations of the reference point (6) from its motion and its rates (12): m, rad."""
    return np.loadtxt(HERE / "L1_state_matrix.csv", delimiter=",", skiprows=1, usecols=range(1, 13))


def at_reference_point(A: Array, pitch: float) -> Array:
    """Return the same rows of a matrix in motions of the tower's mass centre, which leans by `pitch` [rad]."""
    arm = 85.602195 * np.array([np.sin(pitch), 0, np.cos(pitch)])
    move = np.eye(6)
    move[:3, 3:] = np.cross(np.eye(3), arm).T
    both = np.kron(np.eye(2), move)
    return (both @ A @ np.linalg.inv(both))[6:]
