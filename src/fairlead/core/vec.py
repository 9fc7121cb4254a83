"""Small vectors as tuples: a vector is three floats, a matrix nine by rows, a symmetric one six (xx yy zz xy xz yz)."""

from __future__ import annotations

import math

from fairlead.core.jit.kernel import kernel

ZERO = (0.0, 0.0, 0.0)


@kernel
def v3(a):
    """Return the first three entries of an array as a tuple."""
    return (a[0], a[1], a[2])


@kernel
def v6(a):
    return (a[0], a[1], a[2], a[3], a[4], a[5])


@kernel
def v9(a):
    return (a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8])


@kernel
def put3(array, a):
    array[0] = a[0]
    array[1] = a[1]
    array[2] = a[2]


@kernel
def put6(array, a):
    array[0] = a[0]
    array[1] = a[1]
    array[2] = a[2]
    array[3] = a[3]
    array[4] = a[4]
    array[5] = a[5]


@kernel
def put9(array, a):
    array[0] = a[0]
    array[1] = a[1]
    array[2] = a[2]
    array[3] = a[3]
    array[4] = a[4]
    array[5] = a[5]
    array[6] = a[6]
    array[7] = a[7]
    array[8] = a[8]


@kernel
def add(a, b):
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


@kernel
def sub(a, b):
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


@kernel
def scale(s, a):
    return (s * a[0], s * a[1], s * a[2])


@kernel
def axpy(s, a, b):
    """Return s a + b."""
    return (s * a[0] + b[0], s * a[1] + b[1], s * a[2] + b[2])


@kernel
def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@kernel
def norm(a):
    return math.sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2])


@kernel
def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


@kernel
def matvec(m, a):
    return (
        m[0] * a[0] + m[1] * a[1] + m[2] * a[2],
        m[3] * a[0] + m[4] * a[1] + m[5] * a[2],
        m[6] * a[0] + m[7] * a[1] + m[8] * a[2],
    )


@kernel
def tmatvec(m, a):
    """Return the transpose of m times a."""
    return (
        m[0] * a[0] + m[3] * a[1] + m[6] * a[2],
        m[1] * a[0] + m[4] * a[1] + m[7] * a[2],
        m[2] * a[0] + m[5] * a[1] + m[8] * a[2],
    )


@kernel
def matmul(m, n):
    return (
        m[0] * n[0] + m[1] * n[3] + m[2] * n[6],
        m[0] * n[1] + m[1] * n[4] + m[2] * n[7],
        m[0] * n[2] + m[1] * n[5] + m[2] * n[8],
        m[3] * n[0] + m[4] * n[3] + m[5] * n[6],
        m[3] * n[1] + m[4] * n[4] + m[5] * n[7],
        m[3] * n[2] + m[4] * n[5] + m[5] * n[8],
        m[6] * n[0] + m[7] * n[3] + m[8] * n[6],
        m[6] * n[1] + m[7] * n[4] + m[8] * n[7],
        m[6] * n[2] + m[7] * n[5] + m[8] * n[8],
    )


@kernel
def transpose(m):
    return (m[0], m[3], m[6], m[1], m[4], m[7], m[2], m[5], m[8])


@kernel
def symvec(s, a):
    """Return the symmetric matrix s (xx yy zz xy xz yz) times a."""
    return (
        s[0] * a[0] + s[3] * a[1] + s[4] * a[2],
        s[3] * a[0] + s[1] * a[1] + s[5] * a[2],
        s[4] * a[0] + s[5] * a[1] + s[2] * a[2],
    )


@kernel
def congruence(m, s):
    """Return m s m^T for a symmetric s: a tensor in the axes m turns to."""
    a = symvec(s, (m[0], m[1], m[2]))
    b = symvec(s, (m[3], m[4], m[5]))
    c = symvec(s, (m[6], m[7], m[8]))
    return (
        m[0] * a[0] + m[1] * a[1] + m[2] * a[2],
        m[3] * b[0] + m[4] * b[1] + m[5] * b[2],
        m[6] * c[0] + m[7] * c[1] + m[8] * c[2],
        m[3] * a[0] + m[4] * a[1] + m[5] * a[2],
        m[6] * a[0] + m[7] * a[1] + m[8] * a[2],
        m[6] * b[0] + m[7] * b[1] + m[8] * b[2],
    )


@kernel
def solve_sym3(s, b):
    """Return (x, determinant) of s x = b for a symmetric s, by cofactors."""
    c0 = s[1] * s[2] - s[5] * s[5]
    c1 = s[4] * s[5] - s[3] * s[2]
    c2 = s[3] * s[5] - s[4] * s[1]
    det = s[0] * c0 + s[3] * c1 + s[4] * c2
    c3 = s[0] * s[2] - s[4] * s[4]
    c4 = s[3] * s[4] - s[0] * s[5]
    c5 = s[0] * s[1] - s[3] * s[3]
    inv = 1.0 / det
    return (
        (
            (c0 * b[0] + c1 * b[1] + c2 * b[2]) * inv,
            (c1 * b[0] + c3 * b[1] + c4 * b[2]) * inv,
            (c2 * b[0] + c4 * b[1] + c5 * b[2]) * inv,
        ),
        det,
    )


@kernel
def inverse_sym3(s):
    """Return the inverse of a symmetric matrix, by cofactors."""
    c0 = s[1] * s[2] - s[5] * s[5]
    c1 = s[4] * s[5] - s[3] * s[2]
    c2 = s[3] * s[5] - s[4] * s[1]
    inv = 1.0 / (s[0] * c0 + s[3] * c1 + s[4] * c2)
    c3 = s[0] * s[2] - s[4] * s[4]
    c4 = s[3] * s[4] - s[0] * s[5]
    c5 = s[0] * s[1] - s[3] * s[3]
    return (c0 * inv, c3 * inv, c5 * inv, c1 * inv, c2 * inv, c4 * inv)


@kernel
def add6(a, b):
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3], a[4] + b[4], a[5] + b[5])


@kernel
def add9(m, n):
    return (
        m[0] + n[0],
        m[1] + n[1],
        m[2] + n[2],
        m[3] + n[3],
        m[4] + n[4],
        m[5] + n[5],
        m[6] + n[6],
        m[7] + n[7],
        m[8] + n[8],
    )


@kernel
def sub9(m, n):
    return (
        m[0] - n[0],
        m[1] - n[1],
        m[2] - n[2],
        m[3] - n[3],
        m[4] - n[4],
        m[5] - n[5],
        m[6] - n[6],
        m[7] - n[7],
        m[8] - n[8],
    )


@kernel
def determinant3(m):
    return m[0] * (m[4] * m[8] - m[5] * m[7]) + m[1] * (m[5] * m[6] - m[3] * m[8]) + m[2] * (m[3] * m[7] - m[4] * m[6])


@kernel
def inverse3(m):
    """Return the inverse of a matrix, by cofactors."""
    s = 1.0 / determinant3(m)
    return (
        s * (m[4] * m[8] - m[5] * m[7]),
        s * (m[2] * m[7] - m[1] * m[8]),
        s * (m[1] * m[5] - m[2] * m[4]),
        s * (m[5] * m[6] - m[3] * m[8]),
        s * (m[0] * m[8] - m[2] * m[6]),
        s * (m[2] * m[3] - m[0] * m[5]),
        s * (m[3] * m[7] - m[4] * m[6]),
        s * (m[1] * m[6] - m[0] * m[7]),
        s * (m[0] * m[4] - m[1] * m[3]),
    )
