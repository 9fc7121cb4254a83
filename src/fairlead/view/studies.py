"""Pictures of a study: a statistic against a parameter with its intervals, spectra, and maxima on Gumbel's paper."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from fairlead.errors import InvalidInput, Problem
from fairlead.model.messages import did_you_mean
from fairlead.results.summaries.extremes import FEWEST, gumbel
from fairlead.view.style import COLOURS, DASHES, FAINT, INK, RC

if TYPE_CHECKING:
    import xarray as xr

WIDTH, ROW, EXTRA = 8.0, 2.6, 0.9  # [inch] of a figure, of a row of axes, of title and footer
MOST_LINES = 24
REALISATION, FREQUENCY = "realisation", "frequency"
DEGREES = {"rad": "deg", "rad/s": "deg/s", "rad/s2": "deg/s2"}


class Line(NamedTuple):
    """The values of one statistic along one dimension, at a point of the others."""

    label: str
    colour: int
    dashes: int
    values: xr.DataArray


def is_study(data: Any) -> bool:
    """Return whether a Dataset is the answer of a study."""
    return "fairlead_study" in data.attrs


def draw_study(data: xr.Dataset, what: list[str] | None = None, against: str | None = None) -> Any:
    """Return a figure with a panel per statistic; of maxima over realisations a second one, on Gumbel's paper."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    names = _chosen(data, what)
    along = _along(data, against)
    panels = [(name, kind) for name in names for kind in _kinds(data, name)]
    with mpl.rc_context(RC):
        figure = Figure(figsize=(WIDTH, ROW * len(panels) + EXTRA), layout="constrained")
        grid = figure.subplots(len(panels), 1, squeeze=False)[:, 0]
        for axes, (name, kind) in zip(grid, panels):
            _PANELS[kind](axes, data[name], along)
        figure.suptitle(str(data.attrs.get("title", "")), x=0.012, ha="left", fontsize=12, fontweight="bold", color=INK)
        figure.text(0.012, 0.004, _footer(data, names, along), fontsize=7, color=FAINT, ha="left", va="bottom")
        layout: Any = figure.get_layout_engine()
        layout.set(rect=(0, 0.03, 1, 0.97), h_pad=0.06)
    return figure


def _chosen(data: xr.Dataset, what: list[str] | None) -> list[str]:
    """Return the statistics to draw: those named, those of channels named, or the first few."""
    known = [str(name) for name, one in data.data_vars.items() if "statistic" in one.attrs]
    if not what:
        return known[:4]
    found = []
    for word in what:
        fitting = [name for name in known if word in (name, data[name].attrs["channel"])]
        if not fitting:
            names = [*known, *(data[name].attrs["channel"] for name in known)]
            raise InvalidInput([Problem(f"is no statistic of this study{did_you_mean(word, names)}", word)])
        found += fitting
    return list(dict.fromkeys(found))


def _along(data: xr.Dataset, against: str | None) -> str:
    """Return the dimension to draw along: the one asked for, or the numeric one with most points."""
    dims = [str(dim) for dim in data["outcome"].dims if dim != REALISATION]
    if against is not None:
        if against not in dims:
            raise InvalidInput([Problem(f"is no parameter of this study{did_you_mean(against, dims)}", "against")])
        return against
    if not dims:
        return REALISATION
    return max(dims, key=lambda dim: (data.sizes[dim] > 1, data[dim].dtype.kind == "f", data.sizes[dim]))


def _kinds(data: xr.Dataset, name: str) -> list[str]:
    if FREQUENCY in data[name].dims:
        return ["spectrum"]
    extreme = data[name].attrs["statistic"] in ("max", "min") and data.sizes[REALISATION] >= FEWEST
    return ["means", "gumbel"] if extreme else ["means"]


def _lines(values: xr.DataArray, along: tuple[str, ...]) -> Iterator[Line]:
    """Give a line for each point of the other dimensions; the first tells colours apart, the others dashes."""
    others = [str(dim) for dim in values.dims if dim not in along and values.sizes[dim] > 1]
    values = values.isel({str(dim): 0 for dim in values.dims if dim not in (*along, *others)})
    count = 0
    for place in np.ndindex(*(values.sizes[dim] for dim in others)):
        one = values.isel(dict(zip(others, place)))
        if count >= MOST_LINES or not bool(np.isfinite(one).any()):
            continue
        count += 1
        label = ", ".join(_label(dim, values[dim].values[i]) for dim, i in zip(others, place))
        dashes = int(np.ravel_multi_index(place[1:], [values.sizes[dim] for dim in others[1:]])) if place[1:] else 0
        yield Line(label, place[0] if place else 0, dashes, one)


def _label(dim: str, value: Any) -> str:
    return f"{dim.rpartition('.')[2]} {value:g}" if isinstance(value, float) else str(value)


def _look(line: Line) -> dict[str, Any]:
    colour, dashes = COLOURS[line.colour % len(COLOURS)], DASHES[line.dashes % len(DASHES)]
    return {"color": colour, "linestyle": dashes, "label": line.label}


def _scaled(values: xr.DataArray) -> tuple[xr.DataArray, str]:
    """Return values and their unit for the eye: angles in degrees."""
    unit = str(values.attrs.get("units", ""))
    return (values.copy(data=np.degrees(values.values)), DEGREES[unit]) if unit in DEGREES else (values, unit)


def _means(axes: Any, given: xr.DataArray, along: str) -> None:
    """Draw means over realisations with their 95 % intervals."""
    from scipy.stats import t as student

    values, unit = _scaled(given)
    numbers = values[along].dtype.kind in "fi"
    for line in _lines(values, (along, REALISATION) if along != REALISATION else (REALISATION,)):
        x = np.arange(line.values.sizes[along]) if not numbers else line.values[along].values
        if along == REALISATION:
            axes.plot(x, line.values.values, marker="o", **_look(line))
            continue
        count = line.values.count(REALISATION).values
        mean = line.values.mean(REALISATION).values
        spread = line.values.std(REALISATION, ddof=1).values if (count > 1).any() else np.full(len(mean), np.nan)
        half = np.where(count > 1, student.ppf(0.975, np.maximum(count - 1, 1)) * spread / np.sqrt(count), 0.0)
        axes.errorbar(x, mean, yerr=np.nan_to_num(half), marker="o", markersize=3, capsize=2.5, **_look(line))
    if not numbers:
        axes.set_xticks(np.arange(values.sizes[along]), [str(one) for one in values[along].values])
    _finish(axes, str(given.name), along, unit)


def _spectrum(axes: Any, given: xr.DataArray, along: str) -> None:
    """Draw spectra, their mean over realisations, on a logarithmic scale."""
    for line in _lines(given.mean(REALISATION), (FREQUENCY,)):
        axes.semilogy(line.values[FREQUENCY], line.values, **_look(line))
    _finish(axes, str(given.name), "frequency [Hz]", str(given.attrs.get("units", "")))


def _gumbel(axes: Any, given: xr.DataArray, along: str) -> None:
    """Draw the extremes of realisations against -ln(-ln p), where Gumbel's law is a straight line, with its fit."""
    values, unit = _scaled(given)
    sign = -1.0 if given.attrs["statistic"] == "min" else 1.0
    for line in _lines(values, (REALISATION,)):
        seen = np.sort(sign * line.values.values[np.isfinite(line.values.values)])
        if len(seen) < FEWEST:
            continue
        y = -np.log(-np.log(np.arange(1, len(seen) + 1) / (len(seen) + 1)))
        look = _look(line)
        axes.plot(y, sign * seen, "o", markersize=3, color=look["color"], label=look["label"])
        law = gumbel(seen).parameters
        if math.isfinite(law["scale"]):
            ends = np.array([y[0], y[-1] + 1.0])
            axes.plot(
                ends, sign * (law["location"] + law["scale"] * ends), color=look["color"], linestyle=look["linestyle"]
            )
    _finish(axes, f"{given.name}, Gumbel's law", "-ln(-ln p)", unit)


def _finish(axes: Any, title: str, along: str, unit: str) -> None:
    axes.set_title(title.replace("_", " "))
    axes.set_xlabel(along)
    axes.set_ylabel(f"[{unit}]" if unit else "")
    labels = [label for label in axes.get_legend_handles_labels()[1] if label]
    if labels:
        columns = -(-len(labels) // 9)
        axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.02), borderaxespad=0.3, ncols=columns)


_PANELS = {"means": _means, "spectrum": _spectrum, "gumbel": _gumbel}


def _footer(data: xr.Dataset, names: list[str], along: str) -> str:
    done, cases = int((data["outcome"] == "done").sum()), int((data["outcome"] != "none").sum())
    bars = "; bars: 95 % of the mean over realisations" if data.sizes[REALISATION] > 1 else ""
    lines = math.prod(size for dim, size in data[names[0]].sizes.items() if dim not in (along, REALISATION, FREQUENCY))
    more = f"; {MOST_LINES} of {lines} lines" if lines > MOST_LINES else ""
    version = data.attrs.get("fairlead_version", "")
    return f"{done} of {cases} cases, {data.sizes[REALISATION]} realisations{bars}{more}; Fairlead {version}"
