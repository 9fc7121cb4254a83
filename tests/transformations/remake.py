"""Words made anew with some fields changed, and formulas and motions rewritten."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np

import fairlead as fl
from fairlead.model.joints.forces import Actuator, JointSpring, Stop
from fairlead.model.motions import Controlled, Expression, Polynomial, Ramp, Rate, Sine, Table, amount_in_si
from fairlead.model.relations.words import coordinate_named
from fairlead.units import to_si

TOKEN = re.compile(
    r"(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)"
    r"|(?P<name>`[^`]+`|[A-Za-z][A-Za-z0-9_]*)\s*\.\s*(?P<quantity>[A-Za-z][A-Za-z0-9_]*)"
    r"|(?P<word>[A-Za-z][A-Za-z0-9_]*)"
)
FORCE_UNIT = {"angle": "N m", "length": "N"}
STIFFNESS_UNIT = {"angle": "N m/rad", "length": "N/m"}
DAMPING_UNIT = {"angle": "N m s/rad", "length": "N s/m"}


class LeftOut(Exception):
    """The reason why a transformation does not apply to a model."""


def remade(word: Any, **changes: Any) -> Any:
    """Return a validated word of the same kind with some fields changed."""
    fields = {name: getattr(word, name) for name in type(word).model_fields}
    return type(word)(**(fields | changes))


def quoted(name: str) -> str:
    """Return a name as formulas read it."""
    return name if re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", name) else f"`{name}`"


def text_of(value: float) -> str:
    """Return a number as a formula reads it."""
    return f"({float(value)!r})"


def rewritten(text: str, channel: Callable[[str, str], str] | None = None, time: str = "t") -> str:
    """Return a formula whose channels and time are replaced by what `channel(name, quantity)` and `time` say."""

    def replace(match: re.Match[str]) -> str:
        if match["name"]:
            name = match["name"].strip("`")
            return channel(name, match["quantity"]) if channel else match[0]
        return f"({time})" if match["word"] == "t" else match[0]

    return TOKEN.sub(replace, text)


def channels_in(text: str) -> list[tuple[str, str]]:
    """Return the channels that a formula reads."""
    return [(m["name"].strip("`"), m["quantity"]) for m in TOKEN.finditer(text) if m["name"]]


def formulas_of(model: fl.Model) -> list[str]:
    """Return the formulas of forces, actuators and controllers of a model."""
    found = [
        part.expression
        for load in model.loads.values()
        if load.type == "force"
        for part in (*(load.force or ()), *(load.moment or ()))
        if isinstance(part, Expression)
    ]
    commands = [a.command for joint in model.joints.values() for a in joint.actuator.values()]
    found += [command.expression for command in commands if isinstance(command, Expression)]
    found += [relation_formula(one, model.joints) for one in model.relations.values()]
    return found + [str(text) for one in model.controllers.values() for _, text in one.formulas()]


def relation_formula(relation: Any, joints: Any) -> str:
    """Return a relation as a formula that stays zero."""
    if relation.formula is not None:
        return str(relation.formula)
    labels = [(coordinate_named(name, joints).rpartition("."), factor) for name, factor in relation.between.items()]
    terms = [f"{text_of(factor)}*{quoted(joint)}.{coordinate}" for (joint, _, coordinate), factor in labels]
    return " + ".join([*terms, text_of(-relation.offset)])


def sum_of(parts: Any, weights: Any, unit: str) -> Any:
    """Return the weighted sum of components of a force: numbers, tables on any times, or formulas."""
    parts = [(w, p) for w, p in zip(weights, parts) if w != 0.0]
    if any(isinstance(p, Expression) for _, p in parts):
        if any(isinstance(p, Table) for _, p in parts):
            raise LeftOut("a force has a table and a formula, whose sum is neither")
        return Expression(" + ".join(f"{text_of(w)}*({_expression(p)})" for w, p in parts))
    if any(isinstance(p, Table) for _, p in parts):
        times = sorted({t for _, p in parts if isinstance(p, Table) for t in p.times})
        return Table(times, sum(w * _on(p, times, unit) for w, p in parts))
    return float(sum(w * p for w, p in parts))


def _expression(part: Any) -> str:
    return part.expression if isinstance(part, Expression) else text_of(part)


def _on(part: Any, times: Any, unit: str) -> Any:
    if isinstance(part, Table):
        return np.interp(times, part.times, [to_si(value, unit) for value in part.values])
    return np.full(len(times), float(part))


def map_forces(load: Any, force: Any, moment: Any) -> Any:
    """Return a force load whose components are multiplied by 3x3 matrices."""
    changes = {}
    for what, matrix, unit in (("force", force, "N"), ("moment", moment, "N m")):
        given = getattr(load, what)
        if given is not None:
            changes[what] = tuple(sum_of(given, row, unit) for row in np.asarray(matrix))
    return remade(load, **changes)


def map_components(load: Any, rule: Callable[[Any, str], Any]) -> Any:
    """Return a force load with a rule applied to each component and its unit."""
    changes = {
        what: tuple(rule(part, unit) for part in getattr(load, what))
        for what, unit in (("force", "N"), ("moment", "N m"))
        if getattr(load, what) is not None
    }
    return remade(load, **changes)


def scaled_motion(motion: Any, kind: str, factor: float, time: float = 1.0) -> Any:
    """Return a motion multiplied by `factor`, in time that runs `time` times as long."""
    amounts = motion.in_si(kind)
    if isinstance(motion, Rate):
        return Rate(amounts["value"] * factor / time, start=amounts["start"] * factor)
    if isinstance(motion, Ramp):
        size = {"acceleration": amounts["acceleration"] * abs(factor) / time**2, "begin": motion.begin * time}
        return Ramp(amounts["rate"] * factor / time, start=amounts["start"] * factor, **size)
    if isinstance(motion, Sine):
        tempo = {"period": motion.period * time} if motion.period else {"frequency": motion.frequency / time}
        return Sine(amounts["amplitude"] * factor, mean=amounts["mean"] * factor, phase=motion.phase, **tempo)
    if isinstance(motion, Polynomial):
        return Polynomial([c * factor / time**n for n, c in enumerate(motion.coefficients)])
    if isinstance(motion, Table):
        values = [amount_in_si(value, kind) * factor for value in motion.values]
        return Table([t * time for t in motion.times], values)
    if isinstance(motion, Expression):
        clock = "t" if time == 1.0 else f"t/{text_of(time)}"
        return Expression(f"{text_of(factor)}*({rewritten(motion.expression, time=clock)})")
    if isinstance(motion, Controlled):
        if factor != 1.0:
            raise LeftOut("a controller's motion cannot be turned round")
        return motion
    raise TypeError(f"motion '{type(motion).__name__}' has no rule in tests/transformations/remake.py")


def scaled_joint(joint: Any, factors: dict[str, float], unit: Any = None, **changes: Any) -> Any:
    """Return a joint whose coordinates are multiplied by `factors`; with `unit` its forces and times are scaled too.

    `unit(length, mass, time)` gives the size of a unit of those powers; a factor of -1 turns a coordinate round.
    """
    one = unit or (lambda length=0, mass=0, time=0: 1.0)
    clock = one(time=1)
    found: dict[str, Any] = {field: {} for field in PER_COORDINATE}
    for name, coordinate in joint.coordinates.items():
        kind = coordinate.kind
        f = factors.get(name, 1.0)
        force = one(length=2, mass=1, time=-2) if kind == "angle" else one(length=1, mass=1, time=-2)
        size = abs(f)  # of one unit of the coordinate
        if name in joint.motion:
            found["motion"][name] = scaled_motion(joint.motion[name], kind, f, clock)
        for field, power in (("initial", 0), ("rate", 1)):
            if name in getattr(joint, field):
                amount = amount_in_si(getattr(joint, field)[name], kind, power)
                found[field][name] = amount * f / clock**power
        if name in joint.spring:
            spring = joint.spring[name]
            stiffness = to_si(spring.stiffness, STIFFNESS_UNIT[kind]) * force / size
            found["spring"][name] = JointSpring(stiffness, rest=amount_in_si(spring.rest, kind) * f)
        if name in joint.damper:
            found["damper"][name] = to_si(joint.damper[name], DAMPING_UNIT[kind]) * force * clock / size
        if name in joint.stop:
            found["stop"][name] = _stop(joint.stop[name], kind, f, force, clock)
        if name in joint.limits:
            ends = [amount_in_si(end, kind) * f for end in joint.limits[name]]
            found["limits"][name] = (min(ends), max(ends))
        if name in joint.actuator:
            found["actuator"][name] = _actuator(joint.actuator[name], kind, np.sign(f) * force, clock)
    return remade(joint, **(found | changes))


PER_COORDINATE = ("motion", "initial", "rate", "spring", "damper", "stop", "limits", "actuator")


def _stop(stop: Stop, kind: str, f: float, force: float, clock: float) -> Stop:
    ends = [None if end is None else amount_in_si(end, kind) * f for end in (stop.lower, stop.upper)]
    lower, upper = ends if f > 0 else ends[::-1]
    return Stop(
        lower=lower,
        upper=upper,
        stiffness=to_si(stop.stiffness, STIFFNESS_UNIT[kind]) * force / abs(f),
        damping=to_si(stop.damping, DAMPING_UNIT[kind]) * force * clock / abs(f),
        width=amount_in_si(stop.width, kind) * abs(f),
    )


def _actuator(given: Actuator, kind: str, force: float, clock: float) -> Actuator:
    unit = FORCE_UNIT[kind]
    if given.controller is not None and (force != 1.0 or clock != 1.0):
        raise LeftOut("what a controller gives out is not scaled")
    changes: dict[str, Any] = {}
    if given.command is not None:
        changes["command"] = scaled_command(given.command, unit, force, clock)
    if given.limit is not None:
        changes["limit"] = to_si(given.limit, unit) * abs(force)
    if given.time_constant is not None:
        changes["time_constant"] = given.time_constant * clock
    if given.frequency is not None:
        changes["frequency"] = given.frequency / clock
    return remade(given, **changes)


def scaled_command(command: Any, unit: str, factor: float, clock: float = 1.0) -> Any:
    """Return a number, a table or a formula of a force multiplied by `factor`, its table in longer time."""
    if isinstance(command, Table):
        return Table([t * clock for t in command.times], [to_si(v, unit) * factor for v in command.values])
    if isinstance(command, Expression):
        return command if factor == 1.0 else Expression(f"{text_of(factor)}*({command.expression})")
    return to_si(command, unit) * factor


def with_formulas(
    model: fl.Model, channel: Callable[[str, str], str] | None, time: str = "t", of: Any = None
) -> fl.Model:
    """Return the model whose formulas read other channels or another time; they are written for the joints `of`."""

    def rule(part: Any, unit: str = "") -> Any:
        return Expression(rewritten(part.expression, channel, time)) if isinstance(part, Expression) else part

    def signal(part: Any) -> Any:
        return rewritten(part, channel, time) if isinstance(part, str) else part

    loads = {n: map_components(load, rule) if load.type == "force" else load for n, load in model.loads.items()}
    reads = {n: load.own_formulas() for n, load in loads.items() if load.own_formulas()}
    loads |= {n: remade(loads[n], **{f: signal(one) for f, one in found.items()}) for n, found in reads.items()}
    joints, read = {}, model.joints if of is None else of
    for name, joint in model.joints.items():
        actuators = {c: remade(a, command=rule(a.command)) for c, a in joint.actuator.items()}
        joints[name] = remade(joint, actuator=actuators) if actuators else joint
    text = signal
    controllers = {name: with_signals(one, text) for name, one in model.controllers.items()}
    events = {n: remade(e, when=text(e.when)) if e.when is not None else e for n, e in model.events.items()}
    relations = {
        n: remade(r, between=None, offset=0.0, formula=rewritten(relation_formula(r, read), channel))
        for n, r in model.relations.items()
    }
    return remade(model, loads=loads, joints=joints, controllers=controllers, events=events, relations=relations)


def with_signals(controller: Any, rule: Callable[[Any], Any]) -> Any:
    """Return a controller with a rule applied to each formula or number that it reads; those of time alone as it is."""
    from transformations.kinds import CONTROLLERS  # which needs this module

    changes: dict[str, Any] = {}
    for field in (field for field, what in CONTROLLERS[controller.type].items() if what == "formula"):
        given = getattr(controller, field)
        if isinstance(given, dict):
            changes[field] = {name: rule(one) for name, one in given.items()}
        else:
            changes[field] = tuple(map(rule, given)) if isinstance(given, tuple) else rule(given)
    return remade(controller, **changes) if changes else controller
