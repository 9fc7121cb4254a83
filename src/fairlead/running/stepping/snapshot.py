"""A state to go back to: everything the next step depends on, also as a file with a checksum."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import fairlead
from fairlead.core.jit.cache import source_hash
from fairlead.errors import CheckpointUnusable, FilesFailure
from fairlead.results.atomic import read_own
from fairlead.running.checkpoint import pack_checkpoint, unpack_checkpoint
from fairlead.running.files import replace_file

KIND = "stepped"
CARRIED = "constraint "  # before the name of an array that carries over between the steps of a chunk


@dataclass(frozen=True, repr=False)
class State:
    """A state of a `Simulation`, to be given back to it; `time` is when it was."""

    time: float
    step: int
    model: str  # its hash
    arrays: dict[str, Any]
    rows: tuple[Any, ...]  # recorded until then
    bodies: tuple[str, ...]  # to which forces are applied, in the order of their loads
    applied: dict[str, list[Any]]  # of each body force, moment and point
    commands: dict[str, float]

    def __repr__(self) -> str:
        return f"<State at t = {self.time:.10g} s>"


def taken(engine: Any) -> dict[str, Any]:
    """Return copies of the arrays that the next step of an engine depends on."""
    found = {name: value for name, value in engine.state().items() if name not in ("step", "started")}
    C = engine.work.constraint
    return found | {CARRIED + name: np.array(getattr(C, name)) for name in C._fields}


def put_back(engine: Any, arrays: dict[str, Any], step: int) -> None:
    """Let an engine go on from arrays that `taken` gave."""
    engine.restore({**arrays, "step": step, "started": True})
    C = engine.work.constraint
    for name in C._fields:
        if CARRIED + name in arrays:
            getattr(C, name)[...] = arrays[CARRIED + name]


def write(path: Path, state: State, about: dict[str, Any], rows: Any) -> None:
    """Write a state, and the rows recorded so far, whole or not at all."""
    header: dict[str, Any] = {
        "kind": KIND,
        "fairlead": fairlead.__version__,
        "kernels": source_hash(),
        "model": state.model,
    }
    header |= {"about": about, "time": state.time, "step": state.step, "bodies": list(state.bodies)}
    header |= {"applied": state.applied, "commands": state.commands}
    replace_file(path, pack_checkpoint(header, {**state.arrays, "rows": rows}))


def read(path: Path, model: str, about: dict[str, Any]) -> State:
    """Return a state that was written; CheckpointUnusable if it is damaged, or not of this simulation."""
    try:
        content = read_own(path)
    except FileNotFoundError:
        raise FilesFailure(f"there is no file '{path}'") from None
    except OSError as error:
        raise FilesFailure(f"cannot read {path}: {error.strerror}") from error
    header, arrays = unpack_checkpoint(content, str(path))
    if header.get("kind") != KIND:
        raise CheckpointUnusable(f"{path} is the checkpoint of a run directory; go on with fl.resume")
    for what, then, now in (
        ("model", header["model"], model),
        ("kernels", header["kernels"], source_hash()),
        *((name, header["about"].get(name), value) for name, value in about.items()),
    ):
        if then != now:
            raise CheckpointUnusable(
                f"{path} was saved with another {what} ({then} then, {now} now); make the Simulation as it was then"
            )
    rows = arrays.pop("rows")
    words = (tuple(header["bodies"]), header["applied"], header["commands"])
    return State(header["time"], header["step"], header["model"], arrays, (rows,), *words)
