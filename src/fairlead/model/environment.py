"""The environment of a model: water, waves, current and air."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from fairlead.model.sea import AnyWaves, Current
from fairlead.model.wind import AnyWind
from fairlead.model.words import Length, Word, number


class Environment(Word):
    """Water and air around the bodies; the still water is at z = 0.

    water_density: density of the water
    depth: depth of the water; deep unless given
    waves: waves; none unless given
    current: current; none unless given
    air_density: density of the air
    wind: wind; none unless given
    """

    water_density: number("kg/m**3", gt=0) = 1025.0  # type: ignore[valid-type]
    depth: Annotated[Length, Field(gt=0)] | None = None
    waves: AnyWaves | None = None
    current: Current | None = None
    air_density: number("kg/m**3", gt=0) = 1.225  # type: ignore[valid-type]
    wind: AnyWind | None = None  # type: ignore[valid-type]
