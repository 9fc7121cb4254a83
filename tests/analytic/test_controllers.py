"""Feedback controllers against closed forms and exact recursions."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from scipy.linalg import expm

import fairlead as fl

J = 0.5  # [kg m2] of the disc about its axle
WAYS = ("articulated", "cloud", "kane", "constrained")
ROOT = Path(__file__).parents[2]


def rotor(word, joint=None, **controllers):
    """A disc on an axle that is driven by the controller `law`."""
    spin = fl.Revolute("world", "disc", (0, 0, 0), (0, 0, 1), **(joint or {"actuator": {"controller": "law"}}))
    bodies = {"disc": fl.Body(1.0, (0.3, 0.3, J))}
    return fl.Model("rotor", bodies, {"spin": spin}, gravity=(0, 0, 0), controllers={"law": word, **controllers})


def run(model, duration=2.0, dt=0.02, **options):
    return fl.simulate(model, duration, dt, progress=False, **{"formulation": "articulated"} | options)


@pytest.mark.parametrize("formulation", WAYS)
def test_pi_on_a_rotor_is_a_damped_oscillator(formulation):
    """J w' = kp e + ki int e with e = r - w: e'' + kp/J e' + ki/J e = 0, e(0) = r, e'(0) = -kp r / J."""
    kp, ki, r = 0.8, 1.5, 2.0
    data = run(rotor(fl.Pid("spin.rate", r, kp=kp, ki=ki)), dt=None, rtol=1e-11, atol=1e-12, formulation=formulation)
    t, a = data.time.values, kp / (2 * J)
    w = np.sqrt(ki / J - a * a)
    e = np.exp(-a * t) * (r * np.cos(w * t) + (a * r - kp * r / J) / w * np.sin(w * t))
    np.testing.assert_allclose(data.joint_rate.values[:, 0], r - e, atol=1e-9)
    np.testing.assert_allclose(data.controller_output.values[:, 0], data.driver_force.values[:, 0], atol=1e-12)
    assert fl.audit(data).passed


def test_a_derivative_begins_without_a_kick_and_is_filtered():
    """x = (q, w, I, f)' = A x + b with D = kd (e - f) / Tf: the matrix exponential, f starting at the error."""
    kp, ki, kd, Tf, r = 3.0, 1.0, 0.4, 0.1, 0.7
    data = run(rotor(fl.Pid("spin.angle", r, kp, ki, kd, "0.1 s")), dt=None, rtol=1e-11, atol=1e-12)
    A = np.zeros((5, 5))  # the last is the constant 1; e = r - q
    A[0, 1] = 1
    A[1] = [-(kp + kd / Tf) / J, 0, 1 / J, -kd / Tf / J, (kp + kd / Tf) * r / J]
    A[2, [0, 4]] = -ki, ki * r
    A[3, [0, 3, 4]] = -1 / Tf, -1 / Tf, r / Tf
    x0 = np.array([0, 0, 0, r, 1.0])
    angles = [(expm(A * t) @ x0)[0] for t in data.time.values[::50]]
    np.testing.assert_allclose(data.joint_position.values[::50, 0], angles, atol=1e-9)
    assert data.controller_output.values[0, 0] == pytest.approx(kp * r, abs=1e-14)


@pytest.mark.parametrize("integrator, dt", [("rk4", 0.02), ("rk4", 0.17), ("dop853", None), ("symplectic-euler", 0.03)])
def test_a_sampled_pid_is_its_recursion(integrator, dt):
    """Between samples the torque is constant, so w grows by h u / J: exact in every method, whatever dt is to h."""
    h, kp, ki, kd, Tf, r, top = 0.05, 0.8, 1.5, 0.01, 0.03, 2.0, 1.0
    word = fl.Pid("spin.rate", r, kp, ki, kd, Tf, limits=(-top, top), period=h)
    data = run(rotor(word), dt=dt, integrator=integrator, interval=0.05 if dt is None else None)
    w, integral, derivative, before, rates, outputs = 0.0, 0.0, 0.0, r, [], []
    for _ in range(41):
        e = r - w
        derivative = (Tf * derivative + kd * (e - before)) / (Tf + h)
        v = kp * e + integral + derivative
        u = min(top, max(-top, v))
        rates.append(w)
        outputs.append(u)
        integral += ki * h * e + min(1.0, h * ki / kp) * (u - v)
        before, w = e, w + h * u / J
    t = data.time.values
    k = np.floor(t / h + 1e-9).astype(int)
    assert np.abs(outputs).max() == top and np.abs(outputs).min() < 0.9 * top  # it leaves its limit
    between = np.array(rates)[k] + (t - k * h) * np.array(outputs)[k] / J
    np.testing.assert_allclose(data.joint_rate.values[:, 0], between, atol=1e-12)
    np.testing.assert_allclose(data.controller_output.values[:, 0], np.array(outputs)[k], atol=1e-12)
    if integrator != "symplectic-euler":  # whose energy errs with dt
        assert fl.audit(data).passed, fl.audit(data).table()


def test_what_is_recorded_does_not_change_the_motion():
    """The same bits at every tenth instant, and from a run that records all of them."""
    word = fl.Pid("spin.rate", 2.0, kp=0.8, ki=1.5, period=0.03)
    often, seldom = run(rotor(word)), run(rotor(word), output_every=10)
    for name in ("joint_rate", "joint_position", "controller_output", "driver_work"):
        assert often[name].values[::10].tobytes() == seldom[name].values.tobytes(), name


def test_the_integral_is_wound_back():
    """Held at its limit for long, the integral settles where ki e = (v - u) / Tt: v = u + ki Tt e."""
    word = fl.Pid("t*0", 3.0, kp=0.5, ki=2.0, limits=(-1, 1), tracking_time=0.1)
    seen = fl.ExpressionController("law.output", {"v": "(law.output - seen.v)/0.05"})
    data = run(rotor(word, seen=seen, joint={"actuator": {"controller": "seen"}}), 1.0, 0.01)
    assert data.controller_output.sel(controller="law.output").values == pytest.approx(1.0)
    late = fl.Pid("where(t < 1, 0, 6)", 3.0, kp=0.5, ki=2.0, limits=(-1, 1), tracking_time=0.1)
    found = run(rotor(late), 1.5, 0.01).controller_output.values[:, 0]
    # before t = 1 I = u + ki Tt e - kp e = 1 + 0.6 - 1.5 = 0.1; right after it v = kp (-3) + 0.1 = -1.4: at the limit
    assert found[99] == 1.0 and found[102] == -1.0


def order_of(errors):
    return np.log2(errors[0] / errors[1])


def test_rk4_keeps_its_order_across_samples():
    """A damped pendulum pushed by a sampled controller whose period no step divides: fourth order against dop853."""
    pole = {"actuator": {"controller": "law"}, "initial": 0.8, "damper": 0.2}
    word = fl.Pid("spin.angle", 0.3, kp=4.0, ki=2.0, kd=0.5, derivative_filter=0.05, period=0.13)
    model = rotor(word, pole).with_({"bodies.disc.position": [0.4, 0, 0], "gravity": [0, -9.80665, 0]})
    exact = run(model, 2.0, None, rtol=1e-12, atol=1e-13).joint_position.values[-1, 0]
    errors = [abs(run(model, 2.0, dt).joint_position.values[-1, 0] - exact) for dt in (0.1, 0.05, 0.025)]
    assert errors[0] < 1e-4
    for pair in pairwise(errors):
        assert 3.5 < order_of(pair) < 5.2, errors


# Commanded coordinates


def commanded(formula, **motion):
    return rotor(fl.ExpressionController(formula), {"motion": {"controller": "law", **motion}})


COMMANDED = ("articulated", "cloud", "constrained")


@pytest.mark.parametrize("formulation", COMMANDED)
def test_a_commanded_position_is_followed_as_second_order(formulation):
    """x'' = w^2 (u - x) - 2 z w x' from rest, and the driver gives J x'' and its work is the kinetic energy."""
    w, z, u = 4.0, 0.6, 0.5
    model = commanded(u, frequency=w, damping_ratio=z)
    data = run(model, dt=None, rtol=1e-11, atol=1e-12, formulation=formulation)
    t, d = data.time.values, w * np.sqrt(1 - z * z)
    x = u * (1 - np.exp(-z * w * t) * (np.cos(d * t) + z * w / d * np.sin(d * t)))
    rate = u * np.exp(-z * w * t) * w * w / d * np.sin(d * t)
    np.testing.assert_allclose(data.joint_position.values[:, 0], x, atol=1e-9)
    np.testing.assert_allclose(data.joint_rate.values[:, 0], rate, atol=1e-9)
    acceleration = w * w * (u - x) - 2 * z * w * rate
    np.testing.assert_allclose(data.joint_acceleration.values[:, 0], acceleration, atol=1e-8)
    np.testing.assert_allclose(data.driver_force.values[:, 0], J * acceleration, atol=1e-8)
    np.testing.assert_allclose(data.driver_work.values[:, 0], 0.5 * J * rate**2, atol=1e-9)
    assert fl.audit(data).passed


def test_limits_of_rate_and_acceleration_bound_the_motion():
    """Far from its aim: q'' = a until (r - q') / T < a, at q' = r - a T; then q' = r - a T exp(-(t - t1) / T)."""
    w, r, a = 10.0, 1.0, 4.0
    T = 1 / (2 * w)
    model = commanded(50.0, frequency=w, rate_limit=r, acceleration_limit=a)
    data = run(model, 1.0, None, rtol=1e-10, atol=1e-12)
    t, t1 = data.time.values, (r - a * T) / a
    early, late = a * t, r - a * T * np.exp(-(np.maximum(t, t1) - t1) / T)
    np.testing.assert_allclose(data.joint_rate.values[:, 0], np.where(t < t1, early, late), atol=1e-8)
    assert data.joint_acceleration.values.max() == a and data.joint_rate.values.max() < r


@pytest.mark.parametrize("follows, more", [("rate", {}), ("acceleration", {}), ("position", {"frequency": 30.0})])
def test_a_limit_of_position_is_not_passed(follows, more):
    """Whatever is commanded: the way to the limit is a double pole, which a motion from rest comes to from one side."""
    more = more or {"time_constant": 0.05}
    model = commanded(3.0, follows=follows, limits=(-0.1, 0.4), **more)
    angles = run(model, 3.0, 0.005).joint_position.values[:, 0]
    assert 0.4 - 1e-3 < angles.max() <= 0.4
    exact = run(commanded(-2.0, follows="acceleration", start=0.1, start_rate=3.0), 1.0, 0.05)
    np.testing.assert_allclose(exact.joint_position.values[-1, 0], 0.1 + 3.0 - 1.0, atol=1e-12)


def machine(motion, law):
    """An arm on a floating hull with a sprung slide outboard, whose tension and rates the controller reads."""
    bodies = {
        "hull": fl.Body(20, (3, 4, 5), angular_velocity=(0.1, 0.2, 0.3)),
        "arm": fl.Body(2, (0.3, 0.4, 0.5), (1, 0.2, 0.1)),
        "tip": fl.Body(1, (0.1, 0.1, 0.1), (2, 0.2, 0.1)),
    }
    joints = {
        "hinge": fl.Revolute("hull", "arm", (0.5, 0, 0), (0, 0.6, 0.8), motion=motion),
        "slide": fl.Prismatic("arm", "tip", (1.5, 0.2, 0.1), (1, 0, 0), spring=30, damper=1),
    }
    pull = fl.Spring("arm", (1, 0, 0.5), (4, 1, 3), stiffness=20, damping=2, length=2)
    return fl.Model("arm on a float", bodies, joints, {"pull": pull}, controllers={"law": law})


MACHINES = {
    "position": machine(
        {"controller": "law", "frequency": 4.0, "damping_ratio": 0.7},
        fl.ExpressionController("0.3 + 0.1*sin(t) + 0.01*pull.tension - 0.2*slide.rate"),
    ),
    "sampled rate": machine(
        {"controller": "law", "follows": "rate", "time_constant": 0.1, "rate_limit": 0.5, "limits": (-0.2, 0.25)},
        fl.Pid("slide.length + 0.1*hull.pitch", 0.3, kp=2, ki=1, period=0.07),
    ),
    "acceleration": machine(
        {"controller": "law.output", "follows": "acceleration", "start": 0.1, "start_rate": 0.2},
        fl.ExpressionController("-4*hinge.angle + law.x", {"x": "0.5*(1 - law.x)"}, start={"x": 0.3}),
    ),
}


@pytest.mark.parametrize("name", MACHINES)
def test_formulations_agree_on_commanded_machines(name):
    """Position, driver and its work in three formulations, steps controlled to 1e-10: 1e-7 of what there is."""
    limit = {"dt": None, "rtol": 1e-10, "atol": 1e-12}
    one, *others = [run(MACHINES[name], 1.0, formulation=way, **limit) for way in COMMANDED]
    assert fl.audit(one).passed
    for other in others:
        for variable in ("position", "joint_acceleration", "driver_force", "driver_work", "joint_moment"):
            size = float(np.abs(one[variable]).max())
            assert np.abs(one[variable] - other[variable]).max() < 1e-7 * size, variable
        assert fl.audit(other).passed


def test_an_actuator_keeps_its_limit_and_response():
    """T x' = u - x behind a constant output: x = u (1 - exp(-t / T)), within the actuator's own limit."""
    law, joint = fl.ExpressionController(3), {"actuator": {"controller": "law", "limit": 2, "time_constant": 0.5}}
    force = run(rotor(law, joint), 1.0, 0.005).driver_force.values[:, 0]
    np.testing.assert_allclose(force, 2 * (1 - np.exp(-np.arange(201) * 0.005 / 0.5)), atol=1e-9)


def test_a_force_reads_an_output():
    """A formula of a load reads what a controller gives out at the same instant."""
    model = fl.Model(
        "mass",
        {"m": fl.Body(2.0, (1, 1, 1))},
        loads={"push": fl.Force("m", force=("law.output", 0, 0))},
        gravity=(0, 0, 0),
        controllers={"law": fl.StateFeedback(["m.x", "m.vx"], [8, 4], targets=[1, 0])},
    )
    data = run(model, dt=None, rtol=1e-11, atol=1e-12)
    t = data.time.values  # 2 x'' = 8 (1 - x) - 4 x': w = 2, z = 1/2
    d = np.sqrt(3.0)
    np.testing.assert_allclose(
        data.position.values[:, 0, 0], 1 - np.exp(-t) * (np.cos(d * t) + np.sin(d * t) / d), atol=1e-9
    )


def test_controllers_read_one_another_in_their_order():
    """A continuous one reads another that stands behind it in the file: both know the same instant."""
    first = fl.ExpressionController("2*second.output + 1")
    data = run(rotor(first, second=fl.ExpressionController("3*t")), 1.0, 0.1)
    assert list(data.controller.values) == ["law.output", "second.output"]
    np.testing.assert_allclose(
        data.controller_output.sel(controller="law.output"), 6 * data.time.values + 1, atol=1e-12
    )


@pytest.mark.parametrize(
    "options",
    [pytest.param({}, id="rk4"), pytest.param({"dt": None, "interval": 0.05}, id="dop853", marks=pytest.mark.slow)],
)
def test_a_load_in_python_beside_them_leaves_the_same_bits(options):
    """The same stepper, uncompiled: a zero by a function against a zero by numbers."""
    model = MACHINES["sampled rate"]

    def beside(load):
        loads = {**model.loads, "zero": load}
        return fl.Model("beside", dict(model.bodies), dict(model.joints), loads, controllers=dict(model.controllers))

    numbers = run(beside(fl.Force("hull", force=(0.0, 0, 0))), 0.6, **options)
    python = run(beside(fl.Force("hull", function=lambda t, motion: (0, 0, 0, 0, 0, 0))), 0.6, **options)
    for name in ("position", "joint_rate", "controller_output", "driver_work"):
        assert numbers[name].values.tobytes() == python[name].values.tobytes(), name


@pytest.mark.parametrize("joint", ["A", "D"])  # a joint of the tree, and the one that closes the loop
def test_a_commanded_joint_of_a_loop(joint):
    """A four-bar whose one joint is commanded: loop equations in trees and in body coordinates, steps held to 1e-10."""
    law = fl.ExpressionController(f"1 + 0.3*sin(3*t) - 0.2*{joint}.rate")
    motion = {"controller": "law", "follows": "rate", "time_constant": 0.2}
    bar = fl.load(ROOT / "examples" / "four_bar_revolute.yaml")
    free = {
        f"joints.{name}.{field}": None for name, j in bar.joints.items() for field in ("rate",) if getattr(j, field)
    }
    model = bar.with_(free | {f"joints.{joint}.motion": motion, "controllers": {"law": law}})
    one, other = (
        run(model, 0.5, 0.01, integrator="dop853", rtol=1e-10, atol=1e-12, formulation=way)
        for way in ("articulated", "constrained")
    )
    assert fl.audit(one).passed and fl.audit(other).passed
    assert np.ptp(one.joint_rate.sel(coordinate=f"{joint}.angle").values) > 0.1
    for variable in ("position", "joint_acceleration", "driver_work", "controller_output"):
        assert np.abs(one[variable] - other[variable]).max() < 1e-7 * np.abs(one[variable]).max(), variable


@pytest.mark.parametrize("dt", [0.01, 0.005])
def test_the_audit_knows_jumps_that_die_away_after_each_sample(dt):
    """A joint that follows a sampled command: its driver's force jumps at each sample and then falls, so that what a
    sum over rows misses adds up. What really is not there, 0.05 m/s of 0.9 from one row to the next, is found.
    """
    arm = fl.Body(0.5, (0.1, 0.1, 0.02), position=(0.6, 0, 0))
    model = fl.Model(
        "arm on a disc",
        {"disc": fl.Body(1.0, (0.3, 0.3, 0.5)), "arm": arm},
        {
            "spin": fl.Revolute("world", "disc", (0, 0, 0), (0, 0, 1), damper=0.1),
            "elbow": fl.Revolute("disc", "arm", (0.3, 0, 0), (0, 0, 1), motion={"controller": "law", "frequency": 6.0}),
        },
        {"push": fl.Force("disc", moment=(0, 0, 0.4))},
        gravity=(0, 0, 0),
        controllers={"law": fl.ExpressionController("0.5*sin(2*t) - 0.1*spin.rate", period=0.07)},
    )
    data = fl.simulate(model, 3.0, dt)
    assert fl.audit(data).passed, fl.audit(data).table()
    half = len(data.time) // 2
    data["velocity"][half:] += 0.05
    assert not fl.audit(data).passed
