"""The state of a legacy run as its checkpoints hold it: q and q' of the bodies in the order of the case."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from fairlead.core.layout import ATTITUDE, LENGTH, VELOCITY
from fairlead.core.record import columns
from fairlead.running.simulation import Simulation

Array = npt.NDArray[np.float64]


def legacy_state(simulation: Simulation) -> tuple[Array, Array]:
    """Return q and q' of the bodies in the user's order, as a checkpoint holds them."""
    order = simulation.compiled.index.tree_order
    q, rate = [], []
    for body in simulation.compiled.index.bodies:
        y = simulation.y[LENGTH * order[body] : LENGTH * order[body] + LENGTH]
        e0, e, w = y[3], y[4:7], y[10:13]
        q.append(y[:7])
        rate.append(np.concatenate([y[7:10], [-0.5 * (e @ w)], 0.5 * (e0 * w + np.cross(e, w))]))  # p' = G^T w / 2
    return np.concatenate(q), np.concatenate(rate)


def set_state(simulation: Simulation, q: Array, rate: Array) -> None:
    """Put q and q' of a checkpoint into the simulation; the integrals of work start again."""
    simulation.y[simulation.arrays.states :] = 0.0
    order = simulation.compiled.index.tree_order
    for number, body in enumerate(simulation.compiled.index.bodies):
        y = simulation.y[LENGTH * order[body] : LENGTH * order[body] + LENGTH]
        y[:7], y[7:10] = q[7 * number : 7 * number + 7], rate[7 * number : 7 * number + 3]
        p, dp = q[7 * number + 3 : 7 * number + 7], rate[7 * number + 3 : 7 * number + 7]
        y[10:13] = 2 * (p[0] * dp[1:] - dp[0] * p[1:] - np.cross(p[1:], dp[1:]))  # w' = 2 G p', MBDM note Eq. 40


def present_row(simulation: Simulation) -> Array:
    """Return the record (one row) of the present state, its quaternions with the signs they have in the state."""
    fixed = (simulation.arrays, simulation.work, simulation.stages, simulation.buffer, 0)
    status = simulation._take(simulation.loops["first"], simulation.time, simulation.y, *fixed)
    return with_signs(simulation._rows(status, 1), simulation)


def with_signs(row: Array, simulation: Simulation) -> Array:
    """Return a record of the present state with each quaternion's sign as in the state: both are the same attitude."""
    at = columns(simulation.arrays.layout, "orientation").start
    order = simulation.compiled.index.tree_order
    for number, body in enumerate(simulation.compiled.index.bodies):
        p = simulation.y[LENGTH * order[body] + ATTITUDE : LENGTH * order[body] + VELOCITY]
        q = row[:, at + 4 * number : at + 4 * number + 4]
        q *= -1.0 if float(q[0] @ p) < 0 else 1.0
    return row
