"""Checkpoints: the state of a run with a checksum over all of it; the one before is kept."""

from __future__ import annotations

import hashlib
import json
import os
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from fairlead.errors import CheckpointUnusable, FilesFailure
from fairlead.results.atomic import read_own
from fairlead.running.files import replace_file

CHECKPOINT_MAGIC = b"FLCKPT1\n"
CHECKPOINT_VERSION = 1


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
    """Replace the checkpoint, keeping the one before as `.old`; a write that fails leaves both as they were."""
    new, old = path.with_name(path.name + ".new"), path.with_name(path.name + ".old")
    replace_file(new, content)
    try:
        if path.exists():
            os.replace(path, old)
        os.replace(new, path)
    except OSError as error:
        raise FilesFailure(f"cannot write {path}: {error.strerror}") from error


def checkpoints(path: Path) -> Iterator[tuple[str, dict[str, Any], dict[str, Any]] | str]:
    """Give name, header and arrays of each checkpoint, the newest first, or a sentence on what is wrong with it."""
    for candidate in (path, path.with_name(path.name + ".old")):
        try:
            yield candidate.name, *unpack_checkpoint(read_own(candidate), candidate.name)
        except FileNotFoundError:
            yield f"{candidate.name} does not exist"
        except CheckpointUnusable as error:
            yield str(error)


def read_checkpoint(path: Path) -> tuple[dict[str, Any], dict[str, Any], list[str]]:
    """Return the newest checkpoint that is whole and what was wrong with newer ones; CheckpointUnusable if none is."""
    wrong: list[str] = []
    for found in checkpoints(path):
        if not isinstance(found, str):
            return found[1], found[2], wrong
        wrong.append(found)
    raise CheckpointUnusable("no usable checkpoint: " + "; ".join(wrong))
