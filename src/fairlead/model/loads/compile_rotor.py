"""Rotors from words to arrays: curves of thrust and power over the relative wind."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairlead.core import arrays as ca
from fairlead.errors import InvalidInput, Problem
from fairlead.model.loads.rotor import Curve, OfCt, Performance, RotorThrust
from fairlead.model.schema import Model

Array = NDArray[np.float64]
COLUMNS = ("tip_speed_ratio", "pitch_deg", "cp", "ct")
SPACING = 0.05  # [m/s] between the rows of a curve made from a performance table


def compile_rotors(model: Model, rows: Any, shelf: Any) -> Any:
    """Return the rotors as a record array."""
    loads = {name: load for name, load in model.loads.items() if isinstance(load, RotorThrust)}
    blows = model.environment is not None and model.environment.wind is not None
    table = np.zeros(len(loads) if blows else 0, ca.ROTOR)
    for name in () if blows else loads:
        shelf.problems.append(Problem("a rotor needs 'environment: {wind: ...}', and there is none", f"loads.{name}"))
    for row, (name, load) in zip(table, loads.items()):
        row["row"], row["body"] = rows.row_of[name], rows.number(load.body)
        row["r_BP_D"], row["axis_D"] = rows.offset(load.body, load.point), rows.axis(load.body, load.axis)
        row["area"], row["torque"] = np.pi * load.radius**2, load.torque
        try:
            for n, (speeds, values) in enumerate(curves_of(load)):
                row["start"][n], row["stop"][n] = shelf.pieces(speeds, [[value] for value in values])
        except InvalidInput as error:
            shelf.problems += [Problem(one.message, f"loads.{name}.performance") for one in error.problems]
    return table


def curves_of(load: RotorThrust) -> list[tuple[Array, Array]]:
    """Return speeds and values of C_T and C_P; one row is a constant."""
    if load.performance is not None:
        speeds, cp, found = from_performance(load.performance, load.radius)
        ct = (speeds, found) if load.ct is None else _rows(load.ct)
        return [ct, (speeds, cp)]
    ct = _rows(load.ct)
    if isinstance(load.cp, OfCt):
        return [ct, (ct[0], load.cp.of_ct * ct[1])]
    return [ct, _rows(0.0 if load.cp is None else load.cp)]


def _rows(given: Any) -> tuple[Array, Array]:
    if isinstance(given, Curve):
        return np.array(given.speeds), np.array(given.values)
    return np.zeros(1), np.array([given])


def from_performance(performance: Performance, radius: float) -> tuple[Array, Array, Array]:
    """Return speeds, C_P and C_T along the schedule: lambda = speed of the tip over the wind, bilinear in the table.

    Pitch and rotor speed are linear between the rows of the schedule.
    """
    ratios, pitches, cp, ct = read_performance(performance.file)
    first, last = performance.speeds[0], performance.speeds[-1]
    speeds = np.union1d(np.arange(first, last, SPACING), performance.speeds)
    pitch = np.interp(speeds, performance.speeds, performance.pitch)
    ratio = np.interp(speeds, performance.speeds, performance.rotor_speed) * radius / speeds
    for what, value, grid in (("tip-speed ratio", ratio, ratios), ("pitch [rad]", pitch, pitches)):
        if value.min() < grid[0] - 1e-9 or value.max() > grid[-1] + 1e-9:
            ranges = f"{value.min():.4g} to {value.max():.4g}, the table covers {grid[0]:.4g} to {grid[-1]:.4g}"
            raise InvalidInput(f"the schedule needs a {what} of {ranges}; shorten it or extend the table")
    from scipy.interpolate import RegularGridInterpolator

    at = np.column_stack([np.clip(ratio, ratios[0], ratios[-1]), np.clip(pitch, pitches[0], pitches[-1])])
    found = [np.asarray(RegularGridInterpolator((ratios, pitches), part)(at), dtype=float) for part in (cp, ct)]
    return speeds, found[0], found[1]


def read_performance(path: str) -> tuple[Array, Array, Array, Array]:
    """Return tip-speed ratios, pitches [rad], and C_P and C_T on their grid."""
    name = os.path.basename(path)
    try:
        with open(path, encoding="utf-8") as file:
            lines = [line.strip() for line in file if line.strip() and not line.startswith("#")]
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput(f"cannot read '{name}': {getattr(error, 'strerror', None) or error}") from None
    heads = [word.strip() for word in lines[0].split(",")] if lines else []
    missing = [column for column in COLUMNS if column not in heads]
    if missing:
        raise InvalidInput(f"'{name}' has no column {', '.join(missing)}; it needs {', '.join(COLUMNS)}")
    try:
        table = np.array([[float(word) for word in line.split(",")] for line in lines[1:]])
        ratio, pitch, cp, ct = (table[:, heads.index(column)] for column in COLUMNS)
    except (ValueError, IndexError) as error:
        raise InvalidInput(f"'{name}' has a row that is not as many numbers as it has columns: {error}") from None
    ratios, i = np.unique(ratio, return_inverse=True)
    pitches, j = np.unique(pitch, return_inverse=True)
    grids = np.full((2, len(ratios), len(pitches)), np.nan)
    grids[0, i, j], grids[1, i, j] = cp, ct
    if min(grids.shape) < 2 or not np.isfinite(grids).all():
        raise InvalidInput(f"'{name}' is not a full grid of tip-speed ratio and pitch with finite numbers")
    return ratios, np.radians(pitches), grids[0], grids[1]
