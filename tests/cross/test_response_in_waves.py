"""Transfer functions of the spar against runs in regular waves, and against what linear theory asks of them.

The runs are the same model stepped in time: independent of the linearisation and of the harmonics, not of the loads,
which tests/analytic/test_morison.py and test_waves.py hold.
"""

from __future__ import annotations

import numpy as np
import pytest

import fairlead as fl
from support.wave_runs import HEIGHT, TEN, run_in_waves, spar


def compared(periods, heading):
    """Ours and the runs', over period and freedom; drag balanced at the height of the runs."""
    model = spar()
    found = fl.response(model, periods, heading, amplitude=HEIGHT / 2)
    ours = found.body_transfer.isel(heading=0).sel(body="spar").values
    return ours, np.array([run_in_waves(model, period, heading) for period in periods])


def assert_equal(ours, theirs, limit=0.02):
    """Equal within 2 % of each motion, or of 1e-3 of the largest length or angle where there is hardly any."""
    for part in (slice(0, 3), slice(3, 6)):
        scale = np.maximum(np.abs(theirs[:, part]), 1e-3 * np.abs(theirs[:, part]).max())
        assert float((np.abs(ours[:, part] - theirs[:, part]) / scale).max()) < limit


def test_regular_waves_at_three_periods():
    """Asked for: 2 % of amplitude and phase; seen: 3e-4 at most, in surge."""
    assert_equal(*compared((8.0, 28.0), 0.0))
    assert_equal(*compared((12.0,), 0.7))


def test_drag_in_waves_of_two_metres_at_the_natural_period():
    """Drag takes a quarter of the pitch there; balanced by first harmonics it is what a run has, to 2 % (seen: 1.3 %).

    What is left is of higher harmonics and of the waterline, which rises and falls on the taper.
    """
    model, heave_and_pitch = spar(), [2, 4]
    balanced, linear = (
        fl.response(model, [30.0], **words).body_transfer.values[0, 0, 0, heave_and_pitch]
        for words in ({"amplitude": 1.0}, {})
    )
    seen = run_in_waves(model, 30.0, 0.0, 2.0)[heave_and_pitch]
    assert (np.abs(balanced - seen) < 0.02 * np.abs(seen)).all()
    assert abs(linear[1]) > 1.3 * abs(seen[1])


@pytest.mark.slow
def test_regular_waves_at_ten_periods(record_property):
    ours, theirs = compared(TEN, 0.3)
    worst = np.abs(ours - theirs)[:, [0, 2, 4]] / np.abs(theirs)[:, [0, 2, 4]]
    record_property("line", f"spar in regular waves: surge, heave, pitch differ by {worst.max(axis=0)} at most")
    assert_equal(ours, theirs)


def test_long_waves_carry_a_light_float():
    """Where the wave is long and the hull held by nothing else, it goes with the water: heave 1, surge 1 in quadrature.

    A slim deep float at 60 s: the wave's pressure at its bottom and its acceleration along it are nearly those at the
    surface (k d = 0.01).
    """
    body = fl.Body(1025 * np.pi * 10.0, (1e5, 1e5, 2e3), (0, 0, -6))
    sections = [(-10, 2.0), (5, 2.0)]
    loads = {
        "hull": fl.Buoyancy("float", sections),
        "water": fl.Morison("float", sections, 1.0, 0.0, axial_pressure=True),
    }
    model = fl.Model("float", {"float": body}, loads=loads, environment=fl.Environment())
    found = fl.response(model, [60.0]).isel(heading=0, period=0)
    heave = found.transfer.sel(freedom="heave of float").item()
    surge = found.transfer.sel(freedom="surge of float").item()
    assert heave == pytest.approx(1.0, abs=0.02)
    assert surge.imag == pytest.approx(-1.0, abs=0.02) and abs(surge.real) < 1e-6  # x = a sin(w t): forward in a crest


def test_waves_from_the_side_are_waves_from_ahead_turned():
    """The spar is round: with heading 90 deg sway is what surge was, and roll minus pitch."""
    found = fl.response(spar(), [10.0, 28.0], ["0 deg", "90 deg"]).body_transfer.sel(body="spar").values
    np.testing.assert_allclose(found[1, :, 1], found[0, :, 0], rtol=1e-6)
    np.testing.assert_allclose(found[1, :, 3], -found[0, :, 4], rtol=1e-6)


def test_small_waves_balance_as_linear_ones():
    """Balanced forces at 1 mm are the linear ones but for drag, which falls with the amplitude."""
    sizes = ({}, {"amplitude": 1e-3}, {"amplitude": "0.5 m"})
    found = [fl.response(spar(), [29.0], **words).transfer.isel(heading=0, period=0) for words in sizes]
    linear, small, high = (one.sel(freedom=["surge of spar", "heave of spar", "pitch of spar"]).values for one in found)
    np.testing.assert_allclose(small, linear, rtol=1e-3)
    assert abs(high[2]) < 0.95 * abs(linear[2])


def test_what_cannot_respond_is_refused():
    with pytest.raises(fl.InvalidInput, match="no load of the model feels waves"):
        fl.response(fl.Model("dry", {"a": fl.Body(1, (1, 1, 1))}), [5.0])
    with pytest.raises(fl.InvalidInput, match="periods must be one or more times above zero"):
        fl.response(spar(), [0.0])
    with pytest.raises(fl.InvalidInput, match="amplitude must be above zero"):
        fl.response(spar(), [5.0], amplitude=-1)
