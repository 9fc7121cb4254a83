"""Legacy MBDM files: what people's files contain is read, what is wrong is named with its line, and nothing is lost."""

from __future__ import annotations

import math
import re
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import fairlead as fl
from fairlead.errors import FilesFailure, InvalidInput
from fairlead.formats.mbdm.back import from_model
from fairlead.formats.mbdm.case import MbdmBody, MbdmCase, MbdmJoint, MooringLine, Parameters, TracerGroup
from fairlead.formats.mbdm.convert import load_mbdm, names_of, to_model
from fairlead.formats.mbdm.files import read_case, read_main, read_mbdm, read_mooring, read_solvers, read_tracers
from fairlead.formats.mbdm.left import left_out_of_case
from fairlead.formats.mbdm.write import solvers_text, write_mbdm
from fairlead.model.joints.geometry import rotation_of

REFERENCE = Path(__file__).parents[1] / "reference" / "mbdm"
CASES = ["ground", "spring", "slider_crank_kinematic", "slider_crank_dynamic"]
NUMBER = re.compile(r"(?<![\w.])[-+]?\d+\.?\d*(?:[eE][-+]?\d+)?(?![\w.])")
SPRING = (REFERENCE / "spring" / "mbdm").read_text()
CRANK = (REFERENCE / "slider_crank_kinematic" / "mbdm").read_text()


def written(folder: Path, text: str | bytes, name: str = "mbdm") -> Path:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def line_of(text: str, part: str, nth: int = 1) -> int:
    lines = [number for number, line in enumerate(text.split("\n"), start=1) if part in line]
    return lines[nth - 1]


def numbers_as_values(text: str) -> str:
    """Return a text with every number in one spelling; names of keys keep theirs."""
    return NUMBER.sub(lambda match: repr(float(match.group())), text)


@pytest.mark.parametrize("name", CASES)
def test_reference_cases_read_without_remarks_and_round_trip(name: str, tmp_path: Path):
    case, problems = read_mbdm(REFERENCE / name)
    assert problems == []
    assert case is not None
    paths = write_mbdm(case, tmp_path)
    again, problems = read_mbdm(tmp_path)
    assert (again, problems) == (case, [])
    for path in paths:
        assert numbers_as_values(path.read_text()) == numbers_as_values((REFERENCE / name / path.name).read_text())
    assert {path.name for path in paths} == {path.name for path in (REFERENCE / name).iterdir()}


def test_coupled_solvers_read_and_round_trip(tmp_path: Path):
    solvers, problems = read_solvers(REFERENCE / "coupled" / "mbdm.expert.solvers")
    assert problems == []
    assert solvers is not None
    assert (solvers.hmb_cores, solvers.sph_cores, solvers.coupling) == (16, 32, 0)
    assert solvers.hmb_arguments == "st uns none checkpoint/DTU_11ms_uns"
    assert (solvers.radius, solvers.hmb_every, solvers.spoolup) == (89.1, 100, 120.0)
    text = solvers_text(solvers)
    original = (REFERENCE / "coupled" / "mbdm.expert.solvers").read_text()
    assert numbers_as_values(text) == numbers_as_values(original)
    assert read_solvers(written(tmp_path, text))[0] == solvers


def test_companions_are_found_beside_a_renamed_main_file(tmp_path: Path):
    for path in (REFERENCE / "spring").iterdir():
        (tmp_path / path.name.replace("mbdm", "buoy")).write_text(path.read_text())
    assert read_case(tmp_path) == read_case(REFERENCE / "spring")
    assert read_case(tmp_path / "buoy").mooring == read_case(REFERENCE / "spring").mooring
    assert load_mbdm(tmp_path / "buoy").loads.keys() == {"Mooring 1"}


def test_a_directory_without_a_main_file_is_said(tmp_path: Path):
    with pytest.raises(FilesFailure, match="no main file 'mbdm'"):
        read_case(tmp_path)
    with pytest.raises(FilesFailure, match="there is no file"):
        read_case(tmp_path / "mbdm")


# What real files contain: each change leaves the case as it was. (text of the change, severity of a remark or none)
ACCEPTED = {
    "value on the next line": (lambda t: t.replace("angles (1-2-3 notation): 0, 0, 0.7", "angles: 0, 0,\n0.7"), []),
    "value after the key alone": (lambda t: t.replace("mass: 200", "mass:\n  200"), []),
    "no blank lines": (lambda t: re.sub(r"\n\n+", "\n", t), []),
    "many blank lines": (lambda t: t.replace("\n", "\n\n"), []),
    "repeated key": (lambda t: t.replace("type: ABY", "type: ABX\ntype: ABY"), ["warning"]),
    "marked remark": (lambda t: t.replace("mass: 200", "mass: 200  # with 2 bolts: steel"), []),
    "Fortran remark": (lambda t: t.replace("mass: 200", "mass: 200 ! kg"), []),
    "plain remark": (lambda t: t.replace("mass: 35", "mass: 35   Mass of the body [kg]."), ["note"]),
    "something like a unit": (lambda t: t.replace("mass: 35", "mass: 35 kg"), ["warning"]),
    "remark lines and rules": (lambda t: "# by hand\n====\n" + t, []),
    "Windows line ends": (lambda t: t.replace("\n", "\r\n"), []),
    "old Mac line ends": (lambda t: t.replace("\n", "\r"), []),
    "byte-order mark": (lambda t: "\ufeff" + t, []),
    "tabs": (lambda t: t.replace(": ", ":\t").replace(", ", ",\t\t"), []),
    "other spacing": (lambda t: t.replace("N-R accuracy:", "  n-r   Accuracy  :").replace("t_end", "T End"), []),
    "no commas": (lambda t: t.replace("r: 3.0152, 0.7066, 0.0", "r: 3.0152 0.7066 0.0"), []),
    "Fortran exponents": (lambda t: t.replace("mass: 200", "mass: 0.2D+03").replace("dt: 0.001", "dt: 1.d-3"), []),
    "brackets left out": (lambda t: t.replace(" (including drivers)", "").replace(" (1-2-3 notation)", ""), []),
    "lost title": (lambda t: t.replace("Body 2\n", "").replace("Joint 5\n", ""), ["warning", "warning"]),
    "lost first title": (lambda t: t.replace("Body 1\n", ""), ["warning"]),
    "other title": (lambda t: t.replace("Joint 5\n", "Joint 9\n"), ["warning"]),
    "name without a key": (lambda t: t.replace("Name: ", "", 1), ["warning"]),
    "titles with remarks": (lambda t: t.replace("Body 2\n", "Body 2    IDs are assigned: automatically\n"), []),
    "small letters": (lambda t: t.replace("type: RDRV", "type: rdrv"), []),
}


@pytest.mark.parametrize("change", ACCEPTED)
def test_what_real_files_contain_is_read(change: str, tmp_path: Path):
    edit, severities = ACCEPTED[change]
    text = edit(CRANK)
    assert text != CRANK
    case, problems = read_main(written(tmp_path, text))
    assert case == read_main(REFERENCE / "slider_crank_kinematic" / "mbdm")[0], "\n".join(map(str, problems))
    assert [problem.severity for problem in problems] == severities


def test_a_repeated_key_names_both_lines(tmp_path: Path):
    text = CRANK.replace("type: ABY", "type: ABX\ntype: ABY")
    _, problems = read_main(written(tmp_path, text))
    first = line_of(text, "type: ABX")
    assert problems[0].line == first + 1
    assert f"lines {first}, {first + 1}; the last one counts" in problems[0].message


# What is wrong: (change, text of the line the problem must name, words of the sentence, path)
REFUSED = {
    "comma decimal": (("mass: 200", "mass: 200,5"), "mass: 200,5", "point, not a comma", "bodies.1.mass"),
    "comma decimals in a vector": (
        ("r: 3.0152, 0.7066, 0.0", "r: 3,0152, 0,7066, 0,0"),
        "r: 3,0152",
        "point, not a comma",
        "bodies.2.r",
    ),
    "too few numbers": (("v: 0, 0, 0", "v: 0, 0"), "v: 0, 0", "expected 3 numbers, got 2", "bodies.1.v"),
    "too many numbers": (("v: 0, 0, 0", "v: 0, 0, 0, 4"), "v: 0, 0, 0, 4", "expected 3 numbers, got 4", "bodies.1.v"),
    "not a number": (("mass: 200", "mass: heavy"), "mass: heavy", "expected a number, got 'heavy'", "bodies.1.mass"),
    "letters for digits": (("mass: 200", "mass: 2OO"), "mass: 2OO", "expected a number, got '2OO'", "bodies.1.mass"),
    "not finite": (("mass: 200", "mass: NaN"), "mass: NaN", "not finite", "bodies.1.mass"),
    "infinite": (("t_end: 1", "t_end: -Inf"), "t_end: -Inf", "not finite", "t_end"),
    "too large": (("mass: 200", "mass: 1e400"), "mass: 1e400", "too large", "bodies.1.mass"),
    "no mass": (("mass: 200", "mass: 0"), "mass: 0", "greater than 0", "bodies.1.mass"),
    "no step": (("dt: 0.001", "dt: 0"), "dt: 0", "greater than 0", "dt"),
    "end before start": (("t_start: 0", "t_start: 2"), "t_end: 1", "later than t_start = 2", "t_end"),
    "half a body": (("Number of bodies: 4", "Number of bodies: 3.5"), "bodies: 3.5", "whole number", "bodies"),
    "more bodies than said": (("Number of bodies: 4", "Number of bodies: 3"), "bodies: 3", "is 3 but 4 are", "bodies"),
    "fewer joints than said": (("drivers): 8", "drivers): 9"), "drivers): 9", "is 9 but 8 are given", "joints"),
    "unknown joint type": (("type: ABZ", "type: RDVR"), "type: RDVR", "did you mean 'RDRV'?", "joints.5.type"),
    "body ID too large": (("bodies: 1, 2", "bodies: 1, 5"), "bodies: 1, 5", "1 to 4; got 5", "joints.2.bodies"),
    "body ID zero": (("bodies: 1, 2", "bodies: 1, 0"), "bodies: 1, 0", "1 to 4; got 0", "joints.2.bodies"),
    "body with itself": (("bodies: 1, 2", "bodies: 2, 2"), "bodies: 2, 2", "with itself", "joints.2.bodies"),
    "missing key": (("omega: 0, 0, 0\nmass: 35\n", "mass: 35\n"), "Body 2", "expected 'omega: ...'", "bodies.2.omega"),
    "missing key in the head": (("dt: 0.001\n", ""), "Name:", "expected 'dt: ...' in the head", "dt"),
    "unknown key": (("mass: 200", "mas: 200"), "mas: 200", "did you mean 'mass'?", ""),
    "key of another block": (("mass: 200", "mass: 200\ndt: 1"), "dt: 1", "not a key of body 1", ""),
    "two keys in a line": (
        ("omega: 0, 0, 0\nmass: 35\n", "omega: 0, 0, 0 mass: 35\n"),
        "omega: 0, 0, 0 mass: 35",
        "'mass:' follows in the same line",
        "bodies.2.omega",
    ),
    "two keys after a name": (
        ("name: slider\nangles", "name: slider angles"),
        "name: slider angles",
        "follows in the same line",
        "bodies.3.name",
    ),
    "swallowed remark": (("mass: 200", "mass: 200\nsee the drawing"), "see the drawing", "expected 'key: value'", ""),
    "kind of analysis": (("Dynamic (1): 0", "Dynamic (1): 2"), "Dynamic (1): 2", "from 0 to 1", "dynamic"),
    "value without value": (("mass: 200", "mass:"), "mass:", "expected a number, got none", "bodies.1.mass"),
}


@pytest.mark.parametrize("fault", REFUSED)
def test_faults_are_named_with_their_line(fault: str, tmp_path: Path):
    (old, new), where, words, path = REFUSED[fault]
    assert old in CRANK
    text = CRANK.replace(old, new, 1)
    file = written(tmp_path, text)
    case, problems = read_main(file)
    assert case is None
    lines = text.split("\n")
    found = [p for p in problems if p.severity == "error" and where in lines[p.line - 1] and words in p.message]
    assert found, "\n".join(map(str, problems))
    assert found[0].path == path
    assert found[0].file == str(file)


def test_all_problems_come_at_once(tmp_path: Path):
    text = CRANK.replace("mass: 200", "mass: x").replace("type: ABZ", "type: Q").replace("dist: 6.28", "dist: ,6.28;")
    text = text.replace("Number of bodies: 4", "Number of bodies: 7")
    with pytest.raises(InvalidInput) as error:
        read_case(written(tmp_path, text))
    lines = [problem.line for problem in error.value.problems]
    wanted = [line_of(text, part) for part in ("Number of bodies", "mass: x", "type: Q")]
    assert lines == wanted == sorted(wanted)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "is empty"),
        (b"Name: a\n\x00\x01", "control character"),
        (b"\xff\xfe\x00M", "UTF-8"),
        (b"\x7fELF\x02\x01\x01\x00\x00", "control character"),
    ],
)
def test_files_that_are_no_texts_are_refused(content: bytes, words: str, tmp_path: Path):
    case, problems = read_main(written(tmp_path, content))
    assert case is None
    assert words in problems[0].message


def test_a_huge_file_is_refused_before_it_is_read(tmp_path: Path):
    path = tmp_path / "mbdm"
    with open(path, "wb") as stream:
        stream.truncate(64_000_001)
    case, problems = read_main(path)
    assert case is None
    assert "64000001 bytes" in problems[0].message


def test_problems_of_a_hostile_file_are_bounded(tmp_path: Path):
    case, problems = read_main(written(tmp_path, "Name: x\n" + "wrong: 1\n" * 200_000))
    assert case is None
    assert len(problems) < 2000


def test_companions_name_their_own_lines(tmp_path: Path):
    case = read_case(REFERENCE / "spring")
    mooring = (REFERENCE / "spring" / "mbdm.expert.mooring").read_text()
    written(tmp_path, SPRING)
    wrong = mooring.replace("body nr: 1", "body nr: 2").replace("lines: 1", "lines: 3").replace("Damping", "Dumping")
    path = written(tmp_path, wrong, "mbdm.expert.mooring")
    found, problems = read_mbdm(tmp_path)
    assert found is None
    messages = {(problem.line, problem.message) for problem in problems}
    assert (1, "'Number of mooring lines' is 3 but 1 are given") in messages
    assert (10, "'Dumping coefficient' is not a known key; did you mean 'Damping coefficient'?") in messages
    assert all(problem.file == str(path) for problem in problems)
    written(tmp_path, mooring.replace("body nr: 1", "body nr: 2"), "mbdm.expert.mooring")
    _, problems = read_mbdm(tmp_path)
    assert [(p.line, p.path) for p in problems] == [(4, "mooring.1.body")]
    assert "1 to 1; got 2" in problems[0].message
    assert case.mooring[0].stiffness == 10_000


def test_mooring_lines_have_any_name_and_no_blank_lines(tmp_path: Path):
    entry = (REFERENCE / "spring" / "mbdm.expert.mooring").read_text().split("\n", 3)[3]
    text = "Number of mooring lines: 2\nfront, left\n" + entry + "aft\n" + entry
    lines, problems = read_mooring(written(tmp_path, text))
    assert problems == []
    assert lines is not None
    assert [line.name for line in lines] == ["front, left", "aft"]


def test_tracers_must_be_as_many_as_said(tmp_path: Path):
    text = (REFERENCE / "ground" / "mbdm.expert.tracers").read_text()
    groups, problems = read_tracers(written(tmp_path, text.replace("tracers: 8", "tracers: 7")))
    assert groups is None
    assert [(p.line, p.path) for p in problems] == [(5, "tracers.1.count")]
    groups, problems = read_tracers(written(tmp_path, text.replace("1, 1, -1", "1, 1")))
    assert groups is None
    assert [(p.line, p.path) for p in problems] == [(8, "tracers.1.tracers.3"), (9, "tracers.1.tracers.4")]


def test_the_slider_crank_in_our_words():
    model, problems = to_model(read_case(REFERENCE / "slider_crank_kinematic"))
    assert list(model.bodies) == ["crank", "rod", "slider", "ground"]
    assert model.gravity == (0.0, 0.0, -9.81)
    kinds = [joint.type for joint in model.joints.values()]
    assert kinds == ["revolute", "revolute", "cylindrical", "absolute-y", "absolute-z", "ground", "relative-angle"]
    pin = model.joints["joint 2"]
    assert (pin.parent, pin.child, pin.parent_point, pin.child_point) == ("crank", "rod", (2, 0, 0), (-1.75, 0, 0))
    assert pin.parent_axis == pin.child_axis == (0, 0, 1)
    # The driver names ground then crank, the joint crank then ground: its angle runs the other way.
    motion = model.joints["joint 1"].motion["angle"]
    assert (motion.value, motion.start) == pytest.approx((-2 * math.pi, -math.pi / 4), rel=1e-15)
    # No joint joins ground and slider: the driver holds one angle between them (Table 25, joint 7).
    held = model.joints["joint 7"]
    assert (held.parent, held.child, held.axis, held.child_axis2) == ("ground", "slider", (0, 0, 1), (1, 0, 0))
    assert held.motion["angle"].value == 0
    assert model.run is not None
    assert (model.run.duration, model.run.dt, model.run.output_every) == (1.0, 0.001, 1)
    assert [p.path for p in problems if p.severity != "note"] == []


def test_the_slider_crank_runs_as_its_geometry_says():
    """Crank 2 m, rod 3.5 m, one turn per second from 45 degrees: x = 2 cos + sqrt(3.5^2 - (2 sin)^2)."""
    data = fl.simulate(load_mbdm(REFERENCE / "slider_crank_kinematic"), progress=False)
    angle = math.pi / 4 + 2 * math.pi * data["time"].values
    x = 2 * np.cos(angle) + np.sqrt(3.5**2 - (2 * np.sin(angle)) ** 2)
    # The assembly closes joints to 1e-11, and the worst slope of x over the gap is of order one.
    assert np.abs(data["position"].sel(body="slider", xyz="x").values - x).max() < 1e-9


def test_the_body_on_a_spring_follows_the_note():
    """MBDM note Eq. 93a, with k = 10000 N/m, m = 60 kg, g = 9.81 m/s2."""
    data = fl.simulate(load_mbdm(REFERENCE / "spring"), progress=False)
    z = -60 * 9.81 / 1e4 * (1 - np.cos(math.sqrt(1e4 / 60) * data["time"].values))
    # RK4: t w^5 dt^4 / 120 of the amplitude 0.06 m is 2e-10 m.
    assert np.abs(data["position"].values[:, 0, 2] - z).max() < 1e-9


@pytest.mark.parametrize("angles", [(0.3, -0.7, 1.9), (3.0, 1.2, -2.5), (0.1, math.pi / 2, 0.4)])
def test_legacy_angles_are_rz_ry_rx(angles: tuple[float, float, float]):
    """MBDM note section 7.2: A = Rz(c) Ry(b) Rx(a); scipy's extrinsic 'xyz' is the same product, written by others."""
    case = one_body(MbdmBody("b", angles, (0, 0, 0), (0, 0, 0), (0, 0, 0), 1.0, UNIT))
    model, _ = to_model(case)
    R = rotation_of(model.bodies["b"])
    assert np.abs(R - Rotation.from_euler("xyz", angles).as_matrix()).max() < 1e-14
    a, b, c = angles
    by_hand = Rotation.from_rotvec([0, 0, c]) * Rotation.from_rotvec([0, b, 0]) * Rotation.from_rotvec([a, 0, 0])
    assert np.abs(R - by_hand.as_matrix()).max() < 1e-14
    assert np.abs(R - Rotation.from_euler("XYZ", angles).as_matrix()).max() > 1e-2  # not body-fixed 1-2-3


UNIT = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


def plain_body(name: str, r=(0.0, 0.0, 0.0), angles=(0.0, 0.0, 0.0)) -> MbdmBody:
    return MbdmBody(name, angles, r, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), 1.0, UNIT)


def one_body(*bodies: MbdmBody, **more) -> MbdmCase:
    head = {"name": "c", "dynamic": True, "t_start": 0.0, "t_end": 1.0, "dt": 0.01, "accuracy": 1e-8, "iterations": 100}
    return MbdmCase(**head, save_output=2, save_checkpoint=0, save_tracers=3, bodies=bodies, **more)


def test_names_become_legal_and_unique():
    bodies = [plain_body(name) for name in ("6dof_body", "Ärm/1", "crank", "Crank", "world")]
    line = MooringLine("crank", 1, (0, 0, 1), (0, 0, 0), (0, 0, 0), 1.0, 1.0, 0.0)
    names = names_of(one_body(*bodies, mooring=(line,)))
    assert names.bodies == ("body 6dof_body", "body _rm_1", "crank", "Crank 2", "world 2")
    assert names.lines == ("crank 3",)
    model, problems = to_model(one_body(*bodies, mooring=(line,)))
    assert list(model.bodies) == list(names.bodies)
    assert sum("it becomes" in problem.message for problem in problems) == 4


def test_held_bodies_are_drawn_where_they_are_held():
    half = math.sqrt(0.5)
    joints = (
        MbdmJoint("G", (1, 0), p1=(1.0, 2.0, 3.0), q1=(0.0, 0.0, half)),
        MbdmJoint("ABA", (2, 0), q1=(half, 0.0, 0.0)),
        MbdmJoint("ABX", (3, 0), dist=5.0),
    )
    turned = plain_body("b", angles=(1.5 * math.pi, 0.0, 0.0))  # 270 degrees has the same e1 as 90: the nearer counts
    model, problems = to_model(one_body(plain_body("a"), turned, plain_body("c"), joints=joints))
    assert model.bodies["a"].position == (1.0, 2.0, 3.0)
    assert rotation_of(model.bodies["a"]) == pytest.approx(np.array([[0, -1, 0], [1, 0, 0], [0, 0, 1]]), abs=1e-15)
    assert rotation_of(model.bodies["b"]) == pytest.approx(np.array([[1, 0, 0], [0, 0, 1], [0, -1, 0]]), abs=1e-15)
    assert model.joints["joint 3"].motion["x"].start == 5.0
    assert [p.path for p in problems if p.severity == "warning"] == ["joints.1"]


def test_mooring_correction_is_kept_out_with_a_warning():
    line = MooringLine("m", 1, (0, 0, 9), (1, 0, 0), (0, 0, 0.5), 2.0, 3.0, 0.1)
    model, problems = to_model(one_body(plain_body("b", (0, 0, 5), (0, 0, math.pi / 2)), mooring=(line,)))
    assert model.loads["m"].point == pytest.approx((0, 1, 5), abs=1e-15)
    assert [p.path for p in problems if p.severity == "warning"] == ["mooring.1.correction"]
    assert model.loads["m"].tension_only is False


def test_run_records_what_output_and_tracers_ask_for():
    run = to_model(one_body(plain_body("b")))[0].run
    assert run is not None
    assert run.output_every == 1  # every second and every third step


def test_drivers_turn_by_order_and_axis():
    pair = (plain_body("a"), plain_body("b", (1, 0, 0)))
    pin = MbdmJoint("R", (1, 2), q1=(0, 0, -1), r1=(1, 0, 0), p2=(-1, 0, 0), q2=(-1, 0, 1))
    for bodies, axis, sign in (((1, 2), 1, -1), ((2, 1), 1, 1), ((1, 2), -1, 1), ((2, 1), -1, -1)):
        driver = MbdmJoint("RDRV", bodies, p1=(1, 0, 0), q1=(0, 0, axis), r1=(0.5, 0, 0), p2=(1, 0, 0), dist=2.0)
        model, _ = to_model(one_body(*pair, joints=(pin, driver)))
        motion = model.joints["joint 1"].motion["angle"]
        assert (motion.value, motion.start) == (2.0 * sign, 0.5 * sign)
        assert list(model.joints) == ["joint 1"]


def test_axes_without_direction_are_refused_with_their_line(tmp_path: Path):
    text = CRANK.replace("q1: 2, 0, 1", "q1: 2, 0, 0").replace("p2: 1, 0, 0", "p2: 0, 0, 0", 1)
    with pytest.raises(InvalidInput) as error:
        to_model(read_case(written(tmp_path, text)))
    assert [(p.line, p.path) for p in error.value.problems][:2] == [
        (line_of(text, "q1: 2, 0, 0"), "joints.2.q1"),
        (line_of(text, "p2: 0, 0, 0", 6), "joints.7.p2"),
    ]


def all_joints() -> MbdmCase:
    bodies = tuple(plain_body(name, (float(i), 0.0, 0.0)) for i, name in enumerate("abcdefgh"))
    joints = (
        MbdmJoint("G", (1, 0)),
        MbdmJoint("R", (1, 2), p1=(0.5, 0, 0), q1=(0.5, 0, 1), r1=(1.5, 0, 0), p2=(-0.5, 0, 0), q2=(-0.5, 0, 1)),
        MbdmJoint("U", (2, 3), p1=(0.5, 0, 0), q1=(0.5, 0, 1), p2=(-0.5, 0, 0), q2=(-0.5, 1, 0)),
        MbdmJoint("S", (3, 4), p1=(0.5, 0, 0), p2=(-0.5, 0, 0)),
        MbdmJoint("DI", (4, 5), p1=(0.5, 0, 0), p2=(-0.25, 0, 0), dist=0.25),
        MbdmJoint("T", (5, 6), q1=(1, 0, 0), r1=(0, 1, 0), q2=(1, 0, 0), r2=(0, 0, 1)),
        MbdmJoint("RC", (6, 7), q1=(0, 0, 1), q2=(1, 0, 0), r2=(0, 1, 0)),
        MbdmJoint("C", (7, 8), q1=(1, 0, 0), r1=(0, 1, 0), q2=(1, 0, 0)),
        MbdmJoint("ABY", (8, 0), dist=0.1),
    )
    return one_body(*bodies, joints=joints)


def test_every_joint_type_has_a_word_and_comes_back():
    case = all_joints()
    model, problems = to_model(case)
    assert [p for p in problems if p.severity != "note"] == []
    assert [joint.type for joint in model.joints.values()] == [
        *("ground", "revolute", "universal", "spherical", "distance", "prismatic", "revolute-cylindrical"),
        *("cylindrical", "absolute-y"),
    ]
    back = from_model(model)
    assert [joint.type for joint in back.joints] == [joint.type for joint in case.joints]
    assert to_model(back)[0].joints == model.joints
    assert back.bodies == case.bodies


@pytest.mark.parametrize("name", CASES)
def test_reference_cases_come_back_from_the_model(name: str, tmp_path: Path):
    case = read_case(REFERENCE / name)
    model, _ = to_model(case)
    back = from_model(model, dynamic=case.dynamic)
    write_mbdm(back, tmp_path)
    assert load_mbdm(tmp_path) == model


def test_drawn_joints_to_the_world_get_a_ground_body():
    model = fl.Model(
        name="pendulum",
        bodies={"arm": fl.Body(1.0, (0.1, 0.1, 0.1), position=(1, 0, 0), orientation={"euler123": (0.3, 0, 0)})},
        joints={"pin": fl.Revolute("world", "arm", (0, 0, 0), (0, 1, 0), motion=fl.Rate(2.0, start=0.25))},
        gravity=(0, 0, -9.81),
        run=fl.Run(duration=1.0, dt=0.01),
    )
    case = from_model(model)
    assert [body.name for body in case.bodies] == ["arm", "ground"]
    assert [joint.type for joint in case.joints] == ["G", "R", "RDRV"]
    assert (case.joints[2].r1[0], case.joints[2].dist) == (0.25, 2.0)
    ours, theirs = (fl.simulate(m, progress=False)["position"].sel(body="arm") for m in (model, to_model(case)[0]))
    assert np.abs(ours.values - theirs.values).max() < 1e-9  # the loop closure of `constrained`


def test_what_legacy_files_cannot_say_is_listed():
    model = fl.Model(
        name="m",
        bodies={"a": fl.Body(1.0, (1, 1, 1), wheels=[fl.Wheel((0, 0, 1), 0.1, 10.0)]), "b": fl.Body(1.0, (1, 1, 1))},
        joints={
            "weld": fl.Fixed("a", "b"),
            "pin": fl.Revolute("world", "a", (0, 0, 0), (0, 0, 1), motion=fl.Sine(0.1, period=1.0)),
        },
        loads={"push": fl.Force("a", force=(1, 0, 0))},
    )
    with pytest.raises(InvalidInput) as error:
        from_model(model)
    paths = {problem.path for problem in error.value.problems}
    assert paths == {"run", "gravity", "bodies.a.wheels", "joints.weld", "joints.pin.motion", "loads.push"}
    rest = model.with_({"run": {"duration": 1, "dt": 0.1, "start": "equilibrium", "discard": 0.5}})
    with pytest.raises(InvalidInput, match=r"run\.start: legacy files start as drawn; got 'equilibrium'"):
        from_model(rest)
    assert "run.discard" in {note.path for note in left_out_of_case(rest)}


def test_a_case_made_in_python_round_trips(tmp_path: Path):
    rng = np.random.default_rng(3)

    def three() -> tuple[float, float, float]:
        x, y, z = rng.normal(size=3).tolist()
        return x, y, z

    case = one_body(
        MbdmBody("b 1", three(), three(), three(), three(), 1 / 3, (three(), three(), three())),
        joints=(MbdmJoint("T", (1, 1), *(three() for _ in range(6)), dist=1e-300),),
        tracers=(TracerGroup(1, (three(), three())), TracerGroup(1, ())),
        mooring=(MooringLine("line a", 1, three(), three(), three(), 2 / 3, 1e7, 0.1),),
        parameters=Parameters(debug=True),
    )
    write_mbdm(case, tmp_path)
    again, problems = read_mbdm(tmp_path)
    # A joint of a body with itself is refused by the reader, so the numbers are compared without it.
    assert [p.path for p in problems] == ["joints.1.bodies"]
    assert again is None
    fine = MbdmCase(**{**vars(case), "joints": ()})
    write_mbdm(fine, tmp_path)
    assert read_case(tmp_path) == fine


def test_texts_a_legacy_file_cannot_hold_are_refused(tmp_path: Path):
    with pytest.raises(InvalidInput, match="cannot hold the text"):
        write_mbdm(one_body(plain_body("a\nmass: 3")), tmp_path)
    assert list(tmp_path.iterdir()) == []
