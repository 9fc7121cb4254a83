"""Pictures of machines under control: the spacecraft on its wheels."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

import fairlead as fl
from fairlead.view.plots import save
from fairlead.view.style import COLOURS

HOME = Path(__file__).resolve().parent
EXAMPLES, IMAGES = HOME.parent / "examples", HOME / "img"


def spacecraft_figure() -> None:
    """Draw the turn of the spacecraft: its angle from the target, the wheels, and their torques."""
    data = fl.simulate(fl.load(EXAMPLES / "spacecraft_attitude.yaml"), progress=False)
    figure = Figure(figsize=(8, 6.5), layout="constrained")
    top, middle, bottom = figure.subplots(3, 1, sharex=True)
    t, q = data.time.values, data.orientation.sel(body="hub").values
    top.plot(t, np.degrees(2 * np.arctan2(np.linalg.norm(q[:, 1:], axis=1), np.abs(q[:, 0]))), color=COLOURS[0])
    top.set_ylabel("from the target [deg]")
    for row, name in enumerate("xyz"):
        rate = data.joint_rate.sel(coordinate=f"{name}.angle").values
        middle.plot(t, rate * 30 / np.pi, color=COLOURS[row], label=f"wheel {name}")
        torque = data.controller_output.sel(controller=f"attitude.{name}").values
        bottom.step(t, torque, where="post", color=COLOURS[row])
    middle.axhline(2000, color="0.6", lw=0.8, ls="--")
    middle.set_ylabel("wheels [rpm]")
    middle.legend(loc="lower right", ncols=3)
    bottom.set_ylabel("torques on wheels [N m]")
    bottom.set_xlabel("time [s]")
    save(figure, IMAGES / "spacecraft_attitude.png")


def closed_loop_figures() -> None:
    """Draw all of them."""
    spacecraft_figure()
