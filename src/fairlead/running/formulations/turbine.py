"""Models that the turbine formulations of the Dissertation take: the shape of the chain, each chapter's assumptions."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from fairlead.errors import Problem
from fairlead.model.joints.base import FORCES
from fairlead.model.joints.geometry import axes_of, point_of, rotation_of
from fairlead.model.joints.types import Revolute, Spherical
from fairlead.model.schema import Model
from fairlead.model.topology import Tree, topology
from fairlead.running.formulations.refusals import events_refused, relations_refused

Array = npt.NDArray[np.float64]
CLOSE = 1e-8  # of the length or inertia concerned: what counts as zero, equal or parallel in a drawing
TURBINES = {"two-body-313": (2, 3), "two-body": (2, 3), "three-body": (3,)}  # how many bodies each can have


@dataclass(frozen=True)
class Chain:
    """A tower with its topside as drawn: names along the chain, its joints, and points and axes in world axes."""

    model: Model
    bodies: tuple[str, ...]
    joints: tuple[str, ...]  # yaw, then spin

    def point(self, number: int) -> Array:
        """Return the mass centre of a body."""
        return np.array(self.model.bodies[self.bodies[number]].position)

    def inertia(self, number: int) -> Array:
        """Return the inertia of a body about its mass centre, world axes."""
        body = self.model.bodies[self.bodies[number]]
        R_WB = rotation_of(body)
        return np.asarray(R_WB @ np.array(body.inertia) @ R_WB.T)

    def axis(self, number: int) -> Array:
        """Return the yaw axis (0) or the spin axis (1)."""
        return axes_of(self.model.joints[self.joints[number]])[0]

    @property
    def spin_axis(self) -> Array:
        """Return B: the spin axis, or without a rotor that of the topside's wheels, or y of the tower's tree."""
        if len(self.joints) > 1:
            return self.axis(1)
        topside = self.model.bodies[self.bodies[1]]
        stored = sum((np.array(w.axis) * w.inertia * w.speed for w in topside.wheels), np.zeros(3))
        if not np.any(stored):
            pinned = topology(self.model).trees[0].rooted
            return np.eye(3)[1] if pinned else np.asarray(rotation_of(self.model.bodies[self.bodies[0]])[:, 1])
        return np.asarray(rotation_of(topside) @ stored / np.linalg.norm(stored))

    def topside(self) -> tuple[float, Array, Array]:
        """Return mass, mass centre and inertia (about it, world axes) of everything above the yaw joint."""
        above = range(1, len(self.bodies))
        masses = [self.model.bodies[self.bodies[i]].mass for i in above]
        centre = np.sum([m * self.point(i) for m, i in zip(masses, above)], axis=0) / sum(masses)
        tensor = np.zeros((3, 3))
        for m, i in zip(masses, above):
            d = self.point(i) - centre
            tensor += self.inertia(i) + m * (d @ d * np.eye(3) - np.outer(d, d))
        return float(sum(masses)), centre, tensor


def turbine_reasons(model: Model, name: str) -> list[Problem]:
    """Return why the turbine model `name` cannot run a model, one sentence for each thing that does not fit."""
    chain, reasons = _chain(model, name)
    for label, controller in model.controllers.items():
        if controller.outputs():
            text = f"'{name}' takes no feedback, as controller '{label}' is; use 'cloud'"
            reasons.append(Problem(text, path=f"controllers.{label}"))
    reasons += events_refused(model, name) + relations_refused(model, name)
    if chain is None:
        return reasons
    reasons += _wheels(chain, name)
    if not reasons and name != "three-body":
        reasons += _axis_and_topside(chain, name)
    if not reasons and name == "two-body-313":
        reasons += _equal_moments(chain, name)
    return reasons


def _chain(model: Model, name: str) -> tuple[Chain | None, list[Problem]]:
    """Return the chain of bodies, or why there is none of the shape needed."""
    found = topology(model)
    pinned = name == "two-body-313"
    start = "pinned by a free spherical joint to the world" if pinned else "floating"
    if found.loops or len(found.trees) != 1 or not _is_chain(found.trees[0]):
        text = f"'{name}' is for one {start} tower that carries a nacelle that carries a rotor; use 'cloud'"
        return None, [Problem(text, path="joints")]
    tree = found.trees[0]
    reasons = []
    if len(tree.bodies) not in TURBINES[name]:
        counts = " or ".join(str(n) for n in TURBINES[name])
        reasons.append(Problem(f"'{name}' has {counts} bodies, the model {len(tree.bodies)}", path="bodies"))
    if tree.rooted != pinned:
        reasons.append(Problem(f"'{name}' needs body '{tree.root}' {start}", path=f"bodies.{tree.root}"))
    elif pinned:
        reasons += _pin(model, tree, name)
    for body in tree.bodies[1:]:
        label = tree.edges[body].joint
        joint = model.joints[label]
        if not isinstance(joint, Revolute) or joint.role("angle") == "free":
            text = f"'{name}' needs joint '{label}' to be revolute and driven or locked"
            reasons.append(Problem(text, path=f"joints.{label}"))
        elif joint.by_bodies:
            text = f"joint '{label}' is given in body axes, which '{name}' does not assemble; use 'constrained'"
            reasons.append(Problem(text, path=f"joints.{label}"))
    if reasons:
        return None, reasons
    return Chain(model, tuple(tree.bodies), tuple(tree.edges[body].joint for body in tree.bodies[1:])), []


def _is_chain(tree: Tree) -> bool:
    return all(tree.edges[body].inboard == before for before, body in zip(tree.bodies, tree.bodies[1:]))


def _pin(model: Model, tree: Tree, name: str) -> list[Problem]:
    edge = tree.edges[tree.root]
    joint = model.joints[edge.joint]
    if not isinstance(joint, Spherical) or any(joint.role(c) != "free" for c in "abc"):
        text = f"'{name}' turns about a fixed point: joint '{edge.joint}' must be spherical and free"
    elif edge.flipped:
        text = f"'{name}' needs the world as the parent of joint '{edge.joint}'"
    elif any(getattr(joint, field) for field in FORCES):
        text = f"'{name}' takes no spring, damper, stop or actuator in joint '{edge.joint}'; use 'articulated'"
    else:
        return []
    return [Problem(text, path=f"joints.{edge.joint}")]


def _wheels(chain: Chain, name: str) -> list[Problem]:
    """Return which wheels have no place in the model: only a topside without rotor may store momentum."""
    allowed = chain.bodies[1] if len(chain.bodies) == 2 else ""
    return [
        Problem(f"'{name}' has no place for the wheels of body '{body}'", path=f"bodies.{body}.wheels")
        for body in chain.bodies
        if chain.model.bodies[body].wheels and body != allowed
    ]


def _axis_and_topside(chain: Chain, name: str) -> list[Problem]:
    """Return which assumptions of Chapter 3 (and 2) on the tower's axis and the topside do not hold. ERRATA 18."""
    tower, yaw = chain.bodies[0], chain.joints[0]
    C, B = chain.axis(0), chain.spin_axis
    up = np.array([0.0, 0.0, 1.0]) if name == "two-body-313" else rotation_of(chain.model.bodies[tower])[:, 2]
    _, centre, tensor = chain.topside()
    arm = centre - chain.point(0)
    reasons = []
    if np.linalg.norm(np.cross(C, up)) > CLOSE:
        whose = "the vertical of the drawing" if name == "two-body-313" else f"the z axis of body '{tower}'"
        reasons.append(Problem(f"'{name}' yaws about {whose}; joint '{yaw}' does not", path=f"joints.{yaw}.axis"))
        return reasons
    if abs(B @ C) > CLOSE:
        text = f"'{name}' has no tilt: the spin axis must be perpendicular to the yaw axis"
        reasons.append(Problem(text, path=f"bodies.{chain.bodies[-1]}"))
    for what, body, point in (
        (f"joint '{yaw}'", tower, point_of(chain.model.joints[yaw], chain.model)),
        ("the mass centre of the topside", chain.bodies[1], centre),
    ):
        off = float(np.linalg.norm(np.cross(point - chain.point(0), C)))
        if off > CLOSE * np.linalg.norm(arm):
            text = (
                f"{what} lies {off:.4g} m off the axis of body '{tower}', on which '{name}' keeps it; use 'three-body'"
            )
            reasons.append(Problem(text, path=f"bodies.{body}"))
    A = np.cross(B, C)
    for body, I, axes in ((tower, chain.inertia(0), _tower_axes(chain, name)), (chain.bodies[1], tensor, (A, B, C))):
        if _worst_product(I, axes) > CLOSE * np.abs(I).max():
            which = "topside (heights of nacelle and rotor?)" if body != tower else f"body '{tower}'"
            text = f"'{name}' needs principal axes along yaw and spin; the {which} has products of inertia there"
            reasons.append(Problem(text.replace("the body", "body"), path=f"bodies.{body}.inertia"))
    if len(chain.bodies) > 2:
        reasons += _spinning(chain, name, B)
    return reasons


def _tower_axes(chain: Chain, name: str) -> tuple[Array, ...]:
    R = np.eye(3) if name == "two-body-313" else rotation_of(chain.model.bodies[chain.bodies[0]])
    return tuple(R.T)


def _worst_product(I: Array, axes: tuple[Array, ...]) -> float:
    return max(abs(float(axes[i] @ I @ axes[j])) for i, j in ((0, 1), (0, 2), (1, 2)))


def _spinning(chain: Chain, name: str, B: Array) -> list[Problem]:
    """Return the reasons why nacelle and rotor are not one body with stored momentum."""
    nacelle, rotor = chain.bodies[1:]
    I, I_n = chain.inertia(2), chain.inertia(1)
    reasons = []
    off = np.cross(chain.point(2) - point_of(chain.model.joints[chain.joints[1]], chain.model), B)
    side = np.cross(B, np.eye(3)[int(np.argmin(np.abs(B)))])
    side /= np.linalg.norm(side)
    other = np.cross(B, side)
    uneven = max(abs(side @ I @ side - other @ I @ other), _worst_product(I, (side, other, B)))
    if uneven > CLOSE * np.abs(I).max() or np.linalg.norm(off) > CLOSE * np.linalg.norm(
        chain.point(2) - chain.point(0)
    ):
        text = f"body '{rotor}' is not axisymmetric about the spin axis, which '{name}' needs; use 'three-body'"
        reasons.append(Problem(text, path=f"bodies.{rotor}"))
    if abs(B @ I_n @ B) > CLOSE * abs(B @ I @ B):
        text = (
            f"body '{nacelle}' has inertia of its own about the spin axis, which '{name}' would let spin with the "
            "rotor; use 'three-body'"
        )
        reasons.append(Problem(text, path=f"bodies.{nacelle}.inertia"))
    return reasons


def _equal_moments(chain: Chain, name: str) -> list[Problem]:
    """Return where the axes of Chapter 2, which do not turn with the bodies, would not do. ERRATA 4 and 17."""
    tower = chain.bodies[0]
    C, B = chain.axis(0), chain.spin_axis
    pin = point_of(chain.model.joints[topology(chain.model).trees[0].edges[tower].joint], chain.model)
    _, centre, tensor = chain.topside()
    A, I = np.cross(B, C), chain.inertia(0)
    reasons = []
    off = float(np.linalg.norm(np.cross(pin - chain.point(0), C)))
    if off > CLOSE * np.linalg.norm(centre - chain.point(0)):
        text = f"the fixed point lies {off:.4g} m off the axis of body '{tower}', on which '{name}' needs it"
        reasons.append(Problem(text, path=f"bodies.{tower}"))
    if abs(I[0, 0] - I[1, 1]) > CLOSE * np.abs(I).max():
        text = f"'{name}' needs body '{tower}' with equal moments of inertia across its axis"
        reasons.append(Problem(text, path=f"bodies.{tower}.inertia"))
    if abs(A @ tensor @ A - C @ tensor @ C) > CLOSE * np.abs(tensor).max():
        text = (
            f"'{name}' needs equal moments of inertia of the topside about the yaw axis ({C @ tensor @ C:.6g} kg m2) "
            f"and across it and the spin axis ({A @ tensor @ A:.6g}): its axes do not turn with the nacelle"
        )
        reasons.append(Problem(text, path=f"bodies.{chain.bodies[1]}.inertia"))
    return reasons
