"""Compiled functions of the user as loads: called by address, without leaving compiled code."""

from __future__ import annotations

import math

from fairlead.core.arrays import NOT_FINITE, rows
from fairlead.core.codes import ABOUT, CODE
from fairlead.core.jit.by_address import call_at
from fairlead.core.jit.kernel import inlined

FUNCTION = rows("row body address")
NOTHING = math.nan


@inlined
def functions(t, A, W):
    """Fill the rows of functions: force and moment at the mass centre, world axes. One that fails leaves nan."""
    for j in range(A.loads.functions.shape[0]):
        F = A.loads.functions[j]
        row = W.rows[F.row]
        failed = call_at(F.address, t, W.bodies[F.body], A.bodies[F.body], row)
        total = 0.0
        for c in range(3):
            if failed:
                row.f[c] = row.n[c] = NOTHING
            total += row.f[c] + row.n[c]
        if not math.isfinite(total):
            W.status[CODE], W.status[ABOUT] = NOT_FINITE, A.bodies[F.body].user
            W.channels[0] = t  # when it was
