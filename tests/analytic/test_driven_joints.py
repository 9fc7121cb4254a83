"""Driven joints with closed forms: momentum exchanged in free flight, and reactions of joints to the world."""

import math

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.spatial.transform import Rotation

import fairlead as fl

WEIGHTLESS = (0, 0, 0)


def about_z(data, body):
    """The continuous angle about z of a planar motion."""
    q = data.orientation.sel(body=body).values
    return np.unwrap(2 * np.arctan2(q[:, 3], q[:, 0]), period=4 * math.pi)


def clock(motion, m1=4.0, m2=1.5, I1=2.0, I2=0.4, d=0.7, c=0.5):
    """A free tower with a hand: joint at d from the tower's mass centre, the hand's mass centre c beyond."""
    bodies = {
        "tower": fl.Body(m1, (I1, I1, I1)),
        "hand": fl.Body(m2, (I2, I2, I2), position=(d + c, 0, 0)),
    }
    joint = fl.Revolute("tower", "hand", (d, 0, 0), (0, 0, 1), motion=motion)
    return fl.Model("clock", bodies, {"pin": joint}, gravity=WEIGHTLESS)


def tower_rate_per_hand_rate(q, m1=4.0, m2=1.5, I1=2.0, I2=0.4, d=0.7, c=0.5):
    """d(theta) / dq from zero angular momentum: (I1 + I2 + mu rho^2) theta' + (I2 + mu rho.c) q' = 0."""
    mu = m1 * m2 / (m1 + m2)
    return -(I2 + mu * (c * c + d * c * math.cos(q))) / (I1 + I2 + mu * (d * d + c * c + 2 * d * c * math.cos(q)))


@pytest.mark.parametrize(
    ("motion", "q"),
    [
        (fl.Rate(1.3), lambda t: 1.3 * t),
        (fl.Polynomial([0, 0, 0.4]), lambda t: 0.4 * t * t),
        (fl.Expression("2*sin(t)"), lambda t: 2 * math.sin(t)),
        (fl.Ramp(2.0, 0.5), lambda t: 0.25 * t * t if t < 4 else 4 + 2 * (t - 4)),
    ],
)
def test_clock_hand_turns_the_tower_back(motion, q):
    """The tower's angle is a function of the hand's alone, whatever the speed: angular momentum stays what it was.

    A motion that starts with a rate starts with the whole at the momentum of the hand; that turns steadily on top.
    """
    model = clock(motion)
    data = fl.simulate(model, 8.0, 0.005, output_every=160)
    H = float(data.angular_momentum.values[0, 2])
    mu, J = 4.0 * 1.5 / 5.5, 2.0 + 0.4
    theta = []
    for t in data.time.values:
        exchanged = quad(tower_rate_per_hand_rate, 0, q(t), epsabs=1e-13)[0]
        carried = quad(
            lambda s: H / (J + mu * (0.49 + 0.25 + 0.7 * math.cos(q(s)))),
            0,
            t,
            epsabs=1e-13,
            limit=200,
            points=[min(t, 4.0)],
        )[0]
        theta.append(exchanged + carried)
    np.testing.assert_allclose(about_z(data, "tower"), theta, atol=1e-10)  # rk4: (2 / s)^5 dt^4 / 120 over 8 s
    np.testing.assert_allclose(data.momentum, np.tile(data.momentum[0], (len(theta), 1)), atol=1e-12)


def test_hand_pinned_at_its_own_mass_centre():
    """With the hand balanced on its pin the exchange is linear: theta = -q I2 / (I1 + I2 + mu d^2)."""
    model = clock(fl.Expression("3*t**2/(1 + t)"), c=0.0)
    data = fl.simulate(model, 5.0, 0.005, output_every=100)
    t = data.time.values
    expected = -(3 * t**2 / (1 + t)) * 0.4 / (2.0 + 0.4 + 4.0 * 1.5 / 5.5 * 0.49)
    np.testing.assert_allclose(about_z(data, "tower"), expected, atol=1e-11)  # smooth and slow: rk4 leaves 1e-12


def test_masses_sliding_apart_slow_their_turning():
    """(I1 + I2 + mu s^2) theta' = H with s = s0 + v t: theta is a difference of arcus tangens."""
    m1, m2, s0, v, w0 = 2.0, 3.0, 0.5, 0.4, 1.7
    bodies = {
        "a": fl.Body(m1, (1, 1, 0.6), angular_velocity=(0, 0, w0)),
        "b": fl.Body(m2, (1, 1, 0.9), position=(s0, 0, 0)),
    }
    joints = {"slide": fl.Prismatic("a", "b", axis=(1, 0, 0), motion=fl.Rate(v))}
    data = fl.simulate(fl.Model("slide", bodies, joints, gravity=WEIGHTLESS), 6.0, 0.005, output_every=100)
    mu, J, t = m1 * m2 / (m1 + m2), 0.6 + 0.9, data.time.values
    H, k = (J + mu * s0**2) * w0, math.sqrt(J * mu)
    expected = H / (v * k) * (np.arctan(mu * (s0 + v * t) / k) - math.atan(mu * s0 / k))
    np.testing.assert_allclose(about_z(data, "a"), expected, atol=1e-10)  # rk4: w^5 dt^4 / 120 over 6 s
    # The driver's work is the change of kinetic energy, H^2 / 2 J(t) + mu v^2 / 2; only the first part changes.
    work = H**2 / 2 * (1 / (J + mu * (s0 + v * t) ** 2) - 1 / (J + mu * s0**2))
    np.testing.assert_allclose(data.driver_work.sel(coordinate="slide.length"), work, atol=1e-10)


def arm(motion, gravity=WEIGHTLESS, flipped=False, **body):
    """An arm on a pin in the world, its mass centre at (0.8, 0, 0) from the pin."""
    bodies = {"arm": fl.Body(2.0, (0.1, 0.3, 0.35), position=(1.8, 0, 0), **body)}
    ends = ("arm", "world") if flipped else ("world", "arm")
    return fl.Model("arm", bodies, {"pin": fl.Revolute(*ends, (1, 0, 0), (0, 0, 1), motion=motion)}, gravity=gravity)


@pytest.mark.parametrize("flipped", [False, True])
def test_rotating_arm_pulls_on_its_pin(flipped):
    """Constant rate: the pin gives -m w^2 r towards itself, no moment; the record acts on the child."""
    w, sign = 1.5, -1.0 if flipped else 1.0
    data = fl.simulate(arm(fl.Rate(sign * w), flipped=flipped), 3.0, 0.01)
    angle = w * data.time.values
    inward = -2.0 * w**2 * 0.8 * np.stack([np.cos(angle), np.sin(angle), 0 * angle], axis=1)
    np.testing.assert_allclose(data.joint_force.sel(joint="pin"), sign * inward, atol=1e-12)
    np.testing.assert_allclose(data.joint_moment.sel(joint="pin"), 0.0, atol=1e-12)
    np.testing.assert_allclose(data.driver_force.sel(coordinate="pin.angle"), 0.0, atol=1e-12)
    np.testing.assert_allclose(data.joint_point.sel(joint="pin"), np.tile([1.0, 0, 0], (len(angle), 1)), atol=1e-12)


def test_arm_driven_from_rest_under_gravity():
    """q = a t^2 / 2: moment (I + m r^2) a + m g r cos q, and its work is kinetic energy plus m g r sin q."""
    a, g, r, m, J = 0.7, 9.81, 0.8, 2.0, 0.35 + 2.0 * 0.8**2
    data = fl.simulate(arm(fl.Polynomial([0, 0, a / 2]), gravity=(0, -g, 0)), 3.0, 0.01)
    t = data.time.values
    q, w = a * t**2 / 2, a * t
    np.testing.assert_allclose(data.driver_force.sel(coordinate="pin.angle"), J * a + m * g * r * np.cos(q), atol=1e-12)
    radial, along = np.stack([np.cos(q), np.sin(q)]), np.stack([-np.sin(q), np.cos(q)])
    force = m * r * (a * along - w**2 * radial) + np.array([[0], [m * g]])
    np.testing.assert_allclose(data.joint_force.sel(joint="pin")[:, :2], force.T, atol=1e-11)
    # The work is integrated by rk4 beside the (empty) state: Simpson's rule, (2 / s)^4 dt^4 / 2880 of 15 W over 3 s.
    work = J * w**2 / 2 + m * g * r * np.sin(q)
    np.testing.assert_allclose(data.driver_work.sel(coordinate="pin.angle"), work, atol=1e-8)


@pytest.mark.parametrize("beside", [False, True])
@pytest.mark.parametrize("integrator", ["rk45", "dop853"])
def test_work_of_a_driver_is_as_exact_with_adaptive_steps(integrator, beside):
    """A tree on the world has no state to control steps by, nor has a body at rest beside it; its work must follow.

    All work goes into the arm's kinetic energy.
    """
    model = arm(fl.Sine(1.2, frequency=3.0))
    if beside:
        model = model.model_copy(update={"bodies": {**model.bodies, "buoy": fl.Body(1.0, (1, 1, 1))}})
    data = fl.simulate(model, 6.0, 0.01, integrator=integrator)
    rate = 3.6 * np.cos(3.0 * data.time.values)
    work = (0.35 + 2.0 * 0.8**2) * (rate**2 - 3.6**2) / 2
    # Of 10 J, with the default rtol of 1e-9 per step.
    np.testing.assert_allclose(data.driver_work.sel(coordinate="pin.angle"), work, atol=1e-6)


def test_fixed_body_hangs_on_its_joint():
    """A body held by the world: its weight at the joint, and the moment of the weight about it."""
    bodies = {"sign": fl.Body(5.0, (1, 1, 1), position=(2, 0, 1))}
    model = fl.Model("sign", bodies, {"bolt": fl.Fixed("world", "sign", (0, 0, 1))}, gravity=(0, 0, -10))
    data = fl.accelerations(model)
    np.testing.assert_allclose(data.joint_force.sel(joint="bolt"), [0, 0, 50], atol=1e-13)
    np.testing.assert_allclose(data.joint_moment.sel(joint="bolt"), [0, -100, 0], atol=1e-13)


def test_lift_carries_weight_and_acceleration():
    """A prismatic joint to the world moving as A sin(w t): vertical force m (g - A w^2 sin(w t)), exact at any time."""
    bodies = {"cabin": fl.Body(3.0, (1, 1, 1), position=(1, 0, 0))}
    joints = {"rail": fl.Prismatic("world", "cabin", (0, 0, 0), (0, 0, 1), motion=fl.Sine(0.5, frequency=2.0))}
    data = fl.simulate(fl.Model("lift", bodies, joints, gravity=(0, 0, -9.81)), 4.0, 0.01)
    force = 3.0 * (9.81 - 2.0 * np.sin(2.0 * data.time.values))
    np.testing.assert_allclose(data.driver_force.sel(coordinate="rail.length"), force, atol=1e-12)
    np.testing.assert_allclose(data.joint_force.sel(joint="rail", xyz="z"), force, atol=1e-12)
    # The cabin hangs 1 m beside the rail: the moment on it at the joint is r x F = -1 * F about y.
    np.testing.assert_allclose(data.joint_moment.sel(joint="rail", xyz="y"), -force, atol=1e-12)


def test_turning_a_wheel_about_another_axis_takes_a_gyroscopic_moment():
    """dH/dt = W x h: a platform turning about z with a wheel about x needs W h about y, which the pin gives."""
    W, h = 0.6, 0.2 * 50.0
    data = fl.accelerations(arm(fl.Rate(W), wheels=[fl.Wheel((1, 0, 0), 0.2, 50.0)]))
    np.testing.assert_allclose(data.joint_moment.sel(joint="pin"), [0, W * h, 0], atol=1e-13)


def test_cylindrical_joint_is_a_screw_in_space():
    """Turning and sliding together: the mass centre follows a helix, its acceleration centripetal at steady rates."""
    bodies = {"nut": fl.Body(1.0, (1, 1, 1), position=(0.3, 0, 0))}
    motion = {"angle": fl.Rate(2.0), "length": fl.Rate(0.25)}
    joints = {"screw": fl.Cylindrical("world", "nut", (0, 0, 0), (0, 0, 1), motion=motion)}
    data = fl.simulate(fl.Model("nut", bodies, joints, gravity=WEIGHTLESS), 3.0, 0.01)
    t = data.time.values
    helix = np.stack([0.3 * np.cos(2 * t), 0.3 * np.sin(2 * t), 0.25 * t], axis=1)
    np.testing.assert_allclose(data.position.sel(body="nut"), helix, atol=1e-13)
    np.testing.assert_allclose(data.acceleration.sel(body="nut"), -4.0 * helix * [1, 1, 0], atol=1e-12)


def test_universal_joint_follows_its_two_axes():
    """angle1 about the parent's axis, then angle2 about the carried second axis: R = R(axis, a1) R(axis2, a2)."""
    bodies = {"yoke": fl.Body(1.0, (1, 1, 1), position=(0, 0, 0.5))}
    motion = {"angle1": fl.Rate(0.7), "angle2": fl.Rate(-0.4)}
    joints = {"cross": fl.Universal("world", "yoke", (0, 0, 0), (1, 0, 0), (0, 1, 0), motion=motion)}
    data = fl.simulate(fl.Model("yoke", bodies, joints, gravity=WEIGHTLESS), 3.0, 0.01)
    t = data.time.values
    turn = Rotation.from_euler("XY", np.stack([0.7 * t, -0.4 * t], axis=1))
    found = Rotation.from_quat(data.orientation.sel(body="yoke").values, scalar_first=True)
    assert (turn.inv() * found).magnitude().max() < 1e-13
    np.testing.assert_allclose(data.position.sel(body="yoke"), turn.apply([0, 0, 0.5]), atol=1e-13)
