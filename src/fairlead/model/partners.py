"""Partners: other programs that compute loads on a body while the run goes on."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, WithJsonSchema, model_validator

from fairlead.model.bodies import Orientation
from fairlead.model.fields import Count, Name, Position, Real, SchemaModel, Time, number
from fairlead.model.files import FilePath
from fairlead.model.loads.matrices import Matrix6
from fairlead.model.messages import WrongField
from fairlead.model.shown import diagonal

SENT = {
    "position": 3,
    "orientation": 4,
    "velocity": 3,
    "angular_velocity": 3,
}  # what may be sent, and of how many numbers


def _words(value: Any) -> Any:
    """Return a command as a tuple of texts; one text would need a shell to be cut up."""
    if isinstance(value, str):
        raise ValueError(f"expected a list of a program and its arguments, such as [{value.replace(' ', ', ')}]")
    if isinstance(value, list | tuple) and all(isinstance(word, str | int | float) for word in value):
        return tuple(str(word) for word in value)
    return value


Command = Annotated[
    tuple[str, ...],
    BeforeValidator(_words),
    Field(min_length=1),
    WithJsonSchema({"type": "array", "items": {"type": "string"}}),
]
Sent = Annotated[
    tuple[Literal["position", "orientation", "velocity", "angular_velocity"], ...],
    BeforeValidator(lambda value: tuple(value) if isinstance(value, list) else value),
    Field(min_length=1),
    WithJsonSchema({"type": "array", "items": {"enum": list(SENT)}}),
]


class Scale(SchemaModel):
    """How a partner's numbers without dimension become SI: MBDM note section 7.1.5.

    Length C and velocity U make forces rho U^2 C^2, moments rho U^2 C^3, times C/U; rpm and R say how fast the tip is.

    rpm: speed of the rotor
    speed: velocity of the inflow, U
    density: density of the fluid, rho
    chord: reference length, the largest chord C
    radius: radius of the rotor, R
    """

    rpm: number("rpm")  # type: ignore[valid-type]
    speed: number("m/s", gt=0)  # type: ignore[valid-type]
    density: number("kg/m**3", gt=0)  # type: ignore[valid-type]
    chord: number("m", gt=0)  # type: ignore[valid-type]
    radius: number("m", gt=0)  # type: ignore[valid-type]

    @property
    def pressure(self) -> float:
        """Return rho U^2 [Pa]."""
        return float(self.density) * float(self.speed) ** 2


class Limits(SchemaModel):
    """How long a partner may take before the run ends.

    start: time until it has joined
    answer: time for one answer
    stop: time until it has ended after it was told to
    """

    start: Annotated[Time, Field(gt=0)] = 60.0
    answer: Annotated[Time, Field(gt=0)] = 600.0
    stop: Annotated[Time, Field(gt=0)] = 10.0


class Iterate(SchemaModel):
    """Iteration of one step until the load that was assumed is the load that is answered, with Aitken's relaxation.

    tolerance: relative difference of two answers that counts as none
    most: most answers in one step
    relaxation: share of the first correction that is taken
    """

    tolerance: Annotated[Real, Field(gt=0, lt=1)] = 1e-10
    most: Annotated[Count, Field(ge=1)] = 50
    relaxation: Annotated[Real, Field(gt=0, le=1)] = 0.5


class Partner(SchemaModel):
    """Another program that computes the load on one body, exchanged for the body's motion as the run goes on.

    body: body that the load acts on
    command: program and its arguments; none for a partner that joins by itself or runs in this process
    transport: how messages travel: "socket" (Unix), "tcp" (of this machine), "mpi", or "in-process"
    processes: processes that the command is started on, of which the first speaks; more than one with "mpi"
    address: path of a Unix socket or port of this machine at which a partner joins that is not started here
    folder: folder in which the command is started; that of the model file unless given
    step: "small" answers at once for the instant it is sent; "large" advances while we do and answers at its end
    exchanges: exchanges in a step: 1, or 2 for predictor and corrector
    every: steps of ours between two exchanges
    extrapolation: order of the polynomial through the last loads: 0 holds them, 1 and 2 go on with them
    iterate: iteration within a step; none unless given
    added_mass: estimate of the fluid's added mass at the point, taken to our side of the equation [kg, kg m, kg m**2]
    point: point that loads are about and motions are of; the mass centre unless given
    axes: attitude of the partner's axes in the world; those of the world unless given
    origin: place of the partner's origin in the world
    scale: how its numbers without dimension become SI; it speaks SI unless given
    sends: what of the motion it is sent
    limits: how long it may take
    """

    body: Name
    command: Command | None = None
    transport: Literal["socket", "tcp", "mpi", "in-process"] = "socket"
    processes: Annotated[Count, Field(ge=1)] = 1
    address: str | None = None
    folder: FilePath | None = None
    step: Literal["small", "large"] = "small"
    exchanges: Annotated[Count, Field(ge=1, le=2)] = 1
    every: Annotated[Count, Field(ge=1)] = 1
    extrapolation: Annotated[Count, Field(ge=0, le=2)] = 0
    iterate: Iterate | None = None
    added_mass: Matrix6 = None
    point: Position | None = None
    axes: Orientation | None = None
    origin: Position = (0.0, 0.0, 0.0)
    scale: Scale | None = None
    sends: Sent = ("position", "orientation", "velocity", "angular_velocity")
    limits: Limits = Limits()

    def _shown(self, name: str, value: Any) -> Any:
        return diagonal(value) if name == "added_mass" else value

    @model_validator(mode="after")
    def _fits_together(self) -> Partner:
        in_process = self.transport == "in-process"
        if in_process and self.command is not None:
            raise WrongField(
                "starts another process, and transport 'in-process' has none; leave one of them out", "command"
            )
        if not in_process and (self.command is None) == (self.address is None):
            raise ValueError("needs either a 'command' to start or an 'address' at which the partner joins")
        if self.address is not None and self.transport not in ("socket", "tcp"):
            raise WrongField("is of transports 'socket' and 'tcp'; leave it out", "address")
        if self.transport == "tcp" and self.address is not None and not self.address.isdigit():
            raise WrongField(f"must be a port number with transport 'tcp'; got '{self.address}'", "address")
        if self.processes > 1 and self.transport != "mpi":
            raise WrongField("is above 1 with transport 'mpi' alone; a socket has one end over there", "processes")
        if self.step == "large" and (self.exchanges > 1 or self.iterate is not None):
            field = "exchanges" if self.exchanges > 1 else "iterate"
            raise WrongField("is for a partner that answers at once; leave it out, or make its step 'small'", field)
        if self.exchanges > 1 and (self.iterate is not None or self.extrapolation or self.every > 1):
            field = "iterate" if self.iterate is not None else "extrapolation" if self.extrapolation else "every"
            raise WrongField("has no place beside two exchanges in each step; leave one of them out", field)
        if self.iterate is not None and self.extrapolation:
            raise WrongField(
                "has no place beside 'iterate', which ends a step with its own load; leave it out", "extrapolation"
            )
        return self
