"""Checkpoints that a run and its partners write together, and the start from them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from fairlead.core.codes import BEGIN, END
from fairlead.running.partners.coupled import meeting_steps

if TYPE_CHECKING:
    from fairlead.running.simulation import Simulation


def write_together(simulation: Simulation) -> bool:
    """Let all partners write their states at the instant reached; return whether a checkpoint can be made of it.

    Nothing counts until everyone has acknowledged: a partner keeps what it wrote before under its own number.
    """
    if not simulation.coupled or not simulation.started:
        return True
    if simulation.step % meeting_steps(simulation.coupled) and not simulation.finished:
        return False
    _meet(simulation)
    for partner in simulation.coupled:
        partner.order_checkpoint()
    for partner in simulation.coupled:
        partner.await_checkpoint()
    for partner in simulation.coupled:
        partner.switch()
    return True


def _meet(simulation: Simulation) -> None:
    """Exchange what is due at the instant reached, which the next step would do; the numbers are the same."""
    from fairlead.running.steppers.outside import OutsideLoads

    outside, t = simulation.outside, simulation.time
    assert isinstance(outside, OutsideLoads)
    if any(partner.due(t) for partner in simulation.coupled):
        simulation.work.window[BEGIN] = simulation.work.window[END] = t
        outside.rate(t, simulation.y, np.zeros_like(simulation.y))


def rejoin(simulation: Simulation) -> None:
    """Let partners go on from their checkpoints where the run goes on from its own."""
    if simulation.started:
        for partner in simulation.coupled:
            partner.rejoin(simulation.time)
