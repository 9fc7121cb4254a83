"""Mooring lines from a point on a body to an anchor in the world."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from fairlead.model.files import FilePath
from fairlead.model.load_base import Load
from fairlead.model.sentences import WrongField
from fairlead.model.words import Flag, Length, Position, number


class TautLine(Load):
    """A straight elastic line, Dissertation Eq. 3.16: tension = pretension + EA / length (distance - length).

    point: end on the body
    anchor: end in the world
    EA: stiffness of the cross-section: tension per strain
    length: length at which it carries the pretension; as drawn unless given
    pretension: tension at `length`
    damping: tension per rate of stretch
    tension_only: True for a line that cannot push
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

    point: fairlead on the body
    anchor: end in the world, on the bed if there is one
    length: unstretched length
    EA: stiffness of the cross-section: tension per strain
    weight: weight per length in water
    friction: coefficient of friction between line and bed [-]
    seabed: False if nothing carries the line from below
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

    file: input file of MoorDyn, sought beside the model file
    """

    type: Literal["moordyn"] = "moordyn"
    file: FilePath
