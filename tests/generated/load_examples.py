"""A minimal model of every kind of load, by its type: one body that moves, turns and feels the load alone.

A new kind needs a row here; the tests over the table of loads say so.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import fairlead as fl

TABLE = str(Path(__file__).parents[1] / "reference" / "nrel5mw_performance.csv")

HULL = [(-6.0, 2.0), (-1.0, 2.0), (2.0, 1.5)]
POINT, ANCHOR = (1.0, 0.5, -1.0), (30.0, 10.0, -35.0)
SYMMETRIC = [2e3, 3e3, 1e3, 4e3, 5e3, 2e3]

EXAMPLES: dict[str, Callable[[], Any]] = {
    "force": lambda: fl.Force("hull", POINT, ("300*sin(2*t)", 200, -100), (50, 0, 20)),
    "spring": lambda: fl.Spring("hull", POINT, ANCHOR, stiffness=800, damping=90, length=20),
    "rotational-spring": lambda: fl.RotationalSpring("hull", stiffness=4e3, damping=500),
    "matrix": lambda: fl.Matrix("hull", POINT, stiffness=SYMMETRIC, damping=SYMMETRIC, preload=(90, 0, 50, 0, 9, 0)),
    "buoyancy": lambda: fl.Buoyancy("hull", HULL),
    "morison": lambda: fl.Morison("hull", HULL, ca=0.5, cd=0.8),
    "taut-line": lambda: fl.TautLine("hull", POINT, ANCHOR, EA=5e4, pretension=500),
    "catenary": lambda: fl.Catenary("hull", POINT, ANCHOR, length=60, EA=1e6, weight=40),
    "moordyn": lambda: fl.MoorDyn("hull", "lines.txt"),
    "rotor": lambda: fl.Rotor("hull", POINT, (0.8, 0.6, 0), 5, TABLE, speed="10 + hull.wx", pitch="0.05 + hull.wy"),
    "generator": lambda: fl.Generator("hull", "post", torque="400 + 30*spin.rate", gear_ratio=3, efficiency=0.9),
    "rotor-thrust": lambda: fl.RotorThrust("hull", POINT, (0.8, 0.6, 0), radius=5, ct=0.8, cp=0.4, torque=300),
}


def environment(**changes: Any) -> fl.Environment:
    """Return an environment that has every part, so that a load feels what it feels."""
    parts = {
        "water_density": 1025.0,
        "depth": 35.0,
        "waves": fl.RegularWave(1.0, 7.0, direction=0.5, phase=0.4),
        "current": fl.Current(0.6, 1.1),
        "wind": fl.SteadyWind(9.0, 0.3),
    }
    return fl.Environment(**(parts | changes))


CARRIED = ("generator",)  # loads of a joint: the hull turns on a post
CHANGED = {  # of each part of the environment, another one
    "water": {"water_density": 900.0},
    "waves": {"waves": fl.RegularWave(1.3, 6.0, direction=0.2, phase=1.0)},
    "current": {"current": fl.Current(0.4, -0.3)},
    "wind": {"wind": fl.SteadyWind(11.0, -0.1)},
}


def example(kind: str, **changes: Any) -> fl.Model:
    """Return the model of a kind; `changes` are of its environment."""
    if kind not in EXAMPLES:
        raise AssertionError(
            f"load type '{kind}' has no minimal example: add a row to tests/generated/load_examples.py"
        )
    hull = fl.Body(
        9e3, (4e4, 5e4, 6e4), (0.3, -0.2, -2.0), velocity=(0.4, -0.3, 0.2), angular_velocity=(0.05, 0.03, -0.02)
    )
    words: dict[str, Any] = {"loads": {"load": EXAMPLES[kind]()}, "environment": environment(**changes)}
    if kind not in CARRIED:
        return fl.Model(f"one {kind}", {"hull": hull}, **words)
    hull = fl.Body(9e3, (4e4, 5e4, 6e4), (0.3, -0.2, -2.0))
    joints = {
        "foot": fl.Fixed("world", "post", point=(0, 0, 0)),
        "spin": fl.Revolute("post", "hull", (0.3, 0.3, -2.0), (0.8, 0.6, 0), rate=0.7),
    }
    return fl.Model(f"one {kind}", {"hull": hull, "post": fl.Body(1, (1, 1, 1))}, joints, **words)
