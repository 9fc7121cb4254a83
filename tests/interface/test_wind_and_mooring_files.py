"""Wind, rotors, lines and controllers in model files: the same words, back and forth, and what is said of mistakes."""

import math
import sys
from pathlib import Path

import numpy as np
import pytest

import fairlead as fl

FILE = """
fairlead: 1
name: turbine
bodies:
  hull: {mass: 8.0e6, inertia: [4.0e9, 4.0e9, 1.6e8], position: [0, 0, -60]}
  nacelle: {mass: 3.5e5, inertia: [4.0e7, 2.5e7, 2.5e7], position: [-1, 0, 90]}
joints:
  yaw:
    {type: revolute, parent: hull, child: nacelle, point: [0, 0, 87.6], axis: [0, 0, 1],
     motion: {controller: yaw control}}
loads:
  line 1:
    {type: catenary, body: hull, point: [5.2, 0, -70], anchor: [853.87, 0, -320], length: 902.2, EA: 384.243 MN,
     weight: 698.094, friction: 0.001}
  line 2:
    {type: taut-line, body: hull, point: [-5.2, 0, -70], anchor: [-400, 0, -320], EA: 3.8e8, pretension: 900 kN,
     tension_only: true}
  rotor:
    type: rotor-thrust
    body: nacelle
    point: [-5, 0, 90]
    axis: [1, 0, -0.0875]
    radius: 63
    ct: {speeds: [3, 11.4, 25], values: [1.0, 0.75, 0.06]}
    cp: {of_ct: 0.7}
    torque: {power: 5 MW, speed: 12.1 rpm}
environment:
  air_density: 1.225
  wind:
    type: kaimal
    speed: 18.2
    turbulence: B
    seed: 1
    duration: 300 s
    exponent: 0.14
    changes:
      - {type: direction-change, begin: 100 s, by: 45 deg}
      - {type: extreme-gust, begin: 20 s, turbulence: B, reference_speed: I, diameter: 126}
controllers:
  yaw control: {type: yaw-follow, dead_band: 5 deg, rate: 0.3 deg/s}
run: {duration: 1, dt: 0.1}
"""


def written(tmp_path, text, name="model.yaml"):
    path = tmp_path / name
    path.write_text(text)
    return path


def test_files_and_python_say_the_same(tmp_path):
    model = fl.load(written(tmp_path, FILE))
    assert model.environment.wind.changes[0].by == pytest.approx(math.pi / 4)
    assert model.loads["rotor"].torque == pytest.approx(5e6 / (12.1 * math.pi / 30))
    assert model.controllers["yaw control"].lag == 10.0
    fl.save(model, tmp_path / "again.yaml")
    again = fl.load(tmp_path / "again.yaml")
    assert again.loads["line 1"] == model.loads["line 1"] and again.controllers == model.controllers
    assert again.environment == model.environment
    assert again == model
    first, second = (fl.simulate(one, 1.0, 0.1) for one in (model, again))
    np.testing.assert_array_equal(first.position, second.position)
    assert first.attrs["model_hash"] == second.attrs["model_hash"]


def test_the_schema_knows_the_words(tmp_path):
    from fairlead.formats.yaml.json_schema import json_schema

    names = json_schema()["$defs"]
    assert {"Catenary", "TautLine", "RotorThrust", "KaimalWind", "YawFollow", "Environment"} <= set(names)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("motion: {controller: yaw control}", "motion: {controller: yaw contro}", "did you mean 'yaw control'"),
        ("type: kaimal", "type: kaymal", "'type' is one of steady, table, kaimal, file"),
        ("speed: 18.2", "speed: fast", "environment.wind.speed: expected a number in m/s"),
        ("seed: 1", "sead: 1", "environment.wind.sead: is not a known field here; did you mean 'seed'"),
        ("turbulence: B\n    seed", "turbulence: D\n    seed", "a class, one of A+, A, B, C"),
        ("dead_band: 5 deg", "dead_band: 5 m", "controllers.yaw control.dead_band"),
        ("length: 902.2", "length: 0", "loads.line 1.length: must be greater than 0"),
        ("anchor: [853.87, 0, -320]", "anchor: [853.87, 0, -20]", "loads.line 1.anchor: lies above the fairlead"),
        ("values: [1.0, 0.75, 0.06]", "values: [1.0, 0.75]", "needs as many values as there are speeds"),
        ("pretension: 900 kN", "pretension: 900 MN", "must be below EA"),
        ("exponent: 0.14", "exponent: 0.14\n    roughness: 0.1", "not both"),
    ],
)
def test_mistakes_are_told_with_their_line(tmp_path, old, new, said):
    assert old in FILE
    path = written(tmp_path, FILE.replace(old, new, 1))
    problems = [problem for problem in fl.check(path) if problem.severity == "error"]
    assert any(said in str(problem) for problem in problems), [str(problem) for problem in problems]
    assert all(problem.line > 1 for problem in problems)
    with pytest.raises(fl.InvalidInput):
        fl.load(path)


def test_a_wind_file_is_sought_beside_the_model(tmp_path, monkeypatch):
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "steady.wnd").write_text("0 9 0 0 0 0 0 0\n1000 9 0 0 0 0 0 0\n")
    start, end = FILE.index("    type: kaimal"), FILE.index("controllers:")
    text = FILE[:start] + "    type: file\n    file: steady.wnd\n" + FILE[end:]
    model = fl.load(written(tmp_path / "sub", text))
    monkeypatch.chdir(tmp_path)
    data = fl.simulate(model, 0.2, 0.1, out=tmp_path / "run")
    assert float(data.hub_wind.sel(load="rotor")[0]) == 9.0
    stored = fl.load(tmp_path / "run" / "model.yaml")
    assert stored.environment.wind.file == str(tmp_path / "sub" / "steady.wnd")
    np.testing.assert_array_equal(data.thrust.sel(load="rotor"), fl.simulate(model, 0.2, 0.1).thrust.sel(load="rotor"))
    assert np.isnan(data.thrust.sel(load="line 1")).all()


LINES = (Path(__file__).parents[2] / "models" / "oc3_hywind_moordyn.txt").read_text()
WIND = FILE[FILE.index("    type: kaimal") : FILE.index("controllers:")]
ROTOR = "    ct: {speeds: [3, 11.4, 25], values: [1.0, 0.75, 0.06]}\n    cp: {of_ct: 0.7}\n"


@pytest.mark.parametrize(
    ("old", "new", "line", "said"),
    [
        (WIND, "    type: file\n    file: none.bts\n", 30, "environment.wind.file: cannot read"),
        (
            WIND,
            "    type: file\n    file: short.wnd\n",
            28,
            "environment.wind: the table covers 0 s to 0.5 s, but 0 s to 1 s",
        ),
        (WIND, "    type: file\n    file: lines.bts\n", 28, "environment.wind: 'lines.bts' is not a TurbSim box"),
        ("duration: 300 s", "duration: 0.5 s", 28, "environment.wind: the table covers 0 s to 0.5 s, but 0 s to 1 s"),
        (
            "loads:\n",
            "loads:\n  l: {type: moordyn, body: hull, file: none.txt}\n",
            11,
            "loads.l.file: cannot read 'none.txt'",
        ),
        (
            "loads:\n",
            "loads:\n  l: {type: moordyn, body: hull, file: bad.txt}\n",
            11,
            "loads.l.file: 'bad.txt' line 19: column 6",
        ),
        (
            "loads:\n",
            "loads:\n  l: {type: moordyn, body: hull, file: big.txt}\n",
            11,
            "loads.l.file: dtM 0.01 s is beyond the stable",
        ),
        (
            ROTOR,
            "    performance: {file: none.csv, speeds: [3, 5], pitch: [0, 0], rotor_speed: [1, 1]}\n",
            23,
            "cannot read 'none.csv'",
        ),
    ],
)
def test_files_are_read_before_a_run_and_mistakes_in_them_told_with_the_line(
    tmp_path, monkeypatch, capfd, old, new, line, said
):
    """One sentence with file, line and field, by `fairlead check` and by `fairlead run` alike; nothing is run."""
    from fairlead.cli import main

    assert old in FILE
    monkeypatch.chdir(tmp_path)
    written(tmp_path, FILE.lstrip().replace(old, new, 1))
    written(tmp_path, "0 9 0 0 0 0 0 0\n0.5 9 0 0 0 0 0 0\n", "short.wnd")
    written(tmp_path, LINES, "lines.bts")
    written(tmp_path, LINES.replace("902.2     20", "902.2     many", 1), "bad.txt")
    written(tmp_path, LINES.replace("0.005    dtM", "0.01     dtM"), "big.txt")
    for verb in ("check", "run"):
        monkeypatch.setattr(sys, "argv", ["fairlead", verb, "model.yaml"])
        with pytest.raises(SystemExit) as ended:
            main()
        errors = capfd.readouterr().err.strip().splitlines()
        assert ended.value.code == 3 and len(errors) == 1, errors
        assert errors[0].startswith(f"model.yaml:{line}:") and said in errors[0]
    assert not (tmp_path / "model.run" / "result.nc").exists()
