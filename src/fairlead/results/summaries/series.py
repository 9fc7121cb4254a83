"""Series of a result by name: channels of `fl.channels`, by our name or OpenFAST's, or one number of a variable."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from fairlead.errors import InvalidInput, Problem
from fairlead.model.messages import did_you_mean
from fairlead.results.channels.channels import channels as channels_of
from fairlead.results.channels.names import CHANNELS

if TYPE_CHECKING:
    import xarray as xr

Array = npt.NDArray[np.float64]
# What of a machine need not be found where no channel asked for needs it: the argument, and how names of its begin.
PARTS = {"blades": ("blade_", "Root", "BldPitch"), "lines": ("line_", "FairTen", "AnchTen")}


class Series(NamedTuple):
    """One number over time: its values, their unit, what it is."""

    values: Array
    units: str
    long_name: str = ""
    openfast_name: str = ""


def series_of(data: xr.Dataset, names: str | Iterable[str] | None = None) -> dict[str, Series]:
    """Return series of a result by name, every channel unless names are given; InvalidInput says what is unknown.

    A name is a channel, `pitch` or `PtfmPitch`, or a variable and its labels, `position:tower:z`,
    `joint_rate:yaw.angle`, `tension:line 3`. All values are in SI, also under a name of OpenFAST's.
    """
    if names is None:
        return _all(data)
    wanted = [names] if isinstance(names, str) else list(names)
    found, problems = _channels(data, wanted), []
    picked: dict[str, Series] = {}
    for name in wanted:
        try:
            picked[name] = found[name] if name in found else _of_variable(data, name, found)
        except InvalidInput as error:
            problems += error.problems
    if problems:
        raise InvalidInput(problems)
    return picked


def _all(data: xr.Dataset) -> dict[str, Series]:
    """Return every channel by our name, or where the bodies are where there is no platform, and joint coordinates."""
    names = ["joint_position", "joint_rate"]
    try:
        found = {name: one for name, one in _named(channels_of(data)).items() if name != one.openfast_name}
    except InvalidInput:
        found, names = {}, ["position", *names]
    for name in names:
        if name in data.variables and data[name].size:
            found |= {text: _of_variable(data, text, {}) for text in _texts(data[name], name)}
    return found


def _texts(variable: xr.DataArray, name: str) -> list[str]:
    labels = [[str(label) for label in variable[dim].values] for dim in variable.dims[1:]]
    places = np.ndindex(*variable.shape[1:])
    return [":".join([name, *(label[i] for label, i in zip(labels, place))]) for place in places]


def is_channel(name: str) -> bool:
    """Return whether a name is one that a channel may have, here or in OpenFAST; numbered ones are listed with #."""
    spelt = {name, re.sub("[0-9]+", "#", name), re.sub("_[0-9]+$", "", name)}
    return not spelt.isdisjoint({*CHANNELS, *(row.openfast_name for row in CHANNELS.values() if row.openfast_name)})


def _channels(data: xr.Dataset, wanted: list[str]) -> dict[str, Series]:
    """Return the channels of a result if any is wanted; parts of the machine that none needs are not looked for."""
    if not any(is_channel(name) for name in wanted):
        return {}
    spared = {part: False for part, begins in PARTS.items() if not any(name.startswith(begins) for name in wanted)}
    return _named(channels_of(data, **spared))  # type: ignore[arg-type]


def _named(found: xr.Dataset) -> dict[str, Series]:
    """Return channels by both of their names."""
    named = {}
    for name, variable in found.data_vars.items():
        said: dict[str, Any] = variable.attrs
        values = np.ascontiguousarray(variable.values, dtype=float)  # strided sums round otherwise
        one = Series(values, said["units"], said.get("long_name", ""), said.get("openfast_name", ""))
        named[str(name)] = one
        if one.openfast_name:
            named.setdefault(one.openfast_name, one)
    return named


def _of_variable(data: xr.Dataset, text: str, found: dict[str, Series]) -> Series:
    name, *labels = [part.strip() for part in text.split(":")]
    if name not in data.variables or data[name].dims[:1] != ("time",):
        over_time = [str(key) for key in data if data[key].dims[:1] == ("time",)]
        hint = did_you_mean(name, [*found, *over_time, *([] if found else CHANNELS)])
        raise InvalidInput([Problem(f"there is no channel or variable over time of that name{hint}", text)])
    picked = data[name]
    for label in labels:
        dims = [dim for dim in picked.dims[1:] if label in picked[dim].values.astype(str)]
        if not dims:
            known = [str(value) for dim in picked.dims[1:] for value in picked[dim].values]
            raise InvalidInput([Problem(f"there is no '{label}' here{did_you_mean(label, known)}", text)])
        picked = picked.sel({dims[0]: label})
    if picked.ndim > 1:
        examples = ", ".join(_texts(data[name], name)[:2])
        raise InvalidInput([Problem(f"is more than one series; name one, for example {examples}", text)])
    said = f"{data[name].attrs.get('long_name', name)} of {' '.join(labels)}" if labels else ""
    values = np.ascontiguousarray(picked.values, dtype=float)
    return Series(values, _unit(picked), said or str(picked.attrs.get("long_name", "")))


def _unit(picked: xr.DataArray) -> str:
    """Return the unit of one series; a joint coordinate is an angle or a length."""
    unit = str(picked.attrs.get("units", ""))
    if " or " in unit and "coordinate_kind" in picked.coords:
        return unit.split(" or ")[0 if str(picked.coords["coordinate_kind"].values) == "angle" else 1]
    return unit
