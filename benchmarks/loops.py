"""Compiled loops round Fairlead's kernels, so that a timing holds many evaluations and one call from Python."""

from __future__ import annotations

from functools import cache
from typing import Any

from fairlead.core.jit.kernel import bind
from fairlead.running.formulations.table import FORMULATIONS


def rhs(t, y, dy, A, W):  # replaced when bound
    raise NotImplementedError


def evaluations(n, y, dy, A, W):
    """Evaluate n times, at times from 0 to 1 s over and over."""
    for i in range(n):
        rhs(1e-3 * (i % 1000), y, dy, A, W)


@cache
def many(formulation: str = "cloud") -> Any:
    """Return the compiled loop of a formulation."""
    kernels = FORMULATIONS[formulation].kernels
    return bind(evaluations, f"many_{formulation}", rhs=kernels.rhs)
