"""Hashes of every float that the examples and models compute: the same bits before and after a change of the house.

    python benchmarks/hashes.py > before.txt        # at the old commit
    python benchmarks/hashes.py --against before.txt # at the new one: says which variable of which run differs

A run is cut at SECONDS or STEPS, whichever comes first; attributes (version, wall time) are left out.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
from pathlib import Path

import numpy as np

import fairlead as fl

ROOT = Path(__file__).parents[1]
SECONDS, STEPS = 20.0, 4000
VARIANTS = ("cloud", "articulated", "kane", "constrained", "two-body", "three-body", "two-body-313")


def runs():
    """Return (label, model, formulation) of every example and model, by default and by every formulation."""
    for path in sorted([*(ROOT / "examples").glob("*.yaml"), *(ROOT / "models").glob("*.yaml")]):
        model = fl.load(path)
        for formulation in (None, *VARIANTS):
            yield f"{path.parent.name}/{path.stem}/{formulation or 'default'}", model, formulation


def hashed(model, formulation):
    """Return the hash of each variable of a short run, or the sentence that refuses it."""
    run = model.run
    dt = run.dt if run is not None else None
    duration = min(SECONDS, run.duration or SECONDS) if run is not None else SECONDS
    if dt:
        duration = min(duration, STEPS * dt)
    try:
        data = fl.simulate(model, duration, formulation=formulation, progress=False)
    except fl.FairleadError as refused:
        return {"refused": hashlib.sha256(str(refused).encode()).hexdigest()[:16]}
    return {
        str(name): hashlib.sha256(np.ascontiguousarray(v.values).tobytes()).hexdigest()[:16]
        for name, v in sorted(data.variables.items())
        if v.dtype.kind in "fiub"
    }


def main() -> int:
    """Print the hashes, or compare them with a file of earlier ones."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--against", type=Path)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    lines = []
    for label, model, formulation in runs():
        if options.only not in label:
            continue
        for name, digest in hashed(model, formulation).items():
            lines.append(f"{label} {name} {digest}")
            if options.against is None:
                print(lines[-1], flush=True)
    if options.against is None:
        return 0
    before = [line for line in options.against.read_text().splitlines() if options.only in line]
    changed = sorted(set(before) ^ set(lines))
    print(*(f"{'-' if line in set(before) else '+'} {line}" for line in changed), sep="\n")
    print(f"{len(lines)} variables, {len(changed)} lines differ")
    return 1 if changed else 0


if __name__ == "__main__":
    sys.exit(main())
