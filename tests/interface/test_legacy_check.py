"""Legacy cases looked at without running them: every problem at once with its line, and nothing dropped unsaid."""

from __future__ import annotations

import re
import warnings
from pathlib import Path

import pytest

import fairlead as fl
from fairlead.errors import InvalidInput
from fairlead.formats.mbdm.back import from_model
from fairlead.formats.mbdm.convert import load_mbdm
from fairlead.model.joints.forces import Actuator, Stop

CASES = Path(__file__).parents[1] / "reference" / "mbdm"
CRANK = (CASES / "slider_crank_kinematic" / "mbdm").read_text()
ALL = ["ground", "spring", "slider_crank_kinematic", "slider_crank_dynamic"]


def case_of(folder: Path, main: str, **companions: str) -> Path:
    folder.mkdir()
    (folder / "mbdm").write_text(main)
    for name, text in companions.items():
        (folder / f"mbdm.expert.{name}").write_text(text)
    return folder


def line_of(text: str, part: str, nth: int = 1) -> int:
    return [number for number, line in enumerate(text.split("\n"), start=1) if part in line][nth - 1]


def companion(case: str, name: str) -> str:
    return (CASES / case / f"mbdm.expert.{name}").read_text()


@pytest.mark.parametrize("name", ALL)
def test_check_finds_the_reference_cases_good(name: str, fairlead):
    """Before, a folder was refused as no YAML."""
    done = fairlead("check", str(CASES / name))
    assert done.returncode == 0 and ": good" in done.stdout, done.stderr
    assert [one for one in fl.check(CASES / name / "mbdm") if one.severity == "error"] == []


def test_errors_of_lines_of_references_and_of_geometry_come_at_once(fairlead, tmp_path: Path):
    """A word for a number (line), IDs out of range in joint and mooring (reference), an axis without direction and an
    inertia no body has (meaning). Before, the first kind hid the others."""
    main = CRANK.replace("mass: 200", "mass: heavy").replace("bodies: 2, 3", "bodies: 2, 9")
    main = main.replace("q1: 2, 0, 1", "q1: 2, 0, 0").replace("I(1,1-3): 35,", "I(1,1-3): -35,")
    mooring = companion("spring", "mooring").replace("body nr: 1", "body nr: 7").replace("4000", "soft")
    mooring = mooring.replace("Stiffness coefficient: 10000.0", "Stiffness coefficient: soft")
    case_of(tmp_path / "case", main, mooring=mooring)
    wanted = [
        ("mbdm", line_of(main, "mass: heavy"), "expected a number"),
        ("mbdm", line_of(main, "I(1,1-3): -35"), "not positive semidefinite"),
        ("mbdm", line_of(main, "q1: 2, 0, 0"), "so there is no axis"),
        ("mbdm", line_of(main, "bodies: 2, 9"), "ID of a body, 1 to 4"),
        ("mbdm.expert.mooring", line_of(mooring, "body nr: 7"), "ID of a body, 1 to 4"),
        ("mbdm.expert.mooring", line_of(mooring, "soft"), "expected a number"),
    ]
    for verb in (("check", "case"), ("mbdm", "case", "none"), ("run", "case"), ("convert", "case", "x.yaml")):
        done = fairlead(*verb)
        assert done.returncode == 3
        said = [line for line in done.stderr.splitlines() if "note:" not in line]
        assert len(said) == len(wanted), done.stderr
        for line, (file, number, words) in zip(said, wanted):
            assert f"/{file}:{number}:" in line and words in line, (verb, line)
    assert not (tmp_path / "x.yaml").exists()


def test_check_says_what_mbdm_would_refuse(fairlead, tmp_path: Path):
    dynamic = (CASES / "slider_crank_dynamic" / "mbdm").read_text()
    case_of(tmp_path / "free", dynamic.replace("Dynamic (1): 1", "Dynamic (1): 0"))
    solvers = companion("coupled", "solvers")
    case_of(tmp_path / "coupled", CRANK, solvers=solvers)
    # A rod of 1 m from the tip at a height of 1.41 m does not reach the slide.
    case_of(tmp_path / "short", CRANK.replace("1.75,", "0.5,"))
    for name, words in {
        "free": r"mbdm:2: dynamic: .* 1 degree of freedom is not",
        "coupled": rf"solvers:{line_of(solvers, 'coupling type')}: .*coupled with HMB and SPH",
        "short": r"mbdm:\d+: joints\.\d: the drawing cannot be assembled",
    }.items():
        done = fairlead("check", name)
        assert done.returncode == 3 and re.search(words, done.stderr), (name, done.stderr)


def test_a_kinematic_case_with_too_few_drivers_is_no_model(fairlead, tmp_path: Path):
    """`fairlead run` simulates, so it would answer another question; Table 25 counts 24, without a driver 23."""
    dynamic = (CASES / "slider_crank_dynamic" / "mbdm").read_text()
    case_of(tmp_path / "free", dynamic.replace("Dynamic (1): 1", "Dynamic (1): 0"))
    done = fairlead("run", "free")
    assert done.returncode == 3 and "mbdm:2: dynamic: " in done.stderr and "remove 23 of 24" in done.stderr


def test_convert_says_what_a_model_does_not_hold(fairlead, tmp_path: Path):
    main = (CASES / "ground" / "mbdm").read_text().replace("tracers every (n) steps: 10", "tracers every (n) steps: 4")
    main = main.replace("t_start: 0", "t_start: 0.5")
    kinds = {"tracers": companion("ground", "tracers"), "parameters": companion("ground", "parameters")}
    kinds["solvers"] = companion("coupled", "solvers").replace("SPH body ID: 2", "SPH body ID: 1")
    case_of(tmp_path / "case", main, **kinds)
    done = fairlead("convert", "case", "case.yaml")
    assert done.returncode == 0, done.stderr
    left = re.findall(r"/([\w.]+):(\d+): ([\w.]+): note: left out:", done.stderr)
    assert left == [
        ("mbdm", str(line_of(main, "Dynamic (1)")), "dynamic"),
        ("mbdm", str(line_of(main, "t_start")), "t_start"),
        ("mbdm", str(line_of(main, "N-R accuracy")), "accuracy"),
        ("mbdm", str(line_of(main, "N-R steps")), "iterations"),
        ("mbdm", str(line_of(main, "Save output")), "save_output"),
        ("mbdm", str(line_of(main, "Save tracers")), "save_tracers"),
        ("mbdm", str(line_of(main, "Save checkpoint")), "save_checkpoint"),
        ("mbdm.expert.tracers", str(line_of(kinds["tracers"], "Tracer group: 1")), "tracers.1"),
        *(("mbdm.expert.parameters", str(n), f"parameters.{name}") for n, name in ((1, "debug"), (2, "timer"))),
        ("mbdm.expert.parameters", "3", "parameters.store_a_matrix"),
        ("mbdm.expert.solvers", str(line_of(kinds["solvers"], "coupling type")), "solvers.coupling"),
    ]
    model = fl.load(tmp_path / "case.yaml")
    assert (model.run.output_every, model.run.dt, model.run.duration) == (2, 0.001, 0.5)  # what YAML can hold


def test_a_model_becomes_legacy_files_with_a_line_for_what_is_left_out(fairlead, tmp_path: Path):
    model = load_mbdm(CASES / "spring")
    run = fl.Run(**{**dict(model.run), "integrator": "dop853", "rtol": 1e-10})
    fl.save(fl.Model(**{**dict(model), "run": run}), tmp_path / "spring.yaml")
    done = fairlead("convert", "spring.yaml", "back")
    assert done.returncode == 0, done.stderr
    assert [line.partition(":")[0] for line in done.stderr.splitlines()] == ["run.integrator", "run.rtol"]


def test_forces_of_joints_are_not_dropped_on_the_way_back():
    """A stop or an actuator changes the motion; before, both were passed over."""
    model = load_mbdm(CASES / "slider_crank_dynamic")
    pin = model.joints["joint 1"]
    for field, word in (("stop", Stop(upper=1.0, stiffness=10.0)), ("actuator", Actuator(5.0))):
        given = {name: getattr(pin, name) for name in pin.model_fields_set} | {field: {"angle": word}}
        joints = {**model.joints, "joint 1": type(pin)(**given)}
        with pytest.raises(InvalidInput, match=f"joints.joint 1.{field}: legacy joints have no '{field}'"):
            from_model(fl.Model(**{**dict(model), "joints": joints}))


def test_entries_that_nothing_uses_are_noted(tmp_path: Path):
    """Section 7.3: unused entries "should be set to 0"; a number there may be meant for something."""
    main = CRANK.replace("r1: 0.78539816339744830962, 0, 0", "r1: 0.78539816339744830962, 0.5, 0")
    main = main.replace("type: ABY\nbodies: 3, 0\np1: 0, 0, 0", "type: ABY\nbodies: 3, 0\np1: 0, 0.2, 0")
    groups = companion("ground", "tracers").replace("Tracer group: 1", "Tracer group: 4")
    case = case_of(tmp_path / "case", main, tracers=groups)
    said = {(one.path, one.severity): one for one in fl.check(case)}
    assert said["joints.4.p1", "note"].message == "ABY does not use p1"
    assert said["joints.4.p1", "note"].line == line_of(main, "p1: 0, 0.2, 0")
    assert said["joints.8.r1", "note"].message == "RDRV does not use r1 beyond its first number"
    assert said["joints.3.r2", "note"].message == "C does not use r2"  # Table 26 itself
    assert "is called 4 but is tracer group 1" in said["tracers.1", "warning"].message


def test_load_warns_of_what_may_be_meant_otherwise(tmp_path: Path):
    case = case_of(tmp_path / "case", CRANK.replace("mass: 200", "mass: 200 lb"))
    with pytest.warns(UserWarning, match="taken as a remark; values are SI"):
        fl.load(case)
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        fl.load(CASES / "slider_crank_kinematic")


def test_crosscheck_takes_a_legacy_case(tmp_path: Path):
    main = (CASES / "spring" / "mbdm").read_text().replace("dt: 1e-3", "dt: 0.05")
    case_of(tmp_path / "case", main, mooring=companion("spring", "mooring"))
    found = fl.crosscheck(fl.load(tmp_path / "case"), formulations=("cloud", "constrained"), patience=600.0)
    assert found.passed, found.table()
