"""Forces along a free joint coordinate: spring, stop and actuator."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, Discriminator, Field, Tag, WithJsonSchema, model_validator

from fairlead.model.channel_table import ChannelTable, form_of
from fairlead.model.fields import Real, SchemaModel, Time, _plain, number
from fairlead.model.messages import WrongField
from fairlead.model.motions import Amount, Expression, Table
from fairlead.units import NUMBER_AND_UNIT, short, to_si

# What acts along a coordinate, by the kind of the coordinate; a text with a unit is converted when that is known.
FORCE = {"angle": "N m", "length": "N"}
STIFFNESS = {"angle": "N m/rad", "length": "N/m"}
DAMPING = {"angle": "N m s/rad", "length": "N s/m"}


def _bounded(value: float | str, *, above: bool) -> float | str:
    match = NUMBER_AND_UNIT.match(value) if isinstance(value, str) else None
    size = float(match.group(1)) if match else float(value)
    if size < 0 or (above and size == 0):
        got = f"{value:g}" if isinstance(value, float) else value
        raise ValueError(f"must be {'greater than' if above else 'at least'} 0; got {got}")
    return value


NotNegative = Annotated[Amount, AfterValidator(lambda value: _bounded(value, above=False))]
Positive = Annotated[Amount, AfterValidator(lambda value: _bounded(value, above=True))]


def _command(value: Any) -> Any:
    value = _plain(value)
    if isinstance(value, str):
        match = NUMBER_AND_UNIT.match(value)
        if not match:
            return {"expression": value}
        return value if match.group(2) else to_si(value, "")
    if value is None or isinstance(value, (bool, list, tuple)):
        got = "nothing" if value is None else short(value)
        raise ValueError(f"expected a number, an expression, times with values, or of with points; got {got}")
    return value if isinstance(value, (dict, Expression, Table, ChannelTable)) else to_si(value, "")


def _which_command(value: Any) -> str:
    if isinstance(value, dict):
        return form_of(value)
    return f"<{type(value).__name__.lower()}>"


class JointSpring(SchemaModel):
    """A spring on a free joint coordinate: force or moment -stiffness (q - rest).

    stiffness: force or moment per displacement [N/m or N m/rad]
    rest: coordinate where the spring is relaxed; the drawing unless given [m or rad]
    """

    stiffness: NotNegative
    rest: Amount = 0.0


class Stop(SchemaModel):
    """A smooth, friction-free stop at each end: stiffness and damping come in over `width`.

    lower: coordinate where the lower stop begins; none unless given [m or rad]
    upper: coordinate where the upper stop begins; none unless given [m or rad]
    stiffness: stiffness behind the end [N/m or N m/rad]
    damping: damping behind the end [N s/m or N m s/rad]
    width: over how much travel the stop comes in; 1 mm or 1 mrad unless given [m or rad]
    """

    lower: Amount | None = None
    upper: Amount | None = None
    stiffness: Positive
    damping: NotNegative = 0.0
    width: Amount = 1e-3

    @model_validator(mode="after")
    def _has_an_end(self) -> Stop:
        if self.lower is None and self.upper is None:
            raise ValueError("needs 'lower', 'upper' or both")
        return self


class Actuator(SchemaModel):
    """A force or moment along a free coordinate that follows `command`, or the output of a `controller`.

    Without a response it gives the command; with `time_constant` it follows as first order, with `frequency` and
    `damping_ratio` as second order.

    command: commanded force or moment: a number, a table of time or of a channel, or an expression [N or N m]
    controller: name of the controller that commands, or of one of its outputs as `name.output`
    limit: largest size of command and force; none unless given [N or N m]
    time_constant: time constant of a first-order response
    frequency: natural frequency of a second-order response
    damping_ratio: damping ratio of a second-order response [-]
    """

    command: (
        Annotated[
            Annotated[float, Tag("<float>")]
            | Annotated[str, Tag("<str>")]
            | Annotated[Expression, Tag("<expression>")]
            | Annotated[Table, Tag("<table>")]
            | Annotated[ChannelTable, Tag("<channeltable>")],
            Discriminator(_which_command),
            BeforeValidator(_command),
            WithJsonSchema({"anyOf": [{"type": "number"}, {"type": "string"}, {"type": "object"}]}),
        ]
        | None
    ) = None
    controller: Annotated[str, Field(max_length=129)] | None = None
    limit: Positive | None = None
    time_constant: Annotated[Time, Field(gt=0)] | None = None
    frequency: number("rad/s", gt=0) | None = None  # type: ignore[valid-type]
    damping_ratio: Annotated[Real, Field(ge=0)] | None = None

    @model_validator(mode="after")
    def _one_command(self) -> Actuator:
        if self.command is None and self.controller is None:
            raise WrongField("is required and missing (or 'controller')", "command")
        if self.command is not None and self.controller is not None:
            raise WrongField("is given beside 'command'; keep one of them", "controller")
        return self

    @model_validator(mode="after")
    def _one_response(self) -> Actuator:
        if self.time_constant is not None and self.frequency is not None:
            raise WrongField(
                "has also 'frequency'; keep one, for a response of first or of second order", "time_constant"
            )
        if (self.frequency is None) != (self.damping_ratio is None):
            raise WrongField("needs 'frequency' and 'damping_ratio' together", "frequency")
        return self

    @property
    def order(self) -> int:
        """Return the order of the response."""
        return 2 if self.frequency is not None else 1 if self.time_constant is not None else 0
