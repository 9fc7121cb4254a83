"""Kernels called by symbol: the same numbers, code that is not copied, and a cache that a fresh process can load."""

import os
import subprocess
import sys
from typing import NamedTuple

import numpy as np
import pytest
from numba import njit

from fairlead.core.jit.by_symbol import NUMBER, by_symbol, when_needed
from fairlead.core.jit.kernel import inlined, kernel

PROGRAM = """
import numpy as np
from fairlead.core.jit.kernel import inlined, kernel
from fairlead.core.jit.by_symbol import NUMBER, by_symbol, when_needed

@kernel
def deep(t, y):
    return 3.0 * t + y[0]

deep_by_symbol = by_symbol(deep)

@kernel
def seldom(t, y):
    return deep_by_symbol(t, y) + 0.0

seldom_when_needed = when_needed(seldom, NUMBER)

@kernel
def never(t, y):
    return deep(t, y)

never_when_needed = when_needed(never, NUMBER)

@kernel
def rate(t, y, dy):
    dy[0] = seldom_when_needed(t, y) if t > 0.0 else deep_by_symbol(t, y)
    if t < 0.0:
        dy[0] = never_when_needed(t, y)

rate_by_symbol = by_symbol(rate)

@inlined
def through(t, y, dy):
    rate_by_symbol(t, y, dy)

@kernel
def loop(n, y, dy):
    for i in range(n):
        through(0.5 * i, y, dy)
    return n

if __name__ == "__main__":
    import program
    dy = np.zeros(1)
    program.loop(5, np.ones(1), dy)
    print(dy[0], sum(program.loop.stats.cache_hits.values()), sum(program.rate.stats.cache_hits.values()))
"""


@kernel
def half(y):
    return 0.5 * y[0]


half_by_symbol = by_symbol(half)


@kernel
def doubled(y):
    return 4.0 * half_by_symbol(y)


@inlined
def third(t):
    return t / 3.0


class Inner(NamedTuple):
    data: np.ndarray


class Outer(NamedTuple):
    n: int
    x: np.ndarray
    inner: Inner


@kernel
def total(given):
    return given.n * given.x[0] + given.inner.data[1]


total_by_symbol = by_symbol(total)


@kernel
def grown_twice(given):
    given.x[0] += 1.0
    first = total_by_symbol(given) + total(given)
    given.x[0] += 1.0
    return first, total_by_symbol(given) + total(given)


def test_tuples_of_arrays_go_by_reference():
    """3 x + 7, x growing from 1: fields are fetched once, what they lead to each time it is asked for."""
    given = Outer(3, np.array([1.0]), Inner(np.array([5.0, 7.0])))
    assert grown_twice(given) == (2 * (6.0 + 7.0), 2 * (9.0 + 7.0))
    assert given.x[0] == 3.0
    other = Outer(2, np.array([10.0]), Inner(np.array([0.0, 1.0])))
    assert grown_twice(other) == (2 * 23.0, 2 * 25.0)
    assert grown_twice(given) == (2 * (12.0 + 7.0), 2 * (15.0 + 7.0))


def test_unknown_fields_are_refused():
    @kernel
    def wrong(given):
        return given.nothing

    with pytest.raises(Exception, match="nothing"):
        wrong(Outer(3, np.array([1.0]), Inner(np.zeros(2))))


def test_called_from_python():
    """Plain numbers: 4 y / 2; a kernel meant for other kernels answers Python as well, with names too."""
    assert doubled(np.array([1.5])) == 3.0
    assert doubled(y=np.array([2.5])) == 5.0
    assert third(6.0) == 2.0
    assert third(6) == 2.0


def test_code_is_not_copied():
    """The caller's LLVM code declares the callee under our name and does not define it."""
    fresh = njit(_nrt=False)(doubled.py_func)  # what was loaded from a cache cannot be looked at
    assert fresh(np.array([1.0])) == 2.0
    (text,) = fresh.inspect_llvm().values()
    ours = [line for line in text.splitlines() if "half" in line and line.startswith(("declare", "define"))]
    assert ours and all(line.startswith("declare") and "fairlead." in line for line in ours)


@kernel
def made(y):
    return y[0] + 0.5


made_when_needed = when_needed(made, NUMBER)


@kernel
def asks(n, y):
    return made_when_needed(y) if n > 1 else y[0]


@kernel
def gives_nothing(y):
    y[0] = 1.0


taken_for_a_number = when_needed(gives_nothing, NUMBER)


@kernel
def misled(y):
    return taken_for_a_number(y)


def test_what_is_needed_is_compiled_when_it_is_first_called():
    y = np.ones(1)
    assert asks(1, y) == 1.0 and not made.overloads
    assert asks(2, y) == 1.5 and len(made.overloads) == 1
    assert asks(3, y) == 1.5 and len(made.overloads) == 1


def test_a_kernel_that_returns_something_else_than_was_said_is_told(monkeypatch):
    told = []
    monkeypatch.setattr(sys, "unraisablehook", lambda one: told.append(str(one.exc_value)))
    with pytest.raises(RuntimeError, match="the kernel 'gives_nothing' could not be compiled"):
        misled(np.ones(1))
    assert told == ["'gives_nothing' returns none, but is called as returning float64"]


def test_wrong_types_are_refused():
    """A state that is not one stretch of floats would need a second version, which no cached caller could find."""

    @kernel
    def caller(y):
        return half_by_symbol(y[::2])

    with pytest.raises(Exception, match="'y' of half must be"):
        caller(np.ones(4))


def test_fresh_process_loads_from_the_cache(tmp_path):
    """3 * 2 + 1 at the last of five times, compiled in one process and loaded with all it calls in the next."""
    (tmp_path / "program.py").write_text(PROGRAM)
    path = os.pathsep.join([str(tmp_path), *sys.path])
    environment = {**os.environ, "FAIRLEAD_CACHE_DIR": str(tmp_path / "cache"), "PYTHONPATH": path}
    answers = [
        subprocess.run(
            [sys.executable, "program.py"], cwd=tmp_path, env=environment, capture_output=True, text=True, check=True
        ).stdout.split()
        for _ in range(2)
    ]
    assert answers == [["7.0", "0", "0"], ["7.0", "1", "1"]]
