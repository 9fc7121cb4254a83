"""The instructions of expression programs, and the words of the language that stand for them.

The numbers are grouped by how many values an instruction takes from the stack, so that `arity` and the interpreter
need only the borders of the groups. Plain integers: the model layer reads this file without numpy or numba.
"""

from __future__ import annotations

from typing import NamedTuple

MOST_CHARACTERS = 4000
MOST_DEPTH = 64  # nesting of the text, and values on the stack
MOST_OPERATIONS = 500

# No value taken, one put: the argument itself, or the channel it numbers (channel 0 is t).
CONSTANT, CHANNEL = range(2)

# One value taken, one put.
FIRST_UNARY = 2
NEG, NOT, SIN, COS, TAN, ASIN, ACOS, ATAN, SINH, COSH, TANH, EXP, LOG, SQRT, ABS, SIGN, FLOOR = range(2, 19)

# Two values taken, one put.
FIRST_BINARY = 19
ADD, SUB, MUL, DIV, POW, LT, LE, GT, GE, EQ, NE, AND, OR, MIN, MAX, ATAN2 = range(19, 35)

# Three values taken, one put.
FIRST_TERNARY = 35
WHERE, CLIP, STEP = range(35, 38)


def arity(code: int) -> int:
    """Return how many values the instruction `code` takes from the stack."""
    return (code >= FIRST_UNARY) + (code >= FIRST_BINARY) + (code >= FIRST_TERNARY)


class Function(NamedTuple):
    """The meaning of a function name, and how many arguments it takes (`most` is None: any number from `least`)."""

    code: int
    least: int
    most: int | None


FUNCTIONS: dict[str, Function] = {
    "sin": Function(SIN, 1, 1),
    "cos": Function(COS, 1, 1),
    "tan": Function(TAN, 1, 1),
    "asin": Function(ASIN, 1, 1),
    "acos": Function(ACOS, 1, 1),
    "atan": Function(ATAN, 1, 1),
    "atan2": Function(ATAN2, 2, 2),
    "sinh": Function(SINH, 1, 1),
    "cosh": Function(COSH, 1, 1),
    "tanh": Function(TANH, 1, 1),
    "exp": Function(EXP, 1, 1),
    "log": Function(LOG, 1, 1),
    "sqrt": Function(SQRT, 1, 1),
    "abs": Function(ABS, 1, 1),
    "sign": Function(SIGN, 1, 1),
    "floor": Function(FLOOR, 1, 1),
    "min": Function(MIN, 2, None),
    "max": Function(MAX, 2, None),
    "clip": Function(CLIP, 3, 3),
    "step": Function(STEP, 3, 3),
    "where": Function(WHERE, 3, 3),
}

# How tightly operators bind; a sign stands between the products and the power, `not` between `and` and comparisons.
NOT_LEVEL, COMPARISON_LEVEL, SIGN_LEVEL, POWER_LEVEL = 3, 4, 7, 8
OPERATORS: dict[str, tuple[int, int]] = {
    "or": (OR, 1),
    "and": (AND, 2),
    "<": (LT, COMPARISON_LEVEL),
    "<=": (LE, COMPARISON_LEVEL),
    ">": (GT, COMPARISON_LEVEL),
    ">=": (GE, COMPARISON_LEVEL),
    "==": (EQ, COMPARISON_LEVEL),
    "!=": (NE, COMPARISON_LEVEL),
    "+": (ADD, 5),
    "-": (SUB, 5),
    "*": (MUL, 6),
    "/": (DIV, 6),
    "**": (POW, POWER_LEVEL),
    "^": (POW, POWER_LEVEL),
}
