"""Elimination of free balls in the articulated recursion: three turns about one point x, at once.

Behind a ball only a force through x and the moment tau of its dampers and actuators pass on, so the articulated inertia
it hands inward is that of a force at x alone: with the linear block L about O, [x~] e = x x e,

    H = -L [x~]        I = -[x~] L [x~]        n = x x f + tau

and every slide inboard of the ball leaves that form as it is. The turns are eliminated about the world's axes, which
makes the columns of inertia at x the ones needed; what is found for them is laid on the ball's own axes at the end.
"""

from __future__ import annotations

from fairlead.core.arrays import FREE, SINGULAR_MASS
from fairlead.core.codes import ABOUT, CODE
from fairlead.core.jit.kernel import kernel
from fairlead.core.vec import add, axpy, cross, dot, put3, sub, symvec, v3

ZERO = (0.0, 0.0, 0.0)
VANISHING = 1e-14  # of the inertia it is left of: an axis about which nothing resists
X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)


@kernel
def about_point(L, H, I, x):
    """Return the columns of the coupling H + L [x~], and the inertia I + H^T [x~] - [x~] (H + L [x~]) about x."""
    a, b, c = (L[0], L[3], L[4]), (L[3], L[1], L[5]), (L[4], L[5], L[2])
    a, b, c = add((H[0], H[1], H[2]), cross(a, x)), add((H[3], H[4], H[5]), cross(b, x)), add(H[6:], cross(c, x))
    U0, U1, U2 = (a[0], b[0], c[0]), (a[1], b[1], c[1]), (a[2], b[2], c[2])
    p, q, r = cross((H[0], H[3], H[6]), x), cross((H[1], H[4], H[7]), x), cross((H[2], H[5], H[8]), x)
    e, f, g = cross(x, U0), cross(x, U1), cross(x, U2)
    J = (
        I[0] + p[0] - e[0],
        I[1] + q[1] - f[1],
        I[2] + r[2] - g[2],
        I[3] + p[1] - f[0],
        I[4] + p[2] - g[0],
        I[5] + q[2] - g[1],
    )
    return U0, U1, U2, J


@kernel
def less(L, U, inverse):
    """Return L - U U^T / D."""
    a, b, c = inverse * U[0], inverse * U[1], inverse * U[2]
    return (
        L[0] - a * U[0],
        L[1] - b * U[1],
        L[2] - c * U[2],
        L[3] - a * U[1],
        L[4] - a * U[2],
        L[5] - b * U[2],
    )


@kernel
def through_point(L, x):
    """Return H and I about O of an inertia that takes forces at x only: -L [x~] and -[x~] L [x~]."""
    a, b, c = cross(x, (L[0], L[3], L[4])), cross(x, (L[3], L[1], L[5])), cross(x, (L[4], L[5], L[2]))
    p, q, r = cross(x, (a[0], b[0], c[0])), cross(x, (a[1], b[1], c[1])), cross(x, (a[2], b[2], c[2]))
    return a + b + c, (p[0], q[1], r[2], q[0], r[0], r[1])


@kernel
def keep(s, lin, ang, Uf, Un, inverse, u):
    """Keep what the way outward and loops need of an eliminated axis."""
    put3(s.lin, lin)
    put3(s.ang, ang)
    put3(s.Uf, Uf)
    put3(s.Un, Un)
    s.D, s.u = inverse, u


@kernel
def through_ball(k, first, L, H, I, f, n, user, A, W):
    """Eliminate the ball whose coordinates start at k, then the free slides from k - 1 down to `first`.

    Takes and returns the articulated inertia L, H, I and the bias wrench f, n about O.
    """
    x, tau = v3(W.coordinates[k].x_axis), ZERO
    for m in range(k, k + 3):
        tau = axpy(W.coordinates[m].force, v3(W.coordinates[m].axis_W), tau)
    size = VANISHING * (I[0] + I[1] + I[2] + (L[0] + L[1] + L[2]) * dot(x, x))
    U0, U1, U2, J = about_point(L, H, I, x)
    n = sub(n, cross(x, f))
    # z, then y, then x: J = (xx, yy, zz, xy, xz, yz) loses the row and column of each
    i2, u2 = 1.0 / J[2], tau[2] - n[2]
    a, b = J[4] * i2, J[5] * i2
    keep(W.free.axes[k + 2], cross(x, Z), Z, U2, add(cross(x, U2), (J[4], J[5], J[2])), i2, u2)
    L, f = less(L, U2, i2), axpy(u2 * i2, U2, f)
    U0, U1 = axpy(-a, U2, U0), axpy(-b, U2, U1)
    xx, yy, xy = J[0] - a * J[4], J[1] - b * J[5], J[3] - a * J[5]
    i1, u1 = 1.0 / yy, tau[1] - (n[1] + b * u2)
    c = xy * i1
    keep(W.free.axes[k + 1], cross(x, Y), Y, U1, add(cross(x, U1), (xy, yy, 0.0)), i1, u1)
    L, f = less(L, U1, i1), axpy(u1 * i1, U1, f)
    U0, xx = axpy(-c, U1, U0), xx - c * xy
    i0, u0 = 1.0 / xx, tau[0] - (n[0] + a * u2 + c * u1)
    keep(W.free.axes[k], cross(x, X), X, U0, add(cross(x, U0), (xx, 0.0, 0.0)), i0, u0)
    L, f = less(L, U0, i0), axpy(u0 * i0, U0, f)
    if not (size < J[2] and size < yy and size < xx):
        W.status[CODE], W.status[ABOUT] = SINGULAR_MASS, user
    for m in range(k - 1, first - 1, -1):
        if A.coordinates[m].code == FREE:
            L, f = slide(m, L, f, x, user, W)
    H, I = through_point(L, x)
    return L, H, I, f, add(cross(x, f), tau)


@kernel
def slide(k, L, f, x, user, W):
    """Eliminate a slide inboard of a ball at x, where only forces pass."""
    o = W.coordinates[k]
    e = v3(o.axis_W)
    U = symvec(L, e)
    D = dot(e, U)
    if not VANISHING * (L[0] + L[1] + L[2]) < D:
        W.status[CODE], W.status[ABOUT] = SINGULAR_MASS, user
    inverse, u = 1.0 / D, o.force - dot(e, f)
    keep(W.free.axes[k], e, ZERO, U, cross(x, U), inverse, u)
    return less(L, U, inverse), axpy(u * inverse, U, f)


@kernel
def spread_ball(k, lin, ang, add_up, A, W):
    """Return the acceleration behind a ball; what it turns by goes to its own axes, as in `recursion.spread`."""
    before = ang
    for m in range(k, k + 3):
        s = W.free.axes[m]
        more = (s.u - dot(v3(s.Uf), lin) - dot(v3(s.Un), ang)) * s.D
        lin, ang = axpy(more, v3(s.lin), lin), axpy(more, v3(s.ang), ang)
    turn = sub(ang, before)
    for m in range(k, k + 3):
        o = W.coordinates[m]
        if add_up:
            o.ddq += dot(turn, v3(o.axis_W))
            o.drive = o.force
        else:
            W.free.x[A.coordinates[m].dof] = dot(turn, v3(o.axis_W))
    return lin, ang
