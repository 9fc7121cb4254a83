"""Motions whose acceleration jumps, and bodies that start away from the drawing."""

from __future__ import annotations

import numpy as np
import pytest

import fairlead as fl


def ramped(begin: float) -> fl.Model:
    return fl.Model(
        name="ramp",
        gravity=(0, 0, 0),
        bodies={"a": fl.Body(10, (2, 2, 2)), "b": fl.Body(1, (1, 1, 1), position=(1, 0, 0))},
        joints={"j": fl.Revolute("a", "b", (0.5, 0, 0), (0, 0, 1), motion=fl.Ramp(1, 0.5, begin=begin))},
    )


@pytest.mark.parametrize("begin", [0.0, 1.0, 1.013])
def test_a_ramp_keeps_the_order_wherever_it_bends(begin: float):
    # The free system starts at rest, so its angular momentum is zero for ever; what is left is the integrator's error,
    # which must fall sixteenfold when the step is halved, also when the kinks (begin, begin + 2 s) are not on the grid.
    steps = 0.08 / 2 ** np.arange(4)
    errors = [np.abs(fl.simulate(ramped(begin), 5, dt)["angular_momentum"].values).max() for dt in steps]
    assert np.polyfit(np.log(steps), np.log(errors), 1)[0] == pytest.approx(4, abs=0.2)
    assert fl.audit(fl.simulate(ramped(begin), 5, 0.04)).passed


def test_an_adaptive_step_ends_at_a_kink():
    data = fl.simulate(ramped(1.013), 5, 0.1, integrator="dop853", rtol=1e-11, atol=1e-13)
    assert np.abs(data["angular_momentum"].values).max() < 1e-9
    assert data.attrs["rejected_steps"] < 10  # a pair that steps over a jump rejects dozens of steps around it


def test_a_free_joint_to_the_world_starts_moved_and_moving():
    start = {"x": 2.0, "c": "90 deg"}
    joint = fl.Free(parent="world", child="b", point=(1, 0, 0), initial=start, rate={"y": 1.0, "c": 0.5})
    body = fl.Body(1, (1, 2, 3), position=(0, 0, 0))
    data = fl.simulate(fl.Model(name="f", bodies={"b": body}, joints={"j": joint}, gravity=(0, 0, 0)), 2, 0.01)
    # The point (1, 0, 0) moves to (3, 0, 0); the mass centre, one metre to its -x, turns with c to its -y.
    assert data["position"].values[0, 0] == pytest.approx([3, -1, 0], abs=1e-15)
    # Velocity of the mass centre: that of the point plus w x arm = (0, 1, 0) + (0, 0, 0.5) x (0, -1, 0).
    assert data["velocity"].values[0, 0] == pytest.approx([0.5, 1, 0], abs=1e-15)
    # Free flight: a straight line, and about its own principal axis a constant rate.
    assert data["position"].values[-1, 0] == pytest.approx([4, 1, 0], abs=1e-12)
    assert data["euler123"].values[-1, 0, 2] == pytest.approx(np.pi / 2 + 1, abs=1e-12)
