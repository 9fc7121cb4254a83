"""Internal loads in closed form, and what differentiation costs, on motions known exactly."""

from __future__ import annotations

import numpy as np
import pytest
import xarray as xr
from scipy.spatial.transform import Rotation

import fairlead as fl
from fairlead.errors import InvalidInput
from fairlead.inverse_dynamics.rates import COARSE, FINE, Stencil, body_rate
from support.mechanism_models import example

G = 9.81


def test_stencils_are_exact_for_polynomials_on_any_grid():
    """Nine samples differentiate a polynomial of degree eight exactly, at the ends of an uneven grid too."""
    rng = np.random.default_rng(1)
    time = np.cumsum(rng.uniform(0.5, 1.5, 30)) / 30
    p = np.polynomial.Polynomial(rng.normal(size=9))
    for width, degree in ((FINE, 8), (COARSE, 6)):
        q = p.cutdeg(degree)
        stencil = Stencil(time, width)
        # Weights of size 1e2 / h and 1e4 / h^2 at the ends, h = 1/30: rounding of 1e-11 and 1e-8.
        assert np.abs(stencil.rate(q(time)[:, None])[:, 0] - q.deriv()(time)).max() < 1e-10
        assert np.abs(stencil.rate(q(time)[:, None], 2)[:, 0] - q.deriv(2)(time)).max() < 1e-7


def test_roughness_is_the_size_of_independent_errors():
    """White noise of size s among samples of a straight line: the normalised highest difference has size s."""
    rng = np.random.default_rng(2)
    time = np.arange(400) * 0.1
    noise = 1e-4 * rng.normal(size=(400, 1, 3))
    seen = Stencil(time, FINE).roughness(noise + time[:, None, None])
    assert 1e-4 < np.median(seen) < 8e-4  # 1.5 times the largest of 19 vectors of three, each about 1.7 s


def test_angular_acceleration_of_quaternions():
    """2 q* q' and 2 q* q'' of steady precession with spin, q = qz(W t) qx(c) qz(s t), against its known rates."""
    W, c, s, h = 0.7, 0.4, 2.0, 1e-3
    t = np.arange(-6, 7) * h + 0.3
    q = (
        Rotation.from_euler("z", W * t[:, None])
        * Rotation.from_euler("x", c)
        * Rotation.from_euler("z", s * t[:, None])
    ).as_quat(scalar_first=True)[:, None]
    stencil = Stencil(t, FINE)
    # w_B = s e_z + W Rz(-s t) Rx(-c) e_z
    w = np.stack([W * np.sin(c) * np.sin(s * t), W * np.sin(c) * np.cos(s * t), s + W * np.cos(c) + 0 * t], 1)
    al = s * np.stack([w[:, 1], -w[:, 0], 0 * t], 1)
    assert np.abs(body_rate(q, stencil.rate(q))[6, 0] - w[6]).max() < 1e-12
    assert np.abs(body_rate(q, stencil.rate(q, 2))[6, 0] - al[6]).max() < 1e-9  # rounding over h^2


def arm():
    """Three bodies on a driven base: every motion is a formula of time, so velocities and accelerations are exact."""
    bodies = {
        "post": fl.Body(20.0, (2.0, 2.1, 0.5), (0, 0, 0.5)),
        "upper": fl.Body(8.0, (0.1, 0.9, 0.9), (0.6, 0, 1.0), wheels=(fl.Wheel((0, 0, 1), 0.02, 300.0),)),
        "lower": fl.Body(5.0, (0.05, 0.4, 0.42), (1.7, 0.1, 1.0), {"euler123": (0.3, -0.2, 0.9)}),
    }
    joints = {
        "turn": fl.Revolute("world", "post", (0, 0, 0), (0, 0, 1), motion=fl.Sine(amplitude=0.9, period=5.0)),
        "shoulder": fl.Revolute("post", "upper", (0, 0, 1), (0, 1, 0), motion=fl.Sine(amplitude=0.6, period=3.0)),
        "elbow": fl.Revolute("upper", "lower", (1.2, 0, 1), (0, 1, 0), motion=fl.Sine(amplitude=0.8, period=2.5)),
    }
    loads = {"tool": fl.Force("lower", (2.2, 0, 1), (3.0, -4.0, 20.0), axes="body")}
    return fl.Model("arm", bodies, joints, loads)


RATES = ("velocity", "angular_velocity")
SECOND = ("acceleration", "angular_acceleration")


@pytest.mark.parametrize("without", [SECOND, SECOND + RATES], ids=["from velocities", "from positions"])
def test_differentiation_stays_within_the_error_it_reports(without):
    """Reported is the error of seven samples, h^6, which bounds that of the nine used, h^8."""
    reported, true = [], []
    for dt in (0.1, 0.05, 0.025):
        data = fl.simulate(arm(), 8.0, dt, progress=False)
        exact = fl.internal_loads(data)
        found = fl.internal_loads(data.drop_vars(list(without)))
        assert found.attrs["route"] == "differentiated" and found.attrs["differentiated"] == ", ".join(SECOND)
        for name in ("force", "moment"):
            apart = np.linalg.norm((found[name] - exact[name]).values, axis=-1)
            assert (apart <= found[f"{name}_error"].values).all(), (dt, name)
            reported.append(float(found[f"{name}_error"][12:-12].max()))
            true.append(apart[12:-12].max())
    for k in (0, 1):  # force, moment: away from the ends of the table
        # Two halvings; periods of 2.5 s with 25 samples and more are nearly as fine as the orders ask.
        assert np.log2(reported[k + 4] / reported[k]) < -10.5
        assert np.log2(true[k + 4] / true[k]) < -14.5
    assert (
        reported[-2] < 1e-6 * 355 and reported[-1] < 3e-6 * 160
    )  # largest force and moment: the report says something


def test_recorded_and_differentiated_agree_on_the_turbine():
    """The six-body turbine by an adaptive integrator: its own error (1e-12) is far below that of the differences."""
    model = example("six_body_restoring")
    data = fl.simulate(model, 20.0, 0.1, output_every=1, integrator="dop853", rtol=1e-12, atol=1e-12, progress=False)
    exact, found = fl.internal_loads(data), fl.internal_loads(data, route="differentiated")
    for name in ("force", "moment"):
        apart = np.linalg.norm((found[name] - exact[name]).values, axis=-1)
        size = float(np.abs(exact[name]).max())
        assert (apart <= found[f"{name}_error"].values + 1e-11 * size).all()
        assert float(found[f"{name}_error"][12:-12].max()) < 1e-6 * size


def test_noise_of_printed_digits_is_reported():
    """Velocities printed with five digits: the error in the loads is theirs, and the report covers it."""
    data = fl.simulate(arm(), 4.0, 0.02, progress=False)
    exact = fl.internal_loads(data)
    rough = data.drop_vars(list(SECOND))
    for name in RATES:
        rough[name] = rough[name].round(5)
    found = fl.internal_loads(rough)
    for name in ("force", "moment"):
        apart = np.linalg.norm((found[name] - exact[name]).values, axis=-1)
        assert (apart <= found[f"{name}_error"].values).all()
        assert found[f"{name}_error"].max() < 200 * apart.max()


def test_a_kink_is_seen_in_the_reported_error():
    """A ramp's acceleration jumps at 1 s: differences across it are wrong by a part of the jump, and say so."""
    model = arm()
    ramp = fl.Revolute("post", "upper", (0, 0, 1), (0, 1, 0), motion=fl.Ramp(rate=1.0, acceleration=2.0, begin=1.0))
    model = model.model_copy(update={"joints": {**model.joints, "shoulder": ramp}})
    data = fl.simulate(model, 3.0, 0.02, progress=False)
    exact, found = fl.internal_loads(data), fl.internal_loads(data, route="differentiated")
    apart = np.linalg.norm((found["moment"] - exact["moment"]).values, axis=-1)
    assert apart.max() > 1.0
    assert (apart <= found["moment_error"].values).all()


def parallelogram(angles, rate):
    """A linkage of two cranks (1 m) and a coupler (2 m) that turns at a constant rate: closed form, not simulated."""
    c, s, zero = np.cos(angles), np.sin(angles), 0 * angles
    tip = np.stack([c, s, zero], 1)
    half = np.array([0.5, 0.5, 1.0])  # part of the tip's motion at each mass centre: left, right, coupler
    base = np.array([[0, 0, 0], [2, 0, 0], [1, 0, 0]])
    turned = np.stack([np.cos(angles / 2), zero, zero, np.sin(angles / 2)], 1)
    still = np.tile([1.0, 0, 0, 0], (len(angles), 1))
    w = np.array([[0, 0, rate], [0, 0, rate], [0, 0, 0]])
    A, D = np.zeros_like(tip), np.zeros_like(tip) + [2, 0, 0]
    body, joint = ("time", "body", "xyz"), ("time", "joint", "xyz")
    roles = {"A.angle": "driven", "B.a": "free", "B.b": "free", "B.c": "free"}
    roles |= {"C.angle": "free", "C.length": "free", "D.angle": "free"}
    axes = ["turn parent 2", "turn ball 0", "turn ball 1", "turn ball 2", "turn parent 2", "slide parent 2"]
    axes += ["turn parent 2"]
    frame = np.tile(np.eye(3), (4, 1, 1))
    return xr.Dataset(
        {
            "position": (body, base + half[:, None] * tip[:, None]),
            "acceleration": (body, -(rate**2) * half[:, None] * tip[:, None]),
            "orientation": (("time", "body", "wxyz"), np.stack([turned, turned, still], 1)),
            "angular_velocity": (body, np.broadcast_to(w, (len(angles), 3, 3))),
            "angular_acceleration": (body, np.zeros((len(angles), 3, 3))),
            "joint_point": (joint, np.stack([A, tip, tip + [2, 0, 0], D], 1)),
            "joint_parent_point": (("joint", "xyz"), np.zeros((4, 3))),  # no use in these joints
            "joint_parent_frame": (("joint", "xyz", "column"), frame),
            "joint_child_frame": (("joint", "xyz", "column"), frame),
            "mass": ("body", [1.0, 1.0, 2.0]),
            "inertia": (("body", "xyz", "column"), np.tile(np.diag([0.1, 0.2, 0.2]), (3, 1, 1))),
            "gravity": ("xyz", [0, 0, -G]),
        },
        coords={
            "time": angles / rate,
            "body": ["left", "right", "coupler"],
            "joint": list("ABCD"),
            "joint_parent": ("joint", ["world", "left", "coupler", "world"]),
            "joint_child": ("joint", ["left", "coupler", "right", "right"]),
            "joint_holds": ("joint", ["all but its coordinates"] * 4),
            "coordinate": list(roles),
            "coordinate_role": ("coordinate", list(roles.values())),
            "coordinate_axis": ("coordinate", axes),
        },
    )


def test_linkage_in_closed_form_and_open_only_where_its_bars_are_in_line():
    """The coupler does not turn, so B and C share m a evenly across it; the rest follows from the right crank.

    About D the pull at the crank's tip must have no moment, as it turns at a constant rate: it is along the crank, and
    of 2 kg times w^2 / 2 at each tip. Gravity is across the plane and does no work here.
    """
    rate = 2.0
    data = parallelogram(np.array([0.0, 0.3, 1.0, np.pi / 2, 2.5, np.pi, 4.0]), rate)
    found = fl.internal_loads(data)
    angle = rate * data["time"].values
    in_line = np.isin(angle, [0.0, np.pi])
    whole = np.stack([-2 * rate**2 * np.cos(angle), -2 * rate**2 * np.sin(angle)], 1)  # 2 kg times a
    C = -found["force"].sel(joint="C").values  # on the coupler
    B = found["force"].sel(joint="B").values
    assert np.abs(B[:, :2] + C[:, :2] - whole).max() < 1e-12
    assert np.abs(C[:, 1] - whole[:, 1] / 2).max() < 1e-12  # moment balance of the coupler about its centre
    free = ~in_line
    assert np.abs(C[free, 0] + rate**2 * np.cos(angle[free])).max() < 1e-11
    force = found["force_determined"].values
    assert force[free].all() and force[:, :, 1:].all()
    assert not force[in_line][:, :, 0].any()  # along the line every pin is open: any pull between them would do
    assert found.attrs["undetermined"].startswith("A: force x (2 of 7 instants)")


def test_a_loop_whose_joints_are_not_described_is_refused():
    """A record that does not say what a joint holds has no answer in a loop; nor has a word that is not known."""
    data = parallelogram(np.array([0.3, 1.0]), 2.0)
    with pytest.raises(InvalidInput, match="does not say what joint 'A' of a loop holds"):
        fl.internal_loads(data.drop_vars(["joint_holds", "coordinate_axis"]))
    odd = data.assign_coords(joint_holds=("joint", ["all but its coordinates"] * 3 + ["magic 0"]))
    with pytest.raises(InvalidInput, match="joint 'D' holds 'magic', which internal loads do not know"):
        fl.internal_loads(odd)


@pytest.mark.parametrize("off", [0.0, 1e-10, 1e-9, 3e-9, 1e-8])
def test_a_strut_nearly_along_a_world_axis_keeps_its_force(off):
    """A body on a ball and a strut a hair off the x axis: rounding in the direction must not release its force."""
    body = {"arm": fl.Body(2.0, (1, 2, 3), (0.5, 0.7, 0.2))}
    joints = {"ball": fl.Spherical("world", "arm", (0, 1.0, 0))}
    joints["strut"] = fl.Distance("world", "arm", (3.0, 0, 0), other_point=(0.7, off, 0.3 * off))
    data = fl.accelerations(fl.Model("strut", body, joints, gravity=(1.0, 2.0, -G)))
    found = fl.internal_loads(data)
    assert np.abs(found["force"].sel(joint="strut", xyz="x").values).min() > 1.0
    assert np.abs(found["force"].values - data["joint_force"].values).max() < 1e-10


def test_load_between_two_bodies_counts_for_both():
    """Two bodies at rest with a spring between them, held by fixed joints: each joint carries its weight and pull."""
    bodies = {"low": fl.Body(2.0, (1, 1, 1), (0, 0, 0)), "high": fl.Body(3.0, (1, 1, 1), (0, 0, 2))}
    joints = {f"{name} end": fl.Fixed("world", name, tuple(body.position)) for name, body in bodies.items()}
    spring = fl.Spring("low", (0, 0, 0), other="high", other_point=(0, 0, 2), stiffness=50.0, length=1.0)
    found = fl.internal_loads(fl.accelerations(fl.Model("pair", bodies, joints, {"spring": spring}, (0, 0, -G))))
    assert np.allclose(found["force"].sel(joint="low end"), [0, 0, 2 * G - 50], atol=1e-12)
    assert np.allclose(found["force"].sel(joint="high end"), [0, 0, 3 * G + 50], atol=1e-12)


def test_a_spring_on_a_free_coordinate_carries_what_is_recorded_for_it():
    """A moment of 5 N m about the right pivot: the pull at that crank's tip must balance it, c C_y - s C_x = M."""
    rate, moment = 2.0, 5.0
    data = parallelogram(np.array([0.3, 1.0, np.pi / 2, 2.5, 4.0]), rate)
    drive = np.where(data["coordinate"].values == "D.angle", moment, 0.0)
    data["driver_force"] = ("time", "coordinate"), np.tile(drive, (5, 1))
    found = fl.internal_loads(data)
    angle = rate * data["time"].values
    c, s = np.cos(angle), np.sin(angle)
    C = -found["force"].sel(joint="C").values  # on the coupler
    assert np.abs(found["moment"].sel(joint="D", xyz="z") - moment).max() < 1e-12
    assert np.abs(c * C[:, 1] - s * C[:, 0] - moment).max() < 1e-11
    assert found.attrs["undetermined"] == "" and float(found["imbalance"].max()) < 1e-12
    # The driver of A holds the linkage: its moment and the spring's do no work together at equal rates.
    assert np.abs(found["moment"].sel(joint="A", xyz="z") + moment).max() < 1e-11


def test_part_of_the_angles_of_a_ball_may_be_free():
    """A body on a ball whose second angle is free and the others held: no moment about the line of nodes, Rx(a) y."""
    a, b, c = 0.4, 0.7, -0.5
    turned = Rotation.from_euler("XYZ", [a, b, c])
    nodes = np.array([0.0, np.cos(a), np.sin(a)])
    arm_W, tip, foot = np.array([0.5, -0.2, 0.9]), np.array([3.0, 1.0, -2.0]), np.array([1.0, 2.0, 0.5])
    data = parallelogram(np.array([0.5, 1.0]), 1.0)[["position", "orientation", "mass", "inertia", "gravity"]]
    data = data.isel(body=[0]).assign_coords(body=["ball"])
    one = ("time", "body", "xyz")
    data["position"] = one, np.tile(arm_W, (2, 1, 1))
    data["orientation"] = ("time", "body", "wxyz"), np.tile(turned.as_quat(scalar_first=True), (2, 1, 1))
    for name in ("acceleration", "angular_velocity", "angular_acceleration"):
        data[name] = one, np.zeros((2, 1, 3))
    data["joint_point"] = ("time", "joint", "xyz"), np.tile([np.zeros(3), tip], (2, 1, 1))
    data["joint_parent_point"] = ("joint", "xyz"), np.array([np.zeros(3), foot])
    data["joint_parent_frame"] = ("joint", "xyz", "column"), np.tile(np.eye(3), (2, 1, 1))
    data["joint_child_frame"] = ("joint", "xyz", "column"), np.tile(np.eye(3), (2, 1, 1))
    angles = ["ball joint.a", "ball joint.b", "ball joint.c"]
    data["joint_position"] = ("time", "coordinate"), np.tile([a, b, c], (2, 1))
    data = data.assign_coords(
        joint=["ball joint", "strut"],
        joint_parent=("joint", ["world", "world"]),
        joint_child=("joint", ["ball", "ball"]),
        joint_holds=("joint", ["all but its coordinates", "apart 2"]),
        coordinate=angles,
        coordinate_role=("coordinate", ["locked", "free", "locked"]),
        coordinate_axis=("coordinate", ["turn ball 0", "turn ball 1", "turn ball 2"]),
    )
    found = fl.internal_loads(data).isel(time=0)
    moment = found["moment"].sel(joint="ball joint").values
    assert abs(moment @ nodes) < 1e-12 and np.linalg.norm(moment) > 0.1
    # About the ball, along the nodes: the strut's force and the weight (1 kg along -z) balance.
    strut = found["force"].sel(joint="strut").values
    assert np.abs(np.cross(strut, tip - foot)).max() < 1e-12
    weight = np.cross(arm_W, [0, 0, -G]) @ nodes
    assert abs(np.cross(tip, strut) @ nodes + weight) < 1e-12
