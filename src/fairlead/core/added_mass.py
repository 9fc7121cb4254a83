"""Added mass in the six equations of a floating tree: it multiplies unknown accelerations, so it stands on the left.

The equations about Gs are four 3x3 blocks and the force and moment on the right,

    K a + Q w' = F        T a + N w' = M

with K = m 1, Q = T = 0 and N = P (their inertia) before added mass joins. Blocks are nine floats by rows.
"""

from __future__ import annotations

from fairlead.core.jit.kernel import kernel
from fairlead.core.vec import add, add9, cross, determinant3, inverse3, matmul, matvec, sub, sub9

NONE = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


@kernel
def uncoupled(mass, P, F, M):
    """Return the equations of a tree without added mass; P as xx yy zz xy xz yz."""
    K = (mass, 0.0, 0.0, 0.0, mass, 0.0, 0.0, 0.0, mass)
    return K, NONE, NONE, (P[0], P[3], P[4], P[3], P[1], P[5], P[4], P[5], P[2]), F, M


@kernel
def block(M, i, j):
    return (
        M[i, j],
        M[i, j + 1],
        M[i, j + 2],
        M[i + 1, j],
        M[i + 1, j + 1],
        M[i + 1, j + 2],
        M[i + 2, j],
        M[i + 2, j + 1],
        M[i + 2, j + 2],
    )


@kernel
def times_cross(m, r):
    """Return m [r~], [r~] v = r x v: row by row l x r."""
    return cross((m[0], m[1], m[2]), r) + cross((m[3], m[4], m[5]), r) + cross((m[6], m[7], m[8]), r)


@kernel
def cross_times(r, m):
    """Return [r~] m."""
    a, b, c = cross(r, (m[0], m[3], m[6])), cross(r, (m[1], m[4], m[7])), cross(r, (m[2], m[5], m[8]))
    return (a[0], b[0], c[0], a[1], b[1], c[1], a[2], b[2], c[2])


@kernel
def joined(equations, added, rho, a, al):
    """Return the equations with the added mass of one body, 6x6 about its mass centre at rho from Gs.

    The body has a_Gs + w' x rho and w' besides its known accelerations a, al: with Y = [1, -rho~; 0, 1] the left gains
    Y^T A Y and the right loses Y^T A (a, al).
    """
    K, Q, T, N, F, M = equations
    L, C, D, I = block(added, 0, 0), block(added, 0, 3), block(added, 3, 0), block(added, 3, 3)
    f, n = add(matvec(L, a), matvec(C, al)), add(matvec(D, a), matvec(I, al))
    C_G, D_G = sub9(C, times_cross(L, rho)), add9(D, cross_times(rho, L))
    I_G = add9(sub9(I, times_cross(D, rho)), cross_times(rho, C_G))
    return add9(K, L), add9(Q, C_G), add9(T, D_G), add9(N, I_G), sub(F, f), sub(M, add(n, cross(rho, f)))


@kernel
def solved(equations):
    """Return the accelerations a and w', and whether there is a solution: w' first, then a = K^-1 (F - Q w')."""
    K, Q, T, N, F, M = equations
    inverse = inverse3(K)
    TK = matmul(T, inverse)
    left = sub9(N, matmul(TK, Q))
    al = matvec(inverse3(left), sub(M, matvec(TK, F)))
    return matvec(inverse, sub(F, matvec(Q, al))), al, determinant3(K) > 0.0 and determinant3(left) > 0.0
