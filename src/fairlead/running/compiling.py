"""A bar while kernels are compiled: what newcomers wait for, once per installation."""

from __future__ import annotations

import sys
import time as wall
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

_SHOWN = False


@contextmanager
def compiling_shown() -> Iterator[None]:
    """Show on the terminal, while anything inside is compiled, that it is and for how long.

    Numba says when it compiles; a kernel that comes from the cache is none of that.
    """
    global _SHOWN
    if _SHOWN or not sys.stderr.isatty():
        yield
        return
    from numba.core import event

    wait = Wait()

    class Listener(event.Listener):
        depth = 0

        def on_start(self, _: Any) -> None:
            self.depth += 1
            if self.depth == 1:
                wait.begin()

        def on_end(self, _: Any) -> None:
            self.depth -= 1
            if self.depth == 0:
                wait.end()

    _SHOWN = True
    try:
        with event.install_listener("numba:compile", Listener()):
            yield
    finally:
        _SHOWN = False
        wait.end()


class Wait:
    """A bar that runs to and fro beside the seconds it was seen: how long compiling takes nobody knows beforehand."""

    WORDS = "compiling once for this installation, about a minute"

    def __init__(self) -> None:
        self.bar: Any = None
        self.spent = self.since = 0.0

    def begin(self) -> None:
        """Show the bar."""
        from rich.console import Console
        from rich.progress import BarColumn, Progress, ProgressColumn, SpinnerColumn, Task, TextColumn
        from rich.text import Text

        wait = self

        class Seconds(ProgressColumn):
            def render(self, task: Task) -> Text:
                return Text(f"{wait.spent + wall.monotonic() - wait.since:.0f} s")

        self.since = wall.monotonic()
        columns = (SpinnerColumn(), TextColumn(self.WORDS), BarColumn(), Seconds())
        self.bar = Progress(*columns, console=Console(stderr=True), transient=True)
        self.bar.add_task("", total=None)
        self.bar.start()

    def end(self) -> None:
        """Take the bar away."""
        if self.bar is not None:
            self.spent += wall.monotonic() - self.since
            self.bar.stop()
            self.bar = None
