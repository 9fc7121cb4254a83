"""Outward: position, velocity and acceleration of every body from its inboard one. World axes, about the base."""

from __future__ import annotations

from fairlead.core.arrays import BALL, BALL_REST, ROTATION
from fairlead.core.jit.kernel import inlined
from fairlead.core.rotation import turned
from fairlead.core.vec import add, axpy, congruence, cross, matmul, matvec, put3, put6, put9, scale, sub, v3, v6, v9

IDENTITY = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)
ZERO = (0.0, 0.0, 0.0)


@inlined
def outward(lo, hi, R_WB, w_WB_W, x_base, u_base, A, W):
    """Fill R, w, al, r, v, a, x, u of bodies lo..hi of one tree, its base turning with w but not accelerating.

    w_i = w_p + e q',  al_i = al_p + e q'' + w_p x e q' for a rotation; for a translation e q joins the arm with its
    relative, Coriolis and centripetal terms (MCM paper Eqs. 9-12 and 20, as absolute derivatives in world axes).
    """
    for i in range(lo, hi):
        b = A.bodies[i]
        R, w, al, r, v, a = R_WB, w_WB_W, ZERO, ZERO, ZERO, ZERO
        if b.parent >= 0:
            p = W.bodies[b.parent]
            R, w, al, r, v, a = v9(p.R), v3(p.w), v3(p.al), v3(p.r), v3(p.v), v3(p.a)
        if b.joint >= 0:
            r, v, a = arm(matvec(R, v3(b.r_PJ_D)), w, al, r, v, a)
            for k in range(b.first, b.last):
                c, o = A.coordinates[k], W.coordinates[k]
                if c.kind == BALL:
                    R, w, al = ball(k, R, w, al, r, A, W)
                if c.kind == BALL or c.kind == BALL_REST:
                    continue
                e_D = v3(c.axis_D)
                e = matvec(R, e_D)
                u = scale(o.dq, e)
                put3(o.axis_W, e)
                if c.kind == ROTATION:
                    al = add(axpy(o.ddq, e, al), cross(w, u))
                    w = add(w, u)
                    R = turned(R, e_D, o.cos, o.sin)
                else:
                    r, v, a = arm(scale(o.q, e), w, al, r, v, a)
                    v = add(v, u)
                    a = add(axpy(o.ddq, e, a), scale(2.0, cross(w, u)))
                put3(o.x_axis, r)
            put3(W.bodies[i].joint_x, r)
            r, v, a = arm(matvec(R, v3(b.r_JB_D)), w, al, r, v, a)
        o = W.bodies[i]
        put9(o.R, R)
        put3(o.w, w)
        put3(o.al, al)
        put3(o.r, r)
        put3(o.v, v)
        put3(o.a, a)
        put3(o.x, add(x_base, r))
        put3(o.u, add(u_base, v))
        put6(o.I, congruence(R, v6(b.I_BB_D)))


@inlined
def ball(k, R, w, al, r, A, W):
    """Return R, w, al behind a free ball, whose three axes are fixed in the joint's child.

    Axes fixed in either body turn so that al_i = al_p + w_p x (sum e q'), less the q'' that are still to be found.
    """
    c = A.coordinates[k]
    R_out = matmul(R, v9(W.free.balls[c.ball]))
    R_child = R if c.flip else R_out
    turn = ZERO
    for m in range(k, k + 3):
        o = W.coordinates[m]
        e = matvec(R_child, v3(A.coordinates[m].axis_D))
        put3(o.axis_W, e)
        put3(o.x_axis, r)
        turn = axpy(o.dq, e, turn)
    return R_out, add(w, turn), add(al, cross(w, turn))


@inlined
def arm(s, w, al, r, v, a):
    """Return position, velocity and acceleration of the point at s on a body that turns with w and al."""
    ws = cross(w, s)
    return add(r, s), add(v, ws), add(a, add(cross(al, s), cross(w, ws)))


@inlined
def mass_centre(tree, lo, hi, A, W):
    """Fill the tree's mass centre, its velocity and bias acceleration, relative to the base. MCM paper Eqs. 11, 20."""
    r, v, a = ZERO, ZERO, ZERO
    for i in range(lo, hi):
        m, b = A.bodies[i].mass, W.bodies[i]
        r = axpy(m, v3(b.r), r)
        v = axpy(m, v3(b.v), v)
        a = axpy(m, v3(b.a), a)
    s = 1.0 / A.trees[tree].mass
    o = W.trees[tree]
    put3(o.G, scale(s, r))
    put3(o.dG, scale(s, v))
    put3(o.ddG, scale(s, a))


@inlined
def from_centre(tree, lo, hi, W):
    """Move x and u by what the tree's mass centre is off the base, whose place was taken for it. MCM paper Eq. 2."""
    G, dG = v3(W.trees[tree].G), v3(W.trees[tree].dG)
    for i in range(lo, hi):
        b = W.bodies[i]
        put3(b.x, sub(v3(b.x), G))
        put3(b.u, sub(v3(b.u), dG))


@inlined
def accelerate(lo, hi, a_base, al_base, W):
    """Add the base's acceleration to every body: a_i = a_1 + al_1 x r_i + bias."""
    for i in range(lo, hi):
        b = W.bodies[i]
        put3(b.a, add(v3(b.a), add(a_base, cross(al_base, v3(b.r)))))
        put3(b.al, add(v3(b.al), al_base))
