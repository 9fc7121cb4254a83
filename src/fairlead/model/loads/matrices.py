"""Linear 6x6 stiffness, damping, preload and added mass at a point."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from pydantic import BeforeValidator, WithJsonSchema, model_validator

from fairlead.model.fields import Position, Real, _plain
from fairlead.model.loads.base import Load
from fairlead.model.messages import about
from fairlead.model.shown import diagonal
from fairlead.units import to_si

if TYPE_CHECKING:
    from fairlead.model.loads.compile import LoadRows


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


class Matrix(Load):
    """Preload - stiffness (displacement, rotation) - damping (velocity) - added_mass (acceleration) at a point.

    Displacement of the point and rotation are counted from the drawing. A matrix is 6x6, or its six diagonal terms;
    linear before angular. In world axes the rotation is the rotation vector (below pi). In yawing axes, turned with the
    body's yaw about the world's z, it is roll, pitch and yaw (R = Rz Ry Rx from the drawn attitude, yaw below half a
    turn), as OpenFAST has linear hydrostatics.

    point: point on the body whose displacement counts and where the force acts
    stiffness: force and moment per displacement and rotation [N/m, N/rad, N, N m/rad]
    damping: force and moment per velocity and rate of rotation [N s/m, N s/rad, N s, N m s/rad]
    preload: three forces and three moments as drawn [N and N m]
    added_mass: symmetric force and moment per acceleration [kg, kg m, kg m**2]
    axes: along which all the terms are: "world", "yawing" with the body about the world's z, or those of the "body"
    """

    type: Literal["matrix"] = "matrix"
    point: Position
    stiffness: Matrix6 = None
    damping: Matrix6 = None
    preload: tuple[Real, Real, Real, Real, Real, Real] | None = None
    added_mass: Matrix6 = None
    axes: Literal["world", "yawing", "body"] = "world"

    def _shown(self, name: str, value: Any) -> Any:
        return diagonal(value) if name in ("stiffness", "damping", "added_mass") else value

    @model_validator(mode="after")
    def _added_mass_is_a_mass(self) -> Matrix:
        rows = self.added_mass
        if rows and any(abs(rows[i][j] - rows[j][i]) > 1e-9 * _largest(rows) for i in range(6) for j in range(i)):
            raise ValueError("'added_mass' must be symmetric")
        return self

    records: ClassVar[str] = "matrices"

    def fill(self, row: Any, name: str, at: LoadRows) -> None:
        """Fill its record."""
        row["body"], row["has_A"] = at.number(self.body), self.added_mass is not None
        row["turns"] = ("world", "yawing", "body").index(self.axes)
        row["r_BP_D"], row["x_WP_W"] = at.offset(self.body, self.point), self.point
        given = {"K": self.stiffness, "C": self.damping, "A": self.added_mass, "preload": self.preload}
        for field, value in given.items():
            if value is not None:
                row[field] = value


def _largest(rows: Any) -> float:
    return max(abs(item) for row in rows for item in row) or 1.0
