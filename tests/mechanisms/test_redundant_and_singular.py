"""Redundant equations are named and do no harm; positions where a mechanism is singular are passed."""

import numpy as np
import pytest

import fairlead as fl
from support.mechanism_models import bar, example, n_four_bar, pin, rotations, slider_crank


def test_four_bar_of_revolute_joints_is_redundant_by_three():
    """Four joints hold the plane where three would do: two rotations and one position out of it, 20 - 17 equations."""
    data = fl.simulate(example("four_bar_revolute"))
    named = data.attrs["redundant_equations"].split("; ")
    assert len(named) == 3
    assert all(name.split(":")[0] in "ABCD" for name in named)
    assert data.attrs["degrees_of_freedom"] == 1
    assert fl.simulate(example("four_bar"), duration=0.01).attrs["redundant_equations"] == ""


def test_redundant_equations_do_not_change_the_motion():
    """The same linkage without them moves the same to 1e-9, and the forces in the plane, which rigid bodies do
    determine, agree. (Steps are short because the two differ by their errors of integration: 3.5e-9 at twice this step,
    falling sixteenfold when it is halved.)"""
    redundant, plain = (
        fl.simulate(example(name), 4.0, 0.00025, output_every=20) for name in ("four_bar_revolute", "four_bar")
    )
    for name in ("position", "orientation", "velocity", "angular_velocity"):
        assert np.abs(redundant[name] - plain[name]).max() < 1e-9, name
    ours, theirs = (data.joint_force.values[:, :, :2] for data in (redundant, plain))
    assert np.abs(ours - theirs).max() < 1e-8 * np.abs(theirs).max()


def test_reactions_of_a_redundant_linkage_balance_each_body():
    """However the undetermined part is shared out, Newton's law holds for each bar: m a = m g + sum of forces."""
    model = example("four_bar_revolute")
    data = fl.simulate(model, duration=1.0)
    for body in data.body.values:
        force = float(data.mass.sel(body=body)) * data.gravity.values
        for joint in data.joint.values:
            if model.joints[joint].child == body:
                force = force + data.joint_force.sel(joint=joint).values
            if model.joints[joint].parent == body:
                force = force - data.joint_force.sel(joint=joint).values
        ma = float(data.mass.sel(body=body)) * data.acceleration.sel(body=body).values
        assert np.abs(force - ma).max() < 1e-8 * np.abs(data.joint_force).max()


def parallelogram(rate):
    """Two cranks of 1 m and a coupler of 2 m, drawn with the cranks upright."""
    bodies = {"left": bar(1.0, (0, 0), (0, 1)), "right": bar(1.0, (2, 0), (2, 1)), "coupler": bar(2.0, (0, 1), (2, 1))}
    joints = {
        "A": pin(fl.Revolute, "world", "left", (0, 0), rate=rate),
        "B": pin(fl.Spherical, "left", "coupler", (0, 1)),
        "C": pin(fl.Cylindrical, "coupler", "right", (2, 1)),
        "D": pin(fl.Revolute, "world", "right", (2, 0)),
    }
    return fl.Model("parallelogram", bodies, joints, gravity=(0, -9.81, 0))


@pytest.mark.parametrize("dt", [0.01, 0.004, 0.001])
def test_parallelogram_passes_its_change_points(dt):
    """Where all bars lie on one line the linkage could fold; it goes on as a parallelogram: both cranks stay parallel,
    the coupler does not turn, and phi'' = G sin(phi) / I of the one freedom gives the energy."""
    data = fl.simulate(parallelogram(-3.0), 10.0, dt)
    left, right, coupler = (rotations(data, body).as_rotvec()[:, 2] for body in ("left", "right", "coupler"))
    turned = np.unwrap(left) - left[0]
    assert abs(turned[-1]) > 8 * np.pi  # eight change points and more
    assert np.abs(np.sin(left - right)).max() < 1e-7  # sqrt of the tolerance of closing: at a change point an angle is
    assert np.abs(np.sin(coupler)).max() < 1e-7  # held by a second-order term only
    energy = (data.kinetic_energy + data.potential_energy).values
    assert np.abs(energy - energy[0]).max() < 1e-3 * np.abs(energy[0])


def test_change_point_met_exactly_is_passed():
    """Started in the singular position itself with a rate: the velocities given say which way it goes on."""
    model = n_four_bar(1)
    data = fl.simulate(model, 2.0, 0.001, formulation="constrained")
    assert data.attrs["degrees_of_freedom"] == 1


def test_dead_point_of_a_driven_slider_crank():
    """A driven crank passes both dead points: nothing is singular where the crank is what is driven."""
    data = fl.simulate(example("slider_crank_kinematic"), duration=3.0)
    assert data.attrs["degrees_of_freedom"] == 0
    assert data.position_violation.max() < 1e-10


def test_slider_that_is_driven_past_its_reach_stops_with_a_sentence():
    """A slider driven beyond crank + rod cannot be followed: the run ends, names a joint and keeps its results."""
    model = slider_crank(np.pi / 4, guide={"motion": fl.Rate(0.5)})
    way = 5.5 - model.bodies["slider"].position[0]  # to the end of its reach
    with pytest.raises(fl.NumericalFailure, match=r"joint '.*' at t = \d\.\d+ s .*gap") as stopped:
        fl.simulate(model, 4.0, 0.001, formulation="constrained")
    data = stopped.value.data
    assert data.attrs["status"].startswith("failed")
    assert abs(data.time.values[-1] - way / 0.5) < 0.01  # as far as it can go
