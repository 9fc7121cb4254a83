"""Tables of wave kinematics: B-spline coefficients over time and along the waves, at levels of depth.

Each component is a pure exponential in time and space, so its B-spline coefficients are its values divided by the
B-spline's own response b(theta) at the phase step theta (no system to solve). The error of interpolation is known for
each component; steps are chosen so that over all components, weighted as accelerations at the surface are, the root
mean square error in time, in space and over depth is each a part of what is asked for.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from fairlead.core.environment.sea import LEVEL
from fairlead.model.environment.rolling_table import RollingTable, in_blocks
from fairlead.model.environment.shared import remembered, shared
from fairlead.model.environment.spectra import Components
from fairlead.model.joints.geometry import Array

LEAN = 0.7  # how far out per depth a leaning member is followed
GROWTH = 1.2  # how the distance of stations grows with depth (times accuracy^(1/4)): short waves do not reach down
SMALLEST = 1e-6  # parts of a component that have decayed below this are left out
MOST_BYTES = 1_000_000_000  # at once
WHOLE = 64_000_000  # up to this the tables of a run are made at its start, otherwise as it goes


def spline_error(theta: Array, order: int) -> Array:
    """Return the relative root mean square error of interpolating exp(i theta n) by splines of `order` (degree + 1).

    The interpolant has, besides the wave itself, its images at theta + 2 pi m, each by sinc^order over b(theta).
    """
    images = theta[:, None] / (2 * math.pi) + np.arange(-4, 5)
    share = np.sinc(images) ** order
    share /= share.sum(axis=1, keepdims=True)  # b(theta) is the sum over all images (Poisson)
    share[:, 4] -= 1
    return np.asarray(np.sqrt((share**2).sum(axis=1)))


def steps_for(waves: Components, accuracy: float) -> tuple[float, float]:
    """Return the time step and the distance of stations at the surface that keep within `accuracy`."""
    weight = (waves.amplitude * waves.omega**2) ** 2
    weight = weight / weight.sum()

    def largest(rate: Array, order: int) -> float:
        step = 4.0 / float(rate.max())
        while math.sqrt(float(weight @ spline_error(rate * step, order) ** 2)) > accuracy:
            step *= 0.95
        return step

    return largest(waves.omega, 6), largest(waves.k, 4)


def levels_for(waves: Components, depth: float, scale: float, bottom: float, accuracy: float) -> tuple[float, Array]:
    """Return the step dx of the levels and their heights: as few as keep within `accuracy`."""
    weight = waves.amplitude * waves.omega**2
    weight = weight / float(np.linalg.norm(weight * profiles(waves, 0.0, depth)[0]))
    z = np.concatenate([np.linspace(bottom, -20 * scale, 8), scale * -(np.linspace(4.4, 0, 24) ** 2)])
    z = np.maximum(z, bottom)
    exact = profiles(waves, z[:, None], depth)[0]
    offsets = np.arange(-2, 4)
    dx = 0.4
    while True:
        dx *= 0.92
        place = ((1 - z / scale) ** 0.25 - 1) / dx + 2
        count = math.ceil(place.max()) + 4
        heights = scale * (1 - (1 + (np.arange(count) - 2) * dx) ** 4)
        j = np.clip(place.astype(int), 2, count - 4)
        f = place - j
        parts = [[(f - m) / (o - m) for m in offsets if m != o] for o in offsets]
        lagrange = np.prod(np.array(parts), axis=1)
        levels = profiles(waves, heights[:, None], depth)[0]
        found = sum(lagrange[a][:, None] * levels[j + o] for a, o in enumerate(offsets))
        if math.sqrt(float((((found - exact) * weight) ** 2).sum(axis=1).max())) <= accuracy:
            return dx, heights


def stations_for(
    heights: Array, ds: float, growth: float, span: tuple[float, float], reach: float, first: int = 0
) -> Any:
    """Return the levels with their stations along the waves, further apart and further out with depth.

    `first` is the number of the first station.
    """
    levels = np.zeros(len(heights), LEVEL)
    levels["z"] = heights
    for level in levels:
        down = max(0.0, -level["z"])
        apart = ds + growth * down
        out = reach + LEAN * down + 3 * apart
        level["per_ds"] = 1 / apart
        level["count"] = math.ceil((span[1] - span[0] + 2 * out) / apart) + 1
        level["s"], level["first"] = span[0] - out, first
        first += level["count"]
    return levels


def make_table(
    fields: Sequence[Components],
    depth: float,
    end: float,
    spans: Sequence[tuple[float, float]],
    bottom: float,
    accuracy: float,
    reach: float,
) -> dict[str, Any]:
    """Return levels, table and steps for t from 0 to `end`, and what fills the table as a long run goes.

    spans: of each field the smallest and largest drawn distance of members along its waves; bottom: the lowest z they
    may have. All fields share the steps in time and over depth; each has its own stations at every level.
    """

    def key() -> Any:
        return (depth, end, bottom, accuracy, reach, *map(tuple, spans), *(c.tobytes() for one in fields for c in one))

    found, rows_of = shared(key, lambda: _prepared(fields, depth, end, spans, bottom, accuracy, reach))
    rows, columns, steps = found["rows"], found["columns"], dict(found["steps"])
    answer: dict[str, Any] = {"levels": found["levels"].copy(), "steps": steps, "rolling": None}
    if rows * columns * 8 <= WHOLE:
        return answer | {"table": shared(lambda: ("whole", key()), lambda: in_blocks(rows_of, rows))}
    try:
        rolling = RollingTable(rows, columns, steps["per_dt"], end, rows_of)
    except OSError:  # not even the room for it is to be had
        raise ValueError(too_large(rows * columns * 8)) from None
    steps["end"] = rolling.holds
    return answer | {"table": rolling.table, "rolling": rolling}


def _prepared(
    fields: Sequence[Components],
    depth: float,
    end: float,
    spans: Sequence[tuple[float, float]],
    bottom: float,
    accuracy: float,
    reach: float,
) -> Any:
    """Return levels and steps of a table, its size, and what computes its rows."""
    waves = Components(*(np.concatenate(columns) for columns in zip(*fields)))
    part = accuracy / 2  # three errors, independent of one another, and a little for leaning members
    dt, ds = steps_for(waves, part)
    dx, heights = levels_for(waves, depth, ds, bottom, part)
    growth = GROWTH * accuracy**0.25  # cubic splines err by the fourth power
    of_field: list[Any] = []
    for span in spans:
        of_field.append(stations_for(heights, ds, growth, span, reach, sum(int(f["count"].sum()) for f in of_field)))
    levels = np.concatenate(of_field)
    stations = int(levels["count"].sum())
    times = np.arange(-2, math.ceil(end / dt) + 5) * dt
    steps = {"end": end, "per_dt": 1 / dt, "per_scale": 1 / ds, "per_dx": 1 / dx}
    kind: Any = np.float32 if accuracy >= 1e-5 else np.float64  # single precision is a hundred times finer than asked
    parts = [[_stations(field, depth, level, kind) for level in rows] for field, rows in zip(fields, of_field)]

    def rows_of(first: int, last: int) -> Array:
        table = np.empty((last - first, 5 * stations))
        for field, rows, factors in zip(fields, of_field, parts):
            basis = _basis(times[first:last], field.omega, dt, kind)
            for level, (real, imaginary) in zip(rows, factors):
                at, n = 5 * int(level["first"]), len(real)
                table[:, at : at + real.shape[1]] = basis[0][:, :n] @ real + basis[1][:, :n] @ imaginary
        return table

    return {"levels": levels, "steps": steps, "rows": len(times), "columns": 5 * stations}, remembered(rows_of)


def _basis(times: Any, omega: Array, dt: float, kind: Any) -> tuple[Any, Any]:
    """Return cos and -sin of omega t over the response of the quintic B-spline in time."""
    c = np.cos(omega * dt)
    response = (66 + 52 * c + 2 * (2 * c * c - 1)) / 120
    angle = np.outer(times, omega)
    return (np.cos(angle) / response).astype(kind), (-np.sin(angle) / response).astype(kind)


def too_large(size: int) -> str:
    """Return the warning for tables of this size."""
    advice = "raise 'accuracy', lower 'reach' or 'highest', choose lookup: sum, or a fixed step"
    return f"the tables of the waves would take {size / 1e9:.1f} GB; {advice}"


def profiles(waves: Components, z: Any, depth: float) -> tuple[Array, Array]:
    """Return C = cosh k(z + d) / sinh k d and S = sinh k(z + d) / sinh k d of each component."""
    image = np.exp(-2 * waves.k * depth)
    up, down = np.exp(waves.k * z), np.exp(-waves.k * (z + 2 * depth))
    return (up + down) / (1 - image), (up - down) / (1 - image)


def _stations(waves: Components, depth: float, level: Any, kind: Any) -> tuple[Any, Any]:
    """Return the factors of cos and -sin of omega t for U, U_t, W, W_t, P at each station.

    They are the real and imaginary parts of c exp(-i k s), of the components that reach down to the level.
    """
    C, S = profiles(waves, float(level["z"]), depth)
    felt = np.abs(waves.amplitude) * waves.omega**2 * C
    n = int(np.flatnonzero(felt > SMALLEST * felt.max())[-1]) + 1  # the longer waves reach deeper
    waves, C, S = Components(*(column[:n] for column in waves)), C[:n], S[:n]
    ds = 1 / level["per_ds"]
    stations = level["s"] + ds * np.arange(level["count"])
    response = (2 + np.cos(waves.k * ds)) / 3
    place = np.exp(1j * (waves.phase[:, None] - waves.k[:, None] * stations)) / response[:, None]
    u, w = waves.amplitude * waves.omega * C, 1j * waves.amplitude * waves.omega * S
    five = np.stack([u, 1j * waves.omega * u, w, 1j * waves.omega * w, u * waves.omega / waves.k], axis=1)
    c = (place[:, :, None] * five[:, None, :]).reshape(n, -1)
    return c.real.astype(kind, order="C"), c.imag.astype(kind, order="C")  # for BLAS
