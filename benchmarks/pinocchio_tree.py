"""The same tree in Pinocchio: a free flyer with revolute joints, each turning about the z axis of its own frame.

Frames are free to choose, and with this choice Pinocchio takes its fastest revolute joint.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from trees import GRAVITY, Tree


def frame_along(axis: np.ndarray) -> np.ndarray:
    """Return a rotation whose third column is `axis`."""
    x = np.cross(axis, np.eye(3)[np.argmin(np.abs(axis))])
    x /= np.linalg.norm(x)
    return np.column_stack([x, np.cross(axis, x), axis])


def pinocchio_model(tree: Tree) -> Any:
    """Return the tree as a Pinocchio model; joint i + 1 carries body i, body 0 has its frame at the mass centre."""
    import pinocchio as pin

    model = pin.Model()
    model.gravity.linear = np.array(GRAVITY)
    frames: list[np.ndarray] = []
    for i, p in enumerate(tree.parent):
        Q = np.eye(3) if p < 0 else frame_along(tree.axis[i])
        arm = np.zeros(3) if p < 0 else tree.to_centre[i]
        place, joint = pin.SE3.Identity(), pin.JointModelFreeFlyer()
        if p >= 0:
            from_parent = tree.to_joint[i] + (tree.to_centre[p] if p > 0 else 0.0)
            place = pin.SE3(frames[p].T @ Q, frames[p].T @ from_parent)
            joint = pin.JointModelRZ()
        number = model.addJoint(int(p) + 1, joint, place, f"j{i}")
        inertia = pin.Inertia(float(tree.mass[i]), Q.T @ arm, Q.T @ tree.inertia[i] @ Q)
        model.appendBodyToJoint(number, inertia, pin.SE3.Identity())
        frames.append(Q)
    return model


def state(tree: Tree, t: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return q, v and the joints' accelerations at time t, the base in its drawn attitude with velocities w, v."""
    c0, c1, c2 = tree.motion[1:].T
    q = np.concatenate([[0, 0, 0, 0, 0, 0, 1], c0 + c1 * t + c2 * t * t])
    return q, np.concatenate([tree.v, tree.w, c1 + 2 * c2 * t]), 2 * c2


def disagreement(tree: Tree) -> float:
    """Return how far Pinocchio's accelerations, given Fairlead's driving torques, are from Fairlead's, relative."""
    import pinocchio as pin
    from trees import compiled, fairlead_model

    from fairlead.running.formulations.table import FORMULATIONS

    y, A, W = compiled(fairlead_model(tree))
    dy = np.zeros_like(y)
    y[7:10] += tree.v - W.bodies[0]["u"]
    FORMULATIONS["cloud"].kernels.rhs(0.0, y, dy, A, W)
    q, v, ddq = state(tree, 0.0)
    tau = np.zeros_like(v)
    tau[6 + A.coordinates["user"]] = W.coordinates["drive"]
    model = pinocchio_model(tree)
    found = np.array(pin.aba(model, model.createData(), q, v, tau))
    found[:3] += np.cross(tree.w, tree.v)  # from the spatial to the usual acceleration
    ours = np.concatenate([W.bodies[0]["a"], dy[10:13], ddq])
    return float(np.linalg.norm(found - ours) / np.linalg.norm(ours))
