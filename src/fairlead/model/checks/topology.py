"""Checks of names and connections: who is joined to whom, and what stands alone."""

from __future__ import annotations

from collections.abc import Iterator

from fairlead.model.checks.partial_model import GROUPS, Finding, PartialModel
from fairlead.model.fields import WORLD
from fairlead.model.messages import nearest

MOST_LISTED = 50
MOST_HINTS = 20  # finding near names costs time, and no more problems than this are shown


def names(parts: PartialModel) -> Iterator[Finding]:
    """Find names that are taken already, capitals not counting."""
    taken: dict[str, tuple[str, str]] = {}
    for group in GROUPS:
        for name in parts.names[group]:
            folded = name.casefold()
            if folded == WORLD:
                yield Finding((group, name), f"'{name}' is the reserved name of the ground; choose another name")
            elif folded in taken:
                first, other = taken[folded]
                known = f"'{other}' is already the name of a {GROUPS[first]}"
                yield Finding(
                    (group, name), f"{known} and capitals do not count; choose another name", also=(first, other)
                )
            else:
                taken[folded] = (group, name)


def references(parts: PartialModel) -> Iterator[Finding]:
    """Find bodies that are named but do not exist."""
    bodies = parts.names["bodies"]
    with_world = [*bodies, WORLD]
    wanted = [
        (("joints", joint, end), name, with_world) for joint, ends in parts.ends.items() for end, name in ends.items()
    ]
    for load, ends in parts.acts_on.items():
        wanted += [(("loads", load, end), name, with_world if end == "other" else bodies) for end, name in ends.items()]
    if parts.base is not None:
        wanted.append((("base",), parts.base, bodies))  # type: ignore[arg-type]
    hints = 0
    known_to = {id(bodies): set(bodies), id(with_world): set(with_world)}
    for path, name, known in wanted:
        if name in known_to[id(known)]:
            continue
        if name == WORLD:
            yield Finding(path, "the world cannot stand here; name a body")
            continue
        close = nearest(name, known, most=3, cutoff=0.0) if hints < MOST_HINTS else []
        hints += 1
        yield Finding(
            path, f"no body is called '{name}'" + (f"; the nearest names are {', '.join(close)}" if close else "")
        )


def ends(parts: PartialModel) -> Iterator[Finding]:
    """Find joints whose two ends cannot be what they are."""
    for name, pair in parts.ends.items():
        parent, child = pair.get("parent"), pair.get("child")
        joint = parts.joints.get(name)
        if parent == child == WORLD:
            yield Finding(("joints", name), "both of its ends are the world; at least one must be a body")
        elif parent is not None and parent == child:
            yield Finding(("joints", name, "child"), f"joins '{parent}' with itself; name another body")
        elif joint is not None and joint.type == "ground" and parent != WORLD:  # type: ignore[attr-defined]
            yield Finding(("joints", name, "parent"), f"the parent of a ground joint is the world; got '{parent}'")
        elif joint is not None and joint.type == "ground" and child == WORLD:  # type: ignore[attr-defined]
            yield Finding(("joints", name, "child"), "the child of a ground joint is the body it holds; got the world")


def islands(parts: PartialModel) -> Iterator[Finding]:
    """Find groups of bodies that no joint connects with the rest; they are allowed and worth knowing."""
    groups = components(parts)
    held = [group for group in groups if WORLD in group]
    main = held[0] if held else next((group for group in groups if parts.base in group), groups[0] if groups else [])
    for group in groups:
        if group is main:
            continue
        one = len(group) == 1
        yield Finding(
            ("bodies", group[0]),
            f"no joint connects {listed(group)} with the rest; {'it is' if one else 'they are'} a free system of "
            f"{'its' if one else 'their'} own",
            "note",
        )


def velocities(parts: PartialModel) -> Iterator[Finding]:
    """Find drawn velocities of a body that starts with the rates of a free joint; the others count as joints allow."""
    for name, joint in parts.joints.items():
        ends = [end for end in (joint.parent, joint.child) if end in parts.bodies]
        if joint.leaves_all() and joint.rate and WORLD in (joint.parent, joint.child) and ends:
            for field in ("velocity", "angular_velocity"):
                if any(getattr(parts.bodies[ends[0]], field)):
                    text = f"has no effect: the body starts with the rate of joint '{name}'"
                    yield Finding(("bodies", ends[0], field), text, "warning")


def components(parts: PartialModel) -> list[list[str]]:
    """Return the groups of bodies (and the world) that joints connect, in file order; never the world alone."""
    near = parts.neighbours()
    order = {name: row for row, name in enumerate(near)}
    seen: set[str] = set()
    found = []
    for start in (WORLD, *parts.names["bodies"]):
        if start in seen:
            continue
        group, waiting = {start}, [start]
        while waiting:
            fresh = {other for _, other in near[waiting.pop()]} - group
            group |= fresh
            waiting += fresh
        seen |= group
        found.append(sorted(group, key=order.__getitem__))
    return [group for group in found if group != [WORLD]]


def listed(names: list[str]) -> str:
    """Return names for a sentence, all of them unless they are very many."""
    more = f" and {len(names) - MOST_LISTED} more" if len(names) > MOST_LISTED else ""
    return ", ".join(f"'{name}'" for name in names[:MOST_LISTED]) + more


def root_of(parts: PartialModel, group: list[str]) -> str:
    """Return the base of a free group: the named one, or its first body."""
    return str(parts.base) if parts.base in group else group[0]
