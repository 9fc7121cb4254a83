"""Advice about a check that failed, from what the record itself knows.

A fixed step errs with its order, so one failed run says which step would have passed. How large the error is follows
from the step and the loads: a swing of period P that holds all the energy leaves, with z = 2 pi dt / P,

    rk4:  (z^4 / 50 + n z^6 / 144) of that energy after n steps

The first part comes and goes within each swing, the second is what rk4 takes away for good (its amplification of an
oscillation is |R(i z)|^2 = 1 - z^6 / 72). Where the balance jumps within one interval, the step is not to blame for
its length but for what it stepped over, and that is named.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from fairlead.auditing.check import FAIL, Check
from fairlead.auditing.read import System

ORDER = {"rk4": 4, "symplectic-euler": 1, "generalised-alpha": 2}
ADAPTIVE = ("rk45", "dop853")
SWING = 50.0  # rk4: (2 pi dt / P)^4 / 50 of a swing's energy
FEW = 0.01  # a deviation jumps if half of all its changes come in this part of the intervals (or in one)
MARGIN = 0.5  # what is advised aims at this part of the limit
LARGEST_TOLERANCE = 1e-4  # beyond it a wider tolerance is no advice
INSTANTS = ("sum m a is the external force", "rate of angular momentum is the external moment")


def advised(checks: list[Check], system: System, tolerance: float) -> list[Check]:
    """Return the checks, those that failed with what to do about them."""
    balanced = all(check.status != FAIL for check in checks if check.name in INSTANTS)
    return [
        replace(check, advice=_advice(check, system, tolerance, balanced) if check.status == FAIL else "", trace=None)
        for check in checks
    ]


def _advice(check: Check, system: System, tolerance: float, balanced: bool) -> str:
    """Return one or two sentences that say what to do."""
    name = check.name
    if name == "finite values":
        return "Look at the loads and formulas at that time; reduce dt if the motion grew without bound before it."
    if name == "unit quaternions":
        return "Check the order of the components (scalar first) and that these columns are a quaternion."
    if name == "inertia is constant in body axes":
        return "Check the axes that the inertia's columns are written in, and the orientation."
    if "is the rate of" in name:
        own = _own_step(check, system)
        return (
            f"{own}{'c' if own else 'C'}heck unit, sign, axes and reference point of that body's columns"
            + (", and that the time column is printed finely." if "source" in system.data.attrs else ".")
            + " If loads were held over each step (a partner), say so: held=True."
        )
    if "reported" in name and "impulse" not in name:
        return "Masses, inertias, wheels or axes of the record are not those the simulation used; compare them."
    if name in INSTANTS:
        return (
            "This holds at every instant whatever the step: a load from outside or a joint to the world is missing or "
            "wrong in the record, or a mass or inertia is."
        )
    return _balance(check, system, tolerance, balanced)


def _own_step(check: Check, system: System) -> str:
    """Return which step would have passed, for a run of our own: its columns belong together unless edited since."""
    attrs = system.data.attrs
    integrator, step = str(attrs.get("integrator", "")), float(attrs.get("step", 0.0) or 0.0)
    if "source" in attrs or check.value is None or not (np.isfinite(check.value) and check.value > 0):
        return ""
    part = MARGIN * check.tolerance / check.value
    if integrator in ADAPTIVE:
        how = f"take rtol = {_nice(float(attrs.get('rtol', 1e-9)) * part):g}"
    elif integrator in ORDER and step > 0:
        smaller = _nice(step * part ** (1 / ORDER[integrator]))
        how = f"take dt = {smaller:g} s (now {step:g} s), or integrator: dop853"
    else:
        return ""
    return f"In a result as Fairlead wrote it this is the error of the steps: {how}. If it was changed since: "


def _balance(check: Check, system: System, tolerance: float, balanced: bool) -> str:
    """Return the advice about a momentum or an energy that drifted or jumped."""
    if not balanced:
        return "The equations fail at the recorded instants already (above), so a smaller step will not help."
    at = _jump(check.trace)
    if at is not None:
        return _about_jump(system, at)
    attrs = system.data.attrs
    integrator, step = str(attrs.get("integrator", "")), float(attrs.get("step", 0.0) or 0.0)
    if check.value is None or not np.isfinite(check.value) or not check.value > 0:
        return "Check masses, inertias and the recorded forces."
    if integrator in ADAPTIVE:
        rtol = float(attrs.get("rtol", 1e-9)) * MARGIN * check.tolerance / check.value
        return f"It grows over the run, as an integration's error does: take rtol = {_nice(rtol):g}." + _accept(check)
    if integrator not in ORDER or not step > 0:
        return (
            "It grows over the run: reduce the step of the program that wrote it, or look for a force or a work that "
            "the table lacks."
        )
    order = ORDER[integrator]
    smaller = _nice(step * (MARGIN * check.tolerance / check.value) ** (1 / order))
    text = f"It grows over the run, as a step's error does, and {integrator} errs with dt^{order}: "
    text += f"take dt = {smaller:g} s (now {step:g} s), or integrator: dop853."
    if integrator == "rk4" and check.unit == "J":
        period = 2 * np.pi * step / (SWING * tolerance) ** 0.25
        text += f" At this dt rk4 keeps {tolerance:.0e} for swings and loads of {period:.2g} s and longer."
    return text + _accept(check)


def _accept(check: Check) -> str:
    """Return how to accept this deviation openly, if it is small enough for that."""
    assert check.value is not None
    wider = 10.0 ** np.ceil(np.log10(check.value))
    if wider > LARGEST_TOLERANCE:
        return ""
    return f" To accept it openly: run: {{audit: {{tolerance: {wider:.0e}}}}} in the model, or --tolerance {wider:.0e}."


def _jump(trace: np.ndarray | None) -> int | None:
    """Return the interval of the largest jump of a deviation, or None if it came little by little."""
    if trace is None or len(trace) < 5 or not np.all(np.isfinite(trace)):
        return None
    change = np.abs(np.diff(trace))
    at = int(np.argmax(change))
    reached = np.cumsum(np.sort(change)[::-1])
    count = int(np.searchsorted(reached, 0.5 * reached[-1])) + 1
    return at if count <= max(1, FEW * len(change)) and change[at] > 20 * np.median(change) else None


def _about_jump(system: System, at: int) -> str:
    """Return the advice about a jump in interval `at`, and which load or coordinate jumped if the record shows it."""
    t0, t1 = system.time[at], system.time[at + 1]
    who = _who_jumped(system, at) or "something (a load, a motion, or one wrong row of a table)"
    text = (
        f"Most of it comes at a few instants, the largest part between t = {t0:.6g} and {t1:.6g} s, where {who} jumps: "
    )
    if "source" in system.data.attrs:
        return text + "look at these rows."
    if str(system.data.attrs.get("integrator", "")) in ADAPTIVE:
        return text + "smooth it, or let the run end and start again there."
    return text + "smooth it, let a step end there, or take an adaptive method (integrator: dop853)."


def _who_jumped(system: System, at: int) -> str:
    """Return the load, or the joint coordinate, that changed most against its own habit in interval `at`."""
    best, found = 10.0, ""
    rows = slice(max(at - 25, 0), at + 26)
    for name, dim, what in (("load_force", "load", "load"), ("load_moment", "load", "load"), RATE):
        data = system.data
        if name not in data.variables or not data[name].size or dim not in data.variables:
            continue
        values = np.asarray(data[name].isel(time=rows).transpose("time", dim, ...).values, dtype=float)
        change = np.abs(np.diff(values, axis=0)).reshape(len(values) - 1, values.shape[1], -1).max(-1)
        habit = np.median(change, axis=0)
        here = change[at - rows.start]
        size = np.abs(values).reshape(len(values), values.shape[1], -1).max((0, 2))
        ratio = np.where(here > 1e-3 * size, here / np.maximum(habit, 1e-9 * size + 1e-300), 0.0)
        k = int(np.argmax(ratio)) if len(ratio) else 0
        if len(ratio) and ratio[k] > best:
            best, found = float(ratio[k]), f"{what} '{data[dim].values[k]}'"
    return found


RATE = ("joint_rate", "coordinate", "the rate of")


def _nice(value: float) -> float:
    """Return the largest of 1, 2, 2.5 and 5 times a power of ten that is not above `value`."""
    if not value > 0 or not np.isfinite(value):
        return 0.0
    power = 10.0 ** np.floor(np.log10(value))
    return float(max(part for part in (1.0, 2.0, 2.5, 5.0) if part * power <= value * (1 + 1e-9)) * power)
