"""The words of the sea: files, mistakes and what a run directory keeps."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import fairlead as fl

FILE = """\
fairlead: 1
name: buoy
bodies:
  buoy: {mass: 12000, inertia: [1e5, 1e5, 1e4], position: [0, 0, -3]}
environment:
  depth: 40
  waves: {type: jonswap, height: 1.5, period: 6 s, seed: 2, direction: 20 deg}
  current: {speed: 0.5}
loads:
  water: {type: buoyancy, body: buoy, sections: [[-6, 2], [2, 2]]}
  waves: {type: morison, body: buoy, sections: [[-6, 2], [2, 2]], ca: 1, cd: 0.7, end_cd: 1}
run: {duration: 5 s, dt: 0.05 s}
"""


def problems(tmp_path: Path, old: str, new: str) -> list[fl.Problem]:
    assert old in FILE
    path = tmp_path / "buoy.yaml"
    path.write_text(FILE.replace(old, new))
    return [problem for problem in fl.check(path) if problem.severity == "error"]


MISTAKES = [
    ("type: jonswap, ", "", 7, "environment.waves", "one of still-water, regular-wave"),
    ("type: jonswap", "type: jonswop", 7, "environment.waves", "jonswap"),
    ("seed: 2", "sed: 2", 7, "environment.waves.sed", "did you mean 'seed'?"),
    ("height: 1.5", "height: -1.5", 7, "environment.waves.height", "at least 0"),
    ("seed: 2", "lowest: 9", 7, "environment.waves", "band of frequencies is empty"),
    ("[[-6, 2], [2, 2]]}", "[[2, 2], [-6, 2]]}", 10, "loads.water.sections", "from bottom to top"),
    ("[[-6, 2], [2, 2]]}", "[[-6, 2]]}", 10, "loads.water.sections", "two or more sections"),
    ("[[-6, 2], [2, 2]]}", "[[-6, 2], [2, -2]]}", 10, "loads.water.sections", "must not be negative"),
    ("[[-6, 2], [2, 2]]}", "[[-6, 2], [2, 2 s]]}", 10, "loads.water.sections.1", "use m"),
    ("cd: 0.7", "cd: 0.7, waterline: wavy", 11, "loads.waves.waterline", "instantaneous, still"),
    ("[[-6, 2], [2, 2]]}", "[[-60, 2], [2, 2]]}", 10, "loads.water.sections", "z = -60 m, and the bed is at -40 m"),
    ("ca: 1, ", "", 11, "loads.waves.ca", "required and missing"),
    ("speed: 0.5}", "speed: 0.5, exponent: 0.1}\n  air_density: 0", 9, "environment.air_density", "greater than 0"),
]


@pytest.mark.parametrize(("old", "new", "line", "path", "says"), MISTAKES)
def test_mistakes_are_named(tmp_path, old, new, line, path, says):
    found = problems(tmp_path, old, new)
    assert [(one.line, one.path) for one in found] == [(line, path)]
    assert says in found[0].message


LINE = "{type: catenary, body: buoy, point: [0, 0, -6], anchor: [60, 0, -40], length: 80, EA: 1e8, weight: 100}"
REMARKS = [
    ("  waves: {type: morison, body: buoy, sections: [[-6, 2], [2, 2]], ca: 1, cd: 0.7, end_cd: 1}\n", "")
    + (("environment.waves", "acts on nothing"), ("environment.current", "acts on nothing")),
    ("20 deg", "20", ("environment.waves.direction", "write '20 deg'?")),
    ("  current: {speed: 0.5}", "  wind: {type: steady, speed: 9}", ("environment.wind", "acts on nothing")),
    ("loads:\n", f"loads:\n  line: {LINE}\n"),
    ("loads:\n", f"loads:\n  line: {LINE[:-1]}, seabed: false, friction: 1}}\n", ("loads.line.friction", "no effect")),
    ("loads:\n", f"loads:\n  line: {LINE.replace('-40', '-30')}\n", ("loads.line.anchor", "depth is 40 m")),
]


@pytest.mark.parametrize(("old", "new", "says"), [(old, new, says) for old, new, *says in REMARKS])
def test_what_has_no_effect_or_looks_like_a_slip_is_remarked(tmp_path, old, new, says):
    assert problems(tmp_path, old, new) == []
    notes = fl.check(tmp_path / "buoy.yaml")
    assert [(one.path, one.severity) for one in notes] == [(path, "note") for path, _ in says]
    assert all(text in one.message for one, (_, text) in zip(notes, says))


def test_a_run_says_the_remarks(tmp_path, fairlead):
    path = tmp_path / "buoy.yaml"
    path.write_text(FILE.replace("20 deg", "20").replace("5 s, dt", "0.1 s, dt"))
    done = fairlead("run", str(path), "--out", str(tmp_path / "run"))
    assert done.returncode == 0 and "environment.waves.direction: note: is 20 rad" in done.stderr


def test_a_hull_needs_water(tmp_path):
    head, tail = FILE.split("environment:")[0], "loads:" + FILE.split("loads:")[1]
    path = tmp_path / "dry.yaml"
    path.write_text(head + tail)
    found = fl.check(path)
    assert [one.path for one in found if one.severity == "error"] == ["loads.water", "loads.waves"]
    assert "give the model an environment" in found[0].message


def test_python_models_are_refused_with_the_same_words():
    body = fl.Body(1000, (1e4, 1e4, 1e4))
    load = fl.Buoyancy("buoy", [(-2, 1), (2, 1)])
    with pytest.raises(fl.InvalidInput, match="needs water around it"):
        fl.simulate(fl.Model("m", {"buoy": body}, loads={"b": load}), 1, 0.1)
    tilted = fl.Model("m", {"buoy": body}, loads={"b": load}, gravity=(1, 0, -9), environment=fl.Environment())
    with pytest.raises(fl.InvalidInput, match="must point along -z"):
        fl.simulate(tilted, 1, 0.1)
    deep = fl.Environment(current=fl.Current(1, exponent=0.1))
    with pytest.raises(fl.InvalidInput, match="needs the depth"):
        fl.simulate(fl.Model("m", {"buoy": body}, loads={"b": load}, environment=deep), 1, 0.1)


def test_tables_that_would_not_fit_are_refused(tmp_path):
    """With a fixed step they are filled as the run goes and take little; an adaptive one needs them whole."""
    path = tmp_path / "buoy.yaml"
    path.write_text(FILE)
    with pytest.raises(fl.InvalidInput, match=r"environment.waves: .* would take .* GB; raise 'accuracy'"):
        fl.simulate(fl.load(path), duration=5e5, dt=0.05, integrator="dop853")


def test_a_buoy_is_the_same_by_every_formulation():
    """Added mass, buoyancy and drag through six equations, a recursion, partial velocities and multipliers."""
    body = fl.Body(1000, (1e3, 1e3, 1e3), velocity=(0.3, 0, 0), angular_velocity=(0, 0.1, 0))
    loads = {
        "wave load": fl.Morison("buoy", [(-2, 1), (2, 1)], 1, 1),
        "water": fl.Buoyancy("buoy", [(-2, 1), (2, 1)]),
    }
    waves = fl.RegularWave(0.2, 4)
    model = fl.Model("m", {"buoy": body}, loads=loads, environment=fl.Environment(waves=waves))
    found = fl.crosscheck(model, 1.0, 0.1, tolerance=1e-8)
    assert {"cloud", "articulated", "kane", "constrained"} <= set(found.formulations)
    assert found.passed, found.table()


def test_the_elevation_is_in_the_file_and_resuming_gives_the_same(tmp_path):
    path = tmp_path / "buoy.yaml"
    path.write_text(FILE)
    model = fl.load(path)
    direct = fl.simulate(model)
    kept = fl.simulate(model, out=tmp_path / "run")
    assert np.array_equal(direct["wave_elevation"].values, kept["wave_elevation"].values)
    assert np.array_equal(direct["position"].values, kept["position"].values)
    assert kept["wave_elevation"].attrs["units"] == "m"
    assert fl.audit(direct).passed
