"""A table of a channel: a force that is looked up from what a joint, a body or another load does at the instant."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from pydantic import Field, model_validator

from fairlead.core.expressions.opcodes import CHANNEL
from fairlead.model.expressions import Resolve, parse
from fairlead.model.fields import SchemaModel
from fairlead.model.messages import WrongField
from fairlead.model.motions import Amount
from fairlead.units import to_si

BEYOND_POINTS = ("beyond_points", "the channel left the points of its table, which is held at its ends")


class ChannelTable(SchemaModel):
    """A value by a channel of the model: linear between its points, held at the first and the last outside of them.

    of: the channel, `name.quantity`, such as `motor.rate`
    points: value of the channel, then the value there, the channel's growing [the channel's unit, then what it is for]
    """

    of: str = Field(max_length=200)
    points: tuple[tuple[Amount, Amount], ...]

    @model_validator(mode="after")
    def _has_points(self) -> ChannelTable:
        if len(self.points) < 2:
            raise WrongField(f"needs at least 2 points; got {len(self.points)}", "points")
        return self


def form_of(given: dict[str, Any]) -> str:
    """Return the tag of a force given as a mapping: an expression, a table of a channel or a table of time."""
    if "expression" in given:
        return "<expression>"
    return "<channeltable>" if "of" in given or "points" in given else "<table>"


def channel_of(table: ChannelTable, resolve: Resolve) -> int:
    """Return the number of the channel that a table is of; ValueError where `of` is no channel."""
    program = parse(table.of, resolve)
    if program.op != (CHANNEL,):
        raise ValueError(f"expected one channel, name.quantity, such as motor.rate; got the formula '{table.of:.40}'")
    if program.arg[0] == 0.0:
        raise ValueError("a table of the time is written as times and values")
    return int(program.arg[0])


def points_in_si(table: ChannelTable, unit: str, value_unit: str) -> tuple[list[float], list[float]]:
    """Return the points of a table of a channel of `unit` in SI; ValueError where they do not grow or measure else."""
    found = [(to_si(x, unit), to_si(value, value_unit)) for x, value in table.points]
    for row, ((before, _), (after, _)) in enumerate(pairwise(found), start=2):
        if after <= before:
            raise ValueError(f"the channel's values must grow; point {row} is at {after:g} after {before:g}")
    return [x for x, _ in found], [value for _, value in found]
