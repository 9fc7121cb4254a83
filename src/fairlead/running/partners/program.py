"""A partner written in Python: a class that is told motions and answers with loads."""

from __future__ import annotations

import hashlib
import os
import socket
import sys
import time as wall
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from fairlead.running.partners.links import Link, LinkLate, LinkLost, SocketLink
from fairlead.running.partners.protocol import (
    NAME,
    TOKEN,
    VERSION,
    WHERE,
    Flag,
    Kind,
    Message,
    ProtocolError,
    as_text,
    from_text,
)

Array = npt.NDArray[np.float64]
SENT = {"position": 3, "orientation": 4, "velocity": 3, "angular_velocity": 3}  # numbers of what may be sent


class Motion(NamedTuple):
    """The motion that a partner is sent, in its axes and about its point; what is not sent is None.

    `step` is the time until the next exchange, 0 at the end; a `trial` is a guess at the next instant.
    """

    position: Array | None = None
    orientation: Array | None = None  # unit quaternion, scalar first, body to partner axes
    velocity: Array | None = None
    angular_velocity: Array | None = None
    step: float = 0.0
    middle: bool = False
    trial: bool = False


class PartnerProgram:
    """A partner program: `load(t, motion)` returns force and moment, and `run()` serves until it is told to stop.

    A partner with a state of its own has `save` and `restore`; one that is given by a function alone needs neither.
    `step` is "small" or "large"; `answers` says for which instant a load of a large step is: its "start" or its "end".
    `dt` is its own constant step, which becomes that of the run for a small-step partner; None takes what it gets.
    """

    step: str = "small"
    answers: str = "start"
    units: str = "SI"  # or "scaled": numbers without dimension, which the model's `scale` makes SI
    dt: float | None = None

    def __init__(self, load: Callable[[float, Motion], Any] | None = None, name: str = "", **about: Any) -> None:
        self.name = name or os.environ.get(NAME, "partner")
        if load is not None:
            self.load = load  # type: ignore[method-assign,assignment]
        for word, value in about.items():
            if word not in ("step", "answers", "units", "dt"):
                raise TypeError(f"PartnerProgram takes step, answers, units and dt; got '{word}'")
            setattr(self, word, value)
        self.about: dict[str, str] = {}
        self.sequence, self.committed, self.ended = 0, b"", False
        self.places: list[tuple[str, slice]] = []  # of what is sent, in a message
        self.iterates = False

    def load(self, t: float, motion: Motion) -> Any:
        """Return force and moment at time t: six numbers, in the axes of the partner and about its point."""
        raise NotImplementedError("a partner needs load(t, motion)")

    def start(self) -> None:
        """Get ready; `self.about` has what the run said of itself."""

    def save(self) -> bytes:
        """Return the whole state."""
        return b""

    def restore(self, state: bytes) -> None:
        """Go on from what `save` returned."""

    def stop(self) -> None:
        """Tidy up, the run being over."""

    def run(self) -> int:
        """Serve the run that started this program, or that waits where the environment says; return an exit code."""
        return serve(self)

    # The protocol

    def hello(self) -> Message:
        """Return the first message."""
        words = {"protocol": VERSION, "name": self.name, "program": type(self).__name__, "units": self.units}
        words |= {"step": self.step, "answers": self.answers, "dt": 0.0 if self.dt is None else float(self.dt)}
        return Message(Kind.HELLO, text=as_text(words | {"token": os.environ.get(TOKEN, "")}))

    def answer(self, message: Message) -> Message | None:
        """Return the answer to a message; ProtocolError if it is out of turn."""
        if message.kind == Kind.ERROR:
            raise ProtocolError(f"the run ended: {message.text}")
        if message.sequence != self.sequence + 1:
            raise ProtocolError(f"got message {message.sequence} where {self.sequence + 1} was due")
        self.sequence = message.sequence
        if message.kind == Kind.MOTION:
            return self._motion(message)
        about: dict[str, Any] = {"sequence": message.sequence, "time": message.time}
        if message.kind == Kind.WELCOME:
            return Message(Kind.READY, **about, text=as_text(self._welcome(from_text(message.text))))
        if message.kind == Kind.CHECKPOINT:
            return Message(Kind.ACKNOWLEDGE, **about, text=as_text(self._checkpoint(message)))
        if message.kind == Kind.STOP:
            self.stop()
            self.ended = True
            return Message(Kind.STOPPED, **about)
        raise ProtocolError(f"got a message of kind {message.kind.name}, which is not for a partner")

    def _welcome(self, about: dict[str, str]) -> dict[str, Any]:
        self.about, self.places, at = about, [], 0
        for name in about["sends"].split():
            self.places.append((name, slice(at, at + SENT[name])))
            at += SENT[name]
        self.iterates = about.get("iterates") == "yes"
        self.start()
        words = {"time": float(about["time"]), "sha256": ""}
        if number := int(about.get("restart", "0")):
            state = (Path(about["folder"]) / f"{self.name}.checkpoint.{number}").read_bytes()
            self.restore(state[8:])
            words = {"time": float(np.frombuffer(state[:8], "<f8")[0]), "sha256": hashlib.sha256(state).hexdigest()}
        self.committed = self.save()
        return words

    def _motion(self, message: Message) -> Message:
        assert message.values is not None
        row, flags, step = message.values[0], message.flags, message.step
        motion = Motion(**{name: row[place] for name, place in self.places}, step=step)
        if flags:
            motion = motion._replace(middle=bool(flags & Flag.MIDDLE), trial=bool(flags & Flag.TRIAL))
        if self.iterates:
            self.restore(self.committed)
        load = np.array(self.load(message.time, motion), dtype=float).reshape(1, 6)
        if self.iterates and not motion.trial:
            self.committed = self.save()
        ended = self.answers == "end" and not flags & Flag.FIRST
        return Message(Kind.LOAD, message.sequence, message.time + (step if ended else 0.0), values=load)

    def _checkpoint(self, message: Message) -> dict[str, Any]:
        """Write the state under its number, and forget those before the last but one."""
        folder, number = Path(self.about["folder"]), message.flags
        state = np.array([message.time], "<f8").tobytes() + self.save()
        path = folder / f"{self.name}.checkpoint.{number}"
        with open(f"{path}.new", "wb") as file:
            file.write(state)
            file.flush()
            os.fsync(file.fileno())
        os.replace(f"{path}.new", path)
        for old in folder.glob(f"{self.name}.checkpoint.*"):
            if old.suffix[1:].isdigit() and int(old.suffix[1:]) not in (number, number - 1):
                old.unlink(missing_ok=True)
        return {"time": message.time, "sha256": hashlib.sha256(state).hexdigest()}


def connect(where: str, limit: float = 60.0) -> Link:
    """Return a link to the run at `where`: unix:PATH, tcp:PORT or mpi."""
    kind, _, place = where.partition(":")
    if kind == "mpi":
        from fairlead.running.partners.mpi import parent

        return parent()
    end = wall.monotonic() + limit
    while True:
        found = socket.socket(socket.AF_UNIX if kind == "unix" else socket.AF_INET, socket.SOCK_STREAM)
        try:
            found.connect(place if kind == "unix" else ("127.0.0.1", int(place)))
            return SocketLink(found)
        except OSError:
            found.close()
            if wall.monotonic() > end:
                raise
            wall.sleep(0.05)


def serve(program: PartnerProgram, where: str | None = None) -> int:
    """Serve a run until it stops (0), or until it is gone or says what it may not (7, with a line on stderr)."""
    where = where or os.environ.get(WHERE, "")
    if not where:
        print(f"{program.name}: {WHERE} does not say where the run is; start it by `fairlead couple`", file=sys.stderr)
        return 2
    link = connect(where)
    if where == "mpi":
        from fairlead.running.partners import mpi

        if not mpi.is_first():  # which waits until the first one has done
            link.close()
            return 0
    try:
        link.send(program.hello())
        while not program.ended:
            answer = program.answer(link.receive(float(program.about.get("patience", 3600.0))))
            if answer is not None:
                link.send(answer)
        return 0
    except (LinkLost, LinkLate, ProtocolError) as error:
        said = {LinkLost: "the run is gone", LinkLate: "the run says nothing any more"}.get(type(error), str(error))
        print(f"{program.name}: {said}", file=sys.stderr)
        return 7
    except Exception as error:
        try:
            link.send(Message(Kind.ERROR, program.sequence, text=f"{type(error).__name__}: {error}"[:2000]))
        except (LinkLost, LinkLate):
            pass
        raise
    finally:
        link.close()
