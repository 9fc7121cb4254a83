"""Controllers of one's own: what is said when one fails, that it is asked when it should be, and that runs go on."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import fairlead as fl
from fairlead.errors import CheckpointUnusable

H = 0.05


class Sum:
    """Feeds back the sum of what it was asked with, and says what it remembers."""

    def __init__(self):
        self.total = 0.25

    def __call__(self, t, inputs):
        self.total += inputs[0]
        return -3.0 * self.total

    def get_state(self):
        return np.array([self.total])

    def set_state(self, state):
        (self.total,) = state


class Forgetful:
    """The same, but nobody can ask what it remembers."""

    total = 0.25

    def __call__(self, t, inputs):
        self.total += inputs[0]
        return -3.0 * self.total


def rotor(function, **words):
    words = {"inputs": ["spin.angle"], "period": H} | words
    spin = fl.Revolute("world", "disc", (0, 0, 0), (0, 0, 1), rate=1.0, actuator={"controller": "own"})
    own = fl.PythonController(function, **words)
    return fl.Model(
        "rotor", {"disc": fl.Body(1, (1, 1, 0.5))}, {"spin": spin}, gravity=(0, 0, 0), controllers={"own": own}
    )


def run(model, duration=1.0, dt: float | None = 0.02, **options):
    return fl.simulate(model, duration, dt, progress=False, formulation="articulated", **options)


@pytest.mark.parametrize("integrator, dt", [("rk4", 0.02), ("symplectic-euler", 0.02), ("dop853", None)])
def test_it_is_asked_once_per_sample_in_order(integrator, dt):
    asked = []

    def note(t, inputs):
        asked.append(t)
        return -inputs[0]

    run(rotor(note), integrator=integrator, dt=dt)
    np.testing.assert_allclose(asked, H * np.arange(21), atol=1e-12)


def test_at_every_stage_it_is_part_of_the_equations():
    """The same numbers as a formula, which the same stages ask."""
    data = run(rotor(lambda t, inputs: -4.0 * inputs[0], every_stage=True, period=None))
    spin = fl.Revolute("world", "disc", (0, 0, 0), (0, 0, 1), rate=1.0, actuator={"command": "-4*spin.angle"})
    other = run(fl.Model("rotor", {"disc": fl.Body(1, (1, 1, 0.5))}, {"spin": spin}, gravity=(0, 0, 0)))
    np.testing.assert_array_equal(data.joint_position, other.joint_position)


def bad(answer):
    return lambda t, inputs: answer if t > 0.47 else 0.0


def raising(t, inputs):
    if t > 0.47:
        raise KeyError("no such gain")
    return 0.0


def sleeping(t, inputs):
    time.sleep(5.0 if t > 0.47 else 0.0)
    return 0.0


FAILURES = {
    "nan": (bad(float("nan")), "gave nan at t = 0.5 s; it must give a finite number"),
    "length": (bad([1.0, 2.0]), r"gave \[1.0, 2.0\] at t = 0.5 s"),
    "text": (bad("much"), "gave 'much' at t = 0.5 s"),
    "nothing": (bad(None), "gave None at t = 0.5 s"),
    "raises": (raising, r"failed at t = 0.5 s: KeyError\('no such gain'\)"),
    "late": (sleeping, "took more than its 0.2 s to answer at t = 0.5 s"),
}


@pytest.mark.parametrize("what", FAILURES)
def test_one_that_fails_is_named_with_the_time_and_results_are_kept(what, tmp_path):
    function, said = FAILURES[what]
    began = time.perf_counter()
    with pytest.raises(fl.NumericalFailure, match=f"controller 'own' {said}") as error:
        run(rotor(function, time_limit=0.2), out=tmp_path / "x.run")
    assert error.value.exit_code == 4 and time.perf_counter() - began < 4.0
    kept = fl.open_result(tmp_path / "x.run")
    assert kept.time.values[-1] >= 0.46 and "controller 'own'" in kept.attrs["status"]


def test_at_a_stage_too(tmp_path):
    with pytest.raises(fl.NumericalFailure, match="controller 'own' gave nan at t = "):
        run(rotor(bad(float("nan")), every_stage=True, period=None))


def test_ctrl_c_inside_is_the_users():
    def stop(t, inputs):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(rotor(stop))


def test_the_same_model_runs_twice_alike():
    model = rotor(Sum())
    first = run(model)
    np.testing.assert_array_equal(first.controller_output, run(model).controller_output)


KILLED = """
import os, signal
import fairlead as fl
from fairlead.running import directory
from interface import test_python_controllers as here
directory.COMMIT_SECONDS = -1.0
def progress(time, end):
    if time > 14:
        os.kill(os.getpid(), signal.SIGKILL)
fl.simulate(here.rotor(here.{0}), 30, 0.02, out="x.run", formulation="articulated", progress=progress)
"""
LONG = {"duration": 30.0, "dt": 0.02}  # a start and three chunks


def killed(function, where):
    """Leave a run that was killed at a half by SIGKILL, with a checkpoint after every chunk."""
    code = KILLED.format(function)
    told = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    ended = subprocess.run([sys.executable, "-c", code], cwd=where, env=told, capture_output=True, text=True)
    assert ended.returncode == -signal.SIGKILL, ended.stderr
    return where / "x.run"


def plain(t, inputs):
    return float(-2 * inputs[0] + np.sin(t))


@pytest.mark.parametrize("function, made", [("Sum()", Sum), ("plain", lambda: plain)])
def test_a_killed_run_goes_on_with_the_same_bits(function, made, tmp_path):
    whole = run(rotor(made()), **LONG)
    path, used = killed(function, tmp_path), made()
    used(0.0, [1.0])  # what the object given anew remembers does not count: the checkpoint does
    assert list(json.loads((path / "run.json").read_text())["functions"]) == ["own"]
    with pytest.raises(CheckpointUnusable, match="the function of 'own' changed since"):
        fl.resume(path, functions={"own": lambda t, inputs: 1.0}, progress=False)
    data = fl.resume(path, functions={"own": used}, progress=False)
    for name in ("joint_position", "controller_output"):
        assert data[name].values.tobytes() == whole[name].values.tobytes()


def test_one_that_cannot_say_what_it_remembers_is_not_resumed(tmp_path):
    path = killed("Forgetful()", tmp_path)
    with pytest.raises(CheckpointUnusable, match="controller 'own' is a Forgetful without get_state and set_state"):
        fl.resume(path, functions={"own": Forgetful()}, progress=False)
    simulation = fl.Simulation(rotor(Forgetful()), dt=0.02)
    state = simulation.state
    with pytest.raises(CheckpointUnusable, match="Forgetful"):
        simulation.state = state


def test_a_simulation_goes_back_with_what_it_remembers():
    simulation = fl.Simulation(rotor(Sum()), dt=0.02, formulation="articulated")
    simulation.step(20)
    state = simulation.state
    ends = []
    for _ in range(2):
        simulation.step(30)
        ends.append(simulation.joints["spin"])
        simulation.state = state
    assert ends[0] == ends[1]
    assert ends[0][0] == run(rotor(Sum())).joint_position.values[50, 0]


@pytest.mark.parametrize(
    "words, said",
    [
        ({"function": 3}, "must be a function, or an object that can be called; got a int"),
        ({"function": None}, "must be given from Python"),
        ({"period": None}, "is required: the time between samples"),
        ({"every_stage": True}, "has no effect with a 'period'"),
        ({"function": Sum(), "every_stage": True, "period": None}, "cannot be asked at every stage"),
        ({"output": ["a", "a"]}, "names an output twice"),
        ({"output": "a b"}, "cannot be read in a formula"),
        ({"inputs": ["spin.speed"]}, "joint 'spin' has no quantity 'speed'"),
    ],
)
def test_mistakes_have_sentences(words, said):
    words = {"function": lambda t, inputs: 0.0} | words
    with pytest.raises(fl.InvalidInput, match=said):
        run(rotor(words.pop("function"), **words))


def test_a_file_cannot_hold_one(tmp_path):
    with pytest.raises(fl.InvalidInput, match=r"controllers\.own\.function: holds a Python function"):
        fl.save(rotor(Sum()), tmp_path / "x.yaml")
    changed = rotor(Sum()).with_({"bodies.disc.mass": 3})
    assert isinstance(changed.controllers["own"].function, Sum)


def test_every_example_of_the_page_is_short():
    """A controller of one's own at 10 Hz takes ten lines."""
    page = (Path(__file__).parents[2] / "docs" / "controllers.md").read_text()
    block = page.split("asked at 10 Hz:")[1].split("```")[1]
    assert sum(1 for line in block.splitlines()[1:] if line.strip()) <= 12  # with import and assert


class Counts:
    """How often it was asked, which nobody else knows."""

    def __init__(self):
        self.count = 0

    def __call__(self, t, inputs):
        self.count += 1
        return 1e-3 * self.count


def test_what_remembers_without_saying_so_is_refused_beside_events_and_a_late_push():
    """An event takes a step again and goes on in another system: the count would be another, without a word."""
    model = rotor(Counts())
    body = next(iter(model.bodies))
    late = {"off": fl.Event(at=0.55, stop=True)}
    with pytest.raises(fl.InvalidInput, match=r"without get_state and set_state.*which events need"):
        fl.simulate(model.model_copy(update={"events": late}), 1.0, 0.05)
    simulation = fl.Simulation(rotor(Counts()), 0.05)
    simulation.apply(body)
    simulation.step(3)
    simulation.apply(body, force=(0, 0, 1))  # the load is there already
    simulation = fl.Simulation(rotor(Counts()), 0.05)
    simulation.step(3)
    with pytest.raises(fl.InvalidInput, match="apply a force to the body before the first step"):
        simulation.apply(body)
