"""Pictures and tables of docs/validation/openfast.md and, of C5, of momentum_cloud.md beside it, by make_figures.py."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from fairlead.view.plots import save
from fairlead.view.style import COLOURS, FAINT, INK
from support import openfast_model as openfast

HOME = Path(__file__).resolve().parent

SHOWN = (("surge", "m"), ("heave", "m"), ("pitch", "deg"), ("yaw", "deg"))
WHEELER = {"stretching": "wheeler"}
SWITCHES: dict[str, tuple[dict[str, str], dict[str, str]]] = {  # words of the load, words of the waves
    "as OpenFAST assumes": ({}, {}),
    "kinematics: displaced": ({"kinematics": "displaced"}, {}),
    "waterline: instantaneous": ({"waterline": "instantaneous"}, {}),
    "the same with Wheeler stretching": ({"waterline": "instantaneous"}, WHEELER),
    "normal: body": ({"normal": "body"}, {}),
    "all of them": (openfast.RICHER, WHEELER),
}


def openfast_figure() -> None:
    """Draw S2 and S4 over OpenFAST's, and print the tables."""
    runs = {case: openfast.run(case) for case in ("S2", "S3", "S4")}
    decay_table(runs)
    waves_table(runs["S4"])
    richer = switches_table()
    figure = Figure(figsize=(10.0, 8.6), layout="constrained")
    grid = figure.subplots(5, 2, sharex="col", width_ratios=[1, 1.25])
    for column, case in enumerate(("S2", "S4")):
        for row, (name, unit) in enumerate(SHOWN):
            index = openfast.MOTIONS.index(name)
            series = [table[:, index] for table in (openfast.recorded(case)[1], runs[case][1])]
            grid[row, column].set_title(f"{name.capitalize()} [{unit}]")
            overlay(grid[row, column], runs[case][0], series, richer[1][:, index] if case == "S4" else None)
        series = [table[:, 4] / 1e3 for table in (openfast.recorded(case)[2], runs[case][2])]
        grid[4, column].set_title("Moment about y at the tower top [MN m]")
        overlay(grid[4, column], runs[case][0], series, richer[2][:, 4] / 1e3 if case == "S4" else None)
        grid[4, column].set_xlabel("time [s]")
        grid[4, column].set_xlim(*((0, 200) if case == "S2" else (150, 400)))
    handles, labels = grid[0, 1].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower left", ncols=3)
    figure.suptitle("S2, pitch decay (left), and S4, irregular waves (right)", x=0.012, ha="left", fontsize=12,
                    fontweight="bold", color=INK)  # fmt: skip
    save(figure, HOME / "img" / "openfast.png")


def openfast_yawing_figure() -> None:
    """Draw C5, motions and tower-top moments over OpenFAST's, and print the table."""
    time, we, loads = openfast.run_yawing()
    _, they, theirs = openfast.recorded("C5")
    yawing_table(time, (we, loads), (they, theirs))
    figure = Figure(figsize=(10.0, 7.2), layout="constrained")
    grid = figure.subplots(4, 2, sharex=True)
    units = ["m"] * 3 + ["deg"] * 3
    places = [(name, unit, column, they, we) for column, (name, unit) in enumerate(zip(openfast.MOTIONS, units))]
    places += [("Moment on the tower top about x", "MN m", 3, theirs / 1e3, loads / 1e3)]
    places += [("Moment on the tower top about y", "MN m", 4, theirs / 1e3, loads / 1e3)]
    order = (0, 4, 1, 3, 2, 5, 6, 7)  # what goes together stands side by side: surge and pitch, sway and roll
    for axes, (name, unit, column, other, own) in zip(grid.flat, [places[i] for i in order]):
        axes.plot(time, other[:, column], color=COLOURS[0], linewidth=1.2, label="OpenFAST")
        shown = slice(2, None, 3 if name == "yaw" else 10)  # from 1 s: ServoDyn's first push comes a step late
        axes.plot(time[shown], own[shown, column], ".", color=COLOURS[1], markersize=3.5, label="Fairlead")
        axes.set_title(f"{name[0].upper()}{name[1:]} [{unit}]")
        axes.set(xlim=(0, 300), xticks=range(0, 301, 75))
    for axes in grid[-1]:
        axes.set_xlabel("time [s]; the nacelle turns by 90 deg in 75 s")
    figure.legend(*grid[0, 0].get_legend_handles_labels(), loc="outside lower left", ncols=2)
    figure.suptitle("Nacelle yawing at 1.2 deg/s on restoring loads (C5)", x=0.012, ha="left", fontsize=12,
                    fontweight="bold", color=INK)  # fmt: skip
    save(figure, HOME / "img" / "openfast_yawing.png")


def yawing_table(time: Any, ours: Any, others: Any) -> None:
    """Print range, largest and rms difference over it: motions, and tower-top loads from 1 s on."""
    for names, we, they, start in (
        (openfast.MOTIONS, ours[0], others[0], 0.0),
        (openfast.LOADS, ours[1], others[1], 1.0),
    ):
        after = time >= start
        for i, name in enumerate(names):
            apart, size = np.abs(we - they)[after, i], np.ptp(they[after, i])
            rms = np.sqrt((apart**2).mean())
            print(f"| {name} | {size:.4g} | {100 * apart.max() / size:.3f} % | {100 * rms / size:.3f} % |")


def overlay(axes: Any, time: Any, series: list[Any], richer: Any) -> None:
    """Draw theirs as a line, ours as dots on it, and ours with the moving hull where there is one."""
    if richer is not None:
        axes.plot(time, richer, color=FAINT, linewidth=1.0, label="Fairlead, moving hull", zorder=1)
    axes.plot(time, series[0], color=COLOURS[0], linewidth=1.2, label="OpenFAST")
    axes.plot(time[::4], series[1][::4], ".", color=COLOURS[1], markersize=3.5, label="Fairlead, same assumptions")
    axes.margins(x=0)


def decay_table(runs: Any) -> None:
    """Print the largest differences over the range, S2 and S3, our matrix in world axes besides."""
    print("| | S2 range | difference | damping in world axes | S3 range | difference |")
    world = openfast.run("S2", platform_axes=False)
    for kind, names in ((1, openfast.MOTIONS), (2, openfast.LOADS)):
        for i, name in enumerate(names):
            cells = []
            for case, data in (("S2", runs["S2"]), ("S2", world), ("S3", runs["S3"])):
                they = openfast.recorded(case)[kind][:, i]
                apart = np.abs(data[kind][:, i] - they).max() / np.ptp(they)
                cells.append((np.ptp(they), f"{100 * apart:.3f} %"))
            (range2, a), (_, b), (range3, c) = cells
            print(f"| {name} | {range2:.4g} | {a} | {b} | {range3:.3g} | {c} |")


def waves_table(run: Any) -> None:
    """Print rms differences over deviations, S4."""
    for kind, names in ((1, openfast.MOTIONS), (2, openfast.LOADS)):
        they = openfast.recorded("S4")[kind]
        for i, name in enumerate(names):
            print(f"| {name} | {they[:, i].std():.4g} | {100 * off(run[kind], they)[i]:.2f} % |")


def off(we: Any, they: Any) -> Any:
    """Return rms differences over deviations."""
    return np.sqrt(((we - they) ** 2).mean(axis=0)) / they.std(axis=0)


def switches_table() -> Any:
    """Print what each of our richer assumptions does to S4, and return the run with all of them."""
    they = openfast.recorded("S4")
    run = None
    for name, (strips, sea) in SWITCHES.items():
        run = openfast.run("S4", platform_axes=False, sea=sea, **strips)
        motion, load, mean = off(run[1], they[1]), off(run[2], they[2]), (run[1] - they[1]).mean(axis=0)
        cells = [f"{100 * motion[openfast.MOTIONS.index(name)]:.1f} %" for name, _ in SHOWN]
        print("|", name, "|", " | ".join(cells), f"| {100 * load[4]:.1f} % | {100 * mean[2]:+.1f} cm |")
    return run
