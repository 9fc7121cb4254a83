"""The motion of bodies and the values of joint coordinates of a simulation now, by name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from fairlead.errors import InvalidInput, Problem
from fairlead.numeric import rotation_matrix

if TYPE_CHECKING:
    from fairlead.running.stepping.simulation import Simulation

Array = npt.NDArray[np.float64]


class BodyMotion(NamedTuple):
    """Where a body is and how it moves: mass centre, world axes; `rotation` turns the body's axes to the world's."""

    position: Array
    rotation: Array
    velocity: Array
    angular_velocity: Array


class Motions:
    """The motion of each body, by its name."""

    def __init__(self, simulation: Simulation) -> None:
        self._of = simulation

    def __getitem__(self, body: str) -> BodyMotion:
        names = self._of._engine.compiled.index.bodies
        if body not in names:
            raise InvalidInput([Problem(f"there is no body '{body}'; there are {listed(names)}", "body")])
        row, k = self._of._now(), names.index(body)
        x, q, u, w = (
            row[self._of._columns(name)].reshape(len(names), -1)[k].copy()
            for name in ("position", "orientation", "velocity", "angular_velocity")
        )
        R_WB = rotation_matrix(q)
        return BodyMotion(x, R_WB, u, R_WB @ w)

    def __repr__(self) -> str:
        return f"<motion of {listed(self._of._engine.compiled.index.bodies)}>"


class Coordinates:
    """Value and rate of each joint coordinate, by its name."""

    def __init__(self, simulation: Simulation) -> None:
        self._of = simulation

    def __getitem__(self, name: str) -> tuple[float, float]:
        labels = self._of._engine.compiled.index.coordinates
        found = [k for k, label in enumerate(labels) if name in (label, label.rpartition(".")[0])]
        if len(found) != 1:
            text = f"there is no joint coordinate '{name}'; there are {listed(labels)}"
            raise InvalidInput([Problem(text, "name")])
        row = self._of._now()
        q, dq = (row[self._of._columns(one)][found[0]] for one in ("joint_position", "joint_rate"))
        return float(q), float(dq)

    def __repr__(self) -> str:
        return f"<joint coordinates {listed(self._of._engine.compiled.index.coordinates)}>"


def listed(names: Any, most: int = 12) -> str:
    """Return names as a list in words, cut to a few."""
    names = [f"'{name}'" for name in names]
    return (", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")) or "none"
