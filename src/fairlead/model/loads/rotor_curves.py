"""Curves of thrust and power over the relative wind: as words, from coefficients or from performance tables."""

from __future__ import annotations

import itertools
import os
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, model_validator

from fairlead.errors import FilesFailure, InvalidInput
from fairlead.model.fields import Real, SchemaModel, number
from fairlead.model.files import FilePath
from fairlead.model.messages import WrongField
from fairlead.plain_files import read_lines

Array = NDArray[np.float64]
GRID = ("tip_speed_ratio", "pitch_deg")  # columns that say where in the grid a row is
SPACING = 0.05  # [m/s] between the rows of a curve made from a performance table
Speed = number("m/s", ge=0)


def _grows(name: str, values: tuple[float, ...]) -> None:
    for row, (before, after) in enumerate(itertools.pairwise(values), start=2):
        if after <= before:
            raise WrongField(f"must grow; row {row} is {after:g} after {before:g}", name)


class Curve(SchemaModel):
    """A coefficient at wind speeds, linear between them and held at its ends (which is counted).

    speeds: wind speeds, growing
    values: coefficient at each speed [-]
    """

    speeds: tuple[Speed, ...] = Field(min_length=2)  # type: ignore[valid-type]
    values: tuple[Real, ...] = Field(min_length=2)

    @model_validator(mode="after")
    def _is_a_curve(self) -> Curve:
        if len(self.speeds) != len(self.values):
            raise WrongField(f"needs as many values as there are speeds ({len(self.speeds)})", "values")
        _grows("speeds", self.speeds)
        return self


class OfCt(SchemaModel):
    """C_P as a multiple of C_T (0.7 in the Dissertation).

    of_ct: the factor C_P / C_T [-]
    """

    of_ct: Annotated[Real, Field(ge=0)]


class Performance(SchemaModel):
    """C_P and C_T over tip-speed ratio and blade pitch, and the pitch and rotor speed held at each wind speed.

    file: table with the columns tip_speed_ratio, pitch_deg, cp and ct (a full grid), sought beside the model file
    speeds: wind speeds of the schedule, growing
    pitch: blade pitch at each wind speed
    rotor_speed: rotor speed at each wind speed
    """

    file: FilePath
    speeds: tuple[Speed, ...] = Field(min_length=2)  # type: ignore[valid-type]
    pitch: tuple[number("rad"), ...] = Field(min_length=2)  # type: ignore[valid-type]
    rotor_speed: tuple[number("rad/s", gt=0), ...] = Field(min_length=2)  # type: ignore[valid-type]

    @model_validator(mode="after")
    def _is_a_schedule(self) -> Performance:
        for field in ("pitch", "rotor_speed"):
            if len(getattr(self, field)) != len(self.speeds):
                raise WrongField(f"needs as many values as there are speeds ({len(self.speeds)})", field)
        _grows("speeds", self.speeds)
        if self.speeds[0] <= 0:
            raise WrongField("must begin above zero, where the tip-speed ratio is finite", "speeds")
        return self


def curves_of(load: Any) -> list[tuple[Array, Array]]:
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
    ratios, pitches, columns = read_grid(path, ("cp", "ct"))
    return ratios, pitches, columns["cp"], columns["ct"]


def read_grid(path: str, needed: tuple[str, ...]) -> tuple[Array, Array, dict[str, Array]]:
    """Return tip-speed ratios, pitches [rad], and every other column by its head on their grid."""
    name = os.path.basename(path)
    try:
        rows = read_lines(path, "utf-8", shown=name)
    except FilesFailure as error:
        raise InvalidInput(str(error)) from None
    lines = [line.strip() for line in rows if line.strip() and not line.startswith("#")]
    heads = [word.strip() for word in lines[0].split(",")] if lines else []
    all_needed = (*GRID, *needed)
    missing = [column for column in all_needed if column not in heads]
    if missing:
        raise InvalidInput(f"'{name}' has no column {', '.join(missing)}; it needs {', '.join(all_needed)}")
    try:
        table = np.array([[float(word) for word in line.split(",")] for line in lines[1:]])
        ratio, pitch = (table[:, heads.index(column)] for column in GRID)
        others = {head: table[:, column] for column, head in enumerate(heads) if head not in GRID}
    except (ValueError, IndexError) as error:
        raise InvalidInput(f"'{name}' has a row that is not as many numbers as it has columns: {error}") from None
    ratios, i = np.unique(ratio, return_inverse=True)
    pitches, j = np.unique(pitch, return_inverse=True)
    grids = {head: np.full((len(ratios), len(pitches)), np.nan) for head in others}
    for head, values in others.items():
        grids[head][i, j] = values
    if min(len(ratios), len(pitches)) < 2 or not all(np.isfinite(grid).all() for grid in grids.values()):
        raise InvalidInput(f"'{name}' is not a full grid of tip-speed ratio and pitch with finite numbers")
    return ratios, np.radians(pitches), grids
