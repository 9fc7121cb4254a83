"""Events that name what is not there, contradict one another, or come after the end of the run."""

from __future__ import annotations

from collections.abc import Iterator

from fairlead.model.checks.partial_model import GROUPS, Finding, PartialModel
from fairlead.model.events import NAMING, Event
from fairlead.model.expressions import parse
from fairlead.model.joints.base import Joint
from fairlead.model.loads.moordyn import MoorDyn
from fairlead.model.messages import did_you_mean
from fairlead.model.readable import look_up
from fairlead.model.topology import is_floating

SETTABLE = {
    "joints": ("motion", "actuator", "spring", "damper", "stop"),  # fields of each joint that an event may set
    "loads": (),  # all but what says where a load belongs
}
BELONGS = ("type", "body", "other", "function", "file")


def events(parts: PartialModel) -> Iterator[Finding]:
    """Find mistakes in the events of a model whose other parts could be read."""
    if not parts.events or any(len(getattr(parts, group)) != len(parts.names[group]) for group in GROUPS):
        return
    for name, event in parts.events.items():
        yield from _of_one(name, event, parts)
    yield from _contradictions(parts)


def _of_one(name: str, event: Event, parts: PartialModel) -> Iterator[Finding]:
    path = ("events", name)

    def reads(owner: str, quantity: str) -> int:
        look_up(owner, quantity, parts.bodies, parts.joints, parts.loads, parts.controllers or {})
        return 1

    if event.when is not None:
        try:
            parse(event.when, reads)
        except ValueError as error:
            yield Finding((*path, "when"), str(error))
    if event.at is not None and parts.end is not None and event.at > parts.end:
        yield Finding(
            (*path, "at"), f"comes after the end of the run at {parts.end:g} s, so it does not happen", "note"
        )
    for load in event.add:
        cut = [one for one in parts.events.values() if load in (*one.cut, *one.release)]
        last = 0.0 if event.at is None else event.at
        if cut and not any(one.at is not None and one.at <= last for one in cut):
            text = f"'{load}' is there from the start, since another event cuts it; cut it at 0 s to begin without it"
            yield Finding((*path, "add"), text, "note")
    for action in NAMING:
        for given in getattr(event, action):
            wrong = _wrong_name(action, given, parts)
            if wrong:
                yield Finding((*path, action), wrong)
    for given in event.set:
        wrong = wrong_place(given, parts)
        if wrong:
            yield Finding((*path, "set"), wrong)


def _wrong_name(action: str, given: str, parts: PartialModel) -> str:
    """Return why an action cannot be done to what is named, or nothing."""
    if given in parts.loads and action != "lock":
        if isinstance(parts.loads[given], MoorDyn):
            return f"load '{given}' is another program's, which events cannot cut or add"
        return ""
    if action in ("cut", "add"):
        return f"there is no load '{given}'{did_you_mean(given, parts.loads)}"
    joint, _, coordinate = given.partition(".")
    if joint not in parts.joints:
        known = [*parts.joints, *(parts.loads if action == "release" else ())]
        return f"there is no joint{' or load' if action == 'release' else ''} '{joint}'{did_you_mean(joint, known)}"
    return _wrong_coordinate(joint, coordinate, parts.joints[joint])


def _wrong_coordinate(name: str, coordinate: str, joint: Joint) -> str:
    if is_floating(joint):
        return f"joint '{name}' only says that its body floats, which cannot be locked or released"
    if not joint.coordinates:
        return f"joint '{name}' has no coordinates to lock or release"
    if coordinate and coordinate not in joint.coordinates:
        return f"joint '{name}' has no coordinate '{coordinate}'{did_you_mean(coordinate, joint.coordinates)}"
    if set(joint.ball()) & ({coordinate} if coordinate else set(joint.coordinates)):
        return f"joint '{name}' turns about three axes at once; events lock and release single turns and slides"
    return ""


def wrong_place(path: str, parts: PartialModel) -> str:
    """Return why an event cannot set what stands at a path, or nothing; what is given there is read when it happens."""
    group, _, rest = path.partition(".")
    name, _, rest = rest.partition(".")
    field = rest.partition(".")[0]
    if group not in SETTABLE or not field:
        return (
            f"'{path}' is nothing that an event can set; these are joints.NAME.motion (actuator, spring, damper, stop) "
            "and loads.NAME.FIELD"
        )
    if name not in getattr(parts, group):
        return f"there is no {GROUPS[group]} '{name}'{did_you_mean(name, getattr(parts, group))}"
    wrong = field in BELONGS if group == "loads" else field not in SETTABLE[group]
    return f"'{field}' of a {GROUPS[group]} cannot be set by an event; set {_settable(group)}" if wrong else ""


def _settable(group: str) -> str:
    return ", ".join(SETTABLE[group]) if group == "joints" else "a number or vector of the load"


def _contradictions(parts: PartialModel) -> Iterator[Finding]:
    """Find events that do and undo at once, and what is done to things that are so already."""
    released = {
        place for event in parts.events.values() for given in event.release for place in labels_of(given, parts)
    }
    held = {place for event in parts.events.values() for given in event.lock for place in labels_of(given, parts)}
    for name, event in parts.events.items():
        freed = {place for given in event.release for place in labels_of(given, parts)}
        locked = {place for given in event.lock for place in labels_of(given, parts)}
        both = sorted(freed & locked) + sorted({*event.cut, *event.release} & set(event.add))
        if both:
            yield Finding(("events", name), f"does two opposite things to '{both[0]}'; keep one")
        for place in sorted(locked - released):
            joint, _, coordinate = place.rpartition(".")
            if parts.joints[joint].role(coordinate) == "locked":
                yield Finding(("events", name, "lock"), f"'{place}' is locked already")
        for place in sorted(freed - held):
            joint, _, coordinate = place.rpartition(".")
            if parts.joints[joint].role(coordinate) == "free" and not _driven_by_event(place, parts):
                yield Finding(("events", name, "release"), f"'{place}' is free already")


def _driven_by_event(place: str, parts: PartialModel) -> bool:
    joint = place.rpartition(".")[0]
    return any(path.startswith(f"joints.{joint}.motion") for event in parts.events.values() for path in event.set)


def labels_of(given: str, parts: PartialModel) -> list[str]:
    """Return the joint coordinates that a name means: that one, or all that its joint has; none for a load."""
    joint, _, coordinate = given.partition(".")
    if joint not in parts.joints:
        return []
    names = parts.joints[joint].coordinates
    return [f"{joint}.{one}" for one in names if coordinate in ("", one)]
