"""Words of free coordinates: units of what acts on them, formulas that are checked, starts outside of ranges."""

from pathlib import Path

import numpy as np
import pytest

import fairlead as fl

TEXT = """fairlead: 1
name: hinge
bodies:
  a: {mass: 1, inertia: [1, 1, 1]}
  b: {mass: 1, inertia: [1, 1, 1], position: [1, 0, 0]}
joints:
  j: {type: revolute, parent: a, child: b, point: [0.5, 0, 0], axis: [0, 0, 1]WORDS}
loads:
  push: {type: force, body: b, force: [0, FORCE, 0]}
run: {duration: 1 s, dt: 0.1 s}
"""


def problems(tmp_path: Path, words: str = "", force: str = "1"):
    path = tmp_path / "hinge.yaml"
    path.write_text(TEXT.replace("WORDS", words).replace("FORCE", force))
    return fl.check(path)


def hinge(joint, **options):
    bodies = {"a": fl.Body(1, (1, 1, 1)), "b": fl.Body(1, (1, 1, 1), position=(1, 0, 0))}
    return fl.Model(name="hinge", gravity=(0, 0, 0), bodies=bodies, joints={"j": joint}, **options)


@pytest.mark.parametrize(
    ("plain", "with_units"),
    [
        ({"spring": 3e3, "initial": 0.1}, {"spring": "3 kN m/rad", "initial": 0.1}),
        ({"spring": 180 / np.pi, "initial": 0.1}, {"spring": {"stiffness": "1 N m/deg"}, "initial": 0.1}),
        ({"damper": 2.0, "rate": 1.0}, {"damper": "2 N m s/rad", "rate": 1.0}),
        (
            {"stop": fl.Stop(upper=0.1, stiffness=5e3, damping=20), "initial": 0.2, "rate": 1.0},
            {"stop": fl.Stop(upper=0.1, stiffness="5 kN m/rad", damping="20 N m s/rad"), "initial": 0.2, "rate": 1.0},
        ),
        ({"actuator": {"command": 500, "limit": 400}}, {"actuator": {"command": "0.5 kN m", "limit": "400 N m"}}),
        (
            {"actuator": {"command": {"times": [0, 1], "values": [2e3, 3e3]}}},
            {"actuator": {"command": {"times": [0, 1], "values": ["2 kN m", "3 kN m"]}}},
        ),
    ],
)
def test_what_acts_on_a_coordinate_may_carry_a_unit(tmp_path: Path, plain, with_units):
    """The same number in SI gives the same force; the factor of a unit is a rounding at most. Files keep the text."""
    axis = {"point": (0.5, 0, 0), "axis": (0, 0, 1)}
    known, model = (hinge(fl.Revolute("a", "b", **axis, **words)) for words in (plain, with_units))
    force = fl.accelerations(known)["driver_force"]
    assert float(abs(force).max()) > 0
    np.testing.assert_allclose(fl.accelerations(model)["driver_force"], force, rtol=1e-14)
    fl.save(model, tmp_path / "hinge.yaml")
    assert fl.load(tmp_path / "hinge.yaml") == model


@pytest.mark.parametrize(
    ("words", "path", "said"),
    [
        (", spring: 5 N/m", "joints.j.spring", "use N m/rad"),
        (", damper: 5 N s/m", "joints.j.damper", "use N m s/rad"),
        (", damper: -5 N m s/rad", "joints.j.damper", "at least 0"),
        (", stop: {upper: 1, stiffness: 0}", "joints.j.stop.stiffness", "greater than 0"),
        (", actuator: {command: 5 N}", "joints.j.actuator.command", "use N m"),
        (", actuator: {command: {times: [0, 1], values: [1 kg, 2]}}", "joints.j.actuator.command", "use N m"),
        (", actuator: {command: 5, limit: 3 m}", "joints.j.actuator.limit", "use N m"),
        (", actuator: {command: 2*j.agle}", "joints.j.actuator.command", "did you mean 'angle'?"),
        (", motion: {expression: sin(j.angle)}", "joints.j.motion", "the only variable is t"),
    ],
)
def test_mistakes_in_a_joint_are_found_without_running(tmp_path: Path, words, path, said):
    found = problems(tmp_path, words)
    assert [(problem.path, problem.line, problem.severity) for problem in found] == [(path, 7, "error")]
    assert said in found[0].message


def test_mistakes_in_the_formula_of_a_force_are_found_without_running(tmp_path: Path):
    found = problems(tmp_path, force="2*c.x")
    assert [(problem.path, problem.line) for problem in found] == [("loads.push.force.1", 9)]
    assert "no body, joint, load or controller 'c'" in found[0].message


def test_a_part_that_cannot_be_read_does_not_make_formulas_wrong(tmp_path: Path):
    """The joint has its own mistake; that it cannot be read is not held against a formula that reads it."""
    found = problems(tmp_path, ", sprng: 3", force="2*j.angle")
    assert [problem.path for problem in found] == ["joints.j.sprng"]


@pytest.mark.parametrize(
    ("words", "path"),
    [
        (", initial: 2, stop: {upper: 1, stiffness: 3}", "joints.j.stop"),
        (", limits: [0.5, 1]", "joints.j.limits"),
        (", locked: true, initial: 2, limits: [0.5, 1]", "joints.j.limits"),
    ],
)
def test_a_start_outside_of_a_range_is_noted(tmp_path: Path, words, path):
    found = problems(tmp_path, words)
    assert [(problem.path, problem.severity) for problem in found] == [(path, "note")]
    assert not problems(tmp_path, words.replace("initial: 2", "initial: 0.7").replace("[0.5", "[-1"))
