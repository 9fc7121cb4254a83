"""Commands of actuators as functions of the time alone, whatever else the model has: each against its integral."""

import math

import numpy as np
import pytest

import fairlead as fl
from fairlead.core.trees.joint_forces import clipped, stop_push

WAYS = ("articulated", "cloud", "kane", "constrained")
NO_GRAVITY = {"gravity": (0, 0, 0)}
ELSEWHERE = {  # loads of a second body, which fill more or less of what formulas read
    "none": {},
    "spring": {"far": fl.Spring("other", (5, 0, 0), (9, 0, 0), stiffness=1.0, length=1.0)},
    "number": {"far": fl.Force("other", force=(1.0, 0, 0))},
    "rotational": {"far": fl.RotationalSpring("other", stiffness=1.0)},
    "formula": {"far": fl.Force("other", force=("t", 0, 0))},
}


def wheel(loads=None, **actuator):
    """A disc of 0.5 kg m2 about z, beside a free body that has the loads."""
    joint = fl.Revolute("world", "disc", (0, 0, 0), (0, 0, 1), actuator=actuator)
    bodies = {"disc": fl.Body(1.0, (0.3, 0.3, 0.5)), "other": fl.Body(1.0, (1, 1, 1), position=(5, 0, 0))}
    return fl.Model("wheel", bodies, {"axle": joint}, loads or {}, **NO_GRAVITY)


@pytest.mark.parametrize("formulation", WAYS)
@pytest.mark.parametrize("loads", ELSEWHERE.values(), ids=ELSEWHERE)
def test_a_command_of_the_time_alone_follows_it(formulation, loads):
    """I q'' = sin t from rest: q' = 2 (1 - cos t). With no other formula it once saw t = 0 for ever: q' = 0."""
    data = fl.simulate(wheel(loads, command="sin(t)"), 2.0, 0.01, formulation=formulation)
    expected = 2.0 * (1.0 - np.cos(data.time.values))
    # rk4 is Simpson's rule here: h^4 / 2880 of the fourth derivative
    np.testing.assert_allclose(data.joint_rate.sel(coordinate="axle.angle"), expected, atol=2e-11)
    np.testing.assert_allclose(data.driver_force.sel(coordinate="axle.angle"), np.sin(data.time.values), atol=1e-12)
    assert fl.audit(data).passed


@pytest.mark.parametrize("integrator", ["symplectic-euler", "rk45", "dop853"])
def test_every_integrator_sees_the_time(integrator):
    data = fl.simulate(wheel(command="sin(t)"), 2.0, 0.001, formulation="articulated", integrator=integrator)
    expected = 2.0 * (1.0 - math.cos(2.0))
    # symplectic Euler sums left ends: off by h / 2 times sin(2) / I
    assert float(data.joint_rate[-1, 0]) == pytest.approx(expected, abs=1.1e-3 if integrator[0] == "s" else 1e-8)


def test_an_implicit_step_sees_the_time():
    model, order_two = wheel(command="sin(t)"), 1e-5  # h^2 / 12 of the second derivative
    data = fl.simulate(model, 1.0, 0.005, formulation="constrained", integrator="generalised-alpha")
    assert float(data.joint_rate[-1, 0]) == pytest.approx(2.0 * (1.0 - math.cos(1.0)), abs=order_two)


@pytest.mark.parametrize("formulation", WAYS)
def test_a_response_follows_a_command_of_the_time(formulation):
    """T x' = t - x from 0: x = t - T (1 - exp(-t/T)), and I q' is its integral."""
    data = fl.simulate(wheel(command="t", time_constant=0.2), 1.0, 0.005, formulation=formulation)
    integral = 0.5 - 0.2 + 0.04 * (1.0 - math.exp(-5.0))
    assert float(data.joint_rate[-1, 0]) == pytest.approx(2.0 * integral, abs=1e-8)


def test_limits_and_stops_pass_a_nan_on():
    """min(limit, max(-limit, nan)) is -limit: a command that is not defined must not become a full one."""
    assert math.isnan(clipped(math.nan, 2.0))
    assert [clipped(value, 2.0) for value in (-3.0, -2.0, 0.5, 2.0, 3.0)] == [-2.0, -2.0, 0.5, 2.0, 2.0]
    assert math.isnan(stop_push(math.nan, 0.0, 1.0, 0.0, 1.0)) and math.isnan(stop_push(0.5, math.nan, 1.0, 1.0, 1.0))
    assert stop_push(0.1, -100.0, 1.0, 1.0, 1.0) == 0.0  # never pulls
