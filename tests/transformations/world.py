"""The world turned, moved and mirrored."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation

import fairlead as fl
from fairlead.model.environment.compile_sea import water_of
from fairlead.model.environment.waves import StillWater, Waves, WaveTable
from fairlead.model.joints.geometry import rotation_of
from fairlead.model.topology import is_floating
from transformations.image import Image
from transformations.kinds import load_kind, turned_joint
from transformations.remake import LeftOut, formulas_of, map_forces, quoted, remade, text_of, with_formulas
from transformations.table import Change

ANY_TURN = Rotation.from_rotvec([0.7, -1.1, 0.4]).as_matrix()
ABOUT_Z = Rotation.from_rotvec([0.0, 0.0, 0.83]).as_matrix()
HALF_X, HALF_Z = np.diag([1.0, -1.0, -1.0]), np.diag([-1.0, -1.0, 1.0])
MIRROR = np.diag([-1.0, 1.0, 1.0])
FAR = np.array([31.0, -17.0, 11.0])


def upright(model: fl.Model) -> bool:
    """Return whether something in the model knows where down is, other than by gravity."""
    return model.environment is not None or any(load_kind(load).upright for load in model.loads.values())


def turn(model: fl.Model, run: Any) -> Change:
    """Turn the world by any rotation, about the vertical where there is sea or wind."""
    return seen(model, ABOUT_Z if upright(model) else ANY_TURN)


def half_turn(model: fl.Model, run: Any) -> Change:
    """Turn the world by half a turn about an axis of the drawing, which every joint can follow."""
    return seen(model, HALF_Z if upright(model) else HALF_X)


def move(model: fl.Model, run: Any) -> Change:
    """Move the world, horizontally where there is sea or wind; the waves' phases move with it."""
    far = FAR * [1, 1, 0] if upright(model) else FAR
    return seen(model, np.eye(3), far * size_of(model) / 10)


def mirror(model: fl.Model, run: Any) -> Change:
    """Mirror the world at x = 0: rotations, moments and rates of rotation change their sense."""
    return seen(model, MIRROR)


def size_of(model: fl.Model) -> float:
    """Return the size of the machine, 1 for a single body."""
    points = np.array([body.position for body in model.bodies.values()])
    return float(np.linalg.norm(points - points.mean(0), axis=1).max()) or 1.0


def seen(model: fl.Model, Q: Any, shift: Any = (0.0, 0.0, 0.0), axes: dict[str, Any] | None = None) -> Change:
    """Return the model in a world where x is Q x + shift, with other body axes where `axes` says so."""
    Q, shift = np.asarray(Q, dtype=float), np.asarray(shift, dtype=float)
    hand = float(np.sign(np.linalg.det(Q)))
    own = np.eye(3) if hand > 0 else Q
    S = {name: (axes or {}).get(name, own) for name in model.bodies}
    moved = not np.array_equal(Q, np.eye(3)) or np.any(shift)
    for name, load in model.loads.items():
        if moved and (load_kind(load).file or getattr(load, "function", None)):
            raise LeftOut(f"load '{name}' is a program or a file of its own, which stays where it is")
    image = Image(Q=Q, shift=shift, axes=S)
    bodies = {name: _body(body, Q, shift, S[name], hand) for name, body in model.bodies.items()}
    joints, factors = {}, {}
    for name, joint in model.joints.items():
        joints[name], found = turned_joint(joint, Q, shift, S)
        if is_floating(joint):
            continue
        for coordinate in joint.coordinates:
            label = f"{name}.{coordinate}"
            if found is None and (moved or _redrawn(joint, S)):
                image.hidden.add(label)
            elif found is not None:
                factors[label] = found[coordinate]
                image.coordinates[label] = (label, found[coordinate])
    loads = {name: _load(load, Q, shift, S[load.body], hand) for name, load in model.loads.items()}
    gravity = tuple(Q @ model.gravity)
    environment = _environment(model, Q, shift, hand)
    controllers = {
        n: remade(c, facing=_direction(c.facing, Q)) if getattr(c, "facing", None) is not None else c
        for n, c in model.controllers.items()
    }
    if np.any(shift):
        image.hidden.add("wave_elevation")  # it is that of the origin, which did not move
    changed = remade(
        model,
        bodies=bodies,
        joints=joints,
        loads=loads,
        gravity=gravity,
        environment=environment,
        controllers=controllers,
    )
    if formulas_of(model):
        changed = with_formulas(changed, _channels(model, Q, shift, S, hand, factors, image.hidden))
    return Change(changed, image)


def _redrawn(joint: Any, S: dict[str, Any]) -> bool:
    return any(not np.array_equal(S.get(n, np.eye(3)), np.eye(3)) for n in (joint.parent, joint.child))


def _body(body: Any, Q: Any, shift: Any, S: Any, hand: float) -> Any:
    R = Q @ rotation_of(body) @ S.T
    wheels = tuple(remade(wheel, axis=tuple(hand * S @ wheel.axis)) for wheel in body.wheels)
    straight = np.array_equal(R, np.eye(3))
    return remade(
        body,
        position=tuple(Q @ body.position + shift),
        orientation=None if straight else {"matrix": R.tolist()},
        inertia=(S @ np.array(body.inertia) @ S.T).tolist(),
        velocity=tuple(Q @ body.velocity),
        angular_velocity=tuple(hand * S @ body.angular_velocity),
        wheels=wheels,
    )


def _load(load: Any, Q: Any, shift: Any, S: Any, hand: float) -> Any:
    kind = load_kind(load)
    places = {name: tuple(Q @ getattr(load, name) + shift) for name in kind.points if getattr(load, name) is not None}
    if load.type == "force":
        own = Q if load.axes == "world" else S
        return remade(map_forces(load, own, hand * own), **places) if load.function is None else load
    if load.type == "matrix":
        T = np.block([[Q, np.zeros((3, 3))], [np.zeros((3, 3)), hand * Q]])
        square = {n: getattr(load, n) for n in ("stiffness", "damping", "added_mass")}
        places |= {n: (T @ np.array(k) @ T.T).tolist() for n, k in square.items() if k is not None}
        if load.preload is not None:
            places["preload"] = tuple(T @ load.preload)
    if load.type == "rotor" and hand < 0:
        raise LeftOut("a rotor's table is of one sense of turning")
    if load.type in ("rotor", "rotor-thrust", "rotational-spring") and load.axis is not None:
        places["axis"] = tuple(Q @ load.axis)
    if load.type == "rotor-thrust":
        places["torque"] = hand * load.torque
    if load.type in ("buoyancy", "morison") and (load.x is not None or load.y is not None):
        raise LeftOut("a hull beside its mass centre")
    return remade(load, **places)


def _direction(angle: float, Q: Any) -> float:
    """Return a horizontal direction after a turn about the vertical or a mirror."""
    x, y, _ = Q @ [math.cos(angle), math.sin(angle), 0.0]
    return math.atan2(y, x)


def as_components(environment: Any, model: fl.Model) -> Any:
    """Return the waves one by one, as the seed made them."""
    waves = environment.waves
    if not isinstance(waves, Waves):
        return waves, None
    _, _, (parts,) = water_of(model)
    keep = {n: getattr(waves, n) for n in Waves.model_fields}
    return WaveTable(list(parts.omega), list(parts.amplitude), list(parts.phase), **keep), parts


def _environment(model: fl.Model, Q: Any, shift: Any, hand: float) -> Any:
    environment = model.environment
    if environment is None:
        return None
    changes: dict[str, Any] = {}
    if isinstance(environment.waves, Waves):
        waves, parts = as_components(environment, model) if np.any(shift) else (environment.waves, None)
        if parts is not None:
            along = np.array([math.cos(waves.direction), math.sin(waves.direction), 0.0]) @ Q.T @ shift
            waves = remade(waves, phases=tuple(parts.phase + parts.k * along))
        changes["waves"] = remade(waves, direction=_direction(waves.direction, Q))
    elif not isinstance(environment.waves, StillWater | None):
        raise KeyError(f"waves '{environment.waves.type}' have no rule in tests/transformations/world.py")
    if environment.current is not None:
        changes["current"] = remade(environment.current, direction=_direction(environment.current.direction, Q))
    if environment.wind is not None:
        changes["wind"] = _wind(environment.wind, Q, hand)
    return remade(environment, **changes)


def _wind(wind: Any, Q: Any, hand: float) -> Any:
    changes = []
    for change in wind.changes:
        if change.type == "direction-change":
            change = remade(change, by=hand * change.by)
        elif change.type == "extreme-direction-change" and hand < 0:
            change = remade(change, towards="right" if change.towards == "left" else "left")
        changes.append(change)
    found: dict[str, Any] = {"changes": tuple(changes)}
    if wind.type == "table":
        found["directions"] = tuple(_direction(a, Q) for a in wind.directions or [0.0] * len(wind.times))
    elif wind.type in ("steady", "kaimal"):
        if hand < 0 and getattr(wind, "components", "u") != "u":
            raise LeftOut("turbulence across the wind has no mirror image among the seeds")
        found["direction"] = _direction(wind.direction, Q)
    else:
        raise LeftOut("the wind is a file")
    return remade(wind, **found)


def _channels(model: fl.Model, Q: Any, shift: Any, S: Any, hand: float, factors: Any, hidden: set[str]) -> Any:
    """Return the rule by which formulas read what they read before."""
    about_z = np.array_equal(Q[2], [0.0, 0.0, 1.0]) and hand > 0

    def channel(name: str, quantity: str) -> str:
        n = quoted(name)
        if name in model.bodies:
            return _of_body(n, quantity, S[name])
        if name in model.joints:
            coordinate = next(iter(model.joints[name].coordinates)) if quantity == "rate" else quantity
            coordinate = coordinate.removesuffix("_rate")
            if f"{name}.{coordinate}" in hidden:
                raise LeftOut(f"a formula reads '{name}.{quantity}', which is about a drawn axis")
            return f"({text_of(factors[f'{name}.{coordinate}'])}*{n}.{quantity})"
        return f"{n}.{quantity}"

    def _of_body(n: str, quantity: str, own: Any) -> str:
        if quantity in ("x", "y", "z"):
            i = "xyz".index(quantity)
            return _sum([(Q[j, i], f"({n}.{'xyz'[j]} - {text_of(shift[j])})") for j in range(3)])
        if quantity in ("vx", "vy", "vz"):
            i = "xyz".index(quantity[1])
            return _sum([(Q[j, i], f"{n}.v{'xyz'[j]}") for j in range(3)])
        if quantity in ("wx", "wy", "wz"):
            i = "xyz".index(quantity[1])
            return _sum([(hand * own[j, i], f"{n}.w{'xyz'[j]}") for j in range(3)])
        if np.array_equal(Q, np.eye(3)) and np.array_equal(own, np.eye(3)):
            return f"{n}.{quantity}"
        if hand < 0 and np.array_equal(own, Q):
            return f"({1.0 if quantity == 'roll' else -1.0}*{n}.{quantity})"
        if about_z and quantity != "yaw" and np.array_equal(own, np.eye(3)):
            return f"{n}.{quantity}"
        raise LeftOut(f"a formula reads '{n}.{quantity}', an angle from a drawn axis")

    return channel


def _sum(parts: Any) -> str:
    return "(" + " + ".join(f"{text_of(w)}*{part}" for w, part in parts if w != 0.0) + ")"
