"""Formulas with states: x' = f(channels, x) or, sampled, x after = f(channels, x before); outputs are formulas too."""

from __future__ import annotations

from fairlead.core.arrays import rows
from fairlead.core.expressions.evaluate import evaluate
from fairlead.core.jit.kernel import kernel

EXPRESSION = rows("output change")  # first program of its outputs, and of what its states become or their rates


@kernel
def expression_output(C, K, y, A, W):
    """Write its outputs."""
    for i in range(C.outputs):
        W.channels[C.channel + i] = evaluate(A.programs, K.output + i, W.channels, W.stack)


@kernel
def expression_rates(C, K, y, dy, A, W):
    """Write the rates of its states."""
    for i in range(C.shown):
        dy[C.state + i] = evaluate(A.programs, K.change + i, W.channels, W.stack)


@kernel
def expression_update(C, K, y, A, W):
    """Write the outputs at a sample and then the states for the next one; formulas read those of before."""
    expression_output(C, K, y, A, W)
    expression_rates(C, K, y, y, A, W)
