"""Pictures and numbers of docs/validation/thesis_two_bodies.md, Figs. 7-11 and 15-17, by make_figures.py."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure

import fairlead as fl
from fairlead.view.plots import save
from fairlead.view.style import COLOURS, FAINT, INK
from support import thesis_two_bodies as thesis

HOME = Path(__file__).resolve().parent

FINE: dict[str, Any] = {"integrator": "dop853", "rtol": 1e-11, "atol": 1e-13, "output_every": 1}
H = thesis.TOPSIDE[1] * thesis.SPIN  # [kg m2/s] stored by the rotor
Array = Any


def thesis_two_body_figures() -> None:
    """Draw Figs. 7-11 and 15-17."""
    figures_07_09()
    figures_10_11()
    figures_15_17()


def run(model: fl.Model, formulation: str, duration: float, dt: float = 0.05, **words: Any) -> Any:
    """Return a run that passed its audit."""
    data = fl.simulate(model, duration, dt, formulation=formulation, progress=False, **{"output_every": 4, **words})
    assert fl.audit(data).passed
    return data


# Chapter 2 -----------------------------------------------------------------------------------------------------------


def figures_07_09() -> None:
    """Draw the 3-1-3 angles of the free vibration, and angular velocities by two formulations."""
    model = thesis.pinned_free()
    own, witness = (run(model, name, 100.0, **FINE) for name in ("two-body-313", "articulated"))
    t, angles = own["time"].values, thesis.angles_313(own)
    figure, grid = panels(3, 2, "Free vibration about a fixed point from 0.1 rad (Figs. 7-9)", (9.4, 5.4))
    lean = angles[:, 0]
    passing = np.flatnonzero((lean[1:-1] < lean[:-2]) & (lean[1:-1] <= lean[2:])) + 1
    shown = np.column_stack([lean, np.where(lean[:, None] > 0.003, angles[:, 1:], np.nan)])  # levels, not the jumps
    for axes, values, name in zip(grid[:, 0], shown.T, ("Fig. 7: lean θ₁", "Precession θ₂", "Own turning η")):
        axes.vlines(t[passing], 0, 1, transform=axes.get_xaxis_transform(), color=FAINT, linewidth=0.7, linestyle=":")
        axes.plot(t, values, color=COLOURS[0])
        axes.set_title(f"{name} [rad]")
    grid[1, 0].set(yticks=[0, np.pi / 2, np.pi], yticklabels=["0", "π/2", "π"])
    grid[2, 0].set(yticks=[0, -np.pi / 2, -np.pi], yticklabels=["0", "−π/2", "−π"])
    ours, theirs = thesis.in_world(own), thesis.in_world(witness)
    for i, axes in enumerate(grid[:, 1]):
        axes.plot(t, ours[:, i], color=COLOURS[0], label="two-body-313")
        axes.plot(t[::20], theirs[::20, i], ".", color=COLOURS[1], markersize=4, label="articulated, 1-2-3 angles")
        axes.set_title(f"Fig. {8 + (i > 0)}: ω{'XYZ'[i]}, world axes [rad/s]")
    print("Figs. 8-9: ranges", np.ptp(ours, axis=0), "rad/s, differences of them", apart(ours, theirs))
    finish(figure, grid.flat, t, "thesis_07_09.png", grid[0, 1])
    jumps = [np.abs(np.diff(np.interp(t[i] + np.array([-3, 3]), t, angles[:, 1])))[0] for i in passing]
    print("Fig. 7: passes upright at", t[passing], "s, lean there", lean[passing], "jumps of theta_2", jumps)


def figures_10_11() -> None:
    """Draw precession and gyroscopic moments of Chapter 2 as the wind shifts."""
    data = run(thesis.pinned(0.1), "two-body-313", 600.0)
    found, t = fl.gyroscopic_moments(data, "spin", axes="horizontal"), data["time"].values
    yaw = data["joint_position"].sel(coordinate="yaw.angle").values
    phi, moments = found["precession"].values, -found["gyroscopic_moment"].values / 1e6  # on the topside, as printed
    figure, grid = panels(3, 1, "Wind shifts by 45 degrees at 100 s (Figs. 10-11)", (8.0, 5.6))
    first, *others = grid[:, 0]
    first.axvspan(110, 270, color="#f1f1f1", linewidth=0)
    first.plot(t, yaw, color=INK, linewidth=1.1, linestyle=(0, (4, 2)), label="yaw of the nacelle on the tower")
    first.plot(t, phi, color=COLOURS[0], label="precession φ of the spin axis")
    first.set_title("Fig. 10: precession of the topside [rad]")
    first.legend(loc="lower right")
    for axes, i, name in zip(others, (0, 2), ("A, nearly along the tower", "C, horizontal")):
        axes.plot(t, moments[:, i], color=COLOURS[1], linewidth=1.0)
        axes.set_title(f"Fig. 11: gyroscopic moment on the topside, {name} [MN m]")
    others[1].axhspan(-H * np.radians(0.3) / 1e6, H * np.radians(0.3) / 1e6, color=FAINT, alpha=0.45, linewidth=0)
    others[1].annotate("grey: a fixed tower that yaws at 0.3 deg/s", (598, -3.9), ha="right", fontsize=7.5, color=FAINT)
    finish(figure, grid.flat, t, "thesis_10_11.png")
    lean = thesis.angles_313(data)[:, 0]
    print("Fig. 10: phi at 0, 110, 260, 270, 600 s", np.interp([0, 110, 260, 270, 600], t, phi).round(3))
    print("Fig. 10: mean to 110 s and from 270 s", phi[t <= 110].mean(), phi[t >= 270].mean(), "off the yaw by",
          (phi - yaw).std(), "lean", lean.min(), lean.max(), "rate of phi", moments[:, 2].std() * 1e6 / H)  # fmt: skip
    witness = thesis.in_world(run(thesis.pinned(0.1), "articulated", 60.0))
    print("Figs. 10-11: articulated differs by", apart(thesis.in_world(data)[: len(witness)], witness), "in a minute")
    print(
        "Fig. 11: largest A, C", np.abs(moments).max(axis=0)[[0, 2]], "deviation", moments.std(axis=0)[[0, 2]], "MN m"
    )


# Chapter 3 -----------------------------------------------------------------------------------------------------------


def figures_15_17() -> None:
    """Draw the free vibration of OC3-Hywind: one topside, nacelle and rotor apart, and the published machine."""
    runs = {
        kind: run(thesis.hywind(kind), formulation, 100.0, output_every=2)
        for kind, formulation in {
            "unified": "two-body",
            "separate": "kane",
            "overhanging": "kane",
            "published": "kane",
        }.items()
    }
    t = runs["unified"]["time"].values
    series = {kind: vibration(data, "nacelle" if kind == "unified" else "spin") for kind, data in runs.items()}
    names = ("X₄, roll [rad]", "X₅, pitch [rad]", "X₆, yaw [rad]", "surge [m]", "Sway [m]", "Heave [m]",
             "moment on the tower, A [MN m]", "Moment, B [MN m]", "Moment, C [MN m]")  # fmt: skip
    figure, grid = panels(3, 3, "OC3-Hywind on springs from 0.1 rad of roll and pitch (Figs. 15-17)", (10.4, 6.0))
    for i, (axes, name) in enumerate(zip(grid.T.flat, names)):
        axes.plot(t, series["published"][:, i], color="#bdbdbd", linewidth=2.0, label="kane, overhang and tilt")
        axes.plot(t, series["unified"][:, i], color=COLOURS[0], label="two-body, topside as one")
        axes.plot(t[::10], series["separate"][::10, i], ".", color=COLOURS[1], markersize=4,
                  label="kane, nacelle and rotor apart")  # fmt: skip
        axes.set_title(numbered(i, name, 15))
    finish(figure, grid.flat, t, "thesis_15_17.png", grid[0, 0])
    for kind in ("separate", "overhanging", "published"):
        print(f"Figs. 15-17: {kind} differs by", (100 * apart(series["unified"], series[kind])).round(2), "% of range")
    print("ranges", np.ptp(series["unified"], axis=0))
    small = [vibration(run(thesis.hywind(kind, 0.01), name, 100.0), spin)
             for kind, name, spin in (("unified", "two-body", "nacelle"), ("separate", "kane", "spin"))]  # fmt: skip
    print("from 0.01 rad: separate differs by", (100 * apart(*small)).round(2), "% of range")
    for lean in (0.1, 0.03, 0.01):
        by = [
            vibration(run(thesis.hywind("separate", lean, matrix), "kane", 100.0), "spin") for matrix in (True, False)
        ]
        print(f"buoyancy in the matrix, {lean} rad: differs by", (100 * apart(*by)).round(2)[:3], "% of range")


def vibration(data: Any, spin: str) -> Array:
    """Return 1-2-3 angles, motion of the still-water point, moments of the topside [MN m]."""
    moments = fl.gyroscopic_moments(data, spin)["topside_moment"].values / 1e6
    return np.hstack([data["euler123"].sel(body="tower").values, thesis.still_water_point(data), moments])


def apart(ours: Array, theirs: Array) -> Array:
    """Return the largest difference of each column over its range."""
    return np.abs(ours - theirs).max(axis=0) / np.ptp(theirs, axis=0)


# The look ------------------------------------------------------------------------------------------------------------


def panels(rows: int, columns: int, title: str, size: tuple[float, float]) -> tuple[Figure, Array]:
    """Return a picture with a heading and its axes."""
    figure = Figure(figsize=size, layout="constrained")
    figure.suptitle(title, x=0.012, ha="left", fontsize=12, fontweight="bold", color=INK)
    return figure, figure.subplots(rows, columns, squeeze=False)


def numbered(i: int, name: str, first: int) -> str:
    """Return a title; the topmost of each column bears the number of the figure."""
    return f"Fig. {first + i // 3}: {name}" if i % 3 == 0 else name


def finish(figure: Figure, grid: Array, t: Array, name: str, legend: Any = None) -> None:
    """Set the axes of time, put the legend of one panel below, save."""
    rows = figure.axes[0].get_gridspec().nrows
    for axes in grid:
        axes.set_xlim(t[0], t[-1])
        if axes.get_subplotspec().rowspan.stop == rows:
            axes.set_xlabel("time [s]")
    if legend is not None:
        figure.legend(*legend.get_legend_handles_labels(), loc="outside lower left", ncols=3)
    save(figure, HOME / "img" / name, dpi=150 if len(figure.axes) < 9 else 102)
