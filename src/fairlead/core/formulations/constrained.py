"""Constrained absolute coordinates: seven per body, multipliers, coordinate partitioning. MBDM note sections 2-5.

Every body has position, Euler parameters, velocity and angular velocity (own axes) in the state. At each evaluation the
dependent coordinates are brought onto the constraints by Newton's method with the independent ones held (Eq. 72), the
dependent velocities follow (Eq. 71b), and accelerations and multipliers solve Eq. 67: M a + J^T lam = F, J a = gamma.
"""

from __future__ import annotations

import math

from fairlead.core.arrays import ALONG, ANGLE, EULER_PARAMETERS, NOT_CLOSED, POINT, SINGULAR_MASS
from fairlead.core.compiled import inlined, kernel
from fairlead.core.constraints import constraint_rows, row_times
from fairlead.core.loads.all import load
from fairlead.core.motions import move
from fairlead.core.observe import write_record
from fairlead.core.parameters import accelerations_by_parameters
from fairlead.core.partition import coordinate_jacobian, eliminate, lu_solve
from fairlead.core.quadrature import work_and_impulse
from fairlead.core.redundant import least_norm
from fairlead.core.rotation import from_quaternion, quaternion_rate, to_euler123
from fairlead.core.schur import accelerations_and_multipliers
from fairlead.core.vec import (
    add,
    axpy,
    congruence,
    cross,
    dot,
    matmul,
    matvec,
    put3,
    put6,
    put9,
    sub,
    tmatvec,
    transpose,
    v3,
    v6,
    v9,
)

ZERO = (0.0, 0.0, 0.0)
POSITION_TOLERANCE, VELOCITY_TOLERANCE, MOST_STEPS = 1e-11, 1e-10, 20


@kernel
def rhs(t, y, dy, A, W):
    """Fill dy, the rate of the state and of the integrals, and W with everything on the way."""
    before(t, y, A, W)
    after(t, y, dy, A, W)


@kernel
def before(t, y, A, W):
    """Move the drivers and bring the state onto the constraints: what loads need to know."""
    W.status[0] = 0
    move(t, A, W)
    for k in range(W.C.y.shape[0]):
        W.C.y[k] = y[k]
    close(A, W)


@kernel
def after(t, y, dy, A, W):
    """Apply the loads, solve for accelerations and multipliers, and write rates, reactions and power."""
    load(t, A, W)
    if A.options[2] == EULER_PARAMETERS:
        good = accelerations_by_parameters(A, W)
    else:
        good = accelerations_and_multipliers(A, W)
    if not good:
        W.status[0], W.status[1] = SINGULAR_MASS, 0
    for b in range(A.bodies.shape[0]):
        s, o = 13 * b, W.bodies[b]
        w_B = v3(W.C.y[s + 10 :])
        q = quaternion_rate(W.C.y[s + 3], W.C.y[s + 4], W.C.y[s + 5], W.C.y[s + 6], w_B)
        put3(dy[s:], v3(o.u))
        dy[s + 3], dy[s + 4], dy[s + 5], dy[s + 6] = q
        put3(dy[s + 7 :], v3(o.a))
        put3(dy[s + 10 :], tmatvec(v9(o.R), v3(o.al)))
    reactions(A, W)
    f, n = world_wrench(A, W)
    work_and_impulse(dy, f, n, A, W)


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
def norm2(y, b):
    s = 13 * b + 3
    return y[s] * y[s] + y[s + 1] * y[s + 1] + y[s + 2] * y[s + 2] + y[s + 3] * y[s + 3]


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
        correct_positions(A, W)
        place(A, W)
        before, error = error, position_error(A, W)
        steps += 1
        if error > 0.5 * before and error < 1e2 * POSITION_TOLERANCE:
            break  # rounding is reached
    if not error <= POSITION_TOLERANCE * 1e2:
        W.status[0], W.status[1] = NOT_CLOSED, 0
    slip = velocity_error(A, W)
    if slip > VELOCITY_TOLERANCE:
        correct_velocities(A, W)
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
    rank, smallest = eliminate(C.D, C.rows, C.columns, weight, 1e-9)
    C.rank[0], C.rank[1] = rank, smallest


@kernel
def begin_step(t, y, A, W):
    """Partition the coordinates at the start of a step (MBDM note section 5)."""
    if W.C.y.shape[0] == 0:
        return
    move(t, A, W)
    for k in range(W.C.y.shape[0]):
        W.C.y[k] = y[k]
    place(A, W)
    repartition(A, W, W.C.weight)


@kernel
def project(t, y, A, W):
    """Bring the state onto the constraints after a step."""
    W.status[0] = 0
    move(t, A, W)
    for k in range(W.C.y.shape[0]):
        W.C.y[k] = y[k]
    close(A, W)
    for b in range(A.bodies.shape[0]):
        n = 1.0 / math.sqrt(norm2(W.C.y, b))
        for i in range(4):
            W.C.y[13 * b + 3 + i] *= n
    for k in range(W.C.y.shape[0]):
        y[k] = W.C.y[k]


@kernel
def drift(y, dy, A):
    """Write the rates of all positions and attitudes."""
    for b in range(A.bodies.shape[0]):
        s = 13 * b
        put3(dy[s:], v3(y[s + 7 :]))
        q = quaternion_rate(y[s + 3], y[s + 4], y[s + 5], y[s + 6], v3(y[s + 10 :]))
        dy[s + 3], dy[s + 4], dy[s + 5], dy[s + 6] = q


@kernel
def reactions(A, W):
    """Turn multipliers into the wrench on each joint's child at its point, and into drivers' forces.

    A row acts on a body with -lam J^T (MBDM note Eq. 65).
    """
    for j in range(A.joints.shape[0]):
        put3(W.joints[j].f, ZERO)
        put3(W.joints[j].n, ZERO)
    for r in range(A.constraints.shape[0]):
        if not W.C.active[r]:
            continue
        c, J, lam = A.constraints[r], W.C.J[r], W.C.lam[r]
        joint, o = A.joints[c.joint], W.joints[c.joint]
        of = joint.child if joint.child >= 0 else joint.parent
        at = 6 if c.j == of else 0
        sign = -lam if joint.child >= 0 else lam
        put3(o.f, axpy(sign, v3(J[at:]), v3(o.f)))
        put3(o.n, axpy(sign, v3(J[at + 3 :]), v3(o.n)))
        if c.coordinate >= 0 and (c.code == ANGLE or c.code == ALONG or c.code == POINT):
            W.coordinates[c.coordinate].drive = -lam * c.sign
    for j in range(A.joints.shape[0]):
        joint, o = A.joints[j], W.joints[j]
        of = joint.child if joint.child >= 0 else joint.parent
        x = v3(joint.s_D)
        if joint.child >= 0:
            x = add(v3(W.bodies[joint.child].x), matvec(v9(W.bodies[joint.child].R), x))
        put3(o.x, x)
        put3(o.n, add(v3(o.n), cross(sub(v3(W.bodies[of].x), x), v3(o.f))))
    turning_drivers(A, W)


@kernel
def turning_drivers(A, W):
    """Write the moments along driven 1-2-3 angles: the joint's moment about each of their axes."""
    for r in range(A.constraints.shape[0]):
        c = A.constraints[r]
        if c.turn < 0 or not W.C.active[r]:
            continue
        R = v9(W.bodies[c.i].R) if c.i >= 0 else (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)
        for k in range(c.turn, c.turn + 3):
            W.coordinates[k].drive = dot(v3(W.joints[c.joint].n), turn_axis(k, c.turn, R, A, W))


@kernel
def turn_axis(k, first, R, A, W):
    """Return the world axis of the k-th of three driven angles."""
    for m in range(first, k):
        c, o = A.coordinates[m], W.coordinates[m]
        R = matmul(R, rotation_about(v3(c.axis_D), o.cos, o.sin))
    return matvec(R, v3(A.coordinates[k].axis_D))


@kernel
def rotation_about(e, c, s):
    k = 1.0 - c
    x, y, z = e
    return (
        c + k * x * x,
        k * x * y - s * z,
        k * x * z + s * y,
        k * x * y + s * z,
        c + k * y * y,
        k * y * z - s * x,
        k * x * z - s * y,
        k * y * z + s * x,
        c + k * z * z,
    )


@inlined
def world_wrench(A, W):
    """Return the force through joints to the world and its moment about the world's origin."""
    F, M = ZERO, ZERO
    for j in range(A.joints.shape[0]):
        joint, o = A.joints[j], W.joints[j]
        if joint.parent < 0 or joint.child < 0:
            f, n = v3(o.f), add(v3(o.n), cross(v3(o.x), v3(o.f)))
            sign = 1.0 if joint.parent < 0 else -1.0
            F, M = axpy(sign, f, F), axpy(sign, n, M)
    return F, M


@kernel
def measure(A, W):
    """Fill coordinates that are free: value, rate and acceleration as the motion has them."""
    for r in range(A.constraints.shape[0]):
        c = A.constraints[r]
        if W.C.active[r] or c.coordinate < 0:
            continue
        o = W.coordinates[c.coordinate]
        o.q = c.sign * W.C.phi[r]
        o.dq = c.sign * row_times(W.C.J, r, c, W, 0)
        o.ddq = c.sign * (row_times(W.C.J, r, c, W, 1) - W.C.gamma[r])
        o.drive = 0.0
    for j in range(A.joints.shape[0]):
        if A.joints[j].turn >= 0:
            measure_turn(A.joints[j], A, W)


@kernel
def measure_turn(joint, A, W):
    """Fill the 1-2-3 angles of a free rotation (drawing's axes), and its rates in the child's axes."""
    p = joint.parent
    one = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)
    Ri, Di = one, one
    wi, ai = ZERO, ZERO
    if p >= 0:
        Ri, Di = v9(W.bodies[p].R), v9(A.trees[A.bodies[p].tree].R_WD)
        wi, ai = v3(W.bodies[p].w), v3(W.bodies[p].al)
    o = W.bodies[joint.child]
    Rj, Dj = v9(o.R), v9(A.trees[A.bodies[joint.child].tree].R_WD)
    turn = matmul(matmul(Di, transpose(Ri)), matmul(Rj, transpose(Dj)))
    angles = to_euler123(turn)
    w = sub(v3(o.w), wi)
    rates = tmatvec(Rj, w)
    rises = tmatvec(Rj, sub(sub(v3(o.al), ai), cross(v3(o.w), w)))
    for k in range(3):
        c = W.coordinates[joint.turn + k]
        c.q, c.dq, c.ddq, c.drive = angles[k], rates[k], rises[k], 0.0


@kernel
def observe(t, y, A, W, out):
    """Write the record of an instant that `rhs` has just evaluated; undetermined reactions are those of least norm."""
    measure(A, W)
    redundant = False
    for r in range(A.constraints.shape[0]):
        redundant = redundant or (W.C.active[r] and W.C.skip[r])
    if redundant:
        least_norm(A, W)
        reactions(A, W)
    write_record(t, y, A, W, out)
