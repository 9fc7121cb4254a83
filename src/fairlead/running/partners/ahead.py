"""Steps that need a partner's load of an instant not reached yet: predictor and corrector, and iteration."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from fairlead.core import arrays as ca
from fairlead.core.codes import CODE
from fairlead.core.stepping import Clock, is_finite, look_at, new_stages
from fairlead.errors import NumericalFailure
from fairlead.running.partners.protocol import Flag
from fairlead.running.steppers.motion import motion_of

if TYPE_CHECKING:
    from fairlead.running.partners.coupled import CoupledPartner
    from fairlead.running.steppers.outside import OutsideLoads

Array = npt.NDArray[np.float64]


def look_ahead(outside: OutsideLoads, t: float, y: Array) -> None:
    """Find what acts in the step that begins at t, where loads of its middle or its end are needed for that."""
    sim = outside.simulation
    ahead = [one for one in sim.coupled if one.word.exchanges > 1 or one.word.iterate is not None]
    ahead = [one for one in ahead if one.due(t) or one.fixed is None]
    if not ahead:
        return
    rate = np.zeros_like(y)
    outside.rate(t, y, rate)  # which exchanges what is due at t
    if sim.work.status[CODE] != ca.OK:
        return
    window = sim.work.window.copy()
    ahead = [one for one in ahead if one.until > t]
    iterating = [one for one in ahead if one.word.iterate is not None]
    for partner in ahead:
        if partner.word.exchanges > 1:
            half = 0.5 * (partner.until - t)
            with guessing(outside):
                place = placed(outside, partner, t + half, y + half * rate)
            partner.fixed = partner.answer_to(place, Flag.MIDDLE)
    if iterating:
        iterate(outside, iterating, t, y)
    sim.work.window[:] = window
    outside.rate(t, y, sim.stages.k[0])  # a first stage that was known is of what acted before


@contextmanager
def guessing(outside: OutsideLoads) -> Iterator[None]:
    """Keep partners out of what is evaluated inside, and leave no trace of it."""
    work = outside.simulation.work
    kept = work.window.copy(), work.rows["beyond"].copy(), work.coordinates["beyond"].copy()
    rows = outside.rows
    outside.guessing = True
    try:
        yield
    finally:
        outside.guessing, outside.rows = False, rows
        work.window[:], work.rows["beyond"], work.coordinates["beyond"] = kept


def placed(outside: OutsideLoads, partner: CoupledPartner, t: float, y: Array) -> Array:
    """Return the motion that a partner is told for a state."""
    sim = outside.simulation
    outside.kernels.before(t, y, sim.arrays, sim.work)
    return partner.place_of(t, y, motion_of(sim))


def iterate(outside: OutsideLoads, partners: list[CoupledPartner], t: float, y: Array) -> None:
    """Let the mean of the loads at both ends of the step act in it, the one at its end found by iteration.

    Aitken's relaxation of the fixed point F = answer(motion(F)): w <- -w r_before . (r - r_before) / |r - r_before|^2.
    A mean that is constant over the step does exactly the work that the partner does by the trapezoidal rule.
    """
    end = partners[0].until
    begins = [one.samples[-1][1] for one in partners]
    scale = np.concatenate([np.full(6, max(float(np.linalg.norm(one)), 1e-30)) for one in begins])
    guess = np.concatenate([_guess(one, end) for one in partners])
    word = partners[0].word.iterate
    assert word is not None
    relaxation, before = float(word.relaxation), None
    for _ in range(word.most):
        for k, one in enumerate(partners):
            one.fixed = 0.5 * (begins[k] + guess[6 * k : 6 * k + 6])
        with guessing(outside):
            y_end = stepped(outside, t, y, partners[0].word.every)
            places = [placed(outside, one, end, y_end) for one in partners]
        answer = np.concatenate([one.answer_to(place, Flag.TRIAL) for one, place in zip(partners, places)])
        residual = answer - guess
        size = np.maximum(scale, np.repeat([np.linalg.norm(part) for part in np.split(answer, len(partners))], 6))
        if not np.isfinite(residual).all():
            break
        if np.linalg.norm(residual / size) <= word.tolerance:
            return
        if before is not None:
            change = (residual - before) / size
            bottom = float(change @ change)
            relaxation *= -float((before / size) @ change) / bottom if bottom > 0 else 1.0
        before, guess = residual, guess + relaxation * residual
    names = " and ".join(f"'{one.name}'" for one in partners)
    raise NumericalFailure(
        f"the step at t = {t:.6g} s did not settle with the loads of {names} in {word.most} answers; raise "
        f"partners.{partners[0].name}.iterate.most, lower its relaxation, or reduce dt"
    )


def _guess(partner: CoupledPartner, end: float) -> Array:
    """Return the load at the end of a step by a line through the last two."""
    if len(partner.samples) < 2:
        return partner.samples[-1][1]
    (t0, before), (t1, last) = partner.samples[-2:]
    return np.asarray(last + (last - before) * (end - t1) / (t1 - t0))


def stepped(outside: OutsideLoads, t: float, y: Array, steps: int) -> Array:
    """Return the state after so many steps from t with what acts now; nothing is recorded."""
    sim = outside.simulation
    clock = sim.clock
    first = round((t - clock.t0) / clock.dt)
    count = min(steps, clock.steps - first)
    silent = Clock(clock.t0, clock.dt, clock.end, clock.steps, clock.steps + 2)  # no row but the last
    found, scratch = y.copy(), np.zeros_like(sim.buffer[:2])
    kind = "symplectic" if sim.integrator == "symplectic-euler" else "rk"
    stages = new_stages(sim.tableau, len(y))
    arguments = (found, silent, sim.tableau, sim.arrays, sim.work, stages, scratch, 0)
    status, _, _ = outside.loops[kind](first, count, *arguments)
    if status != ca.OK:
        raise NumericalFailure(f"a step that was tried at t = {t:.6g} s could not be carried out; reduce dt")
    return found


def symplectic_middle(outside: OutsideLoads, t: float, h: float, t_next: float, y: Any, A: Any, W: Any, S: Any) -> int:
    """Fill S.y with the state after a step of the symplectic predictor and corrector; return a status.

    Places drift half a step, velocities take the rate of the middle for a whole one, places drift the other half: the
    scheme of the SPH code in MBDM note section 8.4.2, of second order. The loads of the middle are those of its places
    and of the velocities that the predictor finds with the loads of the start.
    """
    kernels = outside.kernels
    look_at.py_func(t, t_next, W)
    outside.rate(t, y, S.k[0])
    if W.status[CODE] != ca.OK:
        return int(W.status[CODE])
    S.k[1][:] = 0.0
    kernels.drift(y, S.k[1], A)
    start, middle = y + 0.5 * h * S.k[1], y + 0.5 * h * S.k[0]
    outside._begin_step(t, y, A, W)  # which asks for the loads of the middle
    outside.rate(t + 0.5 * h, middle, S.k[0])
    if W.status[CODE] != ca.OK:
        return int(W.status[CODE])
    S.k[1][:] = 0.0
    kernels.drift(middle, S.k[1], A)
    S.y[:] = start + h * (S.k[0] - S.k[1])
    S.k[1][:] = 0.0
    kernels.drift(S.y, S.k[1], A)
    S.y[:] += 0.5 * h * S.k[1]
    kernels.project(t_next, S.y, A, W)
    if W.status[CODE] != ca.OK:
        return int(W.status[CODE])
    if not is_finite(S.y):
        return int(ca.NOT_FINITE)
    return (
        int(outside.loops["symplectic"].__globals__["take_samples"](t_next, S.y, A, W, S))
        if len(A.controllers.rows)
        else 0
    )
