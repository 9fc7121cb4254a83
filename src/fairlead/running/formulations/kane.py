"""Kane's equations in relative coordinates with 1-2-3 angles (Kane notes)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from fairlead.core import arrays as ca
from fairlead.core.work import Work
from fairlead.errors import Problem
from fairlead.model.compile import Compiled
from fairlead.model.joints.kane_slots import places
from fairlead.model.schema import Model
from fairlead.model.topology import topology
from fairlead.running.formulations.assembled_tree import AssembledTree, needs_assembly
from fairlead.running.formulations.assembly import Assembly
from fairlead.running.formulations.base import Formulation
from fairlead.running.formulations.given import Given
from fairlead.running.formulations.refusals import (
    commanded_reasons,
    events_refused,
    lent_inertia,
    relations_refused,
)
from fairlead.running.formulations.start_kane import reorientations, start_kane

Array = npt.NDArray[np.float64]


class Kane(Formulation):
    """The reference for trees: six coordinates per body, any of them free, locked or driven; explicit mass matrix."""

    name = "kane"
    folder = "kane.pipeline"
    rotations = ()
    dense = True
    slots = True

    def accepts(self, model: Model) -> list[Problem]:
        """Return why Kane's equations cannot run a model: loops, and joints that slide in axes of the outboard body."""
        found = topology(model)
        reasons = (
            commanded_reasons(model, self.name) + lent_inertia(model, self.name) + events_refused(model, self.name)
        )
        reasons += relations_refused(model, self.name)
        for name in found.loops:
            text = (
                f"joint '{name}' closes a loop, which 'kane' does not take; use 'articulated', 'cloud' or 'constrained'"
            )
            reasons.append(Problem(text, path=f"joints.{name}"))
        for edge in (edge for tree in found.trees for edge in tree.edges.values()):
            joint, path = model.joints[edge.joint], f"joints.{edge.joint}"
            if joint.by_bodies:
                text = f"joint '{edge.joint}' is given in body axes, which 'kane' does not assemble; use 'constrained'"
                reasons.append(Problem(text, path=path))
            chain = list(joint.coordinates.values())
            if edge.flipped and places(chain[::-1], True) is None:
                text = (
                    f"joint '{edge.joint}' has its parent '{edge.outboard}' outboard of its child, and 'kane' slides "
                    "along axes of the inboard body; swap parent and child"
                )
                reasons.append(Problem(text, path=path))
            elif not edge.flipped and places(chain, False) is None:
                text = f"joint '{edge.joint}' does not fit the slides and 1-2-3 angles of 'kane'; use 'articulated'"
                reasons.append(Problem(text, path=path))
        return reasons

    def start(self, compiled: Compiled, work: Work, time: float) -> tuple[Array, Assembly | None]:
        """Return the state in which the drawing starts, and how it was assembled where joints do not say it all."""
        if not needs_assembly(compiled):
            return start_kane(compiled), None
        assembled = AssembledTree(compiled.model, time)
        return start_kane(compiled, assembled), assembled.assembly

    def start_given(self, compiled: Compiled, work: Work, time: float, given: Given) -> Array:
        """Return the state in which bodies and coordinates are where they are given."""
        given.drive(time, compiled, work)
        return start_kane(compiled, given)

    def advice(self, status: int, body: str, when: str, finer: str = "reduce dt") -> str:
        """Return the sentence about a status of these equations, empty if they have none."""
        if status == ca.GIMBAL:
            return (
                f"'{body}' turns so far within one step {when} that its 1-2-3 angles reach their singular attitude "
                f"before its reference can be moved; {finer}"
            )
        return super().advice(status, body, when, finer)

    def attributes(self, compiled: Compiled, y: Array) -> dict[str, str]:
        """Return how often the reference attitude of each free rotation was moved."""
        return {"reorientations": reorientations(compiled, y)}
