"""Six relative coordinates per body for Kane's equations: which joint coordinate is which angle or translation.

Every joint is a chain of translations along axes of the inboard body and rotations. A joint frame F is laid so that its
rotation axes are the first of a 1-2-3 sequence and its translations run along the same axes:

| joint | angles | translations |
| --- | --- | --- |
| revolute, cylindrical | 1 about the axis | 1 along it |
| prismatic | - | 1 |
| universal | 1, 2 | - |
| planar | 3 about the normal | 1, 2 |
| spherical, free | 1, 2, 3 | 1, 2, 3 |

A joint against its own direction has its chain reversed about reversed axes already, and (-z, -y, -x) is right-handed.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from fairlead.core import arrays as ca
from fairlead.model.joints.geometry import Array
from fairlead.model.joints.numbering import FreeCoordinates

REFERENCE = 5  # a quaternion and how often it was moved


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
            self._joint(slot, rows, int(body["first"]), tree["R_WD"].reshape(3, 3))
            if body["joint"] < 0:
                slot["dof"] = tree["dof"] + np.array([3, 4, 5, 0, 1, 2])
                slot["R_JF"] = slot["R_KF"] = np.eye(3).ravel()
            self._state(slot, body["joint"] < 0)
            for row in rows:
                row["state"] = row["rate"] = -1
            for i, k in enumerate(slot["coordinate"]):
                if k >= 0:
                    coordinates[k]["state"], coordinates[k]["rate"] = slot["state"][i], slot["rate"][i]

    def _joint(self, slot: Any, rows: list[Any], first: int, R_WD: Array) -> None:
        """Give each coordinate of a joint its slot and lay the joint frame."""
        slides = [k for k, row in enumerate(rows) if row["kind"] == ca.TRANSLATION]
        turns = [k for k, row in enumerate(rows) if row["kind"] == ca.ROTATION]
        ball = [k for k, row in enumerate(rows) if row["kind"] in (ca.BALL, ca.BALL_REST)]
        axes: dict[int, Array] = {}
        about_normal = len(slides) == 2 and len(turns) == 1
        for place, k in [*enumerate(turns, 2 if about_normal else 0), *enumerate(slides, 3)]:
            slot["coordinate"][place], slot["dof"][place] = first + k, rows[k]["dof"]
            axes[place % 3] = np.array(rows[k]["axis_D"])
        if ball:
            slot["ball"] = first + ball[0]
            slot["dof"][:3] = [rows[k]["dof"] for k in ball]
            axes = dict(enumerate(R_WD))  # the drawing's axes in D
        slot["R_JF"] = slot["R_KF"] = _frame(axes).ravel()

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
