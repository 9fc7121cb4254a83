"""`check`: what is wrong with a model, its words and the files and tables that its sea, wind and lines name."""

from __future__ import annotations

import os
from pathlib import Path

from fairlead.errors import InvalidInput, NumericalFailure, Problem
from fairlead.formats.check import check_words
from fairlead.formats.load import is_legacy, is_urdf
from fairlead.formats.yaml.read import located_in, read_yaml
from fairlead.model.checks.checked import checked
from fairlead.model.loads.moordyn import MoorDyn
from fairlead.model.schema import Model
from fairlead.model.topology import topology
from fairlead.running.events.situation import event_problems


def check(model: Model | str | os.PathLike[str]) -> list[Problem]:
    """Return every problem of a model or a model file, none if all is well; a bad file is a problem, not an error."""
    if not isinstance(model, str | os.PathLike):
        problems = check_words(model)
        return problems if _wrong(problems) else problems + content_problems(checked(model))
    if is_urdf(Path(model)):
        return check_words(model)
    if is_legacy(Path(model)):
        from fairlead.running.legacy.check import check_case

        return check_case(model)
    loaded, problems = read_yaml(model)
    return problems if loaded is None else problems + located_in(model, content_problems(loaded))


def _wrong(problems: list[Problem]) -> bool:
    return any(problem.severity == "error" for problem in problems)


def content_problems(model: Model) -> list[Problem]:
    """Return the problems that only show when a model is set up: wrong files, short tables, loops that stay open.

    Also drives that contradict each other as they start, a `run` that cannot choose its own steps, and events that set
    values which a field does not take.
    """
    return (
        controller_problems(model)
        + run_problems(model)
        + event_problems(model)
        + (file_problems(model) or assembly_problems(model))
    )


def controller_problems(model: Model) -> list[Problem]:
    """Return the problems of the libraries that controllers name, none of which is loaded here."""
    found = {name: word.wrong_files() for name, word in model.controllers.items()}
    return [Problem(wrong[1], f"controllers.{name}.{wrong[0]}") for name, wrong in found.items() if wrong is not None]


def run_problems(model: Model) -> list[Problem]:
    """Return the problems of the model's `run` beyond its words, such as a step it cannot go without."""
    if model.run is None:
        return []
    from fairlead.running.options import run_options

    try:
        run_options(model, {})
    except InvalidInput as error:
        return [Problem(one.message, f"run.{one.path}") for one in error.problems]
    return []


def file_problems(model: Model) -> list[Problem]:
    """Return the problems of the files a model names, and of tables shorter than its own `run`."""
    if model.environment is None and not any(isinstance(load, MoorDyn) for load in model.loads.values()):
        return []
    from fairlead.running.formulations.table import choose
    from fairlead.running.options import span_problems

    try:
        way = choose(model, (model.run and model.run.formulation) or "auto")
        compiled = way.compiled(model)
    except InvalidInput as error:
        return error.problems
    return span_problems(compiled, 0.0, model.run.duration) if model.run and model.run.duration else []


def assembly_problems(model: Model) -> list[Problem]:
    """Return why the drawing of a model with loops, or with joints given on their bodies, cannot be assembled.

    Warnings name the drawn velocities of bodies that its joints do not allow.
    """
    from fairlead.running.formulations.drawn_velocities import carried_moving

    by_bodies = (joint.by_bodies or joint.only_constrains for joint in model.joints.values())
    if not (topology(model).loops or model.relations or any(by_bodies) or carried_moving(model)):
        return []
    from fairlead.running.formulations.assembled_tree import AssembledTree
    from fairlead.running.formulations.drawn_velocities import lost_velocities

    try:
        return lost_velocities(AssembledTree(model, 0.0).assembly.lost)
    except InvalidInput as error:
        return error.problems
    except NumericalFailure as error:
        return [Problem(str(error), path=getattr(error, "path", "joints"))]
