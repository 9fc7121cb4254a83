"""Pictures of chosen channels: one against another, several runs over one another or subtracted, spectra, phase."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from fairlead.errors import InvalidInput, Problem
from fairlead.results.summaries.series import Series, series_of
from fairlead.results.summaries.spectra import even_part, welch
from fairlead.results.transient import settled_part
from fairlead.view.panels import DEGREES
from fairlead.view.style import COLOURS, DASHES, FAINT, INK, RC

if TYPE_CHECKING:
    import xarray as xr

Array = npt.NDArray[np.float64]
MOST = 8  # panels unless channels are named
SIX = ("surge", "sway", "heave", "roll", "pitch", "yaw")
LEAST = 1e-4  # of the variance, beyond which a spectrum is not shown


@dataclass
class Wanted:
    """The wish for a picture that compares: channels, what they are drawn against, and how."""

    names: list[str]
    against: str | None = None
    difference: bool = False
    spectrum: bool = False
    phase: bool = False


def compared(runs: list[xr.Dataset], names: list[str], wanted: Wanted, foot: str) -> Any:
    """Return a figure with a panel per channel, the runs over one another."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    _fitting(runs, wanted)
    picked = wanted.names or default_names(runs[0])
    with mpl.rc_context(RC):
        square = bool(wanted.against or wanted.phase)
        columns = min(len(picked), 2) if square else 1
        rows = -(-len(picked) // columns)
        size = (4.2 * columns + 0.6, 3.5 * rows + 0.7) if square else (8.0, 1.9 * rows + 1.0)
        figure = Figure(figsize=size, layout="constrained")
        grid = figure.subplots(rows, columns, squeeze=False).ravel()
        for axes, name in zip(grid, picked):
            for number, run in enumerate(runs):
                _draw(axes, run, runs[0], name, wanted, number, names[number] if len(runs) > 1 else "")
            axes.set_title(_title(name, wanted))
            if len(runs) > 1:
                axes.legend()
        for axes in grid[len(picked) :]:
            axes.set_axis_off()
        figure.suptitle(str(runs[0].attrs.get("title", "")), x=0.012, ha="left", fontsize=12, color=INK)
        figure.text(0.012, 0.004, foot, fontsize=7, color=FAINT, ha="left", va="bottom")
        layout: Any = figure.get_layout_engine()
        layout.set(rect=(0, 0.02, 1, 0.98))
    return figure


def _fitting(runs: list[xr.Dataset], wanted: Wanted) -> None:
    """Raise InvalidInput if what is asked for does not go together."""
    ways = [name for name in ("against", "spectrum", "phase") if getattr(wanted, name)]
    if len(ways) > 1:
        raise InvalidInput([Problem(f"does not go with {ways[1]}; keep one of them", ways[0])])
    if wanted.difference and len(runs) < 2:
        raise InvalidInput(
            [Problem("needs two or more results; the first is subtracted from the others", "difference")]
        )
    if wanted.difference and ways:
        raise InvalidInput([Problem(f"is over time; it does not go with {ways[0]}", "difference")])


def default_names(data: xr.Dataset) -> list[str]:
    """Return what to draw unless told: surge to yaw of what floats, else coordinates, else where bodies are."""
    lines = "tension" in data.variables and bool(np.isfinite(data["tension"].values).any())
    if "wave_elevation" in data.variables or lines:
        try:
            found = series_of(data, list(SIX))
            return [name for name in SIX if np.ptp(found[name].values) > 0]
        except InvalidInput:
            pass
    names = []
    if data.sizes.get("coordinate"):
        values = data["joint_position"].values
        names = [f"joint_position:{n}" for i, n in enumerate(data["coordinate"].values) if np.ptp(values[:, i]) > 0]
    if not names:
        names = [f"position:{body}:{axis}" for body in data["body"].values for axis in "xyz"]
        found = series_of(data, names)
        names = [name for name in names if np.ptp(found[name].values) > 0] or names
    return names[:MOST]


def shown(one: Series) -> tuple[Array, str]:
    """Return values and unit as they are drawn: angles in degrees."""
    unit, convert = DEGREES.get(one.units, (one.units, None))
    return (np.asarray(convert(one.values)) if convert else one.values), unit


def _one(data: xr.Dataset, name: str) -> Series:
    return series_of(data, name)[name]


def _draw(axes: Any, run: xr.Dataset, first: xr.Dataset, name: str, wanted: Wanted, number: int, label: str) -> None:
    style = {"color": COLOURS[number % len(COLOURS)], "linestyle": DASHES[number % len(DASHES)], "label": label or None}
    time = run["time"].values
    if wanted.spectrum:
        settled = settled_part(run)
        values, unit = shown(_one(settled, name))
        index = even_part(settled["time"].values)
        if index is None:
            raise InvalidInput([Problem("instants are uneven, so there is no spectrum; record with an interval", name)])
        frequency, density = welch(settled["time"].values[index], values[index], None)
        share = np.cumsum(density) / max(float(density.sum()), 1e-300)
        last = max(int(np.searchsorted(share, 1 - LEAST)) + 2, 12)
        axes.plot(frequency[:last], density[:last], **style)
        axes.set(xlabel="frequency [Hz]", ylabel=f"[({unit})²/Hz]")
        return
    if wanted.phase:
        position, rate = _phase_of(name)
        (x, unit), (y, other) = shown(_one(run, position)), shown(_one(run, rate))
        axes.plot(x, y, **style)
        axes.set(xlabel=f"{_short(name)} [{unit}]", ylabel=f"its rate [{other}]")
        return
    values, unit = shown(_one(run, name))
    if wanted.against:
        x, other = shown(_one(run, wanted.against))
        axes.plot(x, values, **style)
        axes.set(xlabel=f"{_short(wanted.against)} [{other}]", ylabel=f"[{unit}]")
        return
    if wanted.difference:
        if number == 0:
            return
        base, _ = shown(_one(first, name))
        values = values - np.interp(time, first["time"].values, base, left=np.nan, right=np.nan)
    axes.plot(time, values, **style)
    axes.set(xlabel="time [s]", ylabel=f"[{unit}]", xlim=(float(time[0]), float(time[-1])))


def _phase_of(name: str) -> tuple[str, str]:
    """Return the names of a coordinate and of its rate, for a channel, a joint coordinate or a component of a place."""
    word, _, rest = name.partition(":")
    if word in ("position", "joint_position"):
        rate = {"position": "velocity", "joint_position": "joint_rate"}[word]
        return name, f"{rate}:{rest}"
    if word in SIX:
        return word, f"{word}_velocity" if word in SIX[:3] else f"{word}_rate"
    if not rest and "." in word:
        return f"joint_position:{word}", f"joint_rate:{word}"
    raise InvalidInput([Problem("has no rate here; name a coordinate such as pin.angle, position:a:z or pitch", name)])


def _title(name: str, wanted: Wanted) -> str:
    start = {"difference": "difference of ", "spectrum": "spectrum of "}
    return next((text for way, text in start.items() if getattr(wanted, way)), "") + _short(name)


def _short(name: str) -> str:
    return name.replace("joint_position:", "").replace(":", " ").replace("_", " ")


def as_names(what: str | Iterable[str] | None) -> list[str]:
    """Return the channels asked for as a list."""
    return [] if what is None else [what] if isinstance(what, str) else list(what)
