"""Straight springs and dampers, between bodies or to the world; taut mooring lines are such springs too."""

from __future__ import annotations

from fairlead.core.arrays import V, rows
from fairlead.core.jit.kernel import inlined
from fairlead.core.vec import add, cross, dot, matvec, norm, put3, scale, sub, v3, v9

SPRING = rows("row near far tension_only", r_near_D=V, r_far_D=V, stiffness=(), damping=(), length=())
ZERO = (0.0, 0.0, 0.0)


@inlined
def _end(b, r_D, W):
    """Return arm, position and velocity of a point: on body b, or in the world where b is -1."""
    if b < 0:
        return ZERO, r_D, ZERO
    o = W.bodies[b]
    s = matvec(v9(o.R), r_D)
    return s, add(v3(o.x), s), add(v3(o.u), cross(v3(o.w), s))


@inlined
def springs(A, W):
    """Fill the rows of straight springs, add them to the sums on their bodies, and return how many rows there are.

    Tension k (l - l0) + c l', MBDM note section 6.
    """
    filled = A.loads.springs.shape[0]
    for j in range(A.loads.springs.shape[0]):
        S = A.loads.springs[j]
        s1, x1, v1 = _end(S.near, v3(S.r_near_D), W)
        s2, x2, v2 = _end(S.far, v3(S.r_far_D), W)
        d = sub(x2, x1)
        length = norm(d)
        # Ends that coincide leave the direction undefined: no force there, the limit for a rest length of zero.
        along = scale(1.0 / length, d) if length > 1e-12 else ZERO
        tension = S.stiffness * (length - S.length) + S.damping * dot(sub(v2, v1), along)
        if S.tension_only and (length <= S.length or tension < 0.0):
            tension = 0.0
        f = scale(tension, along)
        _apply(W.rows[S.row], W.bodies[S.near], f, cross(s1, f), tension)
        if S.far >= 0:
            f = scale(-1.0, f)
            _apply(W.rows[S.row + 1], W.bodies[S.far], f, cross(s2, f), tension)
            filled += 1
    return filled


@inlined
def _apply(row, b, f, n, tension):
    put3(row.f, f)
    put3(row.n, n)
    row.tension = tension
    put3(b.f, add(v3(b.f), f))
    put3(b.n, add(v3(b.n), n))
