"""A Bladed-style library in a process of its own, so that what it remembers is its own and a crash is a sentence."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import struct
import subprocess
import sys
import tempfile
import time
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from fairlead.errors import NumericalFailure
from fairlead.model.controllers.discon_records import LENGTHS, PERIOD, SIZE, STATUS, TIME

WORKER = str(Path(__file__).with_name("discon_worker.py"))
LONGEST = LENGTHS[49]  # of a message


class Broken(Exception):
    """A call that has no answer; its text says why."""


class DisconProcess:
    """One instance of a library, called in order; `said` is what it said without failing."""

    def __init__(self, name: str, library: Callable[[], str], procedure: str, input_file: str, limit: float) -> None:
        self.name, self.find, self.procedure, self.input_file = name, library, procedure, input_file
        self.library = ""
        self.limit, self.said = limit, list[str]()
        self.process: Any = None

    def call(self, t: float, period: float, records: dict[int, float]) -> Any:
        """Return the swap array after a call at a time; Broken says why there is none."""
        first = self.process is None
        if first:
            self._start()
        named = {STATUS: 0.0 if first else 1.0, TIME: t, PERIOD: period}
        pairs = named | records
        self._send(struct.pack("<i", len(pairs)) + b"".join(struct.pack("<if", *pair) for pair in pairs.items()))
        until = time.monotonic() + self.limit
        fail, length = struct.unpack("<ii", self._read(8, until))
        text = self._read(length, until).decode("utf-8", "replace").strip()
        swap = np.frombuffer(self._read(4 * SIZE, until), "<f4").astype(float)
        if fail < 0:
            raise Broken(f"said: {text}" if text else f"failed with code {fail}")
        if fail > 0 and text and text not in self.said:
            self.said.append(text)
        return swap

    def _start(self) -> None:
        self.library = self.find()
        self.errors = tempfile.TemporaryFile()  # noqa: SIM115 - it lives as long as the process
        words = [self.library, self.procedure, self.input_file, "fairlead", str(SIZE), str(LONGEST)]
        self.process = subprocess.Popen(
            [sys.executable, "-I", "-S", WORKER, *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.errors,
            cwd=os.path.dirname(self.input_file) or None,
            start_new_session=True,  # Ctrl-C is for us
        )
        self._over = weakref.finalize(self, _end, self.process, self.errors)

    def _send(self, content: bytes) -> None:
        try:
            self.process.stdin.write(content)
            self.process.stdin.flush()
        except OSError:
            raise Broken(self._why_gone()) from None

    def _read(self, size: int, until: float) -> bytes:
        """Return so many bytes of an answer, which comes before a time."""
        found, handle = b"", self.process.stdout.fileno()
        while len(found) < size:
            if not select.select([handle], [], [], max(0.0, until - time.monotonic()))[0]:
                self.close()
                raise Broken(f"took more than its {self.limit:g} s to answer; give it a longer time_limit, or mend it")
            piece = os.read(handle, size - len(found))
            if not piece:
                raise Broken(self._why_gone())
            found += piece
        return found

    def _why_gone(self) -> str:
        """Return why the process ended by itself."""
        code = self.process.wait()
        self.errors.seek(0)
        lines = self.errors.read().decode("utf-8", "replace").strip().splitlines()
        last = f": {lines[-1]:.200}" if lines else ""
        if code < 0:
            with contextlib.suppress(ValueError):
                return f"crashed ({signal.Signals(-code).name}){last}"
        return f"ended its process (exit code {code}){last}"

    def close(self) -> None:
        """End the process; the library is told, and killed if it does not go."""
        if self.process is not None:
            self._over()


def _end(process: Any, errors: Any) -> None:
    with contextlib.suppress(OSError):
        process.stdin.close()
    try:
        process.wait(1.0)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    process.stdout.close()
    errors.close()


def answering(process: DisconProcess, period: float, sent: Any, records: list[int]) -> Any:
    """Return the function that answers for a library: `sent` turns inputs into records; `records` come back."""

    def answer(t: float, inputs: Any, states: Any) -> Any:
        try:
            swap = process.call(t, period, sent(inputs))
        except Broken as error:
            process.close()
            raise NumericalFailure(
                f"controller '{process.name}' ({os.path.basename(process.library)}) {error} (at t = {t:.6g} s)"
            ) from None
        given = [float(swap[record - 1]) for record in records]
        if not np.isfinite(given).all():
            wrong = next(record for record, value in zip(records, given) if not np.isfinite(value))
            raise NumericalFailure(
                f"controller '{process.name}' ({os.path.basename(process.library)}) gave {swap[wrong - 1]:g} in record "
                f"{wrong} at t = {t:.6g} s"
            )
        return given, ()

    return answer
