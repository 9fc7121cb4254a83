"""`Simulation`: a run that Python takes step by step, pushes, commands, looks at, and goes back with."""

from __future__ import annotations

import os
import time as wall
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from fairlead.core.record import columns
from fairlead.errors import CheckpointUnusable, InvalidInput, Problem
from fairlead.model.checks.checked import checked
from fairlead.model.fields import _plain
from fairlead.model.joints.forces import FORCE
from fairlead.model.motions import Controlled
from fairlead.model.schema import Model
from fairlead.results.dataset import make_dataset
from fairlead.running.options import run_options
from fairlead.running.record import attributes_of, continue_signs, model_hash, split_record
from fairlead.running.starting import start_of_run
from fairlead.running.stepping import applied, snapshot
from fairlead.running.stepping.engine import HORIZON, Engine, EventEngine, engine_of
from fairlead.running.stepping.looks import Coordinates, Motions, listed
from fairlead.running.stepping.over_events import EventPace
from fairlead.running.stepping.pace import Pace
from fairlead.running.stepping.set_points import GROUP, amount, set_point
from fairlead.running.stepping.snapshot import State
from fairlead.units import short, to_si

if TYPE_CHECKING:
    import xarray as xr

Array = npt.NDArray[np.float64]


class Simulation:
    """A run taken step by step; `dt` is one step. What is not given comes from the model's `run`.

    The steps are those of `fl.simulate`, to the bit, and there is no end. `duration` says for how long tables of waves
    are made and where a last step of `fl.simulate` would end (the model's `run`, else 10 minutes); behind it, waves
    are summed exactly, which takes longer. With an adaptive integrator a step goes to the next multiple of `dt`.
    """

    def __init__(
        self,
        model: Model,
        dt: float | str | None = None,
        *,
        duration: float | str | None = None,
        formulation: str | None = None,
        integrator: str | None = None,
        output_every: int | None = None,
        rotation: str | None = None,
        rtol: float | None = None,
        atol: float | None = None,
        unknowns: str | None = None,
        closing: str | None = None,
        audit: dict[str, float] | None = None,
        start: xr.Dataset | str | os.PathLike[str] | None = None,
        ramp: float | str | None = None,
        discard: float | str | None = None,
    ) -> None:
        given = {name: value for name, value in locals().items() if name not in ("self", "model")}
        model = checked(model)
        run = model.run
        if dt is None and (run is None or run.dt is None):
            raise InvalidInput([Problem("must be given: the time that one step takes, for example 0.01", "dt")])
        if duration is None and run is None:
            given["duration"] = HORIZON
        self.model, self._options = model, run_options(model, given)
        self._options["longest"] = None
        word, state = start_of_run(model, self._options["start"], str(self._options["formulation"]))
        self._start = word, state
        self._hash = model_hash(model)
        self._bodies: list[str] = []
        self._held = applied.Held(model)
        self._seconds = 0.0
        engine = self._begin_with([])
        self._clock = engine.clock
        self._take_up(engine, [])

    def __repr__(self) -> str:
        engine, name = self._engine, self.model.name
        steps = f"{self._pace.steps} steps of {engine.clock.dt:g} s by {engine.integrator}"
        return f"<Simulation '{name}' at t = {self.time:.10g} s: {steps}, formulation {engine.formulation.name}>"

    # Time goes on

    @property
    def time(self) -> float:
        """The time reached [s]."""
        return self._engine.time

    def step(self, n: int = 1) -> None:
        """Take n steps; NumericalFailure says why the motion cannot be carried on, what was done before is kept."""
        began = wall.perf_counter()
        self._pace.step(n if type(n) is int and n > 0 else _whole(n))
        self._seconds += wall.perf_counter() - began

    @property
    def stopped(self) -> str | None:
        """The event that stopped the run, if one did: it takes no more steps."""
        return self._pace.stopped

    # What acts on it

    def apply(self, body: str, force: Any = None, moment: Any = None, point: Any = None) -> None:
        """Apply a force and a moment to a body from now on, in world axes, until the next call for it.

        The force acts at `point`, a world point of the drawing on the body, which goes with it; else at the mass
        centre. What is not given is zero, so `apply(body)` takes all off. The load is recorded as `applied BODY`.
        """
        if body not in self.model.bodies:
            raise InvalidInput([Problem(f"there is no body '{body}'; there are {listed(self.model.bodies)}", "body")])
        f, n = applied.three(force, "force", "N"), applied.three(moment, "moment", "N m")
        at = None if point is None else applied.three(point, "point", "m")
        if body not in self._bodies:
            self._widen([*self._bodies, body])
        self._held.forces[body] = [f, n, at]
        self._held.put(self._engine.compiled)
        self._pace.fresh = True

    def command(self, name: str, value: float | str) -> None:
        """Command an actuator, a driven coordinate or a controller from now on, by its name.

        An actuator goes by its joint coordinate (`pin.angle`, or `pin` where it has but one): the value replaces the
        model's command, its limit and response stay. A coordinate that follows a controller commands that one. Of a
        `pid` the value is the target, of an `expression` the output (`name.output` where it has several).
        """
        label = self._actuated(name) or set_point(self.model, self._controller_of(name) or name)
        if label.startswith(GROUP):
            self._command(label, amount(value))
            return
        kind = self._engine.compiled.index.coordinate_kind[self._engine.compiled.index.coordinates.index(label)]
        try:
            number = to_si(_plain(value), FORCE[kind])
        except ValueError as error:
            raise InvalidInput([Problem(str(error), "value")]) from None
        if applied.actuator(self._engine.compiled, label) is None:
            text = f"'{label}' has no actuator now: an event locked or drives it; command it when it is free again"
            raise InvalidInput([Problem(text, "name")])
        self._command(label, number)

    def _command(self, label: str, number: float) -> None:
        self._held.commands[label] = float(number)
        self._held.put(self._engine.compiled)
        self._pace.fresh = True

    def _controller_of(self, name: str) -> str:
        """Return the controller that a coordinate, named as for actuators, follows; nothing if none."""
        for joint, word in self.model.joints.items():
            for coordinate, motion in word.motion.items():
                if isinstance(motion, Controlled) and name in (f"{joint}.{coordinate}", joint):
                    return motion.controller
        return ""

    def _actuated(self, name: str) -> str:
        """Return the coordinate whose actuator has this name, nothing where a controller is meant."""
        joints = self.model.joints
        found = [f"{joint}.{c}" for joint, word in joints.items() for c in word.actuator]
        labels = [label for label in found if name in (label, label.rpartition(".")[0])]
        if len(labels) == 1:
            return labels[0]
        if not labels and (self._controller_of(name) or name.partition(".")[0] in self.model.controllers):
            return ""
        joint, _, coordinate = name.rpartition(".")
        word = joints.get(joint) or joints.get(name)
        if len(labels) > 1:
            text = f"joint '{name}' has several actuators; command one of {', '.join(labels)}"
        elif word is not None and (coordinate in word.motion or (name in joints and word.motion)):
            text = (
                f"'{name}' is driven by its motion, which is known beforehand; to command it, give it an actuator or "
                "let it follow a controller: motion: {controller: NAME, follows: rate}"
            )
        else:
            known = [*found, *self.model.controllers]
            kind = "actuator or controller" if self.model.controllers else "actuator"
            text = f"there is no {kind} '{name}'; there are {listed(known)}"
        raise InvalidInput([Problem(text, "name")])

    # What it does

    @property
    def motion(self) -> Motions:
        """Where each body is and how it moves now, by its name: `motion["hull"].position`."""
        return Motions(self)

    @property
    def joints(self) -> Coordinates:
        """Value and rate of each joint coordinate now, by its name: `joints["pin.angle"]`."""
        return Coordinates(self)

    def _now(self) -> Array:
        return self._pace.now()

    def _columns(self, name: str) -> slice:
        return columns(self._engine.arrays.layout, name)

    def dataset(self) -> xr.Dataset:
        """Return the Dataset of what was recorded so far, as `fl.simulate` gives it."""
        engine = self._engine
        self._pace.begin()
        rows = self._pace.rows().copy()
        continue_signs(rows, None, engine.compiled)
        attributes = attributes_of(engine, "complete", self._seconds, [rows])
        attributes |= {"model_hash": self._hash, "duration": self.time}
        if self._bodies or self._held.commands:
            attributes["held_loads"] = 1  # constant over each step, which the audit must know
        if self._bodies:
            attributes["applied"] = "; ".join(self._bodies)
        if self._held.commands:
            attributes["commanded"] = "; ".join(self._held.commands)
        data: xr.Dataset = make_dataset(engine.compiled, split_record(rows, engine.compiled), attributes)
        return data

    # States

    @property
    def state(self) -> State:
        """The present state, with forces and commands, to go back to: `simulation.state = state`."""
        pace = self._pace
        pace.begin()
        pace.flush()
        pace.fresh = True  # factors are no part of a state
        forces = {body: list(what) for body, what in self._held.forces.items()}
        words = (tuple(self._bodies), forces, dict(self._held.commands))
        arrays = pace.taken()
        return State(self.time, pace.steps, self._hash, arrays, tuple(pace.kept), *words)

    @state.setter
    def state(self, state: State) -> None:
        if not isinstance(state, State) or state.model != self._hash:
            raise InvalidInput([Problem(f"must be a state of this simulation; got {short(state)}", "state")])
        for name, word in self.model.controllers.items():
            if said := word.unsaved():
                raise CheckpointUnusable(f"controller '{name}' {said}; make the Simulation anew")
        then = list(state.bodies)
        bodies = self._bodies if self._bodies[: len(then)] == then else then
        reused = (
            bodies == self._bodies and set(self._held.commands) <= set(state.commands) and not self._engine.partners
        )
        engine = self._engine if reused else self._begin_with(bodies)
        engine.clock = self._clock
        if state.step > engine.clock.steps:
            engine.go_on()
        of = engine.compiled if bodies == then else self._begin_with(then).compiled
        still = {body: [applied.ZERO, applied.ZERO, None] for body in bodies}
        self._bodies = list(bodies)
        self._held = applied.Held(self.model, {**still, **state.applied}, dict(state.commands))
        self._take_up(engine, [applied.wider_rows(rows, of, engine.compiled) for rows in state.rows])
        self._pace.go_on_from(state.arrays, of, state.step)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the present state and all that was recorded into one file with a checksum."""
        state = self.state
        snapshot.write(Path(path), state, self._about(), self._pace.rows())

    def restore(self, path: str | os.PathLike[str]) -> None:
        """Go on from a file that `save` wrote, to the same bits; CheckpointUnusable where that cannot be."""
        self.state = snapshot.read(Path(path), self._hash, self._about())

    def _about(self) -> dict[str, Any]:
        """Return what a state depends on beside the model."""
        names = ("dt", "formulation", "integrator", "output_every", "rotation", "rtol", "atol", "unknowns", "closing")
        return {name: self._options[name] for name in (*names, "ramp")} | {"start": self._start[0]}

    # The engine

    @property
    def _engine(self) -> Engine:
        return self._pace.engine

    def _begin_with(self, bodies: list[str]) -> Engine:
        """Return the engine of this simulation with a load for each of these bodies."""
        return engine_of(self.model, bodies, self._options, *self._start)

    def _take_up(self, engine: Engine, kept: list[Array]) -> None:
        """Let an engine do the steps from now on, with what is applied and commanded, behind these rows."""
        if isinstance(engine, EventEngine):
            engine.held = self._held
            self._pace: Pace = EventPace(engine, kept)
        else:
            self._pace = Pace(engine, kept)
        self._held.put(engine.compiled)

    def _widen(self, bodies: list[str]) -> None:
        """Go on with an engine that has a load for each of these bodies."""
        for name, word in self.model.controllers.items():
            if self._engine.started and (said := word.unsaved()):
                text = f"controller '{name}' {said}; apply a force to the body before the first step, it may be zero"
                raise InvalidInput([Problem(text, "body")])
        before, old, rows = self._pace, self._engine, self._pace.rows()
        engine = self._begin_with(bodies)
        engine.clock, engine.told = old.clock, old.told
        self._bodies = bodies
        self._take_up(engine, [applied.wider_rows(rows, old.compiled, engine.compiled)] if len(rows) else [])
        if old.started:
            self._pace.go_on_from(before.taken(), old.compiled, before.steps)


def _whole(n: Any) -> int:
    """Return a number of steps; InvalidInput says what is wrong with it."""
    if isinstance(n, bool) or not isinstance(n, int | np.integer) or n < 1:
        raise InvalidInput([Problem(f"must be a whole number of steps, at least 1; got {short(n)}", "n")])
    return int(n)
