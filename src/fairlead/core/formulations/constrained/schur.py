"""Accelerations and multipliers of Eq. 67 through the Schur complement S = J M^-1 J^T.

M is block diagonal (one mass matrix per body), so S couples only equations that share a body. S is factorised as L D
L^T without square roots; an equation that others imply is skipped and its multiplier is zero (the motion does not
depend on which of them is skipped, as long as it is the same one through the stages of a step:
`core/constraints/envelope.py`).

Rods and point masses have a singular M. It is then solved by the proximal iteration
M_e da + J^T dlam = F - M a - J^T lam, J da = gamma - J a with M_e = M + e D: one factorisation, and a few sweeps in
which e disappears. It converges when the assembled mass matrix is definite, that is, when M is definite for all
motions that the joints allow.
"""

from __future__ import annotations

import math

from fairlead.core.arrays import ANGLE, DOT
from fairlead.core.constraints.envelope import factorise, lay_out, solve
from fairlead.core.constraints.relations import fill_chains_by_symbol
from fairlead.core.constraints.rows import row_times
from fairlead.core.formulations.constrained.masses import invert_inertias, invert_masses, over_mass, unbalanced
from fairlead.core.jit.kernel import inlined, kernel
from fairlead.core.vec import add, axpy, dot, norm, put3, sub, v3
from fairlead.core.work import SOFT

WEAK = 1e-3  # pivot below which another choice of equations may be stronger
NEAR = 0.0  # among free bodies what singular combinations say does not vanish on the branch: it is kept
BALANCED, STALLED, SWEEPS = 1e-13, 1e-9, 40  # moment left over, of the largest moment of an equation
ZERO = (0.0, 0.0, 0.0)


@kernel
def weigh_rows(added, A, W):
    """Fill Y = M^-1 J^T of every active row."""
    C = W.constraint
    for r in range(C.ends.shape[0]):
        if not C.active[r] and C.head[r] < 0:
            continue
        for side in range(2):
            b, at = C.ends[r, side], 6 * side
            if b >= 0:
                lin, ang = over_mass(b, v3(C.J[r, at:]), v3(C.J[r, at + 3 :]), added, A, W)
                put3(C.Y[r, at:], lin)
                put3(C.Y[r, at + 3 :], ang)


@kernel
def product(Y, J):
    """Return the product of two rows over one body."""
    return dot(v3(Y), v3(J)) + dot(v3(Y[3:]), v3(J[3:]))


@kernel
def fill_schur(A, W):
    """Fill S = J M^-1 J^T inside its envelope; rows that are not kept stay out unless they may be now."""
    C = W.constraint
    choosing = C.choose[0] != 0
    if choosing:
        lay_out(C)
    for j in range(C.lowest[-1]):
        r, first, at = C.live[j], C.skyline[j, 0], C.skyline[j, 1]
        if C.skip[r] and not choosing:
            continue
        i0, i1, Y0, Y1 = C.ends[r, 0], C.ends[r, 1], C.Y[r], C.Y[r, 6:]
        for k in range(first, j + 1):
            total, q = 0.0, C.live[k]
            if choosing or C.skip[q] == 0:
                k0, k1, J0, J1 = C.ends[q, 0], C.ends[q, 1], C.J[q], C.J[q, 6:]
                if i0 >= 0:
                    if k0 == i0:
                        total += product(Y0, J0)
                    if k1 == i0:
                        total += product(Y0, J1)
                if i1 >= 0:
                    if k0 == i1:
                        total += product(Y1, J0)
                    if k1 == i1:
                        total += product(Y1, J1)
            C.S[at + k] = total
    if A.relations.shape[0] > 0:
        fill_chains_by_symbol(A, W)
    if choosing:
        size_rows(A, C)


@kernel
def size_rows(A, C):
    """Fill C.held: what each equation moves, S_jj, without what a body that is lighter than most adds to it.

    A light body may be held by others of its equations; what is left, the part of the heavier body, is not weak for
    that. Lighter than most: S_jj is above the geometric mean of all equations between points, or of all others.
    """
    for moments in range(2):
        total, count = 0.0, 0
        for j in range(C.lowest[-1]):
            whole = C.S[C.skyline[j, 1] + j]
            if is_moment(C.live[j], A) == moments and whole > 0.0:
                total += math.log(whole)
                count += 1
        common = math.exp(total / max(count, 1))
        for j in range(C.lowest[-1]):
            r, whole = C.live[j], C.S[C.skyline[j, 1] + j]
            if is_moment(r, A) == moments:
                least = whole
                for side in range(2):
                    if C.ends[r, side] >= 0:
                        least = min(least, product(C.Y[r, 6 * side :], C.J[r, 6 * side :]))
                C.held[j] = min(whole, max(least, common))


@inlined
def is_moment(r, A):
    """Return 1 for an equation between directions, 0 for one between points."""
    return 1 if A.constraints[r].code == DOT or A.constraints[r].code == ANGLE else 0


@kernel
def factorise_rigid(A, W):
    """Factorise S with the rigid masses, at the placed state: what projections need, whatever the loads."""
    invert_inertias(A, W)
    weigh_rows(False, A, W)
    fill_schur(A, W)
    factorise(W.constraint.S, W.constraint, WEAK, NEAR)


@kernel
def spread(rows, x, W):
    """Fill C.step with the sum over rows, each times its x, of what it gives its two bodies."""
    C = W.constraint
    C.step[:] = 0.0
    for r in range(C.ends.shape[0]):
        p = r if C.head[r] < 0 else C.head[r]
        if C.skip[p]:
            continue
        for side in range(2):
            b = C.ends[r, side]
            if b >= 0:
                for i in range(6):
                    C.step[b, i] += x[p] * rows[r, 6 * side + i]


@kernel
def accelerations_and_multipliers(A, W):
    """Fill a and al of every body and lam of every row, MBDM note Eq. 67; return -1, or a body of singular mass."""
    C = W.constraint
    added = W.added.shape[0] > 0
    invert_inertias(A, W)
    if added:
        bad = invert_masses(A, W)
        if bad >= 0:
            return bad
    weigh_rows(added, A, W)
    fill_schur(A, W)
    factorise(C.S, C, WEAK, NEAR)
    start_from_rest(A, W)
    sweep(added, A, W)
    return give_back(added, A, W)


@kernel
def start_from_rest(A, W):
    """Set accelerations and multipliers to zero."""
    W.constraint.step[:] = 0.0
    W.constraint.lam[:] = 0.0
    for b in range(A.bodies.shape[0]):
        put3(W.bodies[b].a, ZERO)
        put3(W.bodies[b].al, ZERO)


@kernel
def sweep(added, A, W):
    """Add to a, al and lam what removes the unbalanced forces and the error of J a = gamma."""
    C = W.constraint
    for b in range(A.bodies.shape[0]):
        o = W.bodies[b]
        f, n = unbalanced(b, A, W)
        a, al = over_mass(b, f, n, added, A, W)
        put3(o.a, add(v3(o.a), a))
        put3(o.al, add(v3(o.al), al))
    for j in range(C.lowest[-1]):
        r = C.live[j]
        C.c[j] = row_times(C.J, r, A.constraints[r], W, 1) - C.gamma[r]
    solve(C.S, C.b, C)
    spread(C.Y, C.b, W)
    for b in range(A.bodies.shape[0]):
        o = W.bodies[b]
        put3(o.a, sub(v3(o.a), v3(C.step[b])))
        put3(o.al, sub(v3(o.al), v3(C.step[b, 3:])))
    for r in range(C.ends.shape[0]):
        C.lam[r] += C.b[r]


@kernel
def give_back(added, A, W):
    """Sweep until bodies with lent inertia balance without it; return -1, or the body that does not."""
    C = W.constraint
    lending = False
    for b in range(A.bodies.shape[0]):
        lending = lending or C.soft[b] > 0.0
    if not lending:
        return -1
    worst, before = -1, 0.0
    for count in range(SWEEPS):
        spread(C.J, C.lam, W)
        worst, left, size = left_over(A, W)
        if left <= BALANCED * size or (count > 0 and left <= STALLED * size and left > 0.5 * before):
            return -1
        before = left
        sweep(added, A, W)
    return worst


@kernel
def left_over(A, W):
    """Return the lent body that is worst balanced, the moment it has left over, and the size of moments."""
    C = W.constraint
    worst, left, size = 0, 0.0, 0.0
    for b in range(A.bodies.shape[0]):
        if C.soft[b] > 0.0:
            o = W.bodies[b]
            _, n = unbalanced(b, A, W)
            rest = abs(n[0]) + abs(n[1]) + abs(n[2])
            m = A.bodies[b].mass
            arm = math.sqrt(C.soft[b] / (SOFT * m))  # of the body's own size
            size = max(size, abs(o.n[0]) + abs(o.n[1]) + abs(o.n[2]))
            size = max(size, arm * (norm(axpy(m, v3(A.gravity), v3(o.f))) + m * norm(v3(o.a))))
            if not rest <= left:
                worst, left = b, rest
    for r in range(C.ends.shape[0]):
        for at in (3, 9):
            J = C.J[r]
            size = max(size, abs(C.lam[r]) * (abs(J[at]) + abs(J[at + 1]) + abs(J[at + 2])))
    return worst, left, size
