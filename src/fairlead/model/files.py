"""Files that a model file names: a relative name is sought beside the model file."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel

_FOLDER: ContextVar[str] = ContextVar("folder", default="")


@contextmanager
def beside(path: str | os.PathLike[str]) -> Iterator[None]:
    """Let relative file names inside mean files beside `path`."""
    token = _FOLDER.set(os.path.dirname(os.path.abspath(os.fspath(path))))
    try:
        yield
    finally:
        _FOLDER.reset(token)


def _whole(name: Any) -> str:
    """Return a name with its folder, so that the model means the same file wherever it is used."""
    if not name or "\0" in name:
        raise ValueError("expected the name of a file")
    return os.path.normpath(os.path.join(_FOLDER.get() or os.getcwd(), name))


def files_of(word: Any) -> Iterator[str]:
    """Give the files that a model, or a word of it, names."""
    if isinstance(word, BaseModel):
        for name in type(word).model_fields:
            value = getattr(word, name)
            if name == "file" and isinstance(value, str):
                yield value
            else:
                yield from files_of(value)
    elif isinstance(word, dict | tuple | list):
        for part in word.values() if isinstance(word, dict) else word:
            yield from files_of(part)


def content_hash(path: str) -> str:
    """Return a short hash of what a file holds, nothing if it cannot be read."""
    try:
        with open(path, "rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()[:16]
    except OSError:
        return ""


FilePath = Annotated[str, AfterValidator(_whole)]
