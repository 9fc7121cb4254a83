"""What stops a run is named as what it is: the load, command or motion that is not defined, or a step too large.

A nan in one load spreads to all bodies of its tree within one evaluation, and the next one finds "singular" matrices;
an explicit step that is too large ends the same way. Both were reported as bodies without mass or inertia.
"""

import numpy as np
import pytest

import fairlead as fl
from fairlead.core.arrays import SINGULAR_MASS, STEP_TOO_SMALL
from fairlead.errors import NumericalFailure
from fairlead.running.advice import advice
from fairlead.running.simulation import Simulation
from fairlead.running.stability import fastest_rate, reach
from fairlead.running.steppers.tableaux import rk4

WAYS = ("articulated", "cloud", "kane", "constrained")
INTO_NOTHING = "sqrt(0.505 - t)"  # defined until 0.505 s


def two(loads=None, **joint):
    """A body on a pin, and a free one."""
    bodies = {"arm": fl.Body(1.0, (1, 1, 1)), "ball": fl.Body(1.0, (1, 1, 1), position=(3, 0, 0))}
    pin = fl.Revolute("world", "arm", (0, 0, 0), (0, 0, 1), **joint)
    return fl.Model("two", bodies, {"pin": pin}, loads or {}, gravity=(0, 0, 0))


def stopped(model, duration=1.0, dt=0.01, **options):
    with pytest.raises(NumericalFailure) as failure:
        fl.simulate(model, duration, dt, progress=False, **options)
    return failure.value


def push(force=INTO_NOTHING, **more):
    return {"push": fl.Force("ball", force=(force, 0, 0)), **more}


@pytest.mark.parametrize("formulation", WAYS)
@pytest.mark.parametrize("order", [{}, {"time_constant": 0.1}, {"frequency": 5.0, "damping_ratio": 0.5}])
def test_a_command_that_is_not_defined_stops_the_run_and_is_named(formulation, order):
    """With a limit a nan was taken for -limit: the run ended with exit 0 and a wrong motion."""
    error = stopped(two(actuator={"command": INTO_NOTHING, "limit": 2.0, **order}), formulation=formulation)
    assert "the command of the actuator at 'pin.angle' is nan at t = 0.51 s" in str(error)
    assert float(error.data.time[-1]) == 0.5 and np.isfinite(error.data.joint_rate).all()  # what was known is kept


@pytest.mark.parametrize("formulation", WAYS)
def test_a_load_that_is_not_defined_is_named_with_its_time(formulation):
    """The free body's own tree, with other loads on it that turn into nan along with it."""
    more = {"line": fl.Spring("ball", (3, 0, 0), (5, 0, 0), stiffness=1.0, length=1.0)}
    error = stopped(two(more | push()), formulation=formulation)
    assert "load 'push' gives a force of (nan, 0, 0) N at t = 0.51 s" in str(error) and "mass" not in str(error)
    assert float(error.data.time[-1]) == 0.5


@pytest.mark.parametrize("options", [{"integrator": "symplectic-euler"}, {"integrator": "dop853"}, {"output_every": 7}])
def test_the_first_undefined_instant_is_found_by_every_integrator(options):
    error = stopped(two(push()), formulation="articulated", **options)
    assert "load 'push' gives a force of (nan, 0, 0) N at t = 0.5" in str(error)


def test_an_implicit_step_names_it_too():
    """It ended as an internal fault: the factors of a matrix with a nan are "exactly singular"."""
    error = stopped(two(push()), formulation="constrained", integrator="generalised-alpha")
    assert "load 'push' gives a force of (nan, 0, 0) N at t = 0.51 s" in str(error)
    assert float(error.data.time[-1]) == 0.5  # rows of the chunk are kept


def test_a_load_with_added_mass_does_not_take_the_blame():
    """Its row holds A times the acceleration, which is undefined as soon as any load is."""
    water = fl.Matrix("ball", (3, 0, 0), added_mass=np.eye(6).tolist())
    for formulation in ("articulated", "cloud", "constrained"):
        error = stopped(two({"water": water} | push()), formulation=formulation)
        assert "load 'push' gives a force of (nan, 0, 0) N at t = 0.51 s" in str(error)


@pytest.mark.parametrize("formulation", WAYS)
def test_a_motion_that_is_not_defined_is_named(formulation):
    error = stopped(two(motion=fl.Expression(INTO_NOTHING)), formulation=formulation)
    assert "the motion of joint 'pin' has the rate -inf at t = 0.505 s" in str(error)  # a stage of rk4 is there
    with pytest.raises(NumericalFailure, match="the motion of joint 'pin' has the value -inf at t = 0 s"):
        fl.simulate(two(motion=fl.Expression("log(t)")), 1.0, 0.01, formulation=formulation)


@pytest.mark.parametrize("formulation", WAYS)
def test_an_undefined_load_at_the_start_is_not_a_singular_mass(formulation):
    error = stopped(two(push("log(-1)")), formulation=formulation)
    assert "load 'push' gives a force of (nan, 0, 0) N at t = 0 s" in str(error)


@pytest.mark.parametrize("integrator", ["rk4", "symplectic-euler"])
@pytest.mark.parametrize("formulation", WAYS)
def test_an_unstable_step_is_called_that(formulation, integrator):
    """w = sqrt(k/m) = 1e4 1/s: rk4 follows up to w dt = 2.83 (2.95 off the axis), symplectic Euler up to 2."""
    stiff = {"line": fl.Spring("ball", (3, 0, 0), (5, 0, 0), stiffness=1e8, length=1.9)}
    text = str(stopped(two(stiff), formulation=formulation, integrator=integrator, duration=10.0))
    most = 0.0003 if integrator == "rk4" else 0.0002
    assert f"the step dt = 0.01 s is too large for '{integrator}'" in text and f"above dt = {most:g} s" in text
    assert "inertia" not in text


def test_how_far_a_method_reaches_and_how_fast_a_model_is():
    """Reach of rk4: beyond its limits on the axes (2.785 and 2.828), below 3.05; the spring's rate is 1e4 1/s."""
    assert 2.83 < reach("rk4", rk4()) < 3.05
    stiff = {"line": fl.Spring("ball", (3, 0, 0), (5, 0, 0), stiffness=1e8, length=1.9)}
    simulation = Simulation(two(stiff), 1.0, 0.01, formulation="articulated")
    assert fastest_rate(simulation, 0.0, simulation.y) == pytest.approx(1e4, rel=0.01)


@pytest.mark.parametrize("formulation", WAYS)
def test_a_motion_that_runs_away_is_not_blamed_on_the_load_that_overflows(formulation):
    """v' = 100 v^3 + 1 is infinite after a finite time for any step: nothing is known to be wrong but that."""
    text = str(stopped(two(push("100*ball.vx**3 + 1")), formulation=formulation, dt=0.001))
    assert "has grown beyond all measure" in text and "half the dt" in text and "division by zero" not in text


def test_a_mass_that_is_singular_is_still_called_so():
    """With every load and motion finite the kernels' own finding stands. (`check` refuses what is so as drawn.)"""
    simulation = Simulation(two(), 1.0, 0.01, formulation="articulated")
    text = advice(simulation, SINGULAR_MASS, 0.0)
    assert text.startswith("the mass matrix of the tree of 'arm' is singular at t = 0 s")


def test_a_formula_that_compares_with_nan_is_not_defined():
    """A comparison with nan does not hold in C: a guard would choose the other branch without a word."""
    error = stopped(two(push(f"where({INTO_NOTHING} > 0, 1, 2)")), formulation="articulated")
    assert "load 'push' gives a force of (nan, 0, 0) N at t = 0.51 s" in str(error)


def test_a_step_of_no_width_is_defined_where_it_rises():
    """step(t, 0.5, 0.5) is 1 from 0.5 on: 0/0 there before. v = 0.5 after one second, to one step."""
    data = fl.simulate(two(push("step(t, 0.5, 0.5)")), 1.0, 0.01, formulation="articulated")
    assert float(data.velocity.sel(body="ball", xyz="x")[-1]) == pytest.approx(0.5, abs=0.01)
    driven = fl.simulate(two(motion=fl.Expression("step(t, 0.5, 0.5)")), 1.0, 0.01, formulation="articulated")
    assert float(driven.joint_position[-1, 0]) == 1.0


def test_a_collapsed_step_names_the_jump_where_there_is_one():
    """What an adaptive run that stopped at 0.5 s would say: where a force jumps there, and where none does."""
    for force, said in (
        ("where(t < 0.5, 2, 7)", "load 'push' jumps there from 2 to 7"),
        ("t", "no load or motion jumps there, but the tolerance cannot be met; loosen rtol (1e-09)"),
    ):
        simulation = Simulation(two(push(force)), 1.0, 0.01, formulation="articulated", integrator="dop853")
        simulation.memory[:2] = 0.5, 1e-15
        assert f"the step size collapsed at t = 0.5 s: {said}" in advice(simulation, STEP_TOO_SMALL, 0.5)
