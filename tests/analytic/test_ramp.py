"""A ramp of waves and wind: its form, what it multiplies, what it starts from, and what it leaves alone."""

from __future__ import annotations

import numpy as np
import pytest

import fairlead as fl
from fairlead.core.environment.ramp import raised
from support.sea_models import spar

RAMP = 8.0
WAVE = fl.RegularWave(height=3.0, period=7.0)
LINEAR = [
    fl.RegularWave(height=3.0, period=7.0, stretching="none"),
    fl.Jonswap(height=3.0, period=8.0, seed=4, stretching="none"),
]


def r(t):
    """The smoothstep of fifth degree, written out apart from the kernel."""
    s = np.clip(np.asarray(t) / RAMP, 0.0, 1.0)
    return 10 * s**3 - 15 * s**4 + 6 * s**5


def test_it_and_its_first_two_derivatives_meet_both_ends():
    """By differences of a step h a jump of the second derivative would leave 1/2, of the third h."""
    h = 1e-3
    for at, value in ((0.0, 0.0), (1.0, 1.0)):
        first, here, last = (raised(at + d, 1.0) for d in (-h, 0.0, h))
        assert here == value
        assert abs(last - first) / (2 * h) < 1e-4 and abs(last - 2 * here + first) / h**2 < 0.1


@pytest.mark.parametrize("waves", LINEAR, ids=["one", "many"])
def test_elevation_and_loads_are_those_of_waves_of_the_amplitude_then(waves):
    """Without drag and stretching a body held still feels a load linear in the waves: r(t) times the full one."""
    clamp = fl.Fixed("world", "hull", point=(0, 0, 0))
    hull = {"hull": fl.Body(1e6, (1e8, 1e8, 1e8), (0, 0, -20))}
    sections = [(-30.0, 8.0), (10.0, 8.0)]
    word = fl.Morison("hull", sections, 1.0, 0.0, kinematics="undisplaced", waterline="still")
    model = fl.Model("pile", hull, {"clamp": clamp}, {"waves": word}, environment=fl.Environment(depth=50, waves=waves))
    full = fl.simulate(model, 12, 0.1)
    slow = fl.simulate(model, 12, 0.1, ramp=RAMP)
    part = r(full.time.values)
    elevation = full.wave_elevation.values
    np.testing.assert_allclose(slow.wave_elevation, part * elevation, atol=1e-14 * np.abs(elevation).max())
    force = full.load_force.sel(load="waves").values
    np.testing.assert_allclose(
        slow.load_force.sel(load="waves"), part[:, None] * force, atol=1e-12 * np.abs(force).max()
    )
    assert slow.attrs["ramp"] == RAMP


def test_without_a_ramp_nothing_changes_and_after_it_the_sea_is_the_same():
    model = spar(WAVE)
    plain, none = fl.simulate(model, 5, 0.1), fl.simulate(model, 5, 0.1, ramp=0)
    np.testing.assert_array_equal(plain.position, none.position)
    assert "ramp" not in none.attrs
    ramped = fl.simulate(model, 12, 0.1, ramp=RAMP)
    after = ramped.time.values >= RAMP
    full = fl.simulate(model, 12, 0.1)
    np.testing.assert_array_equal(ramped.wave_elevation[after], full.wave_elevation[after])
    assert fl.audit(ramped).passed


def rotor(wind, **more) -> fl.Model:
    """Return a mast held by a spring whose rotor feels a wind."""
    mast = {"mast": fl.Body(1e5, (1e7, 1e7, 1e7), (0, 0, 60))}
    thrust = fl.RotorThrust("mast", (0, 0, 90), (1, 0, 0), radius=60, ct=0.8)
    joints = {"rail": fl.Prismatic("world", "mast", (0, 0, 0), (1, 0, 0), spring=1e5, damper=1e5)}
    return fl.Model("mast", mast, joints, {"rotor": thrust}, environment=fl.Environment(wind=wind, **more))


GUST = fl.ExtremeGust(begin=1, turbulence="A", reference_speed="I", diameter=120)


def test_wind_is_raised_from_none_where_the_drawing_starts():
    wind = fl.SteadyWind(12.0, "30 deg")
    data = fl.simulate(rotor(wind), 10, 0.05, ramp=RAMP)
    np.testing.assert_allclose(data.hub_wind.sel(load="rotor"), 12.0 * r(data.time.values), atol=1e-12)


def test_from_an_equilibrium_turbulence_and_gusts_are_raised_about_the_wind_of_the_rest():
    kaimal = fl.KaimalWind(12.0, "B", seed=3, duration=20)
    for wind in (kaimal, fl.SteadyWind(12.0, changes=(GUST,))):
        model = rotor(wind)
        full = fl.simulate(model, 10, 0.05).hub_wind.sel(load="rotor").values
        data = fl.simulate(model, 10, 0.05, start="equilibrium", ramp=RAMP)
        raised_wind = 12.0 + r(data.time.values) * (full - 12.0)
        np.testing.assert_allclose(data.hub_wind.sel(load="rotor"), raised_wind, atol=1e-11)
        assert float(abs(data.velocity[0]).max()) < 1e-12 and float(abs(data.acceleration[0]).max()) < 1e-7
        assert fl.audit(data).passed


def test_a_ramp_that_raises_nothing_is_refused():
    with pytest.raises(fl.InvalidInput, match="ramp: has no effect: the run has neither waves nor wind"):
        fl.simulate(spar(), 5, 0.1, ramp=2)
    calm = rotor(fl.SteadyWind(12.0))
    with pytest.raises(fl.InvalidInput, match="no waves, and starts in its steady wind"):
        fl.simulate(calm, 5, 0.1, ramp=2, start="equilibrium")
    with pytest.raises(fl.InvalidInput, match="ramp: must be a number of seconds, zero or more; got -1"):
        fl.simulate(calm, 5, 0.1, ramp=-1)


def test_the_method_keeps_its_order_through_the_end_of_a_ramp():
    """Halved steps of rk4 leave a sixteenth of the error, also where the ramp ends between two steps."""
    model = rotor(fl.SteadyWind(12.0))
    exact = fl.simulate(model, 6, ramp=3.37, rtol=1e-13, atol=1e-14).velocity[-1].values
    errors = [np.abs(fl.simulate(model, 6, dt, ramp=3.37).velocity[-1].values - exact).max() for dt in (0.2, 0.1)]
    assert 10 < errors[0] / errors[1] < 24
