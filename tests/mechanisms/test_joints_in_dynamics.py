"""Every joint type in motion, by a mechanism whose answer is known without this program."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.special import ellipj, ellipk

import fairlead as fl
from support.mechanism_models import Z, bar, point_on, rotations

G = 9.81


def run(name, bodies, joints, duration, dt, loads=None, gravity=(0, 0, -G)):
    model = fl.Model(name, bodies, joints, loads or {}, gravity)
    data = fl.simulate(model, duration, dt, formulation="constrained")
    assert data.attrs["redundant_equations"] == ""
    return model, data


def swinging(start, w0, t):
    """Angle from the lowest position of a pendulum let go at rest: sin(q/2) = k sn(K - w0 t), q'' = -w0^2 sin q."""
    k = np.sin(start / 2)
    return 2 * np.arcsin(k * ellipj(ellipk(k**2) - w0 * t, k**2)[0])


def test_revolute_is_a_compound_pendulum():
    """A body let go level, its mass centre l from the axis: q'' = -(m g l / (I + m l^2)) sin q."""
    m, l, I = 3.0, 0.8, 0.5
    bodies = {"bob": fl.Body(m, (0.3, I, 0.6), position=(l, 0, 0))}
    _, data = run("pendulum", bodies, {"pin": fl.Revolute("world", "bob", (0, 0, 0), (0, 1, 0))}, 6.0, 0.002)
    q = swinging(np.pi / 2, np.sqrt(m * G * l / (I + m * l**2)), data.time.values)
    # RK4: (w0 dt)^4 / 120 = 6e-13 per radian, some 20 rad.
    assert np.abs(data.joint_position.sel(coordinate="pin.angle") - (np.pi / 2 - q)).max() < 1e-9
    # Reaction along the rod: m (l q'^2 + g cos q); 3 m g and more at the bottom, whatever the joint is made of.
    rate = data.joint_rate.sel(coordinate="pin.angle").values
    along = np.column_stack([np.sin(q), 0 * q, -np.cos(q)])
    pull = -np.einsum("ti,ti->t", data.joint_force.sel(joint="pin").values, along)
    assert np.abs(pull - m * (l * rate**2 + G * np.cos(q))).max() < 1e-7


def test_spherical_is_a_conical_pendulum():
    """A symmetric body that goes round rigidly at W: (I + m l^2 - Ia) W^2 cos(tilt) = m g l; circle and height stay."""
    m, l, I, Ia, tilt = 2.0, 0.7, 0.09, 0.02, 0.5
    W = np.sqrt(m * G * l / ((I + m * l**2 - Ia) * np.cos(tilt)))
    c, s = np.cos(tilt), np.sin(tilt)
    R = np.array([[c, 0, -s], [0, 1, 0], [s, 0, c]])  # body z from the bob up to the pivot: (-s, 0, c)
    place = -l * R[:, 2]
    bob = fl.Body(m, (I, I, Ia), place, {"matrix": R.tolist()}, np.cross((0, 0, W), place), R.T @ (0, 0, W))
    _, data = run("cone", {"bob": bob}, {"ball": fl.Spherical("world", "bob", (0, 0, 0))}, 5.0, 0.002)
    t = data.time.values
    expected = l * np.column_stack([s * np.cos(W * t), s * np.sin(W * t), np.full(len(t), -c)])
    assert np.abs(data.position.sel(body="bob").values - expected).max() < 1e-9  # (W dt)^4 / 120 per radian, 20 rad


def test_prismatic_slides_down_an_incline():
    """s = g sin(slope) t^2 / 2: constant acceleration, exact for RK4; the guide carries m g cos(slope)."""
    m, slope = 5.0, 0.4
    down = (np.cos(slope), 0, -np.sin(slope))
    bodies = {"block": fl.Body(m, (1, 1.1, 1.2), (0, 0, 0.3))}
    _, data = run("incline", bodies, {"guide": fl.Prismatic("world", "block", axis=down)}, 2.0, 0.01)
    s = 0.5 * G * np.sin(slope) * data.time.values**2
    assert np.abs(data.joint_position.sel(coordinate="guide.length") - s).max() < 1e-10
    force = data.joint_force.sel(joint="guide").values
    assert np.abs(force - m * G * np.cos(slope) * np.array([np.sin(slope), 0, np.cos(slope)])).max() < 1e-9


def test_cylindrical_turns_and_falls_independently():
    """On an upright shaft: height -g t^2 / 2, angle 2 t + M t^2 / 2 I, neither knows of the other."""
    bodies = {"disc": fl.Body(4.0, (1, 1, 0.5))}
    joints = {"shaft": fl.Cylindrical("world", "disc", (0, 0, 1), Z, rate={"angle": 2.0})}
    _, data = run("shaft", bodies, joints, 2.0, 0.002, {"motor": fl.Force("disc", moment=(0, 0, 1.5))})
    t = data.time.values
    assert np.abs(data.position.sel(body="disc", xyz="z") + 0.5 * G * t**2).max() < 1e-10
    assert np.abs(data.joint_position.sel(coordinate="shaft.length") + 0.5 * G * t**2).max() < 1e-10
    turned = np.unwrap(rotations(data, "disc").as_rotvec()[:, 2])
    assert (
        np.abs(turned - (2 * t + 1.5 * t**2)).max() < 1e-9
    )  # quaternions: (rate dt / 2)^4 / 120 per radian, rates up to 8 rad/s


def test_universal_transmits_unevenly():
    """Two shafts b apart: tan(out) = tan(in) cos b, so w_out / w_in runs between cos b and 1 / cos b in half a turn."""
    b, w = 0.5, 3.0
    along = np.array([np.cos(b), np.sin(b), 0])
    bodies = {"in": fl.Body(1.0, (0.1, 0.1, 0.1), (-1, 0, 0)), "out": fl.Body(1.0, (0.1, 0.1, 0.1), along)}
    joints = {
        "bearing": fl.Revolute("world", "in", (-1, 0, 0), (1, 0, 0), motion=fl.Rate(w)),
        "cross": fl.Universal("in", "out", (0, 0, 0), (0, 0, 1), (-np.sin(b), np.cos(b), 0)),
        "end y": fl.AbsoluteY(child="out", point=2 * along),  # two coordinates of its far end hold the second shaft
        "end z": fl.AbsoluteZ(child="out", point=2 * along),
    }
    _, data = run("shafts", bodies, joints, 4.0, 0.002, gravity=(0, 0, 0))
    a = w * data.time.values
    ratio = np.cos(b) / (1 - np.sin(b) ** 2 * np.sin(a) ** 2)
    spin = rotations(data, "out").apply(data.angular_velocity.sel(body="out").values) @ along
    assert np.abs(spin - w * ratio).max() < 1e-9  # closed to 1e-11, rates to 1e-10
    assert ratio.max() / ratio.min() > 1.29


def test_universal_holds_like_two_hinges_at_right_angles():
    """The same body on a massless cross: two revolute joints and a body of hardly any inertia between them."""
    bob = fl.Body(2.0, (0.1, 0.2, 0.15), (0.2, 0.1, -0.6))
    one = {"cross": fl.Universal("world", "bob", (0, 0, 0), (1, 0, 0), (0, 1, 0), rate={"angle1": 1.0, "angle2": -0.5})}
    two = {
        "first": fl.Revolute("world", "cross", (0, 0, 0), (1, 0, 0), rate=1.0),
        "second": fl.Revolute("cross", "bob", (0, 0, 0), (0, 1, 0), rate=-0.5),
    }
    tiny = fl.Body(1e-6, (1e-9, 1e-9, 1e-9))
    _, universal = run("one joint", {"bob": bob}, one, 2.0, 0.002)
    _, hinges = run("two joints", {"cross": tiny, "bob": bob}, two, 2.0, 0.002)
    for name in ("position", "orientation", "acceleration"):
        ours, theirs = (data[name].sel(body="bob").values for data in (universal, hinges))
        assert np.abs(ours - theirs).max() < 1e-6, name  # the cross has 1e-8 of the inertia
    for label, name in (("first.angle", "cross.angle1"), ("second.angle", "cross.angle2")):
        measured = universal.joint_position.sel(coordinate=name) - hinges.joint_position.sel(coordinate=label)
        assert np.abs(measured).max() < 1e-6


def test_planar_body_falls_in_its_plane():
    """A puck on a tilted plane: g sin(tilt) along the line of fall, constant velocity across, constant spin."""
    tilt = 0.3
    normal, across = (np.sin(tilt), 0, np.cos(tilt)), (0, 1, 0)
    down = np.array([np.cos(tilt), 0, -np.sin(tilt)])
    joints = {"plane": fl.Planar("world", "puck", (0, 0, 0), normal, across, rate={"x": 0.7, "angle": 2.0})}
    _, data = run("puck", {"puck": fl.Body(2.0, (0.2, 0.2, 0.4))}, joints, 1.5, 0.002)
    t = data.time.values
    expected = 0.5 * G * np.sin(tilt) * np.outer(t**2, down) + 0.7 * np.outer(t, across)
    assert np.abs(data.position.sel(body="puck").values - expected).max() < 1e-10
    assert np.abs(data.joint_position.sel(coordinate="plane.angle") - 2 * t).max() < 1e-10
    assert np.abs(data.joint_position.sel(coordinate="plane.x") - 0.7 * t).max() < 1e-10


def test_distance_is_a_simple_pendulum():
    """A massless rod of length l to the mass centre: q'' = -(g / l) sin q, and no moment ever turns the body."""
    l = 1.3
    bodies = {"bob": fl.Body(2.0, (0.3, 0.5, 0.4), (-l, 0, 0), angular_velocity=(0, 0.4, 0))}
    joints = {"rod": fl.Distance("world", "bob", point=(0, 0, 0), other_point=(-l, 0, 0))}
    _, data = run("rod", bodies, joints, 5.0, 0.002)
    q = -swinging(np.pi / 2, np.sqrt(G / l), data.time.values)
    expected = l * np.column_stack([np.sin(q), 0 * q, -np.cos(q)])
    assert np.abs(data.position.sel(body="bob").values - expected).max() < 1e-9
    assert np.abs(data.angular_velocity.sel(body="bob").values - (0, 0.4, 0)).max() < 1e-12
    assert data.attrs["degrees_of_freedom"] == 5


def test_revolute_cylindrical_is_a_rod_through_a_turning_sleeve():
    """Level, no friction: r'' = r q'^2 with (I + m r^2) q' constant, integrated on its own by DOP853."""
    m, I, r0, w = 1.5, 0.2, 0.5, 2.0
    bodies = {"rod": fl.Body(m, (0.01, I, I), (r0, 0, 0), velocity=(-0.6, w * r0, 0), angular_velocity=(0, 0, w))}
    joints = {"sleeve": fl.RevoluteCylindrical("world", "rod", point=(0, 0, 0), axis=Z, axis2=(1, 0, 0))}
    _, data = run("sleeve", bodies, joints, 3.0, 0.002, gravity=(0, 0, 0))
    L = (I + m * r0**2) * w

    def rate(t, y):
        turning = L / (I + m * y[0] ** 2)
        return [y[1], y[0] * turning**2, turning]

    t = data.time.values
    r, _, q = solve_ivp(rate, (0, 3), [r0, -0.6, 0], "DOP853", t_eval=t, rtol=1e-13, atol=1e-13).y
    expected = np.column_stack([r * np.cos(q), r * np.sin(q), 0 * r])
    assert np.abs(data.position.sel(body="rod").values - expected).max() < 1e-9
    assert data.attrs["degrees_of_freedom"] == 3  # turns with the sleeve, slides, and turns about itself


def test_absolute_guides_make_a_falling_ladder():
    """Foot on the floor, top at the wall: the middle goes round on a circle, (I + m a^2) q'' = m g a sin q.

    With q from the upright, p = pi - q is a pendulum from its lowest point.
    """
    m, a, start = 4.0, 1.5, 0.4  # a: half the length
    top, foot = (0, 2 * a * np.cos(start)), (2 * a * np.sin(start), 0)
    ladder = bar(m, foot, top)
    joints = {
        "floor": fl.AbsoluteY(child="ladder", point=(*foot, 0)),
        "wall": fl.AbsoluteX(child="ladder", point=(*top, 0)),
        "foot in plane": fl.AbsoluteZ(child="ladder", point=(*foot, 0)),
        "top in plane": fl.AbsoluteZ(child="ladder", point=(*top, 0)),
    }
    model, data = run("ladder", {"ladder": ladder}, joints, 2.0, 0.001, gravity=(0, -G, 0))
    q = np.pi - swinging(np.pi - start, np.sqrt(m * G * a / (m * (2 * a) ** 2 / 12 + m * a**2)), data.time.values)
    expected = a * np.column_stack([np.sin(q), np.cos(q), 0 * q])
    assert np.abs(data.position.sel(body="ladder").values - expected).max() < 1e-9
    assert np.abs(point_on(data, model, "ladder", (*foot, 0))[:, 1:]).max() < 1e-10
    # The wall is frictionless: it pushes along x only, m times the acceleration of the middle.
    push = data.joint_force.sel(joint="wall").values
    assert np.abs(push[:, 0] - m * data.acceleration.sel(body="ladder", xyz="x")).max() < 1e-8
    assert np.abs(push[:, 1:]).max() < 1e-12


def test_absolute_drivers_carry_a_point_along_a_curve():
    """x and y of a point driven round a circle and z held: the body hangs its mass on it, the drivers do its work."""
    joints = {
        "x": fl.AbsoluteX(child="puck", point=(0, 0, 0), motion=fl.Expression("0.5*cos(3*t) - 0.5")),
        "y": fl.AbsoluteY(child="puck", point=(0, 0, 0), motion=fl.Expression("0.5*sin(3*t)")),
        "z": fl.AbsoluteZ(child="puck", point=(0, 0, 0)),
    }
    _, data = run("led", {"puck": fl.Body(2.0, (1, 1, 1))}, joints, 2.0, 0.01)
    t = data.time.values
    inward = -2.0 * 0.5 * 9 * np.column_stack([np.cos(3 * t), np.sin(3 * t)])
    found = data.driver_force.sel(coordinate=["x.x", "y.y"]).values
    assert np.abs(found - inward).max() < 1e-8  # 2 kg times an acceleration that the driver prescribes exactly
    assert np.abs(data.joint_force.sel(joint="z", xyz="z") - 2.0 * G).max() < 1e-9


def test_absolute_orientation_leaves_pure_translation():
    """A force off the mass centre would turn the body; held in attitude it flies a parabola, and the moment is held."""
    loads = {"push": fl.Force("box", point=(0, 0, 1), force=(6, 0, 0))}
    joints = {"gyro": fl.AbsoluteOrientation(child="box")}
    bodies = {"box": fl.Body(2.0, (1, 2, 3), velocity=(0, 1, 4))}
    _, data = run("box", bodies, joints, 1.0, 0.01, loads)
    t = data.time.values
    expected = np.column_stack([1.5 * t**2, t, 4 * t - 0.5 * G * t**2])
    assert np.abs(data.position.sel(body="box").values - expected).max() < 1e-11
    assert np.abs(data.orientation.sel(body="box").values - (1, 0, 0, 0)).max() < 1e-12
    assert np.abs(data.joint_moment.sel(joint="gyro").values - (0, -6, 0)).max() < 1e-9


def test_ground_and_fixed_carry_what_hangs_on_them():
    """A bracket screwed to a held post: reactions are weights, moments are weights times arms."""
    bodies = {"post": fl.Body(10.0, (1, 1, 1), (0, 0, 1)), "bracket": fl.Body(4.0, (1, 1, 1), (0.5, 0, 2))}
    joints = {"floor": fl.Ground(child="post", point=(0, 0, 0)), "screws": fl.Fixed("post", "bracket", (0, 0, 2))}
    _, data = run("post", bodies, joints, 1.0, 0.1)
    assert np.abs(data.position.values - data.position.values[0]).max() < 1e-12
    now = data.isel(time=-1)
    np.testing.assert_allclose(now.joint_force.values, [[0, 0, 14 * G], [0, 0, 4 * G]], atol=1e-10)
    np.testing.assert_allclose(now.joint_moment.values, [[0, -2 * G, 0], [0, -2 * G, 0]], atol=1e-10)


def test_fixed_makes_two_bodies_one():
    """Halves of a bar swing as the bar: (1/3) m l^2 about its end, whichever way the halves are joined."""
    l, m = 1.2, 3.0
    half = {"upper": bar(m / 2, (0, 0), (l / 2, 0)), "lower": bar(m / 2, (l / 2, 0), (l, 0))}
    joints = {"pin": fl.Revolute("world", "upper", (0, 0, 0), Z), "weld": fl.Fixed("upper", "lower", (l / 2, 0, 0))}
    _, data = run("weld", half, joints, 3.0, 0.001, gravity=(0, -G, 0))
    q = swinging(np.pi / 2, np.sqrt(1.5 * G / l), data.time.values)
    assert np.abs(data.joint_position.sel(coordinate="pin.angle") - (q - np.pi / 2)).max() < 1e-9


def test_free_joint_between_two_bodies_measures_and_does_not_act():
    """A free joint adds no equation: the two fly on, and its coordinates say where one is as seen from the other."""
    bodies = {
        "ship": fl.Body(5.0, (1, 1, 1), angular_velocity=(0, 0, 0.3)),
        "boat": fl.Body(1.0, (1, 1, 1), (2, 0, 0), velocity=(0, 1, 0)),
    }
    _, data = run("two", bodies, {"apart": fl.Free("ship", "boat")}, 2.0, 0.01, gravity=(0, 0, 0))
    t = data.time.values
    assert np.abs(data.position.sel(body="boat").values - np.column_stack([2 + 0 * t, t, 0 * t])).max() < 1e-12
    assert np.abs(data.joint_force).max() == 0
    turned = 0.3 * t
    seen = np.column_stack([2 * np.cos(turned) + t * np.sin(turned), t * np.cos(turned) - 2 * np.sin(turned)])
    found = data.joint_position.sel(coordinate=["apart.x", "apart.y"]).values
    assert np.abs(found - (seen - seen[0])).max() < 1e-9  # counted from the drawing


@pytest.mark.parametrize("locked", ["angle", "length"])
def test_locked_coordinate_of_a_cylindrical_joint(locked):
    """With its angle locked it is a prismatic joint, with its length locked a revolute one."""
    bob = fl.Body(2.0, (0.2, 0.3, 0.4), (0.5, 0, -0.2))
    axis = (0, 0.6, -0.8)
    plain = fl.Prismatic if locked == "angle" else fl.Revolute
    _, half = run(
        "locked", {"bob": bob}, {"j": fl.Cylindrical("world", "bob", (0, 0, 0), axis, locked=locked)}, 1, 0.005
    )
    _, whole = run("plain", {"bob": bob}, {"j": plain("world", "bob", (0, 0, 0), axis)}, 1, 0.005)
    for name in ("position", "acceleration", "joint_force", "joint_moment"):
        np.testing.assert_allclose(
            half[name], whole[name], atol=1e-8
        )  # rates are closed to 1e-10, times rates and mass
