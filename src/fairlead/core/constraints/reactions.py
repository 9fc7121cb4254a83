"""From multipliers to joint forces and drivers, and from motion to free joint coordinates."""

from __future__ import annotations

import math

from fairlead.core.arrays import ALONG, ANGLE, POINT
from fairlead.core.constraints.relations import pushing
from fairlead.core.constraints.rows import row_times
from fairlead.core.jit.kernel import inlined, kernel
from fairlead.core.rotation import to_euler123
from fairlead.core.vec import add, axpy, cross, dot, matmul, matvec, put3, sub, tmatvec, transpose, v3, v9

ZERO = (0.0, 0.0, 0.0)
IDENTITY = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)


@kernel
def multiplier(r, A, W):
    """Return the multiplier of a row; of one that only measures a free coordinate, what the joint's own force makes."""
    if W.constraint.active[r] or W.constraint.head[r] >= 0:
        return W.constraint.lam[pushing(r, A, W)]
    c = A.constraints[r]
    return -c.sign * W.coordinates[c.coordinate].force if c.coordinate >= 0 else 0.0


@kernel
def push_free(A, W):
    """Add the forces of free joint coordinates (springs, dampers, actuators) to the loads of both bodies."""
    for r in range(A.constraints.shape[0]):
        c = A.constraints[r]
        if W.constraint.active[r] or c.coordinate < 0 or W.coordinates[c.coordinate].force == 0.0:
            continue
        push = c.sign * W.coordinates[c.coordinate].force
        for side in range(2):
            i = c.i if side == 0 else c.j
            if i >= 0:
                b, J = W.bodies[i], W.constraint.J[r, 6 * side :]
                put3(b.f, axpy(push, v3(J), v3(b.f)))
                put3(b.n, axpy(push, v3(J[3:]), v3(b.n)))
    for j in range(A.joints.shape[0]):
        joint = A.joints[j]
        if joint.turn >= 0 and not joint.in_tree:
            n = ball_moment(joint, A, W)
            if joint.child >= 0:
                put3(W.bodies[joint.child].n, add(v3(W.bodies[joint.child].n), n))
            if joint.parent >= 0:
                put3(W.bodies[joint.parent].n, sub(v3(W.bodies[joint.parent].n), n))


@kernel
def ball_moment(joint, A, W):
    """Return the moment on a free ball's child of the forces along its coordinates, which are in the child's axes."""
    k, R = joint.turn, IDENTITY
    if joint.child >= 0:
        R = matmul(v9(W.bodies[joint.child].R), v9(A.bodies[joint.child].R_DB))
    return matvec(R, (W.coordinates[k].force, W.coordinates[k + 1].force, W.coordinates[k + 2].force))


@kernel
def reactions(A, W):
    """Turn multipliers into the wrench on each joint's child at its point, and into drivers' forces.

    A row acts on a body with -lam J^T (MBDM note Eq. 65).
    """
    for j in range(A.joints.shape[0]):
        put3(W.joints[j].f, ZERO)
        put3(W.joints[j].n, ZERO)
    for r in range(A.constraints.shape[0]):
        c, J, lam = A.constraints[r], W.constraint.J[r], multiplier(r, A, W)
        if W.constraint.active[r] and c.coordinate >= 0 and (c.code == ANGLE or c.code == ALONG or c.code == POINT):
            W.coordinates[c.coordinate].drive = -lam * c.sign
        joint, o = A.joints[c.joint], W.joints[c.joint]
        if lam == 0.0 or (joint.in_tree and W.constraint.head[r] >= 0):  # what a tree's joint carries is passed inward
            continue
        of = joint.child if joint.child >= 0 else joint.parent
        at = 6 if c.j == of else 0
        sign = -lam if joint.child >= 0 else lam
        put3(o.f, axpy(sign, v3(J[at:]), v3(o.f)))
        put3(o.n, axpy(sign, v3(J[at + 3 :]), v3(o.n)))
    for j in range(A.joints.shape[0]):
        joint, o = A.joints[j], W.joints[j]
        of = joint.child if joint.child >= 0 else joint.parent
        x = v3(joint.s_D)
        if joint.child >= 0:
            x = add(v3(W.bodies[joint.child].x), matvec(v9(W.bodies[joint.child].R), x))
        put3(o.x, x)
        put3(o.n, add(v3(o.n), cross(sub(v3(W.bodies[of].x), x), v3(o.f))))
        if joint.turn >= 0 and not joint.in_tree:
            put3(o.n, add(v3(o.n), ball_moment(joint, A, W)))
    turning_drivers(A, W)


@kernel
def turning_drivers(A, W):
    """Write the moments along driven 1-2-3 angles: the joint's moment about each of their axes."""
    for r in range(A.constraints.shape[0]):
        c = A.constraints[r]
        if c.turn < 0 or not W.constraint.active[r]:
            continue
        R = v9(W.bodies[c.i].R) if c.i >= 0 else IDENTITY
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
def measure_rows(A, W):
    """Fill coordinates of constraint rows that are free: value, rate and acceleration as the motion has them."""
    for r in range(A.constraints.shape[0]):
        c = A.constraints[r]
        if W.constraint.active[r] or c.coordinate < 0:
            continue
        o = W.coordinates[c.coordinate]
        o.q = c.sign * W.constraint.phi[r]
        o.dq = c.sign * row_times(W.constraint.J, r, c, W, 0)
        o.ddq = c.sign * (row_times(W.constraint.J, r, c, W, 1) - W.constraint.gamma[r])
        o.drive = o.force


@kernel
def measure_turns(A, W):
    """Fill the coordinates of free rotations: value, rate and acceleration as the motion has them."""
    for j in range(A.joints.shape[0]):
        if A.joints[j].turn >= 0:
            measure_turn(A.joints[j], A, W)


@kernel
def measure_turn(joint, A, W):
    """Fill the 1-2-3 angles of a free rotation (drawing's axes), and its rates in the child's axes."""
    p, q = joint.parent, joint.child
    Ri, Di, Rj, Dj, R_child = IDENTITY, IDENTITY, IDENTITY, IDENTITY, IDENTITY
    wi, ai, wj, aj = ZERO, ZERO, ZERO, ZERO
    if p >= 0:
        Ri, Di = v9(W.bodies[p].R), v9(A.trees[A.bodies[p].tree].R_WD)
        wi, ai = v3(W.bodies[p].w), v3(W.bodies[p].al)
    if q >= 0:
        Rj, Dj = v9(W.bodies[q].R), v9(A.trees[A.bodies[q].tree].R_WD)
        wj, aj = v3(W.bodies[q].w), v3(W.bodies[q].al)
        R_child = matmul(Rj, v9(A.bodies[q].R_DB))
    turn = matmul(matmul(Di, transpose(Ri)), matmul(Rj, transpose(Dj)))
    angles = to_euler123(turn)
    w = sub(wj, wi)
    rates = tmatvec(R_child, w)
    rises = tmatvec(R_child, sub(sub(aj, ai), cross(wj, w)))
    for k in range(3):
        c = W.coordinates[joint.turn + k]
        c.q, c.dq, c.ddq, c.drive = angles[k], rates[k], rises[k], c.force


@kernel
def unwrap(y, A, W):
    """Put measured angles on the turn they are on: the state integrates their rates, only whole turns are taken."""
    at = A.states + A.rows.shape[0] + A.coordinates.shape[0] + 6
    for r in range(A.constraints.shape[0]):
        c = A.constraints[r]
        if c.code == ANGLE and not W.constraint.active[r] and c.coordinate >= 0:
            o = W.coordinates[c.coordinate]
            o.q += 2.0 * math.pi * math.floor((y[at + c.coordinate] - o.q) / (2.0 * math.pi) + 0.5)
