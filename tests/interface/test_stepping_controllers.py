"""Controllers commanded from Python: targets, outputs, and the joints that follow them."""

from __future__ import annotations

import math

import numpy as np
import pytest

import fairlead as fl

T, TURN = 0.5, 0.02  # [s], [rad/s]


def turret(output: float | str = 0.0, **more) -> fl.Model:
    """Return a floating base with a drive whose rate follows an expression within T."""
    base = fl.Body(5.0, (4.0, 4.0, 2.0), (0, 0, -1))
    head = fl.Body(1.0, (0.3, 0.3, 0.2), (0.1, 0, 1))
    drive = {"controller": "hand", "follows": "rate", "time_constant": T}
    yaw = fl.Revolute("base", "head", (0, 0, 0.5), (0, 0, 1), motion=drive)
    hand = fl.ExpressionController(output=output)
    return fl.Model("turret", {"base": base, "head": head}, {"yaw": yaw}, controllers={"hand": hand, **more})


def spinner(target: float | str) -> fl.Model:
    """Return a wheel whose speed a pid holds by its motor."""
    wheel = fl.Body(2.0, (0.3, 0.3, 0.5), (0, 0, 0))
    motor = fl.Actuator(controller="speed")
    spin = fl.Revolute("world", "wheel", (0, 0, 0), (0, 0, 1), damper=0.2, actuator=motor)
    speed = fl.Pid(input="spin.rate", target=target, kp=2.0, ki=1.5, limits=(-3.0, 3.0))
    return fl.Model("spinner", {"wheel": wheel}, {"spin": spin}, controllers={"speed": speed})


@pytest.mark.parametrize("name", ["yaw", "yaw.angle", "hand", "hand.output"])
def test_a_drive_follows_the_rate_commanded_by_any_of_its_names(name):
    """q' = u + (q'0 - u) exp(-t / T) from each command on; rk4 at T / 100 integrates that to 1e-10."""
    simulation = fl.Simulation(turret(), 0.005)
    angle = rate = 0.0
    for u in (TURN, -TURN / 3, 0.0):
        simulation.command(name, u)
        simulation.step(100)
        h = 100 * 0.005
        angle += u * h + (rate - u) * T * (1 - math.exp(-h / T))
        rate = u + (rate - u) * math.exp(-h / T)
        assert simulation.joints["yaw"] == pytest.approx((angle, rate), abs=1e-10)
    data = simulation.dataset()
    assert data.attrs["commanded"] == "controllers.hand.output" and fl.audit(data).passed


@pytest.mark.parametrize("formula", ["t", "-t", "t + 1", "2 * t * t - 1", "clip(t, 0, 1) + sin(t)"])
def test_a_number_replaces_formulas_of_any_length(formula):
    simulation = fl.Simulation(turret(formula), 0.01)
    simulation.command("hand", 0.1875)
    simulation.step(3)
    assert (simulation.dataset().controller_output.values[-1] == 0.1875).all()


@pytest.mark.parametrize("formula", ["t", "0.5 * t", 7])
def test_a_target_commanded_from_the_start_is_that_of_the_model_to_the_bit(formula):
    whole = fl.simulate(spinner(3.5), 2.0, 0.01)
    simulation = fl.Simulation(spinner(formula), 0.01)
    simulation.command("speed", "3.5 rad/s")
    simulation.step(200)
    data = simulation.dataset()
    for variable in ("joint_position", "joint_rate", "controller_output"):
        np.testing.assert_array_equal(data[variable], whole[variable])
    assert fl.audit(data).passed


def test_what_was_commanded_goes_with_states_and_files(tmp_path):
    simulation = fl.Simulation(spinner(1.0), 0.01)
    simulation.step(20)
    before = simulation.state
    simulation.command("speed", 2.0)
    simulation.step(30)
    simulation.save(tmp_path / "file")
    simulation.step(50)
    last = simulation.dataset()
    again = fl.Simulation(spinner(1.0), 0.01)
    again.restore(tmp_path / "file")
    again.step(50)
    np.testing.assert_array_equal(again.dataset().joint_position, last.joint_position)
    simulation.state = before  # where the model's own target held
    simulation.step(80)
    whole = fl.simulate(spinner(1.0), 1.0, 0.01)
    np.testing.assert_array_equal(simulation.dataset().joint_position, whole.joint_position)


def test_what_no_number_commands_is_told():
    planned = fl.Revolute("base", "head", (0, 0, 0.5), (0, 0, 1), motion=fl.Rate(0.1))
    model = turret()
    fixed = fl.Simulation(fl.Model("planned", model.bodies, {"yaw": planned}), 0.01)
    with pytest.raises(fl.InvalidInput, match="known beforehand; to command it, give it an actuator or let it follow"):
        fixed.command("yaw", 0.2)
    simulation = fl.Simulation(turret(other=fl.StateFeedback(inputs=("yaw.angle",), gains=(1.0,))), 0.01)
    with pytest.raises(fl.InvalidInput, match="'other' is a state-feedback controller, which no number commands"):
        simulation.command("other", 0.2)
    with pytest.raises(fl.InvalidInput, match="there is no actuator or controller 'hund'; there are 'hand', 'other'"):
        simulation.command("hund", 0.2)
    with pytest.raises(fl.InvalidInput, match="controller 'hand' has no output 'speed'"):
        simulation.command("hand.speed", 0.2)
    with pytest.raises(fl.InvalidInput, match="value"):
        simulation.command("hand", "fast")
    with pytest.raises(fl.InvalidInput, match="value"):
        simulation.command("hand", float("nan"))
