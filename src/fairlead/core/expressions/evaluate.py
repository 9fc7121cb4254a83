"""Expression programs run by an interpreter: values from channels, and exact time derivatives of functions of t.

All programs of a model stand one after another in three arrays, so one compiled interpreter serves every model.
Nothing here raises: a division by zero or a logarithm of a negative number gives inf or nan, as in C.

Derivatives are carried as 2-jets (x, x', x''), differentiated by t: f(x)' = f' x', f(x)'' = f'' x'^2 + f' x''.
Where a function has a kink (abs, min, max, clip) the jet is that of the branch taken just after t.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fairlead.core.expressions import opcodes as o
from fairlead.core.jit.kernel import kernel


class Programs(NamedTuple):
    """All programs of a model; program p is the instructions first[p] to first[p + 1]."""

    first: np.ndarray  # int64 [P + 1]
    op: np.ndarray  # int64 [n]
    arg: np.ndarray  # float64 [n]


def pack(programs) -> Programs:
    """Return parsed programs, each with `op` and `arg`, one after another."""
    first = np.cumsum([0, *(len(program.op) for program in programs)], dtype=np.int64)
    op = np.array([code for program in programs for code in program.op], dtype=np.int64)
    arg = np.array([value for program in programs for value in program.arg], dtype=np.float64)
    return Programs(first, op, arg)


@kernel
def evaluate(programs, p, channels, stack):
    """Return the value of program p; channels[0] is t, `stack` is room for 64 numbers."""
    top = -1
    for k in range(programs.first[p], programs.first[p + 1]):
        code = programs.op[k]
        if code == o.CONSTANT:
            top += 1
            stack[top] = programs.arg[k]
        elif code == o.CHANNEL:
            top += 1
            stack[top] = channels[int(programs.arg[k])]
        elif code < o.FIRST_BINARY:
            stack[top] = unary(code, stack[top])
        elif code < o.FIRST_TERNARY:
            top -= 1
            stack[top] = binary(code, stack[top], stack[top + 1])
        else:
            top -= 2
            stack[top] = ternary(code, stack[top], stack[top + 1], stack[top + 2])
    return stack[0]


@kernel
def evaluate_jet(programs, p, t, jets):
    """Return value, first and second time derivative of program p of t alone; `jets` is room for 64 x 3 numbers."""
    top = -1
    for k in range(programs.first[p], programs.first[p + 1]):
        code = programs.op[k]
        if code == o.CONSTANT:
            top += 1
            put(jets, top, (programs.arg[k], 0.0, 0.0))
        elif code == o.CHANNEL:
            top += 1
            # Any other channel has no known derivative here; nan makes a slip upstream visible.
            put(jets, top, (t, 1.0, 0.0) if programs.arg[k] == 0.0 else (np.nan, np.nan, np.nan))
        elif code < o.FIRST_BINARY:
            put(jets, top, unary_jet(code, get(jets, top)))
        elif code < o.FIRST_TERNARY:
            top -= 1
            put(jets, top, binary_jet(code, get(jets, top), get(jets, top + 1)))
        else:
            top -= 2
            put(jets, top, ternary_jet(code, get(jets, top), get(jets, top + 1), get(jets, top + 2)))
    return get(jets, 0)


# Values


@kernel
def unary(code, x):
    """Return the function `code` of x."""
    if code == o.NEG:
        return -x
    elif code == o.SIN:
        return np.sin(x)
    elif code == o.COS:
        return np.cos(x)
    elif code == o.SQRT:
        return np.sqrt(x)
    elif code == o.ABS:
        return abs(x)
    elif code == o.EXP:
        return np.exp(x)
    elif code == o.LOG:
        return np.log(x)
    elif code == o.TAN:
        return np.tan(x)
    elif code == o.ASIN:
        return np.arcsin(x)
    elif code == o.ACOS:
        return np.arccos(x)
    elif code == o.ATAN:
        return np.arctan(x)
    elif code == o.SINH:
        return np.sinh(x)
    elif code == o.COSH:
        return np.cosh(x)
    elif code == o.TANH:
        return np.tanh(x)
    elif code == o.SIGN:
        return np.sign(x)
    elif code == o.FLOOR:
        return np.floor(x)
    if x != x:
        return x
    return 1.0 if x == 0.0 else 0.0  # NOT


@kernel
def binary(code, a, b):
    """Return a and b joined by the operator or function `code`; a truth is 1.0 or 0.0, and nan of a nan."""
    if code == o.ADD:
        return a + b
    elif code == o.SUB:
        return a - b
    elif code == o.MUL:
        return a * b
    elif code == o.DIV:
        return a / b
    elif code == o.POW:
        return a**b
    elif code == o.MIN:  # nan wins, so that it is not hidden
        return a if a < b or a != a else b
    elif code == o.MAX:
        return a if a > b or a != a else b
    elif code == o.ATAN2:
        return np.arctan2(a, b)
    if a != a or b != b:
        return truth_of_nan(code, b if a != a else a)
    return 1.0 if holds(code, a, b) else 0.0


@kernel
def truth_of_nan(code, other):
    """Return the truth of a nan joined with another number: known only where the other decides, `0 and`, `1 or`."""
    if code == o.AND and other == 0.0:
        return 0.0
    if code == o.OR and other == other and other != 0.0:
        return 1.0
    return np.nan


@kernel
def holds(code, a, b):
    """Return whether the comparison or logical operator `code` holds; every number but 0 is true."""
    if code == o.LT:
        return a < b
    elif code == o.LE:
        return a <= b
    elif code == o.GT:
        return a > b
    elif code == o.GE:
        return a >= b
    elif code == o.EQ:
        return a == b
    elif code == o.NE:
        return a != b
    elif code == o.AND:
        return a != 0.0 and b != 0.0
    return a != 0.0 or b != 0.0  # OR


@kernel
def ternary(code, a, b, c):
    """Return where(a, b, c), clip(a, b, c) or step(a, b, c); a condition that is nan gives nan."""
    if code == o.WHERE:
        if a != a:
            return a
        return b if a != 0.0 else c
    elif code == o.CLIP:
        return binary(o.MIN, binary(o.MAX, a, b), c)
    elif b == c:  # a step of no width
        return binary(o.GE, a, b)
    return rise((a - b) / (c - b))[0]


@kernel
def rise(s):
    """Return 10 s^3 - 15 s^4 + 6 s^5 and its first two derivatives; 0 before s = 0 and 1 after s = 1."""
    if s <= 0.0:
        return 0.0, 0.0, 0.0
    if s >= 1.0:
        return 1.0, 0.0, 0.0
    return s**3 * (10.0 - s * (15.0 - 6.0 * s)), 30.0 * (s * (1.0 - s)) ** 2, 60.0 * s * (1.0 - s) * (1.0 - 2.0 * s)


# Jets


@kernel
def get(jets, row):
    """Return row `row` as a jet."""
    return jets[row, 0], jets[row, 1], jets[row, 2]


@kernel
def put(jets, row, x):
    """Write the jet x to row `row`."""
    jets[row, 0], jets[row, 1], jets[row, 2] = x


@kernel
def chain(f, x):
    """Return the jet of f(x) from (f, df/dx, d2f/dx2).

    A quantity at rest stays at rest through any function, also where the slope of that function is infinite: asin(1),
    or sqrt(max(t - 1, 0)) before t = 1.
    """
    if x[1] == 0.0 and x[2] == 0.0:
        return f[0], 0.0, 0.0
    if x[1] == 0.0:
        return f[0], f[1] * x[1], f[1] * x[2]
    return f[0], f[1] * x[1], f[2] * x[1] * x[1] + f[1] * x[2]


@kernel
def unary_jet(code, x):
    """Return the jet of the function `code` of the jet x."""
    if code == o.NEG:
        return -x[0], -x[1], -x[2]
    elif code == o.ABS:
        return (-x[0], -x[1], -x[2]) if sign_after(x) < 0.0 else x
    value = unary(code, x[0])
    return chain((value, *slopes(code, x[0], value)), x)


@kernel
def slopes(code, x, f):
    """Return the first two derivatives by x of the function `code`, whose value is f; 0 for sign, floor and not."""
    if code == o.SIN:
        return np.cos(x), -f
    elif code == o.COS:
        return -np.sin(x), -f
    elif code == o.SQRT:
        return 0.5 / f, -0.25 / (x * f)
    elif code == o.EXP:
        return f, f
    elif code == o.LOG:
        return 1.0 / x, -1.0 / (x * x)
    elif code == o.TAN:
        return 1.0 + f * f, 2.0 * f * (1.0 + f * f)
    elif code == o.ASIN or code == o.ACOS:
        g = 1.0 / np.sqrt((1.0 - x) * (1.0 + x))
        g = g if code == o.ASIN else -g
        return g, x * g * g * g
    elif code == o.ATAN:
        g = 1.0 / (1.0 + x * x)
        return g, -2.0 * x * g * g
    elif code == o.SINH:
        return np.cosh(x), f
    elif code == o.COSH:
        return np.sinh(x), f
    elif code == o.TANH:
        g = 1.0 / np.cosh(x) ** 2  # 1 - f^2 would lose the last digits where f is near 1
        return g, -2.0 * f * g
    return 0.0, 0.0


@kernel
def binary_jet(code, a, b):
    """Return the jet of a and b joined by `code`; truths have no derivatives."""
    if code == o.ADD:
        return a[0] + b[0], a[1] + b[1], a[2] + b[2]
    elif code == o.SUB:
        return a[0] - b[0], a[1] - b[1], a[2] - b[2]
    elif code == o.MUL:
        return a[0] * b[0], a[1] * b[0] + a[0] * b[1], a[2] * b[0] + 2.0 * a[1] * b[1] + a[0] * b[2]
    elif code == o.DIV:
        return quotient(a, b)
    elif code == o.POW:
        return power(a, b)
    elif code == o.MIN:
        return a if sign_after((a[0] - b[0], a[1] - b[1], a[2] - b[2])) < 0.0 or a[0] != a[0] else b
    elif code == o.MAX:
        return a if sign_after((a[0] - b[0], a[1] - b[1], a[2] - b[2])) > 0.0 or a[0] != a[0] else b
    elif code == o.ATAN2:
        return angle(a, b)
    return binary(code, a[0], b[0]), 0.0, 0.0


@kernel
def ternary_jet(code, a, b, c):
    """Return the jet of where(a, b, c), clip(a, b, c) or step(a, b, c)."""
    if code == o.WHERE:
        if a[0] != a[0]:
            return a[0], a[0], a[0]
        return b if a[0] != 0.0 else c
    elif code == o.CLIP:
        return binary_jet(o.MIN, binary_jet(o.MAX, a, b), c)
    elif b[0] == c[0]:
        return binary(o.GE, a[0], b[0]), 0.0, 0.0
    s = quotient(binary_jet(o.SUB, a, b), binary_jet(o.SUB, c, b))
    if s[0] <= 0.0 or s[0] >= 1.0:  # before chain, since a step of no width has an infinite slope in s
        return rise(s[0])
    return chain(rise(s[0]), s)


@kernel
def sign_after(x):
    """Return the sign that the quantity with jet x has just after t."""
    if x[0] != 0.0:
        return x[0]
    return x[1] if x[1] != 0.0 else x[2]


@kernel
def quotient(a, b):
    """Return the jet of q = a / b, from a' = q' b + q b' and a'' = q'' b + 2 q' b' + q b''."""
    q = a[0] / b[0]
    q1 = (a[1] - q * b[1]) / b[0]
    return q, q1, (a[2] - 2.0 * q1 * b[1] - q * b[2]) / b[0]


@kernel
def power(a, b):
    """Return the jet of a**b; an exponent at rest needs no logarithm, so a may then be negative or zero."""
    x, y = a[0], b[0]
    value = x**y
    if b[1] == 0.0 and b[2] == 0.0:
        # A factor that vanishes ends the series: the slope of x**1 at 0 is 1, not 0 * x**-1.
        first = y * x ** (y - 1.0) if y != 0.0 else 0.0
        second = y * (y - 1.0) * x ** (y - 2.0) if y != 0.0 and y != 1.0 else 0.0
        return chain((value, first, second), a)
    if x == 0.0 and (y > 2.0 or (a[1] == 0.0 and a[2] == 0.0)):
        return value, 0.0, 0.0
    # a**b = exp(u) with u = b log(a)
    log_x, r1, r2 = np.log(x), a[1] / x, a[2] / x
    u1 = b[1] * log_x + y * r1
    u2 = b[2] * log_x + 2.0 * b[1] * r1 + y * (r2 - r1 * r1)
    return value, value * u1, value * (u1 * u1 + u2)


@kernel
def angle(a, b):
    """Return the jet of atan2(a, b): (b a' - a b') / (a^2 + b^2) and its derivative."""
    square = a[0] * a[0] + b[0] * b[0]
    first = (b[0] * a[1] - a[0] * b[1]) / square
    second = (b[0] * a[2] - a[0] * b[2] - 2.0 * first * (a[0] * a[1] + b[0] * b[1])) / square
    return np.arctan2(a[0], b[0]), first, second
