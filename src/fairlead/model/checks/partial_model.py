"""The parts of a model that could be read, so that one bad part does not hide what is wrong with the others."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from fairlead.model.bodies import Body
from fairlead.model.fields import WORLD
from fairlead.model.joints.base import Joint

if TYPE_CHECKING:
    from fairlead.model.schema import Model
from fairlead.model.loads.base import Load

GROUPS = {"bodies": "body", "joints": "joint", "loads": "load"}

Path = tuple[str | int, ...]


class Finding(NamedTuple):
    """One thing a check found; `also` is a second place it is about, `key` says it is the key that is wrong."""

    path: Path
    message: str
    severity: str = "error"
    also: Path = ()
    key: bool = False


@dataclass
class PartialModel:
    """The parts a check looks at: whole words where they are valid, and the names used everywhere else.

    `names` lists the names of each group in file order; `ends` the parent and child of each joint and `acts_on` the
    body and other of each load, also of those that are otherwise invalid.
    """

    bodies: dict[str, Body] = field(default_factory=dict)
    joints: dict[str, Joint] = field(default_factory=dict)
    loads: dict[str, Load] = field(default_factory=dict)
    names: dict[str, list[str]] = field(default_factory=lambda: {group: [] for group in GROUPS})
    ends: dict[str, dict[str, str]] = field(default_factory=dict)
    acts_on: dict[str, dict[str, str]] = field(default_factory=dict)
    base: str | None = None
    environment: Any = None
    gravity: Any = None
    dry: bool = False  # no environment is given, not even a wrong one
    controllers: dict[str, Any] | None = field(default_factory=dict)  # None: could not be read
    events: dict[str, Any] = field(default_factory=dict)  # none where they could not be read
    partners: dict[str, Any] = field(default_factory=dict)  # none where they could not be read
    relations: dict[str, Any] = field(default_factory=dict)  # none where they could not be read
    end: float | None = None  # of the model's own run [s]
    windy: bool | None = False  # whether there is a wind; None: could not be read

    @classmethod
    def of(cls, model: Model) -> PartialModel:
        """Return all parts of a valid model."""
        parts = cls(dict(model.bodies), dict(model.joints), dict(model.loads), base=model.base)
        parts.environment, parts.gravity, parts.dry = model.environment, model.gravity, model.environment is None
        parts.controllers = dict(model.controllers)
        parts.partners = dict(model.partners)
        parts.events, parts.end = dict(model.events), model.run.duration if model.run else None
        parts.relations = dict(model.relations)
        parts.windy = model.environment is not None and model.environment.wind is not None
        for group in GROUPS:
            parts.names[group] = list(getattr(model, group))
        for name, joint in model.joints.items():
            parts.name_ends(name, {"type": joint.type, "parent": joint.parent, "child": joint.child})
        for name, load in model.loads.items():
            parts.name_bodies(name, {"body": load.body, "other": getattr(load, "other", None)})
        return parts

    def name_ends(self, name: str, data: dict[str, Any]) -> None:
        """Note the two ends of a joint, as far as they are given."""
        data = {"parent": WORLD} | data if data.get("type") == "ground" else data
        self.ends[name] = {end: data[end] for end in ("parent", "child") if isinstance(data.get(end), str)}

    def name_bodies(self, name: str, data: dict[str, Any]) -> None:
        """Note the bodies of a load, as far as they are given."""
        self.acts_on[name] = {end: data[end] for end in ("body", "other") if isinstance(data.get(end), str)}

    def links(self) -> dict[str, tuple[str, str]]:
        """Return parent and child of the joints between two different ends that exist, in file order."""
        known = {WORLD, *self.names["bodies"]}
        pairs = {name: (ends.get("parent", ""), ends.get("child", "")) for name, ends in self.ends.items()}
        return {name: pair for name, pair in pairs.items() if set(pair) <= known and pair[0] != pair[1]}

    def neighbours(self) -> dict[str, list[tuple[str, str]]]:
        """Return for each body and the world its joints, each with what is at the other end."""
        near: dict[str, list[tuple[str, str]]] = {name: [] for name in (WORLD, *self.names["bodies"])}
        for joint, (parent, child) in self.links().items():
            near[parent].append((joint, child))
            near[child].append((joint, parent))
        return near
