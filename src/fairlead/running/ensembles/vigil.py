"""A thread beside a worker's work: it gives signs of life, and ends a case before it takes the machine's memory."""

from __future__ import annotations

import json
import os
import socket
import threading
import time as wall
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from fairlead.running.ensembles.store import FAILED, Store

LOOK, SIGN = 0.05, 1.0  # [s] between looks at the memory, and between signs of life
SHARE = 0.9  # of a worker's memory that a case may have
EXIT = 86


class Vigil:
    """Watch over a worker: it tells once a second what is being done, and minds the memory."""

    def __init__(self, store: Store, limit: float | None, expendable: bool) -> None:
        self.store, self.limit, self.expendable = store, limit, expendable
        self.doing: dict[str, float] = {}  # simulated time reached, by case
        name = f"{socket.gethostname()}-{os.getpid()}-{threading.get_ident()}.alive"
        self.file: Path = store.mark_file("x").with_name(name)
        self.over = threading.Event()

    @contextmanager
    def kept(self) -> Iterator[Vigil]:
        """Keep watch while a batch is run."""
        thread = threading.Thread(target=self._watch, daemon=True, name="vigil")
        thread.start()
        try:
            yield self
        finally:
            self.over.set()
            thread.join(timeout=5.0)
            self.file.unlink(missing_ok=True)

    def _watch(self) -> None:
        told = 0.0
        while True:
            if wall.monotonic() - told >= SIGN:
                told = wall.monotonic()
                self._tell()
            used = memory_of_process() if self.limit and self.expendable else 0.0
            if self.limit and used > SHARE * self.limit:
                self._end(used)
            if self.over.wait(LOOK):
                return

    def _tell(self) -> None:
        temporary = self.file.with_suffix(".tmp")
        try:
            temporary.write_text(json.dumps(self.doing.copy()))
            os.replace(temporary, self.file)
        except OSError:
            pass

    def _end(self, used: float) -> None:
        """End this process, as its memory runs out; of one case alone say so, several are run one by one later."""
        cases = list(self.doing)
        try:
            if len(cases) == 1:
                may = (self.limit or 0.0) / 1e9
                text = f"needed more memory than a worker may have: it held {used / 1e9:.2f} GB of {may:.2f}; "
                text += "record less often (interval), or give each worker more (--memory)"
                self.store.commit(cases[0], {"outcome": FAILED, "kind": "memory", "message": text})
            for case in cases:
                self.store.mark(case)
        finally:
            os._exit(EXIT)


def memory_of_process() -> float:
    """Return the memory that this process holds [bytes]; 0 where the system does not say."""
    try:
        with open("/proc/self/statm", "rb") as file:
            return float(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        try:
            import psutil

            return float(psutil.Process().memory_info().rss)
        except Exception:
            return 0.0


def worker_limits() -> tuple[Any, bool]:
    """Return the memory of the worker that this runs in, None if unknown, and whether another starts when it ends."""
    try:
        from distributed import get_worker

        worker: Any = get_worker()
        return worker.memory_manager.memory_limit, worker.nanny is not None
    except (ImportError, ValueError, AttributeError):
        return None, False
