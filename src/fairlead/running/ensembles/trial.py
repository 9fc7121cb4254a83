"""The first instant of one case, before all others: a misspelt channel is told at once, and kernels are compiled."""

from __future__ import annotations

import warnings
from typing import Any

from fairlead.errors import FairleadError, InvalidInput, Problem
from fairlead.model.environment.shared import shared_records
from fairlead.results.dataset import make_dataset
from fairlead.results.summaries.series import series_of
from fairlead.running.ensembles.cases import Case, Plan
from fairlead.running.events.run import simulation_of
from fairlead.running.loop import MemorySink
from fairlead.running.options import run_options
from fairlead.running.record import attributes_of, split_record


def try_out(plan: Plan, cases: list[Case]) -> None:
    """Raise InvalidInput where the channels asked for are not there; cases that cannot begin say so themselves."""
    case = next((one for one in cases if one.base.model is not None), None)
    if case is None:
        return
    try:
        with warnings.catch_warnings(), shared_records():
            warnings.simplefilter("ignore")
            data = first_instant(case, plan)
    except FairleadError:
        return  # its cases say so
    try:
        series_of(data, list(plan.study.statistics))
    except InvalidInput as error:
        problems = [Problem(one.message, f"statistics.{one.path}") for one in error.problems]
        raise InvalidInput(plan.source.placed(problems)) from None


def first_instant(case: Case, plan: Plan) -> Any:
    """Return the Dataset of the first instant of a case, its stepping loop loaded."""
    model: Any = case.base.model
    model = model.with_(case.changes) if case.changes else model
    options = run_options(model, plan.options) | {"start": "drawing", "ramp": None, "discard": None}
    short = options | {"duration": min(float(options["duration"]), 2.0 * float(options["dt"]))}
    simulation = simulation_of(model, **short)
    simulation.prepare()
    sink = MemorySink(simulation)
    sink.take(simulation.advance())
    rows = sink.rows()
    return make_dataset(
        simulation.compiled, split_record(rows, simulation.compiled), attributes_of(simulation, "complete", 0.0)
    )
