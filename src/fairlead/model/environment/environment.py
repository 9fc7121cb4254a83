"""The environment of a model: water, waves, current and air."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from fairlead.model.environment.waves import AnyWaves, Current
from fairlead.model.environment.wind import AnyWind
from fairlead.model.fields import Length, Word, number


class Environment(Word):
    """Water and air around the bodies; the still water is at z = 0, and deep where no `depth` is given."""

    water_density: number("kg/m**3", gt=0) = 1025.0  # type: ignore[valid-type]
    depth: Annotated[Length, Field(gt=0)] | None = None
    waves: AnyWaves | None = None
    current: Current | None = None
    air_density: number("kg/m**3", gt=0) = 1.225  # type: ignore[valid-type]
    wind: AnyWind | None = None
