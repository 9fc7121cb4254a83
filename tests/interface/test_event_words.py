"""Events in files: what is wrong with them in one sentence, what a run says of them, and runs killed between them."""

import json

import pytest

import fairlead as fl
from fairlead.results.findings import findings
from fairlead.running import directory as runs
from fairlead.running.events.run import EventRun
from support.disk_runs import assert_same

MODEL = """fairlead: 1
name: two arms
gravity: [0, 0, -9.81]
bodies:
  arm: {mass: 2.0, inertia: [1, 0.3, 1], position: [0, 0, -1.5]}
  tip: {mass: 0.5, inertia: [0.1, 0.1, 0.1], position: [0, 0, -4]}
joints:
  pin: {type: revolute, parent: world, child: arm, point: [0, 0, 0], axis: [0, 1, 0], rate: 1.0}
  wrist: {type: revolute, parent: arm, child: tip, point: [0, 0, -3], axis: [0, 1, 0], locked: true}
loads:
  rope: {type: spring, body: arm, point: [0, 0, -3], anchor: [2, 0, -3], stiffness: 30, damping: 1, length: 1.5}
EVENTS
run: {duration: 12 s, dt: 0.01 s}
"""
CHAIN = """events:
  let go: {at: 2.345 s, release: wrist}
  part: {at: 5 s, cut: rope}
  latch: {when: wrist.angle - 0.2, rising: true, lock: wrist}
  free: {at: 9 s, release: wrist}
  end: {when: t - 11.5, stop: true}"""


def written(tmp_path, events):
    path = tmp_path / "arms.yaml"
    path.write_text(MODEL.replace("EVENTS", events))
    return path


@pytest.mark.parametrize(
    ("event", "said"),
    [
        ("{at: 1 s}", "does nothing; give one of release, lock, cut, add, set, stop"),
        ("{cut: rope}", "needs either 'at', a time, or 'when', a formula that passes zero"),
        ("{at: 1 s, when: pin.angle, cut: rope}", "needs either 'at', a time, or 'when'"),
        ("{at: -1 s, cut: rope}", "must be at least 0"),
        ("{at: 1 s, again: true, cut: rope}", "is of events with 'when'; leave it out"),
        ("{when: pin.angel, cut: rope}", "joint 'pin' has no quantity 'angel'; did you mean 'angle'?"),
        ("{when: pin.angle +, cut: rope}", "expected a number"),
        ("{at: 1 s, cut: roep}", "there is no load 'roep'; did you mean 'rope'?"),
        ("{at: 1 s, lock: pinn}", "there is no joint 'pinn'; did you mean 'pin'?"),
        ("{at: 1 s, lock: pin.turn}", "joint 'pin' has no coordinate 'turn'; known are angle"),
        ("{at: 1 s, rising: false, cut: rope}", "is of events with 'when'; leave it out"),
        ("{at: 1 s, lock: wrist}", "'wrist.angle' is locked already"),
        ("{at: 1 s, release: pin}", "'pin.angle' is free already"),
        ("{at: 1 s, release: wrist, lock: wrist}", "does two opposite things to 'wrist.angle'; keep one"),
        ("{at: 1 s, add: rope, cut: rope}", "does two opposite things to 'rope'; keep one"),
        ("{at: 1 s, set: {bodies.arm.mass: 3}}", "'bodies.arm.mass' is nothing that an event can set"),
        ("{at: 1 s, set: {loads.roep.length: 3}}", "there is no load 'roep'; did you mean 'rope'?"),
        ("{at: 1 s, set: {loads.rope.body: tip}}", "'body' of a load cannot be set by an event"),
        (
            "{at: 1 s, set: {loads.rope.stiffness: 3 m}}",
            "loads.rope.stiffness unit 'm' does not measure what is needed",
        ),
        ("{at: 1 s, set: {loads.rope.stifness: 3}}", "loads.rope.stifness is not a known field here"),
        ("{at: 1 s, set: {joints.pin.rate: 3}}", "'rate' of a joint cannot be set by an event"),
    ],
)
def test_a_mistake_is_one_sentence(tmp_path, event, said):
    problems = fl.check(written(tmp_path, f"events:\n  it: {event}"))
    assert len(problems) == 1 and said in problems[0].message, problems
    assert problems[0].path.startswith("events.it") and problems[0].line


def test_what_only_the_run_can_tell_is_told_before_it_begins(tmp_path):
    wrong = fl.load(written(tmp_path, "events:\n  it: {at: 1 s, set: {loads.rope.stiffness: 3 m}}"))
    with pytest.raises(fl.InvalidInput, match="unit 'm' does not measure what is needed here"):
        fl.simulate(wrong)
    right = fl.load(written(tmp_path, "events:\n  it: {at: 1 s, lock: pin}"))
    for options in ({"formulation": "kane"}, {"integrator": "generalised-alpha", "formulation": "constrained"}):
        with pytest.raises(fl.InvalidInput, match="takes no events"):
            fl.simulate(right, **options)
    water = {"loads.sea": fl.Matrix("arm", (0, 0, 0), added_mass=[1] * 6)}
    with pytest.raises(fl.InvalidInput, match="a lock is a blow, and what a blow does to the added mass of water"):
        fl.simulate(right.with_(water))


def test_one_after_the_end_is_a_note(tmp_path):
    (note,) = fl.check(written(tmp_path, "events:\n  it: {at: 20 s, cut: rope}"))
    assert note.severity == "note" and "comes after the end of the run at 12 s" in note.message


def test_a_file_holds_them(tmp_path):
    model = fl.load(written(tmp_path, CHAIN))
    fl.save(model, tmp_path / "again.yaml")
    assert fl.load(tmp_path / "again.yaml") == model
    assert "let go (at 2.345 s), part (at 5 s), latch (when wrist.angle - 0.2)" in repr(model)
    later = model.with_({"events.part.at": "6 s", "events.latch": None})
    assert later.events["part"].at == 6.0 and "latch" not in later.events


def test_a_run_says_what_happened(tmp_path, fairlead):
    written(tmp_path, CHAIN)
    done = fairlead("run", "arms.yaml", "--out", "a.run")
    assert done.returncode == 0, done.stderr
    said = done.stdout
    for line in ("event 'let go' at t = 2.345 s: released wrist.angle at 0 rad", "event 'part' at t = 5 s: cut rope"):
        assert line in said
    assert "event 'latch' at t = " in said and "locked wrist.angle at 0.2 rad with " in said
    assert "event 'end' at t = 11.5 s: stopped the run" in said


def test_what_did_not_happen_is_said(tmp_path):
    data = fl.simulate(fl.load(written(tmp_path, "events:\n  never: {when: pin.angle - 9, lock: pin}")), 1.0)
    assert findings(data.attrs)[-1] == "events that did not happen: never"


class Killed(BaseException):
    """Ends a run at once, as a kill does."""


WAYS = [{"formulation": "articulated"}, {"formulation": "constrained"}, {"dt": None}]
QUICK = [(0.0, 0), (8.0, 0), (8.0, 1), (4.0, 2)]  # when it is killed and which way
LATER = [(at, way) for at in (0.0, 4.0, 8.0, 10.5) for way in range(3) if (at, way) not in QUICK]


@pytest.mark.parametrize(
    ("at", "options"),
    [(at, WAYS[way]) for at, way in QUICK] + [pytest.param(at, WAYS[way], marks=pytest.mark.slow) for at, way in LATER],
)
def test_a_killed_run_goes_on_to_the_same_bits(tmp_path, monkeypatch, at, options):
    """Killed before, between and after events: what is restored is the variant, its state and what is waited for."""
    model = fl.load(written(tmp_path, CHAIN))
    if options.get("dt", 1) is None:
        model, options = model.with_({"run.dt": None}), {}
    whole = fl.simulate(model, **options)
    order = [one["event"] for one in json.loads(whole.attrs["events"])]
    assert order == ["let go", "latch", "part", "free", "end"] and fl.audit(whole).passed

    def kill(time, end):
        if time > at:
            raise Killed

    monkeypatch.setattr(runs, "COMMIT_SECONDS", -1.0)
    with pytest.raises(Killed):
        fl.simulate(model, **options, out=tmp_path / "a.run", progress=kill)
    resumed = fl.resume(tmp_path / "a.run")
    assert_same(resumed, whole)
    assert resumed.attrs["events"] == whole.attrs["events"]


@pytest.mark.parametrize("adaptive", [False, True])
def test_a_state_restores_in_another_simulation(tmp_path, adaptive):
    """Rows after every chunk boundary are the same bits, on either side of each event."""
    model = fl.load(written(tmp_path, CHAIN))
    options = {"duration": 12.0} | ({} if adaptive else {"dt": 0.01, "formulation": "articulated"})
    one, rows, states = EventRun(model, **options), [], []
    while not one.finished:
        rows.append(one.advance())
        states.append(one.state())
    seen = {len(json.loads(bytes(state["events"].astype("u1")))["log"]) for state in states}
    assert len(seen) > 2  # states between different events
    for k in range(0, len(states) - 1, max(1, len(states) // 12)):
        other = EventRun(model, **options)
        other.restore(states[k])
        assert other.advance().tobytes() == rows[k + 1].tobytes()
