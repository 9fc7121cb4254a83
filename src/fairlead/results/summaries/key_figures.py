"""The three figures of a run that matter most, one sentence each: how far, how fast or how loaded."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from fairlead.results.channels.motion import roll_pitch_yaw, rotation

if TYPE_CHECKING:
    import xarray as xr

MOST = 3
LEAST = 1e-4  # [deg], [m]: below it a body neither leans nor drifts
PREFIXES = ((1e9, "G"), (1e6, "M"), (1e3, "k"), (1.0, ""))


def key_figures(data: xr.Dataset) -> list[str]:
    """Return up to three sentences: lean and drift of what floats, tension, range and reaction of joints, speed."""
    found: list[str] = []
    if not data.sizes.get("time") or not data.sizes.get("body"):
        return found
    carried = {str(name) for name in data["joint_child"].values} if "joint_child" in data.coords else set()
    floating = [str(name) for name in data["body"].values if str(name) not in carried]
    if floating and ("wave_elevation" in data.variables or _tension(data) is not None):
        found += _leans(data, floating[0])
    tension = _tension(data)
    if tension is not None:
        found.append(tension)
    if data.sizes.get("coordinate"):
        found += _turns(data)
    if data.sizes.get("joint"):
        found += _reaction(data)
    found.append(_speed(data))
    return found[:MOST]


def amount(value: float, unit: str) -> str:
    """Return an amount in four digits, forces and moments with the prefix that suits them."""
    if unit in ("N", "N m", "W"):
        factor, prefix = next(((f, p) for f, p in PREFIXES if abs(value) >= f), (1.0, ""))
        return f"{value / factor:.4g} {prefix}{unit}"
    return f"{value:.4g} {unit}"


def _time(data: xr.Dataset, row: int) -> str:
    return f"at t = {float(data['time'][row]):.6g} s"


def _leans(data: xr.Dataset, body: str) -> list[str]:
    up = np.degrees(np.arccos(np.clip(rotation(data, body)[:, 2, 2], -1, 1)))
    row = int(np.nanargmax(up))
    place = data["position"].sel(body=body).values
    away = np.linalg.norm((place - place[0])[:, :2], axis=1)
    far = int(np.nanargmax(away))
    pitch = np.degrees(roll_pitch_yaw(rotation(data, body))[:, 1])
    found = []
    if up[row] > LEAST:
        lean = f"'{body}' leans by up to {amount(float(up[row]), 'deg')} {_time(data, row)}"
        found.append(f"{lean}, pitch {pitch.min() + 0.0:.3g} to {pitch.max() + 0.0:.3g} deg")
    if away[far] > LEAST:
        found.append(f"the mass centre of '{body}' drifts by up to {amount(float(away[far]), 'm')} {_time(data, far)}")
    return found


def _tension(data: xr.Dataset) -> str | None:
    if "tension" not in data.variables or not np.isfinite(data["tension"].values).any():
        return None
    values = data["tension"].values
    row, line = np.unravel_index(int(np.nanargmax(values)), values.shape)
    name = str(data["load"].values[line]).partition("@")[0]
    return f"highest tension {amount(float(values[row, line]), 'N')} in '{name}' {_time(data, int(row))}"


def _turns(data: xr.Dataset) -> list[str]:
    """Return the range of the free coordinate that moves most, angles before lengths."""
    roles, kinds = (data[name].values.astype(str) for name in ("coordinate_role", "coordinate_kind"))
    values = data["joint_position"].values
    for kind, unit, factor in (("angle", "deg", 180 / np.pi), ("length", "m", 1.0)):
        rows = [i for i in range(len(roles)) if roles[i] == "free" and kinds[i] == kind]
        spans = [float(np.ptp(values[:, i])) for i in rows]
        if spans and max(spans) > 1e-9:
            i = rows[int(np.argmax(spans))]
            low, high = (factor * end(values[:, i]) + 0.0 for end in (np.min, np.max))  # never -0
            return [f"'{data['coordinate'].values[i]}' moves from {low:.4g} to {high:.4g} {unit}"]
    return []


def _reaction(data: xr.Dataset) -> list[str]:
    force = np.linalg.norm(data["joint_force"].values, axis=2)
    if not np.nanmax(force, initial=0.0) > 0:
        return []
    row, joint = np.unravel_index(int(np.nanargmax(force)), force.shape)
    name = data["joint"].values[joint]
    return [f"largest reaction {amount(float(force[row, joint]), 'N')} through '{name}' {_time(data, int(row))}"]


def _speed(data: xr.Dataset) -> str:
    velocity: Any = data["velocity"].values
    speed = np.linalg.norm(velocity, axis=2)
    row, body = np.unravel_index(int(np.nanargmax(speed)), speed.shape)
    return f"fastest is '{data['body'].values[body]}', {amount(float(speed[row, body]), 'm/s')} {_time(data, int(row))}"
