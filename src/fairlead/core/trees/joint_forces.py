"""Forces along free joint coordinates: springs, dampers, smooth stops and actuators.

A coordinate q carries force = -k (q - rest) - c q' + stop + actuator, a force for a length and a moment for an angle.
"""

from __future__ import annotations

from fairlead.core.arrays import CHANNEL_TABLE, LINEAR_TABLE, NUMBER, OUTPUT
from fairlead.core.expressions.evaluate import evaluate
from fairlead.core.jit.by_symbol import when_needed
from fairlead.core.jit.kernel import inlined, kernel
from fairlead.core.motions import find_interval, held_table


@kernel
def stop_push(gone, rate, hardness, absorption, width):
    """Return the push of a stop that was passed by `gone`, growing smoothly: never negative, so it does not pull.

    Stiffness and damping come in over `width`: force k g^2 / 2w, then k (g - w/2); damping times 3 s^2 - 2 s^3.
    """
    if gone <= 0.0:
        return 0.0
    s = min(1.0, gone / width)
    elastic = hardness * (0.5 * gone * s if s < 1.0 else gone - 0.5 * width)
    push = elastic + absorption * rate * s * s * (3.0 - 2.0 * s)
    return 0.0 if push < 0.0 else push  # a nan is passed on, which max(0.0, push) would hide


@kernel
def passive_force(S, q, dq):
    """Return the force of a spring, damper and stop on their coordinate."""
    force = -S.stiffness * (q - S.rest) - S.damping * dq
    force -= stop_push(q - S.upper, dq, S.hardness, S.absorption, S.width)
    return force + stop_push(S.lower - q, -dq, S.hardness, S.absorption, S.width)


@kernel
def command_of(t, a, A, W):
    """Return the command of an actuator: a number, a table of time or a channel, a controller's output, a formula."""
    if a.code == NUMBER:
        return a.value
    if a.code == LINEAR_TABLE:
        i = find_interval(A.knot, a.start, a.stop, t)
        s = (t - A.knot[i]) / (A.knot[i + 1] - A.knot[i])
        return (1.0 - s) * A.coef[i, 0] + s * A.coef[i + 1, 0]
    if a.code == OUTPUT:
        return W.channels[a.start]
    if a.code == CHANNEL_TABLE:
        value, beyond = held_table(A.knot, A.coef, a.start, a.stop, W.channels[a.channel])
        if beyond:
            W.coordinates[a.coordinate].beyond += 1.0
        return value
    return evaluate(A.programs, a.start, W.channels, W.stack)


@kernel
def clipped(value, limit):
    """Return a value kept within -limit and limit; a nan is passed on, which min and max would turn into a limit."""
    if value > limit:
        return limit
    return -limit if value < -limit else value


@kernel
def actuator_force(t, a, y, dy, A, W):
    """Return an actuator's force and write the rate of its state.

    Order 0 gives the command; order 1 follows it with T x' = u - x; order 2 with x'' = w^2 (u - x) - 2 z w x'. Command
    and force stay within the limit.
    """
    u = clipped(command_of(t, a, A, W), a.limit)
    if a.order == 0:
        return u
    x = y[a.state]
    if a.order == 1:
        dy[a.state] = (u - x) / a.par[0]
    else:
        dx = y[a.state + 1]
        dy[a.state] = dx
        dy[a.state + 1] = a.par[0] * (a.par[0] * (u - x) - 2.0 * a.par[1] * dx)
    return clipped(x, a.limit)


@kernel
def push_actuators(t, y, dy, A, W):
    """Add the forces of actuators and write the rates of their states."""
    for j in range(A.actuators.shape[0]):
        o = W.coordinates[A.actuators[j].coordinate]
        o.force += actuator_force(t, A.actuators[j], y, dy, A, W)
        o.drive = o.force


push_actuators_by_symbol = when_needed(push_actuators)


@inlined
def joint_forces(t, y, dy, A, W):
    """Fill the force along every coordinate that has one, once coordinates and channels are known.

    An actuator's coordinate has a row among the springs too, so what it adds to begins anew each time.
    """
    for j in range(A.sprung.shape[0]):
        o = W.coordinates[A.sprung[j].coordinate]
        o.force = passive_force(A.sprung[j], o.q, o.dq)
        o.drive = o.force
    if A.actuators.shape[0] > 0:
        push_actuators_by_symbol(t, y, dy, A, W)
