"""Linear 6x6 stiffness, damping, preload and added mass at a point, world axes."""

from __future__ import annotations

from fairlead.core.arrays import M, S, V, rows
from fairlead.core.jit.kernel import inlined, kernel
from fairlead.core.loads.rotational_springs import turn_from_drawing
from fairlead.core.rotation import rotation_vector
from fairlead.core.vec import add, axpy, cross, matvec, put3, sub, v3, v9

MATRIX = rows("row body has_A", r_BP_D=V, x_WP_W=V, preload=S, K=M, C=M, A=M)
ZERO = (0.0, 0.0, 0.0)


@kernel
def half(M, row, lin, ang):
    """Return three rows of the 6x6 matrix M, from `row` on, times (lin, ang)."""
    out = ZERO
    for j in range(3):
        out = axpy(lin[j], (M[row, j], M[row + 1, j], M[row + 2, j]), out)
        out = axpy(ang[j], (M[row, 3 + j], M[row + 1, 3 + j], M[row + 2, 3 + j]), out)
    return out


@kernel
def unit6(c):
    """Return the c-th unit six-vector as its linear and angular parts."""
    lin = (1.0 if c == 0 else 0.0, 1.0 if c == 1 else 0.0, 1.0 if c == 2 else 0.0)
    return lin, (1.0 if c == 3 else 0.0, 1.0 if c == 4 else 0.0, 1.0 if c == 5 else 0.0)


@inlined
def matrices(A, W):
    """F = F0 - K (displacement, rotation vector) - C (velocity) - A (acceleration), acting at the displaced point.

    The part of the added mass that multiplies the unknown acceleration goes to W.added (the left-hand side).
    """
    for j in range(A.loads.matrices.shape[0]):
        M = A.loads.matrices[j]
        b = W.bodies[M.body]
        w = v3(b.w)
        s = matvec(v9(b.R), v3(M.r_BP_D))
        ws = cross(w, s)
        moved = sub(add(v3(b.x), s), v3(M.x_WP_W))
        turned = rotation_vector(turn_from_drawing(M.body, A, W))
        v = add(v3(b.u), ws)
        f = sub(sub(v3(M.preload), half(M.K, 0, moved, turned)), half(M.C, 0, v, w))
        n = sub(sub(v3(M.preload[3:]), half(M.K, 3, moved, turned)), half(M.C, 3, v, w))
        if M.has_A:
            wws = cross(w, ws)
            f, n = sub(f, half(M.A, 0, wws, ZERO)), sub(n, half(M.A, 3, wws, ZERO))
            _add_at_centre(M.A, s, W.added[M.body])
        put3(W.rows[M.row].f, f)
        put3(W.rows[M.row].n, add(n, cross(s, f)))


@kernel
def _add_at_centre(M, s, out):
    """Add X^T M X to out, X = [1, -s~; 0, 1]: the matrix at the point P = B + s moved to the mass centre B."""
    for c in range(6):
        lin, ang = unit6(c)
        lin = add(lin, cross(ang, s))
        f = half(M, 0, lin, ang)
        n = add(half(M, 3, lin, ang), cross(s, f))
        for i in range(3):
            out[i, c] += f[i]
            out[3 + i, c] += n[i]


@inlined
def settle_matrices(A, W):
    """Complete the rows of matrices with added mass, now that the accelerations are known."""
    for j in range(A.loads.matrices.shape[0]):
        M = A.loads.matrices[j]
        if M.has_A:
            b, row = W.bodies[M.body], W.rows[M.row]
            s = matvec(v9(b.R), v3(M.r_BP_D))
            al = v3(b.al)
            a = add(v3(b.a), cross(al, s))
            f = half(M.A, 0, a, al)
            n = add(half(M.A, 3, a, al), cross(s, f))
            put3(row.f, sub(v3(row.f), f))
            put3(row.n, sub(v3(row.n), n))
            put3(b.f, sub(v3(b.f), f))
            put3(b.n, sub(v3(b.n), n))
