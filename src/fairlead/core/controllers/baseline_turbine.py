"""The baseline controller of variable-speed turbines: torque by regions of the filtered speed, pitch by a scheduled PI.

Jonkman et al., NREL/TP-500-38060, section 7, with the changes for a floating platform of Jonkman, TP-500-47535, section
2.4, in the form and order in which the controllers of OpenFAST's 5 MW cases compute it. At each sample, period h:

    a = exp(-h corner),  f <- (1 - a) w + a f
    torque of the region of f, at most max_torque, changing by at most torque_rate h
    G = 1 / (1 + pitch / K),  I <- I + (f - reference) h within the limits of pitch over G ki
    pitch <- G kp (f - reference) + G ki I within its limits, changing by at most pitch_rate h

Without a period it is the limit of h -> 0 without the limits of rate: f' = corner (w - f), I' = f - reference, and G at
the pitch that it gives, pitch (1 + pitch / K) = kp (f - reference) + ki I.
"""

from __future__ import annotations

import math

from fairlead.core.arrays import rows
from fairlead.core.controllers.pid import within
from fairlead.core.expressions.evaluate import evaluate
from fairlead.core.jit.kernel import kernel

# Program of the speed; 1 where region 3 has constant power
BASELINE = rows(
    "speed constant_power",
    corner=(),
    kp=(),
    ki=(),
    reduction=(),  # K
    reference=(),
    lower=(),
    upper=(),
    pitch_rate=(),
    cut_in=(),
    region2=(),
    gain=(),
    transition=(),  # speed at which region 2 ends
    slope=(),  # of torque in region 2 1/2 ...
    synchronous=(),  # ... over the speed above this
    rated=(),
    power=(),
    region3_pitch=(),
    max_torque=(),
    torque_rate=(),
)
FILTERED, INTEGRAL = 0, 1  # of its states
TORQUE, PITCH = 0, 1  # of its outputs
RETURN = 0.1  # [s] in which a continuous integral that left its limits comes back to them


@kernel
def region_torque(K, f, pitch):
    """Return the torque of the region in which a filtered speed lies; region 3 also above a pitch."""
    if f >= K.rated or pitch >= K.region3_pitch:
        T = K.power / f if K.constant_power else K.power / K.reference
    elif f <= K.cut_in:
        T = 0.0
    elif f < K.region2:  # region 1 1/2
        T = K.gain * K.region2 * K.region2 * (f - K.cut_in) / (K.region2 - K.cut_in)
    elif f < K.transition:
        T = K.gain * f * f
    else:
        T = K.slope * (f - K.synchronous)
    return K.max_torque if K.max_torque < T else T


@kernel
def baseline_start(C, K, y, w, pitch):
    """Start the filter at the measured speed and the integral at what gives a pitch."""
    y[C.state + FILTERED] = w
    y[C.state + INTEGRAL] = pitch * (1.0 + pitch / K.reduction) / K.ki


@kernel
def baseline_update(C, K, y, A, W):
    """Write the outputs at a sample and the states for the next one."""
    s, h = C.state, C.period
    w = evaluate(A.programs, K.speed, W.channels, W.stack)
    first = y[C.memory] == 0.0
    torque, pitch = y[C.held + TORQUE], y[C.held + PITCH]
    if first:
        baseline_start(C, K, y, w, pitch)
    a = math.exp(-h * K.corner)
    f = (1.0 - a) * w + a * y[s + FILTERED]
    T = region_torque(K, f, pitch)
    if not first:
        T = torque + within(T - torque, -K.torque_rate * h, K.torque_rate * h)
    G, e = 1.0 / (1.0 + pitch / K.reduction), f - K.reference
    I = within(y[s + INTEGRAL] + e * h, K.lower / (G * K.ki), K.upper / (G * K.ki))
    asked = within(G * (K.kp * e + K.ki * I), K.lower, K.upper)
    y[s + FILTERED], y[s + INTEGRAL] = f, I
    W.channels[C.channel + TORQUE] = T
    W.channels[C.channel + PITCH] = pitch + within(asked - pitch, -K.pitch_rate * h, K.pitch_rate * h)


@kernel
def scheduled_pitch(K, asked):
    """Return the pitch at which pitch (1 + pitch / K) is what is asked, within the limits."""
    least = K.lower * (1.0 + K.lower / K.reduction)
    if asked < least:
        return K.lower
    return within(0.5 * K.reduction * (math.sqrt(1.0 + 4.0 * asked / K.reduction) - 1.0), K.lower, K.upper)


@kernel
def baseline_output(C, K, y, A, W):
    """Write the outputs of a continuous one."""
    f = y[C.state + FILTERED]
    pitch = scheduled_pitch(K, K.kp * (f - K.reference) + K.ki * y[C.state + INTEGRAL])
    W.channels[C.channel + TORQUE] = region_torque(K, f, pitch)
    W.channels[C.channel + PITCH] = pitch


@kernel
def baseline_rates(C, K, y, dy, A, W):
    """Write the rates of a continuous one's states; an integral at its limit stays there."""
    f, I = y[C.state + FILTERED], y[C.state + INTEGRAL]
    dy[C.state + FILTERED] = K.corner * (evaluate(A.programs, K.speed, W.channels, W.stack) - f)
    G = 1.0 / (1.0 + W.channels[C.channel + PITCH] / K.reduction)
    kept = within(I + (f - K.reference) * RETURN, K.lower / (G * K.ki), K.upper / (G * K.ki))
    dy[C.state + INTEGRAL] = (kept - I) / RETURN


@kernel
def baseline_begin(C, K, y, A, W):
    """Start the filter of a continuous one at the measured speed."""
    y[C.state + FILTERED] = evaluate(A.programs, K.speed, W.channels, W.stack)
