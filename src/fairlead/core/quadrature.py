"""Work of every load and driver and the impulse of all external forces, as rates integrated with the state."""

from __future__ import annotations

from fairlead.core.codes import LOOSE
from fairlead.core.inverse import system_centre
from fairlead.core.jit.kernel import inlined
from fairlead.core.vec import add, axpy, cross, dot, sub, v3


@inlined
def work_and_impulse(dy, root_f, root_n, A, W):
    """Write the power of each load row and driver, then external force and moment about the system's mass centre.

    They stand behind the formulation's own state: load rows, coordinates, impulse (3), angular impulse (3), and where
    bodies stand alone the turns of the coordinates, whose measured angles know no more than one.
    root_f and root_n are what joints to the world bring in, the moment about the world's origin.
    """
    s = A.states
    mass, R, _ = system_centre(A, W)
    F, M = axpy(mass, v3(A.gravity), root_f), sub(root_n, cross(R, root_f))
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
    dy[s], dy[s + 1], dy[s + 2] = F
    dy[s + 3], dy[s + 4], dy[s + 5] = M
    for k in range(dy.shape[0] - s - 6):
        dy[s + 6 + k] = W.coordinates[k].dq


def quadratures(A) -> int:
    """Return how many integrals follow the formulation's state."""
    turns = len(A.coordinates) if A.options[LOOSE] or len(A.constraints) else 0
    return len(A.rows) + len(A.coordinates) + 6 + turns
