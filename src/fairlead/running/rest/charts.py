"""Parts of a state as plain vectors: places, attitudes as rotation vectors, joint coordinates, and their velocities.

An attitude R is written R = exp(d) R0 about a state with R0; its velocity is the angular velocity w in the same outer
axes (the world's for bodies, the inboard body's for free balls), so that w' = R w_B' and, beside a steadily turning
reference, d' = dw + w0 x d.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from fairlead.core import arrays as ca
from fairlead.core.codes import LOOSE
from fairlead.core.layout import ATTITUDE, LENGTH, TURNING, VELOCITY
from fairlead.model.compile import Compiled

Array = npt.NDArray[np.float64]
WORDS = ("surge", "sway", "heave", "roll", "pitch", "yaw")


@dataclass(frozen=True)
class Line:
    """A plain number of the state with its rate: a free joint coordinate or one component of a place."""

    name: str
    value: int
    rate: int
    length: bool  # measured in metres

    @property
    def names(self) -> tuple[str, ...]:
        """Return its name, alone."""
        return (self.name,)


@dataclass(frozen=True)
class Turn:
    """An attitude of the state: a quaternion and three rates, along `axes` (columns) of the turned body or, where
    `outer`, of the one it turns in."""

    names: tuple[str, ...]
    value: int
    rates: tuple[int, ...]
    axes: Array
    outer: bool
    length: bool = False

    def velocity(self, y: Array, rates: Array) -> Array:
        """Return the angular velocity (or, from a rate of the state, its rate) in outer axes, along `axes`."""
        w = self.axes @ rates[list(self.rates)]
        return np.asarray(self.axes.T @ (w if self.outer else self._matrix(y) @ w))

    def put_velocity(self, y: Array, w: Array) -> None:
        """Write an angular velocity given in outer axes."""
        along = self.axes @ w
        y[list(self.rates)] = self.axes.T @ (along if self.outer else self._matrix(y).T @ along)

    def turn(self, y: Array, change: Array) -> None:
        """Turn the attitude by a rotation vector in outer axes."""
        y[self.value : self.value + 4] = product(exponential(self.axes @ change), y[self.value : self.value + 4])

    def between(self, y: Array, before: Array) -> Array:
        """Return the rotation vector in outer axes from the attitude in `before` to that in `y`."""
        back = before[self.value : self.value + 4] * np.array([1.0, -1.0, -1.0, -1.0])
        return np.asarray(self.axes.T @ logarithm(product(y[self.value : self.value + 4], back)))

    def _matrix(self, y: Array) -> Array:
        return matrix(y[self.value : self.value + 4])


def parts_of(compiled: Compiled) -> list[Line | Turn]:
    """Return the parts of a compiled model's state: of every floating base, or of all bodies, then free coordinates."""
    arrays, found = compiled.arrays, list[Line | Turn]()
    if int(arrays.options[LOOSE]):
        places = sorted((number, name) for name, number in compiled.index.tree_order.items())
        for number, name in places:
            found += _body(name, LENGTH * number)
        return found
    for tree, row in zip(compiled.topology.trees, arrays.trees):
        if not tree.rooted:
            found += _body(tree.root, int(row["state"]))
    for number, row in enumerate(arrays.coordinates):
        if row["code"] == ca.FREE and row["kind"] != ca.BALL_REST:
            found.append(_coordinate(number, row, compiled))
    return found


def _body(name: str, s: int) -> list[Line | Turn]:
    lines = [Line(f"{word} of {name}", s + i, s + VELOCITY + i, True) for i, word in enumerate(WORDS[:3])]
    rates = tuple(range(s + TURNING, s + TURNING + 3))
    return [*lines, Turn(tuple(f"{word} of {name}" for word in WORDS[3:]), s + ATTITUDE, rates, np.eye(3), False)]


def _coordinate(number: int, row: Any, compiled: Compiled) -> Line | Turn:
    labels, coordinates = compiled.index.coordinates, compiled.arrays.coordinates
    if row["kind"] != ca.BALL:
        name = labels[int(row["user"])]
        return Line(name, int(row["state"]), int(row["rate"]), row["kind"] == ca.TRANSLATION)
    three = [coordinates[number + i] for i in range(3)]
    names = tuple(labels[int(one["user"])] for one in three)
    axes = np.array([one["axis_D"] for one in three]).T
    return Turn(names, int(row["state"]), tuple(int(one["rate"]) for one in three), axes, bool(row["flip"]))


def product(p: Array, q: Array) -> Array:
    """Return the product of two quaternions, scalar first."""
    (a, b, c, d), (w, x, y, z) = p.tolist(), q.tolist()  # floats: a hundred of these make one tangent
    return np.array(
        [
            a * w - b * x - c * y - d * z,
            a * x + b * w + c * z - d * y,
            a * y + c * w + d * x - b * z,
            a * z + d * w + b * y - c * x,
        ]
    )


def exponential(d: Array) -> Array:
    """Return the quaternion of a rotation vector."""
    x, y, z = d.tolist()
    angle = math.sqrt(x * x + y * y + z * z)
    if not math.isfinite(angle):
        return np.full(4, math.nan)
    part = math.sin(angle / 2) / angle if angle > 1e-8 else 0.5 - angle * angle / 48
    return np.array([math.cos(angle / 2), part * x, part * y, part * z])


def logarithm(q: Array) -> Array:
    """Return the rotation vector, at most half a turn, of a unit quaternion."""
    w, x, y, z = q.tolist()
    sine = math.sqrt(x * x + y * y + z * z)
    sign = math.copysign(1.0, w)
    if sine < 1e-12:
        return np.array([2.0 * sign * x, 2.0 * sign * y, 2.0 * sign * z])
    part = 2.0 * sign * math.atan2(sine, abs(w)) / sine
    return np.array([part * x, part * y, part * z])


def matrix(q: Array) -> Array:
    """Return the matrix of a quaternion, normalised here."""
    w, x, y, z = q.tolist()
    s = 2.0 / (w * w + x * x + y * y + z * z)
    return np.array(
        [
            [1 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y)],
            [s * (x * y + w * z), 1 - s * (x * x + z * z), s * (y * z - w * x)],
            [s * (x * z - w * y), s * (y * z + w * x), 1 - s * (x * x + y * y)],
        ]
    )
