"""The floating turbine against OpenFAST: decays S2 and S3, irregular waves S4, same masses, lines and strip theory.

OpenFAST's own error by its step is 3e-4 m and 2e-4 deg in S2, and by its strips of 2 m 6e-5 of the loads' deviation.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import least_squares

import fairlead as fl
from support import openfast_model as openfast

MOTIONS = openfast.MOTIONS
JUDGED = [MOTIONS.index(name) for name in ("surge", "heave", "pitch", "yaw")]


@pytest.fixture(scope="module")
def decays():
    return {case: openfast.run(case) for case in ("S2", "S3")}


def fitted(time, values, *modes):
    """Return the periods of decaying cosines about a constant, fitted from (period, damping ratio)."""

    def left(p):
        waves = [np.ones_like(time)]
        for period, ratio in p.reshape(-1, 2):
            w = 2 * np.pi / period
            waves += [np.exp(-ratio * w * time) * f(w * time) for f in (np.cos, np.sin)]
        basis = np.column_stack(waves)
        return basis @ np.linalg.lstsq(basis, values, rcond=None)[0] - values

    scale = np.tile([10.0, 0.05], len(modes))
    return least_squares(left, np.ravel(modes), x_scale=scale, xtol=1e-12, ftol=1e-12).x[::2]


@pytest.mark.parametrize(
    ("case", "motion", "modes"),
    [
        ("S2", "pitch", [(30, 0.05)]),
        ("S2", "yaw", [(8.3, 0.05), (30, 0.05)]),
        ("S3", "heave", [(30, 0.04)]),
        ("S3", "surge", [(124, 0.1)]),
    ],
)
def test_periods(decays, case, motion, modes):
    time, we, _ = decays[case]
    column = MOTIONS.index(motion)
    ours, theirs = (fitted(time, table[:, column], *modes) for table in (we, openfast.recorded(case)[1]))
    assert abs(theirs[0] / modes[0][0] - 1) < 0.02  # the mode that was meant
    assert ours == pytest.approx(theirs, rel=2e-4)  # asked for: 5e-3


@pytest.mark.parametrize(
    ("case", "motions"), [("S2", MOTIONS), ("S3", ("surge", "heave", "pitch"))]
)  # nothing else moves in S3
def test_decays(decays, case, motions):
    time, we, loads = decays[case]
    instants, they, theirs = openfast.recorded(case)
    assert np.allclose(time, instants)
    for name in motions:  # asked for: 2e-2 of the range; sway and roll are 0.04 m and 0.04 deg
        column = MOTIONS.index(name)
        apart = np.abs(we - they)[:, column].max() / np.ptp(they[:, column])
        assert apart < (1e-3 if name in ("sway", "roll") else 4e-4), name
    felt = np.ptp(theirs, axis=0) > 1  # [kN], [kN m]
    assert (np.abs(loads - theirs).max(axis=0) < 1e-3 * np.ptp(theirs, axis=0))[felt].all()


def off(we, they):
    """Return the root mean square differences over the deviations."""
    return np.sqrt(((we - they) ** 2).mean(axis=0)) / they.std(axis=0)


@pytest.fixture(scope="module")
def waves():
    return openfast.run("S4", platform_axes=False)  # of no account here, and compiled


def test_irregular_waves(waves):
    """Components above 5 rad/s, 3e-4 of the variance, are not in the list; with those up to 10 rad/s half is left."""
    _, we, loads = waves
    _, they, theirs = openfast.recorded("S4")
    assert (off(we, they)[JUDGED] < 5e-3).all()  # asked for: 3e-2
    assert (off(loads, theirs) < 2e-2).all()  # asked for: 5e-2


def test_axes_of_the_additional_damping():
    """Our matrix damps along the world's axes, HydroDyn's along the platform's: seen in heave, 0.5 m in S2."""
    _, they, _ = openfast.recorded("S2")
    _, we, _ = openfast.run("S2", platform_axes=False)
    apart = np.abs(we - they).max(axis=0) / np.ptp(they, axis=0)
    heave = MOTIONS.index("heave")
    assert 5e-3 < apart[heave] < 1e-2
    assert np.delete(apart, heave).max() < 5e-3


def test_the_moving_hull_feels_other_waves(waves):
    """What OpenFAST leaves out here is of second order: it moves surge and heave slowly, and hardly touches yaw."""
    sea = {"stretching": "wheeler"}
    _, we, _ = openfast.run("S4", platform_axes=False, sea=sea, **openfast.RICHER)
    apart = dict(zip(MOTIONS, off(we, waves[1])))
    assert apart["surge"] > 0.2
    assert apart["heave"] > 0.5
    assert apart["yaw"] < 0.05


def test_masses_are_those_of_openfast():
    """Against the totals that its summary gives."""
    parts = openfast.bodies().values()
    mass = sum(body.mass for body in parts)
    centre = sum(body.mass * np.array(body.position) for body in parts) / mass
    assert mass == pytest.approx(8065437.845, abs=1e-2)
    assert centre == pytest.approx([-0.017555, 0, -78.01401], abs=1e-5)


def test_at_rest_the_spar_stays_where_openfast_has_it():
    """Still-water equilibrium with the rotor parked: heave 0.0174 m, surge -0.0741 m, pitch -0.0621 deg."""
    model = openfast.machine("S3", platform_axes=False)
    start = model.joints["start"].model_copy(update={"initial": {"x": -0.0741, "z": 0.0174, "b": np.radians(-0.0621)}})
    found = fl.accelerations(model.model_copy(update={"joints": {**model.joints, "start": start}}))
    # Half a unit in the last digit: 5e-5 m heave by 345 kN/m is 17 N, 5e-5 deg pitch by 1.5e9 N m/rad 1300 N m.
    assert np.abs(found["acceleration"].sel(body="tower").values).max() < 1e-5
    assert np.abs(found["angular_acceleration"].sel(body="tower").values).max() < 1e-7
