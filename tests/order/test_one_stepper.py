"""Loads in Python are stepped as all others are: kinks, order, dense output, and recording that changes no bit."""

from __future__ import annotations

import math

import numpy as np
import pytest

import fairlead as fl
from fairlead.running.simulation import Simulation
from fairlead.running.steppers.tableaux import ADAPTIVE
from support.mechanism_models import example

METHODS = ["rk4", "symplectic-euler", "rk45", "dop853"]
FORMULATIONS = ["cloud", "articulated", "kane", "constrained"]


def nothing(t, motion):
    return [0.0] * 6


def ramped(begin: float, load: fl.Force | None = None) -> fl.Model:
    """A free pair at rest whose joint is driven from `begin` on, with constant acceleration for two seconds."""
    return fl.Model(
        "ramp",
        {"a": fl.Body(10, (2, 2, 2)), "b": fl.Body(1, (1, 1, 1), position=(1, 0, 0))},
        {"j": fl.Revolute("a", "b", (0.5, 0, 0), (0, 0, 1), motion=fl.Ramp(1, 0.5, begin=begin))},
        {"z": load} if load else {},
        gravity=(0, 0, 0),
    )


def spin_left(data) -> float:
    """The angular momentum of a system that starts at rest without loads: the error of its integration."""
    return float(np.abs(data.angular_momentum).max())


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_a_function_that_does_nothing_changes_no_bit(formulation):
    """The same templates, the same kernels in two halves: the motion of rk4 is that without the load, to the bit.

    The second stepper passed over the kinks at 1.013 s and 3.013 s: 9.5e-3 of angular momentum was left.
    """
    load = fl.Force("b", function=nothing)
    bare, zero = (fl.simulate(ramped(1.013, one), 5, 0.1, formulation=formulation) for one in (None, load))
    for name in ("position", "velocity", "orientation", "angular_velocity", "joint_acceleration"):
        np.testing.assert_array_equal(bare[name], zero[name])
    assert spin_left(zero) < 1e-7  # rk4 at this step: 4e-9 in joint coordinates, 2e-8 in absolute ones


@pytest.mark.parametrize("integrator", METHODS)
def test_a_function_and_a_number_give_the_same_bits(integrator):
    """A force of zeros has the same rows, works and error estimates as a function that gives zeros."""
    options = {"integrator": integrator} | ({"rtol": 1e-8, "atol": 1e-10} if integrator in ADAPTIVE else {})
    loads = fl.Force("b", function=nothing), fl.Force("b", force=(0, 0, 0))
    one, other = (fl.simulate(ramped(1.013, load), 4, 0.1, **options) for load in loads)
    for name in ("time", "position", "orientation", "velocity", "load_work", "driver_work", "joint_moment"):
        np.testing.assert_array_equal(one[name], other[name])
    assert one.attrs.get("evaluations") == other.attrs.get("evaluations")


@pytest.mark.parametrize("load", [None, fl.Force("b", function=nothing)], ids=["compiled", "in Python"])
def test_symplectic_euler_divides_its_steps_at_kinks(load):
    """The error falls with the step wherever the kinks lie: 0.013, 0.011, 0.009 and 0.0008 at these steps before."""
    steps = 0.1 / 2 ** np.arange(4)
    errors = [spin_left(fl.simulate(ramped(1.013, load), 5, dt, integrator="symplectic-euler")) for dt in steps]
    assert np.polyfit(np.log(steps), np.log(errors), 1)[0] == pytest.approx(1, abs=0.05)


def swinging(load: fl.Force) -> fl.Model:
    """A body thrown with a spin, pulled back along x and braked along z, and an arm whose ramp has two kinks."""
    hull = fl.Body(2.0, (1, 1.5, 0.8), velocity=(0.5, 1.0, -0.7), angular_velocity=(0.4, -0.3, 0.2))
    ramp = fl.Ramp(1.2, 1.5, begin=0.3071)
    joints = {"j": fl.Revolute("hull", "arm", (0.4, 0, 0.2), (0, 0, 1), motion=ramp)}
    bodies = {"hull": hull, "arm": fl.Body(0.5, (0.1, 0.1, 0.1), position=(0.9, 0, 0.2))}
    return fl.Model("swing", bodies, joints, {"pull": load})


def pull(t, motion):
    position, _, velocity, _ = motion["hull"]
    return [-7 * position[0] + math.sin(3 * t), 0, -2 * velocity[2], 0, 0, 0.3 * math.cos(2 * t)]


FORMULAS = fl.Force("hull", force=("-7*hull.x + sin(3*t)", 0, "-2*hull.vz"), moment=(0, 0, "0.3*cos(2*t)"))
END = 3.2


def last_state(load: fl.Force, dt: float, integrator: str) -> np.ndarray:
    """The state after END, works included. A pair whose tolerances accept everything goes from kink to kink: one each
    dt is added, so that its steps have one size.
    """
    run = Simulation(swinging(load), END, dt, integrator=integrator, rtol=1e6, atol=1e6, output_every=10**6)
    if run.adaptive:
        run.arrays = run.arrays._replace(kinks=np.union1d(run.arrays.kinks, dt * np.arange(1, round(END / dt))))
    while not run.finished:
        run.advance()
    return run.y


@pytest.mark.parametrize(
    ("integrator", "nominal", "steps"),
    [
        ("symplectic-euler", 1, [0.04, 0.02, 0.01]),
        ("rk4", 4, [0.08, 0.04, 0.02]),
        ("rk45", 5, [0.1, 0.05, 0.025]),
        ("dop853", 8, [0.8, 0.4, 0.2]),
    ],
)
def test_order_of_every_method_with_a_function(integrator, nominal, steps):
    """Halving the step divides the error by 2^order although two kinks lie between the steps, and the motion is that of
    the compiled loop with the same load as formulas. 0.5, since between long steps and rounding there is little room.
    """
    exact = last_state(FORMULAS, 0.0004, "rk4")  # leaves 1e-13
    found = [last_state(fl.Force("hull", function=pull), dt, integrator) for dt in steps]
    errors = [np.abs(one - exact).max() for one in found]
    assert np.polyfit(np.log(steps), np.log(errors), 1)[0] == pytest.approx(nominal, abs=0.5), errors
    np.testing.assert_allclose(found[-1], last_state(FORMULAS, steps[-1], integrator), atol=1e-12)


def test_dense_output_with_a_function():
    """Between its steps a pair interpolates, as it does in the compiled loop."""
    options = {"integrator": "dop853", "rtol": 1e-9, "atol": 1e-11}
    one, other = (
        fl.simulate(swinging(load), END, 0.02, **options) for load in (FORMULAS, fl.Force("hull", function=pull))
    )
    assert other.attrs["accepted_steps"] < 0.5 * other.sizes["time"]
    np.testing.assert_allclose(other.position, one.position, atol=1e-12)
    fine = fl.simulate(swinging(FORMULAS), END, 0.0025)
    np.testing.assert_allclose(other.position, fine.position[::8], atol=1e-8)  # rk4 leaves 1e-10


@pytest.mark.parametrize(
    ("integrator", "closing"),
    [
        ("rk4", "partition"),
        ("symplectic-euler", "partition"),
        ("rk45", "partition"),
        pytest.param("rk4", "partition-every-step", marks=pytest.mark.slow),
        pytest.param("rk4", "projection", marks=pytest.mark.slow),
    ],
)
def test_recording_changes_no_bit(integrator, closing):
    """What is recorded seldom is what is recorded often. The second stepper began a new partition after so many rows,
    so that recording moved a four-bar by 6e-10 m here, and by 3.7e-7 m where it was first seen.
    """
    model = example("four_bar")
    model = model.model_copy(update={"loads": {"z": fl.Force(next(iter(model.bodies)), function=nothing)}})
    options = {"formulation": "constrained", "closing": closing, "integrator": integrator}
    options |= {"rtol": 1e-6} if integrator in ADAPTIVE else {}
    often, seldom = (fl.simulate(model, 1.5, 0.005, output_every=n, **options) for n in (1, 100))
    for name in ("position", "velocity", "angular_velocity"):  # the sign of a quaternion follows the row before
        np.testing.assert_array_equal(often[name][::100], seldom[name])
