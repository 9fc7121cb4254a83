"""The one loop of a run: a simulation is advanced chunk by chunk, and a sink takes what it records."""

from __future__ import annotations

import time as wall
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from threadpoolctl import threadpool_limits

from fairlead.errors import NumericalFailure, PartnerFailure
from fairlead.running.progress import reporter
from fairlead.running.record import continue_signs
from fairlead.running.simulation import Simulation


class Sink(Protocol):
    """Where the rows of a run go."""

    def stops(self) -> AbstractContextManager[list[int]]:
        """Give, while the run goes on, the list of signals that asked it to stop."""

    def take(self, rows: Any) -> None:
        """Take the rows of one chunk, at least one."""

    def rest(self) -> None:
        """Do what is to be done between two chunks."""


@dataclass(frozen=True)
class Ending:
    """How a run ended: complete, or why not, and the wall clock [s] at its first step."""

    started: float
    failure: NumericalFailure | None = None
    stopped: int = 0  # the signal that ended it before its time

    @property
    def outcome(self) -> str:
        """Return the word for it."""
        return "failed" if self.failure else "interrupted" if self.stopped else "complete"

    @property
    def status(self) -> str:
        """Return what a result says of it."""
        return f"failed: {self.failure}" if self.failure else self.outcome

    @property
    def seconds(self) -> float:
        """Return how long the run lasts by now."""
        return wall.monotonic() - self.started


def run_through(simulation: Simulation, sink: Sink, progress: Any) -> Ending:
    """Advance a simulation to its end, to a failure or until it is asked to stop; return how it ended."""
    simulation.prepare()
    started, name = wall.monotonic(), simulation.compiled.model.name
    with (
        threadpool_limits(limits=1),
        sink.stops() as stopped,
        reporter(progress, simulation.clock.end, name) as report,
    ):
        while not simulation.finished:
            rows, failure = _advance(simulation)
            if len(rows):
                sink.take(rows)
            if failure:
                return Ending(started, failure)
            report(simulation.time)
            if stopped and not simulation.finished:
                return Ending(started, stopped=stopped[0])
            if not simulation.finished:
                try:
                    sink.rest()
                except PartnerFailure as error:
                    return Ending(started, error)
    return Ending(started)


def _advance(simulation: Simulation) -> tuple[Any, NumericalFailure | None]:
    """Return the rows of the next chunk, and why there are no more if so."""
    try:
        return simulation.advance(), None
    except NumericalFailure as error:
        return getattr(error, "rows", simulation.buffer[:0]), error


class MemorySink:
    """Keeps every row in memory."""

    def __init__(self, simulation: Simulation) -> None:
        self.compiled = simulation.compiled
        self.chunks: list[Any] = [np.zeros((0, simulation.buffer.shape[1]))]

    def stops(self) -> AbstractContextManager[list[int]]:
        """Give an empty list: Ctrl-C ends such a run at once, for it leaves nothing behind."""
        return nullcontext([])

    def take(self, rows: Any) -> None:
        """Keep the rows."""
        self.chunks.append(rows)

    def rest(self) -> None:
        """Do nothing."""

    def rows(self) -> Any:
        """Return all rows, quaternions and angles continued through them."""
        rows = np.concatenate(self.chunks)
        if len(rows):
            continue_signs(rows, None, self.compiled)
        return rows
