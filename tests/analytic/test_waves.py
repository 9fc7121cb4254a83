"""Waves: dispersion, spectra, seeds, the Airy field, records, and tables against the exact sum."""

from __future__ import annotations

import math
import sys
from pathlib import Path

import numpy as np
import pytest

import fairlead as fl
from fairlead.core.environment.waves import (
    exact_elevation,
    exact_kinematics,
    field_elevation,
    fill_field_levels,
    level_of,
    tabled_kinematics,
)
from fairlead.model.environment.spectra import components_of, peak_factor, uniform, wave_number
from support.sea_models import kernels_of, spar

G = 9.80665
SEA = fl.Jonswap(5, 10, seed=7)


@pytest.mark.parametrize("depth", [1.0, 20.0, 320.0, 1e5])
def test_dispersion(depth):
    omega = np.geomspace(0.05, 6, 60)
    k = wave_number(omega, G, depth)
    # Newton's method ends within 1e-15 of k, so omega^2 follows to a few roundings.
    assert np.allclose(G * k * np.tanh(k * depth), omega**2, rtol=1e-13, atol=0)


def test_dispersion_limits():
    assert wave_number(np.array([0.6]), G, math.inf)[0] == 0.36 / G
    # Shallow water: omega = k sqrt(g d) (1 - (k d)^2 / 6 ...).
    k = wave_number(np.array([1e-3]), G, 10.0)[0]
    assert k == pytest.approx(1e-3 / math.sqrt(G * 10), rel=(k * 10) ** 2)


@pytest.mark.parametrize("gamma", [1.0, 1.835, 3.3, 5.0])
def test_jonswap_has_its_height(gamma):
    waves = components_of(fl.Jonswap(5, 10, gamma, highest=6.0), G, 320.0)
    # The norm 1 - 0.287 ln gamma of IEC 61400-3 is itself good to 1 %.
    assert 4 * math.sqrt((waves.amplitude**2).sum() / 2) == pytest.approx(5, rel=0.01)


def test_peak_factor_of_the_standard():
    # OpenFAST writes gamma = 1.835 for Hs 5 m, Tp 10 s, its own IEC default (tests of the reference run C4).
    assert peak_factor(5, 10) == pytest.approx(1.835, abs=5e-4)
    assert peak_factor(9, 10) == 5.0 and peak_factor(1, 10) == 1.0


def test_variance_of_the_components_is_that_of_the_elevation():
    words = fl.Jonswap(5, 10, lowest=0.25, highest=2.25, spacing="equal")
    waves = components_of(words, G, 320.0)  # at 0.255, 0.265, ...: all repeat after 2 pi / 0.005
    t = np.arange(4000) / 4000 * 2 * math.pi / 0.005
    eta = (waves.amplitude * np.cos(np.outer(t, waves.omega) + waves.phase)).sum(axis=1)
    # The mean square over the period is the sum of a^2 / 2 (orthogonality): rounding only.
    assert (eta**2).mean() == pytest.approx((waves.amplitude**2).sum() / 2, rel=1e-12)


def test_random_amplitudes_have_the_energy_on_average():
    words = {"height": 5, "period": 10, "components": 5000, "seed": 3}
    fixed, random = (
        components_of(fl.Jonswap(**words, amplitudes=kind), G, 320.0) for kind in ("deterministic", "random")
    )
    ratio = (random.amplitude / fixed.amplitude) ** 2  # exponentially distributed: mean 1, deviation 1
    assert ratio.mean() == pytest.approx(1, abs=4 / math.sqrt(5000))
    assert ratio.std() == pytest.approx(1, abs=0.1)
    assert (random.phase == fixed.phase).all()


def test_pierson_moskowitz_is_jonswap_without_a_peak():
    a, b = components_of(fl.PiersonMoskowitz(3, 8), G, math.inf), components_of(fl.Jonswap(3, 8, 1.0), G, math.inf)
    assert (a.amplitude == b.amplitude).all()


def test_a_seed_gives_the_same_phases_everywhere():
    # numpy's documented PCG64 stream for seed 42: Generator(PCG64(42)).random() starts 0.7739560485559633, ...
    assert uniform(42, 3).tolist() == [0.7739560485559633, 0.4388784397520523, 0.8585979199113825]
    waves = components_of(fl.Jonswap(5, 10, seed=42), G, 320.0)
    assert waves.phase[:2].tolist() == [2 * math.pi * 0.7739560485559633, 2 * math.pi * 0.4388784397520523]


def test_a_record_is_reproduced():
    values = np.random.default_rng(5).normal(size=240)
    words = fl.WaveRecord(dt=0.5, values=values, direction=0.3, highest=2 * math.pi)
    A, _ = kernels_of(spar(words), None)
    eta = [exact_elevation(0.5 * i, 0.0, 0, A) for i in range(240)]
    # The Fourier series of the record at its own instants, its mean left out: rounding only.
    assert np.abs(eta - (values - values.mean())).max() < 1e-11


def test_a_record_of_a_sea_is_that_sea(tmp_path):
    """Ten minutes of a JONSWAP sea, written as another program would and read back: the same elevation and motion.

    What is above 4 times the frequency with most energy is left out, here next to nothing.
    """
    sea = components_of(fl.Jonswap(5, 10, seed=3, spacing="equal", components=90, lowest=0.3, highest=1.2), G, 320.0)
    t = (
        np.arange(12566) / 12566 * 2 * math.pi / 0.005
    )  # at 0.305, 0.315, ...: all repeat after that; a tenth of a second
    eta = (sea.amplitude * np.cos(np.outer(t, sea.omega) + sea.phase)).sum(axis=1)
    path = tmp_path / "eta.csv"
    path.write_text("Time, WaveElev\n(s), (m)\n" + "\n".join(f"{a:.17g}, {b:.17g}" for a, b in zip(t, eta + 0.3)))
    record = fl.WaveRecord(file=str(path))
    words = fl.WaveTable(sea.omega, sea.amplitude, sea.phase)
    runs = [fl.simulate(spar(waves), 100.0, 0.1, formulation="cloud") for waves in (record, words)]
    # The tables of each err by 1e-3 of the root mean square; without them the two agree to rounding.
    assert np.abs(runs[0]["wave_elevation"] - runs[1]["wave_elevation"]).max() < 1e-2
    a, b = (run["position"].values for run in runs)
    assert np.abs(a - b).max() < 2e-3 * np.ptp(b, axis=0).max()
    A, _ = kernels_of(spar(record), None)
    assert [exact_elevation(time, 0.0, 0, A) for time in t[:500:50]] == pytest.approx(eta[:500:50], abs=1e-9)


def test_what_a_record_leaves_out_is_said_and_wrong_records_are_refused(tmp_path):
    noise = np.random.default_rng(5).normal(size=600)
    t = 0.1 * np.arange(600)
    noisy = spar(fl.WaveRecord(dt=0.1, values=np.sin(0.7 * t) + 0.1 * noise))
    notes = [one.message for one in fl.check(noisy) if (one.severity, one.path) == ("note", "environment.waves")]
    # The line nearest to 0.7 rad/s is the seventh of 60 s; of the noise, 0.01 of 0.51 m2, nine tenths lie above.
    assert notes == ["of the record's variance 2 % lie above 2.93 rad/s and are left out; give 'highest' to choose"]
    assert len(components_of(noisy.environment.waves, G, 320.0).omega) < 40
    path = tmp_path / "eta.txt"
    for text, said in (
        ("0 0\n1 1\n3 0\n", "'eta.txt' must have evenly spaced, growing times"),
        ("0 0\n1 1\n", "'eta.txt' needs three or more rows"),
        ("0 0\n1 1\n2\n3 0\n", "'eta.txt' line 3: needs time and elevation, got '2'"),
        ("0 0\n1 nan\n2 0\n3 0\n", "all finite"),
        ("300 0\n301 1\n302 0\n", "must begin at 0 s, where runs do; it begins at 300 s"),
    ):
        path.write_text(text)
        with pytest.raises(fl.InvalidInput, match=f"environment.waves.file: .*{said}"):
            fl.simulate(spar(fl.WaveRecord(file=str(path))), 1.0, 0.1)
    with pytest.raises(fl.InvalidInput, match=r"environment.waves.file: 'none.txt' cannot be read"):
        fl.simulate(spar(fl.WaveRecord(file=str(tmp_path / "none.txt"))), 1.0, 0.1)
    with pytest.raises(fl.InvalidInput, match="needs 'dt' and 'values', or a 'file'"):
        fl.WaveRecord(dt=0.1)


@pytest.mark.parametrize("depth", [None, 30.0])
def test_airy_waves_satisfy_the_linear_equations(depth):
    """Continuity, the two free-surface conditions, no flow through the bottom; accelerations are rates."""
    model = fl.Model(
        "m", {"b": fl.Body(1, (1, 1, 1))}, environment=fl.Environment(depth=depth, waves=fl.Jonswap(5, 10, seed=1))
    )
    A, _ = kernels_of(model, None)
    h = 1e-3
    for t, s, z in [(3.0, 12.0, -4.0), (100.0, -40.0, -17.0), (0.0, 0.0, -0.5)]:
        at = {d: np.array(exact_kinematics(t + d[0] * h, s + d[1] * h, z + d[2] * h, 0, A)) for d in STEPS}
        d_t, d_s, d_z = ((at[STEPS[2 * i + 1]] - at[STEPS[2 * i + 2]]) / (2 * h) for i in range(3))
        U, U_t, W, W_t, P = range(5)
        here = at[STEPS[0]]
        # Central differences err by h^2 / 6 times the third derivative, below 4 h^2 / 6 here: 1e-6.
        assert d_s[U] + d_z[W] == pytest.approx(0, abs=2e-6)
        assert d_z[U] - d_s[W] == pytest.approx(0, abs=2e-6)  # irrotational
        assert d_t[U] == pytest.approx(here[U_t], abs=2e-6)
        assert d_t[W] == pytest.approx(here[W_t], abs=2e-6)
        assert -d_s[P] == pytest.approx(here[U_t], abs=2e-6)  # Euler's equation, linear
        assert -d_z[P] == pytest.approx(here[W_t], abs=2e-6)
        surface = exact_kinematics(t, s, 0.0, 0, A)
        rate = (exact_elevation(t + h, s, 0, A) - exact_elevation(t - h, s, 0, A)) / (2 * h)
        assert surface[W] == pytest.approx(rate, abs=2e-6)  # kinematic condition
        assert surface[P] == pytest.approx(G * exact_elevation(t, s, 0, A), rel=1e-12)  # dynamic condition
        if depth:
            assert exact_kinematics(t, s, -depth, 0, A)[W] == pytest.approx(0, abs=1e-13)


STEPS = ((0, 0, 0), (1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1))


@pytest.mark.parametrize("accuracy", [1e-3, 1e-4])
@pytest.mark.parametrize("lean", [0.0, 0.4])
def test_tables_agree_with_the_sum_within_what_they_say(accuracy, lean):
    """Root mean square over random instants and drifts, at every depth, relative to that at the surface."""
    A, W = kernels_of(spar(fl.Jonswap(5, 10, seed=7, accuracy=accuracy)), 600.0)
    rng = np.random.default_rng(1)
    heights = np.concatenate([np.linspace(-120, -12, 10), np.linspace(-10, 0, 21)])
    errors, sums = [], []
    for _ in range(200):
        t, s, angle = rng.uniform(0, 600), rng.uniform(-25, 25), rng.uniform(-lean, lean)
        out, up = math.sin(angle), math.cos(angle)
        assert fill_field_levels(t, s, out, 0.0, up, -120 / up, 0, A, W)
        exact = np.array([exact_kinematics(t, s + out / up * z, z, 0, A) for z in heights])
        errors.append(np.array([tabled_kinematics(level_of(z, A.sea.water[0]), 0, A, W) for z in heights]) - exact)
        sums.append(exact)
        error = abs(field_elevation(t, s, 0, A) - exact_elevation(t, s, 0, A))
        assert error < 5 * accuracy * 1.25  # 5 deviations of Hs / 4
    rms = np.sqrt(np.mean(np.array(sums)[:, -1] ** 2, axis=0))
    assert (np.sqrt(np.mean(np.array(errors) ** 2, axis=0)) <= accuracy * rms).all()


def test_tables_in_shallow_water_and_with_negative_amplitudes():
    waves = fl.WaveTable(np.linspace(0.3, 2, 12), np.resize([0.3, -0.2], 12), np.arange(12), direction=1.0)
    hull = [(-6.0, 2.0), (2.0, 2.0)]
    model = fl.Model(
        "m",
        {"b": fl.Body(1e4, (1e4, 1e4, 1e4), (50, 20, -3))},
        loads={"w": fl.Morison("b", hull, 1, 1)},
        environment=fl.Environment(depth=10, waves=waves),
    )
    A, W = kernels_of(model, 100.0)
    s = 50 * math.cos(1) + 20 * math.sin(1)
    for t in (0.0, 13.7, 99.9):
        assert fill_field_levels(t, s + 3, 0.0, 0.0, 1.0, -6.0, 0, A, W)
        for z in (-6.0, -2.2, 0.0):
            exact = np.array(exact_kinematics(t, s + 3, z, 0, A))
            found = np.array(tabled_kinematics(level_of(z, A.sea.water[0]), 0, A, W))
            assert np.abs(found - exact).max() < 5e-3 * np.abs(exact).max()  # five deviations of 1e-3


def test_beyond_the_tables_the_sum_takes_over():
    A, W = kernels_of(spar(SEA), 60.0)
    assert A.sea.water["tabled"][0] == 1
    assert field_elevation(30.0, 500.0, 0, A) == exact_elevation(30.0, 500.0, 0, A)
    assert field_elevation(61.0, 0.0, 0, A) == exact_elevation(61.0, 0.0, 0, A)
    assert not fill_field_levels(30.0, 500.0, 0.0, 0.0, 1.0, -120.0, 0, A, W)
    assert not fill_field_levels(30.0, 0.0, 1.0, 0.0, 0.1, -120.0, 0, A, W)


def test_motion_with_tables_is_that_with_the_sum():
    runs = [
        fl.simulate(spar(fl.Jonswap(5, 10, seed=7, lookup=lookup)), 30, 0.1, formulation="cloud")
        for lookup in ("table", "sum")
    ]
    a, b = (run["position"].values for run in runs)
    # Tables err by 1e-3 of the kinematics at most, here in an even smaller part of the hull.
    assert np.abs(a - b).max() < 1e-3 * np.ptp(b, axis=0).max()
    assert float(abs(runs[0]["wave_elevation"] - runs[1]["wave_elevation"]).max()) < 5e-3


def test_tables_filled_as_a_run_goes_are_the_same(monkeypatch):
    """The same numbers as of tables made at the start, from blocks of fixed size: to the bit, also after a restart, and
    by a load that lives in Python, whose chunks are longer."""
    from fairlead.model.environment import wave_table
    from fairlead.running.simulation import Simulation

    push = fl.Force("spar", function=lambda t, motion: np.zeros(6))
    for model in (spar(SEA), spar(SEA).model_copy(update={"loads": {**spar(SEA).loads, "push": push}})):
        monkeypatch.setattr(wave_table, "WHOLE", 1e9)
        whole = fl.simulate(model, 500, 0.25, formulation="cloud", output_every=2)
        monkeypatch.setattr(wave_table, "WHOLE", 0)
        rolling = fl.simulate(model, 500, 0.25, formulation="cloud", output_every=2)
        assert (whole["position"].values == rolling["position"].values).all()
        assert (whole["wave_elevation"].values == rolling["wave_elevation"].values).all()
        adaptive = () if len(model.loads) > 2 else ("rk45",)
        for integrator in adaptive:
            runs = [fl.simulate(model, 20, 0.5, formulation="cloud", integrator=integrator) for _ in range(2)]
            assert (runs[0]["position"].values == runs[1]["position"].values).all()
    first, second = (Simulation(spar(SEA), 600.0, 0.1) for _ in range(2))
    first.advance()
    for _ in range(6):
        first.advance()
    second.restore(first.state())
    for _ in range(3):
        np.testing.assert_array_equal(first.advance(), second.advance())
    rolling = first.compiled.index.rolling
    assert rolling.first > 0 and rolling.last * 256 < rolling.rows + 256
    assert first.arrays.sea.water["end"][0] == rolling.holds >= first.time
    if sys.platform == "linux":  # rows that are forgotten read as zeros; a page may hold the end of one block
        assert not np.any(rolling.table[: (rolling.first - 1) * 256])


def test_memory_does_not_grow_with_the_length_of_a_run(monkeypatch):
    """Of a run a hundred times as long only the rows around the present are held."""
    from fairlead.running.simulation import Simulation

    def resident() -> int:
        return int(Path("/proc/self/statm").read_text().split()[1]) * 4096

    if not Path("/proc/self/statm").exists():
        pytest.skip("the system does not say how much memory is held")
    simulation = Simulation(spar(SEA), 360_000.0, 0.5)
    simulation.advance()
    for _ in range(2):
        simulation.advance()
    before = resident()
    for _ in range(40):
        simulation.advance()
    size = simulation.compiled.index.rolling.size
    assert size > 5e9 and resident() - before < 2e7


def test_elevation_is_recorded_where_there_are_waves():
    data = fl.simulate(spar(fl.RegularWave(2, 8, 0.5)), 8, 0.1, formulation="cloud")
    expected = np.cos(2 * math.pi / 8 * data["time"].values + 0.5)
    assert np.abs(data["wave_elevation"].values - expected).max() < 1e-13
    assert "wave_elevation" not in fl.simulate(spar(), 0.2, 0.1, formulation="cloud")


@pytest.mark.parametrize(
    "stretching", ["wheeler", *(pytest.param(s, marks=pytest.mark.slow) for s in ("vertical", "none"))]
)
def test_tables_give_the_loads_of_the_sum_on_a_leaning_member(stretching):
    """Stretched heights are taken at the strip's own place along the waves: within `accuracy` of the force, 40 seas."""

    def force(lookup, seed):
        waves = fl.Jonswap(8, 10, seed=seed, lookup=lookup, stretching=stretching)
        model = fl.Model(
            "leaning",
            {"b": fl.Body(1.6e6, (1e9, 1e9, 1e8), position=(0, 0, -8))},
            {"f": fl.Free("world", "b", (0, 0, 0), initial={"b": "10 deg"})},
            {"m": fl.Morison("b", [(-20, 10), (12, 10)], ca=0.97, cd=0.6, axial_pressure=True)},
            environment=fl.Environment(depth=40, waves=waves),
        )
        return fl.simulate(model, 0.01, 0.01, progress=False).load_force.values[0, 0]

    exact = np.array([force("sum", seed) for seed in range(40)])
    error = np.array([force("table", seed) for seed in range(40)]) - exact
    assert np.sqrt((error**2).mean(axis=0)).max() < 1e-3 * np.sqrt((exact**2).mean(axis=0)).max()
