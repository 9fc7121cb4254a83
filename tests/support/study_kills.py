"""A campaign against a study: its workers, its scheduler and the process that drives it are killed at random."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil
import xarray as xr

from fairlead.formats.yaml.write import flow
from support.study_specs import CUBE

FAIRLEAD = [sys.executable, "-m", "fairlead", "study"]
LONGEST = 300.0  # [s] that a start may take on a busy machine


def spec(cases: int, seconds: float = 20.0) -> dict[str, Any]:
    """Return a study of so many short cases and one that diverges."""
    stiffness = [8000.0 + i for i in range(cases)] + [1e12]
    return {
        "fairlead_study": 1,
        "model": CUBE,
        "vary": {"loads.spring.stiffness": stiffness},
        "run": {"duration": seconds, "dt": 0.001},
        "statistics": {"position:cube:z": ["mean", "std", "max"]},
    }


def written(words: dict[str, Any], path: Path) -> Path:
    """Write a study's file."""
    path.write_text("".join(f"{key}: {flow(value)}\n" for key, value in words.items()))
    return path


class Driver:
    """One start of a study, as a process of its own."""

    def __init__(self, file: Path, out: Path, *flags: str) -> None:
        self.out = out
        command = [*FAIRLEAD, str(file), "-o", str(out), "--json", *flags]
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
        )

    @property
    def done(self) -> int:
        """Return how many cases have a result."""
        return len(list((self.out / "cases").glob("*.json"))) if (self.out / "cases").is_dir() else 0

    def workers(self) -> list[psutil.Process]:
        """Return the processes below it."""
        with suppress(psutil.Error):
            return [one for one in psutil.Process(self.process.pid).children(recursive=True) if _works(one)]
        return []

    def wait_for(self, cases: int) -> bool:
        """Wait until so many cases are done; return whether it still runs."""
        until = time.monotonic() + LONGEST
        while self.process.poll() is None and time.monotonic() < until:
            if self.done >= cases:
                return True
            time.sleep(0.02)
        return False

    def kill_worker(self, chance: random.Random) -> bool:
        """Kill one of its workers; return whether there was one."""
        there = self.workers()
        if not there:
            return False
        with suppress(psutil.Error):
            chance.choice(there).kill()
        return True

    def kill(self) -> None:
        """Kill the process that drives the study; its workers end by themselves."""
        left = self.workers()
        self.process.kill()
        self.process.communicate()
        _, alive = psutil.wait_procs(left, timeout=20)
        assert not alive, "workers outlive the process that started them"

    def finish(self) -> tuple[int, dict[str, Any], str]:
        """Return the exit code, what it says as JSON, and what it tells on stderr."""
        out, told = self.process.communicate(timeout=LONGEST)
        return self.process.returncode, json.loads(out) if out.strip().startswith("{") else {}, told

    def interrupt(self) -> int:
        """Press Ctrl-C, which a terminal sends to all of its processes; return the exit code."""
        os.killpg(self.process.pid, signal.SIGINT)
        self.process.communicate(timeout=60)
        return self.process.returncode


def _works(process: psutil.Process) -> bool:
    """Return whether a process is a worker, and not one of the helpers that Python keeps beside them."""
    line = " ".join(process.cmdline())
    return "spawn_main" in line or "dask" in line


def answer(out: Path) -> xr.Dataset:
    """Return the Dataset of a study."""
    with xr.open_dataset(out / "study.nc", engine="h5netcdf") as data:
        return data.load()
