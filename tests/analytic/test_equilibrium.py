"""Where models rest, against closed forms; directions that nothing holds are named."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import fairlead as fl
from fairlead.running.given import state_of
from fairlead.running.simulation import Simulation

G = 9.80665
WAYS = ("articulated", "cloud", "constrained")
OC3 = Path(__file__).parents[2] / "examples" / "oc3_hywind_held_rotor.yaml"


def body(z=0.0, x=0.0, **given):
    """A body of 2 kg at (x, 0, z)."""
    return fl.Body(2.0, (0.3, 0.3, 0.1), (x, 0, z), **given)


def on_a_rail(axis, **given):
    return fl.Model("slider", {"mass": body()}, {"rail": fl.Prismatic("world", "mass", (0, 0, 0), axis, **given)})


def balanced(rest):
    """Nothing is left unbalanced: a force below rounding of the weight."""
    return float(abs(rest.residual_force).max()) < 1e-6 and float(abs(rest.residual_moment).max()) < 1e-6


@pytest.mark.parametrize("formulation", WAYS)
def test_a_mass_hangs_on_its_spring(formulation):
    """k q = -m g."""
    rest = fl.equilibrium(on_a_rail((0, 0, 1), spring=100), formulation=formulation)
    assert float(rest.joint_position.sel(coordinate="rail.length")) == pytest.approx(-2 * G / 100, rel=1e-12)
    assert balanced(rest) and rest.attrs["free_directions"] == "" and rest.attrs["stable"] == 1


def test_a_mass_leans_on_its_stop():
    """Behind the width of the stop its force is k (gone - width / 2) = m g."""
    model = on_a_rail((0, 0, 1), stop=fl.Stop(lower=-1, stiffness=1e4, width=1e-3))
    rest = fl.equilibrium(model)
    assert float(rest.joint_position[0]) == pytest.approx(-1 - 2 * G / 1e4 - 0.5e-3, rel=1e-9)


@pytest.mark.parametrize("formulation", ["articulated", "cloud"])
def test_pendulums_fall_to_where_they_hang(formulation):
    """From nearly upright, past places where nothing holds them, to the lowest place; twist stays free."""
    joints = {
        "pin": fl.Revolute("world", "upper", (0, 0, 0), (0, 1, 0), initial=2.5),
        "ball": fl.Spherical("upper", "lower", (0, 0, -2), initial={"a": 1.0, "b": -1.0}),
    }
    rest = fl.equilibrium(fl.Model("double", {"upper": body(-1), "lower": body(-3)}, joints), formulation=formulation)
    np.testing.assert_allclose(rest.position.sel(xyz="z"), [-1, -3], atol=1e-12)
    assert rest.attrs["free_directions"] == "ball.c" and balanced(rest)


def test_an_upright_pendulum_is_said_to_be_unstable():
    pin = fl.Revolute("world", "mass", (0, 0, 0), (0, 1, 0))
    rest = fl.equilibrium(fl.Model("upright", {"mass": body(1)}, {"pin": pin}))
    assert rest.attrs["stable"] == 0 and "unstable" in rest.attrs["notes"]


def test_directions_that_nothing_holds_are_named_and_stay():
    free = fl.equilibrium(fl.Model("free", {"a": body(3)}, gravity=(0, 0, 0)))
    words = ("surge", "sway", "heave", "roll", "pitch", "yaw")
    assert free.attrs["free_directions"] == "; ".join(f"{word} of a" for word in words)
    np.testing.assert_array_equal(free.position.sel(body="a"), (0, 0, 3))
    rail = fl.equilibrium(on_a_rail((1, 0, 0), initial=0.7))
    assert rail.attrs["free_directions"] == "rail.length" and float(rail.joint_position[0]) == 0.7
    yaw = fl.Revolute("tower", "head", (0, 0, 1), (0, 0, 1), initial=0.4)
    held = fl.Matrix("tower", (0, 0, 0), stiffness=(1e3,) * 6)
    swinging = fl.equilibrium(fl.Model("yaw", {"tower": body(), "head": body(2)}, {"yaw": yaw}, {"ground": held}))
    assert swinging.attrs["free_directions"] == "yaw.angle" and float(swinging.joint_position[0]) == 0.4


def test_what_falls_has_no_rest():
    with pytest.raises(fl.NumericalFailure, match=r"nothing holds rail\.length, which is accelerated by"):
        fl.equilibrium(on_a_rail((1, 0, 0.1)))


@pytest.mark.parametrize("formulation", WAYS)
def test_a_floating_cylinder(formulation):
    """A spar of 1 m2 sinks until it displaces its 8 m3; started too high and leaning, it comes upright."""
    spar = fl.Body(1025 * 8.0, (2e5, 2e5, 1e4), (0, 0, -6))
    hull = fl.Buoyancy("spar", [(-8, np.sqrt(4 / np.pi)), (8, np.sqrt(4 / np.pi))])
    start = fl.Free("world", "spar", (0, 0, -6), initial={"z": 1.0, "b": 0.4})
    model = fl.Model("spar", {"spar": spar}, {"start": start}, {"hull": hull}, environment=fl.Environment())
    rest = fl.equilibrium(model, formulation=formulation)
    assert float(rest.position.sel(body="spar", xyz="z")) == pytest.approx(-6, abs=1e-9)
    np.testing.assert_allclose(rest.euler123.sel(body="spar")[:2], 0, atol=1e-9)
    assert balanced(rest) and rest.attrs["free_directions"] == "surge of spar; sway of spar; yaw of spar"


def test_driven_joints_are_held_where_they_are():
    """A crank driven by a sine is at sin(1) after 1 s; the mass below it hangs straight."""
    joints = {
        "crank": fl.Revolute("world", "arm", (0, 0, 0), (0, 1, 0), motion=fl.Sine(1.0, frequency=1.0)),
        "pin": fl.Revolute("arm", "bob", (0, 0, -2), (0, 1, 0), initial=0.2),
    }
    rest = fl.equilibrium(fl.Model("driven", {"arm": body(-1), "bob": body(-3)}, joints), time="1 s")
    np.testing.assert_allclose(rest.joint_position, [np.sin(1), -np.sin(1)], atol=1e-10)
    np.testing.assert_array_equal(rest.joint_rate, 0)
    assert "'crank.angle'" in rest.attrs["notes"]


def test_the_spar_turbine_rests_in_still_water_and_air_and_stays():
    """Balanced below 1 kN; the search started from its answer stays; and so does a run of 60 s from it."""
    calm = {
        "environment.wind": {"type": "steady", "speed": 0},
        "environment.waves": None,
        "joints.spin.motion": {"rate": 0},
    }
    model = fl.load(OC3).with_(calm)
    rest = fl.equilibrium(model)
    assert float(abs(rest.residual_force).max()) < 1e3 and rest.attrs["free_directions"] == ""
    again = fl.equilibrium(model, start=rest)
    assert again.attrs["iterations"] <= 2
    np.testing.assert_allclose(again.position, rest.position, atol=1e-9)
    run = Simulation(model, 60.0, 0.05)
    run.y[:] = state_of(run, rest, 0.0)
    while not run.finished:
        run.advance()
    moved = state_of(run, rest, 0.0)[:7] - run.y[:7]
    # rounding of the weights, 8e7 N, over the mass of 8e6 kg accelerates by 1e-15 m/s2
    assert float(np.abs(moved).max()) < 1e-8


CALM = {
    "environment.wind": {"type": "steady", "speed": 0},
    "environment.waves": None,
    "joints.spin.motion": {"rate": 0},
}
PUBLISHED_F0 = 1.607e6  # [N] NREL/TP-500-47535: the lines' pull on the undisplaced spar
MOORPY = {"fairlead_tension": 911089.0, "F0_z": -1607180.0}  # MoorPy 1.3.0 with the same lines


def lines_of(data):
    return [name for name in data["load"].values if str(name).startswith("line")]


def test_the_spar_turbine_floats_as_published():
    """Drawn at its published draft: weight, buoyancy and lines add to less than 1 kN; it rests a few millimetres off.

    TP-47535 gives the line force in four digits, MoorPy that and the tensions; they leave out what leans the machine:
    the rotor-nacelle's mass centre lies 0.41 m upwind, which leans it by 0.06 deg.
    """
    model = fl.load(OC3).with_(CALM)
    drawn = fl.accelerations(model)
    lines = lines_of(drawn)
    pull = drawn["load_force"].sel(load=lines).sum("load").values
    assert pull[2] == pytest.approx(-PUBLISHED_F0, rel=2e-4)
    assert pull[2] == pytest.approx(MOORPY["F0_z"], rel=1e-5)
    np.testing.assert_allclose(pull[:2], 0, atol=1)
    np.testing.assert_allclose(drawn["tension"].sel(load=lines), MOORPY["fairlead_tension"], rtol=1e-5)
    weight = sum(body.mass for body in model.bodies.values()) * G
    assert abs(float(drawn["load_force"].sel(load="buoyancy", xyz="z")) + pull[2] - weight) < 1e3
    rest = fl.equilibrium(model)
    water_line = rest.position.sel(body="tower") - drawn.position.sel(body="tower")
    assert abs(float(water_line.sel(xyz="z"))) < 0.01  # 1 kN over C33 of 333 kN/m and the lines' 12 kN/m: 3 mm
    assert abs(float(rest.euler123.sel(body="tower", xyz="y"))) < np.radians(0.1)
    np.testing.assert_allclose(rest["tension"].sel(load=lines), MOORPY["fairlead_tension"], rtol=1e-3)


def test_the_offset_under_a_constant_thrust_is_that_of_a_settled_run():
    """600 kN at the hub, damped to rest: the pose after 1500 s is that of `equilibrium` to 1e-6 of the offset."""
    model = fl.load(OC3).with_(CALM)
    thrust = fl.Force("hub", point=(-5.0, 0, 90.0), force=(6e5, 0, 0))
    slow = fl.Matrix("tower", (0, 0, -85.6), damping=(1.5e6, 1.5e6, 1.5e6, 8e9, 8e9, 3e8))  # nearly critical
    model = model.with_({"loads.thrust": thrust, "loads.slow": slow})
    rest = fl.equilibrium(model)
    run = fl.simulate(model, 1500, 0.1, output_every=50).isel(time=slice(-20, None)).mean("time")
    offset = (rest.position - fl.accelerations(model).position).sel(body="tower")
    assert float(offset.sel(xyz="x")) > 10  # of the mass centre, below the waterline
    np.testing.assert_allclose(run.position, rest.position, rtol=0, atol=1e-6 * float(offset.sel(xyz="x")))
    lean = float(rest.euler123.sel(body="tower", xyz="y"))
    np.testing.assert_allclose(run.euler123.sel(body="tower"), rest.euler123.sel(body="tower"), atol=1e-6 * lean)


def shaken(**given):
    """A sled on a vertical spring with an eccentric weight that turns about a level axis."""
    joints = {
        "rail": fl.Prismatic("world", "sled", (0, 0, 0), (0, 0, 1), spring=400.0, damper=30.0),
        "spin": fl.Revolute("sled", "weight", (0, 0, 0), (0, 1, 0), motion=fl.Rate(5.0, start=0.3)),
    }
    return fl.Model("shaken", {"sled": body(), "weight": body(0.5)}, joints, **given)


@pytest.mark.parametrize("formulation", ["articulated", "cloud"])
def test_what_turns_is_balanced_over_a_revolution(formulation):
    """The centrifugal force turns with the weight, so on average k q = -(M + m) g; a run swings about that."""
    rest = fl.equilibrium(shaken(), formulation=formulation)
    assert float(rest.joint_position.sel(coordinate="rail.length")) == pytest.approx(-4 * G / 400, rel=1e-12)
    # 2 kg at 0.5 m and 5 rad/s push 25 N on 4 kg, 6.25 m/s2 at the angles nearest to upright
    assert "average over 24 angles" in rest.attrs["notes"] and "up to 6.2 m/s2" in rest.attrs["notes"]
    assert "'spin.angle' goes on turning at its constant rate with 'weight'" in rest.attrs["notes"]
    assert float(abs(rest.residual_force).max()) < 1e-9
    turn = 2 * np.pi / 5
    run = fl.simulate(shaken(), 30 * turn, turn / 100, formulation=formulation)["joint_position"]
    settled = run.sel(coordinate="rail.length").isel(time=slice(-100, None))
    assert float(settled.mean()) == pytest.approx(-4 * G / 400, rel=1e-6)


def test_constrained_refuses_what_turns():
    with pytest.raises(fl.InvalidInput, match=r"'constrained' lets every body stand alone.*use cloud or articulated"):
        fl.equilibrium(shaken(), formulation="constrained")


def test_a_loop_that_turns_is_taken_at_its_angle():
    """A crank turns at a constant rate and moves a slider: nothing rests, and that is said."""
    joints = {
        "crank": fl.Revolute("world", "arm", (0, 0, 0), (0, 1, 0), motion=fl.Rate(2.0)),
        "pin": fl.Revolute("arm", "rod", (0.5, 0, 0.5), (0, 1, 0)),
        "end": fl.Revolute("rod", "slide", (2, 0, 0), (0, 1, 0)),
        "rail": fl.Prismatic("world", "slide", (2, 0, 0), (1, 0, 0)),
    }
    bodies = {"arm": body(0.25, 0.25), "rod": body(0.25, 1.25), "slide": body(0, 2)}
    rest = fl.equilibrium(fl.Model("engine", bodies, joints))
    assert "loops move with what turns" in rest.attrs["notes"]


def test_a_free_machine_with_a_rotor_is_held_by_nothing():
    """The blades of the example are drawn in nine digits, so the rotor shakes it a little: still at rest on average."""
    rest = fl.equilibrium(fl.load(OC3.parents[1] / "examples" / "six_body_free.yaml"))
    assert rest.attrs["free_directions"].count(" of tower") == 6 and "average over 24 angles" in rest.attrs["notes"]


@pytest.mark.parametrize(("other", "mean"), [(7.0, 0.0), (-5.0, 1.0), (5.0, 1.0)])
def test_rotors_of_one_speed_stay_in_phase_and_others_do_not(other, mean):
    """Two driven cranks push a sled by k sin a sin b: on average half of it times the cosine of what stays between.

    Drawn at a = b = 0.4 and turning alike, a = b: mean 1/2; turning against each other, a = 0.8 - b after a while, the
    mean of sin a sin b is (cos(a - b) - cos(a + b)) / 2 with a + b = 0.8; at other speeds none.
    """
    joints = {
        "rail": fl.Prismatic("world", "sled", (0, 0, 0), (1, 0, 0), spring=10.0),
        "one": fl.Revolute("world", "a", (0, 0, 0), (0, 0, 1), motion=fl.Rate(5.0, start=0.4)),
        "two": fl.Revolute("world", "b", (0, 0, 0), (0, 0, 1), motion=fl.Rate(other, start=0.4)),
    }
    push = fl.Force("sled", force=("30 * sin(one.angle) * sin(two.angle)", 0, 0))
    model = fl.Model("cranks", {"sled": body(), "a": body(), "b": body()}, joints, {"push": push})
    expected = mean * 0.5 * (1.0 if other > 0 else -np.cos(0.8))
    rest = fl.equilibrium(model, formulation="articulated")
    assert float(rest.joint_position.sel(coordinate="rail.length")) == pytest.approx(3 * expected, abs=1e-12)
