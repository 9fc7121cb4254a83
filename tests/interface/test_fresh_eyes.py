"""What first users tripped over: inputs that were passed over in silence, and causes that were named wrongly."""

from __future__ import annotations

import numpy as np
import pytest

import fairlead as fl

FORMULATIONS = ("articulated", "cloud", "kane", "constrained")


def door_and_frame(base=None, **drawn):
    """Return a door hinged about z at x = 0.5 to a frame whose mass centre is the origin; the door is listed first."""
    bodies = {
        "door": fl.Body(mass=1, inertia=(1, 1, 1), position=(1, 0, 0), **drawn.get("door", {})),
        "frame": fl.Body(mass=5, inertia=(1, 1, 1), **drawn.get("frame", {})),
    }
    hinge = fl.Revolute(parent="frame", child="door", point=(0.5, 0, 0.3), axis=(0, 0, 1), **drawn.get("hinge", {}))
    return fl.Model("order", bodies, {"hinge": hinge}, gravity=(0, 0, 0), base=base)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.parametrize("base", [None, "frame"])
def test_drawn_velocity_counts_whichever_body_is_the_base(formulation, base):
    """v + w x r of one rigid body: (0, 0, 2) + (0, 1, 0) x (1, 0, 0) at the door; none moved with the door as base."""
    model = door_and_frame(base, frame={"velocity": (0, 0, 2), "angular_velocity": (0, 1, 0)})
    now = fl.accelerations(model, formulation=formulation)
    np.testing.assert_allclose(now.velocity.sel(body="frame"), (0, 0, 2), atol=1e-12)
    np.testing.assert_allclose(now.velocity.sel(body="door"), (0, 0, 1), atol=1e-12)
    np.testing.assert_allclose(now.angular_velocity, [(0, 1, 0)] * 2, atol=1e-12)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("formulation", ["articulated", "constrained"])
def test_drawn_velocities_that_the_hinge_allows_are_met(formulation):
    """Both bodies drawn, the door swinging: the frame moves by (0, 0, 2), the door's centre by 3 * 0.5 along y more."""
    drawn = {"velocity": (0, 1.5, 2), "angular_velocity": (0, 0, 3)}
    model = door_and_frame(door=drawn, frame={"velocity": (0, 0, 2)})
    now = fl.accelerations(model, formulation=formulation)
    np.testing.assert_allclose(now.velocity, [(0, 1.5, 2), (0, 0, 2)], atol=1e-12)
    np.testing.assert_allclose(now.joint_rate, [3.0], atol=1e-12)


@pytest.mark.filterwarnings("error")
def test_body_welded_to_the_base_carries_it_along():
    """A carried body of a tree without any free joint: its velocity had no effect at all."""
    model = door_and_frame(frame={"velocity": (0, 0, 2)}, hinge={"locked": True})
    now = fl.accelerations(model, formulation="cloud")
    np.testing.assert_allclose(now.velocity, [(0, 0, 2)] * 2, atol=1e-12)


def test_drawn_velocities_that_contradict_the_joints_are_told():
    """About y the hinge holds both as one: between 3 and 1 rad/s, equal inertias, the least energy is missed at 2."""
    model = door_and_frame(door={"angular_velocity": (0, 3, 0)}, frame={"angular_velocity": (0, 1, 0)})
    with pytest.warns(UserWarning, match=r"cannot be as drawn.*off it by 1 rad/s") as caught:
        now = fl.accelerations(model, formulation="articulated")
    np.testing.assert_allclose(now.angular_velocity, [(0, 2, 0)] * 2, atol=1e-9)
    paths = ["bodies.door.angular_velocity", "bodies.frame.angular_velocity"]
    assert [str(one.message).split()[0] for one in caught] == paths
    assert [problem.path for problem in fl.check(model) if problem.severity == "warning"] == paths


def test_velocity_drawn_for_a_driven_body_is_told():
    """The driver turns it at 2 rad/s whatever is drawn."""
    hinge = fl.Revolute(parent="world", child="arm", point=(0, 0, 0), axis=(0, 0, 1), motion=fl.Rate(2.0))
    model = fl.Model(
        "driven", {"arm": fl.Body(mass=1, inertia=(1, 1, 1), angular_velocity=(0, 0, 5))}, {"hinge": hinge}
    )
    with pytest.warns(UserWarning, match="bodies.arm.angular_velocity cannot be as drawn.*off it by 3 rad/s"):
        fl.accelerations(model)


@pytest.mark.parametrize(
    "beside",
    [
        {"force": (5, 0, 0)},
        {"moment": (0, 0, 7)},
        {"point": (0, 1, 0)},
        {"axes": "body"},
        {"force": (1, 0, 0), "axes": "body"},
    ],
)
def test_what_stands_beside_a_function_is_refused(beside):
    """Six numbers at the mass centre in world axes are all that a function gives; the rest was passed over."""
    with pytest.raises(fl.InvalidInput, match=" and ".join(f"'{name}'" for name in beside) + " would have no effect"):
        fl.Force("kite", function=lambda t, motion: [0.0] * 6, **beside)
