"""Nothing on disk is believed unchecked, and nothing that is not the run's is touched (issue faults F1 to F8)."""

from __future__ import annotations

import json
import os
import shutil
import signal
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import fairlead as fl
from fairlead.errors import CheckpointUnusable, FilesFailure, NumericalFailure
from fairlead.results.reading import open_result
from fairlead.running import directory as runs
from fairlead.running.checkpoint import pack_checkpoint, unpack_checkpoint
from fairlead.running.lock import locked
from support.disk_runs import SPAN, Killed, assert_same, content, cut_off, flip
from support.interface_models import TWO_BODIES

OPTIONS = {"duration": 40.0, "dt": 0.005, "output_every": 2, "integrator": "dop853", "rotation": "euler123"}


def slow(*values):
    """Mark a case whose kind is shown by another one; it runs in `make validate`."""
    return pytest.param(*values, marks=pytest.mark.slow)


@pytest.fixture(scope="module")
def finished(tmp_path_factory) -> Path:
    """Give a run that came to its end."""
    path = tmp_path_factory.mktemp("whole") / "two.yaml"
    path.write_text(TWO_BODIES)
    fl.simulate(fl.load(path), **SPAN, out=path.parent / "a.run").close()
    return path.parent / "a.run"


@pytest.fixture(scope="module")
def whole(finished: Path):
    """Give the result of the uninterrupted run, made in memory."""
    return fl.simulate(fl.load(finished / "model.yaml"), **SPAN)


@pytest.fixture
def killed(two_bodies: Path, monkeypatch) -> Path:
    return cut_off(two_bodies, two_bodies.parent / "a.run", monkeypatch)


@pytest.fixture
def complete(two_bodies: Path, finished: Path) -> Path:
    return shutil.copytree(finished, two_bodies.parent / "a.run")


def committed(where: Path, name: str = "checkpoint") -> int:
    """Return how many bytes of the log a checkpoint counts."""
    return unpack_checkpoint((where / name).read_bytes(), name)[0]["log_length"]


# F1: rows


@pytest.mark.parametrize("place", ["first rows", "head of a chunk", "beginning"])
def test_a_flipped_bit_in_committed_rows_is_refused_and_nothing_is_deleted(killed: Path, fairlead, place):
    """Before: exit 0, "complete", audit PASS on the rows before the flipped bit, and the log deleted."""
    flip(killed / "results.log", {"first rows": 400, "head of a chunk": 28, "beginning": 3}[place])
    before = content(killed)
    done = fairlead("resume", "a.run")
    assert done.returncode == 6 and "results.log" in done.stderr and "nothing was changed" in done.stderr
    assert content(killed) == before


def test_rows_damaged_after_the_older_checkpoint_are_computed_again(killed: Path, fairlead, whole):
    flip(killed / "results.log", committed(killed) - 100)
    done = fairlead("resume", "a.run")
    assert done.returncode == 0 and "went on from checkpoint.old" in done.stderr, done.stderr
    with open_result(killed) as data:
        assert_same(data, whole)


@pytest.mark.slow
def test_whatever_bit_is_flipped_the_result_is_right_or_refused(killed: Path, whole):
    """R4 of the figures to hold, on the log: every flip is refused with all as it was, or the result is the same."""
    rng = np.random.default_rng(3)
    saved, length, ends = content(killed), (killed / "results.log").stat().st_size, {"right": 0, "refused": 0}
    for _ in range(40):
        for path in killed.iterdir():
            path.unlink()
        for name, what in saved.items():
            (killed / name).write_bytes(what)
        flip(killed / "results.log", int(rng.integers(length)), int(rng.integers(8)))
        damaged = content(killed)
        try:
            with runs.resume_directory(killed, progress=False)[0] as data:
                assert_same(data, whole)
            ends["right"] += 1
        except CheckpointUnusable:
            assert content(killed) == damaged
            ends["refused"] += 1
    assert ends["refused"] and ends["right"]


@pytest.mark.parametrize("how", ["left out", "twice", "swapped"])
def test_chunks_that_are_whole_but_not_the_runs_rows_are_refused(killed: Path, how):
    """Each chunk's own checksum holds, so only the checksum over all of them can tell."""
    log = (killed / "results.log").read_bytes()
    marks = [at for at in range(len(log)) if log.startswith(b"CHNK", at)] + [len(log)]
    chunks = [log[a:b] for a, b in pairwise(marks)]
    if how == "swapped":
        chunks[1], chunks[2] = chunks[2], chunks[1]
    else:
        chunks[:2] = [chunks[0]] if how == "left out" else [chunks[0], chunks[0], chunks[1]]
    (killed / "results.log").write_bytes(log[: marks[0]] + b"".join(chunks))
    with pytest.raises(CheckpointUnusable, match=r"shorter|does not hold the rows|damaged"):
        runs.resume_directory(killed)


def test_rows_are_compared_with_steps_also_for_an_older_checkpoint(killed: Path):
    """A checkpoint without the checksum of its log, as an older version wrote it, that counts too few rows."""
    log = (killed / "results.log").read_bytes()
    second = log.index(b"CHNK", log.index(b"CHNK") + 1)
    for name in ("checkpoint", "checkpoint.old"):
        header, arrays = unpack_checkpoint((killed / name).read_bytes(), name)
        for word in ("version", "arrays", "log_digest", "run"):
            del header[word]
        (killed / name).write_bytes(pack_checkpoint({**header, "log_length": second}, arrays))
    with pytest.raises(CheckpointUnusable, match="holds 1 rows where the steps done have"):
        runs.resume_directory(killed)


@pytest.mark.parametrize("every", [1, 7])
@pytest.mark.parametrize("integrator", ["rk4", "dop853", slow("symplectic-euler")])
def test_the_rows_of_the_steps_done_are_counted_as_they_are_written(two_bodies, integrator, every):
    """The count that a log is held against follows from the definition of the output, not from the log."""
    from fairlead.running.run import run_options
    from fairlead.running.simulation import Simulation

    model = fl.load(two_bodies)
    given = {"duration": 15.0, "dt": 0.01, "integrator": integrator, "output_every": every}
    simulation = Simulation(model, **run_options(model, given))
    rows = 0
    while not simulation.finished:
        rows += len(simulation.advance())
        assert runs.rows_done(simulation) == rows
    assert rows == 1 + -(-1500 // every)


# F2: options


@pytest.mark.parametrize("name", OPTIONS)
@pytest.mark.parametrize("checkpoint", [True, False])
def test_options_edited_in_run_json_are_refused(killed: Path, fairlead, name, checkpoint):
    """Before: dt or duration edited in run.json went into the second half of the run without a word."""
    about = json.loads((killed / "run.json").read_text())
    was = about["options"][name]
    about["options"][name] = OPTIONS[name]
    (killed / "run.json").write_text(json.dumps(about))
    if not checkpoint:
        for file in killed.glob("checkpoint*"):
            file.unlink()
    before = content(killed)
    done = fairlead("resume", "a.run")
    assert done.returncode == 6 and "run.json was changed" in done.stderr
    assert not checkpoint or f"{name} is {OPTIONS[name]}, it was {was}" in done.stderr
    assert content(killed) == before


def test_a_damaged_run_json_is_restored_from_the_checkpoint(killed: Path, fairlead, whole):
    saved = (killed / "run.json").read_bytes()
    for damaged in (b"", saved[:40], b"[]"):
        (killed / "run.json").write_bytes(damaged)
        assert runs.read_about(runs.RunDirectory(killed), [])["options"]["dt"] == 0.01
        assert (killed / "run.json").read_bytes() == saved
    (killed / "run.json").unlink()
    done = fairlead("resume", "a.run")
    assert done.returncode == 0 and "taken from the checkpoint" in done.stderr
    with open_result(killed) as data:
        assert_same(data, whole)


def test_a_run_of_the_version_before_is_resumed_and_said_so(killed: Path, fairlead, whole):
    """Its run.json and checkpoints carry no checksums of options and rows."""
    about = json.loads((killed / "run.json").read_text())
    del about["check"]
    (killed / "run.json").write_text(json.dumps(about))
    for name in ("checkpoint", "checkpoint.old"):
        header, arrays = unpack_checkpoint((killed / name).read_bytes(), name)
        for word in ("version", "arrays", "log_digest", "run"):
            del header[word]
        (killed / name).write_bytes(pack_checkpoint(header, arrays))
    done = fairlead("resume", "a.run")
    assert done.returncode == 0 and "older version without a checksum" in done.stderr
    with open_result(killed) as data:
        assert_same(data, whole)


# F3: a live run


@pytest.mark.parametrize("words", [("run", "two.yaml", "-o", "a.run", "--overwrite"), ("resume", "a.run")])
def test_a_live_run_is_not_touched(killed: Path, fairlead, words):
    """Before: --overwrite moved the live run away and deleted it when the new one was complete."""
    with locked(killed):
        before = content(killed)
        done = fairlead(*words)
        assert done.returncode == 5 and f"in use by another run (process {os.getpid()} on" in done.stderr
        assert content(killed) == before


@pytest.mark.slow
def test_a_lock_is_taken_over_from_a_dead_process_and_kept_from_a_user(killed: Path, fairlead):
    (killed / "lock").write_text("my own notes")
    done = fairlead("resume", "a.run")
    assert done.returncode == 5 and "not a lock of Fairlead's" in done.stderr
    (killed / "lock").write_text("process 1 on nowhere\n")
    assert fairlead("resume", "a.run", "-q").returncode == 0
    assert not (killed / "lock").exists()


# F4: overwriting


def test_overwriting_keeps_what_is_not_the_runs(complete: Path, fairlead):
    """Before: notes and pictures in an old run directory were deleted with it."""
    (complete / "notes.txt").write_text("mine")
    (complete / "pictures").mkdir()
    (complete / "pictures" / "a.png").write_text("mine too")
    done = fairlead("run", "two.yaml", "-o", "a.run", "--overwrite", "-q")
    assert done.returncode == 0 and "notes.txt, pictures" in done.stderr
    assert (complete / "notes.txt").read_text() == "mine" and (complete / "pictures" / "a.png").exists()
    with open_result(complete) as data:
        assert data.sizes["time"] == 201  # the new run
    assert {path.name for path in complete.parent.iterdir()} == {"two.yaml", "a.run"}
    assert not (complete / "earlier-run").exists()


@pytest.mark.parametrize("content_of", [{"model.yaml": "mine"}, {"run.json": '{"mine": 1}'}, {"lock": "mine"}])
def test_a_directory_that_is_no_run_is_not_overwritten(two_bodies: Path, fairlead, content_of):
    where = two_bodies.parent / "a.run"
    where.mkdir()
    for name, text in content_of.items():
        (where / name).write_text(text)
    done = fairlead("run", "two.yaml", "-o", "a.run", "--overwrite")
    assert done.returncode == 5 and "Fairlead" in done.stderr
    assert content(where) == {name: text.encode() for name, text in content_of.items()}


def test_a_file_is_not_overwritten_by_a_run(two_bodies: Path, fairlead):
    """Before: the file was moved to a.run-old-PID and left there without a word."""
    (two_bodies.parent / "a.run").write_text("mine")
    done = fairlead("run", "two.yaml", "-o", "a.run", "--overwrite")
    assert done.returncode == 5 and "is not a directory" in done.stderr
    assert (two_bodies.parent / "a.run").read_text() == "mine"


def test_the_earlier_run_stays_until_the_new_one_is_complete(complete: Path, two_bodies: Path, fairlead, monkeypatch):
    """Killed, overwritten again and killed again: the earlier result is there until a new one is."""
    first = (complete / "result.nc").read_bytes()
    for _ in range(2):  # the second of them finds a run that was itself to replace the first
        with pytest.raises(Killed):
            fl.simulate(fl.load(two_bodies), **SPAN, out=complete, overwrite=True, progress=_kill)
        assert (complete / "earlier-run" / "result.nc").read_bytes() == first
        with open_result(complete / "earlier-run") as data:
            assert data.sizes["time"] == 3001
    assert fairlead("resume", "a.run", "-q").returncode == 0
    assert not (complete / "earlier-run").exists() and (complete / "result.nc").read_bytes() != first


def _kill(time: float, end: float) -> None:
    raise Killed


def test_a_new_run_that_fails_says_where_the_earlier_one_is(complete: Path):
    """1/(t - 1) is not finite at t = 1 s, whatever the step."""
    loads = {"bad": fl.Force("b", force=("1/(t - 1)", 0, 0))}
    model = fl.Model("bad", {"b": fl.Body(1.0, (1, 1, 1))}, loads=loads)
    with pytest.raises(NumericalFailure, match=r"to replace is in .*earlier-run"):
        fl.simulate(model, 2.0, 0.1, out=complete, overwrite=True)
    with open_result(complete / "earlier-run") as data:
        assert data.sizes["time"] == 3001


@pytest.mark.slow
def test_an_overwrite_that_cannot_begin_leaves_all_as_it_was(complete: Path, two_bodies: Path, monkeypatch):
    before = content(complete)
    real = runs.write_json

    def full(path, words):
        if path.name == "run.json":
            raise FilesFailure("cannot write run.json: No space left on device")
        real(path, words)

    monkeypatch.setattr(runs, "write_json", full)
    with pytest.raises(FilesFailure, match="No space left"):
        fl.simulate(fl.load(two_bodies), out=complete, overwrite=True)
    assert content(complete) == before
    with pytest.raises(FilesFailure, match="No space left"):
        fl.simulate(fl.load(two_bodies), out=complete.parent / "b.run")
    assert not (complete.parent / "b.run").exists()


# F5: links

NAMES = ("checkpoint", "run.json", "model.yaml", "status.json", "result.nc", "audit.json")


@pytest.mark.parametrize("make", [os.symlink, os.link])
@pytest.mark.parametrize("name", ["results.log", "lock", *(slow(name) for name in NAMES)])
def test_links_in_a_run_directory_are_never_written_through(killed: Path, fairlead, name, make):
    """Before: a link results.log was cut and filled with rows, a link lock was emptied."""
    target = killed.parent / "precious"
    target.write_bytes((killed / name).read_bytes() if (killed / name).exists() else b"process 1 on nowhere\n")
    (killed / name).unlink(missing_ok=True)
    make(target, killed / name)
    before = target.read_bytes()
    done = fairlead("resume", "a.run")
    assert target.read_bytes() == before
    assert done.returncode == 0 or (done.returncode == 5 and "is a link" in done.stderr), done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("name", ["results.log", "lock", *NAMES])
def test_links_are_not_written_through_by_overwriting(killed: Path, fairlead, name):
    target = killed.parent / "precious"
    target.write_text("process 1 on nowhere\n")
    (killed / name).unlink(missing_ok=True)
    (killed / name).symlink_to(target)
    done = fairlead("run", "two.yaml", "-o", "a.run", "--overwrite", "-q")
    assert target.read_text() == "process 1 on nowhere\n"
    assert done.returncode == 0 or (done.returncode == 5 and "is a link" in done.stderr), done.stderr


@pytest.mark.slow
def test_a_link_under_a_temporary_name_is_not_followed(killed: Path, fairlead):
    target = killed.parent / "precious"
    target.write_text("precious")
    for name in ("checkpoint.new", "status.json", "result.nc", "audit.json"):
        (killed / f".{name}.{os.getpid()}.tmp").symlink_to(target)
    assert fairlead("resume", "a.run", "-q").returncode == 0
    assert target.read_text() == "precious"


def test_a_pipe_in_place_of_a_file_does_not_make_us_wait(killed: Path, fairlead):
    for name in ("results.log", "run.json", "checkpoint"):
        (killed / name).unlink()
        os.mkfifo(killed / name)
        done = fairlead("resume", "a.run")
        assert done.returncode == 5 and "not a plain file" in done.stderr, done.stderr


# F6: killed before it began


@pytest.mark.parametrize(
    ("left", "overwrite"),
    [
        slow((), ()),
        slow((), ("--overwrite",)),
        slow(("lock",), ()),
        slow(("lock",), ("--overwrite",)),
        (("lock", ".run.json.999999999.tmp"), ()),
        slow(("lock", ".run.json.999999999.tmp"), ("--overwrite",)),
        slow(("lock", "run.json"), ()),
    ],
)
def test_a_kill_before_run_json_is_no_dead_end(two_bodies: Path, fairlead, left, overwrite):
    where = two_bodies.parent / "a.run"
    where.mkdir()
    for name in left:
        (where / name).write_text(
            '{"kernels": "", "options": {}}' if name == "run.json" else "process 999999999 on here\n"
        )
    done = fairlead("resume", "a.run")
    assert done.returncode == 5 and "stopped before it began; run it again" in done.stderr
    assert fairlead("run", "two.yaml", "-o", "a.run", "-q", *overwrite).returncode == 0
    assert {path.name for path in where.iterdir()} == {
        "audit.json",
        "checkpoint",
        "model.yaml",
        "result.nc",
        "run.json",
        "status.json",
    }


@pytest.mark.slow
def test_a_kill_while_the_earlier_run_moves_is_no_dead_end(complete: Path, fairlead):
    (complete / "earlier-run").mkdir()
    for name in ("run.json", "model.yaml"):
        os.replace(complete / name, complete / "earlier-run" / name)
    os.unlink(complete / "checkpoint")
    done = fairlead("resume", "a.run")
    assert done.returncode == 5 and "start it again with --overwrite" in done.stderr
    assert fairlead("run", "two.yaml", "-o", "a.run", "-q").returncode == 5
    assert fairlead("run", "two.yaml", "-o", "a.run", "-q", "--overwrite").returncode == 0
    assert not (complete / "earlier-run").exists()


# F7: temporary files


def test_what_a_kill_left_half_written_is_removed_and_nothing_else(killed: Path, fairlead):
    for name in (".result.nc.999999999.tmp", ".checkpoint.new.999999999.tmp", "checkpoint.new"):
        (killed / name).write_text("half")
    (killed / ".mine.123.tmp").write_text("not ours")
    assert fairlead("resume", "a.run", "-q").returncode == 0
    left = {path.name for path in killed.iterdir()}
    assert {name for name in left if "tmp" in name or "new" in name or name == "results.log"} == {".mine.123.tmp"}


# F8: a finished run whose result is gone, damaged or something else


def test_a_result_that_is_gone_is_computed_again(complete: Path, fairlead, whole):
    (complete / "result.nc").unlink()
    done = fairlead("resume", "a.run")
    assert done.returncode == 0 and "started anew" in done.stderr, done.stderr
    with open_result(complete) as data:
        assert_same(data, whole)


def test_a_result_that_is_gone_is_made_from_the_log_if_that_is_there(two_bodies: Path, fairlead, whole, monkeypatch):
    """Killed between the last checkpoint and the result: no step is taken again."""
    where = two_bodies.parent / "a.run"
    monkeypatch.setattr(runs, "_finish", lambda *_: _kill(0.0, 0.0))
    with pytest.raises(Killed):
        fl.simulate(fl.load(two_bodies), **SPAN, out=where)
    monkeypatch.undo()
    monkeypatch.setattr(runs.Simulation, "advance", None)  # a step would be an error
    assert fairlead("resume", "a.run", "-q").returncode == 0
    with open_result(where) as data:
        assert_same(data, whole)


@pytest.mark.parametrize(
    "how", ["damaged", "directory", slow("cut"), slow("empty"), slow("dangling link"), slow("another file")]
)
def test_a_result_that_is_not_the_runs_is_said_and_can_be_made_again(complete: Path, fairlead, whole, how, tmp_path):
    """Before: an internal fault (exit 9), or the damaged file was audited as it stood."""
    result = complete / "result.nc"
    if how == "damaged":
        flip(result, 5000)
    elif how == "cut":
        os.truncate(result, result.stat().st_size - 41)
    elif how == "empty":
        os.truncate(result, 0)
    else:
        result.unlink()
    if how == "directory":
        result.mkdir()
    elif how == "dangling link":
        result.symlink_to(complete / "nowhere")
    elif how == "another file":
        fl.simulate(fl.load(tmp_path / "two.yaml"), 1.0, 0.1, out=result).close()
    for words in (("resume",), ("audit",), ("loads",), ("plot",)):
        done = fairlead(*words, "a.run")
        assert done.returncode == 5 and "result.nc" in done.stderr and len(done.stderr.splitlines()) == 1, done.stderr
    os.replace(result, complete / "moved away")  # what the sentence says
    assert fairlead("resume", "a.run", "-q").returncode == 0
    with open_result(complete) as data:
        assert_same(data, whole)


# F9: the checksum of a result


def test_the_checksum_goes_with_the_file(complete: Path, fairlead, tmp_path):
    moved = tmp_path / "moved.nc"
    moved.write_bytes((complete / "result.nc").read_bytes())
    assert fairlead("audit", "moved.nc").returncode == 0
    flip(moved, moved.stat().st_size // 2)
    for verb in ("audit", "loads", "plot"):
        done = fairlead(verb, "moved.nc")
        assert done.returncode == 5 and "moved.nc is damaged: its checksum does not hold" in done.stderr
    done = fairlead("convert", "moved.nc", "x.outb", "--platform", "base")
    assert done.returncode == 5 and not (tmp_path / "x.outb").exists()


def test_files_of_other_programs_and_older_versions_are_read_as_they_are(complete: Path, fairlead, tmp_path):
    """NetCDF programs that change a file cut the checksum off; a file of an older version never had one."""
    import h5py

    moved = tmp_path / "moved.nc"
    moved.write_bytes((complete / "result.nc").read_bytes())
    with h5py.File(moved, "r+") as file:
        file.attrs["remark"] = "by hand"
    assert fairlead("audit", "moved.nc").returncode == 0
    os.truncate(complete / "result.nc", (complete / "result.nc").stat().st_size - 40)
    said = json.loads((complete / "status.json").read_text())
    del said["result"]
    (complete / "status.json").write_text(json.dumps(said))
    assert fairlead("audit", "a.run").returncode == 0
    done = fairlead("resume", "a.run")
    assert done.returncode == 0 and "older version without a checksum" in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("damage", ["{", "", "[]", None])
def test_a_status_that_is_gone_or_damaged_is_no_fault(complete: Path, killed_too: Path, fairlead, damage):
    for where in (complete, killed_too):
        if damage is None:
            (where / "status.json").unlink()
        else:
            (where / "status.json").write_text(damage)
        assert fairlead("resume", where.name, "-q").returncode == 0
    assert (complete / "result.nc").exists()


@pytest.fixture
def killed_too(two_bodies: Path, monkeypatch) -> Path:
    return cut_off(two_bodies, two_bodies.parent / "b.run", monkeypatch)


def test_a_run_without_a_result_says_how_to_go_on(killed: Path, fairlead):
    for verb in ("audit", "loads", "plot"):
        done = fairlead(verb, "a.run")
        assert done.returncode == 5 and "go on with: fairlead resume a.run" in done.stderr


def test_a_stop_in_the_last_steps_leaves_a_complete_run(two_bodies: Path):
    """Nothing is left to stop: the result is whole, and says so."""
    where = two_bodies.parent / "a.run"

    def stop_at_the_end(time: float, end: float) -> None:
        if time == end:
            os.kill(os.getpid(), signal.SIGTERM)

    with fl.simulate(fl.load(two_bodies), **SPAN, out=where, progress=stop_at_the_end) as data:
        assert data.attrs["status"] == "complete" and float(data["time"][-1]) == SPAN["duration"]
    assert json.loads((where / "status.json").read_text())["state"] == "complete"
