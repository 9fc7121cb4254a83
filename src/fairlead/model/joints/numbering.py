"""Free joint coordinates: where each stands in the state and in the equations, and which freedoms a loop touches."""

from __future__ import annotations

from typing import Any

import numpy as np

from fairlead.core import arrays as ca
from fairlead.model.joints.geometry import rotation_of
from fairlead.model.schema import Model
from fairlead.model.topology import Topology


class FreeCoordinates:
    """Numbers degrees of freedom: per tree six of a free base, then its free coordinates in outward order."""

    def __init__(self, model: Model, index: Any, found: Topology, per_tree: int) -> None:
        self.model, self.index, self.found = model, index, found
        self.length = per_tree * sum(not tree.rooted for tree in found.trees)
        self.freedoms = 0

    def number(self, coordinates: list[Any], bodies: Any, trees: Any) -> None:
        """Write places in the state and degrees of freedom into the rows of coordinates and trees."""
        free: list[Any] = []
        for tree in trees:
            tree["dof"] = self.freedoms if not tree["rooted"] else -1
            self.freedoms += 0 if tree["rooted"] else 6
            for body in bodies[tree["first"] : tree["last"]]:
                for row in coordinates[body["first"] : body["last"]]:
                    if row["code"] == ca.FREE:
                        row["dof"] = self.freedoms
                        self.freedoms += 1
                        free.append((row, body))
        balls = 0
        for row, _ in free:
            if row["kind"] == ca.BALL:
                row["ball"], balls = balls, balls + 1
            if row["kind"] != ca.BALL_REST:
                row["state"], self.length = self.length, self.length + (4 if row["kind"] == ca.BALL else 1)
        for row, body in free:
            row["rate"], self.length = self.length, self.length + 1
            if row["kind"] in (ca.BALL, ca.BALL_REST):
                row["axis_D"] = self._child_axis(row, body, trees)

    def slots(self, coordinates: list[Any], bodies: Any, trees: Any) -> Any:
        """Return the six slots of each body, which only Kane's equations have."""
        return np.zeros(0, ca.SLOT)

    def _child_axis(self, row: Any, body: Any, trees: Any) -> Any:
        """Return the axis of a ball's coordinate: one of the own axes of the joint's child, in the tree's D."""
        name, _, letter = self.index.coordinates[int(row["user"])].rpartition(".")
        joint = self.model.joints[name]
        child, column = joint.child, joint.coordinates[letter].column
        R_WD = trees["R_WD"][body["tree"]].reshape(3, 3)
        axes = np.eye(3) if child not in self.model.bodies else rotation_of(self.model.bodies[child])
        return (-1.0 if row["flip"] else 1.0) * (R_WD.T @ axes[:, column])


def needs_measuring(channels: Any, sprung: Any, actuators: Any, coordinates: list[Any]) -> int:
    """Return whether a formula reads angles that are not part of the state, or else something pushes a free ball.

    Dampers and actuators of a free ball need its rates alone, which trees have as they are in the state.
    """
    ball = (ca.BALL, ca.BALL_REST)
    read = [int(c["number"]) for c in channels if c["source"] == ca.OF_COORDINATE]
    pushed = [int(row["coordinate"]) for table in (sprung, actuators) for row in table]
    if any(coordinates[k]["kind"] in ball for k in read):
        return ca.ANGLES_READ
    if any(coordinates[k]["code"] == ca.CONSTANT for k in read + pushed):
        return ca.ANGLES_READ
    return ca.RATES_READ if any(coordinates[k]["kind"] in ball for k in pushed) else ca.UNREAD


def loop_structure(
    constraints: Any, bodies: Any, trees: Any, coordinates: Any, loose: bool, dense: bool, freedoms: int
) -> dict[str, Any]:
    """Return which degrees of freedom each loop equation touches, and the envelope of the equations' matrix."""
    alone = [_sharing(constraints, r) for r in range(len(constraints))]
    if loose:
        touched = [[int(row[end]) for row in rows for end in "ij" if row[end] >= 0] for rows in alone]
        none = np.zeros(0, dtype=np.int64)
        return {"envelope": _envelope(touched), "loop_at": none, "loop_columns": none}
    if dense:
        touched = [list(range(freedoms)) if rows else [] for rows in alone]
    else:
        touched = [sorted({d for row in rows for d in _inboard(row, bodies, trees, coordinates)}) for rows in alone]
    return {
        "envelope": _envelope(touched),
        "loop_at": np.concatenate([[0], np.cumsum([len(t) for t in touched])]).astype(np.int64),
        "loop_columns": np.array([column for t in touched for column in t], dtype=np.int64),
    }


def _sharing(constraints: Any, r: int) -> list[Any]:
    """Return the rows that have one multiplier with row r: all of a relation for its first, none for its others."""
    if constraints["head"][r] < 0:
        return [constraints[r]]
    return [row for row in constraints if row["head"] == r]


def _inboard(row: Any, bodies: Any, trees: Any, coordinates: Any) -> list[int]:
    """Return the degrees of freedom inboard of the two bodies of a constraint equation, growing."""
    found: set[int] = set()
    for body in (int(row["i"]), int(row["j"])):
        while body >= 0:
            b = bodies[body]
            found |= {int(d) for d in coordinates["dof"][b["first"] : b["last"]] if d >= 0}
            base = int(trees["dof"][b["tree"]])
            body = int(b["parent"])
            if body < 0 and base >= 0:
                found |= set(range(base, base + 6))
    return sorted(found)


def _envelope(touched: list[list[int]]) -> Any:
    """Return of each equation the first that shares something with it, and where its row starts in the storage."""
    lowest: dict[int, int] = {}
    found = np.zeros((len(touched), 2), dtype=np.int64)
    used = 0
    for r, things in enumerate(touched):
        first = min([lowest.setdefault(thing, r) for thing in things], default=r)
        found[r] = first, used - first
        used += r - first + 1
    return found
