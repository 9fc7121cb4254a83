"""Orientation: axes as drawn, in one of three forms."""

from __future__ import annotations

from typing import Any

from pydantic import model_validator

from fairlead.model.fields import Real, SchemaModel, _plain, vector

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
