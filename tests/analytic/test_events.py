"""Events against closed forms: things that break, latches that lock, and zeros of formulas found to rounding."""

import json

import numpy as np
import pytest

import fairlead as fl
from fairlead.numeric import rotation_matrix, turn

WAYS = ("articulated", "cloud", "constrained")
CHOSEN = {"rtol": 1e-12, "atol": 1e-14}  # steps chosen by the method: closed forms hold to 1e-9 and better
G = 9.81


def happened(data):
    """Return what a result says of its events."""
    return json.loads(data.attrs["events"])


def rate(data, label):
    return data.joint_rate.sel(coordinate=label).values


def position(data, label):
    return data.joint_position.sel(coordinate=label).values


MASS, STIFFNESS, BREAK = 2.0, 50.0, 0.7331
OMEGA, REST = np.sqrt(STIFFNESS / MASS), MASS * G / STIFFNESS


def hanging(events, **loads):
    """Return a mass on a guide, let go on a spring that is not stretched yet."""
    guide = fl.Prismatic("world", "mass", (0, 0, 0), (0, 0, 1))
    rope = fl.Spring("mass", (0, 0, 0), anchor=(0, 0, 3), stiffness=STIFFNESS, length=3.0)
    bodies = {"mass": fl.Body(MASS, (1, 1, 1))}
    return fl.Model("hanging", bodies, {"guide": guide}, {"rope": rope, **loads}, gravity=(0, 0, -G), events=events)


def swings(t):
    """Return height and rate on the spring: z = -REST (1 - cos w t)."""
    return -REST * (1 - np.cos(OMEGA * t)), -REST * OMEGA * np.sin(OMEGA * t)


def falls(t, start):
    """Return height and rate in free fall from where it was on the spring at `start`."""
    z, dz = swings(start)
    return z + dz * (t - start) - G / 2 * (t - start) ** 2, dz - G * (t - start)


@pytest.mark.parametrize("word", ["cut", "release"])
@pytest.mark.parametrize("formulation", WAYS)
def test_a_mass_falls_from_a_rope_that_breaks(formulation, word):
    data = fl.simulate(hanging({"break": fl.Event(at=BREAK, **{word: "rope"})}), 1.5, formulation=formulation, **CHOSEN)
    t = data.time.values
    expected = np.where(t < BREAK, swings(t), falls(t, BREAK))
    np.testing.assert_allclose(position(data, "guide.length"), expected[0], atol=1e-11)
    np.testing.assert_allclose(rate(data, "guide.length"), expected[1], atol=1e-11)
    assert BREAK in t and len(t) == 1002  # the grid, and the instant itself
    after = data.sel(time=slice(BREAK, None))
    assert not after.load_force.values.any() and not after.tension.values.any()
    assert not np.diff(after.load_work.values, axis=0).any()
    assert fl.audit(data).passed and happened(data)[0]["time"] == BREAK


@pytest.mark.parametrize("formulation", WAYS)
def test_a_load_that_is_added_pulls_from_then_on(formulation):
    """Free fall until the rope is there, which is then stretched already: an oscillation about its rest."""
    data = fl.simulate(hanging({"hook": fl.Event(at=0.3, add="rope")}), 1.2, formulation=formulation, **CHOSEN)
    t, z, dz = data.time.values, -G / 2 * 0.3**2, -G * 0.3
    s = OMEGA * (t - 0.3)
    expected = np.where(t < 0.3, -G / 2 * t**2, -REST + (z + REST) * np.cos(s) + dz / OMEGA * np.sin(s))
    np.testing.assert_allclose(position(data, "guide.length"), expected, atol=1e-11)
    assert not data.tension.sel(time=slice(0, 0.299)).values.any()
    assert fl.audit(data).passed


LENGTH, INERTIA = 1.5, 0.3
ABOUT_PIN = INERTIA + MASS * LENGTH**2


def pendulum(events, **pin):
    arm = fl.Body(MASS, (1.0, INERTIA, 1.0), position=(0, 0, -LENGTH))
    pin = fl.Revolute("world", "arm", (0, 0, 0), (0, 1, 0), **pin)
    return fl.Model("pendulum", {"arm": arm}, {"pin": pin}, gravity=(0, 0, -G), events=events)


@pytest.mark.parametrize("formulation", WAYS)
def test_a_latch_takes_the_swing_of_a_pendulum(formulation):
    """At 0.4 rad the swing has 1/2 J w^2 = 1/2 J w0^2 - m g L (1 - cos 0.4); the latch takes all of it, p = -J w."""
    latch = fl.Event(when="pin.angle - 0.4", rising=True, lock="pin")
    data = fl.simulate(pendulum({"latch": latch}, rate=2.0), 1.0, formulation=formulation, **CHOSEN)
    left = ABOUT_PIN * 2.0**2 / 2 - MASS * G * LENGTH * (1 - np.cos(0.4))
    (found,) = happened(data)
    swing = np.sqrt(2 * left / ABOUT_PIN)
    assert found["impulse"]["pin.angle"] == pytest.approx(-ABOUT_PIN * swing, rel=1e-10)
    assert found["energy_before"] - found["energy_after"] == pytest.approx(left, rel=1e-10)
    assert float(data.driver_work[-1, 0]) == pytest.approx(-left, rel=1e-10)
    # The pin stops the mass centre, which is at -L (sin q, 0, cos q) and moves with L w (-cos q, 0, sin q)
    push = MASS * LENGTH * swing * np.array([np.cos(0.4), 0, -np.sin(0.4)])
    np.testing.assert_allclose(found["external_impulse"], push, atol=1e-10)
    locked = data.sel(time=slice(found["time"], None))
    np.testing.assert_allclose(locked.joint_position.values, 0.4, atol=1e-13)
    assert not locked.joint_rate.values.any() and fl.audit(data).passed


@pytest.mark.parametrize("formulation", WAYS)
def test_a_driven_wheel_that_is_released_keeps_its_speed(formulation):
    """A motor turns a disc at 3 rad/s and is then let go: a damper slows it, w = 3 exp(-c t / I)."""
    model = fl.Model(
        "wheel",
        {"disc": fl.Body(1.0, (0.3, 0.3, 0.5))},
        {"axle": fl.Revolute("world", "disc", (0, 0, 0), (0, 0, 1), motion=fl.Rate(3.0))},
        {"oil": fl.RotationalSpring("disc", damping=0.2, axis=(0, 0, 1))},
        events={"let go": fl.Event(at=0.5, release="axle")},
    )
    data = fl.simulate(model, 2.0, formulation=formulation, **CHOSEN)
    t = data.time.values
    expected = np.where(t < 0.5, 3.0, 3.0 * np.exp(-0.4 * np.maximum(t - 0.5, 0)))
    np.testing.assert_allclose(rate(data, "axle.angle"), expected, rtol=1e-11)
    assert not data.driver_force.sel(time=slice(0.5, None)).values.any() and fl.audit(data).passed


def drifting(events, **hinge):
    """Return two bodies far from everything, on one hinge: nothing comes from outside."""
    bodies = {
        "hull": fl.Body(5.0, (2.0, 3.0, 4.0), velocity=(0.3, -0.2, 0.1), angular_velocity=(0.1, -0.2, 0.3)),
        "arm": fl.Body(2.0, (0.5, 0.6, 0.2), position=(1.2, 0.3, 0)),
    }
    joints = {"hinge": fl.Revolute("hull", "arm", (0.6, 0.1, 0.2), (0, 0, 1), **hinge)}
    return fl.Model("drifting", bodies, joints, gravity=(0, 0, 0), events=events)


@pytest.mark.parametrize("formulation", WAYS)
def test_a_lock_between_floating_bodies_keeps_momentum(formulation):
    """A free base and an arm that locks: momentum stays, and both turn as one body with it: w = I^-1 H."""
    latch = fl.Event(when="hinge.angle - 0.5", lock="hinge")
    data = fl.simulate(drifting({"latch": latch}, rate=2.0), 1.0, formulation=formulation, **CHOSEN)
    (found,) = happened(data)
    for name in ("momentum", "angular_momentum"):
        np.testing.assert_allclose(data[name].values, data[name].values[[0]].repeat(len(data.time), 0), atol=1e-11)
    np.testing.assert_allclose(found["external_impulse"], 0, atol=1e-12)
    at = data.sel(time=found["time"])
    mass, x = at.mass.values, at.position.values
    R = rotation_matrix(at.orientation.values)
    arms = x - mass @ x / mass.sum()
    inertia = R @ at.inertia.values @ np.swapaxes(R, -1, -2)
    inertia += mass[:, None, None] * ((arms**2).sum(1)[:, None, None] * np.eye(3) - arms[:, :, None] * arms[:, None])
    spin = np.linalg.solve(inertia.sum(0), at.angular_momentum.values)
    np.testing.assert_allclose(turn(R, at.angular_velocity.values), [spin, spin], atol=1e-11)
    P = at.momentum.values
    assert found["energy_after"] == pytest.approx(
        P @ P / mass.sum() / 2 + spin @ at.angular_momentum.values / 2, rel=1e-10
    )
    assert found["energy_before"] - found["energy_after"] > 0.1
    assert fl.audit(data).passed and fl.audit(data).case == "free"


def test_a_lock_in_a_tree_is_the_same_in_every_formulation():
    model = drifting({"latch": fl.Event(when="hinge.angle - 0.5", lock="hinge")}, rate=2.0)
    runs = [fl.simulate(model, 1.0, formulation=way, **CHOSEN) for way in WAYS]
    for name in ("position", "velocity", "orientation", "angular_velocity", "external_impulse", "driver_work"):
        for other in runs[1:]:
            # Rounding of the instant (1e-16) and of what came before it
            np.testing.assert_allclose(other[name].values[-1], runs[0][name].values[-1], atol=1e-10)


def test_a_bar_of_a_loop_can_lock():
    """A four-bar linkage whose crank locks stands still at once, all of its energy lost, in both formulations."""
    bars = {
        "crank": fl.Body(1.0, (0.01, 0.02, 0.02), position=(0, 0.5, 0)),
        "coupler": fl.Body(2.0, (0.01, 0.4, 0.4), position=(1.0, 1.25, 0)),
        "rocker": fl.Body(1.5, (0.2, 0.01, 0.2), position=(2.0, 0.75, 0)),
    }
    z = (0, 0, 1)
    joints = {
        "a": fl.Revolute("world", "crank", (0, 0, 0), z, rate=3.0),
        "b": fl.Revolute("crank", "coupler", (0, 1, 0), z),
        "c": fl.Revolute("coupler", "rocker", (2, 1.5, 0), z),
        "d": fl.Revolute("world", "rocker", (2, 0, 0), z),
    }
    model = fl.Model("four-bar", bars, joints, gravity=(0, 0, 0), events={"jam": fl.Event(at=0.2, lock="a")})
    for formulation in ("articulated", "constrained"):
        data = fl.simulate(model, 0.5, 0.001, formulation=formulation)
        assert np.abs(data.velocity.sel(time=slice(0.2, None)).values).max() < 1e-9
        (found,) = happened(data)
        kept = float(data.kinetic_energy[0])  # the linkage has no load: its energy is what it started with
        assert found["energy_before"] - found["energy_after"] == pytest.approx(kept, rel=1e-6)
        assert fl.audit(data).passed


@pytest.mark.parametrize("formulation", WAYS)
def test_a_motor_switched_on_pulls_from_where_it_is(formulation):
    """`set` gives an actuator another command: I w' = 2 from t = 0.25 s on."""
    model = fl.Model(
        "wheel",
        {"disc": fl.Body(1.0, (0.3, 0.3, 0.5))},
        {"axle": fl.Revolute("world", "disc", (0, 0, 0), (0, 0, 1), actuator={"command": 0.0})},
        events={"on": fl.Event(at=0.25, set={"joints.axle.actuator.command": 2.0})},
    )
    data = fl.simulate(model, 1.0, 0.02, formulation=formulation)  # 0.25 s is inside a step
    np.testing.assert_allclose(rate(data, "axle.angle"), 4.0 * np.maximum(data.time.values - 0.25, 0), atol=1e-13)


def test_a_motion_that_is_set_jerks_its_joint_to_the_new_rate():
    """A disc turning at 1 rad/s is driven at 3 from the angle it has: p = I (3 - 1), work 1/2 I (9 - 1)."""
    model = fl.Model(
        "wheel",
        {"disc": fl.Body(1.0, (0.3, 0.3, 0.5))},
        {"axle": fl.Revolute("world", "disc", (0, 0, 0), (0, 0, 1), motion=fl.Rate(1.0))},
        events={"faster": fl.Event(at=0.5, set={"joints.axle.motion": fl.Rate(3.0, start=-1.0)})},
    )
    for formulation in WAYS:
        data = fl.simulate(model, 1.0, 0.1, formulation=formulation)
        (found,) = happened(data)
        assert found["impulse"]["axle.angle"] == pytest.approx(1.0, rel=1e-12)
        assert float(data.driver_work[-1, 0]) == pytest.approx(2.0, rel=1e-12)
        assert position(data, "axle.angle")[-1] == pytest.approx(2.0, rel=1e-12) and fl.audit(data).passed
    jump = model.with_({"events.faster.set": {"joints.axle.motion": {"rate": 3.0}}})
    with pytest.raises(
        fl.NumericalFailure, match=r"event 'faster' at t = 0\.5 s: the motion set does not go on from where"
    ):
        fl.simulate(jump, 1.0, 0.1)


def test_a_blow_to_water_is_refused():
    """The added mass of a disc takes part in a jerk, and how is not known: the event that jerks it says so."""
    model = fl.Model(
        "wheel",
        {"disc": fl.Body(1.0, (0.3, 0.3, 0.5))},
        {"axle": fl.Revolute("world", "disc", (0, 0, 0), (0, 0, 1), motion=fl.Rate(1.0))},
        {"water": fl.Matrix("disc", (0, 0, 0), added_mass=[1, 1, 1, 1, 1, 1])},
        events={"on": fl.Event(at=0.5, set={"joints.axle.motion": fl.Rate(3.0, start=-1.0)})},
    )
    with pytest.raises(
        fl.NumericalFailure, match=r"event 'on' at t = 0\.5 s: it is a blow, and what a blow does to the"
    ):
        fl.simulate(model, 1.0, 0.1)
    same = model.with_({"events.on.set": {"joints.axle.motion": {"polynomial": [0, 1]}}})
    assert fl.audit(fl.simulate(same, 1.0, 0.1)).passed


# The order of the methods across an event in the middle of a step


def error_at_end(integrator, dt, event):
    data = fl.simulate(hanging({"break": event}), 1.0, dt, integrator=integrator)
    (found,) = happened(data)
    return abs(position(data, "guide.length")[-1] - falls(1.0, BREAK)[0]), abs(found["time"] - BREAK)


AT_HEIGHT = fl.Event(when=f"mass.z - ({float(swings(BREAK)[0])!r})", rising=True, cut="rope")  # on the way up


@pytest.mark.parametrize("event", [fl.Event(at=BREAK, cut="rope"), AT_HEIGHT], ids=["at", "when"])
def test_rk4_keeps_its_order(event):
    steps = np.array([0.1, 0.05, 0.025, 0.0125])
    errors = np.array([error_at_end("rk4", dt, event)[0] for dt in steps])
    slope = np.polyfit(np.log(steps), np.log(errors), 1)[0]
    assert slope == pytest.approx(4.0, abs=0.35), errors


@pytest.mark.parametrize("method", ["rk45", "dop853"])
def test_methods_that_choose_their_steps_find_the_zero(method):
    for rtol in (1e-8, 1e-11):
        data = fl.simulate(hanging({"break": AT_HEIGHT}), 1.0, rtol=rtol, atol=rtol * 1e-3, integrator=method)
        (found,) = happened(data)
        assert found["time"] == pytest.approx(BREAK, abs=20 * rtol)
        assert position(data, "guide.length")[-1] == pytest.approx(falls(1.0, BREAK)[0], abs=100 * rtol)


def test_symplectic_euler_divides_its_steps_too():
    errors = [error_at_end("symplectic-euler", dt, fl.Event(at=BREAK, cut="rope"))[0] for dt in (1e-3, 5e-4)]
    assert errors[0] / errors[1] == pytest.approx(2.0, abs=0.2)


# When things happen


def test_a_ball_that_bounces_again_and_again():
    """A latch that holds and lets go at once would be `again`; here each zero of the height switches a gust's side."""
    events = {
        "up": fl.Event(when="mass.z + 0.1", rising=False, again=True, set={"loads.wind.force": [0, 0, 5.0]}),
        "down": fl.Event(when="mass.z + 0.1", rising=True, again=True, set={"loads.wind.force": [0, 0, 0.0]}),
    }
    data = fl.simulate(hanging(events, wind=fl.Force("mass", force=(0, 0, 0))), 4.0, **CHOSEN)
    found = happened(data)
    assert [one["event"] for one in found] == ["up", "down"] * (len(found) // 2) + ["up"] * (len(found) % 2)
    assert len(found) >= 5 and fl.audit(data).passed
    for one in found:
        height = data.sel(time=one["time"]).position.sel(body="mass", xyz="z")
        assert float(height) == pytest.approx(-0.1, abs=1e-13)


def test_a_formula_happens_once_unless_again():
    data = fl.simulate(hanging({"pass": fl.Event(when="mass.z + 0.1", set={"loads.rope.damping": 0.0})}), 4.0, 0.01)
    assert len(happened(data)) == 1


def test_events_at_the_start_and_at_the_end():
    events = {
        "start": fl.Event(at=0, cut="rope"),
        "end": fl.Event(at=1.0, set={"loads.rope.stiffness": 60.0}),
        "late": fl.Event(at=2.0, add="rope"),
    }
    for options in ({"dt": 0.01}, {}):
        data = fl.simulate(hanging(events), 1.0, **options)
        np.testing.assert_allclose(position(data, "guide.length"), -G / 2 * data.time.values**2, atol=1e-12)
        assert [one["time"] for one in happened(data)] == [0.0, 1.0] and data.attrs["events_missed"] == "late"
        assert len(np.unique(data.time)) == len(data.time) and fl.audit(data).passed


def test_two_at_one_instant_happen_in_the_order_of_the_file():
    events = {
        "second": fl.Event(at=0.5, set={"loads.wind.force": [0, 0, 7.0]}),
        "first": fl.Event(when="t - 0.5", set={"loads.wind.force": [0, 0, MASS * G]}, cut="rope"),
    }
    data = fl.simulate(hanging(events, wind=fl.Force("mass", force=(0, 0, 0))), 1.0, 0.02)
    assert [one["event"] for one in happened(data)] == ["second", "first"]
    assert {one["time"] for one in happened(data)} == {0.5}
    z, dz = swings(0.5)  # afterwards the wind carries the weight
    assert position(data, "guide.length")[-1] == pytest.approx(z + 0.5 * dz, rel=1e-6)


@pytest.mark.parametrize("options", [{"dt": 0.01}, {"interval": 0.01}])
def test_a_zero_by_rounding_behind_a_recorded_instant_has_a_row_of_its_own(options):
    """57 * 0.01 is 0.5700000000000001, which is before the zero: it comes at once, and time grows all the same."""
    data = fl.simulate(hanging({"cut": fl.Event(when="t - 0.5700000000000002", cut="rope")}), 1.0, **options)
    assert happened(data)[0]["time"] == pytest.approx(0.57, abs=1e-11) and np.diff(data.time).min() > 0
    assert len(data.time) == 101 + ("dt" in options) and fl.audit(data).passed


def test_several_within_one_step():
    """Three kicks within one step of 0.1 s: each begins where it is said."""
    events = {f"kick {n}": fl.Event(at=0.41 + 0.02 * n, set={"loads.wind.force": [0, 0, 10.0 * n]}) for n in range(3)}
    events["zero"] = fl.Event(when="t - 0.44", set={"loads.rope.damping": 0.0})
    model = hanging({"cut": fl.Event(at=0, cut="rope"), **events}, wind=fl.Force("mass", force=(0, 0, 0)))
    data = fl.simulate(model, 1.0, 0.1)
    push = (10.0 * (1.0 - 0.43) ** 2 + 10.0 * (1.0 - 0.45) ** 2) / MASS / 2
    assert position(data, "guide.length")[-1] == pytest.approx(-G / 2 + push, rel=1e-13)
    assert [one["event"] for one in happened(data)][1:] == ["kick 0", "kick 1", "zero", "kick 2"]


def test_one_event_may_set_off_another():
    """The lock makes the rate zero, which another event waits for: at the same instant."""
    events = {
        "latch": fl.Event(when="pin.angle - 0.4", lock="pin"),
        "still": fl.Event(when="abs(pin.rate) - 0.5", rising=False, stop=True),
    }
    data = fl.simulate(pendulum(events, rate=2.0), 5.0, 0.01)
    one, two = happened(data)
    assert (one["event"], two["event"]) == ("latch", "still") and one["time"] == two["time"] == float(data.time[-1])


def test_a_run_may_stop():
    for options in ({"dt": 0.01}, {}):
        stopped = fl.simulate(hanging({"low": fl.Event(when="mass.z + 0.5", stop=True)}), 5.0, **options)
        assert float(stopped.position.sel(body="mass", xyz="z")[-1]) == pytest.approx(-0.5, abs=1e-12)
        assert stopped.attrs["status"] == "complete" and fl.audit(stopped).passed


# The audit


def test_a_wrong_impulse_fails_the_audit():
    latch = fl.Event(when="pin.angle - 0.4", rising=True, lock="pin")
    data = fl.simulate(pendulum({"latch": latch}, rate=2.0), 1.0, **CHOSEN)
    after = data.time >= happened(data)[0]["time"]
    for name, part in (("external_impulse", 0), ("external_angular_impulse", 1), ("driver_work", 0)):
        wrong = data.copy(deep=True)
        change = 1e-4 * np.abs(data[name].values).max()
        values = wrong[name].values
        values[after.values, part] += change
        assert not fl.audit(wrong).passed, name


def test_without_its_events_a_record_with_a_lock_fails():
    """The audit sees that velocities jump: it is told of events, not blind to them."""
    latch = fl.Event(when="pin.angle - 0.4", rising=True, lock="pin")
    data = fl.simulate(pendulum({"latch": latch}, rate=2.0), 1.0, 0.005)
    assert fl.audit(data).passed
    del data.attrs["events"]
    assert not fl.audit(data).passed
    with pytest.raises(fl.InvalidInput, match="the attribute 'events' is no list of events"):
        fl.audit(data.assign_attrs(events="yesterday"))


# Loads of every sort


def test_a_function_that_is_cut_gives_nothing_from_then_on():
    def push(t, motion):
        return 0.0, 0.0, 10.0, 0.0, 0.0, 0.0

    events = {"cut": fl.Event(at=0, cut="rope"), "off": fl.Event(at=0.33, cut="engine")}
    model = hanging(events, engine=fl.Force("mass", function=push))
    data = fl.simulate(model, 1.0, 0.1)
    z = -G / 2 + 10.0 / MASS * (0.33**2 / 2 + 0.33 * 0.67)
    assert position(data, "guide.length")[-1] == pytest.approx(z, rel=1e-13)
    assert float(data.load_work[-1, 1]) == pytest.approx(10.0 * float(data.position.sel(time=0.33)[0, 2]), rel=1e-12)


def test_a_formula_reads_zero_from_a_load_that_is_cut():
    """A tension that is read after the rope is gone is zero, and so is the force that follows it."""
    events = {"break": fl.Event(at=BREAK, cut="rope")}
    model = hanging(events, echo=fl.Force("mass", force=("3 + 0.1*rope.tension", 0, 0)))
    data = fl.simulate(model, 1.5, 0.01)
    after = data.sel(time=slice(BREAK, None), load="echo", xyz="x").load_force
    np.testing.assert_array_equal(after.values, 3.0)


@pytest.mark.parametrize("formulation", WAYS)
def test_a_line_that_parts_at_sea_is_a_force_that_ends(formulation):
    """Waves, buoyancy and added mass go on: the same as a formula that is the line's force until then."""
    sea = fl.Environment(water_density=1025.0, depth=50.0, waves=fl.Jonswap(1.0, 6.0, seed=3))
    hull = fl.Body(9e3, (4e4, 4e4, 6e3), (0, 0, -2.0))
    swims = {
        "water": fl.Morison("hull", [(-6.0, 1.2), (2.0, 1.2)], ca=1.0, cd=0.8),
        "lift": fl.Buoyancy("hull", [(-6.0, 1.2), (2.0, 1.2)]),
    }
    line = fl.Spring("hull", (0, 0, -2.0), (-30, 0, -2.0), stiffness=500, length=25)
    gone = 12.3  # on the grid: no row is added
    stretch = "sqrt((hull.x+30)^2 + hull.y^2 + (hull.z+2)^2)"
    pull = [
        f"where(t < {gone}, -500*({stretch} - 25)*({part})/{stretch}, 0)"
        for part in ("hull.x + 30", "hull.y", "hull.z + 2")
    ]
    end = fl.Event(at=gone, cut="line")
    parted = fl.Model("sea", {"hull": hull}, loads={**swims, "line": line}, environment=sea, events={"parts": end})
    told = fl.Model("sea", {"hull": hull}, loads={**swims, "line": fl.Force("hull", force=pull)}, environment=sea)
    options = {"interval": 0.1, "formulation": formulation, "rtol": 1e-10}
    one, other = (fl.simulate(model, 15.0, **options) for model in (parted, told))
    # The formula jumps within a step, which is made so short that its tolerance holds; the event ends one
    np.testing.assert_allclose(one.position.values, other.position.values, atol=1e-7)
    assert fl.audit(one).passed


@pytest.mark.parametrize("what", [{"lock": "k"}, {"release": "k"}, {"set": {"joints.j.motion.frequency": 4.0}}])
def test_a_commanded_joint_goes_on_over_an_event(what):
    """Nothing from outside acts: momentum stays zero, in `cloud` too, whose state is about the moving mass centre."""
    bodies = {
        "hull": fl.Body(10.0, (3, 4, 5)),
        "arm": fl.Body(3.0, (1, 1, 0.3), (0.5, 0, 1.2)),
        "boom": fl.Body(2.0, (1, 1, 0.3), (-0.5, 0.2, 1.0)),
    }
    joints = {
        "j": fl.Revolute("hull", "arm", (0.3, 0, 0.5), (0, 1, 0), motion=fl.Controlled("c", frequency=4.0)),
        "k": fl.Revolute("hull", "boom", (-0.3, 0, 0.5), (0.6, 0, 0.8), motion=fl.Rate(0.5)),
    }
    feedback = {"c": fl.ExpressionController("0.5*sin(2*t)")}
    model = fl.Model(
        "commanded", bodies, joints, gravity=(0, 0, 0), controllers=feedback, events={"e": fl.Event(at=1.0, **what)}
    )
    for formulation in ("cloud", "articulated"):
        data = fl.simulate(model, 2, 0.01, formulation=formulation)
        assert float(abs(data.momentum - data.momentum[0]).max()) < 1e-7, formulation
        assert fl.audit(data).passed


def cart(**joint):
    """A cart of 2 kg on a rail."""
    rail = fl.Prismatic("world", "cart", (0, 0, 0), (1, 0, 0), **joint)
    return {"bodies": {"cart": fl.Body(2.0, (1, 1, 1))}, "joints": {"rail": rail}, "gravity": (0, 0, 0)}


def test_a_motor_takes_a_free_joint_over():
    """Released with 0.5 m/s from a spring; at 1 s a motion goes on from there. Its start and its spring are no more."""
    goes_on = {"expression": "0.5*sin(2)/2 + 0.5*cos(2)*(t - 1)"}
    takes = fl.Event(at=1.0, set={"joints.rail.motion": goes_on})
    model = fl.Model("taken", **cart(rate=0.5, spring=8.0), events={"takes": takes})  # w = 2 1/s
    data = fl.simulate(model, 2.0, 0.01)
    x = data.joint_position.squeeze().values
    assert abs(x[-1] - (0.25 * np.sin(2) + 0.5 * np.cos(2))) < 1e-7
    assert fl.audit(data).passed


def test_an_actuator_that_gets_a_response_goes_on_at_its_command():
    """1 N all the time: x = t^2 / 4."""
    later = {"joints.rail.actuator.time_constant": 0.2}
    model = fl.Model("slower", **cart(actuator=fl.Actuator(1.0)), events={"slower": fl.Event(at=1.0, set=later)})
    data = fl.simulate(model, 2.0, 0.01)
    assert abs(float(data.joint_position.squeeze()[-1]) - 1.0) < 1e-9


def test_what_is_there_already_is_told():
    """A floor that is added and cut is there at the start; the record and the check say so."""
    floor = fl.Spring("cart", (0, 0, 0), anchor=(-1, 0, 0), stiffness=1.0, length=1.0)
    events = {"hit": fl.Event(at=0.5, add="floor"), "leave": fl.Event(at=1.0, cut="floor")}
    model = fl.Model("floor", **cart(rate=0.5), loads={"floor": floor}, events=events)
    said = [one["did"] for one in json.loads(fl.simulate(model, 1.5, 0.01).attrs["events"])]
    assert said[0] == "added floor, which was there already" and said[1] == "cut floor"
    assert any("is there from the start" in finding.message for finding in fl.check(model))


def test_a_latch_to_the_world_is_a_push_from_outside_where_nothing_else_acts():
    """m v is taken at once: the audit must not ask for momentum that stays."""
    rail = fl.Prismatic("world", "cart", (0, 0, 0), (1, 0, 0), rate=2.0)
    cart, catch = fl.Body(2.0, (1, 1, 1), (0, 0, 0)), fl.Event(at=0.5, lock="rail")
    model = fl.Model("latch", {"cart": cart}, {"rail": rail}, gravity=(0, 0, 0), events={"catch": catch})
    audit = fl.audit(fl.simulate(model, 1.0, 0.05))
    assert audit.passed and audit.case == "general", audit.table()
    free = fl.audit(fl.simulate(model.with_({"events": {}}), 1.0, 0.05))
    assert free.passed and free.case == "free", free.table()
