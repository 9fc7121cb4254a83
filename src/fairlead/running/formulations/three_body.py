"""The three-body turbine of Dissertation Chapter 4: tower, nacelle and rotor."""

from __future__ import annotations

from fairlead.errors import Problem
from fairlead.model.schema import Model
from fairlead.running.formulations.base import Formulation
from fairlead.running.formulations.turbine import turbine_reasons


class ThreeBody(Formulation):
    """The thesis' own equations: a witness for `cloud`."""

    name = "three-body"
    folder = "turbine.three_body"
    of_centre = True
    rotation = "euler123"

    def accepts(self, model: Model) -> list[Problem]:
        """Return why this turbine cannot be the model."""
        return turbine_reasons(model, self.name)
