"""Symmetric matrices between active constraint equations, stored row by row from the first that shares a body.

Equations are ordered so that joints on the same body stand close (`model/compile_constraints.py`); factors stay inside
the envelope, so chains and ladders cost in proportion to their length. Rows that only measure are left out: row j,
column k of the active ones is S[start[j] + k] for first[j] <= k <= j.
"""

from __future__ import annotations

from fairlead.core.compiled import kernel


@kernel
def lay_out(C):
    """Number the active rows and lay out their envelope; return how many there are."""
    bodies = C.lowest.shape[0] - 1
    for b in range(bodies):
        C.lowest[b] = -1
    n, used = 0, 0
    for r in range(C.ends.shape[0]):
        if not C.active[r]:
            C.skip[r] = 1
            continue
        first = n
        for side in range(2):
            b = C.ends[r, side]
            if b >= 0:
                if C.lowest[b] < 0:
                    C.lowest[b] = n
                first = min(first, C.lowest[b])
        C.live[n] = r
        C.skyline[n, 0], C.skyline[n, 1] = first, used - first
        used += n - first + 1
        n += 1
    C.lowest[bodies] = n
    return n


@kernel
def factorise(S, C, threshold):
    """Turn S into its factors L D L^T in place, with 1/D on the diagonal.

    A pivot below `threshold` of its diagonal marks the row as skipped: its 1/D is zero, so products with it vanish.
    """
    for j in range(C.lowest[-1]):
        first, at = C.skyline[j, 0], C.skyline[j, 1]
        for k in range(first, j):
            here, low = C.skyline[k, 1], max(first, C.skyline[k, 0])
            mine, its = S[at + low : at + k], S[here + low : here + k]
            total = S[at + k]
            for i in range(k - low):
                total -= mine[i] * its[i]
            S[at + k] = total  # L times D for now
        pivot = S[at + j]
        whole = pivot
        for k in range(first, j):
            part = S[at + k] * S[C.skyline[k, 1] + k]
            pivot -= part * S[at + k]
            S[at + k] = part
        good = pivot > threshold * whole
        S[at + j] = 1.0 / pivot if good else 0.0
        C.skip[C.live[j]] = 0 if good else 1


@kernel
def solve(S, x, C):
    """Solve S x = c for c in C.c and write x by rows; skipped and inactive rows get zero."""
    n, c = C.lowest[-1], C.c
    for j in range(n):
        first, at = C.skyline[j, 0], C.skyline[j, 1]
        total, mine, its = c[j], S[at + first : at + j], c[first:j]
        for k in range(j - first):
            total -= mine[k] * its[k]
        c[j] = total
    for j in range(n):
        c[j] *= S[C.skyline[j, 1] + j]
    for j in range(n - 1, -1, -1):
        first, at, value = C.skyline[j, 0], C.skyline[j, 1], c[j]
        mine, its = S[at + first : at + j], c[first:j]
        for k in range(j - first):
            its[k] -= mine[k] * value
    for r in range(C.ends.shape[0]):
        x[r] = 0.0
    for j in range(n):
        x[C.live[j]] = c[j]


@kernel
def multiply(S, x, out, C):
    """Fill out with S x over active rows, for a matrix that has not been factorised."""
    n = C.lowest[-1]
    for r in range(C.ends.shape[0]):
        out[r] = 0.0
    for j in range(n):
        r, first, at = C.live[j], C.skyline[j, 0], C.skyline[j, 1]
        for k in range(first, j):
            out[r] += S[at + k] * x[C.live[k]]
            out[C.live[k]] += S[at + k] * x[r]
        out[r] += S[at + j] * x[r]
