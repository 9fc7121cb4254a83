"""The pictures and tables of docs/validation/family.md from the study of the compliant family.

    fairlead study studies/compliant_family.yaml       1920 runs of three hours, half an hour on two idle cores
    python docs/figures_family.py compliant_family.study

Draws img/family_pitch.png (Fig. 25) and img/family_weight.png (Fig. 26), writes validation/family_study.csv (mean over
realisations of every statistic), and prints the tables.
"""

from __future__ import annotations

import csv
import sys
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure

import fairlead as fl
from fairlead.view.plots import save
from fairlead.view.style import COLOURS, FAINT, RC

HOME = Path(__file__).resolve().parent
LENGTHS = {"72 m": 72, "77 m": 77, "85 m": 85, "108 m": 108}
HULL = {"72 m": 816, "77 m": 860, "85 m": 940, "108 m": 1141}  # [t] Table I; 108 m is not printed: computed, family.md
PLATFORM = {"72 m": 5024, "77 m": 5363, "85 m": 5978, "108 m": 7466}  # [t] Table I
POWER = {"72 m": 4.16, "77 m": 4.53, "85 m": 4.76, "108 m": 5.0}  # [MW] printed
READINGS = [(lines, curve) for lines in ("as printed", "tension only") for curve in ("flat", "falling", "nrel")]
STRATEGIES = {"variable": COLOURS[0], "fixed": COLOURS[1]}


def main(study: str) -> None:
    """Draw and print everything."""
    data = fl.open_result(study).load()
    means = data.mean("realisation", keep_attrs=True)
    with mpl.rc_context(RC):
        pitch_figure(data)
        weight_figure(means)
    write_csv(data)
    for lines, curve in READINGS:
        print_reading(means.sel(lines=lines, curve=curve), f"{lines}, {curve}")


def pitch_figure(data: Any) -> None:
    """Draw Fig. 25: mean of the pitch, and ten times its deviation, over the length, for each wind and reading."""
    rows = [reading for reading in READINGS if known(data, *reading)]
    figure = Figure(figsize=(11.0, 2.1 * len(rows) + 0.8), layout="constrained")
    grid = figure.subplots(len(rows), 4, sharex=True, sharey="row", squeeze=False)
    x = list(LENGTHS.values())
    for row, (lines, curve) in zip(grid, rows):
        for axes, sea in zip(row, data["sea"].values):
            for strategy, colour in STRATEGIES.items():
                one = data.sel(lines=lines, curve=curve, strategy=strategy, sea=sea)
                mean, deviation = (np.degrees(one[f"pitch_{word}"].mean("realisation")) for word in ("mean", "std"))
                axes.plot(x, mean, "o-", color=colour, markersize=3, label=f"{strategy} C_T: mean")
                axes.plot(x, 10 * deviation, "s--", color=colour, markersize=3, label="10 x deviation")
            axes.set_title(f"{sea:g} m/s")
        row[0].set_ylabel(f"{lines}, {curve}\npitch [deg]")
    for axes in grid[-1]:
        axes.set_xlabel("length of the cylinder [m]")
        axes.set_xticks(x)
    grid[0, -1].legend(loc="upper left", bbox_to_anchor=(1.0, 1.0))
    save(figure, HOME / "img" / "family_pitch.png")


def known(data: Any, lines: str, curve: str) -> bool:
    """Return whether every point of a reading has a run at least."""
    return bool(np.isfinite(data["pitch_mean"].sel(lines=lines, curve=curve)).any("realisation").all())


def weight_figure(means: Any) -> None:
    """Draw Fig. 26: weight of hull and of platform per power at 17 m/s, and the power, beside what is printed."""
    figure = Figure(figsize=(11.0, 6.2), layout="constrained")
    grid = figure.subplots(2, 3, sharex=True)
    x = list(LENGTHS.values())
    for column, curve in enumerate(("flat", "falling", "nrel")):
        above, below = grid[0, column], grid[1, column]
        for lines, dashes in (("as printed", "-"), ("tension only", ":")):
            for strategy, colour in STRATEGIES.items():
                power = megawatts(means, lines, curve, strategy)
                label = f"{strategy} C_T, lines {lines}"
                above.plot(x, power, dashes, marker="o", markersize=3, color=colour, label=label)
                below.plot(
                    x, [w / p for w, p in zip(PLATFORM.values(), power)], dashes, marker="o", markersize=3, color=colour
                )
                below.plot(
                    x, [5 * w / p for w, p in zip(HULL.values(), power)], dashes, marker="^", markersize=3, color=colour
                )
        above.plot(x, list(POWER.values()), "x", color="black", label="printed")
        below.plot(x, [w / p for w, p in zip(PLATFORM.values(), POWER.values())], "x", color="black")
        below.plot(x, [5 * w / p for w, p in zip(HULL.values(), POWER.values())], "+", color=FAINT)
        above.set_title(f"C_T: {curve}")
        below.set_xlabel("length of the cylinder [m]")
        below.set_xticks(x)
    grid[0, 0].set_ylabel("power at 17 m/s [MW]")
    grid[1, 0].set_ylabel("weight per power [kg/kW]\nplatform (o), 5 x hull (triangles)")
    grid[0, 2].legend(loc="upper left", bbox_to_anchor=(1.0, 1.0))
    save(figure, HOME / "img" / "family_weight.png")


def megawatts(means: Any, lines: str, curve: str, strategy: str) -> list[float]:
    """Return the mean power at 17 m/s of each hull."""
    return (means["power_mean"].sel(lines=lines, curve=curve, strategy=strategy, sea=17.0).values / 1e6).tolist()


def write_csv(data: Any) -> None:
    """Write the mean over realisations of every statistic, and how many there are."""
    names = [str(name) for name, one in data.data_vars.items() if "statistic" in one.attrs]
    dims = ["hull", "lines", "curve", "strategy", "sea"]
    mean, count = data[names].mean("realisation"), data["pitch_mean"].notnull().sum("realisation")
    with open(HOME / "validation" / "family_study.csv", "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow([*dims, "realisations", *(f"{name} [{data[name].attrs.get('units', '')}]" for name in names)])
        for place in np.ndindex(*(data.sizes[dim] for dim in dims)):
            at = dict(zip(dims, place))
            if count.isel(at) > 0:
                labels = [str(data[dim].values[i]) for dim, i in at.items()]
                writer.writerow(
                    [*labels, int(count.isel(at)), *(f"{float(mean[name].isel(at)):.6g}" for name in names)]
                )


def print_reading(means: Any, title: str) -> None:
    """Print lean, its deviation and power of one reading: hulls down, winds along, variable and fixed C_T."""
    heads = "pitch, its std [deg]; std of nacelle acceleration [m/s2], tower-top moment [MN m], yaw [deg]"
    print(f"\n{title}: {heads}; variable and fixed C_T at each wind")
    for hull in LENGTHS:
        cells = []
        for sea in means["sea"].values:
            for strategy in STRATEGIES:
                one = means.sel(hull=hull, sea=sea, strategy=strategy)
                pitch, std, yaw = (float(np.degrees(one[name])) for name in ("pitch_mean", "pitch_std", "yaw_std"))
                shaken, moment = float(one["acceleration_nacelle_x_std"]), float(one["tower_top_moment_y_std"]) / 1e6
                cells.append(f"{pitch:.2f}, {std:.2f}, {shaken:.3f}, {moment:.2f}, {yaw:.1f}")
        print(f"| {hull} | {' | '.join(cells)} |")
    print("power at 17 m/s [MW], platform and hull [kg/kW]; variable, fixed")
    for hull in LENGTHS:
        power = [float(means["power_mean"].sel(hull=hull, sea=17.0, strategy=s)) / 1e6 for s in STRATEGIES]
        weights = [f"{PLATFORM[hull] / p:.0f}, {HULL[hull] / p:.0f}" for p in power]
        print(f"| {hull} | {POWER[hull]} | {power[0]:.2f} | {power[1]:.2f} | {' | '.join(weights)} |")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "compliant_family.study")
