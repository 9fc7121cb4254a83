"""Formulations by name: what each can take, and its compiled stepping loops."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

from fairlead.errors import InvalidInput, Problem
from fairlead.model.joint_base import Joint
from fairlead.model.joints import Free, Planar
from fairlead.model.schema import Model
from fairlead.model.topology import topology
from fairlead.running.turbine import turbine_reasons


@dataclass(frozen=True)
class Formulation:
    """A way to write the equations of motion."""

    name: str
    module: str
    reasons: Callable[[Model], list[Problem]]
    loose: bool = False  # every body stands alone and all joints are constraint equations
    dense: bool = False  # the whole mass matrix is formed
    slots: bool = False  # every body has six relative coordinates
    rotation: str | None = None  # the attitude it always uses, where it has one of its own

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
        from fairlead.core.compiled import bind
        from fairlead.core.linked import apart

        names = ("rhs", "drift", "project", "begin_step", "observe")
        return stepping_loops(self.module, {name: apart(getattr(self.kernels, name)) for name in names}, bind)


def stepping_loops(module: str, own: dict[str, Any], bind: Callable[..., Any]) -> dict[str, Any]:
    """Return the stepping loops with a formulation's own functions in them; `bind` compiles them or not."""
    from fairlead.core import stages, stepping
    from fairlead.core.compiled import kernel

    helpers = {name: kernel(getattr(stepping, name)) for name in ("output_time", "step_error", "interpolate")}
    parts: dict[str, Any] = {}
    for name in ("rate_beside", "rate_around", "evaluate", "take_stages"):  # each calls those before it
        parts[name] = bind(getattr(stages, name), f"{module}_{name}", **own, **parts)
    for name in ("prepare_dense", "rk_stretch", "symplectic_stretch", "attempt"):
        helpers[name] = bind(getattr(stepping, name), f"{module}_{name}", **own, **parts)
    templates: dict[str, Any] = {
        "first": stepping.first_record,
        "rk": stepping.rk_steps,
        "symplectic": stepping.symplectic_steps,
        "adaptive": stepping.adaptive_steps,
    }
    return {
        name: bind(template, f"{module}_{template.__name__}", **own, **helpers) for name, template in templates.items()
    }


def tree_reasons(model: Model, name: str) -> list[Problem]:
    """Return why a formulation in joint coordinates cannot run a model: joints that are not drawn where they are."""
    found = topology(model)
    reasons = []
    for label, joint in model.joints.items():
        if label in found.floating:
            continue
        if label in found.loops:
            reasons += _angles_by_parts(label, joint)
        elif joint.by_bodies:
            text = f"joint '{label}' is given in body axes, which '{name}' does not assemble; use 'constrained'"
            reasons.append(Problem(text, path=f"joints.{label}"))
    return reasons


def cloud_reasons(model: Model) -> list[Problem]:
    """Return why the momentum cloud cannot run a model."""
    return tree_reasons(model, "cloud")


def articulated_reasons(model: Model) -> list[Problem]:
    """Return why the articulated recursion cannot run a model."""
    return tree_reasons(model, "articulated")


def kane_reasons(model: Model) -> list[Problem]:
    """Return why Kane's equations cannot run a model: loops, and joints that slide in the axes of the outboard body."""
    found = topology(model)
    reasons = []
    for name in found.loops:
        text = f"joint '{name}' closes a loop, which 'kane' does not take; use 'articulated', 'cloud' or 'constrained'"
        reasons.append(Problem(text, path=f"joints.{name}"))
    for edge in (edge for tree in found.trees for edge in tree.edges.values()):
        joint, path = model.joints[edge.joint], f"joints.{edge.joint}"
        if joint.by_bodies:
            text = f"joint '{edge.joint}' is given in body axes, which 'kane' does not assemble; use 'constrained'"
            reasons.append(Problem(text, path=path))
        if edge.flipped and isinstance(joint, (Planar, Free)):
            text = (
                f"joint '{edge.joint}' has its parent '{edge.outboard}' outboard of its child, and 'kane' slides along "
                "axes of the inboard body; swap parent and child"
            )
            reasons.append(Problem(text, path=path))
    return reasons


def _angles_by_parts(name: str, joint: Joint) -> list[Problem]:
    roles = {joint.role(angle) for angle in "abc" if angle in joint.coordinates}
    if len(roles) > 1 and "free" in roles:
        text = f"joint '{name}' drives some of its angles a, b, c only; drive or lock all three, or none"
        return [Problem(text, path=f"joints.{name}")]
    return []


def constrained_reasons(model: Model) -> list[Problem]:
    """Return why the constrained formulation cannot run a model."""
    return [reason for name, joint in model.joints.items() for reason in _angles_by_parts(name, joint)]


FORMULATIONS = {
    "cloud": Formulation("cloud", "cloud", cloud_reasons, dense=True),
    "kane": Formulation("kane", "kane", kane_reasons, dense=True, slots=True),
    "articulated": Formulation("articulated", "articulated", articulated_reasons),
    "constrained": Formulation("constrained", "constrained", constrained_reasons, loose=True),
    "two-body-313": Formulation("two-body-313", "two_body_313", partial(turbine_reasons, name="two-body-313")),
    "two-body": Formulation("two-body", "two_body", partial(turbine_reasons, name="two-body"), rotation="euler123"),
    "three-body": Formulation(
        "three-body", "three_body", partial(turbine_reasons, name="three-body"), rotation="euler123"
    ),
}


def cheapest_first(model: Model) -> tuple[str, ...]:
    """Return the formulations in the order of their cost for a model: what `auto` tries.

    A tree cut from its loops may leave a rod or point mass free to turn without inertia: such bodies stay whole.
    """
    found = topology(model)
    if found.loops and any(body.idealised for body in model.bodies.values()):
        return "constrained", "articulated"
    if found.loops:
        return "articulated", "constrained"
    driven = all(
        joint.role(coordinate) != "free"
        for name, joint in model.joints.items()
        if name not in found.floating
        for coordinate in joint.coordinates
    )
    return ("cloud", "constrained") if driven else ("articulated", "constrained")


def choose(model: Model, name: str = "auto", first: str = "") -> Formulation:
    """Return the formulation asked for, or the cheapest that can run the model; InvalidInput says why none can.

    `auto` tries the formulation `first` before all others.
    """
    if name != "auto" and name not in FORMULATIONS:
        raise InvalidInput(f"formulation '{name}' is not known; use auto or one of {', '.join(FORMULATIONS)}")
    reasons: list[Problem] = []
    order = cheapest_first(model) if name == "auto" else (name,)
    for candidate in (first, *order) if first and name == "auto" else order:
        refused = FORMULATIONS[candidate].accepts(model)
        if not refused:
            return FORMULATIONS[candidate]
        reasons += refused
    raise InvalidInput(reasons)
