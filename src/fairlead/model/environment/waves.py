"""Waves and current as words. Directions are where they travel to, from +x towards +y."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Discriminator, Field, Tag, model_validator

from fairlead.model.fields import Count, Length, Real, SchemaModel, Time, _plain, number
from fairlead.model.files import FilePath

Direction = number("rad")
Frequency = number("rad/s", gt=0)


class Waves(SchemaModel):
    """Base of waves: linear components in one direction, eta = sum of a cos(omega t - k s + phase).

    direction: where the waves travel to, from +x towards +y
    stretching: what kinematics are taken above the still water
    lookup: the exact `sum`, a `table` of it, or tables wherever they pay (`auto`)
    accuracy: largest error of the tables, of the root mean square [-]
    reach: how far from where they are drawn bodies find tables; beyond it the sum is taken
    """

    direction: Direction = 0.0  # type: ignore[valid-type]
    stretching: Literal["none", "vertical", "wheeler"] = "wheeler"
    lookup: Literal["auto", "sum", "table"] = "auto"
    accuracy: Annotated[Real, Field(ge=1e-6)] = 1e-3
    reach: Annotated[Length, Field(gt=0)] = 30.0

    @classmethod
    def _positional(cls) -> list[str]:
        own = [name for name in cls.__annotations__ if name != "type"]
        return own + [name for name in super()._positional() if name not in own]


class StillWater(SchemaModel):
    """No waves."""

    type: Literal["still-water"] = "still-water"


class RegularWave(Waves):
    """One component.

    height: crest to trough
    period: time from crest to crest
    phase: phase at the origin at t = 0; a crest for 0
    """

    type: Literal["regular-wave"] = "regular-wave"
    height: Annotated[Length, Field(ge=0)]
    period: Annotated[Time, Field(gt=0)]
    phase: number("rad") = 0.0  # type: ignore[valid-type]


class Spectrum(Waves):
    """Base of irregular seas: significant height and peak period, and how a seed makes components of them.

    The band from `lowest` to `highest` frequency is divided evenly; each part has one component with the part's whole
    energy (or, with random amplitudes, that energy on average), at its middle or, with `spacing` random, anywhere in
    it, so that the sea does not repeat.

    height: significant wave height
    period: peak period
    components: number of components
    seed: seed of the random numbers; the same seed gives the same sea
    amplitudes: amplitudes from the spectrum, or random about it
    spacing: frequencies in the middle of each part, or anywhere in it
    lowest: lowest frequency; 0.4 times the peak's unless given
    highest: highest frequency; 4 times the peak's unless given
    """

    height: Annotated[Length, Field(ge=0)]
    period: Annotated[Time, Field(gt=0)]
    components: Annotated[Count, Field(ge=1, le=20000)] = 200
    seed: Annotated[Count, Field(ge=0)] = 0
    amplitudes: Literal["deterministic", "random"] = "deterministic"
    spacing: Literal["equal", "random"] = "random"
    lowest: Frequency | None = None  # type: ignore[valid-type]
    highest: Frequency | None = None  # type: ignore[valid-type]

    @model_validator(mode="after")
    def _band(self) -> Spectrum:
        low, high = self.band()
        if low >= high:
            raise ValueError(f"the band of frequencies is empty: from {low:.4g} to {high:.4g} rad/s")
        return self

    def band(self) -> tuple[float, float]:
        """Return the lowest and highest frequency [rad/s]."""
        peak = 2 * 3.141592653589793 / self.period
        return self.lowest or 0.4 * peak, self.highest or 4.0 * peak

    @classmethod
    def _positional(cls) -> list[str]:
        first = list(Spectrum.__annotations__)[:2]
        return first + [name for name in super()._positional() if name not in first]


class Jonswap(Spectrum):
    """JONSWAP spectrum.

    gamma: peak enhancement; that of IEC 61400-3 for the height and period unless given [-]
    """

    type: Literal["jonswap"] = "jonswap"
    gamma: Annotated[Real, Field(ge=1)] | None = None


class PiersonMoskowitz(Spectrum):
    """Pierson-Moskowitz spectrum of a height and peak period: JONSWAP with gamma 1."""

    type: Literal["pierson-moskowitz"] = "pierson-moskowitz"


Numbers = Annotated[tuple[Real, ...], BeforeValidator(_plain)]


class WaveTable(Waves):
    """Components given one by one.

    frequencies: angular frequency of each component
    amplitudes: amplitude of each component [m]
    phases: phase of each component at the origin at t = 0 [rad]
    """

    type: Literal["wave-table"] = "wave-table"
    frequencies: Annotated[tuple[Frequency, ...], BeforeValidator(_plain), Field(min_length=1)]  # type: ignore[valid-type]
    amplitudes: Numbers
    phases: Numbers

    @model_validator(mode="after")
    def _columns(self) -> WaveTable:
        lengths = {len(self.frequencies), len(self.amplitudes), len(self.phases)}
        if len(lengths) > 1:
            raise ValueError("needs as many amplitudes and phases as frequencies")
        return self


class WaveRecord(Waves):
    """A measured elevation at the origin, from t = 0 on; no run may be longer.

    Either `values` every `dt`, or a `file`. The mean is left out: the still water is at z = 0.

    dt: time between the values
    values: elevations [m]
    highest: highest frequency that is kept; 4 times the one with most energy unless given
    file: table with time and elevation in each row, evenly spaced, sought beside the model file
    """

    type: Literal["wave-record"] = "wave-record"
    dt: Annotated[Time, Field(gt=0)] | None = None
    values: Annotated[Numbers, Field(min_length=3)] | None = None
    highest: Frequency | None = None  # type: ignore[valid-type]
    file: FilePath | None = None

    @model_validator(mode="after")
    def _one_source(self) -> WaveRecord:
        if (self.file is None) == (self.dt is None and self.values is None) or (self.dt is None) != (
            self.values is None
        ):
            raise ValueError("needs 'dt' and 'values', or a 'file'")
        return self


class Current(SchemaModel):
    """Horizontal current: `speed` at the still water, uniform or with ((z + depth) / depth)^exponent below it.

    speed: speed at the still water
    direction: where the current flows to, from +x towards +y
    exponent: exponent of the profile over depth; uniform for 0 [-]
    """

    speed: Annotated[number("m/s"), Field(ge=0)]  # type: ignore[valid-type]
    direction: Direction = 0.0  # type: ignore[valid-type]
    exponent: Annotated[Real, Field(ge=0)] = 0.0


WAVES = {
    "still-water": StillWater,
    "regular-wave": RegularWave,
    "jonswap": Jonswap,
    "pierson-moskowitz": PiersonMoskowitz,
    "wave-table": WaveTable,
    "wave-record": WaveRecord,
}


def _which(value: Any) -> str | None:
    """Return the tag of a kind of waves; the brackets mark it as no part of the path."""
    kind = value.get("type") if isinstance(value, dict) else getattr(value, "type", None)
    return f"<{WAVES[kind].__name__.lower()}>" if isinstance(kind, str) and kind in WAVES else None


AnyWaves = Annotated[
    Annotated[StillWater, Tag("<stillwater>")]
    | Annotated[RegularWave, Tag("<regularwave>")]
    | Annotated[Jonswap, Tag("<jonswap>")]
    | Annotated[PiersonMoskowitz, Tag("<piersonmoskowitz>")]
    | Annotated[WaveTable, Tag("<wavetable>")]
    | Annotated[WaveRecord, Tag("<waverecord>")],
    Discriminator(
        _which,
        custom_error_type="unknown_waves",
        custom_error_message=f"waves with a 'type', one of {', '.join(WAVES)}",
    ),
]


def _one_or_more(value: Any) -> str:
    return "<several>" if isinstance(value, (list, tuple)) else "<one>"


def _some(waves: tuple[Any, ...]) -> tuple[Any, ...]:
    if not waves:
        raise ValueError("needs one or more waves; leave it out where there are none")
    return waves


# Fields of several directions superpose: a wind sea and a swell.
OneOrMoreWaves = Annotated[
    Annotated[AnyWaves, Tag("<one>")]
    | Annotated[Annotated[tuple[AnyWaves, ...], AfterValidator(_some)], Tag("<several>")],
    Discriminator(_one_or_more),
]
