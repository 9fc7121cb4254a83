"""Trees that start assembled: where joints do not say it all, the bodies are brought onto their constraints first."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from fairlead.core.constraints.reactions import measure_turns
from fairlead.core.work import new_work
from fairlead.model.compile import Compiled, compile_model
from fairlead.model.joints.base import is_ball
from fairlead.model.schema import Model
from fairlead.running.formulations.assembly import assemble, start_values
from fairlead.running.formulations.drawn_velocities import carried_moving
from fairlead.running.rounding import allow_rounding

Array = npt.NDArray[np.float64]


def needs_assembly(compiled: Compiled) -> bool:
    """Return whether joint coordinates cannot simply be read: loops, relations, or velocities of carried bodies."""
    return bool(compiled.topology.loops or compiled.model.relations) or carried_moving(compiled.model)


class PlacedBodies:
    """A model body by body, and its bodies and joint coordinates read by name once they are placed.

    `kernels` are those of `constrained`, which place them.
    """

    def __init__(self, model: Model) -> None:
        from fairlead.core.formulations.constrained import pipeline  # its kernels are compiled when first used

        self.kernels = pipeline
        self.compiled = compile_model(model, loose=True)
        self.work = new_work(self.compiled.arrays)
        allow_rounding(self.compiled, self.work)
        self.number = {  # of each joint coordinate, by its label
            self.compiled.index.coordinates[int(row["user"])]: number
            for number, row in enumerate(self.compiled.arrays.coordinates)
        }

    def body(self, name: str) -> tuple[Array, Array, Array, Array]:
        """Return position, R_WB, velocity and angular velocity (both in world axes) of a body."""
        found = self.work.bodies[self.compiled.index.tree_order[name]]
        return found["x"].copy(), found["R"].reshape(3, 3).copy(), found["u"].copy(), found["w"].copy()

    def coordinate(self, label: str) -> tuple[float, float]:
        """Return value and rate of a joint coordinate."""
        found = self.work.coordinates[self.number[label]]
        return float(found["q"]), float(found["dq"])


class AssembledTree(PlacedBodies):
    """A model brought onto its constraints body by body, as `constrained` does it."""

    def __init__(self, model: Model, time: float) -> None:
        super().__init__(model)
        self.assembly = assemble(self.compiled, self.work, self.kernels, time)
        self.kernels.before(time, self.assembly.y, self.compiled.arrays, self.work)
        measure_turns(self.compiled.arrays, self.work)
        for number, (_, rate) in start_values(self.compiled).items():
            if self._held(number):
                self.work.coordinates[number]["dq"] = rate

    def _held(self, number: int) -> bool:
        """Return whether a free coordinate is one of three angles of which others are driven or locked.

        No equation of an assembly holds or measures such angles: they start, and turn, as the joint says.
        """
        name, _, coordinate = self.compiled.index.coordinates[
            int(self.compiled.arrays.coordinates["user"][number])
        ].rpartition(".")
        return coordinate in ("a", "b", "c") and not is_ball(self.compiled.model.joints[name])
