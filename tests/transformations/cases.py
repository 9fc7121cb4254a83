"""The models that go through the harness: every example, every model, and generated ones, over a short time."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import fairlead as fl
from fairlead.model.sea import Waves
from transformations.remake import remade
from witness.random_free_models import random_free_model

ROOT = Path(__file__).parents[2]
STEPS = 40
GENERATED = {"tree of two": (11, 2), "tree of three": (4, 3), "tree of five": (7, 5), "forest of eight": (23, 8)}


@dataclass(frozen=True)
class Case:
    """A model with the short run it is compared over."""

    name: str
    model: fl.Model
    dt: float

    @property
    def duration(self) -> float:
        """Return the length of the run [s]."""
        return STEPS * self.dt


def _events_early(model: fl.Model, duration: float) -> fl.Model:
    """Return the model with what happens late in its run brought into the first steps, and its waves summed exactly."""
    environment = model.environment
    if environment is None:
        return model
    changes: dict[str, Any] = {}
    if isinstance(environment.waves, Waves):
        # Tables of the waves agree to 1e-3 with the sum, and stand elsewhere in another world.
        changes["waves"] = remade(environment.waves, lookup="sum", **_few(environment.waves))
    if environment.wind is not None:
        early = [remade(c, begin=0.21 * duration) for c in environment.wind.changes]
        changes["wind"] = remade(environment.wind, changes=tuple(early))
    short = {"lag": 0.2 * duration, "acceleration_time": 0.13 * duration, "sample": 0.01 * duration}
    controllers = {n: remade(c, **short) for n, c in model.controllers.items()}
    return remade(model, environment=remade(environment, **changes), controllers=controllers)


def _off_dead_centre(model: fl.Model) -> fl.Model:
    """Return the compressor started beside its dead centre, where rounding would decide on which side the gas acts."""
    return remade(model, joints={**model.joints, "bearing": remade(model.joints["bearing"], initial=0.2)})


def _few(waves: Any) -> dict[str, Any]:
    return {"components": 25} if hasattr(waves, "components") else {}


@cache
def cases() -> dict[str, Case]:
    """Return every case by name."""
    found = {}
    for path in (*sorted((ROOT / "examples").glob("*.yaml")), *sorted((ROOT / "models").glob("*.yaml"))):
        model = fl.load(path)
        dt = model.run.dt if model.run is not None and model.run.dt else 0.01
        model = _events_early(remade(model, run=None), STEPS * dt)
        if path.stem == "slider_crank_dynamic":
            model = _off_dead_centre(model)
        found[path.stem] = Case(path.stem, model, dt)
    for name, (seed, bodies) in GENERATED.items():
        model = random_free_model(seed, bodies, slides_flipped=False)
        found[name] = Case(name, remade(model, name=name), 0.004)
    return found
