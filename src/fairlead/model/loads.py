"""Loads: forces and moments on bodies, drawn in the world at t = 0."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Discriminator, Field, Tag, WithJsonSchema, model_validator

from fairlead.model.descriptions import Unit
from fairlead.model.functions import given_function
from fairlead.model.load_base import Load
from fairlead.model.mooring import Catenary, MoorDyn, TautLine
from fairlead.model.motions import Expression, Table
from fairlead.model.rotor import RotorThrust
from fairlead.model.sea_loads import Buoyancy, Morison
from fairlead.model.sentences import about
from fairlead.model.shown import diagonal
from fairlead.model.units import NUMBER_AND_UNIT, to_si
from fairlead.model.words import Axis, Flag, Length, Name, Position, Real, _plain, number


def _component(unit: str) -> Any:
    """Return the type of one component of a force or moment: number, table or expression."""

    def convert(value: Any) -> Any:
        value = _plain(value)
        if isinstance(value, str) and not NUMBER_AND_UNIT.match(value):
            return {"expression": value}
        return value if isinstance(value, (dict, Expression, Table)) else to_si(value, unit)

    def which(value: Any) -> str:
        if isinstance(value, dict):
            return "<expression>" if "expression" in value else "<table>"
        return f"<{type(value).__name__.lower()}>"

    forms = [{"type": "number"}, {"type": "string"}, {"type": "object"}]
    parts = (
        Annotated[float, Tag("<float>")] | Annotated[Expression, Tag("<expression>")] | Annotated[Table, Tag("<table>")]
    )
    return Annotated[
        Annotated[parts, Discriminator(which)], BeforeValidator(convert), WithJsonSchema({"anyOf": forms}), Unit(unit)
    ]


def _three(unit: str) -> Any:
    return tuple[_component(unit), _component(unit), _component(unit)]  # type: ignore[misc]


def _square(value: Any) -> Any:
    """Return a 6x6 matrix as nested tuples; six numbers are its diagonal."""
    value = _plain(value)
    if value is None:
        return None
    if not isinstance(value, (list, tuple)) or len(value) != 6:
        raise ValueError("expected a 6x6 matrix (six rows of six numbers) or its six diagonal terms")
    if not any(isinstance(row, (list, tuple)) for row in value):
        value = [[item if i == j else 0.0 for j in range(6)] for i, item in enumerate(value)]
    rows = []
    for number_of_row, row in enumerate(value, start=1):
        if not isinstance(row, (list, tuple)) or len(row) != 6:
            raise ValueError(f"row {number_of_row} of a 6x6 matrix needs six numbers")
        with about(number_of_row - 1):
            rows.append(tuple(to_si(item, "") for item in row))
    return tuple(rows)


_MATRIX = {"type": "array", "minItems": 6, "maxItems": 6}
Matrix6 = Annotated[tuple[tuple[float, ...], ...] | None, BeforeValidator(_square), WithJsonSchema(_MATRIX)]


class Force(Load):
    """A force at a point and a moment, in world axes or turning with the body; from Python also a `function`.

    A function gets `(t, motion)` and returns the force and moment (six numbers, world axes, at the mass centre);
    `motion` is a mapping from body name to (position, rotation matrix, velocity, angular velocity), in world axes.
    One compiled by `numba.njit` gets `(t, position, rotation, velocity, angular_velocity)` of its own body, as tuples,
    and returns a tuple of six numbers; the run then stays in compiled code.

    point: where the force acts; at the mass centre unless given
    force: force in x, y, z, each a number, an expression or a table
    moment: moment about x, y, z, each a number, an expression or a table
    axes: axes of force and moment: those of the world, or of the body and turning with it
    function: Python function that gives force and moment; no file can hold it [N and N m]
    """

    type: Literal["force"] = "force"
    point: Position | None = None
    force: _three("N") | None = None  # type: ignore[valid-type]
    moment: _three("N m") | None = None  # type: ignore[valid-type]
    axes: Literal["world", "body"] = "world"
    function: Annotated[
        Callable[..., Any] | None,
        BeforeValidator(given_function),
        Field(exclude=True),
        WithJsonSchema({"type": "null"}),
    ] = None

    @model_validator(mode="after")
    def _says_something(self) -> Force:
        if self.force is None and self.moment is None and self.function is None:
            raise ValueError("needs a 'force', a 'moment', or both")
        return self


class _TwoEnds(Load):
    """A load between a body and the world or another body, its `other`."""

    @model_validator(mode="after")
    def _ends_differ(self) -> _TwoEnds:
        if getattr(self, "other", None) == self.body:
            raise ValueError(f"connects '{self.body}' with itself; name another body in 'other'")
        return self


class Spring(_TwoEnds):
    """A straight spring and damper from a point on the body to an anchor in the world or a point on another body.

    point: end on the body
    anchor: far end in the world
    other: body of the far end, instead of an anchor
    other_point: far end on the other body
    stiffness: force per stretch
    damping: force per rate of stretch
    length: length without force; as drawn unless given
    tension_only: True for a rope: it pulls and never pushes
    """

    type: Literal["spring"] = "spring"
    point: Position
    anchor: Position | None = None
    other: Name | None = None
    other_point: Position | None = None
    stiffness: number("N/m", ge=0) = 0.0  # type: ignore[valid-type]
    damping: number("N s/m", ge=0) = 0.0  # type: ignore[valid-type]
    length: Annotated[Length, Field(ge=0)] | None = None
    tension_only: Flag = False

    @model_validator(mode="after")
    def _one_far_end(self) -> Spring:
        if (self.anchor is None) == (self.other is None):
            raise ValueError("needs either 'anchor' (a point of the world) or 'other' with 'other_point'")
        if self.other is not None and self.other_point is None:
            raise ValueError("needs 'other_point', the end on the other body")
        if self.length is None and self.drawn_length() == 0:
            raise ValueError("its two ends coincide in the drawing, so 'length' must be given")
        return self

    def far_point(self) -> tuple[float, float, float]:
        """Return the far end in the drawing."""
        return self.anchor or self.other_point  # type: ignore[return-value]

    def drawn_length(self) -> float:
        """Return the distance of the ends in the drawing."""
        return sum((a - b) ** 2 for a, b in zip(self.point, self.far_point())) ** 0.5


class RotationalSpring(_TwoEnds):
    """Moment -stiffness phi - damping w on the body, phi the rotation vector from the drawn relative attitude.

    other: body that the rotation is relative to; the world unless given
    stiffness: moment per rotation
    damping: moment per rate of rotation
    axis: axis along which alone the moment acts, turning with `other`; all three unless given
    """

    type: Literal["rotational-spring"] = "rotational-spring"
    other: Name | None = None
    stiffness: number("N m/rad", ge=0) = 0.0  # type: ignore[valid-type]
    damping: number("N m s/rad", ge=0) = 0.0  # type: ignore[valid-type]
    axis: Axis | None = None


class Matrix(Load):
    """Preload - stiffness (displacement, rotation vector) - damping (velocity) - added_mass (acceleration) at a point.

    Displacement of the point and rotation vector (below pi) are counted from the drawing; world axes. A matrix is
    6x6, or its six diagonal terms; linear before angular.

    point: point on the body whose displacement counts and where the force acts
    stiffness: force and moment per displacement and rotation [N/m, N/rad, N, N m/rad]
    damping: force and moment per velocity and rate of rotation [N s/m, N s/rad, N s, N m s/rad]
    preload: three forces and three moments as drawn [N and N m]
    added_mass: symmetric force and moment per acceleration [kg, kg m, kg m**2]
    """

    type: Literal["matrix"] = "matrix"
    point: Position
    stiffness: Matrix6 = None
    damping: Matrix6 = None
    preload: tuple[Real, Real, Real, Real, Real, Real] | None = None
    added_mass: Matrix6 = None

    def _shown(self, name: str, value: Any) -> Any:
        return diagonal(value) if name in ("stiffness", "damping", "added_mass") else value

    @model_validator(mode="after")
    def _added_mass_is_a_mass(self) -> Matrix:
        rows = self.added_mass
        if rows and any(abs(rows[i][j] - rows[j][i]) > 1e-9 * _largest(rows) for i in range(6) for j in range(i)):
            raise ValueError("'added_mass' must be symmetric")
        return self


def _largest(rows: Any) -> float:
    return max(abs(item) for row in rows for item in row) or 1.0


AnyLoad = Annotated[
    Force | Spring | RotationalSpring | Matrix | Buoyancy | Morison | TautLine | Catenary | MoorDyn | RotorThrust,
    Field(discriminator="type"),
]
