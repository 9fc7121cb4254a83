"""What a fresh process waits for: run as a script, it prints CPU seconds of each stage as JSON.

The cold start has an empty FAIRLEAD_CACHE_DIR, the warm one finds the kernels there.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from itertools import pairwise
from pathlib import Path


def cold_and_warm() -> dict[str, dict[str, float]]:
    """Return the figures of a process that compiles everything and of the next one."""
    with tempfile.TemporaryDirectory() as empty:
        environment = {**os.environ, "FAIRLEAD_CACHE_DIR": empty}
        return {name: _fresh_process(environment) for name in ("cold", "warm")}


def _fresh_process(environment: dict[str, str]) -> dict[str, float]:
    done = subprocess.run([sys.executable, str(Path(__file__))], env=environment, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"the start-up benchmark failed:\n{done.stderr}")
    return json.loads(done.stdout.splitlines()[-1])


def measure() -> dict[str, float]:
    """Return CPU seconds of each thing a user waits for, in the order in which they come."""
    marks = [("", 0.0)]
    from loops import many
    from trees import compiled, fairlead_model, random_tree

    import fairlead as fl

    fl.simulate  # noqa: B018  (public names are imported when first used)
    marks.append(("start Python and import", time.process_time()))
    tree = random_tree(6, "chain")
    model = fairlead_model(tree)
    y, A, W = compiled(model)
    marks.append(("model and initial state", time.process_time()))
    dy = y.copy()
    many()(1, y, dy, A, W)
    marks.append(("right-hand side, first call", time.process_time()))
    fl.simulate(model, duration=1.0, dt=0.01)
    marks.append(("simulate 1 s, first call", time.process_time()))
    fl.simulate(model, duration=1.0, dt=0.01)
    marks.append(("simulate 1 s, second call", time.process_time()))
    return {name: after - before for (_, before), (name, after) in pairwise(marks)}


if __name__ == "__main__":
    print(json.dumps(measure()))
