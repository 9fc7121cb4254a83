"""The conductor of a study: hands batches to workers, writes the ledger, starts workers anew where all stand still."""

from __future__ import annotations

import json
import time as wall
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fairlead.errors import FilesFailure, StudyIncomplete
from fairlead.running.ensembles.cases import Case, Plan
from fairlead.running.ensembles.crew import Crew
from fairlead.running.ensembles.store import DONE, FAILED, LEDGER, Ledger, Store
from fairlead.running.ensembles.work import run_batch

LOOK = 0.2  # [s] between looks at the batches that are out
STILL = 20.0  # [s] without a sign of life or a result, after which workers are started anew
TRIES = 5  # times that workers are started anew without a single result between them
BATCH = 12  # cases side by side at most


@dataclass
class State:
    """How far a study is: what each case came to, which are being run, and since when."""

    plan: Plan
    done: dict[str, dict[str, Any]] = field(default_factory=dict)  # results by hash
    failed: dict[str, dict[str, Any]] = field(default_factory=dict)
    running: dict[str, float] = field(default_factory=dict)  # simulated time reached
    simulated: float = 0.0  # seconds, since this start
    began: float = field(default_factory=wall.monotonic)
    fresh: int = 0  # results since this start
    rebuilt: int = 0

    @property
    def counts(self) -> tuple[int, int, int]:
        """Return how many cases are done, failed, and in all; two that are the same case count twice."""
        digests = [case.digest for case in self.plan.cases]
        return sum(one in self.done for one in digests), sum(one in self.failed for one in digests), len(digests)

    @property
    def waiting(self) -> list[Case]:
        """Return the cases that have no outcome yet, each once."""
        found = {case.digest: case for case in self.plan.cases}
        return [case for digest, case in found.items() if digest not in self.done and digest not in self.failed]


class Conductor:
    """Runs the cases of a plan that have no result yet."""

    def __init__(self, plan: Plan, store: Store, *, retry: bool = False) -> None:
        self.plan, self.store = plan, store
        self.ledger = Ledger(store.directory / LEDGER)
        self.state = State(plan)
        self._recall(retry)

    def _recall(self, retry: bool) -> None:
        """Take over what is on disk: a case counts if its result is whole, whatever the ledger still knows of it."""
        late = []
        for case in {case.digest: case for case in self.plan.cases}.values():
            result = self.store.result(case.digest)
            if result is None:
                continue
            if result["outcome"] == FAILED and retry:
                self.store.case_file(case.digest).unlink(missing_ok=True)
                continue
            self._file(case.digest, result)
            if self.ledger.outcomes.get(case.digest, {}).get("check") != result["check"]:
                late.append(self._entry(case.digest, result))
        self.ledger.add(*late)

    def _file(self, digest: str, result: dict[str, Any]) -> None:
        (self.state.done if result["outcome"] == DONE else self.state.failed)[digest] = result

    def _entry(self, digest: str, result: dict[str, Any]) -> dict[str, Any]:
        names = ("outcome", "kind", "message", "seconds", "check")
        return {"case": digest} | {name: result[name] for name in names if name in result}

    def batches(self, workers: int) -> list[dict[str, Any]]:
        """Return the cases that wait, in batches that share waves and wind, small enough to keep all workers busy."""
        groups: dict[str, list[Case]] = {}
        for case in self.state.waiting:
            groups.setdefault(case.records, []).append(case)
        most = max(1, min(BATCH, -(-len(self.state.waiting) // (2 * workers))))
        return [
            self._job(group[first : first + most]) for group in groups.values() for first in range(0, len(group), most)
        ]

    def _job(self, cases: list[Case]) -> dict[str, Any]:
        return {
            "directory": str(self.store.directory),
            "wanted": self.plan.wanted,
            "cases": [
                {"case": one.digest, "model": one.base.digest, "missing": one.base.missing}
                | {"changes": one.changes, "options": self.plan.options}
                for one in cases
            ],
        }

    def run(self, crew: Crew, tell: Callable[[State], None]) -> None:
        """Run all that waits; Ctrl-C ends it cleanly, and what is committed stays."""
        out = self._hand_out(crew)
        still, tries, signs = 0.0, 0, ""  # seconds without a sign, as far as this process lived through them
        while self.state.waiting:
            looked = wall.monotonic()
            wall.sleep(LOOK)
            still += min(wall.monotonic() - looked, 2.0 * LOOK)  # a machine that slept is no worker that did
            if self._gather(out):
                still, tries = 0.0, 0
            now = self._signs()
            if now != signs:
                still, signs = 0.0, now
            lost = [future for future in out if future.status in ("cancelled", "lost")]
            if (lost and crew.alive()) or (not out and self.state.waiting):
                self._again(out, crew)
            elif still > STILL or not crew.alive():
                tries += 1
                if tries > TRIES:
                    raise StudyIncomplete(f"workers were started {TRIES} times and did nothing; what is done is kept")
                self._rebuild(out, crew)
                still = 0.0
            tell(self.state)

    def _hand_out(self, crew: Crew) -> dict[Any, dict[str, Any]]:
        return {crew.submit(run_batch, job): job for job in self.batches(max(1, crew.processes()))}

    def _gather(self, out: dict[Any, dict[str, Any]]) -> bool:
        """Take over the results that batches which ended have committed; return whether there are any."""
        found = False
        for future in [one for one in out if one.status in ("finished", "error")]:
            job = out.pop(future)
            error = future.exception() if future.status == "error" else None
            found = self._take([case["case"] for case in job["cases"]]) or found
            left = [case["case"] for case in job["cases"] if case["case"] in {one.digest for one in self.state.waiting}]
            if error is not None and type(error).__name__ != "KilledWorker":
                self._blame(left, error)
                found = True
        return found

    def _take(self, digests: list[str]) -> bool:
        """Write the results that cases have on disk into the ledger; return whether any is new."""
        lines = []
        for digest in digests:
            if digest in self.state.done or digest in self.state.failed:
                continue
            result = self.store.result(digest)
            if result is not None:
                self._file(digest, result)
                self.state.fresh += 1
                self.state.simulated += float(result.get("simulated", 0.0))
                lines.append(self._entry(digest, result))
        self.ledger.add(*lines)
        return bool(lines)

    def _blame(self, digests: list[str], error: BaseException) -> None:
        """Write down the error of a batch that could not even be run."""
        if isinstance(error, FilesFailure | OSError):
            raise FilesFailure(f"a worker could not use {self.store.directory}: {error}") from error
        for digest in digests:
            text = f"a worker could not run it: {error!r:.300}"
            self.store.commit(digest, {"outcome": FAILED, "kind": "worker", "message": text})
        self._take(digests)

    def _signs(self) -> str:
        """Return the signs of life of all workers as a text that changes while any of them lives and works."""
        self.state.running = {}
        found = []
        for file in sorted((self.store.mark_file("x").parent).glob("*.alive")):
            with suppress(OSError, ValueError):
                found.append(f"{file.name} {file.stat().st_mtime_ns}")
                self.state.running |= json.loads(file.read_text())
        known = self.state.done.keys() | self.state.failed.keys()
        self.state.running = {one: time for one, time in self.state.running.items() if one not in known}
        return "\n".join(found)

    def _again(self, out: dict[Any, dict[str, Any]], crew: Crew) -> None:
        """Hand out anew what waits, after taking over what was committed."""
        self._take([case.digest for case in self.state.waiting])
        with suppress(Exception):
            crew.client.cancel(list(out), force=True)
        out.clear()
        out.update(self._hand_out(crew))

    def _rebuild(self, out: dict[Any, dict[str, Any]], crew: Crew) -> None:
        """Start workers anew from the ledger."""
        self.state.rebuilt += 1
        self._take([case.digest for case in self.state.waiting])
        for file in (self.store.mark_file("x").parent).glob("*.alive"):
            file.unlink(missing_ok=True)
        crew.rebuild()
        if not crew.alive():
            raise StudyIncomplete(
                "the dask scheduler does not answer any more; what is done is kept, start the study again"
            )
        self._again(out, crew)


@contextmanager
def swept(store: Store) -> Iterator[Path]:
    """Keep the directory tidy: what workers left is removed before and after."""
    store.sweep()
    try:
        yield store.directory
    finally:
        store.sweep()
