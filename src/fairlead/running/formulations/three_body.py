"""The three-body turbine of Dissertation Chapter 4: tower, nacelle and rotor."""

from __future__ import annotations

from fairlead.running.formulations.floating_turbine import FloatingTurbine


class ThreeBody(FloatingTurbine):
    """The three-body turbine of Dissertation Chapter 4: tower, nacelle and rotor."""

    name = "three-body"
    folder = "turbine.three_body"
