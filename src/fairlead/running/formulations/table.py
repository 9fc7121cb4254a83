"""Formulations by name, and the one that `auto` takes."""

from __future__ import annotations

from fairlead.errors import InvalidInput, Problem
from fairlead.model.schema import Model
from fairlead.model.topology import topology
from fairlead.running.formulations.articulated import Articulated
from fairlead.running.formulations.base import Formulation
from fairlead.running.formulations.cloud import Cloud
from fairlead.running.formulations.constrained import Constrained
from fairlead.running.formulations.kane import Kane
from fairlead.running.formulations.three_body import ThreeBody
from fairlead.running.formulations.two_body import TwoBody
from fairlead.running.formulations.two_body_313 import TwoBody313

# A new formulation is a line here, and its name in `model/run_words.FORMULATIONS`, which schema, help and docs read.
WAYS = (Cloud, Kane, Articulated, Constrained, TwoBody313, TwoBody, ThreeBody)
FORMULATIONS: dict[str, Formulation] = {way.name: way() for way in WAYS}


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


def first_choice(integrator: str, unknowns: str, closing: str) -> str:
    """Return the formulation that `auto` should try first for the options of a run: some are of `constrained` alone."""
    own = unknowns != "omega" or closing.startswith("partition") or integrator == "generalised-alpha"
    return "constrained" if own else ""
