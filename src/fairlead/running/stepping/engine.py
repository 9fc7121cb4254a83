"""The simulation under one that is stepped from Python: it has no end, and its loops are called without detours."""

from __future__ import annotations

from typing import Any

import numpy as np

from fairlead.core.stepping import Clock
from fairlead.model.compile import Compiled
from fairlead.model.events import Event
from fairlead.model.schema import Model
from fairlead.running.events.run import EventRun
from fairlead.running.given import begin_at
from fairlead.running.options import check_spans
from fairlead.running.simulation import Simulation
from fairlead.running.stepping.applied import Held, with_applied

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


class EventEngine(EventRun, Engine):
    """An engine whose model has events: what is applied and commanded acts in each of its variants."""

    held: Held | None = None
    clock: Clock

    def _set_up(self) -> None:
        clock = self.__dict__.get("clock")
        super()._set_up()
        if clock is not None:  # which may have no end by now
            self.clock = clock

    def _compiled(self, *given: Any) -> Compiled:
        compiled: Compiled = super()._compiled(*given)
        if self.held is not None:
            self.held.put(compiled)
        return compiled

    def _let(self, name: str, event: Event) -> None:
        for path in event.set:
            group, joint, field, *_ = (*path.split("."), "", "")
            if self.held is not None and (group, field) == ("joints", "actuator"):
                self.held.forget(joint)  # what was commanded before
        super()._let(name, event)

    def found(self) -> dict[str, str]:
        """Return what a result says of the events so far."""
        missed = [name for name in self.whole.events if name not in {one["event"] for one in self.log}]
        return super().found() | ({"events_missed": "; ".join(missed)} if missed else {})


def engine_of(model: Model, bodies: list[str], options: dict[str, Any], word: str, state: Any) -> Engine:
    """Return the engine of a model with room for a force on each of these bodies."""
    kind = EventEngine if model.events else Engine
    engine = kind(with_applied(model, bodies), **{**options, "start": word})
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
