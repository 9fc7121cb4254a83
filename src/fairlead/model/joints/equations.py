"""Joints as constraint equations: rows made from the words of a joint's description.

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
from fairlead.model.joints.description import BALL, CHILD, Coordinate, Equation
from fairlead.model.joints.geometry import Array, point_of, rotation_of
from fairlead.model.relations.compile import add_relations
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

    def column(self, number: int) -> Array:
        """Return a column of the frame, counted round."""
        return (self.f, self.g, self.h)[number % 3]


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


class EquationRows:
    """Gathers the equations of all joints."""

    def __init__(self, model: Model, index: Any, coordinates: Any, axes: dict[str, Array]) -> None:
        self.model, self.index = model, index
        self.frames = Frames(model, index, axes)
        self.number = coordinates.numbers()
        self.rows: list[Any] = []
        self.labels: list[str] = []

    def add_joint(self, name: str, joint: Joint) -> None:
        """Add the equations of one joint, then its coordinates."""
        i, j = self.frames.pair(joint)
        for equation in joint.equations:
            getattr(self, "_" + equation.word)(name, joint, equation, i, j)
        if joint.only_constrains:
            return
        for coordinate, one in joint.coordinates.items():
            if one.side != BALL:
                self._leave(name, joint, coordinate, one, i, j)
        if joint.ball() and all(joint.role(angle) != "free" for angle in joint.ball()):
            self._same_attitude(name, i, j, turn=self.number[f"{name}.{joint.ball()[0]}"])

    def measure(self, name: str, joint: Joint, coordinate: str) -> None:
        """Add the row of one coordinate, a turn or a slide."""
        self._leave(name, joint, coordinate, joint.coordinates[coordinate], *self.frames.pair(joint))

    def _row(self, code: int, name: str, i: Frame, j: Frame, about: str = "", **fields: Any) -> None:
        row = np.zeros((), ca.CONSTRAINT)
        row["code"], row["i"], row["j"] = code, i.body, j.body
        row["joint"] = self.index.joints.index(name)
        row["coordinate"], row["turn"], row["active"], row["sign"] = -1, -1, 1, 1.0
        row["of"], row["head"], row["next"] = -1, -1, -1
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

    def _leave(self, name: str, joint: Joint, coordinate: str, one: Coordinate, i: Frame, j: Frame) -> None:
        """Add the row of a slide or a turn: of two crossed turns each is seen from the other body."""
        c = one.column
        if one.kind == "length":
            axis = i.column(c) if joint.has_axes() else self._drawn(i)[c]
            self._coordinate(name, joint, coordinate, ca.ALONG, i, j, a_D=axis)
        elif not joint.arm():
            a, b, h, f = i.column(c + 1), i.column(c + 2), i.column(c), j.column(c + 1)
            self._coordinate(name, joint, coordinate, ca.ANGLE, i, j, a_D=a, b_D=b, h_D=h, f_D=f)
        elif one.side == CHILD:
            mark = self._across(i, j)[1]
            fields = {"a_D": mark, "b_D": np.cross(j.axis2, mark), "h_D": j.axis2, "f_D": i.h, "sign": -1.0}
            self._coordinate(name, joint, coordinate, ca.ANGLE, j, i, **fields)
        else:
            mark = self._across(i, j)[0]
            fields = {"a_D": mark, "b_D": np.cross(i.h, mark), "h_D": i.h, "f_D": j.axis2}
            self._coordinate(name, joint, coordinate, ca.ANGLE, i, j, **fields)

    def _across(self, i: Frame, j: Frame) -> tuple[Array, Array]:
        """Return axis2 in the axes of i and the axis in those of j, as drawn (as near as a drawing is)."""
        Ri, Rj = self._drawn(i), self._drawn(j)
        second, first = Ri.T @ Rj @ j.axis2, Rj.T @ Ri @ i.h
        second, first = second - i.h * (second @ i.h), first - j.axis2 * (first @ j.axis2)
        return second / np.linalg.norm(second), first / np.linalg.norm(first)

    def _body(self, frame: Frame) -> str:
        return WORLD if frame.body < 0 else next(n for n, k in self.index.tree_order.items() if k == frame.body)

    def _drawn(self, frame: Frame) -> Array:
        return self.frames.axes(self._body(frame))

    def _meet(self, name: str, joint: Joint, equation: Equation, i: Frame, j: Frame) -> None:
        """Two points coincide: Phi^S, Eq. 10."""
        for axis, letter in zip(np.eye(3), "xyz"):
            self._row(ca.POINT, name, i, j, letter, a_D=axis)

    def _parallel(self, name: str, joint: Joint, equation: Equation, i: Frame, j: Frame) -> None:
        """Two axes are parallel: Phi^p1, Eq. 12."""
        c = equation.column
        for across in (1, 2):
            about = "fgh"[(c - across) % 3]
            self._row(ca.DOT, name, i, j, about, a_D=i.column(c + across), f_D=j.column(c))

    def _unturned(self, name: str, joint: Joint, equation: Equation, i: Frame, j: Frame) -> None:
        c = equation.column
        self._row(ca.DOT, name, i, j, "fgh"[c], a_D=i.column(c + 1), f_D=j.column(c + 2))

    def _along(self, name: str, joint: Joint, equation: Equation, i: Frame, j: Frame) -> None:
        """The point of j stays in a plane of i; in two of them on an axis: Phi^p2, Eq. 13."""
        about = ("f", "g", "normal")[equation.column]
        self._row(ca.ALONG, name, i, j, about, a_D=i.column(equation.column))

    def _attitude(self, name: str, joint: Joint, equation: Equation, i: Frame, j: Frame) -> None:
        self._same_attitude(name, i, j)

    def _same_attitude(self, name: str, i: Frame, j: Frame, turn: int = -1) -> None:
        """The attitude of j in i stays as drawn, or follows three driven angles from coordinate `turn` on."""
        Ri, Rj = self._drawn(i), self._drawn(j)
        for a, f, letter in ((0, 1, "z"), (1, 2, "x"), (2, 0, "y")):
            self._row(ca.DOT, name, i, j, letter, a_D=Ri.T[:, a], f_D=Rj.T[:, f], turn=turn)

    def _square(self, name: str, joint: Joint, equation: Equation, i: Frame, j: Frame) -> None:
        """The axis of i and axis2 of j stay perpendicular, as the arms of a cross."""
        self._row(ca.DOT, name, i, j, equation.about, a_D=i.h, f_D=j.axis2)

    def _on_child_axis(self, name: str, joint: Joint, equation: Equation, i: Frame, j: Frame) -> None:
        """The point of i stays on the axis2 of j. ERRATA 8: of body j, which is perpendicular to the axis of i."""
        f = perpendicular(j.axis2)
        self._row(ca.ALONG, name, j, i, "f", a_D=f)
        self._row(ca.ALONG, name, j, i, "g", a_D=np.cross(j.axis2, f))

    def _facing(self, name: str, joint: Joint, equation: Equation, i: Frame, j: Frame) -> None:
        """The plane of the axis and the driven direction of i holds the direction of j. MBDM note Eqs. 22-27.

        R(h, theta) g_i . f_j = 0, with R in the last of three coordinates (the others stay at zero, see `compile`).
        Where h_i and h_j are parallel it is the note's; the Jacobian of its Table 1 holds only there, this anywhere.
        """
        turn, f = self.number[f"{name}.{equation.coordinate}"] - 2, j.axis2 / np.linalg.norm(j.axis2)
        self._row(ca.DOT, name, i, j, "the axis", a_D=i.g, f_D=f, turn=turn)

    def _apart(self, name: str, joint: Any, equation: Equation, i: Frame, j: Frame) -> None:
        Ri, Rj = self._drawn(i), self._drawn(j)
        places = [self.frames.place(self._body(frame)) for frame in (i, j)]
        apart = places[1] + Rj @ j.point - places[0] - Ri @ i.point
        self._row(ca.DISTANCE, name, i, j, value=float(joint.length or np.linalg.norm(apart)))

    def _at_world(self, name: str, joint: Joint, equation: Equation, i: Frame, j: Frame) -> None:
        self._coordinate(name, joint, equation.coordinate, ca.POINT, i, j, a_D=np.eye(3)[equation.column])


def compile_constraints(
    model: Model, index: Any, coordinates: Any, axes: dict[str, Array], constraining: Sequence[str]
) -> tuple[Any, Any, Any]:
    """Return the equations of the joints that constrain and of relations, all joints, and the relations.

    The index gets a label per equation.
    """
    rows = EquationRows(model, index, coordinates, axes)
    joints = np.zeros(len(index.joints), ca.JOINT)
    for number in close_together(model, list(constraining)):
        rows.add_joint(constraining[number], model.joints[constraining[number]])
    for record, name in zip(joints, index.joints):
        joint = model.joints[name]
        i, j = rows.frames.pair(joint)
        record["parent"], record["child"], record["s_D"] = i.body, j.body, j.point
        record["turn"] = rows.number[f"{name}.{joint.ball()[0]}"] if is_ball(joint) else -1
        record["in_tree"] = name not in constraining
    relations = add_relations(rows, model, index, coordinates)
    array = np.array(rows.rows, ca.CONSTRAINT) if rows.rows else np.zeros(0, ca.CONSTRAINT)
    index.equations = rows.labels
    return array, joints, relations


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
