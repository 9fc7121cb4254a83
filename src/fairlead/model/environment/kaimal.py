"""IEC 61400-1 wind: turbulence classes, the Kaimal spectrum averaged over a rotor, extreme gust and direction change.

Edition 3: 6.3 (scale), 6.3.1.3 (normal turbulence), 6.3.2.2 (gust), 6.3.2.4 (direction change), Annex B.2 (Kaimal).
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

INTENSITY = {"A+": 0.18, "A": 0.16, "B": 0.14, "C": 0.12}  # I_ref, Table 1 (A+ of edition 4)
REFERENCE_SPEED = {"I": 50.0, "II": 42.5, "III": 37.5}  # V_ref [m/s], Table 1
SCALES = {"u": (8.1, 1.0), "v": (2.7, 0.8), "w": (0.66, 0.5)}  # L_k / Lambda_1 and sigma_k / sigma_1, Table B.1
BLOCK = 1024  # frequencies at a time
GUST_TIME, TURN_TIME = 10.5, 6.0  # [s]


def deviation(speed: float, turbulence: float | str) -> float:
    """Return sigma_1 = I_ref (0.75 V_hub + 5.6 m/s), 6.3.1.3, or the number given in its place [m/s]."""
    if isinstance(turbulence, str):
        return INTENSITY[turbulence] * (0.75 * speed + 5.6)
    return float(turbulence)


def scale(height: float) -> float:
    """Return Lambda_1 [m], 6.3: 0.7 z below 60 m, 42 m above."""
    return 0.7 * min(height, 60.0)


def kaimal(f: Array, component: str, speed: float, sigma: float, height: float) -> Array:
    """Return the one-sided spectrum S_k(f) = sigma_k^2 4 L_k/V / (1 + 6 f L_k/V)^(5/3) [m2/s], B.2."""
    length, share = SCALES[component]
    over = length * scale(height) / speed
    return np.asarray((share * sigma) ** 2 * 4.0 * over / (1.0 + 6.0 * np.asarray(f) * over) ** (5.0 / 3.0))


@lru_cache(maxsize=1)
def _gauss(count: int) -> tuple[Array, Array]:
    """Return the nodes and weights of Gauss and Legendre on [-1, 1]; some ten milliseconds for hundreds of them."""
    nodes, weights = np.polynomial.legendre.leggauss(count)
    return nodes, weights


def rotor_filter(f: Array, speed: float, height: float, radius: float) -> Array:
    """Return S(f) averaged over a disc over S(f) at a point: the mean coherence of two points of the disc.

    Coh(r, f) = exp(-12 sqrt((f r/V)^2 + (0.12 r/L_c)^2)), L_c = 8.1 Lambda_1 (B.2), in phase; the distance of two
    points of a disc has the density p(r) = 4 r/(pi R^2) [acos(r/2R) - (r/2R) sqrt(1 - (r/2R)^2)]. IEC gives the
    coherence of u; v and w are taken alike.
    """
    f = np.atleast_1d(np.asarray(f, dtype=float))
    if radius == 0:
        return np.ones_like(f)
    nodes, weights = _gauss(400)
    angle = 0.25 * np.pi * (nodes + 1.0)  # r = 2 R sin(angle) smooths the end at 2 R
    r = 2.0 * radius * np.sin(angle)
    half = np.sin(angle)
    density = 4.0 * r / (np.pi * radius**2) * (np.arccos(half) - half * np.cos(angle))
    weights = weights * 0.25 * np.pi * 2.0 * radius * np.cos(angle) * density
    decay = -12.0 * np.sqrt((f / speed) ** 2 + (0.12 / (8.1 * scale(height))) ** 2)
    blocks = range(0, len(f), BLOCK)  # a long record has many frequencies
    return np.concatenate([np.exp(decay[at : at + BLOCK, None] * r) @ weights for at in blocks])


def series(
    component: str, speed: float, sigma: float, height: float, radius: float, count: int, dt: float, phases: Array
) -> Array:
    """Return `count` values a step apart: sum of sqrt(2 S df) cos(2 pi f t + phase), f = k / (count dt).

    Its variance is the sum of S df to rounding; the series is periodic in count dt.
    """
    df = 1.0 / (count * dt)
    f: Array = np.asarray(df * np.arange(1, (count - 1) // 2 + 1), dtype=float)
    power = kaimal(f, component, speed, sigma, height) * rotor_filter(f, speed, height, radius)
    spectrum = np.zeros(count // 2 + 1, dtype=complex)
    spectrum[1 : len(f) + 1] = 0.5 * count * np.sqrt(2.0 * power * df) * np.exp(1j * phases[: len(f)])
    return np.asarray(np.fft.irfft(spectrum, count))


def gust(t: Array, speed: float, turbulence: float | str, height: float, diameter: float, reference: float) -> Array:
    """Return the speed an extreme operating gust adds, t from its begin: -0.37 V_gust sin(3 pi t/T)(1 - cos(2 pi t/T)).

    V_gust = min(1.35 (V_e1 - V_hub), 3.3 sigma_1 / (1 + 0.1 D/Lambda_1)), V_e1 = 0.8 * 1.4 V_ref at hub height.
    """
    sigma = deviation(speed, turbulence)
    size = min(1.35 * (0.8 * 1.4 * reference - speed), 3.3 * sigma / (1.0 + 0.1 * diameter / scale(height)))
    t = np.asarray(t, dtype=float)
    return np.asarray(-0.37 * size * np.sin(3 * np.pi * t / GUST_TIME) * (1 - np.cos(2 * np.pi * t / GUST_TIME)))


def turn(t: Array, speed: float, turbulence: float | str, height: float, diameter: float) -> Array:
    """Return the angle of the extreme direction change, t from its begin: theta_e (1 - cos(pi t/T)) / 2.

    theta_e = 4 arctan(sigma_1 / (V_hub (1 + 0.1 D/Lambda_1))), at most 180 degrees.
    """
    sigma = deviation(speed, turbulence)
    angle = min(4.0 * np.arctan(sigma / (speed * (1.0 + 0.1 * diameter / scale(height)))), np.pi)
    return np.asarray(0.5 * angle * (1.0 - np.cos(np.pi * np.asarray(t, dtype=float) / TURN_TIME)))
