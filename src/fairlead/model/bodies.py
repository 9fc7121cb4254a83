"""Bodies: mass, inertia, place and attitude in the drawing, wheels that store momentum, and shapes."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BeforeValidator, WithJsonSchema

from fairlead.model.fields import (
    AngularVelocity,
    Axis,
    Flag,
    Mass,
    Position,
    SchemaModel,
    Velocity,
    _plain,
    number,
)
from fairlead.model.messages import about
from fairlead.model.orientation import Orientation
from fairlead.model.shapes import Shapes
from fairlead.model.shown import diagonal
from fairlead.units import short, to_si

MOMENTS = ("xx", "yy", "zz")
PRODUCTS = {"xy": (0, 1), "xz": (0, 2), "yz": (1, 2)}


def _tensor(value: Any) -> Any:
    """Return three moments, a mapping of tensor components or 3x3 rows as 3x3 rows [kg m2]."""
    value = _plain(value)
    rows = [[0.0] * 3 for _ in range(3)]
    if isinstance(value, dict):
        if set(value) - set(MOMENTS) - set(PRODUCTS) or not set(MOMENTS) <= set(value):
            raise ValueError(f"as a mapping inertia needs xx, yy, zz and may have xy, xz, yz; got {short(list(value))}")
        for i, name in enumerate(MOMENTS):
            with about(name):
                rows[i][i] = to_si(value[name], "kg m**2")
        for name, (i, j) in PRODUCTS.items():
            with about(name):
                rows[i][j] = rows[j][i] = to_si(value.get(name, 0.0), "kg m**2")
    elif isinstance(value, (list, tuple)) and len(value) == 3:
        nested = [isinstance(item, (list, tuple)) for item in value]
        if any(nested) and not (all(nested) and all(len(row) == 3 for row in value)):
            raise ValueError("inertia needs three moments, a mapping xx, yy, zz (xy, xz, yz), or three rows of three")
        for i, item in enumerate(value):
            with about(i):
                if nested[0]:
                    rows[i] = [to_si(entry, "kg m**2") for entry in item]
                else:
                    rows[i][i] = to_si(item, "kg m**2")
    else:
        raise ValueError("inertia needs three moments, a mapping xx, yy, zz (xy, xz, yz), or three rows of three")
    return tuple(tuple(row) for row in rows)


_INERTIA = {"anyOf": [{"type": "array", "minItems": 3, "maxItems": 3}, {"type": "object"}]}
Inertia = Annotated[tuple[tuple[float, float, float], ...], BeforeValidator(_tensor), WithJsonSchema(_INERTIA)]


class Wheel(SchemaModel):
    """A wheel that stores momentum axis * inertia * speed relative to its body; its locked inertia is in the body's.

    axis: direction of the spin in body axes
    inertia: moment of inertia about the axis
    speed: rate of spin relative to the body
    """

    axis: Axis
    inertia: number("kg m**2", ge=0)  # type: ignore[valid-type]
    speed: number("rad/s")  # type: ignore[valid-type]


class Body(SchemaModel):
    """A rigid body drawn in the world at t = 0.

    mass: mass of the body
    inertia: inertia about the mass centre in body axes: three moments, a mapping xx, yy, zz (xy, xz, yz are tensor
        components), or 3x3 rows [kg m**2]
    position: mass centre in the drawing
    orientation: body axes in the drawing; those of the world unless given
    velocity: velocity of the mass centre at t = 0 in world axes, for bodies that float
    angular_velocity: angular velocity at t = 0 in body axes, for bodies that float
    wheels: wheels that spin in the body and store momentum
    geometry: shapes that pictures show, one or a list; without them it is drawn from its joints and its inertia
    idealised: allow moments no rigid body has (rods, point masses, parts of another program's tensors)
    """

    mass: Mass
    inertia: Inertia
    position: Position = (0.0, 0.0, 0.0)
    orientation: Orientation | None = None
    velocity: Velocity = (0.0, 0.0, 0.0)
    angular_velocity: AngularVelocity = (0.0, 0.0, 0.0)
    wheels: tuple[Wheel, ...] = ()
    geometry: Shapes | None = None
    idealised: Flag = False

    def _shown(self, name: str, value: Any) -> Any:
        return diagonal(value) if name == "inertia" else value
