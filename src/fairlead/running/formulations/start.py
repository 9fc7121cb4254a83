"""How a floating body starts: drawn, or moved from the drawing by a free joint to the world."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from fairlead.core.quadrature import quadratures
from fairlead.errors import InvalidInput, Problem
from fairlead.model import motions as words
from fairlead.model.fields import WORLD
from fairlead.model.joints.geometry import euler123_matrix, point_of, rotation_of
from fairlead.model.schema import Model
from fairlead.model.topology import Topology, topology

Array = npt.NDArray[np.float64]
Start = tuple[Array, tuple[float, ...], Array, tuple[float, ...]]  # position, R_WB, velocity, angular velocity


def blank_state(arrays: Any) -> Array:
    """Return a state of zeros in which controllers, and the coordinates that they command, are about to begin."""
    y = np.zeros(arrays.states + quadratures(arrays))
    y[arrays.states - len(arrays.memory) : arrays.states] = arrays.memory
    return y


def start_of(model: Model, found: Topology, name: str) -> Start:
    """Return position, R_WB, velocity (world axes) and angular velocity (body axes) a floating body starts with.

    They are drawn; a free joint to the world may move the body from the drawing (`initial`) and give it rates: of its
    point along the drawing's axes, and of its rotation in body axes.
    """
    body = model.bodies[name]
    x, R_WB = np.array(body.position), rotation_of(body)
    v, w_B = np.array(body.velocity), np.array(body.angular_velocity)
    for label in found.floating:
        joint = model.joints[label]
        if name not in (joint.parent, joint.child):
            continue
        if joint.child == WORLD and (joint.initial or joint.rate):
            raise InvalidInput([Problem("needs the world as parent to start a body moved", path=f"joints.{label}")])
        start, rate = (
            np.array([words.amount_in_si(given.get(c, 0.0), one.kind, power) for c, one in joint.coordinates.items()])
            for power, given in enumerate((joint.initial, joint.rate))
        )
        arm = x - point_of(joint, model)
        turn = euler123_matrix(*start[3:])
        R_WB, arm = turn @ R_WB, turn @ arm
        x = point_of(joint, model) + start[:3] + arm
        if joint.rate:
            w_B = rate[3:]
            v = rate[:3] + np.cross(R_WB @ w_B, arm)
    return x, tuple(R_WB.ravel().tolist()), v, tuple(w_B.tolist())


def starts_with_bases(model: Model, found: Topology) -> dict[str, Start]:
    """Return how each body starts when what hangs on a floating base is moved as the base is, and rests relative to it.

    Velocities drawn for bodies that a base carries stay as they are drawn.
    """
    starts = {name: start_of(model, found, name) for name in model.bodies}
    for tree in topology(model).trees:
        carried = [name for name in tree.bodies if name != tree.root]
        if not tree.rooted:
            drawn = any(
                any(model.bodies[name].velocity) or any(model.bodies[name].angular_velocity) for name in carried
            )
            starts |= {name: _carried(model, tree.root, name, starts, drawn) for name in carried}
    return starts


def _carried(model: Model, root: str, name: str, starts: dict[str, Start], drawn: bool) -> Start:
    base, body = model.bodies[root], model.bodies[name]
    x, R, v, w = starts[root]
    R_WB = np.reshape(R, (3, 3))
    x_K, R_K, v_K, w_K = starts[name]
    arm = x_K - np.array(base.position)
    if np.any(x != base.position) or np.any(rotation_of(base) != R_WB):
        turn = R_WB @ rotation_of(base).T
        arm = turn @ arm
        x_K, R_K = x + arm, tuple((turn @ rotation_of(body)).ravel().tolist())
    if not drawn and (np.any(v) or np.any(w)):
        w_W = R_WB @ w
        v_K, w_K = v + np.cross(w_W, arm), tuple((np.reshape(R_K, (3, 3)).T @ w_W).tolist())
    return x_K, R_K, v_K, w_K
