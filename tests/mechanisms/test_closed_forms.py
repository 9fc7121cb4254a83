"""The examples of the MBDM note against their closed forms, and the compressor against one equation of its own."""

from itertools import pairwise

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

import fairlead as fl
from support.mechanism_models import CRANK, ROD, changed, example, rotations

TURNING = 2 * np.pi  # [rad/s] of the driven crank


def test_mass_on_a_spring():
    """MBDM note Eq. 93. RK4 at dt = 1e-3 s: (w dt)^4 = 2.8e-8 of the amplitude 0.06 m, divided by 120 and times w t."""
    model = example("mass_on_spring")
    t = fl.simulate(model).time.values
    w, amplitude = np.sqrt(10000 / 60), 60 * 9.81 / 10000
    for formulation in ("cloud", "constrained"):
        data = fl.simulate(model, formulation=formulation).sel(body="cube")
        assert np.abs(data.position.sel(xyz="z") - -amplitude * (1 - np.cos(w * t))).max() < 1e-8
        assert np.abs(data.velocity.sel(xyz="z") - -amplitude * w * np.sin(w * t)).max() < 1e-7
        assert np.abs(data.acceleration.sel(xyz="z") - -9.81 * np.cos(w * t)).max() < 1e-6
        assert np.abs(data.position.values[:, :2]).max() < 1e-12  # nothing pushes it sideways


def slider_crank_motion(a):
    """Slider and rod for the crank's angle a and a unit rate of it: values, first and second derivatives by a."""
    rod = -np.arcsin(CRANK * np.sin(a) / ROD)  # angle of the rod
    c, s = np.cos(rod), np.sin(rod)
    rod1 = -CRANK * np.cos(a) / (ROD * c)
    rod2 = (CRANK * np.sin(a) / ROD + s * rod1**2) / c
    x = CRANK * np.cos(a) + ROD * c
    x1 = -CRANK * np.sin(a) - ROD * s * rod1
    x2 = -CRANK * np.cos(a) - ROD * (c * rod1**2 + s * rod2)
    middle = np.array([CRANK * np.cos(a) + ROD / 2 * c, CRANK * np.sin(a) + ROD / 2 * s])
    middle1 = np.array([-CRANK * np.sin(a) - ROD / 2 * s * rod1, CRANK * np.cos(a) + ROD / 2 * c * rod1])
    middle2 = np.array(
        [
            -CRANK * np.cos(a) - ROD / 2 * (c * rod1**2 + s * rod2),
            -CRANK * np.sin(a) + ROD / 2 * (c * rod2 - s * rod1**2),
        ]
    )
    return (rod, rod1, rod2), (x, x1, x2), (middle, middle1, middle2)


def kinematic_data():
    """The driven slider-crank over ten turns: by position, velocity and acceleration analysis where there is one."""
    model = example("slider_crank_kinematic")
    runs = {"simulate": fl.simulate(model)}
    if hasattr(fl, "kinematics"):
        runs["kinematics"] = fl.kinematics(model, model.run.duration, model.run.dt)
    return runs


def test_driven_slider_crank_over_ten_turns():
    """Geometry alone: slider, rod and crank at 1e-9 in m, m/s, m/s2 and rad over ten turns.

    Constraints are closed to 1e-11 and their rates to 1e-10; at 6.28 rad/s an acceleration is about 40 times as
    sensitive as a position.
    """
    for data in kinematic_data().values():
        t = data.time.values
        assert t[-1] == 10.0
        a = np.pi / 4 + TURNING * t
        (rod, rod1, rod2), slider, middle = slider_crank_motion(a)
        for power, name in enumerate(("position", "velocity", "acceleration")):
            found = data[name]
            factor = TURNING**power
            assert np.abs(found.sel(body="slider", xyz="x") - factor * slider[power]).max() < 1e-9, name
            assert np.abs(found.sel(body="slider").values[:, 1:]).max() < 1e-9, name
            assert np.abs(found.sel(body="rod").values[:, :2].T - factor * middle[power]).max() < 1e-9, name
            assert np.abs(found.sel(body="crank")).max() < 1e-9, name
        turned = rotations(data, "rod").as_rotvec()
        assert np.abs(turned[:, 2] - rod).max() < 1e-9
        assert np.abs(data.angular_velocity.sel(body="rod").values[:, 2] - TURNING * rod1).max() < 1e-9
        assert np.abs(data.angular_acceleration.sel(body="rod").values[:, 2] - TURNING**2 * rod2).max() < 1e-9
        assert np.abs(data.joint_position.sel(coordinate="bearing.angle") - a).max() < 1e-9


def test_driver_of_the_slider_crank_by_virtual_power():
    """M a' = sum of m a . v + I al w over the bodies (gravity is normal to the plane): Lagrange's equation in a."""
    data = fl.simulate(example("slider_crank_kinematic"), duration=1.0)
    a = np.pi / 4 + TURNING * data.time.values
    (_, rod1, rod2), slider, middle = slider_crank_motion(a)
    expected = TURNING**2 * (25 * slider[1] * slider[2] + 35 * (middle[1] * middle[2]).sum(axis=0) + 35 * rod1 * rod2)
    found = data.driver_force.sel(coordinate="bearing.angle").values
    np.testing.assert_allclose(found, expected, atol=1e-8 * np.abs(expected).max())


def compressor(gravity, times):
    """Angle and speed of the compressor's crank at the given times, from Lagrange's equation in the angle, by DOP853.

    M(a) a'' + M'(a) a'^2 / 2 = torque + (gas + m g) dx/da, M(a) = I + sum of m v^2 + I w^2 at unit rate. The crank
    never turns back, so its angle can be the independent variable (dt/da = 1/w): the gas force has its corners, where
    the valve opens and where the slider turns, at known angles, and every piece between them is smooth.
    """
    cosine = (5.0**2 + CRANK**2 - ROD**2) / (2 * 5.0 * CRANK)  # x = 5 m, where the valve opens
    corners = sorted([np.pi * k for k in range(1, 30)] + [2 * np.pi * k - np.arccos(cosine) for k in range(1, 15)])

    def rate(a, y, inward, opened):
        (_, rod1, rod2), (x, x1, x2), (_, middle1, middle2) = slider_crank_motion(a)
        M = 450 + 25 * x1**2 + 35 * (middle1 @ middle1) + 35 * rod1**2
        half = 25 * x1 * x2 + 35 * (middle1 @ middle2) + 35 * rod1 * rod2
        gas = 0.0
        if inward:
            gas = -110000 * (1 - np.sin(2 * np.pi * (x - 5.25))) if opened else 62857 - 282857 / (6 - x)
        force = 41450 + gas * x1 + gravity * (25 * x1 + 35 * middle1[0])
        return [1 / y[1], (force - half * y[1] ** 2) / (M * y[1])]

    pieces, y = [], np.array([0.0, 30.0])
    for begin, end in pairwise(corners):
        x, x1, _ = slider_crank_motion((begin + end) / 2)[1]
        found = solve_ivp(
            rate, (begin, end), y, "DOP853", rtol=1e-13, atol=1e-13, dense_output=True, args=(x1 > 0, x > 5)
        )
        pieces.append(found.sol)
        y = found.y[:, -1]
        if y[0] > times[-1]:
            break
    starts = np.array([piece(begin)[0] for piece, begin in zip(pieces, corners)])
    answer = []
    for t in times:
        k = int(np.searchsorted(starts, t, side="right")) - 1
        low, high = corners[k], corners[k + 1]
        a = brentq(lambda a, sol=pieces[k], t=t: sol(a)[0] - t, low, high, xtol=1e-14) if t > starts[k] else low
        answer.append((a, pieces[k](a)[1]))
    return np.array(answer).T


@pytest.mark.parametrize("gravity", [9.81, -9.81])
def test_compressor_against_one_coordinate(gravity):
    """Crank angle and speed within 1e-6 over 1 s, gravity along +x (the note's text) and -x (its listing), ERRATA 12.

    The example runs dop853 at rtol = 1e-11: a step that hits a corner of the gas force is taken again until its error
    is below that, so what is left is some ten corners at 1e-8 or so. (rk4 at dt = 1e-5 s, which crosses corners
    blindly, comes within 8e-7.)
    """
    model = changed(example("slider_crank_dynamic"), gravity=(gravity, 0.0, 0.0))
    data = fl.simulate(model)
    t = data.time.values
    angle, speed = compressor(gravity, t)
    assert t[-1] == 1.0
    assert np.abs(np.pi + unwrapped(data) - angle).max() < 1e-6
    assert np.abs(data.angular_velocity.sel(body="crank").values[:, 2] - speed).max() < 1e-6
    assert angle[-1] > 8 * np.pi  # several compressions


def unwrapped(data):
    """The crank's angle from its drawing, all turns counted."""
    return np.unwrap(rotations(data, "crank").as_rotvec()[:, 2])


def test_gas_force_is_continuous_at_the_valve():
    """ERRATA 11: both branches give -220 000 N at x = 5 m; with the printed sign they would be 440 000 N apart."""
    model = example("slider_crank_dynamic")
    data = fl.simulate(model, duration=0.1)
    x, v = (data[name].sel(body="slider", xyz="x").values for name in ("position", "velocity"))
    gas = data.load_force.sel(load="gas", xyz="x").values
    inward = v > 0
    assert gas[~inward].max() == gas[~inward].min() == 0.0
    assert gas[inward & (x > 4.9)].min() < -180e3
    slope = np.abs(np.diff(gas[inward])) / np.abs(np.diff(x[inward])).clip(1e-9)
    assert slope.max() < 1.2 * 110e3 * 2 * np.pi  # nowhere steeper than the discharge branch, so no jump
    np.testing.assert_allclose(62857 - 282857 / (6 - 5), -220000)


def test_gyroscopic_wheel_precesses_steadily():
    """A level axle goes round at Omega = (sum of m x) g / (I spin), which is exact; ten seconds are 1.6 turns.

    RK4 at dt = 1e-3 s with a spin of 54 rad/s: (0.054)^4 / 120 = 7e-8 per radian of spin, 540 rad; most of it is in the
    phase of the spin and does not reach the axle.
    """
    data = fl.simulate(example("gyroscopic_wheel"))
    t = data.time.values
    for body, arm in (("axle", 0.1), ("wheel", 0.2)):
        expected = arm * np.column_stack([np.cos(t), np.sin(t), 0 * t])
        assert np.abs(data.position.sel(body=body).values - expected).max() < 1e-6
    assert np.abs(data.joint_rate.sel(coordinate="support.angle1") - 1).max() < 1e-6
    assert np.abs(data.joint_rate.sel(coordinate="hub.angle") - 53.955).max() < 1e-6
