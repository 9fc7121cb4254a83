"""Faults planted on purpose, as an older version had them or as a slip of the pen; the harness must see every one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from fairlead.core import arrays as ca
from fairlead.model import compile as compiling
from fairlead.running.formulations import base
from transformations.remake import channels_in, rewritten


def independent_taken_as_redundant(monkeypatch: Any) -> None:
    """A: of a loop closed in a tilted plane an equation that is needed is dropped as if it were redundant."""

    def tamper(compiled: Any) -> None:
        rows = compiled.arrays.constraints
        tilted = [row for row in rows if row["code"] == ca.POINT and _tilted(compiled, int(row["joint"]))]
        for row in tilted[-2:]:  # of three places along the world's axes two say where it is in its plane
            row["a_D"] = 0.0

    _after_compiling(monkeypatch, tamper)


def _tilted(compiled: Any, joint: int) -> bool:
    axis = getattr(compiled.model.joints[compiled.index.joints[joint]], "axis", None)
    return axis is not None and max(abs(part) for part in axis) < 0.999


def formula_of_time_stands_still(monkeypatch: Any) -> None:
    """B: an actuator's formula of t alone sees t = 0 for ever."""
    program = compiling.Pools.program

    def still(pools: Any, text: str, resolve: Any, path: str) -> Any:
        alone = ".actuator" in path and not channels_in(text)
        return program(pools, rewritten(text, time="0") if alone else text, resolve, path)

    monkeypatch.setattr(compiling.Pools, "program", still)


def steps_not_divided(monkeypatch: Any) -> None:
    """D: beside loads written in Python steps are not divided at kinks."""

    def tamper(compiled: Any) -> None:
        if compiled.index.outside:
            compiled.arrays = compiled.arrays._replace(kinks=np.zeros(0))

    _after_compiling(monkeypatch, tamper)


def lost_sign(monkeypatch: Any) -> None:
    """A joint used against its direction turns about its own axis, not about the reversed one."""

    def tamper(compiled: Any) -> None:
        rows = compiled.arrays.coordinates
        rows["axis_D"][rows["flip"] == 1] *= -1.0

    _after_compiling(monkeypatch, tamper)


def swapped_frame(monkeypatch: Any) -> None:
    """The rotation from body axes to the tree's is taken for its inverse."""

    def tamper(compiled: Any) -> None:
        frames = compiled.arrays.bodies["R_DB"]
        frames[:] = frames.reshape(-1, 3, 3).transpose(0, 2, 1).reshape(-1, 9)

    _after_compiling(monkeypatch, tamper)


def _after_compiling(monkeypatch: Any, tamper: Callable[[Any], None]) -> None:
    """Let every model that is simulated be tampered with once it is compiled."""
    compile_model = base.compile_model

    def tampered(*args: Any, **options: Any) -> Any:
        compiled = compile_model(*args, **options)
        tamper(compiled)
        return compiled

    monkeypatch.setattr(base, "compile_model", tampered)


# Each fault, and a relation that shows it: model, transformation, formulation.
DEFECTS = {
    "A": (independent_taken_as_redundant, ("four_bar_revolute", "turn the world", "constrained")),
    "B": (formula_of_time_stands_still, ("03_clock", "driver as its reaction", "articulated")),
    "D": (steps_not_divided, ("wind_shift", "zero callable", "articulated")),
    "a sign": (lost_sign, ("double_pendulum", "swap parent and child", "articulated")),
    "a swapped frame": (swapped_frame, ("four_bar", "other body axes", "articulated")),
}
