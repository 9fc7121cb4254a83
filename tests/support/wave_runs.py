"""The spar of examples/spar_in_waves.yaml in regular waves: what a run leaves of each motion per amplitude."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

import fairlead as fl

SPAR = Path(__file__).parents[2] / "examples" / "spar_in_waves.yaml"
HEIGHT = 0.1  # [m] crest to trough
TEN = (6.0, 8.0, 10.0, 12.0, 15.0, 20.0, 25.0, 28.0, 33.0, 45.0)  # [s] on both sides of heave and pitch at 30 s


def spar(**changes: Any) -> fl.Model:
    """Return the spar in still water, as drawn."""
    return fl.load(SPAR).with_({"joints.start": None, "run": None, "environment.waves": None, **changes})


def run_in_waves(model: fl.Model, period: float, heading: float, height: float = HEIGHT) -> Any:
    """Return the harmonic part of a run's motion per amplitude, surge to yaw, freed of the decaying start.

    Fitted with the decaying motions of the model's own modes beside it, after 600 s.
    """
    wave = fl.RegularWave(height, period, direction=heading)
    data = fl.simulate(model.with_({"environment.waves": wave}), 1500, 0.1, output_every=5)
    t, modes = data.time.values, fl.linearize(model)
    late = t >= 600
    rows = [np.exp(2j * np.pi * t / period), np.exp(-2j * np.pi * t / period), np.ones_like(t)]
    for decay, turn in zip(modes.eigenvalue_real.values, modes.eigenvalue_imag.values):
        rows += [np.exp((decay + 1j * turn) * (t - 600)), np.exp((decay - 1j * turn) * (t - 600))]
    body = data.sel(body="spar")
    motion = np.column_stack([body.position.values, body.euler123.values])
    fit = np.linalg.lstsq(np.array(rows).T[late], motion[late], rcond=None)[0]
    return 2 * fit[0] / (height / 2)
