"""The MCM paper's section 8 against OpenFAST (C5): the nacelle yaws once round on linear restoring, in 300 s.

OpenFAST's own step of 0.0125 s shows in yaw: it extrapolates the loads of water and lines over each step, and so its
yaw, 36 swings in 300 s, runs away from the solution of the equations by 5 ms, 0.2 % of its range. Stepped likewise
(`support.openfast_stepping`), our equations agree with it to 0.01 %.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import fairlead as fl
from support import openfast_model as openfast
from support import openfast_stepping as stepping

MOTIONS = openfast.MOTIONS
SETTLED = 1.0  # [s] ServoDyn answers a step late: by then the actuator's first push, 14 MN m, has died away


@pytest.fixture(scope="module")
def both():
    return openfast.run_yawing(), openfast.recorded("C5")


def over_range(difference, they):
    return dict(zip(MOTIONS, difference / np.ptp(they, axis=0)))


def test_motions(both):
    """Asked for: 1e-3 of the range, heave 3e-3."""
    (time, we, _), (instants, they, _) = both
    assert np.allclose(time, instants)
    rms = over_range(np.sqrt(((we - they) ** 2).mean(axis=0)), they)
    assert max(rms.values()) < 1e-3
    largest = over_range(np.abs(we - they).max(axis=0), they)
    assert largest.pop("yaw") < 2.2e-3
    assert max(largest.values()) < 2e-4


@pytest.fixture(scope="module")
def stepped():
    return stepping.run(300.0)


def test_motions_by_the_steps_of_openfast(both, stepped):
    """Asked for: 1e-3 of the range, heave 3e-3. By the steps of OpenFAST it is 1e-4, and the 2e-3 of yaw are explained.

    What is left in heave and surge is MAP++'s tolerance of its lines, 0.5 N; in yaw that of the actuator's late start.
    """
    (_, exact, _), (_, they, _) = both
    we = stepping.motions(*stepped)
    assert max(over_range(np.abs(we - they).max(axis=0), they).values()) < 1.5e-4
    own_error = over_range(np.abs(we - exact).max(axis=0), they)
    assert own_error["yaw"] == pytest.approx(over_range(np.abs(they - exact).max(axis=0), they)["yaw"], rel=0.05)
    assert own_error["yaw"] > 1e-3  # the reference is not known to what is asked for


def test_recorded_rates_are_not_recorded_accelerations(stepped):
    """OpenFAST's record alone: what its velocities gain is another than its accelerations say, by what its steps do.

    In roll and pitch the buoyancy that is extrapolated pushes away, so the rate is less, in yaw the spring pulls back.
    """
    recorded = stepping.rate_over_acceleration(stepping.recorded_turning())
    predicted = stepping.rate_over_acceleration(stepping.turning(*stepped))
    assert recorded == pytest.approx([-1.68e-5, -1.68e-5, 4.47e-5], abs=1e-7)
    assert predicted[:2] == pytest.approx(recorded[:2], rel=1e-2)
    assert predicted[2] == pytest.approx(5 / 12 * (2 * np.pi / 8.27 * stepping.STEP) ** 2, rel=2e-2)
    # the acceleration recorded in yaw has the actuator's moment of a step before in it: another 0.7e-5
    assert 0.5e-5 < recorded[2] - predicted[2] < 1e-5


def test_tower_top_loads(both):
    """By `fl.internal_loads` from the motion, beside what ElastoDyn found; asked for: 2e-3 of the range."""
    (time, _, we), (_, _, they) = both
    after = time >= SETTLED
    largest = np.abs(we - they)[after].max(axis=0) / np.ptp(they[after], axis=0)
    assert largest[5] < 2e-3  # about z: the yaw moment follows the yaw
    assert largest[:5].max() < 3e-4


def test_accelerations_in_recorded_states():
    """The same equations: in nine states as recorded, the acceleration of the nacelle's yaw among them."""
    rows = np.loadtxt(openfast.HERE / "C5_states.csv", delimiter=",", skiprows=1)
    for row in rows:
        angles, rates = np.radians(row[4:7]), np.radians(row[10:13])
        R = Rotation.from_euler("ZYX", angles[::-1])
        start = dict(zip("xyzabc", [*row[1:4], *R.as_euler("XYZ")]))
        yaw, yaw_rate, yaw_acceleration = np.radians(row[19:22])
        model = openfast.yawing(
            start=fl.Free("world", "tower", (0, 0, 0), initial=start, rate=dict(zip("xyzabc", [*row[7:10], *rates]))),
            yaw=fl.Revolute("tower", "nacelle", tuple(openfast.TOP), (0, 0, 1),
                            motion=fl.Polynomial([yaw, yaw_rate, yaw_acceleration / 2])),
            spin=fl.Revolute("nacelle", "hub", tuple(openfast.APEX), openfast.SHAFT,
                             motion=fl.Rate(openfast.RATED, start=np.radians(row[22]))),
        )  # fmt: skip
        tower = fl.accelerations(model).sel(body="tower")
        al = np.degrees(tower.angular_acceleration.values)
        assert np.abs(al - row[16:19]).max() < 1e-6 * np.ptp(rows[:, 18])  # eight digits of states and accelerations
        arm = R.apply([0, 0, 85.602195])
        w, dw = R.apply(tower.angular_velocity), R.apply(tower.angular_acceleration)
        a = R.inv().apply(tower.acceleration.values + np.cross(dw, arm) + np.cross(w, np.cross(w, arm)))
        # MAP++ solves its three lines, which are alike at rest, to within 0.5 N of one another; that over 8e6 kg
        assert np.abs(a - row[13:16]).max() < 1e-7


def test_world_axes_are_another_machine():
    """With the same matrix on the rotation vector in world axes sway, roll and yaw are off by half a percent."""
    _, we, _ = openfast.run_yawing(axes="world")
    they = openfast.recorded("C5")[1]
    apart = over_range(np.abs(we - they).max(axis=0), they)
    assert min(apart[name] for name in ("sway", "roll", "yaw")) > 4e-3
