"""URDF files: what becomes of links, joints and names, and what is said of files that cannot become a model."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import pytest

import fairlead as fl
from fairlead.errors import InvalidInput, Problem
from fairlead.formats.urdf.convert import read_urdf
from fairlead.model.joints.geometry import rotation_of
from support.urdf_texts import ARM, MESSY

BODY = '<inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>'


def link(name: str, inside: str = BODY) -> str:
    return f'<link name="{name}">{inside}</link>\n'


def joint(name: str, parent: str, child: str, kind: str = "revolute", inside: str = "") -> str:
    ends = f'<parent link="{parent}"/><child link="{child}"/>'
    return f'<joint name="{name}" type="{kind}">{ends}<origin xyz="0 0 1"/>{inside}</joint>\n'


def robot(*parts: str) -> str:
    return '<robot name="r">\n' + "".join(parts) + "</robot>\n"


TWO = robot(link("a"), link("b"), joint("j", "a", "b", inside='<axis xyz="0 1 0"/>'))


@pytest.fixture
def read(tmp_path: Path):
    """Give a function from a text to its model and problems."""

    def reading(text: str | bytes, **options: bool) -> tuple[fl.Model | None, list[Problem]]:
        path = tmp_path / "robot.urdf"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return read_urdf(path, **options)

    return reading


def errors(problems: list[Problem]) -> list[Problem]:
    return [problem for problem in problems if problem.severity == "error"]


def test_an_arm_stands_on_the_world_where_its_frames_put_it(read):
    model, problems = read(ARM)
    assert [problem.severity for problem in problems] == ["note"]  # the frames without mass
    assert list(model.bodies) == [f"link_{number}" for number in range(8)]
    assert model.joints["stand"] == fl.Fixed("world", "link_0", point=(0, 0, 0))
    # Drawn upright, the arm's joints lie on the z axis at the sums of the offsets and turn about z and y in turn.
    heights = [0.1575, 0.36, 0.5645, 0.78, 0.9645, 1.18, 1.261]
    axes = [(0, 0, 1), (0, 1, 0), (0, 0, 1), (0, -1, 0), (0, 0, 1), (0, 1, 0), (0, 0, 1)]
    for number, (height, axis) in enumerate(zip(heights, axes), start=1):
        made = model.joints[f"joint_{number}"]
        assert (made.type, made.parent, made.child) == ("revolute", f"link_{number - 1}", f"link_{number}")
        assert made.point == pytest.approx((0, 0, height), abs=1e-14)  # rounding of seven rotations
        assert made.axis == pytest.approx(axis, abs=1e-14)
        assert made.damper == {"angle": 0.5}
        lower, upper = made.limits["angle"]
        assert -lower == upper == pytest.approx(np.radians([170, 120, 170, 120, 170, 120, 175][number - 1]))
    # link_2: its y axis is up and its z axis along y, so its x axis points against x.
    assert rotation_of(model.bodies["link_2"]) == pytest.approx(np.array([[-1, 0, 0], [0, 0, 1], [0, 1, 0]]), abs=1e-15)
    assert model.bodies["link_2"].position == pytest.approx((-0.0003, 0.042, 0.36 + 0.059), abs=1e-15)


def test_awkward_files_say_what_was_done(read):
    model, problems = read(MESSY)
    assert errors(problems) == []
    assert model.name == "messy_robot 2_0"
    assert list(model.bodies) == ["base_link", "turret_body", "sensor", "finger", "slider", "puck", "drone"]
    ends = {name: (made.type, made.parent, made.child) for name, made in model.joints.items()}
    assert ends == {
        "base_joint": ("fixed", "world", "base_link"),
        "turret": ("revolute", "base_link", "turret_body"),
        "sensor_weld": ("fixed", "turret_body", "sensor"),
        "joint_1st finger": ("revolute", "sensor", "finger"),
        "slider_joint": ("prismatic", "base_link", "slider"),
        "table": ("planar", "slider", "puck"),
        "flight": ("free", "base_link", "drone"),
    }
    assert model.joints["turret"].limits == {} and model.joints["turret"].damper == {"angle": 0.25}
    assert model.joints["slider_joint"].limits == {"length": (-0.5, 0.75)}
    warned = {problem.line: problem.message for problem in problems if problem.severity == "warning"}
    at = {
        word: MESSY[: MESSY.index(word)].count("\n") + 1
        for word in ('"turret" type', 'lower="0"', '"drone">', '"idle"')
    }
    assert list(warned) == list(at.values())
    assert [message.split()[0] for message in warned.values()] == ["friction", "both", "the", "left"]
    assert "'turret', '1st finger'" in warned[at['"turret" type']]
    assert model.bodies["drone"].idealised


@pytest.mark.parametrize("text", [ARM, MESSY, TWO], ids=["arm", "messy", "two"])
@pytest.mark.parametrize("floating", [False, True])
def test_models_from_urdf_return_from_yaml_unchanged(read, tmp_path: Path, text: str, floating: bool):
    model, _ = read(text, floating_base=floating)
    fl.save(model, tmp_path / "m.yaml")
    assert fl.load(tmp_path / "m.yaml") == model
    assert errors(fl.check(tmp_path / "m.yaml")) == []


def test_a_root_with_mass_is_grounded_or_floats(read):
    model, _ = read(TWO)
    assert model.joints["ground"] == fl.Ground(child="a", point=(0, 0, 0)) and model.base is None
    model, _ = read(TWO, floating_base=True)
    assert list(model.joints) == ["j"] and model.base == "a"
    model, _ = read(TWO.replace('"j"', '"ground"'))
    assert list(model.joints) == ["ground 2", "ground"]


def test_a_root_without_mass_is_the_world_or_part_of_what_floats(read):
    text = robot(
        link("world", ""),
        link("a"),
        link("b"),
        link("c"),
        joint("ja", "world", "a", "fixed"),
        joint("jb", "world", "b", "fixed"),
        joint("jc", "world", "c", "continuous"),
    )
    ends = {name: (made.parent, made.child) for name, made in read(text)[0].joints.items()}
    assert ends == {"ja": ("world", "a"), "jb": ("world", "b"), "jc": ("world", "c")}
    model = read(text, floating_base=True)[0]
    ends = {name: (made.parent, made.child) for name, made in model.joints.items()}
    assert ends == {"jb": ("a", "b"), "jc": ("a", "c")} and model.base == "a"


def test_a_floating_joint_from_the_world_needs_no_option(read):
    text = robot(link("world", ""), link("a"), joint("j", "world", "a", "floating"))
    for floating in (False, True):
        assert read(text, floating_base=floating)[0].joints == {"j": fl.Free("world", "a", point=(0, 0, 1))}


def test_frames_fold_into_the_bodies_they_are_fixed_to(read):
    """A moving joint to a frame carries the body behind it; fixed frames between bodies vanish; tips are dropped."""
    text = robot(
        link("a"),
        *(link(name, "") for name in ("f1", "f2", "tip", "far tip")),
        link("b"),
        link("c"),
        joint("j1", "a", "f1"),
        joint("j2", "f1", "b", "fixed"),
        joint("j3", "b", "f2", "fixed"),
        joint("j4", "f2", "c", "fixed"),
        joint("j5", "c", "tip", "prismatic"),
        joint("j6", "tip", "far tip", "continuous"),
    )
    model, problems = read(text)
    assert {name: (made.parent, made.child) for name, made in model.joints.items()} == {
        "ground": ("world", "a"),
        "j1": ("a", "b"),
        "j4": ("b", "c"),
    }
    assert model.joints["j1"].point == (0, 0, 1) and model.joints["j1"].axis == (1, 0, 0)  # the format's default axis
    assert model.bodies["c"].position == (0, 0, 4)
    (left,) = [problem.message for problem in problems if problem.severity == "warning"]
    assert "'j5', 'j6'" in left


@pytest.mark.parametrize(
    ("axis", "along"), [("0 0 1", (1, 0, 0)), ("1 0 0", (0, 1, 0)), ("0 3 0", (1, 0, 0)), ("3 0 4", (0.8, 0, -0.6))]
)
def test_a_planar_joint_slides_along_x_of_its_frame_projected(read, axis: str, along: tuple[float, ...]):
    made = read(robot(link("a"), link("b"), joint("j", "a", "b", "planar", f'<axis xyz="{axis}"/>')))[0].joints["j"]
    assert made.axis2 == pytest.approx(along, abs=1e-15)
    assert np.dot(made.axis, made.axis2) == pytest.approx(0, abs=1e-15)


def test_mimic_is_a_relation(read):
    """q = 2 q_other + 0.3 holds at the start and all the time, and the whole moves as one freedom."""
    inner = '<mimic joint="j" multiplier="2" offset="0.3"/>'
    text = robot(link("a"), link("b"), link("c"), joint("j", "a", "b"), joint("k", "b", "c", "revolute", inner))
    model, problems = read(text)
    assert not problems
    assert model.relations["k mimic"] == fl.Relation({"k": 1.0, "j": -2.0}, offset=0.3)
    model = model.with_({"joints.j.rate": 0.5})
    data = fl.simulate(model, duration=0.4, dt=0.002, progress=False)
    j, k = data.joint_position.values.T
    assert abs(j[0]) < 1e-12 and abs(j[-1]) > 0.01  # with the rate it was given
    np.testing.assert_allclose(k, 2 * j + 0.3, atol=1e-12)
    assert fl.audit(data).passed


J = 'type="revolute">'
WRONG = {
    "mimic": (J, J + '<mimic joint="other"/>', "joint.j", "mimics the joint 'other', which is not there"),
    "mimic itself": (J, J + '<mimic joint="j"/>', "joint.j", "mimics itself"),
    "mimic nobody": (J, J + "<mimic/>", "joint.j", "<mimic> needs the attribute 'joint'"),
    "mimic by nothing": (J, J + '<mimic joint="k" multiplier="x"/>', "joint.j", "needs a number; got 'x'"),
    "type": ("revolute", "revolut", "joint.j", "did you mean 'revolute'?"),
    "no type": (' type="revolute"', "", "joint.j", "needs the attribute 'type'"),
    "axis": ("0 1 0", "0 0 0", "joint.j", "no direction"),
    "two numbers": ("0 1 0", "0 1", "joint.j", "xyz of <axis> needs 3 numbers", "'0 1'"),
    "comma": ("0 0 1", "0,0,1", "joint.j.origin", "needs 3 numbers with spaces between"),
    "nan": ("0 0 1", "0 0 nan", "joint.j.origin", "'0 0 nan'"),
    "huge": ("0 0 1", "0 0 1e999", "joint.j.origin", "numbers up to 1e+60"),
    "parent": ('parent link="a"', 'parent link="A1"', "joint.j", "no link is called 'A1'; did you mean 'a'?"),
    "child": ('<child link="b"/>', "", "joint.j", "<child> is required and missing"),
    "twice": ('<child link="b"/>', '<child link="b"/><child link="a"/>', "joint.j", "given twice, first in line 4"),
    "limits": (J, J + '<limit lower="2" upper="1"/>', "joint.j", "lower limit 2 is above the upper one 1"),
    "damping": (J, J + '<dynamics damping="-1"/>', "joint.j", "must not be negative"),
    "two joints": ("</robot>", joint("k", "a", "b") + "</robot>", "joint.k", "second joint that carries 'b'", "line 4"),
    "two roots": ("</robot>", link("c") + "</robot>", "link.c", "'a', 'c'", "one root"),
    "circle": ("</robot>", link("c") + joint("k", "c", "c") + "</robot>", "joint.k", "go round in a circle"),
    "same link": ("</robot>", link("a") + "</robot>", "link.a", "a link of this name is in line 2"),
    "letters": ("</robot>", link("B") + joint("k", "a", "B") + "</robot>", "link.B", "is the link 'b' already"),
}
WRONG_MASS = {
    "mass": ('mass value="1"', 'mass value="-1"', "must not be negative"),
    "no mass": ('<mass value="1"/>', "", "<mass> is required and missing"),
    "no moment": ('ixx="1" ', "", "needs the attribute 'ixx'"),
    "only inertia": ('mass value="1"', 'mass value="0"', "has inertia but no mass"),
    "indefinite": ('ixx="1"', 'ixx="-1"', "is not positive semidefinite"),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_a_wrong_joint_gives_one_sentence_with_its_line(read, wrong: str):
    old, new, path, *words = WRONG[wrong]
    assert old in TWO
    text = TWO.replace(old, new)
    (error,) = errors(read(text)[1])
    where = text[: text.index(f'name="{path.split(".")[1]}"')].count("\n") + 1
    if wrong == "same link":
        where = 5
    assert (error.path, error.line) == (path, where)
    assert all(word in error.message for word in words), error.message


@pytest.mark.parametrize("wrong", WRONG_MASS)
def test_a_wrong_inertial_gives_one_sentence_with_its_line(read, wrong: str):
    old, new, words = WRONG_MASS[wrong]
    assert old in BODY
    (error,) = errors(read(robot(link("a"), link("b", BODY.replace(old, new)), joint("j", "a", "b")))[1])
    assert error.line == 3 and "b" in error.path and words in error.message


def test_every_problem_is_said_at_once_in_the_order_of_the_file(read):
    text = TWO.replace('mass value="1"', 'mass value="x"').replace("0 1 0", "1").replace("0 0 1", "0 0")
    model, problems = read(text)
    assert model is None and [problem.line for problem in problems] == [2, 3, 4, 4]
    many = robot(*(link(f"a{number}", '<inertial><mass value="x"/></inertial>') for number in range(5000)))
    assert len(read(many)[1]) == 1000


def test_products_of_inertia_may_be_left_out_and_near_misses_are_named(read):
    short = '<inertial><mass value="1"/><inertia ixx="1" iyy="2" izz="2.5"/></inertial>'
    assert read(robot(link("a", short)))[0].bodies["a"].inertia == ((1, 0, 0), (0, 2, 0), (0, 0, 2.5))
    _, problems = read(robot(link("a"), link("b", BODY.replace("inertial", "inertal")), joint("j", "a", "b")))
    assert any(p.line == 3 and "did you mean <inertial>?" in p.message and p.severity == "warning" for p in problems)


def test_a_frame_between_moving_joints_is_refused_by_name(read):
    text = robot(link("a"), link("f", ""), link("b"), joint("j1", "a", "f"), joint("j2", "f", "b"))
    (error,) = errors(read(text)[1])
    assert (error.path, error.line) == ("link.f", 3)
    assert "between the moving joints 'j1' and 'j2'; give it an <inertial>" in error.message
    mended = text.replace(link("f", ""), link("f", BODY.replace("1", "0.001")))
    assert errors(read(mended)[1]) == []


def test_a_root_that_cannot_float_is_refused_by_name(read):
    text = robot(link("world", ""), link("a"), joint("j", "world", "a"))
    assert errors(read(text)[1]) == []
    (error,) = errors(read(text, floating_base=True)[1])
    assert error.path == "link.world" and "it cannot float" in error.message
    (error,) = errors(read(robot(link("a", ""), link("b", ""), joint("j", "a", "b")))[1])
    assert "no link has a mass" in error.message


@pytest.mark.parametrize(
    ("first", "second", "word"),
    [
        ("a/b", "a.b", "becomes 'a_b' in a model, which is the link 'a/b' already; rename one"),
        ("Arm", "arm", "becomes 'arm' in a model, which is the link 'Arm' already; rename one"),
        ("a", "n" * 65, "longer than 64"),
    ],
)
def test_names_that_cannot_be_told_apart_are_refused(read, first: str, second: str, word: str):
    (error,) = errors(read(robot(link(first), link(second), joint("j", first, second)))[1])
    assert error.line == 3 and word in error.message


def test_names_are_made_legal(read):
    names = {"/base": "base", "1": "link_1", "wörld": "w_rld", "World": "World_link", "j": "j", "§": "link_"}
    text = robot(
        *map(link, names), *(joint(f"j{n}" if n else "j", "/base", name) for n, name in enumerate([*names][1:]))
    )
    model, problems = read(text)
    assert errors(problems) == [] and list(model.bodies) == list(names.values())
    assert "j_joint" in model.joints  # a URDF may call a link and a joint the same
    assert read(TWO.replace('name="r"', ""))[0].name == "robot"  # the name of the file


HOSTILE = {
    "entities": ('<!DOCTYPE r [<!ENTITY a "aaa"><!ENTITY b "&a;&a;">]>\n' + TWO, 1, "document type"),
    "external": ('<?xml version="1.0"?>\n<!DOCTYPE r SYSTEM "file:///etc/passwd">\n' + TWO, 2, "document type"),
    "undeclared": (TWO.replace('"r"', '"&lol;"'), 1, "is not valid XML: undefined entity"),
    "open": (TWO.replace("</robot>", ""), 6, "is not valid XML: no element found inside <robot> of line 1"),
    "crossed": (TWO.replace("</robot>", "</robt>"), 5, "is not valid XML: mismatched tag"),
    "two values": (TWO.replace('name="j"', 'name="j" name="k"'), 4, "is not valid XML: duplicate attribute"),
    "deep": ("<robot>" * 100, 1, "nested deeper than 64"),
    "empty": ("", 1, "is not valid XML: no element found"),
    "no xml": ("fairlead: 1\n", 1, "is not valid XML"),
    "bytes": (b"<robot>\n\xff</robot>", 2, "is not a text in UTF-8"),
    "sdf": ("<sdf/>", 1, "the outermost element is <sdf>; a URDF has <robot>"),
    "no links": ("<robot/>", 1, "has no <link>"),
    "xacro": (
        TWO.replace('<link name="b">', '<xacro:include filename="x"/><link name="b">'),
        3,
        "xacro FILE > robot.urdf",
    ),
    "macro": (TWO.replace("0 0 1", "0 0 ${height}"), 4, "holds xacro macros"),
    "long": (TWO.replace("0 0 1", "0 0 1" + " " * 100_000), 4, "a line longer than"),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_texts_that_are_no_urdf_are_refused_in_a_sentence(read, case: str):
    text, line, words = HOSTILE[case]
    model, (problem,) = read(text)
    assert model is None and problem.line == line and words in problem.message, problem


def test_mesh_paths_may_hold_what_tools_expand(read):
    mesh = '<visual><geometry><mesh filename="$(find arm)/a.stl"/></geometry></visual>'
    assert errors(read(robot(link("a", BODY + mesh)))[1]) == []


def test_long_chains_are_read(read):
    many = 2000  # deeper than Python's recursion
    text = robot(*(link(f"l{n}") for n in range(many)), *(joint(f"j{n}", f"l{n - 1}", f"l{n}") for n in range(1, many)))
    model, problems = read(text)
    assert errors(problems) == [] and model.bodies[f"l{many - 1}"].position == (0, 0, many - 1)


def test_load_takes_urdf_by_its_ending_and_warns_of_what_is_left_out(tmp_path: Path):
    path = tmp_path / "messy.URDF"
    path.write_text(MESSY)
    with pytest.warns(UserWarning) as caught:
        model = fl.load(path)
    said = [str(warning.message) for warning in caught]
    assert "drone" in model.bodies and len(said) == 4
    assert "messy.URDF:17:3: warning: friction is left out" in said[0]
    path.write_text(TWO)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert fl.load(path, floating_base=True).base == "a"
    path.write_text(TWO.replace("0 1 0", "0 0 0"))
    with pytest.raises(InvalidInput, match=r"messy\.URDF:4:\d+: joint\.j: the axis has no direction"):
        fl.load(path)
    fl.save(fl.Model("m", {"a": fl.Body(1, (1, 1, 1))}), tmp_path / "m.yaml")
    with pytest.raises(InvalidInput, match="floating_base is for URDF files"):
        fl.load(tmp_path / "m.yaml", floating_base=True)


def test_commands_take_urdf(fairlead, tmp_path: Path):
    (tmp_path / "arm.urdf").write_text(ARM)
    (tmp_path / "messy.urdf").write_text(MESSY)
    done = fairlead("check", "arm.urdf")
    assert done.returncode == 0 and "arm.urdf: good, 1 remark" in done.stdout
    done = fairlead("convert", "messy.urdf", "messy.yaml", "--floating-base")
    assert done.returncode == 0 and "messy.urdf:17:3: warning: friction is left out" in done.stderr
    assert fl.load(tmp_path / "messy.yaml").base == "base_link"
    done = fairlead("crosscheck", "arm.urdf", "--floating-base", "--duration", "0.02", "--dt", "0.01")
    assert done.returncode == 0 and "PASS (4 formulations" in done.stdout, done.stdout + done.stderr
    (tmp_path / "arm.urdf").write_text(ARM.replace('<axis xyz="0 0 1"/>', '<axis xyz="up"/>', 1))
    for words in (("check", "arm.urdf"), ("run", "arm.urdf"), ("convert", "arm.urdf", "arm.yaml")):
        done = fairlead(*words)
        assert done.returncode == 3 and "arm.urdf:13:" in done.stderr and "joint.joint_1" in done.stderr


def test_a_pendulum_from_urdf_swings_by_its_closed_form(read):
    """Frames, inertia and joint reach the simulator: a bar on a hinge, drawn sideways by its URDF."""
    bar = '<inertial><origin xyz="0.5 0 0"/><mass value="2"/><inertia ixx="0.01" iyy="0.2" izz="0.2"/></inertial>'
    model, _ = read(
        robot(link("world", ""), link("bar", bar), joint("pin", "world", "bar", inside='<axis xyz="0 1 0"/>'))
    )
    data = fl.simulate(model, duration=0.5, dt=0.005)
    assert fl.audit(data).passed
    # Released level: q'' = m g l / (I + m l^2) at the start, and energy at any time gives the rate from the height.
    inertia, torque = 0.2 + 2 * 0.5**2, 2 * 9.80665 * 0.5
    assert float(data["joint_acceleration"][0, 0]) == pytest.approx(torque / inertia, rel=1e-12)
    angle, rate = float(data["joint_position"][-1, 0]), float(data["joint_rate"][-1, 0])
    assert 0.5 * inertia * rate**2 == pytest.approx(torque * np.sin(angle), rel=1e-6)  # 100 steps of RK4


@pytest.mark.parametrize(
    ("given", "kept"),
    [((-1, 2), {"angle": (-1, 2)}), ({"angle": ["-30 deg", "0.5 rad"]}, {"angle": ("-30 deg", "0.5 rad")})],
)
def test_limits_of_a_joint_return_from_yaml_and_into_the_schema(tmp_path: Path, given, kept):
    hinge = fl.Revolute("world", "a", (0, 0, 0), (0, 0, 1), limits=given)
    assert hinge.limits == kept
    model = fl.Model("m", {"a": fl.Body(1, (1, 1, 1))}, joints={"j": hinge})
    fl.save(model, tmp_path / "m.yaml")
    assert fl.load(tmp_path / "m.yaml") == model


@pytest.mark.parametrize("given", [(1, 1), (2, 1), ("1 deg", 0.001), ("1 m", "2 m"), (1,), 3])
def test_limits_that_are_no_range_are_refused(given):
    with pytest.raises(InvalidInput, match="limits"):
        fl.Revolute("world", "a", (0, 0, 0), (0, 0, 1), limits=given)
    with pytest.raises(InvalidInput, match=r"limits"):
        fl.Cylindrical("world", "a", (0, 0, 0), (0, 0, 1), limits=(0, 1))  # which of its two?
