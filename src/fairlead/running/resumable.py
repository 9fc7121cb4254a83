"""The remains of a run that was stopped: whether it can go on, with what options, and from which rows."""

from __future__ import annotations

from typing import Any

from fairlead.errors import CheckpointUnusable, FilesFailure
from fairlead.model.schema import Model
from fairlead.results.reading import RESULT, RUN, open_result, read_status, verify_result
from fairlead.running.checkpoint import checkpoints
from fairlead.running.files import CHECK, digest_of, read_json, write_json
from fairlead.running.log import ChunkLog
from fairlead.running.run_directory import CHECKPOINT, EARLIER, LOG, RunDirectory
from fairlead.running.simulation import Simulation


def must_be_run(directory: RunDirectory) -> None:
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


def is_complete(directory: RunDirectory) -> bool:
    """Return whether the run says that it is complete: by its status, or without one by its result."""
    if said := read_status(directory.path):
        return bool(said.get("state") == "complete")
    try:
        with open_result(directory / RESULT) as data:
            return bool(data.attrs.get("status") == "complete")
    except FilesFailure:
        return False


def complete_already(directory: RunDirectory) -> tuple[Any, list[str]]:
    """Return the result of a complete run after its checksum held, and remove what a kill at the end left."""
    notes = ["this run is complete already"]
    if not verify_result(directory.path):
        notes.append(f"its {RESULT} is of an older version without a checksum, so damage to it would not be seen")
    data = open_result(directory / RESULT, checked=True)
    (directory / LOG).unlink(missing_ok=True)
    directory.drop_earlier()
    return data, notes


def read_about(directory: RunDirectory, notes: list[str]) -> dict[str, Any]:
    """Return what run.json says after its checksum held and the newest checkpoint agrees with it."""
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


def same(what: str, then: str, now: str) -> None:
    if then != now:
        raise CheckpointUnusable(
            f"the {what} changed since the run was started ({then} then, {now} now), "
            "so it cannot go on as if nothing had happened; run it anew"
        )


def refuse_unsaved(model: Model, directory: RunDirectory) -> None:
    """Raise CheckpointUnusable where a controller remembers what the run's checkpoint does not hold."""
    for name, word in model.controllers.items() if directory.has(CHECKPOINT) else ():
        if said := word.unsaved():
            raise CheckpointUnusable(f"controller '{name}' {said}; run it anew")


def take_up(
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
        same("model", about["model"], header["model"])
        try:
            log.check(header["log_length"], header.get("log_digest"))
            simulation.restore({**arrays, "step": header["step"], "started": header["started"]})
            compare_rows(log, rows_done(simulation))
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
    if simulation.rows is not None:
        return simulation.rows
    if simulation.adaptive:  # its step is the next one of the output
        return -(-min(step, clock.steps) // clock.every) + (step > clock.steps)
    return 1 + step // clock.every + (step == clock.steps and clock.steps % clock.every != 0)


def compare_rows(log: ChunkLog, expected: int) -> None:
    if log.rows != expected:
        raise CheckpointUnusable(f"{log.path.name} holds {log.rows} rows where the steps done have {expected}")
