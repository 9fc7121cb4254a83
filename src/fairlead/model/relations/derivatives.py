"""Derivatives of formulas: a stack program in, the program of its derivative by one channel out.

The program is turned into a tree, differentiated by the rules of calculus, made simpler where a factor is 0 or 1, and
emitted again. What has jumps or bends has no derivative, and is refused.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from fairlead.core.expressions import opcodes as o
from fairlead.model.expressions import Program

NOT_SMOOTH = {
    code: name
    for name, (code, _, _) in o.FUNCTIONS.items()
    if code in (o.ABS, o.SIGN, o.FLOOR, o.MIN, o.MAX, o.CLIP, o.STEP, o.WHERE)
}
NOT_SMOOTH |= {code: sign for sign, (code, _) in o.OPERATORS.items() if o.LT <= code <= o.OR} | {o.NOT: "not"}


class Node(NamedTuple):
    """One operation with what it is of; a number or a channel where there is nothing."""

    code: int
    arg: float = 0.0
    of: tuple[Node, ...] = ()


def number(value: float) -> Node:
    """Return a number."""
    return Node(o.CONSTANT, value)


ZERO, ONE, TWO = number(0.0), number(1.0), number(2.0)


def tree_of(program: Program) -> Node:
    """Return a program as a tree; ValueError names what in it is not smooth."""
    stack: list[Node] = []
    for code, arg in zip(program.op, program.arg):
        if code in NOT_SMOOTH:
            raise ValueError(f"'{NOT_SMOOTH[code]}' has jumps or bends, which a relation cannot follow")
        n = o.arity(code)
        of = tuple(stack[len(stack) - n :])
        del stack[len(stack) - n :]
        stack.append(Node(code, arg, of))
    return stack[0]


def program_of(node: Node) -> Program:
    """Return the program of a tree; ValueError where it needs more room than the interpreter has."""
    op: list[int] = []
    arg: list[float] = []
    height = highest = 0
    waiting = [(node, False)]
    while waiting:
        one, ready = waiting.pop()
        if not ready:
            waiting.append((one, True))
            waiting.extend((part, False) for part in reversed(one.of))
            continue
        op.append(one.code)
        arg.append(one.arg)
        height += 1 - len(one.of)
        highest = max(highest, height)
    if highest > o.MOST_DEPTH:
        raise ValueError("the formula is too long to be differentiated twice; write it shorter")
    return Program(tuple(op), tuple(arg), highest)


def derivative(node: Node, channel: int) -> Node:
    """Return the derivative of a tree by a channel."""
    if node.code == o.CONSTANT:
        return ZERO
    if node.code == o.CHANNEL:
        return ONE if node.arg == channel else ZERO
    changes = tuple(derivative(part, channel) for part in node.of)
    if all(change == ZERO for change in changes):
        return ZERO
    if node.code in _UNARY:
        return times(_UNARY[node.code](node.of[0]), changes[0])
    return _BINARY[node.code](*node.of, *changes)


# Sums and products, simpler where a part is 0 or 1


def plus(a: Node, b: Node) -> Node:
    """Return a + b."""
    if a == ZERO:
        return b
    if b == ZERO:
        return a
    both = a.code == b.code == o.CONSTANT
    return number(a.arg + b.arg) if both else Node(o.ADD, 0.0, (a, b))


def minus(a: Node, b: Node) -> Node:
    """Return a - b."""
    if b == ZERO:
        return a
    if a == ZERO:
        return times(number(-1.0), b)
    both = a.code == b.code == o.CONSTANT
    return number(a.arg - b.arg) if both else Node(o.SUB, 0.0, (a, b))


def times(a: Node, b: Node) -> Node:
    """Return a b."""
    if ZERO in (a, b):
        return ZERO
    if a == ONE:
        return b
    if b == ONE:
        return a
    both = a.code == b.code == o.CONSTANT
    return number(a.arg * b.arg) if both else Node(o.MUL, 0.0, (a, b))


def over(a: Node, b: Node) -> Node:
    """Return a / b."""
    return a if a == ZERO or b == ONE else Node(o.DIV, 0.0, (a, b))


def power(a: Node, b: Node) -> Node:
    """Return a to the power b."""
    return a if b == ONE else Node(o.POW, 0.0, (a, b))


def of(code: int, a: Node) -> Node:
    """Return a function of a."""
    return Node(code, 0.0, (a,))


def _of_power(a: Node, b: Node, da: Node, db: Node) -> Node:
    """(a^b)' = b a^(b-1) a' + a^b log(a) b'."""
    first = times(times(b, power(a, minus(b, ONE))), da)
    return plus(first, times(times(power(a, b), of(o.LOG, a)), db))


def _of_atan2(a: Node, b: Node, da: Node, db: Node) -> Node:
    return over(minus(times(b, da), times(a, db)), plus(times(a, a), times(b, b)))


def _of_quotient(a: Node, b: Node, da: Node, db: Node) -> Node:
    return minus(over(da, b), over(times(a, db), times(b, b)))


_UNARY: dict[int, Callable[[Node], Node]] = {
    o.NEG: lambda x: number(-1.0),
    o.SIN: lambda x: of(o.COS, x),
    o.COS: lambda x: times(number(-1.0), of(o.SIN, x)),
    o.TAN: lambda x: plus(ONE, times(of(o.TAN, x), of(o.TAN, x))),
    o.ASIN: lambda x: over(ONE, of(o.SQRT, minus(ONE, times(x, x)))),
    o.ACOS: lambda x: over(number(-1.0), of(o.SQRT, minus(ONE, times(x, x)))),
    o.ATAN: lambda x: over(ONE, plus(ONE, times(x, x))),
    o.SINH: lambda x: of(o.COSH, x),
    o.COSH: lambda x: of(o.SINH, x),
    o.TANH: lambda x: minus(ONE, times(of(o.TANH, x), of(o.TANH, x))),
    o.EXP: lambda x: of(o.EXP, x),
    o.LOG: lambda x: over(ONE, x),
    o.SQRT: lambda x: over(ONE, times(TWO, of(o.SQRT, x))),
}
_BINARY: dict[int, Callable[[Node, Node, Node, Node], Node]] = {
    o.ADD: lambda a, b, da, db: plus(da, db),
    o.SUB: lambda a, b, da, db: minus(da, db),
    o.MUL: lambda a, b, da, db: plus(times(da, b), times(a, db)),
    o.DIV: _of_quotient,
    o.POW: _of_power,
    o.ATAN2: _of_atan2,
}
