"""How a model is run: duration, steps, formulation, tolerances."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, Field, model_validator

from fairlead.model.fields import Count, Real, Time, Word
from fairlead.model.messages import unknown
from fairlead.model.run_words import FORMULATIONS
from fairlead.model.time_grid import grid_of


def _formulation(name: str) -> str:
    if name not in FORMULATIONS:
        raise ValueError(unknown("formulation", name, FORMULATIONS))
    return name


class RunAudit(Word):
    """How the audit of a run judges: `tolerance` is relative, 1e-6 unless given."""

    tolerance: Annotated[Real, Field(gt=0, lt=1)] | None = None


class Run(Word):
    """How `fairlead run` runs the model; every word may be overridden on the command line.

    Without `dt` the method is adaptive and 1000 instants are recorded, or one every `interval`.
    """

    duration: Annotated[Time, Field(gt=0)]
    dt: Annotated[Time, Field(gt=0)] | None = None
    formulation: Annotated[str, AfterValidator(_formulation)] = "auto"
    integrator: Literal["rk4", "symplectic-euler", "rk45", "dop853", "generalised-alpha"] | None = None
    rotation: Literal["quaternion", "euler123"] = "quaternion"
    output_every: Annotated[Count, Field(ge=1)] | None = None
    rtol: Annotated[Real, Field(gt=0)] | None = None
    atol: Annotated[Real, Field(gt=0)] | None = None
    unknowns: Literal["omega", "euler-parameters"] = "omega"
    closing: Literal["auto", "partition", "partition-every-step", "projection"] = "auto"
    audit: RunAudit | None = None
    interval: Annotated[Time, Field(gt=0)] | None = None

    @model_validator(mode="after")
    def _times_agree(self) -> Run:
        grid_of(self.duration, self.dt, self.output_every, self.interval)
        return self
