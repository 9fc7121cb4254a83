"""A run with events: a chain of variants of its model on one axis of time, with one record.

Steps are divided at events. The time of a formula's zero is found by taking the step again, with another end (Brent's
method), so that every stretch between two events is stepped by the method's own rule and keeps its order.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.optimize import brentq

from fairlead.core.codes import ACCEPTED, EVALUATIONS, NEXT_STEP, REACHED, REJECTED
from fairlead.core.expressions.evaluate import evaluate
from fairlead.core.quadrature import quadratures
from fairlead.core.record import columns
from fairlead.errors import InvalidInput, NumericalFailure, Problem
from fairlead.model.checks.checked import checked
from fairlead.model.compile import Compiled
from fairlead.model.events import Event
from fairlead.model.schema import Model
from fairlead.running.events.blow import Blow, Placed
from fairlead.running.events.carry import carried, rows_of, without
from fairlead.running.events.grid import NEAR, STRETCHES, GriddedRun
from fairlead.running.events.refused import cannot
from fairlead.running.events.said import said
from fairlead.running.events.situation import Situation, after, at_start, coordinates_of, event_problems, variant
from fairlead.running.simulation import Simulation

Array = npt.NDArray[np.float64]
MOST_AT_ONCE = 1000  # events at one instant


def simulation_of(model: Model, **options: Any) -> Simulation:
    """Return the simulation of a model, with its events if it has some."""
    model = checked(model)
    return EventRun(model, **options) if model.events else Simulation(model, **options)


class EventRun(GriddedRun):
    """A simulation that becomes that of another variant of its model at each event."""

    def __init__(self, model: Model, duration: float | str, dt: float | str | None = None, **options: Any) -> None:
        self.whole = checked(model)
        self.options = {**options, "duration": duration, "dt": dt}
        self.situation = at_start(self.whole)
        self.given: Callable[[Simulation], Array] | None = None
        self.now, self.over = 0.0, False
        self.log: list[dict[str, Any]] = []
        self.values: dict[str, float | None] = {}  # of each formula waited for, where its sign counts from
        self.rows = 0
        self._set_up()
        self.options["formulation"] = self.formulation.name
        self._refuse()

    def _set_up(self) -> None:
        """Become the simulation of the present variant."""
        super().__init__(variant(self.whole, self.situation), **self.options)
        self.compiled = replace(self.compiled, model=self.whole)
        for row in rows_of(self.compiled, self.situation.off):
            for name in self.whole.loads[self.compiled.index.loads[row].split("@")[0]].outputs:
                self.work.rows[name][row] = 0.0

    def _compiled(self, *given: Any) -> Compiled:
        return without(super()._compiled(*given), self.situation.off)

    def start(self, time: float) -> Array:
        """Return the state in which the present variant starts."""
        if self.given is None:
            return super().start(time)
        self.assembly = None
        return self.given(self)

    def _refuse(self) -> None:
        """Raise InvalidInput where this run cannot have the events of its model."""
        problems = self.formulation.accepts(self.whole) + event_problems(self.whole)
        if problems:
            raise InvalidInput(problems)
        for name, event in self.whole.events.items():
            why = cannot(self, self.whole, name, event)
            problems += [Problem(why, f"events.{name}")] if why else []
        if problems:
            raise InvalidInput(problems)

    # The axis of time

    @property
    def finished(self) -> bool:
        """Return whether the last instant has been recorded."""
        return self.started and (self.over or self.now >= self.clock.end)

    def advance(self, most: int | None = None) -> Array:
        """Return the next rows of the record: the start, then those of a chunk of stretches."""
        rows = [self.buffer[:0].copy()]
        try:
            if not self.started:
                self.started = True
                self._begin()
                rows.append(self._row())
            else:
                self.open_chunk(STRETCHES if self.waiting else self._chunk)
                for _ in range(1 if most is None and not self.waiting else most or STRETCHES):
                    if not self.finished:
                        rows.append(self._adaptive_stretch() if self.adaptive else self._fixed_stretch(most))
        except NumericalFailure as error:
            rows.append(getattr(error, "rows", rows[0]))
            error.rows = np.concatenate(rows)  # type: ignore[attr-defined]
            raise
        found = np.concatenate(rows)
        self.rows = (self.rows or 0) + len(found)
        return found

    def _begin(self) -> None:
        """Let happen what happens at the start; formulas count from the signs they have then."""
        if self.adaptive:
            self.step = self._next_output()
        self.values = self._values(self.y, 0.0)
        self._happen([])

    @property
    def waiting(self) -> dict[str, int]:
        """Return the programs of the formulas that are waited for."""
        return self.compiled.index.events

    def _next_at(self) -> float:
        """Return when the next event with a time happens, or the end of the run."""
        times = [e.at for n, e in self.whole.events.items() if e.at is not None and n not in self.situation.done]
        return min([self.clock.end, *(self._snapped(time) for time in times)])

    # Fixed steps

    def _fixed_stretch(self, most: int | None) -> Array:
        """Take whole steps as far as nothing happens, or go to where it does; return the rows recorded."""
        whole = self._whole_ahead()
        return self._whole_steps(min(whole, most or whole)) if whole else self._divided_stretch()

    def _whole_ahead(self) -> int:
        """Return how many steps of a chunk can be taken before anything can happen."""
        i, limit = self.step, self._next_at()
        if self.waiting or self.now != self._grid(i):
            return 0
        last = (min(limit, self.clock.end) - self.clock.t0) / self.clock.dt
        whole = (self.clock.steps if last >= self.clock.steps else int(last) + 1) - i
        while whole > 0 and self._grid(i + whole) > limit:
            whole -= 1
        return min(whole, self._chunk)

    def _divided_stretch(self) -> Array:
        """Go to the next instant of the grid, or to what happens before; return the row if one is due there."""
        i, limit = self.step, self._next_at()
        t, end = self.now, self._grid(i + 1)
        end = limit if limit < end - self._near() else end
        y, row = self.y.copy(), self._one_step(self.y, t, end)
        found, names = self._crossing(y, None, t, end)
        if names:
            self.y[:] = y
            end = found
            row = self._one_step(self.y, t, end)
        self.now = end
        at_grid = end == self._grid(i + 1)
        self.step = i + at_grid
        row = row if at_grid and self._is_output(self.step) else row[:0]
        return self._row() if self._happen(names, row) else row

    def _whole_steps(self, n: int) -> Array:
        _, loop = self._loop()
        fixed = (self.y, self.clock, self.tableau, self.arrays, self.work, self.stages, self.buffer, 0)
        status, self.step, count = self._take(loop, self.step, n, *fixed)
        self.now = self._grid(self.step)
        rows = self._rows(status, count)
        if self._happen([], rows):
            rows = rows[:-1] if self._is_output(self.step) else rows
            rows = np.concatenate([rows, self._row()])
        return rows

    # Steps chosen by tolerances

    def _adaptive_stretch(self) -> Array:
        """Take steps as far as nothing happens, or to where it does; return the rows recorded."""
        t, y, memory = self.now, self.y.copy(), self.memory.copy()
        rows = self._adaptive_steps(self._next_at(), 1 if self.waiting else self._chunk)
        found, names = self._crossing(y, memory, t, float(self.memory[REACHED]))
        if names:
            self.y[:] = y
            self.memory[[REACHED, NEXT_STEP]] = memory[[REACHED, NEXT_STEP]]
            rows = rows[:0]
            self.step = self._next_output()
            while self.memory[REACHED] < found:
                rows = np.concatenate([rows, self._adaptive_steps(found, STRETCHES)])
        self.now = float(self.memory[REACHED])
        self.step = self._next_output()
        happened = self._happen(names, rows)
        due = self.now == self.clock.end or any(self._grid(i) == self.now for i in self._outputs_near())
        if len(rows) and rows[-1, 0] == self.now and (happened or not due):
            rows = rows[:-1]
        return np.concatenate([rows, self._row()]) if happened else rows

    # Formulas

    def _values(self, y: Array, time: float) -> dict[str, float | None]:
        """Return the values of all formulas waited for; a zero has no sign and counts as not known."""
        if not self.waiting:
            return {}
        self._record(y, time)
        A, W = self.arrays, self.work
        found = {name: float(evaluate(A.programs, p, W.channels, W.stack)) for name, p in self.waiting.items()}
        for name, value in found.items():
            if not np.isfinite(value):
                raise NumericalFailure(f"the formula of event '{name}' is {value:g} at t = {time:.6g} s; mend it")
        return {name: value or None for name, value in found.items()}

    def _crossing(self, y: Array, memory: Array | None, t: float, end: float) -> tuple[float, list[str]]:
        """Return the first time in a stretch from the state y at which formulas pass zero, and which ones."""
        if not self.waiting:
            return end, []
        then, now = self.values, self._values(self.y, end)
        passed = [name for name in self.waiting if self._passes(name, then.get(name), now[name])]
        if not passed:
            self.values = now
            return end, []
        zeros = {name: self._zero(name, y, memory, t, end) for name in passed}
        first = min(zeros.values())
        names = [name for name in passed if zeros[name] <= first + NEAR * max(1.0, first)]
        # Later than the start, which has its row in the record
        return max(self._snapped(first), t + 2.0 * NEAR * max(1.0, t)), names

    def _passes(self, name: str, then: float | None, now: float | None) -> bool:
        """Return whether a formula went through zero, or to it, in the sense that its event asks for."""
        if then is None or (now is not None and (then > 0) == (now > 0)):
            return False
        rising = self.whole.events[name].rising
        return rising is None or rising == (then < 0)

    def _zero(self, name: str, y: Array, memory: Array | None, t: float, end: float) -> float:
        """Return when a formula is zero, to rounding: the end of the step from y that brings it there."""

        def value(at: float) -> float:
            state = y.copy()
            if at > t:
                self._go(state, memory, t, at)
            return self._values(state, at)[name] or 0.0

        try:
            return float(brentq(value, t, end, xtol=2e-16 * max(1.0, end), rtol=8.9e-16, maxiter=200))
        except ValueError:
            raise NumericalFailure(
                f"the formula of event '{name}' changes its sign between t = {t:.9g} s and {end:.9g} s, but not when "
                "the step is taken again; reduce dt or rtol"
            ) from None

    # Events

    def _happen(self, passed: list[str], rows: Array | None = None) -> bool:
        """Let happen what is due at the time reached, in the order of the file; return whether anything did.

        Where it cannot, the failure keeps the `rows` that lead there.
        """
        try:
            return self._happens(passed)
        except NumericalFailure as error:
            if rows is not None:
                error.rows = rows  # type: ignore[attr-defined]
            raise

    def _happens(self, passed: list[str]) -> bool:
        count = 0
        due = self._due(passed)
        while due:
            for name in due:
                count += 1
                if count > MOST_AT_ONCE:
                    raise NumericalFailure(
                        f"event '{name}' happens again and again at t = {self.now:.9g} s; leave 'again' out"
                    )
                self._let(name, self.whole.events[name])
            for name in due:
                self.values[name] = None  # its sign counts again from the end of the next step
            then, now = self.values, self._values(self.y, self.now)
            passed = [name for name in self.waiting if self._passes(name, then.get(name), now[name])]
            self.values = {name: None if then.get(name) is None else now[name] for name in self.waiting}
            due = self._due(passed)
        return count > 0

    def _due(self, passed: list[str]) -> list[str]:
        return [
            name
            for name, event in self.whole.events.items()
            if name not in self.situation.done
            and (name in passed or (event.at is not None and event.at <= self.now + self._near()))
        ]

    def _let(self, name: str, event: Event) -> None:
        """Let one event happen, and write down what it did."""
        row = self._row()[0]
        labels = self.compiled.index.coordinates
        places = dict(zip(labels, row[columns(self.arrays.layout, "joint_position")].tolist()))
        off = self.situation.off
        self.situation = after(self.situation, name, event, self.whole, places)
        self.over = self.over or event.stop
        moved = any(path.split(".")[0::2][:2] == ["joints", "motion"] for path in event.set)
        moved = moved or any(coordinates_of(given, self.whole) for given in (*event.lock, *event.release))
        blow = self._become(name, row, moved)
        end = self._row()[0]
        layout = self.arrays.layout
        energies = [
            float(sum(one[columns(layout, part)].sum() for part in ("kinetic_energy", "potential_energy")))
            for one in (row, end)
        ]
        impulse = {labels[user]: value for user, value in (blow.impulse if blow else {}).items()}
        held = {place for given in event.lock for place in coordinates_of(given, self.whole)}
        units = dict(zip(labels, self.compiled.index.coordinate_kind))
        found = {"event": name, "time": self.now, "did": said(event, self.whole, places, impulse, units, energies, off)}
        found |= {"energy_before": energies[0], "energy_after": energies[1]}
        if blow is not None:
            found |= {"impulse": {label: impulse[label] for label in impulse if label in held or impulse[label]}}
            found |= {"external_impulse": blow.external.tolist()}
            found |= {"external_angular_impulse": blow.external_angular.tolist()}
        self.log.append(found)

    def _become(self, name: str, row: Array, moved: bool) -> Blow | None:
        """Go on as the variant that the situation asks for; return the blow that the change was."""
        old, blows = copy.copy(self), []

        def given(new: Simulation) -> Array:
            placed = Placed(variant(self.whole, self.situation), self.now, row, new.arrays.layout) if moved else None
            y, blow = carried(old, new, row, placed)
            blows.append(blow)
            return y

        try:
            self._exchange(given, old)
        except (InvalidInput, NumericalFailure) as error:
            raise NumericalFailure(f"event '{name}' at t = {self.now:.6g} s: {error}") from error
        return blows[0]

    def _exchange(self, given: Callable[[Simulation], Array], old: Simulation) -> None:
        self.given = given
        asked, assembly, step, told = self.asked, self.assembly, self.step, self.told
        self._set_up()
        self.asked, self.assembly, self.step, self.told, self.started = asked, assembly, step, told, True
        self.work.rows["beyond"] = old.work.rows["beyond"]
        self.work.rows["since"] = old.work.rows["since"]
        self.work.coordinates["beyond"] = old.work.coordinates["beyond"]
        counted = [EVALUATIONS, REJECTED, ACCEPTED]
        self.memory[counted] = old.memory[counted]
        self.memory[REACHED] = self.now
        self.open_chunk(self._chunk)

    # What is kept, and said

    def state(self) -> dict[str, Any]:
        """Return everything that a resumed run needs and cannot derive: also which variant it is, and since when."""
        kept = {"now": self.now, "over": self.over, "rows": self.rows, "log": self.log, "values": self.values}
        text = json.dumps({**kept, "situation": self.situation.plain()})
        return {**super().state(), "events": np.frombuffer(text.encode(), np.uint8).astype(float)}

    def restore(self, state: dict[str, Any]) -> None:
        """Continue from a state given by `state()`."""
        kept = json.loads(bytes(np.asarray(state["events"], dtype=np.uint8)))
        self.now, self.over, self.rows = float(kept["now"]), bool(kept["over"]), int(kept["rows"])
        self.log, self.values = kept["log"], kept["values"]
        situation = Situation.of(kept["situation"])
        if situation != self.situation:
            self.situation = situation
            self._exchange(lambda new: np.zeros(new.arrays.states + quadratures(new.arrays)), copy.copy(self))
        super().restore(state)
        self.first = self.y.copy()

    def found(self) -> dict[str, str]:
        """Return what a result says of the events: those that happened, and those that did not."""
        happened = {one["event"] for one in self.log}
        missed = [name for name in self.whole.events if name not in happened]
        said = {"events": json.dumps(self.log)}
        return said | ({"events_missed": "; ".join(missed)} if missed and self.finished else {})
