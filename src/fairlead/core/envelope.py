"""Symmetric matrices between constraint equations, stored row by row from the first equation that shares a body.

Equations are ordered so that joints on the same body stand close (`model/compile_constraints.py`); factors stay inside
the envelope, so chains and ladders cost in proportion to their length. Row r, column k is S[at[r] + k] for
first[r] <= k <= r.
"""

from __future__ import annotations

from fairlead.core.compiled import kernel


@kernel
def factorise(S, A, C, threshold):
    """Turn S into its factors L D L^T in place; a pivot below `threshold` of its diagonal marks the row as skipped."""
    for j in range(A.envelope.shape[0]):
        C.skip[j] = 1 - C.active[j]
        if C.skip[j]:
            continue
        first, at = A.envelope[j, 0], A.envelope[j, 1]
        whole = S[at + j]
        for k in range(first, j):
            if C.skip[k]:
                continue
            low, here = A.envelope[k, 0], A.envelope[k, 1]
            total = S[at + k]
            for i in range(max(first, low), k):
                if not C.skip[i]:
                    total -= S[at + i] * S[here + i]
            S[at + k] = total  # L times D for now
        for k in range(first, j):
            if not C.skip[k]:
                part = S[at + k] / S[A.envelope[k, 1] + k]
                S[at + j] -= part * S[at + k]
                S[at + k] = part
        if not S[at + j] > threshold * whole:
            C.skip[j] = 1


@kernel
def solve(S, b, A, C):
    """Solve S x = b in place with the factors; skipped equations get zero."""
    m = A.envelope.shape[0]
    for r in range(m):
        if C.skip[r]:
            b[r] = 0.0
            continue
        first, at = A.envelope[r, 0], A.envelope[r, 1]
        for k in range(first, r):
            if not C.skip[k]:
                b[r] -= S[at + k] * b[k]
    for r in range(m):
        if not C.skip[r]:
            b[r] /= S[A.envelope[r, 1] + r]
    for r in range(m - 1, -1, -1):
        if not C.skip[r]:
            first, at = A.envelope[r, 0], A.envelope[r, 1]
            for k in range(first, r):
                if not C.skip[k]:
                    b[k] -= S[at + k] * b[r]


@kernel
def multiply(S, x, out, A):
    """Fill out with S x for a matrix that has not been factorised."""
    m = A.envelope.shape[0]
    for r in range(m):
        out[r] = 0.0
    for r in range(m):
        first, at = A.envelope[r, 0], A.envelope[r, 1]
        for k in range(first, r):
            out[r] += S[at + k] * x[k]
            out[k] += S[at + k] * x[r]
        out[r] += S[at + r] * x[r]
