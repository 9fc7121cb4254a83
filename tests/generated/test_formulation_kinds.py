"""Every formulation of the table is whole: its class, its kernels, its contract, its name in the one list, its answer.

A new formulation enters by its line in `running/formulations/table.py`; the sentence of a failure says what is missing.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import numpy as np
import pytest

import fairlead as fl
from fairlead.errors import Problem
from fairlead.model.run_words import FORMULATIONS as NAMES
from fairlead.model.run_words import ROTATIONS
from fairlead.running.formulations.base import OWN, STEPPED, Formulation
from fairlead.running.formulations.table import FORMULATIONS, WAYS
from support.thesis_two_bodies import hywind, pinned_free

ROOT = Path(__file__).parents[2]
CORE = ROOT / "src" / "fairlead" / "core"
MODELS = [*sorted((ROOT / "examples").glob("*.yaml")), *sorted((ROOT / "models").glob("*.yaml"))]
# Rounding of two different ways to solve the same equations, of the largest acceleration in the model.
AGREE = 1e-7


def test_the_one_list_of_names_is_the_table() -> None:
    """Schema, command line and docs read `model/run_words.FORMULATIONS`; runs are found in the table."""
    missing = [name for name in FORMULATIONS if name not in NAMES]
    assert not missing, f"formulation {missing} is in the table but not in model/run_words.FORMULATIONS"
    unknown = [name for name in NAMES if name != "auto" and name not in FORMULATIONS]
    assert not unknown, f"model/run_words.FORMULATIONS names {unknown}, which running/formulations/table.py lacks"
    assert len(WAYS) == len(FORMULATIONS), "two formulations of the table have the same name"


@pytest.mark.parametrize("name", FORMULATIONS)
def test_kernels_are_whole(name: str) -> None:
    """What a formulation must say itself is named here if it is missing, not while stepping; the rest has defaults."""
    way = FORMULATIONS[name]
    missing = [function for function in OWN if not hasattr(way.module, function)]
    assert not missing, f"core/formulations/{way.folder} of '{name}' lacks the kernels {missing}"
    assert all(callable(getattr(way.kernels, function)) for function in (*OWN, *STEPPED))


def test_bound_kernels_have_names_of_their_own() -> None:
    """Two templates bound under one name would share a place in the cache, and the second would run as the first."""
    named = re.compile(r'bind\(\s*\w+,\s*"([^"]+)"')
    found = [name for path in CORE.rglob("*.py") for name in named.findall(path.read_text())]
    twice = sorted({name for name in found if found.count(name) > 1})
    assert not twice, f"bound twice under one name in core/: {', '.join(twice)}; give each its own"


@pytest.mark.parametrize("name", FORMULATIONS)
def test_refusals_are_its_own(name: str) -> None:
    """`accepts` decides `auto` and every refusal, so each formulation must say it and say why."""
    way = FORMULATIONS[name]
    assert type(way).accepts is not Formulation.accepts, f"formulation '{name}' does not say what it accepts"
    reasons = [reason for path in MODELS[:8] for reason in way.accepts(fl.load(path))]
    assert all(isinstance(reason, Problem) and reason.path for reason in reasons), f"'{name}' refuses without a place"
    unknown = set(way.rotations) - set(ROTATIONS)
    assert not unknown, f"formulation '{name}' keeps attitudes as {unknown}, which model/run_words.ROTATIONS lacks"


def test_folders_do_not_import_one_another() -> None:
    """The contract of independence names every folder of kernels."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    named = {module for contract in contracts if contract["type"] == "independence" for module in contract["modules"]}
    folders = {f"fairlead.core.formulations.{way.folder.split('.')[0]}" for way in FORMULATIONS.values()}
    assert folders <= named, f"pyproject.toml's contract of independent formulations lacks {sorted(folders - named)}"


@pytest.mark.parametrize("name", FORMULATIONS)
def test_told_in_the_docs(name: str) -> None:
    """A formulation that no page explains cannot be chosen by anyone."""
    assert f"`{name}`" in (ROOT / "docs" / "theory.md").read_text(), f"docs/theory.md does not speak of `{name}`"


@pytest.mark.parametrize("name", FORMULATIONS)
def test_same_accelerations_as_another(name: str) -> None:
    """An independent formulation finds the same accelerations at the start of a model that both accept."""
    way = FORMULATIONS[name]
    for model in (pinned_free(), hywind("unified"), hywind("separate"), *(fl.load(path) for path in MODELS)):
        others = [other for other in FORMULATIONS.values() if other.folder != way.folder and not other.accepts(model)]
        if others and not way.accepts(model):
            break
    else:
        pytest.fail(f"no model here is accepted by '{name}' and another formulation: add one")
    ours = fl.accelerations(model, formulation=name)
    theirs = fl.accelerations(model, formulation=others[0].name)
    for quantity in ("acceleration", "angular_acceleration"):
        scale = max(1e-3, float(np.abs(theirs[quantity]).max()))
        gap = float(np.abs(ours[quantity] - theirs[quantity]).max()) / scale
        assert gap < AGREE, f"'{name}' and '{others[0].name}' differ in {quantity} of '{model.name}' by {gap:.1e}"
