"""Names of URDF links and joints as names of a model: fewer characters, and one list for bodies and joints."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from fairlead.formats.urdf.parts import Joint, Link
from fairlead.formats.urdf.read import Reader
from fairlead.formats.urdf.tree import Folded, Tree
from fairlead.model.fields import WORLD

LONGEST_NAME = 64  # as `words.Name`
_OTHER = re.compile(r"[^A-Za-z0-9_\- ]")


@dataclass
class Names:
    """The names that links with mass and joints that count have in the model."""

    links: dict[str, str] = field(default_factory=dict)
    joints: dict[str, str] = field(default_factory=dict)
    ground: str = ""


def legal(name: str, kind: str) -> str:
    """Return a name with `_` for other characters than letters, digits, `_`, `-` and spaces, a letter first."""
    kept = _OTHER.sub("_", name).lstrip("_- ")
    return kept if kept[:1].isalpha() else f"{kind}_{kept}"


def named(tree: Tree, folded: Folded, reader: Reader) -> Names:
    """Return the names, after a complaint about those that cannot be told apart with capitals not counting.

    A URDF may give a link and a joint one name; the joint is then called `NAME_joint`.
    """
    taken: dict[str, str] = {WORLD: "the ground"}
    names = Names()
    for link in tree.links.values():
        if link.mass is not None:
            names.links[link.name] = _take(link, taken, reader)
    for joint, _, _ in folded.joints:
        names.joints[joint.name] = _take(joint, taken, reader)
    if folded.grounded:
        count = 1
        names.ground = "ground"
        while names.ground in taken:
            count += 1
            names.ground = f"ground {count}"
    return names


def _take(part: Link | Joint, taken: dict[str, str], reader: Reader) -> str:
    kind = part.element.tag
    name = legal(part.name, kind)
    before = taken.get(name.casefold())
    if before is not None and not before.startswith(f"the {kind} "):
        name = f"{name}_{kind}"
        before = taken.get(name.casefold())
    path = f"{kind}.{part.name}"
    if len(name) > LONGEST_NAME:
        reader.add(part.element, path, f"the name is longer than {LONGEST_NAME} characters; shorten it")
    elif before is not None:
        reader.add(part.element, path, f"becomes '{name}' in a model, which is {before} already; rename one")
    elif name != part.name:
        reader.add(part.element, path, f"is called '{name}' in the model", "note")
    taken[name.casefold()] = f"the {kind} '{part.name}'"
    return name
