"""The common part of the floating turbines of Dissertation Chapters 3 and 4."""

from __future__ import annotations

from fairlead.errors import Problem
from fairlead.model.schema import Model
from fairlead.running.formulations.base import Formulation
from fairlead.running.formulations.turbine import turbine_reasons


class FloatingTurbine(Formulation):
    """The thesis' own equations: a witness for `cloud`."""

    of_centre = True
    rotation = "euler123"
    rotations = ("euler123",)

    def accepts(self, model: Model) -> list[Problem]:
        """Return why this turbine cannot be the model."""
        return turbine_reasons(model, self.name)
