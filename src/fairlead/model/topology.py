"""Trees and loops: how joints grow outward from the world or a base, in file order."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from fairlead.model.fields import WORLD
from fairlead.model.joints.base import FORCES, Joint

if TYPE_CHECKING:
    from fairlead.model.schema import Model


@dataclass(frozen=True)
class Edge:
    """A joint as the tree uses it: from `inboard` to `outboard`, flipped where that is against its own direction."""

    joint: str
    inboard: str
    outboard: str
    flipped: bool


@dataclass
class Tree:
    """Bodies in outward order; `root` has no edge if it floats freely."""

    root: str
    rooted: bool
    bodies: list[str] = field(default_factory=list)
    edges: dict[str, Edge] = field(default_factory=dict)  # by outboard body


@dataclass(frozen=True)
class Topology:
    """The trees of a model, the joints that close loops, and free joints that only say a base floats."""

    trees: tuple[Tree, ...]
    loops: tuple[str, ...]
    floating: tuple[str, ...]


def is_floating(joint: Joint) -> bool:
    """Return whether a joint only says that its body floats: free to the world, its coordinates asked nothing."""
    to_world = WORLD in (joint.parent, joint.child)
    asked = any(getattr(joint, field) for field in ("motion", "locked", "limits", *FORCES))
    return joint.leaves_all() and to_world and not asked


def topology(model: Model) -> Topology:
    """Return how the joints of a model grow its trees."""
    floating = tuple(name for name, joint in model.joints.items() if is_floating(joint))
    waiting = [name for name in model.joints if name not in floating]
    home: dict[str, Tree] = {}
    trees: list[Tree] = []
    bases = [name for name in ([model.base] if model.base else []) if name in model.bodies]
    bases += [
        joint.child if joint.parent == WORLD else joint.parent for n, joint in model.joints.items() if n in floating
    ]
    bases += list(model.bodies)
    joints = model.joints
    while True:
        waiting = _grow(joints, waiting, home, trees)
        base = next((name for name in bases if name not in home), None)
        if base is None:
            break
        trees.append(Tree(root=base, rooted=False, bodies=[base]))
        home[base] = trees[-1]
    return Topology(tuple(trees), tuple(waiting), floating)


def _grow(joints: Mapping[str, Joint], waiting: list[str], home: dict[str, Tree], trees: list[Tree]) -> list[str]:
    """Add every joint that has one end in a tree (or the world) until none is left; return those not used."""
    grew = True
    while grew:
        grew = False
        left = []
        for name in waiting:
            joint = joints[name]
            parent_in = joint.parent in home or joint.parent == WORLD
            child_in = joint.child in home or joint.child == WORLD
            if parent_in == child_in or joint.only_constrains:
                left.append(name)
                continue
            inboard, outboard = (joint.parent, joint.child) if parent_in else (joint.child, joint.parent)
            if inboard == WORLD:
                tree = Tree(root=outboard, rooted=True)
                trees.append(tree)
            else:
                tree = home[inboard]
            tree.bodies.append(outboard)
            tree.edges[outboard] = Edge(name, inboard, outboard, flipped=not parent_in)
            home[outboard] = tree
            grew = True
        waiting = left
    return waiting
