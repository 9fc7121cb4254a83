"""A study on disk: the result of each case, whole or not at all, and the ledger, which is the truth about all of them.

study.json      what the directory is
ledger          a line per outcome, each with its checksum; lines are only ever added
models/         the models that are varied, by their hash
cases/          the result of each case by its hash: statistics, or why it failed
runs/           records of runs, where they are kept
running/        marks of the cases that are being run, and signs of life of workers
"""

from __future__ import annotations

import json
import os
import shutil
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from fairlead.errors import FilesFailure
from fairlead.results.atomic import open_own, read_own, sync_directory
from fairlead.running.files import CHECK, digest_of, read_json, write_json

WHAT, LEDGER = "study.json", "ledger"
MODELS, CASES, RUNS, RUNNING, SCRATCH = "models", "cases", "runs", "running", "scratch"
DONE, FAILED = "done", "failed"


class Store:
    """The directory of a study, as workers and the one that conducts them see it."""

    def __init__(self, directory: str | os.PathLike[str]) -> None:
        self.directory = Path(directory).absolute()

    def create(self, name: str) -> None:
        """Make the directory if it is not there; FilesFailure if it is something else."""
        if self.directory.exists() and not self.directory.is_dir():
            raise FilesFailure(f"{self.directory} is a file; choose another directory with --out")
        if self.directory.is_dir() and any(self.directory.iterdir()) and not (self.directory / WHAT).is_file():
            raise FilesFailure(f"{self.directory} is not the directory of a study; choose another with --out")
        try:
            for part in (MODELS, CASES, RUNNING):
                (self.directory / part).mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise FilesFailure(f"cannot make {self.directory}: {error.strerror}") from error
        if not (self.directory / WHAT).is_file():
            write_json(self.directory / WHAT, {"fairlead_study": 1, "name": name})

    # Models

    def put_model(self, digest: str, data: dict[str, Any]) -> None:
        """Keep the words of a model for the workers."""
        path = self.directory / MODELS / f"{digest}.json"
        if not path.is_file():
            write_json(path, data)

    def model(self, digest: str) -> dict[str, Any]:
        """Return the words of a model."""
        found = read_json(self.directory / MODELS / f"{digest}.json")
        if found is None:
            raise FilesFailure(f"{self.directory / MODELS / digest}.json is missing or damaged; start the study again")
        return found

    # Results of cases

    def case_file(self, digest: str) -> Path:
        """Return where the result of a case is."""
        return self.directory / CASES / f"{digest}.json"

    def run_file(self, digest: str) -> Path:
        """Return where the record of a case's run is, if it is kept."""
        (self.directory / RUNS).mkdir(exist_ok=True)
        return self.directory / RUNS / f"{digest}.nc"

    def commit(self, digest: str, result: dict[str, Any]) -> None:
        """Write the result of a case, all or nothing, and take its mark away."""
        result = {"case": digest, **result}
        write_json(self.case_file(digest), {**result, CHECK: digest_of(result)})
        self.mark_file(digest).unlink(missing_ok=True)

    def result(self, digest: str) -> dict[str, Any] | None:
        """Return the result of a case, or None where it is missing or its checksum does not hold."""
        found = read_json(self.case_file(digest))
        whole = found is not None and found.get("case") == digest and found.get(CHECK) == digest_of(found)
        return found if whole else None

    # Marks of cases that are being run

    def mark_file(self, digest: str) -> Path:
        """Return the mark of a case."""
        return self.directory / RUNNING / f"{digest}.mark"

    def deaths(self, digest: str) -> int:
        """Return how often a process ended while it ran a case."""
        try:
            return read_own(self.mark_file(digest)).count(b"\n")
        except OSError:
            return 0

    def mark(self, digest: str) -> None:
        """Note that a case begins; the line stays if its process does not live to commit it."""
        handle = open_own(self.mark_file(digest), os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        with os.fdopen(handle, "ab") as file:
            file.write(f"{os.getpid()}\n".encode())

    def sweep(self) -> None:
        """Forget the marks of an earlier start and what workers left lying about."""
        for part in (RUNNING, SCRATCH):
            shutil.rmtree(self.directory / part, ignore_errors=True)
        (self.directory / RUNNING).mkdir(exist_ok=True)
        for left in (self.directory / CASES).glob(".*.tmp"):
            left.unlink(missing_ok=True)


class Ledger:
    """Lines that say what became of each case; only the one that holds the directory writes them."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.outcomes: dict[str, dict[str, Any]] = {}  # the last line of each case
        self.damaged = 0
        self._read()

    def _read(self) -> None:
        handle = open_own(self.path, os.O_RDWR | os.O_CREAT)
        with os.fdopen(handle, "r+b") as file:
            content = file.read()
            for line in _lines(content):
                if line is None:
                    self.damaged += 1
                else:
                    self.outcomes[line["case"]] = line
            whole = content.rfind(b"\n") + 1
            if whole != len(content):  # the end of a line that was being written when its process was killed
                file.truncate(whole)
        sync_directory(self.path.parent)

    def add(self, *lines: dict[str, Any]) -> None:
        """Add lines and bring them to the disk."""
        if not lines:
            return
        handle = open_own(self.path, os.O_WRONLY | os.O_APPEND)
        with os.fdopen(handle, "ab") as file:
            file.write(b"".join(_line(one) for one in lines))
            file.flush()
            os.fsync(file.fileno())
        for one in lines:
            self.outcomes[one["case"]] = one


def _line(content: dict[str, Any]) -> bytes:
    text = json.dumps(content, sort_keys=True).encode()
    return b"%08x %s\n" % (zlib.crc32(text), text)


def _lines(content: bytes) -> Iterator[dict[str, Any] | None]:
    """Give the lines of a ledger, None for one whose checksum does not hold."""
    for line in content.split(b"\n")[:-1]:
        head, _, text = line.partition(b" ")
        try:
            found = json.loads(text) if int(head, 16) == zlib.crc32(text) else None
        except ValueError:
            found = None
        yield found if isinstance(found, dict) and "case" in found and "outcome" in found else None
