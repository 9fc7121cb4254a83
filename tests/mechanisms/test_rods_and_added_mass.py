"""Bodies whose own mass matrix is singular (rods, point masses) or is joined by added mass, in closed loops and out."""

import numpy as np
import pytest
from scipy.special import ellipk

import fairlead as fl
from fairlead.running.simulation import Simulation
from support.mechanism_models import PINS, SLENDER, as_rods, example, n_four_bar, slider_crank, with_added_mass


def by_dense_equations(model):
    """Accelerations (v, w of every body, world axes) from Eq. 67 written out in numpy with the whole mass matrix."""
    simulation = Simulation(model, 1.0, 0.1, formulation="constrained")
    simulation.advance()
    arrays, work = simulation.arrays, simulation.work
    n, rows = len(arrays.bodies), np.flatnonzero(work.constraint.active)
    J, M, F = np.zeros((len(rows), 6 * n)), np.zeros((6 * n, 6 * n)), np.zeros(6 * n)
    for at, row in enumerate(rows):
        for side, body in enumerate((arrays.constraints["i"][row], arrays.constraints["j"][row])):
            if body >= 0:
                J[at, 6 * body : 6 * body + 6] += work.constraint.J[row, 6 * side : 6 * side + 6]
    for b, (body, found) in enumerate(zip(arrays.bodies, work.bodies)):
        R = found["R"].reshape(3, 3)
        xx, yy, zz, xy, xz, yz = body["I_BB_D"]
        inertia = R @ np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ R.T
        at = slice(6 * b, 6 * b + 6)
        M[at, at] = np.block([[np.eye(3) * body["mass"], np.zeros((3, 3))], [np.zeros((3, 3)), inertia]])
        F[at] = [
            *(found["f"] + body["mass"] * arrays.gravity),
            *(found["n"] - np.cross(found["w"], inertia @ found["w"])),
        ]
    m = len(rows)
    whole = np.block([[M, J.T], [J, np.zeros((m, m))]])
    solution = np.linalg.lstsq(whole, np.concatenate([F, work.constraint.gamma[rows]]), rcond=1e-13)[0]
    ours = np.concatenate([[*found["a"], *found["al"]] for found in work.bodies])
    return ours, solution[: 6 * n]


def test_a_point_mass_on_a_pin_is_the_mathematical_pendulum():
    """Released level, it passes the lowest point after a quarter of the period, sqrt(L/g) K(sin 45 deg), where the pin
    carries three times its weight. RK4 at 1/400 of that time: (1/400)^4 / 120 of the swing, 3e-13, with reserve."""
    mass, length, g = 2.0, 1.3, 9.81
    bob = fl.Body(mass, (0, 0, 0), (length, 0, 0), idealised=True)
    pin = fl.Revolute("world", "bob", (0, 0, 0), (0, 1, 0))
    model = fl.Model("pendulum", {"bob": bob}, {"pin": pin}, gravity=(0, 0, -g))
    quarter = np.sqrt(length / g) * ellipk(0.5)
    data = fl.simulate(model, quarter, quarter / 400, formulation="constrained")
    end = data.isel(time=-1)
    assert np.abs(end.position.sel(body="bob").values - (0, 0, -length)).max() < 1e-9
    assert np.abs(end.joint_force.sel(joint="pin").values - (0, 0, 3 * mass * g)).max() < 1e-7
    assert np.abs(data.joint_moment).max() < 1e-9 * mass * g * length  # nothing turns with inertia of its own
    start = data.isel(time=0)
    assert np.abs(start.acceleration.sel(body="bob").values - (0, 0, -g)).max() < 1e-11
    assert fl.audit(data).passed


@pytest.mark.parametrize("count", [1, 3, 12])
def test_accelerations_of_rods_solve_the_dense_equations(count):
    """Sweeps with lent inertia end at the solution without it: numpy's least squares, to rounding of its condition."""
    ours, dense = by_dense_equations(as_rods(n_four_bar(count, PINS)))
    assert np.abs(ours - dense).max() < 1e-9 * np.abs(dense).max()


def test_inertia_about_the_long_axis_of_a_planar_rod_has_no_effect():
    """In a plane bars do not turn about themselves: none, some and much give one motion, up to rounding."""
    runs = [
        fl.simulate(as_rods(n_four_bar(2, PINS), about), 1.0, 0.002, formulation="constrained", output_every=100)
        for about in (0.0, SLENDER, 0.05)
    ]
    for name in ("position", "velocity", "angular_velocity", "acceleration", "joint_force"):
        scale = np.abs(runs[1][name]).max()
        for other in (runs[0], runs[2]):
            assert np.abs(runs[1][name] - other[name]).max() < 1e-9 * scale, name
    assert runs[0].position_violation.max() < 1e-10


def test_euler_parameters_as_unknowns_agree_for_rods():
    """Eq. 69 is solved densely with pivoting and needs no lent inertia: a second way to the same motion."""
    model = as_rods(n_four_bar(1, PINS))
    a, b = (
        fl.simulate(model, 0.3, 0.002, formulation="constrained", unknowns=u) for u in ("omega", "euler-parameters")
    )
    for name in ("position", "acceleration", "angular_acceleration", "joint_force"):
        assert np.abs(a[name] - b[name]).max() < 1e-9 * max(1.0, float(np.abs(a[name]).max())), name


def test_a_rod_that_may_spin_without_inertia_is_named():
    model = as_rods(n_four_bar(1, (fl.Spherical, fl.Spherical)))
    with pytest.raises(fl.NumericalFailure, match="'coupler 1' can turn about an axis about which nothing has inertia"):
        fl.accelerations(model, formulation="constrained")


def test_added_mass_in_a_loop_is_momentum_and_energy():
    """The recorded load holds the reaction of the water, so the audit closes on the bodies' own momentum and energy."""
    model = with_added_mass(example("four_bar"), "coupler")
    data = fl.simulate(model, 1.0, 0.001, output_every=10)
    assert data.attrs["formulation"] == "constrained"
    assert fl.audit(data).passed
    without = fl.simulate(example("four_bar"), 1.0, 0.001, output_every=10)
    assert np.abs(data.position - without.position).max() > 1e-3  # it is felt


def test_euler_parameters_as_unknowns_agree_with_added_mass():
    model = with_added_mass(slider_crank(0.5, bearing={"rate": 3.0}), "rod")
    a, b = (
        fl.simulate(model, 0.3, 0.001, formulation="constrained", unknowns=u) for u in ("omega", "euler-parameters")
    )
    for name in ("position", "acceleration", "angular_acceleration", "joint_force", "load_force"):
        assert np.abs(a[name] - b[name]).max() < 1e-9 * max(1.0, float(np.abs(a[name]).max())), name


def test_added_mass_of_a_point_mass_is_its_inertia():
    """A point mass with the inertia of a sphere as added mass turns as the sphere does: dw/dt = n / I."""
    added = np.diag([0, 0, 0, 0.4, 0.4, 0.4]).tolist()
    loads = {"water": fl.Matrix("bob", (1, 0, 0), added_mass=added), "motor": fl.Force("bob", moment=(0, 3.0, 0))}
    bob = fl.Body(2.0, (0, 0, 0), (1, 0, 0), idealised=True)
    model = fl.Model("bob", {"bob": bob}, {"pin": fl.Revolute("world", "bob", (0, 0, 0), (0, 1, 0))}, loads, (0, 0, 0))
    found = fl.accelerations(model, formulation="constrained")
    assert found.angular_acceleration.sel(body="bob").values == pytest.approx((0, 3.0 / (2.0 + 0.4), 0), abs=1e-12)


def test_negative_added_mass_is_refused_by_name():
    model = example("four_bar")
    lighter = (-1e6 * np.eye(6)).tolist()
    load = fl.Matrix("coupler", model.bodies["coupler"].position, added_mass=lighter)
    with pytest.raises(fl.NumericalFailure, match="'coupler'"):
        fl.simulate(model.model_copy(update={"loads": {**model.loads, "void": load}}), 0.1, 0.01)
