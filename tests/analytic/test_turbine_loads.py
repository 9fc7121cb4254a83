"""Rotor with a table of coefficients, and generator with its drive train, against closed forms."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from scipy.interpolate import CubicSpline, RegularGridInterpolator
from scipy.spatial.transform import Rotation

import fairlead as fl
from fairlead.errors import InvalidInput

TABLE = Path(__file__).parents[1] / "reference" / "nrel5mw_performance.csv"
R, RHO, I, N, J = 63.0, 1.225, 4.0e7, 97.0, 534.116


def table():
    """Return the grids of the table (pitch in rad), C_T and C_Q."""
    rows = np.genfromtxt(TABLE, delimiter=",", names=True, skip_header=1)
    grids = np.unique(rows["tip_speed_ratio"]), np.radians(np.unique(rows["pitch_deg"]))
    return grids, *(rows[name].reshape(len(grids[0]), len(grids[1])) for name in ("ct", "cq"))


def cubic(grids, values, at):
    """Return the natural bicubic spline at a point, one direction after the other."""
    along = CubicSpline(grids[1], values, axis=1, bc_type="natural")(at[1])
    return float(CubicSpline(grids[0], along, bc_type="natural")(at[0]))


@pytest.mark.parametrize("interpolation", ["linear", "cubic"])
def test_rotor_at_any_attitude_speed_and_pitch(interpolation):
    """Thrust and torque of scipy's interpolation, at any attitude and motion of the hub."""
    grids, *values = table()
    random = np.random.default_rng(3)
    for _ in range(12):
        turn = Rotation.random(rng=random)
        v, w, centre, hub, axis = (random.normal(size=3) * size for size in (2, 0.05, 10, 50, 1))
        axis /= np.linalg.norm(axis)
        pitch, ratio = random.uniform(math.radians(-4), 0.5), random.uniform(2.2, 14)
        arm, blows = hub - centre, np.array([14 * math.cos(0.4), 14 * math.sin(0.4), 0])
        V = (blows - v - np.cross(turn.apply(w), arm)) @ axis
        speed = ratio * abs(V) / R
        body = fl.Body(1e6, (1e8, 2e8, 2.5e8), centre, {"matrix": turn.as_matrix()}, v, w)
        rotor = fl.Rotor("b", hub, axis, R, TABLE, speed=speed, pitch=pitch, interpolation=interpolation)
        wind = fl.Environment(wind=fl.SteadyWind(14.0, 0.4))
        data = fl.accelerations(fl.Model("r", {"b": body}, loads={"r": rotor}, environment=wind))
        if interpolation == "linear":
            ct, cq = (float(RegularGridInterpolator(grids, one)((ratio, pitch))) for one in values)
        else:
            ct, cq = (cubic(grids, one, (ratio, pitch)) for one in values)
        thrust = 0.5 * RHO * math.pi * R**2 * ct * V * abs(V)
        torque = 0.5 * RHO * math.pi * R**3 * cq * V**2 if V > 0 else 0.0
        assert float(data.thrust[0]) == pytest.approx(thrust, rel=1e-10)
        assert float(data.rotor_torque[0]) == pytest.approx(torque, rel=1e-10, abs=1e-6)
        assert float(data.power[0]) == pytest.approx(torque * speed, rel=1e-10, abs=1e-6)
        assert float(data.tip_speed_ratio[0]) == pytest.approx(ratio, rel=1e-10)
        np.testing.assert_allclose(data.load_force[0], thrust * axis, atol=1e-9 * abs(thrust))
        moment = np.cross(arm, thrust * axis) + torque * axis
        np.testing.assert_allclose(data.load_moment[0], moment, atol=1e-9 * np.abs(moment).max())


def spinning(load, **words):
    """Return a hub on a fixed nacelle that turns about x."""
    joints = {
        "post": fl.Fixed("world", "nacelle", point=(0, 0, 0)),
        "spin": fl.Revolute("nacelle", "hub", (0, 0, 90), (1, 0, 0), rate=1.2),
    }
    bodies = {"nacelle": fl.Body(1e5, (1e6, 1e6, 1e6), (0, 0, 90)), "hub": fl.Body(1e5, (I, I, I), (-5, 0, 90))}
    return fl.Model("spinning", bodies, joints, load, **words)


def test_leaving_the_table_is_said_with_its_first_time():
    """The rotor runs away without a generator: lambda = 14.5 at 8 m/s is passed once its speed is 1.841 rad/s."""
    rotor = fl.Rotor("hub", (-5, 0, 90), (1, 0, 0), R, TABLE, speed="spin.rate")
    model = spinning({"rotor": rotor}, environment=fl.Environment(wind=fl.SteadyWind(8.0)))
    data = fl.simulate(model, 60.0, 0.05, progress=False)
    passed = float(data.time[int(np.argmax(data.tip_speed_ratio.sel(load="rotor").values > 14.5))])
    said = data.attrs["beyond_coefficients"]
    assert said.startswith("tip-speed ratio or pitch left the table of coefficients, which is held at its edge: rotor ")
    assert abs(float(said.split("t = ")[1].split(" s")[0]) - passed) <= 0.05


def test_a_table_may_have_cp_alone(tmp_path):
    """C_Q = C_P / lambda then, and the power is C_P's."""
    rows = "".join(f"{x},{y},{0.1 * x},{0.5}\n" for x in (2, 4, 8) for y in (0, 10))
    path = tmp_path / "c.csv"
    path.write_text("tip_speed_ratio,pitch_deg,cp,ct\n" + rows)
    rotor = fl.Rotor("hub", (-5, 0, 90), (1, 0, 0), R, path, speed="spin.rate")
    model = spinning({"rotor": rotor}, environment=fl.Environment(wind=fl.SteadyWind(1.2 * R / 4)))
    data = fl.accelerations(model)
    assert float(data.power[0]) == pytest.approx(0.4 * 0.5 * RHO * math.pi * R**2 * (1.2 * R / 4) ** 3, rel=1e-12)


@pytest.mark.parametrize("formulation", ["articulated", "cloud"])
def test_a_generator_brakes_through_its_gear_and_with_its_inertia(formulation):
    """(I + N^2 J) w' = -N T; the grid gets the efficiency's share of what leaves the shaft and the inertia."""
    T = 2.0e4
    load = fl.Generator("hub", "nacelle", torque=T, gear_ratio=N, inertia=J, efficiency=0.9)
    data = fl.simulate(spinning({"g": load}), 10.0, 0.05, formulation=formulation, progress=False)
    a, t = -N * T / (I + N**2 * J), data.time.values
    rate, angle = 1.2 + a * t, 1.2 * t + 0.5 * a * t**2
    np.testing.assert_allclose(data.joint_rate.sel(coordinate="spin.angle"), rate, rtol=1e-12)
    of = {name: data[name].sel(load="g@hub").values for name in ("generator_speed", "electrical_energy", "lost_energy")}
    np.testing.assert_allclose(of["generator_speed"], N * rate, rtol=1e-12)
    np.testing.assert_allclose(of["electrical_energy"], 0.9 * N * T * angle, rtol=1e-12)
    np.testing.assert_allclose(of["lost_energy"], 0.1 * N * T * angle, rtol=1e-12, atol=1e-6)
    np.testing.assert_allclose(data.driver_force.sel(coordinate="spin.angle"), -(N**2) * J * a, rtol=1e-12)
    # the hub's own inertia is accelerated by the moment through the joint and the generator's
    on_hub = data.joint_moment.sel(joint="spin", xyz="x") + data.load_moment.sel(load="g@hub", xyz="x")
    np.testing.assert_allclose(on_hub, I * a, rtol=1e-11)
    assert fl.audit(data).passed


@pytest.mark.parametrize("swap", [False, True])
@pytest.mark.parametrize("formulation", ["articulated", "cloud", "constrained", "kane"])
def test_a_shaft_twists_at_its_frequency(formulation, swap):
    """Two inertias on a spring: w^2 = K (1/I + 1/(N^2 J)), damping ratio C w / 2K; the hub's rate follows a cosine.

    A torque that comes on at once leaves a twist about N T I / (I + N^2 J) / K, about which the train swings.
    """
    K, C, T = 8.676e8, 6.2e5, 1.0e4
    train = fl.Generator("hub", "nacelle", torque=T, gear_ratio=N, inertia=J, shaft=fl.Shaft(K, C))
    model = spinning({"g": train})
    if swap:  # the joint's child carries the generator
        spin = fl.Revolute("hub", "nacelle", (0, 0, 90), (-1, 0, 0), rate=1.2)
        model = model.with_({"joints.spin": spin})
    data = fl.simulate(model, 4.0, 0.002, formulation=formulation, progress=False)
    big = N**2 * J
    w, t = math.sqrt(K * (1 / I + 1 / big)), data.time.values
    z = C * w / (2 * K)
    wd = w * math.sqrt(1 - z * z)
    steady = N * T * I / (I + big) / K
    shape = np.exp(-z * w * t) * (np.cos(wd * t) + z / math.sqrt(1 - z * z) * np.sin(wd * t))
    twist = steady * (1 - shape)
    twist_rate = steady * w / math.sqrt(1 - z * z) * np.exp(-z * w * t) * np.sin(wd * t)
    rate = 1.2 - N * T * t / (I + big) + big / (I + big) * twist_rate  # of the hub, from momentum and w_hub - w_gen
    found = data.joint_rate.sel(coordinate="spin.angle").values
    np.testing.assert_allclose(found, rate, atol=2e-9)  # rk4: phase (w dt)^4 w t / 120 = 3e-7 of 3e-3 rad/s
    shaft = data.load_moment.sel(load="g@hub", xyz="x").values
    np.testing.assert_allclose(shaft, -(K * twist + C * twist_rate), atol=1e-6 * K * steady)
    assert fl.audit(data).passed


def test_energy_of_a_train_that_twists_is_booked():
    """Work out of the shaft: to the grid, lost (damper too), in the spring and in the generator."""
    K, C, T = 8.676e8, 6.2e6, 3.0e4
    train = fl.Generator("hub", "nacelle", torque=T, gear_ratio=N, inertia=J, efficiency=0.95, shaft=fl.Shaft(K, C))
    data = fl.simulate(spinning({"g": train}), 2.0, 0.005, progress=False)
    of = {name: data[name].sel(load="g@hub").values for name in ("generator_speed", "electrical_energy", "lost_energy")}
    out = -data.load_work.sel(load=["g@hub", "g@nacelle"]).sum("load").values
    slip = data.joint_rate.sel(coordinate="spin.angle").values - of["generator_speed"] / N
    twist = (-data.load_moment.sel(load="g@hub", xyz="x").values - C * slip) / K
    held = 0.5 * J * (of["generator_speed"] ** 2 - (N * 1.2) ** 2) + 0.5 * K * twist**2
    np.testing.assert_allclose(out, of["electrical_energy"] + of["lost_energy"] + held, atol=1e-7 * out.max())


@pytest.mark.parametrize("formulation", ["constrained", "kane"])
def test_inertia_behind_a_gear_is_refused_where_it_is_no_bodys(formulation):
    load = fl.Generator("hub", "nacelle", torque=1.0, gear_ratio=N, inertia=J)
    with pytest.raises(InvalidInput, match=f"whose inertia '{formulation}' does not take"):
        fl.simulate(spinning({"g": load}), 1.0, 0.1, formulation=formulation)
    with pytest.raises(InvalidInput, match="has a rigid drive train, whose inertia is no body's"):
        fl.equations(spinning({"g": load}), formulation="articulated")


def test_mistakes_of_turbine_loads_are_told():
    rotor = fl.Rotor("hub", (-5, 0, 90), (1, 0, 0), R, TABLE, speed="spin.rate", pitch="law.pitch")
    generator = fl.Generator("hub", "nacelle", torque="law.torque", gear_ratio=N)
    law = fl.BaselineTurbine("generator.generator_speed", "oc3")
    air = fl.Environment(wind=fl.SteadyWind(8.0))
    with pytest.raises(InvalidInput, match="there is no body, joint, load or controller 'law'"):
        fl.simulate(spinning({"rotor": rotor}, environment=air), 1.0, 0.1)
    early = law.model_copy(update={"speed": "generator.electrical_power"})
    with pytest.raises(
        InvalidInput, match=r"reads generator\.electrical_power, which is known only after the controll"
    ):
        model = spinning({"rotor": rotor, "generator": generator}, environment=air, controllers={"law": early})
        fl.simulate(model, 1.0, 0.1)
    with pytest.raises(InvalidInput, match="one revolute joint between 'hub' and 'tower'"):
        generator, tower = fl.Generator("hub", "tower", torque=1.0), fl.Body(1, (1, 1, 1))
        model = spinning({}).with_({"bodies.tower": tower, "loads.generator": generator})
        fl.simulate(model, 1.0, 0.1)
    with pytest.raises(InvalidInput, match="is a limit that only a sampled one has"):
        fl.BaselineTurbine("spin.rate", "oc3", period=None)
