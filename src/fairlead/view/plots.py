"""A picture of any result: `plot(data, "run.png")`."""

from __future__ import annotations

import math
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from fairlead.errors import InvalidInput, Problem
from fairlead.results.reading import open_data
from fairlead.results.transient import discarded
from fairlead.view.panels import Panel, chosen_panels, default_panels, footer
from fairlead.view.studies import draw_study, is_study
from fairlead.view.style import COLOURS, DASHES, FAINT, INK, RC, SHADE

if TYPE_CHECKING:
    import xarray as xr

MOST_POINTS = 4000  # per line; more cannot be seen
MOST_ROWS = 7  # of a legend beside its axes
WIDTH, ROW, EXTRA = 8.0, 1.75, 1.0  # [inch] of a figure, of a row of axes, of title and footer


def plot(
    data: xr.Dataset | str | Path,
    path: str | Path | None = None,
    what: str | Iterable[str] | None = None,
    *,
    audit: Any = None,
    against: str | None = None,
) -> Any:
    """Return a matplotlib figure of a result (a Dataset, run directory or file), saved as PNG if `path` is given.

    `what` chooses variables, one panel each: `position`, `position:tower`, `joint_rate:yaw.angle`, or channels, by our
    name or OpenFAST's: `pitch`, `PtfmPitch`. Without it the motion of the base and the balance of energy or momentum
    are shown. What the run discards as transient is shaded. `audit` is a verdict for the footer.
    Of a study (its Dataset or directory) the statistics named, or those of channels, are drawn `against` a parameter.
    """
    data = open_data(data)
    if is_study(data):
        figure = draw_study(data, [what] if isinstance(what, str) else list(what or []), against)
        if path is not None:
            save(figure, path)
        return figure
    if against is not None:
        raise InvalidInput([Problem("is for studies; leave it out", "against")])
    if not data.sizes.get("time"):
        raise InvalidInput("this result has no instants, so there is nothing to draw")
    panels = default_panels(data) if what is None else chosen_panels(data, what)
    until = discarded(data) + float(data["time"][0])
    figure = draw(data["time"].values, panels, str(data.attrs.get("title", "")), footer(data, audit), until)
    if path is not None:
        save(figure, path)
    return figure


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
    """Draw the lines of one panel with title, unit and, where there is more than one line, a legend beside it."""
    step = max(1, len(time) // MOST_POINTS)
    at = np.unique(np.append(np.arange(0, len(time), step), len(time) - 1))
    for line in panel.lines:
        colour, dashes = COLOURS[line.colour % len(COLOURS)], DASHES[line.dashes % len(DASHES)]
        axes.plot(time[at], line.values[at], color=colour, linestyle=dashes, label=line.label)
    axes.set_title(panel.title)
    axes.set_ylabel(f"[{panel.unit}]" if panel.unit else "")
    if len(panel.lines) > 1 or (panel.lines and panel.lines[0].label):
        columns = -(-len(panel.lines) // MOST_ROWS)
        axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.02), borderaxespad=0.3, ncols=columns)


def save(figure: Any, path: str | Path, dpi: float = RC["savefig.dpi"]) -> None:
    """Write a figure as PNG without a display."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    FigureCanvasAgg(figure)
    figure.savefig(path, format="png", dpi=dpi, metadata={"Software": "fairlead"})
