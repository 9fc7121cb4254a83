"""The NREL 5 MW baseline controller, land-based and for OC3-Hywind, and any of its kind."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from pydantic import Field, model_validator

from fairlead.model.controllers.base import Feedback, Path, Signal
from fairlead.model.fields import Real, Time, number
from fairlead.model.messages import WrongField

if TYPE_CHECKING:
    from fairlead.model.controllers.compile import ControllerRows

# The numbers of OpenFAST's 5 MW controllers (r-test v5.0.0: DISCON, DISCON_OC3Hywind), SI
GAINS: dict[str, dict[str, Any]] = {
    "land-based": {"kp": 0.01882681, "ki": 0.008068634, "region3": "constant-power"},
    "oc3": {"kp": 0.006275604, "ki": 0.0008965149, "region3": "constant-torque"},
}


class BaselineTurbine(Feedback):
    """Generator torque by regions of the filtered speed, collective pitch by a scheduled PI; TP-500-38060, section 7.

    Outputs are `torque` [N m] of the generator and `pitch` [rad]. Unless given, numbers are those of the NREL 5 MW
    turbine. Above the rated speed, or a pitch of `region3_pitch`, the torque is constant (or the power); below it grows
    with the square of the speed, and linearly at both ends. Without a period (null) it is the limit of a short one, and
    has no limits of rate.

    speed: speed of the generator, fast side: a channel such as generator.generator_speed, or a formula [rad/s]
    gains: gains of the pitch and what is constant above rated: of the turbine on land, or on OC3-Hywind
    kp: pitch per error of the speed; by `gains` unless given [s]
    ki: rate of the pitch per error of the speed; by `gains` unless given [-]
    region3: what is constant above rated; by `gains` unless given
    gain_pitch: pitch at which the gains have halved
    reference_speed: speed that the pitch holds
    filter_corner: corner of the low-pass of the speed
    min_pitch: smallest pitch
    max_pitch: largest pitch
    pitch_rate: largest rate of the pitch
    cut_in_speed: speed below which there is no torque
    region2_speed: speed from which the torque grows with its square
    region2_gain: torque over the square of the speed
    rated_speed: speed at which region 3 begins
    slip: how far below the rated speed the line to rated torque begins, over the speed there [-]
    rated_power: mechanical power of the generator in region 3
    region3_pitch: pitch above which region 3 holds at any speed
    max_torque: largest torque
    torque_rate: largest rate of the torque [N m/s]
    start_pitch: pitch before the first sample, from which the integral begins
    """

    type: Literal["baseline-turbine"] = "baseline-turbine"
    speed: Signal
    gains: Literal["land-based", "oc3"]
    kp: Annotated[Real, Field(gt=0)] | None = None
    ki: Annotated[Real, Field(gt=0)] | None = None
    region3: Literal["constant-torque", "constant-power"] | None = None
    gain_pitch: number("rad", gt=0) = 0.1099965  # type: ignore[valid-type]
    reference_speed: number("rad/s", gt=0) = 122.9096  # type: ignore[valid-type]
    filter_corner: number("rad/s", gt=0) = 1.570796  # type: ignore[valid-type]
    min_pitch: number("rad") = 0.0  # type: ignore[valid-type]
    max_pitch: number("rad") = 1.570796  # type: ignore[valid-type]
    pitch_rate: number("rad/s", gt=0) | None = 0.1396263  # type: ignore[valid-type]
    cut_in_speed: number("rad/s", gt=0) = 70.16224  # type: ignore[valid-type]
    region2_speed: number("rad/s", gt=0) = 91.21091  # type: ignore[valid-type]
    region2_gain: Annotated[Real, Field(gt=0)] = 2.332287
    rated_speed: number("rad/s", gt=0) = 121.6805  # type: ignore[valid-type]
    slip: Annotated[Real, Field(gt=0)] = 0.1
    rated_power: number("W", gt=0) = 5296610.0  # type: ignore[valid-type]
    region3_pitch: number("rad") = 0.01745329  # type: ignore[valid-type]
    max_torque: number("N m", gt=0) = 47402.91  # type: ignore[valid-type]
    torque_rate: Annotated[Real, Field(gt=0)] | None = 15000.0
    start_pitch: number("rad") = 0.0  # type: ignore[valid-type]
    period: Annotated[Time, Field(gt=0)] | None = 0.0125

    records: ClassVar[str] = "baselines"
    from_outputs: ClassVar[bool] = True

    @model_validator(mode="after")
    def _makes_sense(self) -> BaselineTurbine:
        speeds = ("cut_in_speed", "region2_speed", "rated_speed")
        for before, after in pairwise(speeds):
            if not getattr(self, before) < getattr(self, after):
                raise WrongField(f"must be above the {before}, {getattr(self, before):g} rad/s", after)
        if not self.min_pitch < self.max_pitch:
            raise WrongField(f"must be above min_pitch, {self.min_pitch:g} rad", "max_pitch")
        if not self.min_pitch <= self.start_pitch <= self.max_pitch:
            raise WrongField("must be within min_pitch and max_pitch", "start_pitch")
        if not self.min_pitch > -0.25 * self.gain_pitch:
            raise WrongField("must be above a quarter of -gain_pitch, where gains would grow without end", "min_pitch")
        for limit in ("pitch_rate", "torque_rate"):
            if self.period is None and getattr(self, limit) is not None:
                raise WrongField("is a limit that only a sampled one has; give a period, or null for the limit", limit)
        if not math.isfinite(self._transition()):
            raise WrongField("never meets the line that ends at the rated torque; make it smaller", "region2_gain")
        return self

    def _law(self, name: str) -> Any:
        value = getattr(self, name)
        return GAINS[self.gains][name] if value is None else value

    def _synchronous(self) -> float:
        return float(self.rated_speed / (1.0 + self.slip))

    def _slope(self) -> float:
        """Return the slope of the torque between region 2 and the rated torque."""
        at = self.rated_speed if self._law("region3") == "constant-power" else self.reference_speed
        return float(self.rated_power / at / (self.rated_speed - self._synchronous()))

    def _transition(self) -> float:
        """Return the speed at which gain f^2 meets slope (f - synchronous); nan where it does not."""
        slope, gain = self._slope(), self.region2_gain
        inside = slope * (slope - 4.0 * gain * self._synchronous())
        return (slope - math.sqrt(inside)) / (2.0 * gain) if inside >= 0.0 else math.nan

    def outputs(self) -> tuple[str, ...]:
        """Return the names of its outputs."""
        return ("torque", "pitch")

    def formulas(self) -> Iterator[tuple[Path, float | str]]:
        """Return everything it reads, each with its place in the word."""
        yield ("speed",), self.speed

    def direct(self) -> Iterator[float | str]:
        """Return nothing: its outputs come from its states."""
        return iter(())

    def start_outputs(self) -> tuple[float, ...]:
        """Return no torque and the pitch before the first sample."""
        return (0.0, self.start_pitch)

    def start_states(self) -> tuple[float, ...]:
        """Return the filtered speed, which begins as measured, and the integral, which begins at the start's pitch."""
        return (0.0, self.start_pitch * (1.0 + self.start_pitch / self.gain_pitch) / self._law("ki"))

    def state_names(self) -> tuple[str, ...]:
        """Return the names of its states."""
        return ("filtered speed", "integral of the speed's error")

    def continuous(self) -> BaselineTurbine:
        """Return the limit of a short period, without limits of rate."""
        return self.model_copy(update={"period": None, "pitch_rate": None, "torque_rate": None})

    def fill(self, row: Any, name: str, at: ControllerRows) -> None:
        """Fill its record."""
        row["speed"] = at.program(self.speed, name, "speed")
        row["constant_power"] = self._law("region3") == "constant-power"
        row["corner"], row["kp"], row["ki"] = self.filter_corner, self._law("kp"), self._law("ki")
        row["reduction"], row["reference"] = self.gain_pitch, self.reference_speed
        row["lower"], row["upper"] = self.min_pitch, self.max_pitch
        row["pitch_rate"], row["torque_rate"] = self.pitch_rate or math.inf, self.torque_rate or math.inf
        row["cut_in"], row["region2"], row["gain"] = self.cut_in_speed, self.region2_speed, self.region2_gain
        row["transition"], row["slope"] = self._transition(), self._slope()
        row["synchronous"], row["rated"] = self._synchronous(), self.rated_speed
        row["power"], row["region3_pitch"] = self.rated_power, self.region3_pitch
        row["max_torque"] = self.max_torque
