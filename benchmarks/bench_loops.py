"""Closed loops at equal measured error: simulated seconds per CPU second of Fairlead, Exudyn and MuJoCo, in one run.

Everyone runs with the coarsest step (or the loosest tolerance) whose error against the reference motions of
tests/reference/mechanisms is within the level: the largest |y - y_ref| / scale of one point over the run. Times are
CPU times of stepping, the best of several rounds in each of which everyone runs once. Compiling Fairlead's kernels is
not among them. `--json` writes the figures to results/loops.json beside this file.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
import peers_loops as peers

import fairlead as fl
from fairlead.errors import NumericalFailure
from fairlead.running.record import split_record
from fairlead.running.simulation import Simulation
from support import mechanism_models as mechanisms

Array = np.ndarray
Run = Callable[[Any], tuple[Array, float]]  # a step divisor or a tolerance in, points and CPU seconds out
LEVELS = (1e-3, 1e-5)
DIVISORS = tuple(m * 2**k for k in range(12) for m in (2, 3))  # steps per sample: halvings with one step between
TOLERANCES = tuple(10.0 ** (-0.5 * k) for k in range(4, 23))
LOOPS, CHAINS = (2, 5, 10, 20, 40, 80), (5, 10, 20, 40, 80, 160)
IMPLICIT = (10, 40, 160)
LINEAR_FROM = 10
PEERS = ("exudyn", "mujoco")
ARTICULATED = "articulated"
LEGEND = """
rk4, dop853: fixed step and step control; closing by projection of whole steps or by coordinate partition at every
  evaluation. "revolutes": all pins are revolute joints, so that three equations of every loop are redundant;
  otherwise each loop has one spherical and one cylindrical pin and no equation to spare. Every body has 6 freedoms.
articulated: the same models in joint coordinates, only the joints that close loops are equations; otherwise the
  formulation is `constrained`.
Exudyn, MuJoCo: the same bars as planar bodies (3 and 1 freedoms), Exudyn by generalised alpha of index 3 or the
  trapezoidal rule of index 2 (A03 alone), MuJoCo by RK4 or implicitfast with the hardest loops it allows.
A dash: the level was not reached, with the next finer step or tolerance to confirm it, in the time allowed."""


@dataclass
class Case:
    """A mechanism, how long it runs and at which interval its point is compared with the reference."""

    name: str
    model: fl.Model
    duration: float
    point: Array  # on the first body, in the drawing
    scale: float
    reference: Array  # (samples, 2), the start included

    @property
    def every(self) -> float:
        return self.duration / (len(self.reference) - 1)

    def error(self, points: Array) -> float:
        """Return the largest error in units of the scale; infinite if the run stopped early or left the numbers."""
        if len(points) != len(self.reference) or not np.isfinite(points).all():
            return np.inf
        return float(np.abs(points - self.reference).max() / self.scale)


def cases() -> list[Case]:
    """Return Andrews' mechanism and the four-bars with 2 and 40 loops."""
    found = [four_bar_case(2), four_bar_case(40)]
    table = mechanisms.reference("A03")
    motion = np.stack([table["Fx"], table["Fy"]], axis=1)
    found.insert(0, Case("A03 Andrews", mechanisms.andrews(-0.062), 0.05, motion[0], 0.007, motion))
    return found


def four_bar_case(count: int) -> Case:
    """Return problem A02 over 10 s."""
    table = mechanisms.reference(f"A02_N{count}")
    motion = np.stack([table["B0x"], table["B0y"]], axis=1)[table["t"] < 10.0 + 1e-9]
    return Case(f"A02 N = {count}", mechanisms.n_four_bar(count), 10.0, np.array([0.0, 1.0]), 1.0, motion)


def fairlead_run(
    case: Case, model: fl.Model, integrator: str, closing: str, knob: float, limit: float = 6.0
) -> tuple[Array, float]:
    """Return the watched point and the CPU seconds of stepping; `knob` is steps per sample, or a relative tolerance.

    `closing` is how `constrained` closes its equations, or ARTICULATED for the other formulation.
    """
    adaptive = integrator not in ("rk4", "generalised-alpha")
    divisor = 1 if adaptive else int(knob)
    options = {"rtol": knob, "atol": 0.01 * knob} if adaptive else {}
    simulation = Simulation(
        model,
        case.duration,
        case.every / divisor,
        formulation=ARTICULATED if closing == ARTICULATED else "constrained",
        integrator=integrator,
        output_every=divisor,
        closing="auto" if closing == ARTICULATED else closing,
        **options,
    )
    simulation.prepare()
    rows = []
    start = time.process_time()
    while not simulation.finished:
        rows.append(simulation.advance(64 * divisor))
        seconds = time.process_time() - start
        if seconds > limit:  # near a singular position step control may creep
            raise TimeoutError
    record = split_record(np.concatenate(rows), simulation.compiled)
    q = record["orientation"][:, 0]
    c, s = 1 - 2 * (q[:, 2] ** 2 + q[:, 3] ** 2), 2 * (q[:, 1] * q[:, 2] + q[:, 0] * q[:, 3])
    x = record["position"][:, 0, :2]
    a, b = np.array([[c[0], s[0]], [-s[0], c[0]]]) @ (case.point - x[0])
    return x + np.stack([c * a - s * b, s * a + c * b], axis=1), seconds


def candidates(case: Case) -> dict[str, tuple[Run, tuple[float, ...]]]:
    """Return everyone who runs a case, with the knobs to try from coarse to fine."""
    found: dict[str, tuple[Run, tuple[float, ...]]] = {}
    for integrator, knobs in (("rk4", DIVISORS), ("dop853", TOLERANCES)):
        found[f"fairlead {integrator} projection"] = (
            partial(fairlead_run, case, case.model, integrator, "projection"),
            knobs,
        )
        found[f"fairlead {integrator} projection revolutes"] = (
            partial(fairlead_run, case, mechanisms.all_revolute(case.model), integrator, "projection"),
            knobs,
        )
        found[f"fairlead {integrator} articulated"] = (
            partial(fairlead_run, case, case.model, integrator, ARTICULATED),
            knobs,
        )
        if len(case.model.bodies) <= 10:
            run = partial(fairlead_run, case, case.model, integrator, "partition")
            found[f"fairlead {integrator} partition"] = (run, knobs)
    bars = peers.planar(case.model, case.point)
    if find_spec("exudyn"):
        singular = case.name.startswith("A02")  # where its trapezoidal rule fails or leaves the branch
        for solver in ("GeneralizedAlpha",) if singular else ("GeneralizedAlpha", "TrapezoidalIndex2"):
            run = partial(peers.exudyn_run, bars, case.duration, case.every, solver)
            found[f"exudyn {solver}"] = (run, DIVISORS[10 if singular else 7 :])  # coarser ones fail, and slowly
    if find_spec("mujoco"):
        for integrator in ("RK4", "implicitfast"):
            run = partial(peers.mujoco_run, bars, case.duration, case.every, integrator)
            found[f"mujoco {integrator}"] = (run, DIVISORS)
    return found


def search(case: Case, run: Run, knobs: tuple[float, ...], allowed: float) -> dict[float, tuple[float, float]]:
    """Return for each level the first knob that reaches it, with its error; the next finer one has to reach it too."""
    found: dict[float, tuple[float, float]] = {}
    tried: dict[float, tuple[float, float]] = {}
    for knob in knobs:
        error, seconds = measured(case, run, knob)
        for level in LEVELS:
            if error > level:
                tried.pop(level, None)
            elif level not in tried:
                tried[level] = (knob, error)
            elif level not in found:
                found[level] = tried[level]
        if len(found) == len(LEVELS) or seconds > allowed:
            break
    return found


def measured(case: Case, run: Run, knob: float) -> tuple[float, float]:
    """Return error and CPU seconds of a run; a run that fails has an infinite error."""
    start = time.process_time()
    try:
        points, _ = run(knob)
    except (NumericalFailure, TimeoutError, ValueError, RuntimeError):
        points = np.zeros((0, 2))
    return case.error(points), time.process_time() - start


def compare(case: Case, allowed: float, repeats: int) -> list[dict[str, Any]]:
    """Return one row per level and candidate: knob, error and simulated seconds per CPU second."""
    who = candidates(case)
    for name, (run, knobs) in who.items():
        if name.startswith("fairlead"):
            measured(case, run, knobs[0])  # compiles what is not in the cache yet
    found = {name: search(case, run, knobs, allowed) for name, (run, knobs) in who.items()}
    rows = []
    for level in LEVELS:
        reached = {name: levels[level] for name, levels in found.items() if level in levels}
        best = dict.fromkeys(reached, np.inf)
        for _ in range(repeats):
            for name, (knob, _) in reached.items():
                best[name] = min(best[name], who[name][0](knob)[1])
        for name in who:
            row: dict[str, Any] = {"case": case.name, "level": level, "who": name}
            if name in reached:
                knob, error = reached[name]
                step = {"rtol": knob} if "dop853" in name else {"step": case.every / knob}
                row |= {"error": error, "rate": case.duration / best[name], **step}
            rows.append(row)
    return rows


def fastest(rows: list[dict[str, Any]], start: str) -> dict[str, Any] | None:
    """Return the fastest row of a code, if any reached the level."""
    return max((row for row in rows if row["who"].startswith(start) and "rate" in row), key=_rate, default=None)


def _rate(row: dict[str, Any]) -> float:
    return row["rate"]


def knob_text(row: dict[str, Any]) -> str:
    """Return a row's step or tolerance in words."""
    return f"rtol {row['rtol']:.0e}" if "rtol" in row else f"{1e6 * row['step']:.4g} us"


def print_comparison(rows: list[dict[str, Any]]) -> None:
    """Print everyone of a case, and who is fastest at each level."""
    for level in LEVELS:
        here = [row for row in rows if row["level"] == level]
        ours = fastest(here, "fairlead")
        print(f"{here[0]['case']}, error {level:.0e}")
        for row in here:
            if "rate" not in row:
                print(f"  {row['who']:38} {'-':>9}")
                continue
            ratio = f"{ours['rate'] / row['rate']:8.2f}" if ours else ""
            print(f"  {row['who']:38} {row['rate']:9.3g} {knob_text(row):>12} {row['error']:9.1e} {ratio}")


def print_summary(rows: list[dict[str, Any]]) -> None:
    """Print the best of each code and Fairlead's ratio to it."""
    head = f"\n{'':12} {'level':>6} | {'Fairlead':>9} {'articul.':>9} {'Exudyn':>9} {'MuJoCo':>9}"
    print(f"{head} | {'Fairlead / them':^26} | Fairlead by")
    for name in dict.fromkeys(row["case"] for row in rows):
        for level in LEVELS:
            here = [row for row in rows if row["case"] == name and row["level"] == level]
            joints = [row for row in here if ARTICULATED in row["who"]]
            best = [fastest(here, "fairlead"), fastest(joints, "fairlead"), *(fastest(here, code) for code in PEERS)]
            rates = " ".join(f"{row['rate']:9.3g}" if row else f"{'-':>9}" for row in best)
            ours = best[0]
            ratios = [f"{ours['rate'] / row['rate']:8.2f}" if ours and row else f"{'-':>8}" for row in best[1:]]
            by = f"{ours['who'].removeprefix('fairlead ')}, {knob_text(ours)}" if ours else "-"
            print(f"{name:12} {level:6.0e} | {rates} | {' '.join(ratios)} | {by}")


def chain(count: int) -> fl.Model:
    """Return a hanging chain of bars, drawn level, with revolute pins."""
    bodies = {f"bar {i}": mechanisms.bar(1.0, (i, 0), (i + 1, 0)) for i in range(count)}
    joints = {
        f"pin {i}": mechanisms.pin(fl.Revolute, f"bar {i - 1}" if i else "world", f"bar {i}", (i, 0))
        for i in range(count)
    }
    return fl.Model("chain", bodies, joints, gravity=(0, -9.81, 0))


def growth(
    model_of: Callable[[int], fl.Model], sizes: tuple[int, ...], repeats: int, integrator: str = "rk4"
) -> list[dict[str, float]]:
    """Return microseconds per step of 1 ms against the size; of MuJoCo and the other formulation too for RK4."""
    rows = []
    for n in sizes:
        model, samples = model_of(n), max(2, 160 // n)
        case = Case(model.name, model, 0.01 * samples, np.zeros(2), 1.0, np.zeros((samples + 1, 2)))
        long = {"limit": 600.0}  # everyone takes all steps
        runs: dict[str, Run] = {"constrained": partial(fairlead_run, case, model, integrator, "projection", **long)}
        if integrator == "rk4":
            runs[ARTICULATED] = partial(fairlead_run, case, model, "rk4", ARTICULATED, **long)
        if integrator == "rk4" and find_spec("mujoco"):
            bars = peers.planar(model, case.point)
            runs["mujoco"] = partial(peers.mujoco_run, bars, case.duration, case.every, "RK4")
        best = dict.fromkeys(runs, np.inf)
        for _ in range(repeats):
            for name, run in runs.items():
                best[name] = min(best[name], run(10)[1])
        rows.append({"size": n, **{name: 1e6 * seconds / (10 * samples) for name, seconds in best.items()}})
    return rows


def print_growth(title: str, rows: list[dict[str, float]]) -> dict[str, float]:
    """Print cost per step against size; return the fitted powers from LINEAR_FROM on."""
    names = [name for name in ("constrained", ARTICULATED, "mujoco") if name in rows[0]]
    large = [row for row in rows if row["size"] >= LINEAR_FROM]
    powers = {}
    print(f"\nus per step against {title}")
    print(f"{'':14}" + "".join(f"{row['size']:9}" for row in rows))
    for name in names:
        sizes, costs = (np.log([row[key] for row in large]) for key in ("size", name))
        powers[name] = float(np.polyfit(sizes, costs, 1)[0])
        print(f"{name:14}" + "".join(f"{row[name]:9.1f}" for row in rows) + f"   N^{powers[name]:.2f}")
    return powers


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="write results/loops.json")
    parser.add_argument("--repeats", type=int, default=3, help="rounds of everyone, the best counts")
    parser.add_argument("--allowed", type=float, default=6.0, help="CPU seconds of a run beyond which nobody refines")
    parser.add_argument("--only", help="cases whose name holds this, for a short run")
    chosen = parser.parse_args()
    report: dict[str, Any] = {"load average": os.getloadavg(), "cores": os.cpu_count(), "rows": []}
    print(f"load average at start {report['load average'][0]:.2f} on {report['cores']} cores")
    for name in PEERS:
        if not find_spec(name):
            print(f"{name} is not installed, so it stays out: pip install -r requirements-bench.txt")
    print(f"\n{'':40} {'s / CPU s':>9} {'step':>12} {'error':>9} best Fairlead / this")
    for case in cases():
        if chosen.only is None or chosen.only in case.name:
            rows = compare(case, chosen.allowed, chosen.repeats)
            print_comparison(rows)
            report["rows"] += rows
    print_summary(report["rows"])
    print(LEGEND)
    loops = growth(mechanisms.n_four_bar, LOOPS, chosen.repeats)
    chains = growth(chain, CHAINS, chosen.repeats)
    report |= {"loops": loops, "loops powers": print_growth("the loops of A02, by RK4", loops)}
    report |= {"chains": chains, "chains powers": print_growth("the bars of a chain, by RK4", chains)}
    implicit = growth(mechanisms.n_four_bar, IMPLICIT, chosen.repeats, "generalised-alpha")
    power = print_growth("the loops of A02, by generalised-alpha", implicit)
    report |= {"implicit loops": implicit, "implicit loops powers": power}
    print(f"load average at end {os.getloadavg()[0]:.2f}")
    if chosen.json:
        path = Path(__file__).parent / "results" / "loops.json"
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(report, indent=1) + "\n")
        print(f"\nwrote benchmarks/results/{path.name}")


if __name__ == "__main__":
    main()
