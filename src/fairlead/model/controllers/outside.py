"""Controllers of one's own: a Python function or object that is asked while a run goes on."""

from __future__ import annotations

import functools
import math
import types
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from pydantic import BeforeValidator, Field, WithJsonSchema, model_validator

from fairlead.errors import NumericalFailure
from fairlead.model.controllers.base import QUANTITY, Feedback, Path, Signal
from fairlead.model.fields import Real, Time, _plain
from fairlead.model.loads.functions import given_function
from fairlead.model.messages import WrongField

if TYPE_CHECKING:
    from fairlead.model.controllers.asking import Answer
    from fairlead.model.controllers.compile import ControllerRows


class OutsideController(Feedback):
    """Base of controllers that kernels ask by address."""

    records: ClassVar[str] = "outsides"

    def asks(self) -> int:
        """Return how many numbers it is asked with, for which channels are kept."""
        return sum(1 for _ in self.formulas())

    def answering(self, name: str) -> tuple[Answer, float | None]:
        """Return the function that answers, and the seconds that it may take."""
        raise NotImplementedError

    def fill(self, row: Any, name: str, at: ControllerRows) -> None:
        """Fill its record."""
        from fairlead.model.controllers.asking import Asked  # with NumPy, which words alone do not need

        programs = [at.program(formula, name, *path) for path, formula in self.formulas()]
        row["inputs"], row["input"] = len(programs), min(programs, default=0)
        answer, limit = self.answering(name)
        asked = Asked(name, answer, (len(programs), len(self.outputs()), len(self.start_states())), limit)
        row["address"] = asked.address
        at.at.index.asked[name] = asked


def _names(value: Any) -> Any:
    value = _plain(value)
    return (value,) if isinstance(value, str) else value


class PythonController(OutsideController):
    """A function or an object of one's own, asked at samples: function(t, inputs) gives the outputs.

    `inputs` is an array in the order of `inputs`; what is given back is one number, or one per output (a sequence, or a
    mapping by their names). An object that remembers something has `get_state()`, which returns numbers, always
    as many, and `set_state(numbers)`: then its memory is part of the state of the run.

    function: the function or object; no file can hold it
    inputs: what it is asked with: channels such as spin.rate, or formulas
    output: name of its output, or a list of names
    every_stage: whether it is asked at every stage of every step instead of at samples; then its answer must depend on
        time and inputs alone
    time_limit: longest time that it may take to answer
    start: the numbers that it remembers at the start; what `get_state()` gives when the model is made unless given
    """

    type: Literal["python"] = "python"
    function: Annotated[Any, BeforeValidator(given_function), Field(exclude=True), WithJsonSchema({"type": "null"})] = (
        None
    )
    inputs: tuple[Signal, ...] = ()
    output: Annotated[tuple[str, ...], Field(min_length=1), BeforeValidator(_names)] = ("output",)
    every_stage: bool = False
    time_limit: Annotated[Time, Field(gt=0)] = 60.0
    start: tuple[Real, ...] | None = None

    @model_validator(mode="before")
    @classmethod
    def _as_it_is(cls, data: Any) -> Any:
        if not isinstance(data, dict) or data.get("start") is not None:
            return data
        function = given_function(data.get("function"))
        return data | {"start": _state_of(function)} if remembers(function) else data

    @model_validator(mode="after")
    def _makes_sense(self) -> PythonController:
        if self.function is None or isinstance(self.function, str):
            raise WrongField("must be given from Python: no file can hold a function", "function")
        if not callable(self.function):
            text = f"must be a function, or an object that can be called; got a {type(self.function).__name__}"
            raise WrongField(text, "function")
        for name in self.output:
            if not QUANTITY.fullmatch(name):
                raise WrongField(f"'{name}' cannot be read in a formula; use letters, digits and '_'", "output")
        if len(set(self.output)) != len(self.output):
            raise WrongField("names an output twice", "output")
        if self.period is None and not self.every_stage:
            text = "is required: the time between samples, e.g. period: 0.1 s; or say every_stage for one that is asked"
            raise WrongField(f"{text} at every stage of every step", "period")
        if self.period is not None and self.every_stage:
            raise WrongField("has no effect with a 'period'; keep one of the two", "every_stage")
        if self.every_stage and self.start is not None:
            text = "cannot be asked at every stage: what it remembers changes at samples; give it a period"
            raise WrongField(text, "every_stage")
        if self.start is not None and not remembers(self.function):
            raise WrongField("has no effect: the function has no get_state and set_state", "start")
        return self

    def outputs(self) -> tuple[str, ...]:
        """Return the names of its outputs."""
        return self.output

    def formulas(self) -> Iterator[tuple[Path, float | str]]:
        """Return everything it reads, each with its place in the word."""
        for place, signal in enumerate(self.inputs):
            yield ("inputs", place), signal

    def start_states(self) -> tuple[float, ...]:
        """Return what it remembers at the start."""
        return self.start or ()

    def unsaved(self) -> str:
        """Return why it cannot go on from a checkpoint, empty if it can."""
        if remembers(self.function) or is_plain(self.function):
            return ""
        kind = type(getattr(self.function, "__self__", self.function)).__name__
        return f"is a {kind} without get_state and set_state, so no checkpoint holds what it remembers"

    def answering(self, name: str) -> tuple[Answer, float | None]:
        """Return the function that answers, and the seconds that it may take."""
        from fairlead.model.controllers.asking import numbers, shown

        function, names, own = self.function, self.output, remembers(self.function)
        expected = f"{len(names)} finite numbers ({', '.join(names)})" if len(names) > 1 else "a finite number"

        def answer(t: float, inputs: Any, states: Any) -> Any:
            if own:
                function.set_state(states)
            given = function(t, inputs)
            found = numbers(given, names)
            if found is None:
                raise NumericalFailure(
                    f"controller '{name}' gave {shown(given)} at t = {t:.6g} s; it must give {expected}"
                )
            after = _state_of(function) if own else ()
            if len(after) != len(states):
                raise NumericalFailure(
                    f"get_state() of controller '{name}' gave {len(after)} numbers at t = {t:.6g} s and {len(states)} "
                    "at the start; it must give always as many"
                )
            return found, after

        return answer, self.time_limit

    def _shown(self, name: str, value: Any) -> Any:
        return value[0] if name == "output" and len(value) == 1 else value


def remembers(function: Any) -> bool:
    """Return whether an object says what it remembers."""
    return all(callable(getattr(function, name, None)) for name in ("get_state", "set_state"))


def is_plain(function: Any) -> bool:
    """Return whether something is a function alone, not an object (or a method of one) that may remember something."""
    if isinstance(function, functools.partial):
        return is_plain(function.func)
    return isinstance(getattr(function, "py_func", function), types.FunctionType | types.BuiltinFunctionType | type)


def _state_of(function: Any) -> tuple[float, ...]:
    """Return what an object remembers; ValueError where that is no row of finite numbers."""
    given = function.get_state()
    try:
        found = tuple(float(value) for value in ([given] if isinstance(given, int | float) else given))
    except (TypeError, ValueError):
        found = (math.nan,)
    if not all(map(math.isfinite, found)):
        raise ValueError("get_state() must return finite numbers: a list or an array of one dimension")
    return found
