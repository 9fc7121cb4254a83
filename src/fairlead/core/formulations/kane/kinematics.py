"""Kane notes, Eqs. 1-34: bodies from their lower ones by relative coordinates, with all partial velocities.

K is a body and J = L(K) its lower one; components are in body axes as the notes have them: `w`, `vG` of K in K, `vO` of
K in J. A column is one generalised speed: 3 K + i is the rate of angle i of body K (y1), 3 N + 3 K + i the rate of its
translation i (y2). Partial velocities of K are zero but for itself and bodies inboard of it, so only those are walked.

Departures: the angles turn a joint frame F (constant in J and in K), so that a joint's own axes can be the first ones;
between F and the turned frame stands a reference attitude, which is moved where the angles come near their singularity;
and positions (Eq. 21) are summed in world axes, where loads need them.
"""

from __future__ import annotations

import math

from fairlead.core.arrays import GIMBAL
from fairlead.core.codes import ABOUT, CODE
from fairlead.core.jit.kernel import inlined, kernel
from fairlead.core.rotation import from_quaternion
from fairlead.core.vec import (
    add,
    axpy,
    congruence,
    cross,
    matmul,
    matvec,
    put3,
    put6,
    put9,
    sub,
    transpose,
    v3,
    v6,
    v9,
)

ZERO = (0.0, 0.0, 0.0)
IDENTITY = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)
STOP = 1e-3  # cosine of the second angle below which a step that turns so far is refused


@kernel
def speed(K, i, n):
    """Return the column of slot i (three angles, three translations) of body K among 6 n."""
    return 3 * K + i if i < 3 else 3 * (n + K) + i - 3


@kernel
def column(M, p):
    return (M[0, p], M[1, p], M[2, p])


@kernel
def put_column(M, p, a):
    M[0, p] = a[0]
    M[1, p] = a[1]
    M[2, p] = a[2]


@kernel
def part(m, i):
    """Return column i of a matrix of nine."""
    return (m[i], m[3 + i], m[6 + i])


@kernel
def relative_transformation(a, b, c):
    """Return [JR_K] of 1-2-3 angles, lower components to body components. Kane notes Eq. 4."""
    s1, c1, s2, c2, s3, c3 = math.sin(a), math.cos(a), math.sin(b), math.cos(b), math.sin(c), math.cos(c)
    return (
        c2 * c3,
        c1 * s3 + s1 * s2 * c3,
        s1 * s3 - c1 * s2 * c3,
        -c2 * s3,
        c1 * c3 - s1 * s2 * s3,
        s1 * c3 + c1 * s2 * s3,
        s2,
        -s1 * c2,
        c1 * c2,
    )


@kernel
def angle_partials(b, c):
    """Return [P_K], by which angle rates become the relative angular velocity in body axes. Kane notes Eq. 17."""
    s2, c2, s3, c3 = math.sin(b), math.cos(b), math.sin(c), math.cos(c)
    return (c2 * c3, s3, 0.0, -c2 * s3, c3, 0.0, s2, 0.0, 1.0)


@kernel
def angle_partial_rates(b, c, db, dc):
    """Return the rate of [P_K]. Kane notes, after Eq. 20."""
    s2, c2, s3, c3 = math.sin(b), math.cos(b), math.sin(c), math.cos(c)
    return (
        -(s2 * c3 * db + c2 * s3 * dc),
        c3 * dc,
        0.0,
        s2 * s3 * db - c2 * c3 * dc,
        -s3 * dc,
        0.0,
        c2 * db,
        0.0,
        0.0,
    )


@inlined
def read_slots(y, A, W):
    """Fill relative coordinates and speeds: of free slots from the state, of driven ones from their motions."""
    n, Q = A.slots.shape[0], W.kane
    for K in range(n):
        s = A.slots[K]
        for i in range(6):
            p, c = speed(K, i, n), s.coordinate[i]
            Q.x[p], Q.y[p], Q.dy[p] = 0.0, 0.0, 0.0
            if s.state[i] >= 0:
                Q.x[p], Q.y[p] = y[s.state[i]], y[s.rate[i]]
                if c >= 0:
                    o = W.coordinates[c]
                    o.q, o.dq, o.ddq = Q.x[p], Q.y[p], 0.0
            elif c >= 0:
                o = W.coordinates[c]
                Q.x[p], Q.y[p], Q.dy[p] = o.q, o.dq, o.ddq


@inlined
def outward_kane(y, A, W):
    """Fill transformations, partial velocities and their rates of all bodies, outward, and place the bodies."""
    for K in range(A.slots.shape[0]):
        relative(K, y, A, W)
        partial_angular_velocities(K, A, W)
        partial_velocities_of_origin(K, A, W)
        partial_velocities_of_centre(K, A, W)
        sum_up(K, A, W)
        place(K, A, W)
        coordinate_directions(K, A, W)


@kernel
def relative(K, y, A, W):
    """Fill [JR_K] (Eqs. 2-4), [P_K] and its rate (Eqs. 17, 20), and the relative motion across the joint (Eq. 8)."""
    s, o, Q, n = A.slots[K], W.kane.bodies[K], W.kane, A.slots.shape[0]
    angles, rates = v3(Q.x[3 * K :]), v3(Q.y[3 * K :])
    R = matmul(v9(s.R_KF), relative_transformation(angles[0], angles[1], angles[2]))
    if s.reference >= 0:
        k = s.reference
        R = matmul(R, transpose(from_quaternion(y[k], y[k + 1], y[k + 2], y[k + 3])))
        if abs(math.cos(angles[1])) < STOP:
            W.status[CODE], W.status[ABOUT] = GIMBAL, A.bodies[K].user
    P = angle_partials(angles[1], angles[2])
    put9(o.R, matmul(R, transpose(v9(s.R_JF))))
    put9(o.P, P)
    put9(o.dP, angle_partial_rates(angles[1], angles[2], rates[1], rates[2]))
    put3(o.w_rel, matvec(v9(s.R_KF), matvec(P, rates)))
    put3(o.arm_J, add(v3(s.q_J), matvec(v9(s.R_JF), v3(Q.x[3 * (n + K) :]))))
    put3(o.ds_J, matvec(v9(s.R_JF), v3(Q.y[3 * (n + K) :])))


@kernel
def partial_angular_velocities(K, A, W):
    """[w_K,y1] = [JR_K] [w_J,y1] with its own block [P_K], and the rate of that. Kane notes Eqs. 15, 20 with 7."""
    s, o, Q = A.slots[K], W.kane.bodies[K], W.kane
    R, w_rel, J = v9(o.R), v3(o.w_rel), s.lower
    a = J
    while a >= 0:
        for p in range(3 * a, 3 * a + 3):
            w = matvec(R, column(Q.w[J], p))
            put_column(Q.w[K], p, w)
            put_column(Q.dw[K], p, sub(matvec(R, column(Q.dw[J], p)), cross(w_rel, w)))
        a = A.slots[a].lower
    own, rate = matmul(v9(s.R_KF), v9(o.P)), matmul(v9(s.R_KF), v9(o.dP))
    for i in range(3):
        put_column(Q.w[K], 3 * K + i, part(own, i))
        put_column(Q.dw[K], 3 * K + i, part(rate, i))


@kernel
def partial_velocities_of_origin(K, A, W):
    """[v_OK,y] = [L(J)R_J] [v_OJ,y] - (q~ + s~) [w_J,y] with its own block, and the rate. Kane notes Eqs. 28-30, 34."""
    s, o, Q, n = A.slots[K], W.kane.bodies[K], W.kane, A.slots.shape[0]
    J, a, arm, ds = s.lower, s.lower, v3(o.arm_J), v3(o.ds_J)
    while a >= 0:
        R, w_rel = v9(Q.bodies[J].R), v3(Q.bodies[J].w_rel)
        for i in range(6):
            p = speed(a, i, n)
            v = matvec(R, column(Q.vO[J], p))
            dv = sub(matvec(R, column(Q.dvO[J], p)), cross(w_rel, v))
            if i < 3:
                w, dw = column(Q.w[J], p), column(Q.dw[J], p)
                v = add(v, cross(w, arm))
                dv = add(dv, add(cross(w, ds), cross(dw, arm)))
            put_column(Q.vO[K], p, v)
            put_column(Q.dvO[K], p, dv)
        a = A.slots[a].lower
    for i in range(3):
        put_column(Q.vO[K], speed(K, 3 + i, n), part(v9(s.R_JF), i))


@kernel
def partial_velocities_of_centre(K, A, W):
    """[v_GK,y] = [JR_K] [v_OK,y] - r~ [w_K,y], and its rate. Kane notes Eqs. 32, 33."""
    o, Q, n = W.kane.bodies[K], W.kane, A.slots.shape[0]
    R, w_rel, r, a = v9(o.R), v3(o.w_rel), v3(A.slots[K].r_K), K
    while a >= 0:
        for i in range(6):
            p = speed(a, i, n)
            v = matvec(R, column(Q.vO[K], p))
            dv = sub(matvec(R, column(Q.dvO[K], p)), cross(w_rel, v))
            if i < 3:
                v = add(v, cross(column(Q.w[K], p), r))
                dv = add(dv, cross(column(Q.dw[K], p), r))
            put_column(Q.vG[K], p, v)
            put_column(Q.dvG[K], p, dv)
        a = A.slots[a].lower


@kernel
def sum_up(K, A, W):
    """Fill w = [w,y] y and v = [v,y] y, and what accelerations hold without y': [dw,y] y and [dv,y] y + w x v.

    Kane notes Eqs. 18-20, 31 and the accelerations of mass centres before Eq. 33.
    """
    o, Q, n = W.kane.bodies[K], W.kane, A.slots.shape[0]
    w, v, al, a, at = ZERO, ZERO, ZERO, ZERO, K
    while at >= 0:
        for i in range(6):
            p = speed(at, i, n)
            v = axpy(Q.y[p], column(Q.vG[K], p), v)
            a = axpy(Q.y[p], column(Q.dvG[K], p), a)
            if i < 3:
                w = axpy(Q.y[p], column(Q.w[K], p), w)
                al = axpy(Q.y[p], column(Q.dw[K], p), al)
        at = A.slots[at].lower
    put3(o.w, w)
    put3(o.v, v)
    put3(o.al, al)
    put3(o.a, add(a, cross(w, v)))


@kernel
def place(K, A, W):
    """Fill attitude, position and velocity of body K in world axes (Eqs. 3, 21-23), as loads and records need them."""
    s, o, b, T = A.slots[K], W.kane.bodies[K], W.bodies[K], A.trees[A.bodies[K].tree]
    R, x = IDENTITY, ZERO
    if s.lower >= 0:
        R, x = v9(W.bodies[s.lower].R), v3(W.kane.bodies[s.lower].x_O)
    x_O = add(x, matvec(R, v3(o.arm_J)))
    R = matmul(R, transpose(v9(o.R)))
    x = add(x_O, matvec(R, v3(s.r_K)))
    put3(o.x_O, x_O)
    put9(b.R, R)
    put3(b.x, x)
    put3(b.u, matvec(R, v3(o.v)))
    put3(b.w, matvec(R, v3(o.w)))
    put6(b.I, congruence(R, v6(A.bodies[K].I_BB_D)))
    first = W.bodies[T.first]
    x_base, u_base = v3(T.x_O), ZERO
    if not T.rooted:
        x_base, u_base = v3(first.x), v3(first.u)
    put3(b.r, sub(x, x_base))
    put3(b.v, sub(v3(b.u), u_base))
    put3(b.joint_x, sub(x_O, x_base))


@kernel
def coordinate_directions(K, A, W):
    """Fill the world axis and point of body K's joint coordinates, and the rates of a ball about its child's axes."""
    s, o, b = A.slots[K], W.kane.bodies[K], W.bodies[K]
    R, R_J = v9(b.R), IDENTITY
    if s.lower >= 0:
        R_J = v9(W.bodies[s.lower].R)
    turns, slides = matmul(R, matmul(v9(s.R_KF), v9(o.P))), matmul(R_J, v9(s.R_JF))
    for i in range(6):
        if s.coordinate[i] >= 0:
            c = W.coordinates[s.coordinate[i]]
            put3(c.axis_W, part(turns, i) if i < 3 else part(slides, i - 3))
            put3(c.x_axis, v3(b.joint_x))
    if s.ball >= 0:
        R_child, w = R_J if A.bodies[K].flip else R, matvec(R, v3(o.w_rel))
        for k in range(s.ball, s.ball + 3):
            c, e = W.coordinates[k], matvec(R_child, v3(A.coordinates[k].axis_D))
            put3(c.axis_W, e)
            put3(c.x_axis, v3(b.joint_x))
            c.dq, c.ddq = e[0] * w[0] + e[1] * w[1] + e[2] * w[2], 0.0
