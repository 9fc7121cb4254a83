"""Accelerations and multipliers with Euler parameters as unknowns, MBDM note Eq. 69: a witness for Eq. 67.

[M 0 Phi_r^T 0; 0 4 G^T J' G Phi_p^T Phi_p^pT; Phi_r Phi_p 0 0; 0 Phi_p^p 0 0] (r'', p'', lam, lam_p) =
(F, 2 G^T n' + 8 G'^T J' G' p, gamma, gamma_p), solved densely over the independent equations.
"""

from __future__ import annotations

from fairlead.core.formulations.constrained.partition import coordinate_jacobian, lu_factorise, lu_solve
from fairlead.core.formulations.constrained.schur import factorise_rigid
from fairlead.core.jit.kernel import kernel
from fairlead.core.layout import ATTITUDE, LENGTH, TURNING, four, three
from fairlead.core.loads.matrices import half, unit6
from fairlead.core.vec import add, axpy, matvec, put3, symvec, tmatvec, v3, v6, v9


@kernel
def g_row(e0, e1, e2, e3, i):
    """Return row i of G, MBDM note Eq. 36."""
    if i == 0:
        return (-e1, e0, e3, -e2)
    if i == 1:
        return (-e2, -e3, e0, e1)
    return (-e3, e2, -e1, e0)


@kernel
def mass_block(b, A, W):
    """Write mass, 4 G^T J' G and the forces of body b into K and k."""
    C, at, s = W.constraint, 7 * b, LENGTH * b
    y, o, B = C.y, W.bodies[b], A.bodies[b]
    e = four(y, s + ATTITUDE)
    w = three(y, s + TURNING)
    rate = (
        0.5 * (-e[1] * w[0] - e[2] * w[1] - e[3] * w[2]),
        0.5 * (e[0] * w[0] + e[2] * w[2] - e[3] * w[1]),
        0.5 * (e[0] * w[1] + e[3] * w[0] - e[1] * w[2]),
        0.5 * (e[0] * w[2] + e[1] * w[1] - e[2] * w[0]),
    )
    I, n_B = v6(B.I_BB_D), tmatvec(v9(o.R), v3(o.n))
    h = v3(B.h_D)
    # A wheel's stored momentum adds -w x h to the moment.
    n_B = add(n_B, (h[1] * w[2] - h[2] * w[1], h[2] * w[0] - h[0] * w[2], h[0] * w[1] - h[1] * w[0]))
    spin = (0.0, 0.0, 0.0)  # J' G' p
    for i in range(3):
        g = g_row(rate[0], rate[1], rate[2], rate[3], i)
        part = g[0] * e[0] + g[1] * e[1] + g[2] * e[2] + g[3] * e[3]
        spin = add(spin, symvec(I, (part if i == 0 else 0.0, part if i == 1 else 0.0, part if i == 2 else 0.0)))
    for i in range(3):
        C.K[at + i, at + i] = B.mass
        C.k[at + i] = o.f[i] + B.mass * A.gravity[i]
    for i in range(3):
        g, dg = g_row(e[0], e[1], e[2], e[3], i), g_row(rate[0], rate[1], rate[2], rate[3], i)
        unit = (1.0 if i == 0 else 0.0, 1.0 if i == 1 else 0.0, 1.0 if i == 2 else 0.0)
        column = symvec(I, unit)
        for p in range(4):
            C.k[at + 3 + p] += 2.0 * g[p] * n_B[i] + 8.0 * dg[p] * spin[i]
            for j in range(3):
                other = g_row(e[0], e[1], e[2], e[3], j)
                for q in range(4):
                    C.K[at + 3 + q, at + 3 + p] += 4.0 * other[q] * column[j] * g[p]


@kernel
def added_block(b, W):
    """Add X^T A X to K, X = [1 0; 0 2 R G]: the added mass of body b in r'' and p''."""
    C, at, s = W.constraint, 7 * b, LENGTH * b
    y, R = C.y, v9(W.bodies[b].R)
    for c in range(7):
        lin, ang = unit6(c) if c < 3 else ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
        if c >= 3:
            ang = matvec(R, parameter_turn(*four(y, s + ATTITUDE), c - 3))
        f, n = half(W.added[b], 0, lin, ang), tmatvec(R, half(W.added[b], 3, lin, ang))
        for i in range(3):
            C.K[at + i, at + c] += f[i]
            g = g_row(*four(y, s + ATTITUDE), i)
            for p in range(4):
                C.K[at + 3 + p, at + c] += 2.0 * g[p] * n[i]


@kernel
def parameter_turn(e0, e1, e2, e3, p):
    """Return column p of 2 G: the angular acceleration (body axes) of one Euler parameter's second derivative."""
    turn = (0.0, 0.0, 0.0)
    for i in range(3):
        unit = (1.0 if i == 0 else 0.0, 1.0 if i == 1 else 0.0, 1.0 if i == 2 else 0.0)
        turn = axpy(2.0 * g_row(e0, e1, e2, e3, i)[p], unit, turn)
    return turn


@kernel
def accelerations_by_parameters(A, W):
    """Fill a, al and lam from Eq. 69; return -1, or a body if the matrix is singular."""
    C, m, n = W.constraint, A.constraints.shape[0], A.bodies.shape[0]
    factorise_rigid(A, W)  # which equations are kept is decided as without parameters
    size = 8 * n
    for r in range(m):
        size += int(C.skip[r] == 0)
    for r in range(size):
        C.k[r] = 0.0
        for c in range(size):
            C.K[r, c] = 0.0
    for b in range(n):
        mass_block(b, A, W)
        if W.added.shape[0] > 0:
            added_block(b, W)
    coordinate_jacobian(A, W)
    at = 7 * n
    for row in range(m + n):
        if row < m and C.skip[row]:
            continue
        for c in range(7 * n):
            C.K[at, c] = C.D[row, c]
            C.K[c, at] = C.D[row, c]
        C.k[at] = C.gamma[row] if row < m else gamma_of_norm(row - m, W)
        at += 1
    smallest = lu_factorise(C.K, C.order, size)
    lu_solve(C.K, C.order, C.k, size)
    for b in range(n):
        s, at, o = LENGTH * b, 7 * b, W.bodies[b]
        put3(o.a, v3(C.k[at:]))
        al = (0.0, 0.0, 0.0)
        for i in range(3):
            g = g_row(*four(C.y, s + ATTITUDE), i)
            part = 2.0 * (g[0] * C.k[at + 3] + g[1] * C.k[at + 4] + g[2] * C.k[at + 5] + g[3] * C.k[at + 6])
            al = add(al, (part if i == 0 else 0.0, part if i == 1 else 0.0, part if i == 2 else 0.0))
        put3(o.al, matvec(v9(o.R), al))
    at = 7 * n
    for r in range(m):
        C.lam[r] = 0.0
        if not C.skip[r]:
            C.lam[r] = C.k[at]
            at += 1
    return -1 if smallest > 0.0 else 0


@kernel
def gamma_of_norm(b, W):
    """Return gamma of p.p = 1: -2 p'.p', with p'.p' = w.w / 4."""
    w = three(W.constraint.y, LENGTH * b + TURNING)
    return -0.5 * (w[0] * w[0] + w[1] * w[1] + w[2] * w[2])
