"""Yaw by feedback: the planned motion on a still tower, the dead band on one that yaws, limits of the motion."""

from __future__ import annotations

import numpy as np
import pytest

import fairlead as fl
from fairlead.errors import InvalidInput

DEG = np.pi / 180
BY_FEEDBACK = {"controller": "follow.acceleration", "follows": "acceleration"}


def machine(motion, axis=(0, 0, 1), swap=False, moment=0.0, rate=0.0, **follow):
    """A tower that yaws on a spring under a moment, with a nacelle; the wind shifts by 45 degrees at 100 s."""
    parent, child = ("nacelle", "tower") if swap else ("tower", "nacelle")
    joints = {
        "foot": fl.Revolute("world", "tower", (0, 0, 0), (0, 0, 1), rate=rate, spring=1.2e8, damper=1.3e7),
        "yaw": fl.Revolute(parent, child, (0, 0, 80), axis, motion=motion),
    }
    bodies = {
        "tower": fl.Body(8e6, (1e10, 1e10, 1.7e8), (0, 0, -80)),
        "nacelle": fl.Body(3.5e5, (4e7, 2.5e7, 2.5e7), (0, 0, 90)),
    }
    change = fl.DirectionChange(100, "45 deg")
    return fl.Model(
        "yawing",
        bodies,
        joints,
        {"turn": fl.Force("tower", moment=(0, 0, moment))},
        environment=fl.Environment(wind=fl.SteadyWind(12, changes=(change,))),
        controllers={"follow": fl.YawFollow(facing=0.0, **follow)},
    )


def heading(data):
    w, x, y, z = np.moveaxis(data.orientation.sel(body="nacelle").values, -1, 0)
    return np.arctan2(2 * (x * y + w * z), 1 - 2 * (y * y + z * z)) / DEG


def run(model, duration=400.0):
    return fl.simulate(model, duration, 0.1, formulation="articulated", progress=False)


@pytest.mark.parametrize("axis, swap", [((0, 0, 1), False), ((0, 0, -1), False), ((0, 0, 1), True)])
def test_on_a_still_tower_it_is_the_planned_motion(axis, swap):
    """Lag 10 s, 10 s to 0.3 deg/s, steady, 10 s to rest: from 110 to 270 s, and 45 degrees, to what one look covers."""
    still = {"foot": fl.Fixed("world", "tower", point=(0, 0, 0))}
    runs = []
    for motion, body in (({"controller": "follow"}, None), (BY_FEEDBACK, "nacelle")):
        model = machine(motion, axis, swap, body=body)
        runs.append(run(model.with_({f"joints.{name}": joint for name, joint in still.items()})))
    planned, fed = (heading(data) for data in runs)
    assert np.abs(planned - fed).max() < 0.04  # a look, 0.1 s, at 0.3 deg/s, and what a look leaves of the way
    assert planned[-1] == pytest.approx(45) and abs(fed[-1] - 45) < 0.04
    turning = runs[1].time.values[np.abs(np.diff(fed, prepend=0)) > 1e-9]
    assert turning[0] == pytest.approx(110.1, abs=0.11) and turning[-1] == pytest.approx(270, abs=0.3)
    assert fl.audit(runs[1]).passed


def test_on_a_tower_that_yaws_it_ends_inside_the_dead_band():
    """A moment holds the tower 12 degrees off, and it swings: planned ends 12 degrees off, by feedback it does not."""
    words = {"moment": 12 * DEG * 1.2e8, "rate": 0.03}
    planned, fed = (
        run(machine(motion, body=body, **words), 600.0)
        for motion, body in (({"controller": "follow"}, None), (BY_FEEDBACK, "nacelle"))
    )
    assert heading(planned)[-1] == pytest.approx(57, abs=0.2)
    after = fed.time.values > 300
    assert np.abs(heading(fed)[after] - 45).max() < 8
    names = ("joint_rate", "joint_acceleration")
    rate, acceleration = (fed[name].sel(coordinate="yaw.angle").values / DEG for name in names)
    assert np.abs(rate).max() <= 0.3 * (1 + 1e-9) and np.abs(acceleration).max() <= 0.03 * (1 + 1e-9)
    assert np.abs(rate[-1]) < 1e-12  # what was added is taken away again
    assert fl.audit(fed).passed


def test_it_says_what_it_lacks():
    model = machine(BY_FEEDBACK, body="nacelle")
    with pytest.raises(InvalidInput, match="is required where no rotor says where the drawing faces"):
        run(model.with_({"controllers.follow.facing": None}))
    with pytest.raises(InvalidInput, match="there is no body 'nacele'"):
        run(model.with_({"controllers.follow.body": "nacele"}))
    with pytest.raises(InvalidInput, match="follows the wind, and there is none"):
        run(model.with_({"environment.wind": None}))
