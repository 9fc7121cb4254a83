"""The models that go through the harness: every example, every model, and generated ones, over a short time."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import fairlead as fl
from fairlead.model.environment.waves import Waves
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
    controllers = {n: c if c.outputs() else remade(c, **short) for n, c in model.controllers.items()}
    return remade(model, environment=remade(environment, **changes), controllers=controllers)


def _off_dead_centre(model: fl.Model) -> fl.Model:
    """Return the compressor started beside its dead centre, where rounding would decide on which side the gas acts."""
    return remade(model, joints={**model.joints, "bearing": remade(model.joints["bearing"], initial=0.2)})


def _few(waves: Any) -> dict[str, Any]:
    return {"components": 25} if hasattr(waves, "components") else {}


def case_names() -> list[str]:
    """Return the names of every case, nothing being loaded."""
    return [*_paths(), *GENERATED]


def _paths() -> dict[str, Path]:
    return {path.stem: path for folder in ("examples", "models") for path in sorted((ROOT / folder).glob("*.yaml"))}


@cache
def case_of(name: str) -> Case:
    """Return the case of a name."""
    if name in GENERATED:
        seed, bodies = GENERATED[name]
        return Case(name, remade(random_free_model(seed, bodies, slides_flipped=False), name=name), 0.004)
    model = fl.load(_paths()[name])
    dt = model.run.dt if model.run is not None and model.run.dt else 0.01
    model = _events_early(remade(model, run=None), STEPS * dt)
    return Case(name, _off_dead_centre(model) if name == "slider_crank_dynamic" else model, dt)
