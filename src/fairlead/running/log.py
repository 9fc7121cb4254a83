"""The rows of a live run: an append-only file of chunks, each with its length and checksum."""

from __future__ import annotations

import hashlib
import json
import os
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

import numpy as np

from fairlead.errors import CheckpointUnusable, FilesFailure
from fairlead.results.atomic import open_own

LOG_MAGIC, CHUNK_MAGIC = b"FLRLOG1\n", b"CHNK"
CHUNK_HEAD = struct.Struct("<4sQI")  # magic, rows, checksum of the rows


class ChunkLog:
    """An append-only file of record rows; `rows` counts them and `digest` stands for all of them."""

    def __init__(self, path: Path, width: int) -> None:
        self.path, self.width, self.rows = path, width, 0
        self.file: IO[bytes] | None = None
        head = json.dumps({"width": width}).encode()
        self.start = LOG_MAGIC + struct.pack("<I", len(head)) + head
        self._heads = hashlib.sha256(self.start)  # each head holds the checksum of its rows

    @property
    def digest(self) -> str:
        """Return the checksum of everything appended so far."""
        return self._heads.hexdigest()

    def create(self) -> None:
        """Start a new log; one that is there already is replaced."""
        try:
            self.path.unlink(missing_ok=True)
            handle = open_own(self.path, os.O_RDWR | os.O_CREAT | os.O_EXCL)
            self.file = os.fdopen(handle, "r+b")
            self.file.write(self.start)
        except OSError as error:
            raise self._unwritten(error) from error

    def check(self, length: int, digest: str | None = None) -> None:
        """Open the log and read all of its first `length` bytes; CheckpointUnusable says where it is damaged."""
        self.close()
        self.rows, self._heads = 0, hashlib.sha256(self.start)
        try:
            self.file = os.fdopen(open_own(self.path, os.O_RDWR), "r+b")
        except FileNotFoundError:
            raise CheckpointUnusable(f"{self.path.name} is gone") from None
        if self.file.seek(0, os.SEEK_END) < length:
            raise CheckpointUnusable(f"{self.path.name} is shorter than its checkpoint says")
        for head, rows in self._read(self.file, length):
            self._count(head, len(rows))
        if digest is not None and digest != self.digest:
            raise CheckpointUnusable(f"{self.path.name} does not hold the rows that its checkpoint counts")

    def go_on(self) -> None:
        """Cut off what came after the rows that were checked, to append there."""
        assert self.file is not None
        try:
            self.file.truncate(self.file.tell())
        except OSError as error:
            raise self._unwritten(error) from error

    def append(self, rows: Any) -> None:
        """Add rows at the end."""
        assert self.file is not None
        payload = np.ascontiguousarray(rows, dtype="<f8").tobytes()
        head = CHUNK_HEAD.pack(CHUNK_MAGIC, len(rows), zlib.crc32(payload))
        try:
            self.file.write(head)
            self.file.write(payload)
        except OSError as error:
            raise self._unwritten(error) from error
        self._count(head, len(rows))

    def _count(self, head: bytes, rows: int) -> None:
        self._heads.update(head)
        self.rows += rows

    def sync(self) -> int:
        """Bring everything to disk and return the length."""
        assert self.file is not None
        try:
            self.file.flush()
            os.fsync(self.file.fileno())
        except OSError as error:
            raise self._unwritten(error) from error
        return self.file.tell()

    def _unwritten(self, error: OSError) -> FilesFailure:
        if isinstance(error, FilesFailure):
            return error
        return FilesFailure(f"cannot write {self.path}: {error.strerror}")

    def close(self) -> None:
        """Close the file; what could not be written was said before."""
        if self.file is not None:
            try:
                self.file.close()
            except OSError:
                pass
            self.file = None

    def chunks(self) -> Iterator[Any]:
        """Give the rows of each chunk; CheckpointUnusable if not all that were appended are there."""
        given = 0
        with os.fdopen(open_own(self.path, os.O_RDONLY), "rb") as file:
            for _, rows in self._read(file, file.seek(0, os.SEEK_END)):
                given += len(rows)
                yield rows
        if given != self.rows:
            raise CheckpointUnusable(f"{self.path.name} holds {given} of {self.rows} rows; nothing was deleted")

    def _read(self, file: IO[bytes], length: int) -> Iterator[tuple[bytes, Any]]:
        """Give head and rows of each chunk up to `length`; CheckpointUnusable says which row is damaged."""
        file.seek(0)
        if file.read(len(self.start)) != self.start:
            raise CheckpointUnusable(f"{self.path.name} is not a log of this run, or its beginning is damaged")
        at, counted = len(self.start), 0
        while at < length:
            head = file.read(CHUNK_HEAD.size)
            magic, rows, checksum = CHUNK_HEAD.unpack(head) if len(head) == CHUNK_HEAD.size else (b"", 0, 0)
            size = rows * self.width * 8
            at += CHUNK_HEAD.size + size
            whole = magic == CHUNK_MAGIC and at <= length
            payload = file.read(size) if whole else b""
            if not whole or len(payload) != size or zlib.crc32(payload) != checksum:
                raise CheckpointUnusable(f"{self.path.name} is damaged after row {counted}")
            counted += rows
            yield head, np.frombuffer(payload, dtype="<f8").reshape(rows, self.width).copy()
