"""The articulated recursion without transforms: world axes about one point O per tree, which is its base.

All bodies share the frame, so inertias simply add (Featherstone, Rigid Body Dynamics Algorithms, Ch. 7, written about a
common point). The outward sweep has left in every body the acceleration it has when no free coordinate and no base
accelerates; what is found here is the rest, linear in the unknowns: A_i = A_p + s_k x_k for each free coordinate k.
A six-vector about O is (lin, ang): acceleration of the body's point at O and angular acceleration; force and moment.
"""

from __future__ import annotations

from fairlead.core.added_mass import block, cross_times, times_cross
from fairlead.core.arrays import BALL, BALL_REST, FREE, SINGULAR_MASS, TRANSLATION
from fairlead.core.cholesky import cholesky
from fairlead.core.codes import ABOUT, CODE
from fairlead.core.jit.kernel import inlined, kernel
from fairlead.core.trees.balls import VANISHING, keep, spread_ball, through_ball
from fairlead.core.vec import (
    add,
    add6,
    add9,
    axpy,
    cross,
    dot,
    matvec,
    put3,
    put6,
    put9,
    scale,
    sub,
    sub9,
    symvec,
    tmatvec,
    transpose,
    v3,
    v6,
    v9,
)

ZERO = (0.0, 0.0, 0.0)


@kernel
def moved_inertia(I, m, r):
    """Return the inertia about O of a body whose mass centre is at r: I + m (r^2 1 - r r^T)."""
    r2 = dot(r, r)
    return (
        I[0] + m * (r2 - r[0] * r[0]),
        I[1] + m * (r2 - r[1] * r[1]),
        I[2] + m * (r2 - r[2] * r[2]),
        I[3] - m * r[0] * r[1],
        I[4] - m * r[0] * r[2],
        I[5] - m * r[1] * r[2],
    )


@kernel
def push_through(A, H, I, lin, ang):
    """Return the wrench about O that an inertia needs for an acceleration: f = A lin + H ang, n = H^T lin + I ang."""
    return add(symvec(A, lin), matvec(H, ang)), add(tmatvec(H, lin), symvec(I, ang))


@inlined
def own(i, g, A, W):
    """Return a body's inertia L, H, I about O, and the wrench f, n its known motion and its loads leave to be supplied.

    f = m (a - g) - F,  n = I al + w x (I w + h) - N + r x f.
    """
    b, o = A.bodies[i], W.bodies[i]
    m, I, w, r = b.mass, v6(o.I), v3(o.w), v3(o.r)
    momentum = add(symvec(I, w), matvec(v9(o.R), v3(b.h_D)))
    f = sub(scale(m, sub(v3(o.a), g)), v3(o.f))
    n = sub(add(symvec(I, v3(o.al)), cross(w, momentum)), v3(o.n))
    L = (m, m, m, 0.0, 0.0, 0.0)
    H = (0.0, m * r[2], -m * r[1], -m * r[2], 0.0, m * r[0], m * r[1], -m * r[0], 0.0)
    I = moved_inertia(I, m, r)
    if b.wet:
        L, H, I, f, n = with_added_mass(i, L, H, I, f, n, W)
    return L, H, I, f, add(n, cross(r, f))


@kernel
def with_added_mass(i, L, H, I, f, n, W):
    """Return the answer of `own` for a body joined by its added mass, 6x6 about its mass centre and symmetric.

    With X = [1, -r~; 0, 1] from O to the mass centre it is X^T M X: linear block M, coupling C, angular block N give
    M, C - M r~, N - C^T r~ + r~ (C - M r~) about O; f and n gain what it needs for the known motion.
    """
    o = W.bodies[i]
    r, a, al = v3(o.r), v3(o.a), v3(o.al)
    M, C, N = block(W.added[i], 0, 0), block(W.added[i], 0, 3), block(W.added[i], 3, 3)
    D = transpose(C)
    f, n = add(f, add(matvec(M, a), matvec(C, al))), add(n, add(matvec(D, a), matvec(N, al)))
    C = sub9(C, times_cross(M, r))
    N = add9(sub9(N, times_cross(D, r)), cross_times(r, C))
    return add6(L, halved(M)), add9(H, C), add6(I, halved(N)), f, n


@kernel
def halved(m):
    """Return a symmetric matrix as xx yy zz xy xz yz."""
    return (m[0], m[4], m[8], m[1], m[2], m[5])


@kernel
def hand_in(c, L, H, I, f, n):
    """Lay an inertia and a wrench down in the scratch of a body."""
    put6(c.A, L)
    put9(c.H, H)
    put6(c.I, I)
    put3(c.f, f)
    put3(c.n, n)


@kernel
def together(c, L, H, I, f, n):
    """Return an inertia and a wrench with those that lie in the scratch of a body."""
    return add6(L, v6(c.A)), add9(H, v9(c.H)), add6(I, v6(c.I)), add(f, v3(c.f)), add(n, v3(c.n))


@inlined
def coordinate_axes(A, W):
    """Fill the six-vector about O of each free coordinate: a turn e about the point x moves O by x x e."""
    for k in range(A.coordinates.shape[0]):
        if A.coordinates[k].code != FREE:
            continue
        s = W.free.axes[k]
        lin, ang = axis_about_base(A.coordinates[k].kind, W.coordinates[k])
        put3(s.lin, lin)
        put3(s.ang, ang)


@inlined
def axis_about_base(kind, o):
    e = v3(o.axis_W)
    lin, ang = e, ZERO
    if kind != TRANSLATION:
        lin, ang = cross(v3(o.x_axis), e), e
    return lin, ang


@inlined
def inward(lo, hi, A, W):
    """Gather articulated inertias and bias wrenches from the tips to the base, eliminating each free coordinate.

    The youngest child, which comes first, begins the sum in its parent's scratch and the others join it.
    U = I_A s,  D = s . U,  u = force - s . p,  I_A <- I_A - U U^T / D,  p <- p + U u / D. Fills the axes s as well.
    """
    g = v3(A.gravity)
    for i in range(hi - 1, lo - 1, -1):
        b, c = A.bodies[i], W.free.carried[i]
        L, H, I, f, n = own(i, g, A, W)
        if b.carries:
            L, H, I, f, n = together(c, L, H, I, f, n)
        if b.parent < 0 or b.drives:  # kept for the base, and for the forces of drivers
            hand_in(c, L, H, I, f, n)
        mass, inertia = L[0], I[0] + I[1] + I[2]
        for k in range(b.last - 1, b.first - 1, -1):
            if A.coordinates[k].code != FREE:
                continue
            kind = A.coordinates[k].kind
            if kind == BALL:  # and the slides inboard of it
                L, H, I, f, n = through_ball(k, b.first, L, H, I, f, n, b.user, A, W)
                break
            if kind != BALL_REST:
                L, H, I, f, n = through_axis(k, kind, L, H, I, f, n, mass, inertia, b.user, A, W)
        if b.parent >= 0:
            p = W.free.carried[b.parent]
            if not b.youngest:
                L, H, I, f, n = together(p, L, H, I, f, n)
            hand_in(p, L, H, I, f, n)


@inlined
def through_axis(k, kind, L, H, I, f, n, mass, inertia, user, A, W):
    """Eliminate a turn or a slide; `mass` and `inertia` are the size of what there was before any was eliminated.

    What turns through a gear resists q'' alone: it adds to D. Featherstone, Ch. 9.6 on actuator inertia.
    """
    lin, ang = axis_about_base(kind, W.coordinates[k])
    if kind == TRANSLATION:  # half of the products vanish
        Uf, Un = symvec(L, lin), tmatvec(H, lin)
        D, size = dot(lin, Uf), mass
    else:
        Uf, Un = push_through(L, H, I, lin, ang)
        D = dot(lin, Uf) + dot(ang, Un) + A.coordinates[k].inertia
        size = mass * dot(lin, lin) + inertia
    if not VANISHING * size < D:
        W.status[CODE], W.status[ABOUT] = SINGULAR_MASS, user
    inverse = 1.0 / D
    u = W.coordinates[k].force - dot(lin, f) - dot(ang, n)
    keep(W.free.axes[k], lin, ang, Uf, Un, inverse, u)
    L, H, I = reduced(L, H, I, Uf, Un, inverse)
    return L, H, I, axpy(u * inverse, Uf, f), axpy(u * inverse, Un, n)


@kernel
def reduced(L, H, I, Uf, Un, inverse):
    """Return an articulated inertia less U U^T / D."""
    f, n = scale(inverse, Uf), scale(inverse, Un)
    return (
        (
            L[0] - f[0] * Uf[0],
            L[1] - f[1] * Uf[1],
            L[2] - f[2] * Uf[2],
            L[3] - f[0] * Uf[1],
            L[4] - f[0] * Uf[2],
            L[5] - f[1] * Uf[2],
        ),
        (
            H[0] - f[0] * Un[0],
            H[1] - f[0] * Un[1],
            H[2] - f[0] * Un[2],
            H[3] - f[1] * Un[0],
            H[4] - f[1] * Un[1],
            H[5] - f[1] * Un[2],
            H[6] - f[2] * Un[0],
            H[7] - f[2] * Un[1],
            H[8] - f[2] * Un[2],
        ),
        (
            I[0] - n[0] * Un[0],
            I[1] - n[1] * Un[1],
            I[2] - n[2] * Un[2],
            I[3] - n[0] * Un[1],
            I[4] - n[0] * Un[2],
            I[5] - n[1] * Un[2],
        ),
    )


@kernel
def factorise_base(tree, A, W):
    """Factorise the articulated inertia of a free base, L L^T, into W.free.base; False if it is not definite."""
    c, K = W.free.carried[A.trees[tree].first], W.free.base[tree]
    L, H, I = v6(c.A), v9(c.H), v6(c.I)
    K[0, 0], K[1, 1], K[2, 2], K[1, 0], K[2, 0], K[2, 1] = L
    for i in range(3):
        for j in range(3):
            K[3 + i, j] = H[3 * j + i]
    K[3, 3], K[4, 4], K[5, 5], K[4, 3], K[5, 3], K[5, 4] = I
    return cholesky(K, 6, VANISHING) < 0


@kernel
def forward_base(K):
    """Solve L z = K[:, 6] in place."""
    for i in range(6):
        total = K[i, 6]
        for k in range(i):
            total -= K[i, k] * K[k, 6]
        K[i, 6] = total * K[i, i]


@kernel
def backward_base(K):
    """Solve L^T x = K[:, 6] in place and return it as (lin, ang)."""
    for i in range(5, -1, -1):
        total = K[i, 6]
        for k in range(i + 1, 6):
            total -= K[k, i] * K[k, 6]
        K[i, 6] = total * K[i, i]
    return (K[0, 6], K[1, 6], K[2, 6]), (K[3, 6], K[4, 6], K[5, 6])


@kernel
def solve_base(tree, A, W):
    """Return the acceleration of a free base: I_A A = -p."""
    c, K = W.free.carried[A.trees[tree].first], W.free.base[tree]
    if not factorise_base(tree, A, W):
        W.status[CODE], W.status[ABOUT] = SINGULAR_MASS, A.bodies[A.trees[tree].first].user
    for i in range(3):
        K[i, 6], K[3 + i, 6] = -c.f[i], -c.n[i]
    forward_base(K)
    return backward_base(K)


@inlined
def spread(lo, hi, lin0, ang0, add_up, A, W):
    """Pass the base's acceleration outward: x_k = (u - U . A) / D, A_i = A_p + s_k x_k; x goes to W.free.x.

    With `add_up` it joins the accelerations of bodies and coordinates, and what acts along free coordinates is their
    `drive`; else it is a change of the state in the making.
    """
    for i in range(lo, hi):
        b, c, o = A.bodies[i], W.free.carried[i], W.bodies[i]
        lin, ang = lin0, ang0
        if b.parent >= 0:
            lin, ang = v3(W.free.carried[b.parent].a), v3(W.free.carried[b.parent].al)
        for k in range(b.first, b.last):
            if A.coordinates[k].code != FREE or A.coordinates[k].kind == BALL_REST:
                continue
            if A.coordinates[k].kind == BALL:
                lin, ang = spread_ball(k, lin, ang, add_up, A, W)
            else:
                s = W.free.axes[k]
                x = (s.u - dot(v3(s.Uf), lin) - dot(v3(s.Un), ang)) * s.D
                lin, ang = axpy(x, v3(s.lin), lin), axpy(x, v3(s.ang), ang)
                if add_up:
                    o_k = W.coordinates[k]
                    o_k.ddq += x
                    o_k.drive = o_k.force - A.coordinates[k].inertia * o_k.ddq
                else:
                    W.free.x[A.coordinates[k].dof] = x
        put3(c.a, lin)
        put3(c.al, ang)
        if add_up:
            put3(o.a, add(v3(o.a), add(lin, cross(ang, v3(o.r)))))
            put3(o.al, add(v3(o.al), ang))


@inlined
def supplied(i, W):
    """Return the wrench about O through the inboard joint of body i: I_A A + p."""
    c = W.free.carried[i]
    f, n = push_through(v6(c.A), v9(c.H), v6(c.I), v3(c.a), v3(c.al))
    return add(f, v3(c.f)), add(n, v3(c.n))
