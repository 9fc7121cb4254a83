"""What one exchange with a partner costs, beside a bare ping-pong of the same bytes in the same run, and its memory.

python benchmarks/bench_coupling.py                    # over a Unix socket
mpiexec -n 1 python benchmarks/bench_coupling.py       # over MPI as well
"""

from __future__ import annotations

import os
import resource
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from fairlead.model.partners import Partner
from fairlead.running.partners.links import SocketLink
from fairlead.running.partners.process import Door
from fairlead.running.partners.program import NAME, WHERE, Motion, PartnerProgram
from fairlead.running.partners.protocol import HEADER, Kind, Message, as_text

MOTION, LOAD = HEADER.size + 13 * 8, HEADER.size + 6 * 8  # bytes of a question and of its answer
WARM, COUNT, MANY = 500, 5000, 100_000


class Still(PartnerProgram):
    """A partner that does nothing."""

    def load(self, t: float, motion: Motion) -> list[float]:
        return [0.0] * 6


def timed(exchange, count: int) -> float:
    """Return the median time of an exchange [us]."""
    times = np.zeros(count)
    for _ in range(WARM):
        exchange()
    for k in range(count):
        begin = time.perf_counter()
        exchange()
        times[k] = time.perf_counter() - begin
    return float(np.median(times)) * 1e6


def bare_socket() -> float:
    """Return the median of a ping-pong of bytes over a Unix socket, blocking, with another process of Python."""
    ours, theirs = socket.socketpair()
    code = (
        f"import socket, sys\ns = socket.socket(fileno={theirs.fileno()})\n"
        f"while (b := s.recv({MOTION}, socket.MSG_WAITALL)): s.sendall(b[:{LOAD}])"
    )
    child = subprocess.Popen([sys.executable, "-c", code], pass_fds=[theirs.fileno()])
    theirs.close()
    question = bytes(MOTION)

    def exchange() -> None:
        ours.sendall(question)
        ours.recv(LOAD, socket.MSG_WAITALL)

    found = timed(exchange, COUNT)
    ours.close()
    child.wait()
    return found


def asked(link) -> tuple[float, float]:
    """Return the median of an exchange [us] and the growth of memory over very many [MiB], of a link to a `Still`."""
    link.receive(60.0)
    words = {"name": "still", "sends": "position orientation velocity angular_velocity", "time": 0.0, "restart": 0}
    link.send(Message(Kind.WELCOME, 1, text=as_text(words | {"iterates": "no", "folder": ".", "patience": 100.0})))
    link.receive(60.0)
    sequence, values = 1, np.zeros(13)

    def exchange() -> None:
        nonlocal sequence
        sequence += 1
        link.send(Message(Kind.MOTION, sequence, 0.01 * sequence, 0.01, values=values))
        link.receive(60.0)

    median = timed(exchange, COUNT)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(MANY if "--memory" in sys.argv else 0):
        exchange()
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    link.send(Message(Kind.STOP, sequence + 1))
    link.receive(60.0)
    return median, grown


def through_socket() -> tuple[float, float]:
    """Return what an exchange over a Unix socket costs."""
    door = Door("still", Partner("box", command=("python",)))
    told = os.environ | {WHERE: door.where, NAME: "still"}
    child = subprocess.Popen([sys.executable, __file__, "partner"], env=told)
    link: SocketLink = door.accept("still", 60.0, None)
    found = asked(link)
    child.wait()
    door.close()
    return found


def through_mpi() -> tuple[float, float, float]:
    """Return the median of a blocking ping-pong of bytes over MPI, and what an exchange costs."""
    from fairlead.running.partners.mpi import Spawned, library

    MPI = library("still")
    info = MPI.Info.Create()
    bare = MPI.COMM_SELF.Spawn(sys.executable, [__file__, "echo"], maxprocs=1, info=info)
    question, answer = bytearray(MOTION), bytearray(LOAD)

    def exchange() -> None:
        bare.Send([question, MPI.BYTE], dest=0)
        bare.Recv([answer, MPI.BYTE], source=0)

    median = timed(exchange, COUNT)
    bare.Send([question[:1], MPI.BYTE], dest=0)
    bare.Disconnect()
    with tempfile.TemporaryDirectory() as kept:
        spawned = Spawned("still", [sys.executable, __file__, "partner"], 1, Path.cwd(), Path(kept))
        found = asked(spawned.link)
        spawned.link.close()
        spawned.end(10.0)
    return median, *found


def echo() -> None:
    """Answer bytes over MPI."""
    from mpi4py import MPI

    parent, question, answer = MPI.Comm.Get_parent(), bytearray(MOTION), bytearray(LOAD)
    status = MPI.Status()
    while True:
        parent.Recv([question, MPI.BYTE], source=0, status=status)
        if status.Get_count(MPI.BYTE) == 1:
            break
        parent.Send([answer, MPI.BYTE], dest=0)
    parent.Disconnect()


def main() -> None:
    """Print both, their ratio, and the memory."""
    cores = os.cpu_count()
    print(f"median of {COUNT} exchanges of {MOTION} and {LOAD} bytes, {cores} cores, load {os.getloadavg()[0]:.1f}")
    bare = bare_socket()
    median, grown = through_socket()
    print(f"Unix socket: bare {bare:.1f} us, exchange {median:.1f} us, ratio {median / bare:.2f}")
    if "--memory" in sys.argv:
        print(f"  memory of our side over {MANY} more exchanges: {grown:+.2f} MiB")
    if {"PMI_RANK", "PMI_FD"} & os.environ.keys():
        bare, median, grown = through_mpi()
        print(f"MPI: bare {bare:.1f} us, exchange {median:.1f} us, ratio {median / bare:.2f}")
        if "--memory" in sys.argv:
            print(f"  memory of our side over {MANY} more exchanges: {grown:+.2f} MiB")


if __name__ == "__main__":
    if sys.argv[1:] == ["partner"]:
        sys.exit(Still(name="still").run())
    if sys.argv[1:] == ["echo"]:
        sys.exit(echo())
    main()
