"""How kernels are compiled: once per installation, into a cache keyed by the source of this folder.

Numba keeps serving the old code of callers when only a helper module changed, so the cache directory carries a hash
of every file here and of numba's version. No fastmath: it makes isnan lie and frees the order of sums. No NRT: kernels
cannot allocate, and counting references to every array at every call would cost more than the physics.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
import types
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any

import numba
from numba import njit
from numba.core.dispatcher import Dispatcher

from fairlead.core.jit.bounds import checks_bounds, refuse_negative_indices
from fairlead.core.jit.by_symbol import Kernel, entry_function, linking


@lru_cache(maxsize=1)
def source_hash() -> str:
    """Return a short hash of all kernel sources and of numba's version."""
    digest = hashlib.sha256(numba.__version__.encode())
    for path in sorted(Path(__file__).parents[1].rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


@lru_cache(maxsize=1)
def cache_directory() -> Path | None:
    """Return a writable directory for compiled kernels, or None if there is none."""
    roots = [os.environ.get("FAIRLEAD_CACHE_DIR"), os.environ.get("XDG_CACHE_HOME")]
    homes = [Path(root) for root in roots if root]
    try:
        homes.append(Path.home() / ".cache")
    except RuntimeError:
        pass
    user = os.getuid() if hasattr(os, "getuid") else "user"
    homes.append(Path(tempfile.gettempdir()) / f"fairlead-{user}")
    for home in homes:
        directory = home / "fairlead" / (source_hash() + ("-checked" if checks_bounds() else ""))
        try:
            directory.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=directory):
                return directory
        except OSError:
            continue
    return None


@contextmanager
def _our_cache() -> Iterator[bool]:
    """Point numba at our cache while a kernel is declared, and put its setting back."""
    directory = cache_directory()
    before = numba.config.CACHE_DIR
    if directory is not None:
        numba.config.CACHE_DIR = str(directory)
    try:
        yield directory is not None
    finally:
        numba.config.CACHE_DIR = before


def kernel(function: Callable[..., Any]) -> Any:
    """Compile `function` on first use, cached on disk, without fastmath, releasing the interpreter lock."""
    return _declared(function)


def inlined(function: Callable[..., Any]) -> Any:
    """Compile `function` into its caller: for parts called in one place, where passing arguments would cost more."""
    return _declared(function, forceinline=True)


def _declared(function: Callable[..., Any], **options: Any) -> Any:
    found = _compiled(function, no_cpython_wrapper=True, no_cfunc_wrapper=True, **options)
    if isinstance(found, Dispatcher):
        found.__class__ = Kernel
        found.build_python_entry = lambda: _compiled(entry_function(found), no_cfunc_wrapper=True)
    return found


def _compiled(function: Callable[..., Any], **options: Any) -> Any:
    if checks_bounds():
        refuse_negative_indices()
        options["boundscheck"] = True
    with _our_cache() as cached:
        return linking(njit(cache=cached, error_model="numpy", nogil=True, _nrt=False, **options)(function))


def is_compiled(name: str) -> bool:
    """Return whether a bound kernel of this name lies ready in the cache."""
    directory = cache_directory()
    return directory is not None and any(directory.rglob(f"*.{name}-*.nbi"))


def bind(template: Callable[..., Any], name: str, **kernels: Any) -> Any:
    """Return `template` compiled with the given kernels in place of its global names.

    A compiled function passed as an argument misses the cache in every process; bound as a global it does not.
    """
    return kernel(interpreted(template, name, **kernels))


def interpreted(template: Callable[..., Any], name: str, **functions: Any) -> Any:
    """Return `template` as a Python function with the given functions in place of its global names."""
    scope = {**template.__globals__, **functions}
    function = types.FunctionType(template.__code__, scope, name, template.__defaults__)
    function.__qualname__ = name
    function.__module__ = template.__module__
    return function
