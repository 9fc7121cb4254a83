"""`fl.Simulation`: the steps of `fl.simulate` to the bit, forces and commands from outside, states and their files."""

from __future__ import annotations

import time as wall
from pathlib import Path

import numpy as np
import pytest

import fairlead as fl
from fairlead.running.warm import small_turbine

ROOT = Path(__file__).parents[2]
LEFT_OUT = ("wall_time",)


def example(name: str) -> fl.Model:
    return fl.load(ROOT / "examples" / f"{name}.yaml")


def same(one, other) -> None:
    """Assert that two results have the same bits and say the same."""
    assert set(one) == set(other)
    for name in one:
        np.testing.assert_array_equal(one[name].values, other[name].values, name)
    attributes = [{k: v for k, v in data.attrs.items() if k not in LEFT_OUT} for data in (one, other)]
    assert attributes[0] == attributes[1]


def stepped(simulation, steps: int, stride: int = 1):
    for _ in range(0, steps, stride):
        simulation.step(stride)
    return simulation.dataset()


@pytest.mark.parametrize(
    "formulation", ["cloud", "articulated", "kane", "constrained", "two-body-313", "two-body", "three-body"]
)
def test_nothing_applied_gives_the_bits_of_simulate(formulation):
    """Over more than one chunk of 512 steps, one by one, in strides, and recorded seldom with looks in between."""
    model = small_turbine(formulation)
    how = {"dt": 2e-3, "formulation": formulation}
    whole = fl.simulate(model, 1.2, **how)
    same(whole, stepped(fl.Simulation(model, **how), 600))
    same(whole, stepped(fl.Simulation(model, **how), 600, 75))
    seldom = fl.Simulation(model, output_every=7, **how, duration=1.2)
    for _ in range(600):
        seldom.step()
        seldom.motion["tower"]
    same(fl.simulate(model, 1.2, output_every=7, **how), seldom.dataset())


@pytest.mark.parametrize("closing", ["projection", "partition", "partition-every-step"])
def test_loops_give_the_same_bits(closing):
    model, how = example("n_four_bar"), {"dt": 2e-3, "formulation": "constrained", "closing": closing}
    same(fl.simulate(model, 1.2, **how), stepped(fl.Simulation(model, duration=1.2, **how), 600))


@pytest.mark.parametrize("integrator", ["symplectic-euler", "generalised-alpha"])
def test_other_methods_give_the_same_bits(integrator):
    how = {"dt": 2e-3, "integrator": integrator}
    if integrator == "generalised-alpha":
        how["formulation"] = "constrained"
    model = example("double_pendulum")
    same(fl.simulate(model, 0.7, **how), stepped(fl.Simulation(model, duration=0.7, **how), 350))


def test_an_adaptive_method_goes_to_each_instant():
    """Its steps end there, where simulate passes and looks back: the same to the tolerance."""
    model, how = example("double_pendulum"), {"dt": 0.05, "integrator": "dop853"}
    whole, steps = fl.simulate(model, 1, **how), stepped(fl.Simulation(model, **how), 20)
    np.testing.assert_allclose(steps.time, whole.time, atol=1e-15)
    np.testing.assert_allclose(steps.position, whole.position, atol=1e-8)
    assert fl.audit(steps).passed
    simulation = fl.Simulation(model, **how)
    simulation.step(7)
    state = simulation.state
    simulation.step(13)
    last = simulation.dataset()
    simulation.state = state
    simulation.step(13)
    same(simulation.dataset(), last)
    simulation.apply("upper", force=(1, 0, 0))
    simulation.step(5)
    assert simulation.time == pytest.approx(1.25) and fl.audit(simulation.dataset()).passed


def test_a_function_in_python_is_stepped_too():
    def wind(t, motion):
        return (5 * (8 - motion["hull"][2][0]), 0, 0, 0, 0, 0.1 * t)

    hull = fl.Body(10, (1, 2, 3))
    model = fl.Model("pushed", {"hull": hull}, loads={"wind": fl.Force("hull", function=wind)}, gravity=(0, 0, 0))
    same(fl.simulate(model, 1, 0.01), stepped(fl.Simulation(model, 0.01, duration=1), 100))


def brick(**more) -> fl.Model:
    return fl.Model("brick", {"brick": fl.Body(2.0, (3.0, 3.0, 3.0), (1, 0, 0))}, gravity=(0, 0, 0), **more)


def test_applied_forces_move_a_free_body_as_newton_says():
    """F t^2 / 2 m and M t / I; the force at an arm of 1 m turns a ball of inertia 3 by its moment at first."""
    for formulation in ("cloud", "articulated", "kane", "constrained"):
        simulation = fl.Simulation(brick(), 0.01, formulation=formulation)
        simulation.step(100)
        simulation.apply("brick", force=(4, 0, 0), moment=("0 N m", 0, "6 N m"))
        simulation.step(50)
        simulation.apply("brick")
        simulation.step(50)
        x, R, v, w = simulation.motion["brick"]
        np.testing.assert_allclose(v, (1.0, 0, 0), atol=1e-13)
        np.testing.assert_allclose(x, (1 + 0.25 + 0.5, 0, 0), atol=1e-13)
        np.testing.assert_allclose(w, (0, 0, 1.0), atol=1e-12)
        assert R[1, 0] == pytest.approx(np.sin(0.25 + 0.5), abs=1e-9)
        data = simulation.dataset()
        assert list(data["load"].values) == ["applied brick"] and data.attrs["applied"] == "brick"
        assert float(data.load_work[-1, 0]) == pytest.approx(0.5 * 2 + 0.5 * 3, abs=1e-9)
        assert float(abs(data.load_force[:100]).max()) == 0 and float(data.load_force[150, 0, 0]) == 4
        assert fl.audit(data).passed, fl.audit(data).table()


def test_a_force_at_a_point_goes_with_the_body_as_a_load_does():
    """The same force as a load of the model: point and axes mean the same."""
    push = fl.Force("brick", point=(1, 1, 0), force=(1, 2, 3), moment=(0.1, 0, 0))
    whole = fl.simulate(brick(loads={"push": push}), 2, 0.01)
    simulation = fl.Simulation(brick(), 0.01)
    simulation.apply("brick", (1, 2, 3), (0.1, 0, 0), point=(1, 1, 0))
    simulation.step(200)
    data = simulation.dataset()
    for name in ("position", "orientation", "velocity", "acceleration", "load_force", "load_moment", "load_work"):
        np.testing.assert_array_equal(data[name].values, whole[name].values, name)


def test_a_second_body_is_pushed_later_and_the_record_is_whole():
    model = example("double_pendulum")
    upper, lower = model.bodies
    simulation = fl.Simulation(model, 1e-3, output_every=1)
    for body in (upper, lower):
        simulation.apply(body, force=(0.5, 0, 0))
        simulation.step(100)
    simulation.apply(upper, force=(0, 0, 0.5))
    simulation.step(100)
    data = simulation.dataset()
    assert list(data["load"].values)[-2:] == [f"applied {upper}", f"applied {lower}"] and data.sizes["time"] == 301
    assert float(abs(data.load_force.sel(load=f"applied {lower}")[:101]).max()) == 0
    assert fl.audit(data).passed, fl.audit(data).table()


def arm(actuator) -> fl.Model:
    pin = fl.Revolute("world", "arm", (0, 0, 0), (0, 1, 0), damper=0.1, actuator=actuator)
    return fl.Model("arm", {"arm": fl.Body(2, (0.3, 0.3, 0.1), (0, 0, -1))}, {"pin": pin})


@pytest.mark.parametrize("more", [{}, {"time_constant": 0.05}, {"frequency": 30, "damping_ratio": 0.7, "limit": 4}])
def test_commands_are_those_of_a_table_with_jumps(more):
    """A jump of a table takes a microsecond here, over which its mean is commanded."""
    table = fl.Table([0, 0.5, 0.500001, 1, 1.000001, 2], [3, 3, -2, -2, 5, 5])
    whole = fl.simulate(arm(fl.Actuator(table, **more)), 1.5, 0.005)
    simulation = fl.Simulation(arm(fl.Actuator(0.0, **more)), 0.005)
    for value in (3, "-2 N m", 5.0):
        simulation.command("pin", value)
        simulation.step(100)
    data = simulation.dataset()
    assert float(abs(data.joint_position - whole.joint_position).max()) < 1e-5
    assert float(abs(whole.joint_position).max()) > 0.1
    assert data.attrs["commanded"] == "pin.angle" and fl.audit(data).passed


def test_constant_commands_are_those_of_the_model_to_the_bit():
    whole = fl.simulate(arm(fl.Actuator(3.0, time_constant=0.1)), 1, 0.01)
    simulation = fl.Simulation(arm(fl.Actuator("5 * sin(t)", time_constant=0.1)), 0.01)
    simulation.command("pin.angle", 3)
    simulation.step(100)
    np.testing.assert_array_equal(simulation.dataset().joint_position, whole.joint_position)
    assert simulation.joints["pin"] == simulation.joints["pin.angle"]
    assert simulation.joints["pin"][0] == float(whole.joint_position[-1, 0])


def play(simulation, steps: int) -> None:
    """Push and command as an own controller does, which knows the present alone."""
    for _ in range(steps):
        q, dq = simulation.joints["pin"]
        simulation.command("pin", -5 * q - dq)
        simulation.apply("arm", force=(0, 0, np.sin(3 * simulation.time)), point=(0, 0, -1.5))
        simulation.step(7)


@pytest.mark.parametrize("formulation", ["articulated", "constrained"])
def test_a_state_is_gone_back_to_and_a_file_gone_on_from_to_the_bit(tmp_path, formulation):
    model = arm(fl.Actuator(0.0, time_constant=0.02))
    simulation = fl.Simulation(model, 0.002, formulation=formulation)
    simulation.step(30)
    early = simulation.state  # before anything was applied
    play(simulation, 100)
    state = simulation.state
    simulation.save(tmp_path / "file")
    play(simulation, 50)
    last = simulation.dataset()
    simulation.state = state
    assert simulation.time == state.time
    play(simulation, 50)
    same(simulation.dataset(), last)
    simulation.state = early
    simulation.step(40)  # another way on, which leaves no trace
    simulation.state = early
    play(simulation, 150)
    same(simulation.dataset(), last)
    simulation.state = state
    play(simulation, 50)
    same(simulation.dataset(), last)
    other = fl.Simulation(model, 0.002, formulation=formulation)
    other.step(3)
    other.restore(tmp_path / "file")
    play(other, 50)
    same(other.dataset(), last)


def test_a_state_within_a_chunk_of_a_partition_keeps_it(tmp_path):
    how = {"dt": 2e-3, "formulation": "constrained", "closing": "partition"}
    simulation = fl.Simulation(example("n_four_bar"), duration=2.0, **how)
    simulation.step(700)
    simulation.save(tmp_path / "file")
    simulation.step(300)
    other = fl.Simulation(example("n_four_bar"), duration=2.0, **how)
    other.restore(tmp_path / "file")
    other.step(300)
    same(other.dataset(), simulation.dataset())
    same(other.dataset(), fl.simulate(example("n_four_bar"), 2.0, **how))


def test_files_that_are_damaged_or_of_another_simulation_are_refused(tmp_path):
    path = tmp_path / "file"
    simulation = fl.Simulation(brick(), 0.01)
    simulation.step(3)
    simulation.save(path)
    with pytest.raises(fl.CheckpointUnusable, match="another model"):
        fl.Simulation(arm(fl.Actuator(1.0)), 0.01).restore(path)
    with pytest.raises(fl.CheckpointUnusable, match=r"another dt \(0.01 then, 0.02 now\)"):
        fl.Simulation(brick(), 0.02).restore(path)
    with pytest.raises(fl.FilesFailure, match="there is no file"):
        simulation.restore(tmp_path / "none")
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)
    with pytest.raises(fl.CheckpointUnusable, match="checksum does not hold"):
        simulation.restore(path)
    simulation.step()  # goes on as if nothing had been asked
    assert simulation.time == pytest.approx(0.04)
    with pytest.raises(fl.InvalidInput, match="must be a state of this simulation"):
        simulation.state = fl.Simulation(arm(fl.Actuator(1.0)), 0.01).state


def test_mistakes_are_told():
    simulation = fl.Simulation(arm(fl.Actuator(1.0)), 0.01)
    for call, told in (
        (lambda: simulation.apply("leg", (1, 0, 0)), "body: there is no body 'leg'; there are 'arm'"),
        (lambda: simulation.apply("arm", (1, 0)), "force: must be three numbers"),
        (lambda: simulation.apply("arm", (1, 0, np.nan)), "force: must be three finite numbers"),
        (lambda: simulation.apply("arm", moment="3"), "moment: must be three numbers"),
        (lambda: simulation.apply("arm", point=1), "point: must be three numbers"),
        (lambda: simulation.command("knee", 1), "name: there is no actuator 'knee'; there are 'pin.angle'"),
        (lambda: simulation.command("pin", np.inf), "value: expected a finite number"),
        (lambda: simulation.command("pin", "3 kg"), "value: "),
        (lambda: simulation.step(0), "n: must be a whole number of steps, at least 1; got 0"),
        (lambda: simulation.step(1.5), "n: must be a whole number of steps"),
        (lambda: simulation.motion["leg"], "there is no body 'leg'"),
        (lambda: simulation.joints["leg"], "there is no joint coordinate 'leg'; there are 'pin.angle'"),
        (lambda: fl.Simulation(brick()), "dt: must be given"),
        (lambda: fl.Simulation(small_turbine("cloud"), 0.01).command("yaw", 1), "driven by its motion"),
    ):
        with pytest.raises(fl.InvalidInput, match=told):
            call()
    assert simulation.time == 0.0 and repr(simulation).startswith(
        "<Simulation 'arm' at t = 0 s: 0 steps of 0.01 s by rk4"
    )
    assert len(repr(simulation.motion)) < 80 and len(repr(simulation.state)) < 40


def test_a_motion_that_cannot_be_carried_on_stops_and_keeps_what_was_done():
    model = brick(loads={"pole": fl.Force("brick", force=("sqrt(0.1 - t)", 0, 0))})
    simulation = fl.Simulation(model, 0.01)
    with pytest.raises(fl.NumericalFailure, match="pole"):
        simulation.step(100)
    assert 0.08 < simulation.time < 0.12  # the formula has no value behind 0.1 s
    data = simulation.dataset()
    assert float(data.time[-1]) == simulation.time and np.isfinite(data.acceleration).all()


def test_it_has_no_end_but_that_of_its_tables():
    simulation = fl.Simulation(brick(), 0.01, duration=0.05)
    simulation.step(1000)
    assert simulation.time == pytest.approx(10) and simulation.dataset().sizes["time"] == 1001
    table = fl.Force("brick", force=(fl.Table([0, 1], [0, 1]), 0, 0))
    short = fl.Simulation(brick(loads={"push": table}), 0.01)
    short.step(100)
    with pytest.raises(fl.InvalidInput, match="the table ends at t = 1 s, and the steps go to"):
        short.step()


def test_it_starts_where_it_is_told():
    rest = fl.Simulation(arm(fl.Actuator(3.0)), 0.01, start="equilibrium")
    rest.step(100)
    assert abs(rest.joints["pin"][1]) < 1e-9 and rest.dataset().attrs["start"] == "equilibrium"


def test_a_step_from_python_costs_little_beyond_the_compiled_one():
    """Some 10 microseconds; ten times that would be numba's own look at every argument, and more."""
    simulation = fl.Simulation(brick(), 0.01)
    simulation.step(10)
    best = np.inf
    for _ in range(20):
        began = wall.process_time()
        for _ in range(100):
            simulation.step()
        best = min(best, (wall.process_time() - began) / 100)
    assert best < 60e-6
