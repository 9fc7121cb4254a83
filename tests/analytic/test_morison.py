"""Morison's equation against closed forms: currents, waves on fixed cylinders, added mass, OpenFAST's strip sums."""

from __future__ import annotations

import math

import numpy as np
import pytest

import fairlead as fl
from support.sea_models import HULL, held, kernels_of, spar

G, RHO = 9.80665, 1025.0
COLUMN = [(-30.0, 4.0), (8.0, 4.0)]  # 30 m in the water, radius 2 m
TALL = [(-30.0, 4.0), (0.0, 4.0), (8.0, 4.0)]  # the same with a section in the still water


def force_on(load, time=0.0, **environment):
    """Return force and moment (about the origin) on a body that is held still."""
    data = fl.accelerations(held(load, fl.Environment(**environment)), time=time, formulation="cloud")
    return data["load_force"].values[0], data["load_moment"].values[0]


def test_drag_of_a_uniform_current():
    force, moment = force_on(fl.Morison("hull", COLUMN, 0, 0.9), current=fl.Current(1.5, math.radians(30)))
    size = 0.5 * RHO * 0.9 * 4.0 * 1.5**2 * 30
    along = np.array([math.cos(math.pi / 6), math.sin(math.pi / 6), 0])
    assert force == pytest.approx(size * along, rel=1e-13, abs=1e-9)
    assert moment == pytest.approx(np.cross([0, 0, -15.0], size * along), rel=1e-13, abs=1e-8)


def test_drag_of_a_power_law_current():
    """(1 + z / d)^(2 / 7) integrates to (1 - (1 - h / d)^(9 / 7)) 7 d / 9 over the wet length h."""
    current = fl.Current(1.2, exponent=1 / 7)
    force, _ = force_on(fl.Morison("hull", COLUMN, 0, 1.0), current=current, depth=50.0)
    wet = (1 - (1 - 30 / 50) ** (9 / 7)) * 50 * 7 / 9
    assert force[0] == pytest.approx(0.5 * RHO * 4 * 1.2**2 * wet, rel=1e-9)  # smooth integrand, thirty Gauss points


def wave(height=2.0, period=6.0, **words):
    omega = 2 * math.pi / period
    return fl.RegularWave(height, period, stretching="none", **words), omega, omega**2 / G


def test_inertia_force_of_a_regular_wave_in_deep_water():
    """F = -Cm rho pi r^2 (a omega^2 / k) (1 - exp(-k h)) sin(omega t), from z = -h to 0."""
    waves, omega, k = wave()
    load = fl.Morison("hull", TALL, 1.0, 0.0, waterline="still")
    for t in (0.0, 1.0, 2.5):
        force, moment = force_on(load, t, waves=waves)
        unit = -2.0 * RHO * math.pi * 4 * omega**2 * math.sin(omega * t)
        assert force[0] == pytest.approx(unit * (1 - math.exp(-30 * k)) / k, rel=1e-12, abs=1e-9)
        arm = -(1 - (1 + 30 * k) * math.exp(-30 * k)) / k**2  # integral of z exp(k z)
        assert moment[1] == pytest.approx(unit * arm, rel=1e-12, abs=1e-7)
        assert force[1] == 0 and abs(force[2]) == 0


def test_drag_force_of_a_regular_wave():
    """F = (1/2) rho Cd D (a omega)^2 cos |cos| (1 - exp(-2 k h)) / (2 k)."""
    waves, omega, k = wave()
    load = fl.Morison("hull", TALL, 0.0, 1.1, cm=0.0, waterline="still")
    for t in (0.0, 2.5):
        cos = math.cos(omega * t)
        expected = 0.5 * RHO * 1.1 * 4 * omega**2 * cos * abs(cos) * (1 - math.exp(-60 * k)) / (2 * k)
        assert force_on(load, t, waves=waves)[0][0] == pytest.approx(expected, rel=1e-12)


def test_up_to_the_instantaneous_waterline():
    """Wheeler at a crest: exp(k (z - a)) up to z = a integrates as exp(k z) up to zero over the longer member."""
    waves, omega, k = wave()
    waves = waves.model_copy(update={"stretching": "wheeler"})
    load = fl.Morison("hull", COLUMN, 0.0, 1.0, cm=0.0)
    expected = 0.5 * RHO * 4 * omega**2 * (1 - math.exp(-2 * k * 31)) / (2 * k)
    assert force_on(load, 0.0, waves=waves)[0][0] == pytest.approx(expected, rel=1e-12)
    vertical = waves.model_copy(update={"stretching": "vertical"})
    expected = 0.5 * RHO * 4 * omega**2 * ((1 - math.exp(-2 * k * 30)) / (2 * k) + 1.0)
    # The profile bends at z = 0, inside a segment: Gauss' rule with thirty points gives it to 1e-4.
    assert force_on(load, 0.0, waves=vertical)[0][0] == pytest.approx(expected, rel=1e-4)


def test_without_stretching_there_is_no_wave_above_the_still_water():
    """At a crest only what is below z = 0 feels the wave; a current reaches up to the crest."""
    waves, omega, k = wave()
    load = fl.Morison("hull", TALL, 0.0, 1.0, cm=0.0)
    below = 0.5 * RHO * 4 * omega**2 * (1 - math.exp(-2 * k * 30)) / (2 * k)
    assert force_on(load, 0.0, waves=waves)[0][0] == pytest.approx(below, rel=1e-12)
    still = fl.Morison("hull", COLUMN, 0.0, 1.0, cm=0.0)
    drift = force_on(still, 0.0, waves=fl.RegularWave(2.0, 6.0, stretching="none"), current=fl.Current(50.0))[0][0]
    alone = 0.5 * RHO * 4 * 50.0**2 * 31
    assert drift == pytest.approx(alone, rel=0.05)  # the wave adds 1 m/s at most to 50, and 2 * 50 * 1 of their square
    assert force_on(load, 0.0, waves=fl.StillWater(), current=fl.Current(1.0))[0][0] == pytest.approx(
        0.5 * RHO * 4 * 30
    )


def test_direction_turns_the_force():
    waves, _, _ = wave(direction="30 deg")
    force, _ = force_on(fl.Morison("hull", COLUMN, 1.0, 0.5), 1.0, waves=waves)
    assert force[1] / force[0] == pytest.approx(math.tan(math.pi / 6), rel=1e-12)


def test_pressure_on_the_bottom_and_on_a_taper():
    """rho g a exp(k z) on each part of the bottom that looks up or down."""
    waves, _, k = wave()
    load = fl.Morison("hull", COLUMN, 0.0, 0.0, cm=0.0, axial_pressure=True)
    expected = RHO * G * math.exp(-30 * k) * math.pi * 4
    assert force_on(load, 0.0, waves=waves)[0][2] == pytest.approx(expected, rel=1e-12)
    step = fl.Morison("hull", [(-30, 4), (-10, 4), (-10, 2), (8, 2)], 0.0, 0.0, cm=0.0, axial_pressure=True)
    expected -= RHO * G * math.exp(-10 * k) * math.pi * 3
    assert force_on(step, 0.0, waves=waves)[0][2] == pytest.approx(expected, rel=1e-12)
    taper = fl.Morison("hull", [(-30, 4), (-10, 4), (-8, 2), (8, 2)], 0.0, 0.0, cm=0.0, axial_pressure=True)
    bottom = RHO * G * math.exp(-30 * k) * math.pi * 4
    z = np.linspace(-10, -8, 20001)
    r = 2 - (z + 10) / 2
    side = np.trapezoid(RHO * G * np.exp(k * z) * 2 * math.pi * r * -0.5, z)
    assert force_on(taper, 0.0, waves=waves)[0][2] == pytest.approx(bottom + side, rel=1e-8)  # trapezoids: 1e-9


def test_pressure_on_a_small_submerged_body_is_its_displaced_mass_times_acceleration():
    waves, omega, k = wave(period=12.0)
    load = fl.Morison("hull", [(-10.5, 1), (-9.5, 1)], 0.0, 0.0, cm=0.0, axial_pressure=True)
    volume = math.pi / 4
    expected = RHO * volume * -(omega**2) * math.exp(-10 * k)
    assert force_on(load, 0.0, waves=waves)[0][2] == pytest.approx(expected, rel=(k * 1) ** 2)


def test_added_mass_of_the_hull_is_what_openfast_sums():
    """Reference run S2: Ca 0.969954, A11 = 7.9826e6, A15 = -4.9545e8, A55 = 3.9732e10 about the still-water point."""
    model = held(fl.Morison("hull", HULL, 0.969954, 0.6), fl.Environment(depth=320))
    A, W = kernels_of(model)
    simulation_rhs(A, W, model)
    found = W.morison[0]
    # Five figures printed there, by strips of 2 m and 0.25 m near the taper.
    assert found[0, 0] == pytest.approx(7.9826e6, rel=5e-5) and found[1, 1] == pytest.approx(found[0, 0], rel=1e-14)
    assert found[0, 4] == pytest.approx(-4.9545e8, rel=5e-5) and found[1, 3] == pytest.approx(-found[0, 4], rel=1e-14)
    assert found[4, 4] == pytest.approx(3.9732e10, rel=1e-4)
    assert abs(found[2]).max() == 0 and abs(found[5]).max() < 1e-6
    assert np.abs(found - found.T).max() < 1e-12 * np.abs(found).max()


def simulation_rhs(A, W, model):
    from fairlead.core.quadrature import quadratures
    from fairlead.running.formulations.table import FORMULATIONS

    y = np.zeros(A.states + quadratures(A))
    FORMULATIONS["cloud"].kernels.rhs(0.0, y, np.zeros_like(y), A, W)


def neutral(load, stiffness):
    """Return a submerged cylinder that weighs what it displaces, on a linear spring."""
    sections = [(-30.0, 4.0), (-20.0, 4.0)]
    mass = RHO * math.pi * 4 * 10
    spring = fl.Matrix("hull", (0, 0, -25), stiffness=stiffness)
    return fl.Model(
        "neutral",
        {"hull": fl.Body(mass, (1e6, 1e6, 1e6), (0, 0, -25))},
        {"start": fl.Free("world", "hull", point=(0, 0, -25), initial={"x": 0.5, "z": 0.5})},
        {"water": fl.Buoyancy("hull", sections), "added": load(sections), "spring": spring},
        environment=fl.Environment(),
    )


def test_added_mass_appears_in_the_period():
    """x = x0 cos(omega t), omega^2 = k / (m + Ca rho V); along the axis with the ends' hemispheres of water."""
    model = neutral(lambda s: fl.Morison("hull", s, 0.8, 0.0, end_ca=0.6), [1e5, 1e5, 1e5, 0, 0, 0])
    data = fl.simulate(model, 60, 0.02, formulation="cloud")
    mass = RHO * math.pi * 4 * 10
    t = data["time"].values
    across = 0.5 * np.cos(math.sqrt(1e5 / (1.8 * mass)) * t)
    ends = 2 * 0.6 * RHO * 2 / 3 * math.pi * 8
    along = 0.5 * np.cos(math.sqrt(1e5 / (mass + ends)) * t)
    x = data["position"].values[:, 0]
    # RK4 at a hundredth of a radian per step: (0.015)^5 / 120 per radian over 60 radians, below 1e-8.
    assert np.abs(x[:, 0] - across).max() < 1e-7
    assert np.abs(x[:, 2] + 25 - along).max() < 1e-7
    assert fl.audit(data).passed


def test_a_turning_cylinder_feels_its_added_inertia():
    """About its middle a submerged cylinder has Ca rho A L^3 / 12 across its axis."""
    model = neutral(lambda s: fl.Morison("hull", s, 1.0, 0.0), [0, 0, 0, 1e7, 1e7, 0])
    body = model.bodies["hull"].model_copy(update={"angular_velocity": (0.0, 0.01, 0.0)})
    model = model.model_copy(update={"bodies": {"hull": body}, "joints": {}})
    data = fl.simulate(model, 20, 0.02, formulation="cloud")
    inertia = 1e6 + RHO * math.pi * 4 * 1000 / 12
    omega = math.sqrt(1e7 / inertia)
    pitch = data["euler123"].values[:, 0, 1]
    # The tilt, 0.012 rad, changes the arms by its square at most.
    assert np.abs(pitch - 0.01 / omega * np.sin(omega * data["time"].values)).max() < 1e-6


def test_a_falling_plate_reaches_its_terminal_speed():
    """End drag: (1/2) rho Cd pi r^2 v^2 on both ends balances the weight in water."""
    sections = [(-600.0, 4.0), (-590.0, 4.0)]
    mass = 1.2 * RHO * math.pi * 4 * 10
    loads = {"water": fl.Buoyancy("hull", sections), "drag": fl.Morison("hull", sections, 0, 0, cm=0, end_cd=0.5)}
    model = fl.Model(
        "fall", {"hull": fl.Body(mass, (1e6, 1e6, 1e6), (0, 0, -595))}, loads=loads, environment=fl.Environment()
    )
    data = fl.simulate(model, 60, 0.05, formulation="cloud")
    speed = math.sqrt(mass / 6 * G / (RHO * 0.5 * math.pi * 4))
    assert data["velocity"].values[-1, 0, 2] == pytest.approx(-speed, rel=1e-9)


def test_what_other_programs_assume():
    """Displaced by 20 m and leaning, the alternatives still see the undisplaced, upright member."""
    waves = fl.Jonswap(4, 9, seed=2)
    moved = {"x": 20.0, "b": 0.2}
    fixed = {"kinematics": "undisplaced", "waterline": "still", "normal": "fixed"}
    here, there = (
        fl.accelerations(spar(waves, start=start, **fixed), 3.0, formulation="cloud")["load_force"].sel(load="waves")
        for start in ({}, moved)
    )
    # Without the added mass's part, which follows the motion, the wave's force is the same, and horizontal.
    assert there.values[2] == pytest.approx(0, abs=1e-6)
    a, b = (
        fl.accelerations(held(fl.Morison("hull", HULL, 0.0, 0.0, cm=2.0, **fixed), sea(waves), turn), 3.0)
        for turn in ((0, 0, 0), (0, 0.2, 0))
    )
    assert b["load_force"].values == pytest.approx(a["load_force"].values, rel=1e-13)
    assert abs(b["load_moment"].values - a["load_moment"].values).max() > 0  # the arms are displaced
    assert here.values[0] != there.values[0]


def sea(waves):
    return fl.Environment(depth=320, waves=waves)


def test_strips_converge():
    """Thirty Gauss points along the hull give the load in a storm to 1e-4; 120 are the witness."""
    waves = fl.Jonswap(10, 12, seed=4)
    few, many = (
        [
            force_on(fl.Morison("hull", HULL, 1.0, 0.6, strips=n), t, waves=waves, depth=320)[0][0]
            for t in range(0, 60, 3)
        ]
        for n in (30, 120)
    )
    assert np.abs(np.array(few) - many).max() < 1e-4 * np.abs(many).max()


@pytest.mark.parametrize("start", [{}, {"b": 0.5, "x": 5.0}, {"a": 2.0}, {"b": math.pi / 2, "z": -6.0}])
def test_moments_follow_from_forces_at_every_attitude(start):
    """With the added mass left out, the row is the sum over strips computed here one by one with the exact waves."""
    from fairlead.core.environment.waves import exact_elevation, exact_kinematics

    waves = fl.Jonswap(6, 11, seed=9, direction=0.4, stretching="wheeler")
    model = spar(waves, fl.Current(0.7, 1.0), start)
    load = fl.Morison("spar", HULL, 0.0, 0.6, cm=2.0, strips=60)
    model = model.model_copy(update={"loads": {"waves": load}})
    data = fl.accelerations(model, 7.0, formulation="cloud")
    A, _ = kernels_of(model, None)
    w, x, y, z = data["orientation"].values[0]
    e = np.array([2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)])
    B = data["position"].values[0]
    O = B + 78.0 * e
    towards = np.array([math.cos(0.4), math.sin(0.4), 0])
    edges = np.linspace(-120, 10, 4001)
    eta = 0.0
    cross = -O[2] / e[2] if abs(e[2]) > 1e-9 else 0.0
    for _ in range(3):
        eta = exact_elevation(7.0, towards @ (O + min(max(cross, -120), 10) * e), 0, A)
        cross = (eta - O[2]) / (e[2] if abs(e[2]) > 1e-9 else 1e-9)
    F, N = np.zeros(3), np.zeros(3)
    for l in (edges[1:] + edges[:-1]) / 2:
        at = O + l * e
        if (l > cross) if e[2] >= 0 else (l < cross):
            continue
        height = min((at[2] - eta) / (1 + eta / 320), 0.0)
        U, U_t, W, W_t, _ = exact_kinematics(7.0, towards @ at, height, 0, A)
        v = U * towards + [0, 0, W] + 0.7 * np.array([math.cos(1.0), math.sin(1.0), 0])
        a = U_t * towards + [0, 0, W_t]
        v, a = v - e * (e @ v), a - e * (e @ a)
        r = np.interp(l, [z for z, _ in HULL], [d / 2 for _, d in HULL])
        f = (2 * RHO * math.pi * r * r * a + RHO * 0.6 * r * np.linalg.norm(v) * v) * 130 / 4000
        F += f
        N += np.cross(at - B, f)
    # Four thousand strips of 3 cm; the last one at the waterline may be in or out: 1e-3.
    assert np.abs(data["load_force"].values[0] - F).max() < 1e-3 * np.abs(F).max()
    assert np.abs(data["load_moment"].values[0] - N).max() < 1e-3 * np.abs(N).max()
