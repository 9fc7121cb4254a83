"""Driven coordinates: value, rate and acceleration of every joint coordinate at a time, consistent with each other."""

from __future__ import annotations

import math

from fairlead.core.arrays import COMMANDED, CONSTANT, FREE, POLYNOMIAL, RAMP, SINE, SPLINE
from fairlead.core.codes import BEGIN, END
from fairlead.core.expressions.evaluate import evaluate_jet
from fairlead.core.jit.by_symbol import by_symbol
from fairlead.core.jit.kernel import inlined, kernel


@kernel
def _polynomial(coef, lo, hi, t):
    """Return value and two derivatives of sum c_i t^i by Horner's rule."""
    p, d, dd = 0.0, 0.0, 0.0
    for i in range(hi - 1, lo - 1, -1):
        dd = dd * t + 2.0 * d
        d = d * t + p
        p = p * t + coef[i, 0]
    return (p, d, dd)


@kernel
def _ramp(par, t, window):
    """Return start until `begin`, then growing with the acceleration until the rate is reached.

    The acceleration jumps at both ends; which side counts there is where the middle of the window lies. Rounding may
    put an instant a little before a kink it is meant to be at, hence `tiny`.
    """
    start, rate, acceleration, begin = par[0], par[1], par[2], par[3]
    s, middle, tiny = t - begin, 0.5 * (window[BEGIN] + window[END]) - begin, 5e-16 * (abs(t) + abs(begin))
    if middle < -tiny:
        return (start, 0.0, 0.0)
    full = rate / acceleration
    if middle < full - tiny:
        return (start + 0.5 * acceleration * s * s, acceleration * s, acceleration)
    return (start + 0.5 * rate * full + rate * (s - full), rate, 0.0)


@kernel
def _sine(par, t):
    mean, amplitude, omega, phase = par[0], par[1], par[2], par[3]
    s, c = math.sin(omega * t + phase), math.cos(omega * t + phase)
    return (mean + amplitude * s, amplitude * omega * c, -amplitude * omega * omega * s)


@kernel
def find_interval(knot, lo, hi, t):
    """Return i with knot[i] <= t < knot[i+1] inside [lo, hi), clipped to the first and last piece."""
    a, b = lo, hi - 1
    if b - a > 8:  # evenly spaced rows are found at once
        m = a + int((t - knot[a]) / (knot[b] - knot[a]) * (b - a))
        if a <= m < b and knot[m] <= t < knot[m + 1]:
            return m
    while b - a > 1:
        m = (a + b) // 2
        if knot[m] <= t:
            a = m
        else:
            b = m
    return a


@kernel
def held_table(knot, coef, lo, hi, x):
    """Return a value of a table that is linear between its rows, and whether x lies outside them (held at the end)."""
    if hi - lo == 1:
        return coef[lo, 0], False
    if x <= knot[lo]:
        return coef[lo, 0], x < knot[lo]
    if x >= knot[hi - 1]:
        return coef[hi - 1, 0], x > knot[hi - 1]
    i = find_interval(knot, lo, hi, x)
    s = (x - knot[i]) / (knot[i + 1] - knot[i])
    return (1.0 - s) * coef[i, 0] + s * coef[i + 1, 0], False


@kernel
def find_piece(knot, lo, hi, t, window):
    """Return the piece that counts at t; where two meet, the one on the side of the window's middle.

    An instant by itself (a window of no width) belongs to the later piece, also where rounding puts it just before.
    """
    i = find_interval(knot, lo, hi, t)
    near = 1e-14 * (1.0 + abs(t))
    middle, tiny = 0.5 * (window[BEGIN] + window[END]), 2e-9 * (window[END] - window[BEGIN]) + near
    if i > lo and middle < knot[i] - near and t - knot[i] <= tiny:
        return i - 1
    if i + 2 < hi and middle > knot[i + 1] - near and knot[i + 1] - t <= tiny:
        return i + 1
    return i


@kernel
def _spline(knot, coef, lo, hi, t, window):
    i = find_piece(knot, lo, hi, t, window)
    s = t - knot[i]
    a, b, c, d = coef[i, 0], coef[i, 1], coef[i, 2], coef[i, 3]
    return (((a * s + b) * s + c) * s + d, (3.0 * a * s + 2.0 * b) * s + c, 6.0 * a * s + 2.0 * b)


@kernel
def program_jet(t, k, A, W):
    """Return the value of the formula of coordinate k, and its two derivatives."""
    return evaluate_jet(A.programs, A.coordinates[k].start, t, W.jets)


program_jet_by_symbol = by_symbol(program_jet)


@inlined
def move(t, A, W):
    """Fill every driven or locked coordinate, its rate and its acceleration at time t."""
    for k in range(A.coordinates.shape[0]):
        if A.coordinates[k].code != FREE:
            move_one(t, k, A, W)


@inlined
def move_one(t, k, A, W):
    """Fill one driven or locked coordinate."""
    c = A.coordinates[k]
    if c.code == CONSTANT:
        q = (c.par[0], 0.0, 0.0)
    elif c.code == POLYNOMIAL:
        q = _polynomial(A.coef, c.start, c.stop, t)
    elif c.code == RAMP:
        q = _ramp(c.par, t, W.window)
    elif c.code == SINE:
        q = _sine(c.par, t)
    elif c.code == SPLINE:
        q = _spline(A.knot, A.coef, c.start, c.stop, t, W.window)
    elif c.code == COMMANDED:  # its start; afterwards the state says
        q = (c.par[0], c.par[1], 0.0)
    else:
        q = program_jet_by_symbol(t, k, A, W)
    o = W.coordinates[k]
    o.q, o.dq, o.ddq = q
    o.cos, o.sin = math.cos(o.q), math.sin(o.q)
