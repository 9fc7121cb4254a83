"""The same model run otherwise: from a file, with a restart, resumed from disk, recorded less often."""

from __future__ import annotations

import signal
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

import fairlead as fl
from fairlead.errors import Interrupted
from fairlead.results.dataset import make_dataset
from fairlead.running import simulation as running
from fairlead.running.directory import resume_directory
from fairlead.running.record import attributes_of, continue_signs, split_record
from transformations.remake import LeftOut
from transformations.table import Change


def from_yaml(model: fl.Model, run: Any) -> Change:
    """Save the model and load it again."""
    if any(getattr(load, "function", None) for load in model.loads.values()):
        raise LeftOut("a load is written in Python")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.yaml"
        fl.save(model, path)
        return Change(fl.load(path))


def restart(model: fl.Model, run: Any) -> Change:
    """Stop in the middle and go on in a new simulation from the state of the first."""

    def again(model: fl.Model, duration: float, dt: float, **options: Any) -> Any:
        options = {n: v for n, v in options.items() if n != "progress"}
        one = running.Simulation(model, duration, dt, **options)
        rows = [one.advance(), one.advance(17)]
        state = one.state()
        other = running.Simulation(model, duration, dt, **options)
        other.restore(state)
        while not other.finished:
            rows.append(other.advance())
        rows = np.concatenate(rows)
        continue_signs(rows, None, other.compiled)
        return make_dataset(other.compiled, split_record(rows, other.compiled), attributes_of(other, "complete", 0.0))

    return Change(model, run=again)


def resume(model: fl.Model, run: Any) -> Change:
    """Interrupt a run on disk in the middle and resume it."""
    if any(getattr(load, "function", None) for load in model.loads.values()):
        raise LeftOut("a load is written in Python")

    def from_disk(model: fl.Model, duration: float, dt: float, **options: Any) -> Any:
        names = [name for name in ("STEPS_PER_CHUNK", "STEPS_IN_PYTHON") if hasattr(running, name)]
        before = {name: getattr(running, name) for name in names}
        for name in names:
            setattr(running, name, 13)
        calls: list[float] = []

        def stop(time: float, end: float) -> None:
            calls.append(time)
            if len(calls) == 2:
                signal.raise_signal(signal.SIGTERM)

        try:
            with tempfile.TemporaryDirectory() as folder:
                out = Path(folder) / "x.run"
                with suppress(Interrupted):
                    fl.simulate(model, duration, dt, out=out, **{**options, "progress": stop})
                data, _ = resume_directory(out, progress=False)
                with data:
                    return data.load()
        finally:
            for name, steps in before.items():
                setattr(running, name, steps)

    return Change(model, run=from_disk)


def recorded_seldom(model: fl.Model, run: Any) -> Change:
    """Record every seventh step only."""
    return Change(model, options={"output_every": 7})
