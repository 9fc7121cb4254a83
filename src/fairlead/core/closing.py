"""Bringing a state onto its constraints: Newton on dependent coordinates, then their rates. MBDM note Eqs. 71, 72."""

from __future__ import annotations

import math

from fairlead.core.arrays import NOT_CLOSED, PARTITION
from fairlead.core.compiled import kernel
from fairlead.core.constraints import constraint_rows, row_times
from fairlead.core.envelope import factorise, solve
from fairlead.core.partition import coordinate_jacobian, eliminate, lu_solve
from fairlead.core.rotation import from_quaternion
from fairlead.core.schur import REDUNDANT, fill_schur, weighed
from fairlead.core.vec import congruence, matvec, put3, put6, put9, scale, tmatvec, v3, v6, v9

POSITION_TOLERANCE, VELOCITY_TOLERANCE, MOST_STEPS = 1e-13, 1e-12, 20
ROUNDING = 1e-10  # what large coordinates may leave of a constraint


@kernel
def place(A, W):
    """Fill the motion of every body from the closed state C.y, and the rows of the constraints."""
    y = W.C.y
    for b in range(A.bodies.shape[0]):
        s, o = 13 * b, W.bodies[b]
        R = from_quaternion(y[s + 3], y[s + 4], y[s + 5], y[s + 6])
        put9(o.R, R)
        put3(o.x, v3(y[s:]))
        put3(o.r, v3(y[s:]))
        put3(o.u, v3(y[s + 7 :]))
        put3(o.w, matvec(R, v3(y[s + 10 :])))
        put6(o.I, congruence(R, v6(A.bodies[b].I_BB_D)))
    constraint_rows(A, W)


@kernel
def norm2(y, b):
    s = 13 * b + 3
    return y[s] * y[s] + y[s + 1] * y[s + 1] + y[s + 2] * y[s + 2] + y[s + 3] * y[s + 3]


@kernel
def position_error(A, W):
    """Return the largest violation of a constraint or of a quaternion's length."""
    worst = 0.0
    for r in range(A.constraints.shape[0]):
        if W.C.active[r]:
            worst = max(worst, abs(W.C.phi[r]))
    for b in range(A.bodies.shape[0]):
        worst = max(worst, abs(norm2(W.C.y, b) - 1.0))
    return worst


@kernel
def velocity_error(A, W):
    """Return the largest violation of a velocity equation."""
    worst = 0.0
    for r in range(A.constraints.shape[0]):
        if W.C.active[r]:
            worst = max(worst, abs(row_times(W.C.J, r, A.constraints[r], W, 0) - W.C.nu[r]))
    return worst


@kernel
def close(A, W):
    """Bring positions, then velocities, onto the constraints by moving dependent coordinates. MBDM note Eqs. 71, 72."""
    C = W.C
    steps = 0
    place(A, W)
    error = position_error(A, W)
    while error > POSITION_TOLERANCE and steps < MOST_STEPS:
        if A.options[3] == PARTITION:
            correct_positions(A, W)
        else:
            shift_positions(A, W)
        place(A, W)
        before, error = error, position_error(A, W)
        steps += 1
        if error > 0.5 * before and error < ROUNDING:
            break
    if not error <= ROUNDING:
        W.status[0], W.status[1] = NOT_CLOSED, 0
    slip = velocity_error(A, W)
    if slip > VELOCITY_TOLERANCE:
        if A.options[3] == PARTITION:
            correct_velocities(A, W)
        else:
            shift_velocities(A, W)
        place(A, W)
        slip = velocity_error(A, W)
    C.worst[0], C.worst[1], C.worst[2] = error, slip, steps


@kernel
def dependent_part(A, W):
    """Fill C.U with the independent rows and dependent columns of the coordinate Jacobian; return their number."""
    C = W.C
    coordinate_jacobian(A, W)
    rank = int(C.rank[0])
    for r in range(rank):
        for k in range(rank):
            C.U[r, k] = C.D[C.rows[r], C.columns[k]]
    return rank


@kernel
def correct_positions(A, W):
    """One Newton step on the dependent coordinates."""
    C, m = W.C, A.constraints.shape[0]
    rank = dependent_part(A, W)
    for r in range(rank):
        row = C.rows[r]
        C.b[r] = -C.phi[row] if row < m else 1.0 - norm2(C.y, row - m)
    lu_solve(C.U, C.b, rank)
    for k in range(rank):
        column = C.columns[k]
        C.y[13 * (column // 7) + column % 7] += C.b[k]


@kernel
def correct_velocities(A, W):
    """Solve the velocity equations for the dependent rates, the independent ones held."""
    C, m = W.C, A.constraints.shape[0]
    rank = dependent_part(A, W)
    for r in range(rank):
        row = C.rows[r]
        C.b[r] = C.nu[row] - row_times(C.J, row, A.constraints[row], W, 0) if row < m else 0.0
    lu_solve(C.U, C.b, rank)
    for k in range(rank):
        column = C.columns[k]
        b, part = column // 7, column % 7
        if part < 3:
            C.y[13 * b + 7 + part] += C.b[k]
        else:  # w' = 2 G p', MBDM note Eqs. 36 and 40
            e0, e1, e2, e3 = C.y[13 * b + 3], C.y[13 * b + 4], C.y[13 * b + 5], C.y[13 * b + 6]
            g = (-e1, -e2, -e3)
            if part == 4:
                g = (e0, -e3, e2)
            elif part == 5:
                g = (e3, e0, -e1)
            elif part == 6:
                g = (-e2, e1, e0)
            for i in range(3):
                C.y[13 * b + 10 + i] += 2.0 * g[i] * C.b[k]


@kernel
def repartition(A, W, weight):
    """Choose dependent coordinates anew at the placed state."""
    C = W.C
    coordinate_jacobian(A, W)
    C.rank[0] = eliminate(C.D, C.rows, C.columns, weight, 1e-9)


@kernel
def shift_positions(A, W):
    """One Newton step along M^-1 J^T: the smallest change in the sense of the mass, for one factorisation."""
    C = W.C
    for r in range(A.constraints.shape[0]):
        C.b[r] = -C.phi[r]
    fill_schur(A, W)
    factorise(C.S, A, C, REDUNDANT)
    solve(C.S, C.b, A, C)
    for r in range(A.constraints.shape[0]):
        if C.skip[r]:
            continue
        c = A.constraints[r]
        for side in range(2):
            b = c.i if side == 0 else c.j
            if b >= 0:
                lin, ang = weighed(r, side, b, A, W)
                move_body(13 * b, scale(C.b[r], lin), scale(C.b[r], ang), C.y)
    for b in range(A.bodies.shape[0]):
        n = 1.0 / math.sqrt(norm2(C.y, b))
        for i in range(3, 7):
            C.y[13 * b + i] *= n


@kernel
def move_body(s, shift, turn, y):
    """Add a displacement and a small rotation (world axes) to the body whose state starts at s."""
    for i in range(3):
        y[s + i] += shift[i]
    w, x, z, u = y[s + 3], y[s + 4], y[s + 5], y[s + 6]
    y[s + 3] += 0.5 * (-turn[0] * x - turn[1] * z - turn[2] * u)
    y[s + 4] += 0.5 * (turn[0] * w + turn[1] * u - turn[2] * z)
    y[s + 5] += 0.5 * (turn[1] * w + turn[2] * x - turn[0] * u)
    y[s + 6] += 0.5 * (turn[2] * w + turn[0] * z - turn[1] * x)


@kernel
def shift_velocities(A, W):
    """Change the velocities along M^-1 J^T so that they satisfy the velocity equations."""
    C = W.C
    for r in range(A.constraints.shape[0]):
        C.b[r] = C.nu[r] - row_times(C.J, r, A.constraints[r], W, 0)
    fill_schur(A, W)
    factorise(C.S, A, C, REDUNDANT)
    solve(C.S, C.b, A, C)
    for r in range(A.constraints.shape[0]):
        if C.skip[r]:
            continue
        c = A.constraints[r]
        for side in range(2):
            b = c.i if side == 0 else c.j
            if b >= 0:
                lin, ang = weighed(r, side, b, A, W)
                turn = tmatvec(v9(W.bodies[b].R), ang)
                for i in range(3):
                    C.y[13 * b + 7 + i] += C.b[r] * lin[i]
                    C.y[13 * b + 10 + i] += C.b[r] * turn[i]
