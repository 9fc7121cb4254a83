"""The ways to solve a constrained mechanism are witnesses for one another."""

from __future__ import annotations

import numpy as np
import pytest

import fairlead as fl

COMPARED = (
    "position",
    "velocity",
    "acceleration",
    "angular_velocity",
    "angular_acceleration",
    "joint_force",
    "joint_moment",
)


def slider_crank() -> fl.Model:
    """A slider-crank drawn stretched out, turning at 10 rad/s; the cylindrical wrist leaves little redundancy."""
    bodies = {
        "crank": fl.Body(200, (450, 450, 450), angular_velocity=(0, 0, 10)),
        "rod": fl.Body(35, (35, 35, 35), position=(3.75, 0, 0)),
        "slider": fl.Body(25, (0.02, 0.02, 0.02), position=(5.5, 0, 0)),
    }
    joints = {
        "main": fl.Revolute("world", "crank", (0, 0, 0), (0, 0, 1)),
        "pin": fl.Revolute("crank", "rod", (2, 0, 0), (0, 0, 1)),
        "wrist": fl.Cylindrical("rod", "slider", (5.5, 0, 0), (0, 0, 1)),
        "guide y": fl.AbsoluteY(child="slider", point=(5.5, 0, 0)),
        "guide z": fl.AbsoluteZ(child="slider", point=(5.5, 0, 0)),
        "upright": fl.AbsoluteOrientation(child="slider"),
    }
    return fl.Model(name="slider crank", bodies=bodies, joints=joints, gravity=(9.81, 0, 0))


def chain(links: int) -> fl.Model:
    """A chain in space with alternating axes, hinged to the world."""
    bodies, joints = {}, {}
    for i in range(links):
        bodies[f"b{i}"] = fl.Body(1 + 0.1 * i, (0.1, 0.2, 0.25), position=(i + 0.5, 0, 0))
        axis = (0, 1, 0) if i % 2 else (0, 0.6, 0.8)
        joints[f"j{i}"] = fl.Revolute(f"b{i - 1}" if i else "world", f"b{i}", (i, 0, 0), axis)
    return fl.Model(name="chain", bodies=bodies, joints=joints)


@pytest.mark.parametrize("model", [slider_crank(), chain(4)], ids=["slider crank", "chain"])
def test_angular_velocities_and_euler_parameters_as_unknowns_agree(model):
    # Eqs. 67 and 69 are the same equations in other unknowns: what is left is rounding, amplified by the multipliers.
    a, b = (
        fl.simulate(model, 0.5, 0.001, formulation="constrained", unknowns=u) for u in ("omega", "euler-parameters")
    )
    for name in COMPARED:
        scale = max(1.0, float(np.abs(a[name]).max()))
        assert np.abs(a[name].values - b[name].values).max() < 1e-9 * scale, name


@pytest.mark.parametrize("model", [slider_crank(), chain(6)], ids=["slider crank", "chain"])
def test_partition_and_projection_converge_to_one_motion(model):
    # Both are fourth order with errors of their own: halving the step must bring them together sixteenfold.
    apart = []
    for dt in (0.004, 0.002):
        runs = [fl.simulate(model, 0.4, dt, formulation="constrained", closing=c) for c in ("partition", "projection")]
        apart.append(np.abs(runs[0]["position"].values - runs[1]["position"].values).max())
        for data in runs:
            assert data["position_violation"].max() < 1e-10
    assert apart[1] < 1e-5 and (apart[1] < apart[0] / 8 or apart[1] < 1e-9)


def test_a_long_chain_falls_as_its_energy_says():
    # Forty links go through the sparse path; energy is conserved to the order of the step, and the links stay joined.
    data = fl.simulate(chain(40), 0.5, 0.002, formulation="constrained", output_every=25)
    assert data.attrs["degrees_of_freedom"] == 40 and data.attrs["redundant_equations"] == ""
    assert data["position_violation"].max() < 1e-10
    assert fl.audit(data).passed


def test_recording_more_or_less_does_not_change_the_motion():
    every, seldom = (fl.simulate(slider_crank(), 1.0, 0.001, output_every=n) for n in (1, 125))
    assert every["velocity"].values[::125].tobytes() == seldom["velocity"].values.tobytes()


def test_kinematics_says_what_is_not_driven_and_follows_the_closed_form():
    with pytest.raises(fl.InvalidInput, match="1 degrees of freedom are not driven"):
        fl.kinematics(slider_crank(), 1.0, 0.01)
    model = slider_crank()
    main = fl.Revolute("world", "crank", (0, 0, 0), (0, 0, 1), motion=fl.Rate("1 Hz"))
    data = fl.kinematics(model.model_copy(update={"joints": {**model.joints, "main": main}}), 10.0, 0.01)
    angle = 2 * np.pi * data["time"].values
    c, s, w = np.cos(angle), np.sin(angle), 2 * np.pi
    root = np.sqrt(3.5**2 - 4 * s**2)
    x = 2 * c + root
    v = w * (-2 * s - 4 * s * c / root)
    a = w**2 * (-2 * c - 4 * (c**2 - s**2) / root - 16 * s**2 * c**2 / root**3)
    for name, exact in (("position", x), ("velocity", v), ("acceleration", a)):
        found = data[name].sel(body="slider", xyz="x").values
        assert np.abs(found - exact).max() < 1e-9 * max(1.0, np.abs(exact).max()), name
