"""Springs, dampers, matrices, tables and formulas on single bodies, where the motion is known in closed form."""

import math

import numpy as np
import pytest
from scipy.linalg import expm
from scipy.spatial.transform import Rotation

import fairlead as fl

WEIGHTLESS = (0, 0, 0)


def one(load, gravity=WEIGHTLESS, **body):
    given = {"mass": 2.0, "inertia": (0.5, 0.8, 1.1)} | body
    loads = load if isinstance(load, dict) else {"load": load}
    return fl.Model("one", {"b": fl.Body(**given)}, loads=loads, gravity=gravity)


def axis(data, what, xyz, body="b"):
    return data[what].sel(body=body, xyz=xyz).values


def test_mass_on_a_spring():
    """Along its line a spring is linear: x = l0 + mg/k + A cos(w t), w^2 = k / m; energy and work exactly known."""
    k, m, rest, g = 18.0, 2.0, 1.0, 9.81
    spring = fl.Spring("b", (0, 0, -1.5), anchor=(0, 0, 0), stiffness=k, length=rest)
    data = fl.simulate(one(spring, gravity=(0, 0, -g), position=(0, 0, -1.5)), 10.0, 0.005, output_every=10)
    t, w, middle = data.time.values, math.sqrt(k / m), -rest - m * g / k
    z = middle + (-1.5 - middle) * np.cos(w * t)
    np.testing.assert_allclose(axis(data, "position", "z"), z, atol=1e-9)  # rk4: w^5 dt^4 / 120 over 10 s, 1 m
    np.testing.assert_allclose(data.tension.sel(load="load"), k * (-z - rest), atol=2e-8)
    stored = 0.5 * k * ((-z - rest) ** 2 - 0.5**2)
    np.testing.assert_allclose(data.load_work.sel(load="load"), -stored, atol=1e-7)


@pytest.mark.parametrize("damping", [0.6, 12.0, 30.0])
def test_damped_oscillator(damping):
    """m x'' + c x' + k x = 0, below, at and above critical damping: the matrix exponential of its two rates."""
    k, m = 18.0, 2.0
    spring = fl.Spring("b", (3, 0, 0), anchor=(0, 0, 0), stiffness=k, damping=damping, length=2.5)
    data = fl.simulate(one(spring, position=(3, 0, 0)), 5.0, 0.005, output_every=10)
    system = np.array([[0, 1], [-k / m, -damping / m]])
    expected = np.array([expm(system * t) @ [0.5, 0.0] for t in data.time.values])
    # rk4: the fastest rate is below 15 / s, (15 dt)^4 / 120 of a motion that dies out.
    np.testing.assert_allclose(axis(data, "position", "x") - 2.5, expected[:, 0], atol=1e-6 if damping > 20 else 1e-9)


def test_two_masses_on_one_spring():
    """Between two free bodies: relative motion with k (1/m1 + 1/m2), their mass centre at rest."""
    k, m1, m2 = 12.0, 2.0, 3.0
    bodies = {"a": fl.Body(m1, (1, 1, 1)), "c": fl.Body(m2, (1, 1, 1), position=(1.4, 0, 0))}
    spring = fl.Spring("a", (0, 0, 0), other="c", other_point=(1.4, 0, 0), stiffness=k, length=1.0)
    data = fl.simulate(fl.Model("two", bodies, loads={"s": spring}, gravity=WEIGHTLESS), 8.0, 0.005, output_every=10)
    w = math.sqrt(k * (1 / m1 + 1 / m2))
    gap = axis(data, "position", "x", "c") - axis(data, "position", "x", "a")
    np.testing.assert_allclose(gap, 1 + 0.4 * np.cos(w * data.time.values), atol=1e-9)  # rk4 as above
    np.testing.assert_allclose(data.momentum, 0.0, atol=1e-13)
    assert list(data["load"].values) == ["s@a", "s@c"]
    np.testing.assert_allclose(data.load_force.sel(load="s@a"), -data.load_force.sel(load="s@c"), atol=0)


def test_line_goes_slack():
    """Tension only: a quarter of an oscillation, then free flight with the speed reached, the spring's energy spent.

    w = pi/2 rad/s puts the quarter at t = 1 s, a whole number of steps, so the kink costs rk4 no order.
    """
    w, m = math.pi / 2, 2.0
    line = fl.Spring(
        "b", (2.5, 0, 0), anchor=(0, 0, 0), stiffness=m * w * w, damping=0.0, length=2.0, tension_only=True
    )
    data = fl.simulate(one(line, position=(2.5, 0, 0)), 3.0, 0.005)
    t = data.time.values
    expected = np.where(t < 1, 2 + 0.5 * np.cos(w * t), 2 - 0.5 * w * (t - 1))
    np.testing.assert_allclose(axis(data, "position", "x"), expected, atol=1e-9)  # rk4: w^5 dt^4 / 120
    tension = data.tension.sel(load="load").values
    assert (tension[t > 1.001] == 0).all() and (tension[t < 0.999] > 0).all()


def test_damper_of_a_line_never_pushes():
    """Tension only with damping: stretched but closing fast, k x + c x' is negative, and a line cannot push."""
    line = fl.Spring("b", (2.1, 0, 0), anchor=(0, 0, 0), stiffness=10, damping=5, length=2.0, tension_only=True)
    data = fl.accelerations(one(line, position=(2.1, 0, 0), velocity=(-3, 0, 0)))
    assert float(data.tension.sel(load="load")) == 0.0
    np.testing.assert_array_equal(data.load_force.sel(load="load"), 0.0)


@pytest.mark.parametrize(("which", "inertia"), [(0, 0.5), (1, 0.8), (2, 1.1)])
@pytest.mark.parametrize("along", [False, True])
def test_torsional_oscillator(which, inertia, along):
    """About a principal axis the rotation vector is that one angle: I phi'' + c phi' + k phi = 0 at any amplitude."""
    k, c, spin, e = 3.0, 0.2, np.zeros(3), np.eye(3)[which]
    spin[which] = 2.5
    spring = fl.RotationalSpring("b", stiffness=k, damping=c, axis=e if along else None)
    data = fl.simulate(one(spring, angular_velocity=spin), 8.0, 0.005, output_every=10)
    system = np.array([[0, 1], [-k / inertia, -c / inertia]])
    expected = np.array([expm(system * t) @ [0.0, 2.5] for t in data.time.values])
    assert np.abs(expected[:, 0]).max() > 0.9  # far from small angles
    rate = data.angular_velocity.sel(body="b").values[:, which]
    np.testing.assert_allclose(rate, expected[:, 1], atol=1e-8)  # rk4: (2.5 / s)^5 dt^4 / 120 over 8 s, 2.5 rad/s


def test_torsion_between_two_bodies():
    """A rotational spring between two free bodies on one axis: frequency^2 = k (1/I1 + 1/I2), momentum zero."""
    k, I1, I2 = 4.0, 0.5, 1.5
    bodies = {
        "a": fl.Body(1, (1, 1, I1), angular_velocity=(0, 0, 1.2)),
        "c": fl.Body(1, (2, 2, I2), position=(0, 0, 1), angular_velocity=(0, 0, -1.2 * I1 / I2)),
    }
    spring = fl.RotationalSpring("a", "c", stiffness=k)
    data = fl.simulate(fl.Model("two", bodies, loads={"s": spring}, gravity=WEIGHTLESS), 8.0, 0.005, output_every=10)
    w = math.sqrt(k * (1 / I1 + 1 / I2))
    relative = axis(data, "angular_velocity", "z", "a") - axis(data, "angular_velocity", "z", "c")
    np.testing.assert_allclose(
        relative, 1.2 * (1 + I1 / I2) * np.cos(w * data.time.values), atol=5e-8
    )  # rk4: w^5 dt^4 / 120


@pytest.mark.parametrize("dof", range(6))
@pytest.mark.parametrize("added", [0.0, 1.7])
def test_six_oscillators_of_a_matrix(dof, added):
    """One degree of freedom alone: frequency sqrt(k / (m + a)); added mass lowers it just so, at any amplitude."""
    stiffness = np.array([5.0, 6.0, 7.0, 2.0, 3.0, 4.0])
    mass = np.array([2.0, 2.0, 2.0, 0.5, 0.8, 1.1])
    start = np.zeros(6)
    start[dof] = 0.9
    load = fl.Matrix("b", (0, 0, 0), stiffness=stiffness, added_mass=np.full(6, added) if added else None)
    model = one(load, velocity=start[:3], angular_velocity=start[3:])
    data = fl.simulate(model, 8.0, 0.005, output_every=10)
    w = math.sqrt(stiffness[dof] / (mass[dof] + added))
    rate = np.concatenate([data.velocity.sel(body="b").values.T, data.angular_velocity.sel(body="b").values.T])
    expected = np.zeros_like(rate)
    expected[dof] = 0.9 * np.cos(w * data.time.values)
    np.testing.assert_allclose(rate, expected, atol=1e-8)  # rk4: w^5 dt^4 / 120 over 8 s
    force = np.concatenate([data.load_force.values[:, 0].T, data.load_moment.values[:, 0].T])[dof]
    inertial = (
        -mass[dof] * 0.9 * w * np.sin(w * data.time.values)
    )  # the record holds the whole load, added mass included
    np.testing.assert_allclose(force, inertial, atol=1e-7)


def test_coupled_small_motions_of_a_matrix():
    """For small motions (M + A) x'' + C x' + K x = 0 in six coordinates at a point beside the mass centre."""
    rng = np.random.default_rng(7)

    def positive(size):
        a = rng.normal(size=(6, 6))
        return size * (a @ a.T / 6 + 0.5 * np.eye(6))

    K, C, A = positive(8.0), positive(0.3), positive(1.0)
    s = np.array([0.3, -0.2, 0.4])  # from the mass centre to the point
    skew = np.array([[0, -s[2], s[1]], [s[2], 0, -s[0]], [-s[1], s[0], 0]])
    X = np.block([[np.eye(3), -skew], [np.zeros((3, 3)), np.eye(3)]])  # point = X (mass centre)
    M = np.diag([2.0, 2.0, 2.0, 0.5, 0.8, 1.1])
    total, damp, stiff = M + X.T @ A @ X, X.T @ C @ X, X.T @ K @ X
    system = np.block([[np.zeros((6, 6)), np.eye(6)], [-np.linalg.solve(total, stiff), -np.linalg.solve(total, damp)]])
    start = 1e-6 * rng.normal(size=6)
    load = fl.Matrix("b", s, K, C, None, A)
    data = fl.simulate(one(load, velocity=start[:3], angular_velocity=start[3:]), 6.0, 0.005, output_every=20)
    expected = np.array([expm(system * t) @ np.concatenate([np.zeros(6), start]) for t in data.time.values])
    found = np.concatenate([data.position.sel(body="b").values, data.velocity.sel(body="b").values], axis=1)
    # Terms of second order are 1e-6 of the linear ones.
    np.testing.assert_allclose(found, expected[:, [0, 1, 2, 6, 7, 8]], atol=1e-11)
    np.testing.assert_allclose(data.angular_velocity.sel(body="b"), expected[:, 9:], atol=1e-11)


def test_preload_and_point_of_a_matrix():
    """A constant wrench at a point: the mass centre feels the force and moment + s x force."""
    load = fl.Matrix("b", (0.5, 0, 0), preload=(0, 0, 4, 1, 0, 0))
    data = fl.accelerations(one(load))
    np.testing.assert_allclose(data.acceleration.sel(body="b"), [0, 0, 2], atol=1e-14)
    np.testing.assert_allclose(data.angular_acceleration.sel(body="b"), [1 / 0.5, -2 / 0.8, 0], atol=1e-14)


def test_a_matrix_in_yawing_axes_spelt_out():
    """F = Z [F0 - K (Z^T d, roll, pitch, yaw) - C Z^T v - A Z^T a], Z = Rz(yaw) of R = Rz Ry Rx, in any attitude."""
    rng = np.random.default_rng(1)
    K, C, A = (rng.normal(size=(6, 6)) for _ in range(3))
    A, preload, s = A @ A.T, rng.normal(size=6), np.array([0.3, -0.2, 0.4])
    angles = np.array([0.3, -0.4, 2.2])  # roll, pitch, yaw
    R = Rotation.from_euler("ZYX", angles[::-1])
    initial = dict(zip("xyzabc", [*rng.normal(size=3), *R.as_euler("XYZ")]))
    start = fl.Free("world", "b", (0, 0, 0), initial=initial, rate=dict(zip("xyzabc", rng.normal(size=6))))
    load = fl.Matrix("b", s, K, C, preload, A, axes="yawing")
    data = fl.accelerations(one(load).model_copy(update={"joints": {"start": start}})).sel(body="b")
    w, al = R.apply(data.angular_velocity), R.apply(data.angular_acceleration)
    arm = R.apply(s)
    d = data.position.values + arm - s
    v = data.velocity.values + np.cross(w, arm)
    a = data.acceleration.values + np.cross(al, arm) + np.cross(w, np.cross(w, arm))
    Z = np.kron(np.eye(2), Rotation.from_euler("z", angles[2]).as_matrix())
    turned = np.concatenate([Z[:3, :3].T @ d, angles])
    F = Z @ (preload - K @ turned - C @ Z.T @ [*v, *w] - A @ Z.T @ [*a, *al])
    np.testing.assert_allclose(data.load_force[0], F[:3], atol=1e-13)
    np.testing.assert_allclose(data.load_moment[0], F[3:] + np.cross(arm, F[:3]), atol=1e-13)


def test_a_lean_that_goes_round_feels_one_stiffness_in_yawing_axes():
    """A hull leaning by r about its hinge, which a table turns about z: the hinge holds k_xx r all the way round.

    In world axes it does not: the lean is about another axis by and by.
    """
    lean, rate, k_xx, k_yy = 0.1, 0.5, 4.0, 7.0
    bodies = {"table": fl.Body(1.0, (1, 1, 1)), "hull": fl.Body(1.0, (1, 1, 1))}
    joints = {
        "turn": fl.Revolute("world", "table", (0, 0, 0), (0, 0, 1), motion=fl.Rate(rate)),
        "hinge": fl.Revolute("table", "hull", (0, 0, 0), (1, 0, 0), initial=lean, locked=True),
    }

    def held(axes):
        load = fl.Matrix("hull", (0, 0, 0), (0, 0, 0, k_xx, k_yy, 0), axes=axes)
        model = fl.Model("lean", bodies, joints, {"sea": load}, gravity=(0, 0, 0))
        return fl.simulate(model, 5.0, 0.5)

    yawing, world = held("yawing"), held("world")  # a quarter turn is at pi / (2 rate) = 3.14 s
    about_hinge = np.stack([np.cos(rate * yawing.time), np.sin(rate * yawing.time), 0 * yawing.time], axis=1)
    moment = (yawing.load_moment.isel(load=0).values * about_hinge).sum(axis=1)
    np.testing.assert_allclose(moment, -k_xx * lean, atol=1e-14)
    elsewhere = (world.load_moment.isel(load=0).values * about_hinge).sum(axis=1)
    assert abs(elsewhere[0] + k_xx * lean) < 1e-14
    assert np.ptp(elsewhere) > 0.5 * (k_yy - k_xx) * lean


def test_force_from_a_table_is_linear_between_its_rows():
    """F = 6 t / 2 for two seconds: v = 3 t^2 / 4, x = t^3 / 4 for 2 kg, which rk4 integrates exactly; then it falls."""
    table = fl.Table((0, 2, 4), (0, 6, 0))
    data = fl.simulate(one(fl.Force("b", force=(table, 0, 0))), 4.0, 0.05)
    t = data.time.values
    first = np.where(t <= 2, t**3 / 4, 2 + 3 * (t - 2) + 1.5 * (t - 2) ** 2 - (t - 2) ** 3 / 4)
    np.testing.assert_allclose(axis(data, "position", "x"), first, atol=1e-12)  # rounding of 80 steps


def test_force_turning_with_the_body():
    """A force in body axes at the mass centre of a steadily turning body: the velocity runs on a circle."""
    w, F, m = 1.5, 3.0, 2.0
    data = fl.simulate(one(fl.Force("b", force=(F, 0, 0), axes="body"), angular_velocity=(0, 0, w)), 6.0, 0.005)
    t = data.time.values
    np.testing.assert_allclose(axis(data, "velocity", "x"), F / (m * w) * np.sin(w * t), atol=1e-10)
    np.testing.assert_allclose(axis(data, "velocity", "y"), F / (m * w) * (1 - np.cos(w * t)), atol=1e-10)


def test_formula_of_channels_equals_the_load_it_spells_out():
    """-k x as a formula, as a 6x6 matrix and as a spring without length: one motion, three ways to say it."""
    k, c = 7.0, 0.4
    start = {"position": (0.3, -0.2, 0.1), "velocity": (0.5, 1.0, -0.7)}
    formula = fl.Force("b", force=[f"-{k}*b.{q} - {c}*b.v{q}" for q in "xyz"])
    drawn = np.array(start["position"])
    matrix = fl.Matrix(
        "b", drawn, stiffness=[k] * 3 + [0] * 3, damping=[c] * 3 + [0] * 3, preload=[*(-k * drawn), 0, 0, 0]
    )
    found = [fl.simulate(one(load, **start), 5.0, 0.01) for load in (formula, matrix)]
    # Equal formulas evaluated in another order: rounding only.
    np.testing.assert_allclose(found[0].position, found[1].position, atol=1e-13)
    np.testing.assert_allclose(found[0].load_work, found[1].load_work, atol=1e-12)
    undamped = fl.Force("b", force=[f"-{k}*b.{q}" for q in "xyz"])
    spring = fl.Spring("b", drawn, anchor=(0, 0, 0), stiffness=k, length=0.0)
    pair = [fl.simulate(one(load, **start), 5.0, 0.01) for load in (undamped, spring)]
    np.testing.assert_allclose(pair[0].position, pair[1].position, atol=1e-13)


def test_a_formula_may_begin_with_a_number():
    """1e3 * t is a formula, 1e3 kN a number with its unit; m x'' = a t gives x' = a t^2 / 2."""
    force = ("1e3 * t", "2.5E+2*t", "1e3 N")
    model = fl.Model("m", {"b": fl.Body(10.0, (1, 1, 1))}, loads={"f": fl.Force("b", force=force)}, gravity=(0, 0, 0))
    data = fl.simulate(model, 2.0, 0.1)
    np.testing.assert_allclose(data.velocity[-1, 0], [200.0, 50.0, 200.0], rtol=1e-13)  # rk4 is exact here


def test_python_function_as_a_load():
    """A callable is evaluated at every stage, so it is the same motion as the formula it stands for."""
    start = {"position": (0.3, -0.2, 0.1), "velocity": (0.5, 1.0, -0.7)}
    formula = fl.Force("b", force=["-7*b.x + sin(t)", 0, "-2*b.vz"])

    def function(t, motion):
        position, _, velocity, _ = motion["b"]
        return [-7 * position[0] + math.sin(t), 0, -2 * velocity[2], 0, 0, 0]

    found = [fl.simulate(one(load, **start), 2.0, 0.01) for load in (formula, fl.Force("b", function=function))]
    np.testing.assert_allclose(found[0].position, found[1].position, atol=1e-13)  # rounding of another order of sums
