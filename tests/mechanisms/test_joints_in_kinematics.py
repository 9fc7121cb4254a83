"""Every joint type in kinematic analysis: a fully driven mechanism whose motion is known without it."""

from __future__ import annotations

import numpy as np
import pytest

import fairlead as fl

BODY = fl.Body(2.0, (0.4, 0.5, 0.6), position=(1, 0.5, 0.2), orientation={"euler123": (0.2, -0.3, 0.4)})
AT = {"parent": "world", "child": "b", "point": (0.3, 0.1, 0.2)}
ONE, TWO, THREE = fl.Sine(0.4, 3.0, 0.2, 0.1), fl.Sine(0.3, 2.0, 0.5), fl.Sine(0.5, 1.3, 0.1, -0.2)
DRIVEN = [
    fl.Fixed(**AT),
    fl.Ground(child="b"),
    fl.Revolute(**AT, axis=(1, 2, 3), motion=ONE),
    fl.Prismatic(**AT, axis=(1, 2, 3), motion=ONE),
    fl.Cylindrical(**AT, axis=(1, 2, 3), motion={"angle": ONE, "length": TWO}),
    fl.Universal(**AT, axis=(1, 0, 0), axis2=(0, 1, 1), motion={"angle1": ONE, "angle2": TWO}),
    fl.Planar(**AT, axis=(0, 0, 1), axis2=(1, 1, 0), motion={"x": ONE, "y": TWO, "angle": THREE}),
    fl.Spherical(**AT, motion={"a": ONE, "b": TWO, "c": THREE}),
    fl.Free(**AT, motion={"x": ONE, "y": TWO, "z": THREE, "a": TWO, "b": THREE, "c": ONE}),
]


@pytest.mark.parametrize("joint", DRIVEN, ids=lambda joint: joint.type)
def test_a_driven_joint_moves_its_body_as_the_chain_of_its_coordinates_says(joint):
    # In `cloud` the motion of such a body is evaluated coordinate by coordinate, without any equation to be solved.
    model = fl.Model(name="driven", bodies={"b": BODY}, joints={"j": joint})
    found, known = fl.kinematics(model, 2.0, 0.05), fl.simulate(model, 2.0, 0.05, formulation="cloud")
    assert found.attrs["degrees_of_freedom"] == 0
    for name in ("position", "velocity", "acceleration", "angular_velocity", "angular_acceleration", "driver_force"):
        scale = max(1.0, np.abs(known[name].values).max(initial=0.0))
        assert np.abs(found[name].values - known[name].values).max(initial=0.0) < 1e-9 * scale, name


def moved(joints: dict, expressions: dict) -> tuple:
    """Run a fully driven body and return its motion beside what the expressions of t say of its mass centre."""
    data = fl.kinematics(
        fl.Model(name="guided", bodies={"b": fl.Body(2.0, (0.4, 0.5, 0.6), position=(1, 0, 0))}, joints=joints),
        1.5,
        0.05,
    )
    return data, {name: form(data["time"].values) for name, form in expressions.items()}


def test_absolute_guides_carry_a_body_along_their_motions():
    # Each guide drives one world coordinate from the drawing (1, 0, 0); the attitude is held.
    joints = {
        "x": fl.AbsoluteX(child="b", motion=ONE),
        "y": fl.AbsoluteY(child="b", motion=TWO),
        "z": fl.AbsoluteZ(child="b", motion=THREE),
        "attitude": fl.AbsoluteOrientation(child="b"),
    }
    forms = {
        "x": lambda t: 1.1 + 0.4 * np.sin(3 * t + 0.2),
        "y": lambda t: 0.3 * np.sin(2 * t + 0.5),
        "z": lambda t: -0.2 + 0.5 * np.sin(1.3 * t + 0.1),
    }
    data, known = moved(joints, forms)
    for axis, series in known.items():
        assert np.abs(data["position"].sel(body="b", xyz=axis).values - series).max() < 1e-10
    assert np.abs(data["angular_velocity"].values).max() < 1e-12


def test_a_distance_keeps_a_point_on_a_circle():
    # x is driven inwards, z and the attitude are held: y = sqrt(1 - x^2) on the side towards which it was drawn.
    body = fl.Body(2.0, (0.4, 0.5, 0.6), position=(0.8, 0.6, 0))
    joints = {
        "bar": fl.Distance("world", "b", point=(0, 0, 0), other_point=(0.8, 0.6, 0)),
        "x": fl.AbsoluteX(child="b", motion=fl.Rate(-0.3)),
        "z": fl.AbsoluteZ(child="b"),
        "attitude": fl.AbsoluteOrientation(child="b"),
    }
    data = fl.kinematics(fl.Model(name="bar", bodies={"b": body}, joints=joints), 2.0, 0.02)
    x = 0.8 - 0.3 * data["time"].values
    y = np.sqrt(1 - x * x)
    speed, rise = 0.3 * x / y, -0.09 / y**3
    for name, exact in (("position", y), ("velocity", speed), ("acceleration", rise)):
        assert np.abs(data[name].sel(body="b", xyz="y").values - exact).max() < 1e-9, name


def test_a_revolute_cylindrical_joint_points_its_axis_at_the_pivot():
    # The body's x axis passes through the origin and turns about z; its mass centre is driven along a straight line; a
    # point beside it is held level: the attitude is a turn about z by the angle of the mass centre.
    joints = {
        "coupler": fl.RevoluteCylindrical("world", "b", (0, 0, 0), (0, 0, 1), (1, 0, 0)),
        "x": fl.AbsoluteX(child="b", motion=fl.Rate(0.2)),
        "y": fl.AbsoluteY(child="b", motion=fl.Rate(0.5)),
        "level": fl.AbsoluteZ(child="b", point=(1, 0.3, 0)),
    }
    data, known = moved(joints, {"angle": lambda t: np.arctan2(0.5 * t, 1 + 0.2 * t)})
    assert data.attrs["degrees_of_freedom"] == 0
    assert np.abs(data["euler123"].values[:, 0, 2] - known["angle"]).max() < 1e-9
    assert np.abs(data["euler123"].values[:, 0, :2]).max() < 1e-9
    t = data["time"].values
    rate = 0.5 / ((1 + 0.2 * t) ** 2 + 0.25 * t * t)  # (x y' - y x') / r^2
    assert np.abs(data["angular_velocity"].values[:, 0, 2] - rate).max() < 1e-9
