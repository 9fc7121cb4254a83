"""Which body is the platform and which joints are tower top, spin and pitch: by structure, or by name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from fairlead.errors import InvalidInput

WORLD = "world"


@dataclass(frozen=True)
class Held:
    """A joint seen from the body that carries: its row in the record, that body, and what is carried."""

    row: int
    name: str
    inboard: str
    outboard: str
    forward: bool  # the joint's parent is the inboard body


@dataclass(frozen=True)
class Machine:
    """The parts of a turbine that a record has."""

    platform: str
    tower_top: Held | None
    spin: Held | None
    blades: tuple[Held, ...]


def find_machine(data: Any, platform: str | None, tower_top: Any, spin: Any, blades: Any) -> Machine:
    """Return the parts; None looks by structure, False leaves a part out, a name is taken as it is."""
    base = _platform(data, platform)
    top = _one(data, base, tower_top, "tower_top", None)
    if tower_top is None and top is not None:
        top = _past_tower(data, top)
    turning = _one(data, top.outboard if top else None, spin, "spin", top)
    return Machine(base, top, turning, _blades(data, turning, blades))


def _platform(data: Any, platform: str | None) -> str:
    bodies = [str(name) for name in data["body"].values]
    if platform is not None:
        if platform not in bodies:
            raise InvalidInput(f"there is no body '{platform}' to be the platform; bodies are {_listed(bodies)}.")
        return platform
    carried = {outer for _, inner, outer in _rows(data) if WORLD not in (inner, outer)}
    roots = [body for body in bodies if body not in carried]
    if len(roots) != 1:
        roots = roots or bodies
        raise InvalidInput(f"the platform could be any of {_listed(roots)}; say which with platform='{roots[0]}'.")
    return roots[0]


def _one(data: Any, body: str | None, given: Any, word: str, inner: Held | None) -> Held | None:
    """Return the one joint that carries what is outboard of a body, or the one named."""
    if given is False:
        return None
    if given is not None:
        return _named(data, str(given), word, body)
    found = _outboard(data, body, inner) if body is not None else []
    if len(found) > 1:
        names = _listed(held.name for held in found)
        raise InvalidInput(
            f"joints {names} all join '{body}'; say which with {word}='{found[0].name}', or {word}=False for none."
        )
    return found[0] if found else None


def _past_tower(data: Any, top: Held) -> Held:
    """Return the joint on top of a tower of several bodies: fixed joints lead up to it.

    A joint with a nearly vertical axis above them is the yaw bearing; a shaft leaves it to the last fixed one.
    """
    while _kind(data, top) == "fixed":
        above = _outboard(data, top.outboard, top)
        if len(above) != 1 or not (_kind(data, above[0]) == "fixed" or _upright(data, above[0])):
            break
        top = above[0]
    return top


def _kind(data: Any, held: Held) -> str:
    return str(data["joint_type"].values[held.row]) if "joint_type" in data.variables else ""


def _upright(data: Any, held: Held) -> bool:
    """Return whether a joint turns about an axis that is nearly vertical in the drawing."""
    if f"{held.name}.angle" not in data["coordinate"].values or "drawn_frame" not in data.variables:
        return False
    parent = held.inboard if held.forward else held.outboard
    axis = data["drawn_frame"].sel(body=parent).values @ data["joint_parent_frame"].values[held.row, :, 2]
    return bool(abs(axis[2]) > 0.5)


def _blades(data: Any, spin: Held | None, given: Any) -> tuple[Held, ...]:
    if given is None:
        return tuple(_outboard(data, spin.outboard, spin)) if spin else ()
    names: Sequence[Any] = () if given is False else (given,) if isinstance(given, str) else tuple(given)
    return tuple(_named(data, str(name), "blades", spin.outboard if spin else None) for name in names)


def _named(data: Any, name: str, word: str, inner: str | None) -> Held:
    """Return a joint by its name; the carrying body is `inner` where the joint touches it, else the joint's parent."""
    for row, (label, parent, child) in enumerate(_rows(data)):
        if label == name:
            if WORLD in (parent, child):
                raise InvalidInput(f"{word}='{name}' holds a body to the world; name a joint between two bodies.")
            forward = child != inner
            return Held(row, name, *((parent, child) if forward else (child, parent)), forward)
    raise InvalidInput(
        f"there is no joint '{name}' for {word}; joints are {_listed(n for n, _, _ in _rows(data)) or 'none'}."
    )


def _outboard(data: Any, body: str, inner: Held | None) -> list[Held]:
    """Return the joints of a body but the one that carries it and those to the world."""
    found = []
    for row, (name, parent, child) in enumerate(_rows(data)):
        if body in (parent, child) and WORLD not in (parent, child) and (inner is None or row != inner.row):
            forward = parent == body
            found.append(Held(row, name, body, child if forward else parent, forward))
    return found


def _rows(data: Any) -> list[tuple[str, str, str]]:
    if "joint_parent" not in data.variables:
        return []
    labels = (data[name].values for name in ("joint", "joint_parent", "joint_child"))
    return [(str(name), str(parent), str(child)) for name, parent, child in zip(*labels)]


def _listed(names: Any) -> str:
    return ", ".join(f"'{name}'" for name in names)
