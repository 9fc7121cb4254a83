"""The implicit method: second order, closed positions, and steps that stiff loads do not dictate."""

from __future__ import annotations

import numpy as np
import pytest

import fairlead as fl
from fairlead.running.simulation import Simulation
from fairlead.running.steppers.generalised_alpha import _moved, _velocities
from support.mechanism_models import PINS, as_rods, n_four_bar, with_added_mass


def pendulum(stiffness: float | None = None) -> fl.Model:
    """A pendulum of one link, or of two masses held apart by a stiff spring along it."""
    bodies = {"a": fl.Body(1, (0.1, 0.1, 0.1), position=(1, 0, 0))}
    joints: dict = {"pin": fl.Revolute("world", "a", (0, 0, 0), (0, 1, 0))}
    if stiffness is None:
        return fl.Model(name="pendulum", bodies=bodies, joints=joints)
    bodies["b"] = fl.Body(0.1, (0.01, 0.01, 0.01), position=(2, 0, 0))
    joints["slide"] = fl.Prismatic("a", "b", (2, 0, 0), (1, 0, 0))
    rod = fl.Spring("a", (1, 0, 0), other="b", other_point=(2, 0, 0), stiffness=stiffness, length=1)
    return fl.Model(name="stiff", bodies=bodies, joints=joints, loads={"rod": rod})


def test_second_order():
    exact = fl.simulate(pendulum(), 1.0, 1.0, integrator="dop853", formulation="constrained", rtol=1e-12, atol=1e-13)
    steps, errors = (0.02, 0.01, 0.005), []
    for dt in steps:
        data = fl.simulate(pendulum(), 1.0, dt, integrator="generalised-alpha", formulation="constrained")
        errors.append(np.abs(data["position"].values[-1] - exact["position"].values[-1]).max())
        assert data["position_violation"].max() < 1e-10
    assert np.polyfit(np.log(steps), np.log(errors), 1)[0] == pytest.approx(2, abs=0.2)


def test_a_stiff_rod_does_not_dictate_the_step():
    # The rod swings at 1e5 rad/s; a rigid one gives the limit. Explicit steps of 5 ms cannot follow, and say so.
    stiff = fl.simulate(pendulum(1e9), 1.0, 0.005, integrator="generalised-alpha", formulation="constrained")
    rigid = pendulum(1e9).model_copy(update={"loads": {}})
    joints = {**rigid.joints, "slide": fl.Prismatic("a", "b", (2, 0, 0), (1, 0, 0), locked=True)}
    limit = fl.simulate(rigid.model_copy(update={"joints": joints}), 1.0, 0.001, formulation="constrained")
    apart = np.abs(stiff["position"].values[-1] - limit["position"].values[-1]).max()
    assert apart < 5e-3  # second order at 5 ms: about 1e-3 on this swing
    with pytest.raises(fl.NumericalFailure):
        fl.simulate(pendulum(1e9), 1.0, 0.005, formulation="constrained")


def test_it_is_refused_where_it_does_not_apply():
    with pytest.raises(fl.InvalidInput, match="constrained"):
        free = fl.Model(name="free", bodies={"b": fl.Body(1, (1, 1, 1))})
        fl.simulate(free, 1, 0.1, integrator="generalised-alpha", formulation="cloud")


def swinging_frames(count: int) -> fl.Model:
    """The N-four-bar with a damped spring across each loop: closed loops, redundant equations, loads between bodies."""
    model = n_four_bar(count, (fl.Revolute, fl.Revolute))
    loads = {
        f"brace {i}": fl.Spring(
            f"crank {i}",
            (i, 0.2, 0),
            other=f"crank {i + 1}",
            other_point=(i + 1, 0.9, 0),
            stiffness=300,
            damping=5,
            length=1.2,
        )
        for i in range(count)
    }
    return model.model_copy(update={"loads": loads})


def test_second_order_in_loops_with_loads():
    """Judged by dop853; the factors of one step serve many others, which must not touch the order."""
    model, duration = swinging_frames(3), 0.4
    exact = fl.simulate(model, duration, duration, integrator="dop853", rtol=1e-11, atol=1e-12)
    steps, errors = (0.008, 0.004, 0.002), []
    for dt in steps:
        data = fl.simulate(model, duration, dt, integrator="generalised-alpha", output_every=round(duration / dt))
        errors.append(np.abs(data["position"].values[-1] - exact["position"].values[-1]).max())
    assert np.polyfit(np.log(steps), np.log(errors), 1)[0] == pytest.approx(2, abs=0.2)


def test_work_of_an_implicit_step_grows_with_the_number_of_bodies():
    """What is counted, not timed: the evaluations that differentiate the loads of all bodies do not grow at all, and
    the entries of the factors grow as the bodies do. (benchmarks/bench_loops.py times it.)"""
    entries, groups, factorised = [], [], []
    for count in (10, 40):
        run = Simulation(swinging_frames(count), 0.2, 0.01, integrator="generalised-alpha", output_every=20)
        run.advance(), run.advance()
        entries.append(run.outside.factors.lu.nnz)
        groups.append(len(run.outside.depends.groups))
        factorised.append(run.outside.factorised)
    assert groups[0] == groups[1] <= 8
    assert entries[1] < 4.5 * entries[0]
    assert max(factorised) <= 10  # of twenty steps


def test_tangents_of_the_loads_are_their_derivatives():
    """All bodies are nudged a group at a time; one body at a time and central differences must give the same matrix."""
    run = Simulation(swinging_frames(4), 0.1, 0.01, integrator="generalised-alpha")
    run.advance(), run.advance(5)
    alpha, n, t = run.outside, len(run.arrays.bodies), run.time
    y = run.y[: 13 * n].copy()
    force, mass = alpha._forces(t, y)
    damped = 100.0
    found = alpha._tangent(t, y, mass, 0.0, damped, force).toarray()
    v, h, expected = _velocities(y, n), 1e-5, np.zeros((6 * n, 6 * n))
    for k in range(6 * n):
        nudge = np.zeros(6 * n)
        nudge[k] = h
        there, back = (_moved(y, sign * nudge, v, n) for sign in (1, -1))
        faster, slower = (_moved(y, 0 * nudge, v + sign * nudge, n) for sign in (1, -1))
        expected[:, k] -= (alpha._forces(t, there)[0] - alpha._forces(t, back)[0]) / (2 * h)
        expected[:, k] -= damped * (alpha._forces(t, faster)[0] - alpha._forces(t, slower)[0]) / (2 * h)
    assert np.abs(expected).max() > 100
    assert np.abs(found - expected).max() < 1e-4 * np.abs(expected).max()  # one-sided differences of 1e-7


def test_rods_and_added_mass_in_an_implicit_step():
    """The mass matrix may be singular or grow by water: explicit steps, which solve it otherwise, agree to O(h^2)."""
    model = with_added_mass(as_rods(n_four_bar(1, PINS)), "coupler 1")
    ours = fl.simulate(model, 0.3, 0.001, integrator="generalised-alpha", formulation="constrained", output_every=300)
    explicit = fl.simulate(model, 0.3, 0.001, formulation="constrained", output_every=300)
    assert np.abs(ours["position"].values[-1] - explicit["position"].values[-1]).max() < 1e-5
    assert np.abs(ours["load_force"].values[-1] - explicit["load_force"].values[-1]).max() < 1e-3
