# ruff: noqa: E501 (lines of the model files)
"""The text of a model file of the family: numbers from make_family.py, words and assumptions here."""

from __future__ import annotations

from math import pi, sqrt
from typing import Any

RADIUS, AIR, RATED, POWER = 63.0, 1.225, 17.0, 5e6
CT_RATED = POWER / (0.7 * 0.5 * AIR * pi * RADIUS**2 * RATED**3)  # C_P = 0.7 C_T and 5 MW at 17 m/s: 0.190

HEAD = {
    "truncated_spar": """\
# The truncated spar of Wang's dissertation (Chapters 4-5; Chapter 2 draws the same hull): OC3-Hywind cut from 120 m to
# 84.4 m of draft, with the NREL 5 MW turbine, on four taut lines, in the sea and wind of Figs. 32-34.
#
#   fairlead run models/truncated_spar.yaml
#
# Look at: pitch of the tower (euler123 y), which leans away from the wind; euler123 x, whose mean moves from zero when the
# wind has turned; thrust, which falls when the rotor moves into the wind (C_T of the relative wind)""",
    "family": """\
# One of the compliant designs of Wang's dissertation (Table I): OC3-Hywind with its spar's cylinder {cylinder:g} m long
# (the original: 108 m), with the NREL 5 MW turbine, on four taut lines, in the sea and wind of Chapters 3-5.
#
#   fairlead run models/{name}.yaml
#
# Look at: how far the tower leans (euler123 y) and the power, beside the other lengths. The Dissertation compares them in
# four conditions (wind, Hs, Tp): 8 m/s, 3 m, 10 s; 17 m/s, 5 m, 12 s; 20 m/s, 9 m, 13 s; 25 m/s, 14 m, 15 s""",
}
MASSES = {
    "truncated_spar": """\
    mass: {mass:.0f} # [kg] platform of Table I (72 m: hull 816 t, ballast 4208 t) and the tower of OC3-Hywind, 249718 kg
    position: [0, 0, {centre:.4f}] # [m] printed: 58.67 m below still water
    # Printed. Geometry and ballast give less (docs/validation/family.md).
    inertia: [{tilt:.6g}, {tilt:.6g}, {yaw:.6g}] # [kg m2]""",
    "family": """\
    # Hull steel {steel:.0f} t: a wall of {wall:.1f} mm all over and a bottom plate (one thickness, fitted to the hull weights of
    # Table I). Ballast {ballast:.0f} t closes the vertical balance; it fills the hull {fill:.1f} m high at {density:.0f} kg/m3, the density
    # that puts OC3-Hywind's mass centre where it is published. Tower: OC3-Hywind, 249718 kg at 43.35 m.
    mass: {mass:.0f} # [kg]
    position: [0, 0, {centre:.4f}] # [m]
    inertia: [{tilt:.6g}, {tilt:.6g}, {yaw:.6g}] # [kg m2]""",
}
PULL = {
    "truncated_spar": "closes the vertical balance: buoyancy less weight",
    "family": "is one value for the three truncated hulls, the mean of what\n  # Table I's platform weights leave",
    "family_108": "is that of OC3-Hywind's catenaries (NREL/TP-500-47535), in whose place\n  # the taut lines stand",
}
DAMPING = """\
  # Besides Morison's drag none is printed, and without any heave and yaw of the 85 m hull grow large. Taken: the
  # additional linear damping of OC3-Hywind (NREL/TP-500-47535); truncated_spar.yaml has none.
  damping: {type: matrix, body: tower, point: [0, 0, 0], damping: [1.0e5, 1.0e5, 1.3e5, 0, 0, 1.3e7]} # [N s/m], [N m s/rad]
"""

BODY = """\
# Written by models/make_family.py: change it there. Computed beside printed numbers: docs/validation/family.md.
# World: origin on the still water at the tower's axis, x downwind, z up (the Dissertation: wind along -Y).
fairlead: 1
name: {title}
gravity: [0, 0, -9.80665] # [m/s2]

bodies:
  tower: # hull, ballast and tower as one
{masses}
  nacelle: # mass and place: NREL 5 MW
    mass: 240000 # [kg]
    position: [1.9, 0, 89.35] # [m]
    # zz: 2.61e6 about the yaw axis less 240000 * 1.9^2; yy taken equal, xx that of a box of section 4 x 4 m
    inertia: [640000, 1743600, 1743600] # [kg m2]
  rotor: # mass of the NREL 5 MW; printed 3.54e7 about the shaft, and as of a thin disc half of it across
    mass: 110000 # [kg]
    position: [-5.0, 0, 90.0] # [m] upwind; the shaft without its tilt of 5 degrees, as the Dissertation draws it
    inertia: [3.54e7, 1.77e7, 1.77e7] # [kg m2]

joints:
  yaw: {{type: revolute, parent: tower, child: nacelle, point: [0, 0, 87.6], axis: [0, 0, 1], motion: {{controller: yaw control}}}}
  spin: {{type: revolute, parent: nacelle, child: rotor, point: [-5.0, 0, 90.0], axis: [1, 0, 0], motion: {{rate: 12.1 rpm}}}}

loads:
  # Hull: cylinder {cylinder:g} m of 9.4 m, taper 8 m, cylinder of 6.5 m (4 m below to 10 m above still water).
  # Displaced {volume:.2f} m3, centre {buoyancy_centre:.4f} m.
  buoyancy: {{type: buoyancy, body: tower, sections: {sections}}}
  waves and drag: # C_a 1.0 (C_m 2.0) and C_d 0.6: Dissertation, below Eq. 3.22
    type: morison
    body: tower
    sections: {sections}
    ca: 1.0
    cd: 0.6
  # Four taut lines of 564 m and 6.81e5 N/m in 320 m of water (Chapter 4). Not printed: where they are fastened, taken as
  # OC3-Hywind's 70 m below still water but at the hull's wall, so that the anchors lie {anchor:.3f} m out.
  # The pull of all four, {pull:.1f} kN down, {why}.
  # They push when shortened (Eq. 3.16); `tension_only: true` would let them go slack.
{lines}
{damping}  thrust:
    type: rotor-thrust
    body: rotor
    point: [-5.0, 0, 90.0]
    axis: [1, 0, 0]
    radius: 63 m
    # C_T falls with V^-3 above the rated 17 m/s: constant power of 5 MW with C_P = 0.7 C_T and air of 1.225 kg/m3. The
    # Dissertation's curve (Fig. 14) is lost. Assumption below 17 m/s: C_T as at 17 m/s, since C_P is then constant, as of a
    # rotor kept at one tip-speed ratio. For the fixed coefficient of Fig. 34 write `ct: 0.15`. What a curve does that goes on
    # falling below 17 m/s, as other words of the Dissertation suggest: docs/validation/thesis_many_bodies.md.
    ct:
      speeds: {speeds}
      values: {values}
    cp: {{of_ct: 0.7}}
    torque: {{power: 5 MW, speed: 12.1 rpm}} # constant: rated power over rotor speed (Chapter 2)

environment:
  water_density: 1025 # [kg/m3]
  depth: 320 # [m]
  waves: {{type: jonswap, height: 5, period: 10, seed: 1}} # [m], [s] printed; gamma by IEC 61400-3, along the first wind
  wind:
    type: kaimal # the Dissertation: TurbSim; class, profile and turbulence are not printed
    speed: 18.2 # [m/s] at hub height
    turbulence: B
    seed: 1
    duration: 600 s
    height: 90
    exponent: 0.14
    changes:
      - {{type: direction-change, begin: 100 s, by: 45 deg}}

controllers:
  # 0.3 deg/s, 10 s of lag and of acceleration: Chapter 2; dead band chosen
  yaw control: {{type: yaw-follow, dead_band: 8 deg, lag: 10 s, rate: 0.3 deg/s, acceleration_time: 10 s}}

run: {{duration: 600 s, dt: 0.05 s, output_every: 4}}
"""


def lines(pretension: float, anchor: float) -> str:
    rows = []
    for number, (x, y) in enumerate(((1, 0), (0, 1), (-1, 0), (0, -1)), start=1):
        ends = f"point: [{4.7 * x:g}, {4.7 * y:g}, -70], anchor: [{anchor * x:.9g}, {anchor * y:.9g}, -320]"
        rows.append(
            f"  line {number}: {{type: taut-line, body: tower, {ends}, EA: 3.84084e8, length: 564, pretension: {pretension:.1f}}}"
        )
    return "\n".join(rows)


def curve() -> tuple[list[float], list[float]]:
    """Speeds and C_T; between points 0.5 m/s apart a straight line is above V^-3 by 0.13 % at most."""
    speeds = [0.0, *(RATED + 0.5 * i for i in range(27)), 35.0, 40.0]
    return speeds, [round(CT_RATED * min(1.0, (RATED / max(v, 1.0)) ** 3), 5) for v in speeds]


def model_text(name: str, hull: Any, wall: float, density: float) -> str:
    kind = "truncated_spar" if name == "truncated_spar" else "family"
    anchor = 4.7 + sqrt(564.0**2 - 250.0**2)
    bottom = -hull.cylinder - 12
    speeds, values = curve()
    masses = MASSES[kind].format(
        steel=hull.steel.mass / 1e3, ballast=hull.ballast.mass / 1e3, wall=wall * 1e3, density=density,
        fill=2 * (hull.ballast.centre + hull.draft), **vars(hull.tower),
    )  # fmt: skip
    head = HEAD[kind].format(name=name, cylinder=hull.cylinder)
    return f"{head}.\n" + BODY.format(
        title="truncated spar" if kind == "truncated_spar" else f"compliant design of {hull.cylinder:g} m",
        masses=masses,
        cylinder=hull.cylinder,
        volume=hull.volume,
        buoyancy_centre=hull.buoyancy_centre,
        sections=f"[[{bottom:g}, 9.4], [-12, 9.4], [-4, 6.5], [10, 6.5]]",
        anchor=anchor,
        pull=hull.pull / 1e3,
        why=PULL.get(name, PULL[kind]),
        lines=lines(hull.pretension, anchor),
        damping=DAMPING if kind == "family" else "",
        speeds=f"[{', '.join(f'{v:g}' for v in speeds)}]",
        values=f"[{', '.join(f'{v:g}' for v in values)}]",
    )
