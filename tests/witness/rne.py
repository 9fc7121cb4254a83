"""Recursive Newton-Euler on poses and six-vectors in body axes, the base solved from unit accelerations.

A joint is a product of exponentials of its screws in the drawing, always from the joint's own parent to its child;
where the tree runs the other way the finished relative motion is inverted. Twists are (angular, linear) of the frame at
the mass centre, in body axes. Accelerations are carried as seven columns: what the joints and velocities cause, and the
response to each unit acceleration of the base; the wrench on a free base vanishes, which gives its acceleration.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

import fairlead as fl
from witness.loads import Moving, loads_at
from witness.motions import coordinate_at
from witness.spatial import adjoint, drawn_rotation, exponential, hat, inverse, little_adjoint, pose, screw

WORLD = "world"


@dataclass
class Answer:
    """Everything the witness knows at one instant, by name; world axes but for the angular rates (body axes)."""

    position: dict = field(default_factory=dict)
    rotation: dict = field(default_factory=dict)
    velocity: dict = field(default_factory=dict)
    angular_velocity: dict = field(default_factory=dict)
    acceleration: dict = field(default_factory=dict)
    angular_acceleration: dict = field(default_factory=dict)
    joint_point: dict = field(default_factory=dict)
    joint_force: dict = field(default_factory=dict)
    joint_moment: dict = field(default_factory=dict)
    driver_force: dict = field(default_factory=dict)
    load: dict = field(default_factory=dict)  # per body (force, moment about the mass centre), added mass left out


@dataclass
class Link:
    """A body in its tree: its inboard body or world (None for a free base), the joint between, which way it runs."""

    name: str
    inboard: str | None = None
    joint: str | None = None
    against: bool = False


def joint_screws(joint):
    """Coordinate names, kinds, world axes of a joint in the drawing, in kinematic order."""
    x, y, z = np.eye(3)
    kind = joint.type
    if kind == "planar":
        n, along = np.array(joint.axis), np.array(joint.axis2)
        axes = [along, np.cross(n, along), n]
    elif kind == "universal":
        axes = [np.array(joint.axis), np.array(joint.axis2)]
    elif kind == "spherical":
        axes = [x, y, z]
    elif kind == "free":
        axes = [x, y, z, x, y, z]
    else:
        axes = [np.array(joint.axis)] * len(joint.coordinates) if joint.coordinates else []
    return [(name, one.kind, axis) for (name, one), axis in zip(joint.coordinates.items(), axes)]


def joint_place(model, joint):
    """A joint's point in the drawing; by default the mass centre of its child (of its parent, if that is the world)."""
    point = getattr(joint, "point", None)
    if point is None:
        point = model.bodies[joint.parent if joint.child == WORLD else joint.child].position
    return np.array(point, dtype=float)


def floats(joint):
    """Whether a joint only says that its body floats."""
    return joint.type == "free" and WORLD in (joint.parent, joint.child) and not joint.motion and not joint.locked


def trees(model) -> list[list[Link]]:
    """The trees of a loop-free model, each outward from the world or from its base."""
    ends = {name: (j.parent, j.child) for name, j in model.joints.items() if not floats(j)}
    marked = [j.child if j.parent == WORLD else j.parent for j in model.joints.values() if floats(j)]
    starts = [
        Link(pair[1 - pair.index(WORLD)], WORLD, name, pair[1] == WORLD) for name, pair in ends.items() if WORLD in pair
    ]
    starts += [Link(name) for name in ([model.base] if model.base else []) + marked + list(model.bodies)]
    seen, found = set(), []
    for start in starts:
        if start.name in seen:
            continue
        tree, at = [start], 0
        seen.add(start.name)
        while at < len(tree):
            here = tree[at].name
            for name, (parent, child) in ends.items():
                if here in (parent, child) and WORLD not in (parent, child):
                    other = child if here == parent else parent
                    if other not in seen:
                        seen.add(other)
                        tree.append(Link(other, here, name, against=here == child))
            at += 1
        found.append(tree)
    return found


class Instant:
    """A model at one time, its free bases where and as fast as they are drawn."""

    def __init__(self, model, t=0.0):
        self.model, self.t = model, t
        self.T0 = {n: pose(drawn_rotation(b), b.position) for n, b in model.bodies.items()} | {WORLD: np.eye(4)}
        self.T, self.V = {WORLD: np.eye(4)}, {WORLD: np.zeros(6)}
        self.X, self.bias, self.J, self.q = {}, {}, {}, {}
        self.trees = trees(model)
        for tree in self.trees:
            for link in tree:
                self._place(link)

    def _place(self, link):
        body, name = self.model.bodies[link.name], link.name
        if link.inboard is None:
            self.T[name], self.V[name] = self._start(name, body)
            return
        G, v, dv, J = self._joint_motion(link.joint)
        if link.against:
            G, v, dv, J = inverse(G), -adjoint(G) @ v, -adjoint(G) @ dv, -adjoint(G) @ J
        self.X[name] = adjoint(inverse(G))
        self.T[name] = self.T[link.inboard] @ G
        self.V[name] = self.X[name] @ self.V[link.inboard] + v
        self.bias[name] = dv + little_adjoint(self.V[name]) @ v
        self.J[name] = J

    def _start(self, name, body):
        """Pose and twist of a free base: as drawn, or as a free joint from the world to it says."""
        T, spin = self.T0[name], np.array(body.angular_velocity)
        velocity = np.array(body.velocity)
        for joint in self.model.joints.values():
            if floats(joint) and joint.child == name:
                place = joint_place(self.model, joint)
                q = {
                    c: fl.Rate(0.0, joint.initial.get(c, 0.0)).in_si(one.kind)["start"]
                    for c, one in joint.coordinates.items()
                }
                for label, kind, axis in reversed(joint_screws(joint)):
                    T = exponential(screw(kind, axis, place), q[label]) @ T
                if joint.rate:
                    rate = [
                        fl.Rate(joint.rate.get(c, 0.0)).in_si(one.kind)["value"] for c, one in joint.coordinates.items()
                    ]
                    spin = np.array(rate[3:])  # body axes
                    point = (T @ inverse(self.T0[name]) @ np.append(place, 1.0))[:3]
                    velocity = np.array(rate[:3]) + np.cross(T[:3, :3] @ spin, T[:3, 3] - point)
        return T, np.concatenate([spin, T[:3, :3].T @ velocity])

    def _joint_motion(self, name):
        """Pose of the child in the parent's axes, relative twist in the child's axes, its rate, and its Jacobian."""
        joint = self.model.joints[name]
        to_child = adjoint(inverse(self.T0[joint.child]))
        G = inverse(self.T0[joint.parent]) @ self.T0[joint.child]
        v, dv, columns = np.zeros(6), np.zeros(6), []
        self.q[name] = {}
        for label, kind, axis in joint_screws(joint):
            q, dq, ddq = coordinate_at(joint, label, kind, self.t)
            S = to_child @ screw(kind, axis, joint_place(self.model, joint))
            step = exponential(S, q)
            carry = adjoint(inverse(step))
            G = G @ step
            v = carry @ v + S * dq
            dv = carry @ dv + S * ddq + little_adjoint(v) @ S * dq
            columns = [carry @ column for column in columns] + [S]
            self.q[name][label] = (q, dq)
        return G, v, dv, np.array(columns).reshape(-1, 6).T

    def moving(self, name):
        """The body as loads see it."""
        T, V, T0 = self.T[name], self.V[name], self.T0[name]
        R = T[:3, :3]
        return Moving(T0[:3, :3], T0[:3, 3], R, T[:3, 3], R @ V[3:], R @ V[:3])

    def loads(self):
        """All loads at this instant."""
        return loads_at(self.model, {name: self.moving(name) for name in self.model.bodies}, self.q, self.t)

    def solve(self) -> Answer:
        """Accelerations of every body and the wrench through every joint."""
        acting, answer = self.loads(), Answer()
        outside = {name: [np.zeros(3), np.zeros(3)] for name in self.model.bodies}
        for _, name, f, n in acting.rows:
            outside[name][0] = outside[name][0] + f
            outside[name][1] = outside[name][1] + n
        answer.load = {name: tuple(pair) for name, pair in outside.items()}
        added = {}
        for name, matrix, arm in acting.added:
            added.setdefault(name, []).append((matrix, arm))
        for tree in self.trees:
            self._solve_tree(tree, outside, added, answer)
        return answer

    def _solve_tree(self, tree, outside, added, answer):
        A, F = {WORLD: np.zeros((6, 7))}, {}
        for link in tree:
            if link.inboard is None:
                A[link.name] = np.hstack([np.zeros((6, 1)), np.eye(6)])
            else:
                A[link.name] = self.X[link.name] @ A[link.inboard]
                A[link.name][:, 0] += self.bias[link.name]
            F[link.name] = self._inertial(link.name, A[link.name], added.get(link.name, ()))
            F[link.name][:, 0] -= self._outside(link.name, *outside[link.name])
        for link in reversed(tree):
            if link.inboard not in (None, WORLD):
                F[link.inboard] += self.X[link.name].T @ F[link.name]
        root = tree[0]
        unit = np.zeros(6)
        if root.inboard is None:
            unit = np.linalg.solve(F[root.name][:, 1:], -F[root.name][:, 0])
        columns = np.concatenate([[1.0], unit])
        for link in tree:
            self._report(link, A[link.name] @ columns, F[link.name] @ columns, answer)

    def _inertial(self, name, A, added):
        """Rate of momentum in body axes, (moment, force), less what added mass takes; seven columns."""
        body, V = self.model.bodies[name], self.V[name]
        G = np.zeros((6, 6))
        G[:3, :3], G[3:, 3:] = np.array(body.inertia), body.mass * np.eye(3)
        momentum = G @ V
        for wheel in body.wheels:
            momentum[:3] += np.array(wheel.axis) * wheel.inertia * wheel.speed
        F = G @ A
        F[:, 0] -= little_adjoint(V).T @ momentum
        R, w, v = self.T[name][:3, :3], V[:3], V[3:]
        for matrix, arm in added:
            s = R.T @ arm
            Y = np.zeros((6, 6))  # from (angular, linear) in body axes to the point's (linear, angular) in world axes
            Y[:3, :3] = -R @ hat(s)
            Y[:3, 3:] = R
            Y[3:, :3] = R
            point = Y @ A
            point[:3, 0] += R @ (np.cross(w, v) + np.cross(w, np.cross(w, s)))
            F = F + Y.T @ matrix @ point
        return F

    def _outside(self, name, f, n):
        """Loads and weight in body axes at the mass centre, (moment, force)."""
        body, R = self.model.bodies[name], self.T[name][:3, :3]
        return np.concatenate([R.T @ n, R.T @ (f + body.mass * np.array(self.model.gravity))])

    def _report(self, link, A, F, answer):
        name, T, V = link.name, self.T[link.name], self.V[link.name]
        R, x = T[:3, :3], T[:3, 3]
        answer.position[name], answer.rotation[name] = x, R
        answer.velocity[name], answer.angular_velocity[name] = R @ V[3:], V[:3]
        answer.acceleration[name] = R @ (A[3:] + np.cross(V[:3], V[3:]))
        answer.angular_acceleration[name] = A[:3]
        if link.joint is None:
            return
        joint = self.model.joints[link.joint]
        for label, moment in zip(joint.coordinates, self.J[name].T @ F):
            answer.driver_force[f"{link.joint}.{label}"] = moment
        n, f = R @ F[:3], R @ F[3:]
        on_child = self.T[joint.child] @ inverse(self.T0[joint.child])
        point = (on_child @ np.append(joint_place(self.model, joint), 1.0))[:3]
        n = n + np.cross(x - point, f)
        sign = -1.0 if link.against else 1.0
        answer.joint_point[link.joint] = point
        answer.joint_force[link.joint], answer.joint_moment[link.joint] = sign * f, sign * n


def accelerations(model, time=0.0) -> Answer:
    """The witness's answer for a model at one time."""
    return Instant(model, time).solve()
