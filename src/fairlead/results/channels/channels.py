"""The channels offshore-wind users know, from any result, with OpenFAST's names as attributes."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from fairlead.errors import InvalidInput
from fairlead.results.channels.loads import joint_angle, put_blade, put_rotor_joint, put_tower_top
from fairlead.results.channels.machine import Machine, find_machine
from fairlead.results.channels.motion import angle_rates, point_in_body, point_motion, roll_pitch_yaw, rotation
from fairlead.results.channels.names import CHANNELS, OF_LOADS
from fairlead.results.channels.rows import ChannelRows
from fairlead.results.reading import open_data

if TYPE_CHECKING:
    import xarray as xr

Array = npt.NDArray[np.float64]
NEEDED = ("time", "position", "orientation")
LINEAR, ANGULAR = ("surge", "sway", "heave"), ("roll", "pitch", "yaw")


def channels(
    data: Any,
    platform: str | None = None,
    reference: Any = (0.0, 0.0, 0.0),
    *,
    origin: Any = (0.0, 0.0, 0.0),
    tower_top: str | bool | None = None,
    spin: str | bool | None = None,
    blades: Sequence[str] | bool | None = None,
    lines: Sequence[str] | bool | None = None,
) -> xr.Dataset:
    """Return platform motions, tower-top and blade-root loads, line tensions, waves, wind and rotor over time.

    `data` is a Dataset, a run directory or a file. `reference` is a point of the drawing, fixed in the platform; its
    world coordinates less `origin` are surge, sway and heave. The platform is the body that no other carries; the
    tower top is the joint on it, the spin joint the next one outboard and the blades' joints those on the hub. Each
    can be named, or left out by False; InvalidInput says where structure leaves a choice. `lines` are loads with a
    tension.
    """
    data = open_data(data)
    missing = [name for name in NEEDED if name not in data.variables]
    if missing or "time" not in data.dims or data.sizes["time"] == 0:
        raise InvalidInput(f"channels need a record over time with {', '.join(missing or NEEDED)}.")
    machine = find_machine(data, platform, tower_top, spin, blades)
    found = ChannelRows()
    _platform(found, data, machine.platform, _point(reference, "reference"), _point(origin, "origin"))
    put_tower_top(found, data, machine.tower_top)
    put_rotor_joint(found, data, machine.spin)
    for number, blade in enumerate(machine.blades, start=1):
        put_blade(found, data, blade, number)
    _lines(found, data, lines)
    _sea_and_loads(found, data)
    _gyroscopic(found, data, machine)
    return found.dataset(data, machine, reference)


def _point(given: Any, word: str) -> Array:
    try:
        point = np.asarray(given, dtype=float)
    except (TypeError, ValueError):
        point = np.full(0, np.nan)
    if point.shape != (3,) or not np.all(np.isfinite(point)):
        raise InvalidInput(f"{word} must be three numbers in metres, got {given!r}.")
    return point


def _platform(found: ChannelRows, data: Any, body: str, reference: Array, origin: Array) -> None:
    motion = point_motion(data, body, point_in_body(data, body, reference))
    angles = roll_pitch_yaw(rotation(data, body))
    found.vector(LINEAR, motion["position"] - origin)
    found.vector(ANGULAR, angles)
    if "velocity" in motion:
        found.vector([f"{word}_velocity" for word in LINEAR], motion["velocity"])
    if "angular_velocity" in motion:
        found.vector([f"angular_velocity_{axis}" for axis in "xyz"], motion["angular_velocity"])
        w_B = data["angular_velocity"].sel(body=body).values
        al_B = data["angular_acceleration"].sel(body=body).values if "angular_acceleration" in motion else None
        rates, second = angle_rates(angles, w_B, al_B)
        found.vector([f"{word}_rate" for word in ANGULAR], rates)
    if "acceleration" in motion:
        found.vector([f"{word}_acceleration" for word in LINEAR], motion["acceleration"])
    if "angular_acceleration" in motion:
        found.vector([f"angular_acceleration_{axis}" for axis in "xyz"], motion["angular_acceleration"])
        assert second is not None
        found.vector([f"{word}_acceleration" for word in ANGULAR], second)


def _lines(found: ChannelRows, data: Any, lines: Any) -> None:
    """Put the tensions of the loads named, or of all that ever have one; a load between bodies counts once."""
    if lines is False or "tension" not in data.variables:
        return
    labels, tension = [str(name) for name in data["load"].values], data["tension"].values
    if lines is None:
        inside = data["load_internal"].values if "load_internal" in data.coords else np.ones(len(labels))
        names = [label.rpartition("@")[0] or label if one else label for label, one in zip(labels, inside)]
        first = {name: row for row, name in reversed(list(enumerate(names)))}
        rows = sorted(row for row in first.values() if np.any(np.isfinite(tension[:, row])))
    else:
        names = [lines] if isinstance(lines, str) else [str(name) for name in lines]
        strange = [name for name in names if name not in labels]
        if strange:
            raise InvalidInput(f"there is no load '{strange[0]}' for lines; loads are {', '.join(labels) or 'none'}.")
        rows = [labels.index(name) for name in names]
    for number, row in enumerate(rows, start=1):
        found.put("line_#_tension", tension[:, row], number)
        name, (values, row_of) = list(found.rows.items())[-1]
        found.rows[name] = (values, row_of._replace(long_name=f"{row_of.long_name} of '{labels[row]}'"))


def _sea_and_loads(found: ChannelRows, data: Any) -> None:
    if "wave_elevation" in data.variables:
        found.put("wave_elevation", data["wave_elevation"].values)
    for group in OF_LOADS:
        _of_loads(found, data, [name for name in group if name in data.variables])


def _of_loads(found: ChannelRows, data: Any, names: list[str]) -> None:
    """Put what loads of one kind record beside force and moment, rotors above all; the second one's have its number."""
    blank = np.isnan(np.array([data[name].values for name in names])).all(axis=(0, 1)) if names else [True]
    for number, row in enumerate(np.flatnonzero(~np.asarray(blank)), start=1):
        for name in names:
            if number == 1:
                found.put(name, data[name].values[:, row])
            else:  # OpenFAST has one rotor: its names are the first one's
                other = CHANNELS[name]._replace(openfast_name="", outb_name=f"{name[:8]}{number}")
                found.rows[f"{name}_{number}"] = (data[name].values[:, row], other)


def _gyroscopic(found: ChannelRows, data: Any, machine: Machine) -> None:
    """Put the gyroscopic moments of a rotor that turns, or of the wheels of the nacelle, where their axes exist."""
    from fairlead.results.channels.gyroscopic import gyroscopic_moments

    if {"mass", "inertia", "wheel_momentum", "joint_acceleration", "load_body"} - set(data.variables):
        return
    carrier = machine.tower_top.outboard if machine.tower_top else machine.platform
    rate = joint_angle(data, machine.spin, "joint_rate") if machine.spin and machine.spin.forward else None
    if machine.spin is not None and rate is not None and np.any(rate):
        source = machine.spin.name
    elif np.any(data["wheel_momentum"].sel(body=carrier).values):
        source = carrier
    else:
        return
    with suppress(InvalidInput):  # a vertical spin axis leaves A and C open
        moments = gyroscopic_moments(data, source)
        found.vector([f"gyroscopic_moment_{axis}" for axis in "ABC"], moments["gyroscopic_moment"].values)
