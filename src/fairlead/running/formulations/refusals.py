"""Refusals that several formulations share: joints they cannot express, and events."""

from __future__ import annotations

from typing import Any

from fairlead.errors import Problem
from fairlead.model.joints.base import Joint
from fairlead.model.joints.description import without_equations
from fairlead.model.loads.generator import Generator
from fairlead.model.motions import Controlled
from fairlead.model.schema import Model
from fairlead.model.topology import topology


def tree_reasons(model: Model, name: str) -> list[Problem]:
    """Return why a formulation in joint coordinates cannot run a model: joints that are not drawn where they are."""
    found = topology(model)
    reasons = []
    for label, joint in model.joints.items():
        if label in found.floating:
            continue
        if label in found.loops:
            reasons += angles_by_parts(label, joint) + lacking_equations(label, joint)
        elif joint.by_bodies:
            text = f"joint '{label}' is given in body axes, which '{name}' does not assemble; use 'constrained'"
            reasons.append(Problem(text, path=f"joints.{label}"))
    return reasons


def commanded_reasons(model: Model, name: str) -> list[Problem]:
    """Return why a formulation that knows driven coordinates by their time alone cannot run a model."""
    text = "is commanded by feedback, which '{}' does not take; use 'cloud', 'articulated' or 'constrained'"
    return [
        Problem(f"joint '{label}' {text.format(name)}", path=f"joints.{label}")
        for label, joint in model.joints.items()
        if any(is_commanded(model, motion) for motion in joint.motion.values())
    ]


def lent_inertia(model: Model, name: str) -> list[Problem]:
    """Return why a formulation cannot run a model with inertia behind a gear, which is no body's."""
    text = f"has a rigid drive train, whose inertia '{name}' does not take; use 'cloud' or 'articulated'"
    return [
        Problem(text, path=f"loads.{label}.inertia")
        for label, load in model.loads.items()
        if isinstance(load, Generator) and load.inertia > 0 and load.shaft is None and _is_free(model, load)
    ]


def _is_free(model: Model, generator: Generator) -> bool:
    joint = model.joints.get(generator.braked_joint(model) or "")
    return joint is not None and joint.role("angle") == "free"


def is_commanded(model: Model, motion: Any) -> bool:
    """Return whether a motion follows a controller's output instead of being known beforehand."""
    control = model.controllers.get(motion.controller.partition(".")[0]) if isinstance(motion, Controlled) else None
    return control is not None and bool(control.outputs())


def events_refused(model: Model, name: str) -> list[Problem]:
    """Return why a formulation cannot run a model with events: its state is not carried over one."""
    text = f"formulation '{name}' takes no events; use cloud, articulated or constrained"
    return [Problem(text, path="events")] if model.events else []


def relations_refused(model: Model, name: str) -> list[Problem]:
    """Return why a formulation without constraint equations cannot run a model."""
    text = f"formulation '{name}' takes no relations; use cloud, articulated or constrained"
    return [Problem(text, path="relations")] if model.relations else []


def angles_by_parts(name: str, joint: Joint) -> list[Problem]:
    """Return why a joint whose angles a, b, c are partly driven cannot be written as constraint equations."""
    roles = {joint.role(angle) for angle in joint.ball()}
    if len(roles) > 1 and "free" in roles:
        text = f"joint '{name}' drives some of its angles a, b, c only; drive or lock all three, or none"
        return [Problem(text, path=f"joints.{name}")]
    return []


def lacking_equations(name: str, joint: Joint) -> list[Problem]:
    """Return why a joint whose description has no equations cannot be written as constraints."""
    lacks = without_equations(joint.kind(), joint.coordinates, joint.equations)
    return [Problem(text, path=f"joints.{name}") for text in lacks]
