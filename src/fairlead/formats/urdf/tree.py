"""The tree of a URDF: how links hang together, where they are drawn, and what becomes of links without mass.

Links that fixed joints hold together move as one group. In a group with mass the links without mass are only frames:
what hangs on them hangs on a link with mass of the same group. A group without mass is the world if it is the root's,
is left out if it carries nothing with mass, and cannot be simulated otherwise.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TypeVar

from fairlead.formats.urdf.parts import HERE, Joint, Link, Pose
from fairlead.formats.urdf.read import Reader
from fairlead.model.checks.topology import MOST_HINTS, listed
from fairlead.model.messages import nearest

GROUND = ""  # the world where a link is named, since a link may be called "world"
Part = TypeVar("Part", Link, Joint)


@dataclass
class Tree:
    """Links by name, outward from the root; `above` is the joint that carries each other link."""

    links: dict[str, Link]
    joints: dict[str, Joint]
    order: list[str]
    above: dict[str, Joint]

    @property
    def root(self) -> str:
        """Return the link no joint carries."""
        return self.order[0]

    def drawn(self) -> dict[str, Pose]:
        """Return the frame of each link in the world with every joint at zero and the root's frame on the world's."""
        poses = {self.root: HERE}
        for name in self.order[1:]:
            joint = self.above[name]
            poses[name] = poses[joint.parent].then(joint.origin)
        return poses


@dataclass
class Folded:
    """The joints that remain, with the links (or the ground) they connect."""

    joints: list[tuple[Joint, str, str]] = field(default_factory=list)
    grounded: bool = False  # the root has mass and stands on the world
    base: str | None = None  # the link that floats


def grow(links: Iterable[Link], joints: Iterable[Joint], reader: Reader) -> Tree | None:
    """Return the tree, or None after a complaint about everything that keeps it from being one."""
    known = _by_name(links, reader)
    named = _by_name(joints, reader)
    above: dict[str, Joint] = {}
    hints = 0
    for joint in named.values():
        path = f"joint.{joint.name}"
        for end in (joint.parent, joint.child):
            if end not in known:
                close = nearest(end, known) if hints < MOST_HINTS else []
                hints += 1
                hint = f"; did you mean '{close[0]}'?" if close else ""
                reader.add(joint.element, path, f"no link is called '{end}'{hint}")
        if joint.child in above:
            other = above[joint.child]
            message = f"is the second joint that carries '{joint.child}', after '{other.name}' in line"
            reader.add(joint.element, path, f"{message} {other.element.line}; a URDF is a tree")
        above.setdefault(joint.child, joint)
    if reader.failed:
        return None
    roots = [name for name in known if name not in above]
    if len(roots) > 1:
        at = known[roots[1]]
        message = f"the links {listed(roots)} are not carried by any joint; a URDF has one root"
        reader.add(at.element, f"link.{at.name}", f"{message}; join them")
        return None
    order = _outward(roots, above)
    if len(order) < len(known):
        left = [name for name in known if name not in set(order)]
        message = f"the joints of {listed(left)} go round in a circle; a URDF is a tree"
        reader.add(above[left[0]].element, f"joint.{above[left[0]].name}", message)
        return None
    return Tree(known, named, order, above)


def _by_name(parts: Iterable[Part], reader: Reader) -> dict[str, Part]:
    found: dict[str, Part] = {}
    for part in parts:
        if part.name in found:
            tag, first = part.element.tag, found[part.name].element.line
            reader.add(part.element, f"{tag}.{part.name}", f"a {tag} of this name is in line {first} already")
        found.setdefault(part.name, part)
    return found


def _outward(roots: list[str], above: dict[str, Joint]) -> list[str]:
    """Return the links that can be reached from the roots, each after the one that carries it."""
    carried: dict[str, list[str]] = {}
    for child, joint in above.items():
        carried.setdefault(joint.parent, []).append(child)
    order = list(roots)
    for name in order:  # grows while it is read
        order += carried.get(name, [])
    return order


def fold(tree: Tree, reader: Reader, *, floating_base: bool) -> Folded:
    """Return the tree without its links that have no mass, with a complaint about each that cannot be left out."""
    return _Folding(tree, reader, floating_base).folded()


class _Folding:
    """Groups are named by their first link; `heavy` is the first link of a group that has mass."""

    def __init__(self, tree: Tree, reader: Reader, floating_base: bool):
        self.tree, self.reader, self.floating = tree, reader, floating_base
        self.group: dict[str, str] = {}
        self.heavy: dict[str, str] = {}
        for name in tree.order:
            joint = tree.above.get(name)
            held = joint is not None and joint.type == "fixed"
            group = self.group[name] = self.group[joint.parent] if joint is not None and held else name
            if tree.links[name].mass is not None:
                self.heavy.setdefault(group, name)
        self.carrying = self._carrying()

    def _carrying(self) -> set[str]:
        """Return the groups that have mass or carry a group that has."""
        found = set(self.heavy)
        for name in reversed(self.tree.order[1:]):
            if self.group[name] in found:
                found.add(self.group[self.tree.above[name].parent])
        return found

    def folded(self) -> Folded:
        root, tree = self.tree.root, self.tree
        massless = [name for name in tree.order if tree.links[name].mass is None]
        if len(massless) == len(tree.order):
            self.reader.add(
                tree.links[root].element, "", "no link has a mass; give each <link> that moves an <inertial>"
            )
            return Folded()
        stands = self._stands()
        found = Folded(grounded=stands[root] == root and not self.floating)
        if self.floating:
            found.base = self.heavy.get(root)
        idle = []
        for joint in tree.joints.values():
            if self.group[joint.child] not in self.carrying:
                idle += [joint] if joint.type != "fixed" else []
            elif stands[joint.parent] != stands[joint.child]:
                found.joints.append((joint, stands[joint.parent], stands[joint.child]))
        self._say(massless, idle)
        self._cannot(found)
        return found

    def _stands(self) -> dict[str, str]:
        """Return for each link the link with mass that stands for it, or the ground; itself if it has mass."""
        stands: dict[str, str] = {}
        root, tree = self.tree.root, self.tree
        for name in tree.order:
            group = self.group[name]
            if tree.links[name].mass is not None:
                stands[name] = name
            elif name != group:
                stands[name] = stands[tree.above[name].parent]
            elif name == root and not (self.floating and root in self.heavy):
                stands[name] = GROUND
            else:
                stands[name] = self.heavy.get(group, name)
        return stands

    def _say(self, massless: list[str], idle: list[Joint]) -> None:
        if massless:
            at = self.tree.links[massless[0]].element
            self.reader.add(at, "", f"without mass, and so only frames and no bodies: {listed(massless)}", "note")
        if idle:
            names = listed([joint.name for joint in idle])
            message = f"left out, since nothing they move has mass: the joints {names}"
            self.reader.add(idle[0].element, "", message, "warning")

    def _cannot(self, found: Folded) -> None:
        """Complain of groups without mass between moving joints, and of a root that cannot float."""
        root = self.tree.root
        for joint, parent, child in found.joints:
            if child != GROUND and self.tree.links[child].mass is None:
                after = listed([other.name for other, start, _ in found.joints if start == child])
                message = (
                    f"has no mass and stands between the moving joints '{joint.name}' and {after}; "
                    "give it an <inertial>, or write them as one joint in YAML (universal, cylindrical, planar)"
                )
                self.reader.add(self.tree.links[child].element, f"link.{child}", message)
            if self.floating and parent == GROUND and joint.type != "floating":
                message = f"has no mass and carries the moving joint '{joint.name}', so it cannot float"
                self.reader.add(self.tree.links[root].element, f"link.{root}", f"{message}; give it an <inertial>")
