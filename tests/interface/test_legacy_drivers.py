"""Legacy drivers: one equation each, about any axis, whatever else joins their two bodies."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import fairlead as fl
from fairlead.errors import InvalidInput
from fairlead.formats.mbdm.back import from_model
from fairlead.formats.mbdm.case import MbdmBody, MbdmCase, MbdmJoint
from fairlead.formats.mbdm.convert import load_mbdm, to_model

REFERENCE = Path(__file__).parents[1] / "reference" / "mbdm"
UNIT = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
ZERO = (0.0, 0.0, 0.0)
Q = Rotation.from_euler("xyz", (0.7, -0.4, 1.1)).as_matrix()  # where x, y, z are turned to: no axis of the drawing
RATE, TILT = 1.5, 0.3
ARM = np.array([0.2, -0.1, -0.6])  # from the ball to the mass centre, along Q's columns
INERTIA = np.array([[0.3, 0.02, 0.0], [0.02, 0.4, 0.01], [0.0, 0.01, 0.2]])  # about Q's columns


def vector(values) -> tuple[float, float, float]:
    x, y, z = map(float, values)
    return x, y, z


def on_a_ball(**driver) -> MbdmCase:
    """A body on a ball joint to the ground, its angle about Q's first column driven."""
    tensor = Q @ INERTIA @ Q.T
    rows = (vector(tensor[0]), vector(tensor[1]), vector(tensor[2]))
    omega = vector(Q @ (RATE, 0.4, 0.0))
    body = MbdmBody("body", ZERO, vector(Q @ ARM), vector(np.cross(omega, Q @ ARM)), omega, 2.0, rows)
    given = {"p1": vector(Q[:, 2]), "q1": vector(Q[:, 0]), "p2": vector(Q[:, 2]), "dist": RATE, **driver}
    joints = (
        MbdmJoint("G", (1, 0)),
        MbdmJoint("S", (1, 2), p2=vector(Q @ -ARM)),
        MbdmJoint("RDRV", (1, 2), **given),
    )
    ground = MbdmBody("ground", ZERO, ZERO, ZERO, ZERO, 1.0, UNIT)
    head = {"name": "c", "dynamic": True, "t_start": 0.0, "t_end": 1.0, "dt": 2e-3, "accuracy": 1e-8, "iterations": 100}
    saving = {"save_output": 10, "save_checkpoint": 0, "save_tracers": 0}
    return MbdmCase(**head, **saving, bodies=(ground, body), joints=joints)


def test_a_driver_on_a_ball_joint_takes_one_freedom_about_any_axis():
    """The ball's first 1-2-3 angle, driven in a tree, is the same machine: R = Rx(a) Ry(b) Rz(c) puts z into the plane
    of x and Rx(a) z. It is drawn with that axis along x and turned by Q. Before, a skew axis was refused, and about x
    the driver held all three angles."""
    model, _ = to_model(on_a_ball())
    data = fl.simulate(model, progress=False)
    assert data.attrs["degrees_of_freedom"] == 2 and data.attrs["redundant_equations"] == ""
    assert fl.audit(data).passed
    body = fl.Body(2.0, INERTIA.tolist(), vector(ARM))
    ball = fl.Spherical("world", "body", ZERO, motion={"a": fl.Rate(RATE)}, rate={"b": 0.4})
    tree = fl.Model("tree", {"body": body}, {"ball": ball}, gravity=vector(Q.T @ (0, 0, -9.81)))
    same = fl.simulate(tree, 1.0, 2e-3, output_every=10, formulation="articulated", progress=False)
    ours, theirs = data["position"].sel(body="body").values, same["position"].sel(body="body").values @ Q.T
    assert np.abs(theirs - theirs[0]).max() > 0.5  # it moves
    assert np.abs(ours - theirs).max() < 1e-9  # rk4 of both at 2 ms: 1e-10
    driven = same["driver_force"].sel(coordinate="ball.a").values
    assert np.abs(data["driver_force"].sel(coordinate="joint 3.angle").values - driven).max() < 1e-7


def test_the_driven_angle_is_that_of_the_note():
    """Eq. 25: cos = f_i . f_j and sin = g_i . f_j of the projected direction, here from a start away from the drawing
    and with a p2 that leans out of the plane."""
    p2 = Q @ (0.2, 0.0, 1.0)
    case = on_a_ball(p2=vector(p2 / np.linalg.norm(p2)), r1=(TILT, 0.0, 0.0))
    data = fl.simulate(to_model(case)[0], progress=False)
    quaternion = data["orientation"].sel(body="body").values
    f_j = Rotation.from_quat(quaternion, scalar_first=True).apply(case.joints[2].p2)
    f_i, h_i = Q[:, 2], Q[:, 0]
    angle = np.arctan2(f_j @ np.cross(h_i, f_i), f_j @ f_i)
    wanted = TILT + RATE * data["time"].values
    assert np.abs(np.angle(np.exp(1j * (angle - wanted)))).max() < 1e-9
    assert np.abs(f_j @ h_i).max() > 0.3  # the axes are far from parallel, where Table 1 has another Jacobian


def test_the_notes_slider_crank_has_as_many_equations_as_table_25_counts():
    """24 equations for 24 freedoms, none redundant; before, joint 7 brought two that the others hold already."""
    model = load_mbdm(REFERENCE / "slider_crank_kinematic")
    data = fl.kinematics(model, 0.01, 0.001)
    assert data.attrs["degrees_of_freedom"] == 0 and data.attrs["redundant_equations"] == ""


def test_a_driver_about_any_axis_comes_back():
    case = on_a_ball(r1=(TILT, 0.0, 0.0))
    model, _ = to_model(case)
    back = from_model(model)
    assert [joint.type for joint in back.joints] == ["G", "S", "RDRV"]
    again = to_model(back)[0]
    data = [fl.simulate(one, 0.2, progress=False)["position"].values for one in (model, again)]
    assert np.abs(data[0] - data[1]).max() < 1e-12


def test_a_mark_along_the_axis_is_refused():
    with pytest.raises(InvalidInput, match="p2 is along the axis"):
        to_model(on_a_ball(p2=vector(Q[:, 0])))


def test_the_word_in_yaml(tmp_path: Path):
    """`relative-angle` holds the angle about a world axis of a body that floats: its spin about it stays zero."""
    (tmp_path / "m.yaml").write_text("""fairlead: 1
name: m
bodies: {top: {mass: 1, inertia: [1, 2, 3], angular_velocity: [0.1, 2, 0]}}
joints: {hold: {type: relative-angle, parent: world, child: top, axis: [0, 0, 1]}}
run: {duration: 0.5 s, dt: 5 ms}
""")
    assert fl.check(tmp_path / "m.yaml") == []  # the velocity counts: one angle is held, the rest is free
    data = fl.simulate(fl.load(tmp_path / "m.yaml"), progress=False)
    x = Rotation.from_quat(data["orientation"].values[:, 0], scalar_first=True).apply((1, 0, 0))
    y = Rotation.from_quat(data["orientation"].values[:, 0], scalar_first=True).apply((0, 1, 0))
    seen = [np.abs(np.arctan2(e[:, 1], e[:, 0]) - start).max() for e, start in ((x, 0.0), (y, math.pi / 2))]
    assert min(seen) < 1e-10 and fl.audit(data).passed  # the mark is x or y
    (tmp_path / "n.yaml").write_text(
        (tmp_path / "m.yaml").read_text().replace("0, 1]", "0, 1], child_axis2: [1, 0, 0]")
    )
    (error,) = (one for one in fl.check(tmp_path / "n.yaml") if one.severity == "error")
    assert (error.line, error.path) == (4, "joints.hold.child_axis2") and "needs 'parent_axis2'" in error.message


def test_the_word_is_the_same_machine_in_every_formulation_with_loops():
    """On a floating base, about a skew axis beside a ball joint, driven to and fro."""
    bodies = {"base": fl.Body(5, (1, 2, 1.5)), "arm": fl.Body(1, (0.2, 0.3, 0.25), (0.5, 0.1, -0.2))}
    turn = fl.RelativeAngle("base", "arm", vector(Q[:, 0]), motion=fl.Sine(0.6, frequency=3.0))
    model = fl.Model("m", bodies, {"ball": fl.Spherical("base", "arm", (0.2, 0, 0)), "turn": turn})
    ways = ("cloud", "articulated", "constrained")
    found = fl.crosscheck(model, 1.0, 0.01, formulations=ways, integrator="rk4", tolerance=1e-8, patience=600.0)
    assert found.passed and set(found.formulations) >= set(ways), found.table()
