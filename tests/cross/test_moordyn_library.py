"""MoorDyn itself: OC3-Hywind's lines against our catenary and the published preload, and how a run with it behaves."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
import xarray as xr

import fairlead as fl
from fairlead.model.loads.moordyn_file import read_moordyn
from fairlead.results.reading import open_result
from fairlead.running.partners.moordyn import silent

moordyn = pytest.importorskip("moordyn", reason="MoorDyn is not installed: pip install 'fairlead[moordyn]'")

ROOT = Path(__file__).parents[2]
FILE = ROOT / "models" / "oc3_hywind_moordyn.txt"
HELD = ROOT / "examples" / "oc3_hywind_held_rotor.yaml"
EXAMPLE = ROOT / "examples" / "spar_on_dynamic_lines.yaml"


@pytest.fixture
def lines(tmp_path):
    """Give a function that writes the shipped file with changes and returns its path."""

    def write(*changes: tuple[str, str]) -> Path:
        text = FILE.read_text()
        for old, new in changes:
            assert old in text
            text = text.replace(old, new)
        path = tmp_path / "lines.txt"
        path.write_text(text)
        return path

    return write


def hull(path: Path, **body) -> fl.Model:
    spar = fl.Body(8e6, (4e9, 4e9, 1.6e8), position=(0, 0, -78), **body)
    return fl.Model("hull", {"spar": spar}, loads={"lines": fl.MoorDyn("spar", str(path))}, gravity=(0, 0, 0))


def pull(path: Path) -> np.ndarray:
    """Return horizontal and vertical pull and tension of the line ahead, and the preload of all three."""
    force = fl.accelerations(hull(path))["load_force"].values
    return np.array([force[0, 0], -force[0, 2], np.linalg.norm(force[0]), force[:, 2].sum()])


def catenaries(dynamic: fl.Model) -> fl.Model:
    """Return the same machine on our quasi-static lines."""
    loads = {name: load for name, load in dynamic.loads.items() if name != "lines"}
    oc3 = fl.load(HELD)
    body = dynamic.loads["lines"].body
    loads |= {name: oc3.loads[name].model_copy(update={"body": body}) for name in ("line 1", "line 2", "line 3")}
    return dynamic.model_copy(update={"loads": loads})


def test_rest_is_the_catenary_within_the_discretisation(lines):
    """Lines in straight segments err by the square of their length: 20 give 0.16 %, 40 a quarter of that, and the
    square extrapolated away gives the elastic catenary; what is left is the bed, which is a spring (2.6 mm)."""
    line = fl.catenary(853.87 - 5.2, 250.0, 902.2, 3.84243e8, 698.0945, seabed=0)
    exact = np.array([line.H, line.V, line.tension, -3 * line.V])
    twenty, forty = pull(FILE), pull(lines(("     20  ", "     40  ")))
    off = [np.abs(found / exact - 1).max() for found in (twenty, forty)]
    assert off[0] == pytest.approx(1.55e-3, rel=0.05)
    assert off[1] == pytest.approx(off[0] / 4, rel=0.06)
    np.testing.assert_allclose((4 * forty - twenty) / 3, exact, rtol=3e-5)
    assert twenty[3] == pytest.approx(-1607000, rel=2e-3)  # NREL/TP-500-47535


def test_the_turbine_in_its_sea_and_wind_on_moordyns_lines(tmp_path):
    """As docs/mooring.md says: one load in place of the three catenaries of the model file, in waves and wind."""
    text = HELD.read_text()
    first, last = text.index("  line 1: {"), text.index("  rotor: #")
    one = f"  lines: {{type: moordyn, body: tower, file: {FILE}}}\n"
    path = tmp_path / "turbine.yaml"
    path.write_text(text[:first] + one + text[last:])
    assert [problem for problem in fl.check(path) if problem.severity != "note"] == []
    dynamic, static = (fl.simulate(fl.load(file), 30.0, 0.05, output_every=4) for file in (path, HELD))
    audit = fl.audit(dynamic)
    assert audit.passed, audit.table()
    ours, theirs = (fl.channels(run) for run in (dynamic, static))
    # Within half a minute from rest the drag of the lines takes 3.5 % of the first surge, as in the decays.
    for name in ("surge", "sway", "heave", "roll", "pitch", "yaw"):
        assert np.abs(ours[name] - theirs[name]).max() < 0.05 * np.ptp(theirs[name].values), name
    for line in (1, 2, 3):
        ratio = ours[f"line_{line}_tension"].values / theirs[f"line_{line}_tension"].values
        assert np.abs(ratio - 1).max() < 0.05  # the waves shake the fairleads


def first_swing(model: fl.Model) -> tuple[float, float, xr.Dataset]:
    """Return when the surge of a spar let go at 10 m turns round, where, and the run."""
    data = fl.simulate(model, 70.0, 0.05, output_every=4)
    surge = fl.channels(data)["surge"].values
    turn = int(np.argmin(surge))
    return float(data["time"][turn]), float(surge[turn]), data


@pytest.mark.slow
def test_without_drag_the_lines_are_nearly_quasi_static(lines):
    """In slow surge the lines pass from shape to shape. Their mass, 0.2 of 16 million kg with the water's, delays it by
    0.6 %; their drag, 2.7 km of chain, is what catenaries leave out."""
    model = fl.load(EXAMPLE)
    path = lines(("1.6  1.0  0.1   0.0", "0.0  1.0  0.0   0.0"))
    smooth = model.model_copy(update={"loads": {**model.loads, "lines": fl.MoorDyn("spar", str(path))}})
    (t_static, x_static, static), (t_smooth, x_smooth, _), (_, x, dynamic) = map(
        first_swing, (catenaries(model), smooth, model)
    )
    assert t_smooth == pytest.approx(t_static, rel=0.01)
    assert x_smooth == pytest.approx(x_static, rel=0.01)
    assert x_static < -6 < x < -5  # measured: -6.19 and -5.44 m
    assert fl.audit(dynamic).passed, fl.audit(dynamic).table()
    # Before anything moves the tensions are those of catenaries at 10 m, within the discretisation.
    for point, line in (("lines@4", "line 1"), ("lines@5", "line 2")):
        start = [float(run["tension"].sel(load=name)[0]) for run, name in ((dynamic, point), (static, line))]
        assert start[0] == pytest.approx(start[1], rel=2e-3)


def test_it_is_silent_and_leaves_nothing_behind(lines, capfd):
    path = lines()
    before = set(os.listdir(path.parent))
    data = fl.simulate(hull(path, velocity=(0.5, 0, 0)), 1.0, 0.1)
    said = capfd.readouterr()
    assert (said.out, said.err) == ("", "")
    assert set(os.listdir(path.parent)) == before
    assert "held over the next step, dtM 0.005 s, stable below 0.0087 s (rk4)" in data.attrs["partners"]
    odd = fl.simulate(hull(lines(("WtrDpth", "WtrDepht"))), 0.2, 0.1)
    assert "MoorDyn warns: Unrecognized option 'wtrdepht'" in odd.attrs["partners"]


@pytest.mark.parametrize("changes", [{}, {"cBot": "0"}, {"tScheme": "rk2"}], ids=["bed", "axial waves", "rk2"])
def test_the_stable_step_is_the_librarys(lines, changes):
    """Lines that are shaken bear the step we state, and not 1.3 times it."""
    rows = {"cBot": "3.0e5    cBot", "tScheme": "rk4      tScheme"}
    path = lines(*((rows[key], f"{value} {key}") for key, value in changes.items()), ("400      TmaxIC", "20 TmaxIC"))
    stable = read_moordyn(str(path)).stable
    for share, holds in ((0.98, True), (1.3, False)):
        with silent():
            system = moordyn.Create(str(path))
            moordyn.SetDt(system, share * stable)
            x = np.array(list(read_moordyn(str(path)).points.values()))
            failed = moordyn.Init(system, x.ravel().tolist(), [0.0] * 9)
            largest = 0.0
            for i in range(0 if failed else 100):
                v = np.zeros((3, 3))
                v[:, 0], v[:, 2] = 1.2 * np.cos(0.06 * i), 0.9 * np.cos(0.09 * i)
                try:
                    force = moordyn.Step(system, x.ravel().tolist(), v.ravel().tolist(), 0.1 * i, 0.1)
                except RuntimeError:
                    force = [np.nan]
                largest = max(largest, np.abs(force).max()) if np.isfinite(force).all() else np.inf
                x += 0.1 * v
            moordyn.Close(system)
        assert (not failed and largest < 5e6) == holds, (share, failed, largest)


STARTER = """
import sys, fairlead as fl
from fairlead.running import directory
directory.COMMIT_SECONDS = 0.2
fl.simulate(fl.load(sys.argv[1]), 24.0, 0.05, output_every=2, out="a.run")
"""


def test_a_killed_run_resumes_to_the_same_bits(tmp_path):
    whole = fl.simulate(fl.load(EXAMPLE), 24.0, 0.05, output_every=2)
    process = subprocess.Popen([sys.executable, "-c", STARTER, str(EXAMPLE)], cwd=tmp_path)
    from fairlead.errors import CheckpointUnusable
    from fairlead.running.checkpoint import read_checkpoint

    reached, limit = 0.0, time.monotonic() + 300
    while reached < 4.0 and process.poll() is None and time.monotonic() < limit:
        time.sleep(0.01)
        try:
            reached = read_checkpoint(tmp_path / "a.run" / "checkpoint")[0]["time"]
        except CheckpointUnusable:
            pass
    process.kill()
    process.wait()
    assert process.returncode == -signal.SIGKILL and 4.0 <= reached < 24.0
    from fairlead.running.directory import resume_directory

    resume_directory(tmp_path / "a.run", progress=False)
    with open_result(tmp_path / "a.run" / "result.nc") as stored:
        for name in ("time", *whole.data_vars):
            assert stored[name].values.tobytes() == whole[name].values.tobytes(), name


def test_what_moordyn_refuses_is_told_with_its_line(lines):
    for change, said in (
        (("1    main", "1    mian"), "MoorDyn refuses 'lines.txt' at line 19: .* Unrecognized line type mian"),
        (("1        4  ", "1        9  "), "MoorDyn refuses 'lines.txt' at line 19: .* There are not 9 points"),
        (("1    Fixed  ", "1    Fixd   "), "MoorDyn refuses 'lines.txt' at line 10: .*"),
    ):
        with pytest.raises(fl.InvalidInput, match=f"loads.lines.file: {said}") as error:
            fl.simulate(hull(lines(change)), 1.0, 0.1)
        assert "\n" not in str(error.value)


def test_lines_that_break_down_are_told_with_their_time(lines):
    """A scheme whose stable step we do not know, far beyond it; and a hull that runs away."""
    far = lines(
        ("rk4      tScheme", "beuler1  tScheme"), ("0.005    dtM", "0.05     dtM"), ("400      TmaxIC", "0 TmaxIC")
    )
    with pytest.raises(fl.NumericalFailure, match=r"MoorDyn .* load 'lines' at t = .*lower its dtM") as error:
        fl.simulate(hull(far, velocity=(2.0, 0, 0)), 20.0, 0.1)
    assert "\n" not in str(error.value)
    with pytest.raises(fl.NumericalFailure, match=r"at t = [\d.]+ s"):
        fl.simulate(hull(lines(), velocity=(3000.0, 0, 0)), 5.0, 0.1)
