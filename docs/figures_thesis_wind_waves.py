"""Figures 32-34 of the Dissertation again and what decides between fixed and variable C_T, by make_figures.py."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from PIL import Image

import fairlead as fl
from fairlead.view.plots import save
from fairlead.view.style import COLOURS, FAINT, INK
from support import wind_wave_models as sea

HOME = Path(__file__).resolve().parent

SEEDS = range(1, 9)
CURVES: dict[str, Any] = {"flat below 17 m/s": None, "falling from 11.4 m/s": sea.falling(), "fixed, 0.15": 0.15}
LOOKS = dict(zip(CURVES, (COLOURS[1], "#a8a8a8", COLOURS[0])))
Array = Any


def finish(figure: Figure, title: str, name: str) -> None:
    """Put a title at the left and write the picture with a palette, which takes a third of the place."""
    figure.suptitle(title, x=0.012, ha="left", fontsize=12, fontweight="bold", color=INK)
    path = HOME / "img" / name
    save(figure, path)
    Image.open(path).convert("RGB").quantize(128).save(path, optimize=True)


# Figs. 32-34 ---------------------------------------------------------------------------------------------------------


def wind_and_waves_figure() -> None:
    """Draw the six coordinates of G_t and tower over ten minutes, C_T variable by two curves and fixed."""
    runs = {label: sea.run(ct=ct) for label, ct in CURVES.items()}
    assert all(fl.audit(data).passed for data in runs.values())
    figure = Figure(figsize=(9.0, 6.2), layout="constrained")
    grid = figure.subplots(3, 2, sharex=True)
    for column, first in enumerate((3, 0)):
        for row, axes in enumerate(grid[:, column]):
            i = first + row
            axes.axvspan(100, 250, color="#f3f3f3", linewidth=0)
            for label in ("falling from 11.4 m/s", "flat below 17 m/s", "fixed, 0.15"):
                axes.plot(runs[label]["time"], sea.coordinates(runs[label])[:, i], color=LOOKS[label], label=label,
                          linewidth=1.0 if label != "fixed, 0.15" else 1.4)  # fmt: skip
            axes.set(title=sea.NAMES[i], ylabel="[deg]" if i > 2 else "[m]", xlim=(0, 600))
        axes.set_xlabel("time [s]")
    note = {"fontsize": 7.5, "color": FAINT, "ha": "center", "va": "top"}
    grid[0, 0].annotate("transition", (175, 1), xycoords=("data", "axes fraction"), **note)
    figure.legend(*grid[0, 0].get_legend_handles_labels(), loc="outside lower left", ncols=3, title="$C_T$",
                  alignment="left")  # fmt: skip
    figure.align_ylabels()
    finish(figure, "Truncated spar in wind that shifts by 45° at 100 s, and waves (Figs. 32-34)", "thesis_32_34.png")
    for label in CURVES:
        print_means(label)


def print_means(label: str) -> None:
    """Print means over the seeds before the shift and after it, and how far the tower leans into the wind."""
    found = [member(CURVES[label], seed) for seed in SEEDS]
    print(f"Figs. 32-34, C_T {label}: means of {sea.NAMES}, 50-100 s", np.mean([m["before"] for m in found], axis=0),
          "after 300 s", np.mean([m["after"] for m in found], axis=0))  # fmt: skip
    print("  lean along the wind after 20 s at least", [f"{m['least']:.1f}" for m in found], "deg; relative wind",
          np.mean([m["wind"] for m in found]), "m/s, below 17 m/s", np.mean([m["below"] for m in found]),
          "of the time, thrust", np.mean([m["thrust"] for m in found]) / 1e3, "kN")  # fmt: skip


@cache
def member(ct: Any, seed: int, **choices: Any) -> dict[str, Any]:
    """Return the statistics of one run; `ct` and `choices` as of `sea.spar`."""
    data = sea.run(seed=seed, ct=ct, **choices)
    time, X = data["time"].values, sea.coordinates(data)
    late = time > 300
    V, T = (data[name].sel(load="thrust").values[late] for name in ("relative_wind", "thrust"))
    blows = np.radians(np.where(time < 100, 0, choices.get("shift", -45.0)))
    tilt = sea.lean(data)
    along = np.degrees(np.arcsin(tilt[:, 0] * np.cos(blows) + tilt[:, 1] * np.sin(blows)))
    return {
        "before": X[(time > 50) & (time < 100)].mean(axis=0), "after": X[late].mean(axis=0),
        "deviation": X[late].std(axis=0), "largest": np.degrees(np.arcsin(np.linalg.norm(tilt, axis=1))).max(),
        "least": along[time > 20].min(), "slope": sea.slope(data), "wind": V.mean(), "below": (V < 17).mean(),
        "thrust": T.mean(), "spread": V.std(),
    }  # fmt: skip


# Fixed against variable ----------------------------------------------------------------------------------------------

OC3 = {"damping": sea.OC3_DAMPING}
CASES: dict[str, tuple[Any, dict[str, Any]]] = {
    "flat below 17 m/s, class B": (None, {}),
    "the same, class C": (None, {"turbulence": "C"}),
    "the same, shift of +45 degrees": (None, {"shift": 45.0}),
    "the same, OC3-Hywind's damping": (None, OC3),
    "the same, steady wind": (None, {"turbulence": None}),
    "falling from 15 m/s, class B": (sea.falling(15.0), {}),
    "falling from 11.4 m/s, class B": (CURVES["falling from 11.4 m/s"], {}),
    "the same, class C ": (CURVES["falling from 11.4 m/s"], {"turbulence": "C"}),
    "the same, shift of +45 degrees ": (CURVES["falling from 11.4 m/s"], {"shift": 45.0}),
    "the same, OC3-Hywind's damping ": (CURVES["falling from 11.4 m/s"], OC3),
    "the same, steady wind ": (CURVES["falling from 11.4 m/s"], {"turbulence": None}),
}


def ratios(ct: Any, choices: dict[str, Any]) -> Array:
    """Return deviations with C_T = 0.15 over those with the curve, of seeds and coordinates."""
    pairs = [(member(0.15, seed, **choices), member(ct, seed, **choices)) for seed in SEEDS]
    return np.array([fixed["deviation"] / variable["deviation"] for fixed, variable in pairs])


def damping_figure() -> None:
    """Draw thrust over wind, the release in steady wind, and deviations over eight seeds."""
    figure = Figure(figsize=(9.6, 3.4), layout="constrained")
    curves, decay, ensemble = figure.subplots(1, 3)
    draw_curves(curves)
    draw_decay(decay)
    for shift, label in ((-0.14, "falling from 11.4 m/s"), (0.14, "flat below 17 m/s")):
        found = ratios(CURVES[label], {})
        for i in range(6):
            ensemble.semilogy(np.full(len(found), i + shift), found[:, i], ".", color=LOOKS[label], markersize=5)
            ensemble.semilogy(i + shift, np.exp(np.log(found[:, i]).mean()), "_", color=INK, markersize=10)
    ensemble.axhline(1, color=FAINT, linewidth=0.8)
    ensemble.set(
        title="Deviation, fixed over variable",
        xticks=range(6),
        yticks=(0.1, 0.2, 0.5, 1, 2),
        ylim=(0.08, 3.2),
    )
    ensemble.set_xticklabels(sea.NAMES)
    ensemble.set_yticklabels(("0.1", "0.2", "0.5", "1", "2"))
    ensemble.minorticks_off()
    ensemble.grid(axis="x", visible=False)
    finish(figure, "Why a fixed $C_T$ calms the motion, and when", "thesis_34_damping.png")
    for label, (measured, theory) in zip(("C_T ~ V^-3", "C_T fixed"), sea.small_swings()):
        print(f"small swings, {label}: rate {measured.real:+.5f} 1/s, linear theory {theory.real:+.5f} 1/s; period",
              f"{2 * np.pi / measured.imag:.1f} s, upright {2 * np.pi / theory.imag:.1f} s")  # fmt: skip
    print("| C_T | slope | " + " | ".join(sea.NAMES) + " | largest lean | least lean along the wind, curve |")
    for label, (ct, choices) in CASES.items():
        print_case(label.strip(), ct, choices)


def print_case(label: str, ct: Any, choices: dict[str, Any]) -> None:
    """Print a row of the page's table: geometric mean of the ratio, and in how many seeds it is below one."""
    found = ratios(ct, choices)
    cells = [f"{np.exp(np.log(r).mean()):.2f} ({(r < 1).sum()})" for r in found.T]
    variable, fixed = ([member(c, seed, **choices) for seed in SEEDS] for c in (ct, 0.15))
    slope = "-" if choices.get("turbulence", "B") is None else f"{np.mean([m['slope'] for m in variable]):+.2f}"
    lean = [f"{np.mean([m['largest'] for m in members]):.1f}" for members in (variable, fixed)]
    least = min(m["least"] for m in variable)
    calmer = sum(f["largest"] < v["largest"] for f, v in zip(fixed, variable))
    print(f"| {label} | {slope} | " + " | ".join(cells) + f" | {lean[0]}, {lean[1]} ({calmer}) | {least:.1f} |")


def draw_curves(axes: Any) -> None:
    """Draw thrust over relative wind, and where the relative wind is in class B."""
    V = np.linspace(10, 25, 301)
    mean, spread = (np.mean([member(0.15, seed)[name] for seed in SEEDS]) for name in ("wind", "spread"))
    axes.axvspan(mean - spread, mean + spread, color="#f0f0f0", linewidth=0)
    file = sea.spar().loads["thrust"].ct
    tables = {"flat below 17 m/s": file, "falling from 11.4 m/s": sea.falling()}
    for label in ("falling from 11.4 m/s", "flat below 17 m/s", "fixed, 0.15"):
        ct = np.interp(V, tables[label].speeds, tables[label].values) if label in tables else 0.15
        axes.plot(V, 0.5 * 1.225 * np.pi * 63**2 * ct * V**2 / 1e3, color=LOOKS[label])
    note = {"fontsize": 7.5, "textcoords": "offset points"}
    axes.annotate("falling from 11.4 m/s", (13.0, 560), (0, 0), color=LOOKS["falling from 11.4 m/s"], **note)
    axes.annotate("flat below\n17 m/s", (10.3, 310), (0, 0), color=LOOKS["flat below 17 m/s"], **note)
    axes.annotate("$C_T$ = 0.15", (21.4, 470), (0, 0), color=LOOKS["fixed, 0.15"], **note)
    axes.annotate("class B", (mean, 130), (0, 0), color=FAINT, ha="center", **note)
    axes.set(
        title="Thrust",
        xlabel="relative wind [m/s]",
        ylabel="[kN]",
        xlim=(10, 25),
        ylim=(120, 720),
        xticks=(10, 15, 20, 25),
    )


def draw_decay(axes: Any) -> None:
    """Draw the machine released 3 degrees off its lean in steady wind and still water."""
    for label in ("falling from 11.4 m/s", "flat below 17 m/s", "fixed, 0.15"):
        model = sea.spar(ct=CURVES[label], **sea.STILL)
        q = sea.equilibrium(model)
        data = fl.simulate(sea.standing(model, q + [0, 0, 0, 0, np.radians(3), 0]), 400, progress=False)
        assert fl.audit(data).passed
        axes.plot(data["time"], sea.coordinates(data)[:, 3], color=LOOKS[label], linewidth=1.2)
    axes.set(title="X4 released in steady wind", xlabel="time [s]", ylabel="[deg]", xlim=(0, 400))
