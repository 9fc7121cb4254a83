"""A model from Python is checked as a file is, by everything that takes one; `with_` and `--set` vary one."""

from __future__ import annotations

import copy
import gc
import json
import pickle
from pathlib import Path
from typing import Any

import pytest

import fairlead as fl
from fairlead.formats.check import check_words
from fairlead.formats.yaml.write import to_yaml
from fairlead.model.checks import checked as checking

ROOT = Path(__file__).parents[2]
FILES = sorted([*ROOT.glob("examples/*.yaml"), *ROOT.glob("models/*.yaml")])


def arm(**joint: Any) -> fl.Model:
    """Return one arm on a pin in the world."""
    pin = fl.Revolute("world", "arm", (0, 0, 0), (0, 1, 0), **joint)
    wheel = fl.Wheel((1, 0, 0), 0.01, 3.0)
    bodies = {"arm": fl.Body(2.0, (0.1, 0.2, 0.2), position=(1, 0, 0), wheels=[wheel])}
    return fl.Model(name="arm", bodies=bodies, joints={"pin": pin})


def with_joint(model: fl.Model, **fields: Any) -> fl.Model:
    return model.model_copy(update={"joints": {"pin": model.joints["pin"].model_copy(update=fields)}})


def with_body(model: fl.Model, **fields: Any) -> fl.Model:
    return model.model_copy(update={"bodies": {"arm": model.bodies["arm"].model_copy(update=fields)}})


def changed_in_place(model: fl.Model) -> fl.Model:
    model.bodies["other"] = 5  # type: ignore[assignment]
    return model


# Faults E1 (a name: KeyError before), E2 (a word where a mapping by coordinate stands: the run went without it and
# passed its audit), E3 (misspelt: accepted), E4 (values nobody read), each with the place it must be told at.
WRONG = {
    "E1 name": (lambda: with_joint(arm(), child="amr"), "joints.pin.child", "no body is called 'amr'"),
    "E1 name of a load": (
        lambda: arm().model_copy(update={"loads": {"push": fl.Force("amr", force=(1, 0, 0))}}),
        "loads.push.body",
        "no body is called 'amr'",
    ),
    "E2 actuator": (lambda: with_joint(arm(), actuator=fl.Actuator(1.0)), "joints.pin.actuator", "with_("),
    "E2 motion": (lambda: with_joint(arm(), motion=fl.Rate(1.0)), "joints.pin.motion", "with_("),
    "E2 number": (lambda: with_joint(arm(), damper=2.0), "joints.pin.damper", "with_("),
    "E2 mapping": (
        lambda: arm().model_copy(update={"bodies": {"arm": {"mass": 1, "inertia": [1, 1, 1]}}}),
        "bodies.arm",
        "with_(",
    ),
    "E3 field": (lambda: with_body(arm(), mas=3.0), "bodies.arm.mas", "did you mean 'mass'?"),
    "E3 group": (lambda: arm().model_copy(update={"laods": {}}), "laods", "did you mean 'loads'?"),
    "E3 coordinate": (lambda: with_joint(arm(), damper={"angel": 1.0}), "joints.pin.damper", "angel"),
    "E4 text": (lambda: with_body(arm(), mass="2 t"), "bodies.arm.mass", "with_("),
    "E4 negative": (lambda: with_body(arm(), mass=-2.0), "bodies.arm.mass", "must be greater than 0"),
    "E4 nothing": (lambda: arm().model_copy(update={"bodies": None}), "bodies", "required and missing"),
    "E4 constructed": (lambda: fl.Model.model_construct(name="x", bodies={"a": 1}), "bodies.a", "expected a mapping"),
    "E4 in place": (lambda: changed_in_place(arm()), "bodies.other", "expected a mapping"),
    "E4 inside a constructor": (
        lambda: fl.Model(name="x", bodies={"a": arm().bodies["arm"].model_copy(update={"mass": -1.0})}),
        "bodies.a.mass",
        "must be greater than 0",
    ),
}
TAKERS = {
    "simulate": lambda model, folder: fl.simulate(model, 0.1, 0.1, progress=False),
    "simulate into a directory": lambda model, folder: fl.simulate(model, 0.1, 0.1, out=folder / "x.run"),
    "kinematics": lambda model, folder: fl.kinematics(model, 0.1, 0.1),
    "accelerations": lambda model, folder: fl.accelerations(model),
    "crosscheck": lambda model, folder: fl.crosscheck(model, 0.1, 0.1),
    "save": lambda model, folder: fl.save(model, folder / "x.yaml"),
    "with_": lambda model, folder: model.with_({"name": "other"}),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_model_is_refused_by_everything_that_takes_one(name: str, tmp_path: Path):
    make, path, said = WRONG[name]
    problems = [problem for problem in fl.check(make()) if problem.severity == "error"]
    assert path in {problem.path for problem in problems} and said in " ".join(one.message for one in problems)
    for taker, take in TAKERS.items():
        with pytest.raises(fl.InvalidInput) as refused:
            take(make(), tmp_path)
        assert [str(one) for one in refused.value.problems] == [str(one) for one in problems], taker
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("given", [None, 5, {}, "model.yaml", [arm()]])
def test_what_is_no_model_is_refused_with_a_sentence(given: Any):
    for take in (lambda: fl.simulate(given, 1, 0.1), lambda: fl.accelerations(given), lambda: fl.save(given, "x.yaml")):
        with pytest.raises(fl.InvalidInput, match="expected a model"):
            take()


def test_check_gives_a_problem_for_what_is_neither_model_nor_file():
    assert "expected a model" in fl.check(5)[0].message


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_good_model_read_back_from_its_own_data_is_the_same(file: Path):
    """Reading is the identity on what it made: so nothing good is refused, and what is refused is wrong."""
    model = fl.load(file)
    read, found = checking.examined(model)
    assert read == model and [one for one in found if one.severity == "error"] == []
    assert to_yaml(read) == to_yaml(model)
    copied = model.model_copy(deep=True)
    assert checking.checked(copied) == model


def test_a_plain_copy_with_good_content_runs_as_the_same_model_built_anew():
    model = with_body(arm(damper=0.5), mass=3, position=[1, 0, 0.25])  # whole number and list: read as 3.0 and a tuple
    built = arm(damper=0.5).with_({"bodies.arm.mass": 3.0, "bodies.arm.position": (1, 0, 0.25)})
    one, other = (fl.simulate(which, 0.5, 0.05, progress=False) for which in (model, built))
    assert one.attrs["model_hash"] == other.attrs["model_hash"]  # so a run of it can be resumed from its file
    assert one["position"].equals(other["position"])


def test_a_model_is_read_once_while_it_stays_the_same(monkeypatch: pytest.MonkeyPatch):
    reads = []
    read_data = checking.read_data
    monkeypatch.setattr(checking, "read_data", lambda *given: reads.append(1) or read_data(*given))
    loaded = fl.load(ROOT / "examples/double_pendulum.yaml")
    fl.crosscheck(loaded, 0.02, 0.01, formulations=["articulated", "kane"])
    assert reads == []  # a file has been read
    model = arm(damper=1.0)
    for _ in range(3):
        fl.accelerations(model)
    assert len(reads) == 1
    model.joints["pin"].damper["angle"] = 2.0  # a mapping inside can be changed: then it is another model
    fl.accelerations(model)
    assert len(reads) == 2
    fl.accelerations(model.with_({"joints.pin.damper": 3.0}))
    assert len(reads) == 2


def test_models_that_were_read_compare_copy_pickle_and_die_as_before():
    before = len(checking._SEALS)
    model = arm(spring=2.0)
    checking.checked(model)
    assert model == arm(spring=2.0) and copy.deepcopy(model) == model and pickle.loads(pickle.dumps(model)) == model
    del model
    gc.collect()
    assert len(checking._SEALS) <= before


def test_with_changes_what_its_paths_name_and_leaves_the_model():
    model = fl.load(ROOT / "examples/oc3_hywind_held_rotor.yaml")
    text = to_yaml(model)
    varied = model.with_({"environment.waves.seed": 7, "bodies.tower.mass": "7.7e6 kg", "loads.line 1.length": 850})
    assert (varied.environment.waves.seed, varied.bodies["tower"].mass, varied.loads["line 1"].length) == (
        7,
        7.7e6,
        850,
    )
    assert to_yaml(model) == text and model.environment.waves.seed != 7
    back = varied.with_({"environment.waves.seed": model.environment.waves.seed, "loads.line 1": model.loads["line 1"]})
    assert back.with_({"bodies.tower.mass": model.bodies["tower"].mass}) == model


PATHS: list[tuple[dict[str, Any], Any, Any]] = [
    ({"bodies.arm.position.2": "25 cm"}, lambda m: m.bodies["arm"].position, (1.0, 0.0, 0.25)),
    ({"bodies.arm.wheels.0.speed": "60 rpm"}, lambda m: round(m.bodies["arm"].wheels[0].speed, 6), 6.283185),
    ({"bodies.arm.inertia.xy": 0.01}, lambda m: m.bodies["arm"].inertia[1][0], 0.01),
    ({"bodies.arm.inertia.1": 0.21}, lambda m: m.bodies["arm"].inertia[1][1], 0.21),
    ({"bodies.arm.inertia.1.1": 0.21}, lambda m: m.bodies["arm"].inertia[1][1], 0.21),
    ({"bodies.arm.geometry": fl.Sphere(2.0)}, lambda m: m.bodies["arm"].geometry, (fl.Sphere(2.0),)),
    ({"joints.pin.spring.stiffness": 7}, lambda m: m.joints["pin"].spring["angle"], fl.JointSpring(7.0)),
    ({"joints.pin.spring.angle.rest": 0.1}, lambda m: m.joints["pin"].spring["angle"], fl.JointSpring(5.0, 0.1)),
    ({"joints.pin.spring.rest": "0.1 rad"}, lambda m: m.joints["pin"].spring["angle"], fl.JointSpring(5.0, "0.1 rad")),
    ({"joints.pin.actuator": fl.Actuator(1.0)}, lambda m: m.joints["pin"].actuator, {"angle": fl.Actuator(1.0)}),
    ({"joints.pin.damper.angle": 2}, lambda m: m.joints["pin"].damper, {"angle": 2.0}),
    ({"joints.pin.spring": None}, lambda m: m.joints["pin"].spring, {}),
    ({"run.duration": "5 s", "run.dt": 0.1}, lambda m: (m.run.duration, m.run.dt), (5.0, 0.1)),
    ({"run": {"duration": 5}, "run.dt": 0.1}, lambda m: (m.run.duration, m.run.dt), (5.0, 0.1)),
    ({"bodies.extra": fl.Body(1.0, (1, 1, 1))}, lambda m: list(m.bodies), ["arm", "extra"]),
    (
        {"loads.push": fl.Force("arm", force=(1, 0, 0)), "loads.push.force.2": "sin(t)"},
        lambda m: m.loads["push"].force[2],
        fl.Expression("sin(t)"),
    ),
    (
        {
            "loads.m": {"type": "matrix", "body": "arm", "point": [0, 0, 0], "stiffness": [1] * 6},
            "loads.m.damping": [2] * 6,
        },
        lambda m: m.with_({"loads.m.stiffness.0.5": 3}).loads["m"].stiffness[0],
        (1.0, 0.0, 0.0, 0.0, 0.0, 3.0),
    ),
]


@pytest.mark.parametrize(("changes", "read", "expected"), PATHS, ids=lambda value: "")
def test_paths_reach_every_part_in_the_words_of_the_file(changes: dict[str, Any], read: Any, expected: Any):
    model = arm(spring=5.0)
    assert read(model.with_(changes)) == expected
    assert model == arm(spring=5.0)


def test_with_none_takes_an_element_out_and_keeps_functions_of_python():
    def push(t: float, motion: Any) -> list[float]:
        return [0.0] * 6

    model = arm().with_({"loads.push": fl.Force("arm", function=push), "loads.pull": fl.Force("arm", force=(1, 0, 0))})
    varied = model.with_({"loads.pull": None, "bodies.arm.mass": 4})
    assert list(varied.loads) == ["push"] and varied.loads["push"].function is push


REFUSED: list[tuple[Any, str, str]] = [
    ({"bodies.amr.mass": 1}, "bodies.amr", "no body of that name; did you mean 'arm'?"),
    ({"bodies.arm.mas": 1}, "bodies.arm.mas", "did you mean 'mass'?"),
    ({"bodies.arm.mas": None}, "bodies.arm.mas", "did you mean 'mass'?"),
    ({"bodis.arm.mass": 1}, "bodis", "did you mean 'bodies'?"),
    ({"bodis": 1}, "bodis", "did you mean 'bodies'?"),
    ({"loads.push": None}, "loads.push", "no load of that name"),
    ({"joints.pin.springs.stiffness": 1}, "joints.pin.springs", "did you mean 'spring'?"),
    ({"joints.pin.spring.stifness": 1}, "joints.pin.spring.stifness", "did you mean 'stiffness'?"),
    ({"joints.pin.child": "amr"}, "joints.pin.child", "no body is called 'amr'"),
    ({"bodies.arm.position.3": 1}, "bodies.arm.position", "the list has 3, counted from 0"),
    ({"bodies.arm.position.z": 1}, "bodies.arm.position", "the list has 3, counted from 0"),
    ({"bodies.arm.mass.kg": 1}, "bodies.arm.mass", "has no parts"),
    ({"bodies.arm.position.0": None}, "bodies.arm.position.0", "cannot be taken out"),
    ({"bodies.arm.mass": None}, "bodies.arm.mass", "required and missing"),
    ({"bodies.arm.mass": "2 m"}, "bodies.arm.mass", "does not measure"),
    ({"bodies.arm": fl.Body(1.0, (1, 1, 1)).model_copy(update={"mas": 1})}, "bodies.arm.mas", "did you mean 'mass'?"),
    ({"environment.waves.seed": 1}, "environment.waves", "'type'"),
    ({"fairlead": 2}, "fairlead", "unknown version"),
    ({"a..b": 1}, "", "is not a path"),
    ({"": 1}, "", "is not a path"),
    ({3: 1}, "", "is not a path"),
    (["bodies"], "", "expected a mapping from paths to values"),
]


@pytest.mark.parametrize(("changes", "path", "said"), REFUSED, ids=lambda value: "")
def test_a_wrong_change_is_one_sentence_that_names_the_path(changes: Any, path: str, said: str):
    with pytest.raises(fl.InvalidInput) as refused:
        arm(spring=5.0).with_(changes)
    (problem,) = refused.value.problems
    assert problem.path == path and said in problem.message


def test_set_on_the_command_line_is_with_in_python(fairlead, two_bodies: Path):
    """The same paths, the value read as YAML; what ran is in the directory's own model file."""
    path = two_bodies
    body = next(iter(fl.load(path).bodies))
    words = ("--set", f"bodies.{body}.mass=5 kg", "--set", "run.duration=0.5", "--set", "run={duration: 0.4, dt: 0.1}")
    assert fairlead("run", "two.yaml", *words).returncode in (0, 1)
    model = fl.load(path).with_({f"bodies.{body}.mass": "5 kg", "run": {"duration": 0.4, "dt": 0.1}})
    assert fl.load(path.parent / "two.run" / "model.yaml") == model
    assert fairlead("check", "two.yaml", "--set", f"bodies.{body}.mass=6").returncode == 0
    assert fairlead("crosscheck", "two.yaml", "--patience", "600", "--set", "run.duration=0.1").returncode == 0


def test_a_wrong_set_is_refused_by_every_verb_that_reads_a_model(fairlead, two_bodies: Path):
    for verb in ("run", "check", "kinematics", "crosscheck"):
        for words, said in (
            ("bodies.amr.mass=1", "bodies.amr: there is no body of that name"),
            ("run.dt=[1", "run.dt: is not valid YAML"),
            ("run.dt=5 kg", "run.dt: unit 'kg'"),
            ("run.dt=", "run.dt: is set to nothing"),
            ("run.dt", "--set: expected PATH=VALUE"),
        ):
            done = fairlead(verb, "two.yaml", "--set", words)
            assert done.returncode == 3 and said in done.stderr and len(done.stderr.splitlines()) == 1, done.stderr
    assert list(two_bodies.parent.iterdir()) == [two_bodies]


def test_times_are_numbers_or_texts_with_units(tmp_path: Path):
    """E5: `fl.simulate(model, '5 s', '1 ms')` was refused as no number."""
    model = arm()
    plain = fl.simulate(model, 0.05, 0.001, progress=False)
    said = fl.simulate(model, "50 ms", "1 ms", progress=False)
    assert said.drop_attrs().equals(plain.drop_attrs()) and float(said["time"][-1]) == 0.05
    assert fl.accelerations(model, "1 ms")["position"].equals(fl.accelerations(model, 0.001)["position"])
    assert list(fl.simulate(model, "0.05 s", "1 ms", interval="25 ms", progress=False)["time"].values) == [
        0,
        0.025,
        0.05,
    ]
    for options, path in ((("5 kg", 0.1), "duration"), ((1, "1"), "dt"), ((1, 2), "dt"), ((True, 0.1), "duration")):
        with pytest.raises(fl.InvalidInput) as refused:
            fl.simulate(model, *options)
        assert [problem.path for problem in refused.value.problems] == [path]


def test_functions_of_results_take_run_directories_and_files(tmp_path: Path):
    """E6: a directory was a PermissionError or an unknown kind of file; `open_result` and `plot` were not public."""
    model = fl.load(ROOT / "examples/six_body_free.yaml")
    data, spin = fl.simulate(model, 0.4, 0.1, out=tmp_path / "x.run", progress=False), "spin"
    for place in (tmp_path / "x.run", str(tmp_path / "x.run"), tmp_path / "x.run" / "result.nc"):
        assert fl.open_result(place)["position"].equals(data["position"])
        assert fl.audit(place).to_dict() == fl.audit(data).to_dict()
        assert fl.internal_loads(place, spin).equals(fl.internal_loads(data, spin))
        assert fl.gyroscopic_moments(place, spin).equals(fl.gyroscopic_moments(data, spin))
        assert fl.channels(place).equals(fl.channels(data))
        fl.write_outb(place, tmp_path / "x.outb")
        fl.write_outb(data, tmp_path / "y.outb")
        assert (tmp_path / "x.outb").read_bytes() == (tmp_path / "y.outb").read_bytes()
    assert fl.plot(place, tmp_path / "x.png").get_axes() and (tmp_path / "x.png").stat().st_size > 0


def test_a_directory_without_a_result_is_told_so(tmp_path: Path):
    for take in (fl.audit, fl.open_result, fl.channels, fl.plot, fl.internal_loads):
        with pytest.raises(fl.FilesFailure, match=r"has neither result\.nc nor run\.json"):
            take(tmp_path)
        with pytest.raises(fl.FilesFailure):
            take(tmp_path / "absent.nc")
        with pytest.raises(fl.InvalidInput, match="expected a Dataset, a run directory or a file"):
            take(5)


def test_check_of_words_never_raises_on_what_python_can_hold():
    for make, path, _ in WRONG.values():
        assert path in {problem.path for problem in check_words(make())}
    assert json.dumps([vars(problem) for problem in fl.check(WRONG["E2 actuator"][0]())])


def test_a_run_without_dt_says_that_it_chooses_its_steps(fairlead, two_bodies: Path):
    done = fairlead("run", "two.yaml", "--set", "run.dt=null", "--duration", "2 s")
    assert done.returncode == 0, done.stderr
    assert "2 s by dop853 in steps it chooses, recorded every 0.002 s" in done.stdout
    options = json.loads((two_bodies.parent / "two.run" / "run.json").read_text())["options"]
    assert (options["integrator"], options["dt"], options["output_every"]) == ("dop853", 0.002, 1)
    with fl.open_result(two_bodies.parent / "two.run") as data:
        assert data.sizes["time"] == 1001 and data.attrs["rtol"] == 1e-9
    refused = fairlead("run", "two.yaml", "--set", "run.dt=null", "--integrator", "rk4", "-o", "other.run")
    assert refused.returncode == 3 and "dt: is required with integrator 'rk4'" in refused.stderr


def test_a_model_forgotten_at_the_end_of_the_interpreter_says_nothing(monkeypatch):
    """Globals are gone before the last models are; the callback that forgets them must not need any."""
    import gc
    import sys

    from fairlead.model.checks import checked as module

    model = fl.Model("one", {"body": fl.Body(1, (1, 1, 1))})
    module.checked(model)
    said = []
    monkeypatch.setattr(sys, "unraisablehook", said.append)
    monkeypatch.setattr(module, "_SEALS", None)
    del model
    gc.collect()
    assert said == []


def test_entries_of_a_list_that_the_file_leaves_out_are_set_by_number():
    """A list that is not written has its default; before, the answer was "got {'0': 3}", which nobody wrote."""
    model = arm().with_({"bodies.arm.velocity.0": "3 km/s", "gravity.2": -1.62})
    assert model.bodies["arm"].velocity == (3000.0, 0.0, 0.0) and model.gravity == (0.0, 0.0, -1.62)
    with pytest.raises(fl.InvalidInput, match=r"^bodies.arm.orientation: is not given, so it has no entries"):
        arm().with_({"bodies.arm.orientation.0": 1})


@pytest.mark.parametrize("dt", [1e-14, 1e-320])
def test_a_step_that_never_comes_to_an_end_is_refused(dt):
    """1e-320 s made infinitely many steps, an internal fault; 1e-14 s is a slip as well."""
    with pytest.raises(fl.InvalidInput, match=r"^dt: is too small: 1 s have more than 1e\+13 of "):
        fl.simulate(arm(), 1, dt)


def test_a_record_that_has_no_room_is_refused_before_it_fills_memory_or_disk(tmp_path):
    """1e12 instants are more than any machine here holds; before, a run wrote 42 GB in nine minutes without a word."""
    with pytest.raises(fl.InvalidInput, match=r"record of 1e\+12 instants takes .* GB of memory.* record less often"):
        fl.simulate(arm(), 1, 1e-12)
    with pytest.raises(fl.FilesFailure, match=r"record of 1e\+12 instants takes .* GB on disk.* record less often"):
        fl.simulate(arm(), 1, 1e-12, out=tmp_path / "a.run")
    assert not list(tmp_path.iterdir())
