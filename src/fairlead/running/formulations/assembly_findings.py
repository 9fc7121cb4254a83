"""Findings of an assembly: joints that stay open or slip, reactions that are not unique, bodies that were moved."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from fairlead.core.constraints.rows import row_times
from fairlead.core.layout import ATTITUDE, LENGTH, VELOCITY
from fairlead.core.work import Work
from fairlead.errors import NumericalFailure
from fairlead.model.compile import Compiled
from fairlead.model.relations.compile import rows_of

Array = npt.NDArray[np.float64]


def gap_left(compiled: Compiled, work: Work) -> NumericalFailure:
    """Return the failure that names the joint that stays open; `path` is its place in the model."""
    open_by = np.where(work.constraint.active, np.abs(work.constraint.phi), 0.0)
    related = np.where(compiled.arrays.constraints["head"] >= 0, open_by, 0.0)  # what gives way is shared by both sides
    worst = int(np.argmax(related if related.max(initial=0.0) > 0.1 * open_by.max() else open_by))
    joint = compiled.index.equations[worst].split(":")[0]
    if compiled.arrays.constraints["head"][worst] >= 0:
        text = f"the drawing cannot be assembled: relation '{joint}' is off by {abs(work.constraint.phi[worst]):.3g}"
        failure = NumericalFailure(f"{text}; check where its coordinates start, or whether it contradicts others")
        failure.path = f"relations.{joint}"  # type: ignore[attr-defined]
        return failure
    other = compiled.model.joints[joint]
    failure = NumericalFailure(
        f"the drawing cannot be assembled: joint '{joint}' stays open by {abs(work.constraint.phi[worst]):.3g} "
        f"({compiled.index.equations[worst]}); check where '{other.parent}' and '{other.child}' are drawn, or whether "
        "its constraints contradict others"
    )
    failure.path = f"joints.{joint}"  # type: ignore[attr-defined]
    return failure


def slip_left(compiled: Compiled, work: Work, error: float) -> NumericalFailure:
    """Return the failure that names the joint whose rate cannot be what the drivers ask; `path` is its place."""
    slips = [
        abs(row_times(work.constraint.J, r, row, work, 0) - work.constraint.nu[r]) if work.constraint.active[r] else 0.0
        for r, row in enumerate(compiled.arrays.constraints)
    ]
    label = compiled.index.equations[int(np.argmax(slips))]
    failure = NumericalFailure(
        f"the initial velocities cannot satisfy the joints: '{label}' is off by a rate of {error:.3g}; check the "
        "drivers and rates of its loop, which contradict each other"
    )
    related = compiled.arrays.constraints["head"][int(np.argmax(slips))] >= 0
    failure.path = f"{'relations' if related else 'joints'}.{label.split(':')[0]}"  # type: ignore[attr-defined]
    return failure


def not_unique(compiled: Compiled, work: Work) -> list[str]:
    """Return the joints whose reaction changes with multipliers that put no force on any body."""
    rows = [r for r in range(len(work.constraint.active)) if work.constraint.active[r]]
    constraints = compiled.arrays.constraints
    whole = np.zeros((len(rows), 6 * len(compiled.arrays.bodies)))
    for at, r in enumerate(rows):
        for q in rows_of(constraints, r):
            for side, body in enumerate((constraints[q]["i"], constraints[q]["j"])):
                if body >= 0:
                    whole[at, 6 * body : 6 * body + 6] += work.constraint.J[q, 6 * side : 6 * side + 6]
    u, size, _ = np.linalg.svd(whole, full_matrices=True)
    idle = u[:, int((size > 1e-9 * size.max(initial=1.0)).sum()) :]  # multipliers without effect
    found = []
    for number, name in enumerate(compiled.index.joints):
        wrench = np.zeros((6, idle.shape[1]))
        for at, r in enumerate(rows):
            for q in (q for q in rows_of(constraints, r) if constraints[q]["joint"] == number):
                side = 0 if constraints[q]["j"] < 0 else 6
                wrench += np.outer(work.constraint.J[q, side : side + 6], idle[at])
        if np.abs(wrench).max(initial=0.0) > 1e-9:
            found.append(name)
    return found


def moved_by_assembly(drawn: Array, y: Array, compiled: Compiled) -> dict[str, tuple[float, float]]:
    """Return how far [m] and by what angle [rad] assembly moved each body that it moved."""
    moved = {}
    for name, number in compiled.index.tree_order.items():
        s = LENGTH * number
        distance = float(np.linalg.norm(y[s : s + 3] - drawn[s : s + 3]))
        p, q = drawn[s + ATTITUDE : s + VELOCITY], y[s + ATTITUDE : s + VELOCITY]
        turn = p[0] * q[1:] - q[0] * p[1:] - np.cross(p[1:], q[1:])  # vector part of the rotation between them
        angle = 2 * float(np.arctan2(np.linalg.norm(turn), abs(p @ q)))
        if distance > 1e-9 or angle > 1e-7:
            moved[name] = (distance, angle)
    return moved
