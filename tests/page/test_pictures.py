"""Pictures show the numbers of the result: one channel over another, runs over one another, spectra, phase, trees."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import fairlead as fl
from fairlead.view.movie import animate
from fairlead.view.plots import draw_tree
from page.pages import pendulum


@pytest.fixture(scope="module")
def model():
    return pendulum()


@pytest.fixture(scope="module")
def data(model):
    return fl.simulate(model, duration=4.0, dt=0.005)


def lines(figure) -> list:
    return [line for axes in figure.axes for line in axes.get_lines()]


def test_one_channel_over_another(data):
    (line,) = lines(fl.plot(data, what="joint_force:pin:x", against="joint_position:elbow.angle"))
    x, y = line.get_data()
    assert np.array_equal(x, np.degrees(data["joint_position"].sel(coordinate="elbow.angle").values))
    assert np.array_equal(y, data["joint_force"].sel(joint="pin", xyz="x").values)


def test_runs_over_one_another_and_subtracted(model, data):
    other = fl.simulate(model.with_({"bodies.lower.mass": 1.5}), duration=4.0, dt=0.01)
    one, two = lines(fl.plot([data, other], what="joint_position:elbow.angle"))
    assert len(one.get_xdata()) == 801 and len(two.get_xdata()) == 401
    (away,) = lines(fl.plot([data, other], what="joint_position:elbow.angle", difference=True))
    assert np.allclose(away.get_ydata(), two.get_ydata() - one.get_ydata()[::2], atol=1e-9)


def test_a_spectrum_holds_the_variance(data):
    (line,) = lines(fl.plot(data, what="joint_rate:elbow.angle", spectrum=True))
    f, S = line.get_data()
    found = fl.statistics(data, "joint_rate:elbow.angle")
    assert np.isclose(np.trapezoid(S, f), np.degrees(1) ** 2 * float(found["m0"].item()), rtol=1e-3)


def test_phase_is_rate_over_coordinate(data):
    (line,) = lines(fl.plot(data, what="elbow.angle", phase=True))
    assert np.array_equal(line.get_ydata(), np.degrees(data["joint_rate"].sel(coordinate="elbow.angle").values))


@pytest.mark.parametrize(("ending", "begins"), [("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF")])
def test_each_kind_of_file(data, tmp_path: Path, ending: str, begins: bytes):
    fl.plot(data, tmp_path / f"a.{ending}")
    assert (tmp_path / f"a.{ending}").read_bytes().startswith(begins)


def test_hundreds_of_cycles_are_a_band_with_its_true_extremes(data):
    time = np.linspace(0, 1000, 20_001)
    fast = data.isel(time=np.zeros(len(time), dtype=int)).assign_coords(time=time)
    fast["kinetic_energy"] = ("time", np.sin(2 * np.pi * time) * (1 + 0.5 * np.sin(0.01 * time)))
    (axes,) = [one for one in fl.plot(fast, what="kinetic_energy").axes if one.collections]
    band = axes.collections[0].get_paths()[0].vertices[:, 1]
    true = fast["kinetic_energy"].values
    assert np.isclose(band.max(), true.max()) and np.isclose(band.min(), true.min())
    assert axes.child_axes, "no inset with single cycles"


def test_mistakes_get_a_sentence(data):
    for words, message in (
        ({"what": "joint_positon"}, "did you mean 'joint_position'"),
        ({"what": "position:uper"}, "did you mean 'upper'"),
        ({"what": "joint_rate:elbw.angle", "spectrum": True}, "did you mean 'elbow.angle'"),
        ({"difference": True}, "two or more results"),
        ({"spectrum": True, "phase": True}, "keep one"),
        ({"what": "joint_force:pin:x", "phase": True}, "has no rate"),
        ({"path": "a.bmp"}, "png, svg, pdf"),
    ):
        with pytest.raises(fl.InvalidInput, match=message):
            fl.plot(data, **words)


def test_what_floats_is_drawn_from_surge_to_yaw():
    buoy = fl.load(Path(__file__).parents[2] / "examples" / "spar_in_waves.yaml")
    figure = fl.plot(fl.simulate(buoy, duration=3.0))
    titles = [axes.get_title(loc="left") for axes in figure.axes]
    assert titles[:2] == ["Platform displacement", "Platform attitude"], titles


def test_trees_and_animations_are_written(model, data, tmp_path: Path):
    draw_tree(model, tmp_path / "tree.svg")
    text = (tmp_path / "tree.svg").read_text()
    assert text.startswith("<?xml")
    assert animate(data.isel(time=slice(0, 40, 10)), tmp_path / "a.gif", model) == 4
    from PIL import Image

    with Image.open(tmp_path / "a.gif") as picture:
        assert picture.n_frames == 4
