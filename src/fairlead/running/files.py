"""Small files of a run: replaced whole or not at all, and read without following links."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from fairlead.errors import FilesFailure
from fairlead.results.atomic import atomically, read_own

CHECK = "check"  # the word under which a JSON file carries the checksum of its other words


def replace_file(path: Path, content: bytes) -> None:
    """Write `content` under a temporary name, sync it, and rename it to `path`: all or nothing."""
    atomically(path, lambda temporary: temporary.write_bytes(content))


def write_json(path: Path, content: dict[str, Any]) -> None:
    """Replace a JSON file atomically."""
    replace_file(path, (json.dumps(content, indent=2, default=_plain) + "\n").encode())


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
