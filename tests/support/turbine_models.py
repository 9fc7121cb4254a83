"""The Dissertation's turbine as models: numbers of Chapters 2 and 4, drawn so that their assumptions hold or not.

Tower 5.85e9, 1.12e8 kg m2, 58.67 m below the water; nacelle 2.61e6 kg m2 about the yaw axis, rotor 3.54e7 kg m2 about
its spin axis, 12.1 rpm (Chapter 4, section D). Masses: Table I and the NREL 5 MW, as in
examples/thesis_truncated_spar_free_vibration.yaml.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

import fairlead as fl

TOWER, NACELLE, ROTOR = 5273718.0, 240000.0, 110000.0  # [kg]
DEPTH, HUB, BEHIND = -58.67, 90.0, 1.9  # [m] mass centre of the tower, hub height, nacelle behind the tower's axis
BALANCED = NACELLE * BEHIND / ROTOR  # [m] overhang that puts the topside's mass centre on the axis
SPIN = 12.1 * 2 * math.pi / 60  # [rad/s]
STIFFNESS = (1.1e6, 1.1e6, 6.0e5, 2.5e9, 2.5e9, 2.0e8)  # [N/m], [N m/rad]: periods of 14 to 40 s, chosen


def turbine(
    *,
    overhang: float = BALANCED,
    nacelle_height: float = HUB,
    nacelle_spin_inertia: float = 0.0,
    uneven: float = 0.0,
    tilt: float = 0.0,
    yaw: Any = "0.3 deg/s",
    spin: Any = SPIN,
    start: Any = (0.4, 0.4, 0.0),
    rates: Any = (0.0, 0.0, 0.0),
    added_mass: Any = None,
    azimuth: float = 0.0,
) -> fl.Model:
    """Return the floating turbine; as it stands all conditions of ERRATA 18 hold, and each argument breaks one."""
    c, s = math.cos(azimuth), math.sin(azimuth)

    def placed(x: float, z: float) -> tuple[float, float, float]:
        return (c * x, s * x, z)

    axes = {"euler123": (0.0, 0.0, azimuth)}
    bodies = {
        "tower": fl.Body(mass=TOWER, inertia=(5.85e9, 5.85e9, 1.12e8), position=(0, 0, DEPTH)),
        "nacelle": fl.Body(
            mass=NACELLE,
            # about the yaw axis 2.61e6; across equal to it
            inertia=(nacelle_spin_inertia, 2.61e6 - NACELLE * BEHIND**2, 2.61e6 - NACELLE * BEHIND**2),
            position=placed(BEHIND, nacelle_height),
            orientation=axes,
        ),
        "rotor": fl.Body(
            mass=ROTOR,
            inertia=(3.54e7, 1.77e7 + uneven, 1.77e7 - uneven),
            position=placed(-overhang, HUB),
            orientation=axes,
        ),
    }
    shaft = (c * math.cos(tilt), s * math.cos(tilt), -math.sin(tilt))
    joints = {
        "base": fl.Free(
            parent="world",
            child="tower",
            point=(0, 0, DEPTH),
            initial=dict(zip("abc", start)),
            rate=dict(zip("abc", rates)),
        ),
        "yaw": fl.Revolute(parent="tower", child="nacelle", point=(0, 0, 87.6), axis=(0, 0, 1), motion=_motion(yaw)),
        "spin": fl.Revolute(
            parent="nacelle", child="rotor", point=placed(-overhang, HUB), axis=shaft, motion=_motion(spin)
        ),
    }
    return fl.Model(name="turbine", bodies=bodies, joints=joints, loads=restoring(added_mass), gravity=(0, 0, 0))


def _motion(given: Any) -> Any:
    return given if not isinstance(given, (str, float, int)) else fl.Rate(given)


def restoring(added_mass: Any = None) -> dict[str, Any]:
    """Return one 6x6 stiffness at a point of the tower: restoring forces only, weight and buoyancy cancelled."""
    return {"sea": fl.Matrix(body="tower", point=(0, 0, -20), stiffness=STIFFNESS, added_mass=added_mass)}


def lumped(yaw: Any = "0.3 deg/s", spin: float = SPIN) -> fl.Model:
    """Return tower and topside as two bodies, the rotor's spin as a wheel: the same machine as `turbine()`."""
    full = turbine(yaw=yaw)
    I = np.diag([3.54e7, 1.77e7, 1.77e7]) + np.diag(np.diag(np.array(full.bodies["nacelle"].inertia)))
    for mass, x in ((NACELLE, BEHIND), (ROTOR, -BALANCED)):
        I += mass * x**2 * np.diag([0.0, 1.0, 1.0])
    topside = fl.Body(
        mass=NACELLE + ROTOR,
        inertia=np.diag(I).tolist(),
        position=(0, 0, HUB),
        wheels=(fl.Wheel(axis=(1, 0, 0), inertia=3.54e7, speed=spin),),
    )
    joints = {"base": full.joints["base"], "yaw": full.joints["yaw"]}
    return fl.Model(
        name="lumped",
        bodies={"tower": full.bodies["tower"], "nacelle": topside},
        joints=joints,
        loads=full.loads,
        gravity=(0, 0, 0),
    )


# Chapter 2, section D: tower 3.57e9 and 9.28e7 kg m2, I_B = 4.37e7 kg m2; I_A = 2.35e7 and I_C = 2.54e7 made equal
# (ERRATA 4, 17) at their mean. The lumped topside of Chapter 2 has its mass centre where spin and yaw axes meet.
MEAN = 0.5 * (2.35e7 + 2.54e7)


def pinned(
    lean: float, *, pin: float = 0.0, yaw: Any = "0.3 deg/s", precession: float = 0.02, difference: float = 0.0
) -> fl.Model:
    """Return the machine of Chapter 2, leaning by theta_1 = `lean` about x, held at a point of the tower's axis.

    The nacelle is a point mass on the spin axis, so the rotor has all of I_A = I_C and I_B; `pin` is the height of the
    fixed point above the tower's mass centre. The tower starts with theta_2' = `precession`, the rest at rest.
    `difference` is I_A - I_C, given to the nacelle.
    """
    bodies = {
        "tower": fl.Body(mass=TOWER, inertia=(3.57e9, 3.57e9, 9.28e7), position=(0, 0, DEPTH)),
        "nacelle": fl.Body(mass=NACELLE, inertia=(0, difference, 0), position=(0, 0, HUB), idealised=True),
        "rotor": fl.Body(mass=ROTOR, inertia=(4.37e7, MEAN, MEAN), position=(0, 0, HUB)),
    }
    point = (0, 0, DEPTH + pin)
    # theta_2' about Z, in axes of the tower leaning by theta_1 about x
    rates = {"a": 0.0, "b": precession * math.sin(lean), "c": precession * math.cos(lean)}
    joints = {
        "pin": fl.Spherical(parent="world", child="tower", point=point, initial={"a": lean}, rate=rates),
        "yaw": fl.Revolute(parent="tower", child="nacelle", point=(0, 0, 87.6), axis=(0, 0, 1), motion=_motion(yaw)),
        "spin": fl.Revolute(parent="nacelle", child="rotor", point=(0, 0, HUB), axis=(1, 0, 0), motion=fl.Rate(SPIN)),
    }
    return fl.Model(name="pinned", bodies=bodies, joints=joints, loads=restoring(), gravity=(0, 0, 0))
