"""Nacelle yaw that sees where the nacelle faces: it turns to the wind by a rate that grows, stays and falls.

Dissertation Chapter 2 (lag, rate, time to accelerate), closed over the measured heading: once the wind has been off by
more than the dead band for the lag, the rate grows towards the wind; when no more than the way to brake is left, it
falls to zero, and the next look begins anew.
"""

from __future__ import annotations

import math

from fairlead.core.arrays import V, rows
from fairlead.core.environment.wind import wind_direction
from fairlead.core.jit.kernel import kernel
from fairlead.core.vec import matvec, v3, v9

YAW_FOLLOW = rows("body", face_D=V, dead_band=(), lag=(), rate=(), acceleration=(), average=(), sign=())
OFF_SINCE, STAGE = 0, 1  # of its states
RATE, ACCELERATION = 0, 1  # of its outputs
WAITS, TURNS, BRAKES = 0.0, 1.0, 2.0
NOT_OFF = -1.0
LOOKS = 40  # at the wind within the time of averaging
ALIGNED = 1e-9  # [rad] a dead band of zero leaves rounding alone


@kernel
def mean_direction(t, average, A, W):
    """Return the direction of the wind, averaged over the last seconds (from t = 0 at first) by midpoints."""
    if average == 0.0:
        return wind_direction(t, A, W)
    begin = t - average if t > average else 0.0
    total = 0.0
    for k in range(LOOKS):
        total += wind_direction(begin + (t - begin) * (k + 0.5) / LOOKS, A, W)
    return total / LOOKS


@kernel
def yaw_follow_update(C, K, y, A, W):
    """Write the rate from here on and the acceleration to the next sample."""
    t, s, h = W.channels[0], C.state, C.period
    face = matvec(v9(W.bodies[K.body].R), v3(K.face_D))
    off = mean_direction(t, K.average, A, W) - math.atan2(face[1], face[0])
    off = math.atan2(math.sin(off), math.cos(off))
    v = y[C.held + RATE] + h * y[C.held + ACCELERATION]  # of the nacelle's turning, from +x towards +y
    v *= K.sign
    band = K.dead_band if K.dead_band > ALIGNED else ALIGNED
    if y[s + STAGE] == WAITS:
        if abs(off) <= band:
            y[s + OFF_SINCE] = NOT_OFF
        elif y[s + OFF_SINCE] == NOT_OFF:
            y[s + OFF_SINCE] = t
        if y[s + OFF_SINCE] != NOT_OFF and t - y[s + OFF_SINCE] >= K.lag - 1e-9:
            y[s + STAGE], y[s + OFF_SINCE] = TURNS, NOT_OFF
    way = math.copysign(1.0, off)
    if y[s + STAGE] == WAITS and v != 0.0:  # it began turning
        y[s + STAGE] = BRAKES
    if y[s + STAGE] == TURNS and v * way <= 0.0 and v != 0.0:
        y[s + STAGE] = BRAKES
    step, a = K.acceleration * h, 0.0
    if y[s + STAGE] == TURNS:
        speed = abs(v)
        faster = speed + step if speed + step < K.rate else K.rate
        # accelerating on, it would need this way until it stands
        if 0.5 * (speed + faster) * h + 0.5 * faster * faster / K.acceleration > abs(off):
            y[s + STAGE] = BRAKES
        else:
            a = way * (faster - speed) / h
    if y[s + STAGE] == BRAKES:
        if abs(v) <= step * (1.0 + 1e-9):
            a = -v / h
            y[s + STAGE] = WAITS
        else:
            a = -math.copysign(K.acceleration, v)
    W.channels[C.channel + RATE] = K.sign * v
    W.channels[C.channel + ACCELERATION] = K.sign * a + 0.0 * off


@kernel
def yaw_follow_output(C, K, y, A, W):
    """Write the outputs of one that only rests: it does not turn."""
    W.channels[C.channel + RATE] = W.channels[C.channel + ACCELERATION] = 0.0
