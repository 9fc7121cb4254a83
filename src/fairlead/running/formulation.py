"""Formulations by name: what each can take, and its compiled stepping loops."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from fairlead.errors import InvalidInput, Problem
from fairlead.model.joints import CONSTRAINTS, Joint
from fairlead.model.schema import Model
from fairlead.model.topology import topology


@dataclass(frozen=True)
class Formulation:
    """A way to write the equations of motion."""

    name: str
    module: str
    reasons: Callable[[Model], list[Problem]]
    loose: bool = False  # every body stands alone and all joints are constraint equations

    def accepts(self, model: Model) -> list[Problem]:
        """Return the reasons why this formulation cannot run the model; none means it can."""
        return self.reasons(model)

    @cached_property
    def kernels(self) -> Any:
        """Return the module with rhs, before, after, drift and project."""
        import importlib

        return importlib.import_module(f"fairlead.core.formulations.{self.module}")

    @cached_property
    def loops(self) -> dict[str, Any]:
        """Return the stepping loops bound to this formulation's kernels; each compiles when first used."""
        from fairlead.core import stepping
        from fairlead.core.compiled import bind, kernel

        own = {name: getattr(self.kernels, name) for name in ("rhs", "drift", "project", "begin_step", "observe")}
        helpers = {name: kernel(getattr(stepping, name)) for name in ("output_time", "step_error", "interpolate")}
        helpers["prepare_dense"] = bind(stepping.prepare_dense, f"{self.module}_prepare_dense", **own)
        helpers["rk_stretch"] = bind(stepping.rk_stretch, f"{self.module}_rk_stretch", **own)
        templates: dict[str, Any] = {
            "first": stepping.first_record,
            "rk": stepping.rk_steps,
            "symplectic": stepping.symplectic_steps,
            "adaptive": stepping.adaptive_steps,
        }
        return {
            name: bind(template, f"{self.module}_{template.__name__}", **own, **helpers)
            for name, template in templates.items()
        }


def cloud_reasons(model: Model) -> list[Problem]:
    """Return why the momentum cloud cannot run a model: loops and free coordinates, by name."""
    found = topology(model)
    reasons = [
        Problem(
            f"joint '{name}' {_what_it_does(model.joints[name])}, which 'cloud' does not take", path=f"joints.{name}"
        )
        for name in found.loops
    ]
    for name, joint in model.joints.items():
        if name in found.floating or name in found.loops:
            continue
        if joint.by_bodies:
            reasons.append(
                Problem(f"joint '{name}' is given in body axes, which 'cloud' does not assemble", path=f"joints.{name}")
            )
        free = [coordinate for coordinate in joint.coordinates if joint.role(coordinate) == "free"]
        for coordinate in free:
            reasons.append(
                Problem(
                    f"coordinate '{name}.{coordinate}' is free, which 'cloud' does not take; "
                    "give it a 'motion' or list it under 'locked'",
                    path=f"joints.{name}",
                )
            )
    return reasons


def _what_it_does(joint: Joint) -> str:
    return f"only constrains ({joint.type})" if isinstance(joint, CONSTRAINTS) else "closes a loop"


def constrained_reasons(model: Model) -> list[Problem]:
    """Return why the constrained formulation cannot run a model."""
    reasons = []
    for name, joint in model.joints.items():
        roles = {joint.role(angle) for angle in "abc" if angle in joint.coordinates}
        if len(roles) > 1 and "free" in roles:
            text = f"joint '{name}' drives some of its angles a, b, c only; drive or lock all three, or none"
            reasons.append(Problem(text, path=f"joints.{name}"))
        if joint.spring or joint.damper:
            reasons.append(Problem(f"joint '{name}' has a spring or damper, not available yet", path=f"joints.{name}"))
    return reasons


FORMULATIONS = {
    "cloud": Formulation("cloud", "cloud", cloud_reasons),
    "constrained": Formulation("constrained", "constrained", constrained_reasons, loose=True),
}
AUTO = ("cloud", "constrained")  # cheapest first


def choose(model: Model, name: str = "auto") -> Formulation:
    """Return the formulation asked for, or the cheapest that can run the model; InvalidInput says why none can."""
    if name != "auto" and name not in FORMULATIONS:
        raise InvalidInput(f"formulation '{name}' is not known; use auto or one of {', '.join(FORMULATIONS)}")
    reasons: list[Problem] = []
    for candidate in AUTO if name == "auto" else (name,):
        refused = FORMULATIONS[candidate].accepts(model)
        if not refused:
            return FORMULATIONS[candidate]
        reasons += refused
    raise InvalidInput(reasons)
