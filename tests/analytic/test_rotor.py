"""Rotor thrust and power: Eq. 3.19 at any attitude, closed-form motion, the thesis' curve and the NREL 5 MW."""

import math
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import fairlead as fl

REFERENCE = Path(__file__).parents[1] / "reference"
AREA = math.pi * 63.0**2
RHO = 1.225


def test_thrust_at_any_attitude_and_motion():
    """1/2 rho A C_T V |V| along the shaft, V the wind relative to the moving hub; moment about the mass centre."""
    random = np.random.Generator(np.random.PCG64(11))
    for _ in range(20):
        R = Rotation.random(random_state=int(random.integers(2**31)))
        v, w = random.normal(size=3) * 5, random.normal(size=3) * 0.3
        centre, hub, axis = random.normal(size=3) * 10, random.normal(size=3) * 50, random.normal(size=3)
        axis /= np.linalg.norm(axis)
        body = fl.Body(1e6, (1e8, 2e8, 2.5e8), tuple(centre), {"matrix": R.as_matrix()}, tuple(v), tuple(w))
        curve = fl.Curve([0, 5, 10, 15, 60], [1.0, 0.9, 0.7, 0.3, 0.1])
        rotor = fl.RotorThrust("b", tuple(hub), tuple(axis), 63.0, curve, cp=fl.OfCt(0.7), torque="2 MN m")
        wind = fl.SteadyWind(14.0, "70 deg")
        model = fl.Model("r", {"b": body}, loads={"r": rotor}, environment=fl.Environment(wind=wind))
        data = fl.accelerations(model)
        arm = hub - centre
        blows = 14 * np.array([math.cos(math.radians(70)), math.sin(math.radians(70)), 0])
        V = (blows - v - np.cross(R.apply(w), arm)) @ axis
        ct = np.interp(abs(V), [0, 5, 10, 15, 60], [1.0, 0.9, 0.7, 0.3, 0.1])
        thrust = 0.5 * RHO * AREA * ct * V * abs(V)
        assert float(data.relative_wind[0]) == pytest.approx(V, rel=1e-11)
        assert float(data.thrust[0]) == pytest.approx(thrust, rel=1e-11)
        assert float(data.power[0]) == pytest.approx(0.7 * thrust * max(V, 0.0), rel=1e-11)
        np.testing.assert_allclose(data.load_force[0], thrust * axis, rtol=1e-10, atol=1e-9 * abs(thrust))
        np.testing.assert_allclose(
            data.load_moment[0], np.cross(arm, thrust * axis) + 2e6 * axis, rtol=1e-10, atol=1e-9 * abs(thrust)
        )


def along_the_wind(ct, speed=12.0, mass=2e6, **options):
    body = fl.Body(mass, (1e9, 1e9, 1e9), position=(0, 0, 90))
    rotor = fl.RotorThrust("b", (0, 0, 90), (1, 0, 0), 63.0, ct, **options)
    environment = fl.Environment(wind=fl.SteadyWind(speed))
    return fl.Model("r", {"b": body}, loads={"r": rotor}, gravity=(0, 0, 0), environment=environment)


def test_fixed_coefficient_brings_a_body_up_to_the_wind():
    """m v' = k (V - v)^2 has the solution V - v = V / (1 + k V t / m); the work is the kinetic energy."""
    data = fl.simulate(along_the_wind(0.8), 20.0, 0.05, output_every=10)
    k, t = 0.5 * RHO * AREA * 0.8, data.time.values
    left = 12 / (1 + k * 12 * t / 2e6)
    np.testing.assert_allclose(data.velocity[:, 0, 0], 12 - left, rtol=0, atol=1e-9)  # rk4: (k V dt / m)^4
    np.testing.assert_allclose(data.relative_wind[:, 0], left, atol=1e-9)
    np.testing.assert_allclose(data.thrust[:, 0], k * left**2, rtol=1e-8)
    np.testing.assert_allclose(data.load_work[:, 0], data.kinetic_energy, rtol=1e-7)


def test_the_thesis_curve():
    """5 MW at 17 m/s with C_P = 0.7 C_T makes C_T(17) = 0.190; constant power makes 0.155 at 18.2 m/s (ERRATA 19)."""
    ct = 5e6 / (0.7 * 0.5 * RHO * AREA * 17**3)
    assert ct == pytest.approx(0.190, abs=5e-4)
    speeds = np.linspace(17, 30, 261)
    curve = fl.Curve(speeds, ct * (17 / speeds) ** 3)
    data = fl.accelerations(along_the_wind(curve, 18.2, cp=fl.OfCt(0.7)))
    assert float(data.power[0]) == pytest.approx(5e6, rel=2e-5)  # linear between rows of 0.05 m/s
    assert float(data.thrust[0]) / (0.5 * RHO * AREA * 18.2**2) == pytest.approx(0.155, abs=5e-4)


def test_leaving_a_curve_is_counted_and_said():
    curve = fl.Curve([3, 25], [0.8, 0.1])
    inside = fl.simulate(along_the_wind(curve, 12.0), 1.0, 0.1)
    assert "beyond_curve" not in inside.attrs
    outside = fl.simulate(along_the_wind(curve, 30.0), 1.0, 0.1)
    # The start and four stages in each of ten steps, the first stage of a step being the recorded one but at first.
    assert outside.attrs["beyond_curve"].endswith("held at its ends: r 42 evaluations, first at t = 0 s")
    from fairlead.running.simulation import Simulation

    first, second = (Simulation(along_the_wind(curve, 30.0), 1.0, 0.1) for _ in range(2))
    first.advance()
    first.advance(most=5)
    second.restore(first.state())
    first.advance()
    second.advance()
    assert first.work.rows["beyond"][0] == second.work.rows["beyond"][0] > 42  # the count goes on after a restart
    assert float(outside.thrust[0, 0]) == pytest.approx(0.5 * RHO * AREA * 0.1 * 30**2)


def nrel_5mw(**options):
    speeds = [*range(4, 13)]
    rotor_speed = [f"{value} rpm" for value in (7.25, 7.52, 8.00, 8.51, 9.19, 10.35, 11.46, 11.93, 12.11)]
    pitch = ["0 deg"] * 8 + ["3.75 deg"]
    return fl.Performance(str(REFERENCE / "nrel5mw_performance.csv"), speeds, pitch, rotor_speed, **options)


@pytest.mark.parametrize(
    ("speed", "thrust", "power"),
    [(5, 174.88, 403.9), (8, 384.0, 1771.17), (10, 597.48, 3448.38), (11, 696.6, 4562.5), (12, 595.94, 5000.0)],
)
def test_nrel_5mw_from_its_performance_table(speed, thrust, power):
    """Thrust [kN] and electric power [kW, efficiency 0.944] of NREL's own curve (turbine-models, FAST) are met by the
    ROSCO table along RAFT's schedule: two programs that differ by 0.6 % in thrust and 4 % in power."""
    data = fl.accelerations(along_the_wind(None, speed, performance=nrel_5mw()))
    assert float(data.thrust[0]) == pytest.approx(1e3 * thrust, rel=6e-3)
    assert float(data.power[0]) * 0.944 == pytest.approx(1e3 * power, rel=4e-2)


def test_leaving_the_schedule_of_a_performance_table_is_counted_and_said():
    """The schedule ends at 12 m/s; beyond it both coefficients are held, which is not what the machine does."""
    rotor = along_the_wind(None, 12.5, performance=nrel_5mw())
    outside, inside = (
        fl.simulate(rotor, 1.0, 0.1),
        fl.simulate(along_the_wind(None, 11.5, performance=nrel_5mw()), 1.0, 0.1),
    )
    assert outside.attrs["beyond_curve"].endswith("held at its ends: r 42 evaluations, first at t = 0 s")
    assert "beyond_curve" not in inside.attrs
    held = fl.accelerations(along_the_wind(None, 12.0, performance=nrel_5mw()))
    assert float(outside.thrust[0, 0]) == pytest.approx(float(held.thrust[0]) * (12.5 / 12) ** 2, rel=1e-12)


def test_torque_of_rated_power():
    rotor = along_the_wind(0.8, torque={"power": "5 MW", "speed": "12.1 rpm"}).loads["r"]
    assert rotor.torque == pytest.approx(5e6 / (12.1 * math.pi / 30))


def test_channels_exist_only_with_a_rotor():
    plain = fl.simulate(fl.Model("p", {"b": fl.Body(1.0, (1, 1, 1))}), 0.1, 0.1)
    assert "thrust" not in plain and "hub_wind" not in plain
    spring = fl.Spring("b", (0, 0, 90), (0, 0, 0), stiffness=1.0, length=90.0)
    model = along_the_wind(0.8)
    data = fl.simulate(model.model_copy(update={"loads": {"s": spring, **model.loads}}), 0.1, 0.1)
    assert np.isnan(data.thrust.sel(load="s")).all() and np.isfinite(data.thrust.sel(load="r")).all()
    push = fl.Force("b", force=("-`r`.thrust", 0, 0))
    held = fl.simulate(model.model_copy(update={"loads": {"p": push, **model.loads}}), 0.1, 0.1)
    np.testing.assert_allclose(held.velocity, 0.0, atol=1e-12)  # the formula reads the thrust and takes it back


def test_mistakes_are_told():
    without = fl.Model(
        "r", {"b": fl.Body(1, (1, 1, 1))}, loads={"r": fl.RotorThrust("b", (0, 0, 0), (1, 0, 0), 1.0, 0.5)}
    )
    assert any("needs a wind" in problem.message for problem in fl.check(without))
    with pytest.raises(fl.InvalidInput, match="environment"):
        fl.simulate(without, 1.0, 0.1)
    with pytest.raises(fl.InvalidInput, match="ct: is required and missing"):
        fl.RotorThrust("b", (0, 0, 0), (1, 0, 0), 1.0)
    with pytest.raises(fl.InvalidInput, match=r"speeds: must grow; row 3 is 4 after 5"):
        fl.Curve([3, 5, 4], [1, 1, 1])
    wrong = fl.Performance(str(REFERENCE / "nrel5mw_performance.csv"), [0.5, 12], ["0 deg"] * 2, ["12 rpm"] * 2)
    with pytest.raises(fl.InvalidInput, match=r"loads.r.performance: the schedule needs a tip-speed ratio of"):
        fl.accelerations(along_the_wind(None, performance=wrong))
