"""The doings of events so far, and the model as it is then: everything a resumed run needs to build it anew."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from fairlead.errors import InvalidInput, Problem
from fairlead.model.events import Event
from fairlead.model.joints.base import FORCES, PER_COORDINATE, Joint
from fairlead.model.schema import Model


@dataclass(frozen=True)
class Situation:
    """The differences from the model that events made: plain data, so that a checkpoint can hold them."""

    held: Mapping[str, float | None] = field(default_factory=dict)  # coordinate -> where it is locked; None: free
    off: tuple[str, ...] = ()  # loads that are not there
    values: Mapping[str, Any] = field(default_factory=dict)  # values set, by path
    done: tuple[str, ...] = ()  # events that do not happen any more

    def plain(self) -> dict[str, Any]:
        """Return it as JSON can hold it."""
        return asdict(self)

    @classmethod
    def of(cls, plain: Mapping[str, Any]) -> Situation:
        """Return what `plain()` gave."""
        return cls(plain["held"], tuple(plain["off"]), plain["values"], tuple(plain["done"]))


def at_start(model: Model) -> Situation:
    """Return what holds before the first event: loads that events add, and none cuts, are not there yet."""
    added = {load for event in model.events.values() for load in event.add}
    cut = {load for event in model.events.values() for load in (*event.cut, *event.release)}
    return Situation(off=tuple(name for name in model.loads if name in added - cut))


def after(situation: Situation, name: str, event: Event, model: Model, places: Mapping[str, float]) -> Situation:
    """Return what holds after an event; `places` are the joint coordinates where it happens."""
    held, off = dict(situation.held), set(situation.off)
    off = (off | ({*event.cut, *event.release} & set(model.loads))) - set(event.add)
    held |= {label: None for given in event.release for label in coordinates_of(given, model)}
    held |= {label: places[label] for given in event.lock for label in coordinates_of(given, model)}
    done = situation.done if event.again else (*situation.done, name)
    values = {**situation.values, **event.set}
    return replace(
        situation, held=held, off=tuple(load for load in model.loads if load in off), values=values, done=done
    )


def event_problems(model: Model) -> list[Problem]:
    """Return what is wrong with the models that single events make, such as values that a field does not take.

    A step is taken again to find an event, and controllers go on in another system: what they remember must be known.
    """
    places = {f"{name}.{one}": 0.0 for name, joint in model.joints.items() for one in joint.coordinates}
    problems = []
    for name, event in model.events.items():
        try:
            variant(model, after(at_start(model), name, event, model, places))
        except InvalidInput as error:
            problems += [Problem(f"{one.path} {one.message}", f"events.{name}") for one in error.problems]
    for name, word in model.controllers.items():
        if model.events and (said := word.unsaved()):
            text = f"{said}, which events need; leave them out, or let it be one whose memory is known"
            problems.append(Problem(text, f"controllers.{name}"))
    return problems


def coordinates_of(given: str, model: Model) -> list[str]:
    """Return the joint coordinates that an event names: one, or all of a joint; none where it names a load."""
    joint, _, coordinate = given.partition(".")
    names = model.joints[joint].coordinates if joint in model.joints else ()
    return [f"{joint}.{one}" for one in names if coordinate in ("", one)]


def variant(model: Model, situation: Situation) -> Model:
    """Return the model as it is in a situation; of its events only the formulas that are still waited for are left.

    Loads that are not there stay in it: they are switched off where it is compiled, so that every record is alike.
    """
    waiting = {
        name: {"when": event.when, "stop": True}
        for name, event in model.events.items()
        if event.when is not None and name not in situation.done
    }
    model = model.with_({**situation.values, **_made_way(situation.values, model), "events": waiting or None})
    joints: dict[str, dict[str, float | None]] = {}
    for label, place in situation.held.items():
        name, _, coordinate = label.rpartition(".")
        joints.setdefault(name, {})[coordinate] = place
    return model.with_({f"joints.{name}": _held(model.joints[name], places) for name, places in joints.items()})


def _made_way(values: Mapping[str, Any], model: Model) -> dict[str, Any]:
    """Return changes that take from coordinates, which set motions drive, what acted on them while they were free."""
    changes: dict[str, Any] = {}
    for path, value in values.items():
        group, name, field, *rest = (*path.split("."), "", "")
        if group != "joints" or field != "motion":
            continue
        joint = model.joints[name]
        several = value if isinstance(value, Mapping) and set(value) <= set(joint.coordinates) else joint.coordinates
        driven = [rest[0]] if rest[0] in joint.coordinates else list(several)
        for what in ("rate", "initial", *FORCES):
            given = changes.get(f"joints.{name}.{what}", getattr(joint, what)) or {}
            left = {one: item for one, item in given.items() if one not in driven}
            if len(left) < len(given):
                changes[f"joints.{name}.{what}"] = left or None
    return changes


def _held(joint: Joint, places: Mapping[str, float | None]) -> Joint:
    """Return a joint with some coordinates locked at a place, or free where that is None."""
    fields: dict[str, Any] = {name: dict(getattr(joint, name)) for name in PER_COORDINATE}
    locked = [name for name in joint.locked if name not in places]
    for coordinate, place in places.items():
        fields["motion"].pop(coordinate, None)
        if place is not None:
            locked.append(coordinate)
            fields["initial"][coordinate] = place
            for name in ("rate", *FORCES):  # without effect on what is locked
                fields[name].pop(coordinate, None)
    given = {name: getattr(joint, name) for name in type(joint)._positional()}
    return type(joint)(**(given | fields | {"locked": tuple(locked)}))
