"""Coordinate partitioning: which of the 7 N coordinates follow from the others, and how. MBDM note section 5."""

from __future__ import annotations

from fairlead.core.jit.kernel import kernel
from fairlead.core.layout import ATTITUDE, LENGTH, four
from fairlead.core.vec import tmatvec, v3, v9


@kernel
def coordinate_jacobian(A, W):
    """Fill C.D: every active row and every quaternion's normalisation, by coordinates r (3) and p (4) of each body.

    Phi_p = 2 Phi_pi' G with virtual rotations pi' in body axes (MBDM note Eqs. 36, 39).
    """
    C = W.constraint
    m, n = A.constraints.shape[0], A.bodies.shape[0]
    for r in range(m + n):
        for k in range(7 * n):
            C.D[r, k] = 0.0
    for q in range(m):
        r = q if C.head[q] < 0 else C.head[q]  # the rows of a relation add up to one
        if not C.active[r]:
            continue
        c = A.constraints[q]
        for side in range(2):
            b = c.i if side == 0 else c.j
            if b < 0:
                continue
            at, k = 6 * side, 7 * b
            for i in range(3):
                C.D[r, k + i] += C.J[q, at + i]
            turn = tmatvec(v9(W.bodies[b].R), v3(C.J[q, at + 3 : at + 6]))
            e0, e1, e2, e3 = four(C.y, LENGTH * b + ATTITUDE)
            C.D[r, k + 3] += 2.0 * (-turn[0] * e1 - turn[1] * e2 - turn[2] * e3)
            C.D[r, k + 4] += 2.0 * (turn[0] * e0 - turn[1] * e3 + turn[2] * e2)
            C.D[r, k + 5] += 2.0 * (turn[0] * e3 + turn[1] * e0 - turn[2] * e1)
            C.D[r, k + 6] += 2.0 * (-turn[0] * e2 + turn[1] * e1 + turn[2] * e0)
    for b in range(n):
        for k in range(4):
            C.D[m + b, 7 * b + 3 + k] = 2.0 * C.y[LENGTH * b + ATTITUDE + k]


@kernel
def eliminate(D, rows, columns, weight, tolerance):
    """Reduce D by Gaussian elimination with full pivoting; return its rank.

    rows and columns are reordered: the first `rank` rows are independent, the first `rank` columns the dependent
    coordinates. A smaller `weight` makes a column less likely to become dependent.
    """
    m, n = D.shape[0], D.shape[1]
    for r in range(m):
        rows[r] = r
    for k in range(n):
        columns[k] = k
    largest = 0.0
    for step in range(min(m, n)):
        best, pr, pc = -1.0, step, step
        for r in range(step, m):
            for k in range(step, n):
                size = abs(D[rows[r], columns[k]]) * weight[columns[k]]
                if size > best:
                    best, pr, pc = size, r, k
        rows[step], rows[pr] = rows[pr], rows[step]
        columns[step], columns[pc] = columns[pc], columns[step]
        pivot = D[rows[step], columns[step]]
        if step == 0:
            largest = abs(pivot)
        if not abs(pivot) > tolerance * largest:
            return step
        for r in range(step + 1, m):
            factor = D[rows[r], columns[step]] / pivot
            if factor != 0.0:
                for k in range(step, n):
                    D[rows[r], columns[k]] -= factor * D[rows[step], columns[k]]
    return min(m, n)


@kernel
def lu_factorise(K, pivots, n):
    """Factorise the leading n by n part of K in place with partial pivoting; return the smallest pivot."""
    smallest = -1.0
    for c in range(n):
        p = c
        for r in range(c + 1, n):
            if abs(K[r, c]) > abs(K[p, c]):
                p = r
        pivots[c] = p
        if p != c:
            for k in range(n):
                K[c, k], K[p, k] = K[p, k], K[c, k]
        pivot = K[c, c]
        if smallest < 0.0 or abs(pivot) < smallest:
            smallest = abs(pivot)
        if pivot == 0.0:
            return 0.0
        for r in range(c + 1, n):
            factor = K[r, c] / pivot
            K[r, c] = factor
            if factor != 0.0:
                for k in range(c + 1, n):
                    K[r, k] -= factor * K[c, k]
    return smallest


@kernel
def lu_solve(K, pivots, b, n):
    """Solve K x = b in place with the factors."""
    for c in range(n):
        p = pivots[c]
        b[c], b[p] = b[p], b[c]
    for r in range(n):
        total = b[r]
        for k in range(r):
            total -= K[r, k] * b[k]
        b[r] = total
    for r in range(n - 1, -1, -1):
        total = b[r]
        for k in range(r + 1, n):
            total -= K[r, k] * b[k]
        b[r] = total / K[r, r]


@kernel
def amplification(C, rank):
    """Return the largest entry of U^-1 V: how much dependent rates amplify independent ones. U holds factors."""
    largest = 0.0
    for f in range(rank, C.columns.shape[0]):
        for r in range(rank):
            C.b[r] = C.D[C.rows[r], C.columns[f]]
        lu_solve(C.U, C.pivots, C.b, rank)
        for r in range(rank):
            if not abs(C.b[r]) <= largest:
                largest = abs(C.b[r])
    return largest
