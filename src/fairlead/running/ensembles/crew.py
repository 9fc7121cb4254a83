"""The processes that run a study: a cluster of our own on this machine, or one that is there already."""

from __future__ import annotations

import logging
import os
import signal
import sys
import threading
from contextlib import suppress
from typing import Any

from fairlead.errors import InvalidInput, Problem, StudyIncomplete
from fairlead.running.ensembles.store import SCRATCH, Store

PATIENCE = 20.0  # [s] for a scheduler to answer, or a cluster to start
STARTS = 30  # times that processes are started if some die meanwhile
CLOSING = 8.0  # [s] for a cluster to close before its processes are killed
SETTINGS = {
    "distributed.scheduler.allowed-failures": 1000,  # who kills its process is found by marks on disk
    "distributed.worker.memory.target": False,
    "distributed.worker.memory.spill": False,
    "distributed.worker.memory.pause": False,
    "distributed.worker.daemon": True,
    "distributed.comm.timeouts.connect": "10s",
    "distributed.worker.lifetime.restart": False,
}
THREADS = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}


def distributed() -> Any:
    """Return the module dask.distributed; InvalidInput says how to install it."""
    try:
        import distributed as found
    except ImportError:
        text = "studies run on dask.distributed; install it: pip install 'fairlead[study]'"
        raise InvalidInput(text) from None
    return found


def _hush() -> None:
    """Let dask keep to itself what we say in our own words: that workers died, or that a scheduler is gone."""
    for part in ("", ".nanny", ".worker", ".scheduler", ".client", ".core", ".comm"):
        logging.getLogger(f"distributed{part}").setLevel(logging.CRITICAL)


class Crew:
    """Whom batches are handed to; `rebuild` starts anew where that is in our hands."""

    ours = False

    def __init__(self, client: Any) -> None:
        self.client = client

    def submit(self, function: Any, job: dict[str, Any]) -> Any:
        """Hand over a batch; return its future."""
        return self.client.submit(function, job, pure=False, retries=0)

    def processes(self) -> int:
        """Return how many processes there are now."""
        with suppress(Exception):
            return len(self.client.scheduler_info(n_workers=-1)["workers"])
        return 0

    def alive(self) -> bool:
        """Return whether the scheduler is connected."""
        return str(self.client.status) == "running"

    def rebuild(self) -> bool:
        """Start anew; return whether that is possible."""
        return False

    def close(self) -> None:
        """Leave; what is not ours goes on."""

    def leave(self) -> None:
        """Leave for good."""
        self.close()


class Distant(Crew):
    """A scheduler at an address."""

    def __init__(self, address: str) -> None:
        self.address = address
        _hush()
        super().__init__(self._connected())

    def _connected(self) -> Any:
        try:
            return distributed().Client(self.address, timeout=PATIENCE, set_as_default=False)
        except (OSError, ValueError, TimeoutError) as error:
            text = f"no dask scheduler answers at {self.address} ({error or type(error).__name__})"
            raise StudyIncomplete(f"{text}; start one (dask scheduler, dask worker {self.address})") from None

    def rebuild(self) -> bool:
        """Connect again; StudyIncomplete if nothing answers."""
        self.close()
        self.client = self._connected()
        return True

    def close(self) -> None:
        """Close the connection."""
        _within(CLOSING, lambda: self.client.close(timeout=2))


class Local(Crew):
    """Processes on this machine, one BLAS thread each, all on loopback, without a dashboard."""

    ours = True

    def __init__(self, store: Store, workers: int, memory: float | None) -> None:
        self.store, self.workers, self.memory = store, workers, memory
        _hush()
        self.cluster: Any = None
        self.hidden = _hide_main()
        super().__init__(self._started())

    def _started(self) -> Any:
        """Return a client of new processes; where one dies while they start, all start once more."""
        for _ in range(STARTS):
            before = _children()
            try:
                return self._start()
            except Exception as error:
                why = error
                self._forget(before)
        raise StudyIncomplete(f"worker processes cannot be started here: {why!r:.200}") from why

    def _forget(self, before: list[Any]) -> None:
        """End what is left of a cluster that did not come up."""
        cluster = self.cluster
        if cluster is not None:
            _within(CLOSING, lambda: cluster.close(timeout=2))
        for process in _children():
            if process not in before:
                with suppress(Exception):
                    process.kill()

    def _start(self) -> Any:
        import dask

        module, self.cluster = distributed(), None
        with dask.config.set(
            {**SETTINGS, "distributed.nanny.environ": THREADS, "distributed.logging.distributed": "critical"}
        ):
            self.cluster = module.LocalCluster(
                n_workers=self.workers,
                threads_per_worker=1,
                processes=True,
                host="127.0.0.1",
                dashboard_address="127.0.0.1:0",  # its server listens even without a dashboard
                memory_limit="auto" if self.memory is None else int(self.memory),
                silence_logs=logging.CRITICAL,
                local_directory=str(self.store.directory / SCRATCH),
                worker_dashboard_address="127.0.0.1:0",
            )
            client = module.Client(self.cluster, timeout=PATIENCE, set_as_default=False)
        client.register_plugin(_deaf_to_interrupts(), name="fairlead")
        return client

    def rebuild(self) -> bool:
        """Close the cluster, kill what is left of it, and start another."""
        self.close()
        self.client = self._started()
        return True

    def close(self) -> None:
        """End all processes."""
        cluster, client, left = self.cluster, self.client, _children()
        _within(CLOSING, lambda: client.close(timeout=2))
        if not _within(CLOSING, lambda: cluster.close(timeout=4)):
            for process in left:
                with suppress(Exception):
                    process.kill()

    def leave(self) -> None:
        """End all processes, for good."""
        self.close()
        _show_main(self.hidden)


def _hide_main() -> dict[str, Any]:
    """Let new processes not import the script that this one runs, which need not be fit for it; return what was hidden.

    A script would begin its study again in every worker, unless it says `if __name__ == "__main__"`.
    """
    main = sys.modules["__main__"]
    hidden: dict[str, Any] = {name: vars(main)[name] for name in ("__spec__", "__file__") if name in vars(main)}
    vars(main).update(__spec__=None, __file__=None)
    return hidden


def _show_main(hidden: dict[str, Any]) -> None:
    main = vars(sys.modules["__main__"])
    for name in ("__spec__", "__file__"):
        main.pop(name, None)
    main.update(hidden)


def _deaf_to_interrupts() -> Any:
    """Return a plugin that lets workers ignore Ctrl-C, which their terminal sends to them too; we end them."""
    module = distributed()

    class Deaf(module.WorkerPlugin):  # type: ignore[name-defined]
        def setup(self, worker: Any) -> None:
            if threading.current_thread() is threading.main_thread():
                signal.signal(signal.SIGINT, signal.SIG_IGN)

    return Deaf()


def _children() -> list[Any]:
    """Return the processes that this one has started, and those that they have."""
    try:
        import psutil

        return list(psutil.Process().children(recursive=True))
    except Exception:
        return []


def _within(seconds: float, action: Any) -> bool:
    """Return whether an action ends in time; one that does not is left behind in its thread."""

    def tried() -> None:
        with suppress(Exception):
            action()

    thread = threading.Thread(target=tried, daemon=True)
    thread.start()
    thread.join(seconds)
    return not thread.is_alive()


def crew_of(
    store: Store, client: Any, scheduler: str | None, workers: int | None, memory: float | None, batches: int
) -> Crew:
    """Return whom a study is run by: a client given, the scheduler at an address, or processes of our own."""
    given = [name for name, one in (("client", client), ("scheduler", scheduler)) if one is not None]
    if len(given) == 2:
        raise InvalidInput([Problem("has no effect beside a client; leave one out", "scheduler")])
    for name, one in (("workers", workers), ("memory", memory)):
        if given and one is not None:
            raise InvalidInput([Problem(f"is of a cluster of our own, and there is a {given[0]}; leave it out", name)])
    if client is not None:
        return Crew(client)
    if scheduler is not None:
        return Distant(scheduler)
    return Local(store, max(1, min(workers or cores(), batches)), memory)


def cores() -> int:
    """Return how many processors this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1
