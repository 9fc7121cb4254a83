"""Functions given from Python as loads and controllers: no file holds them, so whoever reads one gives them."""

from __future__ import annotations

import dis
import functools
import hashlib
import types
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

Functions = Mapping[str, Callable[..., Any]]  # by the names of what holds them
_GIVEN: ContextVar[Functions | None] = ContextVar("functions", default=None)


@contextmanager
def giving(functions: Functions) -> Iterator[None]:
    """Let files that are read inside name these functions."""
    token = _GIVEN.set(functions)
    try:
        yield
    finally:
        _GIVEN.reset(token)


def given_function(value: Any) -> Any:
    """Return the function that a text in a file names, or the value itself."""
    return (_GIVEN.get() or {}).get(value, value) if isinstance(value, str) else value


def functions_of(model: Any) -> dict[str, Callable[..., Any]]:
    """Return the functions of a model by the names of their loads and controllers."""
    return {name: function for (_, name), function in placed_functions(model).items()}


def placed_functions(model: Any) -> dict[tuple[str, str], Callable[..., Any]]:
    """Return the functions of a model by the group and the name of what holds them."""
    found = {
        (group, name): getattr(word, "function", None)
        for group in ("loads", "controllers")
        for name, word in getattr(model, group, {}).items()
    }
    return {place: function for place, function in found.items() if function is not None}


def code_hash(function: Any) -> str:
    """Return a short hash of a function's own code and of the constants it was made with, nothing without such code.

    What it calls and what it remembers is not part of it.
    """
    if isinstance(function, functools.partial):
        text = repr([code_hash(function.func), *map(_constant, function.args), *_named(function.keywords)])
        return hashlib.sha256(text.encode()).hexdigest()[:16]
    plain = getattr(function, "py_func", function)
    code = getattr(plain, "__code__", None)
    if code is None and callable(plain):  # an object: how it is called
        code = getattr(type(plain).__call__, "__code__", None)
    if not isinstance(code, types.CodeType):
        return ""
    made_with = _made_with(plain, code)
    text = _text(code) + ("\n" + repr(made_with) if made_with else "")
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _made_with(function: Any, code: types.CodeType) -> list[str]:
    """Return defaults and constants from around a function; names that it sets itself are its memory."""
    remembered = {one.argval for one in dis.get_instructions(code) if one.opname == "STORE_DEREF"}
    found = [_constant(value) for value in getattr(function, "__defaults__", None) or ()]
    found += _named(getattr(function, "__kwdefaults__", None) or {})
    for name, cell in zip(code.co_freevars, getattr(function, "__closure__", None) or ()):
        try:
            found += _named({name: cell.cell_contents}) if name not in remembered else []
        except ValueError:  # not set yet
            continue
    return [text for text in found if text]


def _named(values: Mapping[str, Any]) -> list[str]:
    return [f"{name}={text}" for name, value in sorted(values.items()) if (text := _constant(value))]


def _constant(value: Any) -> str:
    """Return a constant as a text; nothing for what may change while the function runs."""
    if isinstance(value, tuple):
        return f"({', '.join(map(_constant, value))})"
    return repr(value) if isinstance(value, bool | int | float | complex | str | bytes) else ""


def _text(code: types.CodeType) -> str:
    constants = [_text(one) if isinstance(one, types.CodeType) else repr(one) for one in code.co_consts]
    return "\n".join([code.co_code.hex(), *constants, *code.co_names])
