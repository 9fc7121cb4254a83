"""Mooring lines from a point on a body to an anchor in the world."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from fairlead.model.fields import Flag, Length, Position, number
from fairlead.model.files import FilePath
from fairlead.model.loads.base import Load
from fairlead.model.messages import WrongField


class TautLine(Load):
    """A straight elastic line, Dissertation Eq. 3.16: tension = pretension + EA / length (distance - length).

    `length` is its length when it carries the pretension; as drawn if left out. Two-way unless `tension_only`.
    """

    type: Literal["taut-line"] = "taut-line"
    point: Position
    anchor: Position
    EA: number("N", gt=0)  # type: ignore[valid-type]
    length: Annotated[Length, Field(gt=0)] | None = None
    pretension: number("N") = 0.0  # type: ignore[valid-type]
    damping: number("N s/m", ge=0) = 0.0  # type: ignore[valid-type]
    tension_only: Flag = False

    @model_validator(mode="after")
    def _is_a_line(self) -> TautLine:
        if self.point == self.anchor:
            raise WrongField("is where the line starts, so the line has no direction; move one of them", "anchor")
        if self.pretension >= self.EA:
            raise WrongField(
                f"must be below EA ({self.EA:g} N), which stretches a line to twice its length", "pretension"
            )
        return self

    def drawn_length(self) -> float:
        """Return its length, as given or as drawn."""
        return self.length or sum((a - b) ** 2 for a, b in zip(self.point, self.anchor)) ** 0.5


class Catenary(Load):
    """A heavy elastic line in static balance, that may rest on the bed its anchor lies on.

    `length` is unstretched, `weight` per length in water. With `seabed: false` nothing carries the line from below.
    """

    type: Literal["catenary"] = "catenary"
    point: Position
    anchor: Position
    length: Annotated[Length, Field(gt=0)]
    EA: number("N", gt=0)  # type: ignore[valid-type]
    weight: number("N/m", ge=0)  # type: ignore[valid-type]
    friction: number("", ge=0) = 0.0  # type: ignore[valid-type]
    seabed: Flag = True

    @model_validator(mode="after")
    def _starts_above_the_bed(self) -> Catenary:
        if self.point == self.anchor:
            raise WrongField("is where the line starts; move one of them", "anchor")
        if self.seabed and self.point[2] < self.anchor[2]:
            raise WrongField(
                "lies above the fairlead, which would be below the bed; turn them round or write 'seabed: false'",
                "anchor",
            )
        return self


class MoorDyn(Load):
    """Dynamic lines by MoorDyn (extra `moordyn`) from its own input file; its coupled points move with the body.

    They are where the file has them when the body is where it is drawn. Advanced once per step of ours.
    """

    type: Literal["moordyn"] = "moordyn"
    file: FilePath
