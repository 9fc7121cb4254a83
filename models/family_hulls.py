"""Mass properties and hydrostatics of the family of Table I and of the truncated spar, from geometry and balance.

Sources: Dissertation (Wang 2012): Table I and section III.E (family), section IV.D (truncated spar); OC3-Hywind and
NREL 5 MW: NREL/TP-500-47535, NREL/TP-500-38060 and the input files of OpenFAST's r-test.
Heights are z above the still water [m]; everything is SI.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

G, WATER, STEEL = 9.80665, 1025.0, 7850.0
LOWER, UPPER, TAPER, NECK, TOP = 9.4, 6.5, 8.0, 4.0, 10.0  # diameters, taper's height, its top's depth, hull's top
# Table I: cylinder length, draft [m]; hull, ballast, platform [t]
TABLE_I = {
    72: (84, 816, 4208, 5024),
    77: (89, 860, 4503, 5363),
    85: (97, 940, 5038, 5978),
    108: (120, None, None, 7466),
}
OC3 = {
    "mass": 7466330.0,
    "centre": -89.9155,
    "tilt": 4.22923e9,
    "yaw": 1.6423e8,
    "pull": 1.607e6,
}  # platform; mooring [N]
SPAR = {"cylinder": 72.4, "centre": -58.67, "tilt": 5.85e9, "yaw": 1.12e8}  # section IV.D, tower and hull as one
# Tower of OC3-Hywind from 10 to 87.6 m at tenths of its height
TOWER_MASS = [4667, 4345.28, 4034.76, 3735.44, 3447.32, 3170.4, 2904.69, 2650.18, 2406.88, 2174.77, 1953.87]  # [kg/m]
TOWER_DIAMETER = [6.5, 6.24, 5.97, 5.71, 5.45, 5.18, 4.92, 4.66, 4.40, 4.13, 3.87]
NACELLE, ROTOR = (240000.0, 1.9, 89.35), (110000.0, -5.0, 90.0)  # mass, x, z
FAIRLEAD, ANCHOR_DEPTH, LINE, STIFFNESS = 70.0, 320.0, 564.0, 6.81e5
SLICES = 4000  # of each section


@dataclass(frozen=True)
class Mass:
    """Mass, height of its centre, inertia about its centre across (tilt) and about the axis (yaw)."""

    mass: float
    centre: float
    tilt: float
    yaw: float

    def __add__(self, other: Mass) -> Mass:
        mass = self.mass + other.mass
        centre = (self.mass * self.centre + other.mass * other.centre) / mass
        tilt = sum(part.tilt + part.mass * (part.centre - centre) ** 2 for part in (self, other))
        return Mass(mass, centre, tilt, self.yaw + other.yaw)


@dataclass(frozen=True)
class Design:
    """What one hull comes to."""

    cylinder: float
    volume: float
    buoyancy_centre: float
    steel: Mass
    ballast: Mass
    platform: Mass
    tower: Mass  # platform and tower
    pull: float  # vertical pull of all lines [N]

    @property
    def draft(self) -> float:
        return self.cylinder + TAPER + NECK

    @property
    def weight(self) -> float:
        return (self.tower.mass + NACELLE[0] + ROTOR[0]) * G

    @property
    def gravity_centre(self) -> float:
        parts = ((self.tower.mass, self.tower.centre), (NACELLE[0], NACELLE[2]), (ROTOR[0], ROTOR[2]))
        return sum(mass * z for mass, z in parts) / sum(mass for mass, _ in parts)

    @property
    def metacentric_height(self) -> float:
        """Height of the metacentre above the centre of gravity, the lines left out: KB + I / V - KG."""
        return self.buoyancy_centre + np.pi * (UPPER / 2) ** 4 / 4 / self.volume - self.gravity_centre

    @property
    def pretension(self) -> float:
        return self.pull / 4 * LINE / (ANCHOR_DEPTH - FAIRLEAD)


def sections(cylinder: float) -> list[tuple[float, float]]:
    return [(-cylinder - TAPER - NECK, LOWER), (-TAPER - NECK, LOWER), (-NECK, UPPER), (TOP, UPPER)]


def displacement(cylinder: float) -> tuple[float, float]:
    """Volume to the still water and the height of its centre, closed forms of cylinder, frustum and cylinder."""
    r, s = LOWER / 2, UPPER / 2
    frustum = np.pi * TAPER / 3 * (r * r + r * s + s * s)
    rise = TAPER / 4 * (r * r + 2 * r * s + 3 * s * s) / (r * r + r * s + s * s)  # of its centre above its lower end
    parts = [
        (np.pi * r * r * cylinder, -TAPER - NECK - cylinder / 2),
        (frustum, -TAPER - NECK + rise),
        (np.pi * s * s * NECK, -NECK / 2),
    ]
    volume = sum(part for part, _ in parts)
    return volume, sum(part * z for part, z in parts) / volume


def shell(cylinder: float, wall: float) -> Mass:
    """Thin steel wall on the hull's outside and a bottom plate."""
    total = disc(STEEL * wall * np.pi * LOWER**2 / 4, LOWER / 2, -cylinder - TAPER - NECK, 0.0)
    for (low, wide), (high, narrow) in zip(sections(cylinder), sections(cylinder)[1:]):
        at = (np.arange(SLICES) + 0.5) / SLICES
        z, r = low + (high - low) * at, (wide + (narrow - wide) * at) / 2
        dm = STEEL * wall * 2 * np.pi * r * np.hypot(high - low, (wide - narrow) / 2) / SLICES
        centre = float(dm @ z / dm.sum())
        total = total + Mass(float(dm.sum()), centre, float(dm @ (r**2 / 2 + (z - centre) ** 2)), float(dm @ r**2))
    return total


def disc(mass: float, radius: float, bottom: float, height: float) -> Mass:
    """Solid cylinder standing on `bottom`."""
    return Mass(mass, bottom + height / 2, mass * (radius**2 / 4 + height**2 / 12), mass * radius**2 / 2)


def ballast(mass: float, cylinder: float, wall: float, density: float) -> Mass:
    """Ballast that fills the hull from its bottom."""
    radius = LOWER / 2 - wall
    return disc(mass, radius, -cylinder - TAPER - NECK, mass / density / (np.pi * radius**2))


def tower() -> Mass:
    """Tower of OC3-Hywind, its mass linear between stations and at the wall."""
    z = np.linspace(10.0, 87.6, 2001)
    stations = np.linspace(10.0, 87.6, 11)
    line, r = np.interp(z, stations, TOWER_MASS), np.interp(z, stations, TOWER_DIAMETER) / 2
    mass = np.trapezoid(line, z)
    centre = np.trapezoid(line * z, z) / mass
    tilt = np.trapezoid(line * ((z - centre) ** 2 + r**2 / 2), z)
    return Mass(float(mass), float(centre), float(tilt), float(np.trapezoid(line * r**2, z)))


def wall_of_table() -> float:
    """Wall thickness that meets the three hull weights of Table I best (least squares)."""
    area = np.array([shell(cylinder, 1.0).mass for cylinder in (72, 77, 85)])
    return float(area @ np.array([816e3, 860e3, 940e3]) / (area @ area))


def density_of_oc3(wall: float) -> float:
    """Ballast density that puts OC3-Hywind's platform's mass centre where it is published."""
    steel = shell(108, wall)
    mass = OC3["mass"] - steel.mass
    centre = (OC3["mass"] * OC3["centre"] - steel.mass * steel.centre) / mass
    return mass / (np.pi * (LOWER / 2 - wall) ** 2 * 2 * (centre + 120.0))


def left_over(cylinder: float, platform: float) -> float:
    """Buoyancy less weight with a platform of this mass [N]: what the lines must pull."""
    return (WATER * displacement(cylinder)[0] - platform - tower().mass - NACELLE[0] - ROTOR[0]) * G


def design(cylinder: float, wall: float, density: float, pull: float) -> Design:
    """The hull whose ballast closes the vertical balance with the lines' pull."""
    volume, centre = displacement(cylinder)
    steel = shell(cylinder, wall)
    mass = WATER * volume - pull / G - steel.mass - tower().mass - NACELLE[0] - ROTOR[0]
    load = ballast(mass, cylinder, wall, density)
    return Design(cylinder, volume, centre, steel, load, steel + load, steel + load + tower(), pull)


def family() -> tuple[dict[int, Design], float, float]:
    wall = round(wall_of_table(), 4)
    density = round(density_of_oc3(wall), -1)
    common = round(np.mean([left_over(c, TABLE_I[c][3] * 1e3) for c in (72, 77, 85)]), -3)
    pulls = {72: common, 77: common, 85: common, 108: OC3["pull"]}
    return {c: design(c, wall, density, pulls[c]) for c in TABLE_I}, wall, density


def truncated_spar(wall: float, density: float) -> tuple[Design, Design]:
    """The spar with the printed mass centre and inertia, and with computed ones; the lines close its balance."""
    cylinder = SPAR["cylinder"]
    pull = left_over(cylinder, 5024e3)
    computed = design(cylinder, wall, density, pull)
    printed = Mass(computed.tower.mass, SPAR["centre"], SPAR["tilt"], SPAR["yaw"])
    fields = dict(vars(computed), tower=printed)
    return Design(**fields), computed
