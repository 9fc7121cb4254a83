"""Velocities of the drawing: the motion that the joints allow and that is closest to what is drawn.

An assembly keeps what is drawn for bodies near the ground or the base and lets the others follow. Where that loses a
velocity that was drawn, the motion of that mechanism is found anew, each wish within what the ones before leave open:

1. the joints, their drivers and their `rate` hold;
2. velocities and angular velocities that are drawn, in the sense of the kinetic energy of what is missed;
3. of a body with one of them, that the other is zero as drawn;
4. bodies rest relative to the ones they are joined with;
5. the motion of the assembly.

A body for which neither is drawn follows the others.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from fairlead.core.layout import LENGTH, TURNING, VELOCITY
from fairlead.core.work import Work
from fairlead.errors import Problem
from fairlead.model.compile import Compiled
from fairlead.model.relations.compile import rows_of
from fairlead.model.schema import Model
from fairlead.model.topology import topology
from fairlead.running.formulations.start import start_of

Array = npt.NDArray[np.float64]
KEPT = 1e-6  # of a drawn velocity: what the six digits of a file leave of one that the joints allow
TOLD = 1e-3  # of a drawn velocity: what is lost of it and worth a word
ZERO = 1e-9  # of the largest singular value: equations that others imply
LIGHT = 1e-9  # of the largest mass: what a body without mass or inertia counts, so that its velocity does too
FIELDS = ("velocity", "angular_velocity")
UNITS = ("m/s", "rad/s")


def is_drawn_moving(model: Model, name: str) -> bool:
    """Return whether a velocity is drawn for a body."""
    return any(any(getattr(model.bodies[name], field)) for field in FIELDS)


def carried_moving(model: Model) -> bool:
    """Return whether a velocity is drawn for a body that joints move, which is no floating base."""
    roots = {tree.root for tree in topology(model).trees if not tree.rooted}
    return any(is_drawn_moving(model, name) for name in model.bodies if name not in roots)


def restore_drawn(y: Array, look: Any, compiled: Compiled, work: Work) -> dict[str, tuple[float, float]]:
    """Change the velocities of an assembled state where it lost drawn ones; return what is still lost, by body."""
    model = compiled.model
    if not any(is_drawn_moving(model, name) for name in model.bodies):
        return {}
    look(y)
    drawn = {
        (number, field): np.array(vector) if field == 0 else work.bodies[number]["R"].reshape(3, 3) @ vector
        for name, number in compiled.index.tree_order.items()
        for field, vector in enumerate(start_of(model, compiled.topology, name)[2:])
    }
    for bodies in _mechanisms(compiled):
        missed = [
            np.linalg.norm(wish - work.bodies[number]["uw"[field]]) > KEPT * np.linalg.norm(wish)
            for (number, field), wish in drawn.items()
            if number in bodies and wish.any()
        ]
        if any(missed):
            _move(bodies, {key: wish for key, wish in drawn.items() if key[0] in bodies}, y, compiled, work)
    look(y)
    return _lost(compiled, work)


def _mechanisms(compiled: Compiled) -> Iterator[list[int]]:
    """Give the numbers of bodies that joints connect, the world apart, group by group."""
    rows = compiled.arrays.constraints
    pairs = {(int(row["i"]), int(row["j"])) for row in rows if min(row["i"], row["j"]) >= 0}
    heads = np.flatnonzero(rows["next"] >= 0)
    related = [{int(rows[q][end]) for q in rows_of(rows, int(r)) for end in "ij"} - {-1} for r in heads]
    pairs |= {(a, b) for bodies in related for a in bodies for b in bodies}
    left = set(range(len(compiled.arrays.bodies)))
    while left:
        group = {min(left)}
        while fresh := {b for pair in pairs for b in pair if group & set(pair)} - group:
            group |= fresh
        left -= group
        yield sorted(group)


def _move(bodies: list[int], drawn: dict[tuple[int, int], Array], y: Array, compiled: Compiled, work: Work) -> None:
    """Write the motion of one mechanism into the state, wish after wish within what is left open."""
    place = {body: 6 * at for at, body in enumerate(bodies)}
    found = work.bodies
    v = np.concatenate([np.concatenate([found[b]["u"], found[b]["w"]]) for b in bodies])
    whole = compiled.arrays.constraints
    rows = [r for r in range(len(whole)) if any(int(whole[q][end]) in place for q in rows_of(whole, r) for end in "ij")]
    J = np.zeros((len(rows), len(v)))
    for at, r in enumerate(rows):
        for q in rows_of(whole, r):
            for side, end in enumerate("ij"):
                body = int(whole[q][end])
                if body in place:
                    J[at, place[body] : place[body] + 6] += work.constraint.J[q, 6 * side : 6 * side + 6]
    on = work.constraint.active[rows].astype(bool)
    free = _null_space(J[on])
    for matrix, value in _wishes(drawn, place, _roots(bodies, compiled, work)):
        v, free = _meet(matrix, value, v, free)
    v, free = _meet(_relative(J[~on], place, compiled), 0.0, v, free)
    for body, at in place.items():
        s, R = LENGTH * body, found[body]["R"].reshape(3, 3)
        y[s + VELOCITY : s + TURNING], y[s + TURNING : s + LENGTH] = v[at : at + 3], R.T @ v[at + 3 : at + 6]


def _wishes(
    drawn: dict[tuple[int, int], Array], place: dict[int, int], roots: dict[tuple[int, int], Array]
) -> Iterator[tuple[Array, Array]]:
    """Give matrix and right-hand side of the velocities drawn, and of the zeros beside them."""
    moving = {number for (number, _), wish in drawn.items() if wish.any()}
    for zeros in (False, True):
        keys = [key for key, wish in drawn.items() if key[0] in moving and wish.any() != zeros]
        matrix, value = np.zeros((3 * len(keys), 6 * len(place))), np.zeros(3 * len(keys))
        for row, key in enumerate(keys):
            at = place[key[0]] + 3 * key[1]
            matrix[3 * row : 3 * row + 3, at : at + 3] = roots[key]
            value[3 * row : 3 * row + 3] = roots[key] @ drawn[key]
        yield matrix, value


def _meet(matrix: Array, value: Any, v: Array, free: Array) -> tuple[Array, Array]:
    """Return the velocities moved within `free` to meet `matrix v = value` best, and what that leaves free."""
    if not free.size or not len(matrix):
        return v, free
    within = matrix @ free
    change = np.linalg.lstsq(within, value - matrix @ v, rcond=ZERO)[0]
    return v + free @ change, free @ _null_space(within)


def _null_space(matrix: Array) -> Array:
    """Return orthonormal columns that a matrix takes to zero."""
    if not len(matrix):
        return np.eye(matrix.shape[1])
    _, size, rows = np.linalg.svd(matrix)
    return np.asarray(rows[int((size > ZERO * size.max(initial=0.0)).sum()) :].T)


def _roots(bodies: list[int], compiled: Compiled, work: Work) -> dict[tuple[int, int], Array]:
    """Return square roots of each body's mass and inertia, 3x3 in world axes: energy is |root v|^2 / 2."""
    masses = np.array([np.eye(3) * compiled.arrays.bodies[b]["mass"] for b in bodies])
    xx, yy, zz, xy, xz, yz = np.array([work.bodies[b]["I"] for b in bodies]).T
    tensors = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]).transpose(2, 0, 1)
    roots = {}
    for field, whole in enumerate((masses, tensors)):
        sizes, axes = np.linalg.eigh(whole + LIGHT * max(float(np.abs(whole).max()), 1e-300) * np.eye(3))
        for body, size, axis in zip(bodies, sizes, axes):
            roots[body, field] = axis * np.sqrt(np.maximum(size, 0.0)) @ axis.T
    return roots


def _relative(measured: Array, place: dict[int, int], compiled: Compiled) -> Array:
    """Return the rows that measure how joined bodies move relative to each other."""
    rows = [measured]
    pairs = {(int(row["i"]), int(row["j"])) for row in compiled.arrays.constraints}
    for i, j in sorted(pairs):
        if i in place or j in place:
            turn = np.zeros((3, measured.shape[1]))
            for body, sign in ((i, -1.0), (j, 1.0)):
                if body in place:
                    turn[:, place[body] + 3 : place[body] + 6] = sign * np.eye(3)
            rows.append(turn)
    return np.concatenate(rows)


def _lost(compiled: Compiled, work: Work) -> dict[str, tuple[float, float]]:
    """Return of each body how much of its drawn velocity [m/s] and angular velocity [rad/s] the joints do not allow."""
    lost = {}
    for name, number in compiled.index.tree_order.items():
        body, found = compiled.model.bodies[name], work.bodies[number]
        sizes = [0.0, 0.0]
        for field, now in enumerate((found["u"], found["R"].reshape(3, 3).T @ found["w"])):
            wish = np.array(getattr(body, FIELDS[field]))
            gap = float(np.linalg.norm(now - wish))
            if wish.any() and gap > TOLD * np.linalg.norm(wish):
                sizes[field] = gap
        if any(sizes):
            lost[name] = (sizes[0], sizes[1])
    return lost


def lost_velocities(lost: dict[str, tuple[float, float]]) -> list[Problem]:
    """Return a warning for each drawn velocity that the joints do not allow."""
    return [
        Problem(
            f"cannot be as drawn, the joints do not allow it: the body starts off it by {gap:.3g} {UNITS[field]}; "
            "leave it out, or mend it, the joints' motions and rates, or the velocities of other bodies",
            f"bodies.{name}.{FIELDS[field]}",
            severity="warning",
        )
        for name, gaps in lost.items()
        for field, gap in enumerate(gaps)
        if gap
    ]
