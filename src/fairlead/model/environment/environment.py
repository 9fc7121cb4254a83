"""The environment of a model: water, waves, current and air."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from fairlead.model.environment.waves import Current, OneOrMoreWaves
from fairlead.model.environment.wind import AnyWind
from fairlead.model.fields import Length, SchemaModel, number


class Environment(SchemaModel):
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
    waves: OneOrMoreWaves | None = None
    current: Current | None = None
    air_density: number("kg/m**3", gt=0) = 1.225  # type: ignore[valid-type]
    wind: AnyWind | None = None  # type: ignore[valid-type]


def wave_fields(environment: Environment | None) -> tuple[Any, ...]:
    """Return the waves of an environment, one by one; still water given in words is one of them."""
    waves = environment.waves if environment is not None else None
    return waves if isinstance(waves, tuple) else () if waves is None else (waves,)
