"""Pictures of docs/mooring.md and docs/wind.md, drawn by make_figures.py."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure

import fairlead as fl
from fairlead.view.plots import save
from fairlead.view.style import COLOURS, FAINT, INK

HOME = Path(__file__).resolve().parent
LINE = {"length": 902.2, "EA": 3.84243e8, "weight": 698.094}
# MoorPy 1.3.0, same inputs: surge offset [m], horizontal and vertical force [N] (see tests/analytic/test_catenary.py).
MOORPY = np.array(
    [[-20, 1490430.0, -1819320.0], [-10, 472260.8, -1629649.0], [-5, 218750.2, -1612570.0], [0, 0.0, -1607180.0],
     [5, -196621.8, -1612272.0], [10, -380666.9, -1627087.0], [20, -741752.1, -1684814.0],
     [30, -1204533.3, -1826692.0]]
)  # fmt: skip


def shape(span: float, rise: float) -> Any:
    """Return points of a line from its anchor (0, 0) to the fairlead, by laying out its pieces."""
    line = fl.catenary(span, rise, **LINE, seabed=0)
    s = np.linspace(0, LINE["length"], 4001)
    V = np.where(s < line.resting, 0.0, line.V - LINE["weight"] * (LINE["length"] - s))
    T = np.hypot(line.H, V)
    steps = np.diff(s)[:, None] * np.column_stack([line.H / T, V / T])[1:] * (1 + T[1:, None] / LINE["EA"])
    return np.vstack([[0, 0], np.cumsum(steps, axis=0)]), line


def mooring_figure() -> None:
    """Shapes of one line at three offsets, and the force of three lines against MoorPy's."""
    figure = Figure(figsize=(9.0, 3.4), layout="constrained")
    picture, curve = figure.subplots(1, 2, width_ratios=[1.25, 1])
    for offset, colour in zip((-20.0, 0.0, 20.0), (COLOURS[1], COLOURS[0], COLOURS[2])):
        points, line = shape(848.67 - offset, 250.0)
        label = f"{offset:+.0f} m: {line.tension / 1e3:.0f} kN" if offset else f"at rest: {line.tension / 1e3:.0f} kN"
        picture.plot(853.87 - points[:, 0], points[:, 1] - 320, color=colour, label=label)
        picture.plot(853.87 - points[-1, 0], -70, "o", color=colour, markersize=4)
    picture.axhline(-320, color=INK, linewidth=1.2)
    picture.annotate("bed", (40, -320), xytext=(0, 4), textcoords="offset points", fontsize=8, color=INK)
    picture.annotate("anchor", (853.87, -320), xytext=(4, -11), textcoords="offset points", fontsize=8, ha="right")
    picture.set(xlabel="from the hull's axis [m]", ylabel="height [m]", ylim=(-345, -55))
    picture.set_title("One line of OC3-Hywind, hull moved in surge")
    picture.legend(loc="upper right", title="tension at the fairlead", title_fontsize=8)
    offsets = np.linspace(-20, 30, 101)
    forces = np.array([three_lines(x) for x in offsets])
    for k, name, colour in ((0, "surge", COLOURS[0]), (1, "heave", COLOURS[1])):
        curve.plot(offsets, forces[:, k] / 1e6, color=colour, label=f"{name}, here")
        curve.plot(MOORPY[:, 0], MOORPY[:, k + 1] / 1e6, "o", color=colour, mfc="white", markersize=5, label="MoorPy")
    curve.set(xlabel="surge offset [m]", ylabel="force on the hull [MN]", title="All three lines")
    curve.legend(loc="upper right", ncols=2)
    save(figure, HOME / "img" / "mooring.png")
    here = np.array([three_lines(x) for x in MOORPY[:, 0]])
    known = MOORPY[:, 1:] != 0
    print("mooring: largest deviation from MoorPy", np.abs(here[known] / MOORPY[:, 1:][known] - 1).max())


def three_lines(x: float) -> tuple[float, float]:
    """Return surge and heave force of the three lines on a hull moved by x in surge."""
    total = np.zeros(2)
    for angle in np.radians([0, 120, 240]):
        way = 848.67 * np.array([np.cos(angle), np.sin(angle)]) - [x, 0]
        line = fl.catenary(float(np.hypot(*way)), 250.0, **LINE, seabed=0)
        total += [line.H * way[0] / np.hypot(*way), -line.V]
    return float(total[0]), float(total[1])


def wind_figure() -> None:
    """Wind, yaw, thrust and lean of examples/wind_shift.yaml."""
    data = fl.simulate(fl.load(HOME.parent / "examples" / "wind_shift.yaml"))
    t, rotor = data.time.values, data.sel(load="rotor")
    figure = Figure(figsize=(9.0, 6.2), layout="constrained")
    wind, yaw, thrust, lean = figure.subplots(4, 1, sharex=True)
    wind.plot(t, rotor.hub_wind, color=FAINT, label="at the hub")
    wind.plot(t, rotor.relative_wind, color=COLOURS[0], label="relative, along the shaft")
    wind.set(ylabel="[m/s]", title="Wind averaged over the rotor")
    wind.legend(loc="upper right", ncols=2)
    yaw.plot([0, 100, 100, 600], [0, 0, 45, 45], color=FAINT, label="wind")
    yaw.plot(t, np.degrees(data.joint_position.sel(coordinate="yaw.angle")), color=COLOURS[1], label="nacelle")
    yaw.set(ylabel="[deg]", title="Direction: lag 10 s, then 0.3 deg/s")
    yaw.legend(loc="lower right", ncols=2)
    thrust.plot(t, rotor.thrust / 1e3, color=COLOURS[2], label="thrust [kN]")
    thrust.plot(t, rotor.power / 1e4, color=COLOURS[3], label="power [10 kW]")
    thrust.set(title="Rotor")
    thrust.legend(loc="lower right", ncols=2)
    angles = np.degrees(data.euler123.sel(body="hull").values)
    lean.plot(t, angles[:, 0], color=COLOURS[0], label="about x")
    lean.plot(t, angles[:, 1], color=COLOURS[1], label="about y")
    lean.set(ylabel="[deg]", xlabel="time [s]", title="Lean of the hull", xlim=(0, 600))
    lean.legend(loc="upper right", ncols=2)
    save(figure, HOME / "img" / "wind.png")
    print("wind: deviation", float(rotor.hub_wind.std()), "m/s, mean power", float(rotor.power.mean()) / 1e6, "MW")
