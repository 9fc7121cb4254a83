"""Modes of a linearised model: eigenvalues, one of each pair, shapes, and their names by what moves most."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.linalg import qr

from fairlead.running.modes.linear import Linear

Array = npt.NDArray[np.float64]
STILL = 1e-5  # of the largest eigenvalue: none
ROUNDING = 1e-9  # of an eigenvalue: its damping is not told from none


@dataclass
class Modes:
    """The modes of a linearised model, slowest first."""

    names: list[str]
    eigenvalues: npt.NDArray[np.complex128]
    shapes: npt.NDArray[np.complex128]  # (mode, freedom), 1 where it moves most


def modes_of(linear: Linear) -> Modes:
    """Return the modes: rigid ones first, then one of each pair of eigenvalues by its size."""
    values, vectors = np.linalg.eig(linear.A) if len(linear.A) else (np.zeros(0), np.zeros((0, 0)))
    top = float(np.abs(values).max(initial=0.0))
    moving = [
        number for number, value in enumerate(values) if abs(value) > STILL * top and value.imag >= 0 and abs(value) > 0
    ]
    moving.sort(key=lambda number: (abs(values[number]), values[number].real))
    rigid = _rigid(linear, top)
    found = np.concatenate([np.zeros(rigid.shape[1]), values[moving]]).astype(complex)
    shapes = np.concatenate([linear.follow @ rigid, linear.follow @ vectors[:, moving]], axis=1).astype(complex)
    rates = linear.follow_rates @ vectors[:, moving]
    names, kept = [], []
    for column in range(shapes.shape[1]):
        weight = np.abs(shapes[:, column]) * np.sqrt(linear.mass)
        if weight.max(initial=0.0) == 0.0:  # moves at one speed, or only an actuator's force
            shapes[:, column] = rates[:, column - rigid.shape[1]]
            weight = np.abs(shapes[:, column]) * np.sqrt(linear.mass)
        most = int(np.argmax(weight)) if len(weight) else 0
        if len(weight) and weight[most] > 0.0:
            shapes[:, column] /= shapes[most, column]
        names.append(linear.freedoms[most] if len(weight) else "actuator")
        kept.append(column)
    return Modes(_told_apart(names), found[kept], shapes[:, kept].T)


def _rigid(linear: Linear, top: float) -> Array:
    """Return displacements that nothing drives back, A x = 0, each as much as possible along one state."""
    if not len(linear.A):
        return np.zeros((0, 0))
    half = np.array([not name.startswith("rate of") for name in linear.states])
    scale = np.where(half, 1.0, max(top, 1e-12))  # velocities count as displacements times the highest frequency
    _, sizes, right = np.linalg.svd((linear.A * scale) / scale[:, None] / max(top, 1e-12))
    null = (right[sizes <= STILL**2 * 10].T) * scale[:, None]
    if not null.shape[1]:
        return null
    order = qr(null.T, mode="r", pivoting=True)[1][: null.shape[1]]
    chosen = sorted(int(one) for one in order)
    return np.asarray(null @ np.linalg.inv(null[chosen]))


def _told_apart(names: list[str]) -> list[str]:
    """Return names with a number behind those that came before."""
    seen: Counter[str] = Counter()
    found = []
    for name in names:
        seen[name] += 1
        found.append(name if seen[name] == 1 else f"{name} ({seen[name]})")
    return found


def largest_stable_step(values: npt.NDArray[np.complex128]) -> float:
    """Return the largest step [s] of rk4 with which no mode that decays or oscillates grows; infinite without any.

    |R(z)| <= 1 with R = 1 + z + z^2/2 + z^3/6 + z^4/24 and z = dt times the eigenvalue (Hairer and Wanner II, IV.2).
    """
    least = np.inf
    for value in values:
        size = abs(value)
        if size == 0.0 or value.real > 1e-6 * size:
            continue
        way = value / size if abs(value.real) > ROUNDING * size else 1j
        z = way * np.linspace(1e-3, 4.0, 40000)
        grows = np.abs(1 + z * (1 + z / 2 * (1 + z / 3 * (1 + z / 4)))) > 1.0 + 1e-10
        least = min(least, float(abs(z[np.argmax(grows)])) / size)
    return least
