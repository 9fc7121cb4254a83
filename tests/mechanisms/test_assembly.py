"""Assembly: what the user meant stays, what cannot be closed is named, velocities are completed."""

import numpy as np
import pytest

import fairlead as fl
from support.mechanism_models import CRANK, ROD, bar, changed, example, pin, rotations, slider_crank


def with_body(model, name, **fields):
    return changed(model, bodies={name: model.bodies[name].model_copy(update=fields)})


def loose(model):
    """The model with its pins given in body axes, so that a drawing that does not close can be assembled."""
    joints = dict(model.joints)
    for name, joint in model.joints.items():
        if joint.type not in ("spherical", "cylindrical"):
            continue
        ends = {}
        for side in ("parent", "child"):
            body = model.bodies[getattr(joint, side)]
            R = np.array(body.orientation.matrix) if body.orientation and body.orientation.matrix else np.eye(3)
            ends[f"{side}_point"] = tuple(R.T @ (np.array(joint.point) - body.position))
            if joint.type == "cylindrical":
                ends[f"{side}_axis"] = tuple(R.T @ np.array(joint.axis))
        joints[name] = type(joint)(parent=joint.parent, child=joint.child, **ends)
    return model.model_copy(update={"joints": joints})


def test_crank_at_its_dead_point_stays_where_it_is_meant():
    """ERRATA 13: the note's rod is drawn 0.7066 m off, crank and slider where they belong; only the rod moves."""
    model = loose(example("slider_crank_dynamic"))
    drawn_off = with_body(model, "rod", position=(-0.25, 0.7066, 0.0))
    data = fl.simulate(drawn_off, 0.001, 0.0001, integrator="rk4")
    start = data.isel(time=0)
    np.testing.assert_allclose(start.position.sel(body="rod"), (-0.25, 0, 0), atol=1e-9)
    np.testing.assert_allclose(start.position.sel(body="slider"), (1.5, 0, 0), atol=1e-9)
    np.testing.assert_allclose(start.orientation.sel(body="crank"), (1, 0, 0, 0), atol=1e-9)
    moved = data.attrs["assembly_moved"]
    assert "rod 0.707 m" in moved and "crank" not in moved and "slider" not in moved


def test_assembly_goes_where_the_driver_starts():
    """Drawn stretched out, driven from 45 deg: the rod follows, on the side the slider is drawn, to the closed form."""
    now = fl.accelerations(example("slider_crank_kinematic"), formulation="constrained")
    x = CRANK * np.cos(np.pi / 4) + np.sqrt(ROD**2 - (CRANK * np.sin(np.pi / 4)) ** 2)
    np.testing.assert_allclose(now.position.sel(body="slider"), (x, 0, 0), atol=1e-10)


@pytest.mark.parametrize("turned", [1.0, 2.0, 3.0, -2.5, 5.0])
def test_driver_that_starts_far_from_the_drawing_takes_the_rest_along(turned):
    """A welded arm on a driven shaft: attitude equations have eight solutions, the drawn one is the one meant."""
    bodies = {"shaft": fl.Body(1.0, (1, 1, 1)), "arm": fl.Body(1.0, (1, 1, 1), (1, 0, 0))}
    joints = {
        "bearing": fl.Revolute("world", "shaft", (0, 0, 0), (0.6, 0, 0.8), motion=fl.Rate(0.5, turned)),
        "weld": fl.Fixed("shaft", "arm", (0.5, 0, 0)),
    }
    model = fl.Model("welded", bodies, joints)
    ours, cloud = (fl.accelerations(model, formulation=name) for name in ("constrained", "cloud"))
    for name in ("position", "velocity", "angular_velocity", "acceleration", "joint_moment"):
        np.testing.assert_allclose(ours[name], cloud[name], atol=1e-8)  # closed to 1e-11, moments of 10 N m


@pytest.mark.parametrize("angle", [0.5, 2.0, -1.5, 3.0])
def test_driven_ball_far_from_the_drawing(angle):
    """All three angles of a spherical joint driven far away, a fixed body on top: the same as the cloud has it."""
    bodies = {"ball": fl.Body(1.0, (1, 2, 1.5), (0.3, 0, 0)), "tip": fl.Body(1.0, (1, 1, 1), (1, 0.2, 0))}
    motion = {"a": fl.Rate(0.3, angle), "b": fl.Rate(-0.2, 0.4 * angle), "c": fl.Rate(0.1, -0.7 * angle)}
    joints = {
        "socket": fl.Spherical("world", "ball", (0, 0, 0), motion=motion),
        "weld": fl.Fixed("ball", "tip", (0.6, 0, 0)),
    }
    model = fl.Model("ball", bodies, joints)
    ours, cloud = (fl.accelerations(model, formulation=name) for name in ("constrained", "cloud"))
    for name in ("position", "velocity", "angular_velocity", "acceleration", "joint_moment"):
        np.testing.assert_allclose(ours[name], cloud[name], atol=1e-8)


def test_what_cannot_be_assembled_names_joint_and_gap():
    """A rod too short to reach the slider's line: 1 m where 2 m are needed at least."""
    bodies = {"crank": bar(1.0, (0, 0), (0, 2)), "rod": bar(1.0, (0, 2), (0, 1))}
    joints = {
        "bearing": pin(fl.Revolute, "world", "crank", (0, 0), locked=True),
        "crank pin": pin(fl.Revolute, "crank", "rod", (0, 2)),
        "floor": fl.AbsoluteY(child="rod", point=(0, 1, 0), motion=fl.Rate(0.0, -1.0)),
    }
    reachable = fl.Model("reach", bodies, joints)
    fl.accelerations(changed(reachable, joints={"floor": fl.AbsoluteY(child="rod", point=(0, 1, 0))}))
    with pytest.raises(fl.NumericalFailure, match=r"cannot be assembled: joint '.*' stays open by \d.*'"):
        fl.accelerations(reachable)


def test_contradicting_grounds_fail_with_a_sentence():
    """A body held by the world and, welded to another, held again a metre away: no position satisfies both."""
    bodies = {"block": fl.Body(1.0, (1, 1, 1)), "other": fl.Body(1.0, (1, 1, 1), (3, 0, 0))}
    joints = {
        "first": fl.Ground(child="block"),
        "second": fl.Ground(child="other"),
        "bar": fl.Distance("block", "other", point=(0, 0, 0), other_point=(3, 0, 0), length=2.0),
    }
    with pytest.raises(fl.NumericalFailure, match=r"cannot be assembled: joint '(bar|first|second)' stays open"):
        fl.simulate(fl.Model("contradiction", bodies, joints), 1.0, 0.1)


def test_two_grounds_that_agree_are_redundant_not_wrong():
    """The same with the distance as drawn: one equation too many, named, and the run goes on."""
    bodies = {"block": fl.Body(1.0, (1, 1, 1)), "other": fl.Body(1.0, (1, 1, 1), (3, 0, 0))}
    joints = {
        "first": fl.Ground(child="block"),
        "second": fl.Ground(child="other"),
        "bar": fl.Distance("block", "other", point=(0, 0, 0), other_point=(3, 0, 0)),
    }
    data = fl.simulate(fl.Model("agreement", bodies, joints), 0.1, 0.1)
    assert len(data.attrs["redundant_equations"].split("; ")) == 1
    assert data.attrs["degrees_of_freedom"] == 0


def test_rate_of_one_joint_completes_all_velocities():
    """Only the crank's rate is given; rod and slider have what the linkage gives them (MBDM note Table 27)."""
    now = fl.accelerations(example("slider_crank_dynamic"), formulation="constrained")
    np.testing.assert_allclose(now.velocity.sel(body="rod"), (0, -30, 0), atol=1e-9)
    np.testing.assert_allclose(now.velocity.sel(body="slider"), (0, 0, 0), atol=1e-9)
    np.testing.assert_allclose(now.angular_velocity.sel(body="rod"), (0, 0, 60 / 3.5), atol=1e-9)


def test_velocity_of_one_body_completes_the_others():
    """The same with the angular velocity given on the crank's body, as a legacy file has it."""
    model = slider_crank(np.pi / 4)
    model = with_body(model, "crank", angular_velocity=(0.0, 0.0, 3.0))
    now = fl.accelerations(model, formulation="constrained")
    a = np.pi / 4
    rod = -np.arcsin(CRANK * np.sin(a) / ROD)
    rate = -CRANK * np.cos(a) / (ROD * np.cos(rod)) * 3.0
    speed = -CRANK * np.sin(a) * 3.0 - ROD * np.sin(rod) * rate
    np.testing.assert_allclose(now.angular_velocity.sel(body="crank"), (0, 0, 3), atol=1e-9)
    np.testing.assert_allclose(now.angular_velocity.sel(body="rod"), (0, 0, rate), atol=1e-9)
    np.testing.assert_allclose(now.velocity.sel(body="slider"), (speed, 0, 0), atol=1e-9)


def test_initial_value_and_rate_of_free_coordinates():
    """`initial` and `rate` of two joints of a chain are met; the drawing is where they count from."""
    bodies = {"one": bar(1.0, (0, 0), (1, 0)), "two": bar(1.0, (1, 0), (2, 0))}
    joints = {
        "first": pin(fl.Revolute, "world", "one", (0, 0), initial=0.7, rate=1.5),
        "second": pin(fl.Revolute, "one", "two", (1, 0), initial="-40 deg", rate=-0.5),
    }
    now = fl.accelerations(fl.Model("chain", bodies, joints))
    np.testing.assert_allclose(now.joint_position, (0.7, np.radians(-40)), atol=1e-10)
    np.testing.assert_allclose(now.joint_rate, (1.5, -0.5), atol=1e-9)
    knee = np.array([np.cos(0.7), np.sin(0.7)])
    end = 0.7 - np.radians(40)
    np.testing.assert_allclose(
        now.position.sel(body="two")[:2], knee + 0.5 * np.array([np.cos(end), np.sin(end)]), atol=1e-10
    )


def test_drawn_velocities_that_drivers_contradict_give_way():
    """A crank drawn with 5 rad/s but driven at 2: the driver is an equation, the drawing is not."""
    model = slider_crank(np.pi / 4, bearing={"motion": fl.Rate(2.0)})
    now = fl.accelerations(with_body(model, "crank", angular_velocity=(0.0, 0.0, 5.0)), formulation="constrained")
    np.testing.assert_allclose(now.angular_velocity.sel(body="crank"), (0, 0, 2), atol=1e-9)


def test_bodies_given_in_body_axes_are_closed_and_reported():
    """Three bars of a linkage drawn centimetres apart: closed, and each correction is reported with its size."""
    model = loose(slider_crank(np.pi / 4))
    rod = model.bodies["rod"]
    apart = with_body(model, "rod", position=tuple(np.array(rod.position) + (0.02, -0.03, 0.01)))
    data = fl.simulate(apart, 0.01, 0.001, formulation="constrained")
    assert data.position_violation.values[0] < 1e-10
    assert "rod" in data.attrs["assembly_moved"]
    # Each end of the rod is on its pin again.
    R = rotations(data, "rod")[0]
    end = data.position.sel(body="rod").values[0] + R.apply((ROD / 2, 0, 0))
    np.testing.assert_allclose(end[:2], data.position.sel(body="slider").values[0][:2], atol=1e-9)
