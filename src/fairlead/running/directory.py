"""A run on disk: a directory with the model, a log, checkpoints and at the end the result; resumable to the bit."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import threading
import time as wall
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import fairlead
from fairlead.core.compiled import source_hash
from fairlead.errors import CheckpointUnusable, FairleadError, FilesFailure, Interrupted, NumericalFailure
from fairlead.model.files import content_hash, files_of
from fairlead.model.schema import Model
from fairlead.results.netcdf import open_result, stream_netcdf
from fairlead.running.files import (
    ChunkLog,
    pack_checkpoint,
    read_checkpoint,
    replace_file,
    write_checkpoint,
    write_json,
)
from fairlead.running.progress import reporter
from fairlead.running.run import attributes_of, continue_signs, model_hash, split_record
from fairlead.running.simulation import Simulation

MODEL, RUN, STATUS, LOG, CHECKPOINT, RESULT = (
    "model.yaml",
    "run.json",
    "status.json",
    "results.log",
    "checkpoint",
    "result.nc",
)
COMMIT_SECONDS = 1.0


class RunDirectory:
    """The files of one run and what they say about it."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __truediv__(self, name: str) -> Path:
        return self.path / name

    def status(self, state: str, simulation: Simulation, reason: str = "") -> None:
        """Write status.json."""
        content = {"state": state, "time": simulation.time, "duration": simulation.clock.end, "reason": reason}
        if state != "complete":
            content["resume"] = f"fairlead resume {self.path.name}"
        write_json(self / STATUS, content)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Hold the directory against a second run; the lock ends with the process, however it ends."""
        try:
            import fcntl
        except ImportError:  # pragma: no cover - no such locks on this system
            yield
            return
        with open(self / "lock", "a+") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                file.seek(0)
                raise FilesFailure(f"{self.path} is in use by another run ({file.read().strip()})") from None
            file.truncate(0)
            file.write(f"process {os.getpid()} on {socket.gethostname()}\n")
            file.flush()
            yield
        (self / "lock").unlink(missing_ok=True)


def run_in_directory(
    model: Model, options: dict[str, Any], path: Path, *, progress: Any = None, overwrite: bool = False
) -> Any:
    """Run `model` into a new directory and return its result."""
    from fairlead.model.write_yaml import to_yaml

    text = to_yaml(model)  # a model that cannot be saved could not be resumed: say so before anything is written
    simulation = Simulation(model, **options)
    aside = _make_directory(path, overwrite)
    directory = RunDirectory(path)
    with directory.locked():
        replace_file(directory / MODEL, text.encode())
        about = {"fairlead": fairlead.__version__, "kernels": source_hash(), "model": model_hash(model)}
        files = {name: content_hash(name) for name in files_of(model)}
        write_json(directory / RUN, {**about, "files": files, "options": options})
        log = ChunkLog(directory / LOG, simulation.buffer.shape[1])
        log.create()
        directory.status("running", simulation)
        result = _carry_on(directory, simulation, log, None, progress)
    if aside is not None:
        shutil.rmtree(aside, ignore_errors=True)
    return result


def _make_directory(path: Path, overwrite: bool) -> Path | None:
    """Create the directory; an old one is refused, or moved aside until the new run is complete."""
    aside = None
    if path.exists():
        if not overwrite:
            raise FilesFailure(f"{path} exists; choose another directory, resume it, or overwrite it (--overwrite)")
        if path.is_dir() and any(path.iterdir()) and not (path / RUN).exists():
            raise FilesFailure(f"{path} is not a run of Fairlead, so it is not overwritten; choose another directory")
        aside = path.with_name(f"{path.name}-old-{os.getpid()}")
        os.replace(path, aside)
    try:
        path.mkdir(parents=True)
    except OSError as error:
        raise FilesFailure(f"cannot create {path}: {error.strerror}") from error
    return aside


def resume_directory(path: Path, *, progress: Any = None) -> tuple[Any, list[str]]:
    """Carry a run on from its checkpoint; return its result and warnings."""
    from fairlead.model.read_yaml import load

    directory = RunDirectory(path)
    if not (directory / RUN).exists():
        raise FilesFailure(f"{path} is not a run directory (it has no {RUN})")
    with directory.locked():
        status = json.loads((directory / STATUS).read_text()) if (directory / STATUS).exists() else {}
        if status.get("state") == "complete" and (directory / RESULT).exists():
            return open_result(directory / RESULT), ["this run is complete already"]
        about = json.loads((directory / RUN).read_text())
        model = load(directory / MODEL)
        _same("model", about["model"], model_hash(model))
        _same("version of the kernels", about["kernels"], source_hash())
        for name, then in about.get("files", {}).items():
            _same(f"file '{name}'", then, content_hash(name) or "gone")
        simulation = Simulation(model, **about["options"])
        log = ChunkLog(directory / LOG, simulation.buffer.shape[1])
        if not (directory / CHECKPOINT).exists() and not (directory / f"{CHECKPOINT}.old").exists():
            log.create()  # the run ended before its first commit: begin again
            return _carry_on(directory, simulation, log, None, progress), [
                "no checkpoint was written yet: started anew"
            ]
        header, arrays, wrong = read_checkpoint(directory / CHECKPOINT)
        _same("model", about["model"], header["model"])
        simulation.restore({**arrays, "step": header["step"], "started": header["started"]})
        log.resume(header["log_length"])
        return _carry_on(directory, simulation, log, arrays["last_row"], progress), wrong


def _same(what: str, then: str, now: str) -> None:
    if then != now:
        raise CheckpointUnusable(
            f"the {what} changed since the run was started ({then} then, {now} now), "
            "so it cannot go on as if nothing had happened; run it anew"
        )


def _carry_on(directory: RunDirectory, simulation: Simulation, log: ChunkLog, last_row: Any, progress: Any) -> Any:
    """Advance to the end, committing as it goes, and leave a result whatever happens."""
    from threadpoolctl import threadpool_limits

    simulation.prepare()
    started, committed = wall.monotonic(), wall.monotonic()
    outcome, failure = "complete", None
    name = simulation.compiled.model.name
    with (
        threadpool_limits(limits=1),
        _stop_signals() as stopped,
        reporter(progress, simulation.clock.end, name) as report,
    ):
        while not simulation.finished:
            try:
                rows = simulation.advance()
            except NumericalFailure as error:
                rows, failure, outcome = getattr(error, "rows", simulation.buffer[:0]), error, "failed"
            if len(rows):
                continue_signs(rows, last_row, simulation.compiled)
                log.append(rows)
                last_row = rows[-1]
            if failure:
                break
            report(simulation.time)
            if stopped:
                outcome = "interrupted"
                break
            if wall.monotonic() - committed > COMMIT_SECONDS:
                _commit(directory, simulation, log, last_row)
                committed = wall.monotonic()
    if failure:
        log.sync()  # no checkpoint is made of a state that failed
    else:
        _commit(directory, simulation, log, last_row)
    log.close()
    status = outcome if not failure else f"failed: {failure}"
    attributes = attributes_of(simulation, status, wall.monotonic() - started, log.chunks())
    _finish(directory, simulation, log, attributes)
    directory.status(outcome, simulation, str(failure or ""))
    _raise_if_needed(directory, simulation, failure, stopped)
    (directory / LOG).unlink(missing_ok=True)
    return open_result(directory / RESULT)


def _raise_if_needed(
    directory: RunDirectory, simulation: Simulation, failure: FairleadError | None, stopped: list[int]
) -> None:
    kept = f"what was computed is in {directory / RESULT}"
    if failure:
        raise NumericalFailure(f"{failure}; {kept}") from failure
    if stopped and not simulation.finished:
        raise Interrupted(
            f"stopped at t = {simulation.time:.6g} s; {kept}; go on with: fairlead resume {directory.path}",
            128 + stopped[0],
        )


def _commit(directory: RunDirectory, simulation: Simulation, log: ChunkLog, last_row: Any) -> None:
    """Bring the log to disk, then the checkpoint that says how long it is."""
    length = log.sync()
    state = simulation.state()
    header = {
        "fairlead": fairlead.__version__,
        "model": model_hash(simulation.compiled.model),
        "step": state["step"],
        "started": state["started"],
        "time": simulation.time,
        "log_length": length,
    }
    arrays = {name: value for name, value in state.items() if name not in ("step", "started")}
    arrays["last_row"] = last_row
    write_checkpoint(directory / CHECKPOINT, pack_checkpoint(header, arrays))


def _finish(directory: RunDirectory, simulation: Simulation, log: ChunkLog, attributes: dict[str, Any]) -> None:
    """Make the NetCDF file from the log."""
    rows = sum(len(chunk) for chunk in log.chunks())
    records = (split_record(chunk, simulation.compiled) for chunk in log.chunks())
    stream_netcdf(simulation.compiled, rows, records, attributes, directory / RESULT)


@contextmanager
def _stop_signals() -> Iterator[list[int]]:
    """Give a list that holds the signal once the user or the system asks to stop; a second one stops at once."""
    asked: list[int] = []
    if threading.current_thread() is not threading.main_thread():
        yield asked
        return

    def handle(number: int, frame: Any) -> None:
        asked.append(number)
        signal.signal(number, before[signal.Signals(number)])

    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    for number in before:
        signal.signal(number, handle)
    try:
        yield asked
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
