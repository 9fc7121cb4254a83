"""How a study goes, on the terminal: what is done, how fast, how long it will take, and what comes out of it."""

from __future__ import annotations

import math
import sys
import time as wall
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from fairlead.running.ensembles.conduct import State
from fairlead.running.ensembles.words import SPECTRUM

EVERY = 1.0  # [s] between two looks
SHOWN = 6  # statistics at most
NORMAL_95 = 1.959963984540054


@contextmanager
def teller(progress: bool | Callable[[State], None] | None, state: State) -> Iterator[Callable[[State], None]]:
    """Give a function that is told how a study goes: a live table on a terminal, or nothing."""
    if callable(progress):
        yield progress
        return
    if progress is False or (progress is None and not sys.stderr.isatty()):
        yield lambda state: None
        return
    from rich.console import Console
    from rich.live import Live

    with Live(table(state), console=Console(stderr=True), auto_refresh=False, transient=True) as live:
        told = wall.monotonic()

        def tell(state: State) -> None:
            nonlocal told
            if wall.monotonic() - told >= EVERY:
                told = wall.monotonic()
                live.update(table(state), refresh=True)

        yield tell


def table(state: State) -> Any:
    """Return the table of how a study goes."""
    from rich.table import Table

    found = Table(title=state.plan.name, show_header=False, box=None, title_justify="left", pad_edge=False)
    found.add_column()
    found.add_column()
    for name, text in rows(state):
        found.add_row(name, text)
    return found


def rows(state: State) -> list[tuple[str, str]]:
    """Return what the table says: counts, speed, time left, and means with their 95 % confidence."""
    (done, failed, total), left = state.counts, len(state.waiting)
    elapsed = max(wall.monotonic() - state.began, 1e-9)
    counts = f"{done} done, {len(state.running)} running, {failed} failed, of {total}"
    found = [("cases", counts)]
    if state.fresh:
        speed = state.simulated / 3600.0 / (elapsed / 60.0)
        found.append(
            ("speed", f"{speed:,.1f} simulated hours per minute, {state.simulated / elapsed:,.0f} times real time")
        )
        found.append(("left", _duration(elapsed / state.fresh * left)))
    if state.rebuilt:
        found.append(("workers", f"started anew {state.rebuilt} times"))
    for channel, word in wanted(state)[:SHOWN]:
        mean, away, unit = running_mean(state, channel, word)
        if not math.isnan(mean):
            about = "" if math.isnan(away) else f" +- {away:.2g}"
            found.append((f"{channel} {word}", f"{mean:.4g}{about} {unit}"))
    return found


def wanted(state: State) -> list[tuple[str, str]]:
    """Return the channels and statistics of a study."""
    given = state.plan.study.statistics.items()
    return [(channel, word) for channel, words in given for word in words if word != SPECTRUM]


def running_mean(state: State, channel: str, word: str) -> tuple[float, float, str]:
    """Return the mean over all points of a study, half its 95 % interval by the scatter of realisations, the unit."""
    points: dict[tuple[int, ...], list[float]] = {}
    unit = ""
    for case in state.plan.cases:
        result = state.done.get(case.digest)
        if result is not None and math.isfinite(result["values"][channel][word]):
            place = tuple(at for name, at in case.place.items() if name != "realisation")
            points.setdefault(place, []).append(result["values"][channel][word])
            unit = result["units"][channel]
    if not points:
        return math.nan, math.nan, unit
    mean = float(np.mean([np.mean(one) for one in points.values()]))
    spread = [np.var(one, ddof=1) / len(one) for one in points.values() if len(one) > 1]
    away = NORMAL_95 * math.sqrt(float(np.mean(spread)) / len(points)) if spread else math.nan
    return mean, away, unit


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02d} min" if hours else f"{minutes} min {rest:02d} s"
