"""Samples too far apart: whipping pendulums recorded seldom are undecided, not failed; planted errors fail."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import fairlead as fl
from fairlead.auditing.audit import ATTITUDE, PLACE
from fairlead.formats.foreign.questions import audit
from fairlead.results.netcdf import write_csv

FINE = 0.0025  # [s] between recorded instants; a whip of these pendulums takes some 0.1 s
SPARSE = [20, 40, 80, 200]  # of these: 0.05 s to 0.5 s
RATES = ("acceleration", "angular_acceleration")  # which tables of other programs seldom hold


@cache
def pendulum(links: int, seed: int) -> Any:
    """Return the motion of links on pins that whip about level axes, or about any where the seed is odd."""
    rng = np.random.default_rng(seed)
    bodies, joints = {}, {}
    for i in range(links):
        axis = (0, 1, 0) if seed % 2 == 0 else tuple(rng.normal(size=3))
        bodies[f"b{i}"] = fl.Body(rng.uniform(0.3, 2.0), (0.01, 0.09, 0.09), position=(i + 0.5, 0, 0))
        parent = "world" if i == 0 else f"b{i - 1}"
        joints[f"j{i}"] = fl.Revolute(parent, f"b{i}", point=(i, 0, 0), axis=axis, rate=4 * rng.normal())
    return fl.simulate(fl.Model("links", bodies, joints), 20.0, interval=FINE, progress=False)


def table_of(data: Any, path: Path, mass: float = 1.0, speed: float = 1.0) -> tuple[Path, dict]:
    """Write a result as another program's table; return it with its column map, mass and speed of b1 times these."""
    data = data.assign(velocity=data["velocity"] * np.where(data["body"] == "b1", speed, 1.0)[:, None])
    write_csv(data, path)
    bodies = {
        str(name): {
            "mass": float(data["mass"].sel(body=name)) * (mass if name == "b1" else 1.0),
            "inertia": [float(x) for x in np.diag(data["inertia"].sel(body=name))],
            "position": [f"position:{name}:{x}" for x in "xyz"],
            "velocity": [f"velocity:{name}:{x}" for x in "xyz"],
            "orientation": {"quaternion": [f"orientation:{name}:{x}" for x in "wxyz"]},
            "angular_velocity": {"columns": [f"angular_velocity:{name}:{x}" for x in "xyz"], "axes": "body"},
        }
        for name in data["body"].values
    }
    plan = {"time": "time", "bodies": bodies, "gravity": [0, 0, -9.80665], "energy": "conserved"}
    point = {"parent": "world", "child": "b0", "point": [0, 0, 0]}
    return path, plan | {"joints": {"j0": point}}


@pytest.mark.parametrize("every", SPARSE)
@pytest.mark.parametrize(("links", "seed"), [(2, 2), (2, 3), (3, 4), (3, 5)])
def test_sparse_records_do_not_fail(links: int, seed: int, every: int):
    """The motion is the same however seldom it is recorded, so no check may fail; some say what they lack."""
    data = pendulum(links, seed).isel(time=slice(None, None, every))
    for record in (data, data.drop_vars(RATES)):
        found = audit(record)
        assert not found.failures, found.table()
    if every >= 80:
        for name in (PLACE, ATTITUDE):
            assert found[name].status == "undecided" and "moves too much between samples" in found[name].sentence


def test_a_sparse_table_is_undecided_with_the_reason(tmp_path: Path):
    data = pendulum(3, 5).isel(time=slice(None, None, 80))
    path, plan = table_of(data, tmp_path / "sparse.csv")
    found = audit(path, columns=plan)
    assert not found.failures, found.table()
    assert {PLACE, ATTITUDE} <= {check.name for check in found.undecided}
    assert "record more often" in found[PLACE].sentence


@pytest.mark.parametrize("links", [2, 3])
def test_planted_errors_fail_with_adequate_samples(tmp_path: Path, links: int):
    """1 % of one mass shows in the energy, 1 % of one velocity in the motion too, where 0.005 s suffice."""
    data = pendulum(links, 2).isel(time=slice(None, None, 2))
    path, plan = table_of(data, tmp_path / "fine.csv")
    assert audit(path, columns=plan).passed
    path, plan = table_of(data, tmp_path / "mass.csv", mass=1.01)
    found = audit(path, columns=plan)
    assert [check.name for check in found.failures] == ["energy changes by the recorded work"]
    path, plan = table_of(data, tmp_path / "speed.csv", speed=1.01)
    assert PLACE in {check.name for check in audit(path, columns=plan).failures}


@pytest.mark.parametrize("every", SPARSE)
def test_a_wrong_mass_fails_however_seldom_it_is_recorded(tmp_path: Path, every: int):
    """Energy needs no samples between: its balance is of each instant."""
    path, plan = table_of(pendulum(2, 2).isel(time=slice(None, None, every)), tmp_path / "a.csv", mass=1.01)
    assert not audit(path, columns=plan).passed
