"""Options that would have no effect on a run because of the others, or of the model: told, not passed over."""

from __future__ import annotations

from typing import Any

from fairlead.errors import InvalidInput, Problem
from fairlead.model.schema import Model
from fairlead.model.topology import topology
from fairlead.running.formulations.table import Formulation, choose, first_choice
from fairlead.running.steppers.tableaux import ADAPTIVE, method_of

CONSTRAINED_ONLY = {"unknowns": ("euler-parameters",), "closing": ("partition", "partition-every-step")}


def effective(model: Model, options: dict[str, Any], given: set[str], said: set[str]) -> dict[str, Any]:
    """Return the options of a run without those of the model's `run` that the call made pointless.

    `given` names what the call says and `said` what the model says. What the call says and would have no effect is
    refused, and so is what the model says unless the call chose another method or formulation: InvalidInput.
    """
    found = {problem.path: problem for problem in _method(options, given | said)}
    found |= {problem.path: problem for problem in _formulation(model, options, given | said)}
    chose = {"rtol": {"integrator", "dt"}, "atol": {"integrator", "dt"}}
    others = {"formulation", "integrator"}
    pointless = {name for name in found if name not in given and given & chose.get(name, others)}
    problems = [problem for name, problem in found.items() if name not in pointless]
    if problems:
        raise InvalidInput(problems)
    return {name: value for name, value in options.items() if name not in pointless}


def _method(options: dict[str, Any], stated: set[str]) -> list[Problem]:
    """Return a problem for each tolerance of a run whose steps are all of one size."""
    method = method_of(options.get("integrator"), options.get("dt"))
    if method in ADAPTIVE:
        return []
    text = f"is of adaptive integrators, and '{method}' takes steps of one size (dt); leave it out, or take "
    text += "integrator: dop853, which chooses its steps by it and records every dt"
    return [Problem(text, name) for name in ("rtol", "atol") if name in stated]


def _formulation(model: Model, options: dict[str, Any], stated: set[str]) -> list[Problem]:
    """Return a problem for each word that the formulation of the run does not read."""
    words = {name: str(options[name]) for name in ("rotation", "unknowns", "closing") if name in stated}
    if not words:
        return []
    method = method_of(options.get("integrator"), options.get("dt"))
    unknowns, closing = (str(options.get(name) or word) for name, word in (("unknowns", "omega"), ("closing", "auto")))
    try:
        way = choose(model, str(options["formulation"]), first_choice(method, unknowns, closing))
    except InvalidInput:
        return []  # that no formulation can run it is told when the run begins
    taken = f"formulation '{way.name}'" + (", which auto takes here," if options["formulation"] == "auto" else "")
    problems = []
    for name in ("unknowns", "closing"):
        if words.get(name) not in CONSTRAINED_ONLY[name]:
            continue
        if way.name != "constrained":
            text = f"'{words[name]}' is of formulation 'constrained', and {taken} does not read it"
            problems.append(Problem(f"{text}; leave it out, or take formulation: constrained", name))
        elif method == "generalised-alpha":
            text = f"'{words[name]}' is not read by integrator 'generalised-alpha', which has equations of its own"
            problems.append(Problem(f"{text}; leave it out, or take another integrator", name))
    return problems + (_rotation(model, words["rotation"], way, taken) if "rotation" in words else [])


def _rotation(model: Model, rotation: str, way: Formulation, taken: str) -> list[Problem]:
    """Return why the word for a floating base's attitude would have no effect, if so."""
    kept = way.rotations
    if rotation not in kept:
        own = f"keeps attitudes as {kept[0]}" if kept else "keeps attitudes in angles of its own"
        text = f"'{rotation}' has no effect: {taken} {own}; leave it out, or take formulation: articulated or cloud"
        return [Problem(text, "rotation")]
    if rotation == "euler123" and len(kept) > 1 and all(tree.rooted for tree in topology(model).trees):
        text = f"'{rotation}' has no effect: it is how the attitude of a floating base is kept, and no body floats here"
        return [Problem(f"{text}; leave it out", "rotation")]
    return []
