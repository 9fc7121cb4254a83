"""Nothing is lost when something dies: kills, signals, damaged and foreign checkpoints."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import fairlead as fl
from fairlead.errors import CheckpointUnusable, FilesFailure
from fairlead.results.reading import open_result
from fairlead.running import directory as runs
from fairlead.running.checkpoint import pack_checkpoint, read_checkpoint, unpack_checkpoint

# About a second of stepping, with commits as often as they can be.
LONG = {"duration": 2400.0, "dt": 0.002, "output_every": 50}
STARTER = """
import sys, fairlead as fl
from fairlead.running import directory
directory.COMMIT_SECONDS = 0.03
fl.simulate(fl.load("two.yaml"), 2400.0, 0.002, output_every=50, integrator=sys.argv[1], out="a.run")
"""


def start(where: Path, integrator: str = "rk4") -> subprocess.Popen:
    return subprocess.Popen([sys.executable, "-c", STARTER, integrator], cwd=where, stderr=subprocess.PIPE, text=True)


def wait_for(path: Path, process: subprocess.Popen) -> None:
    limit = time.monotonic() + 300
    while not path.exists():
        assert process.poll() is None and time.monotonic() < limit, process.stderr.read()
        time.sleep(0.005)


def reached(where: Path) -> float:
    """Return the time of the last checkpoint, zero if there is none."""
    try:
        return read_checkpoint(where / "checkpoint")[0]["time"]
    except CheckpointUnusable:
        return 0.0


def same(path: Path, data) -> None:
    with open_result(path) as stored:
        for name in ("time", *data.data_vars):
            assert stored[name].values.tobytes() == data[name].values.tobytes(), name


@pytest.fixture(scope="module")
def uninterrupted(tmp_path_factory):
    from support.interface_models import TWO_BODIES

    path = tmp_path_factory.mktemp("whole") / "two.yaml"
    path.write_text(TWO_BODIES)
    return cache(lambda name: fl.simulate(fl.load(path), **LONG, integrator=name))


@pytest.mark.parametrize("integrator", ["rk4", pytest.param("dop853", marks=pytest.mark.slow)])
def test_killed_runs_resume_to_the_same_bits(two_bodies: Path, fairlead, uninterrupted, integrator):
    where = two_bodies.parent / "a.run"
    process = start(two_bodies.parent, integrator)
    wait_for(where / "checkpoint", process)
    while reached(where) == 0.0 and process.poll() is None:
        time.sleep(0.001)
    process.kill()
    process.wait()
    assert process.returncode == -signal.SIGKILL
    assert json.loads((where / "status.json").read_text())["state"] == "running"
    assert 0 < reached(where) < LONG["duration"]  # the kill fell inside the run
    done = fairlead("resume", "a.run")
    assert done.returncode == 0, done.stderr
    same(where / "result.nc", uninterrupted(integrator))


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), pytest.param(signal.SIGTERM, 143, marks=pytest.mark.slow)]
)
def test_a_signal_stops_cleanly_and_says_how_to_go_on(two_bodies: Path, fairlead, uninterrupted, number, code):
    where = two_bodies.parent / "a.run"
    arguments = ["run", "two.yaml", "-o", "a.run", "--duration", "2400", "--dt", "0.002", "--output-every", "50"]
    command = [sys.executable, "-m", "fairlead", *arguments]
    process = subprocess.Popen(
        command, cwd=two_bodies.parent, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    wait_for(where / "checkpoint", process)
    process.send_signal(number)
    _, said = process.communicate(timeout=60)
    assert process.returncode == code and "fairlead resume" in said and "Traceback" not in said
    with open_result(where / "result.nc") as partial:
        assert partial.attrs["status"] == "interrupted" and partial.sizes["time"] > 1
    assert fairlead("resume", "a.run", "-q").returncode == 0
    same(where / "result.nc", uninterrupted("rk4"))


def test_a_kill_before_the_first_commit_starts_anew(two_bodies: Path, fairlead):
    model = fl.load(two_bodies)
    data = fl.simulate(model, out=two_bodies.parent / "b.run")
    where = two_bodies.parent / "b.run"
    for name in ("checkpoint", "checkpoint.old", "result.nc"):
        (where / name).unlink(missing_ok=True)
    (where / "status.json").write_text('{"state": "running"}')
    done = fairlead("resume", "b.run", "-q")
    assert done.returncode == 0 and "started anew" in done.stderr
    same(where / "result.nc", fl.simulate(model))
    data.close()


def test_two_runs_do_not_share_a_directory(two_bodies: Path, fairlead):
    where = two_bodies.parent / "a.run"
    process = start(two_bodies.parent)
    try:
        wait_for(where / "checkpoint", process)
        done = fairlead("resume", "a.run")
        assert done.returncode == 5 and f"process {process.pid}" in done.stderr
    finally:
        process.kill()
        process.wait()


def interrupted(where: Path) -> Path:
    """Make a run that stopped half way, in this process."""
    from fairlead.formats.yaml.write import to_yaml
    from fairlead.running.files import replace_file, write_json
    from fairlead.running.log import ChunkLog
    from fairlead.running.options import run_options
    from fairlead.running.simulation import Simulation

    model = fl.load(where / "two.yaml")
    options = run_options(model, {"duration": 30.0})
    simulation = Simulation(model, **options)
    directory = runs.RunDirectory(where / "c.run")
    directory.path.mkdir()
    replace_file(directory / runs.MODEL, to_yaml(model).encode())
    about = runs._about(model, options)
    write_json(directory / runs.RUN, about)
    log = ChunkLog(directory / runs.LOG, simulation.buffer.shape[1])
    log.create()
    for _ in range(3):
        rows = simulation.advance()
        log.append(rows)
        runs._commit(directory, simulation, log, about, rows[-1])
    log.close()
    directory.status("running", simulation)
    return directory.path


def test_damage_anywhere_in_a_checkpoint_is_seen(two_bodies: Path):
    where = interrupted(two_bodies.parent)
    good = (where / "checkpoint").read_bytes()
    rng = np.random.default_rng(7)
    for _ in range(500):
        bad = bytearray(good)
        kind = rng.integers(3)
        if kind == 0:
            bad[rng.integers(len(bad))] ^= 1 << int(rng.integers(8))
        elif kind == 1:
            bad = bad[: rng.integers(len(bad))]
        else:
            at = rng.integers(len(bad) - 8)
            bad[at : at + 8] = rng.bytes(8)
        with pytest.raises(CheckpointUnusable):
            unpack_checkpoint(bytes(bad), "checkpoint")
    assert unpack_checkpoint(good, "checkpoint")[0]["step"] > 0


def test_a_damaged_checkpoint_falls_back_to_the_one_before(two_bodies: Path):
    where = interrupted(two_bodies.parent)
    (where / "checkpoint").write_bytes(b"FLCKPT1\nrubbish")
    data, warnings = runs.resume_directory(where)
    assert any("damaged" in warning for warning in warnings)
    expected = fl.simulate(fl.load(where / "model.yaml"), 30.0, 0.01)
    assert np.array_equal(data["position"].values, expected["position"].values)
    data.close()


def test_without_a_usable_checkpoint_the_run_is_refused_with_6(two_bodies: Path, fairlead):
    where = interrupted(two_bodies.parent)
    (where / "checkpoint").write_bytes(b"")
    (where / "checkpoint.old").write_bytes(b"FLCKPT1\n")
    before = {path.name: path.read_bytes() for path in where.iterdir() if path.name != "lock"}
    done = fairlead("resume", "c.run")
    assert done.returncode == 6 and "no usable checkpoint" in done.stderr and "Traceback" not in done.stderr
    assert {path.name: path.read_bytes() for path in where.iterdir() if path.name != "lock"} == before


def test_a_checkpoint_of_another_model_or_version_is_refused(two_bodies: Path, monkeypatch):
    where = interrupted(two_bodies.parent)
    text = (where / "model.yaml").read_text()
    (where / "model.yaml").write_text(text.replace("mass: 3", "mass: 4"))
    with pytest.raises(CheckpointUnusable, match="the model changed"):
        runs.resume_directory(where)
    (where / "model.yaml").write_text(text)
    header, arrays = unpack_checkpoint((where / "checkpoint").read_bytes(), "checkpoint")
    newer = pack_checkpoint({**header, "version": 99}, arrays)
    with pytest.raises(CheckpointUnusable, match="format 99"):
        unpack_checkpoint(newer, "checkpoint")
    monkeypatch.setattr(runs, "source_hash", lambda: "other")
    with pytest.raises(CheckpointUnusable, match="version of the kernels"):
        runs.resume_directory(where)


def test_a_log_cut_short_is_not_continued_silently(two_bodies: Path):
    where = interrupted(two_bodies.parent)
    os.truncate(where / "results.log", 100)
    with pytest.raises(CheckpointUnusable, match="shorter than its checkpoint"):
        runs.resume_directory(where)


def test_places_that_cannot_be_written_are_said_before_the_run(two_bodies: Path):
    (two_bodies.parent / "file").write_text("x")
    with pytest.raises(FilesFailure, match="cannot create"):
        fl.simulate(fl.load(two_bodies), out=two_bodies.parent / "file" / "below")
    with pytest.raises(FilesFailure, match="not a run directory"):
        runs.resume_directory(two_bodies.parent)


def test_a_run_whose_wind_file_changed_is_not_resumed(tmp_path: Path, fairlead):
    """What a model file names is part of the model: its content is compared, not only its name."""
    wind = tmp_path / "steady.wnd"
    wind.write_text("0 9 0 0 0 0 0 0\n1000 9 0 0 0 0 0 0\n")
    rotor = fl.RotorThrust("b", (0, 0, 90), (1, 0, 0), 60.0, 0.8)
    body = fl.Body(1e6, (1e6, 1e6, 1e6), (0, 0, 90))
    environment = fl.Environment(wind=fl.WindFile(str(wind)))
    model = fl.Model("windy", {"b": body}, loads={"r": rotor}, gravity=(0, 0, 0), environment=environment)
    fl.simulate(model, 100.0, 0.1, out=tmp_path / "a.run").close()
    status = tmp_path / "a.run" / "status.json"
    status.write_text(status.read_text().replace("complete", "running"))
    wind.write_text("0 10 0 0 0 0 0 0\n1000 9 0 0 0 0 0 0\n")
    done = fairlead("resume", "a.run")
    assert done.returncode == 6 and "steady.wnd' changed since the run was started" in done.stderr
    wind.unlink()
    done = fairlead("resume", "a.run")
    assert done.returncode == 6 and "gone now" in done.stderr
