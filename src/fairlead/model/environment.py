"""The surroundings of a model: the air and its wind."""

from __future__ import annotations

from fairlead.model.wind import AnyWind
from fairlead.model.words import Word, number


class Environment(Word):
    """What surrounds the bodies."""

    air_density: number("kg/m**3", gt=0) = 1.225  # type: ignore[valid-type]
    wind: AnyWind | None = None
