"""The hull of the OC3-Hywind spar as one rigid body, and small helpers of the sea's tests."""

from __future__ import annotations

from typing import Any

import fairlead as fl
from fairlead.model.compile import compile_model
from fairlead.running.simulation import Simulation

# NREL/TP-500-47535: draft 120 m, taper from -12 to -4 m; the mass is that of the displaced water.
HULL = [(-120.0, 9.4), (-12.0, 9.4), (-4.0, 6.5), (10.0, 6.5)]
VOLUME = 8029.209  # [m3] below z = 0, as OpenFAST computes it


def spar(waves: Any = None, current: Any = None, start: Any = None, **morison: Any) -> fl.Model:
    """Return an unmoored spar that floats at its draft."""
    return fl.Model(
        "spar",
        {"spar": fl.Body(1025.0 * VOLUME, (2.0e10, 2.0e10, 2.0e8), (0, 0, -78.0))},
        joints={"start": fl.Free("world", "spar", point=(0, 0, 0), initial=start or {})},
        loads={"water": fl.Buoyancy("spar", HULL), "waves": fl.Morison("spar", HULL, 0.97, 0.6, **morison)},
        environment=fl.Environment(depth=320, waves=waves, current=current),
    )


def held(load: Any, environment: fl.Environment, turn: Any = None, position: Any = (0, 0, 0)) -> fl.Model:
    """Return a body that is held still, turned about its drawn mass centre by 1-2-3 angles, with one load."""
    body = fl.Body(1.0, (1, 1, 1), position)
    motion = {name: fl.Polynomial([value]) for name, value in zip("abc", turn or (0, 0, 0))}
    joint = fl.Spherical("world", "hull", point=position, motion=motion)
    return fl.Model("held", {"hull": body}, {"clamp": joint}, {"load": load}, environment=environment)


def kernels_of(model: fl.Model, duration: float | None = 600.0) -> tuple[Any, Any]:
    """Return the arrays and the scratch of a model, after one evaluation where it starts."""
    if duration is None:
        return compile_model(model).arrays, None
    simulation = Simulation(model, duration, 0.05, formulation="cloud")
    return simulation.arrays, simulation.work
