"""The turbine that controls itself against OpenFAST: K1 (wind steps), K2 (floating), K3 (land-based gains), K4 (gust).

OpenFAST's own error by its step of 0.0125 s is 1.2e-3 rpm and 4e-3 deg in K1 (of 6.9 rpm, 22 deg); its controllers
compute in single precision, and it extrapolates what they command inside a step, which ours hold.
"""

from __future__ import annotations

import numpy as np
import pytest

import fairlead as fl
from support import controlled_turbine as turbine

POWER = ("RotSpeed_(rpm)", "BldPitch1_(deg)", "GenPwr_(kW)", "ADFx_(N)")
FLOATING = (
    *("PtfmSurge_(m)", "PtfmHeave_(m)", "PtfmPitch_(deg)", "RotSpeed_(rpm)", "BldPitch1_(deg)", "ADFx_(N)"),
    *("FairTen1_(N)", "FairTen2_(N)", "FairTen3_(N)"),
)


@pytest.fixture(scope="module")
def steps():
    return turbine.run("K1", 0.0125)


def apart(ours, theirs):
    """Return the largest difference over the range of theirs; the difference itself where that is none."""
    return np.abs(ours - theirs).max() / (np.ptp(theirs) or 1.0)


def test_wind_steps_from_4_to_24_m_s(steps):
    """Asked for: 2e-3 of range over 1000 s, 1e-3 of each steady level (the mean of the last 5 s of each hold)."""
    ours, theirs = turbine.channels(steps), turbine.recorded("K1")
    for name in POWER:
        assert apart(ours[name], theirs[name]) < 1e-3, name  # seen: 6e-4 in the power, where region 2 1/2 begins
        for end in range(100, 1001, 100):
            levels = ours[name][end - 4 : end], theirs[name][end - 4 : end]
            assert levels[0].mean() == pytest.approx(levels[1].mean(), rel=5e-5), (name, end)
    assert "beyond_coefficients" not in steps.attrs
    assert fl.audit(steps).passed


def test_the_energy_of_the_wind_goes_to_the_grid_into_losses_and_into_the_shaft(steps):
    """Work of the generator on both its bodies is what grid and losses took; the driver's is what its inertia holds.

    Integrated with the motion on both sides: to rounding of 4e9 J, and 1e-9 where the steps err.
    """
    work = steps["load_work"].sel(load=["generator@hub", "generator@nacelle"]).sum("load")
    grid, lost = (steps[name].sel(load="generator@hub") for name in ("electrical_energy", "lost_energy"))
    assert float(np.abs(work + grid + lost).max()) < 1e-9 * float(grid[-1])
    assert float(lost[-1] / (lost[-1] + grid[-1])) == pytest.approx(1 - 0.944, rel=1e-12)
    rate = steps["joint_rate"].sel(coordinate="spin.angle")
    held = 0.5 * 97**2 * 534.116 * (rate**2 - rate[0] ** 2)
    driver = steps["driver_work"].sel(coordinate="spin.angle")
    assert float(np.abs(driver + held).max()) < 1e-6 * float(held.max())
    left = steps["load_work"].sel(load="rotor") + work + driver
    assert float(np.abs(steps["kinetic_energy"] - steps["kinetic_energy"][0] - left).max()) < 1e-8 * float(grid[-1])


@pytest.mark.parametrize("case, limit", [("K2_8", 2e-3), ("K2_14", 2e-3), ("K4", 2e-3)])
def test_floating(case, limit):
    """Asked for: 1e-2 of range (K2) and 1.5e-2 (K4). Seen: at most 1e-3."""
    data = turbine.run(case, 0.025)
    ours, theirs = turbine.channels(data), turbine.recorded(case)
    for name in FLOATING:
        assert apart(ours[name][::5], theirs[name]) < limit, name
    assert fl.audit(data).passed


def cycles(pitch):
    """Return half ranges of the first four cycles, the limit cycle's ends over the last 100 s, and its period."""
    turns = np.flatnonzero(np.diff(np.sign(np.diff(pitch))) != 0) + 1
    halves = [np.ptp(pitch[first : second + 1]) / 2 for first, second in zip(turns[1::2], turns[2::2])]
    late = pitch[-100:]
    t = np.arange(len(pitch), dtype=float)
    middle = late.mean()
    up = np.flatnonzero((pitch[:-1] < middle) & (pitch[1:] >= middle))[-6:]
    crossings = t[up] + (middle - pitch[up]) / (pitch[up + 1] - pitch[up])
    return np.array(halves[:4]), np.array([late.min(), late.max()]), float(np.diff(crossings).mean())


def test_land_based_gains_end_in_a_limit_cycle():
    """Negative damping above rated: half ranges 4.0, 6.2, 7.4, 7.9 deg, then from -4.9 to 11.1 deg in 32.25 s; 3 %."""
    data = turbine.run("K3", 0.025)
    pitch = turbine.channels(data)["PtfmPitch_(deg)"][::5]
    ours, theirs = cycles(pitch), cycles(turbine.recorded("K3")["PtfmPitch_(deg)"])
    np.testing.assert_allclose(ours[0], theirs[0], rtol=5e-3)
    np.testing.assert_allclose(ours[1], theirs[1], rtol=5e-3)
    assert ours[2] == pytest.approx(theirs[2], rel=2e-3) == pytest.approx(32.25, rel=5e-3)
    assert ours[1] == pytest.approx([-4.88, 11.06], rel=1e-2)


def test_formulations_agree():
    """Asked for: 1e-8. The same equations in other unknowns, rk4 at 0.025 s, the controller seeing the same speeds."""
    runs = [
        fl.simulate(turbine.machine("K2_14"), 20.0, 0.025, output_every=8, formulation=name, progress=False)
        for name in ("articulated", "cloud")
    ]
    for name in ("position", "joint_rate", "controller_output", "tension", "thrust", "electrical_energy"):
        one, other = (run[name].values for run in runs)
        size = np.nanmax(np.abs(one))
        assert np.nanmax(np.abs(one - other)) < 1e-8 * size, name
