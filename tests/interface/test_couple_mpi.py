"""Partners over MPI: the same bits as over a socket, and every fault ends the run with exit 7.

Needs mpi4py and an MPI (extra `mpi`); without them the tests are skipped, and fail where CI is set.
"""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

import fairlead as fl
from fairlead.running.partners.mpi import mpiexec
from interface.test_legacy_coupled import case_in
from interface.test_legacy_runs import contents
from interface.test_partner_faults import ANSWER, FAULTS, PHASES, START, alive, model

# A partner that dies must not take the run with it: MPICH ends all of a job unless it is told not to. Its mpiexec
# then ends with a code of its own, so ours is printed.
SURVIVE = "-disable-auto-cleanup"


@pytest.fixture
def run():
    """Give a function that runs Python under mpiexec."""
    launcher = mpiexec()
    if importlib.util.find_spec("mpi4py") is None or launcher is None:
        text = "NO MPI: partners over MPI were not tried; install the extra: pip install 'fairlead[mpi]'"
        if os.environ.get("CI"):
            pytest.fail(text)
        pytest.skip(text)

    def start(*words: str, folder: Path, **environment: str) -> subprocess.CompletedProcess:
        survives = [SURVIVE] if words[0] == "-c" else []
        whole = [launcher, *survives, "-n", "1", sys.executable, *words]
        told = os.environ | environment
        return subprocess.run(
            whole, cwd=folder, env=told, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=150
        )

    return start


def test_a_legacy_case_on_one_two_and_one_processes(run, fairlead, tmp_path: Path):
    """Table 8 with SPH on two processes and HMB on one gives the files that a socket gives."""
    case_in(tmp_path / "case", end=0.2)
    done = run("-m", "fairlead", "couple", "case", "none", "-o", "mpi", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "has no effect over a socket" not in done.stderr
    assert fairlead("couple", "case", "none", "-o", "socket").returncode == 0
    a, b = contents(tmp_path / "mpi"), contents(tmp_path / "socket")
    outputs = [name for name in a if name.endswith(".dat")]
    assert len(outputs) >= 2 and all(a[name] == b[name] for name in outputs)


def test_without_mpiexec_it_is_said_how_to_start(fairlead, tmp_path: Path):
    if importlib.util.find_spec("mpi4py") is None:
        words = "pip install 'fairlead[mpi]'"
    else:
        words = "mpiexec -n 1 fairlead couple"
    case_in(tmp_path / "case", end=0.2)
    said = fairlead("couple", "case", "none", "--transport", "mpi")
    assert said.returncode == 3 and words in said.stderr


FAILING = """
import sys
import fairlead as fl
import fairlead.running.directory as directory
from interface.test_partner_faults import model
directory.COMMIT_SECONDS = 0.0
try:
    fl.couple(model("mpi", sys.argv[1]), out="faulty.run", progress=False, resume=sys.argv[2] == "resume", say=str)
    print("complete", flush=True)
except fl.FairleadError as error:
    print(error.exit_code, error, flush=True)
"""


def fails(run, fault: str, phase: str, tmp_path: Path, step: str = "small") -> None:
    """Run into a fault over MPI, and go on with a healthy partner, to the bits of a socket."""
    mark, when = f"{tmp_path.name}-{fault}", {"FAULTY_STEP": step, "FAULT_AT": "20" if step == "small" else "6"}
    late = {"LATE": str(START + 0.5 if phase == "start" else ANSWER + 0.5)}
    first = "new"
    if phase == "start":
        run("-c", FAILING, step, first, folder=tmp_path, FAULT="die", PHASE="middle", FAULTY_MARK=mark, **when)
        first = "resume"
    broken = run(
        "-c", FAILING, step, first, folder=tmp_path, FAULT=fault, PHASE=phase, FAULTY_MARK=mark, **when, **late
    )
    code = 6 if (fault, phase) == ("time", "start") else 7
    assert broken.stdout.startswith(f"{code} partner 'water'"), (broken.stdout, broken.stderr)
    assert alive(mark.encode()) == []
    again = run("-c", FAILING, step, "resume", folder=tmp_path, FAULTY_MARK=mark, **when)
    assert again.stdout == "complete\n", (again.stdout, again.stderr)
    os.environ["FAULTY_STEP"] = step
    whole = fl.couple(model("socket", step), progress=False)
    found = fl.open_result(tmp_path / "faulty.run" / "result.nc")
    for name in ("position", "load_force", "exchange_force"):
        assert found[name].values.tobytes() == whole[name].values.tobytes(), name
    found.close()


@pytest.mark.slow
@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize("fault", FAULTS)
def test_every_fault(run, fault: str, phase: str, tmp_path: Path):
    fails(run, fault, phase, tmp_path)
