"""Commanded coordinates: their values and rates are states, their accelerations follow what a controller gives out.

A position u is followed by q'' = w^2 (u - q) - 2 z w q', written as (r - q') / T with the rate r = w / 2z (u - q) and
T = 1 / (2 z w), so that a limit of the rate is one of r; a rate u by q'' = (u - q') / T; an acceleration is q'' itself.
Coming to a limit of position the rate is at most (limit - q) / 4T: a double pole, which does not overshoot.
"""

from __future__ import annotations

import math

from fairlead.core.arrays import rows
from fairlead.core.controllers.pid import within
from fairlead.core.jit.by_symbol import when_needed
from fairlead.core.jit.kernel import kernel

# The coordinate, the channel of its command and what that is; T, w / 2z, and limits
COMMAND = rows("coordinate channel follows", T=(), gain=(), lower=(), upper=(), rate=(), acceleration=())
POSITION, RATE, ACCELERATION = 0, 1, 2


@kernel
def read_commanded(y, A, W):
    """Fill the values and rates of commanded coordinates; their accelerations are not known before the loads."""
    for j in range(A.commands.shape[0]):
        k = A.commands[j].coordinate
        c, o = A.coordinates[k], W.coordinates[k]
        o.q, o.dq, o.ddq = y[c.state], y[c.rate], 0.0
        o.cos, o.sin = math.cos(o.q), math.sin(o.q)


@kernel
def commanded_acceleration(c, u, q, dq):
    """Return the acceleration with which a coordinate follows its command u."""
    a = u
    if c.follows != ACCELERATION or c.T > 0.0:
        least, most = (c.lower - q) / (4.0 * c.T), (c.upper - q) / (4.0 * c.T)
        least, most = within(least, -c.rate, c.rate), within(most, -c.rate, c.rate)
        if c.follows == ACCELERATION:
            a = within(u, (least - dq) / c.T, (most - dq) / c.T)
        else:
            r = c.gain * (within(u, c.lower, c.upper) - q) if c.follows == POSITION else u
            a = (within(r, least, most) - dq) / c.T
    return within(a, -c.acceleration, c.acceleration)


@kernel
def follow_commands(dy, A, W):
    """Fill the accelerations of commanded coordinates from what controllers give out, and the rates of their states."""
    for j in range(A.commands.shape[0]):
        c = A.commands[j]
        o = W.coordinates[c.coordinate]
        o.ddq = commanded_acceleration(c, W.channels[c.channel], o.q, o.dq)
        dy[A.coordinates[c.coordinate].state] = o.dq
        dy[A.coordinates[c.coordinate].rate] = o.ddq


@kernel
def drift_commanded(y, dy, A):
    """Write the rates of commanded coordinates' values."""
    for j in range(A.commands.shape[0]):
        c = A.coordinates[A.commands[j].coordinate]
        dy[c.state] = y[c.rate]


read_commanded_by_symbol = when_needed(read_commanded)
follow_commands_by_symbol = when_needed(follow_commands)
