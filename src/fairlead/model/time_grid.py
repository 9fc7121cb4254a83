"""When a run steps and when it records, from the words of `run`: duration, dt, output_every and interval."""

from __future__ import annotations

import math
from typing import NamedTuple

from fairlead.model.messages import WrongField

INSTANTS = 1000  # recorded over a run that says nothing of it
MOST_STEPS = 1e13  # more would take weeks at best: a slip
EXACT = 1e-9  # of a step: what rounding leaves of a whole number of steps


class Grid(NamedTuple):
    """The grid of a run: instants a step apart, every so many of them recorded."""

    dt: float
    every: int


def grid_of(duration: float, dt: float | None, output_every: int | None, interval: float | None) -> Grid:
    """Return the grid of a run; without `dt` its instants are `interval` apart, or 1000 over the duration.

    WrongField says which of the words does not go with the others.
    """
    for name, value in (("dt", dt), ("interval", interval)):
        if value is not None and value > duration * (1 + EXACT):
            raise WrongField(f"is longer than the duration ({value:g} s > {duration:g} s)", name)
        if value is not None and value < duration / MOST_STEPS:
            raise WrongField(f"is too small: {duration:g} s have more than {MOST_STEPS:g} of {value:g} s", name)
    if output_every is not None and interval is not None:
        raise WrongField("says when to record, and so does output_every; keep one of them", "interval")
    if dt is None:
        step = duration / INSTANTS if interval is None else interval
        return Grid(step, 1 if output_every is None else output_every)
    if interval is None:
        return Grid(dt, 1 if output_every is None else output_every)
    every = round(interval / dt)
    if every < 1 or abs(interval / dt - every) > EXACT * max(1.0, interval / dt):
        fewer, more = max(1, math.floor(interval / dt)), math.floor(interval / dt) + 1
        near = f"{fewer * dt:.10g} s" + (f" or {more * dt:.10g} s" if more > fewer else "")
        raise WrongField(f"must be a whole number of steps of {dt:g} s; got {interval:g} s, take {near}", "interval")
    return Grid(dt, every)


def steps_of(duration: float, dt: float) -> int:
    """Return the number of steps; a duration that dt divides to rounding has no short last step."""
    ratio = duration / dt
    whole = round(ratio)
    return int(whole) if whole > 0 and abs(ratio - whole) < EXACT * max(1.0, ratio) else math.ceil(ratio)


def suggested_step(duration: float, most: float = 0.01) -> float:
    """Return a step to try first, a round number: at most `most` and a hundredth of the duration."""
    size = min(most, duration / 100)
    power = 10.0 ** math.floor(math.log10(size) + EXACT)
    return max(digit for digit in (1, 2, 5) if digit * power <= size * (1 + EXACT)) * power
