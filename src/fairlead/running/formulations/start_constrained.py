"""How bodies that stand alone start where they are given: placed, and brought onto their constraints."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from fairlead.core.codes import CODE, HIGHEST_RANK, POSITION_GAP
from fairlead.core.layout import ATTITUDE, LENGTH, TURNING, VELOCITY
from fairlead.core.quadrature import quadratures
from fairlead.core.work import Work
from fairlead.errors import NumericalFailure
from fairlead.model.compile import Compiled
from fairlead.running.formulations.assembly import _place_by_joints
from fairlead.running.formulations.given import Given
from fairlead.running.formulations.refusals import tree_reasons

Array = npt.NDArray[np.float64]


def assemble_given(compiled: Compiled, work: Work, kernels: Any, time: float, given: Given) -> Array:
    """Return the closed state of bodies that are where they are given.

    Where driven joints start elsewhere, what they carry goes with them; only what is then open is closed by the least
    motion of all bodies.
    """
    from fairlead.core import arrays as ca
    from fairlead.core.rotation import to_quaternion

    arrays = compiled.arrays
    y = np.zeros(arrays.states + quadratures(arrays))
    for name, number in compiled.index.tree_order.items():
        s = LENGTH * number
        y[s : s + 3], R_WB, y[s + VELOCITY : s + TURNING], w_W = given.body(name)
        y[s + ATTITUDE : s + VELOCITY] = to_quaternion(tuple(R_WB.ravel()))
        y[s + TURNING : s + LENGTH] = R_WB.T @ w_W
    given.drive(time, compiled, work)
    if given.elsewhere and not tree_reasons(compiled.model, "constrained"):
        _place_by_joints(y, time, compiled.model, given=given)
    _choose_anew(work)
    turns = len(arrays.coordinates)
    for number, row in enumerate(arrays.coordinates):
        y[number - turns] = given.coordinate(compiled.index.coordinates[int(row["user"])])[0]
    if len(arrays.constraints):
        kernels.project(time, y, arrays, work)
        if work.status[CODE] != ca.OK:
            raise NumericalFailure(
                "the joints cannot be closed from the start given; take one of a model that is drawn more like this one"
            )
    kernels.before(time, y, arrays, work)
    if turns:
        y[-turns:] = work.coordinates["q"]
    _choose_anew(work)
    return y


def _choose_anew(work: Work) -> None:
    """Forget which equations were kept, and how many: they are chosen again where the run starts."""
    C = work.constraint
    C.rank[HIGHEST_RANK], C.worst[POSITION_GAP] = 0.0, 0.0
    C.stages[:], C.choose[0] = 0, 1
