"""The two-body turbine of Dissertation Chapter 3: tower and topside."""

from __future__ import annotations

from fairlead.running.formulations.floating_turbine import FloatingTurbine


class TwoBody(FloatingTurbine):
    """The two-body turbine of Dissertation Chapter 3: tower and topside."""

    name = "two-body"
    folder = "turbine.two_body"
