"""Internal loads in a few figures: the largest force and moment of each joint, when, and what is not determined."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import xarray as xr

UNITS = {"force": "N", "moment": "N m"}
UNBALANCED = 1e-6  # of the largest force; more is said in words


def figures(found: xr.Dataset) -> dict[str, Any]:
    """Return per joint the largest force and moment with their times, as plain numbers and texts ready for JSON."""
    every = found if "joint" in found.dims else found.expand_dims("joint", axis=1)
    joints = {}
    for name in every["joint"].values:
        one = every.sel(joint=name)
        joints[str(name)] = {what: _largest(one, what) for what in UNITS}
    said = {name: str(found.attrs.get(name, "")) for name in ("axes", "route", "undetermined")}
    return {"joints": joints, **said, "imbalance": float(found["imbalance"].max()), "units": UNITS}


def _largest(one: xr.Dataset, what: str) -> dict[str, Any]:
    values = one[what].values
    size = np.linalg.norm(values, axis=-1)
    at = int(np.argmax(size))
    chosen = {"size": float(size[at]), "time": float(one["time"].values[at]), "components": values[at].tolist()}
    if f"{what}_error" in one:
        chosen["error"] = float(one[f"{what}_error"].max())
    return chosen | {"determined": one[f"{what}_determined"].all("time").values.tolist()}


def table(found: xr.Dataset) -> str:
    """Return the figures as plain text."""
    given = figures(found)
    differentiated = given["route"] == "differentiated"
    width = max(5, *(len(name) for name in given["joints"]))
    head = f"{'joint':{width}}"
    for what, unit in UNITS.items():
        head += f"  {f'{what} [{unit}]':>13}  {'at t [s]':>10}" + ("  error up to" if differentiated else "")
    lines = [head]
    for name, joint in given["joints"].items():
        line = f"{name:{width}}"
        for what in UNITS:
            mark = " " if all(joint[what]["determined"]) else "*"
            line += f"  {joint[what]['size']:12.6g}{mark}  {joint[what]['time']:>10.6g}"
            line += f"  {joint[what]['error']:>11.2e}" if differentiated else ""
        lines.append(line)
    lines.append(f"largest on the child at the joint; accelerations {given['route']}")
    if given["undetermined"]:
        lines.append(f"* not determined by rigid bodies, given with least norm ({given['axes']} axes):")
        lines += [f"  {text}" for text in given["undetermined"].split("; ")]
    largest = max(joint["force"]["size"] for joint in given["joints"].values())
    if given["imbalance"] > UNBALANCED * max(largest, 1e-300):
        lines.append(f"note: {given['imbalance']:.3g} N is balanced by nothing; are all loads in the record?")
    return "\n".join(lines)
