"""Control and constraint equations coupled to the six basic ones of the momentum cloud. MCM paper section 6.

A free coordinate k adds the unknown q_k'' and one equation: the rate of momentum of the subsystem it carries, less that
subsystem's loads (Eqs. 24-25), taken along its axis, is the force of the spring, damper or actuator on it. Six-vectors
are (lin, ang) about the base O in world axes, so momenta of subsystems simply add; the matrix of the equations is
symmetric and is factorised L L^T. Loop-closing constraints enter by multipliers through the same factors.
"""

from __future__ import annotations

from fairlead.core.arrays import FREE, SINGULAR_MASS
from fairlead.core.cholesky import cholesky
from fairlead.core.codes import ABOUT, CODE
from fairlead.core.jit.kernel import bind, inlined, kernel
from fairlead.core.trees.loops import factorise_template, push_back
from fairlead.core.trees.recursion import VANISHING, hand_in, own, push_through, together
from fairlead.core.vec import add, axpy, cross, dot, put3, v3, v6, v9

ZERO = (0.0, 0.0, 0.0)


@inlined
def equations(A, W):
    """Fill the matrix M and the right-hand side x of the six equations of each base and one per free coordinate."""
    W.free.M[:] = 0.0
    for tree in range(A.trees.shape[0]):
        T = A.trees[tree]
        for i in range(T.last - 1, T.first - 1, -1):
            b, c = A.bodies[i], W.free.carried[i]
            L, H, I, f, n = own(i, v3(A.gravity), A, W)
            if b.carries:
                L, H, I, f, n = together(c, L, H, I, f, n)
            hand_in(c, L, H, I, f, n)
            for k in range(b.first, b.last):
                if A.coordinates[k].code == FREE:
                    subsystem_equation(i, k, A, W)
            if b.parent >= 0:
                p = W.free.carried[b.parent]
                if not b.youngest:
                    L, H, I, f, n = together(p, L, H, I, f, n)
                hand_in(p, L, H, I, f, n)
        if not T.rooted:
            base_equations(tree, A, W)


@kernel
def subsystem_equation(i, k, A, W):
    """Write the equation of coordinate k, which moves body i and all it carries."""
    c, s, d = W.free.carried[i], W.free.axes[k], A.coordinates[k].dof
    lin, ang = v3(s.lin), v3(s.ang)
    f, n = push_through(v6(c.A), v9(c.H), v6(c.I), lin, ang)  # rate of momentum for q'' = 1
    W.free.x[d] = W.coordinates[k].force - dot(lin, v3(c.f)) - dot(ang, v3(c.n))
    tree, last = A.bodies[i].tree, k + 1
    while i >= 0:
        for m in range(A.bodies[i].first, min(A.bodies[i].last, last)):
            if A.coordinates[m].code == FREE:
                W.free.M[d, A.coordinates[m].dof] = dot(v3(W.free.axes[m].lin), f) + dot(v3(W.free.axes[m].ang), n)
        i = A.bodies[i].parent
    W.free.M[d, d] += A.coordinates[k].inertia  # turned through a gear
    if not A.trees[tree].rooted:
        base = A.trees[tree].dof
        for m in range(3):
            W.free.M[d, base + m], W.free.M[d, base + 3 + m] = f[m], n[m]


@kernel
def base_equations(tree, A, W):
    """Write the six basic equations: the rate of momentum of the whole tree is the external wrench. Eqs. 1, 4."""
    c, d, M = W.free.carried[A.trees[tree].first], A.trees[tree].dof, W.free.M
    L, H, I = v6(c.A), v9(c.H), v6(c.I)
    M[d, d], M[d + 1, d + 1], M[d + 2, d + 2], M[d + 1, d], M[d + 2, d], M[d + 2, d + 1] = L
    for i in range(3):
        for j in range(3):
            M[d + 3 + i, d + j] = H[3 * j + i]
        W.free.x[d + i], W.free.x[d + 3 + i] = -c.f[i], -c.n[i]
    M[d + 3, d + 3], M[d + 4, d + 4], M[d + 5, d + 5], M[d + 4, d + 3], M[d + 5, d + 3], M[d + 5, d + 4] = I


@kernel
def factorise_equations(A, W):
    """Turn the lower triangle of M into L, reciprocals on its diagonal."""
    if cholesky(W.free.M, W.free.M.shape[0], VANISHING) >= 0:
        W.status[CODE], W.status[ABOUT] = SINGULAR_MASS, A.bodies[0].user


@kernel
def forward_substitution(M, x):
    for i in range(M.shape[0]):
        total = x[i]
        for k in range(i):
            total -= M[i, k] * x[k]
        x[i] = total * M[i, i]


@kernel
def back_substitution(M, x):
    for i in range(M.shape[0] - 1, -1, -1):
        total = x[i]
        for k in range(i + 1, M.shape[0]):
            total -= M[k, i] * x[k]
        x[i] = total * M[i, i]


@inlined
def carry(A, W):
    """Add the accelerations W.free.x to coordinates and bodies: A_i = A_p + s_k x_k."""
    x = W.free.x
    for i in range(A.bodies.shape[0]):
        b, c, o = A.bodies[i], W.free.carried[i], W.bodies[i]
        lin, ang = ZERO, ZERO
        if b.parent >= 0:
            lin, ang = v3(W.free.carried[b.parent].a), v3(W.free.carried[b.parent].al)
        elif not A.trees[b.tree].rooted:
            d = A.trees[b.tree].dof
            lin, ang = (x[d], x[d + 1], x[d + 2]), (x[d + 3], x[d + 4], x[d + 5])
        for k in range(b.first, b.last):
            if A.coordinates[k].code == FREE:
                more = x[A.coordinates[k].dof]
                W.coordinates[k].ddq += more
                lin, ang = axpy(more, v3(W.free.axes[k].lin), lin), axpy(more, v3(W.free.axes[k].ang), ang)
        put3(c.a, lin)
        put3(c.al, ang)
        put3(o.a, add(v3(o.a), add(lin, cross(ang, v3(o.r)))))
        put3(o.al, add(v3(o.al), ang))


@kernel
def gather(i, lin, ang, A, W):
    """Add to z what a push (lin, ang) at the mass centre of body i does along each freedom inboard of it."""
    f, n = lin, add(ang, cross(v3(W.bodies[i].r), lin))
    tree = A.bodies[i].tree
    while i >= 0:
        for k in range(A.bodies[i].first, A.bodies[i].last):
            if A.coordinates[k].code == FREE:
                W.free.z[A.coordinates[k].dof] += dot(v3(W.free.axes[k].lin), f) + dot(v3(W.free.axes[k].ang), n)
        i = A.bodies[i].parent
    if not A.trees[tree].rooted:
        for m in range(3):
            W.free.z[A.trees[tree].dof + m] += f[m]
            W.free.z[A.trees[tree].dof + 3 + m] += n[m]


@inlined
def through_root(A, W):
    """Take the row in z through the square root of the mass matrix."""
    forward_substitution(W.free.M, W.free.z)


factorise_constraints = bind(factorise_template, "dense_factorise_loops", gather=gather, through_root=through_root)


@kernel
def pushed(multipliers, A, W):
    """Fill W.free.x with -M^-1 J^T multipliers."""
    push_back(multipliers, A, W)
    for d in range(W.free.x.shape[0]):
        W.free.x[d] = -W.free.z[d]
    back_substitution(W.free.M, W.free.x)
