"""One run at a time in a directory: a lock that ends with its process, however that ends."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from fairlead.errors import FilesFailure
from fairlead.results.atomic import open_own

LOCK, WORD = "lock", b"process "


@contextmanager
def locked(directory: Path) -> Iterator[None]:
    """Hold a directory against a second run; FilesFailure names who holds it."""
    try:
        import fcntl
    except ImportError:  # pragma: no cover - no such locks on this system
        yield
        return
    path = directory / LOCK
    while True:
        handle = _opened(path)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            holder = os.pread(handle, 200, 0).decode(errors="replace").strip()
            os.close(handle)
            if isinstance(error, BlockingIOError):
                raise FilesFailure(f"{directory} is in use by another run ({holder}); wait for it or stop it") from None
            raise FilesFailure(f"cannot lock {path}: {error.strerror}") from error
        if _is_still(path, handle):
            break
        os.close(handle)  # its holder ended and removed it between our opening and locking
    try:
        _sign(handle)
        yield
    finally:
        try:
            path.unlink(missing_ok=True)  # while it is held, so that nobody else's is removed
        except OSError:
            pass
        os.close(handle)


def _sign(handle: int) -> None:
    """Write who holds the lock; on a full disk it is held all the same, only without our name."""
    try:
        os.ftruncate(handle, 0)
        os.pwrite(handle, WORD + f"{os.getpid()} on {socket.gethostname()}\n".encode(), 0)
    except OSError:
        pass


def _opened(path: Path) -> int:
    """Return a handle of the lock file, made if there is none; FilesFailure if it is something else."""
    handle = open_own(path, os.O_RDWR | os.O_CREAT)
    if os.pread(handle, len(WORD), 0) in (b"", WORD):
        return handle
    os.close(handle)
    raise FilesFailure(f"{path} is not a lock of Fairlead's; move it away")


def _is_still(path: Path, handle: int) -> bool:
    try:
        return os.path.samestat(os.lstat(path), os.fstat(handle))
    except OSError:
        return False
