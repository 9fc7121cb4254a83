"""The same random tree as plain numbers and as a Fairlead model; other programs' models are in peers_trees.py.

Bodies are drawn at q = 0 with the axes of the base along the world's. A driven joint turns by q = c0 + c1 t + c2 t^2;
a free one starts at q = c0 with the rate c1.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

GRAVITY = (0.0, 0.0, -9.80665)


class Tree(NamedTuple):
    """A free base, body 0, with one revolute joint per further body; parents stand before their children."""

    parent: np.ndarray  # (N,) inboard body, -1 for the base
    mass: np.ndarray  # (N,) [kg]
    inertia: np.ndarray  # (N, 3, 3) about the mass centre [kg m2]
    to_joint: np.ndarray  # (N, 3) inboard mass centre to joint [m]
    to_centre: np.ndarray  # (N, 3) joint to mass centre [m]
    axis: np.ndarray  # (N, 3) unit vector of the joint
    motion: np.ndarray  # (N, 3) c0, c1, c2 [rad, rad/s, rad/s2]
    w: np.ndarray  # (3,) angular velocity of the base in its own axes [rad/s]
    v: np.ndarray  # (3,) velocity of the base's mass centre, world [m/s]


def random_tree(n: int, shape: str, seed: int = 1) -> Tree:
    """Return n bodies in a `chain` or a `binary` tree. Joints of long trees turn slowly, so that no speed runs away."""
    rng = np.random.default_rng(seed)
    numbers = np.arange(n)
    parent = numbers - 1 if shape == "chain" else (numbers - 1) // 2
    half = rng.normal(size=(n, 3, 3))
    spread = np.einsum("nij,nkj->nik", half, half)  # second moments, so the inertia obeys the triangle inequality
    inertia = np.einsum("nii->n", spread)[:, None, None] * np.eye(3) - spread
    axis = rng.normal(size=(n, 3))
    motion = rng.normal(size=(n, 3)) * (1.0, 0.5, 0.3) / (1.0, np.sqrt(n), np.sqrt(n))
    return Tree(
        parent=parent.astype(np.int64),
        mass=rng.uniform(0.5, 2.0, size=n),
        inertia=inertia,
        to_joint=rng.normal(size=(n, 3)) * 0.3,
        to_centre=rng.normal(size=(n, 3)) * 0.3,
        axis=axis / np.linalg.norm(axis, axis=1)[:, None],
        motion=motion,
        w=rng.normal(size=3),
        v=rng.normal(size=3),
    )


def fairlead_model(tree: Tree, free: bool = False) -> Any:
    """Return the tree as a model with gravity and no other load, its joints driven or free."""
    import fairlead as fl

    at = np.zeros((len(tree.parent), 3))
    bodies, joints = {}, {}
    for i, p in enumerate(tree.parent):
        if p >= 0:
            point = at[p] + tree.to_joint[i]
            at[i] = point + tree.to_centre[i]
            c0, c1, _ = (float(c) for c in tree.motion[i])
            moves = {"initial": c0, "rate": c1} if free else {"motion": fl.Polynomial(tuple(tree.motion[i]))}
            joints[f"j{i}"] = fl.Revolute(f"b{p}", f"b{i}", point=tuple(point), axis=tuple(tree.axis[i]), **moves)
        bodies[f"b{i}"] = _body(tree, i, at[i])
    return fl.Model(name="tree", bodies=bodies, joints=joints, gravity=GRAVITY)


def _body(tree: Tree, i: int, position: np.ndarray) -> Any:
    import fairlead as fl

    start = {"velocity": tuple(tree.v), "angular_velocity": tuple(tree.w)} if tree.parent[i] < 0 else {}
    inertia = tuple(tuple(row) for row in tree.inertia[i])
    return fl.Body(mass=tree.mass[i], inertia=inertia, position=tuple(position), **start)


KINDS = ("Revolute", "Prismatic", "Cylindrical", "Universal", "Spherical", "Planar", "Free")


def mixed_model(tree: Tree) -> Any:
    """Return the tree with all kinds of joints in turn, all coordinates free with spring and damper, and loads.

    Every body is tied by a straight spring with a damper to the body two joints inboard, and every eighth to the world.
    """
    import fairlead as fl

    at = np.zeros((len(tree.parent), 3))
    bodies, joints, loads = {}, {}, {}
    for i, p in enumerate(tree.parent):
        if p >= 0:
            point = at[p] + tree.to_joint[i]
            at[i] = point + tree.to_centre[i]
            joints[f"j{i}"] = _mixed_joint(tree, i, point)
        bodies[f"b{i}"] = _body(tree, i, at[i])
        if p > 0:
            other = {"other": f"b{tree.parent[p]}", "other_point": tuple(at[tree.parent[p]])}
            if i % 8 == 0:
                other = {"anchor": tuple(at[i] + (0, 0, 5))}
            loads[f"s{i}"] = fl.Spring(
                f"b{i}", point=tuple(at[i] + 0.1), stiffness=5.0, damping=0.2, length=0.5, **other
            )
    return fl.Model(name="mixed tree", bodies=bodies, joints=joints, loads=loads, gravity=GRAVITY)


def _mixed_joint(tree: Tree, i: int, point: np.ndarray) -> Any:
    import fairlead as fl

    kind = getattr(fl, KINDS[i % len(KINDS)])
    axis = tree.axis[i]
    across = np.cross(axis, np.eye(3)[np.argmin(np.abs(axis))])
    directions = {"axis": tuple(axis), "axis2": tuple(across / np.linalg.norm(across))}
    places = {name: direction for name, direction in directions.items() if name in kind.model_fields}
    names = list(kind.coordinates)
    given = {
        "rate": {name: 0.1 * float(tree.motion[i, 1]) for name in names},
        "initial": {name: 0.1 * float(tree.motion[i, 0]) for name in names},
        "damper": dict.fromkeys(names, 0.3),
        # The three angles of a ball that turns freely are no coordinates that a spring could work on.
        "spring": {name: fl.JointSpring(20.0) for name in names if name not in "abc"},
    }
    return kind(f"b{tree.parent[i]}", f"b{i}", point=tuple(point), **places, **given)


def compiled(model: Any, name: str = "cloud") -> tuple[np.ndarray, Any, Any]:
    """Return the state at t = 0, the arrays and the scratch of a formulation, as a run has them."""
    from fairlead.running.simulation import Simulation

    run = Simulation(model, 1.0, 1e-3, formulation=name)
    return run.y, run.arrays, run.work
