"""Loads from their definitions: a wrench on each body, and the added mass that multiplies its acceleration."""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import NamedTuple

import numpy as np
from scipy.spatial.transform import Rotation

import fairlead as fl


class Moving(NamedTuple):
    """A body at an instant: drawn axes and mass centre, present ones, velocity and angular velocity (world axes)."""

    R0: np.ndarray
    r0: np.ndarray
    R: np.ndarray
    r: np.ndarray
    v: np.ndarray
    w: np.ndarray

    def at(self, drawn):
        """Arm from the mass centre, position and velocity of a point given in the drawing."""
        s = self.R @ self.R0.T @ (np.array(drawn) - self.r0)
        return s, self.r + s, self.v + np.cross(self.w, s)

    def turn(self):
        """The rotation from the drawing to the present attitude."""
        return self.R @ self.R0.T


WORLD = Moving(np.eye(3), np.zeros(3), np.eye(3), np.zeros(3), np.zeros(3), np.zeros(3))


class Acting(NamedTuple):
    """All loads at an instant: per load row (name, body, force, moment about the mass centre), and added masses."""

    rows: list
    added: list  # (body, 6x6 matrix, arm), linear then angular, world axes at the point
    tension: dict


def loads_at(model, bodies, coordinates, t) -> Acting:
    """Every load of a model, its bodies moving as given; `coordinates` maps joint names to {coordinate: (q, q')}."""
    found = Acting([], [], {})
    for name, load in model.loads.items():
        if isinstance(load, fl.Spring):
            _spring(name, load, bodies, found)
        elif isinstance(load, fl.RotationalSpring):
            _rotational_spring(name, load, bodies, found)
        elif isinstance(load, fl.Matrix):
            _matrix(name, load, bodies, found)
    for name, load in model.loads.items():  # formulas may read the tension of any spring
        if isinstance(load, fl.Force):
            _force(name, load, bodies, _channels(bodies, coordinates, found), t, found)
    order = {name: row for row, name in enumerate(model.loads)}
    found.rows.sort(key=lambda row: order[row[0]])
    return found


def _spring(name, load, bodies, found):
    far = bodies[load.other] if load.other else WORLD
    s1, x1, v1 = bodies[load.body].at(load.point)
    s2, x2, v2 = far.at(load.other_point if load.other else load.anchor)
    length = math.dist(x1, x2)
    rest = math.dist(load.point, load.far_point()) if load.length is None else load.length
    towards = (x2 - x1) / length
    tension = load.stiffness * (length - rest) + load.damping * float((v2 - v1) @ towards)
    if load.tension_only and (length <= rest or tension < 0):
        tension = 0.0
    found.tension[name] = tension
    found.rows.append((name, load.body, tension * towards, np.cross(s1, tension * towards)))
    if load.other:
        found.rows.append((name, load.other, -tension * towards, -np.cross(s2, tension * towards)))


def _rotational_spring(name, load, bodies, found):
    near, far = bodies[load.body], bodies[load.other] if load.other else WORLD
    phi = Rotation.from_matrix(near.turn() @ far.turn().T).as_rotvec()
    n = -load.stiffness * phi - load.damping * (near.w - far.w)
    if load.axis is not None:
        axis = far.turn() @ np.array(load.axis)
        n = axis * (axis @ n)
    found.rows.append((name, load.body, np.zeros(3), n))
    if load.other:
        found.rows.append((name, load.other, np.zeros(3), -n))


def _matrix(name, load, bodies, found):
    body = bodies[load.body]
    s, x, v = body.at(load.point)
    moved = np.concatenate([x - np.array(load.point), Rotation.from_matrix(body.turn()).as_rotvec()])
    wrench = np.array(load.preload or np.zeros(6), dtype=float)
    if load.stiffness:
        wrench -= np.array(load.stiffness) @ moved
    if load.damping:
        wrench -= np.array(load.damping) @ np.concatenate([v, body.w])
    found.rows.append((name, load.body, wrench[:3], wrench[3:] + np.cross(s, wrench[:3])))
    if load.added_mass:
        found.added.append((load.body, np.array(load.added_mass), s))


def _force(name, load, bodies, channels, t, found):
    body = bodies[load.body]
    f = np.array([_component(part, channels, t) for part in load.force or (0.0,) * 3])
    n = np.array([_component(part, channels, t) for part in load.moment or (0.0,) * 3])
    if load.axes == "body":
        f, n = body.R @ f, body.R @ n
    s = np.zeros(3) if load.point is None else body.at(load.point)[0]
    found.rows.append((name, load.body, f, n + np.cross(s, f)))


def _component(part, channels, t):
    if isinstance(part, fl.Table):
        return np.interp(t, part.times, np.array(part.values, dtype=float))
    if isinstance(part, fl.Expression):
        functions = {name: getattr(math, name) for name in ("sin", "cos", "exp", "tanh", "pi")}
        functions["where"] = lambda condition, a, b: a if condition else b
        return eval(part.expression, {"__builtins__": {}}, {**functions, **channels, "t": t})
    return part


def _channels(bodies, coordinates, found):
    """What a formula may name: quantities of bodies, joint coordinates and their rates, tensions of springs."""
    names = {}
    for name, body in bodies.items():
        yaw, pitch, roll = Rotation.from_matrix(body.R).as_euler("ZYX")
        linear = dict(zip(("x", "y", "z", "vx", "vy", "vz"), (*body.r, *body.v)))
        names[name] = SimpleNamespace(
            **linear, **dict(zip(("wx", "wy", "wz"), body.R.T @ body.w)), roll=roll, pitch=pitch, yaw=yaw
        )
    for name, joint in coordinates.items():
        both = {label: q for label, (q, _) in joint.items()}
        both |= {f"{label}_rate": dq for label, (_, dq) in joint.items()}
        names[name] = SimpleNamespace(**both)
    names |= {name: SimpleNamespace(tension=value) for name, value in found.tension.items()}
    return names
