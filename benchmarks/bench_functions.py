"""Cost of functions as loads: a compiled function against the built-in load it repeats, and a Python function.

One body hangs on many equal loads; what a load costs is the time of the run less that of the same run without loads,
over the evaluations. Times are CPU times of this thread, the best of several rounds; in a round everything is measured
once, so that a busy machine is busy for all. Compiling is not among them. `--json` writes results/functions.json.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import time
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numba

import fairlead as fl
from fairlead.running.simulation import Simulation

LOADS, STEPS, IN_PYTHON, STAGES = 40, 2000, 20, 4
STIFF, REST, DAMPING, ANCHOR, ARM = 7.0, 1.0, 0.3, (2.0, 1.0, 0.5), (0.1, 0.2, -0.1)
MOST = 1.5  # times the built-in load


@numba.njit
def spring(t: Any, x: Any, R: Any, v: Any, w: Any) -> Any:
    """Return the force and moment of the built-in spring below."""
    s = (
        R[0][0] * ARM[0] + R[0][1] * ARM[1] + R[0][2] * ARM[2],
        R[1][0] * ARM[0] + R[1][1] * ARM[1] + R[1][2] * ARM[2],
        R[2][0] * ARM[0] + R[2][1] * ARM[1] + R[2][2] * ARM[2],
    )
    d = (ANCHOR[0] - x[0] - s[0], ANCHOR[1] - x[1] - s[1], ANCHOR[2] - x[2] - s[2])
    u = (v[0] + w[1] * s[2] - w[2] * s[1], v[1] + w[2] * s[0] - w[0] * s[2], v[2] + w[0] * s[1] - w[1] * s[0])
    length = math.sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2])
    one = 1.0 / length
    along = (one * d[0], one * d[1], one * d[2])
    k = STIFF * (length - REST) - DAMPING * (u[0] * along[0] + u[1] * along[1] + u[2] * along[2])
    f = (k * along[0], k * along[1], k * along[2])
    return (f[0], f[1], f[2], s[1] * f[2] - s[2] * f[1], s[2] * f[0] - s[0] * f[2], s[0] * f[1] - s[1] * f[0])


@numba.njit
def formula(t: Any, x: Any, R: Any, v: Any, w: Any) -> Any:
    """Return the force of the built-in formulas below."""
    return (-0.7 * x[0] + math.sin(t), -0.2 * v[1], math.cos(2.0 * t), 0.0, 0.0, 0.0)


@numba.njit
def number(t: Any, x: Any, R: Any, v: Any, w: Any) -> Any:
    """Return the force of the built-in numbers below."""
    return (0.1, 0.2, 0.3, 0.0, 0.0, 0.0)


def in_python(t: float, motion: Any) -> Any:
    """Return the same spring from plain Python."""
    return spring.py_func(t, *motion["b"])


LOAD: dict[str, tuple[Any, int]] = {
    "spring": (fl.Spring("b", ARM, anchor=ANCHOR, stiffness=STIFF, damping=DAMPING, length=REST), LOADS),
    "spring, compiled": (fl.Force("b", function=spring), LOADS),
    "spring, Python": (fl.Force("b", function=in_python), LOADS),
    "formulas": (fl.Force("b", force=("-0.7*b.x + sin(t)", "-0.2*b.vy", "cos(2*t)")), LOADS),
    "formulas, compiled": (fl.Force("b", function=formula), LOADS),
    "numbers": (fl.Force("b", force=(0.1, 0.2, 0.3)), LOADS),
    "numbers, compiled": (fl.Force("b", function=number), LOADS),
    "none": (None, 0),
}


def seconds_per_evaluation(load: Any, count: int) -> float:
    """Return the CPU seconds of one evaluation of the equations of motion with so many of a load."""
    body = fl.Body(20.0, (10, 20, 30), velocity=(0.5, 0.3, 0.1), angular_velocity=(0.1, 0.2, 0.3))
    model = fl.Model("loaded", {"b": body}, loads={f"l{i}": load for i in range(count)}, gravity=(0, 0, 0))
    steps = STEPS if load is None or getattr(load, "function", None) is not in_python else IN_PYTHON
    run = Simulation(model, steps * 0.01, 0.01, formulation="cloud", output_every=steps)
    run.prepare()
    run.advance()  # the start
    begun = time.thread_time()
    while not run.finished:
        run.advance()
    return (time.thread_time() - begun) / (STAGES * steps)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    best = dict.fromkeys(LOAD, math.inf)
    for _ in range(given.rounds + 1):  # the first round warms up
        for name, (load, count) in LOAD.items():
            best[name] = min(best[name], seconds_per_evaluation(load, count))
    cost = {name: 1e9 * (best[name] - best["none"]) / count for name, (_, count) in LOAD.items() if count}
    row = {f"{name} [ns per load and evaluation]": value for name, value in cost.items()}
    for name in ("spring", "formulas", "numbers"):
        row[f"{name}: compiled over built-in"] = cost[f"{name}, compiled"] / cost[name]
    row["spring: Python over built-in"] = cost["spring, Python"] / cost["spring"]
    for name, value in row.items():
        print(f"{name:52} {value:10.3g}")
    print(f"aim: a compiled function costs at most {MOST} times the built-in load it repeats")
    if given.json:
        (Path(__file__).parent / "results" / "functions.json").write_text(json.dumps(row, indent=1) + "\n")


if __name__ == "__main__":
    main()
