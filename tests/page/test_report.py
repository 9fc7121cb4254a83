"""The page of a report: what it holds is what was recorded, names are text, and it is small."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

import fairlead as fl
from fairlead.view.page.buffers import Buffers, kept_instants
from page.pages import EVIL, array, content, pendulum, renamed, words


@pytest.fixture(scope="module")
def model():
    return pendulum()


@pytest.fixture(scope="module")
def data(model):
    return fl.simulate(model, duration=2.0, dt=0.002)


@pytest.fixture(scope="module")
def page(model, data, tmp_path_factory) -> str:
    return fl.report(data, tmp_path_factory.mktemp("page") / "page.html", model=model).read_text("utf-8")


def test_the_scene_holds_the_recorded_poses_in_single_precision(page, data):
    scene = content(page)["scene"]
    poses = array(page, scene["poses"])
    assert np.array_equal(array(page, scene["time"]), data["time"].values)
    assert np.allclose(poses[..., :3] + scene["origin"], data["position"].values, atol=1e-6)  # 2 m in 24 bits
    assert np.allclose(poses[..., [6, 3, 4, 5]], data["orientation"].values, atol=1e-7)


def test_histories_hold_recorded_values_and_every_extreme(page, data):
    panels = {(one["section"], one["title"]): one for one in content(page)["panels"]}
    panel = panels["Bodies", "Velocity: lower"]
    time, speed = array(page, panel["time"]), array(page, panel["curves"][0]["values"])
    true = data["velocity"].sel(body="lower", xyz="x").values
    assert np.all(np.isin(time, data["time"].values))
    assert np.allclose(speed, np.interp(time, data["time"].values, true), atol=1e-6 * np.abs(true).max())
    mean, _, lowest, highest = panel["curves"][0]["statistics"]
    weights = np.trapezoid(true, data["time"].values) / 2.0
    assert np.isclose(mean, weights) and (lowest, highest) == (true.min(), true.max())


def test_extremes_stay_when_instants_are_left_out():
    rng = np.random.default_rng(3)
    series = [rng.normal(size=100_000).cumsum(), rng.normal(size=100_000)]
    series[1][[17, 77_777]] = [50.0, -50.0]  # one instant each
    kept = kept_instants(series, 2000)
    assert len(kept) <= 2002 and kept[0] == 0 and kept[-1] == 99_999
    for values in series:
        assert values[kept].max() == values.max() and values[kept].min() == values.min()
    with_gaps = series[0].copy()
    with_gaps[5:500] = np.nan
    assert np.nanmax(with_gaps) in with_gaps[kept_instants([with_gaps], 500)]


def test_numbers_keep_what_the_eye_can_see_far_from_zero():
    values = 1e6 + 1e-3 * np.sin(np.linspace(0, 7, 50))
    buffers = Buffers()
    ref = buffers.offset(values)
    text = f'<script type="text/plain" id="buffer-0">{buffers.texts[0]}</script>'
    assert np.allclose(array(text, ref), values, rtol=0, atol=1e-9)  # a millionth of the swing


def test_the_verdict_and_its_figures_stand_on_the_page(page, data):
    said = words(page)
    audit = fl.audit(data)
    assert audit.passed and "Audit passed" in said
    for check in audit.checks:
        assert check.name in said


def test_a_failed_audit_is_said_first(data, tmp_path: Path):
    wrong = data.copy(deep=True)
    wrong["velocity"].values[100:, 0, 0] += 0.5
    text = fl.report(wrong, tmp_path / "wrong.html").read_text("utf-8")
    said = words(text)
    assert "Audit FAILED" in said and said.index("Audit FAILED") < said.index("What was run")


def test_names_are_text_wherever_they_stand(data, tmp_path: Path):
    strange = renamed(data, "lower", EVIL)
    strange.attrs["title"] = f"{EVIL} & 'co' {{{{data}}}}"
    text = fl.report(strange, tmp_path / "strange.html").read_text("utf-8")
    assert EVIL not in text and EVIL in words(text)
    assert [body["name"] for body in content(text)["scene"]["bodies"]] == ["upper", EVIL]
    assert content(text)["title"].endswith("{{data}}")


def test_a_page_asks_nothing_of_a_network(page):
    assert "connect-src 'none'" in page
    outside = re.sub(r"<script>.*?</script>", "", page, flags=re.S)
    assert not re.search(r'(?:src|href)="(?!#)', outside)
    assert "three.js" in page and "MIT licence" in page


def test_several_runs_are_laid_over_the_first(model, data, tmp_path: Path):
    other = fl.simulate(model, duration=2.0, dt=0.004)
    text = fl.report([data, other], tmp_path / "two.html", model=model).read_text("utf-8")
    panels = {(one["section"], one["title"]): one for one in content(text)["panels"]}
    curves = panels["Bodies", "Mass centre: lower"]["curves"]
    assert [curve["run"] for curve in curves] == [0, 0, 0, 1, 1, 1]
    first, second = (array(text, curves[i]["values"]) for i in (0, 3))
    assert np.abs(first - second).max() < 1e-4  # fourth order at a step of 4 ms, linear between its instants
    assert len(content(text)["runs"]) == 2


def test_modes_move_bodies_as_linearize_found(model, data, tmp_path: Path):
    hanging = model.with_({"loads.push": None, "joints.elbow.rate": None})
    modes = fl.linearize(hanging)
    text = fl.report(data, tmp_path / "modes.html", model=model, modes=modes).read_text("utf-8")
    found = content(text)["modes"]
    assert [one["name"] for one in found] == [str(name) for name in modes["mode"].values]
    assert np.allclose([one["period"] for one in found], modes["period"].values)
    assert np.allclose(array(text, found[0]["shape"])[0], modes["body_shape"].values[0], atol=1e-6)


def test_a_result_of_another_model_is_refused_in_a_sentence(data, tmp_path: Path):
    other = fl.Model("other", {"stone": fl.Body(1.0, (1, 1, 1))})
    with pytest.raises(fl.InvalidInput, match="has not all of the bodies"):
        fl.report(data, tmp_path / "x.html", model=other)
    with pytest.raises(fl.InvalidInput, match="orientation is missing"):
        fl.report(data.drop_vars("orientation"), tmp_path / "x.html")
    with pytest.raises(fl.FilesFailure, match="no directory"):
        fl.report(data, tmp_path / "none" / "x.html")
    assert not (tmp_path / "x.html").exists()


def test_the_command_writes_beside_the_result(fairlead, two_bodies: Path, tmp_path: Path):
    assert fairlead("run", str(two_bodies), "--out", "a.run", "-q").returncode == 0
    done = fairlead("report", "a.run")
    assert done.returncode == 0 and "a.run/report.html" in done.stdout
    assert content((tmp_path / "a.run" / "report.html").read_text("utf-8"))["runs"] == ["a"]
    assert fairlead("report", "none.run").returncode == 5


def test_lines_hang_as_the_catenary_of_their_record():
    """The page integrates (H, V - w s) from the recorded force: the same line by `fl.catenary` ends where it does."""
    line = fl.catenary(span=848.67, rise=250.0, length=902.2, EA=3.84243e8, weight=698.09, seabed=0.0)
    H, V, x, z = line.H, line.V, 0.0, 0.0
    ds = 902.2 / 48 / 4  # as lines.js has it
    for _ in range(48 * 4):
        middle = V - 0.5 * 698.09 * ds
        vertical = max(middle, 0.0)
        T = float(np.hypot(H, vertical))
        x, z = x + ds * (1 + T / 3.84243e8) * H / T, z + ds * (1 + T / 3.84243e8) * vertical / T
        V -= 698.09 * ds
    assert abs(x - 848.67) < 0.2 and abs(z - 250.0) < 0.2  # of the midpoint rule at 4.7 m
