"""Options that would have no effect beside the others are told, from Python, from `run:` and on the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

import fairlead as fl
from fairlead.errors import InvalidInput
from fairlead.running.options import run_options
from support.interface_models import TWO_BODIES

ROOT = Path(__file__).resolve().parents[2]
STEP = {"duration": 1.0, "dt": 0.01}
# What is said, which option is named, and what the sentence must say of the reason.
POINTLESS = [
    ({"rtol": 1e-9}, "rtol", "'rk4' takes steps of one size"),
    ({"atol": 1e-9}, "atol", "'rk4' takes steps of one size"),
    ({"integrator": "symplectic-euler", "rtol": 1e-9}, "rtol", "'symplectic-euler'"),
    ({"formulation": "articulated", "closing": "partition"}, "closing", "'articulated' does not read it"),
    ({"formulation": "cloud", "closing": "partition-every-step"}, "closing", "'cloud' does not read it"),
    ({"formulation": "kane", "unknowns": "euler-parameters"}, "unknowns", "'kane' does not read it"),
    (
        {"formulation": "constrained", "integrator": "generalised-alpha", "unknowns": "euler-parameters"},
        "unknowns",
        "'generalised-alpha'",
    ),
    (
        {"formulation": "constrained", "integrator": "generalised-alpha", "closing": "partition"},
        "closing",
        "'generalised-alpha'",
    ),
    ({"formulation": "constrained", "rotation": "euler123"}, "rotation", "keeps attitudes as quaternion"),
    ({"formulation": "kane", "rotation": "euler123"}, "rotation", "angles of its own"),
    ({"closing": "partition", "rotation": "euler123"}, "rotation", "which auto takes here"),
]


def text_of(words: dict) -> str:
    """Return the two bodies with `words` under `run`."""
    said = ", ".join(f"{name}: {value}" for name, value in words.items())
    return TWO_BODIES.replace("dt: 0.01 s}", f"dt: 0.01 s, {said}}}")


@pytest.mark.parametrize(("words", "name", "why"), POINTLESS)
def test_python_refuses(two_bodies: Path, words, name, why):
    model = fl.load(two_bodies)
    with pytest.raises(InvalidInput) as told:
        fl.simulate(model, **STEP, **words)
    (problem,) = told.value.problems
    assert problem.path == name and why in problem.message and "leave it out" in problem.message


@pytest.mark.parametrize(("words", "name", "why"), POINTLESS)
def test_the_model_file_and_the_command_line_refuse_with_exit_3(fairlead, two_bodies: Path, words, name, why):
    flags = [part for word, value in words.items() for part in (f"--{word}", str(value))]
    done = fairlead("run", "two.yaml", *flags)
    assert done.returncode == 3 and f"{name}: " in done.stderr and why in done.stderr
    assert not (two_bodies.parent / "two.run").exists()
    two_bodies.write_text(text_of(words))
    for verb in ("run", "check"):
        done = fairlead(verb, "two.yaml")
        assert done.returncode == 3 and f"{name}: " in done.stderr and why in done.stderr, done.stderr


def test_a_rooted_tree_has_no_attitude_to_keep():
    model = fl.load(ROOT / "examples/double_pendulum.yaml")
    with pytest.raises(InvalidInput, match="no body floats here"):
        fl.simulate(model, rotation="euler123")
    with pytest.raises(InvalidInput, match="no body floats here"):
        fl.accelerations(model, rotation="euler123")


def test_what_has_an_effect_is_taken(two_bodies: Path):
    model = fl.load(two_bodies)
    for words in (
        {"integrator": "dop853", "rtol": 1e-6, "atol": 1e-6},
        {"rotation": "euler123"},
        {"rotation": "quaternion", "formulation": "constrained", "closing": "projection", "unknowns": "omega"},
        {"closing": "partition"},  # auto takes constrained for it
        {"unknowns": "euler-parameters", "formulation": "constrained", "closing": "partition"},
    ):
        options = run_options(model, {**STEP, **words})
        assert words.items() <= options.items()


def test_the_call_outranks_the_model(two_bodies: Path):
    """A call that chooses another method or formulation leaves the words of the model's own behind, unread."""
    two_bodies.write_text(text_of({"integrator": "dop853", "rtol": 1e-10, "closing": "partition"}))
    model = fl.load(two_bodies)
    assert run_options(model, {})["rtol"] == 1e-10
    options = run_options(model, {"integrator": "rk4", "formulation": "articulated"})
    assert options["rtol"] is None and options["closing"] == "auto"
    assert run_options(model, {"formulation": "constrained"})["closing"] == "partition"
    with pytest.raises(InvalidInput, match="rtol"):
        run_options(model, {"integrator": "rk4", "rtol": 1e-8})


def test_crosscheck_and_other_verbs_tell_it_too(fairlead, two_bodies: Path):
    done = fairlead("crosscheck", "two.yaml", "--integrator", "rk4", "--rtol", "1e-8")
    assert done.returncode == 3 and "rtol" in done.stderr
    done = fairlead("convert", "two.yaml", "other.yaml", "--platform", "base")
    assert done.returncode == 3 and "--platform" in done.stderr and not (two_bodies.parent / "other.yaml").exists()
    model = fl.load(two_bodies)
    with pytest.raises(InvalidInput, match="overwrite: has no effect without out"):
        fl.simulate(model, overwrite=True)
    with pytest.raises(InvalidInput, match="formulation: is 'constrained'"):
        fl.kinematics(model, formulation="cloud")


def test_the_defaults_of_a_run_say_nothing():
    """However a model was made, with what its file left out filled in or not."""
    model = fl.load(ROOT / "examples/eight_body_kane.yaml")
    for one in (model, model.with_({"run.duration": "1 s"}), model.model_copy(deep=True)):
        assert run_options(one, {})["formulation"] == "kane"
        assert [problem for problem in fl.check(one) if problem.severity == "error"] == []
    with pytest.raises(InvalidInput, match="'quaternion' has no effect"):
        run_options(model, {"rotation": "quaternion"})
