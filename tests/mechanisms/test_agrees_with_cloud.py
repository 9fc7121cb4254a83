"""Second method: driven trees by `constrained` and by the momentum cloud, one instant of sixty and more random models.

The cloud has six unknowns and no constraint equation, the constrained formulation one multiplier for each; they share
loads, but neither kinematics nor the solve.
"""

import numpy as np
import pytest

import fairlead as fl
from fairlead.running.formulations.table import FORMULATIONS
from witness.random_models import random_model


def close(found, expected, what, size=None, tolerance=1e-9):
    """Agreement to 1e-9 of the largest quantity of its kind: positions are assembled to 1e-11, and a light body at the
    end of a fast tree may amplify that by the ratio of inertias."""
    found, expected = np.asarray(found), np.asarray(expected)
    size = max(np.abs(expected).max(initial=0.0), 1e-3) if size is None else size
    worst = np.abs(found - expected).max(initial=0.0)
    assert worst <= tolerance * size, f"{what}: {worst:.3g} off, {worst / size:.3g} of {size:.3g}"


def compare(model, t):
    cloud = fl.accelerations(model, t, formulation="cloud")
    ours = fl.accelerations(model, t, formulation="constrained")
    for name in ("position", "velocity", "angular_velocity", "acceleration", "angular_acceleration", "joint_position"):
        close(ours[name], cloud[name], name)
    force = (cloud.mass.values[:, None] * (np.abs(cloud.acceleration.values) + np.abs(cloud.gravity.values))).sum()
    force = max(force, np.abs(cloud.load_force.values).sum(), 1.0)
    extent = max(np.ptp(np.concatenate([cloud.position.values, cloud.joint_point.values]), axis=0).max(), 1.0)
    spin = np.abs(np.einsum("bij,bj->bi", cloud.inertia.values, cloud.angular_acceleration.values)).sum()
    moment = max(force * extent, spin, np.abs(cloud.load_moment.values).sum())
    close(ours.joint_point, cloud.joint_point, "joint point")
    close(ours.joint_force, cloud.joint_force, "joint force", force)
    close(ours.joint_moment, cloud.joint_moment, "joint moment", moment)
    close(ours.load_force, cloud.load_force, "load force", force)  # with the reactions of added mass
    close(ours.load_moment, cloud.load_moment, "load moment", moment)
    close(ours.driver_force, cloud.driver_force, "driver force", max(force, moment))
    return ours


def models(seeds, **options):
    """Random models that both formulations take (no partly driven spherical joint)."""
    for seed in seeds:
        model = random_model(seed, **options)
        if model.joints and not FORMULATIONS["constrained"].accepts(model):
            yield model


@pytest.mark.parametrize("bodies", [2, 3, 5, 8])
def test_accelerations_reactions_and_drivers_agree_at_the_drawing(bodies):
    """Every coordinate is zero at t = 0 but moves: nothing needs to be assembled, everything else is at work."""
    found = [compare(model, 0.0) for model in models(range(100, 120), bodies=bodies, at_drawing=True)]
    assert len(found) >= 15


@pytest.mark.parametrize("bodies", [1, 2, 4])
def test_accelerations_reactions_and_drivers_agree_away_from_the_drawing(bodies):
    """At another time driven joints are far from the drawing; assembly brings them there and leaves the base."""
    found = [compare(model, 0.7) for model in models(range(200, 212), bodies=bodies)]
    assert len(found) >= 6
