"""How kernels are compiled: once per installation, into a cache keyed by their source (`core/jit/cache.py`).

No fastmath: it makes isnan lie and frees the order of sums. No NRT: kernels cannot allocate, and counting references
to every array at every call would cost more than the physics.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numba
from numba import njit
from numba.core.dispatcher import Dispatcher

from fairlead.core.jit.bounds import checks_bounds, refuse_negative_indices
from fairlead.core.jit.by_symbol import Kernel, entry_function, linking
from fairlead.core.jit.cache import cache_directory


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
