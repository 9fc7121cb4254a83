"""Where compiled kernels are kept. They are code: only a directory of the user's own is read, and every file whole.

Numba keeps serving the old code of callers when only a helper module changed, so the directory carries a hash of every
file of `core` and of numba's version. What is damaged, or cannot be written, is compiled again, and said once.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import shutil
import stat
import sys
import tempfile
import time
from functools import lru_cache
from pathlib import Path
from typing import Any

import llvmlite
import numba
from numba.core.caching import IndexDataCacheFile

from fairlead.core.jit.bounds import checks_bounds

DIGEST = hashlib.sha256().digest_size
UNUSED = 30 * 86400.0  # [s] after which the kernels of another version are removed


@lru_cache(maxsize=1)
def source_hash() -> str:
    """Return a short hash of all kernel sources and of the compiler's version."""
    digest = hashlib.sha256(f"{numba.__version__} {llvmlite.__version__}".encode())
    for path in sorted(Path(__file__).parents[1].rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


@lru_cache(maxsize=1)
def cache_directory() -> Path | None:
    """Return the directory for compiled kernels, one that only the user can write to, or None if there is none."""
    reasons = []
    for home in _homes():
        try:
            home.mkdir(parents=True, exist_ok=True)
            directory = _own(_own(home / "fairlead") / (source_hash() + ("-checked" if checks_bounds() else "")))
            with tempfile.TemporaryFile(dir=directory):
                os.utime(directory)
            _remove_unused(directory)
            return directory
        except OSError as error:
            reasons.append(f"'{home}': {error.strerror or error}")
    say_once(f"compiled kernels cannot be kept, so every process compiles them again ({'; '.join(reasons)})")
    return None


def _homes() -> list[Path]:
    roots = [os.environ.get("FAIRLEAD_CACHE_DIR"), os.environ.get("XDG_CACHE_HOME")]
    homes = [Path(root) for root in roots if root]
    try:
        homes.append(Path.home() / ".cache")
    except RuntimeError:
        pass
    if sys.prefix != sys.base_prefix:
        homes.append(Path(sys.prefix) / ".cache")
    return homes


def _own(path: Path) -> Path:
    """Return a directory after making sure that it is the user's and that nobody else can have written to it."""
    path.mkdir(mode=0o700, exist_ok=True)
    if not hasattr(os, "getuid"):
        return path
    found = os.lstat(path)
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid():
        raise PermissionError(f"{path} is a link or belongs to another user")
    if found.st_mode & 0o022:
        say_once(f"{path} could be written to by others, so the kernels in it are not used but compiled again")
        shutil.rmtree(path, ignore_errors=True)
        path.mkdir(mode=0o700, exist_ok=True)
        if os.lstat(path).st_mode & 0o022:
            raise PermissionError(f"{path} can be written to by others")
    if found.st_mode & 0o055:
        path.chmod(0o700)
    return path


def _remove_unused(directory: Path) -> None:
    """Remove kernels of other versions that nobody has used for a month."""
    for other in directory.parent.iterdir():
        try:
            if other != directory and time.time() - other.lstat().st_mtime > UNUSED:
                shutil.rmtree(other, ignore_errors=True)
        except OSError:
            pass


def is_compiled(name: str) -> bool:
    """Return whether a bound kernel of this name lies ready in the cache."""
    directory = cache_directory()
    return directory is not None and any(directory.rglob(f"*.{name}-*.nbi"))


class CheckedFiles(IndexDataCacheFile):
    """Numba's two files of a kernel, each with its SHA-256 before it, without which nothing of it is unpacked."""

    def _load_index(self) -> dict[Any, str]:
        try:
            version, stamp, overloads = pickle.loads(_whole(self._index_path))
        except FileNotFoundError:
            return {}
        except OSError as error:
            say_once(str(error))
            return {}
        return overloads if (version, stamp) == (self._version, self._source_stamp) else {}

    def _save_index(self, overloads: dict[Any, str]) -> None:
        index = self._version, self._source_stamp, overloads
        self._write(self._index_path, self._dump(index))  # by which types of scripts are those of the data

    def _load_data(self, name: str) -> Any:
        try:
            return pickle.loads(_whole(self._data_path(name)))
        except OSError as error:  # numba takes it for a kernel that is not there
            say_once(str(error))
            raise

    def _save_data(self, name: str, data: Any) -> None:
        self._write(self._data_path(name), self._dump(data))

    def _write(self, path: str, content: bytes) -> None:
        with self._open_for_write(path) as file:
            file.write(hashlib.sha256(content).digest() + content)


def _whole(path: str) -> bytes:
    """Return the content of a file after its checksum held; OSError if it does not."""
    with open(path, "rb") as file:
        content = file.read()
    if hashlib.sha256(content[DIGEST:]).digest() != content[:DIGEST]:
        raise OSError(f"a kernel in {os.path.dirname(path)} is damaged and compiled again")
    return content[DIGEST:]


@lru_cache(maxsize=1)
def _said() -> set[str]:
    return set()


def say_once(sentence: str) -> None:
    """Print a note on the error output, once per process."""
    if sentence not in _said():
        _said().add(sentence)
        print(f"note: {sentence}", file=sys.stderr)
