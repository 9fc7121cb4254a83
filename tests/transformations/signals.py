"""What acts, given otherwise: a driver as its reaction, a force as its table, a number as a formula, nothing at all."""

from __future__ import annotations

from typing import Any

import numpy as np

import fairlead as fl
from fairlead.model.environment.wind import SteadyWind
from fairlead.model.joints.base import FORCES
from fairlead.model.joints.geometry import rotation_of
from fairlead.model.motions import Controlled, Expression, Polynomial, Ramp, Rate, Sine, Table
from fairlead.model.topology import is_floating, topology
from fairlead.units import to_si
from transformations.image import Image
from transformations.remake import FORCE_UNIT, LeftOut, formulas_of, map_components, remade, text_of
from transformations.table import Change

PULL = np.array([0.3, -0.2, 0.5])  # part of gravity that is given as forces [m/s2]
DEGREE = 14  # of the polynomial that stands for a recorded curve


def calm(model: fl.Model) -> fl.Model:
    """Return the model with a steady wind, so that what is recorded has no kinks."""
    environment = model.environment
    if environment is None or environment.wind is None:
        return model
    wind = environment.wind
    shear = {n: getattr(wind, n) for n in ("height", "exponent", "roughness")}
    steady = SteadyWind(speed=wind.speed, direction=wind.direction, **shear)
    return remade(model, environment=remade(environment, wind=steady))


def _bends(model: fl.Model) -> str:
    """Return what makes forces of a model bend in time, or nothing."""
    if any("where" in f or "sign" in f or "abs" in f or "min" in f or "max" in f for f in formulas_of(model)):
        return "a formula that may jump"
    for name, load in model.loads.items():
        if getattr(load, "tension_only", False) or load.type == "moordyn":
            return f"load '{name}'"
        if load.type == "force" and any(isinstance(p, Table) for p in (*(load.force or ()), *(load.moment or ()))):
            return f"load '{name}'"
    for name, joint in model.joints.items():
        if any(isinstance(m, (Ramp, Table)) for m in joint.motion.values()) or joint.stop:
            return f"joint '{name}'"
        if any(a.limit is not None for a in joint.actuator.values()):
            return f"the limit of the actuator of joint '{name}'"
    return ""


def as_formula(times: Any, values: Any) -> tuple[Expression, float]:
    """Return a polynomial of t through recorded values, and how far it is from them relative to their size."""
    end = float(times[-1])
    s = 2 * times / end - 1
    fit = np.polynomial.chebyshev.Chebyshev.fit(s, values, min(DEGREE, len(times) // 2), domain=[-1, 1])
    apart = float(np.abs(fit(s) - values).max()) / max(float(np.abs(values).max()), 1e-300)
    text = "0"
    for c in np.polynomial.chebyshev.cheb2poly(fit.coef)[::-1]:
        text = f"({text})*s + {text_of(c)}" if text != "0" else text_of(c)
    return Expression(text.replace("s", f"({text_of(2 / end)}*t - 1)")), apart


def _chosen(model: fl.Model, role: str) -> tuple[str, str] | None:
    """Return a coordinate of a tree that is driven (or free) and no angle of a ball."""
    found = topology(model)
    for name, joint in model.joints.items():
        if is_floating(joint) or name in found.loops or joint.by_bodies:
            continue
        for coordinate in joint.coordinates:
            smooth = not isinstance(joint.motion.get(coordinate), Controlled)
            if joint.role(coordinate) == role and joint.type not in ("spherical", "free", "planar") and smooth:
                return name, coordinate
    return None


def driver_as_force(model: fl.Model, run: Any) -> Change:
    """Let a driven coordinate free and push it with the force its driver had; or drive a free one as it moved."""
    bends = _bends(model)
    if bends:
        raise LeftOut(f"what is recorded bends in time by {bends}")
    driven, free = _chosen(model, "driven"), _chosen(model, "free")
    if driven is None and free is None:
        raise LeftOut("no coordinate of a joint is driven or free")
    first = calm(model)
    name, coordinate = driven or free  # type: ignore[misc]
    joint, label = model.joints[name], f"{name}.{coordinate}"
    if run is None:
        return Change(model, first=first)
    data = run(first)
    at = list(data["coordinate"].values).index(label)
    times = data["time"].values
    image = Image(hidden={"driver_work", f"driver_force:{label}"})
    if driven is not None:
        force, apart = as_formula(times, data["driver_force"].values[:, at])
        start = {n: {**getattr(joint, f)} for n, f in (("initial", "initial"), ("rate", "rate"))}
        start["initial"][coordinate] = float(data["joint_position"].values[0, at])
        start["rate"][coordinate] = float(data["joint_rate"].values[0, at])
        motion = {c: m for c, m in joint.motion.items() if c != coordinate}
        changes = {"motion": motion, "actuator": {**joint.actuator, coordinate: fl.Actuator(force)}, **start}
    else:
        path, apart = as_formula(times, data["joint_position"].values[:, at])
        drop = {
            f: {c: v for c, v in getattr(joint, f).items() if c != coordinate} for f in (*FORCES, "initial", "rate")
        }
        changes = {**drop, "motion": {**joint.motion, coordinate: path}}
    if apart > 1e-6:
        raise LeftOut(f"a polynomial is off what was recorded by {apart:.1e}")
    image.hidden |= {f"joint_moment:{name}", f"joint_force:{name}"} if driven is None else set()
    return Change(remade(first, joints={**model.joints, name: remade(joint, **changes)}), image, first=first)


def _water(model: fl.Model) -> bool:
    return model.environment is not None or any(load.type in ("buoyancy", "morison") for load in model.loads.values())


def force_as_table(model: fl.Model, run: Any) -> Change:
    """Give constant forces as tables: those there are, a part of gravity, a preload, a rotor's torque."""
    return _given_otherwise(model, lambda value: Table([-1.0, 0.37, 9999.0], [value] * 3), tables=True)


def number_as_formula(model: fl.Model, run: Any) -> Change:
    """Give constant forces, motions and commands as formulas."""
    return _given_otherwise(model, lambda value: Expression(f"{text_of(value)}*(cos(t)^2 + sin(t)^2)"), tables=False)


def _given_otherwise(model: fl.Model, given: Any, tables: bool) -> Change:
    loads: dict[str, Any] = {}
    count = 0
    for name, load in model.loads.items():
        if load.type == "force" and load.function is None:
            fixed = [p for p in (*(load.force or ()), *(load.moment or ())) if isinstance(p, float)]
            count += bool(fixed)
            load = map_components(load, lambda part, unit: given(part) if isinstance(part, float) else part)
        if load.type == "matrix" and load.preload is not None:
            parts = [given(p) for p in load.preload]
            loads[f"preload of {name}"] = fl.Force(load.body, load.point, tuple(parts[:3]), tuple(parts[3:]))
            load, count = remade(load, preload=None, stiffness=load.stiffness or (0.0,) * 6), count + 1
        if load.type == "rotor-thrust" and load.torque:
            axis = rotation_of(model.bodies[load.body]).T @ load.axis
            moment = tuple(given(float(m)) for m in load.torque * axis)
            loads[f"torque of {name}"] = fl.Force(load.body, moment=moment, axes="body")
            load, count = remade(load, torque=0.0), count + 1
        loads[name] = load
    joints = dict(model.joints)
    if not tables:
        for name, joint in model.joints.items():
            joints[name] = _as_formulas(joint)
            count += joints[name] is not joint
    gravity = model.gravity
    if not _water(model) and not any(load.type == "catenary" for load in model.loads.values()):
        gravity, count = tuple(np.array(gravity) - PULL), count + 1
        for i, (body, word) in enumerate(model.bodies.items()):
            loads[f"pull {i}"] = fl.Force(body, force=tuple(given(word.mass * p) for p in PULL))
    if not count:
        raise LeftOut("nothing is given as a number")
    hidden = {"potential_energy"}
    hidden |= {n for n, load in model.loads.items() if load.type in ("matrix", "rotor-thrust")}
    changed = remade(model, loads=loads, joints=joints, gravity=gravity)
    image = Image(hidden=hidden)
    image.loads = {n: "(another)" for n in hidden if n in model.loads}
    return Change(changed, image)


def _as_formulas(joint: Any) -> Any:
    """Return a joint whose smooth motions and constant commands are formulas of t."""
    motion, actuator = dict(joint.motion), dict(joint.actuator)
    for name, coordinate in joint.coordinates.items():
        kind = coordinate.kind
        if isinstance(motion.get(name), (Rate, Sine, Polynomial)):
            motion[name] = Expression(_formula(motion[name], kind))
        if name in actuator and not isinstance(actuator[name].command, (Expression, Table, type(None))):
            force = to_si(actuator[name].command, FORCE_UNIT[kind])
            actuator[name] = remade(actuator[name], command=Expression(f"{text_of(force)} + 0*t"))
    if motion == joint.motion and actuator == joint.actuator:
        return joint
    return remade(joint, motion=motion, actuator=actuator)


def _formula(motion: Any, kind: str) -> str:
    amounts = motion.in_si(kind)
    if isinstance(motion, Rate):
        return f"{text_of(amounts['start'])} + {text_of(amounts['value'])}*t"
    if isinstance(motion, Sine):
        omega = 2 * np.pi / motion.period if motion.period is not None else motion.frequency
        inside = f"{text_of(omega)}*t + {text_of(motion.phase)}"
        return f"{text_of(amounts['mean'])} + {text_of(amounts['amplitude'])}*sin({inside})"
    return " + ".join(f"{text_of(c)}*t**{n}" if n else text_of(c) for n, c in enumerate(motion.coefficients))


def zero_callable(model: fl.Model, run: Any) -> Change:
    """Add a load written in Python that is always zero."""
    nothing = fl.Force(next(iter(model.bodies)), function=lambda t, motion: (0.0,) * 6)
    return Change(remade(model, loads={**model.loads, "nothing": nothing}))
