"""A sensor: a channel as an instrument gives it, with noise, filtered and late."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from pydantic import Field, model_validator

from fairlead.model.controllers.base import AnyFeedback, Feedback, Path, Quantity, Signal
from fairlead.model.controllers.expression import ExpressionController
from fairlead.model.fields import Real, Time, number
from fairlead.model.messages import WrongField

if TYPE_CHECKING:
    from fairlead.model.controllers.compile import ControllerRows

MOST_LATE = 10_000  # samples
WHOLE = 1e-6  # of a period: what a delay may differ from a whole number of them


class Sensor(Feedback):
    """An instrument at a channel: it gives out the input and its noise, filtered, and `delay` later.

    Other controllers read it as name.output. The filter starts at the first value, as if it had always been measured.

    input: what is measured: a channel such as spin.rate, or a formula
    time_constant: time constant of a filter of first order
    frequency: natural frequency of a filter of second order
    damping_ratio: damping ratio of a filter of second order [-]
    delay: how late the output is, a whole number of periods
    noise: standard deviation of what is added at each sample, in the unit of the input
    seed: which noise: the same number gives the same noise
    """

    type: Literal["sensor"] = "sensor"
    input: Signal
    time_constant: Annotated[Time, Field(gt=0)] | None = None
    frequency: number("rad/s", gt=0) | None = None  # type: ignore[valid-type]
    damping_ratio: Annotated[Real, Field(ge=0)] | None = None
    delay: Annotated[Time, Field(gt=0)] | None = None
    noise: Annotated[Quantity, Field(gt=0)] | None = None
    seed: Annotated[int, Field(ge=0, lt=2**62)] | None = None

    records: ClassVar[str] = "sensors"

    @model_validator(mode="after")
    def _makes_sense(self) -> Sensor:
        if self.time_constant is not None and self.frequency is not None:
            raise WrongField(
                "has also 'frequency'; keep one, for a filter of first or of second order", "time_constant"
            )
        if (self.frequency is None) != (self.damping_ratio is None):
            raise WrongField("needs 'frequency' and 'damping_ratio' together", "frequency")
        for field in ("delay", "noise"):
            if getattr(self, field) is not None and self.period is None:
                raise WrongField("needs a 'period': it is of samples", field)
        if self.noise is not None and self.seed is None:
            raise WrongField("needs a 'seed': any whole number, of which the noise is made", "noise")
        if self.noise is None and self.seed is not None:
            raise WrongField("has no effect without noise; leave it out", "seed")
        if self.period is None and not self.order:
            raise ValueError("gives what it measures: add a filter, a period, a delay or noise, or read the channel")
        late = 0.0 if self.delay is None or self.period is None else self.delay / self.period
        if abs(late - round(late)) > WHOLE or (self.delay is not None and round(late) == 0):
            raise WrongField(f"must be a whole number of periods; got {late:.6g}", "delay")
        if late > MOST_LATE:
            raise WrongField(f"is {late:.6g} periods; at most {MOST_LATE} are kept", "delay")
        return self

    @property
    def order(self) -> int:
        """The order of the filter."""
        return 2 if self.frequency is not None else 1 if self.time_constant is not None else 0

    @property
    def late(self) -> int:
        """The samples by which it is late."""
        return 0 if self.delay is None or self.period is None else round(self.delay / self.period)

    def outputs(self) -> tuple[str, ...]:
        """Return the names of its outputs."""
        return ("output",)

    def formulas(self) -> Iterator[tuple[Path, float | str]]:
        """Return everything it reads, each with its place in the word."""
        yield ("input",), self.input

    def direct(self) -> Iterator[float | str]:
        """Return nothing: the output of a filter is a state."""
        return iter(())

    def start_states(self) -> tuple[float, ...]:
        """Return the filtered value, its rate, and what was measured lately."""
        return (0.0,) * (2 + self.late)

    def continuous(self) -> AnyFeedback:
        """Return its filter alone, or what passes on what is measured: noise and delay are of samples."""
        if self.order == 0:
            return ExpressionController(self.input)
        return self.model_copy(update={"period": None, "delay": None, "noise": None, "seed": None})

    def fill(self, row: Any, name: str, at: ControllerRows) -> None:
        """Fill its record."""
        row["input"] = at.program(self.input, name, "input")
        row["order"], row["late"], row["seed"] = self.order, self.late, self.seed or 0
        row["T"], row["w"], row["z"] = self.time_constant or 0.0, self.frequency or 0.0, self.damping_ratio or 0.0
        row["noise"] = self.noise or 0.0
        row["step"] = _over(self.period, self) if self.period is not None else 0.0


def _over(h: float, word: Sensor) -> tuple[float, float, float, float]:
    """Return the matrix that takes (x - u, x') over a time h with u held, by rows."""
    if word.order == 0:
        return (0.0, 0.0, 0.0, 0.0)
    if word.time_constant is not None:
        return (math.exp(-h / word.time_constant), 0.0, 0.0, 0.0)
    assert word.frequency is not None and word.damping_ratio is not None
    w, z = word.frequency, word.damping_ratio
    a, d = z * w, z * z - 1.0  # x'' = -w^2 x - 2 a x': the matrix is e^-ah (c 1 + s ((0, 1), (-w^2, -2a)) + a s 1)
    m = w * math.sqrt(abs(d))
    if abs(d) < 1e-12:
        c, s = 1.0, h
    elif d < 0.0:
        c, s = math.cos(m * h), math.sin(m * h) / m
    else:
        c, s = math.cosh(m * h), math.sinh(m * h) / m
    decay = math.exp(-a * h)
    return (decay * (c + a * s), decay * s, -decay * w * w * s, decay * (c - a * s))
