"""Accelerations and multipliers of Eq. 67 through the Schur complement S = J M^-1 J^T.

M is block diagonal (a mass and an inertia per body), so S couples only equations that share a body. S is factorised
as L D L^T without square roots; a pivot that vanishes marks an equation that others imply: it is skipped and its
multiplier is zero (the motion does not depend on which of them is skipped).
"""

from __future__ import annotations

from fairlead.core.compiled import kernel
from fairlead.core.constraints import row_times
from fairlead.core.envelope import factorise, solve
from fairlead.core.vec import add, axpy, cross, dot, matvec, put3, scale, solve_sym3, sub, symvec, v3, v6, v9

REDUNDANT = 1e-11  # of the equation's own diagonal; smaller, singular positions are not passed


@kernel
def free_accelerations(A, W):
    """Fill a and al of every body as if nothing constrained it; False if an inertia is singular."""
    g = v3(A.gravity)
    good = True
    for b in range(A.bodies.shape[0]):
        B, o = A.bodies[b], W.bodies[b]
        I, w = v6(o.I), v3(o.w)
        H = add(symvec(I, w), matvec(v9(o.R), v3(B.h_D)))
        put3(o.a, axpy(1.0 / B.mass, v3(o.f), g))
        al, det = solve_sym3(I, sub(v3(o.n), cross(w, H)))
        put3(o.al, al)
        good = good and det > 0.0
    return good


@kernel
def weighed(r, side, b, A, W):
    """Return M^-1 J^T of one row for one of its bodies."""
    at = 6 * side
    J = W.C.J[r]
    al, _ = solve_sym3(v6(W.bodies[b].I), v3(J[at + 3 :]))
    return scale(1.0 / A.bodies[b].mass, v3(J[at:])), al


@kernel
def fill_schur(A, W):
    """Fill S = J M^-1 J^T inside its envelope."""
    C = W.C
    for r in range(A.constraints.shape[0]):
        first, at = A.envelope[r, 0], A.envelope[r, 1]
        for k in range(first, r + 1):
            C.S[at + k] = 0.0
        if not C.active[r]:
            continue
        c = A.constraints[r]
        for side in range(2):
            b = c.i if side == 0 else c.j
            if b < 0:
                continue
            lin, ang = weighed(r, side, b, A, W)
            for k in range(first, r + 1):
                d = A.constraints[k]
                if d.i == b and C.active[k]:
                    C.S[at + k] += dot(lin, v3(C.J[k, 0:])) + dot(ang, v3(C.J[k, 3:]))
                if d.j == b and C.active[k]:
                    C.S[at + k] += dot(lin, v3(C.J[k, 6:])) + dot(ang, v3(C.J[k, 9:]))


@kernel
def accelerations_and_multipliers(A, W):
    """Fill a and al of every body and lam of every row. MBDM note Eq. 67."""
    C = W.C
    good = free_accelerations(A, W)
    for r in range(A.constraints.shape[0]):
        C.lam[r] = row_times(C.J, r, A.constraints[r], W, 1) - C.gamma[r]
    fill_schur(A, W)
    factorise(C.S, A, C, REDUNDANT)
    solve(C.S, C.lam, A, C)
    for r in range(A.constraints.shape[0]):
        if W.C.skip[r]:
            continue
        c = A.constraints[r]
        for side in range(2):
            b = c.i if side == 0 else c.j
            if b >= 0:
                lin, ang = weighed(r, side, b, A, W)
                o = W.bodies[b]
                put3(o.a, axpy(-W.C.lam[r], lin, v3(o.a)))
                put3(o.al, axpy(-W.C.lam[r], ang, v3(o.al)))
    return good
