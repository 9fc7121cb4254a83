"""Panels of labelled lines taken from a result, with their units, before anything is drawn."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from fairlead.errors import InvalidInput
from fairlead.model.messages import did_you_mean
from fairlead.results.channels.channels import channels
from fairlead.results.channels.names import CHANNELS

if TYPE_CHECKING:
    import xarray as xr

Array = npt.NDArray[np.float64]
MOST_BODIES = 3
INTERFACE = "exchange_interface_energy"
DEGREES = {"rad": ("deg", np.degrees), "rad/s": ("deg/s", np.degrees), "rad/s2": ("deg/s2", np.degrees)}
SINGULAR = np.radians(80)  # middle angle beyond which the other two turn wildly
VECTORS = ("xyz", "wxyz")
SHORT = {
    "position": "Mass centre",
    "velocity": "Velocity of the mass centre",
    "acceleration": "Acceleration of the mass centre",
    "euler123": "Attitude (1-2-3 angles)",
    "angular_velocity": "Angular velocity (body axes)",
    "angular_acceleration": "Angular acceleration (body axes)",
    "joint_position": "Joint coordinates",
    "joint_rate": "Joint rates",
}
CHANNEL_WORDS = {*CHANNELS, *(row.openfast_name for row in CHANNELS.values() if row.openfast_name)}
ANGLES = {"x": "about 1", "y": "about 2", "z": "about 3"}


@dataclass
class Line:
    """One curve: its label, its values over time, its colour (0, 1, 2 are x, y, z, -1 black) and dashes by number."""

    label: str
    values: Array
    colour: int
    dashes: int = 0


@dataclass
class Panel:
    """One pair of axes."""

    title: str
    unit: str
    lines: list[Line] = field(default_factory=list)


def default_panels(data: xr.Dataset) -> list[Panel]:
    """Return the panels that suit any result: how the base moves and turns, and what momentum or energy do."""
    if afloat := _afloat(data):
        return [*afloat, balance(data)]
    bodies = _bodies_shown(data)
    motion = []
    names = {"position": "Displacement{} (mass centre, from the start)", **_attitude(data, bodies)}
    for name, title in (names | {"angular_velocity": "Angular velocity{} (body axes)"}).items():
        whose = f" of {bodies[0]}" if len(bodies) == 1 and data.sizes["body"] > 1 else ""
        panel = Panel(title.format(whose), "")
        for number, body in enumerate(bodies):
            _add(panel, name, data[name].sel(body=body), body if len(bodies) > 1 else "", number)
        motion.append(panel)
    for line in motion[0].lines:  # what matters is how far it goes, not where the drawing has it
        line.values = line.values - line.values[0]
    motion = [panel for panel in motion if any(np.ptp(line.values) > 0 for line in panel.lines)] or motion[:1]
    return [*motion, balance(data), *([interface(data)] if INTERFACE in data else [])]


def interface(data: xr.Dataset) -> Panel:
    """Return the energy that the exchange with each partner created, on straight lines between the exchanges."""
    panel = Panel("Energy that the coupling created", str(data[INTERFACE].attrs.get("units", "")))
    whose = data["exchange_partner"].values.astype(str)
    for number, name in enumerate(dict.fromkeys(whose.tolist())):
        at, values = (data[one].values[whose == name] for one in ("exchange_time", INTERFACE))
        panel.lines.append(Line(name, np.interp(data["time"].values, at, values), number))
    return panel


def _afloat(data: xr.Dataset) -> list[Panel]:
    """Return surge to yaw, waves and tensions of what floats on lines or in waves; nothing of others."""
    lines = "tension" in data.variables and bool(np.isfinite(data["tension"].values).any())
    if "wave_elevation" not in data.variables and not (lines and "thrust" in data.variables):
        return []
    try:
        found = channels(data, tower_top=False, spin=False, blades=False)
    except InvalidInput:
        return []
    tensions = [str(name) for name in found if str(name).startswith("line_")]
    groups = {
        "Platform displacement": ("surge", "sway", "heave"),
        "Platform attitude": ("roll", "pitch", "yaw"),
        "Waves at the origin": ("wave_elevation",),
        "Tension at the fairleads": tensions,
    }
    panels = []
    for title, names in groups.items():
        panel = Panel(title, "")
        for number, name in enumerate(one for one in names if one in found and np.any(found[one].values)):
            unit, convert = DEGREES.get(str(found[name].attrs["units"]), (str(found[name].attrs["units"]), None))
            values = found[name].values
            label = name.replace("_", " ").removesuffix(" tension") if len(names) > 1 else ""
            panel.unit = unit
            panel.lines.append(Line(label, np.asarray(convert(values) if convert else values), number))
        panels += [panel] if panel.lines else []
    return panels


def _attitude(data: xr.Dataset, bodies: list[str]) -> dict[str, str]:
    """Return how to show attitude: by angles, unless they come near their singular attitude, where they mislead."""
    middle = data["euler123"].sel(body=bodies, xyz="y").values
    if len(middle) and np.nanmax(np.abs(middle)) > SINGULAR:
        return {"orientation": "Attitude{} (unit quaternion)"}
    return {"euler123": "Attitude{} (1-2-3 angles)"}


def _bodies_shown(data: xr.Dataset) -> list[str]:
    """Return the first body of each tree: those that no joint carries, and the first body where all are carried."""
    carried = set(data["joint_child"].values.tolist()) if "joint_child" in data.coords else set()
    names = [str(name) for name in data["body"].values]
    return ([name for name in names if name not in carried] or names[:1])[:MOST_BODIES]


def balance(data: xr.Dataset) -> Panel:
    """Return the energy balance, or the drift of the momentum where nothing does work."""
    start = float(data["kinetic_energy"][0] + data["potential_energy"][0])
    kinetic, potential = data["kinetic_energy"].values, data["potential_energy"].values
    work = _work(data)
    moves = np.ptp(kinetic) > 1e-9 * max(abs(start), float(np.abs(kinetic).max()))
    if not moves and not np.any(work):
        return _momentum_drift(data)
    panel = Panel("Energy since the start", str(data["kinetic_energy"].attrs.get("units", "J")))
    panel.lines.append(Line("kinetic", kinetic - kinetic[0], 0))
    if np.any(potential):
        panel.lines.append(Line("potential", potential - potential[0], 1))
    if np.any(work):
        panel.lines.append(Line("work of loads and drivers", work, 6, 1))
    panel.lines.append(Line("balance", kinetic + potential - start - work, 2))
    return panel


def _work(data: xr.Dataset) -> Array:
    total = np.zeros(data.sizes["time"])
    for name in ("load_work", "driver_work"):
        if name in data and data[name].ndim == 2 and data[name].shape[1]:
            total = total + data[name].values.sum(axis=1)
    return total


def _momentum_drift(data: xr.Dataset) -> Panel:
    panel = Panel("Drift of the angular momentum", str(data["angular_momentum"].attrs.get("units", "")))
    values = data["angular_momentum"].values
    for i, axis in enumerate(data["xyz"].values):
        panel.lines.append(Line(str(axis), values[:, i] - values[0, i], i))
    return panel


def chosen_panels(data: xr.Dataset, what: str | Iterable[str]) -> list[Panel]:
    """Return one panel per word: a variable, or `variable:name` for one body, joint, coordinate, load or axis.

    Further names narrow it down, as in `position:tower:z`. A word may be a channel of `fl.channels`, by our name or
    OpenFAST's.
    """
    words = [what] if isinstance(what, str) else list(what)
    names = {word.partition(":")[0].strip() for word in words}
    if any(_is_channel(name) for name in names - {str(name) for name in data}):
        data = _with_channels(data)
    return [
        interface(data) if word == "interface_energy" and INTERFACE in data else _chosen(data, word) for word in words
    ]


def _is_channel(name: str) -> bool:
    """Return whether a name is that of a channel; those that are several are listed with # for the number."""
    return not CHANNEL_WORDS.isdisjoint({name, re.sub("[0-9]+", "#", name)})


def _with_channels(data: xr.Dataset) -> xr.Dataset:
    """Return a result with its channels beside its variables, each by our name and by OpenFAST's."""
    found = channels(data)
    fresh = {str(name): found[name] for name in found.data_vars if name not in data}
    for variable in found.data_vars.values():
        if "openfast_name" in variable.attrs:
            fresh[str(variable.attrs["openfast_name"])] = variable
    return data.assign({name: variable.drop_vars("time") for name, variable in fresh.items()})


def _chosen(data: xr.Dataset, word: str) -> Panel:
    name, *names = [part.strip() for part in word.split(":")]
    if name not in data or "time" not in data[name].dims:
        known = sorted(str(key) for key in data if "time" in data[key].dims)
        hint = did_you_mean(name, [*known, *CHANNELS])
        listed = "" if hint.startswith("; did") else f"; there are {', '.join(known)}, and channels like surge"
        raise InvalidInput(f"there is no '{name}' over time in this result{listed or hint}")
    picked = data[name]
    for part in names:
        picked = _narrowed(picked, part, word)
    panel = Panel(" · ".join([SHORT.get(name, name[:1].upper() + name[1:].replace("_", " ")), *names]), "")
    dims = [str(dim) for dim in picked.dims if dim not in ("time", *VECTORS)]
    for number, label in enumerate(_labels(picked, dims)):
        _add(panel, name, picked.sel(label), " ".join(label.values()), number)
    return panel


def _narrowed(picked: xr.DataArray, part: str, word: str) -> xr.DataArray:
    for dim in picked.dims:
        if dim != "time" and dim in picked.coords and part in [str(value) for value in picked[dim].values]:
            return picked.sel({dim: part})
    known = [str(v) for dim in picked.dims if dim != "time" and dim in picked.coords for v in picked[dim].values]
    close = did_you_mean(part, known)
    if close.startswith("; did"):
        raise InvalidInput(f"'{part}' in '{word}' is not known{close}")
    raise InvalidInput(f"'{part}' in '{word}' is not known; there are {', '.join(known) or 'no names to choose from'}")


def _labels(picked: xr.DataArray, dims: list[str]) -> list[dict[str, str]]:
    labels: list[dict[str, str]] = [{}]
    for dim in dims:
        labels = [{**label, dim: str(value)} for label in labels for value in picked[dim].values]
    return labels


def _add(panel: Panel, name: str, picked: xr.DataArray, prefix: str, number: int) -> None:
    """Add the components of a variable over time to a panel, angles unwrapped and in degrees."""
    unit, values = _in_degrees(name, picked)
    if unit not in panel.unit.split(" and "):
        panel.unit = f"{panel.unit} and {unit}" if panel.lines else unit
    axis = next((str(dim) for dim in picked.dims if dim in VECTORS), None)
    if axis is None:
        panel.lines.append(Line(prefix, values, number))
        return
    for i, component in enumerate(picked[axis].values):
        word = ANGLES.get(str(component), "") if name == "euler123" else str(component)
        panel.lines.append(Line(f"{prefix} {word}".strip(), values[:, i], "xyz".find(str(component)), number))


def _in_degrees(name: str, picked: xr.DataArray) -> tuple[str, Array]:
    unit, values = str(picked.attrs.get("units", "")), picked.values
    if " or " in unit and "coordinate_kind" in picked.coords:  # a joint coordinate is an angle or a length
        unit = unit.split(" or ")[0 if str(picked.coords["coordinate_kind"].values) == "angle" else 1]
    if name == "euler123":
        values = np.unwrap(values, axis=0)
    given, convert = DEGREES.get(unit, (unit, None))
    return given, np.asarray(convert(values) if convert else values)


def footer(data: xr.Dataset, verdict: Any = None) -> str:
    """Return one line on how the result came about, with the audit's verdict if there is one."""
    said = data.attrs
    parts = [f"formulation {said['formulation']}"] if "formulation" in said else []
    parts += [f"integrator {said['integrator']}"] if "integrator" in said else []
    parts += [f"dt {float(said['step']):g} s"] if "step" in said else []
    parts += [f"status {said['status']}"] if said.get("status", "complete") != "complete" else []
    if verdict is not None:
        text = verdict if isinstance(verdict, str) else "passed" if getattr(verdict, "passed", verdict) else "FAILED"
        parts.append(f"audit {text}")
    version = f"fairlead {said['fairlead_version']}" if "fairlead_version" in said else "fairlead"
    return " · ".join([*parts, version])
