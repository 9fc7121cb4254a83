"""The two-body turbine of Dissertation Chapter 2: a pinned tower in two linked sets of 3-1-3 angles."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from fairlead.core import arrays as ca
from fairlead.core.work import Work
from fairlead.errors import InvalidInput, Problem
from fairlead.model.compile import Compiled
from fairlead.model.schema import Model
from fairlead.running.formulations.assembly import Assembly
from fairlead.running.formulations.base import Formulation
from fairlead.running.formulations.given import Given
from fairlead.running.formulations.turbine import turbine_reasons

Array = npt.NDArray[np.float64]


class TwoBody313(Formulation):
    """The thesis' own equations: a witness for a tower that turns about a fixed point."""

    name = "two-body-313"
    folder = "turbine.two_body_313"
    rotations = ()

    def accepts(self, model: Model) -> list[Problem]:
        """Return why this turbine cannot be the model."""
        return turbine_reasons(model, self.name)

    def start(self, compiled: Compiled, work: Work, time: float) -> tuple[Array, Assembly | None]:
        """Return the state in which the drawing starts, in 3-1-3 angles; refused where they are not defined."""
        y, assembly = super().start(compiled, work, time)
        self._in_313(compiled, work, time, y)
        return y, assembly

    def start_given(self, compiled: Compiled, work: Work, time: float, given: Given) -> Array:
        """Return the given state in 3-1-3 angles; refused where they are not defined."""
        y = super().start_given(compiled, work, time, given)
        self._in_313(compiled, work, time, y)
        return y

    def _in_313(self, compiled: Compiled, work: Work, time: float, y: Array) -> None:
        if not self.kernels.from_ball(time, y, compiled.arrays, work):
            root = compiled.topology.trees[0].root
            raise InvalidInput(f"body '{root}' starts upright or lying, where 3-1-3 angles are not defined; lean it")

    def advice(self, status: int, body: str, when: str, finer: str = "reduce dt") -> str:
        """Return the sentence about a status of these equations, empty if they have none."""
        if status == ca.GIMBAL:
            return (
                f"the 3-1-3 angles of '{body}' are not defined where it stands upright or lies {when}; "
                "use formulation 'articulated'"
            )
        return super().advice(status, body, when, finer)
