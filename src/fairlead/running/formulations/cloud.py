"""The momentum cloud: six equations for a tree, and one more for each free joint coordinate (MCM paper)."""

from __future__ import annotations

from fairlead.errors import Problem
from fairlead.model.schema import Model
from fairlead.running.formulations.base import Formulation
from fairlead.running.formulations.refusals import tree_reasons


class Cloud(Formulation):
    """Good for a free base with driven joints: turbines, spacecraft, robots."""

    name = "cloud"
    folder = "cloud.pipeline"
    rotations = ("quaternion", "euler123")
    charted = True
    dense = True
    of_centre = True

    def accepts(self, model: Model) -> list[Problem]:
        """Return why the momentum cloud cannot run a model."""
        return tree_reasons(model, self.name)
