"""Files that appear whole or not at all, and are never written through a link."""

from __future__ import annotations

import os
import re
import shutil
import stat
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any

from fairlead.errors import FilesFailure

TEMPORARY = re.compile(r"\.(?P<name>.+)\.(?P<process>\d+)\.tmp")
NOFOLLOW = getattr(os, "O_NOFOLLOW", 0)  # 0 where the system knows no links
NONBLOCK = getattr(os, "O_NONBLOCK", 0)  # a pipe under the name of a file must not make us wait
BINARY = getattr(os, "O_BINARY", 0)
H5_ERRORS = (OSError, RuntimeError)  # HDF5 reports a full disk as the one or the other


def atomically(path: Path, write: Callable[[Path], Any], size: int = 0) -> None:
    """Let `write` fill a temporary file beside `path`, bring it to disk and rename it: all or nothing.

    `size` is about how many bytes it will have; a disk without room for them is refused before anything is written.
    """
    if not path.parent.is_dir():
        raise FilesFailure(f"cannot write {path}: there is no directory '{path.parent}'")
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    remove_leftovers(path.parent, (path.name,))
    free = shutil.disk_usage(path.parent).free if size else 0
    if free < size:
        raise FilesFailure(
            f"cannot write {path}: No space left on device ({size / 1e6:.1f} MB needed, {free / 1e6:.1f} MB free)"
        )
    try:
        temporary.unlink(missing_ok=True)
        os.close(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | NOFOLLOW, 0o666))
        write(temporary)
        with open(temporary, "rb+") as file:
            os.fsync(file.fileno())
        os.replace(temporary, path)
        sync_directory(path.parent)
    except H5_ERRORS as error:
        if isinstance(error, FilesFailure):
            raise
        raise FilesFailure(f"cannot write {path}: {getattr(error, 'strerror', None) or error}") from error
    finally:
        _forget(temporary)


def sync_directory(directory: Path) -> None:
    """Make a rename in `directory` last through a power cut, where the system can."""
    try:
        handle = os.open(directory, os.O_RDONLY)
    except OSError:
        return
    try:
        os.fsync(handle)
    except OSError:
        pass
    finally:
        os.close(handle)


def is_temporary(name: str, of: Collection[str]) -> bool:
    """Return whether a file name is one that `atomically` uses while it writes one of the files `of`."""
    found = TEMPORARY.fullmatch(name)
    return found is not None and found["name"] in of


def remove_leftovers(directory: Path, of: Collection[str]) -> None:
    """Remove temporary files of processes that were killed while they wrote one of the files `of`."""
    try:
        names = [name for name in os.listdir(directory) if is_temporary(name, of)]
    except OSError:
        return
    for name in names:
        if not _is_alive(int(name.split(".")[-2])):
            _forget(directory / name)


def _is_alive(process: int) -> bool:
    """Return whether another process of this number runs here."""
    if process == os.getpid():
        return False
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:
        return True
    return True


def _forget(path: Path) -> None:
    try:
        path.unlink(missing_ok=True)
    except OSError:
        pass


def open_own(path: Path, flags: int) -> int:
    """Return a handle of a plain file: no link, no pipe or device, and no second name if it is to be written."""
    try:
        handle = os.open(path, flags | NOFOLLOW | NONBLOCK | BINARY, 0o666)
    except FileNotFoundError:
        raise
    except OSError as error:
        if path.is_symlink():
            raise FilesFailure(f"{path} is a link, which is not followed; put the file itself in its place") from None
        raise FilesFailure(f"cannot open {path}: {error.strerror}") from error
    found = os.fstat(handle)
    alone = found.st_nlink <= 1 or flags & (os.O_WRONLY | os.O_RDWR) == 0
    if stat.S_ISREG(found.st_mode) and alone:
        return handle
    os.close(handle)
    if stat.S_ISREG(found.st_mode):
        raise FilesFailure(
            f"{path} is a link: the file has a second name, under which it would be changed too; "
            "put a copy of it in its place"
        )
    raise FilesFailure(f"{path} is not a plain file; move it away")


def read_own(path: Path) -> bytes:
    """Return the content of a file that is no link; FileNotFoundError if there is none."""
    with os.fdopen(open_own(path, os.O_RDONLY), "rb") as file:
        return file.read()
