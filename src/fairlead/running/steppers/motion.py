"""The motion of the bodies as functions, partners and other programs are told it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fairlead.running.simulation import Simulation

Motion = dict[str, tuple[Any, Any, Any, Any]]


def motion_of(simulation: Simulation) -> Motion:
    """Return position, rotation matrix, velocity and angular velocity of every body as placed last, world axes."""
    found = {}
    for name, i in simulation.compiled.index.tree_order.items():
        body = simulation.work.bodies[i]
        R_WB = body["R"].reshape(3, 3) @ simulation.arrays.bodies["R_DB"][i].reshape(3, 3)
        found[name] = (body["x"].copy(), R_WB, body["u"].copy(), body["w"].copy())
    return found
