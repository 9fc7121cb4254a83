"""How trees start: the drawing with its initial coordinates; where joints do not say it all, assembled first."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from fairlead.core import arrays as ca
from fairlead.core.quadrature import quadratures
from fairlead.core.work import Work, new_work
from fairlead.errors import InvalidInput, NumericalFailure
from fairlead.model.compile import Compiled, compile_model
from fairlead.model.joints.geometry import euler123_matrix
from fairlead.model.motions import amount_in_si
from fairlead.model.schema import Model
from fairlead.running.formulations.assembly import assemble
from fairlead.running.formulations.start import start_of
from fairlead.running.formulations.start_kane import start_kane

Array = npt.NDArray[np.float64]


def needs_assembly(compiled: Compiled) -> bool:
    """Return whether joint coordinates cannot simply be read: loops, or velocities given to bodies that joints move."""
    roots = {tree.root for tree in compiled.topology.trees if not tree.rooted}
    carried = [body for name, body in compiled.model.bodies.items() if name not in roots]
    moving = any(any(body.velocity) or any(body.angular_velocity) for body in carried)
    return bool(compiled.topology.loops) or (moving and bool(np.any(compiled.arrays.coordinates["code"] == ca.FREE)))


class AssembledTree:
    """A model brought onto its constraints body by body, as `constrained` does it."""

    def __init__(self, model: Model, time: float) -> None:
        from fairlead.core.constraints.reactions import measure_turns
        from fairlead.core.formulations.constrained import pipeline as constrained

        self.compiled = compile_model(model, loose=True)
        self.work = new_work(self.compiled.arrays)
        self.assembly = assemble(self.compiled, self.work, constrained, time)
        constrained.before(time, self.assembly.y, self.compiled.arrays, self.work)
        measure_turns(self.compiled.arrays, self.work)
        self.number = {
            self.compiled.index.coordinates[int(row["user"])]: number
            for number, row in enumerate(self.compiled.arrays.coordinates)
        }

    def body(self, name: str) -> tuple[Array, Array, Array, Array]:
        """Return position, R_WB, velocity and angular velocity (both in world axes) of a body."""
        found = self.work.bodies[self.compiled.index.tree_order[name]]
        return found["x"].copy(), found["R"].reshape(3, 3).copy(), found["u"].copy(), found["w"].copy()

    def coordinate(self, label: str) -> tuple[float, float]:
        """Return value and rate of a joint coordinate."""
        found = self.work.coordinates[self.number[label]]
        return float(found["q"]), float(found["dq"])


def start_tree(
    compiled: Compiled, work: Work, kernels: Any, time: float = 0.0, assembled: AssembledTree | None = None
) -> Array:
    """Return the state in which trees start. A cloud's mass centre follows from the base, MCM paper Eq. 2."""
    arrays = compiled.arrays
    if len(arrays.slots):
        return start_kane(compiled, assembled)
    y = np.zeros(arrays.states + quadratures(arrays))
    for tree, row in zip(compiled.topology.trees, arrays.trees):
        if not tree.rooted:
            _start_base(y, int(row["state"]), tree.root, compiled, assembled)
    for number in range(len(arrays.coordinates)):
        _start_coordinate(y, number, compiled, assembled)
    work.window[:] = time
    _from_base_to_centre(y, time, compiled, work, kernels)
    if assembled is not None and len(arrays.constraints):
        turns = len(arrays.coordinates)
        for number, row in enumerate(arrays.coordinates):
            y[number - turns] = assembled.coordinate(compiled.index.coordinates[int(row["user"])])[0]
        kernels.project(time, y, arrays, work)
        if work.status[0] != ca.OK:
            raise NumericalFailure("the loops of the drawing cannot be closed in joint coordinates; use 'constrained'")
    if hasattr(kernels, "from_ball") and not kernels.from_ball(time, y, arrays, work):
        root = compiled.topology.trees[0].root
        raise InvalidInput(f"body '{root}' starts upright or lying, where 3-1-3 angles are not defined; lean it")
    return y


def _start_base(y: Array, s: int, root: str, compiled: Compiled, assembled: AssembledTree | None) -> None:
    from fairlead.core.rotation import euler123_rates, to_euler123, to_quaternion

    quaternion = int(compiled.arrays.options[0]) == ca.QUATERNION
    v = s + (7 if quaternion else 6)
    if assembled is None:
        y[s : s + 3], R, y[v : v + 3], w = start_of(compiled.model, compiled.topology, root)
    else:
        y[s : s + 3], R_WB, y[v : v + 3], w_W = assembled.body(root)
        R, w = tuple(R_WB.ravel()), tuple(R_WB.T @ w_W)
    if quaternion:
        y[s + 3 : s + 7], y[s + 10 : s + 13] = to_quaternion(R), w
    else:
        y[s + 3 : s + 6] = to_euler123(R)
        y[s + 9 : s + 12] = euler123_rates(y[s + 4], y[s + 5], w)


def _start_coordinate(y: Array, number: int, compiled: Compiled, assembled: AssembledTree | None) -> None:
    """Write value and rate of one free coordinate, or the quaternion of a ball, into the state."""
    from fairlead.core.rotation import to_quaternion

    row = compiled.arrays.coordinates[number]
    if row["code"] != ca.FREE:
        return
    label = compiled.index.coordinates[int(row["user"])]
    name, _, coordinate = label.rpartition(".")
    joint = compiled.model.joints[name]
    kind = joint.coordinates[coordinate].kind
    if assembled is None:
        y[row["rate"]] = amount_in_si(joint.rate.get(coordinate, 0.0), kind, 1)
    else:
        y[row["rate"]] = assembled.coordinate(label)[1]
    if row["kind"] == ca.BALL:
        if assembled is None:
            angles = [amount_in_si(joint.initial.get(c, 0.0), "angle") for c in joint.ball()]
        else:
            angles = [assembled.coordinate(f"{name}.{c}")[0] for c in joint.ball()]
        tree = _tree_of(number, compiled)
        R_WD = compiled.arrays.trees["R_WD"][tree].reshape(3, 3)
        turn = R_WD.T @ euler123_matrix(*angles) @ R_WD
        y[row["state"] : row["state"] + 4] = to_quaternion(tuple((turn.T if row["flip"] else turn).ravel()))
    elif row["kind"] != ca.BALL_REST:
        start = amount_in_si(joint.initial.get(coordinate, 0.0), kind)
        y[row["state"]] = start if assembled is None else assembled.coordinate(label)[0]


def _tree_of(number: int, compiled: Compiled) -> int:
    bodies = compiled.arrays.bodies
    body = next(b for b in bodies if b["first"] <= number < b["last"])
    return int(body["tree"])


def _from_base_to_centre(y: Array, time: float, compiled: Compiled, work: Work, kernels: Any) -> None:
    """Move the points of bases to their trees' mass centres where the formulation's state has them there."""
    if not getattr(kernels, "OF_CENTRE", False):
        return
    arrays = compiled.arrays
    kernels.before(time, y, arrays, work)
    v = 7 if int(arrays.options[0]) == ca.QUATERNION else 6
    for row, found in zip(arrays.trees, work.trees):
        if not row["rooted"]:
            s = int(row["state"])
            y[s : s + 3] += found["G"]
            y[s + v : s + v + 3] += found["dG"]
