"""Files that a model file names: a relative name is sought beside the model file."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Annotated, Any

from pydantic import AfterValidator

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


FilePath = Annotated[str, AfterValidator(_whole)]
