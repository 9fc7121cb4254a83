"""Momentum and energy of a run compared with what they should be: one `Check` for each question."""

from __future__ import annotations

import numpy as np

from fairlead.auditing.check import FAIL, PASS, UNDECIDED, Check, compare, undecided
from fairlead.auditing.digits import Digits, digits
from fairlead.auditing.motion import SAFETY, Worst, integral, sampling_error
from fairlead.auditing.read import System
from fairlead.auditing.scales import Scales, scales
from fairlead.auditing.sums import Series
from fairlead.numeric import rates_of

JUMP = 8.0  # times the usual second difference: held loads jump there


def all_checks(system: System, s: Series, case: str, tolerance: float, held: bool) -> list[Check]:
    """Return every momentum and energy check that the record allows, in the order of the questions."""
    size, fine, time = scales(system, s, tolerance), digits(system, s), s["time"]
    checks = [compare("unit quaternions", time, s["norm_error"], 1.0, "", tolerance, rounding=fine.quaternion)]
    if "inertia_change" in s:
        name = "inertia is constant in body axes"
        checks.append(compare(name, time, s["inertia_change"], 1.0, "", tolerance, rounding=fine.inertia))
    checks += _reported(s, size, fine, tolerance)
    checks += _conserved(system, s, size, fine, case, tolerance)
    checks += _impulses(system, s, size, fine, case, tolerance, held)
    checks += _instants(system, s, size, fine, tolerance)
    checks.append(_energy(system, s, size, fine, tolerance))
    return checks


def motion_check(name: str, worst: Worst, bodies: list[str]) -> Check:
    """Return the check of one kind of motion from its worst interval."""
    scale = worst.scale
    value, limit, printed = worst.value, worst.tolerance, 0.0
    if scale > 0:
        value, limit, printed = worst.value / scale, worst.limit / scale, worst.printing / scale
    where = f"body '{bodies[worst.body]}' at t = {worst.time:.6g} s, off by {worst.value:.3g} {worst.unit}"
    if worst.ratio > 1:
        sentence = f"{name}: not so for {where}; the limit there is {worst.limit:.2g} {worst.unit}."
        return Check(name, FAIL, value, limit, scale, worst.unit, sentence, printed)
    part = worst.judged / max(worst.intervals, 1)
    if part.min() < 0.5:
        at = int(np.argmin(part))
        reason = f"body '{bodies[at]}' moves too much between samples; record more often."
        if worst.illegible[at] > 0.5 * worst.intervals:
            reason = (
                f"the printed digits are too few for body '{bodies[at]}': they alone may do {worst.printing:.3g} "
                f"{worst.unit}, and it moves with {worst.moving[at]:.3g} {worst.unit}; print more digits or fewer rows."
            )
        return Check(name, UNDECIDED, value, limit, scale, worst.unit, f"{name}: cannot be decided, {reason}", printed)
    return Check(name, PASS, value, limit, scale, worst.unit, f"{name}: nearest to its limit is {where}.", printed)


def _reported(s: Series, size: Scales, fine: Digits, tolerance: float) -> list[Check]:
    """Compare the sums over the bodies with what the simulation says of itself."""
    rows = (
        ("mass centre is the one reported", "R", "own_mass_centre_position", size.length, "m", fine.centre),
        ("p_sys is zero about the reported Rdot", "P", "own_mass_centre_velocity", size.P, "kg m/s", fine.P),
        ("momentum is the one reported", "P", "own_momentum", size.P, "kg m/s", fine.P),
        ("angular momentum is the one reported", "H", "own_angular_momentum", size.H, "kg m2/s", fine.H),
        ("kinetic energy is the one reported", "kinetic", "own_kinetic_energy", size.kinetic, "J", fine.T),
        ("potential energy is the one reported", "potential", "own_potential_energy", size.E, "J", fine.V),
    )
    checks = []
    for name, ours, theirs, scale, unit, printed in rows:
        if theirs in s:
            reported = s[theirs] * (s["total_mass"][0] if theirs == "own_mass_centre_velocity" else 1.0)
            checks.append(compare(name, s["time"], s[ours] - reported, scale, unit, tolerance, rounding=printed))
    return checks


def _conserved(system: System, s: Series, size: Scales, fine: Digits, case: str, tolerance: float) -> list[Check]:
    """Check what stays constant without external force, or falls freely in uniform gravity."""
    if case == "general":
        return []
    time = s["time"]
    t = (time - time[0])[:, None]
    g = system.g_W if case == "gravity" else np.zeros(3)
    still = case == "free"
    checks = []
    if not system.mass_centre_frame:
        name = "momentum is constant" if still else "momentum changes by M g t"
        off = s["P"] - s["P"][0] - system.mass.sum() * g * t
        checks.append(compare(name, time, off, size.P, "kg m/s", tolerance, rounding=fine.P))
        name = "mass centre moves on a straight line" if still else "mass centre moves on a parabola"
        off = s["R"] - s["R"][0] - s["Rdot"][0] * t - g * t * t / 2
        checks.append(compare(name, time, off, size.path, "m", tolerance, rounding=fine.path))
    else:
        checks.append(
            undecided("momentum", tolerance, "the table has no R and Rdot, and p_sys is zero by construction.")
        )
    name, off = "angular momentum is constant", s["H"] - s["H"][0]
    return [*checks, compare(name, time, off, size.H, "kg m2/s", tolerance, rounding=fine.H)]


def _impulses(
    system: System, s: Series, size: Scales, fine: Digits, case: str, tolerance: float, held: bool
) -> list[Check]:
    """Check changes of momentum against the impulse the simulation integrated, and against the recorded wrench."""
    rows = (
        ("momentum", "P", "own_external_impulse", size.P, "kg m/s", fine.P, fine.impulse),
        ("angular momentum", "H", "own_external_angular_impulse", size.H, "kg m2/s", fine.H, fine.angular_impulse),
    )
    checks = []
    for name, ours, theirs, scale, unit, printed, pushed in rows:
        if ours == "P" and system.mass_centre_frame:
            continue
        if theirs in s:
            off = s[ours] - s[ours][0] - s[theirs] + s[theirs][0]
            name_ = f"{name} changes by the reported impulse"
            checks.append(compare(name_, s["time"], off, scale, unit, tolerance, rounding=printed))
        if case == "general":
            checks.append(_by_wrench(system, s, name, ours, scale, unit, tolerance, held, printed + pushed))
    return checks


def _by_wrench(
    system: System,
    s: Series,
    name: str,
    ours: str,
    scale: float,
    unit: str,
    tolerance: float,
    held: bool,
    printed: float,
) -> Check:
    """Check a momentum against the sampled integral of the recorded external wrench, with its sampling error."""
    name = f"{name} changes by the recorded wrench"
    if "F" not in s:
        lacks = "the record lacks the force or moment of an external load or of a world joint."
        return undecided(name, tolerance, lacks)
    if len(s["time"]) < 5:
        return undecided(name, tolerance, "fewer than five instants.")
    wrench = s["F"] + system.mass.sum() * system.g_W if ours == "P" else s["N"]
    impulse, sampling = accumulated(s["time"], wrench, system.pieces)
    impulse += _over_events(s, ours, system.pieces)
    if held:
        sampling += np.diff(s["time"]).max() * np.linalg.norm(wrench - wrench[0], axis=-1).max()
        sampling += _over_jumps(s["time"], wrench)
    off = s[ours] - s[ours][0] - impulse
    return compare(name, s["time"], off, scale, unit, tolerance, sampling=sampling, rounding=printed)


def _over_jumps(time: np.ndarray, wrench: np.ndarray) -> float:
    """Return what jumps between samples may do to their integral: half an interval of each, where they do not cancel.

    A held load that jumps up and down again does nothing in the end; one that dies away after each jump adds up. A
    jump is a second difference far beyond the others.
    """
    second = np.linalg.norm(np.diff(wrench, 2, axis=0), axis=-1)
    return float(0.5 * np.diff(time).max() * second[second > JUMP * np.median(second)].sum())


def accumulated(time: np.ndarray, rate: np.ndarray, pieces: list[tuple[int, int]]) -> tuple[np.ndarray, float]:
    """Return the integral of samples since the start, none over events, and what sampling may do to it."""
    total, error = np.zeros_like(rate), 0.0
    for first, last in pieces:
        if first > 0:
            total[first:] = total[first - 1]
        if last > first + 1:
            part, sampling = _accumulated(time[first : last + 1], rate[first : last + 1])
            total[first : last + 1] += part
            error += sampling
        elif last > first:  # two rows: the trapeze, and all of it may be wrong
            step = 0.5 * (time[last] - time[first]) * (rate[first] + rate[last])
            total[last] += step
            error += float(np.linalg.norm(step))
    return total, error


def _accumulated(time: np.ndarray, rate: np.ndarray) -> tuple[np.ndarray, float]:
    total = np.zeros_like(rate)
    total[1:] = np.cumsum(integral(time, rate, rates_of(time, rate)), axis=0)
    smooth, kink = sampling_error(time, rate, None)
    running = np.cumsum(smooth, axis=0)
    size = np.abs(running) if running.ndim == 1 else np.linalg.norm(running, axis=-1)
    return total, float(SAFETY * size.max() + 4 * np.sqrt((kink**2).sum()))


def _over_events(s: Series, ours: str, pieces: list[tuple[int, int]]) -> np.ndarray:
    """Return what came in over the intervals with events: as it is reported, whose sum another check judges."""
    theirs = {"P": "own_external_impulse", "H": "own_external_angular_impulse"}[ours]
    reported = s[theirs] if theirs in s else s[ours]
    found = np.zeros_like(reported)
    for first, _ in pieces[1:]:
        found[first:] += reported[first] - reported[first - 1]
    return found


def _instants(system: System, s: Series, size: Scales, fine: Digits, tolerance: float) -> list[Check]:
    """Check sum m a and the rate of H against the external wrench at every recorded instant."""
    if "Pdot" not in s or "F" not in s:
        return []
    checks = []
    if not system.mass_centre_frame:
        force = s["F"] + system.mass.sum() * system.g_W
        name = "sum m a is the external force"
        checks.append(compare(name, s["time"], s["Pdot"] - force, size.F, "N", tolerance, rounding=fine.F))
    name = "rate of angular momentum is the external moment"
    return [*checks, compare(name, s["time"], s["Hdot"] - s["N"], size.N, "N m", tolerance, rounding=fine.N)]


def _energy(system: System, s: Series, size: Scales, fine: Digits, tolerance: float) -> Check:
    """Check that kinetic plus potential energy changes by the recorded works, and by what changing wheels put in."""
    name = "energy changes by the recorded work"
    reason = _energy_unknown(system)
    if reason:
        return undecided(name, tolerance, reason)
    energy, sampling, scale = s["kinetic"] + s["potential"] - s["work"], 0.0, size.E
    if "wheel_power" in s:
        put_in, sampling = accumulated(s["time"], s["wheel_power"], system.pieces)
        sampling += 2 * float(np.sum(s["wheel_power_error"][1:] * np.diff(s["time"])))
        energy, scale = energy - put_in, max(scale, float(np.abs(put_in).max()))
    off = energy - energy[0]
    return compare(name, s["time"], off, scale, "J", tolerance, sampling=sampling, rounding=fine.E)


def _energy_unknown(system: System) -> str:
    """Return why the energy cannot be balanced from this record, or nothing."""
    data = system.data
    if data.sizes.get("load", 0) and "load_work" not in system.has:
        return "the work of the loads is not recorded."
    roles = [str(role) for role in data["coordinate_role"].values] if "coordinate_role" in data.variables else []
    if "driven" in roles and "driver_work" not in system.has:
        return "the work of the drivers is not recorded."
    if system.mass_centre_frame and (len(system.load_rows) or len(system.joint_rows)):
        return "external work cannot be seen from the mass centre."
    works = {"load_work", "driver_work", "kinetic_energy"} & system.has or data.attrs.get("energy") == "conserved"
    if not works and len(system.bodies) > 1:
        return "the table holds no work, and what joins the bodies may do some."
    return ""
