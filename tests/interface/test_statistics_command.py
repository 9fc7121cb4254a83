"""`fl.statistics` and its command: names, units, what is said of mistakes."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
import xarray as xr
from typer.testing import CliRunner

import fairlead as fl
from fairlead.cli.app import app

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a run directory of a floating turbine in its storm."""
    directory = tmp_path_factory.mktemp("statistics") / "storm.run"
    model = fl.load(ROOT / "models" / "family_72.yaml")
    fl.simulate(model, duration=120, out=directory, discard=20, progress=False)
    return directory


def test_channels_have_both_names_and_si_units(run: Path):
    found = fl.statistics(run, ["pitch", "PtfmPitch", "line_1_tension", "tension:line 1", "joint_position:yaw.angle"])
    assert found["units"].values.tolist() == ["rad", "rad", "N", "N", "rad"]
    mean = dict(zip(found["channel"].values, found["mean"].values))
    assert mean["pitch"] == mean["PtfmPitch"] and mean["line_1_tension"] == mean["tension:line 1"]
    assert found.attrs["begin"] == 20.0  # what the run says


def test_every_channel_of_a_run_is_summed_up(run: Path):
    found = fl.statistics(run)
    channels = fl.channels(run)
    joints = [f"{name}:{joint}.angle" for name in ("joint_position", "joint_rate") for joint in ("yaw", "spin")]
    assert found["channel"].values.tolist() == [*channels.data_vars, *joints]
    settled = channels["heave"].sel(time=slice(20.0, None))
    assert float(found["max"].sel(channel="heave")) == float(settled.max())
    assert float(found["mean"].sel(channel="heave")) == pytest.approx(float(settled.mean()), rel=1e-3)


def test_machines_have_their_joints():
    data = fl.simulate(fl.load(ROOT / "examples" / "slider_crank_dynamic.yaml"), duration=1.0, progress=False)
    found = fl.statistics(data)
    assert any(name.startswith("joint_position:") for name in found["channel"].values)
    units = dict(zip(found["channel"].values, found["units"].values))
    assert {units[name] for name in units if name.startswith("joint_rate:")} == {"m/s", "rad/s"}


def test_the_command_prints_a_table_and_json(run: Path, tmp_path: Path):
    runner = CliRunner()
    out = tmp_path / "statistics.nc"
    said = runner.invoke(app, ["statistics", str(run), "pitch", "power", "--block", "20 s", "--out", str(out)])
    assert said.exit_code == 0, said.output
    assert "pitch [rad]" in said.output and "power [W]" in said.output and "gumbel extreme" in said.output
    with xr.open_dataset(out, engine="h5netcdf") as kept:
        assert kept["spectrum"].dims == ("channel", "frequency")
    said = runner.invoke(app, ["statistics", str(run), "thrust", "--exponent", "4", "--json"])
    thrust = json.loads(said.stdout)["channels"]["thrust"]
    assert thrust["mean"]["units"] == "N" and thrust["m0"]["units"] == "(N)2"
    assert thrust["damage_equivalent"]["value"]["4"] > 0.0
    assert thrust["peak_period"]["value"] is None or math.isfinite(thrust["peak_period"]["value"])


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        (["pitc"], "did you mean 'pitch'?"),
        (["tension"], "is more than one series; name one, for example tension:"),
        (["tension:line 9"], "there is no 'line 9' here"),
        (["pitch", "--discard", "500 s"], "leaves nothing"),
        (["pitch", "--segment", "-1 s"], "must be a time greater than zero"),
        (["pitch", "--threshold", "heave=1"], "threshold.heave: is no channel of these statistics (pitch)"),
        (["pitch", "--quantile", "2"], "between 0 and 1"),
        (["pitch", "--block", "10 s", "--share", "1"], "between 0 and 1, both excluded"),
    ],
)
def test_mistakes_have_sentences(run: Path, given: list[str], sentence: str):
    with pytest.raises(fl.InvalidInput) as caught:
        CliRunner().invoke(app, ["statistics", str(run), *given], catch_exceptions=False)
    assert sentence in str(caught.value)


def test_a_nan_is_passed_on():
    time = np.linspace(0.0, 10.0, 101)
    values = np.where(time == 5.0, np.nan, 1.0)
    data = xr.Dataset({"level": ("time", values, {"units": "m"})}, coords={"time": time})
    found = fl.statistics(data, "level", exponents=[4])
    for name in ("mean", "std", "max", "min", "mean_crossings", "significant_height", "quantile", "damage_equivalent"):
        assert np.isnan(found[name].values).all(), name
