"""Pictures and numbers of docs/validation/thesis_two_bodies.md, Figs. 18-23, by make_figures.py."""

from __future__ import annotations

from typing import Any

import numpy as np
from figures_thesis_two_bodies import Array, apart, finish, numbered, panels, run, thesis

import fairlead as fl
from fairlead.view.style import COLOURS, FAINT, INK

SHIFT = -np.pi / 4  # from -Y towards -X
FORCED = ("X₁ [m]", "X₂ [m]", "X₃ [m]", "X₄ [deg]", "X₅ [deg]", "X₆ [deg]",
          "gyroscopic moment, A [MN m]", "Gyroscopic moment, C [MN m]")  # fmt: skip


def thesis_forced_figures() -> None:
    """Draw Figs. 18-23, and print what seeds and damping do."""
    still, yawing = (run(thesis.spar(shift), "two-body", 600.0) for shift in (0.0, SHIFT))
    figures_18_20(still)
    figures_21_23(yawing, still)
    seeds()
    damped()


def figures_18_20(data: Any) -> None:
    """Draw the truncated spar in wind and waves along -Y, the nacelle held, and spectra of moments and angles."""
    t, motion = data["time"].values, forced(data)
    figure, grid = panels(3, 3, "Truncated spar, wind and waves along −Y, no nacelle yaw (Figs. 18-20)", (10.4, 6.0))
    for i, (axes, name) in enumerate(zip(grid.T.flat, FORCED)):
        axes.plot(t, motion[:, i], color=COLOURS[i // 3], linewidth=1.0)
        axes.set_title(numbered(i, name, 18))
    spectra(
        grid[2, 2],
        t,
        {"moment in C": motion[:, 7], "X₄": motion[:, 3], "moment in A": motion[:, 6], "X₆": motion[:, 5]},
    )
    finish(figure, grid.T.flat[:-1], t, "thesis_18_20.png")
    describe("Figs. 18-20", t, motion)
    print("Fig. 20: C and the rate of X4, correlation", np.corrcoef(motion[:, 7], np.gradient(motion[:, 3], t))[0, 1])


def figures_21_23(data: Any, still: Any) -> None:
    """Draw the same with the wind's shift, over the run without it, and the yaw of wind and nacelle."""
    t, motion, without = data["time"].values, forced(data), forced(still)
    title = "The same, the wind turning 45 degrees towards −X at 100 s and the nacelle after it (Figs. 21-23)"
    figure, grid = panels(3, 3, title, (10.4, 6.0))
    for i, (axes, name) in enumerate(zip(grid.T.flat, FORCED)):
        axes.plot(t, without[:, i], color="#b5b5b5", linewidth=1.0, label="without the shift")
        axes.plot(t, motion[:, i], color=COLOURS[i // 3], linewidth=1.0)
        axes.set_title(numbered(i, name, 21))
    yaw = np.degrees(data["joint_position"].sel(coordinate="yaw.angle").values)
    grid[2, 2].step([0, 100, 600], [0, 0, -45], color=FAINT, linestyle=(0, (4, 2)))
    grid[2, 2].plot(t, yaw, color=INK)
    grid[2, 2].annotate("wind", (112, -42), fontsize=8, color=FAINT)
    grid[2, 2].annotate("nacelle", (212, -24), fontsize=8)
    grid[2, 2].set_title("Yaw of wind and nacelle [deg]")
    finish(figure, grid.flat, t, "thesis_21_23.png", grid[0, 0])
    describe("Figs. 21-23", t, motion)
    witness = forced(run(thesis.spar(SHIFT), "cloud", 60.0))
    print("Figs. 21-23: cloud differs by", apart(motion[: len(witness)], witness).max(), "in a minute")
    after = t > 110
    with_it, alone = motion[after, 6:], without[after, 6:]
    print("Fig. 23 over Fig. 20 from 110 s, A and C: deviation", with_it.std(axis=0) / alone.std(axis=0), "largest",
          np.abs(with_it).max(axis=0) / np.abs(alone).max(axis=0))  # fmt: skip
    turning = still["angular_velocity"].sel(body="tower", xyz="z").values
    print("own turning", np.abs(turning).max(), turning.std(), "rad/s; yaw rate", np.radians(0.3))


def seeds() -> None:
    """Print how deviation and largest value of the moments change by the shift, for eight seas and winds."""
    found, periods = [], []
    for seed in range(1, 9):
        runs = [run(thesis.spar(shift, seed), "two-body", 600.0) for shift in (0.0, SHIFT)]
        without, with_it = (forced(data)[550:, 6:] for data in runs)
        periods.append([round(peak(runs[0]["time"].values, forced(runs[0])[:, i]), 1) for i in (7, 3)])
        largest = [np.abs(values).max(axis=0) for values in (with_it, without)]
        found.append([*(with_it.std(axis=0) / without.std(axis=0)), *(largest[0] / largest[1])])
    print("seeds 1-8, from 110 s, deviation A, C, largest A, C: least", np.min(found, axis=0).round(2), "most",
          np.max(found, axis=0).round(2), "mean", np.mean(found, axis=0).round(2))  # fmt: skip
    print("seeds 1-8, strongest periods of C and X4", periods)


def damped() -> None:
    """Print what the damping of OC3-Hywind, which the Dissertation does not mention, would do to Figs. 18 and 20."""
    model = thesis.spar()
    for name, damping in (("heave", (0, 0, 1.3e5, 0, 0, 0)), ("yaw", (0, 0, 0, 0, 0, 1.3e7))):
        loads = {**model.loads, "damping": fl.Matrix("tower", (0, 0, 0), damping=damping)}
        motion = forced(run(model.model_copy(update={"loads": loads}), "two-body", 600.0))
        print(
            f"with damping of {name}: largest X3",
            np.abs(motion[:, 2]).max(),
            "deviation A, C",
            motion[:, 6:].std(axis=0),
        )


def describe(name: str, t: Array, motion: Array) -> None:
    """Print means and deviations before the shift and after the yaw, and what is largest."""
    for begin, end in ((0, 100), (270, 600)):
        now = (t >= begin) & (t <= end)
        print(
            f"{name}, {begin} to {end} s: means",
            motion[now].mean(axis=0).round(3),
            "deviations",
            motion[now].std(axis=0).round(3),
        )
    print(f"{name}: largest", np.abs(motion).max(axis=0).round(3), "strongest period of C, X4, A, X6, X3",
          [round(peak(t, motion[:, i]), 1) for i in (7, 3, 6, 5, 2)], "s")  # fmt: skip


def forced(data: Any) -> Array:
    """Return X1 to X6 [m, deg] and the gyroscopic moments in A and C [MN m]."""
    moments = fl.gyroscopic_moments(data, "nacelle")["gyroscopic_moment"].values / 1e6
    angles = np.degrees(data["euler123"].sel(body="tower").values)
    return np.column_stack([thesis.mass_centre(data), angles, moments[:, 0], moments[:, 2]])


def spectrum(t: Array, values: Array) -> tuple[Array, Array]:
    """Return frequencies and amplitudes."""
    return np.fft.rfftfreq(len(t), t[1] - t[0]), np.abs(np.fft.rfft(values - values.mean()))


def peak(t: Array, values: Array) -> float:
    """Return the period of the strongest component."""
    frequency, size = spectrum(t, values)
    return float(1 / frequency[size.argmax()])


def spectra(axes: Any, t: Array, series: dict[str, Array]) -> None:
    """Draw amplitudes over frequency, each of its own largest, the pairs that should go together in one colour."""
    for i, (name, values) in enumerate(series.items()):
        frequency, size = spectrum(t, values)
        style = {"color": COLOURS[(2, 1)[i // 2]], "linestyle": ("-", (0, (2, 1.5)))[i % 2]}
        axes.plot(1e3 * frequency[1:], size[1:] / size.max(), linewidth=1.1, label=name, **style)
    axes.set(xlim=(0, 120), xlabel="frequency [mHz]")
    axes.set_title("Spectra, each over its largest")
    axes.legend(loc="upper right", fontsize=7.5)
