"""Modes of a linearised model: eigenvalues, one of each pair, shapes, and their names by what moves most."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.linalg import qr, schur
from scipy.optimize import linear_sum_assignment

from fairlead.running.modes.linear import Linear

Array = npt.NDArray[np.float64]
STILL = 1e-6  # of the largest eigenvalue: none
ALIKE = 0.5  # of the largest motion of a mode: a freedom that may name it too
ROUNDING = 1e-9  # of an eigenvalue: its damping is not told from none


@dataclass
class Modes:
    """The modes of a linearised model, slowest first."""

    names: list[str]
    eigenvalues: npt.NDArray[np.complex128]
    shapes: npt.NDArray[np.complex128]  # (mode, freedom), 1 where it moves most
    left: npt.NDArray[np.complex128]  # (mode, state): l A = eigenvalue l, l x is the mode's part of x; nan where rigid
    participation: Array  # (mode, state): |l r| of each state, of their sum; nan where rigid


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
    left = _left(linear.A, values, vectors, top)[moving]
    shares = np.abs(left * vectors[:, moving].T)
    for column in range(rigid.shape[1], shapes.shape[1]):
        if not np.abs(shapes[:, column]).any():  # moves at one speed, or only an actuator's force
            shapes[:, column] = rates[:, column - rigid.shape[1]]
    leading = _leading(np.abs(shapes) * np.sqrt(linear.mass)[:, None])
    names = ["actuator" if most is None else linear.freedoms[most] for most in leading]
    for column, most in enumerate(leading):
        if most is not None:
            if column >= rigid.shape[1]:
                left[column - rigid.shape[1]] *= shapes[most, column]
            shapes[:, column] /= shapes[most, column]
    unknown = np.full((rigid.shape[1], len(linear.A)), np.nan)
    shares /= np.maximum(shares.sum(axis=1, keepdims=True), 1e-300)
    return Modes(
        _told_apart(names), found, shapes.T, np.concatenate([unknown, left]), np.concatenate([unknown, shares])
    )


def _leading(weights: Array) -> list[int | None]:
    """Return the freedom that names each mode (a column of weights): where most mass moves, None where nothing does.

    Modes that share their freedoms nearly alike (surge and sway of a round hull) get one each.
    """
    most = weights.max(axis=0, initial=0.0)
    found = [int(np.argmax(column)) if top > 0 else None for column, top in zip(weights.T, most)]
    shares = weights / np.where(most > 0, most, 1.0)
    for freedom, mode in zip(*linear_sum_assignment(shares, maximize=True)):
        if shares[freedom, mode] >= ALIKE:
            found[mode] = int(freedom)
    return found


def _left(A: Array, values: Array, vectors: Array, top: float) -> npt.NDArray[np.complex128]:
    """Return the left vectors of all eigenvalues, l_i r_j = 1 where i is j, else 0; nan for those that are none.

    The vectors that belong to no motion are completed by the subspace of the rigid ones (from the Schur form), whose
    own are not unique: a body that nothing holds may move at any speed.
    """
    still = np.abs(values) <= STILL * top
    left = np.full(vectors.shape, np.nan, dtype=complex)
    if not len(A) or still.all():
        return left
    _, basis, count = schur(A, output="complex", sort=lambda value: abs(value) <= STILL * top)
    if count == still.sum():
        left[~still] = np.linalg.inv(np.concatenate([basis[:, :count], vectors[:, ~still]], axis=1))[count:]
    return left


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
