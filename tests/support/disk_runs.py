"""Runs that were cut off, whole ones to compare them with, and what a directory holds."""

from __future__ import annotations

from pathlib import Path

import fairlead as fl
from fairlead.running import directory as runs

SPAN = {"duration": 30.0, "dt": 0.01}  # 3000 steps: the start and six chunks of at most 512


class Killed(BaseException):
    """Ends a run at once, as a kill does: nothing after it is written."""


def cut_off(model: Path, where: Path, monkeypatch, at: float = 14.0, **options) -> Path:
    """Leave a run that was killed once it had passed t = `at`, with a checkpoint after every chunk."""

    def kill(time: float, end: float) -> None:
        if time > at:
            raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(runs, "COMMIT_SECONDS", -1.0)
        try:
            fl.simulate(fl.load(model), **{**SPAN, **options}, out=where, progress=kill)
        except Killed:
            return where
    raise AssertionError("the run was not killed")


def content(where: Path) -> dict[str, bytes | None]:
    """Return what is in a directory, name by name; None for what is no plain file."""
    return {
        str(path.relative_to(where)): path.read_bytes() if path.is_file() and not path.is_symlink() else None
        for path in sorted(where.rglob("*"))
    }


def assert_same(stored, expected) -> None:
    """Compare two results bit by bit."""
    assert stored.sizes == expected.sizes
    for name in ("time", *expected.data_vars):
        assert stored[name].values.tobytes() == expected[name].values.tobytes(), name


def flip(path: Path, at: int, bit: int = 0) -> None:
    """Turn one bit of a file round."""
    with open(path, "r+b") as file:
        file.seek(at)
        byte = file.read(1)[0]
        file.seek(at)
        file.write(bytes([byte ^ (1 << bit)]))
