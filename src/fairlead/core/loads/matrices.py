"""Linear 6x6 stiffness, damping, preload and added mass at a point, in axes of the world or that turn with the body."""

from __future__ import annotations

import math

from fairlead.core.arrays import M, S, V, rows
from fairlead.core.jit.by_symbol import when_needed
from fairlead.core.jit.kernel import inlined, kernel
from fairlead.core.loads.rotational_springs import turn_from_drawing
from fairlead.core.rotation import rotation_vector
from fairlead.core.vec import add, axpy, cross, matvec, put3, sub, tmatvec, v3, v9

# `turns`: 1 if displacements and forces are along axes that yaw with the body, 2 if along its own
MATRIX = rows("row body has_A turns", r_BP_D=V, x_WP_W=V, preload=S, K=M, C=M, A=M)
YAWING, OWN = 1, 2
ZERO = (0.0, 0.0, 0.0)
IDENTITY = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)


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


@kernel
def yawing(R):
    """Return the axes Z = Rz(yaw) that yaw with a body turned by R = Rz(yaw) Ry(pitch) Rx(roll), and its three angles.

    Linear hydrostatics as OpenFAST's HydroDyn applies it: moments about these axes, by these angles.
    """
    forward = math.hypot(R[0], R[3])  # cosine of the pitch
    c, s = R[0] / forward, R[3] / forward
    angles = (math.atan2(R[7], R[8]), math.atan2(-R[6], forward), math.atan2(R[3], R[0]))
    return (c, -s, 0.0, s, c, 0.0, 0.0, 0.0, 1.0), angles


@kernel
def axes_and_turn(M, A, W):
    """Return the axes Z of a matrix in the world, and how its body is turned: rotation vector, or angles if it yaws."""
    R = turn_from_drawing(M.body, A, W)
    if M.turns == YAWING:
        return yawing(R)
    return (R if M.turns == OWN else IDENTITY), rotation_vector(R)  # R leaves its own rotation vector as it is


@inlined
def matrices(A, W):
    """Rows of the matrices, and their added mass about the mass centres."""
    for j in range(A.loads.matrices.shape[0]):
        matrix_when_needed(j, A, W)


@kernel
def one_matrix(j, A, W):
    """F = F0 - K (displacement, turn) - C (velocity) - A (acceleration), acting at the displaced point; all in axes Z.

    The part of the added mass that multiplies the unknown acceleration goes to W.added (the left-hand side).
    """
    M = A.loads.matrices[j]
    b = W.bodies[M.body]
    s = matvec(v9(b.R), v3(M.r_BP_D))
    ws = cross(v3(b.w), s)
    Z, turned = axes_and_turn(M, A, W)
    moved = tmatvec(Z, sub(add(v3(b.x), s), v3(M.x_WP_W)))
    v, w = tmatvec(Z, add(v3(b.u), ws)), tmatvec(Z, v3(b.w))
    f = sub(sub(v3(M.preload), half(M.K, 0, moved, turned)), half(M.C, 0, v, w))
    n = sub(sub(v3(M.preload[3:]), half(M.K, 3, moved, turned)), half(M.C, 3, v, w))
    if M.has_A:
        wws = tmatvec(Z, cross(v3(b.w), ws))
        f, n = sub(f, half(M.A, 0, wws, ZERO)), sub(n, half(M.A, 3, wws, ZERO))
        _add_at_centre(M.A, s, Z, W.added[M.body])
    f = matvec(Z, f)
    put3(W.rows[M.row].f, f)
    put3(W.rows[M.row].n, add(matvec(Z, n), cross(s, f)))


matrix_when_needed = when_needed(one_matrix)


@kernel
def _add_at_centre(M, s, Z, out):
    """Add X^T Z M Z^T X to out, X = [1, -s~; 0, 1]: the matrix at the point P = B + s moved to the mass centre B."""
    for c in range(6):
        lin, ang = unit6(c)
        lin, ang = tmatvec(Z, add(lin, cross(ang, s))), tmatvec(Z, ang)
        f = matvec(Z, half(M, 0, lin, ang))
        n = add(matvec(Z, half(M, 3, lin, ang)), cross(s, f))
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
            Z, _ = axes_and_turn(M, A, W)
            a, al = tmatvec(Z, add(v3(b.a), cross(v3(b.al), s))), tmatvec(Z, v3(b.al))
            f = matvec(Z, half(M.A, 0, a, al))
            n = add(matvec(Z, half(M.A, 3, a, al)), cross(s, f))
            put3(row.f, sub(v3(row.f), f))
            put3(row.n, sub(v3(row.n), n))
            put3(b.f, sub(v3(b.f), f))
            put3(b.n, sub(v3(b.n), n))
