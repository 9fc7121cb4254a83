"""Bringing a state onto its constraints: Newton on dependent coordinates, then their rates. MBDM note Eqs. 71, 72."""

from __future__ import annotations

import math

from fairlead.core.arrays import NOT_CLOSED, PROJECTION
from fairlead.core.codes import (
    ABOUT,
    CLOSING,
    CODE,
    GAP_ACCEPTED,
    GROWTH,
    HIGHEST_RANK,
    LEAST_GROWTH,
    NEWTON_MOST,
    NEWTON_STEPS,
    PIVOT_LARGEST,
    PIVOT_MADE,
    PIVOT_NOW,
    POSITION_GAP,
    RANK,
    STILL_PIVOT,
    VELOCITY_GAP,
)
from fairlead.core.constraints.envelope import solve
from fairlead.core.constraints.rows import constraint_rows, position_gap, row_times, velocity_error
from fairlead.core.formulations.constrained.partition import (
    amplification,
    coordinate_jacobian,
    eliminate,
    lu_factorise,
    lu_solve,
)
from fairlead.core.formulations.constrained.schur import factorise_rigid, spread
from fairlead.core.jit.kernel import kernel
from fairlead.core.layout import ATTITUDE, LENGTH, TURNING, VELOCITY, four, three
from fairlead.core.rotation import from_quaternion
from fairlead.core.vec import add, congruence, matvec, put3, put6, put9, tmatvec, v3, v6, v9

POSITION_TOLERANCE, VELOCITY_TOLERANCE = 1e-13, 1e-12
SLIPPING = 1e-9  # [m/s, rad/s] a velocity left over by equations that were not kept
TAME = 1e-8  # s^2: a projection would make rounding e of x' = e / s^2, where the motion itself has far less
SINGULAR = 1e-3  # of the largest smallest pivot that a partition has had: no partition serves there
WORN = 0.3  # of the smallest pivot that a partition was made with
GOOD_STEP = 0.01  # of the violation left by a Newton step whose factors may serve again


@kernel
def place(A, W):
    """Fill the motion of every body from the closed state C.y, and the rows of the constraints."""
    y = W.constraint.y
    for b in range(A.bodies.shape[0]):
        s, o = LENGTH * b, W.bodies[b]
        R = from_quaternion(*four(y, s + ATTITUDE))
        put9(o.R, R)
        put3(o.x, v3(y[s:]))
        put3(o.r, v3(y[s:]))
        put3(o.u, three(y, s + VELOCITY))
        put3(o.w, matvec(R, three(y, s + TURNING)))
        put6(o.I, congruence(R, v6(A.bodies[b].I_BB_D)))
    constraint_rows(A, W)


@kernel
def norm2(y, b):
    s = LENGTH * b + ATTITUDE
    return y[s] * y[s] + y[s + 1] * y[s + 1] + y[s + 2] * y[s + 2] + y[s + 3] * y[s + 3]


@kernel
def position_error(A, W):
    """Return the largest violation of a constraint or of a quaternion's length."""
    worst = position_gap(A, W)
    for b in range(A.bodies.shape[0]):
        worst = max(worst, abs(norm2(W.constraint.y, b) - 1.0))
    return worst


@kernel
def close(A, W):
    """Bring positions, then velocities, onto the constraints. MBDM note Eqs. 71, 72.

    Projections factorise once: positions move so little that the factors serve the velocities too, repeated if need be.
    In a singular position, where dependent coordinates do not follow from the others, the state is projected too.
    """
    C = W.constraint
    projects = A.options[CLOSING] == PROJECTION
    steps, fresh, C.newton[STILL_PIVOT] = 0, False, TAME
    place(A, W)
    error = position_error(A, W)
    before = error
    while error > POSITION_TOLERANCE and steps < C.newton[NEWTON_MOST]:
        projects = projects or not correct_positions(A, W)
        if projects:
            if not fresh or error > GOOD_STEP * before:
                if fresh and error > 0.5 * before:  # equations that were not kept stay open
                    C.choose[0], C.newton[STILL_PIVOT] = 1, 0.0
                C.worst[POSITION_GAP] = error
                factorise_rigid(A, W)
                fresh = True
            move_positions(A, W)
        place(A, W)
        before, error = error, position_error(A, W)
        steps += 1
        if error > 0.5 * before and error < C.newton[GAP_ACCEPTED]:
            break
    if not error <= C.newton[GAP_ACCEPTED]:
        W.status[CODE], W.status[ABOUT] = NOT_CLOSED, 0
    slip = velocity_error(A, W)
    if slip > VELOCITY_TOLERANCE:
        if projects or not correct_velocities(A, W):
            slip = close_velocities(fresh, slip, A, W)
        else:
            place(A, W)
            slip = velocity_error(A, W)
    C.newton[STILL_PIVOT] = 0.0
    C.worst[POSITION_GAP], C.worst[VELOCITY_GAP], C.worst[NEWTON_STEPS] = error, slip, steps


@kernel
def close_velocities(fresh, slip, A, W):
    """Project the velocities, with the factors at hand while they serve; return what is left."""
    again = False
    for _ in range(8):
        if not fresh:
            factorise_rigid(A, W)
        move_velocities(A, W)
        before, slip = slip, velocity_error(A, W)
        if slip <= VELOCITY_TOLERANCE:
            return slip
        if fresh:
            fresh = slip < GOOD_STEP * before
        elif slip <= SLIPPING or again:
            return slip
        else:  # equations that were not kept are not satisfied
            W.constraint.choose[0], W.constraint.newton[STILL_PIVOT], again = 1, 0.0, True
    return slip


@kernel
def dependent_part(A, W):
    """Fill C.U with the factors of the independent rows and dependent columns of the Jacobian; return their number."""
    C = W.constraint
    coordinate_jacobian(A, W)
    rank = int(C.rank[RANK])
    for r in range(rank):
        for k in range(rank):
            C.U[r, k] = C.D[C.rows[r], C.columns[k]]
    C.rank[PIVOT_NOW] = lu_factorise(C.U, C.pivots, rank)
    C.rank[PIVOT_LARGEST] = max(C.rank[PIVOT_LARGEST], C.rank[PIVOT_NOW])
    return rank


@kernel
def correct_positions(A, W):
    """One Newton step on the dependent coordinates; return whether they follow from the others here."""
    C, m = W.constraint, A.constraints.shape[0]
    rank = dependent_part(A, W)
    if C.rank[PIVOT_NOW] < SINGULAR * C.rank[PIVOT_LARGEST]:
        return False
    for r in range(rank):
        row = C.rows[r]
        C.b[r] = -C.phi[row] if row < m else 1.0 - norm2(C.y, row - m)
    lu_solve(C.U, C.pivots, C.b, rank)
    for k in range(rank):
        column = C.columns[k]
        C.y[LENGTH * (column // 7) + column % 7] += C.b[k]
    return True


@kernel
def correct_velocities(A, W):
    """Solve the velocity equations for the dependent rates, the independent ones held; return whether they follow."""
    C, m = W.constraint, A.constraints.shape[0]
    rank = dependent_part(A, W)
    if C.rank[PIVOT_NOW] < SINGULAR * C.rank[PIVOT_LARGEST]:
        return False
    for r in range(rank):
        row = C.rows[r]
        C.b[r] = C.nu[row] - row_times(C.J, row, A.constraints[row], W, 0) if row < m else 0.0
    lu_solve(C.U, C.pivots, C.b, rank)
    for k in range(rank):
        column = C.columns[k]
        b, part = column // 7, column % 7
        if part < 3:
            C.y[LENGTH * b + VELOCITY + part] += C.b[k]
        else:  # w' = 2 G p', MBDM note Eqs. 36 and 40
            e0, e1, e2, e3 = four(C.y, LENGTH * b + ATTITUDE)
            g = (-e1, -e2, -e3)
            if part == 4:
                g = (e0, -e3, e2)
            elif part == 5:
                g = (e3, e0, -e1)
            elif part == 6:
                g = (-e2, e1, e0)
            for i in range(3):
                C.y[LENGTH * b + TURNING + i] += 2.0 * g[i] * C.b[k]
    return True


@kernel
def repartition(A, W, weight):
    """Choose dependent coordinates anew at the placed state."""
    C = W.constraint
    coordinate_jacobian(A, W)
    rank = eliminate(C.D, C.rows, C.columns, weight, 1e-9)
    C.rank[RANK] = rank
    C.rank[HIGHEST_RANK], C.rank[PIVOT_MADE] = max(C.rank[HIGHEST_RANK], C.rank[RANK]), 0.0
    found = max(reduced_amplification(C, rank), 1e-12)  # nothing amplifies where every motion is driven
    C.rank[LEAST_GROWTH] = found if C.rank[LEAST_GROWTH] == 0.0 else min(C.rank[LEAST_GROWTH], found)


@kernel
def reduced_amplification(C, rank):
    """Return the largest entry of U^-1 V from the triangle that the elimination left."""
    largest = 0.0
    for f in range(rank, C.columns.shape[0]):
        for r in range(rank - 1, -1, -1):
            total = C.D[C.rows[r], C.columns[f]]
            for k in range(r + 1, rank):
                total -= C.D[C.rows[r], C.columns[k]] * C.b[k]
            C.b[r] = total / C.D[C.rows[r], C.columns[r]]
            largest = max(largest, abs(C.b[r]))
    return largest


@kernel
def partition_serves(A, W):
    """Return whether the partition is still good at the placed state.

    Dependent rates are -U^-1 V times the independent ones. Where that has grown against the best partition so far, the
    coordinates are no longer good to integrate; near singular positions that holds of all: each step takes new ones.
    A partition made in a singular position (of lower rank) is not kept, nor one whose equations have come to say almost
    the same, though others say more.
    """
    C = W.constraint
    if C.rank[LEAST_GROWTH] == 0.0 or C.rank[RANK] < C.rank[HIGHEST_RANK]:
        return False
    rank = dependent_part(A, W)
    if C.rank[PIVOT_MADE] == 0.0:
        C.rank[PIVOT_MADE] = C.rank[PIVOT_NOW]
    return (
        C.rank[PIVOT_NOW] >= WORN * C.rank[PIVOT_MADE]
        and amplification(C, rank) <= C.newton[GROWTH] * C.rank[LEAST_GROWTH]
    )


@kernel
def shift_positions(A, W):
    """One Newton step along M^-1 J^T: the smallest change in the sense of the mass, for one factorisation."""
    W.constraint.choose[0], W.constraint.worst[POSITION_GAP] = 1, position_error(A, W)
    factorise_rigid(A, W)
    move_positions(A, W)


@kernel
def move_positions(A, W):
    """Move every body along M^-1 J^T by the factors at hand."""
    C = W.constraint
    for j in range(C.lowest[-1]):
        C.c[j] = -C.phi[C.live[j]]
    solve(C.S, C.b, C)
    spread(C.Y, C.b, W)
    for b in range(A.bodies.shape[0]):
        move_body(LENGTH * b, v3(C.step[b]), v3(C.step[b, 3:]), C.y)
        n = 1.0 / math.sqrt(norm2(C.y, b))
        for i in range(3, 7):
            C.y[LENGTH * b + i] *= n


@kernel
def move_body(s, shift, turn, y):
    """Add a displacement and a small rotation (world axes) to the body whose state starts at s."""
    for i in range(3):
        y[s + i] += shift[i]
    w, x, z, u = four(y, s + ATTITUDE)
    y[s + ATTITUDE] += 0.5 * (-turn[0] * x - turn[1] * z - turn[2] * u)
    y[s + ATTITUDE + 1] += 0.5 * (turn[0] * w + turn[1] * u - turn[2] * z)
    y[s + ATTITUDE + 2] += 0.5 * (turn[1] * w + turn[2] * x - turn[0] * u)
    y[s + ATTITUDE + 3] += 0.5 * (turn[2] * w + turn[0] * z - turn[1] * x)


@kernel
def shift_velocities(A, W):
    """Change the velocities along M^-1 J^T so that they satisfy the velocity equations."""
    W.constraint.choose[0] = 1
    factorise_rigid(A, W)
    move_velocities(A, W)


@kernel
def move_velocities(A, W):
    """Change every body's velocity along M^-1 J^T by the factors at hand."""
    C = W.constraint
    for j in range(C.lowest[-1]):
        r = C.live[j]
        C.c[j] = C.nu[r] - row_times(C.J, r, A.constraints[r], W, 0)
    solve(C.S, C.b, C)
    spread(C.Y, C.b, W)
    for b in range(A.bodies.shape[0]):
        o = W.bodies[b]
        put3(o.u, add(v3(o.u), v3(C.step[b])))
        put3(o.w, add(v3(o.w), v3(C.step[b, 3:])))
        put3(C.y[LENGTH * b + VELOCITY :], v3(o.u))
        put3(C.y[LENGTH * b + TURNING :], tmatvec(v9(o.R), v3(o.w)))
