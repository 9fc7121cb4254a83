"""Formulas that cannot be read, and coordinates that start outside of their stops or limits."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fairlead.model.channel_table import ChannelTable, points_in_si
from fairlead.model.checks.partial_model import GROUPS, Finding, PartialModel, Path
from fairlead.model.expressions import Resolve, parse, time_only
from fairlead.model.joints.base import Joint
from fairlead.model.joints.forces import FORCE
from fairlead.model.loads.forces import Force
from fairlead.model.motions import Expression, amount_in_si
from fairlead.model.readable import channel_unit, look_up


def formulas(parts: PartialModel) -> Iterator[Finding]:
    """Find mistakes in the formulas of motions, actuators, forces and controllers."""
    whole = all(len(getattr(parts, group)) == len(parts.names[group]) for group in GROUPS)

    def reads(name: str, quantity: str) -> int:
        if whole and parts.controllers is not None:  # else what is read may be a part that could not be read
            look_up(name, quantity, parts.bodies, parts.joints, parts.loads, parts.controllers)
        return 1

    for name, joint in parts.joints.items():
        for coordinate in joint.coordinates:
            moved, driven = joint.motion.get(coordinate), joint.actuator.get(coordinate)
            yield from _wrong_in(moved, time_only, ("joints", name, *place_of_coordinate(joint, "motion", coordinate)))
            if driven is not None:
                path: Path = ("joints", name, *place_of_coordinate(joint, "actuator", coordinate), "command")
                yield from _wrong_in(driven.command, reads, path)
                if whole:
                    unit = FORCE[joint.coordinates[coordinate].kind]
                    yield from _wrong_points(driven.command, parts, unit, path)
    for name, load in parts.loads.items():
        if isinstance(load, Force):
            for what in ("force", "moment"):
                for row, item in enumerate(getattr(load, what) or ()):
                    yield from _wrong_in(item, reads, ("loads", name, what, row))
                    if whole:
                        unit = "N" if what == "force" else "N m"
                        yield from _wrong_points(item, parts, unit, ("loads", name, what, row))
    for name, load in parts.loads.items():
        for field, formula in load.own_formulas().items():
            if isinstance(formula, str):
                yield from _wrong_text(formula, reads, ("loads", name, field))
    for name, controller in (parts.controllers or {}).items():
        for place, formula in controller.formulas():
            if isinstance(formula, str):
                yield from _wrong_text(formula, reads, ("controllers", name, *place))


def _wrong_in(given: Any, resolve: Resolve, path: Path) -> Iterator[Finding]:
    if isinstance(given, Expression):
        yield from _wrong_text(given.expression, resolve, path)


def _wrong_points(given: Any, parts: PartialModel, unit: str, path: Path) -> Iterator[Finding]:
    """Find mistakes in a table of a channel; `unit` is that of its values."""
    if not isinstance(given, ChannelTable):
        return
    at = "of"
    try:
        channel = channel_unit(given, parts)
        at = "points"
        points_in_si(given, channel, unit)
    except ValueError as error:
        yield Finding((*path, at), str(error))


def _wrong_text(text: str, resolve: Resolve, path: Path) -> Iterator[Finding]:
    try:
        parse(text, resolve)
    except ValueError as error:
        yield Finding(path, str(error))


def place_of_coordinate(joint: Joint, field: str, coordinate: str) -> tuple[str, ...]:
    """Return where a field of a coordinate stands in its joint."""
    return (field,) if len(joint.coordinates) == 1 else (field, coordinate)


def starts(parts: PartialModel) -> Iterator[Finding]:
    """Find free coordinates that start beyond a stop, which then pushes at once, or outside of their limits."""
    for name, joint in parts.joints.items():
        for coordinate, one in joint.coordinates.items():
            kind = one.kind
            if joint.role(coordinate) == "driven" or joint.by_bodies:
                continue
            start = amount_in_si(joint.initial.get(coordinate, 0.0), kind)
            for field, what, ends in _ranges(joint, coordinate):
                lower, upper = (None if end is None else amount_in_si(end, kind) for end in ends)
                if (lower is not None and start < lower) or (upper is not None and start > upper):
                    shown = f"{'' if lower is None else f'{lower:g}'} to {'' if upper is None else f'{upper:g}'}"
                    message = f"'{coordinate}' starts at {start:g}, {what} ({shown.strip()}); give an 'initial' inside"
                    yield Finding(("joints", name, *place_of_coordinate(joint, field, coordinate)), message, "note")


def _ranges(joint: Joint, coordinate: str) -> Iterator[tuple[str, str, Any]]:
    if coordinate in joint.stop:
        stop = joint.stop[coordinate]
        yield "stop", "beyond its stop, which pushes at once", (stop.lower, stop.upper)
    if coordinate in joint.limits:
        yield "limits", "outside of its limits", joint.limits[coordinate]
