"""`fl.Simulation` of models with events: the bits of `fl.simulate`, and what is applied and commanded across them."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import fairlead as fl
from interface.test_stepping import same, stepped

ROOT = Path(__file__).parents[2]


def swing(events, **more) -> fl.Model:
    """Return a double pendulum on a rope, with some wind, and these events."""
    bodies = {
        "upper": fl.Body(2.0, (0.3, 0.4, 0.1), (0, 0, -0.7)),
        "lower": fl.Body(1.0, (0.1, 0.15, 0.05), (0, 0, -1.9)),
    }
    joints = {
        "pin": fl.Revolute("world", "upper", (0, 0, 0), (0, 1, 0), rate=2.0),
        "knee": fl.Revolute("upper", "lower", (0, 0, -1.4), (0, 1, 0.2), actuator=fl.Actuator("sin(3*t)", **more)),
    }
    loads = {
        "rope": fl.Spring("lower", (0, 0, -2), anchor=(1, 0.5, -2), stiffness=30.0, length=0.5),
        "wind": fl.Force("upper", force=(1, 0, 0)),
    }
    return fl.Model("swing", bodies, joints, loads, events=events)


MANY = {
    "breaks": fl.Event(at=0.4137, cut="rope"),
    "latch": fl.Event(when="knee.angle - 0.3", rising=True, lock="knee"),
    "gust": fl.Event(when="upper.vx", again=True, set={"loads.wind.force": [3, 0, 0]}),
    "lets go": fl.Event(at=0.9, release="knee"),
    "calm": fl.Event(at=1.002, cut="wind"),
}
TIMED = {name: event for name, event in MANY.items() if event.at is not None and name != "lets go"}


@pytest.mark.parametrize("formulation", ["articulated", "cloud", "constrained"])
@pytest.mark.parametrize("events", [MANY, TIMED], ids=["formulas", "times"])
def test_nothing_applied_gives_the_bits_of_simulate(formulation, events):
    """Over several chunks, one by one, in strides, and recorded seldom with looks in between."""
    model, how = swing(events), {"dt": 2e-3, "formulation": formulation}
    whole = fl.simulate(model, 1.5, **how)
    assert len(json.loads(whole.attrs["events"])) >= len(events)
    same(whole, stepped(fl.Simulation(model, **how), 750))
    same(whole, stepped(fl.Simulation(model, **how), 750, 75))
    seldom = fl.Simulation(model, output_every=7, **how, duration=1.5)
    for _ in range(750):
        seldom.step()
        seldom.motion["upper"]
    same(fl.simulate(model, 1.5, output_every=7, **how), seldom.dataset())


def test_a_partition_is_kept_across_events():
    model = fl.load(ROOT / "examples" / "n_four_bar.yaml")
    model = model.with_(
        {"loads.push": fl.Force("coupler 1", force=(20, 0, 0)), "events.off": {"at": 0.3, "cut": "push"}}
    )
    how = {"dt": 2e-3, "formulation": "constrained", "closing": "partition"}
    same(fl.simulate(model, 1.4, **how), stepped(fl.Simulation(model, duration=1.4, **how), 700))


def test_functions_in_python_are_stepped_over_events():
    def wind(t, motion):
        return (2 * (1 - motion["upper"][2][0]), 0, 0, 0, 0, 0)

    model = swing(MANY).with_({"loads.wind": fl.Force("upper", function=wind), "events.gust": None})
    same(fl.simulate(model, 1.1, 0.01), stepped(fl.Simulation(model, 0.01, duration=1.1), 110))


def test_an_adaptive_method_goes_to_each_instant():
    model, how = swing(MANY), {"dt": 0.05, "integrator": "dop853", "rtol": 1e-10}
    whole, steps = fl.simulate(model, 1.5, **how), stepped(fl.Simulation(model, **how), 30)
    np.testing.assert_allclose(steps.time, whole.time, atol=1e-8)
    np.testing.assert_allclose(steps.position, whole.position, atol=1e-7)
    assert fl.audit(steps).passed
    seldom = stepped(fl.Simulation(model, output_every=3, **how), 30)
    happened = {one["time"] for one in json.loads(seldom.attrs["events"])}
    assert set(seldom.time.values) == set(steps.time.values[::1]) & ({*np.arange(0, 31, 3) * 0.05} | happened)


def test_what_is_applied_and_commanded_acts_across_events():
    """As a model does that has the force as a load and the command as a number: the same to the bit."""
    for formulation in ("articulated", "constrained"):
        how = {"dt": 2e-3, "formulation": formulation}
        simulation = fl.Simulation(swing(MANY), **how)
        simulation.command("knee", 0.7)
        simulation.apply("lower", force=(0, 2, 1), point=(0, 0, -2))
        simulation.step(600)
        push = fl.Force("lower", (0, 0, -2), force=(0, 2, 1))
        model = swing(MANY).with_({"joints.knee.actuator.command": 0.7, "loads.applied lower": push})
        whole, steps = fl.simulate(model, 1.2, **how), simulation.dataset()
        for name in whole:
            np.testing.assert_array_equal(whole[name].values, steps[name].values, name)
        assert fl.audit(steps).passed and whole.attrs["events"] == steps.attrs["events"]


def test_a_force_is_applied_first_after_events_have_happened():
    simulation = fl.Simulation(swing(MANY), 2e-3)
    simulation.step(430)
    before = simulation.dataset()
    simulation.apply("upper", force=(0, 0, 5))
    simulation.step(300)
    data = simulation.dataset()
    np.testing.assert_array_equal(data.position[: len(before.time)].values, before.position.values)
    assert data.attrs["applied"] == "upper" and len(json.loads(data.attrs["events"])) > 3
    assert fl.audit(data).passed, fl.audit(data).table()


@pytest.mark.parametrize("response", [{}, {"time_constant": 0.05}])
def test_states_and_files_on_either_side_of_events(tmp_path, response):
    model, how = swing(MANY, **response), {"dt": 2e-3}
    simulation = fl.Simulation(model, **how)
    states = []
    for number in range(10):
        states.append(simulation.state)
        simulation.save(tmp_path / f"{number}")
        simulation.step(75)
    last = simulation.dataset()
    same(last, fl.simulate(model, 1.5, **how))
    for number in (7, 1, 4):
        simulation.state = states[number]
        assert simulation.time == pytest.approx(0.15 * number)
        simulation.step(75 * (10 - number))
        same(simulation.dataset(), last)
        other = fl.Simulation(model, **how)
        other.step(600)
        other.restore(tmp_path / f"{number}")
        other.step(75 * (10 - number))
        same(other.dataset(), last)


def test_a_run_that_an_event_stops_takes_no_more_steps():
    model = swing({"enough": fl.Event(when="pin.angle - 0.2", stop=True)})
    simulation = fl.Simulation(model, 2e-3, duration=3.0)
    state = simulation.state
    assert simulation.stopped is None
    simulation.step(1000)
    whole = fl.simulate(model, 3.0, 2e-3)
    assert simulation.stopped == "enough" and simulation.time == float(whole.time[-1])
    for name in whole:
        np.testing.assert_array_equal(whole[name].values, simulation.dataset()[name].values, name)
    with pytest.raises(fl.InvalidInput, match=r"enough: stopped the run at t = 0\.1.*go back to an earlier state"):
        simulation.step()
    simulation.state = state
    simulation.step(20)
    assert simulation.time == pytest.approx(0.04) and simulation.stopped is None


def test_commands_of_actuators_that_events_take_away_and_change():
    simulation = fl.Simulation(
        swing(
            {
                "latch": fl.Event(at=0.1, lock="knee"),
                "free": fl.Event(at=0.2, release="knee"),
                "other": fl.Event(at=0.3, set={"joints.knee.actuator.command": 0.25}),
            }
        ),
        0.01,
    )
    simulation.command("knee", 1.5)
    simulation.step(15)
    with pytest.raises(fl.InvalidInput, match=r"'knee.angle' has no actuator now: an event locked or drives it"):
        simulation.command("knee", 1.0)
    simulation.step(10)  # free again, with what was commanded
    force = simulation.dataset().driver_force.sel(coordinate="knee.angle")
    assert float(force[5]) == 1.5 and float(force[-1]) == 1.5
    simulation.step(10)
    assert float(simulation.dataset().driver_force.sel(coordinate="knee.angle")[-1]) == 0.25  # the event spoke last
    simulation.command("knee", 0.5)
    simulation.step(1)
    assert float(simulation.dataset().driver_force.sel(coordinate="knee.angle")[-1]) == 0.5


def test_an_event_that_cannot_happen_keeps_what_was_done_before():
    """In a run and step by step: the rows up to it, of a whole chunk, and its name."""
    event = fl.Event(at=0.5, set={"joints.knee.motion": {"polynomial": [2.0]}})
    model = swing({"jump": event}).with_({"joints.knee.actuator": None})
    said = r"event 'jump' at t = 0\.5 s: the motion set does not go on from where joint 'knee' is \(off by"
    with pytest.raises(fl.NumericalFailure, match=said) as failure:
        fl.simulate(model, 1.0, 0.01, formulation="articulated")
    assert len(failure.value.data.time) == 51
    simulation = fl.Simulation(model, 0.01, formulation="articulated")
    with pytest.raises(fl.NumericalFailure, match=said):
        simulation.step(100)
    np.testing.assert_array_equal(simulation.dataset().position, failure.value.data.position)
