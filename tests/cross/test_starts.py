"""How machines start: every formulation begins where the drawing, the joints and a moving base put the bodies."""

import numpy as np
import pytest

import fairlead as fl

ALL = ("cloud", "kane", "articulated", "constrained")
LOOPS = ("cloud", "articulated", "constrained")
STILL = (0, 0, 0)


def box(mass, position, **moving):
    return fl.Body(mass=mass, inertia=(0.1 * mass, 0.12 * mass, 0.15 * mass), position=position, **moving)


@pytest.mark.parametrize("formulation", ALL)
def test_forces_on_a_free_joint_to_the_world_act(formulation):
    """A body hung from the world by the springs of a free joint swings as m z'' = -k z - m g; rtol leaves 1e-10."""
    hung = fl.Free("world", "body", spring={"x": 50, "y": 50, "z": 300}, rate={"z": 0.2})
    model = fl.Model(name="hung", bodies={"body": box(2.0, (0, 0, 1))}, joints={"mount": hung})
    data = fl.simulate(model, 2.0, 0.05, formulation=formulation, integrator="dop853", rtol=1e-12, atol=1e-14)
    w, sag = np.sqrt(300 / 2.0), 2.0 * 9.80665 / 300
    t = data["time"].values
    known = 1 - sag * (1 - np.cos(w * t)) + 0.2 / w * np.sin(w * t)
    assert np.abs(data["position"].sel(body="body", xyz="z") - known).max() < 1e-9
    assert "mount.z" in data["coordinate"]
    assert fl.audit(data).passed


@pytest.mark.parametrize(
    "force", [{"actuator": {"x": {"command": 3}}}, {"damper": {"a": 1}}, {"limits": {"x": (-1, 1)}}]
)
def test_a_free_joint_to_the_world_that_is_asked_anything_has_coordinates(force):
    """Without a word on its coordinates it only says that the body floats, and costs nothing."""
    bodies = {"body": box(2.0, STILL)}
    asked = fl.accelerations(fl.Model(name="asked", bodies=bodies, joints={"mount": fl.Free("world", "body", **force)}))
    plain = fl.accelerations(fl.Model(name="plain", bodies=bodies, joints={"mount": fl.Free("world", "body")}))
    assert asked.sizes["coordinate"] == 6 and plain.sizes["coordinate"] == 0
    pushed = 1.5 if "actuator" in force else 0.0
    assert float(asked["acceleration"].sel(xyz="x").item()) == pytest.approx(pushed, abs=1e-14)


def arm_on(base, **joints):
    bodies = {"bus": base, "boom": box(1.0, (2, 0, 0)), "tip": box(0.5, (3, 0, 0.5))}
    hinges = {
        "elbow": fl.Universal("bus", "boom", (1, 0, 0), (0, 1, 0), (0, 0, 1)),
        "wrist": fl.Spherical("boom", "tip", (2.5, 0, 0)),
    }
    return fl.Model(name="arm", gravity=STILL, bodies=bodies, joints={**joints, **hinges})


@pytest.mark.parametrize("formulation", ALL)
@pytest.mark.parametrize(
    "model",
    [
        arm_on(box(5.0, STILL, velocity=(1, 0, 0), angular_velocity=(0.1, 0.2, 0.3))),
        arm_on(
            box(5.0, STILL),
            float=fl.Free(
                "world", "bus", (0, 0, -1), initial={"a": 0.4, "b": -0.3, "y": 2.0}, rate={"x": 1.0, "c": 0.5}
            ),
        ),
    ],
    ids=["drawn moving", "started by its joint"],
)
def test_free_joints_start_at_rest_on_a_moving_base(model, formulation):
    """Coordinates without a word start at zero with rate zero, so the whole starts as one rigid body."""
    start = fl.accelerations(model, formulation=formulation)
    assert np.abs(start["joint_position"]).max() < 1e-12
    assert np.abs(start["joint_rate"]).max() < 1e-12
    bus, tip = start.sel(body="bus"), start.sel(body="tip")
    whole = fl.accelerations(model, formulation="articulated")["angular_momentum"]
    np.testing.assert_allclose(start["angular_momentum"], whole, atol=1e-11)
    assert float(np.linalg.norm(tip["angular_velocity"])) == pytest.approx(
        float(np.linalg.norm(bus["angular_velocity"]))
    )


@pytest.mark.parametrize("formulation", LOOPS)
@pytest.mark.parametrize("turned", [0.0, 0.7])
def test_a_loop_starts_at_rest_on_a_moving_base(formulation, turned):
    """A four-bar of free joints in space: moved and turned as a whole it needs no assembly, and no joint turns."""
    places = {"b": (1, 0.5, 0), "c": (0.5, 1, 0), "d": (0, 0.5, 0)}
    corners = {("a", "b"): (1, 0, 0), ("b", "c"): (1, 1, 0), ("c", "d"): (0, 1, 0), ("d", "a"): STILL}
    joints = {f"{p}{c} pin": fl.Revolute(p, c, point, (0, 0, 1)) for (p, c), point in corners.items()}
    joints["float"] = fl.Free("world", "a", initial={"a": turned}, rate={"c": 0.5, "b": 0.3, "x": 1.0})
    bodies = {"a": box(4.0, STILL), **{name: box(1.0, place) for name, place in places.items()}}
    start = fl.accelerations(
        fl.Model(name="loop", gravity=STILL, bodies=bodies, joints=joints), formulation=formulation
    )
    assert np.abs(start["joint_rate"]).max() < 1e-12
    assert np.abs(start["joint_position"]).max() < 1e-12


@pytest.mark.parametrize("formulation", ALL)
def test_velocities_drawn_on_carried_bodies_start_free_joints(formulation):
    """A body drawn with v = w x r about the pin of a resting base: the joint turns with w."""
    turning = box(1.0, (1, 0, 0), velocity=(0, 2, 0), angular_velocity=(0, 0, 2))
    model = fl.Model(
        name="drawn",
        gravity=STILL,
        bodies={
            "a": box(3.0, STILL),
            "b": turning,
            "c": box(1.0, (2, 0, 0), velocity=(0, 4, 0), angular_velocity=(0, 0, 2)),
        },
        joints={
            "pin": fl.Revolute("a", "b", STILL, (0, 0, 1)),
            "ball": fl.Spherical("b", "c", (1.5, 0, 0)),
        },
    )
    start = fl.accelerations(model, formulation=formulation)
    np.testing.assert_allclose(start["joint_rate"], [2, 0, 0, 0], atol=1e-10)
    np.testing.assert_allclose(start["velocity"], [(0, 0, 0), (0, 2, 0), (0, 4, 0)], atol=1e-10)


@pytest.mark.parametrize("call", [fl.simulate, fl.accelerations, fl.crosscheck, fl.kinematics])
def test_a_file_name_for_a_model_is_one_sentence(call):
    with pytest.raises(fl.InvalidInput, match=r"expected a model, got 'arm.yaml'; read a file with fl.load first"):
        call("arm.yaml")


@pytest.mark.parametrize("formulation", ["cloud", "articulated"])
@pytest.mark.parametrize("other", ["loop", "velocity"])
def test_a_free_angle_between_driven_ones_starts_with_its_rate(formulation, other):
    """A loop elsewhere, or a velocity given to a body that joints carry, must not take the start rate away.

    The copy of a hinge asks for nothing new, so the model without it moves in the same way.
    """
    hinge = fl.Revolute("bus", "flap", (0, 1, 0), (0, 0, 1), rate=0.4)
    turret = fl.Spherical("bus", "boom", (1, 0, 0), motion={"c": {"rate": 0.7}}, locked=("b",), rate={"a": -0.3})
    moving = {"velocity": (0.4 * -0.5, 0, 0), "angular_velocity": (0, 0, 0.4)} if other == "velocity" else {}
    bodies = {"bus": box(5.0, STILL), "boom": box(1.0, (2, 0, 0))}
    joints = {"hinge": hinge, "turret": turret}
    plain = fl.Model(name="plain", gravity=STILL, bodies=bodies | {"flap": box(1.0, (0, 1.5, 0))}, joints=joints)
    bodies = bodies | {"flap": box(1.0, (0, 1.5, 0), **moving)}
    joints = joints | ({"copy": fl.Revolute("bus", "flap", (0, 1, 0), (0, 0, 1))} if other == "loop" else {})
    asked = fl.Model(name="asked", gravity=STILL, bodies=bodies, joints=joints)
    one, two = (fl.simulate(model, 0.5, 0.005, formulation=formulation) for model in (plain, asked))
    assert float(two["joint_rate"].sel(coordinate="turret.a")[0]) == -0.3
    for name in ("position", "orientation", "velocity", "angular_velocity"):
        np.testing.assert_allclose(two[name], one[name], atol=1e-9)  # rk4 at this step: closing leaves 1e-11
