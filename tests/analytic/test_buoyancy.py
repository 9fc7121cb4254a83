"""Buoyancy of cylinders and cones at any attitude, against integration by another method."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from scipy.integrate import quad

import fairlead as fl
from fairlead.core.loads.buoyancy import SEGMENT, cut_segment, frustum, pierced_cylinder, wet_segment
from support.sea_models import VOLUME, held, spar


def segment(low, high, r_low, r_high):
    return np.array([(0, 0, low, high, r_low, r_high)], SEGMENT)[0]


def by_columns(low, high, r, z_O, c):
    """Volume and moments of a wet cylinder, summed over columns parallel to its axis: another way to cut it."""
    sn = math.sqrt(1 - c * c)

    def wet(u):  # the wet stretch of the column at u along the direction of steepest ascent
        if c == 0:
            return (low, high) if z_O + sn * u < 0 else (low, low)
        level = -(z_O + sn * u) / c
        return (low, min(max(level, low), high)) if c > 0 else (max(min(level, high), low), high)

    def over(f):  # u = r sin a makes the disc's width smooth; the kinks are where the water meets an end
        kinks = [(-z_O - c * end) / (sn * r) for end in (low, high)] if sn > 0 else []
        edges = [-math.pi / 2, *sorted(math.asin(k) for k in kinks if abs(k) < 1), math.pi / 2]
        parts = [
            quad(
                lambda a: f(r * math.sin(a)) * 2 * (r * math.cos(a)) ** 2, *edge, epsabs=1e-9, epsrel=1e-12, limit=200
            )[0]
            for edge in itertools.pairwise(edges)
        ]
        return sum(parts)

    return (
        over(lambda u: wet(u)[1] - wet(u)[0]),
        over(lambda u: (wet(u)[1] ** 2 - wet(u)[0] ** 2) / 2),
        over(lambda u: u * (wet(u)[1] - wet(u)[0])),
    )


@pytest.mark.parametrize("degrees", [0.0, 1e-3, 5.0, 40.0, 75.0, 88.0, 90.0, 100.0, 150.0, 180.0])
@pytest.mark.parametrize("z_O", [-14.0, -5.0, -1.0, 0.3, 4.0, 9.0])
def test_tilted_cylinder(degrees, z_O):
    c = math.cos(math.radians(degrees)) if degrees != 90 else 0.0
    found = wet_segment(segment(-10.0, 7.0, 3.25, 3.25), z_O, c)
    expected = by_columns(-10.0, 7.0, 3.25, z_O, c)
    scale = np.array([1, 10, 3.25]) * math.pi * 3.25**2 * 17
    assert (np.abs(np.array(found) - expected) <= 1e-10 * scale).all()


def by_discs(s, z_O, c):
    """The same of a cone, disc by disc, by adaptive integration along the axis."""
    sn = math.sqrt(1 - c * c)

    def disc(low, power):
        r = s["r_low"] + (s["r_high"] - s["r_low"]) * (low - s["low"]) / (s["high"] - s["low"])
        x = min(max(-(z_O + c * low) / sn, -r), r)
        chord = math.sqrt(max(r * r - x * x, 0))
        if power == 0:
            return r * r * (math.pi / 2 + math.asin(x / r)) + x * chord if r > 0 else 0.0
        return -2 / 3 * chord**3

    slope = (s["r_high"] - s["r_low"]) / (s["high"] - s["low"])
    kinks = [-(z_O + sign * sn * (s["r_low"] - slope * s["low"])) / (c + sign * sn * slope) for sign in (1, -1)]
    edges = [s["low"], *sorted(k for k in kinks if s["low"] < k < s["high"]), s["high"]]

    def over(f):
        return sum(quad(f, *edge, epsabs=1e-12, epsrel=1e-11, limit=200)[0] for edge in itertools.pairwise(edges))

    return over(lambda l: disc(l, 0)), over(lambda l: l * disc(l, 0)), over(lambda l: disc(l, 1))


@pytest.mark.parametrize("degrees", [3.0, 30.0, 60.0, 100.0, 170.0])
@pytest.mark.parametrize("radii", [(4.7, 3.25), (1.0, 6.0), (0.5, 4.0), (0.0, 4.0)])
def test_tilted_cone(degrees, radii):
    c = math.cos(math.radians(degrees))
    for z_O in (-4.0, 0.0, 2.5):
        s = segment(-5.0, 4.0, *radii)
        found, expected = wet_segment(s, z_O, c), by_discs(s, z_O, c)
        # scipy is asked for 1e-11; the point of a cone, 1e-9 of its volume, is integrated less carefully.
        assert np.abs(np.array(found) - expected).max() <= 1e-10 * math.pi * max(radii) ** 2 * 9 * 5


@pytest.mark.parametrize("degrees", [0.1, 10.0, 45.0, 70.0, 120.0, 179.0])
def test_strips_and_closed_form_agree(degrees):
    c, sn = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    s = segment(-60.0, 50.0, 3.0, 3.0)
    z_low, z_high = 1.5 + c * -60.0, 1.5 + c * 50.0
    closed = np.array(pierced_cylinder(s, z_low, z_high, c, sn))
    strips = np.array(cut_segment(-60.0, 50.0, 3.0, 3.0, z_low, z_high, sn))
    # Gauss' rule with sixteen points is exact to rounding on these trigonometric polynomials.
    assert np.abs(closed - strips).max() <= 1e-12 * np.abs(closed).max()


def test_frustum():
    # A cone of height h: volume pi r^2 h / 3, centre at 3/4 h from the tip.
    V, moment, _ = frustum(0.0, 4.0, 0.0, 3.0)
    assert pytest.approx(12 * math.pi, rel=1e-15) == V
    assert moment / V == pytest.approx(3.0, rel=1e-15)


def test_the_hull_displaces_what_it_should():
    data = fl.accelerations(spar(), formulation="cloud")
    force = data["load_force"].sel(load="water").values
    # OpenFAST: 8029.209 m3 at zero offset, seven figures printed.
    assert force[2] / (1025 * 9.80665) == pytest.approx(VOLUME, abs=6e-4)


def test_centre_of_buoyancy_of_the_thesis():
    """Dissertation Eq. 3.15 in its own coordinates, for a cylinder of draft 72 m leaning by X4, X5."""
    x4, x5, r, low = 0.3, -0.2, 3.25, -72.0
    model = held(fl.Buoyancy("hull", [(low, 2 * r), (40.0, 2 * r)]), fl.Environment(), turn=(x4, x5, 0.0))
    data = fl.accelerations(model, formulation="cloud")
    t31, t32, t33 = -math.cos(x4) * math.sin(x5), math.sin(x4), math.cos(x4) * math.cos(x5)  # third row of Eq. 3.13
    h1 = -low  # Eq. 3.14 with the mass centre on the still water
    centre = np.array([-t31, -t32, 0]) * r**2 / (4 * t33 * h1)
    centre[2] = low + h1 / 2 + r**2 * (t31**2 + t32**2) / (8 * t33**2 * h1)
    q = data["orientation"].sel(body="hull").values
    w, x, y, z = q
    R = np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )
    assert R[2] == pytest.approx([t31, t32, t33], abs=1e-12)
    force = np.array([0, 0, 1025 * 9.80665 * math.pi * r**2 * h1])
    assert data["load_force"].sel(load="load").values == pytest.approx(force, rel=1e-13)
    moment = np.cross(R @ centre, force)
    assert data["load_moment"].sel(load="load").values == pytest.approx(moment, rel=1e-11, abs=1e-3)


def test_a_step_in_diameter_is_two_cylinders():
    stack = fl.Buoyancy("hull", [(-20, 8), (-10, 8), (-10, 4), (5, 4)])
    data = fl.accelerations(held(stack, fl.Environment()), formulation="cloud")
    volume = math.pi * (16 * 10 + 4 * 10)
    assert data["load_force"].values[0, 2] == pytest.approx(1025 * 9.80665 * volume, rel=1e-14)


def test_released_at_100_degrees_the_spar_rights_itself():
    """Nothing ends where an end pierces the surface. The mass centre lies below the centre of buoyancy."""
    start = {"b": math.radians(100)}
    data = fl.simulate(spar(start=start, end_cd=1.0), 400, 0.05, formulation="cloud", output_every=20)
    _w, x, y, _z = np.moveaxis(data["orientation"].values[:, 0], -1, 0)
    tilt = np.degrees(np.arccos(1 - 2 * (x * x + y * y)))
    assert tilt[0] == pytest.approx(100, abs=1e-9)
    assert tilt.max() < 101
    late = tilt[data["time"].values > 300]
    assert late.max() < 30
    assert fl.audit(data).passed
