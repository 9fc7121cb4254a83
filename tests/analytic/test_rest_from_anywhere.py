"""The search for rest from far away: the spar turbine from random places, looped mechanisms from their drawings."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

import fairlead as fl
from fairlead.running.diagnosis import rate_of
from fairlead.running.simulation import Simulation

OC3 = Path(__file__).parents[2] / "examples" / "oc3_hywind_held_rotor.yaml"
FAR, TURNED = 30.0, np.radians(40)


def ball(rng, radius):
    """A random vector in a ball."""
    way = rng.normal(size=3)
    return radius * rng.random() ** (1 / 3) * way / np.linalg.norm(way)


def displaced(drawn, rng):
    """The drawing with its base moved by up to 30 m and turned by up to 40 degrees, at rest."""
    data = drawn.copy(deep=True)
    turn = Rotation.from_rotvec(ball(rng, TURNED))
    data["position"].loc[{"body": "tower"}] += ball(rng, FAR)
    drawn_turn = Rotation.from_quat(data["orientation"].sel(body="tower").values, scalar_first=True)
    data["orientation"].loc[{"body": "tower"}] = (turn * drawn_turn).as_quat(scalar_first=True)
    for name in ("velocity", "angular_velocity"):
        data[name].loc[{"body": "tower"}] = 0.0
    return data


def from_random_places(count, seed):
    """Search from random places; return the CPU time of each and of one evaluation of the accelerations."""
    model = fl.load(OC3)
    drawn, rng = fl.accelerations(model), np.random.default_rng(seed)
    rest = fl.equilibrium(model)
    spent = []
    for number in range(count):
        start = displaced(drawn, rng)
        begin = time.process_time()
        found = fl.equilibrium(model, start=start)
        spent.append(time.process_time() - begin)
        np.testing.assert_allclose(found.position, rest.position, rtol=0, atol=1e-9, err_msg=f"start {number}")
        assert found.attrs["stable"] == 1 and found.attrs["free_directions"] == ""
    simulation = Simulation(model.with_({"environment.waves": None}), 1.0, 1.0, instant=0.0)
    rate = rate_of(simulation)
    rate(0.0, simulation.y)
    begin = time.process_time()
    for _ in range(500):
        rate(0.0, simulation.y)
    return np.array(spent), (time.process_time() - begin) / 500


def told(spent, evaluation, record):
    least, most = np.median(spent), np.quantile(spent, 0.95)
    text = f"OC3 from {len(spent)} random places: median {least:.3f} s, 95 % below {most:.3f} s of CPU time"
    record("line", f"{text}; {most / evaluation:.0f} evaluations of the accelerations")


def test_the_spar_turbine_from_a_few_random_places(record_property):
    """Some 1500 evaluations' worth; half of it is making the model and the Dataset. Three times that is a slip."""
    spent, evaluation = from_random_places(5, seed=3)
    told(spent, evaluation, record_property)
    assert np.median(spent) < 5000 * evaluation


@pytest.mark.slow
def test_the_spar_turbine_from_a_hundred_random_places(record_property):
    spent, evaluation = from_random_places(100, seed=7)
    told(spent, evaluation, record_property)
    assert np.quantile(spent, 0.95) < 5000 * evaluation


def looped(seed):
    """A closed chain of four to seven bars on the world with a spring at every joint but the last, turned anywhere.

    Even seeds: parallel pins (three equations are redundant). Odd: balls at two corners, so that it is spatial.
    """
    rng = np.random.default_rng(seed)
    corners, turn = int(rng.integers(4, 8)), Rotation.random(random_state=seed)
    angles = np.sort(rng.uniform(0, 2 * np.pi, corners)) + np.linspace(0, 1, corners)
    flat = np.column_stack([np.cos(angles), np.zeros(corners), np.sin(angles)]) * rng.uniform(1, 2, (corners, 1))
    at = turn.apply(flat)
    axis = tuple(turn.apply([0, 1, 0]))
    bodies, joints = {}, {}
    names = ["world", *(f"bar {k}" for k in range(1, corners)), "world"]
    for k in range(1, corners):
        mass, middle = float(rng.uniform(0.5, 3)), 0.5 * (at[k - 1] + at[k])
        bodies[names[k]] = fl.Body(mass, tuple(mass * rng.uniform(0.08, 0.1, 3)), tuple(middle))
    for k in range(corners):
        given = {"parent": names[k], "child": names[k + 1], "point": tuple(at[k])}
        spring = fl.JointSpring(stiffness=float(rng.uniform(20, 200)), rest=float(rng.uniform(-0.3, 0.3)))
        if seed % 2 and k in (1, 3):
            joints[f"j{k}"] = fl.Spherical(**given)
        else:
            joints[f"j{k}"] = fl.Revolute(**given, axis=axis, spring=spring if k < corners - 1 else None)
    return fl.Model(f"loop {seed}", bodies, joints)


@settings(max_examples=20, deadline=None, derandomize=True, database=None)
@given(st.integers(0, 10_000))
def test_looped_mechanisms_with_springs_from_their_drawing(seed):
    """Nothing is left unbalanced, and another formulation finds the same place already at rest."""
    model = looped(seed)
    rest = fl.equilibrium(model)
    assert float(abs(rest.residual_force).max()) < 1e-6 and float(abs(rest.residual_moment).max()) < 1e-6
    assert float(rest.position_violation) < 1e-9
    again = fl.equilibrium(model, start=rest, formulation="constrained")
    assert again.attrs["iterations"] <= 3
    np.testing.assert_allclose(again.position, rest.position, atol=1e-7)
