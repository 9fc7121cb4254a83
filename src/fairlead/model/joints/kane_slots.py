"""Six relative coordinates per body for Kane's equations: which joint coordinate is which angle or translation.

A slot is one of 1-2-3 angles about the axes of a joint frame F, or a translation along these axes in the inboard body.
F is laid by the joint's description (`places`): its columns take the first axes of F that keep the turns in order and F
right-handed. So a revolute joint has the first angle, a universal one the first two, a planar one translations 1 and 2
and the third angle. What the six slots cannot express has no place, and Kane's equations refuse it.

A joint against its own direction has its chain reversed about reversed axes already, and (-z, -y, -x) is right-handed.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from typing import Any

import numpy as np

from fairlead.core import arrays as ca
from fairlead.model.joints.description import Coordinate
from fairlead.model.joints.geometry import Array
from fairlead.model.joints.numbering import FreeCoordinates

REFERENCE = 5  # a quaternion and how often it was moved


def places(chain: Sequence[Coordinate], flipped: bool) -> list[int] | None:
    """Return the slot of each coordinate of a chain, inboard to outboard; None if six slots cannot express it."""
    for at, one in enumerate(chain):
        before = {past.column for past in chain[:at] if past.kind == "angle"}
        if (one.kind == "length" and before - {one.column}) or (one.kind == "angle" and one.column in before):
            return None  # it slides along an axis that an angle before it turns, or turns about one axis twice
    columns = list(dict.fromkeys(one.column for one in chain))
    for axes in permutations(range(3), len(columns)):
        axis_of = dict(zip(columns, axes))
        turns = [axis_of[one.column] for one in chain if one.kind == "angle"]
        if turns == sorted(turns) and _right_handed(axis_of, flipped):
            return [axis_of[one.column] + (0 if one.kind == "angle" else 3) for one in chain]
    return None


def _right_handed(axis_of: dict[int, int], flipped: bool) -> bool:
    """Return whether columns at these axes, reversed if flipped, are or can be completed to a right-handed frame."""
    order = sorted(axis_of, key=lambda column: axis_of[column])
    even = order in ([0, 1, 2], [1, 2, 0], [2, 0, 1])
    return len(order) < 3 or even != flipped


class KaneCoordinates(FreeCoordinates):
    """Numbers degrees of freedom as for all trees, and the state of Kane's equations: values, rates, references."""

    def number(self, coordinates: list[Any], bodies: Any, trees: Any) -> None:
        """Write degrees of freedom into the rows of coordinates and trees, and lay out the slots and the state."""
        super().number(coordinates, bodies, trees)
        self.table = np.zeros(len(bodies), ca.SLOT)
        self.length = 0
        trees["state"] = -1  # a base is a body with six free slots
        for body, slot in zip(bodies, self.table):
            slot["lower"], slot["reference"], slot["ball"] = body["parent"], -1, -1
            for name in ("coordinate", "state", "rate", "dof"):
                slot[name] = -1
            slot["r_K"] = body["r_JB_D"]
            tree = trees[body["tree"]]
            if body["parent"] >= 0:
                slot["q_J"] = bodies["r_JB_D"][body["parent"]] + body["r_PJ_D"]
            elif tree["rooted"]:
                slot["q_J"] = tree["x_O"]
            rows = coordinates[body["first"] : body["last"]]
            self._joint(slot, rows, bool(body["flip"]), int(body["first"]), tree["R_WD"].reshape(3, 3))
            if body["joint"] < 0:
                slot["dof"] = tree["dof"] + np.array([3, 4, 5, 0, 1, 2])
                slot["R_JF"] = slot["R_KF"] = np.eye(3).ravel()
            self._state(slot, body["joint"] < 0)
            for row in rows:
                row["state"] = row["rate"] = -1
            for i, k in enumerate(slot["coordinate"]):
                if k >= 0:
                    coordinates[k]["state"], coordinates[k]["rate"] = slot["state"][i], slot["rate"][i]

    def _joint(self, slot: Any, rows: list[Any], flipped: bool, first: int, R_WD: Array) -> None:
        """Give each coordinate of a joint its slot and lay the joint frame."""
        ball = [k for k, row in enumerate(rows) if row["kind"] in (ca.BALL, ca.BALL_REST)]
        chain = [k for k in range(len(rows)) if k not in ball]
        axes: dict[int, Array] = {}
        found = places([self._described(rows[k]) for k in chain], flipped)
        assert found is not None  # `accepts` refuses what has no place
        for place, k in zip(found, chain):
            slot["coordinate"][place], slot["dof"][place] = first + k, rows[k]["dof"]
            axes[place % 3] = np.array(rows[k]["axis_D"])
        if ball:
            slot["ball"] = first + ball[0]
            slot["dof"][:3] = [rows[k]["dof"] for k in ball]
            axes = dict(enumerate(R_WD))  # the drawing's axes in D
        slot["R_JF"] = slot["R_KF"] = _frame(axes).ravel()

    def _described(self, row: Any) -> Coordinate:
        name, _, coordinate = self.index.coordinates[int(row["user"])].rpartition(".")
        return self.model.joints[name].coordinates[coordinate]

    def _state(self, slot: Any, base: bool) -> None:
        """Lay out values, rates and the reference attitude of one body in the state."""
        free = [i for i in range(6) if slot["dof"][i] >= 0]
        for name in ("state", "rate"):
            slot[name][free] = self.length + np.arange(len(free))
            self.length += len(free)
        if base or slot["ball"] >= 0:
            slot["reference"], self.length = self.length, self.length + REFERENCE

    def slots(self, coordinates: list[Any], bodies: Any, trees: Any) -> Any:
        """Return the six slots of each body."""
        return self.table


def _frame(axes: dict[int, Array]) -> Array:
    """Return the right-handed frame, its axes as columns, that has the given axes at their places."""
    found = dict(axes)
    if len(found) == 1:
        (place, axis), *_ = found.items()
        helper = np.eye(3)[int(np.argmin(np.abs(axis)))]
        across = np.cross(axis, helper)
        found[(place + 1) % 3] = across / np.linalg.norm(across)
    if len(found) == 2:
        missing = ({0, 1, 2} - set(found)).pop()
        found[missing] = np.cross(found[(missing + 1) % 3], found[(missing + 2) % 3])
    return np.column_stack([found[i] for i in range(3)]) if found else np.eye(3)
