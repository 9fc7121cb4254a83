"""Mistakes with controllers say what, where and what to do; a run with one is kept, cut off and gone on with."""

from __future__ import annotations

import numpy as np
import pytest

import fairlead as fl
from fairlead.errors import InvalidInput, NumericalFailure
from fairlead.results.reading import open_result
from support.disk_runs import cut_off

ROTOR = """
fairlead: 1
name: rotor
gravity: [0, 0, 0]
bodies: {{disc: {{mass: 1.0, inertia: [0.3, 0.3, 0.5]}}}}
joints:
  spin: {{type: revolute, parent: world, child: disc, point: [0, 0, 0], axis: [0, 0, 1], {joint}}}
controllers:
  speed: {{type: pid, input: spin.rate, target: 12.1 rpm, kp: 0.2, {more}}}
{controllers}
run: {{duration: 2 s, dt: 0.05 s}}
"""
BY_SPEED = "actuator: {controller: speed}"
MISTAKES = {
    "unknown in an actuator": (
        {"joint": "actuator: {controller: sped}"},
        "joints.spin.actuator.controller: no controller is called 'sped'; did you mean 'speed'",
    ),
    "unknown in a motion": (
        {"joint": "motion: {controller: sped}"},
        "joints.spin.motion: no controller is called 'sped'",
    ),
    "unknown output": (
        {"joint": "actuator: {controller: speed.torque}"},
        "controller 'speed' has no output 'torque'; known are output",
    ),
    "which output": (
        {"joint": "actuator: {controller: two}", "controllers": "  two: {type: expression, output: {a: t, b: 2*t}}"},
        "'two' has the outputs a, b; say which, for example 'two.a'",
    ),
    "used nowhere": (
        {"controllers": "  idle: {type: expression, output: spin.rate}"},
        "controllers.idle: is used nowhere",
    ),
    "actuator on a driven coordinate": (
        {"joint": f"motion: {{rate: 1}}, {BY_SPEED}"},
        "coordinate 'angle' is driven, so 'actuator' has no effect",
    ),
    "a command too": (
        {"joint": "actuator: {controller: speed, command: 3}"},
        "joints.spin.actuator.controller: is given beside 'command'",
    ),
    "a circle": (
        {
            "joint": "actuator: {controller: one}",
            "controllers": "  one: {type: expression, output: 2*other.output}\n"
            "  other: {type: expression, output: one.output + speed.output}",
        },
        "controllers.one: 'one' reads 'other' reads 'one' at the same instant, so that none comes first",
    ),
    "itself": (
        {"more": "start: 1, ki: 1", "controllers": "  own: {type: expression, output: own.output}"},
        "'own' reads 'own'",
    ),
    "period": ({"more": "period: 0 s"}, "controllers.speed.period: must be greater than 0"),
    "limits": ({"more": "limits: [2, 1]"}, "'limits' are reversed: the lower must be below the upper; got 2, 1"),
    "no filter": ({"more": "kd: 1"}, "controllers.speed.kd: needs a 'derivative_filter'"),
    "no winding back": ({"more": "ki: -1, limits: [0, 1]"}, "controllers.speed.ki: needs a 'tracking_time'"),
    "unknown channel": (
        {"controllers": "  seen: {type: expression, output: spin.speed}"},
        "controllers.seen.output: at column 1: joint 'spin' has no quantity 'speed'",
    ),
    "unknown state": (
        {"controllers": "  seen: {type: expression, output: seen.y, state: {x: seen.x}}"},
        "controller 'seen' has no quantity 'y'; it has output, x",
    ),
    "how it follows": (
        {"joint": "motion: {controller: speed}"},
        "joints.spin.motion.frequency: is required: the natural frequency with which the position is followed",
    ),
    "how a rate is followed": (
        {"joint": "motion: {controller: speed, follows: rate, frequency: 1 Hz}"},
        "joints.spin.motion.frequency: has no effect where the rate is commanded",
    ),
    "limits of a motion": (
        {"joint": "motion: {controller: speed, frequency: 1 Hz, limits: [1 deg, -1 deg]}"},
        "'limits' are reversed",
    ),
    "unknown type": (
        {"controllers": "  odd: {type: pidd, input: 1}"},
        "a mapping whose 'type' is one of yaw-follow, pid, expression, state-feedback",
    ),
    "a name taken": (
        {"controllers": "  Disc: {type: expression, output: spin.rate}"},
        "controllers.Disc: 'disc' is already the name of a body",
    ),
    "hertz": ({"more": "start: 1 Hz"}, "of which it is not known whether it counts turns"),
}


def text(joint=BY_SPEED, more="ki: 0.1", controllers=""):
    return ROTOR.format(joint=joint, more=more, controllers=controllers)


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_told(name, tmp_path):
    given, sentence = MISTAKES[name]
    path = tmp_path / "rotor.yaml"
    path.write_text(text(**given))
    told = [f"{problem.path}: {problem.message}" for problem in fl.check(path)]
    assert any(sentence in one for one in told), told


def test_the_model_without_a_mistake_has_nothing_to_say(tmp_path):
    path = tmp_path / "rotor.yaml"
    path.write_text(text())
    assert fl.check(path) == []
    assert fl.audit(fl.simulate(fl.load(path), progress=False)).passed


@pytest.mark.parametrize("sampled", ["", ", period: 0.3 s"])
def test_a_nan_ends_a_run_with_name_and_time(sampled, tmp_path, fairlead):
    """log(1 - t) has no value beyond t = 1: exit 4, and what was computed before is kept."""
    path = tmp_path / "rotor.yaml"
    law = f"  law: {{type: expression, output: log(1 - t){sampled}}}"
    path.write_text(
        text("actuator: {controller: law}", "period: 0.1 s", law + "\n  x: {type: expression, output: speed.output}")
    )
    with pytest.raises(
        NumericalFailure, match=r"the output 'law.output' of a controller is (nan|-inf) at t = 1"
    ) as found:
        fl.simulate(fl.load(path), progress=False)
    assert 0.9 < float(found.value.data.time[-1]) <= 1.2
    done = fairlead("run", "rotor.yaml", "--out", "a.run")
    assert done.returncode == 4 and "'law.output'" in done.stderr


@pytest.mark.parametrize("options", [{}, {"integrator": "dop853", "rtol": 1e-6, "atol": 1e-9}], ids=["rk4", "dop853"])
def test_a_run_cut_off_goes_on_with_the_same_bits(options, tmp_path, monkeypatch):
    path = tmp_path / "rotor.yaml"
    path.write_text(text(more="ki: 0.1, kd: 0.01, derivative_filter: 1 s, limits: [-0.1, 0.1], period: 0.07 s"))
    whole = fl.simulate(fl.load(path), 30.0, 0.01, progress=False, **options)
    where = cut_off(path, tmp_path / "a.run", monkeypatch, **options)
    fl.resume(where, progress=False)
    with open_result(where) as stored:
        for name in ("time", "joint_rate", "controller_output", "driver_work"):
            assert stored[name].values.tobytes() == whole[name].values.tobytes(), name


def test_what_does_not_take_feedback_says_so():
    joint = {"actuator": {"controller": "law"}}
    bodies = {"disc": fl.Body(1.0, (0.3, 0.3, 0.5))}
    law = fl.Pid("spin.rate", 1, kp=1, ki=1)

    def rotor(**more):
        spin = fl.Revolute("world", "disc", (0, 0, 0), (0, 0, 1), **more)
        return fl.Model("rotor", bodies, {"spin": spin}, controllers={"law": law})

    with pytest.raises(NumericalFailure, match=r"no steady state was found in 150 steps: spin\.angle is still accel"):
        fl.equilibrium(rotor(**joint))  # it turns on for ever, and no generator says that it may
    sampled = fl.ExpressionController("law.x", {"x": "0.9*law.x + spin.rate"}, period=0.1)
    with pytest.raises(InvalidInput, match=r"controllers\.law: has states that its samples make, of which there is no"):
        fl.equilibrium(rotor(**joint).with_({"controllers.law": sampled}))
    with pytest.raises(InvalidInput, match="'generalised-alpha' takes no feedback controllers"):
        fl.simulate(rotor(**joint), 1, 0.1, integrator="generalised-alpha", progress=False)
    commanded = rotor(motion={"controller": "law", "follows": "rate", "time_constant": 0.1})
    with pytest.raises(InvalidInput, match="joint 'spin' is commanded by feedback, which 'kane' does not take"):
        fl.simulate(commanded, 1, 0.1, formulation="kane", progress=False)
    data = fl.simulate(commanded, 1, 0.1, progress=False)
    assert np.isfinite(data.joint_rate).all() and data.attrs["formulation"] == "cloud"


def test_a_start_that_passes_its_limit_is_refused():
    """The rate towards a limit is at most (limit - q) / 4T, T = 1 / 2w: at 2 1/s and 1 m off 1 m/s."""
    moved = {"controller": "c", "frequency": 2, "limits": (0, 1)}
    for rate, fits in ((0.9, True), (1.1, False)):
        rail = {"type": "prismatic", "parent": "world", "child": "b", "point": (0, 0, 0), "axis": (1, 0, 0)}
        if fits:
            fl.Prismatic(**{k: v for k, v in rail.items() if k != "type"}, motion=moved | {"start_rate": rate})
        else:
            with pytest.raises(fl.InvalidInput, match="passes the limit 1"):
                fl.Prismatic(**{k: v for k, v in rail.items() if k != "type"}, motion=moved | {"start_rate": rate})


@pytest.mark.parametrize(
    "law, said",
    [
        (fl.ExpressionController("law.x", {"x": "5*law.x + 1"}), "state 'x' of controller 'law' grows without end"),
        (fl.ExpressionController("law.x", {"x": "3*law.x + 1"}, period=0.01), "state 'x' of controller 'law' grows"),
        (fl.Pid("spin.rate", 1.0, kp=1.0, ki=-9.0), "what is remembered by controller 'law' grows without end"),
    ],
)
def test_a_state_that_runs_away_is_named(law, said):
    """And not the motion, which it drives on, or the work of the actuator, which is larger still."""
    bodies = {"disc": fl.Body(1.0, (0.3, 0.3, 0.5))}
    spin = fl.Revolute("world", "disc", (0, 0, 0), (0, 0, 1), actuator={"controller": "law"})
    model = fl.Model("rotor", bodies, {"spin": spin}, gravity=(0, 0, 0), controllers={"law": law})
    with pytest.raises(NumericalFailure, match=said):
        fl.simulate(model, 300.0, 0.01, progress=False)


def test_a_period_that_no_run_could_keep_is_refused():
    bodies = {"disc": fl.Body(1.0, (0.3, 0.3, 0.5))}
    spin = fl.Revolute("world", "disc", (0, 0, 0), (0, 0, 1), actuator={"controller": "law"})
    law = fl.Pid("spin.rate", 1.0, kp=1.0, period=1e-9)
    model = fl.Model("rotor", bodies, {"spin": spin}, gravity=(0, 0, 0), controllers={"law": law})
    said = (
        r"law\.period: is too short: in 10 s the controller would look 1e\+10 times; give a period of at least 1e-08 s"
    )
    with pytest.raises(InvalidInput, match=said):
        fl.simulate(model, 10.0, 0.01)
