"""Fairlead: rigid-body systems from a slider-crank to a floating wind turbine, every run audited.

`import fairlead as fl`; everything public is here and imported when first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

__version__ = "0.1.0"

_WHERE = {
    "fairlead.model.schema": "Model",
    "fairlead.model.bodies": "Body Wheel",
    "fairlead.model.orientation": "Orientation",
    "fairlead.model.shapes": "Box Sphere Cylinder Cone Capsule Hull Blade Mesh",
    "fairlead.model.run": "Run",
    "fairlead.model.joints.types": "Fixed Ground Revolute Prismatic Cylindrical Universal Planar Spherical Free "
    "RevoluteCylindrical Distance AbsoluteX AbsoluteY AbsoluteZ AbsoluteOrientation RelativeAngle",
    "fairlead.model.joints.forces": "JointSpring Stop Actuator",
    "fairlead.model.motions": "Rate Ramp Sine Polynomial Table Expression Controlled",
    "fairlead.model.channel_table": "ChannelTable",
    "fairlead.model.events": "Event",
    "fairlead.model.partners": "Partner Scale Limits Iterate",
    "fairlead.running.partners.couple": "couple",
    "fairlead.running.partners.program": "PartnerProgram",
    "fairlead.model.loads.table": (
        "Force Spring RotationalSpring Matrix TautLine Catenary MoorDyn RotorThrust Rotor Generator Buoyancy Morison"
    ),
    "fairlead.model.loads.catenary": "catenary",
    "fairlead.model.loads.generator": "Shaft",
    "fairlead.model.loads.rotor_curves": "Curve OfCt Performance",
    "fairlead.model.environment.waves": "StillWater RegularWave Jonswap PiersonMoskowitz WaveTable WaveRecord Current",
    "fairlead.model.environment.environment": "Environment",
    "fairlead.model.environment.wind": "SteadyWind WindTable KaimalWind WindFile DirectionChange ExtremeGust "
    "ExtremeDirectionChange",
    "fairlead.model.relations.words": "Relation",
    "fairlead.model.controllers.table": "YawFollow Pid ExpressionController StateFeedback Sensor PythonController "
    "Schedule BaselineTurbine Discon",
    "fairlead.formats.load": "load",
    "fairlead.formats.yaml.write": "save",
    "fairlead.running.check": "check",
    "fairlead.running.run": "simulate kinematics accelerations",
    "fairlead.running.stepping.simulation": "Simulation",
    "fairlead.running.rest.equilibrium": "equilibrium",
    "fairlead.running.modes.linearize": "linearize",
    "fairlead.running.written_out.equations": "equations",
    "fairlead.running.modes.response": "response",
    "fairlead.running.ensembles.study": "study",
    "fairlead.running.resume": "resume",
    "fairlead.running.crosscheck": "crosscheck",
    "fairlead.formats.foreign.questions": "audit internal_loads",
    "fairlead.results.channels.gyroscopic": "gyroscopic_moments",
    "fairlead.results.channels.channels": "channels",
    "fairlead.results.summaries.statistics": "statistics",
    "fairlead.formats.openfast.outb": "write_outb",
    "fairlead.results.reading": "open_result",
    "fairlead.view.plots": "plot",
    "fairlead.view.reports": "report",
    "fairlead.errors": "FairleadError InvalidInput NumericalFailure FilesFailure CheckpointUnusable "
    "PartnerFailure StudyIncomplete Problem",
}
_HOME = {name: module for module, names in _WHERE.items() for name in names.split()}
__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'fairlead' has no attribute '{name}'{_nearest(name)}")
    value = getattr(import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def _nearest(name: str) -> str:
    """Return the end of a sentence that offers the public name spelt most like `name`, if one is near."""
    if name.startswith("__"):
        return ""  # asked by tools, not typed by anyone
    from difflib import get_close_matches

    folded = {one.casefold(): one for one in _HOME}
    close = get_close_matches(name.casefold(), folded, n=1)
    return f"; did you mean '{folded[close[0]]}'?" if close else ""


def __dir__() -> list[str]:
    return sorted({*__all__, "__version__", "__doc__", "__file__", "__name__", "__path__"})
