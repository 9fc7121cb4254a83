"""Files that survive a kill: atomic replacement, an append-only log of chunks, and checkpoints with checksums."""

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

LOG_MAGIC, CHUNK_MAGIC, CHECKPOINT_MAGIC = b"FLRLOG1\n", b"CHNK", b"FLCKPT1\n"
CHUNK_HEAD = struct.Struct("<4sQI")
CHECKPOINT_VERSION = 1


def replace_file(path: Path, content: bytes) -> None:
    """Write `content` under a temporary name, sync it, and rename it to `path`: all or nothing."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with open(temporary, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
        sync_directory(path.parent)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        raise FilesFailure(f"cannot write {path.name} in {path.parent.name or '.'}: {error.strerror}") from error


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


def write_json(path: Path, content: dict[str, Any]) -> None:
    """Replace a JSON file atomically."""
    replace_file(path, (json.dumps(content, indent=2) + "\n").encode())


class ChunkLog:
    """An append-only file of record rows; each chunk carries its length and checksum."""

    def __init__(self, path: Path, width: int) -> None:
        self.path, self.width = path, width
        self.file: IO[bytes]
        head = json.dumps({"width": width}).encode()
        self.start = LOG_MAGIC + struct.pack("<I", len(head)) + head

    def create(self) -> None:
        """Start a new log."""
        self.file = open(self.path, "wb")  # noqa: SIM115  # kept open for the whole run
        self.file.write(self.start)

    def resume(self, length: int) -> None:
        """Open the log and cut off what came after the checkpoint."""
        self.file = open(self.path, "r+b")  # noqa: SIM115
        if self.file.seek(0, os.SEEK_END) < length:
            raise CheckpointUnusable(f"{self.path.name} is shorter than its checkpoint says; the run cannot be resumed")
        self.file.truncate(length)
        self.file.seek(length)

    def append(self, rows: Any) -> None:
        """Add rows at the end."""
        payload = np.ascontiguousarray(rows, dtype="<f8").tobytes()
        try:
            self.file.write(CHUNK_HEAD.pack(CHUNK_MAGIC, len(rows), zlib.crc32(payload)))
            self.file.write(payload)
        except OSError as error:
            raise FilesFailure(f"cannot write {self.path.name}: {error.strerror}") from error

    def sync(self) -> int:
        """Bring everything to disk and return the length."""
        try:
            self.file.flush()
            os.fsync(self.file.fileno())
        except OSError as error:
            raise FilesFailure(f"cannot write {self.path.name}: {error.strerror}") from error
        return self.file.tell()

    def close(self) -> None:
        """Close the file."""
        self.file.close()

    def chunks(self) -> Iterator[Any]:
        """Give the rows of each whole chunk; a torn last chunk ends the reading."""
        with open(self.path, "rb") as file:
            if file.read(len(self.start)) != self.start:
                raise CheckpointUnusable(f"{self.path.name} is not a log of this run")
            while len(head := file.read(CHUNK_HEAD.size)) == CHUNK_HEAD.size:
                magic, rows, checksum = CHUNK_HEAD.unpack(head)
                payload = file.read(rows * self.width * 8) if magic == CHUNK_MAGIC else b""
                if len(payload) != rows * self.width * 8 or zlib.crc32(payload) != checksum:
                    return
                yield np.frombuffer(payload, dtype="<f8").reshape(rows, self.width).copy()


def pack_checkpoint(header: dict[str, Any], arrays: dict[str, Any]) -> bytes:
    """Return a checkpoint: magic, header, arrays, and a checksum of all of it."""
    described = {name: list(np.shape(value)) for name, value in arrays.items()}
    head = json.dumps({"version": CHECKPOINT_VERSION, **header, "arrays": described}).encode()
    body = CHECKPOINT_MAGIC + struct.pack("<I", len(head)) + head
    body += b"".join(np.ascontiguousarray(value, dtype="<f8").tobytes() for value in arrays.values())
    return body + hashlib.sha256(body).digest()


def unpack_checkpoint(content: bytes, name: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return header and arrays of a checkpoint after its checksum held; CheckpointUnusable says what is wrong."""
    body, digest = content[:-32], content[-32:]
    if not content.startswith(CHECKPOINT_MAGIC):
        raise CheckpointUnusable(f"{name} is not a Fairlead checkpoint")
    if hashlib.sha256(body).digest() != digest:
        raise CheckpointUnusable(f"{name} is damaged or cut off (its checksum does not hold)")
    start = len(CHECKPOINT_MAGIC) + 4
    (length,) = struct.unpack("<I", body[len(CHECKPOINT_MAGIC) : start])
    header = json.loads(body[start : start + length])
    if header["version"] != CHECKPOINT_VERSION:
        raise CheckpointUnusable(f"{name} has format {header['version']}, this version reads {CHECKPOINT_VERSION}")
    arrays, at = {}, start + length
    for array, shape in header["arrays"].items():
        size = int(np.prod(shape)) * 8
        arrays[array] = np.frombuffer(body[at : at + size], dtype="<f8").reshape(shape).copy()
        at += size
    return header, arrays


def write_checkpoint(path: Path, content: bytes) -> None:
    """Replace the checkpoint, keeping the one before as `.old`."""
    if path.exists():
        os.replace(path, path.with_name(path.name + ".old"))
    replace_file(path, content)


def read_checkpoint(path: Path) -> tuple[dict[str, Any], dict[str, Any], list[str]]:
    """Return the newest usable checkpoint and what was wrong with newer ones; CheckpointUnusable if there is none."""
    wrong = []
    for candidate in (path, path.with_name(path.name + ".old")):
        if not candidate.exists():
            wrong.append(f"{candidate.name} does not exist")
            continue
        try:
            header, arrays = unpack_checkpoint(candidate.read_bytes(), candidate.name)
            return header, arrays, wrong
        except CheckpointUnusable as error:
            wrong.append(str(error))
    raise CheckpointUnusable("no usable checkpoint: " + "; ".join(wrong))
