"""State feedback: u_i = sum_j K_ij (target_j - input_j), within limits."""

from __future__ import annotations

from fairlead.core.arrays import rows
from fairlead.core.controllers.pid import within
from fairlead.core.expressions.evaluate import evaluate
from fairlead.core.jit.kernel import kernel

FEEDBACK = rows("inputs input target gain", lower=(), upper=())  # programs; gains by outputs as rows of coef


@kernel
def feedback_output(C, K, y, A, W):
    """Write its outputs."""
    for i in range(C.outputs):
        u = 0.0
        for j in range(K.inputs):
            e = evaluate(A.programs, K.target + j, W.channels, W.stack)
            e -= evaluate(A.programs, K.input + j, W.channels, W.stack)
            u += A.coef[K.gain + i * K.inputs + j, 0] * e
        W.channels[C.channel + i] = within(u, K.lower, K.upper)
