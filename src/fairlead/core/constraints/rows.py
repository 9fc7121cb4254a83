"""Constraint equations: value, Jacobian, right-hand sides of velocity and acceleration, one row each.

The four basic constraints of the MBDM note (Eqs. 6-11) and the rotational driver (Eqs. 22-27, ERRATA 10), in world axes
with virtual rotations: Phi_q q' = J_i (v_i, w_i) + J_j (v_j, w_j) = nu and J (a, al) = gamma.
d is the vector from the point on body i to the point on body j.
"""

from __future__ import annotations

import math

from fairlead.core.arrays import ALONG, ANGLE, DISTANCE, DOT
from fairlead.core.constraints.relations import pair_times, relation_rows_by_symbol
from fairlead.core.jit.kernel import inlined, kernel
from fairlead.core.rotation import turned
from fairlead.core.vec import add, axpy, cross, dot, matvec, put3, scale, sub, v3, v9

IDENTITY = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)
ZERO = (0.0, 0.0, 0.0)


@kernel
def body_state(b, W):
    """Return R, x, u, w of body b; of the world where b is -1."""
    if b < 0:
        return IDENTITY, ZERO, ZERO, ZERO
    o = W.bodies[b]
    return v9(o.R), v3(o.x), v3(o.u), v3(o.w)


@kernel
def joint_turn(k, A, W):
    """Return rotation, rate and acceleration, in axes of i, that three driven angles from coordinate k on prescribe."""
    R, w, al = IDENTITY, ZERO, ZERO
    for m in range(k, k + 3):
        c, o = A.coordinates[m], W.coordinates[m]
        e = matvec(R, v3(c.axis_D))
        u = scale(o.dq, e)
        al = add(axpy(o.ddq, e, al), cross(w, u))
        w = add(w, u)
        R = turned(R, v3(c.axis_D), o.cos, o.sin)
    return R, w, al


@kernel
def put_row(row, a, b, c, d):
    """Write the Jacobian of one row: linear and angular part of body i, then of body j."""
    put3(row[0:3], a)
    put3(row[3:6], b)
    put3(row[6:9], c)
    put3(row[9:12], d)


@kernel
def dot_row(r, c, Ri, wi, Rj, wj, A, W):
    """a_i . f_j = c, the first vector perhaps turned by driven angles. MBDM note Eq. 6."""
    a_i, w_T, al_T = v3(c.a_D), wi, ZERO
    if c.turn >= 0:
        R, w, al = joint_turn(c.turn, A, W)
        a_i = matvec(R, a_i)
        w = matvec(Ri, w)
        al_T = add(matvec(Ri, al), cross(wi, w))
        w_T = add(wi, w)
    a, f = matvec(Ri, a_i), matvec(Rj, v3(c.f_D))
    k = cross(a, f)
    da, df = cross(w_T, a), cross(wj, f)
    put_row(W.constraint.J[r], ZERO, k, ZERO, scale(-1.0, k))
    W.constraint.phi[r] = dot(a, f) - c.value
    W.constraint.nu[r] = -dot(sub(w_T, wi), k)
    W.constraint.gamma[r] = -(dot(cross(w_T, da), f) + 2.0 * dot(da, df) + dot(a, cross(wj, df))) - dot(al_T, k)


@kernel
def angle_row(r, c, Ri, wi, Rj, wj, q, dq, ddq, W):
    """Angle from a_i to f_j about h_i, unwrapped against the driver. MBDM note Eqs. 22-27 with ERRATA 10."""
    h, f = matvec(Ri, v3(c.h_D)), matvec(Rj, v3(c.f_D))
    angle = math.atan2(dot(matvec(Ri, v3(c.b_D)), f), dot(matvec(Ri, v3(c.a_D)), f))
    off = angle - c.sign * q
    put_row(W.constraint.J[r], ZERO, scale(-1.0, h), ZERO, h)
    W.constraint.phi[r] = off - 2.0 * math.pi * math.floor(off / (2.0 * math.pi) + 0.5)
    W.constraint.nu[r] = c.sign * dq
    W.constraint.gamma[r] = c.sign * ddq - dot(cross(wi, h), sub(wj, wi))


@kernel
def distant_row(r, c, Ri, xi, ui, wi, Rj, xj, uj, wj, q, dq, ddq, W):
    """Rows about the vector d between two points: one component, its part along a_i, or its length. Eqs. 8, 10, 11."""
    si, sj = matvec(Ri, v3(c.si_D)), matvec(Rj, v3(c.sj_D))
    wsi, wsj = cross(wi, si), cross(wj, sj)
    d = sub(add(xj, sj), add(xi, si))
    dd = sub(add(uj, wsj), add(ui, wsi))
    bias = sub(cross(wj, wsj), cross(wi, wsi))
    if c.code == ALONG:
        a = matvec(Ri, v3(c.a_D))
        da = cross(wi, a)
        put_row(W.constraint.J[r], scale(-1.0, a), cross(a, add(d, si)), a, cross(sj, a))
        W.constraint.phi[r] = dot(a, d) - c.value - q
        W.constraint.nu[r] = dq
        W.constraint.gamma[r] = ddq - (dot(cross(wi, da), d) + 2.0 * dot(da, dd) + dot(a, bias))
        return
    if c.code == DISTANCE:  # (d.d - c^2) / 2c, whose slope is about one
        e = scale(1.0 / c.value, d)
        W.constraint.phi[r] = 0.5 * (dot(d, d) / c.value - c.value)
        W.constraint.nu[r] = 0.0
        W.constraint.gamma[r] = -dot(dd, dd) / c.value - dot(e, bias)
    else:
        e = v3(c.a_D)
        W.constraint.phi[r] = dot(e, d) - c.value - q
        W.constraint.nu[r] = dq
        W.constraint.gamma[r] = ddq - dot(e, bias)
    put_row(W.constraint.J[r], scale(-1.0, e), cross(e, si), e, cross(sj, e))


@inlined
def constraint_rows(A, W):
    """Fill phi, J, nu and gamma of every row from the placed bodies and moved coordinates."""
    for r in range(A.constraints.shape[0]):
        c = A.constraints[r]
        Ri, xi, ui, wi = body_state(c.i, W)
        Rj, xj, uj, wj = body_state(c.j, W)
        q, dq, ddq = 0.0, 0.0, 0.0
        if c.coordinate >= 0 and W.constraint.active[r]:
            o = W.coordinates[c.coordinate]
            q, dq, ddq = o.q, o.dq, o.ddq
        if c.code == DOT:
            dot_row(r, c, Ri, wi, Rj, wj, A, W)
        elif c.code == ANGLE:
            angle_row(r, c, Ri, wi, Rj, wj, q, dq, ddq, W)
        else:
            distant_row(r, c, Ri, xi, ui, wi, Rj, xj, uj, wj, q, dq, ddq, W)
    if A.relations.shape[0] > 0:
        relation_rows_by_symbol(A, W)


@kernel
def position_gap(A, W):
    """Return the largest violation of an equation by the placed bodies."""
    worst = 0.0
    for r in range(A.constraints.shape[0]):
        if W.constraint.active[r]:
            worst = max(worst, abs(W.constraint.phi[r]))
    return worst


@kernel
def velocity_error(A, W):
    """Return the largest violation of a velocity equation by the placed bodies."""
    worst = 0.0
    for r in range(A.constraints.shape[0]):
        if W.constraint.active[r]:
            worst = max(worst, abs(row_times(W.constraint.J, r, A.constraints[r], W, 0) - W.constraint.nu[r]))
    return worst


@kernel
def row_times(J, r, c, W, field):
    """Return row r of J times the velocities (field 0) or accelerations (field 1) of its bodies: two, but of relations.

    Those of a relation stand in the rows that follow it.
    """
    total = 0.0
    for side in range(2):
        b = c.i if side == 0 else c.j
        if b >= 0:
            o = W.bodies[b]
            lin, ang = (v3(o.u), v3(o.w)) if field == 0 else (v3(o.a), v3(o.al))
            k = 6 * side
            total += J[r, k] * lin[0] + J[r, k + 1] * lin[1] + J[r, k + 2] * lin[2]
            total += J[r, k + 3] * ang[0] + J[r, k + 4] * ang[1] + J[r, k + 5] * ang[2]
    q = c.next
    while q >= 0:
        total += pair_times(J, q, W.constraint.ends, W, field)
        q = W.constraint.next[q]
    return total
