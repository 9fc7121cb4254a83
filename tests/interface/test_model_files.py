"""Bad model files: every fault is refused with its line, its path and words that say what to do, and nothing else.

Each row holds a stored input and what a reader of the message must learn; the line is counted in the input itself.
"""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

import fairlead.model
from fairlead.errors import FilesFailure, InvalidInput
from fairlead.formats.check import check_words as check
from fairlead.formats.text import LONGEST_LINE, MOST_BYTES
from fairlead.formats.yaml.read import load, read_yaml

GOOD = """\
fairlead: 1
name: two-body
bodies:
  tower: {mass: 5.6e6, inertia: [5.85e9, 5.85e9, 1.12e8], position: [0, 0, -58.67]}
  nacelle: {mass: 2.4e5, inertia: {xx: 2.6e6, yy: 2.6e6, zz: 2.61e6}, position: [1.9, 0, 89.35]}
joints:
  yaw: {type: revolute, parent: tower, child: nacelle, point: [0, 0, 87.6], axis: [0, 0, 1], motion: {rate: 1.2 deg/s}}
loads:
  line 1: {type: spring, body: tower, point: [5.2, 0, -50], anchor: [460, 0, -320], stiffness: 6.81e5, length: 560.0}
run: {duration: 600 s, dt: 0.05 s, formulation: cloud}
"""
BODY = "{mass: 1, inertia: [1, 1, 1]}"


def changed(old: str, new: str) -> str:
    """Return the good file with one thing changed."""
    assert GOOD.count(old) == 1
    return GOOD.replace(old, new)


# fault, text, line, path, words of the message
ROWS = [
    # A missing field is reported at its element, with an example to copy.
    ("MF01", changed("{mass: 5.6e6, ", "{"), 4, "bodies.tower.mass", ["required and missing", "mass: 5.6e6"]),
    ("MF01", changed("child: nacelle, ", ""), 7, "joints.yaw.child", ["required and missing", "child: nacelle"]),
    ("MF01", changed("type: revolute, ", ""), 7, "joints.yaw.type", ["required and missing", "revolute"]),
    ("MF01", changed("name: two-body\n", ""), 1, "name", ["required and missing"]),
    ("MF01", changed("fairlead: 1\n", ""), 1, "", ["'fairlead: 1' is missing"]),
    ("MF01", "fairlead: 1\nname: a\nbodies: {}\n", 3, "bodies", ["at least one body"]),
    ("MF01", changed("duration: 600 s, ", ""), 10, "run.duration", ["required and missing", "duration: 600 s"]),
    # A misspelt word is an error, and the nearest known one is offered from the fields of that very word.
    ("MF02", changed("inertia: [5", "ineria: [5"), 4, "bodies.tower.ineria", ["did you mean 'inertia'?"]),
    ("MF02", changed("loads:", "laods:"), 8, "laods", ["did you mean 'loads'?"]),
    (
        "MF02",
        changed("{rate: 1.2 deg/s}", "{rate: 1, strat: 2}"),
        7,
        "joints.yaw.motion.strat",
        ["did you mean 'start'?"],
    ),
    ("MF02", changed("{rate: 1.2 deg/s}", "{rte: 1}"), 7, "joints.yaw.motion", ["rate, ramp, sine", "got {'rte': 1}"]),
    (
        "MF02",
        changed("revolute", "revolut"),
        7,
        "joints.yaw.type",
        ["unknown type 'revolut'", "did you mean 'revolute'?"],
    ),
    ("MF02", changed("type: spring", "type: sprung"), 9, "loads.line 1.type", ["did you mean 'spring'?", "matrix"]),
    ("MF02", changed("cloud", "clod"), 10, "run.formulation", ["unknown formulation 'clod'", "did you mean 'cloud'?"]),
    ("MF02", changed("fairlead: 1", "fairlead: 7"), 1, "fairlead", ["unknown version 7", "newer"]),
    ("MF02", changed("fairlead: 1", "fairlead: yes"), 1, "fairlead", ["unknown version 'yes'"]),
    # Twice the same key: both lines, because only the writer knows which one was meant.
    ("MF03", changed("name: two-body", "name: two-body\nname: b"), 3, "name", ["line 2", "line 3"]),
    ("MF03", changed("{mass: 5.6e6,", "{mass: 5.6e6, mass: 1,"), 4, "bodies.tower.mass", ["given twice", "line 4"]),
    ("MF04", changed("  nacelle: {m", "  Tower: {m"), 5, "bodies.Tower", ["'tower' is already the name", "line 4"]),
    ("MF04", changed("  yaw: {", "  nacelle: {"), 7, "joints.nacelle", ["already the name of a body", "line 5"]),
    # Forms that YAML 1.1 and 1.2 read differently: a sentence, never a guess.
    ("MF05", changed("mass: 5.6e6", "mass: 012"), 4, "bodies.tower.mass", ["012 looks octal", "leading zero"]),
    ("MF05", changed("mass: 5.6e6", "mass: 12:30"), 4, "bodies.tower.mass", ["12:30", "base 60"]),
    ("MF05", changed("mass: 5.6e6", "mass: 2024-01-31"), 4, "bodies.tower.mass", ["date"]),
    ("MF05", changed("mass: 5.6e6", "mass: no"), 4, "bodies.tower.mass", ["expected a number", "word 'no'"]),
    ("MF05", changed("mass: 5.6e6", "mass: true"), 4, "bodies.tower.mass", ["expected a number", "got true"]),
    ("MF05", changed("mass: 5.6e6", "mass: 5_600"), 4, "bodies.tower.mass", ["underscores"]),
    ("MF05", changed("mass: 5.6e6", "mass: 5.6D+06"), 4, "bodies.tower.mass", ["Fortran"]),
    ("MF05", changed("length: 560.0", "tension_only: off"), 9, "loads.line 1.tension_only", ["true or false", "'off'"]),
    ("MF05", changed("dt: 0.05 s", "dt: 1, output_every: 2.5"), 10, "run.output_every", ["whole number", "2.5"]),
    # A number that is not finite never gets in, wherever it stands.
    ("MF06", changed("mass: 5.6e6", "mass: .nan"), 4, "bodies.tower.mass", ["finite", ".nan"]),
    ("MF06", changed("[0, 0, -58.67]", "[0, -.inf, 0]"), 4, "bodies.tower.position.1", ["finite", "-.inf"]),
    ("MF06", changed("mass: 5.6e6", "mass: 1e400"), 4, "bodies.tower.mass", ["finite", "1e400"]),
    ("MF06", changed("mass: 5.6e6", "mass: 1e400 kg"), 4, "bodies.tower.mass", ["finite", "1e400 kg"]),
    (
        "MF06",
        changed("{rate: 1.2 deg/s}", "{times: [0, 1],\n    values: [0, .inf]}"),
        8,
        "joints.yaw.motion.values.1",
        ["finite", ".inf"],
    ),
    # Units: what does not measure the thing is refused, and the unit that would is named.
    ("MF07", changed("mass: 5.6e6", "mass: 5.6e6 m"), 4, "bodies.tower.mass", ["unit 'm'", "kg"]),
    ("MF07", changed("1.2 deg/s", "1.2 deg"), 7, "joints.yaw.motion", ["unit 'deg'", "rad/s"]),
    ("MF07", changed("1.2 deg/s", "1.2 furlong_x"), 7, "joints.yaw.motion", ["unit 'furlong_x' is not known"]),
    ("MF07", changed("5.6e6", "'5.6e6'"), 4, "bodies.tower.mass", ["without a unit", "without quotes"]),
    ("MF07", changed("mass: 5.6e6", "mass: 1 kg**10**10**10"), 4, "bodies.tower.mass", ["is not known"]),
    ("MF09", changed("mass: 5.6e6", "mass: 0"), 4, "bodies.tower.mass", ["must be greater than 0", "got 0"]),
    ("MF09", changed("mass: 5.6e6", "mass: -1"), 4, "bodies.tower.mass", ["must be greater than 0", "got -1"]),
    (
        "MF10",
        changed("1.12e8]", "2e10]"),
        4,
        "bodies.tower.inertia",
        ["triangle", "5.85e+09 + 5.85e+09 is less than 2e+10"],
    ),
    # Directions: no axis from nothing, no rotation that is not one.
    ("MF12", changed("axis: [0, 0, 1]", "axis: [0, 0, 0]"), 7, "joints.yaw.axis", ["zero length"]),
    (
        "MF12",
        changed("position: [0, 0, -58.67]", "orientation: {quaternion: [0, 0, 0, 0]}"),
        4,
        "bodies.tower.orientation",
        ["length 1", "its length is 0"],
    ),
    (
        "MF12",
        changed("position: [0, 0, -58.67]", "orientation: {matrix: [[-1, 0, 0], [0, 1, 0], [0, 0, 1]]}"),
        4,
        "bodies.tower.orientation",
        ["not a rotation", "determinant -1"],
    ),
    ("MF13", changed("parent: tower", "parent: towr"), 7, "joints.yaw.parent", ["'towr'", "tower", "nacelle", "world"]),
    ("MF13", changed("body: tower", "body: nacele"), 9, "loads.line 1.body", ["'nacele'", "nearest names are nacelle"]),
    ("MF13", changed("name: two-body", "name: two-body\nbase: tow"), 3, "base", ["'tow'", "tower"]),
    ("MF14", changed("child: nacelle", "child: tower"), 7, "joints.yaw.child", ["joins 'tower' with itself"]),
    # Tables.
    (
        "MF21",
        changed("{rate: 1.2 deg/s}", "{times: [0], values: [0]}"),
        7,
        "joints.yaw.motion.times",
        ["at least 2 entries"],
    ),
    (
        "MF21",
        changed("{rate: 1.2 deg/s}", "{times: [0, 2, 1], values: [0, 1, 2]}"),
        7,
        "joints.yaw.motion",
        ["grow", "row 3"],
    ),
    (
        "MF21",
        changed("{rate: 1.2 deg/s}", "{times: [0, 1], values: [0, 1, 2]}"),
        7,
        "joints.yaw.motion",
        ["2 times, 3 values"],
    ),
    # Texts that are no model.
    ("MF24", "", 1, "", ["empty"]),
    ("MF24", "# only a comment\n", 1, "", ["empty"]),
    ("MF24", GOOD + "\0", 11, "", ["control character", "0x00", f"byte {len(GOOD)}"]),
    ("MF24", GOOD[: GOOD.index("axis:")], 7, "", ["not valid YAML", "end of the file", "begins in line 7"]),
    ("MF24", GOOD.replace("two-body", "two: body"), 2, "", ["not valid YAML", "mapping values"]),
    ("MF24", "- 1\n- 2\n", 1, "", ["expected a mapping", "bodies"]),
    ("MF24", GOOD + "---\nname: b\n", 11, "", ["more than one document"]),
    ("MF25", GOOD + "#" * (LONGEST_LINE + 1), 11, "", ["longer than 100000 characters"]),
    # Bombs: counted while they are read, long before they are built.
    ("MF26", "[" * 100_000, 1, "", ["deeper than 64"]),
    ("MF26", "- " * 1000, 1, "", ["deeper than 64"]),
    ("MF26", "a: &a [*a]\n", 1, "", ["inside its own anchor"]),
    ("MF26", "a: &a 1\nb: [" + "*a, " * 1001 + "]\n", 2, "", ["more than 1000 aliases"]),
    (
        "MF26",
        changed("tower: {", "tower: &t {").replace("joints:", "  c:\n    <<: *t\njoints:"),
        7,
        "bodies.c.<<",
        ["merge"],
    ),
    ("MF26", changed("mass: 5.6e6", "mass: *nowhere"), 4, "bodies.tower.mass", ["'*nowhere' has no anchor"]),
    # Tags: named, never built.
    (
        "MF27",
        changed("two-body", "!!python/object/apply:os.system [ls]"),
        2,
        "name",
        ["!!python/object/apply:os.system"],
    ),
    (
        "MF27",
        changed("mass: 5.6e6", "mass: !include http://x.y/z"),
        4,
        "bodies.tower.mass",
        ["'!include'", "not allowed"],
    ),
    ("MF27", changed("two-body", "!!str two-body"), 2, "name", ["'!!str'"]),
    # Names: a small set of letters; what cannot be seen is shown escaped.
    ("MF30", changed("  nacelle: {", "  nac\u202eelle: {"), 5, "bodies.nac\u202eelle", ["\\u202e", "not allowed"]),
    ("MF30", changed("  nacelle: {", "  n\u0430celle: {"), 5, "bodies.n\u0430celle", ["\\u0430", "not allowed"]),
    ("MF30", changed("  nacelle: {", '  "a\\nb/c": {'), 5, "bodies.a\nb/c", ["\\n", "not allowed"]),
    ("MF30", changed("two-body", "a" * 10_000), 2, "name", ["not allowed", "up to 64"]),
]


@pytest.mark.parametrize(("fault", "text", "line", "path", "words"), ROWS)
def test_bad_file_is_refused_with_its_place(
    tmp_path: Path, fault: str, text: str, line: int, path: str, words: list[str]
) -> None:
    file = tmp_path / "model.yaml"
    file.write_text(text, encoding="utf-8", newline="")
    with pytest.raises(InvalidInput) as caught:
        load(file)
    assert caught.value.exit_code == 3
    matching = [one for one in caught.value.problems if one.path == path and all(word in one.message for word in words)]
    assert matching, f"{fault}: no problem at '{path}' says {words}; got\n{caught.value}"
    assert (matching[0].line, matching[0].file) == (line, str(file))
    assert str(matching[0]).isprintable()  # one line, and no terminal escapes (SE05)


def test_good_file_has_the_words_of_the_design(tmp_path: Path) -> None:
    file = tmp_path / "model.yaml"
    file.write_text(GOOD)
    model = load(file)
    assert check(file) == []
    assert model.bodies["nacelle"].inertia[2] == (0.0, 0.0, 2.61e6)  # the mapping gives the tensor's zz
    assert model.run is not None and model.run.duration == 600.0  # '600 s' is 600 in SI
    assert model.joints["yaw"].motion["angle"].in_si("angle")["value"] == pytest.approx(1.2 * 3.141592653589793 / 180)


def test_yaml_numbers_are_those_of_version_1_2(tmp_path: Path) -> None:
    """`1e-3` is a number (YAML 1.1 says text) and a quoted or plain `no` may be a name."""
    file = tmp_path / "model.yaml"
    file.write_text(f"fairlead: 1\nname: no\nbodies: {{off: {BODY}}}\nrun: {{duration: 1, dt: 1e-3}}\n")
    model = load(file)
    assert model.name == "no" and list(model.bodies) == ["off"]
    assert model.run is not None and model.run.dt == 0.001


def test_all_problems_come_at_once_in_the_order_of_the_file(tmp_path: Path) -> None:
    """A body that cannot be read (line 4) must not hide the wrong joint (7), load (9) or run (10)."""
    text = changed("mass: 5.6e6, ", "").replace("child: nacelle", "child: nacell").replace("body: tower", "body: x")
    file = tmp_path / "model.yaml"
    file.write_text(text.replace("dt: 0.05 s", "dt: -1"))
    problems = check(file)
    assert [(one.line, one.path) for one in problems if one.severity == "error"] == [
        (4, "bodies.tower.mass"),
        (7, "joints.yaw.child"),
        (9, "loads.line 1.body"),
        (10, "run.dt"),
    ]


def test_column_points_at_the_value_and_for_unknown_keys_at_the_key(tmp_path: Path) -> None:
    text = changed("mass: 5.6e6, inertia", "mass: -1, ineria")
    file = tmp_path / "model.yaml"
    file.write_text(text)
    columns = {one.path: one.column for one in check(file)}
    row = text.splitlines()[3]
    assert columns["bodies.tower.mass"] == row.index("-1") + 1
    assert columns["bodies.tower.ineria"] == row.index("ineria") + 1


def test_aliases_are_read_where_they_are_few(tmp_path: Path) -> None:
    file = tmp_path / "model.yaml"
    file.write_text(f"fairlead: 1\nname: twins\nbodies:\n  a: &one {BODY}\n  b: *one\n")
    model = load(file)
    assert model.bodies["a"] == model.bodies["b"]


@pytest.mark.parametrize(
    ("content", "byte"), [(b"name: \xff\xfe", 6), (b"\x89PNG\r\n\x1a\n\0\0", 0), ("fairlead: 1".encode("utf-16"), 0)]
)
def test_bytes_that_are_no_text_are_refused_with_their_offset(tmp_path: Path, content: bytes, byte: int) -> None:
    """MF24: the offset is that of the first byte that cannot be UTF-8, counted from 0."""
    file = tmp_path / "model.yaml"
    file.write_bytes(content)
    (problem,) = check(file)
    assert f"byte {byte} " in problem.message and "UTF-8" in problem.message


def test_huge_file_is_refused_before_it_is_read(tmp_path: Path) -> None:
    """MF25: a file of holes costs no disk, and would cost a minute and gigabytes to parse."""
    file = tmp_path / "model.yaml"
    with file.open("wb") as stream:
        stream.truncate(MOST_BYTES + 1)
    (problem,) = check(file)
    assert str(MOST_BYTES) in problem.message


def test_a_directory_is_a_problem_and_a_missing_file_names_its_neighbour(tmp_path: Path) -> None:
    (problem,) = check(tmp_path)
    assert "directory" in problem.message
    (tmp_path / "turbine.yaml").write_text(GOOD)
    with pytest.raises(FilesFailure, match=r"did you mean '.*turbine\.yaml'") as caught:
        load(tmp_path / "turbin.yaml")
    assert caught.value.exit_code == 5


def test_no_wait_for_a_pipe_that_nobody_writes(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.yaml")
    (problem,) = check(tmp_path / "pipe.yaml")
    assert "regular file" in problem.message


LAUGHS = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{name}: &{name} [{', '.join(['*' + before] * 9)}]\n" for before, name in zip("abcdefgh", "bcdefghi")
)
BOMBS = {
    "billion laughs": (LAUGHS, "more than 1000000 values"),
    "brackets": ("[" * 100_000, "deeper than 64"),
    "braces": ("{a:\n" * 100_000, "deeper than 64"),
    "mixed": ("[a, {b:\n" * 20_000, "deeper than 64"),
    "dashes": ("- " * 40_000, "deeper than 64"),
    "questions": ("? " * 40_000, "deeper than 64"),
    "digits": ("fairlead: 1\nname: " + "9" * 90_000, "finite"),
    "digits in a text": ("fairlead: 1\nname: a\nbodies: {a: {mass: '" + "9" * 90_000 + "!'}}", "expected a number"),
    "unknown fields through aliases": (
        "bodies:\n  a: &a {"
        + ", ".join(f"x{i}: 1" for i in range(900))
        + "}\n"
        + "".join(f"  b{i}: *a\n" for i in range(400)),
        "not a known field",
    ),
}
MEASURE = """
import resource, sys, time
from fairlead.formats.check import check_words as check
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
start = time.process_time()
problems = check(sys.argv[1])
print(time.process_time() - start, (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024)
print(*(problem.message for problem in problems[:6]))
"""


@pytest.mark.parametrize("name", BOMBS)
def test_bombs_are_refused_fast_and_small(tmp_path: Path, name: str) -> None:
    """MF26: half a second and 100 MB, in a process of its own; what importing takes is not the file's doing."""
    text, words = BOMBS[name]
    file = tmp_path / "bomb.yaml"
    file.write_text(text)
    done = subprocess.run([sys.executable, "-c", MEASURE, str(file)], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    figures, message = done.stdout.split("\n", 1)
    seconds, megabytes = map(float, figures.split())
    assert words in message
    assert seconds <= 0.5 and megabytes <= 100


def test_the_file_is_opened_once(tmp_path: Path) -> None:
    """MF31: what was checked is what was read; a second opening could see another file."""
    file = tmp_path / "model.yaml"
    file.write_text(GOOD)
    opened = []
    sys.addaudithook(lambda event, args: opened.append(args[0]) if event == "open" and args[0] == str(file) else None)
    model, problems = read_yaml(file)
    assert model is not None and problems == []
    assert len(opened) == 1


def test_no_file_is_read_in_a_way_that_could_run_code() -> None:
    """SE01-SE03: no module of the model layer calls a loader that builds objects, nor evaluates text."""
    forbidden = {"eval", "exec", "__import__", "unsafe_load", "full_load"}
    for source in Path(fairlead.model.__path__[0]).glob("*.py"):
        tree = ast.parse(source.read_text(encoding="utf-8"))
        called = {
            node.func.id for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        }
        imported = {a.name for n in ast.walk(tree) if isinstance(n, (ast.Import, ast.ImportFrom)) for a in n.names}
        assert not called & forbidden, source.name
        assert not imported & {"pickle", "marshal", "put_into"}, source.name
