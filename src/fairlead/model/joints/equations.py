"""Joints as constraint equations: one definition of a joint's geometry for trees and for loops.

Each joint has a frame on both its bodies: point, axis h, and f perpendicular to it, g = h x f. The equations are built
from the basic ones of the MBDM note (sections 2.2-2.4); coordinates that are driven or locked add one each, and free
ones are measured by the same row without being enforced.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from fairlead.core import arrays as ca
from fairlead.model.fields import WORLD
from fairlead.model.joints.base import Joint, is_ball
from fairlead.model.joints.geometry import Array, point_of, rotation_of
from fairlead.model.schema import Model
from fairlead.numeric import perpendicular

EQUATIONS = {  # what each row of a joint holds, in the order they are made, for messages
    ca.POINT: "position along",
    ca.DOT: "rotation about",
    ca.ALONG: "sliding along",
    ca.DISTANCE: "distance",
    ca.ANGLE: "angle",
}


@dataclass
class Frame:
    """A joint's frame on one body, in the body's axes (world axes for the world)."""

    body: int
    point: Array
    h: Array
    f: Array
    axis2: Array

    @property
    def g(self) -> Array:
        """Return the third direction."""
        return np.cross(self.h, self.f)


class Frames:
    """Answers where a joint is on its two bodies, in the axes given for each body or in its own."""

    def __init__(self, model: Model, index: Any, axes: dict[str, Array] | None = None) -> None:
        self.model, self.index = model, index
        own = {name: rotation_of(body) for name, body in model.bodies.items()} if axes is None else axes
        self.kernel_axes = own

    def axes(self, body: str) -> Array:
        """Return the axes that kernels give the body, in the drawing."""
        return np.eye(3) if body == WORLD else self.kernel_axes[body]

    def given(self, body: str, vector: Any) -> Array:
        """Return a vector that was given in the body's own axes in those of the kernels."""
        if body == WORLD:
            return np.array(vector, dtype=float)
        return np.asarray(self.axes(body).T @ rotation_of(self.model.bodies[body]) @ np.array(vector))

    def place(self, body: str) -> Array:
        """Return the body's mass centre in the drawing."""
        return np.zeros(3) if body == WORLD else np.array(self.model.bodies[body].position)

    def pair(self, joint: Joint) -> tuple[Frame, Frame]:
        """Return the joint's frames on parent and child."""
        return self._frame(joint, "parent"), self._frame(joint, "child")

    def _frame(self, joint: Joint, side: str) -> Frame:
        body = getattr(joint, side)
        R, x = self.axes(body), self.place(body)
        number = -1 if body == WORLD else self.index.tree_order[body]
        given = getattr(joint, f"{side}_point")
        drawn = getattr(joint, "other_point", None) if side == "child" else None
        point = (
            self.given(body, given)
            if given is not None
            else R.T @ ((point_of(joint, self.model) if drawn is None else drawn) - x)
        )
        h = self._direction(joint, side, "axis", R)
        second = self._direction(joint, side, "axis2", R)
        if h is None:  # a joint without an axis is drawn with the world's
            h = R.T @ np.array([0.0, 0.0, 1.0])
        if second is None:
            drawn_axis = getattr(joint, "axis", None)
            both = drawn_axis is not None or not joint.by_bodies
            f = (
                R.T @ perpendicular(np.array(drawn_axis) if drawn_axis is not None else np.array([0.0, 0.0, 1.0]))
                if both
                else perpendicular(h)
            )
            second = f
        f = second - h * (second @ h)
        f = f / np.linalg.norm(f) if np.linalg.norm(f) > 1e-9 else perpendicular(h)
        return Frame(number, point, h, f, second)

    def _direction(self, joint: Joint, side: str, what: str, R: Array) -> Array | None:
        given = getattr(joint, f"{side}_{what}")
        if given is not None:
            return self.given(getattr(joint, side), given)
        drawn = getattr(joint, what, None)
        return None if drawn is None else R.T @ np.array(drawn)


class Rows:
    """Gathers the equations of all joints."""

    def __init__(self, model: Model, index: Any, coordinates: Any, axes: dict[str, Array]) -> None:
        self.model, self.index = model, index
        self.frames = Frames(model, index, axes)
        self.number = coordinates.numbers()
        self.rows: list[Any] = []
        self.labels: list[str] = []

    def add_joint(self, name: str, joint: Any) -> None:
        """Add the equations of one joint."""
        i, j = self.frames.pair(joint)
        getattr(self, "_" + joint.type.replace("-", "_"))(name, joint, i, j)

    def _row(self, code: int, name: str, i: Frame, j: Frame, about: str = "", **fields: Any) -> None:
        row = np.zeros((), ca.CONSTRAINT)
        row["code"], row["i"], row["j"] = code, i.body, j.body
        row["joint"] = self.index.joints.index(name)
        row["coordinate"], row["turn"], row["active"], row["sign"] = -1, -1, 1, 1.0
        row["si_D"], row["sj_D"] = i.point, j.point
        for field, value in fields.items():
            row[field] = value
        self.rows.append(row)
        self.labels.append(f"{name}: {EQUATIONS[code]} {about}".strip())

    def _coordinate(self, name: str, joint: Any, coordinate: str, code: int, i: Frame, j: Frame, **fields: Any) -> None:
        """Add the row that drives, locks or measures a coordinate."""
        number = self.number[f"{name}.{coordinate}"]
        active = joint.role(coordinate) != "free"
        self._row(code, name, i, j, coordinate, coordinate=number, active=int(active), **fields)

    def _angle(self, name: str, joint: Any, coordinate: str, i: Frame, j: Frame, sign: float = 1.0) -> None:
        fields = {"a_D": i.f, "b_D": i.g, "h_D": i.h, "f_D": j.f, "sign": sign}
        self._coordinate(name, joint, coordinate, ca.ANGLE, i, j, **fields)

    def _meet(self, name: str, i: Frame, j: Frame) -> None:
        """Two points coincide: Phi^S, Eq. 10."""
        for axis, letter in zip(np.eye(3), "xyz"):
            self._row(ca.POINT, name, i, j, letter, a_D=axis)

    def _parallel(self, name: str, i: Frame, j: Frame) -> None:
        """Two axes are parallel: Phi^p1, Eq. 12."""
        self._row(ca.DOT, name, i, j, "g", a_D=i.f, f_D=j.h)
        self._row(ca.DOT, name, i, j, "f", a_D=i.g, f_D=j.h)

    def _on_axis(self, name: str, i: Frame, j: Frame) -> None:
        """The point of j stays on the axis of i: Phi^p2, Eq. 13."""
        self._row(ca.ALONG, name, i, j, "f", a_D=i.f)
        self._row(ca.ALONG, name, i, j, "g", a_D=i.g)

    def _same_attitude(self, name: str, i: Frame, j: Frame, turn: int = -1) -> None:
        """The attitude of j in i stays as drawn, or follows three driven angles from coordinate `turn` on."""
        Ri, Rj = (self._drawn(frame) for frame in (i, j))
        for a, f, letter in ((0, 1, "z"), (1, 2, "x"), (2, 0, "y")):
            first = self._row
            first(ca.DOT, name, i, j, letter, a_D=Ri.T[:, a], f_D=Rj.T[:, f], turn=turn)

    def _drawn(self, frame: Frame) -> Array:
        name = WORLD if frame.body < 0 else next(n for n, k in self.index.tree_order.items() if k == frame.body)
        return self.frames.axes(name)

    def _fixed(self, name: str, joint: Any, i: Frame, j: Frame) -> None:
        self._meet(name, i, j)
        self._same_attitude(name, i, j)

    _ground = _fixed

    def _absolute_orientation(self, name: str, joint: Any, i: Frame, j: Frame) -> None:
        self._same_attitude(name, i, j)

    def _revolute(self, name: str, joint: Any, i: Frame, j: Frame) -> None:
        self._meet(name, i, j)
        self._parallel(name, i, j)
        self._angle(name, joint, "angle", i, j)

    def _cylindrical(self, name: str, joint: Any, i: Frame, j: Frame) -> None:
        self._parallel(name, i, j)
        self._on_axis(name, i, j)
        self._angle(name, joint, "angle", i, j)
        self._coordinate(name, joint, "length", ca.ALONG, i, j, a_D=i.h)

    def _prismatic(self, name: str, joint: Any, i: Frame, j: Frame) -> None:
        self._parallel(name, i, j)
        self._on_axis(name, i, j)
        self._row(ca.DOT, name, i, j, "h", a_D=i.f, f_D=j.g)
        self._coordinate(name, joint, "length", ca.ALONG, i, j, a_D=i.h)

    def _universal(self, name: str, joint: Any, i: Frame, j: Frame) -> None:
        self._meet(name, i, j)
        # The cross: axis h of i and axis2 of j stay perpendicular; each is seen from the other body as an angle.
        arm, reference = j.axis2, self._across(i, j)
        self._row(ca.DOT, name, i, j, "the cross", a_D=i.h, f_D=arm)
        first = Frame(i.body, i.point, i.h, reference[0], i.axis2)
        self._angle(name, joint, "angle1", first, Frame(j.body, j.point, arm, arm, arm))
        second = Frame(j.body, j.point, arm, reference[1], arm)
        self._angle(name, joint, "angle2", second, Frame(i.body, i.point, i.h, i.h, i.h), sign=-1.0)

    def _across(self, i: Frame, j: Frame) -> tuple[Array, Array]:
        """Return axis2 in the axes of i and the axis in those of j, as drawn (as near as a drawing is)."""
        Ri, Rj = self._drawn(i), self._drawn(j)
        second, first = Ri.T @ Rj @ j.axis2, Rj.T @ Ri @ i.h
        second, first = second - i.h * (second @ i.h), first - j.axis2 * (first @ j.axis2)
        return second / np.linalg.norm(second), first / np.linalg.norm(first)

    def _planar(self, name: str, joint: Any, i: Frame, j: Frame) -> None:
        self._parallel(name, i, j)
        self._row(ca.ALONG, name, i, j, "normal", a_D=i.h)
        self._coordinate(name, joint, "x", ca.ALONG, i, j, a_D=i.f)
        self._coordinate(name, joint, "y", ca.ALONG, i, j, a_D=i.g)
        self._angle(name, joint, "angle", i, j)

    def _spherical(self, name: str, joint: Any, i: Frame, j: Frame) -> None:
        self._meet(name, i, j)
        self._turn(name, joint, i, j)

    def _free(self, name: str, joint: Any, i: Frame, j: Frame) -> None:
        for axis, letter in zip(self._drawn(i), "xyz"):
            self._coordinate(name, joint, letter, ca.ALONG, i, j, a_D=axis)
        self._turn(name, joint, i, j)

    def _turn(self, name: str, joint: Any, i: Frame, j: Frame) -> None:
        if all(joint.role(angle) != "free" for angle in "abc"):
            self._same_attitude(name, i, j, turn=self.number[f"{name}.a"])

    def _relative_angle(self, name: str, joint: Any, i: Frame, j: Frame) -> None:
        """The plane of the axis and the driven direction of i holds the direction of j. MBDM note Eqs. 22-27.

        R(h, theta) g_i . f_j = 0, with R in the last of three coordinates (the others stay at zero, see `compile`).
        Where h_i and h_j are parallel it is the note's; the Jacobian of its Table 1 holds only there, this anywhere.
        """
        turn, f = self.number[f"{name}.angle"] - 2, j.axis2 / np.linalg.norm(j.axis2)
        self._row(ca.DOT, name, i, j, "the axis", a_D=i.g, f_D=f, turn=turn)

    def _revolute_cylindrical(self, name: str, joint: Any, i: Frame, j: Frame) -> None:
        # ERRATA 8: the point of i lies on the axis of body j, which is perpendicular to that of i.
        along = Frame(j.body, j.point, j.axis2, perpendicular(j.axis2), j.axis2)
        self._row(ca.DOT, name, i, j, "the coupler", a_D=i.h, f_D=j.axis2)
        self._on_axis(name, along, i)

    def _distance(self, name: str, joint: Any, i: Frame, j: Frame) -> None:
        Ri, Rj = self._drawn(i), self._drawn(j)
        apart = self._place(j) + Rj @ j.point - self._place(i) - Ri @ i.point
        self._row(ca.DISTANCE, name, i, j, value=float(joint.length or np.linalg.norm(apart)))

    def _place(self, frame: Frame) -> Array:
        name = WORLD if frame.body < 0 else next(n for n, k in self.index.tree_order.items() if k == frame.body)
        return self.frames.place(name)

    def _absolute_x(self, name: str, joint: Any, i: Frame, j: Frame) -> None:
        letter = joint.type[-1]
        axis = np.eye(3)["xyz".index(letter)]
        self._coordinate(name, joint, letter, ca.POINT, i, j, a_D=axis)

    _absolute_y = _absolute_z = _absolute_x


def compile_constraints(
    model: Model, index: Any, coordinates: Any, axes: dict[str, Array], constraining: Sequence[str]
) -> tuple[Any, Any, list[str]]:
    """Return the equations of the joints that constrain, all joints, and a label per equation."""
    rows = Rows(model, index, coordinates, axes)
    joints = np.zeros(len(index.joints), ca.JOINT)
    for number in close_together(model, list(constraining)):
        rows.add_joint(constraining[number], model.joints[constraining[number]])
    for record, name in zip(joints, index.joints):
        joint = model.joints[name]
        i, j = rows.frames.pair(joint)
        record["parent"], record["child"], record["s_D"] = i.body, j.body, j.point
        record["turn"] = rows.number[f"{name}.a"] if is_ball(joint) else -1
        record["in_tree"] = name not in constraining
    array = np.array(rows.rows, ca.CONSTRAINT) if rows.rows else np.zeros(0, ca.CONSTRAINT)
    return array, joints, rows.labels


def close_together(model: Model, names: list[str]) -> list[int]:
    """Return an order of the joints in which those on one body stand close, so that factors stay narrow."""
    if len(names) < 3:
        return list(range(len(names)))
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import reverse_cuthill_mckee

    touching: dict[str, list[int]] = {}
    for number, name in enumerate(names):
        for body in {model.joints[name].parent, model.joints[name].child} - {WORLD}:
            touching.setdefault(body, []).append(number)
    pairs = np.array([(a, b) for group in touching.values() for a in group for b in group]).reshape(-1, 2)
    graph = coo_matrix((np.ones(len(pairs)), pairs.T), shape=(len(names), len(names))).tocsr()
    return [int(number) for number in reverse_cuthill_mckee(graph, symmetric_mode=True)]
