"""The files of one run: which are its own, what they say of it, and how an earlier run gives way to a new one."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from fairlead.errors import FilesFailure
from fairlead.model.loads.functions import functions_of
from fairlead.model.schema import Model
from fairlead.results.atomic import is_temporary, remove_leftovers, sync_directory
from fairlead.results.checksum import checksum
from fairlead.results.reading import RESULT, RUN, STATUS, read_status
from fairlead.running.checkpoint import CHECKPOINT_MAGIC
from fairlead.running.files import overwrite_json, read_json, write_json
from fairlead.running.lock import LOCK, locked
from fairlead.running.log import LOG_MAGIC
from fairlead.running.simulation import Simulation

MODEL, LOG, CHECKPOINT, START = "model.yaml", "results.log", "checkpoint", "start.nc"
OWN = (
    RUN,
    MODEL,
    START,
    STATUS,
    LOG,
    CHECKPOINT,
    f"{CHECKPOINT}.old",
    f"{CHECKPOINT}.new",
    RESULT,
    "audit.json",
    "result.csv",
)
ROOM = 4096  # [bytes] of status.json while a run goes on, so that its end can be written there on a full disk
EARLIER = "earlier-run"  # where a run that is being overwritten stays until the new one is complete


class RunDirectory:
    """The files of one run and what they say about it."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __truediv__(self, name: str) -> Path:
        return self.path / name

    def status(self, state: str, simulation: Simulation, reason: str = "", rows: int | None = None) -> None:
        """Write status.json; `rows` of a result just written go in with its checksum."""
        content = self._words(state, simulation, reason)
        if rows is not None:
            content["result"] = {"rows": rows, "sha256": checksum(self / RESULT)}
        write_json(self / STATUS, content, ROOM if state == "running" else 0)

    def status_failed(self, simulation: Simulation, reason: str) -> None:
        """Write into status.json that the run failed, in the room it has where the disk has no other, if at all.

        A run that is complete stays so, whatever could not be tidied up behind it.
        """
        if read_status(self.path).get("state") == "complete":
            return
        content = self._words("failed", simulation, reason)
        try:
            write_json(self / STATUS, content)
        except OSError:
            try:
                overwrite_json(self / STATUS, content, "reason")
            except OSError:
                pass

    def _words(self, state: str, simulation: Simulation, reason: str) -> dict[str, Any]:
        content: dict[str, Any] = {"state": state, "time": simulation.time, "duration": simulation.clock.end}
        content["reason"] = reason
        if state != "complete":
            model = simulation.compiled.model
            special = functions_of(model) or model.partners
            content["resume"] = self.how_to_resume(model) if special else f"fairlead resume {self.path.name}"
        return content

    def how_to_resume(self, model: Model) -> str:
        """Return the command that carries the run of a model on: Python functions and partners are given again."""
        return f"fairlead couple MODEL {self.path}" if model.partners else self.how_to_resume_with(functions_of(model))

    def how_to_resume_with(self, functions: Iterable[str]) -> str:
        """Return the command that carries the run on, given the names of its functions."""
        given = ", ".join(f"'{name}': ..." for name in functions)
        return f"fl.resume('{self.path}', functions={{{given}}})" if given else f"fairlead resume {self.path}"

    def has(self, name: str) -> bool:
        """Return whether there is anything of this name, be it a link that leads nowhere."""
        return os.path.lexists(self / name)

    def is_run(self) -> bool:
        """Return whether a run of Fairlead is, or was, here."""
        about = read_json(self / RUN) if (self / RUN).is_file() else None
        return (
            (about is not None and {"kernels", "options"} <= about.keys())
            or _begins(self / LOG, LOG_MAGIC)
            or _begins(self / CHECKPOINT, CHECKPOINT_MAGIC)
        )

    def is_blank(self) -> bool:
        """Return whether nothing is here, or only what a run leaves that is killed before it begins."""
        names = {name for name in os.listdir(self.path) if name != LOCK and not is_temporary(name, OWN)}
        return not names or (names == {RUN} and self.is_run())

    def foreign(self) -> list[str]:
        """Return the names of what is here and is not the run's."""
        ours = (*OWN, LOCK, EARLIER)
        return sorted(name for name in os.listdir(self.path) if name not in ours and not is_temporary(name, OWN))

    def tidy(self) -> None:
        """Remove what a killed process left half written."""
        remove_leftovers(self.path, OWN)
        _remove(self / f"{CHECKPOINT}.new")

    @contextmanager
    def taken(self, overwrite: bool, say: Callable[[str], Any]) -> Iterator[None]:
        """Make the directory and hold it for a new run; an earlier run is refused, or kept until this one is complete.

        Nothing is changed before the lock is held, and nothing that is not the run's own is touched.
        """
        made = self._make(overwrite)
        try:
            with locked(self.path):
                self._refuse(overwrite)  # again, now that nobody else can change it
                self.tidy()
                self._set_aside()
                if kept := self.foreign():
                    say(f"{self.path} also holds what is not the run's and is kept: {', '.join(kept)}")
                try:
                    yield
                finally:
                    if not self.has(RUN):  # it did not begin: all is as it was
                        self._bring_back()
        finally:
            if made and not self.has(RUN):
                try:
                    self.path.rmdir()
                except OSError:
                    pass

    def _make(self, overwrite: bool) -> bool:
        if os.path.lexists(self.path):
            self._refuse(overwrite)
            return False
        try:
            self.path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise FilesFailure(f"cannot create {self.path}: {error.strerror}") from error
        return True

    def _refuse(self, overwrite: bool) -> None:
        """Raise FilesFailure if what is here must stay."""
        if not self.path.is_dir():
            raise FilesFailure(f"{self.path} is not a directory, so no run is written there; choose another name")
        if self.is_blank():
            return
        was = RunDirectory(self / EARLIER)
        if not self.is_run() and not (was.path.is_dir() and was.is_run()):
            raise FilesFailure(
                f"{self.path} exists and is not a run of Fairlead, so it is not overwritten; choose another directory"
            )
        if not overwrite:
            raise FilesFailure(
                f"{self.path} exists; choose another directory, resume it, or overwrite it (--overwrite)"
            )
        if was.path.is_symlink() or (self.has(EARLIER) and not was.path.is_dir()):
            raise FilesFailure(f"{was.path} is not a directory of the run's; move it away")

    def _set_aside(self) -> None:
        """Move the files of an earlier run into a directory of their own, run.json first.

        Killed half way, run.json is missing here and the rest belongs to the earlier run; with a run.json here and an
        earlier run there, the run here is one that was to replace it.
        """
        aside = self / EARLIER
        if self.is_blank():
            _remove(self / RUN)
            return
        here = [name for name in OWN if self.has(name)]
        if aside.is_dir() and self.has(RUN):
            if read_status(self.path).get("state") != "complete":
                for name in here:
                    _remove(self / name)
                return
            self.drop_earlier()
        if not here:
            return
        try:
            aside.mkdir(exist_ok=True)
            for name in here:
                if os.path.lexists(aside / name):
                    _remove(self / name)
                else:
                    os.replace(self / name, aside / name)
        except OSError as error:
            raise FilesFailure(f"cannot move the earlier run into {aside}: {error.strerror}") from error
        sync_directory(self.path)

    def _bring_back(self) -> None:
        """Put the earlier run back in its place, since the new one did not begin."""
        aside = self / EARLIER
        if not aside.is_dir():
            _remove(self / MODEL)
            return
        for name in reversed(OWN):
            if os.path.lexists(aside / name):
                os.replace(aside / name, self / name)
        _remove_directory(aside)

    def drop_earlier(self) -> str:
        """Remove the earlier run that this one replaced; return what to say if something of it had to stay."""
        aside = self / EARLIER
        if not aside.is_dir() or aside.is_symlink():
            return ""
        for name in OWN:
            _remove(aside / name)
        _remove_directory(aside)
        return f"{aside} was kept: it holds what is not the run's" if aside.exists() else ""

    def kept_earlier(self) -> str:
        """Return a sentence on the earlier run while it is kept."""
        return f"; the run that this one was to replace is in {self / EARLIER}" if (self / EARLIER).is_dir() else ""


def _begins(path: Path, magic: bytes) -> bool:
    try:
        if path.is_file():
            with open(path, "rb") as file:
                return file.read(len(magic)) == magic
    except OSError:
        pass
    return False


def _remove(path: Path) -> None:
    """Remove a file or a link, never a directory."""
    try:
        if path.is_symlink() or path.is_file():
            path.unlink(missing_ok=True)
    except OSError:
        pass


def _remove_directory(path: Path) -> None:
    try:
        path.rmdir()
    except OSError:
        pass
