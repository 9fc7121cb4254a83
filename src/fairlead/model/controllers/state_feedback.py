"""State feedback: outputs as gains times the errors of channels."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from pydantic import BeforeValidator, Field, model_validator

from fairlead.model.controllers.base import QUANTITY, Feedback, Path, Quantity, Signal, limits_grow
from fairlead.model.fields import Real, _plain
from fairlead.model.messages import WrongField

if TYPE_CHECKING:
    from fairlead.model.controllers.compile import ControllerRows


def _by_output(value: Any) -> Any:
    value = _plain(value)
    return value if isinstance(value, dict) else {"output": value}


class StateFeedback(Feedback):
    """output = sum of gain (target - input) over its inputs: u = K (x0 - x).

    inputs: what is measured: channels such as cart.rate, or formulas
    gains: one number per input, or a mapping of such rows by the names of the outputs
    targets: what each input should be; 0 unless given
    limits: lower and upper end of the outputs; none unless given
    """

    type: Literal["state-feedback"] = "state-feedback"
    inputs: Annotated[tuple[Signal, ...], Field(min_length=1)]
    gains: Annotated[dict[str, tuple[Real, ...]], Field(min_length=1), BeforeValidator(_by_output)]
    targets: tuple[Signal, ...] = ()
    limits: tuple[Quantity, Quantity] | None = None

    records: ClassVar[str] = "feedbacks"

    @model_validator(mode="after")
    def _rows_fit(self) -> StateFeedback:
        limits_grow(self.limits)
        for name, row in self.gains.items():
            if not QUANTITY.fullmatch(name):
                raise WrongField(f"'{name}' cannot be read in a formula; use letters, digits and '_'", "gains")
            if len(row) != len(self.inputs):
                raise WrongField(f"needs a number for each of the {len(self.inputs)} inputs; got {len(row)}", "gains")
        if self.targets and len(self.targets) != len(self.inputs):
            text = f"needs one for each of the {len(self.inputs)} inputs; got {len(self.targets)}"
            raise WrongField(text, "targets")
        return self

    def outputs(self) -> tuple[str, ...]:
        """Return the names of its outputs."""
        return tuple(self.gains)

    def formulas(self) -> Iterator[tuple[Path, float | str]]:
        """Return everything it reads, each with its place in the word."""
        for number, signal in enumerate(self.inputs):
            yield ("inputs", number), signal
        for number, signal in enumerate(self.targets):
            yield ("targets", number), signal

    def fill(self, row: Any, name: str, at: ControllerRows) -> None:
        """Fill its record."""
        targets = self.targets or (0.0,) * len(self.inputs)
        inputs = [at.program(one, name, "inputs", number) for number, one in enumerate(self.inputs)]
        row["inputs"], row["input"] = len(self.inputs), inputs[0]
        row["target"] = min(at.program(one, name, "targets", number) for number, one in enumerate(targets))
        row["gain"] = at.numbers([gain for gains in self.gains.values() for gain in gains])
        row["lower"], row["upper"] = self.limits or (-math.inf, math.inf)

    def _shown(self, name: str, value: Any) -> Any:
        return value["output"] if name == "gains" and list(value) == ["output"] else value
