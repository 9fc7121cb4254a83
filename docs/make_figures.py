"""Draws every picture of the documentation from the examples, and prints the figures that the text quotes.

Run by `make figures`, which puts the models of tests/support on the path. Each function below, and in figures_*.py, is
one picture; `steady_start` finds the equilibrium that examples/six_body_restoring.yaml starts from.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
from figures_control import control_figures
from figures_coupling import coupling_figure
from figures_loops import closed_loop_figures
from figures_modes import modes_figure, response_figure
from figures_openfast import openfast_figure, openfast_yawing_figure
from figures_thesis_forced import thesis_forced_figures
from figures_thesis_many_bodies import many_bodies_figures
from figures_thesis_two_bodies import thesis_two_body_figures
from figures_wind_mooring import mooring_figure, wind_figure
from matplotlib.figure import Figure
from scipy.spatial.transform import Rotation
from scipy.special import ellipj, ellipk

import fairlead as fl
from fairlead.view.plots import plot, save
from fairlead.view.style import COLOURS, FAINT, INK, RC
from support.restoring_models import (  # beside the tests
    NAMES,
    YAW,
    crossings,
    floating,
    leaning,
    slow_part,
    steady_start,
)

simulate, audit = fl.simulate, fl.audit
HOME = Path(__file__).resolve().parent
EXAMPLES, IMAGES = HOME.parent / "examples", HOME / "img"
Array = Any


def main() -> None:
    """Draw everything."""
    IMAGES.mkdir(exist_ok=True)
    with mpl.rc_context(RC):
        restoring_figure()
        jacobi_figure()
        free_flight_figure()
        mechanisms_figure()
        robot_arm_figure()
        sea_figure()
        closed_loop_figures()
        mooring_figure()
        wind_figure()
        openfast_figure()
        openfast_yawing_figure()
        modes_figure()
        response_figure()
        coupling_figure()
        control_figures()
        thesis_two_body_figures()
        thesis_forced_figures()
        many_bodies_figures()
    for name in ("02_spacecraft_wheels", "03_clock"):
        data = simulate(fl.load(EXAMPLES / f"{name}.yaml"))
        plot(data, IMAGES / f"{name[3:]}.png", audit=audit(data))


# The arm on a free-floating base --------------------------------------------------------------------------------------


def robot_arm_figure() -> None:
    """Draw joint angles, motor moments and the base's attitude of examples/robot_arm_floating.yaml."""
    data = simulate(fl.load(EXAMPLES / "robot_arm_floating.yaml"))
    assert audit(data).passed
    t = data["time"].values
    figure = Figure(figsize=(7.2, 2.6), layout="constrained")
    angles, moments, base = figure.subplots(1, 3)
    for colour, label in zip(COLOURS, data["coordinate"].values):
        angles.plot(t, np.degrees(data["joint_position"].sel(coordinate=label)), color=colour)
        moments.plot(t, data["driver_force"].sel(coordinate=label), color=colour, label=label.partition(".")[0])
    angles.axhline(70, color=FAINT, lw=0.8, ls=(0, (4, 2)))
    angles.annotate("stop of the elbow", (9.9, 71), color=FAINT, fontsize=7.5, ha="right", va="bottom")
    angles.set(title="Joint angles", xlabel="time [s]", ylabel="[deg]", ylim=(-50, 82))
    moments.set(title="Moments along joints", xlabel="time [s]", ylabel="[N m]")
    moments.legend(fontsize=7, frameon=False, loc="lower right", ncols=2, handlelength=1.2, columnspacing=1.0)
    for colour, axis in zip(COLOURS, "xyz"):
        base.plot(t, np.degrees(data["euler123"].sel(body="base", xyz=axis)), color=colour, label=f"about {axis}")
    base.set(title="Attitude of the base", xlabel="time [s]", ylabel="[deg]")
    base.legend(fontsize=7, frameon=False, handlelength=1.2)
    save(figure, IMAGES / "robot_arm.png")


# The six-body turbine on its restoring matrix ------------------------------------------------------------------------


def restoring_figure() -> None:
    """Draw the motion of the still-water point in the manner of MCM paper Figs. 5-6, from equilibrium and from zero."""
    from_zero = fl.load(EXAMPLES / "six_body_restoring_from_zero.yaml")
    steady = fl.load(EXAMPLES / "six_body_restoring.yaml")
    q = steady_start(from_zero)
    drawn = np.array([*steady.loads["buoyancy and mooring"].point, *steady.bodies["tower"].orientation.euler123])
    print("steady start", q, "file differs by", np.abs(q - drawn).max())
    assert np.abs(q - drawn).max() < 1e-6, "examples/six_body_restoring.yaml no longer starts from the equilibrium"
    runs = {}
    for label, model in (("from zero", from_zero), ("from equilibrium", steady)):
        data = simulate(model)
        assert audit(data).passed
        runs[label] = data["time"].values, floating(model, data)
        print(label, "amplitudes", dict(zip(NAMES, np.abs(runs[label][1]).max(axis=0))))
    time, motion = runs["from equilibrium"]
    for name in ("surge", "pitch"):
        print(f"{name} crosses zero at", crossings(time, motion[:, NAMES.index(name)]))
    half = time <= 150
    for name in ("sway", "roll"):
        print(f"{name} is largest at", time[half][np.abs(motion[half, NAMES.index(name)]).argmax()])
    long = simulate(from_zero, duration=3000)
    for name in ("surge", "pitch", "sway", "roll"):
        amplitude, when = slow_part(long["time"].values, floating(from_zero, long)[:, NAMES.index(name)])
        print(f"from zero, slow part of {name}: {amplitude:.6g}, extreme at {when:.3f} s")
    print("from zero, natural periods", natural_periods(long["time"].values, floating(from_zero, long)))
    print_rest(from_zero)
    draw_six(runs)


def natural_periods(time: Array, motion: Array) -> dict[str, float]:
    """Return the strongest period [s] of each coordinate below the nacelle's own; surge and sway beyond 50 s."""
    found = {}
    frequency = np.fft.rfftfreq(8 * len(time), time[1] - time[0])
    for name, values in zip(NAMES, motion.T):
        size = np.abs(np.fft.rfft((values - values.mean()) * np.hanning(len(time)), 8 * len(time)))
        low, high = (1 / 150, 1 / 50) if name in ("surge", "sway") else (1 / 12, 1) if name == "yaw" else (1 / 50, 1)
        size[(frequency < low) | (frequency > high)] = 0
        found[name] = float(1 / frequency[size.argmax()])
    return found


def print_rest(model: fl.Model) -> None:
    """Print where the machine rests with its joints stopped, what moves it, and how it goes on from there."""
    stopped = {
        name: joint.model_copy(update={"motion": {"angle": fl.Rate(0.0)}}) for name, joint in model.joints.items()
    }
    q = steady_start(model.model_copy(update={"joints": stopped}), rate=0.0)
    data = simulate(leaning(model, q, rate=0.0))
    pitch = floating(leaning(model, q, rate=0.0), data)[:, 4]
    print("at rest", q, "and from there pitch crosses zero at", crossings(data["time"].values, pitch)[:4])
    overhang = sum(body.mass * body.position[0] for body in model.bodies.values()) * model.gravity[2]
    rotor = simulate(model, duration=1)["angular_momentum"].values[0, 0]
    print("moment of the overhang", overhang, "N m, of the yawing rotor", rotor * YAW, "N m")


def draw_six(runs: dict[str, tuple[Array, Array]]) -> None:
    """Draw six panels, translations left and rotations right, and mark the nacelle at 90 and 270 degrees."""
    figure = Figure(figsize=(9.0, 6.2), layout="constrained")
    grid = figure.subplots(3, 2, sharex=True)
    looks = {"from zero": (FAINT, 0.9), "from equilibrium": (COLOURS[0], 1.9)}
    for i, name in enumerate(NAMES):
        axes = grid[i % 3, i // 3]
        for label, (time, motion) in runs.items():
            scale = 1e3 if name == "heave" else 1.0
            axes.plot(time, scale * motion[:, i], color=looks[label][0], linewidth=looks[label][1], label=label)
        for when in (75, 225):
            axes.axvline(when, color=COLOURS[1], linewidth=0.9, linestyle=(0, (4, 3)))
        axes.set_title(name)
        axes.set_ylabel("[mm]" if name == "heave" else "[m]" if i < 3 else "[deg]")
        axes.margins(y=0.12)
    for axes in grid[2]:
        axes.set_xlabel("time [s]")
        axes.set_xlim(0, 300)
    for when, angle in ((75, 90), (225, 270)):
        note = {"textcoords": "offset points", "fontsize": 7.5, "color": COLOURS[1], "ha": "left", "va": "top"}
        grid[0, 0].annotate(f"nacelle at {angle}°", (when, grid[0, 0].get_ylim()[1]), xytext=(4, 0), **note)
    handles, labels = grid[0, 0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="upper right", ncols=2, fontsize=9, bbox_to_anchor=(0.995, 1.0))
    heading(figure, "Six-body turbine: motion of the still-water point")
    save(figure, IMAGES / "six_body_restoring.png")


def heading(figure: Figure, title: str) -> None:
    """Put a title at the left."""
    figure.suptitle(title, x=0.012, ha="left", fontsize=12, fontweight="bold", color=INK)


# The free body against Jacobi's solution -----------------------------------------------------------------------------


def jacobi(moments: Array, start: Array, time: Array) -> Array:
    """Return the angular velocity of a free body over time, exact (Landau and Lifshitz, Mechanics, section 37).

    For moments I1 > I2 > I3 and a start in the plane of the axes 1 and 2 with H^2 > 2 T I2.
    """
    I1, I2, I3 = moments
    T2, H2 = moments @ start**2, (moments**2) @ start**2  # twice the energy, and the square of the momentum
    rate = np.sqrt((I1 - I2) * (H2 - T2 * I3) / (I1 * I2 * I3))
    m = (I2 - I3) * (T2 * I1 - H2) / ((I1 - I2) * (H2 - T2 * I3))
    sn, cn, dn, _ = ellipj(rate * time + ellipk(m), m)  # at t = 0 the component 3 is zero
    return np.column_stack(
        [
            np.sqrt((H2 - T2 * I3) / (I1 * (I1 - I3))) * dn,
            np.sqrt((T2 * I1 - H2) / (I2 * (I1 - I2))) * sn,
            -np.sqrt((T2 * I1 - H2) / (I3 * (I1 - I3))) * cn,
        ]
    )


def jacobi_figure() -> None:
    """Draw the angular velocity of the free body over the exact one, and their difference."""
    model = fl.load(EXAMPLES / "01_free_body.yaml")
    body, data = model.bodies["box"], simulate(model)
    time, ours = data["time"].values, data["angular_velocity"].sel(body="box").values
    exact = jacobi(np.diag(np.array(body.inertia)), np.array(body.angular_velocity), time)
    worst = np.abs(ours - exact).max()
    print("free body: largest difference from Jacobi", worst, "rad/s; flips at", crossings(time, ours[:, 1]))
    figure = Figure(figsize=(8.0, 4.8), layout="constrained")
    upper, lower = figure.subplots(2, 1, sharex=True, height_ratios=(2, 1))
    for i, axis in enumerate("xyz"):
        upper.plot(time, ours[:, i], color=COLOURS[i], label=axis)
        upper.plot(time[::40], exact[::40, i], ".", color=COLOURS[i], markersize=4.5)
        lower.plot(time, ours[:, i] - exact[:, i], color=COLOURS[i], linewidth=1.0)
    upper.plot([], [], ".", color=INK, label="exact")
    upper.set_title("Angular velocity in body axes: simulated (lines) and Jacobi's elliptic functions (dots)")
    upper.set_ylabel("[rad/s]")
    upper.legend(loc="upper left", bbox_to_anchor=(1.0, 1.02))
    lower.set_title("Difference")
    lower.set_ylabel("[rad/s]")
    lower.set_xlabel("time [s]")
    lower.set_xlim(time[0], time[-1])
    heading(figure, "A free body turning over its middle axis")
    save(figure, IMAGES / "free_body.png")


# Momentum and energy in free flight ----------------------------------------------------------------------------------


def free_flight_figure() -> None:
    """Draw how far momentum and energy of the six-body turbine drift in ten minutes of free flight."""
    data = simulate(fl.load(EXAMPLES / "six_body_free.yaml"))
    verdict = audit(data)
    assert verdict.passed
    time = data["time"].values
    P, H = (verdict.momentum[name].values for name in ("P_sys", "H_sys"))
    energy = verdict.momentum["kinetic_energy"].values
    driven = data["driver_work"].values.sum(axis=1)
    drift = {
        "linear momentum": np.linalg.norm(P - P[0], axis=1) / np.linalg.norm(P[0]),
        "angular momentum": np.linalg.norm(H - H[0], axis=1) / np.linalg.norm(H[0]),
        "energy less work of the drivers": np.abs(energy - energy[0] - driven) / energy[0],
    }
    print("free flight: drift", {name: values.max() for name, values in drift.items()})
    print("kinetic energy", energy.min(), energy.max(), "work of the drivers", driven.min(), driven.max())
    figure = Figure(figsize=(8.0, 4.8), layout="constrained")
    upper, lower = figure.subplots(2, 1, sharex=True)
    upper.plot(time, energy / 1e6, color=COLOURS[0], linewidth=2.2, label="kinetic energy")
    upper.plot(time, (energy[0] + driven) / 1e6, color=INK, linestyle=(0, (4, 3)), label="start + work of the drivers")
    upper.set_title("Energy")
    upper.set_ylabel("[MJ]")
    upper.legend(loc="upper left", bbox_to_anchor=(1.0, 1.02))
    for i, (name, values) in enumerate(drift.items()):
        lower.semilogy(time[1:], np.maximum.accumulate(values[1:]), color=COLOURS[i], label=name)
    lower.set_title("Largest drift so far, relative to the start")
    lower.set_ylabel("[1]")
    lower.set_ylim(1e-16, 1e-12)
    lower.set_xlabel("time [s]")
    lower.set_xlim(time[0], time[-1])
    lower.legend(loc="upper left", bbox_to_anchor=(1.0, 1.02))
    heading(figure, "Six-body turbine in free flight")
    save(figure, IMAGES / "six_body_free.png")


# Two mechanisms with loops -------------------------------------------------------------------------------------------


def carried(data: Any, body: str, points: Array, times: Array) -> Array:
    """Return where drawn world points of a body are at given times, shape (times, points, 2)."""
    now = data.sel(time=times, method="nearest")
    turns = [
        Rotation.from_quat(d["orientation"].sel(body=body).values, scalar_first=True)
        for d in (data.isel(time=[0]), now)
    ]
    arms = (
        turns[0]
        .inv()
        .apply(np.pad(np.atleast_2d(points), ((0, 0), (0, 1))) - data["position"].sel(body=body)[0].values)
    )
    places = now["position"].sel(body=body).values
    return np.array([place + R.apply(arms) for place, R in zip(places, turns[1])])[:, :, :2]


def bars(axes: Any, lines: Any, shade: float, width: float = 4.0) -> None:
    """Draw bars (colour and end points) with pins; shade 1 is now, less is long ago."""
    for colour, ends in lines:
        axes.plot(*np.array(ends).T, color=colour, alpha=shade, linewidth=width, zorder=3 + shade)
    if shade == 1:
        pins = np.concatenate([np.array(ends) for _, ends in lines])
        axes.plot(*pins.T, "o", color="white", markeredgecolor=INK, markersize=4.2, markeredgewidth=0.9, zorder=6)


def bearing(axes: Any, place: Array, size: float) -> None:
    """Draw a pin on the ground."""
    x, y = place
    axes.fill([x, x - 0.6 * size, x + 0.6 * size], [y, y - size, y - size], color="#d0d0d0", zorder=2)


def mechanisms_figure() -> None:
    """Draw the compressor and Andrews' mechanism in a few positions, and the speed of their cranks."""
    figure = Figure(figsize=(9.0, 5.6), layout="constrained")
    grid = figure.subplots(2, 2, height_ratios=(1.55, 1))
    for axes in grid[0]:
        axes.set_anchor("W")
    draw_compressor(*grid[:, 0])
    draw_andrews(*grid[:, 1])
    heading(figure, "Closed loops")
    save(figure, IMAGES / "mechanisms.png")


def draw_compressor(picture: Any, curve: Any) -> None:
    """Draw the slider-crank at four instants of its first compression and its speed, gas work and motor."""
    data = simulate(fl.load(EXAMPLES / "slider_crank_dynamic.yaml"))
    time = data["time"].values
    instants = np.array([0.037, 0.052, 0.067, 0.086])
    crank = carried(data, "crank", [[0, 0], [-2, 0]], instants)
    rod = carried(data, "rod", [[-2, 0], [1.5, 0]], instants)
    picture.plot(*carried(data, "rod", [[-2, 0]], time)[:400, 0].T, color=FAINT, linewidth=0.7, linestyle=(0, (4, 3)))
    picture.plot(
        *carried(data, "rod", [[-0.25, 0]], time)[:400, 0].T, color=FAINT, linewidth=0.7, linestyle=(0, (4, 3))
    )
    for i, shade in enumerate((0.15, 0.3, 0.5, 1.0)):
        x = rod[i][1][0]
        picture.fill(
            [x - 0.35, x + 0.35, x + 0.35, x - 0.35],
            [-0.45, -0.45, 0.45, 0.45],
            color=COLOURS[2],
            alpha=shade,
            linewidth=0,
        )
        bars(picture, [(COLOURS[0], crank[i]), (COLOURS[1], rod[i])], shade)
    wall = {"color": INK, "linewidth": 1.6}
    for y in (-0.5, 0.5):
        picture.plot([1.0, 6.0], [y, y], **wall)
    picture.plot([6, 6], [-0.5, 0.5], **wall)
    bearing(picture, np.zeros(2), 0.45)
    picture.annotate("gas", (5.93, 0), ha="right", va="center", fontsize=8, color=INK, zorder=8)
    picture.set(aspect="equal", xlim=(-2.4, 6.4), ylim=(-2.35, 2.35), xlabel="[m]", title="Slider-crank compressor")
    speed = data["angular_velocity"].sel(body="crank", xyz="z").values
    gas = data["load_force"].sel(load="gas", xyz="x").values
    curve.fill_between(time, 0, -gas / 1e4, color=COLOURS[2], alpha=0.25, linewidth=0, label="gas force [10 kN]")
    curve.plot(time, speed, color=COLOURS[0], label="crank [rad/s]")
    curve.set(
        xlim=(0, time[-1]), ylim=(0, 40), xlabel="time [s]", title="Speed of the crank, and the gas that slows it"
    )
    curve.legend(loc="upper right", ncols=2)
    print("compressor: speed", speed.min(), "to", speed.max(), "rad/s, wall time", data.attrs["wall_time"], "s")


def draw_andrews(picture: Any, curve: Any) -> None:
    """Draw the seven bars at one instant over a shadow of others, the paths of their pins and the crank's speed."""
    model = fl.load(EXAMPLES / "andrews.yaml")
    data = simulate(model, dt=1e-5, output_every=10)
    time = data["time"].values
    at = {name: np.array(joint.point[:2]) for name, joint in model.joints.items()}
    F, E, G, H, A, B = (at[name] for name in ("F", "E", "G", "H", "A of G", "B"))
    D, C = (np.array(point[:2]) for point in (model.loads["spring"].point, model.loads["spring"].anchor))
    parts = {
        "crank": [at["O"], F], "FE": [F, E], "BDE": [B, E, D], "EG": [E, G], "AG": [A, G], "EH": [E, H], "AH": [A, H],
    }  # fmt: skip
    instants = np.array([0.0, 0.0345, 0.0361])
    for body, point in (("crank", F), ("FE", E), ("EG", G), ("EH", H), ("BDE", D)):
        path = 1e3 * carried(data, body, [point], time)[:, 0]
        picture.plot(*path.T, color=FAINT, linewidth=0.7, zorder=2)
    for i, shade in enumerate((0.18, 0.3, 1.0)):
        found = {body: 1e3 * carried(data, body, points, instants[[i]])[0] for body, points in parts.items()}
        picture.fill(*found["BDE"].T, color=COLOURS[4], alpha=0.45 * shade, zorder=2.5, linewidth=0)
        looks = {"crank": COLOURS[0], "FE": COLOURS[1], "BDE": COLOURS[4], "EG": COLOURS[2], "AG": COLOURS[5],
                 "EH": COLOURS[2], "AH": COLOURS[5]}  # fmt: skip
        bars(picture, [(looks[body], points[:2]) for body, points in found.items()], shade, 3.2)
        if shade == 1:
            coil(picture, found["BDE"][2], 1e3 * C)
    for place in (at["O"], A, B, C):
        bearing(picture, 1e3 * place, 4.0)
    for name, place in (("O", at["O"]), ("A", A), ("B", B), ("C", C)):
        picture.annotate(name, 1e3 * place, xytext=(5, -13), textcoords="offset points", fontsize=8, color=INK)
    picture.set(aspect="equal", xlim=(-80, 26), ylim=(-30, 80), xlabel="[mm]", title="Andrews' squeezing mechanism")
    speed = data["angular_velocity"].sel(body="crank", xyz="z").values
    curve.plot(1e3 * time, speed, color=COLOURS[0])
    curve.axvline(1e3 * instants[-1], color=FAINT, linewidth=0.8, linestyle=(0, (4, 3)))
    curve.annotate("as drawn", (1e3 * instants[-1], 40), xytext=(4, 0), textcoords="offset points", fontsize=8)
    curve.set(xlim=(0, 50), ylim=(0, None), xlabel="time [ms]", ylabel="[rad/s]", title="Speed of its crank")
    print("Andrews: crank reaches", speed.max(), "rad/s")


def coil(axes: Any, start: Array, end: Array) -> None:
    """Draw a spring between two points."""
    way = end - start
    across = 2.2 * np.array([-way[1], way[0]]) / np.linalg.norm(way)
    s = np.linspace(0.12, 0.88, 27)
    zigzag = start + np.outer(s, way) + np.outer(np.resize([0, 1, 0, -1], len(s)), across)
    axes.plot(*np.vstack([start, zigzag, end]).T, color=INK, linewidth=0.9, zorder=5)


# The spar in waves, and released far from upright --------------------------------------------------------------------


def tilt_of(data: Any) -> Array:
    """Return the angle between the spar's axis and the vertical [deg]."""
    _, x, y, _ = np.moveaxis(data["orientation"].sel(body="spar").values, -1, 0)
    return np.degrees(np.arccos(1 - 2 * (x * x + y * y)))


def assumed(model: fl.Model) -> fl.Model:
    """Return the model with the strip theory of an undisplaced hull."""
    words = {"kinematics": "undisplaced", "waterline": "still", "normal": "fixed"}
    waves = model.environment.waves.model_copy(update={"stretching": "none"})
    name = "waves and drag"
    return model.model_copy(
        update={
            "loads": {**model.loads, name: model.loads[name].model_copy(update=words)},
            "environment": model.environment.model_copy(update={"waves": waves}),
        }
    )


def released(model: fl.Model) -> fl.Model:
    """Return the hull alone in still water, its weight that of the water it displaces, turned by 100 degrees."""
    loads = {name: load for name, load in model.loads.items() if name != "mooring"}
    body = model.bodies["spar"].model_copy(update={"mass": 1025 * 8029.209})
    start = fl.Free("world", "spar", point=(0, 0, 0), initial={"b": "100 deg"})
    still = model.environment.model_copy(update={"waves": None})
    return model.model_copy(update={"bodies": {"spar": body}, "joints": {"start": start}, "loads": loads,
                                    "environment": still})  # fmt: skip


def sea_figure() -> None:
    """Draw the motion of the spar in waves under two sets of assumptions, and how it rights itself."""
    model = fl.load(EXAMPLES / "spar_in_waves.yaml")
    ours, theirs = simulate(model), simulate(assumed(model))
    upright = simulate(released(model), 600, 0.05, output_every=10)
    figure = Figure(figsize=(8.0, 7.6), layout="constrained")
    axes = figure.subplots(4, 1)
    time = ours["time"].values
    axes[0].plot(time, ours["wave_elevation"], color=COLOURS[0])
    axes[0].set_title("Elevation at the origin [m]")
    for data, style, colour in ((ours, "-", COLOURS[1]), (theirs, ":", INK)):
        axes[1].plot(time, data["position"].sel(body="spar", xyz="x"), style, color=colour)
        axes[2].plot(time, np.degrees(data["euler123"].sel(body="spar", xyz="y")), style, color=colour)
    axes[1].set_title("Mass centre, x [m]: moving hull (line), undisplaced strips (dots)")
    axes[2].set_title("Pitch [deg]")
    axes[3].plot(upright["time"], tilt_of(upright), color=COLOURS[2])
    axes[3].set_title("Unmoored in still water, released at 100 degrees: angle from upright [deg]")
    axes[3].set_xlabel("time [s]")
    for one in axes:
        one.margins(x=0)
    heading(figure, "The OC3-Hywind hull in the sea")
    save(figure, IMAGES / "spar_in_waves.png")
    print("spar in waves: largest difference of pitch by the assumptions",
          float(np.degrees(abs(ours["euler123"] - theirs["euler123"]).max())), "deg")  # fmt: skip


if __name__ == "__main__":
    main()
