"""The sentence for a run that could not go on: what is known of the cause, where and when, and what helps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from fairlead.core import arrays as ca
from fairlead.core.codes import ABOUT, CODE, RTOL
from fairlead.errors import NumericalFailure
from fairlead.running.diagnosis import (
    GROWN,
    evaluations,
    first_cause,
    grown_state,
    has_grown,
    jump,
    wrong_motion,
)
from fairlead.running.rounding import largest_coordinate
from fairlead.running.stability import largest_step

if TYPE_CHECKING:
    from fairlead.running.simulation import Simulation

ROUNDING = 1e-10  # what large coordinates may leave of a constraint
IN_LINE = 0.05  # cos b: pivots of the mass matrix are of its square, and a step may end a little before
_BY_SYMBOL = "keep the driven angle b away from 90 deg, drive all three angles, or leave all three free"
FAR = 1e-14  # of the largest coordinate: a gap that many roundings explain


def advice(simulation: Simulation, status: int, at: float) -> str:
    """Return why a run stopped with this status at a time, and what to do.

    The first cause found counts, not what it led to.
    """
    for asked in simulation.compiled.index.asked.values():
        if isinstance(asked.failure, NumericalFailure):
            return str(asked.failure)
        if asked.failure is not None:  # Ctrl-C while it was asked
            raise asked.failure
    body = simulation.compiled.index.bodies[int(simulation.work.status[ABOUT])]
    noticed = _noticed(simulation)  # before the step is evaluated again
    cause = first_cause(simulation, at)
    if cause:
        return _named(cause)
    noticed["grown"] = any(has_grown(simulation, y) for _, y, _ in evaluations(simulation))
    if simulation.time > 0 or status == ca.NOT_FINITE:
        unstable = _too_large_a_step(simulation)
        if unstable:
            return unstable
    return _of_status(simulation, status, body, noticed, f"at t = {at:.6g} s")


def _noticed(simulation: Simulation) -> dict[str, Any]:
    """Return the traces of a failed evaluation: the most open equation, and lines without a solution."""
    work, arrays = simulation.work, simulation.arrays
    found: dict[str, Any] = {"lines": [int(r) for r in arrays.loads.lines["row"] if np.isnan(work.rows["tension"][r])]}
    found["in line"] = _coinciding_axes(simulation)
    if len(arrays.constraints):
        gaps = np.where(work.constraint.active, np.abs(work.constraint.phi), 0.0)
        found["worst"] = int(np.argmax(gaps))
        found["gap"] = float(gaps[found["worst"]])
    return found


def _too_large_a_step(simulation: Simulation) -> str:
    """Return the sentence about a step that an explicit method cannot take, empty where that is not known."""
    sim, dt = simulation, simulation.clock.dt
    if sim.adaptive or sim.integrator == "generalised-alpha":
        return ""
    for t, y in ((sim.time, sim.y), (0.0, sim.first)):
        if not has_grown(sim, y):
            most = largest_step(sim, t, y.copy())
            if dt > most:
                return (
                    f"the step dt = {dt:g} s is too large for '{sim.integrator}': with the model as it is at "
                    f"t = {t:.6g} s every error grows from step to step above dt = {most:.2g} s, and the run could "
                    f"not go on at t = {sim.time:.6g} s; reduce dt below that, or use an adaptive integrator such as "
                    "'dop853'"
                )
    return ""


def _of_status(simulation: Simulation, status: int, body: str, noticed: dict[str, Any], when: str) -> str:
    """Return the sentence about a status for which every motion and load was finite."""
    if noticed["grown"]:
        return _without_end(simulation, when)
    if status == ca.SINGULAR_MASS and noticed["in line"]:
        return f"{noticed['in line']} {when}: the motion has no answer there; {_BY_SYMBOL}"
    own = simulation.formulation.advice(status, body, when, _finer(simulation))
    if own:
        return own
    if status == ca.NOT_CLOSED:
        return _open_joint(simulation, noticed, when)
    if status == ca.NO_LINE:
        return _lost_line(simulation, noticed["lines"], when)
    if status == ca.STEP_TOO_SMALL:
        return _collapsed(simulation, when)
    return (
        f"the motion is no longer finite {when} (first seen at '{_worst_body(simulation)}') although all loads and "
        f"motions are; {_finer(simulation)}, or look for numbers of the model that are extreme"
    )


def _coinciding_axes(simulation: Simulation) -> str:
    """Return which joint of three angles, the middle one driven, has its outer axes in line; empty if none."""
    index, model = simulation.compiled.index, simulation.compiled.model
    for row, found in zip(simulation.arrays.coordinates, simulation.work.coordinates):
        name, _, coordinate = index.coordinates[int(row["user"])].rpartition(".")
        joint = model.joints[name]
        if coordinate != "b" or [joint.role(c) == "free" for c in "abc"] != [True, False, True]:
            continue
        if abs(np.cos(found["q"])) < IN_LINE:
            return f"the axes of the angles a and c of joint '{name}' coincide (b = {np.degrees(found['q']):.4g} deg)"
    return ""


def _finer(simulation: Simulation) -> str:
    """Return how a run takes shorter steps."""
    return f"tighten rtol ({simulation.memory[RTOL]:g})" if simulation.adaptive else "reduce dt"


def _without_end(simulation: Simulation, when: str) -> str:
    driven = wrong_motion(simulation.compiled, simulation.work, GROWN)
    if driven:
        return _named(f"{driven} {when} and grows without end")
    state = grown_state(simulation)
    if state:
        return f"{state} grows without end {when}, and what it commands with it; look at the formulas and gains there"
    fixed = not simulation.adaptive and simulation.integrator != "generalised-alpha"
    return (
        f"the motion has grown beyond all measure and is no longer finite {when}, with every load finite "
        f"(first seen at '{_worst_body(simulation)}'); "
        + ("run with half the dt: if it stops later or not at all the step was too large, else " if fixed else "")
        + "look for a load or actuator that drives the motion on without end"
    )


def _open_joint(simulation: Simulation, noticed: dict[str, Any], when: str) -> str:
    joint = simulation.compiled.index.equations[noticed["worst"]].split(":")[0]
    what = "relation" if simulation.arrays.constraints["head"][noticed["worst"]] >= 0 else "joint"
    text = f"Newton did not close {what} '{joint}' {when} (gap {noticed['gap']:.3g}); "
    asked = simulation.gap
    if simulation.formulation.loose and noticed["gap"] < ROUNDING and asked < ROUNDING:
        return text + f"that is rounding, but an accuracy of {asked:g} is asked for: ask for less"
    size = largest_coordinate(simulation.compiled, simulation.y)
    if noticed["gap"] < FAR * size:
        return text + (
            f"that is rounding of coordinates of {size:.3g} m: draw the model nearer to the origin, or give its bodies "
            "less speed away from it"
        )
    if simulation.time == 0.0 and not _closes(simulation, 0.0):
        return text + (
            "it does so at the start, where no shorter step helps: check the drawing of the bodies it joins, and "
            "whether its equations contradict those of other joints"
        )
    if _closes(simulation, 0.1):
        return text + f"a tenth of this step closes it: {_finer(simulation)}"
    return text + "not even a tenth of this step closes it: the mechanism cannot be moved or driven any further"


def _closes(simulation: Simulation, part: float) -> bool:
    """Return whether the loops stay closed over a part of the step that failed, or (0) where it starts."""
    for _ in evaluations(simulation, part):
        if simulation.work.status[CODE] != ca.OK:
            return False
        if part == 0.0:
            break
    return True


def _lost_line(simulation: Simulation, rows: list[int], when: str) -> str:
    """Name the line whose end lies where it has no solution, and why it has none."""
    from fairlead.model.loads.catenary import REASONS

    names = ", ".join(f"'{simulation.compiled.index.loads[row]}'" for row in rows)
    why = _why_no_line(simulation, rows)
    return (
        f"mooring line {names} has no solution {when}: {REASONS[why]}"
        if why
        else (
            f"mooring line {names} has no solution just behind t = {simulation.time:.6g} s; check what holds its body"
        )
    )


def _why_no_line(simulation: Simulation, rows: list[int]) -> int:
    """Return the reason why the first of these lines has no solution in the step that failed, 0 if it has one."""
    from fairlead.core.loads.catenary import SOLVED, catenary

    for _ in evaluations(simulation):
        for line in simulation.arrays.loads.lines:
            if int(line["row"]) not in rows:
                continue
            body = simulation.work.bodies[line["body"]]
            d = line["anchor_W"] - body["x"] - body["R"].reshape(3, 3) @ line["r_BP_D"]
            numbers = (float(line[name]) for name in ("length", "EA", "weight", "friction"))
            why = catenary(float(np.hypot(d[0], d[1])), -float(d[2]), *numbers, int(line["bed"]), float(line["depth"]))
            if why[0] != SOLVED:
                return int(why[0])
    return 0


def not_converged(simulation: Simulation, h: float) -> str:
    """Return the sentence about an implicit step whose equations did not converge."""
    cause = first_cause(simulation)
    if cause:
        return _named(cause)
    found = jump(simulation)
    return (
        f"the implicit step of {h:g} s did not converge at t = {simulation.time:.6g} s, with every load finite; "
        + (f"{found}: name it as a row of a table, or " if found else "")
        + "reduce dt"
    )


def _named(cause: str) -> str:
    return f"{cause}; look there for a division by zero, a root or logarithm of a negative number, or an overflow"


def _collapsed(simulation: Simulation, when: str) -> str:
    found = jump(simulation)
    if found:
        return f"the step size collapsed {when}: {found}; name the jump as a table's row or a ramp, or use a fixed step"
    return (
        f"the step size collapsed {when}: no load or motion jumps there, but the tolerance cannot be met; "
        f"loosen rtol ({simulation.memory[RTOL]:g}), or use a fixed step"
    )


def _worst_body(simulation: Simulation) -> str:
    """Return the user's name of the body with the largest or undefined acceleration."""
    size = np.abs(simulation.work.bodies["a"]).max(axis=1)
    worst = int(np.argmax(np.where(np.isfinite(size), size, np.inf)))
    return simulation.compiled.index.bodies[int(simulation.arrays.bodies["user"][worst])]
