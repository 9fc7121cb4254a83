"""How trees start: the drawing with its initial coordinates, or as it was assembled before."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from fairlead.core import arrays as ca
from fairlead.core.codes import ATTITUDE_AS, CODE
from fairlead.core.layout import (
    ATTITUDE,
    LENGTH,
    LENGTH_123,
    RATES_123,
    SECOND_ANGLE,
    THIRD_ANGLE,
    TURNING,
    VELOCITY,
    VELOCITY_123,
)
from fairlead.core.work import Work
from fairlead.errors import NumericalFailure
from fairlead.model.compile import Compiled
from fairlead.model.joints.geometry import euler123_matrix
from fairlead.model.motions import amount_in_si
from fairlead.running.formulations.start import blank_state, start_of

if TYPE_CHECKING:
    from fairlead.running.formulations.assembled_tree import AssembledTree
    from fairlead.running.formulations.given import Given

Array = npt.NDArray[np.float64]


def start_tree(
    compiled: Compiled,
    work: Work,
    kernels: Any,
    time: float = 0.0,
    assembled: AssembledTree | Given | None = None,
    *,
    of_centre: bool = False,
) -> Array:
    """Return the state in which trees start; with `of_centre` a base's point is its tree's mass centre (MCM Eq. 2)."""
    arrays = compiled.arrays
    y = blank_state(arrays)
    for tree, row in zip(compiled.topology.trees, arrays.trees):
        if not tree.rooted:
            _start_base(y, int(row["state"]), tree.root, compiled, assembled)
    for number in range(len(arrays.coordinates)):
        _start_coordinate(y, number, compiled, assembled)
    work.window[:] = time
    if of_centre:
        _from_base_to_centre(y, time, compiled, work, kernels)
    if assembled is not None and len(arrays.constraints):
        turns = len(arrays.coordinates)
        for number, row in enumerate(arrays.coordinates):
            y[number - turns] = assembled.coordinate(compiled.index.coordinates[int(row["user"])])[0]
        kernels.project(time, y, arrays, work)
        if work.status[CODE] != ca.OK:
            raise NumericalFailure("the loops of the drawing cannot be closed in joint coordinates; use 'constrained'")
    return y


def _start_base(y: Array, s: int, root: str, compiled: Compiled, assembled: AssembledTree | Given | None) -> None:
    from fairlead.core.rotation import euler123_rates, to_euler123, to_quaternion

    quaternion = int(compiled.arrays.options[ATTITUDE_AS]) == ca.QUATERNION
    v = s + (VELOCITY if quaternion else VELOCITY_123)
    if assembled is None:
        y[s : s + 3], R, y[v : v + 3], w = start_of(compiled.model, compiled.topology, root)
    else:
        y[s : s + 3], R_WB, y[v : v + 3], w_W = assembled.body(root)
        R, w = tuple(R_WB.ravel()), tuple(R_WB.T @ w_W)
    if quaternion:
        y[s + ATTITUDE : s + VELOCITY], y[s + TURNING : s + LENGTH] = to_quaternion(R), w
    else:
        y[s + ATTITUDE : s + VELOCITY_123] = to_euler123(R)
        b, c = y[s + SECOND_ANGLE], y[s + THIRD_ANGLE]
        y[s + RATES_123 : s + LENGTH_123] = euler123_rates(b, c, w)


def _start_coordinate(y: Array, number: int, compiled: Compiled, assembled: AssembledTree | Given | None) -> None:
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
    """Move the points of bases to their trees' mass centres."""
    arrays = compiled.arrays
    kernels.before(time, y, arrays, work)
    v = VELOCITY if int(arrays.options[ATTITUDE_AS]) == ca.QUATERNION else VELOCITY_123
    for row, found in zip(arrays.trees, work.trees):
        if not row["rooted"]:
            s = int(row["state"])
            y[s : s + 3] += found["G"]
            y[s + v : s + v + 3] += found["dG"]
