"""Edges of rest, small motions and response: directions held to second order, growth, means in waves, mistakes."""

from __future__ import annotations

import math

import numpy as np
import pytest

import fairlead as fl

PAIR = {"a": fl.Body(2, (1, 1, 1)), "b": fl.Body(3, (1, 1, 1), (2, 0, 0))}


def test_a_taut_spring_across_holds_nothing_to_first_order():
    """A spring at its length between two free bodies drives back its stretch alone: 11 of 12 directions are free."""
    spring = fl.Spring("a", (0, 0, 0), other="b", other_point=(2, 0, 0), stiffness=10.0, length=2.0)
    model = fl.Model("pair", PAIR, loads={"s": spring}, gravity=(0, 0, 0))
    assert len(fl.equilibrium(model).attrs["free_directions"].split("; ")) == 11


@pytest.mark.parametrize("stiff", [1e5, 1e8])
def test_a_soft_direction_beside_a_stiff_one(stiff):
    """100 N on 200 N/m: 0.5 m, and a period of 2 pi sqrt(m / k), whatever the spring of a small mass on it."""
    bodies = {"b": fl.Body(1e6, (1e8, 1e8, 1e8)), "c": fl.Body(1.0, (1e-3,) * 3, (1, 0, 0))}
    joints = {
        "p": fl.Prismatic("world", "b", (0, 0, 0), (1, 0, 0), spring=200.0),
        "q": fl.Prismatic("b", "c", (0, 0, 0), (1, 0, 0), spring=stiff),
    }
    push = {"f": fl.Force("b", force=(100.0, 0, 0))}
    model = fl.Model("soft", bodies, joints, push, gravity=(0, 0, 0))
    rest = fl.equilibrium(model)
    assert np.isclose(float(rest.joint_position.sel(coordinate="p.length")), 0.5, rtol=1e-9)
    assert rest.attrs["free_directions"] == "" and float(abs(rest.residual_force).max()) < 1e-6
    periods = fl.linearize(model).period.values
    assert np.isclose(periods[np.isfinite(periods)].max(), 2 * math.pi * math.sqrt((1e6 + 1) / 200), rtol=1e-6)


def test_a_hull_with_a_mast_on_a_stiff_hinge():
    """4 kN on a mooring of 40 kN/m: 0.1 m; with added mass the stiffness scaled by mass is not symmetric."""
    hull = spar()
    mast = {"mass": 500, "inertia": [1500, 1500, 100], "position": [0, 0, 15]}
    hinge = {"type": "revolute", "parent": "spar", "child": "mast", "point": [0, 0, 12], "axis": [0, 1, 0]}
    push = {"type": "force", "body": "spar", "point": [0, 0, -20], "force": [4e4, 0, 0]}
    stiff = (2 * math.pi * 100) ** 2 * 6000.0
    changes = {"bodies.mast": mast, "joints.h": hinge | {"spring": stiff}, "loads.f": push}
    rest = fl.equilibrium(hull.with_(changes))
    assert np.isclose(float(rest.position.sel(body="spar", xyz="x")), 0.1, rtol=1e-3)
    assert float(abs(rest.residual_force).max()) < 1e-3 and rest.attrs["stable"] == 1


def growing(**more):
    """A mass on a spring with a force along its velocity: m x'' = 5 x' - k x."""
    rail = fl.Prismatic("world", "cart", (0, 0, 0), (0, 0, 1), spring=10.0, **more)
    push = fl.Force("cart", force=(0, 0, "5*cart.vz"))
    return fl.Model("growing", {"cart": fl.Body(2, (1, 1, 1))}, {"rail": rail}, {"push": push})


def test_modes_that_grow_are_told_and_have_a_step():
    """s = (5 +- sqrt(25 - 80)) / 4: it grows, which rk4 at any step does too, but a step to try is one that follows."""
    small = fl.linearize(growing())
    assert math.isclose(float(small.eigenvalue_real[0]), 1.25, rel_tol=1e-6)
    assert "modes that grow: rail.length" in small.attrs["notes"]
    assert 0 < small.attrs["suggested_dt"] < 0.3 / math.sqrt(5)


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda m: fl.linearize(m, state={}), "state: must be a Dataset"),
        (lambda m: fl.linearize(m, inputs="rail.length"), r"inputs: must be a list of names; write \['rail.length'\]"),
        (lambda m: fl.linearize(m, amplitude={}), "amplitude: names no mode"),
        (
            lambda m: fl.equations(m, formulation="articulated", accelerations={"rail.length": "1 m/s2"}),
            "must be a num",
        ),
        (lambda m: fl.equations(m, formulation="articulated", accelerations={"rail.length": math.nan}), "got nan"),
    ],
)
def test_mistakes_have_a_sentence(call, text):
    with pytest.raises(fl.InvalidInput, match=text):
        call(growing())


def spar():
    """A cylinder of 8 m with a soft mooring in 80 m of water."""
    sections, mass = [(-50, 8.0), (12, 8.0)], 1025 * math.pi * 16 * 50
    loads = {
        "water": fl.Buoyancy("spar", sections),
        "waves": fl.Morison("spar", sections, ca=0.8, cd=0.6, axial_pressure=True, end_ca=0.7),
        "mooring": fl.Matrix(
            "spar", (0, 0, -20), stiffness=(4e5, 4e5, 0, 0, 0, 2e8), damping=(2e4, 3e4, 5e4, 1e8, 2e8, 1e7)
        ),
    }
    hull = fl.Body(mass, (mass * 225, mass * 229.5, mass * 11.25), (0, 0, -32))
    return fl.Model("spar", {"spar": hull}, loads=loads, environment=fl.Environment(depth=80))


def test_the_mean_in_waves_is_part_of_the_balance():
    """In waves of 3 m amplitude at 20 s a run of 60 periods stands 0.54 m higher (our runs of other steps agree)."""
    found = fl.response(spar(), [20.0], amplitude=3.0)
    assert np.isclose(float(found.offset.sel(freedom="heave of spar").squeeze()), 0.54, atol=0.02)
    small = fl.response(spar(), [20.0], amplitude=0.01)
    assert float(abs(small.offset).max()) < 1e-4  # of second order


def test_waves_too_high_for_small_motions_are_refused():
    with pytest.raises(fl.NumericalFailure, match="reduce amplitude"):
        fl.response(spar(), [10.0], amplitude=1e3)
    with pytest.raises(fl.InvalidInput, match="heading must be one or more"):
        fl.response(spar(), [10.0], heading=[])


def test_averages_over_azimuths_with_loops_need_a_state_that_stays():
    """In `cloud` the point of a base is the mass centre, which an eccentric rotor moves, so averages depended on n."""
    bodies = {
        "hull": fl.Body(1e4, (1e5, 1e5, 1e5)),
        "rotor": fl.Body(50, (5, 5, 5), (0.02, 0, 2)),
        "a": fl.Body(10, (1, 1, 1), (1, 0, 0.5)),
        "b": fl.Body(10, (1, 1, 1), (1.5, 0, 1)),
        "c": fl.Body(10, (1, 1, 1), (2, 0, 0.5)),
    }
    joints = {"spin": fl.Revolute("hull", "rotor", (0, 0, 2), (0, 0, 1), motion=fl.Rate(10.0))}
    pins = {"j1": ("hull", "a", 1, 0), "j2": ("a", "b", 1, 1), "j3": ("b", "c", 2, 1), "j4": ("c", "hull", 2, 0)}
    for name, (parent, child, x, z) in pins.items():
        joints[name] = fl.Revolute(parent, child, (x, 0, z), (0, 1, 0), spring=1e4 if name == "j1" else None)
    held = fl.Matrix("hull", (0, 0, 0), stiffness=[1e6] * 6)
    model = fl.Model("shaken", bodies, joints, {"held": held})
    with pytest.raises(fl.InvalidInput, match="take formulation: articulated"):
        fl.linearize(model, formulation="cloud", azimuths=12)
    one, two = (fl.linearize(model, formulation="articulated", azimuths=n).period.values for n in (12, 24))
    assert np.allclose(one, two, rtol=1e-6)
