"""A model at a glance, as text and as HTML for notebooks: bodies on their joints, loads, environment, run."""

from __future__ import annotations

import html
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from fairlead.model.descriptions import unit_of
from fairlead.model.events import Event
from fairlead.model.fields import WORLD, SchemaModel
from fairlead.model.joints.base import Joint
from fairlead.model.shown import typed
from fairlead.model.topology import Tree, topology

if TYPE_CHECKING:
    from fairlead.model.schema import Model

BODIES, NAMES = 12, 6  # how many are shown; the rest is counted


class Row(NamedTuple):
    """A body, how deep it hangs in its tree, and the joint that it hangs on."""

    depth: int
    body: str
    mass: str
    joint: str


def as_text(model: Model) -> str:
    """Return a model at a glance in a few lines of text, however many bodies it has."""
    rows, left = _cut(list(_rows(model)), BODIES)
    wide = max((2 * row.depth + len(row.body) for row in rows), default=0)
    heavy = max((len(row.mass) for row in rows), default=0)
    lines = [f"Model '{model.name}': {_counts(model)}"]
    for row in rows:
        name = "  " * row.depth + row.body
        lines.append(f"  {name:{wide}}  {row.mass:>{heavy}}  {row.joint}")
    if left:
        lines.append(f"  ... and {left} more bodies")
    return "\n".join(lines + [f"  {name}: {text}" for name, text in _rest(model)])


def as_html(model: Model) -> str:
    """Return a model at a glance as a small table for notebooks, every name escaped."""
    rows, left = _cut(list(_rows(model)), BODIES)
    lines = [f"<b>{html.escape(model.name)}</b>: {html.escape(_counts(model))}", "<table>"]
    lines.append("<tr><th>body</th><th>mass</th><th>joint</th></tr>")
    for row in rows:
        name = f'<td style="text-align:left;padding-left:{row.depth + 0.5:g}em">{html.escape(row.body)}</td>'
        joint = f'<td style="text-align:left">{html.escape(row.joint)}</td>'
        lines.append(f"<tr>{name}<td>{html.escape(row.mass)}</td>{joint}</tr>")
    if left:
        lines.append(f"<tr><td>... and {left} more bodies</td><td></td><td></td></tr>")
    lines.append("</table>")
    return "\n".join(lines + [f"{html.escape(name)}: {html.escape(text)}<br>" for name, text in _rest(model)])


def _counts(model: Model) -> str:
    found = [(len(model.bodies), "bod", "y", "ies"), (len(model.joints), "joint", "", "s")]
    found.append((len(model.loads), "load", "", "s"))
    return ", ".join(f"{count} {word}{one if count == 1 else many}" for count, word, one, many in found if count)


def _cut(items: list[Any], most: int) -> tuple[list[Any], int]:
    """Return the items that are shown and how many are left; one line is never left to say that one is."""
    return (items, 0) if len(items) <= most + 1 else (items[:most], len(items) - most)


def _rows(model: Model) -> Iterator[Row]:
    """Give the bodies, each below the one that carries it."""
    found = topology(model)
    floats = {_end(model.joints[name]): name for name in found.floating}
    for tree in found.trees:
        for body, depth in _outward(tree):
            edge = tree.edges.get(body)
            joint = edge.joint if edge else floats.get(body)
            on = " on the world" if edge and edge.inboard == WORLD else ""
            text = "floats" if joint is None else f"{joint}: {_joint(model.joints[joint])}{on}"
            mass = getattr(model.bodies.get(body), "mass", None)
            yield Row(depth, body, "?" if mass is None else f"{_number(mass)} kg", text)


def _outward(tree: Tree) -> list[tuple[str, int]]:
    """Return the bodies of a tree with their depth, each followed by all that it carries."""
    carried: dict[str, list[str]] = {}
    for body, edge in tree.edges.items():
        carried.setdefault(edge.inboard, []).append(body)
    waiting, found = [(tree.root, 0)], []
    while waiting:
        body, depth = waiting.pop()
        found.append((body, depth))
        waiting += [(one, depth + 1) for one in reversed(carried.get(body, []))]
    return found


def _end(joint: Joint) -> str:
    return joint.child if joint.parent == WORLD else joint.parent


def _joint(joint: Joint) -> str:
    """Return the kind of a joint and what its coordinates are: "universal (angle1 free, angle2 driven)"."""
    roles: dict[str, list[str]] = {}
    for name in joint.coordinates:
        roles.setdefault(joint.role(name), []).append(name)
    kind = str(getattr(joint, "type", "joint"))
    said = ", ".join(" ".join([*names, role]) for role, names in roles.items())
    return f"{kind} ({said})" if said else kind


def _rest(model: Model) -> Iterator[tuple[str, str]]:
    """Give what there is besides the trees, by its name."""
    loops = [f"{name}: {_joint(joint)} {joint.parent} - {joint.child}" for name, joint in _loops(model)]
    if loops:
        yield "loops", _listed(loops, "; ")
    for what in ("loads", "controllers"):
        kinds: dict[str, list[str]] = {}
        for name, word in getattr(model, what).items():
            kinds.setdefault(str(getattr(word, "type", "?")), []).append(name)
        if kinds:
            yield what, "; ".join(f"{_listed(names)} ({kind})" for kind, names in kinds.items())
    if model.events:
        yield "events", _listed([f"{name} ({_moment(event)})" for name, event in model.events.items()])
    if model.partners:
        yield (
            "partners",
            _listed([f"{name} ({partner.step} step, on {partner.body})" for name, partner in model.partners.items()]),
        )
    yield "gravity", f"{', '.join(_number(item) for item in model.gravity)} m/s**2"
    for what in ("environment", "run"):
        word = getattr(model, what)
        if word is not None:
            yield what, ", ".join(_fields(word)) or "as usual"


def _moment(event: Event) -> str:
    return f"when {event.when}" if event.at is None else f"at {event.at:g} s"


def _loops(model: Model) -> list[tuple[str, Joint]]:
    return [(name, model.joints[name]) for name in topology(model).loops]


def _fields(word: SchemaModel) -> Iterator[str]:
    """Give what was set in a word: its numbers with units, of other words their kind."""
    for name, shown in word.__repr_args__():
        value, unit = getattr(shown, "value", shown), unit_of(type(word).model_fields[str(name)])
        if isinstance(value, SchemaModel):
            yield f"{name} {getattr(value, 'type', typed(value))}"
        else:
            yield f"{name} {_number(value)}{' ' + unit if unit else ''}"


def _number(value: Any) -> str:
    return f"{value:g}" if isinstance(value, int | float) and not isinstance(value, bool) else str(value)


def _listed(names: list[str], between: str = ", ") -> str:
    shown, left = _cut(names, NAMES)
    return between.join(shown) + (f"{between}... and {left} more" if left else "")
