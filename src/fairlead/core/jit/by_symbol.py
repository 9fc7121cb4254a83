"""Kernels that are compiled once and called by symbol: from other kernels and from Python.

Numba copies the code of everything a function calls into that function and generates it again there: a right-hand side
that six stepping loops call is compiled seven times. `by_symbol(kernel)` gives kernels a way to call another one that
stays where it is: callers hold a declaration, and the address is registered with LLVM under a name of our own before
they are compiled or loaded from the cache. For whole evaluations and what happens seldom; helpers are better copied.

Numba also gives every function two entries for callers outside, which unpack A and W array by array: a second of
compiling per function, more than the function itself. Ours have none; `Kernel` builds one when Python first calls. It
lays A and W down and passes where they lie (`core/jit/by_reference.py`).
"""

from __future__ import annotations

import hashlib
import types as python
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import llvmlite.binding as llvm
from numba import types
from numba.core import cgutils, config
from numba.core.dispatcher import Dispatcher
from numba.core.errors import TypingError
from numba.core.registry import CPUDispatcher
from numba.extending import intrinsic

from fairlead.core.jit.by_reference import address_of, referred
from fairlead.core.jit.cache import CheckedFiles, say_once

STATE = types.Array(types.float64, 1, "C")
USUAL = {"t": types.float64, "k": types.int64, "y": STATE, "dy": STATE, "out": STATE}  # types of arguments by name
_BY_SYMBOL: dict[int, tuple[Any, Any]] = {}  # what `by_symbol` returned, by its identity, and what it calls


class Kernel(CPUDispatcher):
    """A compiled function whose entry for Python is built when it is first called from there."""

    python_entry: Any = None
    build_python_entry: Any = None  # given by `compiled`

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        if self.python_entry is None:
            self.python_entry = self.build_python_entry()
        return self.python_entry(*arguments, **named)

    def compile(self, signature: Any) -> Any:
        """Compile with LLVM joining neighbouring sums and products of small vectors, which numba leaves off.

        The same operations on the same numbers, so the same bits; with 256-bit registers an evaluation takes a tenth
        less. Where there are 512-bit ones LLVM joins too much, and it takes a fifth more: not there.
        """
        before, config.SLP_VECTORIZE = config.SLP_VECTORIZE, int(not _wide_registers())
        try:
            return super().compile(signature)
        finally:
            config.SLP_VECTORIZE = before


@lru_cache(maxsize=1)
def _wide_registers() -> bool:
    return bool(llvm.get_host_cpu_features().get("avx512f", False))


def entry_function(kernel: Any) -> Any:
    """Return a function with the arguments of a kernel that only calls it, to be compiled with an entry for Python."""
    function = kernel.py_func
    names = _arguments(function)
    scope = {"__name__": function.__module__, "inside": by_symbol(kernel, usual=False)}
    text = f"def python_entry({', '.join(names)}):\n    return inside({', '.join(names)})"
    exec(compile(text, function.__code__.co_filename, "exec"), scope)
    python_entry = scope["python_entry"]
    python_entry.__name__ = python_entry.__qualname__ = f"{function.__name__}_from_python"
    python_entry.__module__, python_entry.__defaults__ = function.__module__, function.__defaults__
    return python_entry


def _arguments(function: Any) -> tuple[str, ...]:
    return function.__code__.co_varnames[: function.__code__.co_argcount]


def by_symbol(dispatcher: Any, usual: bool = True) -> Any:
    """Return the function that kernels call instead of `dispatcher`, so that its code is not copied into them.

    Its arguments t, k, y, dy and out have their usual types, any other the type of the caller's argument of that name.
    """
    if not isinstance(dispatcher, Dispatcher):  # compilation is switched off
        return dispatcher
    names = _arguments(dispatcher.py_func)
    scope = {"declared": lambda *given: _declared(dispatcher, names if usual else (), given)}
    exec(f"def call(context, {', '.join(names)}):\n    return declared({', '.join(names)})", scope)
    function = scope["call"]
    function.__doc__ = dispatcher.__doc__
    call = intrinsic(function)
    _BY_SYMBOL[id(call)] = (call, dispatcher)
    return call


def called(kernel: Any) -> Any:
    """Return how a kernel that is bound calls another: its code where that is inlined, by symbol elsewhere."""
    return kernel if getattr(kernel, "targetoptions", {}).get("forceinline") else by_symbol(kernel)


def _declared(dispatcher: Any, names: tuple[str, ...], given: tuple[Any, ...]) -> Any:
    """Return the signature and the code of a call, as numba wants them, the callee compiled and registered."""
    for name, of in zip(names, given):
        if name in USUAL and of != USUAL[name]:
            raise TypingError(f"'{name}' of {dispatcher.py_func.__qualname__} must be {USUAL[name]}, not {of}")
    symbol, result, taken = _registered(dispatcher, given)

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        convention = context.call_conv
        declared = convention.get_function_type(result, taken)
        function = cgutils.get_or_insert_function(builder.module, declared, symbol)
        passed = [address_of(builder, of, value) for of, value in zip(given, arguments)]
        status, value = convention.call_function(builder, function, result, taken, passed)
        with cgutils.if_unlikely(builder, status.is_error):
            convention.return_status_propagate(builder, status)
        return context.get_dummy_value() if isinstance(result, types.NoneType) else value

    return result(*given), code


def _registered(dispatcher: Any, given: tuple[Any, ...]) -> tuple[str, Any, tuple[Any, ...]]:
    """Compile or load the callee, tell LLVM where it is, and return its symbol, what it returns and what it takes."""
    taken = tuple(referred(of) for of in given)
    dispatcher.compile(taken)
    found = dispatcher.overloads[taken]
    function = dispatcher.py_func
    digest = hashlib.sha256(str(taken).encode()).hexdigest()[:16]
    symbol = f"fairlead.{function.__module__}.{function.__qualname__}.{digest}"
    llvm.add_symbol(symbol, found.library.get_pointer_to_function(found.fndesc.llvm_func_name))
    return symbol, found.signature.return_type, taken


def linking(dispatcher: Any) -> Any:
    """Let a kernel have whatever it calls by symbol registered before it is loaded from the cache."""
    if isinstance(dispatcher, Dispatcher):
        files = getattr(dispatcher._cache, "_cache_file", None)
        if files is not None:
            files.__class__ = CheckedFiles
        dispatcher._cache = _Linking(dispatcher._cache, dispatcher)
    return dispatcher


class _Linking:
    """A cache of one kernel that readies others first."""

    def __init__(self, cache: Any, dispatcher: Any) -> None:
        self._cache, self._dispatcher = cache, dispatcher

    def load_overload(self, signature: Any, target: Any) -> Any:
        function = self._dispatcher.py_func
        given = signature.args if hasattr(signature, "args") else signature
        known = {**USUAL, **dict(zip(_arguments(function), given))}
        for callee in _called(function, set()):
            _registered(callee, tuple(known[name] for name in _arguments(callee.py_func)))
        return self._cache.load_overload(signature, target)

    def save_overload(self, signature: Any, data: Any) -> None:
        try:
            self._cache.save_overload(signature, data)
        except OSError as error:
            say_once(f"compiled kernels cannot be kept: {error.strerror or error}")

    def __getattr__(self, name: str) -> Any:
        return getattr(self._cache, name)


def _called(function: Any, seen: set[int]) -> Iterator[Any]:
    """Yield the kernels that a function calls by symbol, directly or through kernels whose code it holds."""
    for name in _names(function.__code__):
        value = function.__globals__.get(name)
        if value is None or id(value) in seen:
            continue
        seen.add(id(value))
        if id(value) in _BY_SYMBOL:
            yield _BY_SYMBOL[id(value)][1]
        elif isinstance(value, Dispatcher):
            yield from _called(value.py_func, seen)


def _names(code: python.CodeType) -> set[str]:
    found = set(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, python.CodeType):
            found |= _names(constant)
    return found
