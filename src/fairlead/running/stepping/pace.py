"""An engine stepped a few steps at a time to the bits of a whole run, and the rows it recorded."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from fairlead.core import arrays as ca
from fairlead.core.codes import NEXT_STEP
from fairlead.core.stepping import Clock
from fairlead.errors import InvalidInput, NumericalFailure, Problem
from fairlead.model.compile import Compiled
from fairlead.running.steppers.generalised_alpha import ROWS, AlphaSteps
from fairlead.running.stepping import applied, snapshot
from fairlead.running.stepping.engine import Engine, direct

Array = npt.NDArray[np.float64]


class Pace:
    """Steps of an engine; what begins anew with each chunk of a whole run does so here at the same steps."""

    def __init__(self, engine: Engine, kept: Iterable[Array] = ()) -> None:
        self.engine, self.kept = engine, list(kept)
        self.row = 0  # rows that wait in the engine's buffer
        self.open = 0  # the step at which the present chunk ends
        self.instants = 0  # reached by an adaptive method
        self.fresh = True  # whether factors of the last step do not serve
        self.last = engine.known[0]
        self.take = self._compiled_steps
        if engine.adaptive:
            self.take = self._adaptive_steps
        elif engine.outside:
            self.take = self._python_steps
        self._lay_down()

    @property
    def steps(self) -> int:
        """Return the number of steps taken."""
        return self.instants if self.engine.adaptive else self.engine.step

    def begin(self) -> None:
        """Record the start, once."""
        if not self.engine.started:
            self._keep(self.engine.advance())

    def step(self, n: int) -> None:
        """Take n steps; a failure keeps what was done before."""
        self.begin()
        if self.last < math.inf:
            self._check_tables(n)
        while n:
            n -= self.take(n)

    def _check_tables(self, n: int) -> None:
        last, path = self.engine.known
        end = (self.steps + n) * self.engine.clock.dt
        if end > last * (1 + 1e-12):
            raise InvalidInput([Problem(f"the table ends at t = {last:g} s, and the steps go to {end:g} s", path)])

    def _compiled_steps(self, most: int) -> int:
        """Take steps of one size, up to `most` and to the end of the chunk; return how many."""
        engine = self.engine
        step = engine.step
        if step >= self.open:
            self._next_chunk()
        n = min(most, self.open - step)
        status, engine.step, self.row = self._loop(step, n, *self._fixed, self.row)
        if status != ca.OK or not np.isfinite(engine.stages.k[0]).all():
            self._look_for_failure(status)
        return n

    def _look_for_failure(self, status: int) -> None:
        """Raise what a whole run would, without the rows that are not finite."""
        try:
            self.engine._rows(status, self.row)
        except NumericalFailure as error:
            self.row = len(getattr(error, "rows", ()))
            raise

    def _next_chunk(self) -> None:
        engine = self.engine
        if engine.step >= engine.clock.steps:
            engine.go_on()
            self._lay_down()
        self.flush()
        self.open = self._end_of_chunk(engine.step + 1)
        engine.open_chunk(self.open - engine.step)

    def _end_of_chunk(self, step: int) -> int:
        """Return where the chunk ends that the step with this number, counted from one, lies in."""
        chunk = self.engine._chunk
        return min(-(-step // chunk) * chunk, max(self.engine.clock.steps, step))

    def _python_steps(self, most: int) -> int:
        """Take steps in which Python has a part, as the engine does; return how many."""
        engine = self.engine
        before = engine.step
        try:
            if isinstance(engine.outside, AlphaSteps):
                n = min(most, ROWS - before % ROWS)
                self._keep(engine.outside.advance(n, fresh=self.fresh or before % ROWS == 0))
                self.fresh = False
                return engine.step - before
            if before >= self.open:
                self._next_chunk()
            n, (_, loop) = min(most, self.open - before), engine._loop()
            status, engine.step, rows = engine._take(loop, before, n, *self._fixed, 0)
            self._keep(engine._rows(status, rows))
        except NumericalFailure as error:
            self._keep(getattr(error, "rows", ()))
            raise
        return engine.step - before

    def _adaptive_steps(self, most: int) -> int:
        """Go to the next multiple of dt in steps as long as the tolerances allow."""
        engine, k = self.engine, self.instants + 1
        dt, every, longest = engine.clock.dt, engine.clock.every, engine.memory[NEXT_STEP]
        engine.clock, engine.step = Clock(0.0, dt, k * dt, k, 1), k
        try:
            while not engine.finished:
                rows = engine.advance()
                if k % every == 0:
                    self._keep(rows)
            self.instants = k
        finally:
            engine.clock = engine.clock._replace(end=math.inf, every=every)
            engine.memory[NEXT_STEP] = max(longest, engine.memory[NEXT_STEP])  # not the one cut off at the instant
        return 1

    def _lay_down(self) -> None:
        """Lay down what every call of the stepping loop takes."""
        engine = self.engine
        self._fixed = (engine.y, engine.clock, engine.tableau, engine.arrays, engine.work, engine.stages, engine.buffer)
        if not (engine.outside or engine.adaptive):
            engine.prepare()
            self._loop = direct(engine._loop()[1], 0, 0, engine.y.copy(), *self._fixed[1:], 0)

    @property
    def stopped(self) -> str | None:
        """Return the event that stopped the run, if one did."""
        return None

    # The record

    def now(self) -> Array:
        """Return the row of the record at the present time."""
        engine, row = self.engine, self.row
        if row and engine.buffer[row - 1, 0] == engine.time:
            return np.asarray(engine.buffer[row - 1])
        held = (engine.arrays, engine.work, engine.stages, engine.buffer)
        status = engine._take(engine.loops["first"], engine.time, engine.y, *held, row)
        if status != ca.OK:
            engine._rows(status, 0)
        return np.asarray(engine.buffer[row])

    def rows(self) -> Array:
        """Return all rows recorded."""
        self.flush()
        self.kept = [np.concatenate(self.kept)] if self.kept else self.kept
        return self.kept[0] if self.kept else np.zeros((0, self.engine.buffer.shape[1]))

    def flush(self) -> None:
        """Keep the rows that wait in the buffer."""
        if self.row:
            self._keep(self.engine.buffer[: self.row].copy())
            self.row = 0

    def _keep(self, rows: Any) -> None:
        if len(rows):
            self.kept.append(rows)

    def taken(self) -> dict[str, Any]:
        """Return copies of the arrays that the next step depends on."""
        return snapshot.taken(self.engine)

    def go_on_from(self, arrays: dict[str, Any], of: Compiled, step: int) -> None:
        """Go on from arrays of an engine compiled as `of`, which may have had fewer loads applied."""
        engine = self.engine
        more = len(engine.arrays.rows) - len(of.arrays.rows)
        wide = {"y": applied.wider_state(arrays["y"], of, engine.compiled)}
        wide["beyond"] = np.append(arrays["beyond"], np.zeros(more))
        wide["since"] = np.append(arrays.get("since", np.zeros(len(of.arrays.rows))), np.zeros(more))
        snapshot.put_back(engine, {**arrays, **wide}, step)
        self.instants, self.fresh = step, True
        if not engine.adaptive:
            self.open = step if step % engine._chunk == 0 else self._end_of_chunk(step)
            engine._cover(max(1, self.open - step))
