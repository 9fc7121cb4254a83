"""A table of a channel as a controller."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from pydantic import Field, model_validator

from fairlead.model.controllers.base import Feedback, Path, Quantity, Signal
from fairlead.model.messages import WrongField

if TYPE_CHECKING:
    from fairlead.model.controllers.compile import ControllerRows


class Schedule(Feedback):
    """output = what a table gives at its input: linear between its points, held at the first and the last.

    input: what it is looked up by: a channel such as rotor.relative_wind, or a formula
    points: value of the input, then the output there, the input's growing
    """

    type: Literal["schedule"] = "schedule"
    input: Signal
    points: Annotated[tuple[tuple[Quantity, Quantity], ...], Field(min_length=2)]

    records: ClassVar[str] = "schedules"

    @model_validator(mode="after")
    def _grows(self) -> Schedule:
        for row, ((before, _), (after, _)) in enumerate(pairwise(self.points), start=2):
            if after <= before:
                raise WrongField(f"must grow; point {row} is at {after:g} after {before:g}", "points")
        return self

    def outputs(self) -> tuple[str, ...]:
        """Return the names of its outputs."""
        return ("output",)

    def formulas(self) -> Iterator[tuple[Path, float | str]]:
        """Return everything it reads, each with its place in the word."""
        yield ("input",), self.input

    def fill(self, row: Any, name: str, at: ControllerRows) -> None:
        """Fill its record."""
        row["input"] = at.program(self.input, name, "input")
        row["start"], row["stop"] = at.at.pools.pieces(
            [x for x, _ in self.points], [[value] for _, value in self.points]
        )
