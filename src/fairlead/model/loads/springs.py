"""Straight springs and dampers, to the world or between bodies."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from pydantic import Field, model_validator

from fairlead.model.fields import Flag, Length, Name, Position, number
from fairlead.model.loads.base import TENSION, TwoEnds
from fairlead.record import Variable

if TYPE_CHECKING:
    from fairlead.model.loads.compile import LoadRows


class Spring(TwoEnds):
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

    records: ClassVar[str] = "springs"
    outputs: ClassVar[dict[str, Variable]] = TENSION

    def fill(self, row: Any, name: str, at: LoadRows) -> None:
        """Fill its record."""
        row["near"], row["far"], row["tension_only"] = at.number(self.body), at.number(self.other), self.tension_only
        row["r_near_D"], row["r_far_D"] = at.offset(self.body, self.point), at.offset(self.other, self.far_point())
        row["stiffness"], row["damping"] = self.stiffness, self.damping
        row["length"] = self.drawn_length() if self.length is None else self.length
