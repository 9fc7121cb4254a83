"""Rotors: thrust and power from curves of the wind relative to the hub along the shaft."""

from __future__ import annotations

import itertools
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Discriminator, Field, Tag, WithJsonSchema, model_validator

from fairlead.model.files import FilePath
from fairlead.model.load_base import Load
from fairlead.model.sentences import WrongField
from fairlead.model.units import to_si
from fairlead.model.words import Axis, Length, Position, Real, Word, _plain, number

Speed = number("m/s", ge=0)


def _grows(name: str, values: tuple[float, ...]) -> None:
    for row, (before, after) in enumerate(itertools.pairwise(values), start=2):
        if after <= before:
            raise WrongField(f"must grow; row {row} is {after:g} after {before:g}", name)


class Curve(Word):
    """A coefficient at wind speeds, linear between them and held at its ends (which is counted).

    speeds: wind speeds, growing
    values: coefficient at each speed [-]
    """

    speeds: tuple[Speed, ...] = Field(min_length=2)  # type: ignore[valid-type]
    values: tuple[Real, ...] = Field(min_length=2)

    @model_validator(mode="after")
    def _is_a_curve(self) -> Curve:
        if len(self.speeds) != len(self.values):
            raise WrongField(f"needs as many values as there are speeds ({len(self.speeds)})", "values")
        _grows("speeds", self.speeds)
        return self


class OfCt(Word):
    """C_P as a multiple of C_T (0.7 in the Dissertation).

    of_ct: the factor C_P / C_T [-]
    """

    of_ct: Annotated[Real, Field(ge=0)]


class Performance(Word):
    """C_P and C_T over tip-speed ratio and blade pitch, and the pitch and rotor speed held at each wind speed.

    file: table with the columns tip_speed_ratio, pitch_deg, cp and ct (a full grid), sought beside the model file
    speeds: wind speeds of the schedule, growing
    pitch: blade pitch at each wind speed
    rotor_speed: rotor speed at each wind speed
    """

    file: FilePath
    speeds: tuple[Speed, ...] = Field(min_length=2)  # type: ignore[valid-type]
    pitch: tuple[number("rad"), ...] = Field(min_length=2)  # type: ignore[valid-type]
    rotor_speed: tuple[number("rad/s", gt=0), ...] = Field(min_length=2)  # type: ignore[valid-type]

    @model_validator(mode="after")
    def _is_a_schedule(self) -> Performance:
        for field in ("pitch", "rotor_speed"):
            if len(getattr(self, field)) != len(self.speeds):
                raise WrongField(f"needs as many values as there are speeds ({len(self.speeds)})", field)
        _grows("speeds", self.speeds)
        if self.speeds[0] <= 0:
            raise WrongField("must begin above zero, where the tip-speed ratio is finite", "speeds")
        return self


class Torque(Word):
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


def _coefficient(*words: type[Word]) -> Any:
    """Return the type of a number or one of the words."""

    def convert(value: Any) -> Any:
        value = _plain(value)
        return value if isinstance(value, (dict, Word)) else to_si(value, "")

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
