"""The picture of docs/coupling.md: who sends what when (the scheme of MBDM note Fig. 22), and the energy it creates."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

import fairlead as fl
from fairlead.view.plots import save
from fairlead.view.style import COLOURS, FAINT, INK

HOME = Path(__file__).resolve().parent


def coupling_figure() -> None:
    """Draw the exchanges of one large step, and the energy that the coupling creates by each scheme."""
    figure = Figure(figsize=(9.0, 3.6), layout="constrained")
    scheme, energy = figure.subplots(1, 2, width_ratios=[1.25, 1])
    exchanges(scheme)
    energies(energy)
    save(figure, HOME / "img" / "coupling.png")


def exchanges(axes) -> None:
    """Draw three lanes with an arrow for each message."""
    lanes = {"small step": 2.0, "Fairlead": 1.0, "large step": 0.0}
    for name, y in lanes.items():
        axes.plot([-0.2, 4.3], [y, y], color=INK, linewidth=1.2)
        axes.text(-0.28, y, name, ha="right", va="center", fontsize=8, color=INK)
    for t in range(5):
        axes.plot([t, t], [0.96, 1.04], color=INK)
        arrow(axes, (t - 0.06, 1.05), (t - 0.06, 1.95), COLOURS[0])
        arrow(axes, (t + 0.06, 1.95), (t + 0.06, 1.05), COLOURS[1])
        if t < 4:
            arrow(axes, (t + 0.44, 1.05), (t + 0.44, 1.95), COLOURS[0], ":")
            arrow(axes, (t + 0.56, 1.95), (t + 0.56, 1.05), COLOURS[1], ":")
    for t in (0, 4):
        arrow(axes, (t + 0.06, 0.95), (t + 0.06, 0.05), COLOURS[0])
        arrow(axes, (t - 0.06, 0.05), (t - 0.06, 0.95), COLOURS[1])
    axes.annotate("", (3.9, -0.12), (0.1, -0.12), arrowprops={"arrowstyle": "->", "color": FAINT})
    axes.text(2, -0.32, "goes on while we do", ha="center", fontsize=8, color=FAINT)
    axes.plot([], [], color=COLOURS[0], label="motion")
    axes.plot([], [], color=COLOURS[1], label="load")
    axes.plot([], [], ":", color=INK, label="with two exchanges")
    axes.set(xlim=(-1.1, 4.5), ylim=(-0.5, 2.75), title="Who sends what when")
    axes.legend(loc="upper center", ncols=3, fontsize=7.5)
    axes.axis("off")


def arrow(axes, start, end, colour, style="-") -> None:
    """Draw a message."""
    axes.annotate("", end, start, arrowprops={"arrowstyle": "->", "color": colour, "linestyle": style})


def energies(axes) -> None:
    """Draw what the coupling creates in the swing of a damped body, by the scheme."""
    ways = {"held": {}, "a line": {"extrapolation": 1}, "predictor, corrector": {"exchanges": 2}}
    ways["iterated"] = {"iterate": fl.Iterate()}
    for number, (name, words) in enumerate(ways.items()):
        spring = fl.Spring("box", (0, 0, 0), (0, 0, 5), stiffness=3000, length=1.5)
        water = fl.Partner("box", transport="in-process", **words)
        model = fl.Model("box", {"box": fl.Body(1000, (100, 100, 100))}, {}, {"s": spring}, partners={"w": water})
        damping = {"w": lambda t, motion: [0, 0, -400 * motion.velocity[2], 0, 0, 0]}
        data = fl.couple(model, 12.0, 0.1, programs=damping, progress=False)
        created = data["exchange_interface_energy"].values
        print(f"coupling, {name}: {np.abs(created).max():.3g} J created")
        axes.plot(data["exchange_time"], created, color=COLOURS[number], label=name)
    axes.set(xlabel="time [s]", ylabel="[J]", title="Energy that the coupling creates")
    axes.legend(loc="lower left", fontsize=7.5)
