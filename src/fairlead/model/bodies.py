"""Bodies: mass, inertia, place and attitude in the drawing, and wheels that store momentum."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BeforeValidator, WithJsonSchema, model_validator

from fairlead.model.fields import (
    AngularVelocity,
    Axis,
    Data,
    Flag,
    Mass,
    Position,
    Real,
    SchemaModel,
    Velocity,
    _plain,
    number,
    vector,
)
from fairlead.model.messages import about
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
Row = tuple[Real, Real, Real]


class Orientation(SchemaModel):
    """Body axes in the drawing, in one of three forms.

    euler123: angles of R = Rx Ry Rz, body to world
    quaternion: unit quaternion, scalar first, body to world
    matrix: rotation matrix in three rows, body to world
    """

    euler123: vector("rad") | None = None  # type: ignore[valid-type]
    quaternion: tuple[Real, Real, Real, Real] | None = None
    matrix: tuple[Row, Row, Row] | None = None

    @model_validator(mode="before")
    @classmethod
    def _as_lists(cls, data: Any) -> Any:
        return {key: _plain(value) for key, value in data.items()} if isinstance(data, dict) else data

    @model_validator(mode="after")
    def _one_form(self) -> Orientation:
        given = [name for name in ("euler123", "quaternion", "matrix") if getattr(self, name) is not None]
        if len(given) != 1:
            raise ValueError("give one of 'euler123', 'quaternion' or 'matrix'")
        if self.quaternion is not None:
            norm = sum(item * item for item in self.quaternion) ** 0.5
            if abs(norm - 1) > 1e-6:
                raise ValueError(f"the quaternion must have length 1 (scalar first); its length is {norm:.9g}")
        if self.matrix is not None:
            _check_rotation(self.matrix)
        return self


def _check_rotation(rows: tuple[Row, Row, Row]) -> None:
    (a, b, c), (d, e, f), (g, h, i) = rows
    determinant = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)
    worst = max(abs(sum(p * q for p, q in zip(rows[m], rows[n])) - (m == n)) for m in range(3) for n in range(3))
    if worst > 1e-6 or determinant < 0:
        raise ValueError(
            f"the matrix is not a rotation: determinant {determinant:.6g}, worst row product off by {worst:.2g}"
        )


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
    geometry: what other programs want to know of its shape; nothing here reads it
    idealised: allow moments no rigid body has (rods, point masses, parts of another program's tensors)
    """

    mass: Mass
    inertia: Inertia
    position: Position = (0.0, 0.0, 0.0)
    orientation: Orientation | None = None
    velocity: Velocity = (0.0, 0.0, 0.0)
    angular_velocity: AngularVelocity = (0.0, 0.0, 0.0)
    wheels: tuple[Wheel, ...] = ()
    geometry: dict[str, Data] | None = None
    idealised: Flag = False

    def _shown(self, name: str, value: Any) -> Any:
        return diagonal(value) if name == "inertia" else value
