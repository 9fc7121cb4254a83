"""The machine of `openfast_model` with its controller, as OpenFAST's cases K1 to K4 have it, and what it recorded.

Rotor by AeroDisk's table (C_T and C_Q, bilinear), generator and gear by ElastoDyn, controllers of r-test v5.0.0.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

import fairlead as fl
from support import openfast_model as openfast

FOLDER = openfast.HERE / "control"
TABLE = str(openfast.HERE.parent / "nrel5mw_performance.csv")
RPM = np.pi / 30
HOLDS = (4, 6, 8, 10, 11.4, 13, 15, 18, 21, 24)  # [m/s] of K1, 100 s each
LENGTH = {"K1": 1000.0, "K2_8": 600.0, "K2_14": 600.0, "K3": 600.0, "K4": 700.0}
PLATFORM = tuple(
    f"Ptfm{name.capitalize()}_({'m' if number < 3 else 'deg'})" for number, name in enumerate(openfast.MOTIONS)
)
BASELINE = {"speed": "generator.generator_speed", "gains": "oc3"}

Array = Any


def wind(case: str) -> Any:
    """Return the wind of a case: steps, constant, or a gust and a ramp."""
    if case == "K1":
        steps = [(100.0 * k + after, speed) for k, (_, speed) in enumerate(pairwise(HOLDS), 1) for after in (0.1,)]
        before = [(100.0 * k, speed) for k, (speed, _) in enumerate(pairwise(HOLDS), 1)]
        rows = sorted([(0.0, HOLDS[0]), *before, *steps, (1000.0, HOLDS[-1])])
        return fl.WindTable([t for t, _ in rows], [speed for _, speed in rows])
    if case == "K4":
        gust = np.arange(200, 212.025, 0.05)
        times = [0.0, *gust, 400, 500, 700]
        return fl.WindTable(times, [12.0, *(12 + 3 * (1 - np.cos(2 * np.pi * (gust - 200) / 12))), 12, 16, 16])
    return fl.SteadyWind({"K2_8": 8.0, "K2_14": 14.0, "K3": 14.0}[case])


def water() -> dict[str, Any]:
    """Return the loads of the floating machine, additional damping along the platform's axes as HydroDyn has it."""
    return {
        "buoyancy": fl.Buoyancy("tower", openfast.HULL),
        "waves and drag": fl.Morison("tower", openfast.HULL, 0.969954, 0.6, **openfast.ASSUMED),
        "yaw spring": fl.Matrix("tower", (0, 0, 0), stiffness=(0, 0, 0, 0, 0, openfast.YAW_SPRING), axes="yawing"),
        "damping": fl.Matrix("tower", (0, 0, 0), damping=tuple(openfast.DAMPING), axes="body"),
    } | openfast.lines()


def machine(case: str, blows: Any = None, generator: dict[str, Any] | None = None, **baseline: Any) -> fl.Model:
    """Return the model of a case; `generator` and `baseline` change the words of these."""
    fixed = case == "K1"
    spin = fl.Revolute("nacelle", "hub", tuple(openfast.APEX), openfast.SHAFT, rate=(7.25 if fixed else 12.1) * RPM)
    start: Any = fl.Fixed("world", "tower", point=(0, 0, 0)) if fixed else fl.Free("world", "tower", point=(0, 0, 0))
    joints = {
        "start": start,
        "yaw": fl.Revolute("tower", "nacelle", tuple(openfast.TOP), (0, 0, 1), locked=True),
        "spin": spin,
    } | {f"root {k}": fl.Fixed("hub", f"blade {k}", point=tuple(openfast.APEX)) for k in (1, 2, 3)}
    drive = {"torque": "baseline.torque", "gear_ratio": 97, "inertia": 534.116, "efficiency": 0.944}
    loads = ({} if fixed else water()) | {
        "rotor": fl.Rotor("hub", tuple(openfast.APEX), openfast.SHAFT, 63.0, TABLE, "spin.rate", "baseline.pitch"),
        "generator": fl.Generator("hub", "nacelle", **drive | (generator or {})),
    }
    gains = {"gains": "land-based"} if case == "K3" else {}
    return fl.Model(
        f"OpenFAST {case}",
        openfast.with_generator(openfast.bodies()),
        joints,
        loads,
        environment=fl.Environment(depth=320, wind=wind(case) if blows is None else blows),
        controllers={"baseline": fl.BaselineTurbine(**BASELINE | gains | baseline)},
    )


def run(case: str, dt: float, duration: float | None = None, **words: Any) -> Any:
    """Return the Dataset of a case every 0.2 s (K1: every second), as much of it as asked."""
    every = round((1.0 if case == "K1" else 0.2) / dt)
    options = {"formulation": "articulated", "progress": False}
    return fl.simulate(machine(case, **words), duration or LENGTH[case], dt, output_every=every, **options)


def channels(data: Any) -> dict[str, Array]:
    """Return a run by OpenFAST's names and units."""

    def of(name: str, load: str) -> Array:
        return data[name].sel(load=load).values

    found = dict(zip(PLATFORM, openfast.motions(data).T))
    found |= {
        "RotSpeed_(rpm)": data["joint_rate"].sel(coordinate="spin.angle").values / RPM,
        "BldPitch1_(deg)": np.degrees(of("blade_pitch", "rotor")),
        "GenTq_(kN-m)": of("generator_torque", "generator@hub") / 1e3,
        "GenPwr_(kW)": of("electrical_power", "generator@hub") / 1e3,
        "ADFx_(N)": of("thrust", "rotor"),
        "ADMx_(N-m)": of("rotor_torque", "rotor"),
    }
    lines = [str(name) for name in data["load"].values if str(name).startswith("line")]
    return found | {f"FairTen{name[-1]}_(N)": of("tension", name) for name in lines}


def recorded(case: str) -> dict[str, Array]:
    """Return the same of OpenFAST, and its times."""
    rows = np.genfromtxt(FOLDER / f"{case}.csv", delimiter=",", names=True, deletechars="")
    return {name: rows[name] for name in rows.dtype.names}
