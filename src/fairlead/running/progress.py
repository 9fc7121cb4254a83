"""A progress bar with speed and time left; silent where there is no terminal."""

from __future__ import annotations

import sys
import time as wall
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def reporter(
    progress: bool | Callable[[float, float], None] | None, end: float, name: str
) -> Iterator[Callable[[float], None]]:
    """Give a function that is told the time reached; the bar appears once a run lasts more than a second."""
    if callable(progress):
        call = progress
        yield lambda time: call(time, end)
        return
    if progress is False or (progress is None and not sys.stderr.isatty()):
        yield lambda time: None
        return
    bar = Bar(name)
    try:
        yield lambda time: bar.report(time, end)
    finally:
        bar.close()


class Bar:
    """A bar on the terminal that appears once half a second has passed, and goes when its end is reached."""

    def __init__(self, name: str) -> None:
        self.name, self.started = name, wall.monotonic()
        self.bar: object | None = None

    def report(self, time: float, end: float) -> None:
        """Show the time reached."""
        elapsed = wall.monotonic() - self.started
        if self.bar is None and elapsed > 0.5:
            self._open(end)
        if self.bar is not None:
            speed = time / elapsed if elapsed > 0 else 0.0
            self.bar.update(self.task, completed=time, speed=f"{speed:,.0f} x real time")  # type: ignore[attr-defined]
        if time >= end:
            self.close()

    def _open(self, end: float) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

        self.bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.completed:.1f} of {task.total:.1f} s"),
            TextColumn("{task.fields[speed]}"),
            TimeRemainingColumn(),
            console=Console(stderr=True),
            transient=True,
        )
        self.task = self.bar.add_task(self.name, total=end, speed="")
        self.bar.start()

    def close(self) -> None:
        """Take the bar away."""
        if self.bar is not None:
            self.bar.stop()  # type: ignore[attr-defined]
