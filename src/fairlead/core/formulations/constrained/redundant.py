"""Multipliers of least norm, where redundant equations leave them undetermined."""

from __future__ import annotations

from fairlead.core.constraints.envelope import ALL, eliminate, lay_out, multiply, solve
from fairlead.core.constraints.relations import chain_product
from fairlead.core.jit.kernel import kernel

FORCES = 1e-10  # of the largest: what multipliers of least norm may leave out


@kernel
def share(r, k, A, W):
    """Return (J J^T) of rows r and k: over the bodies they share."""
    return chain_product(r, k, W.constraint, W.constraint.J, W.constraint.J)


@kernel
def least_norm(A, W):
    """Replace the multipliers by those of least norm with the same forces J^T lam on every body.

    lam = (J J^T + e)^-1 J J^T lam, refined: what e leaves out is fed back, so e only has to keep the factors finite.
    Near a singular position that takes a smaller e, or forces would be left out.
    """
    C = W.constraint
    n, largest = lay_out(C), 0.0
    for j in range(n):
        first, at = C.skyline[j, 0], C.skyline[j, 1]
        for k in range(first, j + 1):
            C.T[at + k] = share(C.live[j], C.live[k], A, W)
        largest = max(largest, C.T[at + j])
    multiply(C.T, C.lam, C.phi, C)
    whole = 0.0
    for r in range(C.ends.shape[0]):
        C.lam[r], C.b[r] = 0.0, C.phi[r]
        whole = max(whole, abs(C.phi[r]))
    for e in (1e-9, 1e-12):
        left = refine(e * largest, A, W)
        if left <= FORCES * whole:
            break


@kernel
def refine(e, A, W):
    """Add to the multipliers what twelve sweeps with J J^T + e give for the forces in C.b; return what is left."""
    C = W.constraint
    n = C.lowest[-1]
    for k in range(C.T.shape[0]):
        C.S[k] = C.T[k]
    for j in range(n):
        C.S[C.skyline[j, 1] + j] += e
    eliminate(C.S, C, ALL, 0.0, 0)
    left = 0.0
    for _ in range(12):
        left = 0.0
        for j in range(n):
            C.c[j] = C.b[C.live[j]]
        solve(C.S, C.b, C)
        for r in range(C.ends.shape[0]):
            C.lam[r] += C.b[r]
        multiply(C.T, C.lam, C.b, C)
        for r in range(C.ends.shape[0]):
            C.b[r] = C.phi[r] - C.b[r]
            left = max(left, abs(C.b[r]))
    return left
