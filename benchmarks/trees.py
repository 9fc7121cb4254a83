"""The same random tree as plain numbers, as a Fairlead model and as a Pinocchio model.

Bodies are drawn at q = 0 with the axes of the base along the world's. Each joint turns by q = c0 + c1 t + c2 t^2.
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


def fairlead_model(tree: Tree) -> Any:
    """Return the tree as a model with gravity and no other load."""
    import fairlead as fl

    at = np.zeros((len(tree.parent), 3))
    bodies, joints = {}, {}
    for i, p in enumerate(tree.parent):
        start = {"velocity": tuple(tree.v), "angular_velocity": tuple(tree.w)} if p < 0 else {}
        if p >= 0:
            point = at[p] + tree.to_joint[i]
            at[i] = point + tree.to_centre[i]
            motion = fl.Polynomial(coefficients=tuple(tree.motion[i]))
            joints[f"j{i}"] = fl.Revolute(
                parent=f"b{p}", child=f"b{i}", point=tuple(point), axis=tuple(tree.axis[i]), motion=motion
            )
        inertia = tuple(tuple(row) for row in tree.inertia[i])
        bodies[f"b{i}"] = fl.Body(mass=tree.mass[i], inertia=inertia, position=tuple(at[i]), **start)
    return fl.Model(name="tree", bodies=bodies, joints=joints, gravity=GRAVITY)


def compiled(tree: Tree) -> tuple[np.ndarray, Any, Any]:
    """Return the state at t = 0, the arrays and the scratch of Fairlead's cloud."""
    from fairlead.core.arrays import new_work
    from fairlead.model.compile import compile_model
    from fairlead.running.formulation import FORMULATIONS
    from fairlead.running.simulation import initial_state

    found = compile_model(fairlead_model(tree))
    work = new_work(found.arrays)
    return initial_state(found, work, FORMULATIONS["cloud"].kernels), found.arrays, work
