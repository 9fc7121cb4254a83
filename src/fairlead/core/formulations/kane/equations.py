"""Kane notes, Eqs. 35-44: generalised forces, the generalised mass matrix, and the rates of the speeds."""

from __future__ import annotations

from fairlead.core.arrays import OK
from fairlead.core.codes import ABOUT, CODE
from fairlead.core.formulations.kane.kinematics import column, speed
from fairlead.core.jit.kernel import inlined, kernel
from fairlead.core.loads.matrices import half
from fairlead.core.trees.dense import back_substitution, factorise_equations, forward_substitution
from fairlead.core.vec import add, axpy, cross, dot, matvec, put3, scale, sub, symvec, tmatvec, v3, v6, v9

ZERO = (0.0, 0.0, 0.0)


@inlined
def form_equations(A, W):
    """Fill [A] and {f} of all 6 N speeds. Kane notes Eqs. 42, 43."""
    W.kane.A[:] = 0.0
    W.kane.f[:] = 0.0
    for K in range(A.slots.shape[0]):
        add_body(K, A, W)
        add_joint_forces(K, A, W)


@kernel
def needed(K, a, al, A, W):
    """Return the force m a and moment I al that body K needs for accelerations in its own axes, added mass included."""
    f, n = scale(A.bodies[K].mass, a), symvec(v6(A.bodies[K].I_BB_D), al)
    if W.added.shape[0] > 0:
        R = v9(W.bodies[K].R)
        a_W, al_W = matvec(R, a), matvec(R, al)
        f = add(f, tmatvec(R, half(W.added[K], 0, a_W, al_W)))
        n = add(n, tmatvec(R, half(W.added[K], 3, a_W, al_W)))
    return f, n


@kernel
def left_over(K, A, W):
    """Return force and moment on body K at its mass centre less those its known motion takes, in its own axes.

    F + m g - m ([dv,y] y + w x v) and M - w x (I w + h) - I [dw,y] y: the brackets of Eqs. 36 and 38-40 summed.
    """
    b, o, q = A.bodies[K], W.bodies[K], W.kane.bodies[K]
    R, w = v9(o.R), v3(q.w)
    f = tmatvec(R, axpy(b.mass, v3(A.gravity), v3(o.f)))
    n = sub(tmatvec(R, v3(o.n)), cross(w, add(symvec(v6(b.I_BB_D), w), v3(b.h_D))))
    f_known, n_known = needed(K, v3(q.a), v3(q.al), A, W)
    return sub(f, f_known), sub(n, n_known)


@kernel
def partials(K, p, i, W):
    """Return the partial velocity of the mass centre and the partial angular velocity of body K by speed p, slot i."""
    return column(W.kane.vG[K], p), column(W.kane.w[K], p) if i < 3 else ZERO


@kernel
def add_body(K, A, W):
    """Add m [v,y]^T [v,y] + [w,y]^T I [w,y] of body K to [A], and its forces through the same matrices to {f}."""
    n, Q = A.slots.shape[0], W.kane
    force, moment = left_over(K, A, W)
    a = K
    while a >= 0:
        for i in range(6):
            p = speed(a, i, n)
            v, w = partials(K, p, i, W)
            Q.f[p] += dot(v, force) + dot(w, moment)
            f_p, n_p = needed(K, v, w, A, W)
            b = K
            while b >= 0:
                for j in range(6):
                    q = speed(b, j, n)
                    v, w = partials(K, q, j, W)
                    Q.A[q, p] += dot(v, f_p) + dot(w, n_p)
                b = A.slots[b].lower
        a = A.slots[a].lower


@kernel
def add_joint_forces(K, A, W):
    """Add springs, dampers and actuators across the joint of K; being equal and opposite, they reach its slots only."""
    s, Q, n = A.slots[K], W.kane, A.slots.shape[0]
    for i in range(6):
        if s.coordinate[i] >= 0:
            Q.f[speed(K, i, n)] += W.coordinates[s.coordinate[i]].force
    if s.ball >= 0:
        moment = ZERO
        for k in range(s.ball, s.ball + 3):
            moment = axpy(W.coordinates[k].force, v3(W.coordinates[k].axis_W), moment)
        push = tmatvec(v9(Q.bodies[K].P), tmatvec(v9(s.R_KF), tmatvec(v9(W.bodies[K].R), moment)))
        for i in range(3):
            Q.f[3 * K + i] += push[i]


@kernel
def solve_speeds(A, W):
    """Solve [A] {y'} = {f} for the free speeds, the rates of the others being known. Kane notes Eq. 41."""
    n, Q, M, x = A.slots.shape[0], W.kane, W.free.M, W.free.x
    for K in range(n):
        for i in range(6):
            row = A.slots[K].dof[i]
            if row < 0:
                continue
            p = speed(K, i, n)
            total = Q.f[p]
            for L in range(n):
                for j in range(6):
                    q = speed(L, j, n)
                    if A.slots[L].dof[j] >= 0:
                        M[row, A.slots[L].dof[j]] = Q.A[p, q]
                    else:
                        total -= Q.A[p, q] * Q.dy[q]
            x[row] = total
    known, body = W.status[CODE], W.status[ABOUT]
    factorise_equations(A, W)
    if known != OK:  # angles at their singularity also make the matrix singular: the first cause counts
        W.status[CODE], W.status[ABOUT] = known, body
    forward_substitution(M, x)
    back_substitution(M, x)
    for K in range(n):
        for i in range(6):
            if A.slots[K].dof[i] >= 0:
                Q.dy[speed(K, i, n)] = x[A.slots[K].dof[i]]


@inlined
def accelerate_bodies(A, W):
    """Fill accelerations of bodies and coordinates: a = [v,y] y' + [dv,y] y + w x v, al = [w,y] y' + [dw,y] y."""
    n, Q = A.slots.shape[0], W.kane
    for K in range(n):
        s, o, q, at = A.slots[K], W.bodies[K], Q.bodies[K], K
        a, al = v3(q.a), v3(q.al)
        while at >= 0:
            for i in range(6):
                p = speed(at, i, n)
                v, w = partials(K, p, i, W)
                a, al = axpy(Q.dy[p], v, a), axpy(Q.dy[p], w, al)
            at = A.slots[at].lower
        put3(o.a, matvec(v9(o.R), a))
        put3(o.al, matvec(v9(o.R), al))
        for i in range(6):
            if s.coordinate[i] >= 0:
                W.coordinates[s.coordinate[i]].ddq = Q.dy[speed(K, i, n)]
        if s.ball >= 0:
            ball_accelerations(K, A, W)


@kernel
def ball_accelerations(K, A, W):
    """Fill the second derivatives of a free ball: al_K - al_J - w_J x w_rel about its axes."""
    s, o = A.slots[K], W.bodies[K]
    w_J, al_J = ZERO, ZERO
    if s.lower >= 0:
        w_J, al_J = v3(W.bodies[s.lower].w), v3(W.bodies[s.lower].al)
    rise = sub(sub(v3(o.al), al_J), cross(w_J, sub(v3(o.w), w_J)))
    for k in range(s.ball, s.ball + 3):
        W.coordinates[k].ddq = dot(v3(W.coordinates[k].axis_W), rise)


@inlined
def driver_forces(A, W):
    """Fill the force of each driver: what its row of [A] {y'} - {f} lacks. Of free coordinates, their own force."""
    n, Q = A.slots.shape[0], W.kane
    for K in range(n):
        s = A.slots[K]
        for i in range(6):
            if s.coordinate[i] < 0:
                continue
            o, p = W.coordinates[s.coordinate[i]], speed(K, i, n)
            o.drive = o.force
            if s.dof[i] < 0:
                total = -Q.f[p]
                for q in range(6 * n):
                    total += Q.A[p, q] * Q.dy[q]
                o.drive = total
        if s.ball >= 0:
            for k in range(s.ball, s.ball + 3):
                W.coordinates[k].drive = W.coordinates[k].force
