"""The tree of a model as a picture: who carries whom, and which joints close loops. Places first, then drawn twice."""

from __future__ import annotations

import html
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from fairlead.model.fields import WORLD
from fairlead.model.topology import topology

if TYPE_CHECKING:
    from fairlead.model.schema import Model

WIDE, HIGH = 168, 74  # between neighbours and between a body and what it carries
BOX_WIDE, BOX_HIGH = 138, 30
LONGEST = 19  # letters of a name in a box


@dataclass
class Tree:
    """Bodies with their place, joints between them, and the joints that close loops."""

    places: dict[str, tuple[float, float]] = field(default_factory=dict)
    joints: list[tuple[str, str, str, str]] = field(default_factory=list)  # name, kind, inboard, outboard
    loops: list[tuple[str, str, str, str]] = field(default_factory=list)
    width: float = 0.0
    height: float = 0.0


def laid_out(model: Model) -> Tree:
    """Return the tree of a model, the world above where something stands on it, each body below what carries it."""
    found = topology(model)
    tree = Tree()
    carried: dict[str, list[str]] = {}
    roots: list[str] = []
    for one in found.trees:
        for body in one.bodies:
            edge = one.edges.get(body)
            if edge is None:
                roots.append(body)
                continue
            carried.setdefault(edge.inboard, []).append(body)
            tree.joints.append((edge.joint, model.joints[edge.joint].kind(), edge.inboard, body))
    for name in found.loops:
        joint = model.joints[name]
        tree.loops.append((name, joint.kind(), joint.parent, joint.child))
    ends = {end for row in (*tree.joints, *tree.loops) for end in row[2:]}
    if WORLD in ends:
        roots.insert(0, WORLD)
    column = 0.0
    for root in roots:
        column = _place(tree, carried, root, 0, column)
    tree.width = WIDE * max(column, 1.0) + (0.7 * WIDE if tree.loops else 0.0)
    tree.height = max((y for _, y in tree.places.values()), default=0.0) + HIGH
    return tree


def _place(tree: Tree, carried: dict[str, list[str]], root: str, depth: int, column: float) -> float:
    """Place a body and all that it carries from a column on; return the first column behind them."""
    waiting: list[tuple[str, int, bool]] = [(root, depth, False)]
    while waiting:  # deep chains would pass the limit of recursion
        body, level, done = waiting.pop()
        children = carried.get(body, [])
        if children and not done:
            waiting.append((body, level, True))
            waiting += [(one, level + 1, False) for one in reversed(children)]
            continue
        if children:
            x = 0.5 * (tree.places[children[0]][0] + tree.places[children[-1]][0])
        else:
            x, column = WIDE * (column + 0.5), column + 1
        tree.places[body] = (x, HIGH * (level + 0.5))
    return column


def as_svg(model: Model) -> str:
    """Return the tree as an SVG element, every name escaped."""
    tree = laid_out(model)
    about = f"Tree of {model.name}: {len(tree.joints)} joints carry bodies, {len(tree.loops)} close loops"
    wide, high = max(tree.width, 1.0), max(tree.height, 1.0)
    parts = [
        f'<svg class="tree" viewBox="0 0 {wide:g} {high:g}" width="{wide:g}" height="{high:g}" role="img" '
        f'aria-label="{html.escape(about)}">'
    ]
    for kind, rows in (("joint", tree.joints), ("loop", tree.loops)):
        for name, what, inboard, outboard in rows:
            if inboard not in tree.places or outboard not in tree.places:
                continue
            (x0, y0), (x1, y1) = tree.places[inboard], tree.places[outboard]
            path, (x, y) = _path(x0, y0, x1, y1, kind == "loop")
            title = f"<title>{html.escape(f'{name}: {what}, {inboard} to {outboard}')}</title>"
            parts.append(f'<g class="{kind}">{title}<path d="{path}"/>')
            parts.append(f'<text x="{x:g}" y="{y:g}">{html.escape(_short(name))}</text></g>')
    for body, (x, y) in tree.places.items():
        where = "world" if body == WORLD else "body"
        parts.append(
            f'<g class="{where}"><title>{html.escape(body)}</title>'
            f'<rect x="{x - BOX_WIDE / 2:g}" y="{y - BOX_HIGH / 2:g}" width="{BOX_WIDE}" height="{BOX_HIGH}" rx="7"/>'
            f'<text x="{x:g}" y="{y + 4.5:g}">{html.escape(_short(body))}</text></g>'
        )
    return "".join(parts) + "</svg>"


def _path(x0: float, y0: float, x1: float, y1: float, loop: bool) -> tuple[str, tuple[float, float]]:
    """Return the path from one body to another and where its name stands."""
    if not loop:
        top, bottom = y0 + BOX_HIGH / 2, y1 - BOX_HIGH / 2
        middle = 0.5 * (top + bottom)
        return f"M{x0:g} {top:g}C{x0:g} {middle:g} {x1:g} {middle:g} {x1:g} {bottom:g}", (x1, bottom - 7)
    (a, b), aside = sides(x0, x1)
    return f"M{a:g} {y0:g}C{aside:g} {y0:g} {aside:g} {y1:g} {b:g} {y1:g}", (
        0.25 * 0.5 * (a + b) + 0.75 * aside,
        0.5 * (y0 + y1),
    )


def sides(x0: float, x1: float) -> tuple[tuple[float, float], float]:
    """Return where the path of a loop leaves two boxes on their right, and how far it bends to the side."""
    return (x0 + BOX_WIDE / 2, x1 + BOX_WIDE / 2), max(x0, x1) + 1.05 * WIDE


def _short(name: str) -> str:
    return name if len(name) <= LONGEST else name[: LONGEST - 1] + "…"
