"""Controllers that live outside: a Python object, or another program's library. Kernels call them by address."""

from __future__ import annotations

import math

from fairlead.core.arrays import NOT_FINITE, rows
from fairlead.core.codes import CODE
from fairlead.core.expressions.evaluate import evaluate
from fairlead.core.jit.by_address import ask_at
from fairlead.core.jit.kernel import kernel

OUTSIDE = rows("inputs input address")  # first program of what it is asked with; where it is called


@kernel
def outside_output(C, K, y, A, W):
    """Write its outputs, and its states for the next sample; they are nan where it fails.

    The inputs stand in channels of its own behind its outputs.
    """
    first = C.channel + C.outputs + C.shown
    for i in range(K.inputs):
        W.channels[first + i] = evaluate(A.programs, K.input + i, W.channels, W.stack)
    if ask_at(K.address, W.channels[0], W.channels, first, C.channel, y, C.state) != 0:
        W.status[CODE] = NOT_FINITE
        for i in range(C.outputs):
            W.channels[C.channel + i] = math.nan
