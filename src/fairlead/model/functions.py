"""Functions given from Python as loads: no file holds them, so whoever reads the file of a run gives them again."""

from __future__ import annotations

import hashlib
import types
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

Functions = Mapping[str, Callable[..., Any]]  # by the names of their loads
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
    """Return the functions of a model by the names of their loads."""
    found = {name: getattr(load, "function", None) for name, load in model.loads.items()}
    return {name: function for name, function in found.items() if function is not None}


def code_hash(function: Any) -> str:
    """Return a short hash of a function's own code, nothing where it has none that can be read.

    What it calls and what it remembers is not part of it.
    """
    code = getattr(getattr(function, "py_func", function), "__code__", None)
    return hashlib.sha256(_text(code).encode()).hexdigest()[:16] if isinstance(code, types.CodeType) else ""


def _text(code: types.CodeType) -> str:
    constants = [_text(one) if isinstance(one, types.CodeType) else repr(one) for one in code.co_consts]
    return "\n".join([code.co_code.hex(), *constants, *code.co_names])
