"""Things left out when a legacy case becomes a model file, or a model becomes legacy files: a line each."""

from __future__ import annotations

from collections.abc import Iterator

from fairlead.errors import Problem
from fairlead.formats.mbdm.case import MbdmCase
from fairlead.formats.mbdm.keys import PARAMETERS
from fairlead.model.run import Run
from fairlead.model.schema import Model


def left_out_of_model(case: MbdmCase, model: Model) -> list[Problem]:
    """Return a note for everything in the files of a case that its model does not hold."""
    return [case.problem(path, f"left out: {message}", "note") for path, message in _left(case, model)]


def _left(case: MbdmCase, model: Model) -> Iterator[tuple[str, str]]:
    if not case.dynamic:
        yield "dynamic", "that the analysis is kinematic; move the model with 'fairlead kinematics'"
    if case.t_start:
        yield (
            "t_start",
            f"the start at {case.t_start:g} s; a model starts at 0 and lasts {case.t_end - case.t_start:g} s",
        )
    yield "accuracy", f"N-R accuracy {case.accuracy:g}; a run closes its joints to rounding"
    yield "iterations", f"N-R steps {case.iterations}"
    every = model.run.output_every if model.run else 0
    for kind, given in (("output", case.save_output), ("tracers", case.save_tracers)):
        wanted = given and (kind == "output" or case.tracers or case.mooring)
        if wanted and given != every:
            yield (
                f"save_{kind}",
                f"{kind} every {given} steps; the model records every {every}, which holds these instants",
            )
    if case.save_checkpoint:
        yield "save_checkpoint", f"checkpoints every {case.save_checkpoint} steps; a run directory keeps its own"
    for number, group in enumerate(case.tracers, start=1):
        yield f"tracers.{number}", f"tracer group {number} ({len(group.tracers)} points of body {group.body})"
    for name, key in PARAMETERS.fields.items():
        if getattr(case.parameters, name):
            yield f"parameters.{name}", f"the flag '{key}'"
    if case.solvers is not None:
        yield "solvers.coupling", "the coupled solvers and their numbers; the model is the system without their loads"
    for number, line in enumerate(case.mooring, start=1):
        if any(line.correction):
            yield f"mooring.{number}.correction", "the correction for the mass centre, which no program uses"


def left_out_of_case(model: Model) -> list[Problem]:
    """Return a note for everything in a model that legacy files have no place for and that does not change the motion.

    What would change it is refused by `from_model`.
    """
    found = []
    plain = Run(duration=1.0, dt=1.0)
    for name in ("formulation", "integrator", "rotation", "rtol", "atol", "unknowns", "closing", "ramp", "discard"):
        given = getattr(model.run, name, None)
        if given not in (None, getattr(plain, name)) and (name, given) != ("formulation", "constrained"):
            found.append((f"run.{name}", f"'{name}: {given}'; legacy files have no word for it"))
    for name, joint in model.joints.items():
        if joint.limits:
            found.append((f"joints.{name}.limits", "its limits, which carry no force"))
    for name, body in model.bodies.items():
        if body.geometry:
            found.append((f"bodies.{name}.geometry", "its geometry"))
    if model.base is not None:
        found.append(("base", "which body is the base"))
    return [Problem(f"left out: {message}", path, severity="note") for path, message in found]
