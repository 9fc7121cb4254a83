"""Checks of feedback: that controllers exist and are used, have an order, and fit what they command."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from fairlead.model.checks.formulas import place_of_coordinate
from fairlead.model.checks.partial_model import GROUPS, Finding, PartialModel, Path
from fairlead.model.controllers.base import channels_of, evaluation_order, output_of
from fairlead.model.loads.forces import Force
from fairlead.model.loads.generator import AFTER_CONTROL, Generator
from fairlead.model.loads.rotor_table import Rotor
from fairlead.model.motions import Controlled, Expression


def feedback(parts: PartialModel) -> Iterator[Finding]:
    """Find mistakes in how controllers are named, used and ordered."""
    if parts.controllers is None:
        return
    yield from _names(parts, parts.controllers)
    yield from _actuators(parts, parts.controllers)
    yield from _motions(parts, parts.controllers)
    _, circle = evaluation_order(parts.controllers)
    if circle:
        way = " reads ".join(f"'{name}'" for name in [*circle, circle[0]])
        text = f"{way} at the same instant, so that none comes first; give one of them a period, or a state in between"
        yield Finding(("controllers", circle[0]), text)
    yield from _read_too_early(parts)
    whole = all(len(getattr(parts, group)) == len(parts.names[group]) for group in GROUPS)
    if whole:
        used = _used(parts, parts.controllers)
        for name in parts.controllers:
            if name not in used:
                text = (
                    "is used nowhere: no motion or actuator names it and no formula reads it; use it, or leave it out"
                )
                yield Finding(("controllers", name), text, "warning")


def _read_too_early(parts: PartialModel) -> Iterator[Finding]:
    """Find controllers and loads that read what a load knows only after them."""
    controllers = parts.controllers or {}
    late = {
        (name, quantity)
        for name, load in parts.loads.items()
        if isinstance(load, Rotor) and load.comes_late(controllers)
        for quantity in load.after_control
    }
    late |= {(name, one) for name, load in parts.loads.items() if isinstance(load, Generator) for one in AFTER_CONTROL}
    readers: list[tuple[Path, Any]] = [
        (("controllers", name, *place), formula)
        for name, one in controllers.items()
        for place, formula in one.formulas()
    ]
    readers += [
        (("loads", name, field), formula)
        for name, load in parts.loads.items()
        for field, formula in load.own_formulas().items()
    ]
    for path, formula in readers:
        for name, quantity in sorted(channels_of(formula) & late):
            text = f"reads {name}.{quantity}, which is known only after the controllers at the same instant; "
            yield Finding(path, text + "read what it is made of: speeds, angles, the wind, or a controller's output")


def _names(parts: PartialModel, controllers: Mapping[str, Any]) -> Iterator[Finding]:
    """Find controllers whose outputs cannot be told from channels of something else of that name."""
    taken = {name.casefold(): (group, name) for group in GROUPS for name in parts.names[group]} | {
        "world": ("bodies", "world")
    }
    for name, one in controllers.items():
        if one.outputs() and name.casefold() in taken:
            group, other = taken[name.casefold()]
            text = f"'{other}' is already the name of a {GROUPS[group]} and formulas read both; choose another name"
            yield Finding(("controllers", name), text)


def _actuators(parts: PartialModel, controllers: Mapping[str, Any]) -> Iterator[Finding]:
    for name, joint in parts.joints.items():
        for coordinate, actuator in joint.actuator.items():
            if actuator.controller is not None:
                path: Path = ("joints", name, *place_of_coordinate(joint, "actuator", coordinate), "controller")
                yield from _no_output(actuator.controller, controllers, path)


def _no_output(text: str, controllers: Mapping[str, Any], path: Path) -> Iterator[Finding]:
    try:
        output_of(text, controllers)
    except ValueError as error:
        yield Finding(path, str(error))


def _motions(parts: PartialModel, controllers: Mapping[str, Any]) -> Iterator[Finding]:
    """Find commanded motions that do not say how they follow, or say what has no effect."""
    for name, joint in parts.joints.items():
        for coordinate, motion in joint.motion.items():
            control = controllers.get(motion.controller.partition(".")[0]) if isinstance(motion, Controlled) else None
            if not isinstance(motion, Controlled) or control is None:
                continue  # an unknown one is told by the checks of planned motions
            path: Path = ("joints", name, *place_of_coordinate(joint, "motion", coordinate))
            if not control.outputs():
                for field in motion.asked():
                    text = f"has no effect: '{motion.controller}' plans the whole motion; leave it out"
                    yield Finding((*path, field), text)
                continue
            yield from _no_output(motion.controller, controllers, (*path, "controller"))
            yield from (Finding((*path, field), text) for field, text in _following(motion))


def _following(motion: Controlled) -> Iterator[tuple[str, str]]:
    """Give what is missing or has no effect in how a coordinate follows its command."""
    follows, asked = motion.follows, motion.asked()
    if follows == "position" and motion.frequency is None:
        yield (
            "frequency",
            "is required: the natural frequency with which the position is followed, e.g. frequency: 1 Hz",
        )
    if follows == "rate" and motion.time_constant is None:
        yield "time_constant", "is required: the time in which the rate is followed, e.g. time_constant: 0.1 s"
    bounded = motion.limits is not None or motion.rate_limit is not None
    if follows == "acceleration" and bounded and motion.time_constant is None:
        yield "time_constant", "is required with limits of position or rate: the time in which they are met"
    if follows == "acceleration" and not bounded and motion.time_constant is not None:
        yield "time_constant", "has no effect where an acceleration is commanded without limits; leave it out"
    if follows == "position" and motion.time_constant is not None:
        yield "time_constant", "has no effect where a position is commanded; give frequency and damping_ratio alone"
    for field in ("frequency", "damping_ratio"):
        if follows != "position" and field in asked:
            yield field, f"has no effect where the {follows} is commanded; leave it out"


def _used(parts: PartialModel, controllers: Mapping[str, Any]) -> set[str]:
    """Return the controllers that something names or reads, but for themselves."""
    used: set[str] = set()
    texts: list[tuple[str, Any]] = []
    texts_of_loads: list[tuple[str, Any]] = []
    for joint in parts.joints.values():
        used |= {m.controller.partition(".")[0] for m in joint.motion.values() if isinstance(m, Controlled)}
        used |= {a.controller.partition(".")[0] for a in joint.actuator.values() if a.controller is not None}
        texts += [("", a.command) for a in joint.actuator.values()]
    for load in parts.loads.values():
        if isinstance(load, Force):
            texts += [("", item) for item in (*(load.force or ()), *(load.moment or ()))]
        texts_of_loads += [("", formula) for formula in load.own_formulas().values()]
    formulas = [(owner, item.expression) for owner, item in texts if isinstance(item, Expression)]
    formulas += [(name, text) for name, one in controllers.items() for _, text in one.formulas()]
    for owner, text in formulas + texts_of_loads:
        used |= {name for name, _ in channels_of(text) if name != owner}
    return used
