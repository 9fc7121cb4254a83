"""Mooring lines from a point on a body to an anchor in the world."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from pydantic import Field, model_validator

from fairlead.model.fields import Flag, Length, Position, number
from fairlead.model.loads.base import TENSION, Load, Remark
from fairlead.model.messages import WrongField
from fairlead.record import Variable

if TYPE_CHECKING:
    from fairlead.model.loads.compile import LoadRows


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

    records: ClassVar[str] = "springs"
    outputs: ClassVar[dict[str, Variable]] = TENSION

    def fill(self, row: Any, name: str, at: LoadRows) -> None:
        """Fill its record: T0 + EA/L (rho - L) is a spring of stiffness EA/L and rest length L (1 - T0/EA)."""
        length = self.drawn_length()
        row["near"], row["far"], row["tension_only"] = at.number(self.body), -1, self.tension_only
        row["r_near_D"], row["r_far_D"] = at.offset(self.body, self.point), self.anchor
        row["stiffness"], row["damping"] = self.EA / length, self.damping
        row["length"] = length * (1.0 - self.pretension / self.EA)


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

    records: ClassVar[str] = "lines"
    outputs: ClassVar[dict[str, Variable]] = TENSION

    def fill(self, row: Any, name: str, at: LoadRows) -> None:
        """Fill its record."""
        row["body"], row["bed"] = at.number(self.body), self.seabed
        row["r_BP_D"], row["anchor_W"] = at.offset(self.body, self.point), self.anchor
        row["length"], row["EA"], row["weight"], row["friction"] = self.length, self.EA, self.weight, self.friction

    def remarks(self, environment: Any) -> Iterator[Remark]:
        """Note friction without a bed, and a bed that is not the sea's."""
        if self.friction and not self.seabed:
            yield Remark("friction", "has no effect without a bed", "note")
        depth, z = environment.depth, self.anchor[2]
        if self.seabed and depth is not None and abs(z + depth) > 1e-3 * depth:
            message = f"the line's bed is that of its anchor, at z = {z:g} m; environment.depth is {depth:g} m"
            yield Remark("anchor", message, "note")
