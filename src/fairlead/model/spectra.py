"""Wave components: spectra, seeds, dispersion and records as frequencies, wave numbers, amplitudes and phases."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from fairlead.model import sea as words
from fairlead.model.geometry import Array


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
    """Return the Fourier components of a record; the mean is left out."""
    values = np.array(waves.values)
    n = len(values)
    spectrum = np.fft.rfft(values) * (2 / n)
    if n % 2 == 0:
        spectrum[-1] /= 2
    omega = 2 * math.pi * np.arange(len(spectrum)) / (n * waves.dt)
    keep = omega > 0 if waves.highest is None else (omega > 0) & (omega <= waves.highest)
    return omega[keep], np.abs(spectrum[keep]), np.angle(spectrum[keep])
