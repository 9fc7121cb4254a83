"""What a run knows it says: formulation, what assembly moved, redundancy, lines that pushed; `check` assembles."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

import fairlead as fl

ROOT = Path(__file__).parents[2]

# A four-bar whose rod is drawn 1.7 rad from where its pins put it, and two metres off.
SLOPPY = """fairlead: 1
name: sloppy
bodies:
  crank: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [0, 0.5, 0]}
  rod: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [3, 1, 0], orientation: {euler123: [0, 0, 1.7]}}
  rocker: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [2, 0.5, 0]}
joints:
  A: {type: revolute, parent: world, child: crank, point: [0, 0, 0], axis: [0, 0, 1]}
  B: {type: revolute, parent: crank, child: rod, parent_point: [0, 0.5, 0], child_point: [-1, 0, 0],
      parent_axis: [0, 0, 1], child_axis: [0, 0, 1]}
  C: {type: revolute, parent: rod, child: rocker, parent_point: [1, 0, 0], child_point: [0, 0.5, 0],
      parent_axis: [0, 0, 1], child_axis: [0, 0, 1]}
  D: {type: revolute, parent: world, child: rocker, point: [2, 0, 0], axis: [0, 0, 1]}
run: {duration: 0.02 s, dt: 0.01 s}
"""


def test_h1_h2_h3_h4_run_says_what_it_knows_before_the_audit(fairlead, tmp_path: Path):
    """The rod's pins are one metre from its centre, so it is moved by one metre and turned back by 1.7 rad."""
    (tmp_path / "sloppy.yaml").write_text(SLOPPY)
    done = fairlead("run", "sloppy.yaml")
    before = done.stdout.split("PASS")[0]
    assert "formulation: auto took 'constrained'" in before
    assert "assembly moved from the drawing" in before and "rod 2 m 1.7 rad" in before, before
    assert "redundant equations" in before and "reactions that rigid bodies do not determine" in before
    data = fl.simulate(fl.load(tmp_path / "sloppy.yaml"), progress=False)
    assert "rod 2 m 1.7 rad" in data.attrs["assembly_moved"] and data.attrs["reactions_not_unique"]
    assert data.attrs["formulation_taken"] == "auto took 'constrained'"
    assert (
        "formulation_taken"
        not in fl.simulate(fl.load(tmp_path / "sloppy.yaml"), formulation="constrained", progress=False).attrs
    ), "what was asked for is no finding"


def swinging_on_a_line() -> fl.Model:
    """A mass on a two-way line along z: pushed by the line for half of every period of the spring."""
    return fl.Model(
        name="pushed",
        gravity=(0, 0, 0),
        bodies={"bob": fl.Body(mass=1.0, inertia=(1, 1, 1), position=(0, 0, 0), velocity=(0, 0, 1.0))},
        loads={"line": fl.TautLine(body="bob", point=(0, 0, 0), anchor=(0, 0, 10), EA=10.0, length=10.0)},
    )


@pytest.mark.parametrize("out", [None, "pushed.run"])
def test_h5_lines_that_push_are_said_with_how_much_and_how_often(tmp_path: Path, out: str | None):
    """k = EA / L = 1 N/m, so the motion is sin t: over one period half the instants push, by 1 N at most."""
    steps = 400
    target = None if out is None else tmp_path / out
    data = fl.simulate(swinging_on_a_line(), 2 * math.pi, 2 * math.pi / steps, out=target, progress=False)
    said = data.attrs["lines_pushed"]
    assert said.startswith("'line' with 1 N at most, in "), said
    share = float(said.split(" in ")[1].split(" %")[0])
    assert share == pytest.approx(50.0, abs=100 / steps), "one instant of the 401 may fall either way"


def test_h5_slack_lines_do_not_push():
    model = swinging_on_a_line()
    slack = model.loads["line"].model_copy(update={"tension_only": True})
    data = fl.simulate(fl.Model(**{**dict(model), "loads": {"line": slack}}), 7.0, 0.05, progress=False)
    assert "lines_pushed" not in data.attrs


def test_h6_check_finds_loops_that_cannot_close_and_drives_that_contradict(fairlead, tmp_path: Path):
    far = SLOPPY.replace("D: {type: revolute, parent: world, child: rocker, point: [2, 0, 0], axis: [0, 0, 1]}",
                         "D: {type: revolute, parent: world, child: rocker, parent_point: [9, 0, 0], "
                         "child_point: [0, -0.5, 0], parent_axis: [0, 0, 1], child_axis: [0, 0, 1]}")  # fmt: skip
    (tmp_path / "far.yaml").write_text(far)
    done = fairlead("check", "far.yaml")
    assert done.returncode == 3 and "cannot be assembled: joint" in done.stderr and "far.yaml:" in done.stderr
    both = SLOPPY.replace("point: [0, 0, 0], axis: [0, 0, 1]}", "point: [0, 0, 0], axis: [0, 0, 1], motion: {rate: 1}}")
    both = both.replace("point: [2, 0, 0], axis: [0, 0, 1]}", "point: [2, 0, 0], axis: [0, 0, 1], motion: {rate: 2}}")
    (tmp_path / "both.yaml").write_text(both)
    done = fairlead("check", "both.yaml")
    assert done.returncode == 3 and "contradict each other" in done.stderr and "joints." in done.stderr
    assert fairlead("run", "both.yaml").returncode == 4


def test_a5_crosscheck_compares_closings_and_unknowns_and_takes_legacy_cases():
    model = fl.load(ROOT / "examples/four_bar_revolute.yaml")
    found = fl.crosscheck(model, 0.1, 0.05, tolerance=1e-8)
    assert found.passed, found.table()
    assert {"cloud", "articulated", "constrained", "constrained partition", "constrained euler-parameters"} == set(
        found.formulations
    )
    legacy = fl.load(ROOT / "tests/reference/mbdm/slider_crank_dynamic")
    found = fl.crosscheck(legacy, 0.01, 0.005, tolerance=1e-8)
    assert found.passed and len(found.formulations) == 3, found.table()


def test_a6_crosscheck_ends(fairlead):
    """With no patience everything is given up, said as a failure with the time reached."""
    model = fl.load(ROOT / "examples/four_bar_revolute.yaml")
    found = fl.crosscheck(model, 10.0, 0.001, formulations=["articulated"], patience=0.0)
    assert not found.passed and "given up after" in found.failed["articulated"]
