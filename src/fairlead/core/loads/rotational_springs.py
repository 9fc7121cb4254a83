"""Rotational springs and dampers, between bodies or to the world."""

from __future__ import annotations

from fairlead.core.arrays import V, rows
from fairlead.core.jit.kernel import inlined, kernel
from fairlead.core.rotation import rotation_vector
from fairlead.core.vec import axpy, dot, matmul, matvec, put3, scale, sub, transpose, v3, v9

ROTATIONAL = rows("row near far", axis_D=V, stiffness=(), damping=())  # axis in the far body's axes, zero: all


@kernel
def turn_from_drawing(b, A, W):
    """Return the rotation (world axes) that takes body b from its drawn attitude to its present one."""
    return matmul(v9(W.bodies[b].R), transpose(v9(A.trees[A.bodies[b].tree].R_WD)))


@inlined
def rotational_springs(A, W):
    """Moment -k phi - c w on the body relative to the other, phi the rotation vector from the drawing."""
    for j in range(A.loads.rotational_springs.shape[0]):
        S = A.loads.rotational_springs[j]
        turn = turn_from_drawing(S.near, A, W)
        w = v3(W.bodies[S.near].w)
        axis = v3(S.axis_D)
        if S.far >= 0:
            turn = matmul(turn, transpose(turn_from_drawing(S.far, A, W)))
            w = sub(w, v3(W.bodies[S.far].w))
            axis = matvec(v9(W.bodies[S.far].R), axis)
        n = axpy(-S.stiffness, rotation_vector(turn), scale(-S.damping, w))
        if dot(axis, axis) > 0.0:
            n = scale(dot(n, axis), axis)
        put3(W.rows[S.row].n, n)
        if S.far >= 0:
            put3(W.rows[S.row + 1].n, scale(-1.0, n))
