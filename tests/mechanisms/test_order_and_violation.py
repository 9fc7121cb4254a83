"""Partitioned integration keeps the order of its integrator and the constraints at rounding."""

import numpy as np
import pytest

import fairlead as fl
from support.mechanism_models import andrews, example, rotations

MEASURED = ("position", "velocity", "angular_velocity", "load_work")


def final(model, duration, dt, **options):
    steps = round(duration / dt)
    data = fl.simulate(model, duration, dt, output_every=steps, formulation="constrained", **options).isel(time=-1)
    return np.concatenate([data[name].values.ravel() for name in MEASURED])


def order(steps, errors):
    return np.polyfit(np.log(steps), np.log(errors), 1)[0]


@pytest.mark.parametrize(
    ("name", "duration", "steps"),
    [("four_bar", 1.0, [0.02, 0.01, 0.005, 0.0025]), ("andrews", 0.01, [2e-4, 1e-4, 5e-5, 2.5e-5])],
)
def test_partitioned_rk4_is_of_fourth_order(name, duration, steps):
    """Halving the step divides the error by sixteen: dependent coordinates are closed at every stage, so the method is
    Runge-Kutta on the independent ones (MBDM note section 5). Judged by dop853, another method of another order."""
    model = example("four_bar") if name == "four_bar" else andrews(-0.062)
    exact = final(model, duration, duration / 100, integrator="dop853", rtol=1e-12, atol=1e-13)
    errors = [np.abs(final(model, duration, dt, closing="partition") - exact).max() for dt in steps]
    assert abs(order(steps, errors) - 4) < 0.3, errors


def test_symplectic_euler_is_of_first_order():
    """The note's other integrator."""
    model = example("four_bar")
    exact = final(model, 0.5, 0.005, integrator="dop853", rtol=1e-12, atol=1e-13)
    steps = [0.002, 0.001, 0.0005]
    errors = [np.abs(final(model, 0.5, dt, integrator="symplectic-euler") - exact).max() for dt in steps]
    assert abs(order(steps, errors) - 1) < 0.2, errors


@pytest.mark.parametrize("integrator", ["rk4", "symplectic-euler", "dop853"])
def test_violation_stays_at_rounding(integrator):
    """Position equations are closed to 1e-11 and rates to 1e-10 at each recorded instant, whatever the integrator."""
    data = fl.simulate(example("four_bar"), 5.0, 0.002, integrator=integrator)
    assert data.position_violation.max() < 1e-10
    assert (
        data.velocity_violation.max() < 1e-8
    )  # measured before the recorded state was closed: rates of 10 /s times 1e-10


def test_slider_crank_through_dead_points():
    """A hundred thousand steps of the compressor without its gas, through both dead points in every turn.

    Position equations stay closed to 1e-10, and energy judges that the dead points did not bend the motion: work of
    motor and gravity against kinetic energy, to 1e-8 of it (RK4 at 0.1 ms and 30 rad/s: (w dt)^4 / 120 = 7e-13 per
    radian, 300 rad).
    """
    model = example("slider_crank_dynamic")
    model = model.model_copy(update={"loads": {"motor": fl.Force("crank", moment=(0, 0, "3000*cos(t)"))}})
    data = fl.simulate(model, 10.0, 1e-4, output_every=10, integrator="rk4")
    x = data.position.sel(body="slider", xyz="x").values
    turned = np.unwrap(rotations(data, "crank").as_rotvec()[:, 2])[-1]
    assert turned > 80 * np.pi
    assert x.max() > 5.499 and x.min() < 1.501
    assert data.position_violation.max() < 1e-10
    energy = (data.kinetic_energy + data.potential_energy - data.load_work.sum("load")).values
    assert np.abs(energy - energy[0]).max() < 1e-8 * float(data.kinetic_energy.max())
