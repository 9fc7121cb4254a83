"""Joint coordinates as functions of time, with exact first and second derivatives.

Formulas are evaluated by Python's own parser on second-order Taylor numbers, splines and polynomials by scipy and
numpy.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.polynomial import Polynomial
from scipy.interpolate import make_interp_spline

import fairlead as fl


@dataclass(frozen=True)
class Taylor:
    """A quantity with its first two time derivatives."""

    x: float
    d: float = 0.0
    dd: float = 0.0

    def through(self, f: float, f1: float, f2: float) -> Taylor:
        """The chain rule for a function with value f and derivatives f1, f2 at x."""
        return Taylor(f, f1 * self.d, f2 * self.d**2 + f1 * self.dd)

    def __add__(self, other):
        o = lift(other)
        return Taylor(self.x + o.x, self.d + o.d, self.dd + o.dd)

    def __mul__(self, other):
        o = lift(other)
        return Taylor(self.x * o.x, self.d * o.x + self.x * o.d, self.dd * o.x + 2 * self.d * o.d + self.x * o.dd)

    def __neg__(self):
        return Taylor(-self.x, -self.d, -self.dd)

    def __sub__(self, other):
        return self + -lift(other)

    def __rsub__(self, other):
        return lift(other) - self

    def __truediv__(self, other):
        o = lift(other)
        return self * o.through(1 / o.x, -1 / o.x**2, 2 / o.x**3)

    def __rtruediv__(self, other):
        return lift(other) / self

    def __pow__(self, n):
        return self.through(self.x**n, n * self.x ** (n - 1), n * (n - 1) * self.x ** (n - 2))

    __radd__, __rmul__ = __add__, __mul__


def lift(value) -> Taylor:
    """A number as a constant in time."""
    return value if isinstance(value, Taylor) else Taylor(float(value))


def tanh(a):
    f = math.tanh(a.x)
    return a.through(f, 1 - f * f, -2 * f * (1 - f * f))


FUNCTIONS = {
    "sin": lambda a: a.through(math.sin(a.x), math.cos(a.x), -math.sin(a.x)),
    "cos": lambda a: a.through(math.cos(a.x), -math.sin(a.x), -math.cos(a.x)),
    "exp": lambda a: a.through(math.exp(a.x), math.exp(a.x), math.exp(a.x)),
    "tanh": tanh,
    "pi": math.pi,
}


def ramp(start: float, rate: float, acceleration: float, begin: float, t: float) -> tuple[float, float, float]:
    """Rest, then constant acceleration, then constant rate; the position is the area under the rate."""
    run_up, sign = abs(rate / acceleration), math.copysign(1.0, rate)
    s = t - begin
    if s <= 0:
        return start, 0.0, 0.0
    if s < run_up:
        return start + sign * abs(acceleration) * s**2 / 2, sign * abs(acceleration) * s, sign * abs(acceleration)
    return start + rate * (s - run_up / 2), rate, 0.0


def motion_at(motion, kind: str, t: float) -> tuple[float, float, float]:
    """Value, rate and acceleration of a motion word at time t, for a coordinate of `kind` angle or length."""
    amounts = motion.in_si(kind)
    if isinstance(motion, fl.Rate):
        return amounts["start"] + amounts["value"] * t, amounts["value"], 0.0
    if isinstance(motion, fl.Ramp):
        return ramp(amounts["start"], amounts["rate"], amounts["acceleration"], motion.begin, t)
    if isinstance(motion, fl.Polynomial):
        p = Polynomial(motion.coefficients)
        return float(p(t)), float(p.deriv()(t)), float(p.deriv(2)(t))
    if isinstance(motion, fl.Table):
        spline = make_interp_spline(motion.times, np.array(motion.values, dtype=float), k=3)  # not-a-knot ends
        return float(spline(t)), float(spline(t, 1)), float(spline(t, 2))
    now = Taylor(t, 1.0)
    if isinstance(motion, fl.Sine):
        frequency = motion.frequency if motion.frequency is not None else 2 * math.pi / motion.period
        q = amounts["mean"] + amounts["amplitude"] * FUNCTIONS["sin"](frequency * now + motion.phase)
    else:
        q = lift(eval(motion.expression, {"__builtins__": {}}, {**FUNCTIONS, "t": now}))
    return q.x, q.d, q.dd


def coordinate_at(joint, name: str, kind: str, t: float) -> tuple[float, float, float]:
    """Value, rate and acceleration of a joint's coordinate, driven or locked."""
    if name in joint.motion:
        return motion_at(joint.motion[name], kind, t)
    return fl.Rate(0.0, joint.initial.get(name, 0.0)).in_si(kind)["start"], 0.0, 0.0
