"""Other grounds: a very heavy floating platform, a moving frame (Galilei), a turning table."""

from __future__ import annotations

from typing import Any

import numpy as np

import fairlead as fl
from fairlead.model.fields import WORLD
from fairlead.model.joints.geometry import point_of
from fairlead.model.motions import Expression, Table, amount_in_si
from fairlead.model.topology import is_floating, topology
from fairlead.running.formulations.start import start_of
from transformations.image import Image
from transformations.kinds import load_kind
from transformations.remake import (
    LeftOut,
    channels_in,
    formulas_of,
    quoted,
    remade,
    text_of,
    with_formulas,
)
from transformations.table import Change
from transformations.world import size_of

HEAVY = 1e8  # times the mass of the machine: what moves the platform by 1e-8 of what moves the machine
ABSOLUTE = ("absolute-x", "absolute-y", "absolute-z")


def grounded(model: fl.Model) -> list[str]:
    """Return the joints that hold something to the world."""
    return [
        name
        for name, joint in model.joints.items()
        if WORLD in (joint.parent, joint.child) and not is_floating(joint) and not joint.type.startswith("absolute")
    ]


def on_new_ground(model: fl.Model, ground: str, at: Any, anchors: bool) -> tuple[dict, dict, dict[str, str]]:
    """Return joints and loads with a body in the world's place, and the load rows that have a new name by it."""
    at = np.asarray(at)
    joints = dict(model.joints)
    for name in grounded(model):
        joint = joints[name]
        side = "parent" if joint.parent == WORLD else "child"
        changes: dict[str, Any] = {side: ground}
        if getattr(joint, f"{side}_point") is not None:
            changes[f"{side}_point"] = tuple(np.array(getattr(joint, f"{side}_point")) - at)
        if hasattr(joint, "point") and joint.point is None and not joint.by_bodies:
            changes["point"] = tuple(point_of(joint, model))
        if joint.type == "ground":
            joints[name] = fl.Fixed(ground, joint.child, point=tuple(point_of(joint, model)))
        else:
            joints[name] = remade(joint, **changes)
    loads, rows = dict(model.loads), {}
    for name, load in model.loads.items():
        if not anchors:
            break
        if load.type == "spring" and load.anchor is not None:
            length = load.drawn_length() if load.length is None else load.length
            loads[name] = remade(load, anchor=None, other=ground, other_point=load.anchor, length=length)
        elif load.type == "rotational-spring" and load.other in (None, WORLD):
            loads[name] = remade(load, other=ground)
        else:
            continue
        rows[name] = f"{name}@{load.body}"
    return joints, loads, rows


def heavy_platform(model: fl.Model, run: Any) -> Change:
    """Put what stands on the ground, or hangs from it, on a free platform of a hundred million times its mass."""
    anchored = any(load.type == "spring" and load.anchor is not None for load in model.loads.values())
    if not grounded(model) and not anchored:
        raise LeftOut("nothing stands on the ground")
    if any(load_kind(load).file for load in model.loads.values()):
        raise LeftOut("another program holds it")
    size, mass = size_of(model), HEAVY * sum(body.mass for body in model.bodies.values())
    at = tuple(size * np.array([0.7, -0.4, 0.3]))
    joints, loads, rows = on_new_ground(model, "platform", at, anchors=True)
    platform = fl.Body(mass, (mass * size**2,) * 3, position=at)
    loads["holds the platform"] = fl.Force("platform", force=tuple(-mass * np.array(model.gravity)))
    changed = remade(model, bodies={"platform": platform, **model.bodies}, joints=joints, loads=loads, base="platform")
    return Change(changed, Image(loads=rows))


def free_roots(model: fl.Model) -> list[str]:
    """Return the bodies that float and carry the others of their trees."""
    return [tree.root for tree in topology(model).trees if not tree.rooted]


def moving_frame(model: fl.Model, run: Any) -> Change:
    """Let everything move with one velocity, the ground as a driven carriage (Galilei)."""
    _nothing_of_the_world(model)
    if any(joint.type in ABSOLUTE for joint in model.joints.values()):
        raise LeftOut("a joint holds a place of the world")
    size = size_of(model)
    V = np.array([0.5, -0.8, 0.3]) * size
    image = Image(drift=V)
    bodies, joints, loads, _ = _with_ground(
        model, image, fl.Prismatic(WORLD, "ground", axis=V, motion=fl.Rate(_norm(V)))
    )
    joints |= _start_moving(model, bodies, joints, lambda x: V, np.zeros(3))
    changed = remade(model, bodies=bodies, joints=joints, loads=loads)

    def channel(name: str, quantity: str) -> str:
        n = quoted(name)
        if name in model.bodies and quantity in ("x", "y", "z"):
            return f"({n}.{quantity} - {text_of(V['xyz'.index(quantity)])}*t)"
        if name in model.bodies and quantity in ("vx", "vy", "vz"):
            return f"({n}.{quantity} - {text_of(V['xyz'.index(quantity[1])])})"
        return f"{n}.{quantity}"

    return Change(with_formulas(changed, channel) if formulas_of(model) else changed, image)


def _norm(v: Any) -> float:
    return float(np.linalg.norm(v))


def _nothing_of_the_world(model: fl.Model) -> None:
    for name, load in model.loads.items():
        if load_kind(load).of_world or getattr(load, "function", None):
            raise LeftOut(f"load '{name}' depends on the place or velocity in the world")
    if model.environment is not None:
        raise LeftOut("sea and wind stay where they are")


def _with_ground(model: fl.Model, image: Image, joint: Any) -> tuple[dict, dict, dict, dict]:
    """Return bodies, joints and loads with a driven body as the ground, where anything stands on the ground."""
    held = grounded(model) or [
        n for n, load in model.loads.items() if getattr(load, "anchor", None) is not None or _turned_by_world(load)
    ]
    bodies = dict(model.bodies)
    if not held:
        return bodies, dict(model.joints), dict(model.loads), {}
    mass = sum(body.mass for body in model.bodies.values())
    bodies["ground"] = fl.Body(mass, (mass * size_of(model) ** 2,) * 3)
    joints, loads, rows = on_new_ground(model, "ground", (0.0, 0.0, 0.0), anchors=True)
    image.loads |= rows
    return bodies, {"carries the ground": joint, **joints}, loads, rows


def _turned_by_world(load: Any) -> bool:
    return load.type == "rotational-spring" and load.other in (None, WORLD)


def _start_moving(model: fl.Model, bodies: dict, joints: dict, speed: Any, spin: Any) -> dict[str, Any]:
    """Give floating bodies `speed(place)` and `spin` on top of how they start; return their joints to the world."""
    found = topology(model)
    roots = free_roots(model)
    carried = [n for n in model.bodies if n not in roots]
    drawn = [n for n in carried if any(model.bodies[n].velocity) or any(model.bodies[n].angular_velocity)]
    if drawn and (roots or np.any(spin)):
        raise LeftOut(f"the velocity drawn for '{drawn[0]}', which a joint moves, is not one of a start")
    changed = {}
    for name in roots:
        x, R, v, w_B = start_of(model, found, name)
        R = np.reshape(R, (3, 3))
        v, w_B = v + speed(x), np.array(w_B) + R.T @ spin
        floating = [label for label in found.floating if name in (joints[label].parent, joints[label].child)]
        if not floating:
            bodies[name] = remade(bodies[name], velocity=tuple(v), angular_velocity=tuple(w_B))
            continue
        joint = joints[floating[0]]
        start = np.array([amount_in_si(joint.initial.get(c, 0.0), "length") for c in "xyz"])
        arm = x - point_of(joint, model) - start
        rate = v - np.cross(R @ w_B, arm)
        changed[floating[0]] = remade(joint, rate=dict(zip("xyzabc", [*rate.tolist(), *w_B.tolist()])))
    return changed


def turning_table(model: fl.Model, run: Any) -> Change:
    """Spin the ground at a constant rate, and compare with a ground at rest and the forces a turning frame has.

    In a frame that turns at W about a point O a body feels -m (2 W x v + W x (W x r)) and, with inertia I and its own
    angular velocity w, the moment -(W x I (W + w)) - (w x I W - I (w x W)) - W x h of its wheels.
    """
    _nothing_of_the_world(model)
    if any(joint.type in ABSOLUTE or joint.type == "absolute-orientation" for joint in model.joints.values()):
        raise LeftOut("a joint holds a place or attitude of the world")
    if any(
        quantity not in ("tension",) and name in model.bodies
        for f in formulas_of(model)
        for name, quantity in channels_in(f)
    ):
        raise LeftOut("a formula reads where a body is in the world")
    size, g = size_of(model), np.array(model.gravity)
    n = g / _norm(g) if _norm(g) else np.array([2.0, -1.0, 2.0]) / 3
    rate = 0.6  # [rad/s]
    pole = size * np.array([0.9, 0.2, -0.5])
    W = rate * n
    image = Image(spin=W, pole=pole)
    motor = fl.Revolute(WORLD, "ground", pole, n, motion=fl.Rate(rate))
    bodies, joints, loads, _ = _with_ground(model, image, motor)
    joints |= _start_moving(model, bodies, joints, lambda x: np.cross(W, x - pole), W)
    for name, load in loads.items():
        if load.type == "force" and load.axes == "world":
            loads[name] = _turning(load, n, rate)
    changed = remade(model, bodies=bodies, joints=joints, loads=loads)
    feels = {f"turning {i}": _felt(name, body, W, pole) for i, (name, body) in enumerate(model.bodies.items())}
    return Change(changed, image, first=remade(model, loads={**model.loads, **feels}))


def _felt(name: str, body: Any, W: Any, pole: Any) -> Any:
    inertia = np.array(body.inertia)
    stored = sum((np.array(w.axis) * w.inertia * w.speed for w in body.wheels), np.zeros(3))

    def wrench(t: float, motion: Any) -> Any:
        x, R, v, w = motion[name]
        I = R @ inertia @ R.T
        force = -body.mass * (2 * np.cross(W, v) + np.cross(W, np.cross(W, x - pole)))
        moment = -np.cross(W, I @ (W + w)) - (np.cross(w, I @ W) - I @ np.cross(w, W)) - np.cross(W, R @ stored)
        return [*force, *moment]

    return fl.Force(name, function=wrench)


def _turning(load: Any, n: Any, rate: float) -> Any:
    """Return a force of the resting frame as a formula in the turning one: Q(t) F with Rodrigues' Q(t)."""
    if any(isinstance(part, Table) for part in (*(load.force or ()), *(load.moment or ()))):
        raise LeftOut("a force by a table has no turned table")
    across = np.array([[0, -n[2], n[1]], [n[2], 0, -n[0]], [-n[1], n[0], 0]])
    along = np.outer(n, n)
    angle = f"{text_of(rate)}*t"

    def turned(parts: Any) -> Any:
        texts = [p.expression if isinstance(p, Expression) else text_of(p) for p in parts]
        rows = []
        for i in range(3):
            terms = [
                f"({text_of(along[i, j])} + {text_of(float(i == j) - along[i, j])}*cos({angle})"
                f" + {text_of(across[i, j])}*sin({angle}))*({texts[j]})"
                for j in range(3)
            ]
            rows.append(Expression(" + ".join(terms)))
        return tuple(rows)

    given = {what: turned(getattr(load, what)) for what in ("force", "moment") if getattr(load, what) is not None}
    return remade(load, **given)
