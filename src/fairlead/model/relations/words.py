"""Relations: equations between joint coordinates, as gears, racks, screws and differentials hold them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field, model_validator

from fairlead.core.expressions import opcodes
from fairlead.model.controllers.base import Quantity
from fairlead.model.expressions import Program, parse
from fairlead.model.fields import SchemaModel
from fairlead.model.joints.description import BALL
from fairlead.model.messages import WrongField, did_you_mean
from fairlead.model.relations.derivatives import Node, derivative, number, plus, program_of, times, tree_of


class Relation(SchemaModel):
    """An equation between joint coordinates that always holds: a weighted sum of them, or any smooth formula.

    It pushes along its coordinates as an ideal gear does and does no work in all.

    between: factor of each coordinate, by its name: crank.angle, or crank where the joint has but one; their sum stays
        at `offset`
    offset: what that sum is; 0 unless given, so that it stays as drawn
    formula: a formula of joint coordinates that stays zero, instead of a sum
    """

    between: Annotated[dict[str, Quantity], Field(min_length=1)] | None = None
    offset: Quantity = 0.0
    formula: Annotated[str, Field(max_length=4000)] | None = None

    @model_validator(mode="after")
    def _one_of_both(self) -> Relation:
        if (self.between is None) == (self.formula is None):
            raise ValueError("needs either 'between', a factor for each coordinate, or a 'formula' that stays zero")
        if self.formula is not None and self.offset != 0.0:
            raise WrongField("has no effect with a formula; subtract it there", "offset")
        for name, factor in (self.between or {}).items():
            if factor == 0.0:
                raise WrongField(f"the factor of '{name}' is 0; leave the coordinate out", "between")
        return self


def equation_of(relation: Relation, joints: Mapping[str, Any]) -> tuple[list[str], list[Program]]:
    """Return the coordinates of a relation and its programs: value, slopes, and curvatures row by row.

    The programs read coordinate number k, from 1, as channel k. ValueError says what is wrong.
    """
    labels: list[str] = []

    def channel(label: str) -> int:
        if label not in labels:
            labels.append(label)
        return labels.index(label) + 1

    if relation.formula is not None:
        value = tree_of(parse(relation.formula, lambda name, quantity: channel(_read(name, quantity, joints))))
    else:
        value = number(-relation.offset) if relation.offset else number(0.0)
        for given, factor in (relation.between or {}).items():
            label = coordinate_named(given, joints)
            if label in labels:
                raise ValueError(f"names '{label}' twice")
            value = plus(value, times(number(factor), Node(opcodes.CHANNEL, float(channel(label)))))
    if len(labels) < 2:
        raise ValueError("needs at least two coordinates; lock a joint to hold a single one")
    if reads_time(value):
        raise ValueError("knows nothing of the time t; give the joint a motion instead")
    n = len(labels)
    slopes = [derivative(value, k + 1) for k in range(n)]
    curvatures = [derivative(slopes[a], b + 1) for a in range(n) for b in range(a, n)]
    return labels, [program_of(one) for one in (value, *slopes, *curvatures)]


def reads_time(node: Any) -> bool:
    """Return whether a formula reads t, which is channel 0."""
    if node.code == opcodes.CHANNEL:
        return bool(node.arg == 0.0)
    return any(reads_time(part) for part in node.of)


def coordinate_named(given: str, joints: Mapping[str, Any]) -> str:
    """Return the label of the coordinate that `joint.coordinate` or `joint` means; ValueError says what there is."""
    name, _, coordinate = given.rpartition(".") if "." in given else (given, "", "")
    if name not in joints:
        raise ValueError(f"there is no joint '{name}'{did_you_mean(name, joints)}")
    known = list(joints[name].coordinates)
    if not coordinate and len(known) == 1:
        coordinate = known[0]
    if coordinate not in known:
        what = f"has no coordinate '{coordinate}'" if coordinate else "has several coordinates"
        raise ValueError(f"joint '{name}' {what}; it has {', '.join(known) or 'none'}")
    if joints[name].coordinates[coordinate].side == BALL or joints[name].only_constrains:
        raise ValueError(f"'{name}.{coordinate}' is no single turn or slide, which relations are between")
    return f"{name}.{coordinate}"


def _read(name: str, quantity: str, joints: Mapping[str, Any]) -> str:
    """Return the label of the coordinate that a formula reads."""
    if name not in joints:
        raise ValueError(
            f"a relation reads joint coordinates alone, and '{name}' is no joint{did_you_mean(name, joints)}"
        )
    return coordinate_named(f"{name}.{quantity}", joints)
