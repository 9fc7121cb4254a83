"""Free joints by formulations that share no dynamics: recursion, coupled momentum equations, multipliers.

`articulated` eliminates one coordinate after another, `cloud` solves the momentum equations of the whole and of every
outboard subsystem at once, `constrained` has seven coordinates per body and a multiplier per equation.
"""

import numpy as np
import pytest

import fairlead as fl
from support.mechanism_models import double_pendulum, example, heavy_top, point_on, reference, rotations

TIGHT = {"integrator": "dop853", "rtol": 1e-12, "atol": 1e-13}
TREES = ("articulated", "cloud")


def run_on_grid(name, model, dt, formulation):
    known = reference(name)
    every = round(known["t"][1] / dt)
    data = fl.simulate(model, float(known["t"][-1]), dt, output_every=every, formulation=formulation, **TIGHT)
    return data, known


def apart(found, known, names):
    return max(np.abs(found[:, i] - known[name]).max() for i, name in enumerate(names))


@pytest.mark.parametrize("formulation", TREES)
def test_double_pendulum_matches_the_reference(formulation):
    """Joint coordinates by another program (1e-12 itself); the growth of errors over 10 s is 9, so 1e-10 m is asked."""
    data, known = run_on_grid("double_pendulum_spatial", example("double_pendulum"), 0.1, formulation)
    tip = data.position.sel(body="lower").values + rotations(data, "lower").apply([0.05, 0, -0.3])
    assert apart(tip, known, ["tipx", "tipy", "tipz"]) < 1e-10
    for label, name in (("first.angle", "q1"), ("second.angle", "q2")):
        assert np.abs(data.joint_position.sel(coordinate=label) - known[name]).max() < 1e-10


@pytest.mark.parametrize("formulation", TREES)
@pytest.mark.parametrize("slow", [False, True])
def test_tops_match_the_reference(slow, formulation):
    """Euler's equations about the fixed point by DOP853 (1e-12 m itself), 300 and 750 rad of spin: 1e-9 is asked."""
    name = "heavy_top_slow" if slow else "heavy_top"
    data, known = run_on_grid(name, example(name), 0.1 if slow else 0.04, formulation)
    assert apart(data.position.sel(body="top").values, known, ["cx", "cy", "cz"]) < 1e-9
    q = data.orientation.sel(body="top").values
    other = np.column_stack([known[part] for part in ("qw", "qx", "qy", "qz")])
    assert np.abs(q * np.sign(q[:, :1]) - other * np.sign(other[:, :1])).max() < 1e-8


@pytest.mark.parametrize("formulation", TREES)
def test_velocities_given_to_bodies_start_free_joints(formulation):
    """The top of the literature with its velocity given to the body, or as rates of its joint, is the same."""
    by_body = fl.accelerations(heavy_top(), formulation=formulation)
    by_joint = fl.accelerations(example("heavy_top"), formulation=formulation)
    for name in ("velocity", "angular_velocity", "acceleration", "joint_rate"):
        np.testing.assert_allclose(by_body[name], by_joint[name], atol=1e-10, err_msg=name)


@pytest.mark.parametrize("name", ["robot_arm_floating", "turbine_yaw_drive", "double_pendulum", "gyroscopic_wheel"])
def test_examples_are_the_same_motion_by_every_formulation(name):
    """Two seconds at rtol 1e-12: rounding grows to 1e-10 at most in these motions; 1e-8 of each variable's size."""
    model = example(name)
    found = fl.crosscheck(model, 2.0, 0.1, tolerance=1e-8)
    assert {"articulated", "cloud", "constrained"} <= set(found.formulations)
    assert found.passed, found.table()


@pytest.mark.parametrize("name", ["four_bar", "four_bar_revolute", "slider_crank_dynamic", "n_four_bar", "andrews"])
def test_loops_closed_by_multipliers_on_cut_joints(name):
    """Loops in joint coordinates against loops in absolute ones: redundant, singular and plain mechanisms.

    Adaptive steps through singular positions lose what the condition there takes; fixed steps of rk4 leave each its own
    truncation error, which is 1e-7 of the size here.
    """
    model = example(name)
    duration, dt = {"andrews": (0.01, 2e-6), "n_four_bar": (0.5, 5e-4)}.get(name, (0.3, 2e-4))
    every = round(duration / dt / 20)
    ours = {
        way: fl.simulate(model, duration, dt, output_every=every, formulation=way)
        for way in ("articulated", "cloud", "constrained")
    }
    for way in TREES:
        assert float(ours[way].position_violation.max()) < 1e-10, way
        for variable in ("position", "velocity", "angular_velocity", "joint_rate"):
            other = ours["constrained"][variable]
            size = float(np.abs(other).max())
            assert float(np.abs(ours[way][variable] - other).max()) < 1e-7 * size, f"{way} {variable}"


def hanging_loop() -> fl.Model:
    """Three bars in a spatial loop of balls to the world and back, one ball drawn from child to parent, all damped."""
    points = [(0, 0, 0), (1.0, 0.2, -0.6), (2.1, -0.1, -0.7), (3.0, 0.3, 0.1)]
    middle = [tuple((np.array(a) + b) / 2 for a, b in zip(points[i], points[i + 1])) for i in range(3)]
    bars = {f"bar {i}": fl.Body(1.0 + i, (0.3, 0.2 + 0.1 * i, 0.25), middle[i]) for i in range(3)}
    damped = {"damper": dict.fromkeys("abc", 0.4)}
    joints = {
        "left": fl.Spherical("world", "bar 0", point=points[0], rate={"a": 0.5, "c": -0.8}, **damped),
        "inner": fl.Spherical("bar 1", "bar 0", point=points[1], rate={"b": 1.1}, **damped),
        "outer": fl.Free(
            "bar 1", "bar 2", point=points[2], spring=dict.fromkeys("xyz", fl.JointSpring(300.0)), **damped
        ),
        "right": fl.Spherical("bar 2", "world", point=points[3]),
    }
    return fl.Model("hanging loop", bars, joints)


def test_balls_in_a_loop():
    """Balls are eliminated three turns at once; through loops the factors serve in pieces. `constrained` knows neither.

    Fixed steps leave each its own truncation error, 1e-9 of the size here.
    """
    ways = ("articulated", "cloud", "constrained")
    motion = {way: fl.simulate(hanging_loop(), 1.0, 5e-4, output_every=100, formulation=way) for way in ways}
    for way in TREES:
        assert float(motion[way].position_violation.max()) < 1e-10
        for variable in ("position", "velocity", "acceleration", "angular_acceleration", "joint_rate", "driver_force"):
            other = motion["constrained"][variable]
            size = float(np.abs(other).max())
            assert float(np.abs(motion[way][variable] - other).max()) < 1e-8 * size, f"{way} {variable}"
    assert fl.audit(motion["articulated"]).passed


def test_reactions_of_a_loop_are_the_same_where_they_are_unique():
    model = example("slider_crank_dynamic")
    ways = {way: fl.accelerations(model, formulation=way) for way in ("articulated", "cloud", "constrained")}
    for name in ("joint_force", "joint_moment"):
        size = float(np.abs(ways["constrained"].joint_force).max())
        for way in TREES:
            assert float(np.abs(ways[way][name] - ways["constrained"][name]).max()) < 1e-9 * size, name


def test_loops_stay_closed_over_many_steps():
    """The slider-crank through its dead points, a hundred turns and more at a coarse step: below 1e-10 throughout."""
    model = example("slider_crank_dynamic")
    data = fl.simulate(model, 1.0, 1e-4, output_every=100, formulation="articulated")
    assert float(data.position_violation.max()) < 1e-10
    assert fl.audit(data).passed, fl.audit(data).table()


@pytest.mark.parametrize("formulation", [*TREES, "constrained"])
@pytest.mark.parametrize("name", ["robot_arm_floating", "turbine_yaw_drive", "double_pendulum"])
def test_runs_pass_their_audit(name, formulation):
    """Springs, dampers, stops and actuators do work on free coordinates; the audit must account for all of it."""
    model = example(name)
    data = fl.simulate(model, 3.0, model.run.dt, output_every=10, formulation=formulation)
    found = fl.audit(data)
    assert found.passed, found.table()


def test_auto_takes_the_cheapest():
    assert fl.accelerations(example("six_body_free")).attrs["formulation"] == "cloud"
    assert fl.accelerations(example("double_pendulum")).attrs["formulation"] == "articulated"
    assert fl.accelerations(example("andrews")).attrs["formulation"] == "articulated"


def test_a_driven_tree_costs_nothing_more_by_cloud():
    """With everything driven the six equations stand alone: no free coordinate is solved for."""
    data = fl.accelerations(example("six_body_free"), formulation="articulated")
    other = fl.accelerations(example("six_body_free"), formulation="cloud")
    for name in ("acceleration", "angular_acceleration", "joint_force", "joint_moment", "driver_force"):
        size = float(np.abs(other[name]).max())
        assert float(np.abs(data[name] - other[name]).max()) < 1e-12 * size, name


def test_the_tip_of_a_loop_follows_its_reference():
    """A02 with two loops in closed form, by cut joints, through its singular positions."""
    known = reference("A02_N2")
    model = example("n_four_bar")
    data = fl.simulate(
        model, float(known["t"][-1]), 0.002, output_every=round(known["t"][1] / 0.002), formulation="articulated"
    )
    assert apart(point_on(data, model, "crank 0", (0, 1, 0)), known, ["B0x", "B0y"]) < 1e-4


def test_crosscheck_says_what_cannot_run_and_what_differs():
    found = fl.crosscheck(double_pendulum(), 0.5, 0.1, tolerance=1e-30)
    assert not found.passed and "FAIL" in found.table()
    assert found.differences["relative"].max() < 1e-9
    given = fl.Model(
        "pin",
        {"bar": fl.Body(1, (1, 1, 1), (0, 0, -1))},
        {"pin": fl.Spherical("world", "bar", parent_point=(0, 0, 0), child_point=(0, 0, 1))},
    )
    found = fl.crosscheck(given, 0.1, 0.1)
    assert "body axes" in found.refused["articulated"] and found.formulations == ["constrained"]
    assert not found.passed


def test_rounding_is_not_measured_by_rounding():
    """An arm in free fall does not turn and its joints carry nothing: the 1e-16 that is left is no disagreement.

    A difference that matters is still seen: 1e-9 rad/s where sqrt(g / length) is about 3 rad/s.
    """
    bodies = {name: fl.Body(1.0, (0.1, 0.2, 0.2), position=(k, 0, 0.1 * k)) for k, name in enumerate("abc")}
    hinges = {"one": fl.Revolute("a", "b", (0.5, 0, 0), (0, 1, 0)), "two": fl.Spherical("b", "c", (1.5, 0, 0.1))}
    found = fl.crosscheck(fl.Model(name="falling", bodies=bodies, joints=hinges), 0.2, 0.1, tolerance=1e-9)
    assert found.passed and len(found.formulations) == 4, found.table()
    scale = found.differences["scale"].sel(variable="angular_velocity")
    assert 1e-4 < float(scale) < 1e-3
