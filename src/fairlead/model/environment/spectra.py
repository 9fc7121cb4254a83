"""Wave components: spectra, seeds, dispersion and records as frequencies, wave numbers, amplitudes and phases."""

from __future__ import annotations

import math
import os
from typing import Any, NamedTuple

import numpy as np

from fairlead.errors import InvalidInput, Problem
from fairlead.model.environment import waves as words
from fairlead.model.joints.geometry import Array
from fairlead.plain_files import Unreadable, read_lines


class Components(NamedTuple):
    """eta = sum of amplitude cos(omega t - k s + phase)."""

    omega: Array  # [rad/s]
    k: Array  # [rad/m]
    amplitude: Array  # [m]
    phase: Array  # [rad]


def components_of(waves: Any, gravity: float, depth: float) -> Components:
    """Return the components of any kind of waves, by growing frequency."""
    if isinstance(waves, words.RegularWave):
        omega, a, phase = [np.array([value]) for value in (2 * math.pi / waves.period, waves.height / 2, waves.phase)]
    elif isinstance(waves, words.Spectrum):
        omega, a, phase = _irregular(waves)
    elif isinstance(waves, words.WaveTable):
        omega, a, phase = (np.array(column) for column in (waves.frequencies, waves.amplitudes, waves.phases))
    elif isinstance(waves, words.WaveRecord):
        omega, a, phase = _of_record(waves)
    else:
        omega = a = phase = np.zeros(0)
    order = np.argsort(omega, kind="stable")
    omega, a, phase = omega[order], a[order], phase[order]
    return Components(omega, wave_number(omega, gravity, depth), a, phase)


def wave_number(omega: Array, gravity: float, depth: float) -> Array:
    """Return k of omega^2 = g k tanh(k d), by Newton's method to rounding; k = omega^2 / g where deep."""
    deep = omega**2 / gravity
    if math.isinf(depth):
        return deep
    y = deep * depth  # y = x tanh x for x = k d
    x = np.where(y > 1, y, np.sqrt(y)) * (1 + 0.0 * y)
    for _ in range(60):
        t = np.tanh(x)
        step = (x * t - y) / (t + x * (1 - t * t))
        x = x - step
        if np.all(np.abs(step) <= 1e-15 * x):
            break
    return np.asarray(x / depth)


def jonswap(omega: Array, height: float, period: float, gamma: float) -> Array:
    """Return S(omega) [m2 s/rad] of IEC 61400-3: (5/16) Hs^2 wp^4 w^-5 exp(-1.25 (wp/w)^4) (1 - 0.287 ln g) g^b."""
    peak = 2 * math.pi / period
    sigma = np.where(omega <= peak, 0.07, 0.09)
    b = np.exp(-((omega - peak) ** 2) / (2 * sigma**2 * peak**2))
    shape = 5 / 16 * height**2 * peak**4 * omega**-5.0 * np.exp(-1.25 * (peak / omega) ** 4)
    return np.asarray(shape * (1 - 0.287 * math.log(gamma)) * gamma**b)


def peak_factor(height: float, period: float) -> float:
    """Return the gamma of IEC 61400-3 for Tp / sqrt(Hs): 5 up to 3.6, 1 from 5, between them exp(5.75 - 1.15 ...)."""
    ratio = period / math.sqrt(height) if height > 0 else math.inf
    return 5.0 if ratio <= 3.6 else 1.0 if ratio > 5 else math.exp(5.75 - 1.15 * ratio)


def uniform(seed: int, count: int) -> Array:
    """Return numbers from 0 to 1 of numpy's PCG64: the bit generator's own 64 bits, the same on every machine."""
    raw = np.random.PCG64(seed).random_raw(count)
    return np.asarray((raw >> np.uint64(11)) * 2.0**-53)


def _irregular(waves: words.Spectrum) -> tuple[Array, Array, Array]:
    """Return frequencies, amplitudes and phases; the seed's first numbers are phases, then amplitudes, then places."""
    n = waves.components
    draw = uniform(waves.seed, 3 * n).reshape(3, n)
    edges = np.linspace(*waves.band(), n + 1)
    nodes, weights = np.polynomial.legendre.leggauss(16)
    inside = edges[:-1, None] + np.diff(edges)[:, None] * (nodes + 1) / 2
    gamma = 1.0
    if isinstance(waves, words.Jonswap):
        gamma = peak_factor(waves.height, waves.period) if waves.gamma is None else waves.gamma
    energy = jonswap(inside, waves.height, waves.period, gamma) @ weights * np.diff(edges) / 2
    if waves.amplitudes == "random":
        energy = energy * -np.log1p(-draw[1])  # Rayleigh amplitudes: exponentially distributed energy
    place = draw[2] if waves.spacing == "random" else 0.5
    return edges[:-1] + place * np.diff(edges), np.sqrt(2 * energy), 2 * math.pi * draw[0]


def _of_record(waves: words.WaveRecord) -> tuple[Array, Array, Array]:
    """Return the Fourier components of a record; the mean is left out, and what is above `highest`."""
    dt, values = record_of(waves)
    n = len(values)
    spectrum = np.fft.rfft(values) * (2 / n)
    if n % 2 == 0:
        spectrum[-1] /= 2
    omega = 2 * math.pi * np.arange(len(spectrum)) / (n * dt)
    highest = waves.highest or 4 * omega[1 + int(np.argmax(np.abs(spectrum[1:])))]
    keep = (omega > 0) & (omega <= highest * (1 + 1e-9))
    return omega[keep], np.abs(spectrum[keep]), np.angle(spectrum[keep])


def record_of(waves: words.WaveRecord) -> tuple[float, Array]:
    """Return the step [s] and the elevations [m] of a record."""
    if waves.file is None:
        return float(waves.dt or 0.0), np.array(waves.values)
    try:
        return _read_record(waves.file)
    except InvalidInput as wrong:
        raise InvalidInput([Problem(str(wrong), "environment.waves.file")]) from None
    except Unreadable as wrong:
        message = f"'{os.path.basename(waves.file)}' cannot be read: {wrong.reason}"
        raise InvalidInput([Problem(message, "environment.waves.file")]) from None
    except ValueError as wrong:
        message = f"'{os.path.basename(waves.file)}' {wrong}"
        raise InvalidInput([Problem(message, "environment.waves.file")]) from None


def _read_record(path: str) -> tuple[float, Array]:
    """Return step and elevations of a file with time and elevation in each row; text above the first row is a head."""
    lines = read_lines(path)
    rows: list[tuple[float, float]] = []
    for number, line in enumerate(lines, start=1):
        cells = line.split("#")[0].replace(",", " ").replace(";", " ").split()
        try:
            rows += [(float(cells[0]), float(cells[1]))] if cells else []
        except (ValueError, IndexError):
            if rows:
                raise ValueError(f"line {number}: needs time and elevation, got '{line.strip()[:40]}'") from None
    t, values = np.array(rows, dtype=float).reshape(-1, 2).T
    if len(t) < 3 or not np.isfinite(values).all():
        raise ValueError("needs three or more rows of time and elevation, all finite")
    dt = (t[-1] - t[0]) / (len(t) - 1)
    if not dt > 0 or np.abs(np.diff(t) - dt).max() > 1e-3 * dt:
        raise ValueError("must have evenly spaced, growing times")
    if abs(t[0]) > 1e-3 * dt:
        raise ValueError(f"must begin at 0 s, where runs do; it begins at {t[0]:g} s")
    return float(dt), values
