"""The simulation under one that is stepped from Python: it has no end, and its loops are called without detours."""

from __future__ import annotations

from typing import Any

import numpy as np

from fairlead.core.stepping import Clock
from fairlead.errors import InvalidInput, Problem
from fairlead.model.schema import Model
from fairlead.running.given import begin_at
from fairlead.running.options import check_spans
from fairlead.running.simulation import Simulation
from fairlead.running.stepping.applied import with_applied

ENDLESS = 2**62  # steps
HORIZON = 600.0  # [s] for which tables of waves are made where nobody says for how long


class Engine(Simulation):
    """A simulation whose grid goes on for ever; tables must cover its start, and how far they reach is `known`."""

    def _check_tables(self, begin: float, end: float) -> None:
        check_spans(self.compiled, begin, begin)

    @property
    def known(self) -> tuple[float, str]:
        """Return the last time that every table covers, and where the shortest is in the model."""
        ends = [(last, path) for path, _, last in self.compiled.index.spans]
        return min(ends, default=(np.inf, ""))

    def go_on(self) -> None:
        """Give the clock no end."""
        self.clock = Clock(self.clock.t0, self.clock.dt, np.inf, ENDLESS, self.clock.every)


def engine_of(model: Model, bodies: list[str], options: dict[str, Any], word: str, state: Any) -> Engine:
    """Return the engine of a model with room for a force on each of these bodies."""
    if model.events:
        text = "do not happen yet in a Simulation that is stepped; leave them out, and apply or command instead"
        raise InvalidInput([Problem(text, "events")])
    engine = Engine(with_applied(model, bodies), **{**options, "start": word})
    if state is not None:
        begin_at(engine, state)
    clock = engine.clock
    if engine.adaptive or abs(clock.steps * clock.dt - clock.end) > 1e-9 * clock.end:  # no whole number of steps
        engine.go_on()
    return engine


def direct(loop: Any, *arguments: Any) -> Any:
    """Return a stepping loop to be called with arguments of exactly these types.

    Numba looks at the type of every argument at each call, 30 microseconds for our arrays; the function that it then
    calls takes 4. A loop that is not compiled is returned as it is.
    """
    loop(*arguments)  # which compiles or loads it
    entry = getattr(loop, "python_entry", None)
    if entry is None:
        return loop
    found = entry.overloads.get(tuple(entry.typeof_pyval(one) for one in arguments))
    return loop if found is None else found.entry_point
