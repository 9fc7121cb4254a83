"""Kills at any moment, calls that fail and disks that are full: the run goes on to the same bits (figures R3, X2)."""

from __future__ import annotations

import errno
import itertools
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
import errno, os, sys
from pathlib import Path
import fairlead as fl
from fairlead.errors import FilesFailure
from fairlead.results.reading import open_result
from fairlead.running import directory as runs
from support.disk_runs import SPAN, assert_same
runs.COMMIT_SECONDS = -1.0
model = fl.load("two.yaml")
whole = fl.simulate(model, **SPAN)
for number, left in enumerate((20_000, 300_000, 2_000_000, int(sys.argv[1]))):
    where, filler = Path(f"full/{number}.run"), Path("full/filler")
    room = os.statvfs("full")
    filler.write_bytes(bytes(room.f_bavail * room.f_frsize - left))
    try:
        fl.simulate(model, **SPAN, out=where, progress=False)
        raise SystemExit(f"{left} bytes were enough")
    except FilesFailure as error:
        assert "No space left" in str(error) or "full" in str(error) or "write" in str(error), error
        print(error)
    filler.unlink()
    with runs.resume_directory(where, progress=False)[0] as data:
        assert_same(data, whole)
    assert not list(where.glob(".*"))
    for path in where.iterdir():
        path.unlink()
"""


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("unshare"), reason="needs a small disk of its own")
def test_a_full_disk_loses_nothing(two_bodies: Path):
    """A disk in memory with so much room left: for nothing, some rows, all rows, all but the last of the result."""
    where = two_bodies.parent
    fl.simulate(fl.load(two_bodies), **SPAN, out=where / "a.run").close()
    size = (where / "a.run" / "result.nc").stat().st_size
    (where / "full").mkdir()
    command = 'mount -t tmpfs -o size=32m tmpfs full && exec "$@"'
    words = ["unshare", "-rm", "sh", "-c", command, "sh", sys.executable, "-c", FULL, str(2 * size - 100_000)]
    done = subprocess.run(words, cwd=where, capture_output=True, text=True, timeout=600)
    if "mount" in done.stderr or "unshare" in done.stderr:
        pytest.skip("needs a small disk of its own")
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("go on with: fairlead resume") >= 3, done.stdout
