"""models/oc3_hywind.yaml: ten minutes of sea and wind under its own control, audited more strictly than by default."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import fairlead as fl
from support.strict_audit import assert_strict

FILE = Path(__file__).parents[2] / "models" / "oc3_hywind.yaml"
GENERATOR, ENDS = "generator@hub", ["generator@hub", "generator@nacelle"]


@pytest.fixture(scope="module")
def run():
    assert [problem for problem in fl.check(FILE) if problem.severity != "note"] == []
    return fl.simulate(fl.load(FILE))


def test_audit(run):
    assert_strict(run)


def test_it_makes_rated_power_in_wind_above_rated(run):
    """5 MW and 12.1 rpm on average once it has settled and turned to the wind; the torque is constant above rated."""
    late = run.sel(time=slice(300, 600))
    power = late.electrical_power.sel(load=GENERATOR)
    assert float(power.mean()) == pytest.approx(5e6, rel=5e-3)
    rate = late.joint_rate.sel(coordinate="spin.angle") * 30 / np.pi
    assert float(rate.mean()) == pytest.approx(12.1, rel=5e-3)
    assert float(rate.min()) > 9.5 and float(rate.max()) < 15  # the detuned gains let it go by a fifth in a gust
    assert float(late.blade_pitch.sel(load="rotor").std()) > np.radians(1)
    assert "beyond_coefficients" not in run.attrs


def test_blades_that_are_turned_by_drives():
    """Pitch joints under the command, the rotor at their angle: collective, the drives' work booked, audited."""
    drive = {"controller": "baseline.pitch", "frequency": 5.0, "rate_limit": "8 deg/s", "start": "14.9 deg"}
    words = {f"joints.pitch {k}": {"locked": None, "motion": drive} for k in (1, 2, 3)}
    model = fl.load(FILE).with_({"loads.rotor.pitch": "pitch 1.angle", **_flat(words)})
    run = fl.simulate(model, 100.0, progress=False)
    assert fl.audit(run).passed
    one, *others = (run.joint_position.sel(coordinate=f"pitch {k}.angle").values for k in (1, 2, 3))
    for other in others:  # the same numbers by the same steps
        np.testing.assert_array_equal(other, one)
    np.testing.assert_array_equal(run.blade_pitch.sel(load="rotor").values, one)
    asked = run.controller_output.sel(controller="baseline.pitch").values
    rate = run.joint_rate.sel(coordinate="pitch 1.angle").values
    assert np.abs(asked - one - 0.4 * rate)[5:].max() < np.radians(0.3)  # late by 2/w of a double pole
    assert all(np.ptp(run.driver_work.sel(coordinate=f"pitch {k}.angle").values) > 0 for k in (1, 2, 3))


def _flat(words):
    return {f"{path}.{name}": value for path, one in words.items() for name, value in one.items()}


def test_the_nacelle_ends_inside_its_dead_band(run):
    """It sees the spar's own yaw: after the shift what is off is the heading in the world, not the joint's angle."""
    q = run.orientation.sel(body="nacelle").values
    w, x, y, z = np.moveaxis(q, -1, 0)
    heading = np.degrees(np.arctan2(2 * (x * y + w * z), 1 - 2 * (y * y + z * z)))
    late = run.time.values > 350
    assert np.abs(heading[late] - 45).max() < 8 + 4  # the spar yaws by some degrees with the turbulence
    assert abs(heading[late].mean() - 45) < 8
    assert np.abs(heading[run.time.values < 100]).max() < 8


def test_energy_of_the_wind_goes_to_the_grid(run):
    """Wind in; grid, losses, shaft, drives and what the hull exchanges out: all of it booked."""
    energy = (run["kinetic_energy"] + run["potential_energy"]).values
    work = run["load_work"].sum("load").values + run["driver_work"].sum("coordinate").values
    grid, lost = (run[name].sel(load=GENERATOR).values for name in ("electrical_energy", "lost_energy"))
    np.testing.assert_allclose(run["load_work"].sel(load=ENDS).sum("load").values, -(grid + lost), atol=1e-9 * grid[-1])
    assert np.abs(energy - energy[0] - work).max() < 1e-7 * grid[-1]
    rate = run["joint_rate"].sel(coordinate="spin.angle").values
    shaft = run["driver_work"].sel(coordinate="spin.angle").values
    np.testing.assert_allclose(shaft, -0.5 * 97**2 * 534.116 * (rate**2 - rate[0] ** 2), atol=1e-6 * grid[-1] / 600)
    assert lost[-1] == pytest.approx(grid[-1] * (1 / 0.944 - 1), rel=1e-9)


def test_weight(run):
    """Published total 8 066 048 kg; buoyancy carries it and the lines' 1.607 MN."""
    start = run.isel(time=0)
    mass = run["mass"].values
    assert mass.sum() == pytest.approx(8066048)
    assert mass @ start["position"].sel(xyz="z").values / mass.sum() == pytest.approx(-78.0, abs=0.01)


def test_a_shorter_period_changes_little(run):
    """What the file says: 0.0125 s instead of 0.05 s moves power, pitch and the spar by less than 1e-2 of deviation."""
    fine = fl.simulate(fl.load(FILE).with_({"controllers.baseline.period": 0.0125}))
    for name in ("electrical_power", "blade_pitch", "thrust"):
        load = GENERATOR if name == "electrical_power" else "rotor"
        one, other = (data[name].sel(load=load) for data in (run, fine))
        assert float((one - other).std()) < 1e-2 * float(one.std()), name
    ours, theirs = fl.channels(run), fl.channels(fine)
    for name in ("surge", "pitch"):
        assert float((ours[name] - theirs[name]).std()) < 1e-2 * float(theirs[name].std()), name
