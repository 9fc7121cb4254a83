"""Machines in absolute coordinates 10 000 km from the origin, where a coordinate has digits down to 2 nm."""

from __future__ import annotations

import numpy as np
import pytest

import fairlead as fl
from support.mechanism_models import all_revolute, n_four_bar

AWAY = np.array([1e7, 3e6, 0.0])
DIGIT = float(np.spacing(AWAY.max()))  # 1.9e-9 m


def moved(model):
    """The model with everything in it moved by AWAY."""
    bodies = {n: b.model_copy(update={"position": tuple(AWAY + b.position)}) for n, b in model.bodies.items()}
    joints = {n: j.model_copy(update={"point": tuple(AWAY + j.point)}) for n, j in model.joints.items()}
    return model.model_copy(update={"bodies": bodies, "joints": joints})


@pytest.mark.parametrize("closing", ["projection", "partition"])
@pytest.mark.parametrize("redundant", [False, True])
def test_four_bars_move_as_at_the_origin(closing, redundant):
    """Joints close to the last digit; a thousand steps round by one digit each, over arms of a metre and a swing.

    The same equations count as redundant: what decides is measured by the bodies, not by where they are.
    """
    model = all_revolute(n_four_bar(1)) if redundant else n_four_bar(1)
    here, there = (
        fl.simulate(m, 1.0, 1e-3, formulation="constrained", closing=closing, integrator="rk4", progress=False)
        for m in (model, moved(model))
    )
    np.testing.assert_allclose(there.position - AWAY, here.position, rtol=0, atol=200 * DIGIT)
    assert float(there.position_violation.max()) < 4 * DIGIT
    assert there.attrs.get("redundant_equations") == here.attrs.get("redundant_equations")
    energy = there.kinetic_energy + there.potential_energy
    drop = float(abs(here.potential_energy - here.potential_energy[0]).max())  # [J] what moves to and fro
    assert float(abs(energy - energy[0]).max()) < 1e-7 * drop
