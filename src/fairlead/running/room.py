"""Whether there is room for the record of a run, asked before its first step: a slip of dt must not fill a disk."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from fairlead.errors import FilesFailure, InvalidInput
from fairlead.running.simulation import Simulation

ADVICE = "record less often (interval or output_every)"


def rows_of(simulation: Simulation) -> int:
    """Return the number of instants that a run records: the first, every so many, the last."""
    clock = simulation.clock
    return 1 + -(-clock.steps // clock.every)


def need_disk(simulation: Simulation, path: Path) -> None:
    """Raise FilesFailure if the rows of the run are more than the disk of `path` has room for."""
    there = next((place for place in (path, *path.absolute().parents) if place.is_dir()), Path())
    try:
        free = shutil.disk_usage(there).free
    except OSError:
        return
    if _bytes(simulation) > free:
        raise FilesFailure(f"{_too_much(simulation)} on disk, and {free / 1e9:.2g} GB are free at {there}; {ADVICE}")


def need_memory(simulation: Simulation) -> None:
    """Raise InvalidInput if the rows of a run that is written nowhere are more than the machine's memory."""
    try:
        memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):  # not every system says
        return
    if _bytes(simulation) > memory:
        raise InvalidInput(f"{_too_much(simulation)} of memory, and there are {memory / 1e9:.2g} GB; {ADVICE}")


def _bytes(simulation: Simulation) -> float:
    return 8.0 * rows_of(simulation) * simulation.buffer.shape[1]


def _too_much(simulation: Simulation) -> str:
    return f"the record of {rows_of(simulation):.3g} instants takes {_bytes(simulation) / 1e9:.2g} GB"
