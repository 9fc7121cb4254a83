"""Statistics against closed forms: sines, noise of known moments, a standard's example, seas, laws of extremes."""

from __future__ import annotations

import numpy as np
import pytest
import xarray as xr

import fairlead as fl
from fairlead.results.summaries.cycles import rainflow
from fairlead.results.summaries.extremes import gumbel, over_threshold, peaks_over
from fairlead.results.summaries.figures import figures
from fairlead.results.summaries.spectra import even_part
from fairlead.results.summaries.words import STATISTICS


def data_of(time: np.ndarray, **series: np.ndarray) -> xr.Dataset:
    """Return series as a result has them."""
    found = {name: ("time", values, {"units": "m"}) for name, values in series.items()}
    return xr.Dataset(found, coords={"time": time})


def of(time: np.ndarray, values: np.ndarray, *words: str, **options: float) -> dict[str, float]:
    return figures(time, values, words or list(STATISTICS), **options)


def test_a_sine():
    """Mean a, deviation A / sqrt(2), kurtosis -3/2, crossings every period: over whole periods."""
    period, amplitude = 8.0, 2.5
    time = np.linspace(0.0, 640.0, 64001)
    found = of(time, 1.0 + amplitude * np.sin(2 * np.pi * time / period + 0.3), segment=160.0)
    # The trapezoidal rule is exact for trigonometric polynomials over whole periods: rounding is left.
    assert found["mean"] == pytest.approx(1.0, abs=1e-12)
    assert found["std"] == pytest.approx(amplitude / np.sqrt(2), rel=1e-12)
    assert found["skewness"] == pytest.approx(0.0, abs=1e-12)
    assert found["kurtosis"] == pytest.approx(-1.5, abs=1e-12)
    # The highest of instants 0.01 s apart is at most A (1 - cos(w 0.005)) = 2e-5 low.
    assert found["max"] == pytest.approx(1.0 + amplitude, abs=2e-5)
    assert (found["time_of_max"] * 2 * np.pi / period + 0.3) % (2 * np.pi) == pytest.approx(np.pi / 2, abs=0.005)
    # Linear interpolation at the steepest point, the same at every crossing.
    assert found["mean_crossing_period"] == pytest.approx(period, rel=1e-9)
    assert found["mean_crossings"] == 80
    # The segment holds whole periods, so Welch's variance is exact but for the trapezoidal sum of four lines.
    assert found["m0"] == pytest.approx(amplitude**2 / 2, rel=1e-9)
    assert found["significant_height"] == pytest.approx(4 * amplitude / np.sqrt(2), rel=1e-9)
    assert found["peak_period"] == pytest.approx(period, rel=1e-9)  # the window's lines are symmetric about the peak
    # Hann's window widens the peak by 1/160 Hz on both sides: m2 = m0 (f0^2 + df^2 / 3).
    assert found["zero_crossing_period"] == pytest.approx(1 / np.sqrt(1 / period**2 + (1 / 160) ** 2 / 3), rel=1e-6)


def test_the_share_of_time_below_a_sine_is_that_of_the_arcsine_law():
    time = np.linspace(0.0, 100.0, 100001)
    shares = (0.1, 0.5, 0.95)
    found = of(time, np.sin(2 * np.pi * time / 10.0), *(f"quantile_{share}" for share in shares))
    for share in shares:
        # The share resolves 1e-5, the density of the law is 0.3 at least, and the instants are 6e-4 apart in value.
        assert found[f"quantile_{share}"] == pytest.approx(np.sin(np.pi * (share - 0.5)), abs=1e-3)


def test_gaussian_noise_of_known_moments():
    n = 200_000
    values = 3.0 + 2.0 * np.random.default_rng(1).standard_normal(n)
    found = of(np.arange(n) * 0.1, values)
    # Standard errors of the estimates, times four: sigma / sqrt(n), sigma / sqrt(2n), sqrt(6/n), sqrt(24/n).
    assert found["mean"] == pytest.approx(3.0, abs=4 * 2 / np.sqrt(n))
    assert found["std"] == pytest.approx(2.0, abs=4 * 2 / np.sqrt(2 * n))
    assert found["skewness"] == pytest.approx(0.0, abs=4 * np.sqrt(6 / n))
    assert found["kurtosis"] == pytest.approx(0.0, abs=4 * np.sqrt(24 / n))
    # White noise crosses its mean upwards at every fourth instant; the spectrum is flat up to 5 Hz: m2 / m0 = 25/3.
    assert found["mean_crossings"] == pytest.approx(n / 4, rel=0.02)
    assert found["zero_crossing_period"] == pytest.approx(np.sqrt(3) / 5.0, rel=0.02)


def test_uneven_instants_count_by_the_time_they_stand_for():
    time = np.concatenate([np.linspace(0.0, 1.0, 101), np.linspace(1.0, 3.0, 5)[1:]])
    found = of(time, time)  # a ramp: mean T/2, variance T^2/12
    assert found["mean"] == pytest.approx(1.5, abs=1e-12)  # the rule is exact for a line
    assert found["std"] == pytest.approx(3 / np.sqrt(12), rel=0.02)  # of the square h^2/6 = 0.04 are left, of 0.75
    assert np.isnan(found["m0"])


def test_instants_of_events_are_left_out_of_spectra():
    grid = np.arange(101) * 0.1
    with_events = np.sort(np.concatenate([grid, [2.0, 3.33, 3.33]]))
    index = even_part(with_events)
    assert index is not None and np.allclose(with_events[index], grid, atol=0) and len(index) == 101
    shorter = np.append(grid, 10.04)  # a run that its step does not divide
    index = even_part(shorter)
    assert index is not None and len(index) == 101
    assert even_part(np.array([0.0, 1.0, 3.0, 4.0])) is None


def test_rainflow_counts_the_example_of_astm_e1049():
    """ASTM E1049-85, Fig. 6 (X1.5 in later prints): -2, 1, -3, 5, -1, 3, -4, 4, -2."""
    ranges, counts = rainflow(np.array([-2.0, 1.0, -3.0, 5.0, -1.0, 3.0, -4.0, 4.0, -2.0]))
    found: dict[float, float] = {}
    for size, count in zip(ranges, counts):
        found[size] = found.get(size, 0.0) + count
    assert found == {3.0: 0.5, 4.0: 1.5, 6.0: 0.5, 8.0: 1.0, 9.0: 0.5}


def test_the_damage_equivalent_range_of_a_sine():
    """N cycles of range 2 A in N T: one cycle of the same damage a second is 2 A T^(-1/m)."""
    period, amplitude, cycles = 4.0, 1.5, 50
    time = np.linspace(0.0, cycles * period, cycles * 400 + 1)
    values = amplitude * np.cos(2 * np.pi * time / period)
    found = of(time, values, "damage_equivalent_4", "damage_equivalent_10")
    for m in (4, 10):  # every turning point is an instant, so nothing but rounding is lost
        assert found[f"damage_equivalent_{m}"] == pytest.approx(2 * amplitude * period ** (-1 / m), rel=1e-12)


@pytest.mark.parametrize(("height", "period"), [(3.0, 10.0), (9.0, 13.0)])
def test_a_sea_gives_back_its_height_and_peak_period(height: float, period: float):
    sea = fl.Environment(waves=fl.Jonswap(height, period, gamma=3.3, seed=3), depth=320)
    mast = fl.Body(mass=1e3, inertia=(1, 1, 1), position=(0, 0, 50))
    model = fl.Model("sea", {"mast": mast}, {"foot": fl.Ground(child="mast")}, environment=sea)
    data = fl.simulate(model, duration="3 h", dt=0.5, discard="10 min", progress=False)
    found = fl.statistics(data, "wave_elevation", segment=600.0).sel(channel="wave_elevation")
    # Of the sea's own realisation: 3 h have about 1000 waves, so m0 scatters by some 4 %, Hs by 2 %, Tp by 2 %.
    assert float(found["significant_height"]) == pytest.approx(height, rel=0.06)
    assert float(found["significant_height"]) == pytest.approx(4 * float(found["std"]), rel=0.02)
    assert float(found["peak_period"]) == pytest.approx(period, rel=0.06)
    # Tz = 0.778 Tp for gamma 3.3 without a cut-off (DNV-RP-C205, section 3.5.5), within the scatter.
    assert float(found["zero_crossing_period"]) == pytest.approx(0.778 * period, rel=0.06)


def test_gumbels_law_solves_the_equations_of_maximum_likelihood():
    """scale = mean - sum(x e) / sum(e), location = -scale ln(mean(e)), with e = exp(-x / scale)."""
    maxima = np.random.default_rng(5).gumbel(10.0, 2.0, 40)
    law = gumbel(maxima)
    scale, location = law.parameters["scale"], law.parameters["location"]
    e = np.exp(-maxima / scale)
    assert scale == pytest.approx(maxima.mean() - (maxima @ e) / e.sum(), rel=1e-6)  # scipy's root is to 1e-8
    assert location == pytest.approx(-scale * np.log(e.mean()), rel=1e-6)
    # The maximum of ten blocks has the same law, further on by scale ln 10: median location + scale (ln 10 - ln ln 2).
    ten = gumbel(maxima, 0.5, 10.0)
    assert ten.extreme == pytest.approx(location + scale * (np.log(10) - np.log(np.log(2))), rel=1e-12)


def test_intervals_of_extremes_hold_the_truth_as_often_as_they_say():
    rng = np.random.default_rng(7)
    truth = 10.0 + 2.0 * (np.log(5.0) - np.log(-np.log(0.9)))
    laws = [gumbel(rng.gumbel(10.0, 2.0, 50), 0.9, 5.0, confidence=0.9) for _ in range(300)]
    share = np.mean([law.low <= truth <= law.high for law in laws])
    assert 0.83 < share < 0.95  # four binomial deviations of 1.7 % about 0.9, less the bias of fifty maxima


def test_peaks_over_a_threshold_of_exponential_peaks():
    """Peaks with exponential heights: shape 0, and the median of the maximum of T is u + s ln(rate T / ln 2)."""
    rng = np.random.default_rng(11)
    heights = rng.exponential(2.0, 4000) + 1.0
    values = np.stack([heights, -heights], axis=1).ravel()  # up and down: one peak per crossing of the mean
    time = np.arange(len(values)) * 0.5
    peaks = peaks_over(time, values, 2.0)
    assert len(peaks) == pytest.approx(np.sum(heights > 2.0), abs=1)  # the first has no crossing before it
    law = over_threshold(time, values, 2.0, 3600.0)
    n = len(peaks)
    assert law.parameters["shape"] == pytest.approx(0.0, abs=4 / np.sqrt(n))  # standard error (1 + xi) / sqrt(n)
    assert law.parameters["scale"] == pytest.approx(2.0, rel=4 * np.sqrt(2 / n))
    truth = 2.0 + 2.0 * np.log(np.exp(-0.5) * 3600.0 / np.log(2))
    assert law.low < truth < law.high


def test_what_is_before_discard_is_left_out():
    time = np.linspace(0.0, 10.0, 1001)
    data = data_of(time, level=np.where(time < 5.0, 100.0, 1.0))
    assert float(fl.statistics(data, "level", discard="5 s")["mean"][0]) == pytest.approx(1.0, abs=1e-15)
    data.attrs["discard"] = 5.0
    found = fl.statistics(data, "level")
    assert float(found["max"][0]) == 1.0 and found.attrs["begin"] == 5.0
    assert float(fl.statistics(data, "level", discard=0)["max"][0]) == 100.0
