"""`fl.study`: an ensemble or a design study as one Dataset."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairlead.errors import Interrupted, InvalidInput, Problem, StudyIncomplete
from fairlead.results.netcdf import write_netcdf
from fairlead.results.reading import STUDY
from fairlead.running.ensembles.answer import answer_of, write_tables
from fairlead.running.ensembles.cases import Case, Plan, plan_of
from fairlead.running.ensembles.conduct import Conductor, State, swept
from fairlead.running.ensembles.crew import crew_of
from fairlead.running.ensembles.live import teller
from fairlead.running.ensembles.read import read_study
from fairlead.running.ensembles.store import Store
from fairlead.running.ensembles.trial import try_out
from fairlead.running.lock import locked
from fairlead.units import to_si

if TYPE_CHECKING:
    import xarray as xr


def study(
    spec: str | os.PathLike[str] | dict[str, Any],
    client: Any = None,
    out: str | os.PathLike[str] | None = None,
    *,
    workers: int | None = None,
    scheduler: str | None = None,
    memory: float | str | None = None,
    retry_failed: bool = False,
    progress: bool | Callable[[State], None] | None = None,
) -> xr.Dataset:
    """Return the statistics of all runs of a study as a Dataset with the study's own dimensions.

    `spec` is the path of a study's file or a dictionary with its words, whose `model` may be a model. It runs on
    processes of its own, `workers` of them (one per processor unless given) with `memory` each, on the dask scheduler
    at the address `scheduler`, or on a dask `client`. `out` is its directory, in which it goes on where it was; without
    it nothing is kept. `retry_failed` runs cases again that failed. StudyIncomplete says which cases failed, why, and
    with what command each runs alone; its `data` has the others. `progress` is a live table by default where there is a
    terminal, False for none, or a callable.
    """
    plan = planned(spec)
    with ExitStack() as stack:
        if out is None:
            out = stack.enter_context(tempfile.TemporaryDirectory(prefix="fairlead-study-", ignore_cleanup_errors=True))
        given = {"client": client, "scheduler": scheduler, "workers": workers, "memory": memory}
        data, state = conducted(plan, Path(out), retry=retry_failed, progress=progress, **given)
        if state.failed or state.waiting:
            error = StudyIncomplete(failures(plan, state))
            error.data = data
            raise error
    return data


def planned(spec: Any) -> Plan:
    """Return a study read, checked and worked out; InvalidInput lists every problem."""
    return plan_of(*read_study(spec))


def conducted(
    plan: Plan,
    directory: Path,
    *,
    client: Any = None,
    scheduler: str | None = None,
    workers: int | None = None,
    memory: float | str | None = None,
    retry: bool = False,
    progress: Any = None,
) -> tuple[xr.Dataset, State]:
    """Return the Dataset of a study and what its cases came to, after running what has no result yet."""
    store = Store(directory)
    store.create(plan.name)
    most = _bytes(memory)
    if workers is not None and (isinstance(workers, bool) or not isinstance(workers, int) or workers < 1):
        raise InvalidInput([Problem(f"must be a whole number, 1 or more; got {workers!r:.40}", "workers")])
    with locked(store.directory), swept(store):
        conductor = Conductor(plan, store, retry=retry)
        state = conductor.state
        if state.waiting:
            for base in {case.base.digest: case.base for case in state.waiting}.values():
                store.put_model(base.digest, base.data)
            try_out(plan, state.waiting)
            _run(conductor, store, client, scheduler, workers, most, progress)
        data = answer_of(plan, state.done, state.failed)
        write_netcdf(data, store.directory / STUDY)
        write_tables(data, store.directory)
    return data, state


def _run(
    conductor: Conductor,
    store: Store,
    client: Any,
    scheduler: str | None,
    workers: int | None,
    memory: Any,
    progress: Any,
) -> None:
    state = conductor.state
    try:
        crew = crew_of(store, client, scheduler, workers, memory, len(state.waiting))
        try:
            with teller(progress, state) as tell:
                conductor.run(crew, tell)
        finally:
            crew.leave()
    except KeyboardInterrupt:
        done, failed, total = state.counts
        text = f"stopped with {done + failed} of {total} cases done; the same command goes on where it was"
        raise Interrupted(text) from None


def _bytes(memory: float | str | None) -> float | None:
    if memory is None:
        return None
    try:
        found = to_si(memory, "byte") if isinstance(memory, str) else float(memory)
    except (TypeError, ValueError) as error:
        raise InvalidInput([Problem(f"{error}; for example '2 GB'", "memory")]) from None
    if not 1e8 <= found < float("inf"):
        raise InvalidInput([Problem(f"is too little for a worker ({found / 1e6:g} MB); give 0.3 GB or more", "memory")])
    return found


def failures(plan: Plan, state: State) -> str:
    """Return which cases failed, grouped by cause, each group with the command that runs one of them alone."""
    _, failed, total = state.counts
    lines = [f"{failed} of {total} cases failed; the others are done and kept"]
    for cause in causes(plan, state):
        names = "; ".join(cause["cases"][:3]) + (
            f"; and {len(cause['cases']) - 3} more" if len(cause["cases"]) > 3 else ""
        )
        lines += [f"  {len(cause['cases'])} x {cause['message']}", f"    {names}", f"    {cause['command']}"]
    return "\n".join(lines)


def causes(plan: Plan, state: State) -> list[dict[str, Any]]:
    """Return the causes of failures: message of the first, names of the cases, and the command that shows it."""
    groups: dict[tuple[str, str], list[Case]] = {}
    for case in plan.cases:
        if case.digest in state.failed:
            said = state.failed[case.digest]
            groups.setdefault((said["kind"], like(said["message"])), []).append(case)
    return [
        {
            "kind": kind,
            "message": str(state.failed[cases[0].digest]["message"]),
            "cases": [case.name for case in cases],
            "command": plan.command(cases[0]),
        }
        for (kind, _), cases in groups.items()
    ]


def like(message: str) -> str:
    """Return a message without its numbers, which differ from case to case."""
    return re.sub(r"[-+]?\d[\d.]*(?:e[-+]?\d+)?", "#", message)


def notes(state: State) -> list[str]:
    """Return what runs say of themselves, each sentence once with the number of cases that say it."""
    said: dict[str, dict[int, str]] = {}
    done = [state.done[case.digest] for case in state.plan.cases if case.digest in state.done]
    for number, result in enumerate(done):
        for sentence in result["notes"]:
            said.setdefault(like(sentence).partition(":")[0], {})[number] = sentence
    return [f"{len(found)} of {len(done)} cases: {next(iter(found.values()))}" for found in said.values()]


def audits(plan: Plan, state: State) -> list[Case]:
    """Return the cases whose audit failed."""
    bad = {digest for digest, result in state.done.items() if not result["audit"]["passed"]}
    return [case for case in plan.cases if case.digest in bad]
