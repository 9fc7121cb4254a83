"""A tension-leg turbine in an ordinary storm: short vertical swings that a step of 0.1 s only just follows."""

from __future__ import annotations

import fairlead as fl

# Hull 18 m across and 48 m deep, turbine and tower on it as one body; four tethers in 200 m of water.
# Buoyancy 12215 m3 * 1025 kg/m3 less 9.3e6 kg is what the tethers pull.
DRAFT, RADIUS, MASS, DEPTH, ARM = 48.0, 9.0, 9.3e6, 200.0, 27.0
PULL = (3.141592653589793 * RADIUS**2 * DRAFT * 1025 - MASS) * 9.80665 / 4
EA = 1.2e9
HEAVE_DAMPING = 1.3e5  # [N s/m], as much as OC3-Hywind's; Morison's drag does not act along the axis
SECTIONS = [(-DRAFT, 2 * RADIUS), (10.0, 2 * RADIUS)]


def tension_leg(seed: int, height: float = 5.0, period: float = 10.0, wind: float = 18.0) -> fl.Model:
    """Return the machine in JONSWAP waves and turbulent wind of this seed."""
    lines = {}
    for k, (x, y) in enumerate([(ARM, 0), (0, ARM), (-ARM, 0), (0, -ARM)], start=1):
        lines[f"tether {k}"] = fl.TautLine(
            body="hull", point=(x, y, -DRAFT), anchor=(x, y, -DEPTH), EA=EA, length=DEPTH - DRAFT, pretension=PULL
        )
    return fl.Model(
        name="tension-leg turbine in a storm",
        bodies={"hull": fl.Body(mass=MASS, inertia=(1.1e10, 1.1e10, 4e8), position=(0, 0, -30))},
        loads={
            "buoyancy": fl.Buoyancy(body="hull", sections=SECTIONS),
            "waves": fl.Morison(body="hull", sections=SECTIONS, ca=1.0, cd=0.6, axial_pressure=True),
            **lines,
            "damping": fl.Matrix(body="hull", point=(0, 0, 0), damping=(1e5, 1e5, HEAVE_DAMPING, 0, 0, 1.3e7)),
            "wind": fl.RotorThrust(body="hull", point=(-5, 0, 90), axis=(1, 0, 0), radius=63, ct=0.2),
        },
        environment={
            "depth": DEPTH,
            "waves": {"type": "jonswap", "height": height, "period": period, "seed": seed},
            "wind": {"type": "kaimal", "speed": wind, "turbulence": "B", "seed": seed, "duration": 600, "height": 90},
        },
    )
