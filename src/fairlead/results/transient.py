"""The transient of a run: what is before `discard` counts as the way there, and statistics leave it out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from fairlead.errors import InvalidInput, Problem
from fairlead.units import short, to_si

if TYPE_CHECKING:
    import xarray as xr

EXACT = 1e-9  # of the time: an instant that rounding puts a little before `discard` counts


def discarded(data: xr.Dataset, discard: float | str | None = None) -> float:
    """Return the time [s] that statistics of a result leave out: as asked for, else as its run said, else none."""
    given: Any = data.attrs.get("discard", 0.0) if discard is None else discard
    try:
        seconds = to_si(given, "s")
    except ValueError as error:
        raise InvalidInput([Problem(str(error), "discard")]) from None
    if not 0 <= seconds < np.inf:
        raise InvalidInput([Problem(f"must be a number of seconds, zero or more; got {short(given)}", "discard")])
    return float(seconds)


def settled_part(data: xr.Dataset, discard: float | str | None = None) -> xr.Dataset:
    """Return a result from `discard` on, counted from its first instant: the part that statistics are made of.

    Without `discard` that of the run counts (its attribute). InvalidInput where nothing is left.
    """
    seconds = discarded(data, discard)
    if not seconds:
        return data
    times = data["time"].values
    begin = (times[0] if len(times) else 0.0) + seconds
    kept = times >= begin - EXACT * max(1.0, abs(begin))
    if not kept.any():
        last = f"ends at t = {times[-1]:g} s" if len(times) else "has no instants"
        raise InvalidInput([Problem(f"leaves nothing of a result that {last}; got {seconds:g} s", "discard")])
    return data.isel(time=np.flatnonzero(kept))
