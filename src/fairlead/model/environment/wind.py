"""Wind: one speed and direction over time for the whole rotor, with a profile over height.

A direction is where the wind blows to, positive from +x towards +y. `height` is where the speed is meant, for the
profile: `exponent` of a power law or `roughness` of a logarithmic one. `changes` come on top of any wind.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, Union

from pydantic import BeforeValidator, Discriminator, Field, Tag, WithJsonSchema, model_validator

from fairlead.model.fields import Count, Length, SchemaModel, Time, _plain, number
from fairlead.model.files import FilePath
from fairlead.model.messages import WrongField
from fairlead.units import to_si

Speed = number("m/s", ge=0)
Angle = number("rad")


def _class_or_number(unit: str, classes: tuple[str, ...]) -> Any:
    """Return the type of a class by its name, or of a number in its place."""

    def convert(value: Any) -> Any:
        if value in classes:
            return value
        try:
            amount = to_si(_plain(value), unit)
        except ValueError as error:
            raise ValueError(f"{error}; or a class, one of {', '.join(classes)}") from None
        if amount < 0:
            raise ValueError(f"must be at least 0; got {amount:g}")
        return amount

    forms = {"anyOf": [{"type": "number"}, {"type": "string"}]}
    return Annotated[float | str, BeforeValidator(convert), WithJsonSchema(forms)]


Turbulence = _class_or_number("m/s", ("A+", "A", "B", "C"))  # IEC 61400-1 Table 1, or the standard deviation


class DirectionChange(SchemaModel):
    """The direction turns `by` an angle from `begin` on.

    begin: when the change begins
    by: angle of the change, positive from +x towards +y
    duration: time of the change, evenly; at once for 0
    """

    type: Literal["direction-change"] = "direction-change"
    begin: Time
    by: Angle  # type: ignore[valid-type]
    duration: Annotated[Time, Field(ge=0)] = 0.0


class ExtremeGust(SchemaModel):
    """IEC 61400-1 extreme operating gust over 10.5 s.

    begin: when the gust begins
    turbulence: turbulence class A+, A, B or C, or the standard deviation [m/s]
    reference_speed: turbine class I, II or III, or its V_ref [m/s]
    diameter: diameter of the rotor
    """

    type: Literal["extreme-gust"] = "extreme-gust"
    begin: Time
    turbulence: Turbulence  # type: ignore[valid-type]
    reference_speed: _class_or_number("m/s", ("I", "II", "III"))  # type: ignore[valid-type]
    diameter: Annotated[Length, Field(gt=0)]


class ExtremeDirectionChange(SchemaModel):
    """IEC 61400-1 extreme direction change over 6 s.

    begin: when the change begins
    turbulence: turbulence class A+, A, B or C, or the standard deviation [m/s]
    diameter: diameter of the rotor
    towards: sense of the change; left is positive, from +x towards +y
    """

    type: Literal["extreme-direction-change"] = "extreme-direction-change"
    begin: Time
    turbulence: Turbulence  # type: ignore[valid-type]
    diameter: Annotated[Length, Field(gt=0)]
    towards: Literal["left", "right"] = "left"


def _tagged(*words: type[SchemaModel]) -> Any:
    """Return a union of words told apart by `type`; the brackets mark a tag as no part of the path."""
    tags = {word.model_fields["type"].default: f"<{word.__name__.lower()}>" for word in words}

    def which(value: Any) -> str | None:
        kind = value.get("type") if isinstance(value, dict) else getattr(value, "type", None)
        return tags.get(kind) if isinstance(kind, str) else None

    parts = tuple(Annotated[word, Tag(tag)] for word, tag in zip(words, tags.values()))
    message = f"a mapping whose 'type' is one of {', '.join(tags)}"
    known = Discriminator(which, custom_error_type="unknown_type", custom_error_message=message)
    return Annotated[Union[parts], known]  # noqa: UP007  # a union of a computed list


AnyChange = _tagged(DirectionChange, ExtremeGust, ExtremeDirectionChange)


class Wind(SchemaModel):
    """Base of winds.

    height: where the speed is meant, for the profile over height
    exponent: exponent of a power law over height; uniform unless given [-]
    roughness: roughness length of a logarithmic profile, instead of `exponent`
    changes: gusts and changes of direction on top of the wind
    """

    height: Annotated[Length, Field(gt=0)] = 90.0
    exponent: number("", ge=0) | None = None  # type: ignore[valid-type]
    roughness: Annotated[Length, Field(gt=0)] | None = None
    changes: tuple[AnyChange, ...] = ()  # type: ignore[valid-type]

    @model_validator(mode="after")
    def _one_profile(self) -> Wind:
        if self.exponent is not None and self.roughness is not None:
            raise WrongField("give 'exponent' (power law) or 'roughness' (logarithmic), not both", "roughness")
        if self.roughness is not None and self.roughness >= self.height:
            raise WrongField(f"must be less than the height of the speed, {self.height:g} m", "roughness")
        return self

    @classmethod
    def _positional(cls) -> list[str]:
        own = [name for name in super()._positional() if name not in Wind.model_fields]
        return own + [name for name in super()._positional() if name in Wind.model_fields]


class SteadyWind(Wind):
    """The same speed for ever.

    speed: wind speed
    direction: where the wind blows to, from +x towards +y
    """

    type: Literal["steady"] = "steady"
    speed: Speed  # type: ignore[valid-type]
    direction: Angle = 0.0  # type: ignore[valid-type]


class WindTable(Wind):
    """Speed and direction at times.

    times: times of the rows, growing
    speeds: wind speed at each time
    directions: where the wind blows to at each time; along +x unless given
    vertical: upward speed at each time; none unless given
    interpolation: straight between the rows, or a C2 spline
    """

    type: Literal["table"] = "table"
    times: tuple[Time, ...] = Field(min_length=2)
    speeds: tuple[Speed, ...] = Field(min_length=2)  # type: ignore[valid-type]
    directions: tuple[Angle, ...] = ()  # type: ignore[valid-type]
    vertical: tuple[number("m/s"), ...] = ()  # type: ignore[valid-type]
    interpolation: Literal["linear", "spline"] = "linear"

    @model_validator(mode="after")
    def _is_a_table(self) -> WindTable:
        for field in ("speeds", "directions", "vertical"):
            given = len(getattr(self, field))
            if given != len(self.times) and (given or field == "speeds"):
                raise WrongField(f"needs as many values as there are times ({len(self.times)}); got {given}", field)
        for row, (before, after) in enumerate(zip(self.times, self.times[1:]), start=2):
            if after <= before:
                raise WrongField(f"the times must grow; row {row} is {after:g} s after {before:g} s", "times")
        return self


class KaimalWind(Wind):
    """IEC 61400-1 Kaimal turbulence averaged over the rotor, made from a seed.

    speed: mean wind speed
    turbulence: turbulence class A+, A, B or C, or the standard deviation at a point [m/s]
    seed: seed of the random numbers; the same seed gives the same wind
    direction: where the mean wind blows to, from +x towards +y
    duration: length of the record; no run may be longer
    dt: time between its samples
    radius: radius of the disc it is averaged over; the largest rotor's unless given, a point for 0
    components: along the wind alone, or with the two across it
    """

    type: Literal["kaimal"] = "kaimal"
    speed: number("m/s", gt=0)  # type: ignore[valid-type]
    turbulence: Turbulence  # type: ignore[valid-type]
    seed: Annotated[Count, Field(ge=0)]
    direction: Angle = 0.0  # type: ignore[valid-type]
    duration: Annotated[Time, Field(gt=0)] = 600.0
    dt: Annotated[Time, Field(gt=0)] = 0.1
    radius: Annotated[Length, Field(ge=0)] | None = None
    components: Literal["u", "uvw"] = "u"


class WindFile(Wind):
    """A TurbSim `.bts` box, averaged over the rotor or taken at the hub, or a hub-height file (`.wnd`, `.hh`).

    file: the file, sought beside the model file
    direction: where the x axis of a box points to, from +x towards +y; a hub-height file carries its own directions
    take: average of a box over the rotor's disc, or its value at the hub
    interpolation: straight between the rows, or a C2 spline
    """

    type: Literal["file"] = "file"
    file: FilePath
    direction: Angle = 0.0  # type: ignore[valid-type]
    take: Literal["rotor", "hub"] = "rotor"
    interpolation: Literal["linear", "spline"] = "linear"


AnyWind = _tagged(SteadyWind, WindTable, KaimalWind, WindFile)
