"""Batches as workers run them: cases of the same waves and wind side by side, each committed before it is told."""

from __future__ import annotations

import time as wall
import warnings
from contextlib import ExitStack
from functools import lru_cache
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from fairlead.errors import FairleadError, InvalidInput
from fairlead.model.environment.shared import shared_records
from fairlead.model.schema import Model
from fairlead.running.ensembles.store import DONE, FAILED, Store
from fairlead.running.ensembles.summing import summed
from fairlead.running.ensembles.vigil import Vigil, worker_limits
from fairlead.running.loop import MemorySink
from fairlead.running.options import run_options
from fairlead.running.record import attributes_of, split_record
from fairlead.running.room import need_memory
from fairlead.running.starting import started

MOST_DEATHS = 6  # of processes that ran a case before it is left alone
SIDE_BY_SIDE = 2  # deaths up to which cases are run side by side; then one by one, to find the one that kills


def run_batch(job: dict[str, Any]) -> list[str]:
    """Run the cases of a batch that have no result yet; return the hashes of those that have one now."""
    store = Store(job["directory"])
    cases = [case for case in job["cases"] if store.result(case["case"]) is None]
    limit, expendable = worker_limits()
    deaths = {case["case"]: store.deaths(case["case"]) for case in cases}
    together = max(deaths.values(), default=0) < SIDE_BY_SIDE
    groups = [cases] if together else [[case] for case in cases]
    with Vigil(store, limit, expendable).kept() as vigil, threadpool_limits(limits=1), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for group in groups:
            _run_group(store, vigil, group, deaths, job["wanted"])
    return [case["case"] for case in job["cases"]]


def _run_group(
    store: Store, vigil: Vigil, cases: list[dict[str, Any]], deaths: dict[str, int], wanted: dict[str, Any]
) -> None:
    """Run cases side by side, a chunk of each in turn, so that they share what is computed of waves and wind."""
    going: list[_Going] = []
    with ExitStack() as stack:
        stack.enter_context(shared_records())
        for case in cases:
            digest = case["case"]
            if deaths[digest] >= MOST_DEATHS:
                text = f"the process that ran it was killed {deaths[digest]} times, perhaps for want of memory"
                store.commit(digest, {"outcome": FAILED, "kind": "killed", "message": text})
                continue
            store.mark(digest)
            vigil.doing[digest] = 0.0
            one = _Going(store, case, wanted)
            if one.tried(one.begin):
                going.append(one)
            else:
                vigil.doing.pop(digest, None)
        while going:
            for one in list(going):
                if not one.tried(one.advance) or one.finished:
                    going.remove(one)
                    vigil.doing.pop(one.digest, None)
                else:
                    vigil.doing[one.digest] = one.time


class _Going:
    """One case that is being run."""

    def __init__(self, store: Store, case: dict[str, Any], wanted: dict[str, Any]) -> None:
        self.store, self.case, self.wanted = store, case, wanted
        self.digest: str = case["case"]
        self.finished, self.time, self.seconds = False, 0.0, 0.0

    def tried(self, step: Any) -> bool:
        """Take a step; a failure is committed as the result of the case."""
        began = wall.monotonic()
        try:
            step()
            return True
        except FairleadError as error:
            kind, text = type(error).__name__, str(error)
        except MemoryError as error:
            kind, text = "memory", f"there is not enough memory: {error}"
        except Exception as error:  # a fault of ours fails one case, and is told as what it is
            kind, text = "fault", f"a fault of Fairlead's own: {error!r}"
        finally:
            self.seconds += wall.monotonic() - began
        failed = {"outcome": FAILED, "kind": kind, "message": text, "seconds": self.seconds}
        self.store.commit(self.digest, failed)
        return False

    def begin(self) -> None:
        """Build the model and bring it to its start."""
        model = varied_model(self.store, self.case)
        options = run_options(model, self.case["options"])
        self.simulation, _ = started(model, options)
        need_memory(self.simulation)
        self.simulation.prepare()
        self.sink = MemorySink(self.simulation)

    def advance(self) -> None:
        """Take one chunk; after the last, sum up and commit."""
        if not self.simulation.finished:
            rows = self.simulation.advance()
            if len(rows):
                self.sink.take(rows)
            self.time = self.simulation.time
        if self.simulation.finished:
            self._commit()
            self.finished = True

    def _commit(self) -> None:
        from fairlead.results.dataset import make_dataset
        from fairlead.results.netcdf import write_netcdf

        simulation, rows = self.simulation, self.sink.rows()
        attributes = attributes_of(simulation, "complete", 0.0, [rows])
        data = make_dataset(simulation.compiled, split_record(rows, simulation.compiled), attributes)
        found = summed(data, self.wanted)
        if self.wanted["keep"] != "statistics":
            step = self.wanted["decimate"] or 1
            write_netcdf(data.isel(time=np.arange(0, data.sizes["time"], step)), self.store.run_file(self.digest))
        found |= {"outcome": DONE, "seconds": self.seconds, "simulated": float(simulation.clock.end)}
        self.store.commit(self.digest, found)


def varied_model(store: Store, case: dict[str, Any]) -> Model:
    """Return the model of a case."""
    if case.get("missing"):
        raise InvalidInput(case["missing"])
    base = base_model(str(store.directory), case["model"])
    return base.with_(case["changes"]) if case["changes"] else base


@lru_cache(maxsize=16)
def base_model(directory: str, digest: str) -> Model:
    """Return a model that is varied, read once by each process."""
    from fairlead.model.checks.checked import seal
    from fairlead.model.reading import VERSION, read_data

    model, found = read_data({"fairlead": VERSION, **Store(directory).model(digest)}, Model)
    if model is None:
        raise InvalidInput(str(found[0].message))
    return seal(model)
