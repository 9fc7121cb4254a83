"""The implicit method: second order, closed positions, and steps that stiff loads do not dictate."""

from __future__ import annotations

import numpy as np
import pytest

import fairlead as fl


def pendulum(stiffness: float | None = None) -> fl.Model:
    """A pendulum of one link, or of two masses held apart by a stiff spring along it."""
    bodies = {"a": fl.Body(1, (0.1, 0.1, 0.1), position=(1, 0, 0))}
    joints: dict = {"pin": fl.Revolute("world", "a", (0, 0, 0), (0, 1, 0))}
    if stiffness is None:
        return fl.Model(name="pendulum", bodies=bodies, joints=joints)
    bodies["b"] = fl.Body(0.1, (0.01, 0.01, 0.01), position=(2, 0, 0))
    joints["slide"] = fl.Prismatic("a", "b", (2, 0, 0), (1, 0, 0))
    rod = fl.Spring("a", (1, 0, 0), other="b", other_point=(2, 0, 0), stiffness=stiffness, length=1)
    return fl.Model(name="stiff", bodies=bodies, joints=joints, loads={"rod": rod})


def test_second_order():
    exact = fl.simulate(pendulum(), 1.0, 1.0, integrator="dop853", formulation="constrained", rtol=1e-12, atol=1e-13)
    steps, errors = (0.02, 0.01, 0.005), []
    for dt in steps:
        data = fl.simulate(pendulum(), 1.0, dt, integrator="generalised-alpha", formulation="constrained")
        errors.append(np.abs(data["position"].values[-1] - exact["position"].values[-1]).max())
        assert data["position_violation"].max() < 1e-10
    assert np.polyfit(np.log(steps), np.log(errors), 1)[0] == pytest.approx(2, abs=0.2)


def test_a_stiff_rod_does_not_dictate_the_step():
    # The rod swings at 1e5 rad/s; a rigid one gives the limit. Explicit steps of 5 ms cannot follow, and say so.
    stiff = fl.simulate(pendulum(1e9), 1.0, 0.005, integrator="generalised-alpha", formulation="constrained")
    rigid = pendulum(1e9).model_copy(update={"loads": {}})
    joints = {**rigid.joints, "slide": fl.Prismatic("a", "b", (2, 0, 0), (1, 0, 0), locked=True)}
    limit = fl.simulate(rigid.model_copy(update={"joints": joints}), 1.0, 0.001, formulation="constrained")
    apart = np.abs(stiff["position"].values[-1] - limit["position"].values[-1]).max()
    assert apart < 5e-3  # second order at 5 ms: about 1e-3 on this swing
    with pytest.raises(fl.NumericalFailure):
        fl.simulate(pendulum(1e9), 1.0, 0.005, formulation="constrained")


def test_it_is_refused_where_it_does_not_apply():
    with pytest.raises(fl.InvalidInput, match="constrained"):
        free = fl.Model(name="free", bodies={"b": fl.Body(1, (1, 1, 1))})
        fl.simulate(free, 1, 0.1, integrator="generalised-alpha", formulation="cloud")
