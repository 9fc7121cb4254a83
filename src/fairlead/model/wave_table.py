"""Tables of wave kinematics: B-spline coefficients over time and along the waves, at levels of depth.

Each component is a pure exponential in time and space, so its B-spline coefficients are its values divided by the
B-spline's own response b(theta) at the phase step theta (no system to solve). The relative root mean square error of
interpolating exp(i theta n) is sqrt(2 zeta(2 p)) (theta / 2 pi)^p, p = 4 for cubic and 6 for quintic splines
(Unser's bound for small theta); steps are chosen so that over all components, weighted as accelerations are, the error
in time, in space and over depth is each a part of what is asked for.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from fairlead.core import arrays as ca
from fairlead.model.geometry import Array
from fairlead.model.spectra import Components

LEAN = 0.7  # how far out per depth a leaning member is followed
GROWTH = 0.25  # how the distance of stations grows with depth: short waves do not reach down
SMALLEST = 1e-9  # parts of a component that have decayed below this are left out
MOST_BYTES = 1_000_000_000
Table = tuple[Any, Any, dict[str, float]]  # levels, coefficients, and what the kernels know of the steps


def spline_error(theta: Array, order: int) -> Array:
    """Return the relative error of cardinal splines of `order` (degree + 1) at the phase step theta."""
    zeta = {4: 1.00407735619794, 6: 1.00024608655330}[order]  # zeta(2 order)
    return np.minimum(math.sqrt(2 * zeta) * (theta / (2 * math.pi)) ** order, 2.0)


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


def make_table(waves: Components, depth: float, end: float, span: tuple[float, float], bottom: float, accuracy: float,
               reach: float) -> Table | None:  # fmt: skip
    """Return levels, coefficients and steps for t from 0 to `end`, or None if they would not fit in memory.

    span: the smallest and largest drawn distance of members along the waves; bottom: the lowest z they may have.
    """
    dt, ds = steps_for(waves, accuracy / 3)
    scale, dx = 1.2 * ds, 0.5 * min(1.0, (accuracy / 1e-3) ** (1 / 6))
    count = math.ceil((math.sqrt(1 - bottom / scale) - 1) / dx) + 6
    x = (np.arange(count) - 2) * dx
    levels = np.zeros(count, ca.LEVEL)
    levels["z"] = -scale * (x * x + 2 * x)
    first = 0
    for level in levels:
        down = max(0.0, -level["z"])
        level["ds"] = ds + GROWTH * down
        out = reach + LEAN * down + 3 * level["ds"]
        level["count"] = math.ceil((span[1] - span[0] + 2 * out) / level["ds"]) + 1
        level["s"], level["first"] = span[0] - out, first
        first += level["count"]
    times = np.arange(-2, math.ceil(end / dt) + 5) * dt
    if len(times) * first * 20 > MOST_BYTES:
        return None
    table = np.empty((len(times), 5 * first), np.float32)
    c = np.cos(waves.omega * dt)
    response = (66 + 52 * c + 2 * (2 * c * c - 1)) / 120
    angle = np.outer(times, waves.omega)
    basis = np.concatenate([np.cos(angle) / response, -np.sin(angle) / response], axis=1)
    for level in levels:
        block = _level(waves, depth, level, basis)
        lo, n = int(level["first"]), int(level["count"])
        table[:, 4 * lo : 4 * (lo + n)] = block[:, : 4 * n]
        table[:, 4 * first + lo : 4 * first + lo + n] = block[:, 4 * n :]
    return levels, table, {"end": end, "dt": dt, "scale": scale, "dx": dx}


def profiles(waves: Components, z: float, depth: float) -> tuple[Array, Array]:
    """Return C = cosh k(z + d) / sinh k d and S = sinh k(z + d) / sinh k d of each component."""
    image = np.exp(-2 * waves.k * depth)
    up, down = np.exp(waves.k * z), np.exp(-waves.k * (z + 2 * depth))
    return (up + down) / (1 - image), (up - down) / (1 - image)


def _level(waves: Components, depth: float, level: Any, basis: Array) -> Array:
    """Return coefficients of U, U_t, W, W_t at each station, then those of P; real parts of c exp(i(omega t - k s))."""
    n = len(waves.omega)
    C, S = profiles(waves, float(level["z"]), depth)
    felt = waves.amplitude * waves.omega**2 * C
    keep = felt > SMALLEST * felt.max()
    response = (2 + np.cos(waves.k * level["ds"])) / 3
    stations = level["s"] + level["ds"] * np.arange(level["count"])
    place = np.exp(1j * (waves.phase[:, None] - waves.k[:, None] * stations)) / response[:, None]
    u, w = waves.amplitude * waves.omega * C, 1j * waves.amplitude * waves.omega * S
    four = np.stack([u, 1j * waves.omega * u, w, 1j * waves.omega * w], axis=1)
    coefficients = np.concatenate(
        [(place[:, :, None] * four[:, None, :]).reshape(n, -1), place * (u * waves.omega / waves.k)[:, None]], axis=1
    )[keep]
    real = np.concatenate([coefficients.real, coefficients.imag])
    return np.asarray(basis[:, np.concatenate([keep, keep])] @ real)
