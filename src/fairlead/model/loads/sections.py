"""Stacks of cylinders and cones in the water: what buoyancy and Morison's equation act on."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

from pydantic import BeforeValidator, WithJsonSchema

from fairlead.model.fields import Length, _plain
from fairlead.model.loads.base import Load, Remark
from fairlead.model.messages import about
from fairlead.units import short, to_si

if TYPE_CHECKING:
    from fairlead.model.loads.compile import LoadRows


def _sections(value: Any) -> Any:
    """Return rows of (drawn z, diameter), upwards."""
    value = _plain(value)
    if not isinstance(value, (list, tuple)) or len(value) < 2:
        raise ValueError(f"expected two or more sections [z, diameter] from bottom to top, got {short(value)}")
    rows = []
    for number, row in enumerate(value):
        row = _plain(row)
        if not isinstance(row, (list, tuple)) or len(row) != 2:
            raise ValueError(f"section {number + 1} needs two numbers, z and diameter; got {short(row)}")
        with about(number):
            rows.append((to_si(_plain(row[0]), "m"), to_si(_plain(row[1]), "m")))
    for number, ((z0, _), (z1, _)) in enumerate(pairwise(rows), start=2):
        if z1 < z0:
            raise ValueError(f"sections go from bottom to top; section {number} at {z1:g} m follows {z0:g} m")
    if rows[0][0] == rows[-1][0]:
        raise ValueError("all sections are at one height; give the stack a length")
    if any(diameter < 0 for _, diameter in rows):
        raise ValueError("a diameter must not be negative")
    return tuple(rows)


_SCHEMA = {"type": "array", "minItems": 2, "items": {"type": "array", "minItems": 2, "maxItems": 2}}
Sections = Annotated[tuple[tuple[float, float], ...], BeforeValidator(_sections), WithJsonSchema(_SCHEMA)]


class Stack(Load):
    """Base of loads on a stack of cylinders and cones, drawn along a vertical line.

    sections: rows of drawn z and diameter from bottom to top, straight between them; the same z twice makes a step [m]
    x: where the vertical line is; through the body's mass centre unless given
    y: where the vertical line is; through the body's mass centre unless given
    """

    sections: Sections
    x: Length | None = None
    y: Length | None = None

    @classmethod
    def _positional(cls) -> list[str]:
        names = super()._positional()
        return [name for name in names if name not in ("x", "y")] + ["x", "y"]

    def segments(self) -> list[tuple[float, float, float, float]]:
        """Return (low, high, lower radius, upper radius) of each piece that has a length."""
        pairs = pairwise(self.sections)
        return [(z0, z1, d0 / 2, d1 / 2) for (z0, d0), (z1, d1) in pairs if z1 > z0]

    needs: ClassVar[tuple[str, ...]] = ("water",)

    def origin(self, at: LoadRows) -> tuple[float, float, float]:
        """Return where its axis meets z = 0 in the drawing."""
        x, y, _ = at.model.bodies[self.body].position
        return (x if self.x is None else self.x, y if self.y is None else self.y, 0.0)

    def fill(self, row: Any, name: str, at: LoadRows) -> None:
        """Fill what the records of all stacks have: the axis and its segments."""
        row["body"] = at.number(self.body)
        row["first"], row["last"] = at.segments_of(self.segments(), getattr(self, "strips", 0))
        row["r_BO_D"] = at.offset(self.body, self.origin(at))
        row["e_D"] = at.axis(self.body, (0.0, 0.0, 1.0))

    def remarks(self, environment: Any) -> Iterator[Remark]:
        """Find stacks that reach below the bed."""
        depth, low = environment.depth, self.sections[0][0]
        if depth is not None and low < -depth * (1 + 1e-9):
            yield Remark("sections", f"reach down to z = {low:g} m, and the bed is at {-depth:g} m (environment.depth)")
