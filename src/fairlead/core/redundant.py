"""Multipliers of least norm, where redundant equations leave them undetermined."""

from __future__ import annotations

from fairlead.core.compiled import kernel


@kernel
def share(r, k, A, W):
    """Return (J J^T) of rows r and k: over the bodies they share."""
    a, b = A.constraints[r], A.constraints[k]
    total = 0.0
    for p in range(2):
        for q in range(2):
            body = a.i if p == 0 else a.j
            if body >= 0 and body == (b.i if q == 0 else b.j):
                for m in range(6):
                    total += W.C.J[r, 6 * p + m] * W.C.J[k, 6 * q + m]
    return total


@kernel
def least_norm(A, W):
    """Replace the multipliers by those of least norm with the same forces J^T lam on every body.

    lam = (J J^T + e)^-1 J J^T lam, refined: what e leaves out is fed back, so e only has to keep the factors finite.
    """
    C, m = W.C, A.constraints.shape[0]
    largest = 0.0
    for r in range(m):
        for k in range(r + 1):
            C.S[r, k] = share(r, k, A, W) if C.active[r] and C.active[k] else 0.0
            C.S[k, r] = C.S[r, k]
        largest = max(largest, C.S[r, r])
    for r in range(m):
        total = 0.0
        for k in range(m):
            total += C.S[r, k] * C.lam[k]
        C.b[r] = total
    for r in range(m):
        C.nu[r], C.lam[r] = C.b[r], 0.0
    for j in range(m):  # Cholesky of J J^T + e in the lower triangle; the upper one keeps J J^T
        C.phi[j] = C.S[j, j]
        total = C.S[j, j] + 1e-9 * largest
        for k in range(j):
            total -= C.S[j, k] * C.S[j, k]
        C.S[j, j] = total**0.5
        for r in range(j + 1, m):
            total = C.S[r, j]
            for k in range(j):
                total -= C.S[r, k] * C.S[j, k]
            C.S[r, j] = total / C.S[j, j]
    for _ in range(4):
        for r in range(m):
            for k in range(r):
                C.b[r] -= C.S[r, k] * C.b[k]
            C.b[r] /= C.S[r, r]
        for r in range(m - 1, -1, -1):
            for k in range(r + 1, m):
                C.b[r] -= C.S[k, r] * C.b[k]
            C.b[r] /= C.S[r, r]
        for r in range(m):
            C.lam[r] += C.b[r]
        for r in range(m):
            total = C.nu[r] - C.phi[r] * C.lam[r]
            for k in range(m):
                if k != r:
                    total -= C.S[min(r, k), max(r, k)] * C.lam[k]
            C.b[r] = total
