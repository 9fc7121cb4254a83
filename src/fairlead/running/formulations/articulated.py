"""Joint coordinates by the articulated-body recursion, linear in the number of bodies (Featherstone)."""

from __future__ import annotations

from fairlead.errors import Problem
from fairlead.model.schema import Model
from fairlead.running.formulations.base import Formulation
from fairlead.running.formulations.refusals import tree_reasons


class Articulated(Formulation):
    """Good for trees with free joints, long ones above all."""

    name = "articulated"
    folder = "articulated.pipeline"
    rotations = ("quaternion", "euler123")
    charted = True

    def accepts(self, model: Model) -> list[Problem]:
        """Return why the articulated recursion cannot run a model."""
        return tree_reasons(model, self.name)
