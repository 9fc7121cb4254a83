"""A model as the plain data a file holds, in its shortest form: the inverse of `reading`."""

from __future__ import annotations

from typing import Any

from fairlead.model.bodies import MOMENTS, PRODUCTS, Body
from fairlead.model.fields import SchemaModel
from fairlead.model.joints.base import PER_COORDINATE, Joint
from fairlead.model.joints.forces import JointSpring
from fairlead.model.loads.forces import Force
from fairlead.model.motions import Expression
from fairlead.units import NUMBER_AND_UNIT


def to_data(word: SchemaModel) -> dict[str, Any]:
    """Return a word as the plain mapping a file holds, defaults left out."""
    data = {"type": word.type} if hasattr(word, "type") else {}  # what it is comes first
    for name in type(word)._positional():
        field, value = type(word).model_fields[name], getattr(word, name)
        if not field.exclude and (field.is_required() or value != field.default):
            data[field.serialization_alias or name] = _shortest(word, name, value)
    return data


def _shortest(word: SchemaModel, field: str, value: Any) -> Any:
    """Return a field in the shortest form that reads back to the same."""
    if isinstance(word, Body) and field == "inertia":
        return _inertia(value)
    if isinstance(word, Joint) and field in (*PER_COORDINATE, "locked"):
        return _by_coordinate(word, field, value)
    if isinstance(word, Force) and field in ("force", "moment"):
        return [_component(item) for item in value]
    if isinstance(value, tuple) and len(value) == 6 and isinstance(value[0], tuple):
        diagonal = all(value[i][j] == 0 for i in range(6) for j in range(6) if i != j)
        return [value[i][i] for i in range(6)] if diagonal else _plain(value)
    return _plain(value)


def _inertia(rows: Any) -> Any:
    if all(rows[i][j] == 0 for i in range(3) for j in range(3) if i != j):
        return [rows[i][i] for i in range(3)]
    if any(rows[i][j] != rows[j][i] for i, j in PRODUCTS.values()):
        return _plain(rows)
    moments = {name: rows[i][i] for i, name in enumerate(MOMENTS)}
    return moments | {name: rows[i][j] for name, (i, j) in PRODUCTS.items() if rows[i][j] != 0}


def _by_coordinate(joint: Joint, field: str, value: Any) -> Any:
    one = len(joint.coordinates) == 1
    if field == "locked":
        return True if one else list(value)
    mapping = {name: _spring(item) if isinstance(item, JointSpring) else _plain(item) for name, item in value.items()}
    return next(iter(mapping.values())) if one else mapping


def _spring(spring: JointSpring) -> Any:
    return spring.stiffness if spring.rest == 0 else to_data(spring)


def _component(value: Any) -> Any:
    if isinstance(value, Expression) and not NUMBER_AND_UNIT.match(value.expression):
        return value.expression
    return _plain(value)


def _plain(value: Any) -> Any:
    if isinstance(value, SchemaModel):
        return to_data(value)
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, (list, tuple)) else value
