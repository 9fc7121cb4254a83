"""Relations that name what is not there, cannot be differentiated, or have nothing to hold."""

from __future__ import annotations

from collections.abc import Iterator

from fairlead.model.checks.partial_model import GROUPS, Finding, PartialModel
from fairlead.model.relations.words import equation_of
from fairlead.model.topology import is_floating


def relations(parts: PartialModel) -> Iterator[Finding]:
    """Find mistakes in the relations of a model whose joints could be read."""
    if not parts.relations or len(parts.joints) != len(parts.names["joints"]):
        return
    taken = {name.casefold(): (group, name) for group in GROUPS for name in parts.names[group]}
    for name, relation in parts.relations.items():
        path = ("relations", name)
        if name.casefold() in taken:
            group, other = taken[name.casefold()]
            yield Finding(path, f"'{other}' is already the name of a {GROUPS[group]}; choose another name")
        try:
            labels, _ = equation_of(relation, parts.joints)
        except ValueError as error:
            yield Finding((*path, "formula" if relation.formula is not None else "between"), str(error))
            continue
        joints = [parts.joints[label.rpartition(".")[0]] for label in labels]
        if any(is_floating(joint) for joint in joints):
            yield Finding(path, "is of a joint that only says that its body floats; relate other joints")
        elif all(joint.role(label.rpartition(".")[2]) != "free" for joint, label in zip(joints, labels)):
            yield Finding(path, "has nothing to hold: all its coordinates are driven or locked; leave one free")
    for name, event in parts.events.items():
        if event.lock:
            text = "cannot lock a joint of a model with relations yet: how its blow is shared out is not known"
            yield Finding(("events", name, "lock"), text)
