"""Controllers that kernels ask by address: the C function that they call, and the sentences where none is given."""

from __future__ import annotations

import ctypes
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from fairlead.errors import NumericalFailure

Numbers = Sequence[float]
Answer = Callable[[float, Any, Any], tuple[Numbers, Numbers]]  # of time, inputs and states: outputs and states after
FORM = ctypes.CFUNCTYPE(
    ctypes.c_int64, ctypes.c_double, *[ctypes.POINTER(ctypes.c_double)] * 3
)  # as `core/jit/by_address.ask_at` calls it
DONE, FAILED = 0, 1


class Asked:
    """A controller behind an address that kernels call; `failure` is why the last call gave nothing, if it did not."""

    def __init__(self, name: str, answer: Answer, sizes: tuple[int, int, int], limit: float | None) -> None:
        self.name, self.answer, self.sizes, self.limit = name, answer, sizes, limit
        self.failure: BaseException | None = None
        self.called = FORM(self._call)

    @property
    def address(self) -> int:
        """Where kernels call it."""
        return int(ctypes.cast(self.called, ctypes.c_void_p).value or 0)

    def _call(self, t: float, *places: Any) -> int:
        """Read inputs and states where they lie, and put the answer there; nothing may leave this as an exception."""
        try:
            inputs, outputs, states = (
                np.ctypeslib.as_array(place, (size,)) if size else np.zeros(0)
                for place, size in zip(places, self.sizes)
            )
            began = time.perf_counter()
            with _interrupted_after(self.limit):
                given, after = self.answer(t, inputs.copy(), states.copy())
            took = time.perf_counter() - began
            if self.limit is not None and took > self.limit:
                raise TooLate(took)
            outputs[:], states[:] = given, after
            self.failure = None
            return DONE
        except TooLate:
            self.failure = NumericalFailure(
                f"controller '{self.name}' took more than its {self.limit:g} s to answer at t = {t:.6g} s; "
                "mend it, or give it a longer time_limit"
            )
        except NumericalFailure as error:
            self.failure = error
        except (Exception, SystemExit) as error:
            self.failure = NumericalFailure(f"controller '{self.name}' failed at t = {t:.6g} s: {shown(error)}")
            self.failure.__cause__ = error
        except BaseException as error:  # Ctrl-C is the user's
            self.failure = error
        return FAILED


class TooLate(Exception):
    """A call that takes longer than it may."""


@contextmanager
def _interrupted_after(seconds: float | None) -> Iterator[None]:
    """Raise TooLate inside after so many seconds, where the system can do that: in the main thread of a Unix process.

    Elsewhere a late answer is found when it comes.
    """
    here = threading.current_thread() is threading.main_thread() and hasattr(signal, "setitimer")
    if seconds is None or not here or signal.getsignal(signal.SIGALRM) not in (signal.SIG_DFL, signal.SIG_IGN, None):
        yield
        return

    def late(number: int, frame: Any) -> None:
        raise TooLate

    before = signal.signal(signal.SIGALRM, late)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, before)


def numbers(given: Any, names: Sequence[str]) -> list[float] | None:
    """Return the finite numbers of an answer, one per name (a number, a sequence or a mapping), or None."""
    try:
        if isinstance(given, dict):
            given = [given[name] for name in names] if set(given) == set(names) else None
        values = np.asarray(given)
        if values.dtype.kind not in "iuf" or np.ma.getmaskarray(given).any():
            return None
        found = [float(value) for value in values.reshape(-1)]
    except Exception:  # whatever its own conversion raises: a ragged list, a whole number beyond 1e308
        return None
    return found if len(found) == len(names) and np.isfinite(found).all() else None


def shown(value: Any) -> str:
    """Return what a user's value looks like, at most a line of it."""
    try:
        return f"{' '.join(repr(value).split()):.120}"
    except Exception:  # a number of too many digits, or a class that cannot show itself
        return f"a value of type {type(value).__name__} that cannot be shown"
