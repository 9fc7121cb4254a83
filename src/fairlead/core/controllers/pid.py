"""Proportional, integral and derivative feedback within limits, continuous or sampled.

Continuous: v = kp e + I + D with e = target - input, I' = ki e + (u - v) / T_t, D = kd (e - f) / T_f with
f' = (e - f) / T_f, and u is v within the limits. Sampled with period h: the same with D by backward differences and I
by a forward one. Astrom and Hagglund, Advanced PID Control (2006), chapter 13 on implementation; chapter 3 on windup:
(u - v) / T_t winds I back while a limit holds u.
"""

from __future__ import annotations

from fairlead.core.arrays import rows
from fairlead.core.expressions.evaluate import evaluate
from fairlead.core.jit.kernel import kernel

PID = rows("input target", kp=(), ki=(), kd=(), filter=(), tracking=(), lower=(), upper=())  # programs, gains, times
INTEGRAL, BEFORE, DERIVATIVE = 0, 1, 2  # of its states: I; f, or e at the last sample; D of a sampled one


@kernel
def within(value, lower, upper):
    """Return a value kept between two limits; a nan is passed on."""
    if value > upper:
        return upper
    return lower if value < lower else value


@kernel
def pid_error(K, A, W):
    """Return target - input."""
    target = evaluate(A.programs, K.target, W.channels, W.stack)
    return target - evaluate(A.programs, K.input, W.channels, W.stack)


@kernel
def pid_unlimited(K, s, e, y):
    """Return v, what it would give out without limits."""
    v = K.kp * e + y[s + INTEGRAL]
    return v + K.kd * (e - y[s + BEFORE]) / K.filter if K.kd != 0.0 else v


@kernel
def pid_output(C, K, y, A, W):
    """Write its output."""
    W.channels[C.channel] = within(pid_unlimited(K, C.state, pid_error(K, A, W), y), K.lower, K.upper)


@kernel
def pid_rates(C, K, y, dy, A, W):
    """Write the rates of I and f."""
    e = pid_error(K, A, W)
    v = pid_unlimited(K, C.state, e, y)
    dy[C.state + INTEGRAL] = K.ki * e + (within(v, K.lower, K.upper) - v) / K.tracking
    if K.kd != 0.0:
        dy[C.state + BEFORE] = (e - y[C.state + BEFORE]) / K.filter


@kernel
def pid_begin(C, K, y, A, W):
    """Let f start at the error, so that nothing is kicked at the start."""
    y[C.state + BEFORE] = pid_error(K, A, W)


@kernel
def pid_update(C, K, y, A, W):
    """Write the output at a sample and the states for the next one."""
    s, h, e = C.state, C.period, pid_error(K, A, W)
    if y[C.memory] == 0.0:  # the first sample
        y[s + BEFORE] = e
    y[s + DERIVATIVE] = (K.filter * y[s + DERIVATIVE] + K.kd * (e - y[s + BEFORE])) / (K.filter + h)
    v = K.kp * e + y[s + INTEGRAL] + y[s + DERIVATIVE]
    u = within(v, K.lower, K.upper)
    y[s + INTEGRAL] += K.ki * h * e + min(1.0, h / K.tracking) * (u - v)
    y[s + BEFORE] = e
    W.channels[C.channel] = u
