"""Springs, dampers, stops and actuators on joint coordinates, against closed forms."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import fairlead as fl
from fairlead.errors import InvalidInput

WAYS = ("articulated", "cloud", "constrained")
NO_GRAVITY = {"gravity": (0, 0, 0)}


def slider(**given):
    """A mass of 2 kg on a rail along x."""
    joint = fl.Prismatic("world", "mass", (0, 0, 0), (1, 0, 0), **given)
    return fl.Model("slider", {"mass": fl.Body(2.0, (1, 1, 1))}, {"rail": joint}, **NO_GRAVITY)


def wheel(**given):
    """A disc of 0.5 kg m2 about z, whose angle may run through many turns."""
    joint = fl.Revolute("world", "disc", (0, 0, 0), (0, 0, 1), **given)
    return fl.Model("wheel", {"disc": fl.Body(1.0, (0.3, 0.3, 0.5))}, {"axle": joint}, **NO_GRAVITY)


@pytest.mark.parametrize("formulation", WAYS)
def test_a_damped_oscillator(formulation):
    """m q'' + c q' + k (q - rest) = 0: q = rest + A exp(-d t) cos(w t - p)."""
    model = slider(spring={"stiffness": 50, "rest": 0.1}, damper=1.2, initial=0.4, rate=-0.3)
    data = fl.simulate(model, 5.0, 0.005, formulation=formulation)
    d = 1.2 / 4
    w = np.sqrt(50 / 2 - d * d)
    t, x0, v0 = data.time.values, 0.3, -0.3
    expected = 0.1 + np.exp(-d * t) * (x0 * np.cos(w * t) + (v0 + d * x0) / w * np.sin(w * t))
    # rk4 leaves (w h)^4 w t / 120 = 3e-7 of the amplitude
    np.testing.assert_allclose(data.joint_position.sel(coordinate="rail.length"), expected, atol=2e-7)
    np.testing.assert_allclose(
        data.driver_force.sel(coordinate="rail.length"),
        -50 * (data.joint_position[:, 0] - 0.1) - 1.2 * data.joint_rate[:, 0],
        atol=1e-9,
    )
    assert fl.audit(data).passed


@pytest.mark.parametrize("formulation", WAYS)
def test_a_torsion_spring_counts_whole_turns(formulation):
    """Wound up by five turns, it does not forget them: q = 10 pi cos(w t)."""
    model = wheel(spring=2.0, initial=10 * np.pi)
    data = fl.simulate(model, 10.0, 0.05, formulation=formulation, integrator="dop853", rtol=1e-11)
    expected = 10 * np.pi * np.cos(2.0 * data.time.values)
    # constrained integrates the attitude itself, at 60 rad/s: 1e-11 per step over some thousand steps
    np.testing.assert_allclose(data.joint_position[:, 0], expected, atol=1e-6)
    energy = data.kinetic_energy.values - data.driver_work.values[:, 0]
    np.testing.assert_allclose(energy, energy[0], atol=1e-6)


@pytest.mark.parametrize("formulation", WAYS)
@pytest.mark.parametrize(
    "response", [{}, {"time_constant": 0.2}, {"frequency": 6.0, "damping_ratio": 0.3}], ids=["none", "first", "second"]
)
def test_actuators_follow_their_command(formulation, response):
    """q'' = x / J with x the response to u = 3 sin 4t - 2 q, integrated by SciPy."""
    model = wheel(actuator={"command": "3*sin(4*t) - 2*axle.angle", **response})
    data = fl.simulate(model, 3.0, 0.002, output_every=50, formulation=formulation)

    def rate(t, y):
        u = 3 * np.sin(4 * t) - 2 * y[0]
        if not response:
            return [y[1], u / 0.5]
        if "time_constant" in response:
            return [y[1], y[2] / 0.5, (u - y[2]) / 0.2]
        return [y[1], y[2] / 0.5, y[3], 36 * (u - y[2]) - 2 * 0.3 * 6 * y[3]]

    states = 2 + (0 if not response else 1 if "time_constant" in response else 2)
    other = solve_ivp(rate, (0, 3), np.zeros(states), "DOP853", data.time.values, rtol=1e-12, atol=1e-13)
    np.testing.assert_allclose(data.joint_position[:, 0], other.y[0], atol=1e-8)  # rk4 at 2 ms and 6 rad/s
    assert fl.audit(data).passed


@pytest.mark.parametrize("formulation", WAYS)
def test_saturation_limits_command_and_force(formulation):
    """A command of 10 under a limit of 3 moves the disc as a constant moment of 3: q = 3 t^2 / 2 J."""
    data = fl.simulate(wheel(actuator={"command": 10, "limit": 3}), 2.0, 0.01, formulation=formulation)
    # The joint coordinate is a parabola, exact for rk4; constrained turns a quaternion instead, (12 rad/s h)^4 / 120.
    exact = 2e-6 if formulation == "constrained" else 1e-12
    np.testing.assert_allclose(data.joint_position[:, 0], 3 * data.time.values**2, rtol=exact, atol=exact)
    response = {
        "command": 10,
        "limit": 3,
        "frequency": 20.0,
        "damping_ratio": 0.1,
    }  # overshoots by 73 % without a limit
    data = fl.simulate(wheel(actuator=response), 2.0, 0.01, formulation=formulation)
    assert float(data.driver_force.max()) == 3.0


@pytest.mark.parametrize("formulation", WAYS)
def test_a_stop_returns_what_came_without_damping(formulation):
    """A mass runs into an undamped stop and comes back with its speed; the stop stores it meanwhile."""
    model = slider(rate=1.0, stop={"upper": 0.5, "stiffness": 2e4, "width": 0.002})
    data = fl.simulate(model, 1.5, 1e-4, output_every=10, formulation=formulation)
    assert float(data.joint_rate[-1, 0]) == pytest.approx(-1.0, abs=1e-6)
    # Energy of the stop at depth g > w: k (g - w/2)^2 / 2 + k w^2 / 24, which at the turning point is m v^2 / 2 = 1 J.
    deepest = float(data.joint_position.max()) - 0.5
    stored = 2e4 * ((deepest - 0.001) ** 2 / 2 + 0.002**2 / 24)
    assert stored == pytest.approx(1.0, rel=2e-3)  # seen at recorded instants, 1 ms apart
    lossy = slider(rate=1.0, stop={"upper": 0.5, "stiffness": 2e4, "damping": 60.0, "width": 0.002})
    slower = fl.simulate(lossy, 1.5, 1e-4, output_every=10, formulation=formulation)
    assert -0.9 < float(slower.joint_rate[-1, 0]) < -0.3
    assert float(slower.driver_force.max()) <= 0.0  # it pushes back and never pulls


def test_a_lower_stop_mirrors_an_upper_one():
    up = fl.simulate(slider(rate=1.0, stop={"upper": 0.2, "stiffness": 5e3, "damping": 20}), 0.6, 1e-3)
    down = fl.simulate(slider(rate=-1.0, stop={"lower": -0.2, "stiffness": 5e3, "damping": 20}), 0.6, 1e-3)
    np.testing.assert_array_equal(up.joint_position, -down.joint_position)


@pytest.mark.parametrize("formulation", WAYS)
def test_dampers_of_a_ball_act_about_the_axes_of_the_child(formulation):
    """A ball in a bearing with one damper for all axes: I w' = -c w for a sphere, whatever its attitude."""
    body = fl.Body(1.0, (0.4, 0.4, 0.4), orientation={"euler123": (0.3, 0.9, -0.4)})
    joint = fl.Spherical(
        "world", "ball", (0, 0, 0), rate={"a": 1.0, "b": -2.0, "c": 0.5}, damper={"a": 0.1, "b": 0.1, "c": 0.1}
    )
    data = fl.simulate(
        fl.Model("ball", {"ball": body}, {"socket": joint}, **NO_GRAVITY), 4.0, 0.01, formulation=formulation
    )
    expected = np.array([1.0, -2.0, 0.5]) * np.exp(-0.25 * data.time.values)[:, None]
    np.testing.assert_allclose(data.angular_velocity.sel(body="ball"), expected, atol=1e-10)
    assert fl.audit(data).passed


def test_limits_are_said_and_do_not_push():
    data = fl.simulate(wheel(rate=1.0, limits=(-0.5, 0.5)), 1.0, 0.01)
    assert "axle.angle leaves its limits at t = 0.51 s" in data.attrs["beyond_limits"]
    assert float(data.joint_rate[-1, 0]) == 1.0


MISTAKES = {
    "spring on one angle of a ball": (
        lambda: fl.Spherical("world", "b", (0, 0, 0), spring={"a": 3.0}),
        "rotational-spring",
    ),
    "stop without an end": (lambda: wheel(stop={"stiffness": 1.0}), "'lower', 'upper' or both"),
    "stop upside down": (lambda: wheel(stop={"lower": 1, "upper": 0, "stiffness": 1.0}), "below the upper"),
    "two responses": (
        lambda: wheel(actuator={"command": 1, "time_constant": 1, "frequency": 1, "damping_ratio": 1}),
        "keep one",
    ),
    "half a response": (lambda: wheel(actuator={"command": 1, "frequency": 1}), "together"),
    "actuator on a driven joint": (lambda: wheel(actuator={"command": 1}, motion=fl.Rate(1.0)), "no effect"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistakes_are_named(mistake):
    make, words = MISTAKES[mistake]
    with pytest.raises(InvalidInput, match=words):
        make()


def test_a_command_that_reads_nothing_known_is_named():
    with pytest.raises(InvalidInput, match="elbow"):
        fl.simulate(wheel(actuator={"command": "elbow.angle"}), 1.0, 0.1)
