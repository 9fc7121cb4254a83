"""Stepping of this checkout against others, interleaved: `python benchmarks/against.py OTHER [OTHER ...]`.

Each checkout has a process of its own that runs the same models; in a round every one of them is measured once, one
after the other, so that a busy machine is busy for all. Where a process happens to lay its arrays moves a time by a
few per cent, so the rounds are divided among `--processes` of each checkout. Times are CPU times of stepping, the best
of `--rounds`; the bare cloud (`yardstick.py`, which shares nothing with the package) is measured beside them in every
process, and a second ratio is that of ratios to it. An idle machine, please. Compiling is not among the times.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
HERE = Path(__file__).resolve().parent
YARDSTICK = "bare cloud"


def without_shapes(path: Path) -> Path:
    """Return a copy of a model file without the shapes of bodies, which earlier checkouts do not know."""
    from ruamel.yaml import YAML

    yaml = YAML()  # which keeps the order: the first body is the base
    model = yaml.load(path)
    for body in model["bodies"].values():
        body.pop("geometry", None)
    copy = Path(tempfile.mkdtemp()) / path.name
    yaml.dump(model, copy)
    return copy


def runs() -> dict[str, Callable[[], float]]:
    """Return what is measured: by name, a call that gives CPU seconds."""
    import numpy as np
    import yardstick
    from trees import fairlead_model, random_tree

    import fairlead as fl
    from support import mechanism_models as mechanisms

    bars = mechanisms.n_four_bar(10)
    turbine = fl.load(without_shapes(HERE.parent / "examples" / "oc3_hywind_held_rotor.yaml"))
    chain = fairlead_model(random_tree(50, "chain", seed=50), free=True)
    driven = fairlead_model(random_tree(20, "chain", seed=20))
    andrews, revolutes = mechanisms.andrews(-0.062), mechanisms.all_revolute(bars)
    packed = yardstick.pack(random_tree(6, "chain", seed=6))
    rest = (np.array([0.1, 0.2, 0.3]), np.array([0.0, 0.0, -9.8]), np.zeros(6))

    def bare() -> float:
        start = time.thread_time()
        yardstick.many(200_000, *packed, *rest)
        return time.thread_time() - start

    found = {
        YARDSTICK: bare,
        "turbine, cloud": _stepping(turbine, 120.0, 0.05, "cloud"),
        "chain of 50, articulated": _stepping(chain, 1.0, 1e-3, "articulated"),
        "chain of 20 driven, cloud": _stepping(driven, 1.0, 1e-3, "cloud"),
    }
    for formulation in ("articulated", "constrained"):
        found[f"Andrews, {formulation}"] = _stepping(andrews, 0.05, 1e-5, formulation)
        found[f"10 four-bars, {formulation}"] = _stepping(bars, 0.5, 1e-3, formulation)
        found[f"10 four-bars of revolutes, {formulation}"] = _stepping(revolutes, 0.5, 1e-3, formulation)
    return found


def _stepping(model: Any, duration: float, dt: float, formulation: str) -> Callable[[], float]:
    from fairlead.running.simulation import Simulation

    def run() -> float:
        every = round(duration / dt)
        simulation = Simulation(model, duration, dt, formulation=formulation, integrator="rk4", output_every=every)
        simulation.prepare()
        start = time.thread_time()
        while not simulation.finished:
            simulation.advance()
        return time.thread_time() - start

    return run


def work() -> None:
    """Answer each name on standard input with its CPU seconds; the first answer lists the names."""
    found = runs()
    for run in found.values():
        run()
    print(json.dumps(list(found)), flush=True)
    for line in sys.stdin:
        print(found[line.strip()](), flush=True)


class Checkout:
    """A process that measures one checkout."""

    def __init__(self, root: Path) -> None:
        self.root = root
        path = os.pathsep.join(str(one) for one in (root / "src", HERE, HERE.parent / "tests"))
        self.process = subprocess.Popen(
            [sys.executable, str(Path(__file__).resolve()), "--work"],
            env=os.environ | {"PYTHONPATH": path},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.names: list[str] = json.loads(self._answer())

    def _answer(self) -> str:
        assert self.process.stdout is not None
        answer = self.process.stdout.readline()
        if not answer:
            raise SystemExit(f"{self.root} cannot run these models")
        return answer

    def seconds(self, name: str) -> float:
        """Return the CPU seconds of one run."""
        assert self.process.stdin is not None
        print(name, file=self.process.stdin, flush=True)
        return float(self._answer())

    def close(self) -> None:
        """End the process."""
        self.process.communicate()


def main() -> None:
    """Measure and print ratios, this checkout over each of the others."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("others", nargs="*", type=Path)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--processes", type=int, default=4)
    parser.add_argument("--work", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.work:
        work()
        return
    roots = (HERE.parent, *given.others)
    best: dict[tuple[str, int], float] = {}
    names: list[str] = []
    for process in range(given.processes):
        checkouts = [Checkout(root) for root in roots]
        names = checkouts[0].names
        for _ in range(process, given.rounds, given.processes):
            for name in names:
                for n, checkout in enumerate(checkouts):
                    best[name, n] = min(best.get((name, n), float("inf")), checkout.seconds(name))
        for checkout in checkouts:
            checkout.close()
    for n, root in enumerate(roots[1:], 1):
        print(f"this checkout over {root.name}: seconds, ratio, ratio of ratios to the {YARDSTICK}")
        bare = best[YARDSTICK, 0] / best[YARDSTICK, n]
        for name in names:
            ratio = best[name, 0] / best[name, n]
            print(f"  {name:44} {best[name, 0]:8.4f} {best[name, n]:8.4f}  {ratio:6.3f}  {ratio / bare:6.3f}")


if __name__ == "__main__":
    main()
