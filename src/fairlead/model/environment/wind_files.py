"""Wind files of other programs: TurbSim's binary boxes and hub-height tables."""

from __future__ import annotations

import os
import struct
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairlead.errors import InvalidInput
from fairlead.plain_files import read_lines, read_plain

Array = NDArray[np.float64]
HEAD = struct.Struct("<h4i12f i")
MOST_VALUES = 2_000_000_000


@dataclass
class Box:
    """A TurbSim box: velocity over time, height and width; u along the box, v to the left, w up."""

    velocity: NDArray[np.int16]  # (time, height, width, 3) as stored
    slope: Array
    offset: Array
    dt: float
    z: Array
    y: Array

    @property
    def times(self) -> Array:
        """Return the time of each plane."""
        return np.asarray(self.dt * np.arange(len(self.velocity)), dtype=float)

    def mean_over(self, points: Any) -> Array:
        """Return (time, 3), the mean over a mask of grid points."""
        inside = self.velocity[:, points]
        return np.asarray((inside.mean(axis=1) - self.offset) / self.slope)

    def at(self, y: float, z: float) -> Array:
        """Return (time, 3) at a point, bilinear between grid points."""
        total = np.zeros((len(self.velocity), 3))
        for i, wz in _between(self.z, z):
            for j, wy in _between(self.y, y):
                total += wz * wy * (self.velocity[:, i, j] - self.offset) / self.slope
        return total


def _between(grid: Array, value: float) -> list[tuple[int, float]]:
    i = int(np.clip(np.searchsorted(grid, value) - 1, 0, len(grid) - 2))
    s = (value - grid[i]) / (grid[i + 1] - grid[i])
    return [(i, 1.0 - s), (i + 1, s)]


def read_bts(path: str) -> Box:
    """Return the box of a TurbSim full-field binary file (IDs 7 and 8). TurbSim User's Guide, Appendix D."""
    content = read_plain(path)
    name = os.path.basename(path)
    if len(content) < HEAD.size:
        raise InvalidInput(f"'{name}' is not a TurbSim box: it ends after {len(content)} bytes")
    kind, nz, ny, towers, nt, dz, dy, dt, _, _, bottom, *scales, text = HEAD.unpack_from(content)
    if kind not in (7, 8) or min(nz, ny, nt) < 2 or towers < 0 or text < 0 or nz * ny * nt > MOST_VALUES:
        raise InvalidInput(f"'{name}' is not a TurbSim box: its head says ID {kind} and {nz} x {ny} x {nt} points")
    if not (min(dz, dy, dt) > 0 and np.isfinite([dz, dy, dt, bottom, *scales]).all() and all(scales[::2])):
        raise InvalidInput(f"'{name}' has a spacing, a time step or a scale in its head that is not a positive number")
    start, per_plane = HEAD.size + text, 3 * (nz * ny + towers)
    if len(content) < start + 2 * per_plane * nt:
        whole = (len(content) - start) // (2 * per_plane)
        raise InvalidInput(f"'{name}' is cut off: its head says {nt} planes, {whole} are there")
    planes = np.frombuffer(content, "<i2", per_plane * nt, start).reshape(nt, per_plane)
    velocity = planes[:, : 3 * nz * ny].reshape(nt, nz, ny, 3)
    y = dy * (np.arange(ny) - 0.5 * (ny - 1))
    return Box(velocity, np.array(scales[::2]), np.array(scales[1::2]), dt, bottom + dz * np.arange(nz), y)


@dataclass
class HubHeight:
    """A hub-height table: times, speed, direction (ours), vertical speed and the exponent of the power law."""

    times: Array
    speed: Array
    direction: Array
    vertical: Array
    exponent: float


def read_hub_height(path: str) -> HubHeight:
    """Return a hub-height file as InflowWind reads it: time, speed, direction [deg], vertical speed, shears, gust.

    Its directions are meteorological, positive towards -y; ours are positive towards +y, so they change sign. A ninth
    column is the upflow angle.
    """
    name = os.path.basename(path)
    rows = []
    upflow = False
    for number, line in enumerate(read_lines(path), start=1):
        words = line.split("!")[0].split("#")[0].replace(",", " ").split()
        if not words:
            continue
        try:
            values = [float(word.replace("D", "E").replace("d", "e")) for word in words[:9]]
        except ValueError:
            raise InvalidInput(f"'{name}' line {number} is not a row of numbers: {line.strip()[:60]!r}") from None
        if len(values) < 8:
            raise InvalidInput(f"'{name}' line {number} has {len(values)} columns; a hub-height file has at least 8")
        upflow = upflow or any(values[8:])
        rows.append(values[:8])
    table = np.array(rows).reshape(-1, 8)
    if not len(table) or not np.isfinite(table).all() or (np.diff(table[:, 0]) <= 0).any():
        raise InvalidInput(f"'{name}' needs rows of finite numbers at growing times")
    if upflow or table[:, 4].any() or table[:, 6].any() or np.ptp(table[:, 5]) > 0:
        raise InvalidInput(
            f"'{name}' has a horizontal or linear shear, an upflow angle, or a power-law exponent that changes, which "
            "are not covered"
        )
    direction = -np.unwrap(np.radians(table[:, 2]))
    return HubHeight(table[:, 0], table[:, 1] + table[:, 7], direction, table[:, 3], float(table[0, 5]))
