"""Kills at any moment, calls that fail and disks that are full: the run goes on to the same bits (figures R3, X2)."""

from __future__ import annotations

import errno
import itertools
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import fairlead as fl
from fairlead.errors import FilesFailure
from fairlead.results.reading import open_result
from fairlead.running import directory as runs
from support.disk_runs import SPAN, Killed, assert_same

LEFT = {"checkpoint", "checkpoint.old", "model.yaml", "result.nc", "run.json", "status.json"}


@pytest.fixture
def whole(two_bodies: Path):
    return fl.simulate(fl.load(two_bodies), **SPAN)


def go_on(model: Path, where: Path) -> None:
    """Do what the messages say: resume, or run again where nothing had begun."""
    try:
        runs.resume_directory(where, progress=False)[0].close()
    except FilesFailure as error:
        assert "run it again" in str(error) or "there is no run directory" in str(error)
        fl.simulate(fl.load(model), **SPAN, out=where).close()


def assert_whole(where: Path, whole) -> None:
    with open_result(where) as data:
        assert_same(data, whole)
    assert {path.name for path in where.iterdir()} <= LEFT


@pytest.mark.slow
@pytest.mark.parametrize("call", ["replace", "fsync", "open", "ftruncate"])
@pytest.mark.parametrize("fault", [errno.ENOSPC, errno.EIO, Killed])
def test_each_call_may_fail_once(two_bodies: Path, monkeypatch, whole, call, fault):
    """Every place that writes, one after the other: a full disk, a broken one, a kill."""
    real, model = getattr(os, call), fl.load(two_bodies)
    monkeypatch.setattr(runs, "COMMIT_SECONDS", -1.0)
    for number in itertools.count():
        calls = itertools.count()
        failed = []

        def fails(*arguments, number=number, calls=calls, failed=failed, **words):
            inside = any("a.run" in str(argument) for argument in arguments) or call in ("fsync", "ftruncate")
            if inside and next(calls) == number:
                failed.append(number)
                raise Killed if fault is Killed else OSError(fault, os.strerror(fault))
            return real(*arguments, **words)

        where = two_bodies.parent / f"{number}a.run"
        with monkeypatch.context() as patch:
            patch.setattr(os, call, fails)
            try:
                fl.simulate(model, **SPAN, out=where, progress=False).close()
            except FilesFailure as error:
                assert os.strerror(fault) in str(error)
            except Killed:
                pass
        if not failed:
            break
        go_on(two_bodies, where)
        assert_whole(where, whole)
    assert number >= {"replace": 15, "fsync": 20, "open": 10, "ftruncate": 1}[call]


@pytest.mark.slow
def test_kills_at_any_moment(two_bodies: Path, monkeypatch, whole):
    """Thirty kill -9: ten in the first 50 ms, ten anywhere, ten while the result is written."""
    monkeypatch.setattr(runs, "COMMIT_SECONDS", -1.0)
    model, rng, phases = fl.load(two_bodies), np.random.default_rng(11), {}
    begun = time.monotonic()
    fl.simulate(model, **SPAN, out=two_bodies.parent / "whole.run").close()
    lasts = time.monotonic() - begun
    for number in range(30):
        where = two_bodies.parent / f"{number}.run"
        child = os.fork()
        if child == 0:
            try:
                fl.simulate(model, **SPAN, out=where, progress=False)
            finally:
                os._exit(0)
        if number < 20:
            time.sleep(rng.uniform(0, 0.05 if number < 10 else lasts))
        else:
            limit = time.monotonic() + 60
            while not any(where.glob(".result.nc.*")) and time.monotonic() < limit:
                pass
            time.sleep(rng.uniform(0, 0.02))
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        names = {path.name for path in where.iterdir()} if where.exists() else set()
        phase = "result" if any("result.nc" in name for name in names) else "steps" if "run.json" in names else "begin"
        phases[phase] = phases.get(phase, 0) + 1
        go_on(two_bodies, where)
        assert_whole(where, whole)
    assert phases.get("result", 0) >= 6 and phases.get("begin", 0) + phases.get("steps", 0) >= 6, phases


FULL = """
import errno, json, os, sys
from pathlib import Path
import fairlead as fl
from fairlead.errors import FilesFailure
from fairlead.results.reading import open_result
from fairlead.running import directory as runs
from support.disk_runs import SPAN, assert_same
runs.COMMIT_SECONDS = -1.0
model = fl.load("two.yaml")
whole = fl.simulate(model, **SPAN)
for number, left in enumerate((0, 20_000, 300_000, 2_000_000, int(sys.argv[1]))):
    where, filler = Path(f"full/{number}.run"), Path("full/filler")
    def fill(time, end):  # another program, once the run has begun
        if not filler.exists():
            room = os.statvfs("full")
            filler.write_bytes(bytes(room.f_bavail * room.f_frsize - left))
    try:
        fl.simulate(model, **SPAN, out=where, progress=fill)
        raise SystemExit(f"{left} bytes were enough")
    except FilesFailure as error:
        assert "No space left" in str(error) or "full" in str(error) or "write" in str(error), error
        print(error)
    status = where / "status.json"
    said = json.loads(status.read_text())
    assert said["state"] == "failed" and "No space left" in said["reason"], said
    assert said["resume"] == f"fairlead resume {where.name}"
    filler.unlink()
    with runs.resume_directory(where, progress=False)[0] as data:
        assert_same(data, whole)
    assert not list(where.glob(".*"))
    assert json.loads(status.read_text())["state"] == "complete"
    for path in where.iterdir():
        path.unlink()
"""


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("unshare"), reason="needs a small disk of its own")
def test_a_full_disk_loses_nothing(two_bodies: Path):
    """A disk in memory with so much room left: none, for some rows, all rows, all but the last of the result."""
    where = two_bodies.parent
    fl.simulate(fl.load(two_bodies), **SPAN, out=where / "a.run").close()
    size = (where / "a.run" / "result.nc").stat().st_size
    (where / "full").mkdir()
    command = 'mount -t tmpfs -o size=32m tmpfs full && exec "$@"'
    words = ["unshare", "-rm", "sh", "-c", command, "sh", sys.executable, "-c", FULL, str(2 * size - 100_000)]
    paths = {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}  # also that of disk_runs
    done = subprocess.run(words, cwd=where, capture_output=True, text=True, timeout=600, env=os.environ | paths)
    if "mount" in done.stderr or "unshare" in done.stderr:
        pytest.skip("needs a small disk of its own")
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("go on with: fairlead resume") == 5, done.stdout


def status_of(where: Path) -> dict:
    return json.loads((where / "status.json").read_text())


@pytest.mark.parametrize("at", [3.0, 14.0, 31.0])
def test_a_disk_that_stays_full_leaves_the_status_failed(two_bodies: Path, monkeypatch, whole, at):
    """From a time on no file can be made: rows, checkpoints, the result. The status has its room from the start."""
    real, full, where = os.open, [], two_bodies.parent / "a.run"

    def no_new_files(path, flags, *more, **words):
        if full and flags & os.O_CREAT:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return real(path, flags, *more, **words)

    def fill(time: float, end: float) -> None:
        if time > at or time >= end:
            full.append(True)

    monkeypatch.setattr(runs, "COMMIT_SECONDS", -1.0 if at < 30 else 1e9)
    monkeypatch.setattr(os, "open", no_new_files)
    with pytest.raises(FilesFailure, match=r"No space left.*what was committed is kept.*fairlead resume") as ended:
        fl.simulate(fl.load(two_bodies), **SPAN, out=where, progress=fill)
    assert ended.value.exit_code == 5
    said = status_of(where)
    assert said["state"] == "failed" and "No space left" in said["reason"] and said["resume"] == "fairlead resume a.run"
    with pytest.raises(FilesFailure, match="No space left"):  # still full: nothing is lost by trying
        runs.resume_directory(where, progress=False)
    assert status_of(where)["state"] == "failed"
    full.clear()
    go_on(two_bodies, where)
    assert_whole(where, whole)
    assert status_of(where)["state"] == "complete"


@pytest.mark.parametrize("room", [1_000, 100_000, 1_500_000])
def test_files_that_may_not_grow_end_with_exit_5(fairlead, two_bodies: Path, whole, room):
    """A limit on the size of files, as some machines have: met by the first file, by the rows, by the result."""
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, before[1]))
    try:
        done = fairlead("run", "two.yaml", "--duration", "30", "-q")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert done.returncode == 5 and "File too large" in done.stderr and "Traceback" not in done.stderr, done.stderr
    where = two_bodies.parent / "two.run"
    if room > 10_000:  # below, not even the status has room
        assert status_of(where)["state"] == "failed" and "File too large" in status_of(where)["reason"]
        assert "go on with: fairlead resume two.run" in done.stderr
    assert fairlead("resume", "two.run", "-q").returncode == 0
    with open_result(where) as data:
        assert_same(data, whole)
    assert status_of(where)["state"] == "complete"


def test_a_tidying_that_fails_leaves_the_run_complete(two_bodies: Path, monkeypatch):
    """The result stands; only the log could not be removed behind it."""
    real, where = Path.unlink, two_bodies.parent / "a.run"

    def kept(path, *more, **words):
        if path.name == "results.log" and (where / "result.nc").exists():
            raise OSError(errno.EROFS, os.strerror(errno.EROFS))
        return real(path, *more, **words)

    monkeypatch.setattr(Path, "unlink", kept)
    with pytest.raises(FilesFailure, match="Read-only"):
        fl.simulate(fl.load(two_bodies), 1.0, 0.01, out=where, progress=False)
    assert status_of(where)["state"] == "complete"


def test_a_file_at_the_end_that_cannot_be_written_keeps_the_data(two_bodies: Path, whole):
    with pytest.raises(FilesFailure, match="there is no directory") as ended:
        fl.simulate(fl.load(two_bodies), **SPAN, out=two_bodies.parent / "nowhere" / "a.nc")
    assert_same(ended.value.data, whole)
