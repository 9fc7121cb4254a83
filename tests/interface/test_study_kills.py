"""Workers, schedulers and drivers are killed: no case is lost or doubled; the bits are those of a study undisturbed."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import xarray as xr

import fairlead as fl
from fairlead.running.ensembles.store import Ledger
from support.study_kills import Driver, answer, spec, written
from support.study_specs import cubes, seas

distributed = pytest.importorskip("distributed", reason="dask is not installed: pip install 'fairlead[study]'")


def undisturbed(words: dict[str, Any]) -> xr.Dataset:
    """Return the Dataset of a study that nobody disturbs, run by threads of this process."""
    with (
        distributed.LocalCluster(
            n_workers=1, threads_per_worker=1, processes=False, dashboard_address="127.0.0.1:0"
        ) as cluster,
        distributed.Client(cluster, set_as_default=False) as client,
        pytest.raises(fl.StudyIncomplete) as error,
    ):
        fl.study(words, client, progress=False)
    return error.value.data


def ends_well(file: Path, out: Path, expected: xr.Dataset, cases: int, *flags: str) -> None:
    """Start a study for the last time and hold what it leaves against an undisturbed one."""
    code, said, told = Driver(file, out, *flags).finish()
    assert code == 8, told  # one of its cases diverges
    assert (said["cases"], said["done"], said["failed"]) == (cases + 1, cases, 1)
    assert "fairlead run" in said["failures"][0]["command"]
    assert answer(out).drop_attrs(deep=False).identical(expected.drop_attrs(deep=False))
    assert len(list((out / "cases").glob("*.json"))) == cases + 1
    assert len(Ledger(out / "ledger").outcomes) == cases + 1
    lines = (out / "ledger").read_text().splitlines()
    assert len(lines) == len(set(lines)) == cases + 1  # none is written twice
    assert not list((out / "running").iterdir())


def test_workers_and_the_driver_are_killed_and_nothing_is_lost(tmp_path: Path):
    """Two workers die, then the driver; the second start ends what is left."""
    words = spec(60)
    file, out, chance = written(words, tmp_path / "spec.yaml"), tmp_path / "s", random.Random(1)
    driver = Driver(file, out, "--workers", "2")
    for done in (5, 20):
        if driver.wait_for(done):
            driver.kill_worker(chance)
    driver.wait_for(30)
    driver.kill()
    assert 0 < driver.done < 61
    ends_well(file, out, undisturbed(words), 60, "--workers", "1")


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(5))
def test_campaign(seed: int, tmp_path: Path):
    """Twenty kills of workers at random, seconds apart, and two of the driver, in a study of 200 cases."""
    chance, words = random.Random(seed), spec(200, 200.0)
    file, out, kills = written(words, tmp_path / "spec.yaml"), tmp_path / "s", 0
    while kills < 20:
        driver = Driver(file, out, "--workers", "2")
        until = 10 if kills < 10 else 20
        driver.wait_for(driver.done + 3)
        while kills < until and driver.process.poll() is None:
            time.sleep(chance.uniform(0.3, 2.5))
            kills += driver.kill_worker(chance)
        if driver.process.poll() is None:
            driver.kill()
        else:
            code, _, told = driver.finish()
            assert driver.done == 201, (code, told)
            break  # all was done before the last kill
    assert kills >= 10
    ends_well(file, out, undisturbed(words), 200, "--workers", "2")


@contextmanager
def cluster_outside(folder: Path, workers: int = 2) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """Give the address of a scheduler with workers, each a process that is not ours, and the scheduler's process."""
    file = folder / "scheduler.json"
    silent = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    begin = [sys.executable, "-m"]
    scheduler = subprocess.Popen(
        [*begin, "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard"]
        + ["--dashboard-address", "127.0.0.1:0", "--scheduler-file", str(file)],
        **silent,  # type: ignore[call-overload]
    )
    worker = subprocess.Popen(
        [*begin, "distributed.cli.dask_worker", "--scheduler-file", str(file), "--nworkers", str(workers)]
        + ["--nthreads", "1", "--no-dashboard", "--host", "127.0.0.1", "--local-directory", str(folder)],
        **silent,  # type: ignore[call-overload]
    )
    try:
        with distributed.Client(scheduler_file=str(file), timeout=120, set_as_default=False) as client:
            client.wait_for_workers(workers, timeout=120)
            address = client.scheduler.address
        yield address, scheduler
    finally:
        for process in (worker, scheduler):
            process.terminate()
        for process in (worker, scheduler):
            process.wait(timeout=60)
        file.unlink(missing_ok=True)


@pytest.mark.slow
def test_the_scheduler_is_killed(tmp_path: Path):
    """Without its scheduler a study ends with exit 8 instead of waiting, and goes on with another one."""
    words = spec(200, 100.0)
    file, out = written(words, tmp_path / "spec.yaml"), tmp_path / "s"
    with cluster_outside(tmp_path) as (address, scheduler):
        driver = Driver(file, out, "--scheduler", address)
        assert driver.wait_for(10)
        scheduler.kill()
        began = time.monotonic()
        code, _, told = driver.finish()
        assert code == 8
        assert "scheduler" in told
        assert time.monotonic() - began < 60
    assert 0 < driver.done < 201
    with cluster_outside(tmp_path) as (address, _):
        ends_well(file, out, undisturbed(words), 200, "--scheduler", address)


@pytest.mark.slow
def test_control_c_ends_cleanly_and_the_next_start_goes_on(tmp_path: Path):
    words = spec(100, 100.0)
    file, out = written(words, tmp_path / "spec.yaml"), tmp_path / "s"
    driver = Driver(file, out, "--workers", "2")
    assert driver.wait_for(10)
    left = driver.workers()
    assert driver.interrupt() == 130
    assert all(not one.is_running() for one in left)
    assert 0 < driver.done < 101
    ends_well(file, out, undisturbed(words), 100, "--workers", "1")


@pytest.mark.slow
def test_however_it_is_run_it_has_the_same_bits(tmp_path: Path):
    """One worker, two, a scheduler outside, and a client of processes, of threads."""
    one = fl.study(seas(), workers=1, progress=False)
    assert one.identical(fl.study(seas(), workers=2, progress=False))
    with cluster_outside(tmp_path) as (address, _):
        assert one.identical(fl.study(seas(), scheduler=address, out=tmp_path / "s", progress=False))
        with distributed.Client(address, set_as_default=False) as client:
            assert one.identical(fl.study(seas(), client, tmp_path / "t", progress=False))


@pytest.mark.slow
def test_a_case_that_takes_its_workers_memory_fails_alone(tmp_path: Path):
    """A record of 2 GB in a worker that may have 1 GB: the worker ends, says why, and the others go on."""
    vary = {"n": {"path": "run.output_every", "values": [1000, 1]}}
    words = cubes(vary=vary, run={"duration": "2500 s", "dt": 0.001})
    with pytest.raises(fl.StudyIncomplete, match="needed more memory than a worker may have") as error:
        fl.study(words, out=tmp_path / "s", workers=2, memory="1 GB", progress=False)
    assert "1 of 2 cases failed" in str(error.value)
    assert error.value.data["outcome"].values.ravel().tolist() == ["done", "failed"]
