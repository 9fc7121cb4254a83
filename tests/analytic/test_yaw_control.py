"""Nacelle yaw that follows the wind: the thesis' 45-degree shift, its exact rates, and what it leaves alone."""

import math

import numpy as np
import pytest

import fairlead as fl
from fairlead.model.controllers.planned_yaw import controlled_motion, yaw_motion
from fairlead.model.environment.compile_wind import wind_in_time

RATE = math.radians(0.3)


def turbine(*changes, axis=(0, 0, 1), wind=None, **control):
    bodies = {
        "tower": fl.Body(5e6, (5e9, 5e9, 1e8), position=(0, 0, -60)),
        "nacelle": fl.Body(3.5e5, (4e7, 2.5e7, 2.5e7), position=(-1, 0, 90)),
    }
    joint = fl.Revolute("tower", "nacelle", (0, 0, 87.6), axis, motion=fl.Controlled("yaw control"))
    return fl.Model(
        "turbine",
        bodies,
        {"yaw": joint},
        {"rotor": fl.RotorThrust("nacelle", (-5, 0, 90), (1, 0, 0), 63.0, 0.15)},
        environment=fl.Environment(wind=wind or fl.SteadyWind(18.2, changes=changes)),
        controllers={"yaw control": fl.YawFollow(**control)},
    )


def motion_of(model):
    return yaw_motion(model.controllers["yaw control"], wind_in_time(model))


def test_the_shift_of_the_thesis():
    """45 degrees at 100 s: 10 s lag, 10 s to 0.3 deg/s, so 160 s for the turn; the thesis sees it active from 110 s."""
    motion = motion_of(turbine(fl.DirectionChange(100.0, "45 deg")))
    np.testing.assert_allclose(motion.knots[:5], [0, 110, 120, 260, 270], atol=1e-9)
    t = np.array([0, 109.9, 110, 115, 120, 190, 260, 265, 270, 500.0])
    a = RATE / 10
    expected = [0, 0, 0, a * 12.5, a * 50, a * 50 + RATE * 70, a * 50 + RATE * 140, math.pi / 4 - a * 12.5]
    np.testing.assert_allclose(motion(t), [*expected, math.pi / 4, math.pi / 4], atol=1e-12)
    assert motion.kinks == {110.0, 120.0, 260.0, 270.0} or np.allclose(sorted(motion.kinks), [110, 120, 260, 270])


def test_small_changes_are_left_alone_and_short_turns_never_reach_the_rate():
    assert len(motion_of(turbine(fl.DirectionChange(20.0, "7.9 deg"))).coefs) == 1
    motion = motion_of(turbine(fl.DirectionChange(20.0, "2 deg"), dead_band="1 deg"))
    half = math.sqrt(math.radians(2) / (RATE / 10))  # accelerate over half the angle, 1/2 a T^2 each
    np.testing.assert_allclose(motion.knots[:4], [0, 30, 30 + half, 30 + 2 * half], atol=1e-9)
    assert float(motion(30 + half)) == pytest.approx(math.radians(1))
    assert float(motion(99.0)) == pytest.approx(math.radians(2))


def test_a_gust_shorter_than_the_lag_is_not_followed():
    there_and_back = (fl.DirectionChange(20.0, "30 deg"), fl.DirectionChange(28.0, "-30 deg"))
    assert len(motion_of(turbine(*there_and_back)).coefs) == 1


def test_a_second_shift_while_the_nacelle_turns_is_followed_after_it():
    """90 degrees from 11 s on take 310 s; the shift of 30 meanwhile is then off for the lag, and takes 110 s."""
    motion = motion_of(turbine(fl.DirectionChange(1.0, "90 deg"), fl.DirectionChange(50.0, "30 deg")))
    np.testing.assert_allclose(motion(np.array([321.0, 331.0, 441.2])), np.radians([90, 90, 120]), atol=1e-9)
    exact = motion_of(turbine(fl.DirectionChange(1.0, "45 deg"), dead_band=0.0))
    assert len(exact.coefs) == 5 and float(exact(400.0)) == pytest.approx(math.pi / 4)  # rounding is not chased


def test_it_turns_the_shorter_way():
    """A direction is the same after a whole turn: from -175 to 175 degrees are -10, and 200 on are 160 back."""
    wind = fl.SteadyWind(12.0, direction="175 deg")
    assert float(motion_of(turbine(wind=wind, facing="-175 deg"))(500.0)) == pytest.approx(-math.radians(10))
    assert float(motion_of(turbine(fl.DirectionChange(5.0, "200 deg")))(900.0)) == pytest.approx(-math.radians(160))


def heading(model, duration):
    """Return where the nacelle's x axis points to at the end, less where the tower's does."""
    data = fl.simulate(model, duration, 0.5, progress=False).isel(time=-1)
    w, x, y, z = data.orientation.sel(body=["nacelle", "tower"]).values.T
    nacelle, tower = np.arctan2(2 * (x * y + w * z), 1 - 2 * (y * y + z * z))
    return math.degrees(nacelle - tower)


def test_the_nacelle_turns_to_the_wind_however_its_joint_is_listed_and_drawn():
    """From the nacelle to the tower the coordinate has the other sign; a rotor drawn along x starts from there."""
    change = fl.DirectionChange(5.0, "45 deg")
    model = turbine(change).model_copy(update={"gravity": (0.0, 0.0, 0.0), "loads": {}, "base": "tower"})
    joint = model.joints["yaw"]
    against = joint.model_copy(update={"parent": "nacelle", "child": "tower"})
    for one in (joint, against):
        assert heading(model.model_copy(update={"joints": {"yaw": one}}), 300.0) == pytest.approx(45.0, abs=1e-3)
    askew = fl.simulate(turbine(wind=fl.SteadyWind(12.0, direction="30 deg")), 140.0, 0.1, progress=False)
    assert float(askew.joint_position[-1, 0]) == pytest.approx(math.radians(30))


def test_a_steady_turn_is_followed_turn_by_turn():
    """A table that swings by 40 degrees and back: at rest the nacelle is never off for longer than the lag allows."""
    times = np.arange(0, 1801, 10.0)
    directions = np.radians(40) * np.sin(2 * np.pi * times / 1200)
    table = fl.WindTable(times, np.full(len(times), 15.0), directions)
    model = turbine(wind=table, average=30.0)
    motion, direction = motion_of(model), wind_in_time(model).direction
    t = np.linspace(0, 1800, 18001)
    assert len(motion.coefs) > 12
    # 8 deg of dead band, and what the wind turns (0.21 deg/s) in lag, average and the turn to where it was.
    assert np.abs(motion(t) - direction(t)).max() < np.radians(8 + 0.21 * (10 + 15 + 8 / 0.3 + 10 + 10))
    rate = np.diff(motion(t)) / 0.1
    assert np.abs(rate).max() <= RATE * (1 + 1e-9)
    assert np.abs(np.diff(rate)).max() <= RATE / 10 * 0.1 * (1 + 1e-6)  # acceleration is never exceeded


def test_driven_motion_is_exact_and_passes_its_audit():
    """Recorded angle, rate and acceleration are the plan's; axes that point down turn the other way."""
    model = turbine(fl.DirectionChange(5.0, "9 deg"), lag=3.03, acceleration_time=2.5)
    data = fl.simulate(model, 50.0, 0.1)
    motion = motion_of(model)
    np.testing.assert_allclose(data.joint_position[:, 0], motion(data.time), atol=1e-14)
    begin = motion.knots[1]
    assert begin == pytest.approx(8.1)  # 3.03 s of lag, seen at the next tenth of a second
    grows = (data.time.values > begin + 1e-6) & (data.time.values < begin + 2.5 - 1e-6)
    np.testing.assert_allclose(data.joint_acceleration.values[grows, 0], RATE / 2.5, rtol=1e-12)
    np.testing.assert_allclose(
        data.joint_rate.values[grows, 0], RATE / 2.5 * (data.time.values[grows] - begin), rtol=1e-9
    )
    np.testing.assert_allclose(data.joint_rate.values[(data.time.values > 12) & (data.time.values < 35), 0], RATE)
    assert float(data.joint_position[-1, 0]) == pytest.approx(math.radians(9))
    report = fl.audit(data)
    assert report.passed, report.table()
    down = fl.simulate(
        turbine(fl.DirectionChange(5.0, "9 deg"), lag=3.03, acceleration_time=2.5, axis=(0, 0, -1)), 50.0, 0.1
    )
    np.testing.assert_allclose(down.joint_position, -data.joint_position, atol=1e-14)
    np.testing.assert_allclose(down.orientation.sel(body="nacelle"), data.orientation.sel(body="nacelle"), atol=1e-9)


def test_every_stage_is_on_its_side_of_a_kink():
    """Alone in space a yawing turbine keeps its angular momentum; kinks within rounding of a step's end included.

    A single stage with the acceleration of the other side would leave 1e-3 of it.
    """
    model = turbine(fl.DirectionChange(5.0, "12 deg"))
    model = model.model_copy(update={"loads": {}, "gravity": (0.0, 0.0, 0.0)})
    for output_every in (1, 7):
        data = fl.simulate(model, 80.0, 0.1, output_every=output_every)
        turned = np.abs(data.angular_velocity.sel(body="nacelle")).values.max() * 2.5e7
        assert np.abs(data.angular_momentum.values).max() < 1e-9 * turned  # rk4 on accelerations that are constant


def test_mistakes_are_told():
    model = turbine()
    nobody = model.model_copy(update={"controllers": {}})
    assert any("no controller is called 'yaw control'" in problem.message for problem in fl.check(nobody))
    with pytest.raises(fl.InvalidInput, match=r"joints.yaw.motion: no controller is called 'yaw control'"):
        fl.simulate(nobody, 1.0, 0.1)
    lying = turbine(axis=(1, 0, 0))
    assert any("nearly vertical" in problem.message for problem in fl.check(lying))
    with pytest.raises(fl.InvalidInput, match="nearly vertical"):
        fl.simulate(lying, 1.0, 0.1)
    calm = model.model_copy(update={"environment": None, "loads": {}})
    assert any("follows the wind, and there is none" in problem.message for problem in fl.check(calm))


@pytest.mark.parametrize("swapped", [False, True])
def test_the_base_does_not_change_which_way_the_nacelle_turns(swapped):
    """The side with the rotor is the nacelle, whichever body the tree grows from; a swapped joint counts against it."""
    model = turbine(fl.DirectionChange(100.0, "45 deg"))
    joint = model.joints["yaw"]
    if swapped:
        joint = fl.Revolute("nacelle", "tower", joint.point, joint.axis, motion=fl.Controlled("yaw control"))
    for base in ("tower", "nacelle"):
        drawn = fl.Model(**{**dict(model), "joints": {"yaw": joint}, "base": base})
        found = controlled_motion(drawn, "yaw control", drawn.joints["yaw"], "angle", wind_in_time(drawn))
        assert float(found(500.0)) == pytest.approx(-math.pi / 4 if swapped else math.pi / 4)
