"""Work of every load and driver and the impulse of all external forces, as rates integrated with the state."""

from __future__ import annotations

from fairlead.core.compiled import inlined
from fairlead.core.inverse import system_centre
from fairlead.core.vec import add, cross, dot, scale, sub, v3

ZERO = (0.0, 0.0, 0.0)


@inlined
def work_and_impulse(dy, A, W):
    """Write the power of each load row and driver, then external force and moment about the system's mass centre.

    They stand behind the formulation's own state: load rows, coordinates, impulse (3), angular impulse (3).
    """
    s = A.states
    mass, R, _ = system_centre(A, W)
    F, M = scale(mass, v3(A.gravity)), ZERO
    for k in range(A.rows.shape[0]):
        row, b = W.rows[k], W.bodies[A.rows[k].body]
        f, n = v3(row.f), v3(row.n)
        dy[s + k] = dot(f, v3(b.u)) + dot(n, v3(b.w))
        if A.rows[k].external:
            F = add(F, f)
            M = add(M, add(n, cross(sub(v3(b.x), R), f)))
    s += A.rows.shape[0]
    for k in range(A.coordinates.shape[0]):
        dy[s + k] = W.coordinates[k].drive * W.coordinates[k].dq
    s += A.coordinates.shape[0]
    for tree in range(A.trees.shape[0]):
        if A.trees[tree].rooted:
            b = W.bodies[A.trees[tree].first]
            f = v3(b.joint_f)
            F = add(F, f)
            M = add(M, add(v3(b.joint_n), cross(sub(v3(b.joint_x), R), f)))
    dy[s], dy[s + 1], dy[s + 2] = F
    dy[s + 3], dy[s + 4], dy[s + 5] = M


def quadratures(A) -> int:
    """Return how many integrals follow the formulation's state."""
    return len(A.rows) + len(A.coordinates) + 6
