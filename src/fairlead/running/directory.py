"""A run on disk: a directory with the model, a log, checkpoints and at the end the result; resumable to the bit."""

from __future__ import annotations

import errno
import signal
import threading
import time as wall
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import fairlead
from fairlead.core.jit.cache import source_hash
from fairlead.errors import CheckpointUnusable, FairleadError, FilesFailure, Interrupted, InvalidInput
from fairlead.formats.load import load
from fairlead.formats.yaml.write import to_yaml
from fairlead.model.files import content_hash, files_of
from fairlead.model.loads.functions import code_hash, functions_of, giving
from fairlead.model.schema import Model
from fairlead.results.checksum import checksum
from fairlead.results.netcdf import stream_netcdf
from fairlead.results.reading import RESULT, RUN, open_result
from fairlead.running.checkpoint import pack_checkpoint, write_checkpoint
from fairlead.running.files import CHECK, digest_of, replace_file, write_json
from fairlead.running.lock import locked
from fairlead.running.log import ChunkLog
from fairlead.running.loop import Ending, run_through
from fairlead.running.partners.exchanged import tables_of
from fairlead.running.partners.together import rejoin, write_together
from fairlead.running.ramp import DRAWING
from fairlead.running.record import attributes_of, continue_signs, model_hash, split_record
from fairlead.running.resumable import (
    compare_rows,
    complete_already,
    is_complete,
    must_be_run,
    read_about,
    refuse_unsaved,
    rows_done,
    same,
    take_up,
)
from fairlead.running.room import need_disk
from fairlead.running.run_directory import CHECKPOINT, LOG, MODEL, START, RunDirectory
from fairlead.running.simulation import Simulation
from fairlead.running.starting import begun, keep, started
from fairlead.units import short

COMMIT_SECONDS = 1.0
DISK = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EROFS)  # full, or broken


def run_in_directory(
    model: Model,
    options: dict[str, Any],
    path: Path,
    *,
    progress: Any = None,
    overwrite: bool = False,
    say: Callable[[str], Any] = warnings.warn,
) -> Any:
    """Run `model` into a new directory and return its result; `say` is told what the user should know."""

    text = to_yaml(model, named=True)
    simulation, state = started(model, options)
    options = options | {"start": simulation.origin}
    need_disk(simulation, path)
    for note in simulation.notes:
        say(note)
    directory = RunDirectory(path)
    with directory.taken(overwrite, say):
        if state is not None:
            keep(state, directory / START)
        about = _about(model, options, "" if state is None else checksum(directory / START))
        write_json(directory / RUN, about)
        replace_file(directory / MODEL, text.encode())
        log = ChunkLog(directory / LOG, simulation.buffer.shape[1])
        with _kept(directory, simulation, log):
            directory.status("running", simulation)
            log.create()
            return _carry_on(DirectorySink(directory, simulation, log, about, None), progress, say)


def _about(model: Model, options: dict[str, Any], start: str = "") -> dict[str, Any]:
    """Return the content of run.json: with which versions, model, files and options the run was started."""
    about: dict[str, Any] = {"fairlead": fairlead.__version__, "kernels": source_hash(), "model": model_hash(model)}
    about |= {"files": {name: content_hash(name) for name in files_of(model)}, "options": options}
    if start:
        about["start"] = start
    if functions := functions_of(model):
        about["functions"] = {name: code_hash(function) for name, function in functions.items()}
    return {**about, CHECK: digest_of(about)}


def resume_directory(
    path: Path, *, progress: Any = None, functions: Mapping[str, Any] | None = None
) -> tuple[Any, list[str]]:
    """Carry a run on from its checkpoint; return its result and warnings. `functions` are those of its model."""
    directory = RunDirectory(path)
    must_be_run(directory)
    notes: list[str] = []
    with locked(path):
        directory.tidy()
        if directory.has(RESULT) and is_complete(directory):
            return complete_already(directory)
        if (directory / RESULT).is_dir():
            raise FilesFailure(f"{directory / RESULT} is a directory; move it away, then resume again")
        about = read_about(directory, notes)
        simulation = _simulation_of(directory, about, functions or {})
        log = ChunkLog(directory / LOG, simulation.buffer.shape[1])
        refuse_unsaved(simulation.compiled.model, directory)
        last_row = take_up(directory, simulation, log, about, notes)
        rejoin(simulation)
        with _kept(directory, simulation, log):
            directory.status("running", simulation)
            return _carry_on(DirectorySink(directory, simulation, log, about, last_row), progress, notes.append), notes


def _simulation_of(directory: RunDirectory, about: dict[str, Any], functions: Mapping[str, Any]) -> Simulation:
    """Return the simulation of a run directory at its start; CheckpointUnusable if it would not be the same one."""

    if (directory / MODEL).is_symlink() or not (directory / MODEL).is_file():
        what = "is a link, which is not followed" if (directory / MODEL).is_symlink() else "is missing"
        raise FilesFailure(f"{directory / MODEL} {what}; run the model anew, with --overwrite")
    _compare_functions(directory, about.get("functions", {}), functions)
    with giving(functions):
        model = load(directory / MODEL)
    same("model", about["model"], model_hash(model))
    same("version of the kernels", about["kernels"], source_hash())
    for name, then in about.get("files", {}).items():
        same(f"file '{name}'", then, content_hash(name) or "gone")
    state, options = _state_kept(directory, about.get("start", "")), about["options"]
    try:
        return begun(model, options, options.get("start", DRAWING), state)
    except TypeError as error:
        raise CheckpointUnusable(f"{RUN} has options that this version does not know ({error}); run it anew") from None


def _state_kept(directory: RunDirectory, then: str) -> Any:
    """Return the state in which a run was started, None for the drawing; CheckpointUnusable if it is another now."""
    if not then:
        return None
    try:
        now = checksum(directory / START)
        state = open_result(directory / START).load()
    except (OSError, FilesFailure):
        raise CheckpointUnusable(f"{directory / START}, where the run started, is missing or damaged") from None
    same(f"start in {START}", then, now)
    state.close()
    return state


def _compare_functions(directory: RunDirectory, then: dict[str, str], now: Mapping[str, Any]) -> None:
    """Raise an error unless the functions given are those with which the run was started, as far as their code says."""
    unknown = [name for name in now if name not in then]
    if missing := [name for name in then if name not in now]:
        wrong = f"the run has no function of a load or controller '{unknown[0]}'; " if unknown else ""
        raise InvalidInput(
            f"{wrong}no file holds the Python function of '{missing[0]}'; go on from Python, giving it again: "
            f"{directory.how_to_resume_with(then)}"
        )
    if unknown:
        text = f"the run in {directory.path} has no function of a load or controller '{unknown[0]}'; leave it out"
        raise InvalidInput(text)
    for name, code in then.items():
        if not callable(now[name]):
            raise InvalidInput(f"functions: '{name}' must be a function; got {short(now[name])}")
        same(f"function of '{name}'", code, code_hash(now[name]))


@contextmanager
def _kept(directory: RunDirectory, simulation: Simulation, log: ChunkLog) -> Iterator[None]:
    """Say how to go on where a file cannot be written, also in status.json, and close the log whatever happens.

    No error leaves a run that says it is running.
    """
    try:
        yield
    except OSError as error:
        if not (isinstance(error, FilesFailure) or error.errno in DISK):
            directory.status_failed(simulation, f"{type(error).__name__}: {error}")
            raise
        said = str(error) if isinstance(error, FilesFailure) else f"cannot write {directory.path}: {error.strerror}"
        log.close()
        directory.status_failed(simulation, said)
        how = directory.how_to_resume(simulation.compiled.model)
        again = f"what was committed is kept; mend it, then go on with: {how}"
        raise FilesFailure(f"{said}; {again}{directory.kept_earlier()}") from error
    except FairleadError:  # said in status.json already, or nothing was run
        raise
    except Exception as error:
        log.close()
        directory.status_failed(simulation, f"{type(error).__name__}: {error}")
        raise
    finally:
        log.close()


class DirectorySink:
    """Writes rows into the log of a run directory, and now and then a checkpoint that says how many they are."""

    def __init__(
        self, directory: RunDirectory, simulation: Simulation, log: ChunkLog, about: dict[str, Any], last_row: Any
    ) -> None:
        self.directory, self.simulation, self.log = directory, simulation, log
        self.about, self.last_row = about, last_row
        self.committed = wall.monotonic()

    def stops(self) -> AbstractContextManager[list[int]]:
        """Give the list of signals that asked the run to stop; the time to the first checkpoint counts from here."""
        self.committed = wall.monotonic()
        return _stop_signals()

    def take(self, rows: Any) -> None:
        """Append rows to the log, their quaternions and angles continued from the last row."""
        continue_signs(rows, self.last_row, self.simulation.compiled)
        self.log.append(rows)
        self.last_row = rows[-1]

    def rest(self) -> None:
        """Write a checkpoint if the last one is old; a coupled run has its first one at its start."""
        late = wall.monotonic() - self.committed > COMMIT_SECONDS
        if late or (self.simulation.coupled and not self.directory.has(CHECKPOINT)):
            self.commit()
            self.directory.status("running", self.simulation)  # with the time reached
            self.committed = wall.monotonic()

    def commit(self) -> None:
        """Write a checkpoint of the state reached, with those of the partners where it has some."""
        if not write_together(self.simulation):
            return
        _commit(self.directory, self.simulation, self.log, self.about, self.last_row)


def _carry_on(sink: DirectorySink, progress: Any, say: Callable[[str], Any]) -> Any:
    """Advance to the end, committing as it goes, and leave a result whatever happens."""
    directory, simulation, log = sink.directory, sink.simulation, sink.log
    ending = run_through(simulation, sink, progress)
    if ending.failure:
        log.sync()  # no checkpoint is made of a state that failed
    else:
        compare_rows(log, rows_done(simulation))
        sink.commit()
    log.close()
    _finish(directory, simulation, log, attributes_of(simulation, ending.status, ending.seconds, log.chunks()))
    directory.status(ending.outcome, simulation, str(ending.failure or ""), log.rows)
    _raise_if_needed(directory, simulation, ending)
    (directory / LOG).unlink(missing_ok=True)
    if left := directory.drop_earlier():
        say(left)
    return open_result(directory / RESULT, checked=True)


def _raise_if_needed(directory: RunDirectory, simulation: Simulation, ending: Ending) -> None:
    kept = f"what was computed is in {directory / RESULT}{directory.kept_earlier()}"
    if ending.failure:
        again = ""
        if simulation.coupled and directory.has(CHECKPOINT):
            again = f"; go on with: {directory.how_to_resume(simulation.compiled.model)}"
        raise type(ending.failure)(f"{ending.failure}; {kept}{again}") from ending.failure
    if ending.stopped:
        how = directory.how_to_resume(simulation.compiled.model)
        raise Interrupted(f"stopped at t = {simulation.time:.6g} s; {kept}; go on with: {how}", 128 + ending.stopped)


def _commit(
    directory: RunDirectory, simulation: Simulation, log: ChunkLog, about: dict[str, Any], last_row: Any
) -> None:
    """Bring the log to disk, then the checkpoint that says how long it is."""
    length = log.sync()
    state = simulation.state()
    header = {
        "fairlead": fairlead.__version__,
        "model": about["model"],
        "run": about,
        "step": state["step"],
        "started": state["started"],
        "time": simulation.time,
        "log_length": length,
        "log_digest": log.digest,
    }
    arrays = {name: value for name, value in state.items() if name not in ("step", "started")}
    arrays["last_row"] = last_row
    write_checkpoint(directory / CHECKPOINT, pack_checkpoint(header, arrays))


def _finish(directory: RunDirectory, simulation: Simulation, log: ChunkLog, attributes: dict[str, Any]) -> None:
    """Make the NetCDF file from the log."""
    records = (split_record(chunk, simulation.compiled) for chunk in log.chunks())
    stream_netcdf(simulation.compiled, log.rows, records, attributes, directory / RESULT, tables_of(simulation))


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
