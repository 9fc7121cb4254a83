"""Loads of the sea: buoyancy and Morison's equation on stacks of cylinders and cones."""

from __future__ import annotations

from itertools import pairwise
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, WithJsonSchema, model_validator

from fairlead.model.load_base import Load
from fairlead.model.sentences import about
from fairlead.model.units import short, to_si
from fairlead.model.words import Count, Flag, Length, Real, _plain


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


class SeaLoad(Load):
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


class Buoyancy(SeaLoad):
    """Water density times gravity times the volume below the still water, at its centre; exact at any attitude."""

    type: Literal["buoyancy"] = "buoyancy"


class Morison(SeaLoad):
    """Added mass, wave inertia and drag across a member, per unit length (Dissertation Eq. 3.22).

    The alternatives of `kinematics`, `waterline` and `normal` are what other programs assume.

    ca: coefficient of added mass [-]
    cd: coefficient of drag [-]
    cm: coefficient of wave inertia; 1 + ca unless given [-]
    kinematics: take the waves where the member is, or at the `undisplaced` member
    waterline: wet length up to the instantaneous surface, or to the `still` water of the drawing
    normal: forces across the axis of the body, or across the `fixed` axis of the drawing
    axial_pressure: True adds the dynamic pressure on ends and tapers
    end_ca: added mass along the axis at each wet end, as a multiple of a hemisphere of water [-]
    end_cd: coefficient of drag along the axis at each wet end [-]
    strips: number of Gauss points along the member
    """

    type: Literal["morison"] = "morison"
    ca: Annotated[Real, Field(ge=0)]
    cd: Annotated[Real, Field(ge=0)]
    cm: Annotated[Real, Field(ge=0)] | None = None
    kinematics: Literal["displaced", "undisplaced"] = "displaced"
    waterline: Literal["instantaneous", "still"] = "instantaneous"
    normal: Literal["body", "fixed"] = "body"
    axial_pressure: Flag = False
    end_ca: Annotated[Real, Field(ge=0)] = 0.0
    end_cd: Annotated[Real, Field(ge=0)] = 0.0
    strips: Annotated[Count, Field(ge=1, le=1000)] = 30

    @property
    def added_mass(self) -> float | None:
        """Return something if this load has added mass."""
        return self.ca + self.end_ca or None

    @model_validator(mode="after")
    def _has_a_side(self) -> Morison:
        if not self.segments():
            raise ValueError("needs sections at different heights")
        return self
