"""The checksum of a result file: SHA-256 of all before it, in forty bytes at the end that NetCDF readers pass over.

HDF5 does not look behind the end that its superblock states, so the checksum goes wherever the file goes. A program
that changes the file cuts it off; such a file is read as any other that never had one.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import IO

from fairlead.errors import FilesFailure

MAGIC = b"FLSHA256"
SIZE = len(MAGIC) + hashlib.sha256().digest_size
BLOCK = 1 << 20


def seal(path: Path) -> None:
    """Add the checksum at the end of a file just written."""
    with open(path, "r+b") as file:
        length = file.seek(0, os.SEEK_END)
        digest = _digest(file, length)
        file.seek(length)
        file.write(MAGIC + digest)


def checksum(path: Path) -> str:
    """Return the checksum at the end of a file in hexadecimal digits; nothing if it carries none."""
    with open(path, "rb") as file:
        return _stored(file).hex()


def verify(path: Path) -> str:
    """Return the checksum that a file carries ("" if none) after it held; FilesFailure if it does not hold."""
    with open(path, "rb") as file:
        stored = _stored(file)
        if stored and _digest(file, file.seek(0, os.SEEK_END) - SIZE) != stored:
            raise FilesFailure(f"{path} is damaged: its checksum does not hold")
    return stored.hex()


def _stored(file: IO[bytes]) -> bytes:
    if file.seek(0, os.SEEK_END) < SIZE:
        return b""
    file.seek(-SIZE, os.SEEK_END)
    end = file.read(SIZE)
    return end[len(MAGIC) :] if end.startswith(MAGIC) else b""


def _digest(file: IO[bytes], length: int) -> bytes:
    """Return SHA-256 of the first `length` bytes."""
    found = hashlib.sha256()
    file.seek(0)
    while length > 0 and (block := file.read(min(BLOCK, length))):
        found.update(block)
        length -= len(block)
    return found.digest()
