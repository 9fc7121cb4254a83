"""Natural periods, damping and shapes against closed forms, and equal in every formulation."""

from __future__ import annotations

import numpy as np
import pytest

import fairlead as fl

G = 9.80665
WAYS = ("articulated", "cloud", "constrained")
CLOSED = 1e-9  # relative: extrapolated differences leave rounding over their step, 1e-12 or so
PIN = {"point": (0, 0, 0), "axis": (0, 1, 0)}


def body(z=0.0, x=0.0):
    """A body of 2 kg, 0.3 kg m2 across and 0.1 along z, at (x, 0, z)."""
    return fl.Body(2.0, (0.3, 0.3, 0.1), (x, 0, z))


@pytest.mark.parametrize("formulation", WAYS)
def test_a_compound_pendulum(formulation):
    """w^2 = m g l / (I + m l^2), found from a start far from where it hangs."""
    model = fl.Model("pendulum", {"bob": body(-1)}, {"pin": fl.Revolute("world", "bob", **PIN, initial=1.0)})
    found = fl.linearize(model, formulation=formulation)
    np.testing.assert_allclose(found.period, [2 * np.pi * np.sqrt(2.3 / (2 * G))], rtol=CLOSED)
    # rk4 follows an oscillation up to |z| = 2 sqrt 2
    assert found.attrs["largest_stable_step"] == pytest.approx(np.sqrt(8) * np.sqrt(2.3 / (2 * G)), rel=1e-3)


@pytest.mark.parametrize("formulation", WAYS)
def test_a_double_pendulum(formulation):
    """det(K - w^2 M) = 0 with M and K of two equal bars' angles, mass centres 1 m below their pins 2 m apart."""
    joints = {
        "upper": fl.Revolute("world", "a", **PIN),
        "lower": fl.Revolute("a", "b", (0, 0, -2), (0, 1, 0)),
    }
    found = fl.linearize(fl.Model("double", {"a": body(-1), "b": body(-3)}, joints), formulation=formulation)
    M = np.array([[0.3 + 2 + 8, 4], [4, 0.3 + 2]])  # absolute angles
    K = np.diag([2 * G + 4 * G, 2 * G])
    expected = 2 * np.pi / np.sqrt(np.sort(np.linalg.eigvals(np.linalg.solve(M, K))))
    np.testing.assert_allclose(found.period, expected, rtol=CLOSED)


def chain(*names, **given):
    joints, before = {}, "world"
    for name in names:
        joints[f"to {name}"] = fl.Prismatic(before, name, (0, 0, 0), (1, 0, 0), spring=100.0, **given)
        before = name
    return fl.Model("chain", {name: body() for name in names}, joints)


def test_a_chain_of_springs():
    """w = 2 sqrt(k/m) sin((2 j - 1) pi / (2 (2 n + 1))) of n masses between a wall and a free end."""
    found = fl.linearize(chain("a", "b", "c"))
    w = 2 * np.sqrt(50) * np.sin((2 * np.arange(1, 4) - 1) * np.pi / 14)
    np.testing.assert_allclose(found.period, 2 * np.pi / w, rtol=CLOSED)
    np.testing.assert_allclose(found.damping_ratio, 0, atol=1e-9)


def test_a_free_pair_has_one_rigid_mode_and_one_of_its_spring():
    """w^2 = k (1/m + 1/m) with damping ratio c w / 2k; the pair as a whole is held by nothing."""
    joints = {
        "rail": fl.Prismatic("world", "a", (0, 0, 0), (1, 0, 0)),
        "spring": fl.Prismatic("a", "b", (0, 0, 0), (1, 0, 0), spring=100.0, damper=0.1),
    }
    found = fl.linearize(fl.Model("pair", {"a": body(), "b": body(0, 3)}, joints))
    assert list(found.mode.values) == ["rail.length", "spring.length"]
    np.testing.assert_allclose(found.period, [np.inf, 2 * np.pi / 10], rtol=CLOSED)
    assert float(found.damping_ratio[1]) == pytest.approx(0.1 * 10 / 200, rel=CLOSED)
    np.testing.assert_allclose(found["shape"], [[1, 0], [-0.5, 1]], atol=1e-9)


@pytest.mark.parametrize("formulation", ["articulated", "constrained"])
def test_a_sleeping_top_precesses_and_nutates(formulation):
    """A s^2 - C W s + m g l = 0 about the vertical, from a state given with its velocities."""
    spin = 160.0
    top = fl.Model("top", {"top": body(1)}, {"tip": fl.Spherical("world", "top", (0, 0, 0), rate={"c": spin})})
    found = fl.linearize(top, state=fl.accelerations(top, formulation=formulation), formulation=formulation)
    expected = np.sort(np.roots([0.3 + 2.0, -0.1 * spin, 2 * G]).real)
    rates = found.eigenvalue_imag.values
    np.testing.assert_allclose(np.sort(rates[rates > 1e-3]), expected, rtol=CLOSED)


@pytest.mark.parametrize("floating", [False, True])
def test_a_redundant_four_bar_has_one_mode_in_every_formulation(floating):
    """Four parallel pins of a planar loop, tilted: three equations are implied by others. Springs at two pins."""
    t = 0.3
    turn = np.array([[np.cos(t), 0, np.sin(t)], [0, 1, 0], [-np.sin(t), 0, np.cos(t)]])
    at = {
        name: tuple(turn @ np.array(p))
        for name, p in {"A": (0, 0, 0), "B": (0, 0, 1), "C": (2, 0, 1.4), "D": (2, 0, 0)}.items()
    }

    def bar(a, b):
        middle = 0.5 * (np.array(at[a]) + np.array(at[b]))
        return fl.Body(1.0, (0.1, 0.2, 0.15), tuple(middle))

    base = "frame" if floating else "world"
    bodies = {"crank": bar("A", "B"), "coupler": bar("B", "C"), "rocker": bar("C", "D")}
    loads = {}
    if floating:
        bodies = {"frame": fl.Body(50.0, (9, 8, 7), (1, 0, -1)), **bodies}
        loads = {"ground": fl.Matrix("frame", (1, 0, -1), stiffness=(4e3, 5e3, 6e3, 3e3, 4e3, 5e3))}
    pins = {
        "a": (base, "crank", "A"),
        "b": ("crank", "coupler", "B"),
        "c": ("coupler", "rocker", "C"),
        "d": ("rocker", base, "D"),
    }
    joints = {
        name: fl.Revolute(parent, child, at[p], (0, 1, 0), spring=80.0 if name in "ab" else None)
        for name, (parent, child, p) in pins.items()
    }
    model = fl.Model("four-bar", bodies, joints, loads)
    found = {way: fl.linearize(model, formulation=way) for way in WAYS}
    count = 7 if floating else 1
    for way, one in found.items():
        assert one.sizes["mode"] == count, way
        # projections close loops to 1e-13, and differences divide that by 5e-4
        np.testing.assert_allclose(one.period, found["articulated"].period, rtol=1e-7, err_msg=way)


def test_an_actuator_is_an_input_and_its_response_a_state():
    """q'' = x / m, T x' = u - x."""
    joint = fl.Prismatic(
        "world", "mass", (0, 0, 0), (1, 0, 0), spring=8.0, actuator=fl.Actuator(0.0, time_constant=0.5)
    )
    found = fl.linearize(fl.Model("pushed", {"mass": body()}, {"rail": joint}))
    np.testing.assert_allclose(found.A, [[0, 1, 0], [-4, 0, 0.5], [0, 0, -2]], atol=1e-9)
    np.testing.assert_allclose(found.B, [[0], [0], [2]], atol=1e-9)
    np.testing.assert_allclose(found.C, [[1, 0, 0]], atol=1e-12)
    both = fl.linearize(
        fl.Model("pushed", {"mass": body()}, {"rail": joint}), inputs=[], outputs=["rate of rail.length"]
    )
    assert both.B.shape == (3, 0)
    np.testing.assert_allclose(both.C, [[0, 1, 0]], atol=1e-12)
    with pytest.raises(fl.InvalidInput, match="input 'x' is not a coordinate with an actuator"):
        fl.linearize(fl.Model("pushed", {"mass": body()}, {"rail": joint}), inputs=["x"])


def test_left_vectors_and_participation():
    """l A = l times the eigenvalue, l r = 1 with the shape's own size, shares add to one.

    Half of them in places and half in rates: exact of an undamped swing, nearly so of a lightly damped one.
    """
    found = fl.linearize(chain("a", "b", "c", damper=0.4))
    left = (found["left"] + 1j * found.left_imag).values
    value = (found.eigenvalue_real + 1j * found.eigenvalue_imag).values
    np.testing.assert_allclose(left @ found.A.values, value[:, None] * left, atol=1e-7)
    shape = (found["shape"] + 1j * found.shape_imag).values
    right = np.concatenate([shape, value[:, None] * shape], axis=1)  # every freedom is a state here
    np.testing.assert_allclose(left @ right.T, np.eye(3), atol=1e-8)
    np.testing.assert_allclose(found.participation.sum("state"), 1, rtol=1e-12)
    np.testing.assert_allclose(found.participation.isel(state=slice(0, 3)).sum("state"), 0.5, atol=1e-3)


def test_rigid_modes_have_no_left_vector_and_leave_the_others_theirs():
    joints = {
        "rail": fl.Prismatic("world", "a", (0, 0, 0), (1, 0, 0)),
        "spring": fl.Prismatic("a", "b", (0, 0, 0), (1, 0, 0), spring=100.0),
    }
    found = fl.linearize(fl.Model("pair", {"a": body(), "b": body(0, 3)}, joints))
    assert np.isnan(found.participation[0]).all()
    # the spring's mode: coordinates rail = -1/2 spring; its length and its rate say all of it
    np.testing.assert_allclose(found.participation[1], [0, 0.5, 0, 0.5], atol=1e-9)


def test_periods_with_and_without_damping_and_a_step():
    """w sqrt(1 - z^2) is what is seen; an overdamped mode has none. dt: a tenth of what is stable, rounded."""
    joint = fl.Prismatic("world", "mass", (0, 0, 0), (1, 0, 0), spring=8.0, damper=2.4)
    found = fl.linearize(fl.Model("swing", {"mass": body()}, {"rail": joint}))
    z = 2.4 / (2 * np.sqrt(16))
    np.testing.assert_allclose(found.period, [np.pi], rtol=CLOSED)
    np.testing.assert_allclose(found.damped_period, [np.pi / np.sqrt(1 - z**2)], rtol=CLOSED)
    assert found.attrs["suggested_dt"] <= found.attrs["largest_stable_step"] / 10 < 2.5 * found.attrs["suggested_dt"]
    slow = joint.model_copy(update={"damper": {"length": 40.0}})
    over = fl.linearize(fl.Model("creep", {"mass": body()}, {"rail": slow}))
    assert over.sizes["mode"] == 2 and np.isinf(over.damped_period).all()


def whirling(asymmetry=0.0, start=0.0, **joint):
    """A frame on a universal joint with equal springs, its rotor turning about the frame's axis."""
    spring = {"angle1": fl.JointSpring(stiffness=50.0), "angle2": fl.JointSpring(stiffness=50.0)}
    joints = {
        "hook": fl.Universal("world", "frame", (0, 0, 0), (1, 0, 0), axis2=(0, 1, 0), spring=spring),
        "spin": fl.Revolute("frame", "rotor", (0, 0, 0), (0, 0, 1), motion=fl.Rate(20.0, start=start)),
        **joint,
    }
    frame = fl.Body(1.0, (0.2, 0.2, 0.3))
    rotor = fl.Body(3.0, (0.5 + asymmetry, 0.5 - asymmetry, 0.8))
    return fl.Model("whirl", {"frame": frame, "rotor": rotor}, joints, gravity=(0, 0, 0))


@pytest.mark.parametrize("formulation", ["articulated", "cloud"])
def test_a_spinning_rotor_whirls_forward_and_backward(formulation):
    """I w^2 -+ J W w - k = 0 with I = 0.7 of frame and rotor across, J = 0.8 of the rotor along, W = 20 rad/s."""
    found = fl.linearize(whirling(), formulation=formulation)
    expected = np.sort(np.abs(np.roots([0.7, 0.8 * 20.0, -50.0])))
    np.testing.assert_allclose(found.eigenvalue_imag, expected, rtol=CLOSED)
    assert "matrices change" not in found.attrs["notes"]  # the rotor is round


def test_an_asymmetric_rotor_is_averaged_over_its_angles():
    """The average of the matrices that the drawing turned by each angle gives."""
    at_angle = fl.linearize(whirling(0.2))
    assert "the matrices change with its angle" in at_angle.attrs["notes"]
    found = fl.linearize(whirling(0.2), azimuths=16)
    each = [fl.linearize(whirling(0.2, start=2 * np.pi * k / 16)).A.values for k in range(16)]
    np.testing.assert_allclose(found.A, np.mean(each, axis=0), atol=1e-7)
    assert float(abs(found.A - at_angle.A).max()) > 1
    assert "averages over 16 angles" in found.attrs["notes"]


def test_averages_are_refused_where_they_mean_nothing():
    flap = fl.Revolute("rotor", "blade", (0, 0, 0), (1, 0, 0), spring=30.0)
    model = whirling()
    model = fl.Model("flap", {**model.bodies, "blade": fl.Body(1.0, (0.1, 0.2, 0.15), (0.5, 0, 0))},
                     {**model.joints, "flap": flap}, gravity=(0, 0, 0))  # fmt: skip
    with pytest.raises(fl.InvalidInput, match=r"azimuths cannot average flap\.angle, which turns with a joint"):
        fl.linearize(model, azimuths=8)
    with pytest.raises(fl.InvalidInput, match="azimuths has no effect: no joint of the model turns"):
        fl.linearize(chain("a"), azimuths=8)
    with pytest.raises(fl.InvalidInput, match="azimuths must be a whole number above 1"):
        fl.linearize(whirling(), azimuths=1)


def dragged(**given):
    """A cylinder across the water on a spring, with quadratic drag only: c = 1/2 rho C_d D L."""
    rail = fl.Prismatic("world", "mass", (0, 0, -5), (1, 0, 0), spring=8e3)
    still = fl.Environment(**given)
    drag = fl.Morison("mass", [(-9, 0.5), (-1, 0.5)], 0.0, 1.2)
    return fl.Model("dragged", {"mass": fl.Body(2e3, (1e3, 1e3, 100), (0, 0, -5))}, {"rail": rail}, {"drag": drag},
                    environment=still)  # fmt: skip


C_DRAG = 0.5 * 1025 * 1.2 * 0.5 * 8


@pytest.mark.parametrize("amplitude", [0.4, "40 cm", {"rail.length": 0.4}])
def test_quadratic_drag_of_an_amplitude(amplitude):
    """None in still water; for a swing of amplitude a at w it is 8/(3 pi) c a w, so the ratio is 4/(3 pi) c a / m."""
    np.testing.assert_allclose(fl.linearize(dragged()).damping_ratio, 0, atol=1e-9)
    found = fl.linearize(dragged(), amplitude=amplitude)
    np.testing.assert_allclose(found.damping_ratio, 4 / (3 * np.pi) * C_DRAG * 0.4 / 2e3, rtol=1e-5)
    np.testing.assert_allclose(found.period, np.pi, rtol=1e-8)  # 2 pi sqrt(m / k), not changed


def test_drag_in_a_current_has_a_slope():
    """d (c |v| v) / dv = 2 c |U|, so the ratio is c U / (m w)."""
    found = fl.linearize(dragged(current=fl.Current(0.5)))
    np.testing.assert_allclose(found.damping_ratio, C_DRAG * 0.5 / (2e3 * 2), rtol=1e-8)


def test_wrong_amplitudes_are_named():
    with pytest.raises(fl.InvalidInput, match=r"amplitude of 'pitch': that is no mode that swings; use rail\.length"):
        fl.linearize(dragged(), amplitude={"pitch": 1})
    with pytest.raises(fl.InvalidInput, match="amplitude must be above zero"):
        fl.linearize(dragged(), amplitude=0)
    with pytest.raises(fl.InvalidInput, match="amplitude must be a number or a text in m"):
        fl.linearize(dragged(), amplitude="3 deg")


def test_modes_that_share_two_freedoms_are_named_after_one_each():
    """Springs along the diagonals: both modes move x and y alike."""
    joints = {
        "x": fl.Prismatic("world", "slide", (0, 0, 0), (1, 0, 0)),
        "y": fl.Prismatic("slide", "mass", (0, 0, 0), (0, 1, 0)),
    }
    K = np.zeros((6, 6))
    K[:2, :2] = [[60, 40], [40, 60]]
    light = fl.Body(1e-6, (1e-6, 1e-6, 1e-6))
    model = fl.Model("diagonal", {"slide": light, "mass": body()}, joints, {"springs": fl.Matrix("mass", (0, 0, 0), K)})
    found = fl.linearize(model)
    assert sorted(found.mode.values) == ["x.length", "y.length"]
    np.testing.assert_allclose(found.period, 2 * np.pi / np.sqrt([10, 50]), rtol=1e-5)  # the slide weighs a little
