"""The two-body turbine of Dissertation Chapter 3: tower and topside."""

from __future__ import annotations

from fairlead.errors import Problem
from fairlead.model.schema import Model
from fairlead.running.formulations.base import Formulation
from fairlead.running.formulations.turbine import turbine_reasons


class TwoBody(Formulation):
    """The thesis' own equations: a witness for `cloud`."""

    name = "two-body"
    folder = "turbine.two_body"
    of_centre = True
    rotation = "euler123"

    def accepts(self, model: Model) -> list[Problem]:
        """Return why this turbine cannot be the model."""
        return turbine_reasons(model, self.name)
