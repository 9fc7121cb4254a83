"""A run in progress: its state is one record, advanced in chunks by a compiled loop."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any

import numpy as np
import numpy.typing as npt

from fairlead.core import arrays as ca
from fairlead.core.codes import CLOSING, LEAST_GROWTH, MUCH_CHANGE, REACHED, UNKNOWNS
from fairlead.core.jit.cache import is_compiled
from fairlead.core.loads.outputs import OUTPUTS
from fairlead.core.motions import move
from fairlead.core.record import columns
from fairlead.core.stepping import Clock, new_stages
from fairlead.core.work import MUCH_WITH_STEP_CONTROL, new_work
from fairlead.errors import InvalidInput, NumericalFailure, Problem
from fairlead.model.checks.checked import checked
from fairlead.model.compile import Compiled
from fairlead.model.environment.wave_table import MOST_BYTES, too_large
from fairlead.model.schema import Model
from fairlead.model.time_grid import steps_of
from fairlead.running.advice import advice
from fairlead.running.compiling import compiling_shown
from fairlead.running.diagnosis import wrong_motion
from fairlead.running.formulations.assembly import Assembly
from fairlead.running.formulations.drawn_velocities import lost_velocities
from fairlead.running.formulations.table import choose, first_choice
from fairlead.running.options import check_spans, settled
from fairlead.running.partners.coupled import coupled_of, meeting_steps
from fairlead.running.partners.moordyn import partners_of
from fairlead.running.partners.session import need_session
from fairlead.running.ramp import DRAWING, raise_from
from fairlead.running.rounding import LEAST, allow_rounding
from fairlead.running.steppers.generalised_alpha import AlphaSteps
from fairlead.running.steppers.outside import OutsideLoads, failed_function
from fairlead.running.steppers.tableaux import ADAPTIVE, tableau

Array = npt.NDArray[np.float64]
STEPS_PER_CHUNK = 512  # whatever is recorded, so that recording does not change the motion
STEPS_IN_PYTHON = 32  # of a chunk where loads live in Python, so that stopping and progress need not wait
DEFAULT_RTOL, DEFAULT_ATOL = 1e-9, 1e-12


def refuse_silent(model: Model) -> None:
    """Raise InvalidInput where a controller in another program cannot be used, or does not answer a trial call."""
    problems = []
    for name, word in model.controllers.items():
        wrong = word.wrong_files()
        if wrong is None and (said := word.try_out(name)):
            wrong = "library", said
        if wrong is not None:
            problems.append(Problem(wrong[1], f"controllers.{name}.{wrong[0]}"))
    if problems:
        raise InvalidInput(problems)


class Simulation:
    """A model with its state; `advance()` gives the next rows of the record until `finished`."""

    rows: int | None = None  # recorded so far, counted where they are not those of the steps alone

    def __init__(
        self,
        model: Model,
        duration: float | str,
        dt: float | str | None = None,
        *,
        formulation: str = "auto",
        integrator: str | None = None,
        output_every: int | None = None,
        interval: float | str | None = None,
        longest: float | None = None,
        rotation: str = "quaternion",
        rtol: float | None = None,
        atol: float | None = None,
        unknowns: str = "omega",
        closing: str = "auto",
        instant: float | None = None,
        audit: dict[str, float] | None = None,
        start: str = DRAWING,
        ramp: float | None = None,
        discard: float | None = None,
    ) -> None:
        model = checked(model)
        need_session(model)
        refuse_silent(model)
        given = {"duration": duration, "dt": dt, "integrator": integrator, "output_every": output_every}
        given |= {"interval": interval, "longest": longest, "rotation": rotation, "rtol": rtol, "atol": atol}
        options = settled(model, given | {"unknowns": unknowns, "closing": closing, "ramp": ramp, "discard": discard})
        end, step, integrator = float(options["duration"]), float(options["dt"]), str(options["integrator"])
        self.asked = formulation
        self.formulation = choose(model, formulation, first_choice(integrator, unknowns, closing))
        self.audit = audit or {}  # how the result asks to be audited
        self.origin, self.told = start, list[str]()  # where the run starts, in words, and what that moved
        self.ramp, self.discard = options["ramp"] or 0.0, options["discard"] or 0.0
        way = self.formulation
        rotation = way.rotation or rotation
        self.integrator, self.rotation, self.tableau = integrator, rotation, tableau(integrator)
        tabled = end if instant is None else None
        self.compiled: Compiled = self._compiled(model, rotation, unknowns, closing, tabled)
        if self.ramp:
            raise_from(self.compiled, self.ramp, start)
        self.arrays = self.compiled.arrays
        self.work = new_work(self.arrays, way.dense)
        self.gap = LEAST  # of a joint that counts as closed, more only where rounding is more
        allow_rounding(self.compiled, self.work)
        self._check_tables(*((0.0, end) if instant is None else (instant, instant)))
        self.clock = Clock(0.0, step, end, steps_of(end, step), int(options["output_every"]))
        self.assembly: Assembly | None = None
        self.y = self.start(0.0 if instant is None else float(instant))
        self.first = self.y.copy()
        self.stages = new_stages(self.tableau, len(self.y))
        # Of an adaptive run: time, next step, evaluations, rtol, atol, steps rejected, steps accepted, longest step.
        tolerances = (DEFAULT_RTOL if rtol is None else rtol, DEFAULT_ATOL if atol is None else atol)
        longest = np.inf if options["longest"] is None else options["longest"]
        self.memory = np.array([0.0, min(step, longest), 0.0, *tolerances, 0.0, 0.0, longest])
        self.step = 0  # steps done; for an adaptive run the next output step
        self.adaptive, self.instant = integrator in ADAPTIVE, instant
        if self.adaptive:
            self.work.constraint.newton[MUCH_CHANGE] = MUCH_WITH_STEP_CONTROL
        spare = 600 if self.adaptive else 8
        self.buffer = np.zeros((STEPS_PER_CHUNK + spare, int(self.arrays.layout[-1])))
        self.started = False
        self.partners = partners_of(self.compiled)
        self.coupled = coupled_of(self)
        self.outside: OutsideLoads | AlphaSteps | None = OutsideLoads(self) if self.compiled.index.outside else None
        if self.outside and self.integrator == "generalised-alpha":
            raise InvalidInput(
                "integrator 'generalised-alpha' takes no Python functions and no other programs as loads; "
                "use another, or compile the functions with numba"
            )
        if self.integrator == "generalised-alpha":
            if not self.formulation.loose:
                raise InvalidInput("integrator 'generalised-alpha' is for formulation 'constrained'; choose that too")
            if np.any(self.arrays.actuators["order"] > 0):
                raise InvalidInput(
                    "integrator 'generalised-alpha' takes actuators without a response only; use another"
                )
            if len(self.arrays.relations):
                raise InvalidInput("integrator 'generalised-alpha' takes no relations; use another")
            if len(self.arrays.controllers.rows):
                raise InvalidInput("integrator 'generalised-alpha' takes no feedback controllers; use another")
            self.outside = AlphaSteps(self)
        if self.adaptive or isinstance(self.outside, AlphaSteps):  # how far a chunk goes is not known beforehand
            self._cover_whole()

    def _compiled(self, *given: Any) -> Compiled:
        """Return the model compiled as the formulation needs it."""
        return self.formulation.compiled(*given)

    def _check_tables(self, begin: float, end: float) -> None:
        """Raise InvalidInput where a table of the model does not cover the run."""
        check_spans(self.compiled, begin, end)

    def _cover_whole(self) -> None:
        """Fill the tables of the waves for the whole run."""
        rolling = self.compiled.index.rolling
        if rolling is not None:
            if rolling.size > MOST_BYTES:
                raise InvalidInput([Problem(too_large(rolling.size), path="environment.waves")])
            self.arrays.sea.water["end"] = rolling.cover(0.0, self.clock.end)

    def _cover(self, steps: int) -> None:
        """Fill the tables of the waves for the steps that come next; rows behind are forgotten."""
        rolling = self.compiled.index.rolling
        if rolling is not None and not (self.adaptive or isinstance(self.outside, AlphaSteps)):
            end = min(self.time + (steps + 1) * self.clock.dt, self.clock.end)
            self.arrays.sea.water["end"] = rolling.cover(self.time, end)

    def start(self, time: float) -> Array:
        """Return the state in which the drawing starts, assembled if its joints are constraints."""
        self._check_motions(time)
        y, self.assembly = self.formulation.start(self.compiled, self.work, time)
        return y

    def begin(self, y: Array) -> None:
        """Start in this state instead of the drawing's; nothing has been recorded yet."""
        self.y[:] = y
        self.first = self.y.copy()
        if self.assembly is not None:
            self.assembly.moved, self.assembly.lost = {}, {}

    def _check_motions(self, time: float) -> None:
        """Raise NumericalFailure if a formula moves a joint to nowhere at the start."""
        if np.any(self.arrays.coordinates["code"] == ca.PROGRAM):
            self.work.window[:] = time
            move(time, self.arrays, self.work)
            found = wrong_motion(self.compiled, self.work)
            if found:
                raise NumericalFailure(f"{found} at t = {time:.6g} s, where the run starts; mend its formula")

    @property
    def lost(self) -> list[str]:
        """Return what of the drawing could not be used, a sentence each."""
        lost = self.assembly.lost if self.assembly is not None else {}
        return [f"{problem.path} {problem.message}" for problem in lost_velocities(lost)]

    @property
    def notes(self) -> list[str]:
        """Return what the user should know of the start, a sentence each."""
        return self.lost + self.told

    @property
    def time(self) -> float:
        """Return the time reached."""
        if self.instant is not None:
            return self.instant
        if self.adaptive:
            return float(self.memory[REACHED])
        return self.clock.end if self.step >= self.clock.steps else self.clock.t0 + self.step * self.clock.dt

    @property
    def finished(self) -> bool:
        """Return whether the last instant has been recorded."""
        return self.started and self.step >= self.clock.steps + (1 if self.adaptive else 0)

    def prepare(self) -> None:
        """Load the stepping loop, or compile it: once per installation, and said while it takes long."""
        name, loop = self._loop()
        name = "after" if isinstance(self.outside, OutsideLoads) else f"{self.formulation.symbol}_{name}"
        if not self.outside:
            scratch = (self.y.copy(), self.clock, self.tableau, self.arrays, self.work, self.stages, self.buffer, 0)
            with nullcontext() if is_compiled(name) else compiling_shown():
                loop(0, 0, *scratch, *((self.memory.copy(),) if self.adaptive else ()))

    def _loop(self) -> tuple[str, Any]:
        kind = "symplectic" if self.integrator == "symplectic-euler" else "adaptive" if self.adaptive else "rk"
        return f"{kind}_steps", self.loops[kind]

    @property
    def loops(self) -> dict[str, Any]:
        """Return the stepping loops: compiled, or in Python where loads live there."""
        return self.outside.loops if isinstance(self.outside, OutsideLoads) else self.formulation.loops

    @property
    def _chunk(self) -> int:
        """Return how many steps a chunk has: always the same where a partition is kept, which ends with its chunk."""
        partitions = (
            self.arrays.options[CLOSING] != ca.PROJECTION or self.arrays.options[UNKNOWNS] == ca.EULER_PARAMETERS
        )
        if self.coupled:  # ends where all partners are at one instant
            every = meeting_steps(self.coupled)
            whole = max(every, STEPS_IN_PYTHON // every * every)
            return min(whole - self.step % every, STEPS_PER_CHUNK)
        return STEPS_IN_PYTHON if isinstance(self.outside, OutsideLoads) and not partitions else STEPS_PER_CHUNK

    def advance(self, most: int | None = None) -> Array:
        """Return the next rows of the record: the start, then a chunk of (at most so many) steps."""
        if not self.started:
            return self._start()
        n = self._chunk if most is None else min(most, self._chunk)
        self.open_chunk(n)
        if isinstance(self.outside, AlphaSteps):
            return self.outside.advance(most)
        _, loop = self._loop()
        n = n if self.adaptive else min(n, self.clock.steps - self.step)
        fixed = (self.y, self.clock, self.tableau, self.arrays, self.work, self.stages, self.buffer, 0)
        status, self.step, rows = self._take(loop, self.step, n, *fixed, *((self.memory,) if self.adaptive else ()))
        return self._rows(status, rows)

    def open_chunk(self, n: int) -> None:
        """Make ready for a chunk of so many steps; what carries over within it begins anew.

        A chunk starts with a new partition, so that a resumed run takes the same.
        """
        self.work.constraint.rank[LEAST_GROWTH] = 0.0
        self._cover(n)
        allow_rounding(self.compiled, self.work, self.y, self.gap)

    def _take(self, loop: Any, *arguments: Any) -> Any:
        return self.outside.take(loop, *arguments) if isinstance(self.outside, OutsideLoads) else loop(*arguments)

    def _start(self) -> Array:
        status = self.record_first(0.0)
        self.started = True
        if self.adaptive:
            self.step = min(self.clock.every, self.clock.steps)
        return self._rows(status, 1 if status == ca.OK else 0)

    def record_first(self, time: float) -> int:
        """Record the state at a time into the first row; return a status."""
        fixed = (self.arrays, self.work, self.stages, self.buffer, 0)
        return int(self._take(self.loops["first"], time, self.y, *fixed))

    def _rows(self, status: int, rows: int) -> Array:
        bad = rows and not np.isfinite(self.buffer[:rows, : self.arrays.layout[-1]]).all()
        if bad:
            found, rows = self._first_bad_row(rows)
            bad, status = found != ca.OK, found if status == ca.OK else status
        if status != ca.OK:
            at = float(self.buffer[rows, 0]) if bad else self.time
            error = failed_function(self) or NumericalFailure(advice(self, status, at))
            error.rows = self.buffer[:rows].copy()  # type: ignore[attr-defined]
            raise error
        return self.buffer[:rows].copy()

    def _first_bad_row(self, rows: int) -> tuple[int, int]:
        """Return a status and the number of good rows; channels of loads that have none stay undefined."""
        known = np.ones(self.buffer.shape[1], dtype=bool)
        for name in OUTPUTS:
            known[columns(self.arrays.layout, name)] = False
        good = np.isfinite(self.buffer[:rows][:, known]).all(axis=1)
        return (ca.OK, rows) if good.all() else (ca.NOT_FINITE, int(np.argmin(good)))

    def state(self) -> dict[str, Any]:
        """Return everything that a resumed run needs and cannot derive."""
        memory = self.outside.memory() if isinstance(self.outside, AlphaSteps) else self.memory.copy()
        state = {"y": self.y.copy(), "memory": memory, "beyond": self.work.rows["beyond"].copy()}
        state["since"] = self.work.rows["since"].copy()
        state["commands_beyond"] = self.work.coordinates["beyond"].copy()
        if self.started:
            partners: list[Any] = [*self.partners, *self.coupled]
            state |= {f"partner {number}": partner.memory() for number, partner in enumerate(partners)}
        return {**state, "step": int(self.step), "started": bool(self.started)}

    def found(self) -> dict[str, str]:
        """Return what a result says of things that happened on the way."""
        return {}

    def restore(self, state: dict[str, Any]) -> None:
        """Continue from a state given by `state()`."""
        self.y[:] = state["y"]
        self.work.rows["beyond"] = state.get("beyond", 0.0)
        self.work.rows["since"] = state.get("since", 0.0)
        self.work.coordinates["beyond"] = state.get("commands_beyond", 0.0)
        for number, partner in enumerate(list[Any](self.partners) + list[Any](self.coupled)):
            if f"partner {number}" in state:
                partner.restore(state[f"partner {number}"])
        if isinstance(self.outside, AlphaSteps):
            self.outside.restore(state["memory"])
        else:
            self.memory[:] = state["memory"]
        self.step, self.started = int(state["step"]), bool(state["started"])
