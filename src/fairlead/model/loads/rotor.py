"""Rotors: thrust and power from curves of the wind relative to the hub along the shaft."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from pydantic import BeforeValidator, Discriminator, Field, Tag, WithJsonSchema, model_validator

from fairlead.errors import InvalidInput
from fairlead.model.fields import Axis, Length, Position, SchemaModel, _plain, number
from fairlead.model.loads.base import Load
from fairlead.model.loads.rotor_curves import Curve, OfCt, Performance, curves_of
from fairlead.model.messages import WrongField
from fairlead.record import Variable
from fairlead.units import to_si

if TYPE_CHECKING:
    from fairlead.model.loads.compile import LoadRows


class Torque(SchemaModel):
    """A steady torque: power over rotor speed.

    power: mechanical power
    speed: rotor speed
    """

    power: number("W", gt=0)  # type: ignore[valid-type]
    speed: number("rad/s", gt=0)  # type: ignore[valid-type]


def _which(value: Any) -> str:
    if isinstance(value, dict):
        return "<ofct>" if "of_ct" in value else "<torque>" if "power" in value else "<curve>"
    return f"<{type(value).__name__.lower()}>"


def _coefficient(*words: type[SchemaModel]) -> Any:
    """Return the type of a number or one of the words."""

    def convert(value: Any) -> Any:
        value = _plain(value)
        return value if isinstance(value, (dict, SchemaModel)) else to_si(value, "")

    union: Any = Annotated[float, Tag("<float>"), Field(ge=0)]
    for word in words:
        union |= Annotated[word, Tag(f"<{word.__name__.lower()}>")]
    forms = WithJsonSchema({"anyOf": [{"type": "number"}, {"type": "object"}]})
    return Annotated[Annotated[union, Discriminator(_which)], BeforeValidator(convert), forms]


def _torque(value: Any) -> Any:
    value = _plain(value)
    if isinstance(value, dict):
        value = Torque.model_validate(value)
    return value.power / value.speed if isinstance(value, Torque) else to_si(value, "N m")


_TORQUE = {"anyOf": [{"type": "number"}, {"type": "string"}, {"type": "object"}]}


class RotorThrust(Load):
    """T = 1/2 rho pi radius^2 C_T V^2 at `point` along `axis`, V the relative wind along it. Dissertation Eq. 3.19.

    point: hub, where the thrust acts
    axis: the shaft as drawn, pointing downwind; it turns with the body
    radius: radius of the rotor
    ct: thrust coefficient: a number (fixed) or a Curve over the wind speed; or give `performance` [-]
    cp: power coefficient: a number, a Curve or `OfCt`; no power unless given [-]
    performance: both coefficients from a table and a schedule
    torque: torque on the body about the axis, or a mapping with `power` and `speed` [N m]
    """

    type: Literal["rotor-thrust"] = "rotor-thrust"
    point: Position
    axis: Axis
    radius: Annotated[Length, Field(gt=0)]
    ct: _coefficient(Curve) | None = None  # type: ignore[valid-type]
    cp: _coefficient(Curve, OfCt) | None = None  # type: ignore[valid-type]
    performance: Performance | None = None
    torque: Annotated[float, BeforeValidator(_torque), WithJsonSchema(_TORQUE)] = 0.0

    @model_validator(mode="after")
    def _has_a_coefficient(self) -> RotorThrust:
        if self.ct is None and self.performance is None:
            raise WrongField("is required and missing; for example ct: 0.8, a curve, or 'performance'", "ct")
        if self.cp is not None and self.performance is not None:
            raise WrongField("is given by 'performance' already; keep one of them", "cp")
        return self

    records: ClassVar[str] = "rotors"
    needs: ClassVar[tuple[str, ...]] = ("wind",)
    outputs: ClassVar[dict[str, Variable]] = {
        "hub_wind": Variable(
            ("load",),
            "m/s",
            "horizontal speed of the undisturbed wind at a rotor's point",
            optional=True,
            openfast_name="WindHubVelMag",
            outb_name="HubWind",
        ),
        "relative_wind": Variable(
            ("load",),
            "m/s",
            "wind relative to a rotor's point along its shaft",
            optional=True,
            openfast_name="RtVAvgxh",
        ),
        "thrust": Variable(
            ("load",), "N", "thrust of a rotor along its shaft", optional=True, openfast_name="RtAeroFxh"
        ),
        "power": Variable(("load",), "W", "power of a rotor", optional=True, openfast_name="RtAeroPwr"),
    }
    beyond: ClassVar[tuple[str, str]] = (
        "beyond_curve",
        "the relative wind left the curve, which is held at its ends",
    )

    def fill(self, row: Any, name: str, at: LoadRows) -> None:
        """Fill its record."""
        row["body"] = at.number(self.body)
        row["r_BP_D"], row["axis_D"] = at.offset(self.body, self.point), at.axis(self.body, self.axis)
        row["area"], row["torque"] = math.pi * self.radius**2, self.torque
        try:
            for n, (speeds, values) in enumerate(curves_of(self)):
                row["start"][n], row["stop"][n] = at.pools.pieces(speeds, [[value] for value in values])
        except InvalidInput as error:
            for one in error.problems:
                at.problem(one.message, f"loads.{name}.performance")
