"""The partners of a run while it lasts: started, joined, asked, and ended, whatever happens."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fairlead.errors import InvalidInput, PartnerFailure, Problem
from fairlead.model.partners import Partner
from fairlead.model.schema import Model
from fairlead.running.partners.links import InProcessLink, Link, LinkLate, LinkLost
from fairlead.running.partners.process import Door, Process, command_of
from fairlead.running.partners.program import PartnerProgram
from fairlead.running.partners.protocol import VERSION, Kind, Message, ProtocolError, from_text

COMPONENTS = ("force x", "force y", "force z", "moment x", "moment y", "moment z")


@dataclass
class Channel:
    """The conversation with one partner; any fault is a PartnerFailure that names it, the time and its last words."""

    name: str
    word: Partner
    link: Link
    process: Any = None
    said: dict[str, str] = field(default_factory=dict)  # its HELLO
    sequence: int = 0
    time: float = 0.0

    def tell(self, kind: Kind, time: float, **about: Any) -> int:
        """Send a message and return its number."""
        self.sequence, self.time = self.sequence + 1, time
        with self._telling():
            self.link.send(Message(kind, self.sequence, time, **about))
        return self.sequence

    def hear(self, kind: Kind, limit: float | None = None) -> Message:
        """Return the partner's next message, which must be of a kind and the answer to our last one."""
        with self._telling():
            found = self.link.receive(self.word.limits.answer if limit is None else limit)
            if found.kind == Kind.ERROR:
                raise ProtocolError(f"reports: {' '.join(found.text.split())}")
            if found.kind != kind:
                raise ProtocolError(f"sent {found.kind.name} where {kind.name} was due")
            if found.sequence != self.sequence:
                raise ProtocolError(f"answered message {found.sequence} where {self.sequence} was asked")
        return found

    def ask(self, kind: Kind, answer: Kind, time: float, **about: Any) -> Message:
        """Return the answer to a message."""
        self.tell(kind, time, **about)
        return self.hear(answer)

    def load(self, found: Message, time: float, near: float) -> Any:
        """Return the six numbers of a LOAD, which must be finite and for the time that is due."""
        with self._telling():
            values = found.values
            if values is None or values.shape != (1, 6):
                shape = "text" if values is None else f"{values.shape[0]} x {values.shape[1]} numbers"
                raise ProtocolError(f"sent a load of {shape} where 1 x 6 numbers are due")
            for what, value in zip(COMPONENTS, values[0]):
                if not math.isfinite(value):
                    raise ProtocolError(f"gave {value:g} for {what} of its load")
            if not abs(found.time - time) <= near:
                raise ProtocolError(f"gave a load for t = {found.time:.9g} s where t = {time:.9g} s was due")
        return values[0]

    @contextmanager
    def _telling(self) -> Iterator[None]:
        try:
            yield
        except LinkLost:
            raise self.failure("is gone (its connection was lost)") from None
        except LinkLate:
            raise self.failure(f"gave no answer within its limit of {self.word.limits.answer:g} s") from None
        except ProtocolError as error:
            raise self.failure(str(error)) from None

    def failure(self, what: str) -> PartnerFailure:
        """Return the failure of this partner, with the simulated time and its last words."""
        words = self.process.last_words() if self.process is not None else ""
        return PartnerFailure(f"partner '{self.name}' {what}, at t = {self.time:.9g} s{words}")


class Session:
    """All partners of a model, joined; `channels` has them by name."""

    def __init__(self, model: Model, programs: Mapping[str, Any], folder: Path, kept: Path, on_disk: bool) -> None:
        self.model, self.programs, self.folder, self.kept, self.on_disk = model, programs, folder, kept, on_disk
        self.channels: dict[str, Channel] = {}
        self.processes: list[Any] = []
        self.closed: list[str] = []  # what went wrong at the end, a sentence each
        self.accept_mismatch = False
        self._check()

    def _check(self) -> None:
        """Raise InvalidInput before anything is started if something cannot be."""
        if not self.model.partners:
            raise InvalidInput("the model has no partners to couple it with; run it with `fairlead run`")
        problems: list[Problem] = []
        self.commands: dict[str, list[str]] = {}
        for name, word in self.model.partners.items():
            if word.transport == "in-process" and name not in self.programs:
                text = "is of this process: give fl.couple its program, programs={'" + name + "': ...}"
                problems.append(Problem(text, f"partners.{name}.transport"))
            if word.transport != "in-process" and name in self.programs:
                text = "is a process of its own, but a program was given; transport 'in-process' takes that"
                problems.append(Problem(text, f"partners.{name}.transport"))
            try:
                if word.command is not None:
                    self.commands[name] = command_of(name, word, Path(word.folder or self.folder))
            except InvalidInput as error:
                problems += error.problems
        problems += [
            Problem(f"the model has no partner '{name}'", "programs")
            for name in self.programs
            if name not in self.model.partners
        ]
        if problems:
            raise InvalidInput(problems)

    def open(self) -> None:
        """Start the partners, let them join and hear who they are."""
        self.kept.mkdir(parents=True, exist_ok=True)
        waiting = {name: self._started(name, word) for name, word in self.model.partners.items()}
        for name, word in self.model.partners.items():
            link, process = waiting[name](word.limits.start)
            channel = self.channels[name] = Channel(name, word, link, process)
            self._greet(channel)

    def _started(self, name: str, word: Partner) -> Callable[[float], tuple[Link, Any]]:
        """Start a partner and return what waits until it has joined."""
        if word.transport == "in-process":
            given = self.programs[name]
            program = given if isinstance(given, PartnerProgram) else PartnerProgram(given, name)
            program.name = name
            return lambda limit: (InProcessLink(program), None)
        folder = Path(word.folder or self.folder)
        if word.transport == "mpi":
            from fairlead.running.partners import mpi

            started = mpi.Spawned(name, self.commands[name], word.processes, folder, self.kept)
            self.processes.append(started)
            return lambda limit: (started.joined(limit), started)
        door = Door(name, word)
        process = None
        if word.command is not None:
            try:
                process = Process(name, self.commands[name], folder, self.kept, door.where)
            except PartnerFailure:
                door.close()
                raise
            self.processes.append(process)

        def joined(limit: float) -> tuple[Link, Any]:
            try:
                return door.accept(name, limit, process), process
            finally:
                door.close()

        return joined

    def _greet(self, channel: Channel) -> None:
        """Hear a partner's HELLO and hold it against what the model says."""
        found = channel.hear(Kind.HELLO, channel.word.limits.start)
        channel.said = said = from_text(found.text)
        token = getattr(channel.process, "token", "")
        checks = {
            "protocol": (said.get("protocol"), str(VERSION)),
            "name": (said.get("name"), channel.name),
            "units": (said.get("units"), "SI" if channel.word.scale is None else "scaled"),
            "step": (said.get("step"), channel.word.step),
            "token": (said.get("token", "") if token else "", token),
        }
        for what, (got, due) in checks.items():
            if got != due:
                shown = "another one" if what == "token" else f"'{got}'"
                due = "that of its start" if what == "token" else f"'{due}'"
                raise channel.failure(f"says '{what}' is {shown} where {due} is due")
        if said.get("answers") not in ("start", "end") or (channel.word.step == "small" and said["answers"] == "end"):
            raise channel.failure(
                f"says that it answers '{said.get('answers')}'; a small step is answered at its start"
            )
        try:
            own = float(said.get("dt", "0"))
        except ValueError:
            own = math.nan
        if not 0.0 <= own < math.inf:
            raise channel.failure(f"says its step is '{said['dt']}'; it must be a number of seconds, 0 for none")

    @property
    def steps(self) -> dict[str, float]:
        """Return the step of ours that each partner with a constant step of its own asks for."""
        own = {name: float(channel.said.get("dt", "0")) / channel.word.every for name, channel in self.channels.items()}
        return {name: dt for name, dt in own.items() if dt > 0}

    def exchanges(self, name: str) -> Path | None:
        """Return the file in which the exchanges of a partner are kept; None where the run keeps them in memory."""
        return self.kept / f"{name}.exchanges" if self.on_disk else None

    def close(self, failure: BaseException | None = None) -> None:
        """Tell every partner that the run is over, and why if it failed; then end what is still there."""
        for channel in self.channels.values():
            try:
                if failure is None:
                    channel.tell(Kind.STOP, channel.time)
                    channel.hear(Kind.STOPPED, channel.word.limits.stop)
                else:
                    channel.link.send(Message(Kind.ERROR, channel.sequence + 1, channel.time, text=str(failure)[:2000]))
            except PartnerFailure as error:
                self.closed.append(str(error))
            except (LinkLost, LinkLate, ProtocolError):
                pass
            channel.link.close()
        for process in self.processes:
            word = self.model.partners[process.name]
            process.end(word.limits.stop if failure is None else min(1.0, word.limits.stop))


_SESSION: ContextVar[Session | None] = ContextVar("session", default=None)


def present() -> Session | None:
    """Return the session that models are run in now."""
    return _SESSION.get()


def need_session(model: Model) -> None:
    """Raise InvalidInput where a model with partners would be computed without them."""
    if model.partners and present() is None:
        names = ", ".join(f"'{name}'" for name in model.partners)
        text = f"the model is coupled with {names}, whose loads are theirs; run it with `fairlead couple`, or fl.couple"
        raise InvalidInput([Problem(text, "partners")])


@contextmanager
def joined(session: Session) -> Iterator[Session]:
    """Run what is inside with the partners of a session, and end them after it."""
    token = _SESSION.set(session)
    failure: BaseException | None = None
    try:
        session.open()
        yield session
    except BaseException as error:
        failure = error
        raise
    finally:
        _SESSION.reset(token)
        session.close(failure)
