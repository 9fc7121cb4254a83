"""Files of the user's, read once and whole: no pipe or device that never ends, and nothing larger than it may be."""

from __future__ import annotations

import os
import stat

from fairlead.errors import FilesFailure, InvalidInput

LARGEST_TABLE = 4_000_000_000  # [bytes] of a wind box, a record, a table
FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)  # opening a pipe must not make us wait
KINDS = (
    (stat.S_ISDIR, "a directory"),
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
    (stat.S_ISSOCK, "a socket"),
)


def read_plain(path: str | os.PathLike[str], most: int = LARGEST_TABLE, *, shown: str = "") -> bytes:
    """Return the content of a plain file of at most so many bytes.

    `shown` is its name in sentences, if not the path. InvalidInput says what else is there under the name, or how large
    it is; FilesFailure why it cannot be read.
    """
    name = shown or os.fspath(path)
    try:
        handle = os.open(path, FLAGS)
    except (OSError, ValueError) as error:
        raise Unreadable(name, error) from None
    try:
        found = os.fstat(handle)
        if not stat.S_ISREG(found.st_mode):
            kind = next((word for is_one, word in KINDS if is_one(found.st_mode)), "something else")
            raise InvalidInput(f"'{name}' is {kind}, not a regular file")
        if found.st_size > most:
            raise InvalidInput(f"'{name}' has {found.st_size} bytes; it may have {most}")
        with open(handle, "rb", closefd=False) as stream:
            content = stream.read(most + 1)
    except OSError as error:
        if isinstance(error, FilesFailure):
            raise
        raise Unreadable(name, error) from None
    finally:
        os.close(handle)
    if len(content) > most:
        raise InvalidInput(f"'{name}' grew while it was read; it may have {most} bytes")
    return content


class Unreadable(FilesFailure):
    """A file that cannot be read, and the system's reason."""

    def __init__(self, name: str, error: Exception) -> None:
        self.reason = getattr(error, "strerror", None) or str(error)
        super().__init__(f"cannot read '{name}': {self.reason}")


def read_lines(
    path: str | os.PathLike[str], encoding: str = "latin-1", most: int = LARGEST_TABLE, *, shown: str = ""
) -> list[str]:
    """Return the lines of a plain text file, without their ends."""
    try:
        return read_plain(path, most, shown=shown).decode(encoding).splitlines()
    except UnicodeDecodeError as error:
        raise InvalidInput(
            f"'{shown or os.fspath(path)}' is not a text in {encoding}: byte {error.start} is odd"
        ) from None
