"""Forces and moments as numbers, tables of time or of a channel, or formulas of channels."""

from __future__ import annotations

import math

import numpy as np

from fairlead.core.arrays import CHANNEL_TABLE, LINEAR_TABLE, NUMBER, OF_BODY, OF_COORDINATE, OF_LOAD, S, V
from fairlead.core.expressions.evaluate import evaluate
from fairlead.core.jit.kernel import inlined, kernel
from fairlead.core.loads.outputs import OUTPUTS_AT
from fairlead.core.motions import find_interval, held_table
from fairlead.core.vec import add, cross, matmul, matvec, put3, tmatvec, v3, v9

FORCE = np.dtype(  # of each component: a number, or rows start..stop of knot and coef (by time or by a channel), or
    # the program at start
    [(name, "i8") for name in ("row", "body", "turning")]
    + [(name, "i8", (6,)) for name in ("code", "start", "stop", "channel")]
    + [("r_BP_D", "f8", V), ("value", "f8", S)],
    align=True,
)


@kernel
def _component(t, F, c, A, W):
    if F.code[c] == NUMBER:
        return F.value[c]
    if F.code[c] == LINEAR_TABLE:
        i = find_interval(A.knot, F.start[c], F.stop[c], t)
        s = (t - A.knot[i]) / (A.knot[i + 1] - A.knot[i])
        return (1.0 - s) * A.coef[i, 0] + s * A.coef[i + 1, 0]
    if F.code[c] == CHANNEL_TABLE:
        value, beyond = held_table(A.knot, A.coef, F.start[c], F.stop[c], W.channels[F.channel[c]])
        if beyond:
            if W.rows[F.row].beyond == 0.0:
                W.rows[F.row].since = t
            W.rows[F.row].beyond += 1.0
        return value
    return evaluate(A.programs, F.start[c], W.channels, W.stack)


@inlined
def forces(t, A, W):
    """Rows of the given forces: at a point of the body, in world axes or turning with it."""
    for j in range(A.loads.forces.shape[0]):
        F = A.loads.forces[j]
        row = W.rows[F.row]
        for c in range(3):
            row.f[c] = _component(t, F, c, A, W)
            row.n[c] = _component(t, F, 3 + c, A, W)
        R = v9(W.bodies[F.body].R)
        f, n = v3(row.f), v3(row.n)
        if F.turning:
            R_WB = matmul(R, v9(A.bodies[F.body].R_DB))
            f, n = matvec(R_WB, f), matvec(R_WB, n)
        put3(row.f, f)
        put3(row.n, add(n, cross(matvec(R, v3(F.r_BP_D)), f)))


@kernel
def _of_body(b, part, A, W):
    """Return a quantity of a body: 0-2 position, 3-5 velocity, 6-8 angular velocity (its axes), 9-11 roll pitch yaw."""
    o = W.bodies[b]
    if part < 3:
        return o.x[part]
    if part < 6:
        return o.u[part - 3]
    R = matmul(v9(o.R), v9(A.bodies[b].R_DB))
    if part < 9:
        w = tmatvec(R, v3(o.w))
        return w[0] if part == 6 else w[1] if part == 7 else w[2]
    if part == 9:
        return math.atan2(R[7], R[8])
    if part == 10:
        return math.atan2(-R[6], math.hypot(R[7], R[8]))
    return math.atan2(R[3], R[0])


@inlined
def fill_channels_of_motion(A, W):
    """Fill the channels of bodies and joints that formulas read."""
    for k in range(1, A.channels.shape[0]):
        c = A.channels[k]
        if c.source == OF_BODY:
            W.channels[k] = _of_body(c.number, c.part, A, W)
        elif c.source == OF_COORDINATE:
            o = W.coordinates[c.number]
            W.channels[k] = o.q if c.part == 0 else o.dq


@inlined
def fill_channels_of_loads(A, W):
    """Fill the channels of loads that formulas read, from what has been evaluated of them."""
    for k in range(1, A.channels.shape[0]):
        c = A.channels[k]
        if c.source == OF_LOAD:
            W.channels[k] = W.row_values[c.number, OUTPUTS_AT + c.part]
