"""Inward: the wrench through every joint, from known accelerations and loads (recursive Newton-Euler)."""

from __future__ import annotations

from fairlead.core.arrays import FREE, TRANSLATION
from fairlead.core.jit.kernel import inlined, kernel
from fairlead.core.vec import add, axpy, cross, dot, matvec, put3, scale, sub, symvec, v3, v6, v9

ZERO = (0.0, 0.0, 0.0)


@inlined
def transmit(lo, hi, A, W):
    """Fill joint_f, joint_n (on the outboard body, at joint_x) and drive, the driver's force along each coordinate.

    f_i = m_i (a_i - g) - F_i + sum of outboard f,  n_i = I al + w x (I w + h) - N_i + sum of outboard moments.
    """
    g = v3(A.gravity)
    for i in range(lo, hi):
        b, o = A.bodies[i], W.bodies[i]
        I, w = v6(o.I), v3(o.w)
        H = add(symvec(I, w), matvec(v9(o.R), v3(b.h_D)))
        put3(o.joint_f, sub(scale(b.mass, sub(v3(o.a), g)), v3(o.f)))
        put3(o.joint_n, sub(add(symvec(I, v3(o.al)), cross(w, H)), v3(o.n)))
    for i in range(hi - 1, lo - 1, -1):
        b, o = A.bodies[i], W.bodies[i]
        f, n, r = v3(o.joint_f), v3(o.joint_n), v3(o.r)
        if b.parent >= 0:
            p = W.bodies[b.parent]
            put3(p.joint_f, add(v3(p.joint_f), f))
            put3(p.joint_n, add(v3(p.joint_n), add(n, cross(sub(r, v3(p.r)), f))))
        for k in range(b.first, b.last):
            c = W.coordinates[k]
            e = v3(c.axis_W)
            if A.coordinates[k].code == FREE:
                c.drive = c.force - A.coordinates[k].inertia * c.ddq
            elif A.coordinates[k].kind != TRANSLATION:
                c.drive = dot(e, add(n, cross(sub(r, v3(c.x_axis)), f)))
            else:
                c.drive = dot(e, f)
        put3(o.joint_n, add(n, cross(sub(r, v3(o.joint_x)), f)))


@kernel
def tree_joints(A, W):
    """Fill the wrench on each joint's own child at its point there, from those on outboard bodies."""
    for i in range(A.bodies.shape[0]):
        b, o = A.bodies[i], W.bodies[i]
        if b.joint < 0:
            continue
        j = W.joints[b.joint]
        f, n, x = v3(o.joint_f), v3(o.joint_n), add(sub(v3(o.x), v3(o.r)), v3(o.joint_x))
        if b.flip:  # the joint's own child is inboard: opposite wrench, at the point fixed in the inboard body
            x_in = inboard_point(i, A, W)
            f, n = scale(-1.0, f), scale(-1.0, add(n, cross(sub(x, x_in), f)))
            x = x_in
        put3(j.x, x)
        put3(j.f, f)
        put3(j.n, n)


@kernel
def inboard_point(i, A, W):
    """Return where body i's inboard joint is on the inboard body (in the world for a root)."""
    b = A.bodies[i]
    if b.parent < 0:
        return v3(A.trees[b.tree].x_O)
    p = W.bodies[b.parent]
    return add(v3(p.x), matvec(v9(p.R), v3(b.r_PJ_D)))


@inlined
def system_centre(A, W):
    """Return the mass of everything, its mass centre and its momentum."""
    mass, R, p = 0.0, ZERO, ZERO
    for i in range(A.bodies.shape[0]):
        m, b = A.bodies[i].mass, W.bodies[i]
        mass += m
        R = axpy(m, v3(b.x), R)
        p = axpy(m, v3(b.u), p)
    return mass, scale(1.0 / mass, R), p


@kernel
def energy_and_momentum(A, W):
    """Return kinetic energy, potential energy, linear momentum and angular momentum about the mass centre of all."""
    mass, R, p = system_centre(A, W)
    V, g = scale(1.0 / mass, p), v3(A.gravity)
    kinetic, potential, H = 0.0, 0.0, ZERO
    for i in range(A.bodies.shape[0]):
        b, o = A.bodies[i], W.bodies[i]
        x, u, w = v3(o.x), v3(o.u), v3(o.w)
        Iw = symvec(v6(o.I), w)
        H = add(H, add(Iw, matvec(v9(o.R), v3(b.h_D))))
        H = axpy(b.mass, cross(sub(x, R), sub(u, V)), H)
        kinetic += 0.5 * (b.mass * dot(u, u) + dot(w, Iw))
        potential -= b.mass * dot(g, x)
    return kinetic, potential, p, H
