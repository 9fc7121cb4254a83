"""Every formulation of the table is whole: its class, its kernels, its contract, its name in the one list, its answer.

A new formulation enters by its line in `running/formulations/table.py`; the sentence of a failure says what is missing.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

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
RECORDED = (  # what every formulation leaves of an instant
    *("position", "velocity", "acceleration", "orientation", "angular_velocity", "angular_acceleration"),
    *("joint_position", "joint_rate", "joint_acceleration", "driver_force", "joint_point", "joint_force"),
    *("joint_moment", "load_force", "load_moment", "momentum", "angular_momentum", "kinetic_energy"),
    "potential_energy",
)


def tumbling() -> fl.Model:
    """Return a hull that turns over about its middle axis, with a boom on a free pin and a driven wheel on that."""
    bodies = {
        "hull": fl.Body(30, (9, 6, 4), angular_velocity=(0.2, 3.0, 0.3)),
        "boom": fl.Body(2, (0.3, 0.4, 0.5), (1.0, 0.2, 0.1)),
        "wheel": fl.Body(1, (0.1, 0.1, 0.2), (1.5, 0.2, 0.1)),
    }
    joints = {
        "pin": fl.Revolute("hull", "boom", (0.4, 0, 0), (0, 0.6, 0.8), spring=20, damper=0.5),
        "shaft": fl.Revolute("boom", "wheel", (1.5, 0.2, 0.1), (1, 0, 0), motion=fl.Rate(2.0)),
    }
    return fl.Model("tumbling", bodies, joints)


def four_bar() -> fl.Model:
    """Return a loop of bars whose last joint is a ball, so that its equations are independent."""
    rod = {"inertia": (0.01, 0.2, 0.2)}
    bodies = {
        "crank": fl.Body(1, position=(0, 0, 0.25), **rod),
        "coupler": fl.Body(2, position=(0.6, 0, 0.65), **rod),
        "rocker": fl.Body(1.5, position=(1.2, 0, 0.4), **rod),
    }
    joints = {
        "base": fl.Revolute("world", "crank", (0, 0, 0), (0, 1, 0), rate=2.0),
        "knee": fl.Universal("crank", "coupler", (0, 0, 0.5), (0, 1, 0), (1, 0, 0)),
        "foot": fl.Revolute("world", "rocker", (1.2, 0, 0), (0, 1, 0)),
        "end": fl.Spherical("coupler", "rocker", (1.2, 0, 0.8)),
    }
    return fl.Model("four bars", bodies, joints)


def another(way: Formulation, model: fl.Model) -> str:
    """Return an independent formulation that takes a model which this one takes too; empty where there is none."""
    if way.accepts(model):
        return ""
    names = (n for n, other in FORMULATIONS.items() if other.folder != way.folder and not other.accepts(model))
    return next(names, "")


def gap_between(ours: Any, theirs: Any, quantity: str) -> float:
    """Return the largest difference of a quantity, of its size."""
    scale = max(1e-3, float(np.abs(theirs[quantity]).max())) if theirs[quantity].size else 1.0
    return float(np.abs(ours[quantity] - theirs[quantity]).max()) / scale if theirs[quantity].size else 0.0


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
    for function in (*OWN, *STEPPED):
        assert callable(getattr(way.kernels, function)), f"'{function}' of '{name}' is no function"


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
        other = another(way, model)
        if other:
            break
    else:
        pytest.fail(f"no model here is accepted by '{name}' and another formulation: add one")
    ours, theirs = (fl.accelerations(model, formulation=one) for one in (name, other))
    for quantity in ("acceleration", "angular_acceleration"):
        gap = gap_between(ours, theirs, quantity)
        assert gap < AGREE, f"'{name}' and '{other}' differ in {quantity} of '{model.name}' by {gap:.1e}"


@pytest.mark.parametrize("drawn", [tumbling, four_bar])
@pytest.mark.parametrize("name", FORMULATIONS)
def test_everything_recorded_is_that_of_another(name: str, drawn: Any) -> None:
    """Of trees with free and driven joints and of loops: what `after` leaves undone `observe` must do."""
    way, model = FORMULATIONS[name], drawn()
    other = another(way, model)
    if not other:
        pytest.skip(f"'{name}' does not take {model.name}")
    ours, theirs = (fl.accelerations(model, formulation=one) for one in (name, other))
    for quantity in RECORDED:
        gap = gap_between(ours, theirs, quantity)
        assert gap < AGREE, (
            f"formulation '{name}' records another {quantity} of '{model.name}' than '{other}' (by {gap:.1e} of its "
            "size): does its 'after' find it, and an 'observe' of its own what the usual one does not?"
        )


@pytest.mark.parametrize("drawn", [tumbling, four_bar])
@pytest.mark.parametrize("name", FORMULATIONS)
def test_steps_are_closed(name: str, drawn: Any) -> None:
    """A body that turns over and a loop, against another formulation; and each variant of the equations.

    rk4 in steps of 5 ms beside rates of 3 rad/s: 1e-8 per second and formulation, held at 1e-6.
    """
    way, model = FORMULATIONS[name], drawn()
    other = another(way, model)
    if not other:
        pytest.skip(f"'{name}' does not take {model.name}")
    options = {"duration": 1.5, "dt": 0.005, "integrator": "rk4", "output_every": 10, "progress": False}
    theirs = fl.simulate(model, formulation=other, **options)
    for variant in ({}, *way.variants.values()):
        said = " with " + ", ".join(f"{option} '{word}'" for option, word in variant.items()) if variant else ""
        try:
            ours = fl.simulate(model, formulation=name, **options, **variant)
        except fl.NumericalFailure as stopped:
            pytest.fail(f"'{name}'{said} cannot follow '{model.name}': has it its own 'project'? It says: {stopped}")
        gap = float(ours["position_violation"].max())
        assert gap < 1e-9, (
            f"'{name}'{said} lets joints of '{model.name}' open by {gap:.1e}: it needs a kernel 'project' of its own"
        )
        for quantity in ("position", "joint_position", "velocity"):
            gap = gap_between(ours, theirs, quantity)
            assert gap < 1e-6, (
                f"'{name}'{said} and '{other}' run apart in {quantity} of '{model.name}' by {gap:.1e}: does it need "
                "a kernel 'project' or 'begin_step' of its own?"
            )
