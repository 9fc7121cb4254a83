"""A sensor: what is measured with noise, filtered and late.

Continuous: T x' = u - x, or x'' = w^2 (u - x) - 2 z w x'. Sampled, with u held over the period that ends at the
sample: (x, x') - (u, 0) is multiplied by the transition matrix of the same equation over a period, which is exact.
"""

from __future__ import annotations

import math

import numpy as np

from fairlead.core.arrays import rows
from fairlead.core.expressions.evaluate import evaluate
from fairlead.core.jit.kernel import kernel

# Program of what is measured; order of the filter; samples by which it is late; of the noise
SENSOR = rows("input order late seed", T=(), w=(), z=(), step=(4,), noise=())
X, V = 0, 1  # of its states: the filtered value and its rate; behind them what was measured lately, round and round


@kernel
def mixed(x):
    """Return 64 well mixed bits of a whole number: SplitMix64, Steele, Lea, Flood, OOPSLA 2014, Fig. 17."""
    z = x
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@kernel
def uniform(seed, n):
    """Return number n of a sequence between 0 and 1, ends excluded."""
    golden = np.uint64(0x9E3779B97F4A7C15)
    bits = mixed(mixed(np.uint64(seed) + golden) + np.uint64(n + 1) * golden)
    return (float(bits >> np.uint64(11)) + 0.5) / 9007199254740992.0


@kernel
def gaussian(seed, n):
    """Return number n of a sequence of independent normal numbers, by the transformation of Box and Muller (1958)."""
    return math.sqrt(-2.0 * math.log(uniform(seed, 2 * n))) * math.cos(2.0 * math.pi * uniform(seed, 2 * n + 1))


@kernel
def sensor_output(C, K, y, A, W):
    """Write the output of a continuous one."""
    W.channels[C.channel] = y[C.state + X]


@kernel
def sensor_rates(C, K, y, dy, A, W):
    """Write the rates of a continuous filter."""
    e = evaluate(A.programs, K.input, W.channels, W.stack) - y[C.state + X]
    if K.order == 1:
        dy[C.state + X] = e / K.T
    else:
        dy[C.state + X] = y[C.state + V]
        dy[C.state + V] = K.w * K.w * e - 2.0 * K.z * K.w * y[C.state + V]


@kernel
def sensor_begin(C, K, y, A, W):
    """Let the filter start at what is measured."""
    y[C.state + X] = evaluate(A.programs, K.input, W.channels, W.stack)


@kernel
def sensor_update(C, K, y, A, W):
    """Write the output at a sample and the states for the next one."""
    s, n = C.state, int(y[C.memory])
    u = evaluate(A.programs, K.input, W.channels, W.stack)
    if K.noise > 0.0:
        u += K.noise * gaussian(K.seed, n)
    if n == 0:  # it has always measured this
        y[s + X], y[s + V] = u, 0.0
        for i in range(K.late):
            y[s + 2 + i] = u
    e, v = y[s + X] - u, y[s + V]
    y[s + X] = u + K.step[0] * e + K.step[1] * v
    y[s + V] = K.step[2] * e + K.step[3] * v
    W.channels[C.channel] = y[s + X]
    if K.late > 0:
        place = s + 2 + n % K.late
        W.channels[C.channel] = y[place]
        y[place] = y[s + X]
