"""Cost of the floating turbine in wind and waves: stepping of the held rotor against six bodies without loads.

Both take the same number of RK4 steps in the compiled loop of `cloud`. Times are CPU times of this thread, the best of
several rounds; in a round both are measured once, so that a busy machine is busy for both. Compiling, and the tables of
the waves made before the run, are not among them. `--json` writes the figures to results/turbine.json.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import fairlead as fl
from fairlead.running.simulation import Simulation

ROOT = Path(__file__).parents[1]
MODELS = {
    "turbine": ROOT / "examples" / "oc3_hywind_held_rotor.yaml",
    "bare cloud": ROOT / "examples" / "six_body_free.yaml",
}
DURATION, DT, STAGES = 600.0, 0.05, 4
TARGET, MOST = 2000, 8  # times real time on an idle core; times the bare cloud


def stepping(model: fl.Model) -> tuple[float, float]:
    """Return CPU seconds before the first step and of all steps."""
    start = time.thread_time()
    simulation = Simulation(model, DURATION, DT, formulation="cloud", output_every=round(DURATION / DT))
    simulation.prepare()
    ready = time.thread_time()
    while not simulation.finished:
        simulation.advance()
    return ready - start, time.thread_time() - ready


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    models = {name: fl.load(path) for name, path in MODELS.items()}
    found: dict[str, list[tuple[float, float]]] = {name: [] for name in models}
    for turn in range(given.rounds + 1):
        for name, model in models.items():
            measured = stepping(model)
            if turn:  # the first round warms up
                found[name].append(measured)
    best = {name: min(steps for _, steps in rows) for name, rows in found.items()}
    evaluations = STAGES * DURATION / DT
    row = {f"{name} [us per evaluation]": 1e6 * seconds / evaluations for name, seconds in best.items()}
    row["turbine [times real time]"] = DURATION / best["turbine"]
    row["turbine over bare cloud"] = best["turbine"] / best["bare cloud"]
    row["before the first step [s]"] = min(before for before, _ in found["turbine"])
    for name, value in row.items():
        print(f"{name:32} {value:10.3g}")
    print(f"aims: {TARGET} times real time on an idle core, at most {MOST} times the bare cloud")
    if given.json:
        (Path(__file__).parent / "results" / "turbine.json").write_text(json.dumps(row, indent=1) + "\n")


if __name__ == "__main__":
    main()
