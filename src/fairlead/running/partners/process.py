"""The processes of partners: commands checked before anything starts, stderr kept per partner, nothing left behind."""

from __future__ import annotations

import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time as wall
from pathlib import Path
from typing import Any

from fairlead.errors import InvalidInput, PartnerFailure, Problem
from fairlead.model.partners import Partner
from fairlead.running.partners.links import SocketLink
from fairlead.running.partners.protocol import NAME, TOKEN, WHERE

LAST = 6  # lines of stderr that are told


def command_of(name: str, partner: Partner, folder: Path) -> list[str]:
    """Return the command of a partner with its program found; InvalidInput if there is none that can be started."""
    assert partner.command is not None
    program, *rest = partner.command
    if program in ("python", "python3"):
        return [sys.executable, *rest]
    found = shutil.which(str(folder / program) if os.sep in program or program.startswith(".") else program)
    if found is None:
        there = (folder / program).exists()
        text = f"'{program}' {'is not executable' if there else 'is not found'}; looked in {folder} and PATH"
        raise InvalidInput([Problem(text, f"partners.{name}.command")])
    return [found, *rest]


def last_lines(path: Path) -> str:
    """Return the last lines of what a partner wrote, as the end of a sentence."""
    text = path.read_text(errors="replace") if path.exists() else ""
    lines = [line.strip() for line in text.splitlines() if line.strip()][-LAST:]
    return f"; its last words: {' | '.join(lines)}" if lines else f"; it said nothing ({path})"


class Process:
    """A partner's process, started in a session of its own so that all of it can be ended."""

    def __init__(self, name: str, command: list[str], folder: Path, kept: Path, where: str) -> None:
        self.name, self.said = name, kept / f"{name}.stderr"
        source = str(Path(__file__).parents[3])
        paths = os.pathsep.join(filter(None, [source, os.environ.get("PYTHONPATH", "")]))
        self.token = secrets.token_hex(16)
        environment = os.environ | {WHERE: where, NAME: name, TOKEN: self.token, "PYTHONPATH": paths}
        with open(self.said, "wb") as said:
            try:
                self.process = subprocess.Popen(
                    command,
                    cwd=folder,
                    env=environment,
                    stdin=subprocess.DEVNULL,
                    stdout=said,
                    stderr=said,
                    start_new_session=True,
                )
            except OSError as error:
                raise PartnerFailure(
                    f"partner '{name}' could not be started: {error.strerror}: {command[0]}"
                ) from error

    @property
    def alive(self) -> bool:
        """Return whether it still runs."""
        return self.process.poll() is None

    def last_words(self) -> str:
        """Return the last lines it wrote to stderr and how it ended, as the end of a sentence."""
        try:
            self.process.wait(0.5)
        except subprocess.TimeoutExpired:
            pass
        code = self.process.poll()
        how = (
            ""
            if code is None
            else f"; it was ended by {signal.Signals(-code).name}"
            if code < 0
            else f"; it exited with {code}"
        )
        return how + last_lines(self.said)

    def end(self, limit: float) -> None:
        """Wait for its end, then make it end, with all it started."""
        try:
            self.process.wait(limit)
        except subprocess.TimeoutExpired:
            pass
        for number in (signal.SIGTERM, signal.SIGKILL):
            try:
                os.killpg(self.process.pid, number)
            except (ProcessLookupError, PermissionError):
                break
            try:
                self.process.wait(1.0)
            except subprocess.TimeoutExpired:
                continue
        self.process.wait(5.0)


class Door:
    """A socket at which one partner joins: in a directory of our own, or a port of this machine."""

    def __init__(self, name: str, partner: Partner) -> None:
        self.folder: str | None = None
        self.own = partner.address if partner.transport == "socket" else None
        if partner.transport == "tcp":
            self.socket = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            place: Any = ("127.0.0.1", int(partner.address or 0))
        else:
            self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            if self.own is None:
                self.folder = tempfile.mkdtemp(prefix="fairlead-")
            place = self.own or os.path.join(str(self.folder), "partner")
        try:
            self.socket.bind(place)
        except OSError as error:
            self.close()
            raise InvalidInput(
                [Problem(f"cannot wait at {place}: {error.strerror}", f"partners.{name}.address")]
            ) from None
        self.socket.listen(1)
        self.where = f"unix:{place}" if partner.transport == "socket" else f"tcp:{self.socket.getsockname()[1]}"

    def accept(self, name: str, limit: float, process: Process | None) -> SocketLink:
        """Return the link to the partner that joins; PartnerFailure if none does within the limit."""
        self.socket.settimeout(0.05)
        end = wall.monotonic() + limit
        while wall.monotonic() < end:
            try:
                found, _ = self.socket.accept()
                return SocketLink(found, (lambda: process.alive) if process else None)
            except TimeoutError:
                if process is not None and not process.alive:
                    raise PartnerFailure(f"partner '{name}' ended before it joined{process.last_words()}") from None
        words = process.last_words() if process else ""
        raise PartnerFailure(f"partner '{name}' did not join within {limit:g} s{words}")

    def close(self) -> None:
        """Close the socket and remove its directory."""
        self.socket.close()
        if self.folder is not None:
            shutil.rmtree(self.folder, ignore_errors=True)
        elif self.own is not None:
            Path(self.own).unlink(missing_ok=True)
