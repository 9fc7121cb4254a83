"""The pictures of docs/validation/control.md, by make_figures.py."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from fairlead.view.plots import save
from fairlead.view.style import COLOURS, INK
from support import controlled_turbine as turbine

HOME = Path(__file__).resolve().parent
STEPS = ("RotSpeed_(rpm)", "BldPitch1_(deg)", "GenPwr_(kW)", "ADFx_(N)")
FLOATING = (*turbine.PLATFORM[::2][:1], "PtfmPitch_(deg)", "RotSpeed_(rpm)", "BldPitch1_(deg)", "FairTen2_(N)")


def control_figures() -> None:
    """Draw our runs on OpenFAST's: wind steps on a fixed base, and the floating machine."""
    _wind_steps()
    _floating()


def _wind_steps() -> None:
    theirs, ours = turbine.recorded("K1"), turbine.channels(turbine.run("K1", 0.0125))
    figure = Figure(figsize=(10.0, 5.0), layout="constrained")
    for axes, name in zip(figure.subplots(2, 2).flat, STEPS):
        _overlay(axes, theirs["Time_(s)"], theirs[name], ours[name], name)
    save(figure, HOME / "img" / "control_steps.png")


def _floating() -> None:
    cases = {"K2_8": "8 m/s", "K2_14": "14 m/s", "K4": "gust and ramp", "K3": "14 m/s, land-based gains"}
    figure = Figure(figsize=(12.0, 8.0), layout="constrained")
    for column, (case, title) in zip(figure.subplots(len(FLOATING), len(cases), sharex="col").T, cases.items()):
        theirs, ours = turbine.recorded(case), turbine.channels(turbine.run(case, 0.025))
        for axes, name in zip(column, FLOATING):
            _overlay(axes, theirs["Time_(s)"], theirs[name], ours[name][::5], name)
        column[0].set_title(title)
        off = {name: np.abs(ours[name][::5] - theirs[name]).max() / (np.ptp(theirs[name]) or 1.0) for name in FLOATING}
        print(case, {name: f"{value:.1e}" for name, value in off.items()})
    save(figure, HOME / "img" / "control_floating.png")


def _overlay(axes: Any, time: Any, theirs: Any, ours: Any, name: str) -> None:
    axes.plot(time, theirs, color=INK, linewidth=2.2, alpha=0.35, label="OpenFAST")
    axes.plot(time, ours, color=COLOURS[0], linewidth=0.9, label="Fairlead")
    axes.set_ylabel(name.replace("_", " "), fontsize=7.5)
    axes.tick_params(labelsize=7)
    if name.startswith(("RotSpeed", "PtfmSurge")):
        axes.legend(fontsize=7, frameon=False)
