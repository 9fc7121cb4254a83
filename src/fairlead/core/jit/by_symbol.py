"""Kernels that are compiled once and called by symbol: from other kernels and from Python.

Numba copies the code of everything a function calls into that function and generates it again there: a right-hand side
that six stepping loops call is compiled seven times. `by_symbol(kernel)` gives kernels a way to call another one that
stays where it is: callers hold a declaration, and the address is registered with LLVM under a name of our own before
they are compiled or loaded from the cache. For whole evaluations and what happens seldom; helpers are better copied.

`when_needed(kernel)` is the same for what many models never call (loops, controllers, kinds of loads): callers hold a
place for its address, which is empty until the first call; Python then compiles it, or loads it from the cache. So a
model waits for what it uses, and a new kind of load costs nobody else a second.

Numba also gives every function two entries for callers outside, which unpack A and W array by array: a second of
compiling per function, more than the function itself. Ours have none; `Kernel` builds one when Python first calls. It
lays A and W down and passes where they lie (`core/jit/by_reference.py`).
"""

from __future__ import annotations

import _thread
import ctypes
import hashlib
import types as python
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import llvmlite.binding as llvm
from llvmlite import ir
from numba import types
from numba.core import cgutils, config
from numba.core.dispatcher import Dispatcher
from numba.core.errors import TypingError
from numba.core.registry import CPUDispatcher
from numba.extending import intrinsic

from fairlead.core.jit.by_reference import address_of, referred
from fairlead.core.jit.cache import CheckedFiles, say_once

STATE = types.Array(types.float64, 1, "C")
# Types of arguments by name
USUAL = dict.fromkeys(("t", "h"), types.float64) | dict.fromkeys(("j", "k"), types.int64)
USUAL |= dict.fromkeys(("y", "dy", "out"), STATE)
WORD = ir.IntType(64)
NUMBER, TRUTH = types.float64, types.boolean  # what is called when needed may return
WRENCH = types.UniTuple(types.UniTuple(types.float64, 3), 2)
# What `by_symbol` and `when_needed` returned, by its identity, with what it calls and how that is found
_BY_SYMBOL: dict[int, tuple[Any, Any, Any]] = {}
_PLACES: dict[str, Any] = {}  # for the addresses of what is compiled when needed, by symbol
_FOUND_AHEAD: set[str] = set()  # or being found
_AT_PLACE: dict[int, tuple[Any, Any, Any]] = {}  # whose the place at an address is, what that takes and returns


class Kernel(CPUDispatcher):
    """A compiled function whose entry for Python is built when it is first called from there."""

    python_entry: Any = None
    build_python_entry: Any = None  # given by `compiled`
    ahead = False  # whether what may be needed is compiled at once, as `fairlead warm` wants it

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

    Its arguments t, h, j, k, y, dy and out have their usual types, any other that of the caller's argument of its name.
    """
    return _caller(dispatcher, usual, _registered)


def when_needed(dispatcher: Any, result: Any = types.none) -> Any:
    """Return the function that kernels call instead of `dispatcher`, which is compiled when it is first called.

    Callers are compiled without it, so what it returns must be said.
    """
    return _caller(dispatcher, True, lambda callee, given: _placed(callee, given, result))


def _caller(dispatcher: Any, usual: bool, find: Any) -> Any:
    if not isinstance(dispatcher, Dispatcher):  # compilation is switched off
        return dispatcher
    names = _arguments(dispatcher.py_func)
    scope = {"declared": lambda *given: _declared(dispatcher, names if usual else (), given, find)}
    exec(f"def call(context, {', '.join(names)}):\n    return declared({', '.join(names)})", scope)
    function = scope["call"]
    function.__doc__ = dispatcher.__doc__
    call = intrinsic(function)
    _BY_SYMBOL[id(call)] = (call, dispatcher, find)
    return call


def called(kernel: Any) -> Any:
    """Return how a kernel that is bound calls another: its code where that is inlined, by symbol elsewhere."""
    return kernel if getattr(kernel, "targetoptions", {}).get("forceinline") else by_symbol(kernel)


def _declared(dispatcher: Any, names: tuple[str, ...], given: tuple[Any, ...], find: Any) -> Any:
    """Return the signature and the code of a call, as numba wants them, the callee (or its place) registered."""
    for name, of in zip(names, given):
        if name in USUAL and of != USUAL[name]:
            raise TypingError(f"'{name}' of {dispatcher.py_func.__qualname__} must be {USUAL[name]}, not {of}")
    symbol, result, taken = find(dispatcher, given)

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        convention = context.call_conv
        declared = convention.get_function_type(result, taken)
        if symbol in _PLACES:
            function = _function_at(context, builder, declared, symbol, dispatcher.py_func.__name__)
        else:
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
    found = _compiled(dispatcher, taken)
    symbol = _symbol(dispatcher.py_func, taken)
    llvm.add_symbol(symbol, found.library.get_pointer_to_function(found.fndesc.llvm_func_name))
    return symbol, found.signature.return_type, taken


def _compiled(dispatcher: Any, taken: tuple[Any, ...]) -> Any:
    dispatcher.compile(taken)
    return dispatcher.overloads[taken]


def _symbol(function: Any, taken: tuple[Any, ...]) -> str:
    digest = hashlib.sha256(str(taken).encode()).hexdigest()[:16]
    return f"fairlead.{function.__module__}.{function.__qualname__}.{digest}"


def _placed(dispatcher: Any, given: tuple[Any, ...], result: Any) -> tuple[str, Any, tuple[Any, ...]]:
    """Make a place for the callee's address, tell LLVM where it is, and return as `_registered` does."""
    taken = tuple(referred(of) for of in given)
    symbol = _symbol(dispatcher.py_func, taken) + ".place"
    if symbol not in _PLACES:
        place = _PLACES[symbol] = ctypes.c_int64(0)
        _AT_PLACE[ctypes.addressof(place)] = dispatcher, taken, result
        llvm.add_symbol(symbol, ctypes.addressof(place))
    if Kernel.ahead and symbol not in _FOUND_AHEAD:
        _FOUND_AHEAD.add(symbol)
        _find(ctypes.addressof(_PLACES[symbol]))
    return symbol, result, taken


def _function_at(context: Any, builder: Any, of: Any, symbol: str, name: str) -> Any:
    """Return the function whose address stands at a place, which is found first if the place is empty."""
    module = builder.module
    place = module.globals.get(symbol) or ir.GlobalVariable(module, WORD, symbol)
    with cgutils.if_unlikely(builder, cgutils.is_null(builder, builder.load(place))):
        find = cgutils.get_or_insert_function(module, ir.FunctionType(WORD, [WORD]), FIND)
        builder.call(find, [builder.ptrtoint(place, WORD)])
    address = builder.load(place)
    with cgutils.if_unlikely(builder, cgutils.is_null(builder, address)):
        context.call_conv.return_user_exc(builder, RuntimeError, (f"the kernel '{name}' could not be compiled",))
    return builder.inttoptr(address, of.as_pointer())


def _find(at: int) -> int:
    """Compile or load what belongs at a place, and put its address there; an interrupt comes when that is done."""
    dispatcher, taken, result = _AT_PLACE[at]
    interrupted = False
    while True:
        try:
            found = _compiled(dispatcher, taken)
            break
        except KeyboardInterrupt:  # the kernel that asks cannot pass it on
            interrupted = True
    given = found.signature.return_type
    if given != result:
        raise TypingError(f"'{dispatcher.py_func.__qualname__}' returns {given}, but is called as returning {result}")
    address: int = found.library.get_pointer_to_function(found.fndesc.llvm_func_name)
    ctypes.c_int64.from_address(at).value = address
    if interrupted:
        _thread.interrupt_main()
    return address


FIND = "fairlead.find_when_needed"
_FIND = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)(_find)  # takes the interpreter lock, which kernels release
llvm.add_symbol(FIND, ctypes.cast(_FIND, ctypes.c_void_p).value)


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
        for callee, find in _called(function, set()):
            find(callee, tuple(known[name] for name in _arguments(callee.py_func)))
        return self._cache.load_overload(signature, target)

    def save_overload(self, signature: Any, data: Any) -> None:
        try:
            self._cache.save_overload(signature, data)
        except OSError as error:
            say_once(f"compiled kernels cannot be kept: {error.strerror or error}")

    def __getattr__(self, name: str) -> Any:
        return getattr(self._cache, name)


def _called(function: Any, seen: set[int]) -> Iterator[Any]:
    """Yield the kernels that a function calls by symbol, directly or through kernels whose code it holds, and how
    each is found."""
    for name in _names(function.__code__):
        value = function.__globals__.get(name)
        if value is None or id(value) in seen:
            continue
        seen.add(id(value))
        if id(value) in _BY_SYMBOL:
            yield _BY_SYMBOL[id(value)][1:]
        elif isinstance(value, Dispatcher):
            yield from _called(value.py_func, seen)


def _names(code: python.CodeType) -> set[str]:
    found = set(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, python.CodeType):
            found |= _names(constant)
    return found
