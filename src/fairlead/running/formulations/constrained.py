"""Absolute coordinates with Euler parameters, every joint as constraint equations (MBDM note)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from fairlead.core import arrays as ca
from fairlead.core.work import Work
from fairlead.errors import Problem
from fairlead.model.compile import Compiled
from fairlead.model.schema import Model
from fairlead.running.formulations.assembly import Assembly, assemble, not_definite
from fairlead.running.formulations.base import Formulation
from fairlead.running.formulations.given import Given
from fairlead.running.formulations.refusals import angles_by_parts, lacking_equations, lent_inertia
from fairlead.running.formulations.start_constrained import assemble_given

Array = npt.NDArray[np.float64]


class Constrained(Formulation):
    """Good for closed loops and for joints of every kind."""

    name = "constrained"
    folder = "constrained.pipeline"
    charted = True
    loose = True
    variants = {"partition": {"closing": "partition"}, "euler-parameters": {"unknowns": "euler-parameters"}}

    def accepts(self, model: Model) -> list[Problem]:
        """Return why the constrained formulation cannot run a model."""
        return lent_inertia(model, self.name) + [
            reason
            for name, joint in model.joints.items()
            for reason in angles_by_parts(name, joint) + lacking_equations(name, joint)
        ]

    def start(self, compiled: Compiled, work: Work, time: float) -> tuple[Array, Assembly | None]:
        """Return the closed state in which the drawing starts, and how it was assembled."""
        found = assemble(compiled, work, self.kernels, time)
        return found.y, found

    def start_given(self, compiled: Compiled, work: Work, time: float, given: Given) -> Array:
        """Return the closed state in which every body is where it is given, or where its joints then have it."""
        return assemble_given(compiled, work, self.kernels, time, given)

    def advice(self, status: int, body: str, when: str, finer: str = "reduce dt") -> str:
        """Return the sentence about a status of these equations, empty if they have none."""
        return not_definite(body, when) if status == ca.SINGULAR_MASS else super().advice(status, body, when, finer)
