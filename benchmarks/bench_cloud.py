"""Cost of the momentum cloud: against a hand-written yardstick and against Pinocchio, in one run.

Times are CPU times of this thread, the best of several rounds; in a round everyone is measured once, so that a busy
machine is busy for all. `--json` writes the figures to results/cloud.json beside this file.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import time
import tracemalloc
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")

import loops
import numba
import numpy as np
import pinocchio_tree
import startup
import yardstick
from numba.core.runtime import _nrt_python, rtsys
from trees import GRAVITY, Tree, compiled, fairlead_model, random_tree

SIZES = (3, 6, 12, 50, 200, 1000)
SHAPES = ("chain", "binary")
LINEAR_FROM = 50
TARGET, TARGET_FROM = 0.20, 6  # [us] per body, from this many bodies
LARGEST_FOR_PINOCCHIO = 200  # its Data holds tensors of nv^3: 0.3 GiB here, 30 GiB for 1000 bodies
BATCH = 64
LEGEND = f"""
Fairlead: the whole right-hand side of `cloud`: motions, kinematics, base accelerations, accelerations of all bodies,
  joint reactions, driving torques, and the integrands of work and impulse.
yardstick: base accelerations alone, written out by hand for revolute joints.
ABA, RNEA: Pinocchio batched in C++ on one thread ({BATCH} states per call), and ABA per call from Python.
  ABA finds the accelerations of free joints from their torques, a harder question than driven joints ask; RNEA finds
  torques and reactions from known accelerations, the base's included: our question without the base's solution."""
Timings = dict[str, list[float]]


def candidates(tree: Tree, budget: float) -> dict[str, tuple[Callable[[], Any], int]]:
    """Return what to time and how many evaluations one call holds; `budget` counts bodies times evaluations."""
    n = max(1, int(budget / len(tree.parent)))
    y, A, W = compiled(fairlead_model(tree))
    found = {
        "fairlead": (partial(loops.many(), n, y, np.zeros_like(y), A, W), n),
        "yardstick": (partial(yardstick.many, n, *yardstick.pack(tree), tree.w, np.array(GRAVITY), np.zeros(6)), n),
    }
    if find_spec("pinocchio") and len(tree.parent) <= LARGEST_FOR_PINOCCHIO:
        found |= _pinocchio(tree, n)
    return found


def _pinocchio(tree: Tree, n: int) -> dict[str, tuple[Callable[[], Any], int]]:
    """Return ABA per call and batched in C++ on one thread, and RNEA batched, each with arrays made beforehand."""
    import pinocchio as pin

    model = pinocchio_tree.pinocchio_model(tree)
    data, pool = model.createData(), pin.ModelPool(model, 1)
    states = [pinocchio_tree.state(tree, t)[:2] for t in np.linspace(0.0, 1.0, BATCH)]
    Q, V = (np.asfortranarray(np.array(column).T) for column in zip(*states))
    tau, out = np.zeros_like(V), np.zeros_like(V)
    (q, v), none = states[0], np.zeros(model.nv)
    times = max(1, n // BATCH)

    def calls() -> None:
        for _ in range(n):
            pin.aba(model, data, q, v, none)

    def batches(algorithm: Callable[..., Any]) -> None:
        for _ in range(times):
            algorithm(1, pool, Q, V, tau, out)

    return {
        "aba calls": (calls, n),
        "aba": (partial(batches, pin.abaInParallel), times * BATCH),
        "rnea": (partial(batches, pin.rneaInParallel), times * BATCH),
    }


def rounds(what: dict[str, tuple[Callable[[], Any], int]], repeats: int) -> Timings:
    """Return microseconds per evaluation of everyone in every round, after one round to warm up."""
    found: Timings = {name: [] for name in what}
    for turn in range(repeats + 1):
        for name, (call, evaluations) in what.items():
            start = time.thread_time()
            call()
            if turn:
                found[name].append(1e6 * (time.thread_time() - start) / evaluations)
    return found


def row_of(shape: str, n: int, timings: Timings) -> dict[str, Any]:
    """Return the best of everyone, and how much slower the median round of Fairlead was."""
    row: dict[str, Any] = {"shape": shape, "bodies": n}
    row |= {name: min(values) for name, values in timings.items()}
    row["noise"] = float(np.median(timings["fairlead"]) / row["fairlead"])
    return row


def print_rows(rows: list[dict[str, Any]]) -> None:
    """Print per body what is linear and per evaluation what is compared."""
    print(f"{'':6} {'':>6} | {'us per body':^28} | {'us per evaluation':^38} | {'Fairlead /':^13} | median")
    head = f"{'tree':6} {'N':>6} | {'Fairlead':>8} {'yardstick':>10} {'ratio':>8} | {'Fairlead':>8} {'ABA':>8}"
    print(f"{head} {'per call':>9} {'RNEA':>10} | {'ABA':>6} {'RNEA':>6} | / best")
    for row in rows:
        n, ours, least = row["bodies"], row["fairlead"], row["yardstick"]
        text = f"{row['shape']:6} {n:6} | {ours / n:8.3f} {least / n:10.3f} {ours / least:8.2f} | {ours:8.2f}"
        if "aba" in row:
            text += f" {row['aba']:8.2f} {row['aba calls']:9.2f} {row['rnea']:10.2f}"
            text += f" | {ours / row['aba']:6.2f} {ours / row['rnea']:6.2f}"
        else:
            text += f" {'-':>8} {'-':>9} {'-':>10} | {'-':>6} {'-':>6}"
        print(f"{text} | {row['noise']:6.2f}")


def exponent(rows: list[dict[str, Any]], shape: str, who: str) -> float:
    """Return the fitted power of N in the cost from LINEAR_FROM bodies upward."""
    points = [(row["bodies"], row[who]) for row in rows if row["shape"] == shape and row["bodies"] >= LINEAR_FROM]
    x, y = np.log(np.array(points)).T
    return float(np.polyfit(x, y, 1)[0])


def allocations() -> dict[str, int]:
    """Return what 1000 evaluations allocate by numba's runtime, and what 2000 more of them hold in Python."""
    y, A, W = compiled(fairlead_model(random_tree(50, "chain")))
    dy = np.zeros_like(y)
    loops.many()(1, y, dy, A, W)
    _nrt_python.memsys_enable_stats()
    before = rtsys.get_allocation_stats()
    loops.many()(1000, y, dy, A, W)
    after = rtsys.get_allocation_stats()
    _nrt_python.memsys_disable_stats()
    _peak(2000, y, dy, A, W)  # Python's own free lists fill up
    more = _peak(4000, y, dy, A, W) - _peak(2000, y, dy, A, W)
    return {"runtime": after.alloc - before.alloc, "python bytes": more}


def _peak(n: int, *arguments: Any) -> int:
    """Return the most memory that Python held during a call of n evaluations, the least of a few tries."""
    peaks = []
    for _ in range(20):
        tracemalloc.start()
        loops.many()(n, *arguments)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    return min(peaks)


def call_overhead() -> float:
    """Return microseconds of a Pinocchio call from Python: ABA of one free body, less the same batched in C++."""
    timings = rounds(_pinocchio(random_tree(1, "chain"), 20000), 5)
    return min(timings["aba calls"]) - min(timings["aba"])


def agreement() -> dict[str, float]:
    """Return how far the yardstick and Pinocchio are from Fairlead; stop if they do not solve the same problem."""
    found = {"yardstick": yardstick.check()}
    if find_spec("pinocchio"):
        found["pinocchio"] = max(pinocchio_tree.disagreement(random_tree(12, shape)) for shape in SHAPES)
        assert found["pinocchio"] < 1e-10, f"Pinocchio and Fairlead differ by {found['pinocchio']:.1e}"
    return found


def print_machine(report: dict[str, Any]) -> None:
    """Print where and how busy, and what is missing."""
    report |= {"load average": os.getloadavg(), "cores": os.cpu_count(), "machine": platform.machine()}
    report |= {"python": platform.python_version(), "numba": numba.__version__}
    print(f"load average at start {report['load average'][0]:.2f} on {report['cores']} cores; ", end="")
    print(f"Python {report['python']}, numba {report['numba']}")
    if not find_spec("pinocchio"):
        print("Pinocchio is not installed, so its columns stay empty: pip install -r requirements-bench.txt")


def print_agreement(report: dict[str, Any]) -> None:
    """Print that everyone solves the same problem."""
    report["agreement"] = agreement()
    differences = ", ".join(f"{name} {value:.0e}" for name, value in report["agreement"].items())
    print(f"relative difference of the accelerations from Fairlead's: {differences}\n")


def print_costs(report: dict[str, Any], budget: float, repeats: int) -> None:
    """Print the table of costs and what it compares."""
    report["rows"] = [
        row_of(shape, n, rounds(candidates(random_tree(n, shape), budget), repeats)) for shape in SHAPES for n in SIZES
    ]
    print_rows(report["rows"])
    print(LEGEND)
    if find_spec("pinocchio"):
        report["call overhead"] = call_overhead()
        print(
            f"  A call from Python costs {report['call overhead']:.2f} us more than in a batch for one free body; ",
            end="",
        )
        print("the gap grows with N.")
        print(f"  Left out above {LARGEST_FOR_PINOCCHIO} bodies: at 1000 Pinocchio's Data would take about 30 GiB.")


def print_growth(report: dict[str, Any]) -> None:
    """Print the power of N and whether the target is met."""
    rows = report["rows"]
    report["exponents"] = {shape: exponent(rows, shape, "fairlead") for shape in SHAPES}
    powers = ", ".join(f"{shape} N^{power:.3f}" for shape, power in report["exponents"].items())
    print(f"\ncost from {LINEAR_FROM} to {SIZES[-1]} bodies: {powers}")
    worst = max(row["fairlead"] / row["bodies"] for row in rows if row["bodies"] >= TARGET_FROM)
    report["worst per body"] = worst
    verdict = "met" if worst <= TARGET else "NOT met"
    print(f"largest cost from {TARGET_FROM} bodies on: {worst:.3f} us per body; target {TARGET:.2f}: {verdict}")


def print_allocations(report: dict[str, Any]) -> None:
    """Print that evaluations allocate nothing."""
    report["allocations"] = found = allocations()
    print(f"1000 evaluations: {found['runtime']} allocations by numba's runtime; ", end="")
    print(f"2000 more: {found['python bytes']} bytes in Python;")
    print("  kernels are compiled with _nrt=False, so one that allocates an array does not compile")


def print_startup(report: dict[str, Any]) -> None:
    """Print what compiling costs, apart from running."""
    report["start-up"] = startup.cold_and_warm()
    cold, warm = report["start-up"]["cold"], report["start-up"]["warm"]
    print(f"\n{'start-up, seconds of CPU time':32} {'cold':>8} {'warm':>8}")
    for name in cold:
        print(f"{name:32} {cold[name]:8.3f} {warm[name]:8.3f}")
    print("cold: every kernel is compiled, once per installation; warm: the next process loads them from the cache")


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="write results/cloud.json")
    parser.add_argument("--repeats", type=int, default=60, help="rounds per tree, the best counts")
    parser.add_argument("--budget", type=float, default=2e4, help="bodies times evaluations in one timing")
    parser.add_argument("--no-startup", action="store_true", help="leave out the cold and warm start")
    chosen = parser.parse_args()
    report: dict[str, Any] = {}
    print_machine(report)
    print_agreement(report)
    print_costs(report, chosen.budget, chosen.repeats)
    print_growth(report)
    print_allocations(report)
    if not chosen.no_startup:
        print_startup(report)
    if chosen.json:
        path = Path(__file__).parent / "results" / "cloud.json"
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(report, indent=1) + "\n")
        print(f"\nwrote benchmarks/results/{path.name}")


if __name__ == "__main__":
    main()
