"""All loads of a model at one instant, and what they sum to on each body."""

from __future__ import annotations

from fairlead.core.compiled import inlined
from fairlead.core.loads.forces import fill_channels, forces
from fairlead.core.loads.matrices import matrices
from fairlead.core.loads.mooring import lines
from fairlead.core.loads.rotor import rotors
from fairlead.core.loads.springs import rotational_springs, springs
from fairlead.core.vec import add, put3, v3

ZERO = (0.0, 0.0, 0.0)


@inlined
def load(t, A, W):
    """Fill every load row and the sums f, n on each body; rows of outside loads keep what was put there."""
    W.added[:] = 0.0
    springs(A, W)
    rotational_springs(A, W)
    matrices(A, W)
    lines(A, W)
    rotors(t, A, W)
    if A.forces.shape[0] > 0:
        fill_channels(t, A, W)
        forces(t, A, W)
    for i in range(A.bodies.shape[0]):
        put3(W.bodies[i].f, ZERO)
        put3(W.bodies[i].n, ZERO)
    for k in range(A.rows.shape[0]):
        row, b = W.rows[k], W.bodies[A.rows[k].body]
        put3(b.f, add(v3(b.f), v3(row.f)))
        put3(b.n, add(v3(b.n), v3(row.n)))
