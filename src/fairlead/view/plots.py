"""A picture of any result: `plot(data, "run.png")`."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from fairlead.errors import InvalidInput, Problem
from fairlead.results.reading import open_data
from fairlead.results.transient import discarded
from fairlead.view.compare import Wanted, as_names, compared
from fairlead.view.page.buffers import kept_instants
from fairlead.view.panels import Panel, chosen_panels, default_panels, footer
from fairlead.view.studies import draw_study, is_study
from fairlead.view.style import COLOURS, DASHES, FAINT, INK, RC, SHADE
from fairlead.view.tree_diagram import laid_out, sides

if TYPE_CHECKING:
    import xarray as xr

MOST_POINTS = 6000  # per panel, extremes among them; more cannot be seen
MOST_CYCLES, BANDS = 200, 240  # more cycles are drawn as a band in so many stretches
KINDS: dict[str, Any] = {
    "png": {"Software": "fairlead"},
    "svg": {"Creator": "fairlead", "Date": None},
    "pdf": {"Creator": "fairlead", "CreationDate": None},
}
MOST_ROWS = 7  # of a legend beside its axes
WIDTH, ROW, EXTRA = 8.0, 1.75, 1.0  # [inch] of a figure, of a row of axes, of title and footer


def plot(
    data: xr.Dataset | str | Path | Sequence[Any],
    path: str | Path | None = None,
    what: str | Iterable[str] | None = None,
    *,
    audit: Any = None,
    against: str | None = None,
    difference: bool = False,
    spectrum: bool = False,
    phase: bool = False,
) -> Any:
    """Return a matplotlib figure of a result (a Dataset, run directory or file), saved as PNG, SVG or PDF to `path`.

    `what` chooses variables, one panel each: `position`, `position:tower`, `joint_rate:yaw.angle`, or channels, by our
    name or OpenFAST's: `pitch`, `PtfmPitch`. Without it surge to yaw of what floats are shown, else the motion of the
    base, and the balance of energy or momentum. What the run discards as transient is shaded. `audit` is a verdict for
    the footer. Several results are laid over one another, or with `difference` the first is subtracted from the others.
    `against` draws channels over another one instead of time, `spectrum` their spectral densities, `phase` the rate of
    coordinates over the coordinates. Of a study (its Dataset or directory) the statistics named, or those of channels,
    are drawn `against` a parameter.
    """
    given = list(data) if isinstance(data, (list, tuple)) else [data]
    runs = [open_data(one) for one in given]
    if len(runs) == 1 and is_study(runs[0]):
        if ways := [name for name, on in (("spectrum", spectrum), ("phase", phase), ("difference", difference)) if on]:
            raise InvalidInput([Problem("is for runs; leave it out of a study", ways[0])])
        figure = draw_study(runs[0], as_names(what), against)
        if path is not None:
            save(figure, path)
        return figure
    if not runs or not all(one.sizes.get("time") for one in runs):
        raise InvalidInput("this result has no instants, so there is nothing to draw")
    if len(runs) > 1 or against or difference or spectrum or phase:
        wanted = Wanted(as_names(what), against, difference, spectrum, phase)
        figure = compared(runs, [_name_of(one, i) for i, one in enumerate(given)], wanted, footer(runs[0], audit))
    else:
        first = runs[0]
        panels = default_panels(first) if what is None else chosen_panels(first, what)
        until = discarded(first) + float(first["time"][0])
        figure = draw(first["time"].values, panels, str(first.attrs.get("title", "")), footer(first, audit), until)
    if path is not None:
        save(figure, path)
    return figure


def _name_of(given: Any, number: int) -> str:
    return Path(given).name if isinstance(given, str | Path) else f"run {number + 1}"


def draw(time: Any, panels: list[Panel], title: str, foot: str, settled: float = -math.inf) -> Any:
    """Return a figure with one row per panel over a shared time axis, shaded until the time `settled`."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    with mpl.rc_context(RC):
        figure = Figure(figsize=(WIDTH, ROW * len(panels) + EXTRA), layout="constrained")
        grid = figure.subplots(len(panels), 1, sharex=True, squeeze=False)[:, 0]
        for axes, panel in zip(grid, panels):
            draw_panel(axes, time, panel)
            if settled > float(time[0]):
                axes.axvspan(float(time[0]), min(settled, float(time[-1])), color=SHADE, zorder=0)
        grid[-1].set_xlabel("time [s]")
        grid[-1].set_xlim(float(time[0]), float(time[-1]) if len(time) > 1 else float(time[0]) + 1.0)
        figure.align_ylabels(list(grid))
        figure.suptitle(title, x=0.012, ha="left", fontsize=12, fontweight="bold", color=INK)
        figure.text(0.012, 0.004, foot, fontsize=7, color=FAINT, ha="left", va="bottom")
        layout: Any = figure.get_layout_engine()
        layout.set(rect=(0, 0.02, 1, 0.98), h_pad=0.06)
    return figure


def draw_panel(axes: Any, time: Any, panel: Panel) -> None:
    """Draw the lines of one panel with title, unit and, where there is more than one line, a legend beside it.

    Hundreds of cycles would be a smear: they are drawn as the band between their extremes with a part of them inset.
    """
    at = kept_instants([line.values for line in panel.lines], MOST_POINTS)
    dense = [line for line in panel.lines if _cycles(line.values) > MOST_CYCLES]
    for line in panel.lines:
        colour, dashes = COLOURS[line.colour % len(COLOURS)], DASHES[line.dashes % len(DASHES)]
        if line in dense:
            _band(axes, time, line.values, colour, line.label)
        else:
            axes.plot(time[at], line.values[at], color=colour, linestyle=dashes, label=line.label)
    if dense:
        _inset(axes, time, dense)
    axes.set_title(panel.title)
    axes.set_ylabel(f"[{panel.unit}]" if panel.unit else "")
    if len(panel.lines) > 1 or (panel.lines and panel.lines[0].label):
        columns = -(-len(panel.lines) // MOST_ROWS)
        axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.02), borderaxespad=0.3, ncols=columns)


def _cycles(values: Any) -> int:
    """Return how often a series passes its mean upwards."""
    away = values - np.nanmean(values) if np.isfinite(values).any() else np.zeros(1)
    return int(np.sum((away[:-1] < 0) & (away[1:] >= 0)))


def _band(axes: Any, time: Any, values: Any, colour: str, label: str) -> None:
    edges = np.linspace(0, len(time), BANDS + 1).astype(int)
    parts = [values[a:b] for a, b in pairwise(edges)]
    middle = [0.5 * (time[a] + time[b - 1]) for a, b in pairwise(edges)]
    low, high = [np.nanmin(part) for part in parts], [np.nanmax(part) for part in parts]
    axes.fill_between(middle, low, high, color=colour, alpha=0.35, linewidth=0)
    axes.plot(middle, [np.nanmean(part) for part in parts], color=colour, label=label)


def _inset(axes: Any, time: Any, lines: list[Any]) -> None:
    """Draw some ten cycles from the middle in a corner of a panel, which is made higher for it."""
    count = max(_cycles(line.values) for line in lines)
    half = max(2, round(5 * len(time) / count))
    part = slice(max(0, len(time) // 2 - half), len(time) // 2 + half)
    low, high = axes.get_ylim()
    axes.set_ylim(low, high + 0.75 * (high - low))
    small = axes.inset_axes((0.58, 0.62, 0.4, 0.34))
    for line in lines:
        small.plot(time[part], line.values[part], color=COLOURS[line.colour % len(COLOURS)], linewidth=0.9)
    small.tick_params(labelsize=6, length=2, pad=1)
    small.grid(False)


def save(figure: Any, path: str | Path, dpi: float = RC["savefig.dpi"]) -> None:
    """Write a figure as PNG, SVG or PDF, by its name, without a display."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    kind = Path(path).suffix.lower().removeprefix(".") or "png"
    if kind not in KINDS:
        raise InvalidInput(f"a picture is a {', '.join(KINDS)} file, got '{Path(path).name}'")
    FigureCanvasAgg(figure)
    figure.savefig(path, format=kind, dpi=dpi, metadata=KINDS[kind])


def draw_tree(model: Any, path: str | Path) -> None:
    """Write the tree of a model, and what closes its loops, as SVG, or as PNG or PDF by matplotlib."""
    import matplotlib as mpl
    from matplotlib.figure import Figure
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path as Curve

    tree = laid_out(model)
    with mpl.rc_context(RC):
        figure = Figure(figsize=(max(tree.width / 95, 3.0), max(tree.height / 95, 1.6)), layout="constrained")
        axes = figure.add_subplot()
        axes.set_axis_off()
        axes.set(xlim=(0, max(tree.width, 1)), ylim=(max(tree.height, 1), 0))
        for rows, hue, dashes in ((tree.joints, FAINT, "-"), (tree.loops, COLOURS[1], "--")):
            for name, _, one, other in rows:
                if one in tree.places and other in tree.places:
                    (x0, y0), (x1, y1) = tree.places[one], tree.places[other]
                    if dashes == "--":
                        _, aside = sides(x0, x1)
                        corners = [(x0, y0), (aside, y0), (aside, y1), (x1, y1)]
                        at = (0.125 * (x0 + x1) + 0.75 * aside, 0.5 * (y0 + y1))
                    else:
                        low = 0.5 * (y0 + y1)
                        corners, at = [(x0, y0), (x0, low), (x1, low), (x1, y1)], (0.5 * (x0 + x1), low)
                    curve = Curve(corners, [1, 4, 4, 4])
                    axes.add_patch(PathPatch(curve, fill=False, edgecolor=hue, linestyle=dashes, zorder=1))
                    paper = {"facecolor": "white", "edgecolor": "none", "pad": 0.6}
                    axes.text(*at, name, ha="center", va="center", fontsize=7, zorder=2, bbox=paper)
        box = {"boxstyle": "round,pad=0.5", "facecolor": SHADE, "edgecolor": FAINT}
        for body, (x, y) in tree.places.items():
            axes.text(x, y, body, ha="center", va="center", fontsize=9, zorder=3, bbox=box)
        axes.set_title(model.name)
        save(figure, path)
