"""Motions of driven coordinates: what a joint coordinate is at every time.

A number in a motion belongs to a coordinate that may be an angle or a length, so texts with units are kept as
given and converted by `in_si` when the coordinate is known.
"""

from __future__ import annotations

import math
from typing import Annotated, Any, ClassVar, Literal

from pydantic import AliasChoices, BeforeValidator, Discriminator, Field, Tag, WithJsonSchema, model_validator

from fairlead.model.fields import Real, SchemaModel, Time, _plain, number
from fairlead.units import NUMBER_AND_UNIT, to_si

SI = {"angle": "rad", "length": "m"}


def _number_or_text(value: Any) -> float | str:
    value = _plain(value)
    if not isinstance(value, str):
        return to_si(value, "")
    match = NUMBER_AND_UNIT.match(value)
    if not match or not match.group(2):
        raise ValueError(f"expected a number or a number with a unit such as '1.2 deg/s', got {value!r}")
    return value


_SCHEMA = {"anyOf": [{"type": "number"}, {"type": "string"}]}
Amount = Annotated[float | str, BeforeValidator(_number_or_text), WithJsonSchema(_SCHEMA)]


class Motion(SchemaModel):
    """Base of motions; `powers` says the power of time each amount is divided by."""

    powers: ClassVar[dict[str, int]] = {}

    def in_si(self, kind: str) -> dict[str, float]:
        """Return the amounts of this motion in SI for a coordinate of `kind` angle or length."""
        return {name: amount_in_si(getattr(self, name), kind, power) for name, power in self.powers.items()}


def amount_in_si(value: float | str, kind: str, power: int = 0) -> float:
    """Return `value` in rad or m, divided by seconds to `power`."""
    return to_si(value, SI[kind] + ("", "/s", "/s**2")[power])


class Rate(Motion):
    """A constant rate: coordinate = start + value t.

    value: the rate; a file calls it `rate` [rad/s or m/s]
    start: coordinate at t = 0 [rad or m]
    """

    powers = {"value": 1, "start": 0}
    value: Amount = Field(validation_alias=AliasChoices("rate", "value"), serialization_alias="rate")
    start: Amount = 0.0


class Ramp(Motion):
    """At `start` until `begin`, then the rate grows with `acceleration` until it is `rate`, and stays.

    rate: final rate; a file calls it `ramp` [rad/s or m/s]
    acceleration: how fast the rate grows; its sign follows the rate [rad/s**2 or m/s**2]
    start: coordinate until `begin` [rad or m]
    begin: when the rate begins to grow
    """

    powers = {"rate": 1, "acceleration": 2, "start": 0}
    rate: Amount = Field(validation_alias=AliasChoices("ramp", "rate"), serialization_alias="ramp")
    acceleration: Amount
    start: Amount = 0.0
    begin: Time = 0.0

    @model_validator(mode="after")
    def _accelerates(self) -> Ramp:
        if self.acceleration == 0:
            raise ValueError("a ramp needs an acceleration that is not zero; its sign follows the rate")
        return self


class Sine(Motion):
    """coordinate = mean + amplitude sin(frequency t + phase); give `frequency` or `period`.

    amplitude: largest distance from the mean; a file calls it `sine` [rad or m]
    frequency: angular frequency; a text may be in Hz
    phase: phase at t = 0
    mean: coordinate it swings about [rad or m]
    period: time of one swing, instead of `frequency`
    """

    powers = {"amplitude": 0, "mean": 0}
    amplitude: Amount = Field(validation_alias=AliasChoices("sine", "amplitude"), serialization_alias="sine")
    frequency: number("rad/s") | None = None  # type: ignore[valid-type]
    phase: number("rad") = 0.0  # type: ignore[valid-type]
    mean: Amount = 0.0
    period: Time | None = None

    @model_validator(mode="after")
    def _has_one_tempo(self) -> Sine:
        if (self.frequency is None) == (self.period is None):
            raise ValueError("a sine needs either 'frequency' (rad/s, or a text in Hz) or 'period' (s)")
        if self.period is not None and self.period <= 0:
            raise ValueError("the period of a sine must be positive")
        return self


class Polynomial(Motion):
    """coordinate = c0 + c1 t + c2 t^2 + ...

    coefficients: c0, c1, c2, ..., plain numbers in SI; a file calls them `polynomial` [rad or m, per power of s]
    """

    coefficients: tuple[Real, ...] = Field(
        validation_alias=AliasChoices("polynomial", "coefficients"), serialization_alias="polynomial", min_length=1
    )


class Table(Motion):
    """Values at times; as a motion a C2 cubic spline, as a load linear between its rows.

    times: times of the rows, growing
    values: value at each time, in the unit of what the table is for
    """

    times: tuple[Time, ...] = Field(min_length=2)
    values: tuple[Amount, ...] = Field(min_length=2)

    @model_validator(mode="after")
    def _is_a_table(self) -> Table:
        if len(self.times) != len(self.values):
            raise ValueError(
                f"a table needs as many values as times; got {len(self.times)} times, {len(self.values)} values"
            )
        for row, (before, after) in enumerate(zip(self.times, self.times[1:]), start=2):
            if after <= before:
                raise ValueError(f"the times of a table must grow; row {row} is {after} s after {before} s")
        return self


class Expression(Motion):
    """A formula in the safe expression language.

    expression: the formula; as a motion it may use `t` alone
    """

    expression: str = Field(max_length=4000)


class Controlled(Motion):
    """The coordinate follows a controller of the model: one that plans a motion gives it, feedback commands it.

    A commanded position u is followed by q'' = w^2 (u - q) - 2 z w q' with the `frequency` w and the `damping_ratio` z,
    a rate by q'' = (u - q') / `time_constant`; a commanded acceleration is the coordinate's own. Limits hold for the
    motion; near those of position the rate falls in time, with a double pole.

    controller: name of the controller, or of one of its outputs as `name.output`
    follows: whether the output is a position, a rate or an acceleration; a position unless given
    frequency: natural frequency with which a position is followed; a text may be in Hz
    damping_ratio: damping ratio of that; 1 unless given [-]
    time_constant: time in which a rate is followed, and in which limits are met where accelerations are commanded
    limits: lower and upper end of the coordinate; none unless given [rad or m]
    rate_limit: largest rate; none unless given [rad/s or m/s]
    acceleration_limit: largest acceleration; none unless given [rad/s**2 or m/s**2]
    start: coordinate at t = 0 [rad or m]
    start_rate: its rate at t = 0 [rad/s or m/s]
    """

    controller: str = Field(max_length=129)
    follows: Literal["position", "rate", "acceleration"] = "position"
    frequency: number("rad/s", gt=0) | None = None  # type: ignore[valid-type]
    damping_ratio: Annotated[Real, Field(gt=0)] = 1.0
    time_constant: Annotated[Time, Field(gt=0)] | None = None
    limits: tuple[Amount, Amount] | None = None
    rate_limit: Amount | None = None
    acceleration_limit: Amount | None = None
    start: Amount = 0.0
    start_rate: Amount = 0.0

    def in_si(self, kind: str) -> dict[str, float]:
        """Return the amounts that are given in SI; limits are `lower` and `upper`."""
        found = {"start": amount_in_si(self.start, kind), "start_rate": amount_in_si(self.start_rate, kind, 1)}
        for name, power in (("rate_limit", 1), ("acceleration_limit", 2)):
            if getattr(self, name) is not None:
                found[name] = amount_in_si(getattr(self, name), kind, power)
                if not found[name] > 0:
                    raise ValueError(f"'{name}' must be greater than 0; got {getattr(self, name)}")
        if self.limits is not None:
            found["lower"], found["upper"] = (amount_in_si(end, kind) for end in self.limits)
            if not found["lower"] < found["upper"]:
                raise ValueError(f"'limits' are reversed: the lower must be below the upper; got {list(self.limits)}")
            if not found["lower"] <= found["start"] <= found["upper"]:
                raise ValueError(f"'start' {self.start} is outside of its limits {list(self.limits)}")
        if abs(found["start_rate"]) > found.get("rate_limit", math.inf):
            raise ValueError(f"'start_rate' {self.start_rate} is beyond its rate_limit {self.rate_limit}")
        if self.limits is not None and found["start_rate"] != 0.0:
            self._can_stop(found)
        return found

    def _can_stop(self, found: dict[str, float]) -> None:
        """Hold that a coordinate does not start too fast for its limits: the rate towards one is (limit - q) / 4T."""
        T = self.time_constant or (1.0 / (2.0 * self.damping_ratio * self.frequency) if self.frequency else 0.0)
        end = found["upper" if found["start_rate"] > 0 else "lower"]
        if T > 0 and abs(found["start_rate"]) > abs(end - found["start"]) / (4.0 * T):
            most = abs(end - found["start"]) / (4.0 * T)
            raise ValueError(
                f"'start_rate' {self.start_rate} passes the limit {end:g}; from here at most {most:.3g} stops"
            )

    def asked(self) -> list[str]:
        """Return the fields beside the controller that are given."""
        fields = type(self).model_fields
        return [name for name in fields if name != "controller" and getattr(self, name) != fields[name].default]


def _which(value: Any) -> str | None:
    """Return the tag of a motion's form; the brackets mark it as no part of the path."""
    if isinstance(value, Motion):
        return f"<{type(value).__name__.lower()}>"
    if isinstance(value, dict):
        if "acceleration" in value:
            return "<ramp>"
        for key in ("rate", "ramp", "sine", "polynomial", "expression"):
            if key in value:
                return f"<{key}>"
        if "controller" in value:
            return "<controlled>"
        if "times" in value or "values" in value:
            return "<table>"
    return None


AnyMotion = Annotated[
    Annotated[Rate, Tag("<rate>")]
    | Annotated[Ramp, Tag("<ramp>")]
    | Annotated[Sine, Tag("<sine>")]
    | Annotated[Polynomial, Tag("<polynomial>")]
    | Annotated[Table, Tag("<table>")]
    | Annotated[Expression, Tag("<expression>")]
    | Annotated[Controlled, Tag("<controlled>")],
    Discriminator(
        _which,
        custom_error_type="unknown_motion",
        custom_error_message="a motion: rate, ramp, sine, polynomial, times with values, expression, or controller",
    ),
]
