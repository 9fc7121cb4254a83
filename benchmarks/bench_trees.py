"""Cost of trees with free joints: `articulated` against Pinocchio, MuJoCo and Drake, and our formulations side by side.

Times are CPU times of this thread, the best of several rounds; in a round everyone is measured once, so that a busy
machine is busy for all. Compiling is not among them. `--json` writes the figures to results/trees.json.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import loops
import numpy as np
import peers_trees as peers
from bench_cloud import exponent, rounds
from trees import Tree, compiled, fairlead_model, mixed_model, random_tree

import fairlead as fl
from fairlead.running.formulations.table import FORMULATIONS

SIZES = (6, 12, 50, 200, 400, 1000)
SHAPES = ("chain", "binary")
TARGET = 0.25  # [us] per body, with all joint kinds and loads
SIDE_BY_SIDE = ("cloud", "kane", "articulated", "constrained")
TURBINE = Path(__file__).parents[1] / "examples" / "six_body_free.yaml"
LEGEND = f"""
Fairlead: the whole right-hand side of `articulated` in a compiled loop: kinematics, recursion, accelerations of all
  bodies, and the integrands of work and impulse.
ABA: Pinocchio, batched in C++ on one thread ({peers.BATCH} states per call), and per call from Python. Its Data grows
  as N^3: no batch above {peers.LARGEST_BATCHED} bodies, nothing above {peers.LARGEST_PINOCCHIO} (30 GiB at 1000).
MuJoCo: mj_forward per call from Python (forward dynamics without a step), and Euler's mj_step many times in one call in
  C; contacts and constraints are off. Drake: CalcTimeDerivatives of a continuous plant per call from Python, the state
  set anew each time."""
Rows = list[dict[str, Any]]


def ours(model: Any, formulation: str, n: int) -> tuple[Callable[[], Any], int]:
    """Return a call of n evaluations of a formulation."""
    y, A, W = compiled(model, formulation)
    return partial(loops.many(formulation), n, y, np.zeros_like(y), A, W), n


def our_accelerations(tree: Tree) -> np.ndarray:
    """Return the base's linear and angular acceleration, then those of the joints by number, as the peers do."""
    y, A, W = compiled(fairlead_model(tree, free=True), "articulated")
    dy = np.zeros_like(y)
    FORMULATIONS["articulated"].kernels.rhs(0.0, y, dy, A, W)
    joints = np.zeros(len(W.coordinates))
    joints[A.coordinates["user"]] = W.coordinates["ddq"]
    return np.concatenate([W.bodies[0]["a"], dy[10:13], joints])


def present() -> dict[str, tuple[Callable[[Tree], Any], int]]:
    """Return the peers that are installed, with the largest tree each can take."""
    return {name: (make, largest) for name, (module, make, largest) in peers.PEERS.items() if find_spec(module)}


def agreement() -> dict[str, float]:
    """Return how far each peer's accelerations are from ours, relative to the largest; stop if they differ.

    The same equations in different orders: rounding, which grows with the length of the chain, is all that may differ.
    """
    found = dict.fromkeys(present(), 0.0)
    for tree in (random_tree(n, shape, seed=n) for n in (6, 12, 50) for shape in SHAPES):
        reference = our_accelerations(tree)
        for name, (make, _) in present().items():
            difference = np.abs(make(tree).accelerations() - reference).max() / np.abs(reference).max()
            found[name] = max(found[name], float(difference))
    for name, difference in found.items():
        assert difference < 1e-10, f"{name} and Fairlead differ by {difference:.1e}"
    return found


def against_peers(shape: str, n: int, budget: float, repeats: int) -> dict[str, Any]:
    """Return the best times of everyone for one tree of revolute joints."""
    tree, times = random_tree(n, shape), max(1, int(budget / n))
    timed = {"fairlead": ours(fairlead_model(tree, free=True), "articulated", times)}
    for make, largest in present().values():
        if n <= largest:
            timed |= make(tree).timed(max(1, times // 10 if n >= 200 else times))
    return _row(shape, n, rounds(timed, repeats))


def mixed(shape: str, n: int, budget: float, repeats: int) -> dict[str, Any]:
    """Return the best times of trees with all kinds of joints, springs, dampers and loads."""
    model = mixed_model(random_tree(n, shape))
    row = _row(shape, n, rounds({"fairlead": ours(model, "articulated", max(1, int(budget / n)))}, repeats))
    row["coordinates"] = sum(len(joint.coordinates) for joint in model.joints.values())
    row["loads"] = len(model.loads)
    return row


def side_by_side(budget: float, repeats: int) -> dict[str, float]:
    """Return microseconds per evaluation of the six-body turbine with driven joints in each formulation."""
    model = fl.load(TURBINE)
    names = [name for name in SIDE_BY_SIDE if name in FORMULATIONS and not FORMULATIONS[name].accepts(model)]
    timed = {name: ours(model, name, max(1, int(budget / 6))) for name in names}
    return {name: min(values) for name, values in rounds(timed, repeats).items()}


def turbine_agreement() -> dict[str, float]:
    """Return how far each tree formulation's accelerations of the turbine are from those of `cloud`, relative."""
    model = fl.load(TURBINE)
    names = [name for name in SIDE_BY_SIDE if name in FORMULATIONS]
    found = {}
    for name in names:
        data = fl.accelerations(model, formulation=name)
        found[name] = np.concatenate([data[part].values.ravel() for part in ("acceleration", "angular_acceleration")])
    first = found["cloud"]
    return {name: float(np.abs(values - first).max() / np.abs(first).max()) for name, values in found.items()}


def _row(shape: str, n: int, timings: dict[str, list[float]]) -> dict[str, Any]:
    row: dict[str, Any] = {"shape": shape, "bodies": n}
    row |= {name: min(values) for name, values in timings.items()}
    row["noise"] = float(np.median(timings["fairlead"]) / row["fairlead"])
    return row


COLUMNS = ("aba", "aba calls", "mujoco", "mujoco step", "drake")


def print_peers(rows: Rows) -> None:
    """Print us per body of ours, us per evaluation of everyone, and how many times slower they are."""
    head = (
        f"{'tree':6} {'N':>5} | {'us/body':>7} | {'Fairlead':>8} {'ABA':>8} {'per call':>8} {'MuJoCo':>8} {'step':>8}"
    )
    print(f"{head} {'Drake':>8} | {'them / Fairlead':^35} | median / best")
    for row in rows:
        best = row["fairlead"]
        text = f"{row['shape']:6} {row['bodies']:5} | {best / row['bodies']:7.3f} | {best:8.2f}"
        text += "".join(f" {row[name]:8.2f}" if name in row else f" {'-':>8}" for name in COLUMNS) + " |"
        text += "".join(f" {row[name] / best:6.2f}" if name in row else f" {'-':>6}" for name in COLUMNS)
        print(f"{text} | {row['noise']:6.2f}")


def print_mixed(rows: Rows) -> None:
    """Print trees with all joint kinds."""
    print("\nall joint kinds (revolute, prismatic, cylindrical, universal, spherical, planar, free) with springs and")
    print("dampers on their coordinates, and a spring with damper from every body to another or the world")
    head = f"{'tree':6} {'N':>5} {'coordinates':>11} {'loads':>6} | {'us':>8} {'us/body':>8} {'us/coord.':>9}"
    print(f"{head} | median / best")
    for row in rows:
        best, count = row["fairlead"], row["coordinates"]
        text = f"{row['shape']:6} {row['bodies']:5} {count:11} {row['loads']:6} | {best:8.2f}"
        print(f"{text} {best / row['bodies']:8.3f} {best / count:9.3f} | {row['noise']:6.2f}")


def print_growth(rows: Rows, title: str) -> dict[str, Any]:
    """Print the power of N and the largest cost per body; return both."""
    powers = {shape: exponent(rows, shape, "fairlead") for shape in SHAPES}
    worst = max(row["fairlead"] / row["bodies"] for row in rows)
    verdict = "met" if worst <= TARGET else "NOT met"
    print(f"{title}: " + ", ".join(f"{shape} N^{power:.3f}" for shape, power in powers.items()), end="; ")
    print(f"largest cost {worst:.3f} us per body, target {TARGET:.2f}: {verdict}")
    return {"powers": powers, "worst per body": worst}


def print_side_by_side(times: dict[str, float]) -> None:
    """Print what each formulation needs for the turbine, and what the six equations save."""
    print("\nsix-body turbine with driven joints (examples/six_body_free.yaml), us per evaluation")
    for name, value in times.items():
        print(f"  {name:12} {value:8.3f}   {value / times['cloud']:6.2f} times cloud")


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="write results/trees.json")
    parser.add_argument("--repeats", type=int, default=30, help="rounds per tree, the best counts")
    parser.add_argument("--budget", type=float, default=2e4, help="bodies times evaluations in one timing")
    chosen = parser.parse_args()
    report: dict[str, Any] = {"load average": os.getloadavg(), "cores": os.cpu_count()}
    print(f"load average at start {report['load average'][0]:.2f} on {report['cores']} cores")
    for name in sorted(set(peers.PEERS) - set(present())):
        print(f"{name} is not installed, so it stays out: pip install -r requirements-bench.txt")
    report["agreement"] = agreement()
    print("relative difference of the accelerations from Fairlead's: ", end="")
    print(", ".join(f"{name} {value:.0e}" for name, value in report["agreement"].items()), end="\n\n")
    sizes = [(shape, n) for shape in SHAPES for n in SIZES]
    report["rows"] = [against_peers(*size, chosen.budget, chosen.repeats) for size in sizes]
    print_peers(report["rows"])
    print(LEGEND)
    report["growth"] = print_growth(report["rows"], "revolute joints")
    report["mixed"] = [mixed(*size, chosen.budget, chosen.repeats) for size in sizes]
    print_mixed(report["mixed"])
    report["mixed growth"] = print_growth(report["mixed"], "all kinds")
    report["turbine agreement"], report["turbine"] = turbine_agreement(), side_by_side(chosen.budget, chosen.repeats)
    print_side_by_side(report["turbine"])
    differences = ", ".join(f"{name} {value:.0e}" for name, value in report["turbine agreement"].items())
    print(f"  relative difference of the accelerations from those of cloud: {differences}")
    print(f"load average at end {os.getloadavg()[0]:.2f}")
    if chosen.json:
        path = Path(__file__).parent / "results" / "trees.json"
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(report, indent=1) + "\n")
        print(f"\nwrote benchmarks/results/{path.name}")


if __name__ == "__main__":
    main()
