"""Solids as triangles: each function returns one, its outside to the right of the order of its corners.

Corners on a sharp edge stand twice, so that normals averaged over the triangles of a corner shade it as it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from fairlead.numeric import perpendicular

Array = npt.NDArray[np.float64]
ROUND = 32  # corners of a circle
ARC = 8  # steps of a quarter of a ball


@dataclass(frozen=True)
class Solid:
    """Corners (n, xyz) [m], triangles (m, 3) by number, and a colour as #rrggbb; empty where none was chosen."""

    corners: Array
    triangles: npt.NDArray[np.int64]
    colour: str = ""

    def moved(self, R: Any, place: Any) -> Solid:
        """Return the solid turned by R, then moved."""
        return replace(self, corners=self.corners @ np.asarray(R, dtype=float).T + np.asarray(place, dtype=float))

    def volume(self) -> float:
        """Return what it encloses [m3]: positive where all triangles show outwards."""
        a, b, c = (self.corners[self.triangles[:, i]] for i in range(3))
        return float(np.einsum("ij,ij->", a, np.cross(b, c)) / 6)


def box(size: Sequence[float]) -> Solid:
    """Return a box about the origin."""
    faces: list[list[int]] = []
    corners: list[Array] = []
    for axis in range(3):
        for side in (-1.0, 1.0):
            u, v = np.eye(3)[(axis + 1) % 3], np.eye(3)[(axis + 2) % 3]
            u = u * side
            middle = np.eye(3)[axis] * side
            start = len(corners)
            corners += [middle - u - v, middle + u - v, middle + u + v, middle - u + v]
            faces += [[start, start + 1, start + 2], [start, start + 2, start + 3]]
    return Solid(0.5 * np.array(corners) * np.asarray(size, dtype=float), np.array(faces))


def revolved(profile: Sequence[tuple[float, float]], sharp: bool = True) -> Solid:
    """Return a solid of revolution about z from rows (z, radius), upwards; `sharp` shades every row as an edge."""
    rows = [(z, r) for z, r in profile]
    pairs = list(pairwise(rows))
    if sharp:
        if rows[0][1] > 0:
            pairs.insert(0, ((rows[0][0], 0.0), rows[0]))
        if rows[-1][1] > 0:
            pairs.append((rows[-1], (rows[-1][0], 0.0)))
        parts = [_strip([low, high]) for low, high in pairs if low != high]
        return joined(parts)
    return _strip(rows)


def _strip(rows: Sequence[tuple[float, float]]) -> Solid:
    turn = np.linspace(0.0, 2 * np.pi, ROUND, endpoint=False)
    ring = np.column_stack([np.cos(turn), np.sin(turn), np.zeros(ROUND)])
    corners = np.concatenate([ring * r + [0.0, 0.0, z] for z, r in rows])
    around = np.arange(ROUND)
    triangles = []
    for level in range(len(rows) - 1):
        a, b = level * ROUND + around, level * ROUND + (around + 1) % ROUND
        c, d = a + ROUND, b + ROUND
        if rows[level][1] > 0:
            triangles.append(np.column_stack([a, b, d]))
        if rows[level + 1][1] > 0:
            triangles.append(np.column_stack([a, d, c]))
    return Solid(corners, np.concatenate(triangles))


def ball(diameter: float) -> Solid:
    """Return a ball about the origin."""
    angle = np.linspace(-np.pi / 2, np.pi / 2, 2 * ARC + 1)
    rows = [(0.5 * diameter * np.sin(a), 0.5 * diameter * np.cos(a)) for a in angle]
    rows[0], rows[-1] = (rows[0][0], 0.0), (rows[-1][0], 0.0)
    return _strip(rows)


def bar(a: Any, b: Any, diameter: float, other: float | None = None) -> Solid:
    """Return a cylinder from a to b, or a cone where the other diameter differs."""
    length, R, start = _between(a, b)
    rows = [(0.0, 0.5 * diameter), (length, 0.5 * (diameter if other is None else other))]
    return revolved(rows).moved(R, start)


def capsule(a: Any, b: Any, diameter: float) -> Solid:
    """Return a cylinder from a to b with half a ball on each end."""
    length, R, start = _between(a, b)
    r = 0.5 * diameter
    low, high = np.linspace(-np.pi / 2, 0, ARC + 1), np.linspace(0, np.pi / 2, ARC + 1)
    rows = [(r * np.sin(t), r * np.cos(t)) for t in low] + [(length + r * np.sin(t), r * np.cos(t)) for t in high]
    rows[0], rows[-1] = (rows[0][0], 0.0), (rows[-1][0], 0.0)
    return _strip(rows).moved(R, start)


def _between(a: Any, b: Any) -> tuple[float, Array, Array]:
    """Return the length, the axes with z along, and the start of what reaches from a to b."""
    start = np.asarray(a, dtype=float)
    along = np.asarray(b, dtype=float) - start
    length = float(np.linalg.norm(along))
    return length, axes_along(along), start


def axes_along(way: Any) -> Array:
    """Return right-handed axes whose third points along a way."""
    z = np.asarray(way, dtype=float) / np.linalg.norm(way)
    x = perpendicular(z)
    return np.column_stack([x, np.cross(z, x), z])


def blade(root: Any, tip: Any, edge: Any, chords: tuple[float, float], round_root: float, twist: float) -> Solid:
    """Return a blade: a circle at its root, widest at a fifth of its length, thin towards the tip."""
    start, end = np.asarray(root, dtype=float), np.asarray(tip, dtype=float)
    length = float(np.linalg.norm(end - start))
    z = (end - start) / length
    y = np.asarray(edge, dtype=float) - z * np.dot(edge, z)
    y = y / np.linalg.norm(y)
    x = np.cross(y, z)
    turn = np.linspace(0.0, 2 * np.pi, 20, endpoint=False)
    stations = np.array([0.0, 0.03, 0.1, 0.2, 0.35, 0.5, 0.65, 0.8, 0.92, 0.98, 1.0])
    chord = np.interp(stations, [0, 0.03, 0.2, 0.98, 1.0], [round_root, round_root, *chords, 0.15 * chords[1]])
    thick = np.interp(stations, [0, 0.03, 0.2, 0.5, 1.0], [1.0, 1.0, 0.38, 0.22, 0.16])
    flat = np.interp(stations, [0.03, 0.2], [0.0, 1.0])  # from circle to profile
    angle = twist * np.interp(stations, [0.0, 0.2, 1.0], [1.0, 1.0, 0.0])
    rings = []
    for s, c, t, f, a in zip(stations, chord, thick, flat, angle):
        along = 0.5 * c * np.cos(turn) - 0.2 * c * f  # a quarter of the profile lies ahead of its axis
        taper = 1.0 - 0.75 * f * (0.5 - 0.5 * np.cos(turn)) ** 2  # thin at the trailing edge
        across = 0.5 * c * t * np.sin(turn) * taper
        u, v = along * np.cos(a) - across * np.sin(a), along * np.sin(a) + across * np.cos(a)
        rings.append(start + s * length * z + u[:, None] * y + v[:, None] * x)
    return skin(rings)


def skin(rings: list[Array]) -> Solid:
    """Return the surface through rings of equally many corners, closed at both ends."""
    n, around = len(rings[0]), np.arange(len(rings[0]))
    triangles = []
    for level in range(len(rings) - 1):
        a, b = level * n + around, level * n + (around + 1) % n
        triangles += [np.column_stack([a, b + n, b]), np.column_stack([a, a + n, b + n])]
    ends = [rings[0].mean(axis=0), rings[-1].mean(axis=0)]
    low, high = len(rings) * n, len(rings) * n + 1
    last = (len(rings) - 1) * n
    triangles.append(np.column_stack([np.full(n, low), around, (around + 1) % n]))
    triangles.append(np.column_stack([np.full(n, high), last + (around + 1) % n, last + around]))
    solid = Solid(np.concatenate([*rings, ends]), np.concatenate(triangles))
    return solid if solid.volume() >= 0 else replace(solid, triangles=solid.triangles[:, ::-1])


def plate(outline: Array, normal: Any, thickness: float) -> Solid:
    """Return a flat plate over a convex outline, which goes round its normal in the right-handed sense."""
    half = 0.5 * thickness * np.asarray(normal, dtype=float)
    top, bottom = outline + half, outline - half
    n = len(outline)
    fan = np.array([[0, i, i + 1] for i in range(1, n - 1)])
    sides = []
    for i in range(n):
        j = (i + 1) % n
        square = np.array([bottom[i], bottom[j], top[j], top[i]])
        sides.append(Solid(square, np.array([[0, 1, 2], [0, 2, 3]])))
    return joined([Solid(top, fan), Solid(bottom, fan[:, ::-1]), *sides])


def joined(solids: Sequence[Solid]) -> Solid:
    """Return several solids as one, in the first one's colour."""
    first = np.cumsum([0, *(len(one.corners) for one in solids)])
    triangles = [one.triangles + start for one, start in zip(solids, first)]
    return Solid(np.concatenate([one.corners for one in solids]), np.concatenate(triangles), solids[0].colour)
