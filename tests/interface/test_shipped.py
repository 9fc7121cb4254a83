"""Shipped models by name, drafts of new ones, and what the command says before and after a run."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

import fairlead as fl
from fairlead.cli.app import VERBS
from fairlead.shipped.drafts import DRAFTS
from fairlead.shipped.names import named, plain, shipped

ROOT = Path(__file__).parents[2]


def test_every_model_of_the_repository_is_listed_with_what_it_is(fairlead):
    files = [*(ROOT / "examples").glob("*.yaml"), *(ROOT / "models").glob("*.yaml")]
    found = shipped()
    assert {one.file for one in found.values()} == set(files) and len(found) == len(files)
    assert all(len(one.about) > 10 for one in found.values())
    said = fairlead("examples").stdout
    assert all(name in said for name in found)


@pytest.mark.parametrize("name", ["slider-crank-dynamic", "slider_crank_dynamic", "Slider_Crank-Dynamic.yaml"])
def test_names_may_have_hyphens_or_underscores(name):
    assert named(name).file == ROOT / "examples" / "slider_crank_dynamic.yaml"
    assert plain("02_spacecraft_wheels.yaml") == "spacecraft-wheels"


def test_a_name_that_is_not_there_gets_the_nearest(fairlead):
    done = fairlead("examples", "run", "for-bar")
    assert done.returncode == 3 and "did you mean 'four-bar'" in done.stderr
    assert fairlead("examples", "fetch").returncode == 3


def test_copies_bring_the_files_that_a_model_names(fairlead, tmp_path: Path):
    done = fairlead("examples", "copy", "spar-on-dynamic-lines", "four-bar", "--out", "mine")
    assert done.returncode == 0, done.stderr
    assert {path.name for path in (tmp_path / "mine").iterdir()} == {
        "spar_on_dynamic_lines.yaml",
        "spar_lines.txt",
        "four_bar.yaml",
    }
    assert fairlead("examples", "copy", "four-bar", "--out", "mine").returncode == 5


def test_an_example_runs_by_its_name_and_says_what_comes_next(fairlead, tmp_path: Path):
    done = fairlead("examples", "run", "heavy_top")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "heavy-top.run" / "result.nc").exists()
    for words in ("formulation articulated (auto: the cheapest", "on disk", "fastest is", "largest reaction"):
        assert words in done.stdout
    assert (
        done.stdout.rstrip().endswith("fairlead plot heavy-top.run") and "fairlead report heavy-top.run" in done.stdout
    )


@pytest.mark.parametrize("kind", DRAFTS)
def test_a_draft_runs_and_passes_its_audit(fairlead, tmp_path: Path, kind: str):
    assert fairlead("new", "my model", "--kind", kind).returncode == 0
    model = fl.load(tmp_path / "my model.yaml")
    assert model.name == "my model" and not [one for one in fl.check(model) if one.severity != "note"]
    assert fl.audit(fl.simulate(model, duration=1.0, discard=0)).passed
    assert fairlead("new", "my model", "--kind", kind).returncode == 5


def test_a_draft_needs_a_kind_and_a_name_that_exist(fairlead):
    assert "did you mean 'robot'" in fairlead("new", "a", "--kind", "robt").stderr
    assert fairlead("new", "../a").returncode == 3


@pytest.mark.parametrize("verb", VERBS)
def test_help_of_every_verb_ends_with_an_example(fairlead, verb: str):
    assert VERBS[verb].startswith(f"fairlead {verb} ")
    said = " ".join(fairlead(verb, "--help").stdout.split())
    assert "For example: fairlead" in said


def test_shells_complete_verbs(fairlead):
    assert "install-completion" in fairlead("--help").stdout


@pytest.mark.slow
def test_a_wheel_brings_examples_and_pages(tmp_path: Path):
    import subprocess
    import sys

    subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation", "-q", "-w", tmp_path, ROOT],
        check=True,
    )
    (wheel,) = tmp_path.glob("*.whl")
    names = set(zipfile.ZipFile(wheel).namelist())
    assert {f"fairlead/shipped/{one.file.parent.name}/{one.file.name}" for one in shipped().values()} <= names
    assert {"fairlead/view/page/static/page.html", "fairlead/view/page/static/vendor/LICENSES.txt"} <= names
