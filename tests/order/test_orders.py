"""Every integrator has its order on a driven tree with loads; output follows its grid; quaternions stay unit."""

import math

import numpy as np
import pytest

import fairlead as fl
from fairlead.running.steppers.tableaux import ADAPTIVE

END = 6.0
MEASURED = ("position", "velocity", "angular_velocity", "load_work", "driver_work", "external_angular_impulse")


@pytest.fixture(scope="module")
def model():
    """Three bodies, smooth in time: a wheel, a flipped joint, springs, added mass and formulas."""
    bodies = {
        "hull": fl.Body(
            4.0,
            {"xx": 1.2, "yy": 1.5, "zz": 0.9, "xy": 0.1},
            velocity=(0.3, -0.2, 0.1),
            angular_velocity=(0.5, -0.8, 0.6),
            wheels=[fl.Wheel((0, 1, 0), 0.05, 20)],
        ),
        "turret": fl.Body(1.5, (0.2, 0.3, 0.25), (0.1, 0, 0.8), {"euler123": (0.2, 0.1, -0.4)}),
        "arm": fl.Body(0.7, (0.02, 0.1, 0.1), (0.9, 0.1, 0.9)),
    }
    reach = {"angle": fl.Expression("0.5*t + 0.1*t**2/(1 + t)"), "length": fl.Sine(0.2, frequency=1.5)}
    joints = {
        "yaw": fl.Revolute("hull", "turret", (0, 0, 0.5), (0, 0, 1), motion=fl.Sine(0.8, frequency=2.0)),
        "reach": fl.Cylindrical("arm", "turret", (0.3, 0, 0.9), (1, 0, 0), motion=reach),
    }
    loads = {
        "line": fl.Spring("hull", (0.5, 0.2, -0.3), anchor=(3, 1, -2), stiffness=15, damping=0.8, length=2.5),
        "tie": fl.RotationalSpring("hull", stiffness=1.5, damping=0.2),
        "sea": fl.Matrix("hull", (0, 0, -0.2), [3, 3, 9, 2, 2, 1], [0.4] * 6, None, [1, 1, 2, 0.1, 0.1, 0.05]),
        "push": fl.Force("arm", force=("sin(2*t)", "0.3*arm.vx", "cos(t)"), moment=(0, 0, "0.2*yaw.rate")),
    }
    return fl.Model("order", bodies, joints, loads, (0, 0, -1.0))


def table(data):
    """All measured quantities, one row per recorded time."""
    return np.concatenate([data[name].values.reshape(data.sizes["time"], -1) for name in MEASURED], axis=1)


@pytest.fixture(scope="module")
def truth(model):
    """The motion on a grid of 0.02 s by rk4 with fifty steps in between, within 1e-12 of dop853 at its tightest."""
    exact = fl.simulate(model, END, 0.0004, output_every=50)
    other = fl.simulate(model, END, 0.02, integrator="dop853", rtol=1e-13, atol=1e-15)
    assert np.abs(table(exact) - table(other)).max() < 1e-11  # two methods, so neither is its own judge
    return table(exact)


def order(steps, errors):
    return np.polyfit(np.log(steps), np.log(errors), 1)[0]


@pytest.mark.parametrize(
    ("integrator", "nominal", "steps"),
    [
        ("symplectic-euler", 1, [0.004, 0.002, 0.001, 0.0005]),
        ("rk4", 4, [0.05, 0.025, 0.0125, 0.00625]),
    ],
)
def test_order_of_fixed_steps(model, truth, integrator, nominal, steps):
    """Halving the step divides the error by 2^order, in motion, works and impulses alike."""
    errors = [np.abs(table(fl.simulate(model, END, dt, integrator=integrator))[-1] - truth[-1]).max() for dt in steps]
    assert abs(order(steps, errors) - nominal) < 0.2


@pytest.mark.parametrize(
    ("integrator", "nominal", "steps", "within"),
    [
        pytest.param("rk45", 5, [0.05, 0.025, 0.0125], 0.2, marks=pytest.mark.slow),
        ("dop853", 8, [0.4, 0.2, 0.1], 0.5),
    ],
)
def test_order_of_pairs_at_their_longest_step(model, integrator, nominal, steps, within):
    """With tolerances that accept everything a pair takes its longest step, 256 outputs: fixed, so its order shows.

    The fit is the mean over three end times. Single fits scatter: where the leading error happens to be small at one
    end time, the next order shows. For dop853 they ran from 7.3 to 8.9 over five end times and four ladders, because
    between steps too long for the asymptotic order and rounding there is little room; hence 0.5, which still tells 8
    from 7 and from 9.
    """
    fits = []
    for end in (2.0, 6.0, 10.0):
        exact = table(fl.simulate(model, end, 0.0004, output_every=round(end / 0.0004)))[-1]
        errors = []
        for h in steps:
            data = fl.simulate(model, end, h / 256, integrator=integrator, rtol=1e6, atol=1e6)
            assert data.attrs["accepted_steps"] < end / h + 5  # the first steps grow from dt to h
            errors.append(np.sqrt(np.mean((table(data)[-1] - exact) ** 2)))
        fits.append(order(steps, errors))
    assert abs(np.mean(fits) - nominal) < within, fits


@pytest.mark.parametrize(("integrator", "nominal"), [("rk45", 5), ("dop853", 8)])
def test_error_of_pairs_follows_the_tolerance(model, truth, integrator, nominal):
    """Controlled steps keep the error per step at the tolerance, so over the run it falls about in proportion to it."""
    tolerances = [1e-5, 1e-6, 1e-7, 1e-8, 1e-9]
    errors = []
    for rtol in tolerances:
        data = fl.simulate(model, END, 0.02, integrator=integrator, rtol=rtol, atol=rtol)
        errors.append(np.abs(table(data) - truth).max())
    assert np.diff(errors).max() < 0
    # The estimate is of lower order than the step: error per unit time between tol^((p - 1) / p) and tol^(1 + 1 / p).
    assert (nominal - 1) / nominal < order(tolerances, errors) < (nominal + 1) / nominal
    assert errors[-1] < 100 * tolerances[-1]  # at every recorded time, not only at the end


@pytest.mark.parametrize(("integrator", "bound"), [("rk45", 2e-7), ("dop853", 2e-7)])
def test_dense_output_between_steps(model, truth, integrator, bound):
    """Most recorded times lie inside a step and come from the interpolant, which is as good as the steps themselves."""
    data = fl.simulate(model, END, 0.02, integrator=integrator, rtol=1e-8, atol=1e-10)
    assert data.attrs["accepted_steps"] < 0.75 * data.sizes["time"]
    assert np.abs(table(data) - truth).max() < bound  # rtol of quantities up to 20, gathered over some hundred steps


@pytest.mark.parametrize("integrator", ["rk4", "symplectic-euler", "rk45", "dop853"])
def test_quaternions_stay_unit(model, integrator):
    """After every step the quaternion is brought back to length one; what is recorded has it to rounding."""
    tolerances = {"rtol": 1e-6, "atol": 1e-6} if integrator in ADAPTIVE else {}
    data = fl.simulate(model, 60.0, 0.02, integrator=integrator, **tolerances)
    length = np.linalg.norm(data.orientation.values, axis=-1)
    assert np.abs(length - 1).max() < 1e-14  # a few roundings
    # And the sign never jumps: neighbours in time are neighbours on the sphere.
    q = data.orientation.values
    assert np.einsum("tbi,tbi->tb", q[1:], q[:-1]).min() > 0.9


@pytest.mark.parametrize("integrator", ["rk4", "symplectic-euler", "rk45", "dop853"])
def test_output_grid(integrator):
    """t = 0, every k-th step and the last instant; times are i dt to the bit; a last step may have to be shorter."""
    ball = fl.Model("ball", {"ball": fl.Body(1.0, (1, 1, 1), velocity=(2, 0, 0))}, gravity=(0, 0, 0))
    data = fl.simulate(ball, 1.0, 0.03, integrator=integrator, output_every=4)
    expected = [i * 0.03 for i in range(0, 33, 4)] + [1.0]  # 33 whole steps and one of 0.01
    np.testing.assert_array_equal(data.time.values, expected)
    np.testing.assert_allclose(data.position.sel(body="ball", xyz="x"), 2 * data.time, atol=1e-14)


@pytest.mark.parametrize("integrator", ["rk4", "symplectic-euler", "rk45", "dop853"])
def test_duration_that_dt_divides_to_rounding_has_no_sliver_at_its_end(integrator):
    """0.3 / 0.1 is 2.9999999999999996 in binary: three steps, the last recorded time exactly the duration."""
    ball = fl.Model("ball", {"ball": fl.Body(1.0, (1, 1, 1))})
    data = fl.simulate(ball, 0.3, 0.1, integrator=integrator)
    np.testing.assert_array_equal(data.time.values, [0.0, 0.1, 0.2, 0.3])
    data = fl.simulate(ball, 700.0, 0.7, integrator=integrator, output_every=3)
    assert data.sizes["time"] == math.ceil(1000 / 3) + 1
    np.testing.assert_array_equal(data.time.values[:-1], [i * 0.7 for i in range(0, 1000, 3)])
    assert data.time.values[-1] == 700.0


def test_ramp_with_its_corners_on_steps_costs_no_order():
    """The acceleration of a ramp jumps at 0.3 s and 2.3 s, both whole numbers of steps, so rk4 never crosses a jump.

    A hand balanced on its pin turns the tower back in proportion, theta = -q I2 / (I1 + I2 + mu d^2).
    """
    bodies = {"tower": fl.Body(4.0, (2, 2, 2)), "hand": fl.Body(1.5, (0.4, 0.4, 0.4), position=(0.7, 0, 0))}
    pin = fl.Revolute("tower", "hand", (0.7, 0, 0), (0, 0, 1), motion=fl.Ramp(1.0, 0.5, begin=0.3))
    data = fl.simulate(fl.Model("clock", bodies, {"pin": pin}, gravity=(0, 0, 0)), 4.0, 0.1)
    s = np.clip(data.time.values - 0.3, 0, None)
    q = np.where(s < 2, 0.25 * s**2, 1 + (s - 2))
    expected = -q * 0.4 / (2.4 + 4.0 * 1.5 / 5.5 * 0.49)
    found = 2 * np.arctan2(data.orientation.sel(body="tower", wxyz="z"), data.orientation.sel(body="tower", wxyz="w"))
    np.testing.assert_allclose(found, expected, atol=1e-8)  # rk4 on a quaternion: (0.05 rad/s dt)^4
