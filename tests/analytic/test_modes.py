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
    np.testing.assert_allclose(np.sort(rates[rates > 1e-3]), expected, rtol=1e-8)


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
