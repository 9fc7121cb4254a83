"""The equations written out: matrices against differences of positions, and the accelerations that they give."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import fairlead as fl
from witness.mass_matrix import mass_matrix
from witness.random_free_models import random_free_model
from witness.random_models import random_model

EXAMPLES = Path(__file__).parents[2] / "examples"
LOWER = {"B2": "B1", "B3": "B2", "B4": "B3", "B5": "B2", "B6": "B1", "B7": "B1", "B8": "B7"}
STEP = 1e-3  # of sixth-order differences: truncation below 1e-15, rounding 1e-15 / STEP = 1e-12 of lengths up to 10
DIFFERENCES = 1e-11


def slope(function, step=STEP):
    """Derivative at zero of an array that depends on one number, of sixth order."""
    return sum(
        c * (function(k * step) - function(-k * step)) / step for k, c in {1: 3 / 4, 2: -3 / 20, 3: 1 / 60}.items()
    )


def attitudes(data, names):
    return Rotation.from_quat(data.orientation.sel(body=names).values, scalar_first=True).as_matrix()


# The Kane notes ------------------------------------------------------------------------------------------------------


@cache
def eight(seed=4):
    """The eight bodies of the notes with all 48 coordinates free, starting from angles, two bodies drawn turned."""
    drawn, rng = fl.load(EXAMPLES / "eight_body_kane.yaml"), np.random.default_rng(seed)

    def some():
        return {c: float(rng.uniform(-1, 1)) for c in "xyzabc"}

    base = {"J1": fl.Free("world", "B1", (0, 0, 0), initial=some(), rate=some())}
    joints = base | {
        drawn_joint: fl.Free(
            parent, child, drawn.joints[drawn_joint].point, initial=some(), rate=some(), spring={"x": 5, "y": 3}
        )
        for drawn_joint, (child, parent) in zip(drawn.joints, LOWER.items())
    }
    force = fl.Force("B4", (3, 0, 0), force=(3, -1, 2), moment=(0.5, 0, 1))
    return fl.Model("eight", drawn.bodies, joints, {"push": force}, gravity=(1.0, -2.0, -9.0))


def places(model, x):
    """Mass centres and attitudes of the bodies by Eqs. 3, 4, 21-23 of the notes, from angles and translations `x`."""
    origins, turns, centres = {}, {}, {}
    joint_of = {joint.child: joint for joint in model.joints.values()}
    n = len(model.bodies)
    for K, (name, body) in enumerate(model.bodies.items()):
        lower = LOWER.get(name)
        own = Rotation.from_euler("XYZ", body.orientation.euler123 if body.orientation else (0, 0, 0)).as_matrix()
        R_J = turns[lower] if lower else np.eye(3)
        point = np.array(joint_of[name].point)
        q, origin = np.zeros(3), np.zeros(3)
        if lower:
            low = model.bodies[lower]
            drawn = Rotation.from_euler("XYZ", low.orientation.euler123 if low.orientation else (0, 0, 0)).as_matrix()
            before = np.array(joint_of[lower].point) if LOWER.get(lower) else np.array(low.position)
            q, origin = drawn.T @ (point - before), origins[lower]
        else:
            point = np.array(body.position)  # the reference body's origin is its mass centre
        turns[name] = R_J @ Rotation.from_euler("XYZ", x[3 * K : 3 * K + 3]).as_matrix()
        origins[name] = origin + R_J @ (q + x[3 * (n + K) : 3 * (n + K) + 3])
        centres[name] = origins[name] + turns[name] @ own.T @ (np.array(body.position) - point)
    return np.array(list(centres.values())), np.array(list(turns.values()))


@pytest.fixture(scope="module")
def kane():
    return fl.equations(eight())


def test_coordinates_are_the_notes_own(kane):
    """Angles between the bodies' own axes, start angles in them, and translations along the lower body's own axes."""
    found = fl.accelerations(eight(), formulation="articulated")
    centres, turns = places(eight(), kane.position.values)
    assert list(kane.body.values) == list(eight().bodies)
    assert np.allclose(centres, found.position.sel(body=kane.body), rtol=0, atol=1e-13)
    assert np.allclose(turns, attitudes(found, kane.body), rtol=0, atol=1e-14)
    base = kane.position.sel(coordinate=[f"angle {i} of B1" for i in (1, 2, 3)])
    assert np.allclose(base, [eight().joints["J1"].initial[c] for c in "abc"], rtol=0, atol=1e-14)


def test_partial_velocities_are_differences_of_places(kane):
    """x' = y (Eq. 44): a partial velocity is the derivative of a place by a coordinate."""
    x, R = kane.position.values, places(eight(), kane.position.values)[1]
    for p, unit in enumerate(np.eye(len(x))):
        dx = slope(lambda h, unit=unit: places(eight(), x + h * unit)[0])
        dR = slope(lambda h, unit=unit: places(eight(), x + h * unit)[1])
        S = np.swapaxes(R, 1, 2) @ dR
        w = np.stack([S[:, 2, 1], S[:, 0, 2], S[:, 1, 0]], axis=1)
        v = np.einsum("bji,bj->bi", R, dx)
        assert np.allclose(kane.partial_velocity[:, :, p], v, rtol=0, atol=DIFFERENCES)
        assert np.allclose(kane.partial_angular_velocity[:, :, p], w, rtol=0, atol=DIFFERENCES)


def test_mass_matrix_is_that_of_the_notes(kane):
    """Eq. 42 with the partial velocities just proved, and twice the kinetic energy."""
    V, W = kane.partial_velocity.values, kane.partial_angular_velocity.values
    A = sum(
        body.mass * V[K].T @ V[K] + W[K].T @ np.array(body.inertia) @ W[K]
        for K, body in enumerate(eight().bodies.values())
    )
    assert np.allclose(kane.mass_matrix, A, rtol=0, atol=1e-14 * np.abs(A).max())
    y = kane.speed.values
    energy = fl.accelerations(eight(), formulation="articulated").kinetic_energy
    assert y @ A @ y / 2 == pytest.approx(float(energy), rel=1e-13)


def body_accelerations(data):
    """Accelerations from {y'}: [v,y] y' + [v,y]' y + w x v and [w,y] y' + [w,y]' y, body axes."""
    y, dy = data.speed.values, data.acceleration.values
    V, W, dV, dW = (
        data[name].values
        for name in (
            "partial_velocity",
            "partial_angular_velocity",
            "partial_velocity_rate",
            "partial_angular_velocity_rate",
        )
    )
    return V @ dy + dV @ y + np.cross(W @ y, V @ y), W @ dy + dW @ y


def kane_errors(model, data, found):
    """How far {y'} of the free rows, and the bodies' accelerations, are from those of `fl.accelerations`, relative."""
    A, f, dy = data.mass_matrix.values, data.forcing.values, data.acceleration.values
    free = data.role.values == "free"
    left = A[free] @ dy - f[free]
    a, al = body_accelerations(data)
    at = found.sel(body=data.body)
    own = np.einsum("bji,bj->bi", attitudes(at, data.body), at.acceleration.values)
    size = max(1.0, np.abs(own).max(), np.abs(at.angular_acceleration.values).max())
    work = np.abs(A) @ np.abs(dy)
    return (
        np.abs(left).max(initial=0.0) / max(1.0, work.max(initial=0.0)),
        np.abs(a - own).max() / size,
        np.abs(al - at.angular_acceleration.values).max() / size,
    )


def rounding(data):
    """How far two ways to solve the equations (Cholesky's, LU) may differ: eps times the condition of their matrix.

    In units in which its diagonal is one, which neither way is hurt by. Trees of 46 freedoms have 6e4.
    """
    free = data.role.values == "free"
    M = data.mass_matrix.values[np.ix_(free, free)]
    size = np.sqrt(np.diag(M))
    return np.finfo(float).eps * np.linalg.cond(M / size / size[:, None])


def test_the_notes_equations_give_the_accelerations(kane):
    found = fl.accelerations(eight(), formulation="kane")
    assert max(kane_errors(eight(), kane, found)) < 1e-12
    solved = np.linalg.solve(kane.mass_matrix.values, kane.forcing.values)
    assert np.allclose(solved, kane.acceleration, rtol=0, atol=1e-12 * np.abs(solved).max())
    assert not kane.held_force.any()


@pytest.mark.parametrize("seed", range(8))
def test_kane_on_random_trees(seed):
    """Free, driven and locked coordinates, loads, wheels, added mass; and the same from an instant given as `state`."""
    model = random_free_model(seed, slides_flipped=False)
    found = fl.accelerations(model, formulation="kane")
    data = fl.equations(model)
    assert max(kane_errors(model, data, found)) < max(1e-12, rounding(data))
    # Delayed actuators start anew, so forces may differ; matrices and speeds are those of the instant.
    again = fl.equations(model, state=found)
    for name in ("mass_matrix", "speed", "position", "partial_velocity"):
        size = max(1.0, np.abs(data[name]).max())
        assert np.allclose(again[name], data[name], rtol=0, atol=1e-12 * size), name


def test_kane_of_a_later_instant():
    """The tumbling example after its reference attitudes have moved: the notes' angles start anew from the axes."""
    model = fl.load(EXAMPLES / "eight_body_kane.yaml")
    run = fl.simulate(model, 1.5, 0.005, output_every=100, progress=False)
    data = fl.equations(model, state=run)
    assert float(data.time) == 1.5
    # Of rk4's state: the record has it to rounding, and driven joints at that time.
    assert max(kane_errors(model, data, run.isel(time=-1))) < 1e-12
    angles = data.position.sel(coordinate=[f"angle {i} of B1" for i in (1, 2, 3)])
    assert np.allclose(angles, run.euler123.sel(body="B1").isel(time=-1), rtol=0, atol=1e-14)


# The momentum cloud --------------------------------------------------------------------------------------------------

CLOUD = {
    "serial": lambda: random_model(11, 6, joints=("revolute",), trees=1, rooted=False),
    "branched": lambda: random_model(3, 9, joints=("revolute",), trees=1, rooted=False),
    "any joints": lambda: random_model(1, 7, trees=1, rooted=False),
    "six bodies": lambda: fl.load(EXAMPLES / "six_body_restoring_from_zero.yaml"),
}


@pytest.mark.parametrize("case", CLOUD)
def test_rates_of_the_printed_coefficients_are_their_differences(case):
    """With everything driven P1, Q1, P2, Q2 are functions of time alone, in the axes of the base."""
    model, t = CLOUD[case](), 0.7
    data = fl.equations(model, t, "cloud")
    instants = {k: fl.equations(model, t + k * STEP, "cloud") for k in (-3, -2, -1, 1, 2, 3)}
    for name in ("P1", "Q1", "P2", "Q2", "wheel_momentum"):
        found = slope(lambda h, name=name: instants[round(h / STEP)][name].values)
        size = max(np.abs(found).max(), np.abs(data[name]).max())
        assert np.allclose(data[f"{name}_rate"], found, rtol=0, atol=1e-8 * size), name


@pytest.mark.parametrize("case", CLOUD)
def test_the_printed_momentum_is_that_of_the_sweep(case):
    """H = (P1 + P2) omega + Q1 + Q2 against the record's, gathered in one sweep in world axes; Eq. 23 likewise."""
    model = CLOUD[case]()
    data, found = fl.equations(model, 0.7, "cloud"), fl.accelerations(model, 0.7, formulation="cloud")
    H = data.T_CsCI.values @ data.angular_momentum.values
    assert np.allclose(H, found.angular_momentum, rtol=0, atol=1e-12 * np.abs(H).max())
    base = found.sel(body=str(data.body[0].values))
    domega = data.T_omega.values @ data.acceleration.values[3:] + data.RE.values
    assert np.allclose(domega, base.angular_acceleration, rtol=0, atol=1e-12 * max(1e-3, np.abs(domega).max()))
    mass = found.mass.values
    centre = mass @ found.acceleration.values / mass.sum()
    assert np.allclose(data.acceleration[:3], centre, rtol=0, atol=1e-12 * max(1e-3, np.abs(centre).max()))


# Trees in joint coordinates ------------------------------------------------------------------------------------------


PARTS = ("coriolis", "gravity", "load")


@pytest.mark.parametrize("seed", range(8))
def test_trees_in_joint_coordinates(seed):
    """M q'' = forcing + held_force at the accelerations of the O(N) recursion, drivers' forces its own."""
    model = random_free_model(seed)
    data, found = fl.equations(model, formulation="articulated"), fl.accelerations(model, formulation="articulated")
    M, a = data.mass_matrix.values, data.acceleration.values
    free = data.role.values == "free"
    size = max(1.0, (np.abs(M) @ np.abs(a)).max(), *(np.abs(data[f"{part}_force"]).max() for part in PARTS))
    assert np.abs(M @ a - data.forcing.values)[free].max(initial=0.0) < 1e-12 * size
    assert np.allclose(M, M.T, rtol=0, atol=1e-13 * np.abs(M).max())
    shared = [label for label in found.coordinate.values if label in data.coordinate.values]
    there = found.joint_acceleration.sel(coordinate=shared)  # of balls gathered anew from the bodies
    close = 1e-13 * max(1.0, np.abs(a).max())
    assert np.allclose(data.acceleration.sel(coordinate=shared), there, rtol=0, atol=close)
    driven = [n for n, role in zip(data.coordinate.values, data.role.values) if role != "free"]
    needed = data.held_force.sel(equation=driven) + data.joint_force.sel(equation=driven)
    assert np.allclose(needed, found.driver_force.sel(coordinate=driven), rtol=0, atol=1e-11 * size)


def arm():
    return fl.load(EXAMPLES / "robot_arm_floating.yaml")


POINTS = {"tip": ("hand", (3.4, 0.1, -0.05)), "elbow": ("forearm", (1.7, 0, 0))}


def test_mass_matrix_of_a_floating_arm_is_the_witnesses():
    data = fl.equations(arm(), formulation="articulated")
    labels, M = mass_matrix(arm())
    words = dict(zip("xyzabc", ("surge", "sway", "heave", "roll", "pitch", "yaw")))
    own = [f"{words[label[5:]]} of base" if label.startswith("base.") else label for label in labels]
    assert np.allclose(data.mass_matrix.sel(equation=own, coordinate=own), M, rtol=0, atol=1e-13 * np.abs(M).max())


def posed(x, rates):
    """The arm with its joint coordinates at x, from the drawing, with rates."""
    model = arm()
    changes = {}
    for label, value, rate in zip(model.joints, x, rates):
        changes |= {f"joints.{label}.initial": float(value), f"joints.{label}.rate": float(rate)}
    return model.with_(changes)


def test_jacobians_are_differences_of_points():
    rng = np.random.default_rng(3)
    n = len(arm().joints)
    x, rates = rng.uniform(-0.5, 0.5, n), rng.uniform(-1, 1, n)

    def at(x):
        return fl.equations(posed(x, rates), formulation="articulated", points=POINTS)

    data = at(x)
    labels = [f"{joint}.angle" for joint in arm().joints]
    J = data.jacobian.sel(coordinate=labels).values
    for i, unit in enumerate(np.eye(n)):
        found = slope(lambda h, unit=unit: at(x + h * unit).point_position.values, 1e-2)  # h^6 of sines
        assert np.allclose(J[:, :, i], found, rtol=0, atol=1e-10)
    assert np.allclose(data.point_velocity, J @ rates, rtol=0, atol=1e-14)

    def carried(h):  # J q' along the motion with q'' = 0
        return at(x + h * rates).jacobian.sel(coordinate=labels).values @ rates

    assert np.allclose(data.point_bias, slope(carried, 1e-2), rtol=0, atol=1e-10)
    # Of the base: a turn about the world's axes at its mass centre carries the tip along a circle.
    turn = data.jacobian.sel(coordinate=["roll of base", "pitch of base", "yaw of base"], point="tip").values
    assert np.allclose(turn, np.cross(np.eye(3), data.point_position.sel(point="tip")).T, rtol=0, atol=1e-14)


def test_inverse_dynamics_returns_the_forces_of_the_motion():
    """Forward, then inverse: what the accelerations found need is what the joints gave."""
    model = posed(np.full(len(arm().joints), 0.3), np.full(len(arm().joints), 0.5))
    data = fl.equations(model, formulation="articulated")
    found = dict(zip(data.coordinate.values, data.acceleration.values))
    again = fl.equations(model, formulation="articulated", accelerations=found)
    assert np.allclose(again.inverse_dynamics, data.joint_force, rtol=0, atol=1e-12 * np.abs(data.joint_force).max())


# Absolute coordinates ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["four_bar", "robot_arm_floating", "moored_buoy"])
def test_absolute_coordinates(name):
    """M a + J^T lambda = F and J a = gamma at the accelerations found (MBDM note Eq. 67)."""
    model = fl.load(EXAMPLES / f"{name}.yaml")
    data, found = fl.equations(model, formulation="constrained"), fl.accelerations(model, formulation="constrained")
    M, F, J, gamma = (data[n].values for n in ("mass_matrix", "forcing", "constraint_jacobian", "gamma"))
    a, lam = data.acceleration.values, data.multiplier.values
    size = max(1e-3, np.abs(F).max(), np.abs(M * a).max())
    assert np.abs(M @ a + J.T @ lam - F).max() < 1e-11 * size
    assert np.abs(J @ a - gamma).max(initial=0.0) < 1e-10 * max(1.0, np.abs(a).max())
    body = str(found.body[0].values)
    words = [f"{word} of {body}" for word in ("surge", "sway", "heave")]
    assert np.array_equal(data.acceleration.sel(coordinate=words), found.acceleration.sel(body=body))


@pytest.mark.parametrize("formulation", ["cloud", "articulated", "constrained"])
def test_a_state_given(formulation):
    """At the last instant of a run by `cloud`, its time included: the accelerations that the run recorded."""
    model = fl.load(EXAMPLES / "six_body_restoring_from_zero.yaml")
    run = fl.simulate(model, 1.0, 0.05, formulation="cloud", progress=False)
    data, last = fl.equations(model, formulation=formulation, state=run), run.isel(time=-1).sel(body="tower")
    assert float(data.time) == 1.0
    if formulation == "cloud":
        found = data.T_omega.values @ data.acceleration.values[3:] + data.RE.values  # in body axes
    else:
        turns = [f"{word} of tower" for word in ("roll", "pitch", "yaw")]
        found = attitudes(run.isel(time=-1), "tower").T @ data.acceleration.sel(coordinate=turns).values
    size = np.abs(last.angular_acceleration.values).max()
    assert np.allclose(found, last.angular_acceleration, rtol=0, atol=1e-9 * size)  # small differences of large moments


def test_actuators_of_a_given_state_start_anew():
    start = fl.accelerations(arm(), formulation="articulated")
    said = fl.equations(arm(), formulation="articulated", state=start).attrs["notes"]
    assert "delay start anew" in said and "turn.angle" in said
    assert fl.equations(arm(), formulation="articulated").attrs["notes"] == ""


# Refusals ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ({"formulation": "two-body"}, "formulation.*kane, cloud, articulated, constrained"),
        ({"points": POINTS}, "points.*'articulated'"),
        ({"formulation": "articulated", "points": {"tip": ("finger", (0, 0, 0))}}, "points.tip.*'finger'"),
        ({"formulation": "articulated", "points": {"tip": (0, 0, 0)}}, "points.tip.*pair"),
        ({"formulation": "articulated", "accelerations": {"knee.angle": 1}}, "knee.angle.*turn.angle"),
        ({"time": "soon"}, "time"),
    ],
)
def test_what_is_refused(words, said):
    with pytest.raises(fl.InvalidInput, match=said):
        fl.equations(arm(), **words)


def test_loops_several_trees_and_the_singular_attitude_are_refused():
    bar = fl.load(EXAMPLES / "four_bar.yaml")
    with pytest.raises(fl.InvalidInput, match="loop"):
        fl.equations(bar)
    with pytest.raises(fl.InvalidInput, match=r"closes a loop.*'constrained'"):
        fl.equations(bar, formulation="articulated")
    ball = fl.Body(1.0, (1, 1.2, 1.5))
    nowhere = fl.Force("a", function=lambda t, motion: np.full(6, np.nan))
    with pytest.raises(fl.NumericalFailure, match="push"):
        fl.equations(fl.Model("one", {"a": ball}, loads={"push": nowhere}))
    with pytest.raises(fl.InvalidInput, match="one floating tree, and this model has 2"):
        fl.equations(fl.Model("two", {"a": ball, "b": ball.model_copy()}), formulation="cloud")
    upright = fl.Body(1.0, (1, 1.2, 1.5), orientation={"euler123": (0.3, np.pi / 2, 0)})
    for formulation in ("kane", "cloud"):
        with pytest.raises(fl.InvalidInput, match=r"'a'.*singular attitude"):
            fl.equations(fl.Model("one", {"a": upright}), formulation=formulation)
