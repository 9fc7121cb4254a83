"""The machines of the Dissertation and of the MCM paper as files: those of validation, by their own formulations."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import fairlead as fl
from fairlead.units import to_si
from support import restoring_models as restoring
from support import thesis_two_bodies as thesis

MODELS = Path(__file__).parents[2] / "models"
# Of each file the formulation in its `run`, and the machine that tests/cross and the pictures of the docs run.
FILES: dict[str, tuple[str, Callable[[], fl.Model]]] = {
    "thesis_chapter_2": ("two-body-313", thesis.pinned_free),
    "thesis_chapter_2_waves": ("two-body-313", lambda: thesis.pinned(0.1)),
    "thesis_chapter_3": ("two-body", lambda: thesis.hywind("unified")),
    "thesis_chapter_3_waves": ("two-body", thesis.spar),
    "thesis_chapter_4": ("three-body", restoring.three_bodies),
    "mcm_section_8": ("cloud", restoring.six_bodies),
}
every = pytest.mark.parametrize("name", FILES)


def same(one: Any, other: Any, path: str = "") -> None:
    """Assert that plain data are equal, numbers to rounding of their digits and units."""
    if isinstance(other, dict):
        assert set(one) == set(other), path
        for key in other:
            same(one[key], other[key], f"{path}.{key}")
    elif isinstance(other, (list, tuple)):
        assert len(one) == len(other), path
        for number, (a, b) in enumerate(zip(one, other)):
            same(a, b, f"{path}[{number}]")
    elif isinstance(other, (int, float)):
        number = to_si(one, "rad/s") if isinstance(one, str) else one  # '12.1 rpm'
        assert number == pytest.approx(other, rel=1e-12, abs=1e-15), path
    else:
        assert one == other, path


@every
def test_the_file_is_the_machine_of_the_fixture(name: str):
    """Every number of every body, joint, load and of the environment."""
    formulation, made = FILES[name]
    model = fl.load(MODELS / f"{name}.yaml")
    assert model.run is not None and model.run.formulation == formulation
    ours, theirs = (one.model_dump(exclude={"name", "run"}) for one in (model, made()))
    for body in (*ours["bodies"].values(), *theirs["bodies"].values()):
        del body["geometry"]  # how it is drawn is no part of the machine
    for part in ("bodies", "joints", "loads", "gravity", "controllers"):
        same(ours[part], theirs[part], part)
    if theirs["environment"] is not None:
        same(ours["environment"], theirs["environment"], "environment")


@every
def test_the_command_line_runs_it_by_its_own_formulation(name: str, fairlead: Any, tmp_path: Path):
    """Two seconds: the audit passes, and the motion is that of the fixture by `cloud`, another derivation."""
    formulation, made = FILES[name]
    done = fairlead("run", str(MODELS / f"{name}.yaml"), "-q", "--duration", "2 s", "--out", "short.run")
    assert done.returncode == 0, done.stderr
    data = fl.open_result(tmp_path / "short.run")
    assert data.attrs["formulation"] == formulation
    other = "articulated" if formulation == "cloud" else "cloud"
    asked = fl.load(MODELS / f"{name}.yaml").run
    given = {word: getattr(asked, word) for word in ("dt", "integrator", "interval", "output_every")}
    expected = fl.simulate(made(), 2.0, formulation=other, progress=False, **given)
    for variable, size in (("position", 1.0), ("velocity", 0.1), ("angular_velocity", 0.01)):
        apart = np.abs(data[variable].values - expected[variable].values).max()
        assert apart < 1e-8 * max(size, float(np.abs(expected[variable]).max())), variable  # rk4's error is 1e-9
