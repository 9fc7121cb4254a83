"""Factors L L^T of symmetric positive definite matrices."""

from __future__ import annotations

import math

from fairlead.core.jit.kernel import kernel


@kernel
def cholesky(M, n, least):
    """Turn the lower triangle of the first n rows of M into L, M = L L^T, with reciprocals on its diagonal.

    Return -1, or the first row of which no more is left than `least` of its diagonal: there it ends.
    """
    for i in range(n):
        for j in range(i + 1):
            total = M[i, j]
            for k in range(j):
                total -= M[i, k] * M[j, k]
            if i > j:
                M[i, j] = total * M[j, j]
            elif total > least * M[i, i]:
                M[i, i] = 1.0 / math.sqrt(total)
            else:
                return i
    return -1
