"""A table of a channel: linear between its points, held at the first and the last."""

from __future__ import annotations

from fairlead.core.arrays import rows
from fairlead.core.expressions.evaluate import evaluate
from fairlead.core.jit.kernel import kernel
from fairlead.core.motions import held_table

SCHEDULE = rows("input start stop")  # program; rows of knot and coef


@kernel
def schedule_output(C, K, y, A, W):
    """Write its output."""
    x = evaluate(A.programs, K.input, W.channels, W.stack)
    value, _ = held_table(A.knot, A.coef, K.start, K.stop, x)
    W.channels[C.channel] = value if x == x else x
