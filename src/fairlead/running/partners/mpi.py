"""Partners over MPI: started by `MPI.Comm.Spawn`, spoken to at their first process, waited for with growing sleeps.

A message is one MPI message of bytes, the same as over a socket. Receives are polled, since a blocking one spins and
takes the processor from the partner. Our own process needs to have been started by mpiexec.
"""

from __future__ import annotations

import os
import secrets
import shutil
import signal
import sys
import time as wall
from pathlib import Path
from typing import Any

from fairlead.errors import InvalidInput, PartnerFailure, Problem
from fairlead.running.partners.links import LinkLate, LinkLost
from fairlead.running.partners.process import last_lines
from fairlead.running.partners.protocol import (
    HEADER,
    MOST_TEXT,
    NAME,
    TOKEN,
    WHERE,
    Message,
    ProtocolError,
    pack,
    unpack,
)

TAG = 7
SPIN, FIRST_SLEEP, LONGEST_SLEEP = 1e-4, 2e-5, 2e-3  # [s] polled without a break; then sleeps that grow up to a limit
# Two sides that wait for each other wait for each other's sleeps: with sleeps that double both grow without need.
GROWTH = 1.2
UNDER_MPIEXEC = ("PMI_RANK", "PMI_FD", "PMIX_RANK", "OMPI_COMM_WORLD_RANK")


def library(name: str) -> Any:
    """Return mpi4py's MPI; InvalidInput where it is not installed, or where a spawn would end this process."""
    path = f"partners.{name}.transport"
    try:
        import mpi4py
    except ImportError:
        text = "is 'mpi', which needs mpi4py and an MPI: pip install 'fairlead[mpi]'"
        raise InvalidInput([Problem(text, path)]) from None
    if not set(UNDER_MPIEXEC) & os.environ.keys():
        text = "is 'mpi', for which this run must be started by mpiexec: mpiexec -n 1 fairlead couple ..."
        raise InvalidInput([Problem(text, path)])
    mpi4py.rc.thread_level = "single"
    from mpi4py import MPI

    return MPI


class MpiLink:
    """One process at the other end of a communicator."""

    def __init__(self, MPI: Any, communicator: Any, alive: Any = None) -> None:
        self.MPI, self.communicator, self.alive = MPI, communicator, alive or (lambda: True)

    def send(self, message: Message, limit: float = 60.0) -> None:
        """Send a message; LinkLate if it is not taken."""
        content = pack(message)
        try:
            request = self.communicator.Isend([content, self.MPI.BYTE], dest=0, tag=TAG)
            self._poll(request.Test, limit)
        except self.MPI.Exception:
            raise LinkLost from None

    def receive(self, limit: float) -> Message:
        """Return the next message."""
        status = self.MPI.Status()
        try:
            self._poll(lambda: self.communicator.Iprobe(source=0, tag=TAG, status=status), limit)
            count = status.Get_count(self.MPI.BYTE)
            if not HEADER.size <= count <= HEADER.size + MOST_TEXT:
                raise ProtocolError(f"sent {count} bytes, which no message has")
            content = bytearray(count)
            self.communicator.Recv([content, self.MPI.BYTE], source=0, tag=TAG)
        except self.MPI.Exception:
            raise LinkLost from None
        return unpack(bytes(content[: HEADER.size]), bytes(content[HEADER.size :]))

    def _poll(self, done: Any, limit: float) -> None:
        """Wait until something is done: at first without a break, then with sleeps that grow."""
        now = wall.monotonic()
        spin, end, sleep = now + SPIN, now + limit, FIRST_SLEEP
        while not done():
            now = wall.monotonic()
            if now > end:
                raise LinkLate
            if now <= spin:
                os.sched_yield()  # to the partner, where both share a core
            else:
                wall.sleep(sleep)
                sleep = min(GROWTH * sleep, LONGEST_SLEEP)
                if sleep == LONGEST_SLEEP and not self.alive() and not done():
                    raise LinkLost

    def close(self) -> None:
        """Leave the communicator, which both sides must do; a side that is dead is not waited for."""
        if self.alive():
            try:
                self.communicator.Disconnect()
            except self.MPI.Exception:
                pass


class Spawned:
    """The processes of a partner that MPI started; `alive` while its first one is."""

    def __init__(self, name: str, command: list[str], processes: int, folder: Path, kept: Path) -> None:
        MPI = library(name)
        self.name, self.said, self.processes = name, kept / f"{name}.stderr", processes
        self.token = secrets.token_hex(16)
        self.pids = [kept.resolve() / f"{name}.{rank}.pid" for rank in range(processes)]
        for path in self.pids:
            path.unlink(missing_ok=True)
        # MPI starts programs in the environment of mpiexec: a first program puts ours in place and becomes the partner.
        source = os.pathsep.join(filter(None, [str(Path(__file__).parents[3]), os.environ.get("PYTHONPATH", "")]))
        words = {WHERE: "mpi", NAME: name, TOKEN: self.token, "PYTHONPATH": source}
        words |= {name: value for name, value in os.environ.items() if name.startswith("FAULT")}
        starter = str(Path(__file__).parent / "become.py")
        arguments = [
            "-S",
            starter,
            str(kept.resolve() / name),
            *(f"{one}={value}" for one, value in words.items()),
            "--",
        ]
        info = MPI.Info.Create()
        info.Set("wdir", str(folder))
        MPI.COMM_SELF.Set_errhandler(MPI.ERRORS_RETURN)
        try:
            spawned = MPI.COMM_SELF.Spawn(sys.executable, [*arguments, *command], maxprocs=processes, info=info)
        except MPI.Exception as error:
            raise PartnerFailure(f"partner '{name}' could not be started by MPI: {error}") from None
        spawned.Set_errhandler(MPI.ERRORS_RETURN)
        self.link = MpiLink(MPI, spawned, lambda: self.alive)

    def joined(self, limit: float) -> MpiLink:
        """Return the link to the first process; it has joined when it was spawned."""
        return self.link

    @property
    def alive(self) -> bool:
        """Return whether its first process still runs, as far as is known."""
        pid = self._pid(self.pids[0])
        return pid is None or _runs(pid)

    def _pid(self, path: Path) -> int | None:
        try:
            return int(path.read_text())
        except (OSError, ValueError):
            return None

    def last_words(self) -> str:
        """Return the last lines it wrote to stderr, as the end of a sentence."""
        return last_lines(self.said)

    def end(self, limit: float) -> None:
        """Wait for its processes, then make them end."""
        until = wall.monotonic() + limit
        known = [pid for pid in map(self._pid, self.pids) if pid is not None]
        while any(map(_runs, known)) and wall.monotonic() < until:
            wall.sleep(0.02)
        for pid in filter(_runs, known):
            os.kill(pid, signal.SIGKILL)
        for path in self.pids:
            path.unlink(missing_ok=True)


def _runs(pid: int) -> bool:
    """Return whether a process runs; one that waits for its parent to look at it does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


class ParentLink(MpiLink):
    """The link of a partner to the run that spawned it. Of several processes the first one speaks."""

    def close(self) -> None:
        """Let the other processes of the partner know, and leave the communicator."""
        try:
            wait_for_all(self.MPI)
            self.communicator.Disconnect()
        except self.MPI.Exception:
            pass


def wait_for_all(MPI: Any) -> None:
    """Wait until every process of a partner has come here, with sleeps."""
    request = MPI.COMM_WORLD.Ibarrier()
    while not request.Test():
        wall.sleep(LONGEST_SLEEP)


def is_first() -> bool:
    """Return whether this is the process of a partner that speaks."""
    from mpi4py import MPI

    return bool(MPI.COMM_WORLD.Get_rank() == 0)


def parent() -> MpiLink:
    """Return the link to the run that spawned this process."""
    from mpi4py import MPI

    found = MPI.Comm.Get_parent()
    if found == MPI.COMM_NULL:
        print("this process was not spawned by a run; start it by `fairlead couple`", file=sys.stderr)
        sys.exit(2)
    found.Set_errhandler(MPI.ERRORS_RETURN)
    run = os.getppid()  # mpiexec's helper, which ends with the run
    return ParentLink(MPI, found, lambda: os.getppid() == run)


def mpiexec() -> str | None:
    """Return mpiexec, beside this Python or on PATH."""
    beside = Path(sys.executable).parent / "mpiexec"
    return str(beside) if beside.exists() else shutil.which("mpiexec")
