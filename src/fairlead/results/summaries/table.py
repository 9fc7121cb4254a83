"""Statistics for reading: a table for people, plain data for machines."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from fairlead.results.summaries.words import STATISTICS, attributes_of

if TYPE_CHECKING:
    import xarray as xr

SHOWN = ("mean", "std", "min", "max", "mean_crossing_period", "peak_period")
HEADS = ("mean", "std", "min", "max", "crossings [s]", "peak [s]")


def table(found: xr.Dataset) -> str:
    """Return the main statistics of every channel in columns, then the extremes beyond the record."""
    extra = [str(name) for name in found.data_vars if str(name).endswith("_extreme")]
    damage = found.get("damage_equivalent")
    heads = [*HEADS, *(name.replace("_", " ") for name in extra)]
    heads += [f"range m={float(m):g}" for m in damage["exponent"].values] if damage is not None else []
    rows = [["channel", *heads]]
    for i, name in enumerate(found["channel"].values):
        numbers = [float(found[word].values[i]) for word in (*SHOWN, *extra)]
        numbers += [float(one) for one in damage.values[i]] if damage is not None else []
        rows.append([f"{name} [{found['units'].values[i]}]", *(_text(one) for one in numbers)])
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = [
        row[0].ljust(widths[0]) + "".join(f"  {text:>{w}}" for text, w in zip(row[1:], widths[1:])) for row in rows
    ]
    said = found.attrs
    lines.append(f"\n{said['instants']} instants from t = {said['begin']:g} s to {said['end']:g} s")
    return "\n".join(lines)


def _text(number: float) -> str:
    return "-" if math.isnan(number) else f"{number:.5g}"


def plain(found: xr.Dataset) -> dict[str, Any]:
    """Return statistics as plain data: by channel, each number with its unit; nan becomes None."""
    channels = {}
    for i, name in enumerate(found["channel"].values):
        unit = str(found["units"].values[i])
        said: dict[str, Any] = {"units": unit}
        for word in map(str, found.data_vars):
            variable = found[word]
            if variable.dims == ("channel",):
                said[word] = {"value": _number(variable.values[i]), "units": _units(word, unit, variable)}
            elif word != "spectrum":
                labels = variable[variable.dims[1]].values
                values = {f"{float(label):g}": _number(value) for label, value in zip(labels, variable.values[i])}
                said[word] = {"value": values, "units": _units(word, unit, variable)}
        channels[str(name)] = said
    return {"channels": channels, **{name: _plain(value) for name, value in found.attrs.items()}}


def _units(word: str, unit: str, variable: Any) -> str:
    if word in STATISTICS:
        return attributes_of(word, unit)["units"]
    return unit if variable.attrs["units"] == "channel's unit" else str(variable.attrs["units"])


def _number(value: Any) -> float | None:
    return float(value) if math.isfinite(value) else None


def _plain(value: Any) -> Any:
    return value.item() if hasattr(value, "item") else value
