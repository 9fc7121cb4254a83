"""`check` of a legacy case: what is wrong with its files, with what they name, and with the machine they draw."""

from __future__ import annotations

import os

from fairlead.errors import InvalidInput, NumericalFailure, Problem
from fairlead.formats.mbdm.convert import coupled, examine, names_of
from fairlead.running.legacy.info import not_driven
from fairlead.running.options import run_options
from fairlead.running.simulation import Simulation


def check_case(path: str | os.PathLike[str]) -> list[Problem]:
    """Return every problem of a legacy case with its file and line: what `fairlead mbdm` would refuse, and remarks."""
    case, model, problems = examine(path)
    if case is None or model is None:
        return problems
    if case.solvers is not None:
        problems = [*(one for one in problems if one.path != "solvers.coupling"), coupled(case)]
    try:
        simulation = Simulation(model, **run_options(model, {"formulation": "constrained"}))
        if not case.dynamic:
            not_driven(case, simulation)
    except InvalidInput as error:
        return problems + error.problems
    except NumericalFailure as error:
        named = (f"joints.{i}" for i, name in enumerate(names_of(case).joints, start=1) if f"'{name}'" in str(error))
        return [*problems, case.problem(next(named, "name"), str(error))]
    return problems
