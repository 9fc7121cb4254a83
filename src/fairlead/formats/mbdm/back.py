"""A Fairlead model as a legacy MBDM case, where legacy files can say it; InvalidInput lists what they cannot."""

from __future__ import annotations

from typing import Any

import numpy as np

from fairlead.errors import InvalidInput, Problem
from fairlead.formats.mbdm.angles import Array, angles_of_matrix, quaternion_of_angles
from fairlead.formats.mbdm.case import MbdmBody, MbdmCase, MbdmJoint, MooringLine, Vector
from fairlead.formats.mbdm.convert import GRAVITY
from fairlead.model.fields import WORLD
from fairlead.model.joints import types as words
from fairlead.model.joints.geometry import point_of, rotation_of
from fairlead.model.loads.springs import Spring
from fairlead.model.motions import Rate, amount_in_si
from fairlead.model.schema import Model
from fairlead.model.time_grid import grid_of
from fairlead.numeric import perpendicular

GROUND = "ground"  # the body that stands for the world where a joint needs one
KINDS: dict[Any, str] = {
    words.Revolute: "R",
    words.Cylindrical: "C",
    words.Prismatic: "T",
    words.Universal: "U",
    words.Spherical: "S",
    words.RevoluteCylindrical: "RC",
    words.Distance: "DI",
}
ABSOLUTE: dict[Any, tuple[str, str]] = {
    words.AbsoluteX: ("ABX", "x"),
    words.AbsoluteY: ("ABY", "y"),
    words.AbsoluteZ: ("ABZ", "z"),
}


def from_model(model: Model, *, dynamic: bool = True) -> MbdmCase:
    """Return a model as a legacy case; joints to the world get a ground body, drivers become RDRV entries."""
    back = _Back(model)
    run = model.run
    if run is None:
        back.cannot("run", "legacy files need a duration and a step; add 'run'")
    elif run.dt is None:
        back.cannot("run.dt", "is required: legacy files run in steps of one size; for example dt: 0.01 s")
    if run is not None and run.start != "drawing":
        back.cannot("run.start", f"legacy files start as drawn; got '{run.start}', leave it out")
    if model.gravity != GRAVITY:
        back.cannot("gravity", f"legacy files mean {list(GRAVITY)} always; got {list(model.gravity)}")
    for name in ("environment", "controllers", "events"):
        if getattr(model, name):
            back.cannot(name, f"legacy files have no {name}")
    for name, body in model.bodies.items():
        if body.wheels:
            back.cannot(f"bodies.{name}.wheels", "legacy files have no wheels")
    for name, joint in model.joints.items():
        back.joint(name, joint)
    lines = tuple(line for name, load in model.loads.items() if (line := back.line(name, load)))
    if back.problems or run is None or run.dt is None:
        raise InvalidInput(back.problems)
    every = grid_of(run.duration, run.dt, run.output_every, run.interval).every
    return MbdmCase(
        name=model.name,
        dynamic=dynamic,
        t_start=0.0,
        t_end=run.duration,
        dt=run.dt,
        accuracy=1e-8,
        iterations=100,
        save_output=every,
        save_checkpoint=0,
        save_tracers=every,
        bodies=tuple(back.bodies),
        joints=(*back.joints, *back.drivers),
        mooring=lines,
    )


class _Back:
    """Gathers the legacy bodies and joints of a model, and what cannot be said."""

    def __init__(self, model: Model):
        self.model = model
        self.problems: list[Problem] = []
        self.joints: list[MbdmJoint] = []
        self.drivers: list[MbdmJoint] = []  # of joints; they stand last, so that joints keep their numbers
        self.bodies = [self._body(name) for name in model.bodies]
        self.number = {name: i for i, name in enumerate(model.bodies, start=1)}

    def cannot(self, path: str, message: str) -> None:
        """Note something legacy files cannot say."""
        self.problems.append(Problem(message, path))

    def _body(self, name: str) -> MbdmBody:
        body = self.model.bodies[name]
        rows = [_vector(row) for row in body.inertia]
        return MbdmBody(
            name=name,
            angles=_vector(angles_of_matrix(rotation_of(body))),
            r=body.position,
            v=body.velocity,
            omega=body.angular_velocity,
            mass=body.mass,
            inertia=(rows[0], rows[1], rows[2]),
        )

    def id_of(self, name: str) -> int:
        """Return the ID of a body; the world gets a ground body with a ground constraint when first asked for."""
        if name not in self.number:
            taken = {other.casefold() for other in self.number}
            title = next(t for t in (GROUND, *(f"{GROUND} {i}" for i in range(2, 999))) if t not in taken)
            unit = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
            zero = (0.0, 0.0, 0.0)
            self.bodies.append(MbdmBody(title, zero, zero, zero, zero, 1.0, unit))
            self.number[name] = len(self.bodies)
            self.joints.append(MbdmJoint("G", (len(self.bodies), 0)))
        return self.number[name]

    def line(self, name: str, load: Any) -> MooringLine | None:
        """Return a spring to the world as a mooring line."""
        if not isinstance(load, Spring) or load.anchor is None or load.tension_only:
            self.cannot(f"loads.{name}", "legacy files hold two-way springs from a body to an anchor only")
            return None
        body = self.model.bodies[load.body]
        fairlead = rotation_of(body).T @ (np.array(load.point) - np.array(body.position))
        length = load.drawn_length() if load.length is None else load.length
        zero = (0.0, 0.0, 0.0)
        number = self.number[load.body]
        return MooringLine(name, number, load.anchor, _vector(fairlead), zero, length, load.stiffness, load.damping)

    def joint(self, name: str, joint: Any) -> None:
        """Add a joint and its driver."""
        path = f"joints.{name}"
        for field in ("spring", "damper", "stop", "actuator", "rate", "initial"):
            if getattr(joint, field):
                self.cannot(f"{path}.{field}", f"legacy joints have no '{field}'")
        if isinstance(joint, words.Free) and not joint.motion and not joint.locked:
            return  # a free joint holds nothing
        if isinstance(joint, words.Ground) or (isinstance(joint, words.Fixed) and joint.parent == WORLD):
            number = self.number[joint.child]
            self.joints.append(MbdmJoint("G", (number, 0), p1=self.bodies[number - 1].r, q1=self._e(number)))
        elif isinstance(joint, words.AbsoluteOrientation):
            number = self.number[joint.child]
            self.joints.append(MbdmJoint("ABA", (number, 0), q1=self._e(number)))
        elif type(joint) in ABSOLUTE:
            self._absolute(path, joint)
        elif type(joint) in KINDS:
            pair = (self.id_of(joint.parent), self.id_of(joint.child))
            self.joints.append(MbdmJoint(KINDS[type(joint)], pair, **self._places(joint)))
            self._driver(path, joint, pair)
        elif isinstance(joint, words.RelativeAngle):
            self._relative_angle(path, joint)
        else:
            self.cannot(path, f"legacy files have no {joint.type} joint between these bodies")

    def _e(self, number: int) -> Vector:
        """Return e1, e2, e3 of a body's drawn attitude."""
        return _vector(quaternion_of_angles(*self.bodies[number - 1].angles)[1:])

    def _absolute(self, path: str, joint: Any) -> None:
        kind, letter = ABSOLUTE[type(joint)]
        number, axis = self.number[joint.child], "xyz".index(letter)
        place = self.bodies[number - 1].r
        if not np.allclose(point_of(joint, self.model), place, rtol=0, atol=1e-12):
            self.cannot(f"{path}.point", "legacy files hold the mass centre only")
        rate, start = self._rate(path, joint, letter) if joint.motion else (0.0, 0.0)
        if rate:
            self.cannot(f"{path}.motion", "legacy files hold a coordinate, they do not move it")
        self.joints.append(MbdmJoint(kind, (number, 0), dist=place[axis] + start))

    def _places(self, joint: Any) -> dict[str, Any]:
        """Return the vectors of a joint's legacy entry, in the axes of its two bodies."""
        p1, p2 = self._point(joint, "parent"), self._point(joint, "child")
        if isinstance(joint, words.Distance):
            apart = np.linalg.norm(self._in_world(joint.child, p2) - self._in_world(joint.parent, p1))
            return {"p1": _vector(p1), "p2": _vector(p2), "dist": float(joint.length or apart)}
        if isinstance(joint, words.Spherical):
            return {"p1": _vector(p1), "p2": _vector(p2)}
        crossed = isinstance(joint, (words.Universal, words.RevoluteCylindrical))
        h_i, h_j = self._axis(joint, "parent", "axis"), self._axis(joint, "child", "axis2" if crossed else "axis")
        f_i, f_j = self._marks(joint, h_i) if not crossed else (_across(h_i), _across(h_j))
        apart = np.linalg.norm(self._in_world(joint.child, p2) - self._in_world(joint.parent, p1))
        if apart < 1e-9 and isinstance(joint, (words.Cylindrical, words.Prismatic)):
            p1 = p1 - h_i  # the note's equations need two points of the axis apart (sections 7.3.3, 7.3.10)
        if apart < 1e-9 and isinstance(joint, words.RevoluteCylindrical):
            p2 = p2 - h_j
        found = {"p1": p1, "q1": p1 + h_i, "p2": p2, "q2": p2 + h_j}
        if isinstance(joint, (words.Revolute, words.Cylindrical, words.Prismatic)):
            found["r1"] = p1 + f_i
        if isinstance(joint, words.Prismatic):
            found["r2"] = p2 + np.cross(h_j, f_j)  # the two normals are perpendicular in a translational joint
        if isinstance(joint, words.RevoluteCylindrical):
            found["r2"] = p2 + _across(h_j)
        return {key: _vector(value) for key, value in found.items()}

    def _driver(self, path: str, joint: Any, pair: tuple[int, int]) -> None:
        """Add the driver of a joint's angle."""
        for coordinate in (*joint.motion, *joint.locked):
            if coordinate != "angle":
                self.cannot(
                    f"{path}.{coordinate}", "legacy files drive the angle of revolute and cylindrical joints only"
                )
                return
        if joint.motion or joint.locked:
            rate, start = self._rate(path, joint, "angle") if joint.motion else (0.0, 0.0)
            axis = self._axis(joint, "parent", "axis")
            self.drivers.append(_driver(pair, axis, *self._marks(joint, axis), rate, start))

    def _relative_angle(self, path: str, joint: Any) -> None:
        """Add the driver that stands for an angle between two bodies."""
        A_i, A_j = self._axes(joint.parent), self._axes(joint.child)
        axis = A_i.T @ np.array(joint.axis)
        f_i = np.array(joint.parent_axis2) if joint.parent_axis2 else A_i.T @ perpendicular(np.array(joint.axis))
        f_i = f_i - axis * (axis @ f_i)
        f_j = np.array(joint.child_axis2) if joint.child_axis2 else A_j.T @ perpendicular(np.array(joint.axis))
        rate, start = self._rate(path, joint, "angle") if joint.motion else (0.0, 0.0)
        pair = (self.id_of(joint.parent), self.id_of(joint.child))
        self.joints.append(_driver(pair, axis, f_i / np.linalg.norm(f_i), f_j, rate, start))

    def _rate(self, path: str, joint: Any, coordinate: str) -> tuple[float, float]:
        motion, kind = joint.motion[coordinate], joint.coordinates[coordinate].kind
        if not isinstance(motion, Rate):
            self.cannot(f"{path}.motion", "legacy drivers turn at a constant rate")
            return 0.0, 0.0
        return amount_in_si(motion.value, kind, 1), amount_in_si(motion.start, kind)

    def _axes(self, name: str) -> Array:
        return np.eye(3) if name == WORLD else rotation_of(self.model.bodies[name])

    def _in_world(self, name: str, point: Array) -> Array:
        centre = np.zeros(3) if name == WORLD else np.array(self.model.bodies[name].position)
        return np.asarray(centre + self._axes(name) @ point)

    def _point(self, joint: Any, side: str) -> Array:
        """Return a joint's point in the axes of one of its bodies."""
        given = getattr(joint, f"{side}_point")
        if given is not None:
            return np.array(given)
        drawn = getattr(joint, "other_point", None) if side == "child" else None
        name = getattr(joint, side)
        centre = np.zeros(3) if name == WORLD else np.array(self.model.bodies[name].position)
        point = point_of(joint, self.model) if drawn is None else np.array(drawn)
        return np.asarray(self._axes(name).T @ (point - centre))

    def _axis(self, joint: Any, side: str, what: str) -> Array:
        """Return an axis in the axes of one of the joint's bodies."""
        given = getattr(joint, f"{side}_{what}")
        if given is not None:
            return np.array(given)
        return np.asarray(self._axes(getattr(joint, side)).T @ np.array(getattr(joint, what)))

    def _marks(self, joint: Any, h_i: Array) -> tuple[Array, Array]:
        """Return the two directions between which a joint's angle is counted, each in its body's axes."""
        if joint.parent_axis2 is not None and joint.child_axis2 is not None:
            return np.array(joint.parent_axis2), np.array(joint.child_axis2)
        f_i = _across(h_i)
        return f_i, np.asarray(self._axes(joint.child).T @ self._axes(joint.parent) @ f_i)


def _driver(pair: tuple[int, int], q1: Array, p1: Array, p2: Array, rate: float, start: float) -> MbdmJoint:
    vectors = {"q1": _vector(q1), "p1": _vector(p1), "p2": _vector(p2), "r1": (start, 0.0, 0.0)}
    return MbdmJoint("RDRV", pair, **vectors, dist=rate)


def _across(h: Array) -> Array:
    """Return a unit vector perpendicular to h."""
    f = np.cross(h, np.eye(3)[int(np.argmin(np.abs(h)))])
    return np.asarray(f / np.linalg.norm(f))


def _vector(values: Any) -> Vector:
    x, y, z = (float(value) + 0.0 for value in values)  # no minus zero in files
    return x, y, z
