"""A ramp over the start of a run: waves and wind are raised smoothly from what the model starts in.

A run from the drawing starts in still water and air. A run from a state of rest, or from a result, starts in the wind
it rests in: the ramp raises the waves, and of the wind what differs from the wind of the equilibrium.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from fairlead.errors import Problem
from fairlead.model.compile import Compiled
from fairlead.model.environment.environment import wave_fields
from fairlead.model.environment.wind import KaimalWind, SteadyWind
from fairlead.model.piecewise import PiecewiseCubic
from fairlead.model.schema import Model

DRAWING = "drawing"


def raise_from(compiled: Compiled, ramp: float, start: str) -> None:
    """Let a compiled model raise its waves and its wind over the first `ramp` seconds; steps are divided at its end."""
    arrays = compiled.arrays
    arrays.sea.water["ramp"] = ramp
    if len(arrays.wind):
        arrays.wind["ramp"] = ramp
        arrays.wind["base"] = 0.0 if start == DRAWING else _at_rest(compiled)
    compiled.arrays = arrays._replace(kinks=np.union1d(arrays.kinks, [ramp]))


def _at_rest(compiled: Compiled) -> tuple[float, float, float]:
    """Return speed, lateral and vertical part of the wind of the equilibrium: the mean of turbulence, else at t = 0."""
    wind: Any = compiled.model.environment.wind  # type: ignore[union-attr]
    if isinstance(wind, KaimalWind):
        return float(wind.speed), 0.0, 0.0
    arrays, row = compiled.arrays, compiled.arrays.wind[0]
    pieces = [slice(int(row["start"][n]), int(row["stop"][n])) for n in (0, 2, 3)]
    found = [PiecewiseCubic(arrays.knot[one], arrays.coef[one][:-1])(0.0) for one in pieces]
    return float(found[0]), float(found[1]), float(found[2])


def without_effect(model: Model, from_drawing: bool) -> list[Problem]:
    """Return why a ramp would raise nothing, if so."""
    environment = model.environment
    wind = environment.wind if environment is not None else None
    if any(field.type != "still-water" for field in wave_fields(environment)):
        return []
    steady = isinstance(wind, SteadyWind) and not wind.changes
    if wind is None or (steady and not from_drawing):
        what = "neither waves nor wind" if wind is None else "no waves, and starts in its steady wind"
        return [Problem(f"has no effect: the run has {what}; leave it out", "ramp")]
    return []
