"""A run on disk: a directory with the model, a log, checkpoints and at the end the result; resumable to the bit."""

from __future__ import annotations

import signal
import threading
import time as wall
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import fairlead
from fairlead.core.jit.kernel import source_hash
from fairlead.errors import CheckpointUnusable, FairleadError, FilesFailure, Interrupted, InvalidInput, NumericalFailure
from fairlead.model.files import content_hash, files_of
from fairlead.model.loads.functions import code_hash, functions_of, giving
from fairlead.model.schema import Model
from fairlead.results.netcdf import stream_netcdf
from fairlead.results.reading import RESULT, RUN, open_result, read_status, verify_result
from fairlead.running.checkpoint import checkpoints, pack_checkpoint, write_checkpoint
from fairlead.running.files import CHECK, digest_of, read_json, replace_file, write_json
from fairlead.running.lock import locked
from fairlead.running.log import ChunkLog
from fairlead.running.progress import reporter
from fairlead.running.room import need_disk
from fairlead.running.run import attributes_of, continue_signs, model_hash, split_record
from fairlead.running.run_directory import CHECKPOINT, EARLIER, LOG, MODEL, RunDirectory
from fairlead.running.simulation import Simulation
from fairlead.units import short

COMMIT_SECONDS = 1.0


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
    from fairlead.formats.yaml.write import to_yaml

    text = to_yaml(model, named=True)
    simulation = Simulation(model, **options)
    need_disk(simulation, path)
    directory = RunDirectory(path)
    with directory.taken(overwrite, say):
        about = _about(model, options)
        write_json(directory / RUN, about)
        replace_file(directory / MODEL, text.encode())
        log = ChunkLog(directory / LOG, simulation.buffer.shape[1])
        log.create()
        return _carry_on(directory, simulation, log, about, None, progress, say)


def _about(model: Model, options: dict[str, Any]) -> dict[str, Any]:
    """Return the content of run.json: with which versions, model, files and options the run was started."""
    about: dict[str, Any] = {"fairlead": fairlead.__version__, "kernels": source_hash(), "model": model_hash(model)}
    about |= {"files": {name: content_hash(name) for name in files_of(model)}, "options": options}
    if functions := functions_of(model):
        about["functions"] = {name: code_hash(function) for name, function in functions.items()}
    return {**about, CHECK: digest_of(about)}


def resume_directory(
    path: Path, *, progress: Any = None, functions: Mapping[str, Any] | None = None
) -> tuple[Any, list[str]]:
    """Carry a run on from its checkpoint; return its result and warnings. `functions` are those of its loads."""
    directory = RunDirectory(path)
    _must_be_run(directory)
    notes: list[str] = []
    with locked(path):
        directory.tidy()
        if directory.has(RESULT) and _is_complete(directory):
            return _complete_already(directory)
        if (directory / RESULT).is_dir():
            raise FilesFailure(f"{directory / RESULT} is a directory; move it away, then resume again")
        about = _read_about(directory, notes)
        simulation = _simulation_of(directory, about, functions or {})
        log = ChunkLog(directory / LOG, simulation.buffer.shape[1])
        last_row = _take_up(directory, simulation, log, about, notes)
        return _carry_on(directory, simulation, log, about, last_row, progress, notes.append), notes


def _must_be_run(directory: RunDirectory) -> None:
    path = directory.path
    if not path.is_dir():
        raise FilesFailure(f"there is no run directory {path}")
    if directory.is_blank():
        raise FilesFailure(f"{path} holds nothing to resume: its run was stopped before it began; run it again")
    if directory.has(RUN) or directory.is_run():
        return
    if (directory / EARLIER / RUN).exists():
        raise FilesFailure(
            f"{path} was stopped while a new run was to replace an earlier one, before it began; start it again with "
            f"--overwrite; the earlier run is in {directory / EARLIER}"
        )
    raise FilesFailure(f"{path} is not a run directory (it has no {RUN})")


def _is_complete(directory: RunDirectory) -> bool:
    """Return whether the run says that it is complete: by its status, or without one by its result."""
    if said := read_status(directory.path):
        return bool(said.get("state") == "complete")
    try:
        with open_result(directory / RESULT) as data:
            return bool(data.attrs.get("status") == "complete")
    except FilesFailure:
        return False


def _complete_already(directory: RunDirectory) -> tuple[Any, list[str]]:
    """Return the result of a complete run after its checksum held, and remove what a kill at the end left."""
    notes = ["this run is complete already"]
    if not verify_result(directory.path):
        notes.append(f"its {RESULT} is of an older version without a checksum, so damage to it would not be seen")
    data = open_result(directory / RESULT, checked=True)
    (directory / LOG).unlink(missing_ok=True)
    directory.drop_earlier()
    return data, notes


def _read_about(directory: RunDirectory, notes: list[str]) -> dict[str, Any]:
    """Return the content of run.json after its checksum held and the newest checkpoint agrees with it."""
    about = read_json(directory / RUN)
    kept = next(
        (found[1].get("run") for found in checkpoints(directory / CHECKPOINT) if not isinstance(found, str)), None
    )
    if about is None or not {"kernels", "model", "options"} <= about.keys():
        if kept is None:
            raise CheckpointUnusable(f"{directory / RUN} is missing or damaged; run it anew")
        notes.append(f"{RUN} is missing or damaged: what it said is taken from the checkpoint")
        write_json(directory / RUN, kept)
        return kept
    if kept is not None and digest_of(kept) != digest_of(about):
        now, then = _flat(about), _flat(kept)
        changed = "; ".join(
            f"{name} is {now.get(name)}, it was {then.get(name)}"
            for name in (now | then)
            if now.get(name) != then.get(name)
        )
        raise CheckpointUnusable(
            f"{RUN} was changed since the run was started ({changed}); change it back, or run anew"
        )
    if about.get(CHECK, digest_of(about)) != digest_of(about):
        raise CheckpointUnusable(f"{RUN} was changed since the run was started (its checksum does not hold); run anew")
    if CHECK not in about:
        notes.append(f"{RUN} is of an older version without a checksum: its options are taken as they stand")
    return about


def _flat(about: dict[str, Any]) -> dict[str, Any]:
    """Return the words of run.json with those of its parts beside them."""
    parts = {name: value for name, value in about.items() if not isinstance(value, dict)}
    return parts | {name: value for part in about.values() if isinstance(part, dict) for name, value in part.items()}


def _simulation_of(directory: RunDirectory, about: dict[str, Any], functions: Mapping[str, Any]) -> Simulation:
    """Return the simulation of a run directory at its start; CheckpointUnusable if it would not be the same one."""
    from fairlead.formats.yaml.read import load

    if (directory / MODEL).is_symlink() or not (directory / MODEL).is_file():
        what = "is a link, which is not followed" if (directory / MODEL).is_symlink() else "is missing"
        raise FilesFailure(f"{directory / MODEL} {what}; run the model anew, with --overwrite")
    _compare_functions(directory, about.get("functions", {}), functions)
    with giving(functions):
        model = load(directory / MODEL)
    _same("model", about["model"], model_hash(model))
    _same("version of the kernels", about["kernels"], source_hash())
    for name, then in about.get("files", {}).items():
        _same(f"file '{name}'", then, content_hash(name) or "gone")
    try:
        return Simulation(model, **about["options"])
    except TypeError as error:
        raise CheckpointUnusable(f"{RUN} has options that this version does not know ({error}); run it anew") from None


def _compare_functions(directory: RunDirectory, then: dict[str, str], now: Mapping[str, Any]) -> None:
    """Raise an error unless the functions given are those with which the run was started, as far as their code says."""
    if missing := [name for name in then if name not in now]:
        raise InvalidInput(
            f"no file holds the Python function of load '{missing[0]}'; go on from Python, giving it again: "
            f"{directory.how_to_resume(then)}"
        )
    if unknown := [name for name in now if name not in then]:
        raise InvalidInput(f"the run in {directory.path} has no function of a load '{unknown[0]}'; leave it out")
    for name, code in then.items():
        if not callable(now[name]):
            raise InvalidInput(f"functions: '{name}' must be a function; got {short(now[name])}")
        _same(f"function of load '{name}'", code, code_hash(now[name]))


def _same(what: str, then: str, now: str) -> None:
    if then != now:
        raise CheckpointUnusable(
            f"the {what} changed since the run was started ({then} then, {now} now), "
            "so it cannot go on as if nothing had happened; run it anew"
        )


def _take_up(
    directory: RunDirectory, simulation: Simulation, log: ChunkLog, about: dict[str, Any], notes: list[str]
) -> Any:
    """Bring simulation and log to the newest checkpoint whose rows are all there; return the last row.

    Without a checkpoint, or without a log, the run begins again: it is the same to the last bit.
    """
    none = not (directory.has(CHECKPOINT) or directory.has(f"{CHECKPOINT}.old"))
    if none or not directory.has(LOG):
        notes.append(f"{'no checkpoint was written yet' if none else f'{LOG} is gone'}: started anew")
        log.create()
        return None
    wrong = []
    for found in checkpoints(directory / CHECKPOINT):
        if isinstance(found, str):
            wrong.append(found)
            continue
        name, header, arrays = found
        _same("model", about["model"], header["model"])
        try:
            log.check(header["log_length"], header.get("log_digest"))
            simulation.restore({**arrays, "step": header["step"], "started": header["started"]})
            _compare_rows(log, rows_done(simulation))
        except CheckpointUnusable as error:
            wrong.append(f"{name}: {error}")
            continue
        log.go_on()
        notes += [f"{sentence}; went on from {name}" for sentence in wrong]
        return arrays["last_row"]
    raise CheckpointUnusable(
        f"no usable checkpoint: {'; '.join(wrong)}; nothing was changed; restore the file from a copy, or run it anew"
    )


def rows_done(simulation: Simulation) -> int:
    """Return how many rows belong to the steps done: the start, every `every`-th step and the last."""
    clock, step = simulation.clock, simulation.step
    if not simulation.started:
        return 0
    if simulation.adaptive:  # its step is the next one of the output
        return -(-min(step, clock.steps) // clock.every) + (step > clock.steps)
    return 1 + step // clock.every + (step == clock.steps and clock.steps % clock.every != 0)


def _compare_rows(log: ChunkLog, expected: int) -> None:
    if log.rows != expected:
        raise CheckpointUnusable(f"{log.path.name} holds {log.rows} rows where the steps done have {expected}")


@contextmanager
def _kept(directory: RunDirectory, simulation: Simulation, log: ChunkLog) -> Iterator[None]:
    """Say how to go on where a file cannot be written, and close the log whatever happens."""
    try:
        yield
    except FilesFailure as error:
        how = directory.how_to_resume(functions_of(simulation.compiled.model))
        again = f"what was committed is kept; mend it, then go on with: {how}"
        raise FilesFailure(f"{error}; {again}{directory.kept_earlier()}") from error
    finally:
        log.close()


def _carry_on(
    directory: RunDirectory,
    simulation: Simulation,
    log: ChunkLog,
    about: dict[str, Any],
    last_row: Any,
    progress: Any,
    say: Callable[[str], Any],
) -> Any:
    """Advance to the end, committing as it goes, and leave a result whatever happens."""
    from threadpoolctl import threadpool_limits

    with _kept(directory, simulation, log):
        directory.status("running", simulation)
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
                    _commit(directory, simulation, log, about, last_row)
                    committed = wall.monotonic()
        if failure:
            log.sync()  # no checkpoint is made of a state that failed
        else:
            _compare_rows(log, rows_done(simulation))
            _commit(directory, simulation, log, about, last_row)
        log.close()
        status = outcome if not failure else f"failed: {failure}"
        attributes = attributes_of(simulation, status, wall.monotonic() - started, log.chunks())
        _finish(directory, simulation, log, attributes)
        directory.status(outcome, simulation, str(failure or ""), log.rows)
        _raise_if_needed(directory, simulation, failure, stopped)
        (directory / LOG).unlink(missing_ok=True)
        if left := directory.drop_earlier():
            say(left)
        return open_result(directory / RESULT, checked=True)


def _raise_if_needed(
    directory: RunDirectory, simulation: Simulation, failure: FairleadError | None, stopped: list[int]
) -> None:
    kept = f"what was computed is in {directory / RESULT}{directory.kept_earlier()}"
    if failure:
        raise NumericalFailure(f"{failure}; {kept}") from failure
    if stopped and not simulation.finished:
        how = directory.how_to_resume(functions_of(simulation.compiled.model))
        raise Interrupted(
            f"stopped at t = {simulation.time:.6g} s; {kept}; go on with: {how}",
            128 + stopped[0],
        )


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
    stream_netcdf(simulation.compiled, log.rows, records, attributes, directory / RESULT)


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
