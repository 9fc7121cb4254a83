"""The mass matrix of a tree from its drawing: joints are screws of the world, bodies Jacobians at their mass centres.

Where a body is follows from the product of exponentials of the screws on its path, T(q) = exp(S1 q1) ... exp(Sn qn)
T(0), and column i of its Jacobian is screw i carried by those before it. M = sum m Jv^T Jv + Jw^T R I R^T Jw.
"""

from __future__ import annotations

import numpy as np

from witness.rne import WORLD, joint_place, joint_screws
from witness.spatial import adjoint, drawn_rotation, exponential, pose, screw


def mass_matrix(model, q=None):
    """Labels `joint.coordinate` and the mass matrix at coordinates `q` by label, zero where not given."""
    labels, bodies = jacobians(model, q or {})
    M = np.zeros((len(labels), len(labels)))
    for name, (R, Jv, Jw) in bodies.items():
        body = model.bodies[name]
        M += body.mass * Jv.T @ Jv + Jw.T @ R @ np.array(body.inertia) @ R.T @ Jw
    return labels, M


def weights(model, q=None):
    """The generalised forces of gravity: sum m Jv^T g."""
    bodies = jacobians(model, q or {})[1]
    return sum(model.bodies[name].mass * Jv.T @ np.array(model.gravity) for name, (_, Jv, _) in bodies.items())


def jacobians(model, q):
    """Labels, and for each body its attitude and the Jacobians of its mass centre and of its rotation, world axes.

    A body that no joint carries floats: its six columns `base.x` ... are velocities along and about the world's axes at
    its drawn mass centre.
    """
    carried = {joint.child: name for name, joint in model.joints.items()}
    labels, sizes = [], {}
    for name, joint in model.joints.items():
        sizes[name] = len(labels)
        labels += [f"{name}.{coordinate}" for coordinate in joint.coordinates]
    for name in model.bodies:
        if name not in carried:
            sizes[name] = len(labels)
            labels += [f"{name}.{direction}" for direction in ("x", "y", "z", "a", "b", "c")]
    moved = {WORLD: (np.eye(4), np.zeros((6, len(labels))))}  # displacement from the drawing, Jacobian at the origin

    def motion(name):
        if name in moved:
            return moved[name]
        if name in carried:
            joint = model.joints[carried[name]]
            G, J = motion(joint.parent)
            J, place = J.copy(), joint_place(model, joint)
            steps = [(f"{carried[name]}.{c}", screw(kind, axis, place)) for c, kind, axis in joint_screws(joint)]
            at = sizes[carried[name]]
        else:
            G, J = moved[WORLD][0], moved[WORLD][1].copy()
            here = model.bodies[name].position
            steps = [("", screw(kind, axis, here)) for kind in ("length", "angle") for axis in np.eye(3)]
            at = sizes[name]
        for column, (label, S) in enumerate(steps, start=at):
            J[:, column] = adjoint(G) @ S
            G = G @ exponential(S, q.get(label, 0.0))
        moved[name] = G, J
        return moved[name]

    found = {}
    for name, body in model.bodies.items():
        G, J = motion(name)
        T = G @ pose(drawn_rotation(body), body.position)
        R, r = T[:3, :3], T[:3, 3]
        found[name] = R, J[3:] + np.cross(J[:3], r, axis=0), J[:3]
    return labels, found
