"""How a model is run: duration, steps, formulation, tolerances."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, Field, model_validator

from fairlead.model.fields import Count, Real, SchemaModel, Time
from fairlead.model.messages import WrongField, unknown
from fairlead.model.run_words import FORMULATIONS
from fairlead.model.time_grid import grid_of


def _formulation(name: str) -> str:
    if name not in FORMULATIONS:
        raise ValueError(unknown("formulation", name, FORMULATIONS))
    return name


class RunAudit(SchemaModel):
    """How the audit of a run judges.

    tolerance: relative tolerance of every check; 1e-6 unless given
    """

    tolerance: Annotated[Real, Field(gt=0, lt=1)] | None = None


class Run(SchemaModel):
    """How `fairlead run` runs the model; every word may be overridden on the command line.

    Without `dt` the method is adaptive and 1000 instants are recorded, or one every `interval`.

    duration: time to simulate
    dt: step; the method is adaptive unless given
    formulation: how the equations of motion are derived; `auto` chooses by the joints of the model
    integrator: method of the time steps; rk4 with `dt`, dop853 without
    rotation: coordinates of a floating base's attitude; `euler123` stops at its singular attitude
    output_every: record every so-many-th step
    rtol: relative tolerance of adaptive methods; 1e-9 unless given
    atol: absolute tolerance of adaptive methods, in SI units; 1e-12 unless given
    unknowns: unknowns of the rotations in `constrained`
    closing: how `constrained` keeps loops closed
    audit: how the audit judges the run
    interval: time between recorded instants, a whole number of steps where `dt` is given
    start: where the run starts: as drawn, or where the model rests
    ramp: time over which waves and wind are raised smoothly at the start
    discard: time at the start that statistics leave out
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
    start: Literal["drawing", "equilibrium"] = "drawing"
    ramp: Annotated[Time, Field(ge=0)] | None = None
    discard: Annotated[Time, Field(ge=0)] | None = None

    @model_validator(mode="after")
    def _times_agree(self) -> Run:
        grid_of(self.duration, self.dt, self.output_every, self.interval)
        if self.discard is not None and self.discard >= self.duration:
            text = f"leaves nothing of the run, which lasts {self.duration:g} s; got {self.discard:g} s"
            raise WrongField(text, "discard")
        return self
