"""The same machine drawn otherwise: other order, names, ends of joints, base, axes, and parts."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation

import fairlead as fl
from fairlead.model.fields import WORLD
from fairlead.model.joints.base import is_ball
from fairlead.model.joints.geometry import point_of, rotation_of
from fairlead.model.topology import is_floating, topology
from transformations.image import Image
from transformations.kinds import joint_kind
from transformations.remake import LeftOut, channels_in, formulas_of, quoted, remade, with_formulas
from transformations.table import Change
from transformations.world import seen


def reorder(model: fl.Model, run: Any) -> Change:
    """List bodies, joints and loads backwards; the base stays the base."""
    parts = {name: dict(reversed(getattr(model, name).items())) for name in ("bodies", "joints", "loads")}
    roots = [tree.root for tree in topology(model).trees if not tree.rooted]
    if len(model.bodies) == 1 and len(model.loads) < 2:
        raise LeftOut("there is one body and at most one load")
    return Change(remade(model, base=roots[0] if roots else model.base, **parts))


def rename(model: fl.Model, run: Any) -> Change:
    """Give every body, joint, load and controller another name, with a space and a hyphen in it."""
    new = {}
    for what in ("bodies", "joints", "loads", "controllers"):
        new |= {name: f"{what[0]}-new {i}" for i, name in enumerate(getattr(model, what))}
    ends = lambda word, fields: {f: new.get(getattr(word, f), getattr(word, f)) for f in fields}  # noqa: E731
    called = lambda text: ".".join([new[text.partition(".")[0]], *text.split(".")[1:]])  # noqa: E731
    bodies = {new[name]: body for name, body in model.bodies.items()}
    joints = {}
    for name, joint in model.joints.items():
        motion = {
            c: remade(m, controller=called(m.controller)) if hasattr(m, "controller") else m
            for c, m in joint.motion.items()
        }
        actuator = {
            c: a if a.controller is None else remade(a, controller=called(a.controller))
            for c, a in joint.actuator.items()
        }
        joints[new[name]] = remade(joint, motion=motion, actuator=actuator, **ends(joint, ("parent", "child")))
    loads = {}
    for name, load in model.loads.items():
        fields = ("body", "other") if getattr(load, "other", None) is not None else ("body",)
        loads[new[name]] = remade(load, **ends(load, fields))
    controllers = {new[name]: c for name, c in model.controllers.items()}
    base = new[model.base] if model.base else None
    done = ("release", "lock", "cut", "add")
    events = {n: remade(e, **{f: tuple(map(called, getattr(e, f))) for f in done}) for n, e in model.events.items()}
    parts = {"bodies": bodies, "joints": joints, "loads": loads, "controllers": controllers, "events": events}
    changed = remade(model, base=base, **parts)
    changed = with_formulas(changed, lambda name, quantity: f"{quoted(new[name])}.{quantity}", of=model.joints)
    rows = dict(new)
    for name, load in model.loads.items():
        rows |= {f"{name}@{body}": f"{new[name]}@{new.get(body, body)}" for body in load.on_bodies()}
        rows |= {f"{name}@{n}": f"{new[name]}@{n}" for n in range(100) if load.type == "moordyn"}
    image = Image(names=new, loads=rows, joints={name: ((new[name],), 1.0) for name in model.joints})
    image.coordinates = {
        f"{name}.{c}": (f"{new[name]}.{c}", 1.0) for name, joint in model.joints.items() for c in joint.coordinates
    }
    return Change(changed, image)


def swap_ends(model: fl.Model, run: Any) -> Change:
    """Exchange parent and child of every joint that has an inverse of its own kind."""
    image, joints, other, reasons = Image(), dict(model.joints), {}, []
    for name, joint in model.joints.items():
        kind = joint_kind(joint)
        if is_floating(joint):
            continue
        if kind.swap is None:
            reasons.append(f"a {joint.type} joint has no inverse of its own kind")
            continue
        try:
            changes, coordinates = kind.swap(joint, model)
        except LeftOut as reason:
            reasons.append(str(reason))
            continue
        joints[name] = remade(joint, **changes)
        image.joints[name] = ((name,), -1.0)
        for coordinate, (new, factor) in coordinates.items():
            label = f"{name}.{coordinate}"
            if not new:
                image.hidden.add(label)
                continue
            image.coordinates[label] = (f"{name}.{new}", factor)
            other[name, coordinate], other[name, f"{coordinate}_rate"] = new, f"{new}_rate"
    if not image.joints:
        raise LeftOut(reasons[0] if reasons else "there is no joint")
    read = {f"{n}.{q.removesuffix('_rate')}" for f in formulas_of(model) for n, q in channels_in(f)}
    if read & image.hidden:
        raise LeftOut("a formula reads an angle of a ball that is turned round")
    changed = remade(model, joints=joints)
    return Change(with_formulas(changed, lambda n, q: f"{quoted(n)}.{other.get((n, q), q)}", of=model.joints), image)


def other_base(model: fl.Model, run: Any) -> Change:
    """Take the last body of the first floating tree as the base (of a machine on the ground it changes nothing)."""
    trees = [tree for tree in topology(model).trees if not tree.rooted]
    if not trees:
        return Change(remade(model, base=list(model.bodies)[-1]))
    if len(trees[0].bodies) == 1:
        return Change(remade(model, base=trees[0].root))
    return _started_from(model, trees[0])


def _started_from(model: fl.Model, tree: Any) -> Change:
    """Return the model whose base is another body, started as the first result says."""
    start = fl.accelerations(model)
    new = tree.bodies[-1]
    at = list(start["body"].values).index(new)
    q = start["orientation"].values[at]
    label = [n for n, j in model.joints.items() if is_floating(j) and tree.root in (j.parent, j.child)]
    bodies = dict(model.bodies)
    bodies[tree.root] = remade(bodies[tree.root], velocity=(0, 0, 0), angular_velocity=(0, 0, 0))
    drawn = rotation_of(bodies[new])
    turn = Rotation.from_quat(q, scalar_first=True).as_matrix() @ drawn.T
    a, b, c = Rotation.from_matrix(turn).as_euler("XYZ")
    moved = start["position"].values[at] - np.array(bodies[new].position)
    initial = dict(zip("xyzabc", [*moved.tolist(), float(a), float(b), float(c)]))
    rate = dict(zip("xyzabc", [*start["velocity"].values[at].tolist(), *start["angular_velocity"].values[at].tolist()]))
    joints = {n: joint for n, joint in model.joints.items() if n not in label}
    joints[label[0] if label else "starts"] = fl.Free(WORLD, new, bodies[new].position, initial=initial, rate=rate)
    return Change(remade(model, bodies=bodies, joints=joints, base=new))


def other_axes(model: fl.Model, run: Any) -> Change:
    """Draw the axes of every body otherwise."""
    read = {n for f in formulas_of(model) for n, q in channels_in(f) if q in ("roll", "pitch", "yaw")}
    read |= {j.child for j in model.joints.values() if is_ball(j) and (j.damper or j.actuator)}
    axes = {
        name: Rotation.from_rotvec([0.4 + i, -0.9, 0.3 * i]).as_matrix()
        for i, name in enumerate(model.bodies)
        if name not in read
    }
    if not axes:
        raise LeftOut("a formula reads the angles of the only body")
    return seen(model, np.eye(3), axes={n: axes.get(n, np.eye(3)) for n in model.bodies})


def split_body(model: fl.Model, run: Any) -> Change:
    """Split a body in two by a fixed joint: half of its longest spread becomes the distance of two parts.

    With the second moments J = tr(I)/2 - I, two parts m1, m2 at -m2/m d and m1/m d have (J - mu d d^T) to share,
    mu = m1 m2 / m, which stays one of a body while mu d^2 is below the largest eigenvalue of J.
    """
    read = {n for f in formulas_of(model) for n, _ in channels_in(f)}
    called = {load.body for load in model.loads.values() if getattr(load, "function", None)}
    names = [n for n in model.bodies if n not in read | called]
    if not names:
        raise LeftOut("a formula reads where the mass centre is")
    name = names[len(names) // 2]
    body = model.bodies[name]
    R, inertia, part = rotation_of(body), np.array(body.inertia), 0.35
    J = 0.5 * np.trace(inertia) * np.eye(3) - inertia
    sizes, ways = np.linalg.eigh(J)
    mu = part * (1 - part) * body.mass
    d = np.sqrt(0.5 * max(sizes[-1], 0.0) / mu) * ways[:, -1]  # body axes
    rest = J - mu * np.outer(d, d)
    tensor = np.trace(rest) * np.eye(3) - rest
    first, second = -(1 - part) * d, part * d  # of the two mass centres from the old one
    place = np.array(body.position)
    fields = {"velocity": (0, 0, 0), "angular_velocity": (0, 0, 0), "wheels": (), "geometry": None}
    w = np.array(body.angular_velocity)
    kept = remade(
        body,
        mass=part * body.mass,
        inertia=(part * tensor).tolist(),
        position=tuple(place + R @ first),
        velocity=tuple(np.array(body.velocity) + R @ np.cross(w, first)),
    )
    far = remade(
        body,
        mass=(1 - part) * body.mass,
        inertia=((1 - part) * tensor).tolist(),
        position=tuple(place + R @ second),
        **fields,
    )
    loads = {}
    for label, load in model.loads.items():
        if load.body == name and load.type == "force" and load.point is None:
            load = remade(load, point=tuple(place))
        if load.body == name and load.type in ("buoyancy", "morison"):
            load = remade(load, x=place[0] if load.x is None else load.x, y=place[1] if load.y is None else load.y)
        loads[label] = load
    joints = {}
    for label, joint in model.joints.items():
        own = name in (joint.parent, joint.child)
        if own and hasattr(joint, "point") and joint.point is None and not joint.by_bodies:
            joint = remade(joint, point=tuple(point_of(joint, model)))
        for side in ("parent", "child"):
            if getattr(joint, side) == name and getattr(joint, f"{side}_point") is not None:
                shifted = np.array(getattr(joint, f"{side}_point")) - first
                joint = remade(joint, **{f"{side}_point": tuple(shifted)})
        joints[label] = joint
    joints["glue"] = fl.Fixed(name, "other part", point=tuple(place))
    changed = remade(model, bodies={**model.bodies, name: kept, "other part": far}, joints=joints, loads=loads)
    return Change(changed, Image(offsets={name: -first}))


def copy_joint(model: fl.Model, run: Any) -> Change:
    """Add a second joint of the same kind at the same place, which asks for nothing new."""
    found = [
        name
        for name, joint in model.joints.items()
        if not is_floating(joint) and joint_kind(joint).copied and len(joint.coordinates) < 4
    ]
    if not found:
        raise LeftOut("there is no joint that holds anything")
    name = found[len(found) // 2]
    empty = {f: {} for f in ("motion", "initial", "rate", "spring", "damper", "stop", "actuator", "limits")}
    copy = remade(model.joints[name], locked=(), **empty)
    image = Image(joints={name: ((name, "copy"), 1.0)})
    return Change(remade(model, joints={**model.joints, "copy": copy}), image)
