"""The description of a kind of controller: its word, what it reads and gives out, what it remembers, its record.

A kind of feedback is two files of one name: its record type and kernels in `core/controllers`, its word here. It stands
in the tables of both folders. Words need no compiler: they fill records that they are given.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

from pydantic import BeforeValidator, Field, WithJsonSchema

from fairlead.model.expressions import parse
from fairlead.model.fields import SchemaModel, Time, _plain
from fairlead.model.messages import did_you_mean
from fairlead.units import NUMBER_AND_UNIT, short, to_base, to_si

if TYPE_CHECKING:
    from fairlead.model.controllers.compile import ControllerRows

SPACED = re.compile(r"([A-Za-z][A-Za-z0-9_\-]*(?: [A-Za-z0-9_][A-Za-z0-9_\-]*)+)\.([A-Za-z][A-Za-z0-9_]*)\Z")
QUANTITY = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
Path = tuple[str | int, ...]


def in_si(value: Any) -> float:
    """Return a number, or a text with a unit of any kind in SI."""
    value = _plain(value)
    return to_base(value) if isinstance(value, str) else to_si(value, "")


def _signal(value: Any) -> float | str:
    value = _plain(value)
    if isinstance(value, str) and not NUMBER_AND_UNIT.match(value):
        return SPACED.sub(r"`\1`.\2", value)  # a name with a space in it, alone, needs no quotes
    if value is None or isinstance(value, (bool, list, tuple, dict)):
        got = "nothing" if value is None else short(value)
        raise ValueError(f"expected a channel such as spin.rate, a formula or a number; got {got}")
    return in_si(value)


_FORMS = {"anyOf": [{"type": "number"}, {"type": "string"}]}
Quantity = Annotated[float, BeforeValidator(in_si), WithJsonSchema(_FORMS)]  # a text carries a unit of any kind
Signal = Annotated[float | Annotated[str, Field(max_length=4000)], BeforeValidator(_signal), WithJsonSchema(_FORMS)]


def limits_grow(limits: tuple[float, float] | None) -> None:
    """Hold that the lower limit is below the upper one."""
    if limits is not None and not limits[0] < limits[1]:
        raise ValueError(f"'limits' are reversed: the lower must be below the upper; got {limits[0]:g}, {limits[1]:g}")


class Controller(SchemaModel):
    """Base of controllers."""

    records: ClassVar[str] = ""  # which of `core/controllers/table.RECORDS` its kernels read; none where it only plans

    def outputs(self) -> tuple[str, ...]:
        """Return the names of its outputs."""
        return ()

    def readable_states(self) -> tuple[str, ...]:
        """Return the names of states that formulas may read beside its outputs."""
        return ()

    def formulas(self) -> Iterator[tuple[Path, float | str]]:
        """Return everything it reads, each with its place in the word: formulas, channels and numbers."""
        return iter(())

    def asks(self) -> int:
        """Return how many channels of its own it needs behind those of its outputs and states."""
        return 0

    def wrong_files(self) -> tuple[str, str] | None:
        """Return the field and the sentence about a file that it names and cannot use, without running anything."""
        return None

    def try_out(self, name: str) -> str:
        """Return why what it runs does not answer before the run, empty if it does."""
        return ""

    def unsaved(self) -> str:
        """Return why it cannot go on from a checkpoint, empty if it can."""
        return ""

    def direct(self) -> Iterator[float | str]:
        """Return what of that is in its outputs at the same instant."""
        return (formula for _, formula in self.formulas())


class AnyFeedback(Controller):
    """Base of controllers that read what happens and give out numbers while a run goes on."""

    from_outputs: ClassVar[bool] = False  # whether outputs held before the first sample say all that it remembers

    def every(self) -> float | None:
        """Return the time between its samples, None where it is continuous."""
        return None

    def start_outputs(self) -> tuple[float, ...]:
        """Return the outputs that a sampled one is taken to have held before its first sample."""
        return (0.0,) * len(self.outputs())

    def state_names(self) -> tuple[str, ...]:
        """Return the names of its states, for those who look into a linearised model."""
        return self.readable_states() or tuple(f"state {n + 1}" for n in range(len(self.start_states())))

    def continuous(self) -> AnyFeedback | None:
        """Return it as it is in the limit of a short period; ValueError says why there is none.

        None is one that gives out nothing where a machine stays as it is.
        """
        raise ValueError("has no continuous form; give one without a period, or leave it and what it commands out")

    def start_states(self) -> tuple[float, ...]:
        """Return the states with which it starts."""
        return ()

    def fill(self, row: Any, name: str, at: ControllerRows) -> None:
        """Fill its record; `at` keeps formulas and tables."""
        raise NotImplementedError(
            f"controllers of type '{type(self).__name__}' do not say what they compile to ('fill')"
        )


class Feedback(AnyFeedback):
    """Base of feedback that is continuous or sampled.

    period: time between samples, between which the outputs are held; continuous unless given
    """

    period: Annotated[Time, Field(gt=0)] | None = None

    @classmethod
    def _positional(cls) -> list[str]:
        return [*(name for name in super()._positional() if name != "period"), "period"]

    def every(self) -> float | None:
        """Return the time between its samples, None where it is continuous."""
        return self.period

    def continuous(self) -> AnyFeedback:
        """Return it without a period; ValueError says why that is something else."""
        return self if self.period is None else self.model_copy(update={"period": None})


def output_of(text: str, controllers: Mapping[str, Any]) -> tuple[str, str]:
    """Return the controller and the output that `name` or `name.output` means; ValueError says what there is."""
    name, _, output = text.partition(".")
    if name not in controllers:
        raise ValueError(f"no controller is called '{name}'{did_you_mean(name, controllers) or _NONE}")
    outputs = controllers[name].outputs()
    if not outputs:
        raise ValueError(f"'{name}' plans the motion of a joint and gives out nothing; name it in 'motion'")
    if not output and len(outputs) > 1:
        raise ValueError(f"'{name}' has the outputs {', '.join(outputs)}; say which, for example '{name}.{outputs[0]}'")
    if output and output not in outputs:
        raise ValueError(f"controller '{name}' has no output '{output}'{did_you_mean(output, outputs)}")
    return name, output or outputs[0]


_NONE = "; 'controllers' is empty"


def channels_of(formula: float | str) -> set[tuple[str, str]]:
    """Return the names and quantities that a formula reads; none where it cannot be read."""
    found: set[tuple[str, str]] = set()

    def note(name: str, quantity: str) -> int:
        found.add((name, quantity))
        return 1

    try:
        parse(str(formula), note)
    except ValueError:
        return set()
    return found


def evaluation_order(controllers: Mapping[str, Any]) -> tuple[list[str], list[str]]:
    """Return the order of evaluation, and the controllers of the first circle that has none.

    It is that of the file, but that a continuous one whose outputs read another's comes after it: both are known at the
    same instant. A sampled one holds its outputs, which can be read at any time.
    """
    feedback = {name: one for name, one in controllers.items() if isinstance(one, AnyFeedback) and one.outputs()}
    continuous = {name: one for name, one in feedback.items() if one.every() is None}
    before = {
        name: [
            other
            for other in continuous
            if any(n == other and q in continuous[other].outputs() for f in one.direct() for n, q in channels_of(f))
        ]
        for name, one in continuous.items()
    }
    order: list[str] = []

    def add(name: str, way: list[str]) -> list[str]:
        if name in order:
            return []
        if name in way:
            return way[way.index(name) :]
        for other in before.get(name, []):
            circle = add(other, [*way, name])
            if circle:
                return circle
        order.append(name)
        return []

    for name in feedback:
        circle = add(name, [])
        if circle:
            return list(feedback), circle
    return order, []
