"""Feedback by formulas with states of their own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from pydantic import BeforeValidator, Field, model_validator

from fairlead.model.controllers.base import QUANTITY, Feedback, Path, Quantity, Signal
from fairlead.model.fields import _plain
from fairlead.model.messages import WrongField

if TYPE_CHECKING:
    from fairlead.model.controllers.compile import ControllerRows


def _by_name(value: Any) -> Any:
    value = _plain(value)
    return value if isinstance(value, dict) else {"output": value}


class ExpressionController(Feedback):
    """Outputs and rates of states as formulas; with a `period` the states become what their formulas give.

    Formulas read channels and, as name.state, the controller's own states.

    output: formula of the output, or a mapping of formulas by the names of the outputs
    state: formula of the rate of each state, by its name; with a `period` of its next value
    start: value of each state at the start; 0 unless given
    """

    type: Literal["expression"] = "expression"
    output: Annotated[dict[str, Signal], Field(min_length=1), BeforeValidator(_by_name)]
    state: dict[str, Signal] = {}
    start: dict[str, Quantity] = {}

    records: ClassVar[str] = "expressions"

    @model_validator(mode="after")
    def _names_fit(self) -> ExpressionController:
        for field in ("output", "state"):
            for name in getattr(self, field):
                if not QUANTITY.fullmatch(name):
                    raise WrongField(f"'{name}' cannot be read in a formula; use letters, digits and '_'", field)
        for name in self.state:
            if name in self.output:
                raise WrongField(f"'{name}' is the name of an output too; choose another", "state")
        for name in self.start:
            if name not in self.state:
                raise WrongField(f"'{name}' is no state; there are {', '.join(self.state) or 'none'}", "start")
        return self

    def outputs(self) -> tuple[str, ...]:
        """Return the names of its outputs."""
        return tuple(self.output)

    def readable_states(self) -> tuple[str, ...]:
        """Return the names of its states."""
        return tuple(self.state)

    def formulas(self) -> Iterator[tuple[Path, float | str]]:
        """Return everything it reads, each with its place in the word."""
        one = list(self.output) == ["output"]
        for name, formula in self.output.items():
            yield ("output",) if one else ("output", name), formula
        for name, formula in self.state.items():
            yield ("state", name), formula

    def direct(self) -> Iterator[float | str]:
        """Return the formulas of its outputs."""
        return iter(self.output.values())

    def start_states(self) -> tuple[float, ...]:
        """Return the states with which it starts."""
        return tuple(self.start.get(name, 0.0) for name in self.state)

    def continuous(self) -> ExpressionController:
        """Return it without a period, which a state of samples cannot be."""
        if self.state and self.period is not None:
            raise ValueError("has states that its samples make, of which there is no rate; write them without a period")
        return self.model_copy(update={"period": None})

    def fill(self, row: Any, name: str, at: ControllerRows) -> None:
        """Fill its record."""
        programs = [at.program(formula, name, *path) for path, formula in self.formulas()]
        row["output"], row["change"] = programs[0], programs[0] + len(self.output)

    def _shown(self, name: str, value: Any) -> Any:
        return value["output"] if name == "output" and list(value) == ["output"] else value
