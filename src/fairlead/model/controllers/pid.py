"""PID feedback: proportional, integral and derivative of an error, within limits."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from pydantic import Field, model_validator

from fairlead.model.controllers.base import Feedback, Path, Quantity, Signal, limits_grow
from fairlead.model.fields import Real, Time
from fairlead.model.messages import WrongField

if TYPE_CHECKING:
    from fairlead.model.controllers.compile import ControllerRows


class Pid(Feedback):
    """output = kp e + ki (integral of e) + kd e' within `limits`, e = target - input. Astrom and Hagglund 2006, Ch. 13.

    While a limit holds the output back, the integral follows it (anti-windup). With a `period` it is sampled.

    input: what is measured: a channel such as spin.rate, or a formula
    target: what it should be: a number, a text with a unit, a channel or a formula
    kp: output per error
    ki: rate of the output per error
    kd: output per rate of the error
    derivative_filter: time constant of the filter of the derivative, which a continuous one needs
    limits: lower and upper end of the output; none unless given
    tracking_time: time in which the integral follows an output that a limit holds; kp / ki unless given
    start: the integral's part of the output at the start
    """

    type: Literal["pid"] = "pid"
    input: Signal
    target: Signal
    kp: Real = 0.0
    ki: Real = 0.0
    kd: Real = 0.0
    derivative_filter: Annotated[Time, Field(gt=0)] | None = None
    limits: tuple[Quantity, Quantity] | None = None
    tracking_time: Annotated[Time, Field(gt=0)] | None = None
    start: Quantity = 0.0

    records: ClassVar[str] = "pids"

    @model_validator(mode="after")
    def _makes_sense(self) -> Pid:
        limits_grow(self.limits)
        if self.kp == self.ki == self.kd == 0.0:
            raise WrongField("is 0, as are ki and kd, so that nothing is fed back; give one of them", "kp")
        if self.kd != 0.0 and self.period is None and self.derivative_filter is None:
            raise WrongField("needs a 'derivative_filter': without one it passes on every jump without end", "kd")
        if self.kd == 0.0 and self.derivative_filter is not None:
            raise WrongField("has no effect without kd; give that too", "derivative_filter")
        if self.tracking_time is not None and (self.limits is None or self.ki == 0.0):
            raise WrongField("has no effect without 'limits' and ki; leave it out", "tracking_time")
        if self.limits is not None and self.ki != 0.0 and self.tracking_time is None and not self.kp * self.ki > 0.0:
            raise WrongField(
                "needs a 'tracking_time' beside limits: kp / ki is none, kp is 0 or of the other sign", "ki"
            )
        return self

    def outputs(self) -> tuple[str, ...]:
        """Return the names of its outputs."""
        return ("output",)

    def formulas(self) -> Iterator[tuple[Path, float | str]]:
        """Return everything it reads, each with its place in the word."""
        yield ("input",), self.input
        yield ("target",), self.target

    def start_states(self) -> tuple[float, ...]:
        """Return the integral's part, and what the derivative remembers."""
        return (self.start, 0.0) if self.period is None else (self.start, 0.0, 0.0)

    def continuous(self) -> Pid:
        """Return it without a period."""
        if self.kd != 0.0 and self.derivative_filter is None:
            raise ValueError("is without a 'derivative_filter' not known beside its samples; give one")
        return self.model_copy(update={"period": None})

    def fill(self, row: Any, name: str, at: ControllerRows) -> None:
        """Fill its record."""
        row["input"], row["target"] = (at.program(one, name, *path) for path, one in self.formulas())
        row["kp"], row["ki"], row["kd"] = self.kp, self.ki, self.kd
        row["filter"] = self.derivative_filter or 0.0
        row["lower"], row["upper"] = self.limits or (-math.inf, math.inf)
        row["tracking"] = math.inf
        if self.limits is not None and self.ki != 0.0:
            row["tracking"] = self.tracking_time or self.kp / self.ki
