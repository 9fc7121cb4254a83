"""Kane's equations against the articulated recursion and the momentum cloud on random trees, and what they refuse.

The three share loads and motions of drivers, but neither kinematics nor equations: Kane's are in body axes with 1-2-3
angles and partial velocities, the others in world axes.
"""

from __future__ import annotations

import numpy as np
import pytest

import fairlead as fl
from fairlead.core.inverse import transmit
from fairlead.running.formulations.table import FORMULATIONS
from fairlead.running.simulation import Simulation
from witness.random_free_models import random_free_model

KINDS = ("fixed", "revolute", "prismatic", "cylindrical", "universal", "planar", "spherical", "free")


def at_once(model, formulation):
    return fl.accelerations(model, time=0.3, formulation=formulation)


def largest(*arrays):
    return max((float(np.abs(a).max()) for a in arrays if a.size), default=0.0)


def hold_equal(model, formulations, tolerance):
    """Assert that everything about an instant agrees to a tolerance of the largest of its kind."""
    first, *others = (at_once(model, name) for name in formulations)
    for other in others:
        for together in (
            ("acceleration", "angular_acceleration"),
            ("velocity", "angular_velocity"),
            ("position", "orientation", "joint_point"),
            ("joint_position", "joint_rate", "joint_acceleration"),
            ("joint_force", "joint_moment", "driver_force"),
        ):
            size = max(1.0, largest(*(first[name].values for name in together)))
            for name in together:
                difference = first[name].values - other[name].values
                if name == "orientation":  # q and -q are one attitude
                    sign = np.sign((first[name] * other[name]).sum("wxyz")).values[:, None]
                    difference = first[name].values - sign * other[name].values
                assert largest(difference) <= tolerance * size, (name, other.attrs["formulation"])


# Rounding of sums over some twenty bodies and a mass matrix of condition up to 1e5; 1e-9 is asked for.
@pytest.mark.parametrize("seed", [*range(100), 142, 212])  # the last two have nothing free at all
def test_random_trees(seed):
    hold_equal(random_free_model(seed, slides_flipped=False), ("kane", "articulated", "cloud"), 1e-9)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(3))
def test_every_joint(kind, seed):
    """Chains and branches of one kind of joint, some against their direction."""
    model = random_free_model(900 + seed, 4, joints=(kind,), loads=(), slides_flipped=False)
    hold_equal(model, ("kane", "articulated", "cloud"), 1e-9)


@pytest.mark.parametrize("seed", range(24))
def test_random_motions(seed):
    """Half a second at rtol 1e-12 with up to six bodies, balls passing their singular attitude among them."""
    model = random_free_model(seed, 1 + seed % 6, slides_flipped=False)
    given = {"integrator": "dop853", "rtol": 1e-12, "atol": 1e-13, "progress": False}
    one, other = (fl.simulate(model, 0.5, 0.05, formulation=name, **given) for name in ("kane", "articulated"))
    for name in ("position", "velocity", "acceleration", "angular_velocity", "joint_position", "joint_rate"):
        size = max(1.0, largest(other[name].values))
        # Up to 500 steps of 1e-12, some of them beside stiff stops: 4e-10 at most was seen.
        assert largest(one[name].values - other[name].values) <= 1e-8 * size, name


@pytest.mark.parametrize("seed", range(20))
def test_driver_forces_are_residuals_of_their_rows(seed):
    """What a driven row of [A] {y'} = {f} lacks is what the inward pass finds along the driver's axis."""
    model = random_free_model(seed, slides_flipped=False)
    sim = Simulation(model, 1.0, 1.0, formulation="kane", instant=0.3)
    arrays, work = sim.arrays, sim.work
    sim.formulation.kernels.rhs(0.3, sim.y, np.zeros_like(sim.y), arrays, work)
    rows = work.coordinates["drive"].copy()
    for tree in arrays.trees:
        transmit(int(tree["first"]), int(tree["last"]), arrays, work)
    passed = work.coordinates["drive"]
    size = max(1.0, largest(work.bodies["joint_f"], work.bodies["joint_n"]))
    assert largest(rows - passed) <= 1e-11 * size  # rounding of the forces and moments it is the difference of


def bodies(*names):
    return {name: fl.Body(1.0, (1.0, 1.0, 1.0), (float(i), 0.0, 0.0)) for i, name in enumerate(names)}


def refusal(joints, names="ab"):
    return " ".join(str(reason) for reason in FORMULATIONS["kane"].accepts(fl.Model("m", bodies(*names), joints)))


def test_loops_are_refused_by_naming_the_closing_joint():
    pin = {"point": (0.5, 0, 0), "axis": (0, 0, 1)}
    joints = {"one": fl.Revolute("a", "b", **pin), "two": fl.Revolute("a", "b", **pin)}
    assert "joint 'two' closes a loop" in refusal(joints)


def test_sliding_joints_against_their_direction_are_refused():
    joints = {"table": fl.Planar("b", "a", point=(0, 0, 0), axis=(0, 0, 1), axis2=(1, 0, 0))}
    assert "swap parent and child" in refusal(joints)
    joints = {"table": fl.Planar("a", "b", point=(0, 0, 0), axis=(0, 0, 1), axis2=(1, 0, 0))}
    assert refusal(joints) == ""


def test_joints_given_in_body_axes_are_refused():
    ends = {"parent_point": (0.5, 0, 0), "child_point": (-0.5, 0, 0)}
    joints = {"pin": fl.Revolute("a", "b", **ends, parent_axis=(0, 0, 1), child_axis=(0, 0, 1))}
    assert "use 'constrained'" in refusal(joints)
