"""How Kane's equations start, and what they say about their reference attitudes."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from fairlead.model.compile import Compiled
from fairlead.model.joints.geometry import euler123_matrix
from fairlead.model.motions import amount_in_si
from fairlead.running.formulations.start import blank_state, start_of

Array = npt.NDArray[np.float64]


def start_kane(compiled: Compiled, assembled: Any = None) -> Array:
    """Return the state in which trees start: the references hold the attitudes of free rotations, angles are zero.

    An assembled tree tells where its coordinates and bases start; without one the joints' own words do.
    """
    y = blank_state(compiled.arrays)
    for body, slot in zip(compiled.arrays.bodies, compiled.arrays.slots):
        if body["joint"] < 0:
            _start_base(y, slot, compiled.index.bodies[int(body["user"])], compiled, assembled)
        for i in range(6):
            if slot["coordinate"][i] >= 0 and slot["state"][i] >= 0:
                start, rate = _amounts(int(slot["coordinate"][i]), compiled, assembled)
                y[slot["state"][i]], y[slot["rate"][i]] = start, rate
        if slot["ball"] >= 0:
            _start_ball(y, slot, body, compiled, assembled)
    return y


def _amounts(number: int, compiled: Compiled, assembled: Any) -> tuple[float, float]:
    """Return value and rate with which a free coordinate starts."""
    label = _label(number, compiled)
    if assembled is not None:
        start, rate = assembled.coordinate(label)
        return start, rate
    name, _, coordinate = label.rpartition(".")
    joint = compiled.model.joints[name]
    kind = joint.coordinates[coordinate].kind
    return (
        amount_in_si(joint.initial.get(coordinate, 0.0), kind),
        amount_in_si(joint.rate.get(coordinate, 0.0), kind, 1),
    )


def _label(number: int, compiled: Compiled) -> str:
    return compiled.index.coordinates[int(compiled.arrays.coordinates["user"][number])]


def _start_base(y: Array, slot: Any, name: str, compiled: Compiled, assembled: Any) -> None:
    from fairlead.core.rotation import to_quaternion

    if assembled is None:
        x, R_WB, v, w_B = start_of(compiled.model, compiled.topology, name)
    else:
        x, R, v, w_W = assembled.body(name)
        R_WB, w_B = tuple(R.ravel()), tuple(R.T @ w_W)
    k = int(slot["reference"])
    y[slot["state"][3:]], y[slot["rate"][3:]] = x, v
    y[k : k + 4], y[slot["rate"][:3]] = to_quaternion(R_WB), w_B


def _start_ball(y: Array, slot: Any, body: Any, compiled: Compiled, assembled: Any) -> None:
    """Write the reference of a free ball, F to F in the joint frame, and its rates, which are in the child's axes."""
    from fairlead.core.rotation import to_quaternion

    numbers = range(int(slot["ball"]), int(slot["ball"]) + 3)
    starts, rates = zip(*(_amounts(number, compiled, assembled) for number in numbers))
    R_WD = compiled.arrays.trees["R_WD"][body["tree"]].reshape(3, 3)
    R_DF = slot["R_KF"].reshape(3, 3)
    turn = R_WD.T @ euler123_matrix(*starts) @ R_WD  # inboard from outboard axes
    turn = turn.T if body["flip"] else turn
    w = compiled.arrays.coordinates["axis_D"][list(numbers)].T @ np.array(rates)
    k = int(slot["reference"])
    y[k : k + 4] = to_quaternion(tuple((R_DF.T @ turn @ R_DF).ravel()))
    y[slot["rate"][:3]] = R_DF.T @ (turn.T @ w if body["flip"] else w)


def reorientations(compiled: Compiled, y: Array) -> str:
    """Return how often the reference attitude of each free rotation was moved away from its singularity."""
    found = []
    for body, slot in zip(compiled.arrays.bodies, compiled.arrays.slots):
        if slot["reference"] >= 0:
            name = compiled.index.bodies[int(body["user"])]
            if body["joint"] >= 0:
                name = compiled.index.joints[int(body["joint"])]
            found.append(f"{name} {int(y[slot['reference'] + 4])}")
    return "; ".join(found)
