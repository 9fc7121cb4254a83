"""Legacy joints and drivers in Fairlead's words. MBDM note section 7.3.

Where the note gives a point Q on an axis through P, the axis is Q - P. The first body is the parent. A joint's angle
is counted from `parent_axis2` to `child_axis2`: the two directions of its driver, or one direction as both bodies have
it in the drawing.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence, Set
from typing import Any

import numpy as np

from fairlead.errors import Problem
from fairlead.formats.mbdm.angles import Array
from fairlead.formats.mbdm.case import MbdmCase, MbdmJoint
from fairlead.model.joints import types as words
from fairlead.model.motions import Rate

NO_LENGTH = 1e-12
NORMAL = 1e-6  # cosine that still counts as a right angle, and length that still counts as one
ALONG = 0.999  # cosine between a driver's axis and a joint's, in a drawing that need not close
ZERO_ANGLE = 1e-12  # rounding of the angle between two drawn directions
ABSOLUTE = {"ABX": (words.AbsoluteX, 0), "ABY": (words.AbsoluteY, 1), "ABZ": (words.AbsoluteZ, 2)}


class Drawn:
    """One legacy joint, with its two bodies as they are drawn; `wrong` notes what cannot be said."""

    def __init__(self, case: MbdmCase, number: int, names: Sequence[str], poses: Sequence[Any], found: list[Problem]):
        self.case, self.number, self.found = case, number, found
        self.joint: MbdmJoint = case.joints[number - 1]
        first, second = self.joint.bodies
        self.parent = names[first - 1]
        self.child = names[second - 1] if second else ""
        self.pose = poses[first - 1]
        self.A_i = poses[first - 1].A
        self.A_j = poses[second - 1].A if second else np.eye(3)

    def wrong(self, field: str, message: str, severity: str = "error") -> None:
        """Note what is wrong with a field of the joint's entry."""
        problem = self.case.problem(f"joints.{self.number}.{field}", message, severity)
        if problem not in self.found:
            self.found.append(problem)

    def direction(self, to: str, origin: str = "") -> Array:
        """Return the unit vector of a field, or from the point `origin` to it; a zero one is noted."""
        vector = self.along(to, origin) if origin else np.array(getattr(self.joint, to))
        length = float(np.linalg.norm(vector))
        if length < NO_LENGTH:
            self.wrong(to, f"is the same point as {origin}, so there is no axis" if origin else "has no direction")
            return np.array([0.0, 0.0, 1.0])
        return vector / length

    def ends(self) -> dict[str, Any]:
        """Return the two bodies and the points P of the joint on them."""
        return {
            "parent": self.parent,
            "child": self.child,
            "parent_point": self.joint.p1,
            "child_point": self.joint.p2,
        }

    def common_axis(self) -> dict[str, Any]:
        """Return the axis q - p on both bodies; parallel is meant, so the child's is turned to point the same way."""
        h_i, h_j = self.direction("q1", "p1"), self.direction("q2", "p2")
        if (self.A_i @ h_i) @ (self.A_j @ h_j) < 0:
            h_j = -h_j
        return {"parent_axis": tuple(h_i), "child_axis": tuple(h_j)}

    def drawn_zero(self) -> dict[str, Any]:
        """Return r1 - p1 as both bodies have it in the drawing, so that the angle is zero there."""
        f_i, h_i = self.along("r1", "p1"), self.direction("q1", "p1")
        f_i = np.cross(np.cross(h_i, f_i), h_i)
        if np.linalg.norm(f_i) < NO_LENGTH:
            f_i = np.cross(h_i, np.eye(3)[int(np.argmin(np.abs(h_i)))])
        return {"parent_axis2": tuple(f_i), "child_axis2": tuple(self.A_j.T @ self.A_i @ f_i)}

    def along(self, to: str, origin: str) -> Array:
        """Return the vector from the point `origin` to another."""
        return np.array(getattr(self.joint, to)) - np.array(getattr(self.joint, origin))

    def look_at_normal(self, point: str, origin: str, along: str) -> None:
        """Warn where R - P is not normal to the axis: the original program then holds another axis than Q - P."""
        f, h = self.along(point, origin), self.along(along, origin)
        size = float(np.linalg.norm(f) * np.linalg.norm(h))
        if size < NO_LENGTH:
            self.wrong(
                point, f"is the same point as {origin}; the original program needs it, Fairlead does not", "warning"
            )
        elif abs(f @ h) > NORMAL * size:
            self.wrong(
                point, f"{point} - {origin} is not normal to the axis {along} - {origin}; the axis counts", "warning"
            )


def _absolute(drawn: Drawn) -> words.Joint:
    """Hold one coordinate of the mass centre at `dist`. Section 7.3.1."""
    word, axis = ABSOLUTE[drawn.joint.type]
    away = drawn.joint.dist - drawn.pose.position[axis]
    return word(child=drawn.parent, **({"motion": Rate(value=0.0, start=away)} if away else {}))


def _revolute(drawn: Drawn) -> words.Joint:
    drawn.look_at_normal("r1", "p1", "q1")
    return words.Revolute(**drawn.ends(), **drawn.common_axis(), **drawn.drawn_zero())


def _cylindrical(drawn: Drawn) -> words.Joint:
    drawn.look_at_normal("r1", "p1", "q1")
    return words.Cylindrical(**drawn.ends(), **drawn.common_axis(), **drawn.drawn_zero())


def _translational(drawn: Drawn) -> words.Joint:
    """Hold f_i and f_j at a right angle, as the note does: f_i falls on +-(h_j x f_j), whichever is drawn nearer."""
    axes = drawn.common_axis()
    f_i, f_j = drawn.direction("r1", "p1"), drawn.direction("r2", "p2")
    drawn.look_at_normal("r1", "p1", "q1")
    drawn.look_at_normal("r2", "p2", "q2")
    mark = np.cross(np.array(axes["child_axis"]), f_j)
    if (drawn.A_i @ f_i) @ (drawn.A_j @ mark) < 0:
        mark = -mark
    if np.linalg.norm(mark) < NO_LENGTH:
        drawn.wrong("r2", "r2 - p2 is along the axis, so it does not say how the body is turned about it")
        mark = np.array([1.0, 0.0, 0.0])
    return words.Prismatic(**drawn.ends(), **axes, parent_axis2=tuple(f_i), child_axis2=tuple(mark))


def _two_axes(drawn: Drawn, word: Callable[..., words.Joint]) -> words.Joint:
    h_i, h_j = drawn.direction("q1", "p1"), drawn.direction("q2", "p2")
    # The parent's axis as the child has it in the drawing: asked for by the schema, held by nothing.
    drawn_axis = drawn.A_j.T @ drawn.A_i @ h_i
    return word(**drawn.ends(), parent_axis=tuple(h_i), child_axis=tuple(drawn_axis), child_axis2=tuple(h_j))


def _distance(drawn: Drawn) -> words.Joint | None:
    if drawn.joint.dist <= 0:
        drawn.wrong("dist", f"a distance constraint needs a length above 0; got {drawn.joint.dist:g}")
        return None
    return words.Distance(**drawn.ends(), length=drawn.joint.dist)


MAKERS: dict[str, Callable[[Drawn], words.Joint | None]] = {
    "ABX": _absolute,
    "ABY": _absolute,
    "ABZ": _absolute,
    "ABA": lambda drawn: words.AbsoluteOrientation(child=drawn.parent),
    "C": _cylindrical,
    "DI": _distance,
    "G": lambda drawn: words.Ground(child=drawn.parent),
    "R": _revolute,
    "RC": lambda drawn: _two_axes(drawn, words.RevoluteCylindrical),
    "S": lambda drawn: words.Spherical(**drawn.ends()),
    "T": _translational,
    "U": lambda drawn: _two_axes(drawn, words.Universal),
}


def joints_of(
    case: MbdmCase,
    bodies: Sequence[str],
    names: Sequence[str],
    poses: Sequence[Any],
    found: list[Problem],
    broken: Set[str] = frozenset(),
) -> dict[str, Any]:
    """Return the joints of a case by name, but those with broken entries; drivers become the motion of their joint."""
    made: dict[str, words.Joint] = {}
    drawn = {
        name: Drawn(case, number, bodies, poses, found)
        for number, (name, joint) in enumerate(zip(names, case.joints), start=1)
        if not {f"joints.{number}", *(f"bodies.{body}.angles" for body in joint.bodies)} & broken
    }
    for name, one in drawn.items():
        if one.joint.type != "RDRV":
            joint = MAKERS[one.joint.type](one)
            if joint is not None:
                made[name] = joint
    for name, one in drawn.items():
        if one.joint.type == "RDRV":
            _drive(name, one, made, drawn)
    return {name: made[name] for name in names if name in made}


def _drive(name: str, driver: Drawn, made: dict[str, words.Joint], drawn: dict[str, Drawn]) -> None:
    """Give a revolute or cylindrical joint between the driver's bodies its motion. Section 7.3.8.

    The angle from p1 on the first body to p2 on the second, about q1, is theta0 + dist t. It is the joint's own angle
    with these marks; its sign turns if the joint names the bodies in the other order, or its axis is reversed.
    """
    p1, p2, q1 = (driver.direction(field) for field in ("p1", "p2", "q1"))
    _look_at_marks(driver, p1, p2, q1)
    axis_W = driver.A_i @ q1
    for other, joint in made.items():
        if not isinstance(joint, (words.Revolute, words.Cylindrical)):
            continue
        cosine = float(axis_W @ (drawn[other].A_i @ np.array(joint.parent_axis)))
        if {joint.parent, joint.child} != {driver.parent, driver.child} or abs(cosine) < ALONG:
            continue
        if joint.motion:
            driver.wrong("bodies", f"'{other}' has a driver already")
            return
        same = joint.parent == driver.parent
        marks = {"parent_axis2": p1, "child_axis2": p2} if same else {"parent_axis2": p2, "child_axis2": p1}
        sign = math.copysign(1.0, cosine) * (1.0 if same else -1.0)
        motion = _motion(driver, sign, driver.joint.r1[0])
        made[other] = _changed(joint, motion={"angle": motion}, **{key: tuple(mark) for key, mark in marks.items()})
        return
    _drive_alone(name, driver, made, axis_W)


def _drive_alone(name: str, driver: Drawn, made: dict[str, words.Joint], axis_W: Array) -> None:
    """Drive the angle between two bodies that no joint about the axis ties: one equation, about any axis.

    The slider of the note's own slider-crank is held so (Tables 26 and 28, joint 7). The parent's mark is the child's
    as the drawing has it, so that the angle is zero there and the driver's start says how far it is from the drawing.
    """
    p2 = driver.direction("p2")
    f_W = driver.A_j @ p2
    mark = driver.A_i.T @ (f_W - axis_W * (axis_W @ f_W))
    if np.linalg.norm(mark) < NORMAL:
        return  # said already: p2 is along the axis
    made[name] = words.RelativeAngle(
        parent=driver.parent,
        child=driver.child,
        axis=tuple(axis_W),
        parent_axis2=tuple(mark / np.linalg.norm(mark)),
        child_axis2=tuple(p2),
        motion={"angle": _motion(driver, 1.0, _from_drawing(driver))},
    )


def _motion(driver: Drawn, sign: float, start: float) -> Rate:
    if driver.joint.dist and driver.case.t_start:
        driver.wrong("r1", "the initial angle is taken at t_start", "note")
    return Rate(value=sign * driver.joint.dist + 0.0, start=sign * start + 0.0)


def _changed(joint: words.Joint, **fields: Any) -> words.Joint:
    """Return a joint with some fields changed, validated again."""
    kept = {name: getattr(joint, name) for name in joint.model_fields_set - {"type"}}
    return type(joint)(**(kept | fields))


def _look_at_marks(driver: Drawn, p1: Array, p2: Array, q1: Array) -> None:
    for field, vector in (("p1", p1), ("p2", driver.A_i.T @ driver.A_j @ p2)):
        if abs(vector @ q1) > 1 - NORMAL:
            driver.wrong(field, f"{field} is along the axis of rotation, so it shows no angle")
        elif abs(vector @ q1) > NORMAL:
            driver.wrong(
                field, f"{field} is not normal to the axis of rotation; its part normal to it counts", "warning"
            )
    for field in ("p1", "p2", "q1"):
        if abs(math.hypot(*getattr(driver.joint, field)) - 1) > NORMAL:
            driver.wrong(field, f"{field} is not a unit vector; its direction counts", "warning")


def _from_drawing(driver: Drawn) -> float:
    """Return how far the driver's initial angle is from the drawn one, within half a turn either way. Eq. 25."""
    p1, p2, q1 = (driver.direction(field) for field in ("p1", "p2", "q1"))
    f_j, f_i, g_i = driver.A_j @ p2, driver.A_i @ p1, driver.A_i @ np.cross(q1, p1)
    away = math.remainder(driver.joint.r1[0] - math.atan2(g_i @ f_j, f_i @ f_j), 2 * math.pi)
    return 0.0 if abs(away) < ZERO_ANGLE else away
