"""The ends of a pipeline as most formulations have them; one that differs has a kernel of that name in its own folder.

A formulation gives `before` (place the bodies: what loads need to know), `after` (apply the loads, solve, pass forces
on) and `drift` (the part of the rate that needs no forces).
"""

from __future__ import annotations

from fairlead.core.jit.kernel import kernel
from fairlead.core.observe import write_tree_record_by_symbol
from fairlead.core.unbound import after, before


def rhs(t, y, dy, A, W):
    """Fill dy, the rate of the state and of the integrals of work and impulse, and W with everything on the way."""
    before(t, y, A, W)
    after(t, y, dy, A, W)


@kernel
def begin_step(t, y, A, W):
    """Nothing has to be prepared before a step."""


@kernel
def project(t, y, A, W):
    """Free coordinates that are as many as the freedoms need no correction after a step."""


@kernel
def observe(t, y, A, W, out):
    """Write the record of an instant that `rhs` has just evaluated."""
    write_tree_record_by_symbol(t, y, A, W, out)
