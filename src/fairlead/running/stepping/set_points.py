"""Numbers that a program gives to controllers: the target of a `pid`, the formula of an `expression`."""

from __future__ import annotations

from typing import Any

from fairlead.core.expressions import opcodes as o
from fairlead.errors import InvalidInput, Problem
from fairlead.model.compile import Compiled
from fairlead.model.controllers.base import evaluation_order, in_si, output_of
from fairlead.model.controllers.expression import ExpressionController
from fairlead.model.controllers.pid import Pid
from fairlead.model.schema import Model

GROUP = "controllers."  # before the names of what is commanded here


def set_point(model: Model, name: str) -> str:
    """Return what a command of `name` (a controller, or one of its outputs) sets; InvalidInput if it sets nothing."""
    try:
        controller, output = output_of(name, model.controllers)
    except ValueError as error:
        raise InvalidInput([Problem(str(error), "name")]) from None
    word = model.controllers[controller]
    if isinstance(word, Pid):
        return f"{GROUP}{controller}.target"
    if isinstance(word, ExpressionController):
        return f"{GROUP}{controller}.{output}"
    text = (
        f"'{name}' is a {word.type} controller, which no number commands; a pid takes its target, "
        "an expression its output"
    )
    raise InvalidInput([Problem(text, "name")])


def amount(value: float | str) -> float:
    """Return a number, or a text with a unit of any kind in SI."""
    try:
        return float(in_si(value))
    except (TypeError, ValueError) as error:
        raise InvalidInput([Problem(str(error), "value")]) from None


def put_number(compiled: Compiled, model: Model, label: str, value: float) -> None:
    """Let the formula behind a set point give a number from now on."""
    name, _, field = label.removeprefix(GROUP).rpartition(".")
    controllers, word = compiled.arrays.controllers, model.controllers[name]
    row = controllers.rows[evaluation_order(model.controllers)[0].index(name)]
    if isinstance(word, Pid):
        program = controllers.pids[row["record"]]["target"]
    else:
        program = controllers.expressions[row["record"]]["output"] + word.outputs().index(field)
    _hold(compiled.arrays.programs, int(program), value)


def _hold(programs: Any, p: int, value: float) -> None:
    """Write instructions that give a number over those of a program, as many as it has: v or -(-v), then + 0."""
    first, behind = int(programs.first[p]), int(programs.first[p + 1])
    op, arg = [o.CONSTANT], [value]
    if (behind - first) % 2 == 0:
        op, arg = [o.CONSTANT, o.NEG], [-value, 0.0]
    pairs = (behind - first - len(op)) // 2
    programs.op[first:behind] = [*op, *[o.CONSTANT, o.ADD] * pairs]
    programs.arg[first:behind] = [*arg, *[0.0] * (2 * pairs)]
