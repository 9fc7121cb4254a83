"""Small files of a run: replaced whole or not at all, and read without following links."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import Any

from fairlead.errors import FilesFailure
from fairlead.results.atomic import atomically, open_own, read_own

CHECK = "check"  # the word under which a JSON file carries the checksum of its other words


def replace_file(path: Path, content: bytes) -> None:
    """Write `content` under a temporary name, sync it, and rename it to `path`: all or nothing."""
    atomically(path, lambda temporary: temporary.write_bytes(content))


def write_json(path: Path, content: dict[str, Any], size: int = 0) -> None:
    """Replace a JSON file atomically; it takes `size` bytes at least."""
    replace_file(path, padded(_text(content), size))


def overwrite_json(path: Path, content: dict[str, Any], shorten: str) -> None:
    """Write a JSON file over the bytes that it has already, which a full disk allows; `shorten` is cut to fit."""
    with os.fdopen(open_own(path, os.O_RDWR), "r+b") as file:
        room = file.seek(0, os.SEEK_END)
        words = str(content[shorten])
        while len(text := _text({**content, shorten: words})) > room and words:
            words = words[: -max(1, len(text) - room)]
        file.seek(0)
        file.write(padded(text, room))
        file.flush()
        os.fsync(file.fileno())


def padded(text: bytes, size: int) -> bytes:
    """Return the text of a JSON file with spaces behind it, which JSON passes over, so that it has `size` bytes."""
    return text.rstrip(b"\n").ljust(size - 1) + b"\n"


def _text(content: dict[str, Any]) -> bytes:
    return (json.dumps(content, indent=2, default=_plain) + "\n").encode()


def _plain(value: Any) -> Any:
    """Return a NumPy number or array as JSON knows it."""
    return value.tolist() if hasattr(value, "tolist") else str(value)


def read_json(path: Path) -> dict[str, Any] | None:
    """Return the words of a JSON file, or None if it is missing or cannot be read as one."""
    try:
        found = json.loads(read_own(path))
    except FilesFailure:
        raise
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) else None


def digest_of(content: dict[str, Any]) -> str:
    """Return the checksum of the words of a JSON file, whatever their order and layout."""
    words = {name: value for name, value in content.items() if name != CHECK}
    return hashlib.sha256(json.dumps(words, sort_keys=True, default=_plain).encode()).hexdigest()
