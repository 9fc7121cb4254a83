"""Steps of an engine whose model has events: the stretches and chunks of a whole run, a few steps at a time."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from fairlead.core.codes import NEXT_STEP
from fairlead.core.stepping import Clock
from fairlead.errors import InvalidInput, NumericalFailure, Problem
from fairlead.model.compile import Compiled
from fairlead.running.events.grid import STRETCHES
from fairlead.running.stepping.engine import EventEngine
from fairlead.running.stepping.pace import Pace

Array = npt.NDArray[np.float64]
PLACE = "stretches"  # the array of a state that says where in a chunk it is


class EventPace(Pace):
    """Steps from one instant of the grid to the next, with what happens between; all is as in a whole run."""

    engine: EventEngine

    def __init__(self, engine: EventEngine, kept: Iterable[Array] = ()) -> None:
        self.left = 0  # stretches of the open chunk
        self.ahead = 0  # steps of the stretch begun, within which nothing happens
        super().__init__(engine, kept)
        self.take = self._over_instants if engine.adaptive else self._over_stretches

    @property
    def stopped(self) -> str | None:
        """Return the event that stopped the run, if one did."""
        return str(self.engine.log[-1]["event"]) if self.engine.over else None

    def step(self, n: int) -> None:
        """Take n steps, or those until an event stops the run; a failure keeps what was done before."""
        self.begin()
        if self.stopped is not None:
            text = f"stopped the run at t = {self.engine.time:.10g} s; go back to an earlier state to step on"
            raise InvalidInput([Problem(text, f"events.{self.stopped}")])
        while n and not self.engine.over:
            self._check_tables(n)
            n -= self.take(n)

    def _check_tables(self, n: int) -> None:
        self.last = self.engine.known[0]  # an event may set another table
        if np.isfinite(self.last):
            super()._check_tables(n)

    def _over_stretches(self, most: int) -> int:
        """Take steps of one size; return how many instants of the grid were reached."""
        engine, before = self.engine, self.engine.step
        if before >= engine.clock.steps:
            engine.go_on()
        try:
            while engine.step == before and not engine.over:
                if not self.ahead:
                    self._next_stretch()
                self._add(self._whole_steps(most) if self.ahead else engine._divided_stretch())
        except NumericalFailure as error:
            self._add(getattr(error, "rows", ()))
            raise
        return engine.step - before

    def _next_stretch(self) -> None:
        engine = self.engine
        if not self.left:
            self.left = STRETCHES if engine.waiting else 1
            engine.open_chunk(STRETCHES if engine.waiting else engine._chunk)
        self.left -= 1
        self.ahead = engine._whole_ahead()

    def _whole_steps(self, most: int) -> Array:
        n = min(self.ahead, most)
        self.ahead -= n
        return self.engine._whole_steps(n)

    def _over_instants(self, most: int) -> int:
        """Go to the next multiple of dt in steps as long as the tolerances allow."""
        engine, k = self.engine, self.instants + 1
        dt, every, longest = engine.clock.dt, engine.clock.every, engine.memory[NEXT_STEP]
        engine.clock, engine.step = Clock(0.0, dt, k * dt, k, 1), k
        try:
            while not engine.finished:
                count = len(engine.log)
                rows = engine.advance()
                happened = {one["time"] for one in engine.log[count:]}
                due = [k % every == 0 or row[0] != k * dt or row[0] in happened for row in rows]
                self._keep(rows[np.array(due, dtype=bool)])
            self.instants = k
        except NumericalFailure as error:
            self._keep(getattr(error, "rows", ()))
            raise
        finally:
            engine.clock = engine.clock._replace(end=np.inf, every=every)
            engine.memory[NEXT_STEP] = max(longest, engine.memory[NEXT_STEP])  # not the one cut off at the instant
        return 1

    def _add(self, rows: Any) -> None:
        self.engine.rows = (self.engine.rows or 0) + len(rows)
        self._keep(rows)

    def _lay_down(self) -> None:
        """Do nothing: an event changes what every call takes."""

    # The record

    def now(self) -> Array:
        """Return the row of the record at the present time."""
        return np.asarray(self.engine._row()[0])

    def taken(self) -> dict[str, Any]:
        """Return copies of the arrays that the next step depends on."""
        return super().taken() | {PLACE: np.array([self.left, self.ahead], dtype=float)}

    def go_on_from(self, arrays: dict[str, Any], of: Compiled, step: int) -> None:
        """Go on from arrays of an engine compiled as `of`, which may have had fewer loads applied."""
        super().go_on_from(arrays, of, step)
        self.left, self.ahead = (int(one) for one in arrays[PLACE])
