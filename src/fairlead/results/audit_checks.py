"""Momentum and energy of a run compared with what they should be: one `Check` for each question."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from fairlead.results.audit_motion import SAFETY, Worst, integral, rates_of, sampling_error
from fairlead.results.audit_read import System
from fairlead.results.audit_scales import Scales, scales
from fairlead.results.audit_sums import Series

PASS, FAIL, UNDECIDED = "pass", "fail", "undecided"


@dataclass(frozen=True)
class Check:
    """One question with its answer: `value` is the largest deviation over `scale` [unit], allowed up to `tolerance`."""

    name: str
    status: str  # "pass", "fail" or "undecided"
    value: float | None
    tolerance: float
    scale: float | None
    unit: str
    sentence: str

    @property
    def passed(self) -> bool:
        """True if the check was decided and held."""
        return self.status == PASS

    def to_dict(self) -> dict[str, Any]:
        """Return the check as plain numbers and texts."""
        names = ("name", "status", "value", "tolerance", "scale", "unit", "sentence")
        plain = {name: getattr(self, name) for name in names}
        return plain | {"value": None if self.value is None or not np.isfinite(self.value) else self.value}


def all_checks(system: System, s: Series, case: str, tolerance: float, held: bool) -> list[Check]:
    """Return every momentum and energy check that the record allows, in the order of the questions."""
    size = scales(system, s, tolerance)
    checks = [_compare("unit quaternions", s["time"], s["norm_error"], size.quaternion, "", tolerance)]
    if "inertia_change" in s:
        checks.append(_compare("inertia is constant in body axes", s["time"], s["inertia_change"], 1.0, "", tolerance))
    checks += _reported(s, size, tolerance)
    checks += _conserved(system, s, size, case, tolerance)
    checks += _impulses(system, s, size, case, tolerance, held)
    checks += _instants(system, s, size, tolerance)
    checks.append(_energy(system, s, size, tolerance))
    return checks


def _compare(
    name: str, time: np.ndarray, off: np.ndarray, scale: float, unit: str, tolerance: float, allowed: float = 0.0
) -> Check:
    """Return the check that `off` stays below tolerance * scale, or below `allowed` [unit] for sampling."""
    size = np.abs(off) if off.ndim == 1 else np.linalg.norm(off, axis=-1)
    at = int(np.argmax(np.where(np.isnan(size), np.inf, size)))
    value = 0.0 if size[at] == 0 else float(size[at] / scale) if scale > 0 else float("inf")
    limit = max(tolerance, allowed / scale if scale > 0 else 0.0)
    where = f"largest deviation {size[at]:.3g} {unit} at t = {time[at]:.6g} s"
    if allowed and limit > 0.1:
        sentence = (
            f"{name}: the samples are too far apart to decide; {where}, sampling alone may do {allowed:.3g} {unit}."
        )
        return Check(name, UNDECIDED, value, limit, scale, unit, sentence)
    return Check(name, PASS if value <= limit else FAIL, value, limit, scale, unit, f"{name}: {where}.")


def _open(name: str, tolerance: float, sentence: str) -> Check:
    return Check(name, UNDECIDED, None, tolerance, None, "", f"{name}: {sentence}")


def motion_check(name: str, worst: Worst, bodies: list[str]) -> Check:
    """Return the check of one kind of motion from its worst interval."""
    scale = worst.scale
    value, limit = (worst.value / scale, worst.limit / scale) if scale > 0 else (worst.value, worst.tolerance)
    where = f"body '{bodies[worst.body]}' at t = {worst.time:.6g} s, off by {worst.value:.3g} {worst.unit}"
    if worst.ratio > 1:
        return Check(name, FAIL, value, limit, scale, worst.unit, f"{name}: not so for {where}.")
    part = worst.judged / max(worst.intervals, 1)
    if part.min() < 0.5:
        body = bodies[int(np.argmin(part))]
        advice = f"body '{body}' moves too much between samples; record more often."
        return Check(name, UNDECIDED, value, limit, scale, worst.unit, f"{name}: cannot be decided, {advice}")
    return Check(name, PASS, value, limit, scale, worst.unit, f"{name}: nearest to its limit is {where}.")


def _reported(s: Series, size: Scales, tolerance: float) -> list[Check]:
    """Compare the sums over the bodies with what the simulation says of itself."""
    rows = (
        ("mass centre is the one reported", "R", "own_mass_centre_position", size.length, "m"),
        ("p_sys is zero about the reported Rdot", "P", "own_mass_centre_velocity", size.P, "kg m/s"),
        ("momentum is the one reported", "P", "own_momentum", size.P, "kg m/s"),
        ("angular momentum is the one reported", "H", "own_angular_momentum", size.H, "kg m2/s"),
        ("kinetic energy is the one reported", "kinetic", "own_kinetic_energy", size.kinetic, "J"),
        ("potential energy is the one reported", "potential", "own_potential_energy", size.E, "J"),
    )
    checks = []
    for name, ours, theirs, scale, unit in rows:
        if theirs in s:
            reported = s[theirs] * (s["total_mass"][0] if theirs == "own_mass_centre_velocity" else 1.0)
            checks.append(_compare(name, s["time"], s[ours] - reported, scale, unit, tolerance))
    return checks


def _conserved(system: System, s: Series, size: Scales, case: str, tolerance: float) -> list[Check]:
    """Check what stays constant without external force, or falls freely in uniform gravity."""
    if case == "general":
        return []
    t = (s["time"] - s["time"][0])[:, None]
    g = system.g_W if case == "gravity" else np.zeros(3)
    still = case == "free"
    checks = []
    if not system.mass_centre_frame:
        name = "momentum is constant" if still else "momentum changes by M g t"
        off = s["P"] - s["P"][0] - system.mass.sum() * g * t
        checks.append(_compare(name, s["time"], off, size.P, "kg m/s", tolerance))
        name = "mass centre moves on a straight line" if still else "mass centre moves on a parabola"
        off = s["R"] - s["R"][0] - s["Rdot"][0] * t - g * t * t / 2
        checks.append(_compare(name, s["time"], off, size.path, "m", tolerance))
    else:
        checks.append(_open("momentum", tolerance, "the table has no R and Rdot, and p_sys is zero by construction."))
    off = s["H"] - s["H"][0]
    return [*checks, _compare("angular momentum is constant", s["time"], off, size.H, "kg m2/s", tolerance)]


def _impulses(system: System, s: Series, size: Scales, case: str, tolerance: float, held: bool) -> list[Check]:
    """Check changes of momentum against the impulse the simulation integrated, and against the recorded wrench."""
    rows = (
        ("momentum", "P", "own_external_impulse", size.P, "kg m/s"),
        ("angular momentum", "H", "own_external_angular_impulse", size.H, "kg m2/s"),
    )
    checks = []
    for name, ours, theirs, scale, unit in rows:
        if ours == "P" and system.mass_centre_frame:
            continue
        if theirs in s:
            off = s[ours] - s[ours][0] - s[theirs] + s[theirs][0]
            checks.append(_compare(f"{name} changes by the reported impulse", s["time"], off, scale, unit, tolerance))
        if case == "general":
            checks.append(_by_wrench(system, s, name, ours, scale, unit, tolerance, held))
    return checks


def _by_wrench(
    system: System, s: Series, name: str, ours: str, scale: float, unit: str, tolerance: float, held: bool
) -> Check:
    """Check a momentum against the sampled integral of the recorded external wrench, with its sampling error."""
    name = f"{name} changes by the recorded wrench"
    if "F" not in s:
        return _open(name, tolerance, "the record lacks the force or moment of an external load or of a world joint.")
    if len(s["time"]) < 5:
        return _open(name, tolerance, "fewer than five instants.")
    wrench = s["F"] + system.mass.sum() * system.g_W if ours == "P" else s["N"]
    impulse = np.zeros_like(wrench)
    impulse[1:] = np.cumsum(integral(s["time"], wrench, rates_of(s["time"], wrench)), axis=0)
    smooth, kink = sampling_error(s["time"], wrench, None)
    allowed = SAFETY * np.linalg.norm(np.cumsum(smooth, axis=0), axis=-1).max() + 4 * np.sqrt((kink**2).sum())
    if held:
        allowed += np.diff(s["time"]).max() * np.linalg.norm(wrench - wrench[0], axis=-1).max()
    return _compare(name, s["time"], s[ours] - s[ours][0] - impulse, scale, unit, tolerance, float(allowed))


def _instants(system: System, s: Series, size: Scales, tolerance: float) -> list[Check]:
    """Check sum m a and the rate of H against the external wrench at every recorded instant."""
    if "Pdot" not in s or "F" not in s:
        return []
    checks = []
    if not system.mass_centre_frame:
        force = s["F"] + system.mass.sum() * system.g_W
        checks.append(_compare("sum m a is the external force", s["time"], s["Pdot"] - force, size.F, "N", tolerance))
    name = "rate of angular momentum is the external moment"
    return [*checks, _compare(name, s["time"], s["Hdot"] - s["N"], size.N, "N m", tolerance)]


def _energy(system: System, s: Series, size: Scales, tolerance: float) -> Check:
    """Check that kinetic plus potential energy changes by the recorded works."""
    name = "energy changes by the recorded work"
    reason = _energy_unknown(system)
    if reason:
        return _open(name, tolerance, reason)
    energy = s["kinetic"] + s["potential"] - s["work"]
    return _compare(name, s["time"], energy - energy[0], size.E, "J", tolerance)


def _energy_unknown(system: System) -> str:
    """Return why the energy cannot be balanced from this record, or nothing."""
    data = system.data
    if "wheel_momentum" in data.variables and "time" in data["wheel_momentum"].dims and "time" in data["inertia"].dims:
        return "wheels and inertias vary in the table."
    if "wheel_momentum" in data.variables and "time" in data["wheel_momentum"].dims:
        wheel = data["wheel_momentum"].values
        if np.abs(wheel - wheel[:1]).max() > 1e-9 * np.abs(wheel).max():
            return "the wheels change their speed, and their motors' work is not recorded."
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
