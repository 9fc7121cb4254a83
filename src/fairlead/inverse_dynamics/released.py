"""The directions each joint releases, in which it carries nothing: rows on the wrench (force, moment at joint_point).

ERRATA 16: internal loads in a loop need these beside the balances of single bodies. A free coordinate carries what is
recorded for it (`driver_force`: springs, dampers, actuators; zero without), along its axis if it is a length, about it
if it is an angle. A driven or locked coordinate carries what it must. The record says for each joint what it holds
(`joint_holds`) and for each coordinate its axis (`coordinate_axis`); a joint of which it says nothing is refused in a
loop.
"""

from __future__ import annotations

import numpy as np

from fairlead.errors import InvalidInput
from fairlead.inverse_dynamics.motion import Motion
from fairlead.inverse_dynamics.read import Record, read
from fairlead.numeric import perpendicular, turn

ALL_BUT_COORDINATES = "all but its coordinates"
DESCRIPTION = ("joint_holds", "joint_parent_point", "joint_parent_frame", "joint_child_frame")
Rows = list[tuple[np.ndarray, np.ndarray, np.ndarray]]  # of force (n, 3), of moment (n, 3), value (n)
Wrenches = list[tuple[np.ndarray, np.ndarray]]  # force (n, 3), moment at joint_point (n, 3)


class Joints:
    """The joints of a record with the places and axes they have in some rows."""

    def __init__(self, record: Record, motion: Motion):
        self.record, self.motion = record, motion
        data = record.data
        dim = "joint_coordinate" if "joint_coordinate" in data.variables else "coordinate"  # of a table, of ours
        told = f"{dim}_role" in data.variables
        described = all(name in data.variables for name in DESCRIPTION) and told == (f"{dim}_axis" in data.variables)
        self.holds = [str(held) for held in data["joint_holds"].values] if described else [""] * len(record.joints)
        self.count = len(record.time[motion.rows])
        self.zero = np.zeros((self.count, 3))
        labels = [str(name) for name in data[dim].values] if told and described else []
        self.roles = [str(role) for role in data[f"{dim}_role"].values] if labels else []
        self.axis = [str(axis).split() for axis in data[f"{dim}_axis"].values] if labels else []
        self.columns: list[list[int]] = [[] for _ in record.joints]  # coordinates of each joint
        row = {name: number for number, name in enumerate(record.joints)}
        for number, label in enumerate(labels):
            if label.rpartition(".")[0] in row:
                self.columns[row[label.rpartition(".")[0]]].append(number)
        known = bool(labels) and "driver_force" in data.variables
        self.drive = read(record, "driver_force", motion.rows) if known else np.zeros((self.count, len(labels)))

    def refuse_undescribed(self, joint: int) -> None:
        """Raise InvalidInput if the record does not say what a joint of a loop holds."""
        if not self.holds[joint]:
            raise InvalidInput(
                f"the Dataset does not say what joint '{self.record.joints[joint]}' of a loop holds (joint_holds and "
                "coordinate_axis): run the model again with this version, or give its motion as a table whose column "
                "map names the joint's type."
            )

    def released(self, joint: int) -> tuple[np.ndarray, np.ndarray]:
        """Return rows C (n, r, 6) and values d (n, r) with C (f, n) = d for the wrench on the child, world axes."""
        if self.holds[joint] not in ("", ALL_BUT_COORDINATES):
            return self._all_but(joint)
        rows = self._coordinates(joint)
        C = np.stack([np.concatenate(row[:2], axis=-1) for row in rows], axis=1) if rows else np.zeros((1, 0, 6))
        d = np.stack([row[2] for row in rows], axis=1) if rows else np.zeros((1, 0))
        return np.broadcast_to(C, (self.count, *C.shape[1:])), np.broadcast_to(d, (self.count, d.shape[1]))

    def axes(self, joint: int, side: str) -> np.ndarray:
        """Return the axes R_WB of the joint's parent or child."""
        body = (self.record.parent if side == "parent" else self.record.child)[joint]
        return self.motion.R_WB[:, body] if body >= 0 else np.broadcast_to(np.eye(3), (self.count, 3, 3))

    def direction(self, joint: int, side: str, column: int) -> np.ndarray:
        """Return a column of the joint's frame on one of its bodies, in world axes (n, 3)."""
        e_B = np.asarray(self.record.data[f"joint_{side}_frame"].values, dtype=float)[joint, :, column]
        return turn(self.axes(joint, side), np.broadcast_to(e_B, (self.count, 3)))

    def parent_point(self, joint: int) -> np.ndarray:
        """Return the joint's point on the parent in the world (n, 3)."""
        s_B = np.asarray(self.record.data["joint_parent_point"].values, dtype=float)[joint]
        body = self.record.parent[joint]
        start = self.motion.r_WB_W[:, body] if body >= 0 else np.zeros(3)
        return start + turn(self.axes(joint, "parent"), np.broadcast_to(s_B, (self.count, 3)))

    def _coordinates(self, joint: int) -> Rows:
        """Return the rows of free coordinates."""
        rows: Rows = []
        for number in self.columns[joint]:
            motion, side, column = self.axis[number]
            if self.roles[number] == "free" and side != "ball":
                e = self.direction(joint, side, int(column))
                pair = (self.zero, e) if motion == "turn" else (e, self.zero)
                rows.append((*pair, self.drive[:, number]))
        return rows + self._ball(joint)

    def _ball(self, joint: int) -> Rows:
        """Return the rows of free 1-2-3 angles; all three free are told by rates in the child's axes."""
        at = [number for number in self.columns[joint] if self.axis[number][1] == "ball"]
        free = [self.roles[number] == "free" for number in at]
        if not any(free):
            return []
        if all(free):
            axes = [self.axes(joint, "child")[:, :, k] for k in range(3)]
        else:
            a = read(self.record, "joint_position", self.motion.rows)[:, at[0], None]
            y, z = (self.direction(joint, "parent", k) for k in (1, 2))
            nodes = np.cos(a) * y + np.sin(a) * z
            axes = [self.direction(joint, "parent", 0), nodes, self.direction(joint, "child", 2)]
        return [(self.zero, axes[k], self.drive[:, at[k]]) for k in range(3) if free[k]]

    def _all_but(self, joint: int) -> tuple[np.ndarray, np.ndarray]:
        """Return rows across all wrenches that a joint holds which only constrains."""
        held = [pair for text in self.holds[joint].split("; ") for pair in self._held(joint, *text.split())]
        H = np.stack([np.concatenate(pair, axis=-1) for pair in held], axis=1)
        across = np.linalg.svd(H, full_matrices=True)[2][:, len(held) :]
        return across, np.zeros(across.shape[:2])

    def _held(self, joint: int, word: str, column: str) -> Wrenches:
        """Return the wrenches of one equation, as the gradients of `core/constraints/rows.py`."""
        one = np.broadcast_to(np.eye(3), (self.count, 3, 3))
        if word == "at_world":
            return [(one[:, int(column)], self.zero)]
        if word == "attitude":
            return [(self.zero, one[:, k]) for k in range(3)]
        reach = self.motion.r_WJ_W[:, joint] - self.parent_point(joint)
        if word == "apart":
            return [(reach / np.linalg.norm(reach, axis=-1, keepdims=True), self.zero)]
        h, arm = self.direction(joint, "parent", 2), self.direction(joint, "child", 0)
        if word == "square":
            return [(self.zero, np.cross(h, arm))]
        if word == "facing":
            # Only the moment about the axis less its part along the child's direction: h - f (f.h).
            held = h - arm * np.sum(arm * h, axis=-1, keepdims=True)
            return [(self.zero, held / np.linalg.norm(held, axis=-1, keepdims=True))]
        if word == "on_child_axis":
            # Two forces across the child's axis, both through the parent's point.
            first = np.array([perpendicular(e) for e in arm])
            return [(f, np.cross(f, reach)) for f in (first, np.cross(arm, first))]
        raise InvalidInput(f"joint '{self.record.joints[joint]}' holds '{word}', which internal loads do not know.")
