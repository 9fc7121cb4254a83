"""The cause that stopped a run: the failed step is evaluated again, stage by stage, until something is not finite.

A nan spreads within one evaluation to every body of a tree, and in the next to every load on it; what the kernels then
notice first (a singular matrix, an open loop) is not the cause. The state before the step was still finite, so going
through the step again and looking after each evaluation shows what was the first to go wrong, and when.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from fairlead.core import arrays as ca
from fairlead.core.codes import CODE, NEXT_STEP
from fairlead.core.controllers.table import any_due, next_sample, sample
from fairlead.errors import FairleadError
from fairlead.running.steppers.outside import OutsideLoads, failed_function

if TYPE_CHECKING:
    from fairlead.model.compile import Compiled
    from fairlead.running.simulation import Simulation

Array = npt.NDArray[np.float64]
GROWN = 1e9  # of the size of the start


def first_cause(simulation: Simulation, at: float | None = None) -> str:
    """Return the sentence about the first motion, load or actuator that is not finite; empty if all are finite.

    `at` is an instant that was recorded and is not finite, which the steps themselves may have passed unharmed.
    A load on bodies that have left every sense overflows; then it is not the cause. A motion, which only knows the
    time, always is.
    """
    grown = False
    with np.errstate(all="ignore"):
        for t, y, dy in chain(_recorded(simulation, at), evaluations(simulation)):
            found = wrong_motion(simulation.compiled, simulation.work)
            grown = grown or has_grown(simulation, y)
            if not found and not grown and _placed(simulation):
                found = _wrong_part(simulation, t, y, dy)
            if found:
                return f"{found} at t = {t:.6g} s"
    return ""


def _wrong_part(simulation: Simulation, t: float, y: Array, dy: Array) -> str:
    return _wrong_controller(simulation, t, y) or _wrong_load(simulation, t) or _wrong_joint_force(simulation, dy)


def cause_at(simulation: Simulation, t: float, y: Array, dy: Array) -> str:
    """Return what an evaluation found that is not finite, a function in Python with its failure; empty if nothing."""
    outside = simulation.outside
    failure = outside.undefined if isinstance(outside, OutsideLoads) else failed_function(simulation)
    if failure is not None:
        return str(failure)
    with np.errstate(all="ignore"):
        return _wrong_part(simulation, t, y, dy) if _placed(simulation) else ""


def _recorded(simulation: Simulation, at: float | None) -> Iterator[tuple[float, Array, Array]]:
    """Yield the evaluation of a recorded instant that lies behind, in the nearest state that is known."""
    y = simulation.y if np.isfinite(simulation.y).all() else simulation.first
    if at is not None and at < simulation.time and not has_grown(simulation, y):
        simulation.work.window[:] = at
        yield at, y, rate_of(simulation)(at, y.copy())


def has_grown(simulation: Simulation, y: Array) -> bool:
    """Return whether a state is no longer finite or has left every sense."""
    return not size_of(y) < GROWN * size_of(simulation.first)


def grown_state(simulation: Simulation) -> str:
    """Return the controller's state that has left every sense further than all that moves; empty if none has."""
    sim, y = simulation, simulation.y[: simulation.arrays.states]
    sizes = np.where(np.isfinite(y), np.abs(y), np.inf)
    if not sizes.size or not sizes.max() > GROWN * size_of(sim.first):
        return ""
    worst = int(np.argmax(sizes))
    for row in sim.arrays.controllers.rows:
        if int(row["memory"]) <= worst < int(row["stop"]):
            name = sim.compiled.index.controllers[int(row["place"])].rpartition(".")[0]
            states = list(sim.compiled.model.controllers[name].readable_states())
            number = worst - int(row["state"])
            said = f"state '{states[number]}' of" if 0 <= number < len(states) else "what is remembered by"
            return f"{said} controller '{name}'"
    return ""


def size_of(y: Array) -> float:
    """Return the size of a state's largest number, at least one."""
    return float(np.abs(y).max(initial=1.0))


def evaluations(simulation: Simulation, part: float = 1.0) -> Iterator[tuple[float, Array, Array]]:
    """Yield time, state and rate of each evaluation of the step that starts at the state reached, or of a part of it.

    Afterwards the simulation's work holds what that evaluation found. One that the kernels refuse is the last.
    """
    for found in _whole_step(simulation, part):
        yield found
        if simulation.work.status[CODE] != ca.OK:
            return


def _whole_step(simulation: Simulation, part: float) -> Iterator[tuple[float, Array, Array]]:
    sim, t, y = simulation, simulation.time, simulation.y.copy()
    rate, table = rate_of(sim), sim.tableau
    sim.work.window[:] = t
    dy = rate(t, y)
    yield t, y, dy
    if sim.instant is not None or t >= sim.clock.end:
        return
    end = t + part * step_length(sim)
    if _steps_alone(sim):
        sim.work.window[:] = t, end
        y = y + (end - t) * dy
        yield end, y, rate(end, y)
        return
    stages, feedback = len(table.b), len(sim.arrays.controllers.rows) > 0
    while t < end:
        stop = min([end, *(float(kink) for kink in sim.arrays.kinks if t < kink < end)])
        if feedback:
            stop = float(next_sample(t, stop, y, sim.arrays))
        h, k = stop - t, np.zeros((stages, len(y)))
        sim.work.window[:] = t, stop
        sim.formulation.kernels.begin_step(t, y, sim.arrays, sim.work)
        for s in range(stages):
            stage = y + h * (table.a[s, :s] @ k[:s])
            k[s] = rate(t + table.c[s] * h, stage)
            yield t + table.c[s] * h, stage, k[s]
        y, t = y + h * (table.b @ k), stop
        sim.formulation.kernels.project(t, y, sim.arrays, sim.work)
        if sim.work.status[CODE] != ca.OK:
            yield t, y, k[-1]
        if feedback and any_due(t, y, sim.arrays):
            sim.work.window[:] = t
            yield t, y, rate(t, y)
            sample(t, y, sim.arrays, sim.work)
    sim.work.window[:] = t
    yield t, y, rate(t, y)


def step_length(simulation: Simulation) -> float:
    """Return the step that was being taken."""
    left = simulation.clock.end - simulation.time
    if simulation.adaptive:
        h = float(simulation.memory[NEXT_STEP])
        return min(h if np.isfinite(h) and h > 0 else 1e-12, left)
    return min(simulation.clock.dt, left)


def _steps_alone(simulation: Simulation) -> bool:
    """Return whether the method is no Runge-Kutta method: a step along the first rate shows what lies at its end."""
    return simulation.integrator in ("symplectic-euler", "generalised-alpha")


def rate_of(simulation: Simulation) -> Any:
    """Return the evaluation of the equations of motion as a function of time and state."""
    sim = simulation

    def rate(t: float, y: Array) -> Array:
        dy = np.zeros_like(y)
        if isinstance(sim.outside, OutsideLoads):
            try:
                sim.outside.rate(t, y, dy)
            except FairleadError:
                dy[:] = np.nan
        else:
            sim.formulation.kernels.rhs(t, y, dy, sim.arrays, sim.work)
        return dy

    return rate


def wrong_motion(compiled: Compiled, work: Any, most: float = np.inf) -> str:
    """Return the sentence about a driven coordinate whose value, rate or acceleration is not below `most`, or empty."""
    index = compiled.index
    for row, found in zip(compiled.arrays.coordinates, work.coordinates):
        if row["code"] in (ca.FREE, ca.CONSTANT):
            continue
        for field, what in (("q", "value"), ("dq", "rate"), ("ddq", "acceleration")):
            if not abs(found[field]) < most:
                joint = compiled.model.joints[index.coordinates[int(row["user"])].rpartition(".")[0]]
                label = index.coordinates[int(row["user"])]
                label = label if len(joint.coordinates) > 1 else label.rpartition(".")[0]
                return f"the motion of joint '{label}' has the {what} {found[field]:g}"
    return ""


def _placed(simulation: Simulation) -> bool:
    """Return whether every body stands somewhere: what loads then give is their own."""
    bodies = simulation.work.bodies
    return all(np.isfinite(bodies[field]).all() for field in ("x", "u", "R", "w"))


def _wrong_controller(simulation: Simulation, t: float, y: Array) -> str:
    """Return the sentence about a controller whose output or state is not finite, now or once sampled; or empty."""
    sim, y = simulation, y.copy()
    if len(sim.arrays.controllers.rows) and any_due(t, y, sim.arrays):
        sample(t, y, sim.arrays, sim.work)
    for row in sim.arrays.controllers.rows:
        first = int(row["channel"])
        outputs = sim.work.channels[first : first + int(row["outputs"])]
        labels = sim.compiled.index.controllers[int(row["place"]) :]
        for label, value in zip(labels, outputs):
            if not np.isfinite(value):
                return f"the output '{label}' of a controller is {value:g}"
        if not np.isfinite(y[int(row["memory"]) : int(row["stop"])]).all():
            return f"a state of controller '{labels[0].rpartition('.')[0]}' is not finite"
    return ""


def _wrong_load(simulation: Simulation, t: float) -> str:
    work, index = simulation.work, simulation.compiled.index
    if work.added.size and not np.isfinite(work.bodies["a"]).all():
        from fairlead.core.loads.table import load

        y = simulation.y
        load(
            t, y, np.zeros_like(y), simulation.arrays, work
        )  # before accelerations, undefined by now, joined the added mass
    for name, row in zip(index.loads, work.rows):
        for field, what, unit in (("f", "force", "N"), ("n", "moment", "N m")):
            if not np.isfinite(row[field]).all():
                return f"load '{name}' gives a {what} of ({', '.join(f'{part:g}' for part in row[field])}) {unit}"
    return ""


def _wrong_joint_force(simulation: Simulation, dy: Array) -> str:
    """Return the sentence about an actuator, or a joint's spring, damper or stop, that is not finite; empty if none."""
    arrays, index, work = simulation.arrays, simulation.compiled.index, simulation.work

    def label(row: Any) -> str:
        return index.coordinates[int(arrays.coordinates["user"][row["coordinate"]])]

    for row in arrays.actuators:
        states = dy[row["state"] : row["state"] + row["order"]]
        force = float(work.coordinates["force"][row["coordinate"]])
        if not (np.isfinite(states).all() and np.isfinite(force)):
            given = force if np.isfinite(states).all() else float(states[~np.isfinite(states)][0])
            return f"the command of the actuator at '{label(row)}' is {given:g}"
    for row in arrays.sprung:
        force = float(work.coordinates["force"][row["coordinate"]])
        if not np.isfinite(force):
            return f"the spring, damper and stop at '{label(row)}' give {force:g}"
    return ""


def jump(simulation: Simulation) -> str:
    """Return which load, motion or actuator jumps where the run stopped, with its two values; empty if none does."""
    sim, t, y = simulation, simulation.time, simulation.y.copy()
    rate, near = rate_of(sim), 1e-9 * max(1.0, abs(simulation.time))
    found = []
    for at in (t - near, t + near):
        sim.work.window[:] = at
        rate(at, y)
        found.append((_sizes(sim), sim.work.coordinates["ddq"].copy(), sim.work.coordinates["force"].copy()))
    sim.work.window[:] = t
    for what, names, before, after in _compared(sim, *found):
        gap = np.abs(after - before)
        if len(gap) and gap.max() > 1e-4 * max(float(np.abs(before).max()), float(np.abs(after).max()), 1e-300):
            worst = int(np.argmax(gap))
            return f"{what} '{names[worst]}' jumps there from {before[worst]:.6g} to {after[worst]:.6g}"
    return ""


def _sizes(simulation: Simulation) -> Array:
    """Return of each load row the part of force and moment that is largest."""
    rows = np.concatenate([simulation.work.rows["f"], simulation.work.rows["n"]], axis=1)
    if not len(rows):
        return np.zeros(0)
    return np.asarray(rows[np.arange(len(rows)), np.abs(rows).argmax(axis=1)])


def _compared(simulation: Simulation, before: Any, after: Any) -> Iterator[tuple[str, list[str], Array, Array]]:
    index, arrays = simulation.compiled.index, simulation.arrays
    labels = [index.coordinates[int(user)] for user in arrays.coordinates["user"]]
    driven = ~np.isin(arrays.coordinates["code"], (ca.FREE, ca.CONSTANT))
    yield "load", index.loads, before[0], after[0]
    yield (
        "the acceleration of the motion",
        [n for n, on in zip(labels, driven) if on],
        before[1][driven],
        after[1][driven],
    )
    yield "the force along the coordinate", labels, before[2], after[2]
