"""Loads that live in Python: the stepping templates run as Python around the two compiled halves of an evaluation.

A function is asked at every stage, so the order of the integrator holds; an adaptive step in which it fails is tried
again, shorter, before the run ends with what it said. A partner (another program) is advanced once
per step of dt from the motion at its start, whatever the method; its answer holds from the end of that step on, which
is a kink to the stepping loops: no step of theirs goes beyond it.
"""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from fairlead.core import arrays as ca
from fairlead.core.codes import BEGIN, CODE, END, REACHED
from fairlead.core.jit.kernel import interpreted
from fairlead.core.stepping import look_at, next_kink, output_time
from fairlead.errors import NumericalFailure
from fairlead.running.formulations.base import stepping_loops
from fairlead.running.partners.ahead import look_ahead, symplectic_middle
from fairlead.running.steppers.motion import Motion, motion_of

if TYPE_CHECKING:
    from fairlead.running.simulation import Simulation


class OutsideLoads:
    """Fills the rows of loads that live in Python; `loops` are the stepping loops that do so."""

    def __init__(self, simulation: Simulation) -> None:
        self.simulation, self.kernels = simulation, simulation.formulation.kernels
        self.at = 0.0  # where the present step began
        self.rows = 0  # recorded in the present chunk
        self.undefined: NumericalFailure | None = None  # why a function gave nothing in the present step
        own = {"rhs": self._rhs, "begin_step": self._begin_step, "next_kink": self._next_kink, "observe": self._observe}
        self.guessing = False  # while a step is tried whose loads are not known yet
        own |= {"drift": self.kernels.drift, "project": self.kernels.project, "look_at": look_at.py_func}
        self.loops = stepping_loops(simulation.formulation.symbol, own, interpreted)
        if any(partner.word.exchanges > 1 for partner in simulation.coupled):
            self.loops["symplectic"].__globals__["symplectic_stretch"] = partial(symplectic_middle, self)

    def take(self, loop: Any, *arguments: Any) -> Any:
        """Return the answer of a stepping loop; a failure carries the rows recorded before it."""
        self.rows, self.undefined = 0, None
        with np.errstate(all="ignore"):  # what is not finite is found and said by the loops
            try:
                answer = loop(*arguments)
            except NumericalFailure as error:  # of a partner
                self._keep(error)
                raise
        if self.undefined is not None:
            raise self._keep(self.undefined) from self.undefined.__cause__
        return answer

    def _keep(self, error: NumericalFailure) -> NumericalFailure:
        """Return an error with the rows recorded in this chunk, the simulation being where its step began."""
        sim = self.simulation
        if sim.adaptive:
            sim.memory[REACHED] = self.at
        elif sim.started:
            sim.step = min(self._steps_before(self.at), sim.clock.steps)
        error.rows = sim.buffer[: self.rows].copy()  # type: ignore[attr-defined]
        return error

    def rate(self, t: float, y: Any, dy: Any) -> None:
        """Fill dy at (t, y)."""
        sim = self.simulation
        self._rhs(t, y, dy, sim.arrays, sim.work)

    def fill(self, t: float, y: Any) -> None:
        """Place the bodies at (t, y) and put what each load answers into its row."""
        sim = self.simulation
        self.kernels.before(t, y, sim.arrays, sim.work)
        if sim.work.status[CODE] != ca.OK:
            return
        middle = 0.5 * float(sim.work.window[BEGIN] + sim.work.window[END])
        for partner in sim.partners:
            partner.hold(middle)
        motion = motion_of(sim)
        self._meet(t, y, motion)
        for row, function in sim.compiled.index.outside.items():
            try:
                wrench = ask(function, sim.compiled.index.loads[row], t, motion)
            except NumericalFailure as error:
                self.undefined, sim.work.status[CODE] = error, ca.NOT_FINITE
                return
            sim.work.rows[row]["f"], sim.work.rows[row]["n"] = wrench[:3], wrench[3:]
        for partner in sim.partners:
            for row, tension in partner.tensions().items():
                sim.work.rows[row]["tension"] = tension

    def _meet(self, t: float, y: Any, motion: Motion) -> None:
        """Exchange with the partners that are due where a step begins, or at a recorded instant."""
        sim = self.simulation
        if self.guessing:
            return
        begin, end = float(sim.work.window[BEGIN]), float(sim.work.window[END])
        for partner in sim.coupled:
            if partner.due(begin):
                partner.meet(t, y, motion)
        if end > begin:
            for partner in sim.coupled:
                partner.go_on()

    def _rhs(self, t: float, y: Any, dy: Any, A: Any, W: Any) -> None:
        self.fill(t, y)
        if W.status[CODE] == ca.OK:
            self.kernels.after(t, y, dy, A, W)

    def _observe(self, t: float, y: Any, A: Any, W: Any, out: Any) -> None:
        self.kernels.observe(t, y, A, W, out)
        self.rows += 1

    def _begin_step(self, t: float, y: Any, A: Any, W: Any) -> None:
        self.at, self.undefined = t, None
        waiting = [partner for partner in self.simulation.partners if partner.until - t < self._near]
        if waiting:
            self.kernels.before(t, y, A, W)
            motion = motion_of(self.simulation)
        for partner in waiting:
            partner.advance(t, self._next_exchange(t), motion)
        if self.simulation.coupled and not self.guessing:
            look_ahead(self, t, y)
        self.kernels.begin_step(t, y, A, W)

    def _next_kink(self, kinks: Any, t: float, t_next: float) -> float:
        stop = next_kink(kinks, t, t_next)
        if self.simulation.partners:
            stop = next_kink(np.array([self._next_exchange(t)]), t, stop)
        return float(stop)

    @property
    def _near(self) -> float:
        return 1e-9 * self.simulation.clock.dt

    def _steps_before(self, t: float) -> int:
        clock = self.simulation.clock
        return math.floor((t - clock.t0 + self._near) / clock.dt)

    def _next_exchange(self, t: float) -> float:
        """Return the end of the step of dt in which, or at whose start, t lies."""
        return float(output_time(self._steps_before(t) + 1, self.simulation.clock))


def ask(function: Any, name: str, t: float, motion: Motion) -> Any:
    """Return the six numbers that the function of a load gives; NumericalFailure if it raises or gives others."""
    try:
        given = function(t, motion)
    except NumericalFailure:
        raise
    except (Exception, SystemExit) as error:  # not Ctrl-C, which is the user's
        raise NumericalFailure(f"the function of load '{name}' failed at t = {t:.6g} s: {_shown(error)}") from error
    try:
        wrench = np.asarray(given, dtype=float).reshape(-1)
        numbers = np.asarray(given).dtype.kind in "iufO" and not np.ma.getmaskarray(given).any()
    except Exception:  # whatever its own conversion raises: a text, a ragged list, a whole number beyond 1e308
        raise _not_six_numbers(name, t, given) from None
    if not numbers or wrench.shape != (6,) or not np.isfinite(wrench).all():
        raise _not_six_numbers(name, t, given)
    return wrench


def _of_own(function: Any, *own: Any) -> Any:
    """Return a compiled function, which takes the motion of its own body, as one that takes that of all."""
    return lambda t, motion: function(t, *own)


def _shown(value: Any) -> str:
    """Return what a user's value looks like, at most a line of it."""
    try:
        return f"{' '.join(repr(value).split()):.120}"
    except Exception:  # a number of too many digits, or a class that cannot show itself
        return f"a value of type {type(value).__name__} that cannot be shown"


def _not_six_numbers(name: str, t: float, given: Any) -> NumericalFailure:
    return NumericalFailure(
        f"the function of load '{name}' gave {_shown(given)} at t = {t:.6g} s; it must give six finite numbers "
        "(force and moment at the mass centre, world axes)"
    )


def failed_function(simulation: Simulation) -> NumericalFailure | None:
    """Return the failure of a compiled function that stopped a run, by asking it again in Python; None if none did."""
    sim, index = simulation, simulation.compiled.index
    for row in sim.arrays.loads.functions["row"]:
        loaded = sim.work.rows[row]
        if np.isfinite(loaded["f"]).all() and np.isfinite(loaded["n"]).all():
            continue
        name, t = index.loads[row], float(sim.work.channels[0])
        own = motion_of(sim)[index.load_body[row]]
        if not all(np.isfinite(part).all() for part in own):
            continue
        x, R_WB, u, w = (tuple(map(tuple, part)) if part.ndim == 2 else tuple(part) for part in own)
        load: Any = sim.compiled.model.loads[name]
        try:
            ask(_of_own(load.function, x, R_WB, u, w), name, t, {})
        except NumericalFailure as error:
            return error
    return None
