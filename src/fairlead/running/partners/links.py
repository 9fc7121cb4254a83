"""Connections to a partner: a socket, or an object of this process. Every wait has a limit."""

from __future__ import annotations

import select
import socket
import time as wall
from collections import deque
from typing import Any, Protocol

from fairlead.running.partners.protocol import HEADER, Message, ProtocolError, body_length, pack, unpack

ROOM = 65536  # [bytes] taken at once
LOOK = 0.25  # [s] between two looks at whether the process still lives


class LinkLost(Exception):
    """The other side is gone."""


class LinkLate(Exception):
    """The other side did not answer within its limit."""


class Link(Protocol):
    """A connection that carries whole messages."""

    def send(self, message: Message) -> None:
        """Send a message."""

    def receive(self, limit: float) -> Message:
        """Return the next message; LinkLate after `limit` seconds, LinkLost if there will be none."""

    def close(self) -> None:
        """Give the connection up."""


class SocketLink:
    """A connected stream socket. `alive` is asked now and then, so that a death is seen behind an open socket."""

    def __init__(self, connected: socket.socket, alive: Any = None) -> None:
        self.socket, self.alive, self.left = connected, alive or (lambda: True), b""  # what came behind a message
        connected.setblocking(False)
        if connected.family != socket.AF_UNIX:
            connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def send(self, message: Message, limit: float = 60.0) -> None:
        """Send a message; LinkLate if the other side does not take it."""
        waiting, end = memoryview(pack(message)), wall.monotonic() + limit
        while waiting:
            try:
                waiting = waiting[self.socket.send(waiting) :]
            except BlockingIOError:
                if wall.monotonic() > end:
                    raise LinkLate from None
                select.select([], [self.socket], [], LOOK)
            except OSError:
                raise LinkLost from None

    def receive(self, limit: float) -> Message:
        """Return the next message. The limit is for all of it, so a slow drip is late as well."""
        end = wall.monotonic() + limit
        head = self._exactly(HEADER.size, end)
        return unpack(head, self._exactly(body_length(head), end))

    def _exactly(self, count: int, end: float) -> bytes:
        found, self.left = self.left, b""
        while len(found) < count:
            try:
                part = self.socket.recv(ROOM)
            except BlockingIOError:
                now = wall.monotonic()
                if now > end:
                    raise LinkLate from None
                if not select.select([self.socket], [], [], min(LOOK, end - now))[0]:
                    self._look()
                continue
            except OSError:
                raise LinkLost from None
            if not part:
                raise LinkLost
            found += part
        self.left = found[count:]
        return found[:count]

    def _look(self) -> None:
        if not self.alive() and not select.select([self.socket], [], [], 0.0)[0]:
            raise LinkLost

    def close(self) -> None:
        """Close the socket."""
        self.socket.close()


class InProcessLink:
    """A partner of this process, which answers each message at once; the same bytes as between two processes."""

    def __init__(self, program: Any) -> None:
        self.program = program
        self.answers: deque[bytes] = deque()
        self._take(program.hello())

    def _take(self, message: Message | None) -> None:
        if message is not None:
            self.answers.append(pack(message))

    def send(self, message: Message) -> None:
        """Hand a message over; its answer waits from then on."""
        content = pack(message)
        self._take(self.program.answer(unpack(content[: HEADER.size], content[HEADER.size :])))

    def receive(self, limit: float) -> Message:
        """Return the answer that waits."""
        if not self.answers:
            raise LinkLost
        content = self.answers.popleft()
        return unpack(content[: HEADER.size], content[HEADER.size :])

    def close(self) -> None:
        """Forget what waits."""
        self.answers.clear()


__all__ = ["InProcessLink", "Link", "LinkLate", "LinkLost", "ProtocolError", "SocketLink"]
