"""Mass matrices of single bodies and their inverses: rigid, with added mass, or singular (rods, point masses).

A body without inertia about some axis is lent a little (`soft`); whoever solves with it gives that back by iteration.
"""

from __future__ import annotations

from fairlead.core.cholesky import cholesky
from fairlead.core.jit.kernel import kernel
from fairlead.core.loads.matrices import half
from fairlead.core.vec import add, axpy, cross, inverse_sym3, matvec, put6, scale, sub, symvec, v3, v6, v9


@kernel
def lent(I, soft):
    """Return an inertia with `soft` more about every axis."""
    return (I[0] + soft, I[1] + soft, I[2] + soft, I[3], I[4], I[5])


@kernel
def invert_inertias(A, W):
    """Fill the inverse inertia of every body, world axes."""
    for b in range(A.bodies.shape[0]):
        put6(W.constraint.inverse[b], inverse_sym3(lent(v6(W.bodies[b].I), W.constraint.soft[b])))


@kernel
def invert_masses(A, W):
    """Fill the inverse 6x6 mass matrix of every body with its added mass; return a body where it fails, or -1."""
    for b in range(A.bodies.shape[0]):
        M, o = W.constraint.inverse6[b], W.bodies[b]
        I = lent(v6(o.I), W.constraint.soft[b])
        for i in range(6):
            for j in range(6):
                M[i, j] = W.added[b, i, j]
        for i in range(3):
            M[i, i] += A.bodies[b].mass
            M[3 + i, 3 + i] += I[i]
        for i, j, k in ((3, 4, 3), (3, 5, 4), (4, 5, 5)):
            M[i, j] += I[k]
            M[j, i] += I[k]
        if not invert6(M):
            return b
    return -1


@kernel
def invert6(M):
    """Replace a symmetric positive definite 6x6 matrix by its inverse, by Cholesky; False if it is not definite."""
    if cholesky(M, 6, 0.0) >= 0:
        return False
    for j in range(6):  # L^-1, whose diagonal stands already
        for i in range(j + 1, 6):
            total = 0.0
            for k in range(j, i):
                total -= M[i, k] * M[k, j]
            M[i, j] = total * M[i, i]
    for i in range(6):  # L^-T L^-1: row i needs only rows from i on
        for j in range(i + 1):
            total = 0.0
            for k in range(i, 6):
                total += M[k, i] * M[k, j]
            M[i, j] = total
    for i in range(6):
        for j in range(i):
            M[j, i] = M[i, j]
    return True


@kernel
def over_mass(b, f, n, added, A, W):
    """Return M^-1 (f, n) of one body."""
    if added:
        return half(W.constraint.inverse6[b], 0, f, n), half(W.constraint.inverse6[b], 3, f, n)
    return scale(1.0 / A.bodies[b].mass, f), symvec(v6(W.constraint.inverse[b]), n)


@kernel
def unbalanced(b, A, W):
    """Return F - M a - J^T lam of one body with the true mass matrix; C.step holds J^T lam. MBDM note Eq. 67."""
    B, o, s = A.bodies[b], W.bodies[b], W.constraint.step[b]
    I, w, a, al = v6(o.I), v3(o.w), v3(o.a), v3(o.al)
    H = add(symvec(I, w), matvec(v9(o.R), v3(B.h_D)))
    f = sub(axpy(B.mass, sub(v3(A.gravity), a), v3(o.f)), v3(s))
    n = sub(sub(sub(v3(o.n), cross(w, H)), symvec(I, al)), v3(s[3:]))
    if W.added.shape[0] > 0:
        f, n = sub(f, half(W.added[b], 0, a, al)), sub(n, half(W.added[b], 3, a, al))
    return f, n
