"""A simulation that can be taken to any time, between the instants of its grid too, as events need it."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from fairlead.core.codes import NEXT_STEP, REACHED
from fairlead.core.stepping import Clock
from fairlead.running.simulation import Simulation

Array = npt.NDArray[np.float64]
NEAR = 1e-12  # of the time, at least of a second: events closer than that happen together
STRETCHES = 64  # stretches of a chunk where formulas are looked at after each


class GriddedRun(Simulation):
    """A simulation whose time `now` [s] need not lie on its grid."""

    now: float

    @property
    def time(self) -> float:
        """Return the time reached."""
        return self.now

    def _near(self) -> float:
        return NEAR * max(1.0, self.now)

    def _snapped(self, time: float) -> float:
        """Return a time, or that of the grid which it is by all but rounding."""
        on_grid = self._grid(round(time / self.clock.dt))
        return on_grid if abs(on_grid - time) <= NEAR * max(1.0, time) else time

    def _grid(self, i: int) -> float:
        return self.clock.end if i >= self.clock.steps else self.clock.t0 + i * self.clock.dt

    def _is_output(self, i: int) -> bool:
        return i % self.clock.every == 0 or i == self.clock.steps

    def _one_step(self, y: Array, t: float, end: float) -> Array:
        """Step y over one stretch with fixed steps; return the row at its end."""
        _, loop = self._loop()
        clock = Clock(t, end - t, end, 1, 1)
        status, _, count = self._take(
            loop, 0, 1, y, clock, self.tableau, self.arrays, self.work, self.stages, self.buffer, 0
        )
        return self._rows(status, count)

    def _adaptive_steps(self, limit: float, n: int) -> Array:
        """Take up to n steps towards a limit; return the rows on the grid, and one at the limit if it is reached."""
        last = self._index_at(limit)
        clock = self.clock if limit >= self.clock.end else self.clock._replace(end=limit, steps=last)
        _, loop = self._loop()
        fixed = (self.y, clock, self.tableau, self.arrays, self.work, self.stages, self.buffer, 0, self.memory)
        status, _, count = self._take(loop, min(self.step, clock.steps), n, *fixed)
        return self._rows(status, count)

    def _index_at(self, time: float) -> int:
        """Return the first index of the grid that is not before a time."""
        i = max(int(time / self.clock.dt) - 1, 0)
        while self._grid(i) < time:
            i += 1
        return i

    def _outputs_near(self) -> list[int]:
        i = self._index_at(self.now)
        return [i] if self._is_output(i) else []

    def _next_output(self) -> int:
        """Return the first index behind the time reached that is recorded, one more than the last at the end."""
        if self.now >= self.clock.end:
            return self.clock.steps + 1
        every = self.clock.every
        i = max(int(self.now / self.clock.dt / every) - 1, 0) * every
        while self._grid(i) <= self.now:
            i += every
        return min(i, self.clock.steps)

    def _record(self, y: Array, time: float) -> Array:
        """Return the row of a state, which leaves every channel known."""
        status = self._take(self.loops["first"], time, y, self.arrays, self.work, self.stages, self.buffer, 0)
        return self._rows(int(status), 1 if status == 0 else 0)

    def _row(self) -> Array:
        return self._record(self.y, self.now)

    def _go(self, y: Array, memory: Array | None, t: float, end: float) -> None:
        """Bring a state from t to the end of a stretch."""
        if memory is None:
            self._one_step(y, t, end)
            return
        own = memory.copy()
        own[REACHED], own[NEXT_STEP] = t, end - t
        if not end - t > 1e-14 * max(abs(t), 1e-3):  # shorter than a step can be
            return
        _, loop = self._loop()
        i, clock = 1, Clock(t, end - t, end, 1, 1)
        while i <= 1:
            fixed = (y, clock, self.tableau, self.arrays, self.work, self.stages, self.buffer, 0, own)
            status, i, count = self._take(loop, i, STRETCHES, *fixed)
            self._rows(status, count)
