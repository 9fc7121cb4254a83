"""Files that a model file names: sought beside the model file, and not outside its folder unless that was allowed.

A model file may come from somebody else, so what it names is opened only in its own folder, in the folders that the
environment variable FAIRLEAD_ROOTS lists, and in those of a run that is resumed. What Python or `--set` names is the
user's own word.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, BeforeValidator

ROOTS = "FAIRLEAD_ROOTS"
NAMING = ("file", "coefficients", "library", "input_file")  # fields of words that name files

_FOLDER: ContextVar[str] = ContextVar("folder", default="")
_ANYWHERE: ContextVar[bool] = ContextVar("anywhere", default=True)
_ROOTS: ContextVar[tuple[str, ...]] = ContextVar("roots", default=())


@contextmanager
def beside(path: str | os.PathLike[str], *, anywhere: bool = False) -> Iterator[None]:
    """Let relative file names inside mean files beside `path`; `anywhere` lets them lead out of its folder."""
    tokens = _FOLDER.set(os.path.dirname(os.path.abspath(os.fspath(path)))), _ANYWHERE.set(anywhere)
    try:
        yield
    finally:
        _FOLDER.reset(tokens[0])
        _ANYWHERE.reset(tokens[1])


@contextmanager
def also_in(folders: Iterable[str]) -> Iterator[None]:
    """Let model files read inside name files in these folders too."""
    token = _ROOTS.set((*_ROOTS.get(), *folders))
    try:
        yield
    finally:
        _ROOTS.reset(token)


def whole_path(name: Any) -> str:
    """Return a name with its folder, so that the model means the same file wherever it is used."""
    if not name or "\0" in name:
        raise ValueError("expected the name of a file")
    folder = _FOLDER.get() or os.getcwd()
    whole = os.path.normpath(os.path.join(folder, name))
    if not _ANYWHERE.get() and not _within(whole, folder):
        raise ValueError(
            f"'{name}' lies outside the folder of the model; put it there, or name its folder in the environment "
            f"variable {ROOTS}"
        )
    return whole


def _within(whole: str, folder: str) -> bool:
    """Return whether a file, its links followed, lies in the model's folder or in one that was allowed."""
    allowed = [folder, *_ROOTS.get(), *filter(None, os.environ.get(ROOTS, "").split(os.pathsep))]
    real = os.path.realpath(whole)
    return any(os.path.commonpath([real, root]) == root for root in map(os.path.realpath, allowed))


def files_of(word: Any) -> Iterator[str]:
    """Give the files that a model, or a word of it, names."""
    if isinstance(word, BaseModel):
        for name in type(word).model_fields:
            value = getattr(word, name)
            if name in NAMING and isinstance(value, str):
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


def _text(name: Any) -> Any:
    return os.fspath(name) if isinstance(name, os.PathLike) else name


FilePath = Annotated[str, BeforeValidator(_text), AfterValidator(whole_path)]
