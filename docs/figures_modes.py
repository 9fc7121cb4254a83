"""The pictures of docs/equilibrium.md, by make_figures.py."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

import fairlead as fl
from fairlead.view.modes import draw_modes
from fairlead.view.plots import save
from fairlead.view.style import COLOURS
from support.wave_runs import HEIGHT, TEN, run_in_waves, spar

HOME = Path(__file__).resolve().parent
SHOWN = {"surge": ("Surge of the mass centre", "[m/m]"), "heave": ("Heave", "[m/m]"), "pitch": ("Pitch", "[deg/m]")}


def modes_figure() -> None:
    """Draw the modes of the OC3-Hywind turbine in still water and air."""
    calm = {"environment.wind": {"type": "steady", "speed": 0}, "joints.spin.motion": {"rate": 0}}
    model = fl.load(HOME.parent / "examples" / "oc3_hywind_held_rotor.yaml").with_(calm)
    draw_modes(model, fl.linearize(model), HOME / "img" / "modes.png")


def response_figure() -> None:
    """Draw the response of the spar over the period, with runs in regular waves."""
    model, spans = spar(), np.geomspace(5, 60, 160)
    lines = {
        "small waves": fl.response(model, spans).body_transfer,
        "amplitude 1 m": fl.response(model, spans, amplitude=1.0).body_transfer,
    }
    runs = np.array([run_in_waves(model, period, 0.0) for period in TEN])
    figure = Figure(figsize=(10.0, 3.2), layout="constrained")
    for axes, (dof, (title, unit)) in zip(figure.subplots(1, 3), SHOWN.items()):
        scale = np.degrees(1.0) if dof == "pitch" else 1.0
        for colour, (label, found) in zip(COLOURS, lines.items()):
            one = np.abs(found.sel(body="spar", dof=dof).isel(heading=0))
            axes.plot(spans, scale * one, color=colour, label=label)
        number = ("surge", "sway", "heave", "roll", "pitch").index(dof)
        dots = scale * np.abs(runs[:, number])
        axes.plot(TEN, dots, "o", color=COLOURS[2], markersize=4, label=f"runs, amplitude {HEIGHT / 2:g} m")
        axes.set(title=f"{title} {unit}", xlabel="period of the waves [s]", yscale="log", xscale="log")
        axes.set_xticks([5, 10, 20, 30, 60], labels=["5", "10", "20", "30", "60"])
        axes.minorticks_off()
    axes.legend(fontsize=7.5, frameon=False)
    save(figure, HOME / "img" / "response.png")
