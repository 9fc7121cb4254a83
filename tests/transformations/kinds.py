"""How each kind of joint and load is drawn: the tables by which new kinds enter. A kind without a row fails by name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, get_args

import numpy as np
from scipy.spatial.transform import Rotation

import fairlead as fl
from fairlead.model.controllers.table import AnyController
from fairlead.model.fields import WORLD
from fairlead.model.joints.base import is_ball
from fairlead.model.joints.geometry import euler123_matrix, point_of
from fairlead.model.joints.types import AnyJoint
from fairlead.model.loads.table import AnyLoad
from fairlead.model.motions import amount_in_si
from transformations.remake import LeftOut, remade, scaled_joint


@dataclass(frozen=True)
class JointKind:
    """How a joint is drawn and how it is turned round.

    `about` and `along` are its directions: those a coordinate turns about change their sign in a mirror. `mirrored` are
    the coordinates that change their sign then. `world` says that coordinates are along or about the drawing's axes.
    """

    about: tuple[str, ...] = ()
    along: tuple[str, ...] = ()
    mirrored: tuple[str, ...] = ()
    world: bool = False
    swap: Callable[[Any, fl.Model], tuple[dict[str, Any], dict[str, tuple[str, float]]]] | None = None
    copied: bool = True  # whether a second one at the same place is redundant and free to move with the first


def _ends(joint: Any, **changes: Any) -> dict[str, Any]:
    """Return the ends of a joint exchanged, and what else is given."""
    found = {"parent": joint.child, "child": joint.parent}
    for what in ("point", "axis", "axis2"):
        ends = {side: getattr(joint, f"{side}_{what}") for side in ("parent", "child")}
        if any(end is not None for end in ends.values()):
            found |= {f"parent_{what}": ends["child"], f"child_{what}": ends["parent"]}
    return found | changes


def _backwards(*axes: str) -> Callable[..., Any]:
    """Return the rule of joints that are the same joint about reversed axes when their ends are exchanged."""

    def rule(joint: Any, model: fl.Model) -> Any:
        changes = _ends(joint)
        if hasattr(joint, "point") and joint.point is None and joint.parent_point is None:
            changes["point"] = tuple(point_of(joint, model))  # else it would be the other body's mass centre
        for axis in axes:
            if getattr(joint, axis) is not None:
                changes[axis] = tuple(-e for e in getattr(joint, axis))
            for side in ("parent", "child"):
                if changes.get(f"{side}_{axis}") is not None:
                    changes[f"{side}_{axis}"] = tuple(-e for e in changes[f"{side}_{axis}"])
        return changes, {}

    return rule


def _swap_universal(joint: Any, model: fl.Model) -> Any:
    """Exchange the two arms: angle1 is about the parent's arm, which was the child's."""
    if joint.axis is None:
        raise LeftOut("a cross given in body axes")
    other = {"angle1": "angle2", "angle2": "angle1"}
    changes = _ends(joint, axis=tuple(-e for e in joint.axis2), axis2=tuple(-e for e in joint.axis))
    for field in ("motion", "initial", "rate", "spring", "damper", "stop", "actuator", "limits"):
        changes[field] = {other[name]: value for name, value in getattr(joint, field).items()}
    changes["locked"] = tuple(other[name] for name in joint.locked)
    return changes, {old: (new, 1.0) for old, new in other.items()}


def _swap_ball(joint: Any, model: fl.Model) -> Any:
    """Turn a free ball round: the inverse rotation, and the opposite rate in the axes of the new child."""
    if not is_ball(joint) or joint.actuator or joint.limits or joint.damper:
        raise LeftOut("1-2-3 angles have no inverse of the same order")
    if any(name in joint.initial or name in joint.rate or name in joint.spring for name in ("x", "y", "z")):
        raise LeftOut("slides along axes of the parent are not slides along axes of the child")
    if joint.type == "free":
        raise LeftOut("slides along axes of the parent are not slides along axes of the child")
    R_PC = euler123_matrix(*[amount_in_si(joint.initial.get(c, 0.0), "angle") for c in "abc"])
    drawn = [np.eye(3) if n == WORLD else _drawn(model.bodies[n]) for n in (joint.parent, joint.child)]
    w_C = np.array([amount_in_si(joint.rate.get(c, 0.0), "angle", 1) for c in "abc"])
    w_P = -(drawn[0].T @ R_PC @ drawn[1] @ w_C)
    changes = _ends(joint, initial=angles_of(R_PC.T), rate=dict(zip("abc", w_P.tolist())))
    return changes, dict.fromkeys("abc", ("", 0.0))  # measured in other axes


def _swap_distance(joint: Any, model: fl.Model) -> Any:
    return _ends(joint, point=joint.other_point, other_point=joint.point), {}


def _drawn(body: Any) -> Any:
    from fairlead.model.joints.geometry import rotation_of

    return rotation_of(body)


def angles_of(R: Any) -> dict[str, float]:
    """Return the 1-2-3 angles a, b, c of a rotation."""
    return dict(zip("abc", Rotation.from_matrix(R).as_euler("XYZ").tolist()))


JOINTS: dict[str, JointKind] = {
    "fixed": JointKind(swap=_backwards()),
    "ground": JointKind(),
    "revolute": JointKind(about=("axis",), swap=_backwards("axis")),
    "prismatic": JointKind(along=("axis",), swap=_backwards("axis")),
    "cylindrical": JointKind(along=("axis",), mirrored=("angle",), swap=_backwards("axis")),
    "universal": JointKind(about=("axis", "axis2"), swap=_swap_universal),
    "planar": JointKind(about=("axis",), along=("axis2",)),
    "spherical": JointKind(world=True, mirrored=("b", "c"), swap=_swap_ball),
    "free": JointKind(world=True, mirrored=("x", "b", "c"), copied=False),
    "revolute-cylindrical": JointKind(about=("axis", "axis2"), copied=False),
    "distance": JointKind(swap=_swap_distance, copied=False),
    "absolute-x": JointKind(world=True, mirrored=("x",), copied=False),
    "absolute-y": JointKind(world=True, copied=False),
    "absolute-z": JointKind(world=True, copied=False),
    "absolute-orientation": JointKind(copied=False),
    "relative-angle": JointKind(about=("axis",), copied=False),
}


@dataclass(frozen=True)
class LoadKind:
    """How a load is drawn.

    `points` are places, `upright` says that it knows where down is, `of_world` that it knows where (or how fast) a body
    is in the world; `dims` are the powers of length, mass and time of its numbers.
    """

    points: tuple[str, ...] = ()
    upright: bool = False
    of_world: bool = False
    file: bool = False
    dims: dict[str, tuple[int, int, int]] | None = None


SPRING = {"stiffness": (0, 1, -2), "damping": (0, 1, -1), "length": (1, 0, 0)}
LINE = {"EA": (1, 1, -2), "length": (1, 0, 0)}
LOADS: dict[str, LoadKind] = {
    "force": LoadKind(("point",), dims={}),
    "spring": LoadKind(("point", "anchor", "other_point"), dims=SPRING),
    "rotational-spring": LoadKind(dims={"stiffness": (2, 1, -2), "damping": (2, 1, -1)}),
    "matrix": LoadKind(("point",), of_world=True, dims={}),
    "buoyancy": LoadKind(upright=True, of_world=True, dims={"x": (1, 0, 0), "y": (1, 0, 0)}),
    "morison": LoadKind(upright=True, of_world=True, dims={"x": (1, 0, 0), "y": (1, 0, 0)}),
    "taut-line": LoadKind(
        ("point", "anchor"), of_world=True, dims=LINE | {"pretension": (1, 1, -2), "damping": (0, 1, -1)}
    ),
    "catenary": LoadKind(("point", "anchor"), upright=True, of_world=True, dims=LINE | {"weight": (0, 1, -2)}),
    "moordyn": LoadKind(upright=True, of_world=True, file=True, dims={}),
    "rotor-thrust": LoadKind(("point",), upright=True, of_world=True, dims={"radius": (1, 0, 0), "torque": (2, 1, -2)}),
    "rotor": LoadKind(("point",), upright=True, of_world=True, dims={}),
    "generator": LoadKind(dims={}),
}
CONTROLLERS: dict[str, dict[str, Any]] = {  # powers of time, a direction, or formulas (one, several or by name)
    "yaw-follow": {"facing": "direction", "lag": 1, "acceleration_time": 1, "average": 1, "sample": 1, "rate": -1},
    "pid": {"input": "formula", "target": "formula"},
    "expression": {"output": "formula", "state": "formula"},
    "state-feedback": {"inputs": "formula", "targets": "formula"},
    "sensor": {"input": "formula"},
    "python": {"inputs": "formula"},
    "schedule": {"input": "formula"},
    "baseline-turbine": {"speed": "formula"},
    "discon": {"inputs": "formula"},
}


def missing_kinds() -> list[str]:
    """Return the kinds of joints, loads and controllers of the schema that have no row here."""

    def types(union: Any) -> list[str]:
        parts = get_args(get_args(union)[0]) or (get_args(union)[0],)
        words = [get_args(part)[0] if get_args(part) else part for part in parts]
        return [str(word.model_fields["type"].default) for word in words]

    groups = {"joint": (AnyJoint, JOINTS), "load": (AnyLoad, LOADS), "controller": (AnyController, CONTROLLERS)}
    return [f"{what} '{kind}'" for what, (union, rows) in groups.items() for kind in types(union) if kind not in rows]


def joint_kind(joint: Any) -> JointKind:
    """Return the row of a joint."""
    if joint.type not in JOINTS:
        raise KeyError(f"joint type '{joint.type}' has no row in tests/transformations/kinds.py")
    return JOINTS[joint.type]


def load_kind(load: Any) -> LoadKind:
    """Return the row of a load."""
    if load.type not in LOADS:
        raise KeyError(f"load type '{load.type}' has no row in tests/transformations/kinds.py")
    return LOADS[load.type]


def turned_joint(joint: Any, Q: Any, shift: Any, S: dict[str, Any]) -> tuple[Any, dict[str, float] | None]:
    """Return a joint as drawn in a world turned (or mirrored) by Q and moved, and the factors of its coordinates.

    S are the axes of bodies. No factors (None) where its coordinates are not comparable.
    """
    kind, hand = joint_kind(joint), float(np.sign(np.linalg.det(Q)))
    changes: dict[str, Any] = {}
    for field in ("point", "other_point"):
        if getattr(joint, field, None) is not None:
            changes[field] = tuple(Q @ getattr(joint, field) + shift)
    for field, sign in (*((f, hand) for f in kind.about), *((f, 1.0) for f in kind.along)):
        if getattr(joint, field, None) is not None:
            changes[field] = tuple(sign * Q @ getattr(joint, field))
        for side in ("parent", "child"):
            if getattr(joint, f"{side}_{field}") is not None:
                own = S.get(getattr(joint, side), np.eye(3)) if getattr(joint, side) != WORLD else Q
                changes[f"{side}_{field}"] = tuple(sign * own @ getattr(joint, f"{side}_{field}"))
    for side in ("parent", "child"):
        if getattr(joint, f"{side}_point") is not None:
            own = S.get(getattr(joint, side), np.eye(3)) if getattr(joint, side) != WORLD else Q
            changes[f"{side}_point"] = tuple(own @ getattr(joint, f"{side}_point"))
    factors = {name: hand if name in kind.mirrored else 1.0 for name in joint.coordinates}
    if not kind.world:
        return scaled_joint(joint, factors, **changes), factors
    if np.allclose(Q, np.diag(np.diag(Q)), atol=1e-15):  # the drawing's axes stay the drawing's axes
        d = np.diag(Q)
        turned = dict(zip("xyzabc", [*d, *(hand * d)]))
        factors = {name: turned[name] for name in joint.coordinates}
        if is_ball(joint):  # rates are in the axes of the child, which S turns
            return _turned_ball(joint, Q, S, factors, changes), None if hand > 0 else factors
        return scaled_joint(joint, factors, **changes), factors
    held = [n for n in joint.coordinates if joint.role(n) != "free" or n in joint.spring or n in joint.stop]
    held += [n for n in joint.coordinates if n in "xyz" and (n in joint.damper or n in joint.actuator)]
    if held or (not is_ball(joint) and joint.coordinates):
        raise LeftOut(
            f"coordinate '{(held or list(joint.coordinates))[0]}' of a {joint.type} joint is along a drawn axis"
        )
    return _turned_ball(joint, Q, S, {}, changes), None


def _turned_ball(joint: Any, Q: Any, S: dict[str, Any], factors: dict[str, float], changes: dict[str, Any]) -> Any:
    """Return a joint with a free rotation: its start is turned, its rates stay in the axes of the child."""
    hand = float(np.sign(np.linalg.det(Q)))
    start = euler123_matrix(*[amount_in_si(joint.initial.get(c, 0.0), "angle") for c in "abc"])
    own = S.get(joint.child, np.eye(3))
    w = hand * own @ [amount_in_si(joint.rate.get(c, 0.0), "angle", 1) for c in "abc"]
    initial, rate = angles_of(Q @ start @ Q.T), dict(zip("abc", w.tolist()))
    if "x" in joint.coordinates:
        for field, found, power in (("initial", initial, 0), ("rate", rate, 1)):
            slide = Q @ [amount_in_si(getattr(joint, field).get(c, 0.0), "length", power) for c in "xyz"]
            found |= {c: float(s) for c, s in zip("xyz", slide) if s != 0.0}
    rates = dict(zip("abc", hand * np.diag(own)))  # what acts about the child's axes
    if (joint.actuator or joint.damper) and not np.allclose(own, np.diag(np.diag(own))):
        raise LeftOut("a damper or an actuator acts about an axis of the child")
    scaled = scaled_joint(joint, factors | rates, **changes)
    return remade(scaled, initial=initial if joint.initial else {}, rate=rate if joint.rate else {})
