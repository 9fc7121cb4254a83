"""A free body: elliptic functions, steady precession, a wheel inside, and attitudes that angles cannot pass."""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation
from scipy.special import ellipj, ellipkinc

import fairlead as fl

WEIGHTLESS = (0, 0, 0)


def body_alone(body):
    return fl.Model("alone", {"body": body}, gravity=WEIGHTLESS)


def attitudes(data, body="body"):
    return Rotation.from_quat(data.orientation.sel(body=body).values, scalar_first=True)


def rates_by_elliptic_functions(I, w0, t):
    """Angular velocity of a free body with I1 < I2 < I3 (Landau and Lifshitz, Mechanics, section 37)."""
    I, w0 = np.array(I), np.array(w0)
    twice_energy, square = I @ w0**2, (I * w0) @ (I * w0)
    if square < twice_energy * I[1]:  # it turns about the first axis: exchange the first and the third
        return _about_third(I[::-1], w0[::-1], t)[:, ::-1]
    return _about_third(I, w0, t)


def _about_third(I, w0, t):
    """w = (a1 cn, s a2 sn, s a3 dn) with s the sign of w3, so that I1 w1' = (I2 - I3) w2 w3, as cn' = -sn dn."""
    I1, I2, I3 = I
    twice_energy, square = I @ w0**2, (I * w0) @ (I * w0)
    small, large = twice_energy * I3 - square, square - twice_energy * I1
    a1, a2, a3 = np.sqrt([small / (I1 * (I3 - I1)), small / (I2 * (I3 - I2)), large / (I3 * (I3 - I1))])
    third = math.copysign(1.0, w0[2])
    m = (I2 - I1) * small / ((I3 - I2) * large)
    phase = ellipkinc(math.atan2(third * w0[1] / a2, w0[0] / a1), m)
    sn, cn, dn, _ = ellipj(math.sqrt((I3 - I2) * large / (I1 * I2 * I3)) * t + phase, m)
    return np.stack([a1 * cn, third * a2 * sn, third * a3 * dn], axis=1)


@pytest.mark.parametrize(
    "w0", [(0.01, 1.0, 0.01), (0.02, 1.0, -0.01), (-0.4, 0.3, 1.1), (0.9, -0.2, 0.3), (0.0, 1.0, 0.02)]
)
@pytest.mark.parametrize("integrator", ["rk4", "dop853"])
def test_asymmetric_body_follows_elliptic_functions(w0, integrator):
    """Free rotation is solved by Jacobi's functions, also the sudden turns of a body thrown about its middle axis."""
    I = (1.0, 2.0, 2.5)
    body = fl.Body(3.0, I, orientation={"euler123": (0.3, -0.2, 0.5)}, angular_velocity=w0)
    tight = {"rtol": 1e-12, "atol": 1e-14} if integrator == "dop853" else {}
    data = fl.simulate(body_alone(body), 100, 0.005, integrator=integrator, output_every=200, **tight)
    expected = rates_by_elliptic_functions(I, w0, data.time.values)
    # 1e-8: rk4 leaves (0.005)^4 / 120 per unit time, some 1e-11 in 100 s, times 1 / 0.01 near the unstable axis.
    np.testing.assert_allclose(data.angular_velocity.sel(body="body"), expected, atol=1e-8)
    # The attitude: R I w is the angular momentum in the world, which nothing changes.
    momentum = attitudes(data).apply(data.angular_velocity.sel(body="body").values * np.array(I))
    np.testing.assert_allclose(momentum, np.tile(momentum[0], (len(momentum), 1)), atol=1e-8)


def test_attitude_of_asymmetric_body_equals_another_integration():
    """Rotation matrix and rates of the same body, integrated by scipy with R' = R w~ in nine entries."""
    I, w0, start = np.array([1.0, 2.0, 2.5]), np.array([0.02, 1.0, 0.01]), Rotation.from_euler("XYZ", [0.3, -0.2, 0.5])

    def rate(_, y):
        R, w = y[:9].reshape(3, 3), y[9:]
        return np.concatenate([np.cross(R, w).ravel(), np.cross(I * w, w) / I])  # rows of R w~ are row x w

    R = start.as_matrix()
    times = np.linspace(0, 100, 101)
    y0 = np.concatenate([R.ravel(), w0])
    other = solve_ivp(rate, (0, 100), y0, method="DOP853", rtol=1e-13, atol=1e-14, t_eval=times)
    body = fl.Body(3.0, I, orientation={"matrix": R.tolist()}, angular_velocity=w0)
    data = fl.simulate(body_alone(body), 100, 0.005, output_every=200)
    # The attitude gathers the error of the rates over 100 s.
    np.testing.assert_allclose(attitudes(data).as_matrix(), other.y[:9].T.reshape(-1, 3, 3), atol=1e-7)
    # The tumbling passes the neighbourhood of the angles' singular attitude several times without a trace.
    assert np.abs(np.cos(data.euler123.sel(body="body", xyz="y"))).min() < 0.1


def steady(body, wheel=0.0):
    """R(t) for I1 = I2 and a wheel h on the axis: w = H / I1 + e3 (w3 - (I3 w3 + h) / I1), both parts steady."""
    I1, I3, w = body.inertia[0][0], body.inertia[2][2], np.array(body.angular_velocity)
    start = Rotation.from_quat(body.orientation.quaternion, scalar_first=True)
    H = start.apply(np.array([I1 * w[0], I1 * w[1], I3 * w[2] + wheel]))
    own = w[2] - (I3 * w[2] + wheel) / I1
    return lambda t: (
        Rotation.from_rotvec(np.outer(t, H / I1)) * start * Rotation.from_rotvec(np.outer(t, [0.0, 0.0, own]))
    )


@pytest.mark.parametrize("I3", [0.4, 1.9])
def test_symmetric_body_precesses_steadily(I3):
    """Poinsot's solution for a long and a flat body: the axis turns about the angular momentum with H / I1."""
    q = Rotation.from_rotvec([0.4, -0.7, 0.2]).as_quat(scalar_first=True)
    body = fl.Body(2.0, (1.0, 1.0, I3), orientation={"quaternion": q}, angular_velocity=(0.3, -0.2, 2.0))
    data = fl.simulate(body_alone(body), 20, 0.002, output_every=100)
    expected = steady(body)(data.time.values)
    turn = (expected.inv() * attitudes(data)).magnitude()
    assert turn.max() < 1e-10  # rk4: w^5 dt^4 / 120 per second, 1e-12 here, over 20 s


def test_wheel_in_a_symmetric_body_changes_its_precession():
    """Dual spin: the stored momentum joins H, so the transverse rates turn with ((I3 - I1) w3 + h) / I1."""
    q = Rotation.from_rotvec([0.1, 0.2, -0.5]).as_quat(scalar_first=True)
    wheels = [fl.Wheel((0, 0, 1), 0.05, 60.0), fl.Wheel((0, 0, -1), 0.02, 10.0)]
    h = 0.05 * 60.0 - 0.02 * 10.0
    body = fl.Body(
        2.0, (1.0, 1.0, 1.4), orientation={"quaternion": q}, angular_velocity=(0.3, -0.2, 0.5), wheels=wheels
    )
    data = fl.simulate(body_alone(body), 20, 0.002, output_every=100)
    t, w = data.time.values, data.angular_velocity.sel(body="body").values
    nutation = ((1.4 - 1.0) * 0.5 + h) / 1.0
    expected = np.hypot(0.3, 0.2) * np.exp(1j * (math.atan2(-0.2, 0.3) + nutation * t))
    np.testing.assert_allclose(w[:, 0] + 1j * w[:, 1], expected, atol=1e-10)  # rk4: (3 / s)^5 dt^4 / 120 over 20 s
    assert (steady(body, h)(t).inv() * attitudes(data)).magnitude().max() < 1e-10


@pytest.mark.parametrize("a", [-2.5, 0.0, 1.0])
@pytest.mark.parametrize("c", [-1.0, 0.0, 2.0])
@pytest.mark.parametrize("sign", [-1.0, 1.0])
def test_quaternions_pass_singular_attitudes_without_notice(a, c, sign):
    """R = Rx(a) Ry(b) Rz(c) with b = w t through +-90 degrees: for equal moments a steady turn about a body axis."""
    w = sign * np.array([math.sin(c), math.cos(c), 0.0])
    start = {"euler123": (a, sign * (math.pi / 2 - 0.5), c)}
    body = fl.Body(1.0, (1.0, 1.0, 1.0), orientation=start, angular_velocity=w)
    data = fl.simulate(body_alone(body), 1.0, 0.01)
    b = sign * (math.pi / 2 - 0.5 + data.time.values)
    angles = np.stack([np.full_like(b, a), b, np.full_like(b, c)], axis=1)
    turn = (Rotation.from_euler("XYZ", angles).inv() * attitudes(data)).magnitude()
    assert turn.max() < 1e-10  # rk4: dt^4 / 1920 per second for the half angle
    with pytest.raises(fl.NumericalFailure, match=r"'body'.*quaternion") as failure:
        fl.simulate(body_alone(body), 1.0, 0.01, rotation="euler123")
    # What was computed is kept, up to a step or two before cos X5 = 0 at 0.5 s.
    assert 0.45 < failure.value.data.time.values[-1] < 0.5


def test_projectile():
    """x = x0 + v t + g t^2 / 2: a parabola, which every method of order two and more has exactly."""
    model = fl.Model("ball", {"ball": fl.Body(0.3, (1, 1, 1), (1, 2, 3), velocity=(4, -5, 6))}, gravity=(0.1, 0, -9.81))
    for integrator in ("rk4", "rk45", "dop853"):
        data = fl.simulate(model, 2.0, 0.01, integrator=integrator)
        t = data.time.values[:, None]
        expected = np.array([1, 2, 3]) + np.array([4, -5, 6]) * t + 0.5 * np.array([0.1, 0, -9.81]) * t**2
        np.testing.assert_allclose(data.position.sel(body="ball"), expected, atol=1e-12)  # rounding of 200 steps
