"""Figures 28-31 and 38-43 of the Dissertation again, for docs/validation/thesis_many_bodies.md, by make_figures.py."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from figures_thesis_wind_waves import damping_figure, finish, wind_and_waves_figure
from matplotlib.figure import Figure
from scipy.spatial.transform import Rotation

import fairlead as fl
from fairlead.view.style import COLOURS, FAINT, INK
from support import restoring_models as restoring
from support import turbine_models as turbines

HOME = Path(__file__).resolve().parent

# Panels in the order of the print, with the Dissertation's name of the coordinate, and the column of `floating`.
PANELS = (
    ("pitch (X4)", 4),
    ("sway (X1t)", 1),
    ("roll (X5)", 3),
    ("surge (X2t)", 0),
    ("yaw (X6)", 5),
    ("heave (X3t)", 2),
)
Array = Any


def many_bodies_figures() -> None:
    """Draw everything of the page."""
    global_motion_figure("28", "Three bodies on a restoring matrix", restoring.three_bodies(), ("three-body", "kane"))
    two_and_three_figure()
    wind_and_waves_figure()
    damping_figure()
    data = global_motion_figure("38", "Six bodies on a restoring matrix", restoring.six_bodies(), ("cloud", "kane"))
    internal_loads_figure(data)


# Figs. 28-29 and 38-39 -----------------------------------------------------------------------------------------------


def global_motion_figure(number: str, title: str, model: fl.Model, pair: tuple[str, str]) -> Any:
    """Draw the motion from zero by two formulations and from the steady state; return the first run from zero."""
    steady = restoring.leaning(model, restoring.steady_start(model))
    runs = [fl.simulate(model, 300, 0.02, output_every=5, formulation=name, progress=False) for name in pair]
    calm = fl.simulate(steady, 300, 0.02, output_every=5, progress=False)
    assert all(fl.audit(data).passed for data in (*runs, calm))
    time = calm["time"].values
    one, other = (restoring.floating(model, data) for data in runs)
    round_ = restoring.floating(steady, calm)
    figure = Figure(figsize=(9.0, 6.2), layout="constrained")
    grid = figure.subplots(3, 2, sharex=True)
    for axes, (name, i) in zip(grid.flat, PANELS):
        scale = 1e3 if i == 2 else 1.0
        axes.axvline(75, color=FAINT, linewidth=0.8, linestyle=(0, (4, 3)))
        axes.plot(time, scale * round_[:, i], color=COLOURS[1], linewidth=1.6, label="from the steady state")
        axes.plot(time, scale * one[:, i], color=COLOURS[0], linewidth=1.2, label=f"from zero, {pair[0]}")
        axes.plot(time[::60], scale * other[::60, i], ".", color=INK, markersize=3.6, label=f"the same, {pair[1]}")
        axes.set_title(name.capitalize().replace("(x", "(X"))
        axes.set(ylabel="[mm]" if i == 2 else "[m]" if i < 3 else "[deg]", xlim=(0, 300))
        axes.margins(y=0.12)
    for axes in grid[2]:
        axes.set_xlabel("time [s]")
    note = {"textcoords": "offset points", "fontsize": 7.5, "color": FAINT, "va": "bottom"}
    grid[0, 0].annotate("nacelle at 90°", (75, grid[0, 0].get_ylim()[0]), xytext=(4, 1), **note)
    figure.legend(*grid[0, 0].get_legend_handles_labels(), loc="outside lower left", ncols=3)
    figure.align_ylabels()
    both = number, str(int(number) + 1)
    finish(figure, f"{title} (Figs. {'-'.join(both)})", f"thesis_{'_'.join(both)}.png")
    print_motion(number, time, one, other, round_)
    return runs[0]


def print_motion(number: str, time: Array, one: Array, other: Array, calm: Array) -> None:
    """Print what the page quotes of Figs. 28-29 or 38-39."""
    print(f"Figs. {number}: largest difference of the formulations, of range", np.abs(one - other).max() / np.ptp(one))
    half = time <= 150
    for name in restoring.NAMES:
        i = restoring.NAMES.index(name)
        for start, motion in (("zero", one), ("the steady state", calm)):
            zero, top = restoring.crossings(time, motion[:, i]), time[half][np.abs(motion[half, i]).argmax()]
            print(f"  {name} from {start}: up to {np.abs(motion[:, i]).max():.4g}, until 150 s largest at {top:.1f} s,",
                  "crosses zero at", zero[:8].round(2))  # fmt: skip


# Figs. 30-31 ---------------------------------------------------------------------------------------------------------


def two_and_three_figure() -> None:
    """Draw X6 and X3t of the two-body model, of the real machine, and of three bodies balanced on the axis."""
    example = fl.load(HOME.parent / "examples" / "thesis_truncated_spar_free_vibration.yaml")
    real, balanced = (
        turbines.turbine(overhang=x).model_copy(update={"loads": example.loads, "gravity": example.gravity})
        for x in (5.0, turbines.BALANCED)
    )
    runs = {
        "two-body": fl.simulate(balanced, 200, 0.05, output_every=4, formulation="two-body", progress=False),
        "three-body": fl.simulate(real, 200, 0.05, output_every=4, formulation="three-body", progress=False),
        "three-body, topside on the axis": fl.simulate(
            balanced, 200, 0.05, output_every=4, formulation="three-body", progress=False
        ),
    }
    assert all(fl.audit(data).passed for data in runs.values())
    figure = Figure(figsize=(9.0, 4.6), layout="constrained")
    grid = figure.subplots(2, 1, sharex=True)
    looks = ({"color": COLOURS[0]}, {"color": COLOURS[1]}, {"color": INK, "ls": "", "marker": ".", "markersize": 3.6})
    for axes, name in zip(grid, ("X6 [deg]", "X3t [m]")):
        series = {label: turning_or_heave(data, name) for label, data in runs.items()}
        for (label, values), look in zip(series.items(), looks):
            every = slice(None, None, 12 if "marker" in look else 1)
            axes.plot(runs[label]["time"][every], values[every], label=label, **look)
        two, three, same = series.values()
        print(f"Figs. 30-31, {name}: range {np.ptp(two):.4g}, three-body differs by {np.abs(three - two).max():.4g},",
              f"with the topside on the axis by {np.abs(same - two).max():.2g}")  # fmt: skip
        axes.set(title="Rotation about the tower's axis, X6" if "6" in name else "Vertical motion of G_t, X3t",
                 ylabel=name[name.index("[") :], xlim=(0, 200))  # fmt: skip
    grid[1].set_xlabel("time [s]")
    figure.legend(*grid[0].get_legend_handles_labels(), loc="outside lower left", ncols=3)
    figure.align_ylabels()
    finish(figure, "Released at X4 = X5 = 0.4 rad: two and three bodies (Figs. 30-31)", "thesis_30_31.png")


def turning_or_heave(data: Any, name: str) -> Array:
    """Return X6 [deg] or X3t [m] over time."""
    tower = data.sel(body="tower", xyz="z")
    return np.degrees(tower["euler123"].values) if name.startswith("X6") else tower["position"].values + 58.67


# Figs. 40-43 ---------------------------------------------------------------------------------------------------------


def internal_loads_figure(data: Any) -> None:
    """Draw loads of nacelle on tower and of hub on blade by inverse dynamics over the recorded reactions."""
    time = data["time"].values
    figure = Figure(figsize=(9.6, 5.8), layout="constrained")
    grid = figure.subplots(2, 2, sharex="col")
    tower, blade = ("yaw", "parent", "tower", -1), ("pitch 1", "child", "blade 1", 1)
    for column, ((joint, axes_of, body, sign), end) in enumerate(((tower, 300), (blade, 75))):
        found = fl.internal_loads(data, joint, axes=axes_of)
        R_WB = Rotation.from_quat(data["orientation"].sel(body=body).values, scalar_first=True)
        for row, (kind, unit, scale) in enumerate((("force", "kN", 1e3), ("moment", "MN m", 1e6))):
            axes = grid[row, column]
            ours = sign * found[kind].values / scale
            recorded = sign * R_WB.inv().apply(data[f"joint_{kind}"].sel(joint=joint).values) / scale
            print_loads(data, (joint, axes_of, kind, sign), ours * scale, recorded * scale)
            for i, label in enumerate("xyz"):
                if (row, column, i) == (0, 0, 2):
                    continue  # the topside's weight, nearly constant, is not drawn, as in the print
                axes.plot(time, ours[:, i], color=COLOURS[i], label=f"about {label}" if row else label)
                every = slice(None, None, 60 if column == 0 else 8)
                axes.plot(time[every], recorded[every, i], ".", color=COLOURS[i], markersize=4.2, markeredgecolor=INK,
                          markeredgewidth=0.35)  # fmt: skip
            axes.set(xlim=(0, end), ylabel=f"[{unit}]")
            pair = ("the nacelle on the tower", "the hub on a blade")[column]
            axes.set_title(f"{kind.capitalize()} of {pair} (Fig. {40 + 2 * column + row})")
            axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.02), borderaxespad=0.3)
    for axes in grid[1]:
        axes.set_xlabel("time [s]")
    title = "Internal loads by inverse dynamics (lines) and as recorded (dots), axes of tower and blade"
    finish(figure, title, "thesis_40_43.png")


def print_loads(data: Any, what: tuple[str, str, str, int], ours: Array, recorded: Array) -> None:
    """Print how far reactions, our differentiation and plain differences of 0.1 s are from inverse dynamics."""
    joint, axes, kind, sign = what
    again = sign * fl.internal_loads(data, joint, axes=axes, route="differentiated")[kind].values
    x, h = data["position"].values, 0.1
    rough = (x[2:] - 2 * x[1:-1] + x[:-2]) / h**2
    plain = data.isel(time=slice(1, -1)).assign(acceleration=(data["acceleration"].dims, rough))
    coarse = sign * fl.internal_loads(plain, joint, axes=axes)[kind].values
    size = np.ptp(ours, axis=0)
    show = {"reactions": recorded - ours, "differentiated": again - ours, "plain differences": coarse - ours[1:-1]}
    print(f"Figs. 40-43, {kind} at {joint}, range {size}; of range:",
          {name: (np.abs(apart).max(axis=0) / size).tolist() for name, apart in show.items()})  # fmt: skip
