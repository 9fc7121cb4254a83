"""Events that a run cannot have: what its integrator, its partners, its loads or its formulation do not take."""

from __future__ import annotations

from typing import Any

from fairlead.model.controllers.base import AnyFeedback
from fairlead.model.events import Event
from fairlead.model.schema import Model
from fairlead.running.events.carry import UNKNOWN
from fairlead.running.events.situation import after, at_start, variant
from fairlead.running.formulations.refusals import is_commanded
from fairlead.running.formulations.table import FORMULATIONS
from fairlead.running.simulation import Simulation


def cannot(run: Simulation, whole: Model, name: str, event: Event) -> str:
    """Return why a run of a model cannot have one of its events, or nothing."""
    if run.integrator == "generalised-alpha":
        return "integrator 'generalised-alpha' takes no events; use rk4, rk45, dop853 or symplectic-euler"
    if run.coupled:
        return "a model with partners in other processes takes no events"
    if run.partners:
        return "a model with lines of MoorDyn, which are advanced once per step, takes no events"
    if event.lock and run.arrays.bodies["wet"].any():
        return f"a lock is a blow, and {UNKNOWN}; leave the lock out"
    places = dict.fromkeys(run.compiled.index.coordinates, 0.0)
    changed = variant(whole, after(at_start(whole), name, event, whole, places))
    if remembered(changed) != remembered(whole):
        return (
            "joints cannot come under the command of feedback yet, or leave it, nor controllers change their "
            "samples or states"
        )
    return "; ".join(problem.message for problem in FORMULATIONS[run.formulation.name].accepts(changed))


def remembered(model: Model) -> tuple[Any, ...]:
    """Return what decides the memory of a model's feedback: commanded coordinates, controllers' samples and states."""
    commanded = [
        (name, coordinate)
        for name, joint in model.joints.items()
        for coordinate, motion in joint.motion.items()
        if is_commanded(model, motion)
    ]
    controllers = [
        (name, word) for name, word in model.controllers.items() if isinstance(word, AnyFeedback) and word.outputs()
    ]
    return commanded, [(name, word.type, word.every(), len(tuple(word.start_states()))) for name, word in controllers]
