"""Output files of a legacy case that grow as it runs, and go on from a checkpoint.

Rows are appended, so a kill costs the rows since the last writing. A checkpoint keeps of each file its length, its
checksum and the last step in it; a restart cuts the file there and goes on, so no row is lost and none stands twice.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, Any

from fairlead.errors import FilesFailure
from fairlead.formats.mbdm.output_file import OutputFile, make_folder

Kept = Mapping[str, Mapping[str, Any]]  # file name -> bytes, sha256 and last step, as a checkpoint has them


class GrowingFile:
    """A file open at its end, with the checksum of all that is in it."""

    def __init__(self, path: Path) -> None:
        make_folder(path.parent)
        self.path, self.digest, self.step, self.length = path, hashlib.sha256(), -1, 0
        try:
            handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
            self.file: IO[bytes] = os.fdopen(handle, "r+b")
            _lock(handle)
        except BlockingIOError as error:
            raise FilesFailure(f"{path} is being written by another run; choose another folder with --out") from error
        except OSError as error:
            raise FilesFailure(f"cannot write {path}: {error.strerror}") from error

    def begin(self, kept: Mapping[str, Any] | None) -> None:
        """Cut the file where a checkpoint left it, or at its start."""
        if kept is not None:
            self.step, self.length = int(kept["step"]), int(kept["bytes"])
            self.digest.update(self.file.read(self.length))
        self.file.seek(self.length)
        self.file.truncate()

    def append(self, text: str, step: int) -> None:
        """Add text at the end; `step` is the last one it tells of."""
        content = text.encode()
        try:
            self.file.write(content)
            self.file.flush()
        except OSError as error:
            raise FilesFailure(f"cannot write {self.path}: {error.strerror}") from error
        self.digest.update(content)
        self.length, self.step = self.length + len(content), max(step, self.step)

    def mark(self) -> dict[str, Any]:
        """Return where the file stands, after it is safe on disk."""
        os.fsync(self.file.fileno())
        return {"bytes": self.length, "sha256": self.digest.hexdigest(), "step": self.step}


class GrowingOutput:
    """The output files of a run in a folder; `kept` is what the checkpoint says of them, None for a run from the start.

    Files of an earlier run of that name are replaced by a run from the start, and continued by a restart.
    """

    def __init__(self, folder: Path, kept: Kept | None = None) -> None:
        self.folder, self.kept = folder, kept
        self.files: dict[str, GrowingFile] = {}

    @property
    def paths(self) -> list[Path]:
        """Return the paths of the files."""
        return [self.folder / name for name in self.files]

    def add(self, files: Sequence[OutputFile], steps: Any) -> None:
        """Append the rows that are not yet in their files; `steps` are the step numbers of the rows."""
        if not self.files:
            self._open([file.name for file in files])
        for file in files:
            growing = self.files[file.name]
            rows = file.rows[steps[file.rows] > growing.step]
            if len(rows) or not growing.length:
                head = "" if growing.length else file.head
                last = int(steps[rows[-1]]) if len(rows) else growing.step
                growing.append(head + file.text(rows), last)

    def _open(self, names: Sequence[str]) -> None:
        known = {} if self.kept is None else {name: self.kept[name] for name in names if name in self.kept}
        there = [name for name in names if (self.folder / name).exists()]
        if self.kept is not None:
            for name in there:  # all are looked at before one is changed
                _check_beginning(self.folder / name, known.get(name))
        try:
            for name in names:
                self.files[name] = GrowingFile(self.folder / name)
        except FilesFailure:
            self.close()
            self.files = {}
            raise
        for name, file in self.files.items():
            file.begin(known.get(name) if name in there else None)

    def marks(self) -> dict[str, dict[str, Any]]:
        """Return where each file stands, for a checkpoint."""
        return {name: file.mark() for name, file in self.files.items()}

    def close(self) -> None:
        """Close the files."""
        for file in self.files.values():
            file.file.close()


def _lock(handle: int) -> None:
    """Lock an open file while it is open, where the system can; BlockingIOError if another process has it."""
    try:
        import fcntl
    except ImportError:  # not on Windows
        return
    fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _check_beginning(path: Path, kept: Mapping[str, Any] | None) -> None:
    """Raise FilesFailure unless a file begins with what stood in it at the checkpoint."""
    elsewhere = "choose another folder with --out, or move the file"
    if kept is None:
        raise FilesFailure(f"{path} is not of the run of this checkpoint and would be lost; {elsewhere}")
    try:
        with open(path, "rb") as file:
            content = file.read(int(kept["bytes"]))
    except OSError as error:
        raise FilesFailure(f"cannot read {path}: {error.strerror}") from error
    if hashlib.sha256(content).hexdigest() != kept["sha256"]:
        raise FilesFailure(f"{path} is not as the checkpoint left it, so it cannot be continued; {elsewhere}")
