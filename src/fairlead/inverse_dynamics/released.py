"""The directions each joint releases, in which it carries nothing: rows on the wrench (force, moment at joint_point).

ERRATA 16: internal loads in a loop need these beside the balances of single bodies. A free coordinate carries what is
recorded for it (`driver_force`: springs, dampers, actuators; zero without), along its axis if it is a length, about it
if it is an angle. A driven or locked coordinate carries what it must. A joint of unknown type releases nothing.
"""

from __future__ import annotations

import numpy as np

from fairlead.inverse_dynamics.motion import Motion
from fairlead.inverse_dynamics.read import Record, read
from fairlead.numeric import turn

# coordinate -> (body it is fixed in, column of the joint's frame there); see `joint_places.py`
AXIS = {
    "revolute": {"angle": ("parent", 2)},
    "prismatic": {"length": ("parent", 2)},
    "cylindrical": {"angle": ("parent", 2), "length": ("parent", 2)},
    "universal": {"angle1": ("parent", 2), "angle2": ("child", 0)},
    "planar": {"x": ("parent", 0), "y": ("parent", 1), "angle": ("parent", 2)},
    "free": {"x": ("parent", 0), "y": ("parent", 1), "z": ("parent", 2)},
}
DESCRIPTION = ("joint_type", "joint_parent_point", "joint_parent_frame", "joint_child_frame")
HELD = {"absolute-x": 0, "absolute-y": 1, "absolute-z": 2}  # the only force these carry
Rows = list[tuple[np.ndarray, np.ndarray, np.ndarray]]  # of force (n, 3), of moment (n, 3), value (n)


class Joints:
    """The joints of a record with the places and axes they have in some rows."""

    def __init__(self, record: Record, motion: Motion):
        self.record, self.motion = record, motion
        data = record.data
        described = all(name in data.variables for name in DESCRIPTION)
        self.types = [str(kind) for kind in data["joint_type"].values] if described else [""] * len(record.joints)
        self.count = len(record.time[motion.rows])
        self.zero = np.zeros((self.count, 3))
        dim = "joint_coordinate" if "joint_coordinate" in data.variables else "coordinate"  # of a table, of ours
        told = f"{dim}_role" in data.variables
        labels = [str(name) for name in data[dim].values] if told else []
        self.column = {label: number for number, label in enumerate(labels)}
        self.roles = [str(role) for role in data[f"{dim}_role"].values] if told else []
        known = bool(labels) and "driver_force" in data.variables
        self.drive = read(record, "driver_force", motion.rows) if known else np.zeros((self.count, len(labels)))

    def released(self, joint: int) -> tuple[np.ndarray, np.ndarray]:
        """Return rows C (n, r, 6) and values d (n, r) with C (f, n) = d for the wrench on the child, world axes."""
        kind = self.types[joint]
        rows = [*self._coordinates(joint, kind), *self._constraint(joint, kind)]
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

    def _coordinates(self, joint: int, kind: str) -> Rows:
        """Return the rows of free coordinates."""
        rows: Rows = []
        for name, (side, column) in AXIS.get(kind, {}).items():
            label = self.column.get(f"{self.record.joints[joint]}.{name}", -1)
            if label >= 0 and self.roles[label] == "free":
                e = self.direction(joint, side, column)
                pair = (self.zero, e) if name.startswith("angle") else (e, self.zero)
                rows.append((*pair, self.drive[:, label]))
        if kind in ("spherical", "free"):
            rows += self._turn(joint)
        return rows

    def _turn(self, joint: int) -> Rows:
        """Return the rows of free 1-2-3 angles; all three free are told by rates in the child's axes."""
        at = [self.column.get(f"{self.record.joints[joint]}.{name}", -1) for name in "abc"]
        free = [label >= 0 and self.roles[label] == "free" for label in at]
        if all(free):
            axes = [self.axes(joint, "child")[:, :, k] for k in range(3)]
        elif any(free):
            a = read(self.record, "joint_position", self.motion.rows)[:, at[0], None]
            y, z = (self.direction(joint, "parent", k) for k in (1, 2))
            nodes = np.cos(a) * y + np.sin(a) * z
            axes = [self.direction(joint, "parent", 0), nodes, self.direction(joint, "child", 2)]
        return [(self.zero, axes[k], self.drive[:, at[k]]) for k in range(3) if free[k]]

    def _constraint(self, joint: int, kind: str) -> Rows:
        """Return the rows of joints that only constrain."""
        one = np.broadcast_to(np.eye(3), (self.count, 3, 3))
        none = np.zeros(self.count)
        turning: Rows = [(self.zero, one[:, k], none) for k in range(3)]
        pushing: Rows = [(one[:, k], self.zero, none) for k in range(3)]
        if kind == "absolute-orientation":
            return pushing
        if kind in HELD:
            return [row for k, row in enumerate(pushing) if k != HELD[kind]] + turning
        if kind == "distance":
            way = self.motion.r_WJ_W[:, joint] - self.parent_point(joint)
            way = way / np.linalg.norm(way, axis=-1, keepdims=True)
            across = one - way[:, :, None] * way[:, None, :]
            return [(across[:, k], self.zero, none) for k in range(3)] + turning
        if kind == "relative-angle":
            # Only the moment about the axis h less its part along the child's direction f: the gradient h - f (f.h).
            h, f = self.direction(joint, "parent", 2), self.direction(joint, "child", 0)
            held = h - f * np.sum(f * h, axis=-1, keepdims=True)
            held = held / np.linalg.norm(held, axis=-1, keepdims=True)
            across = one - held[:, :, None] * held[:, None, :]
            return pushing + [(self.zero, across[:, k], none) for k in range(3)]
        if kind == "revolute-cylindrical":
            # No force along the child's axis, no moment about it, none about the parent's axis through its own point.
            h, slide = self.direction(joint, "parent", 2), self.direction(joint, "child", 0)
            arm = np.cross(h, self.motion.r_WJ_W[:, joint] - self.parent_point(joint))
            return [(slide, self.zero, none), (self.zero, slide, none), (arm, h, none)]
        return []
