"""What a transformation is: a row of a name, how it changes a model, and how well its relation holds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import fairlead as fl
from transformations.image import Image


@dataclass
class Change:
    """A changed model and how its result shows the first one's; `first` replaces the model where both change."""

    model: fl.Model
    image: Image = field(default_factory=Image)
    first: fl.Model | None = None
    run: Callable[..., Any] | None = None  # runs the changed model, where it is not simply simulated
    options: dict[str, Any] = field(default_factory=dict)  # of the second run
    time: float = 1.0  # its duration and step are so many times as long


@dataclass(frozen=True)
class Transformation:
    """A row of the table. `change(model, run)` raises LeftOut with its reason where it does not apply.

    `run(formulation)` gives the model's own result, for changes that need it. `class_` is "rounding" or "integrator".
    """

    name: str
    change: Callable[[fl.Model, Any], Change]
    class_: str = "rounding"
    needs_run: bool = False
