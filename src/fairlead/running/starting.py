"""Where a run starts: in the drawing, at rest, or where a result has its bodies; as a simulation that begins there."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from fairlead.errors import InvalidInput, Problem
from fairlead.model.checks.checked import checked
from fairlead.model.run_words import STARTS
from fairlead.model.schema import Model
from fairlead.results.netcdf import write_netcdf
from fairlead.results.reading import open_data, open_result
from fairlead.running.events.run import simulation_of
from fairlead.running.formulations.given import instant
from fairlead.running.given import begin_at
from fairlead.running.ramp import DRAWING
from fairlead.running.rest.equilibrium import equilibrium
from fairlead.running.rest.freedoms import TAKEN
from fairlead.running.simulation import Simulation
from fairlead.units import short

if TYPE_CHECKING:
    import xarray as xr

EQUILIBRIUM = "equilibrium"


def started(model: Model, options: dict[str, Any]) -> tuple[Simulation, xr.Dataset | None]:
    """Return the simulation of a run that begins where its option `start` says, and that state unless it is drawn.

    The simulation knows the start in words; the state is what a run directory keeps, for a resumed run to begin there.
    """
    word, state = start_of_run(checked(model), options.get("start"), str(options.get("formulation") or "auto"))
    return begun(model, options, word, state), state


def begun(model: Model, options: dict[str, Any], word: str, state: xr.Dataset | None) -> Simulation:
    """Return the simulation of a run that begins in a state, or in the drawing without one."""
    simulation = simulation_of(model, **{**options, "start": word})
    if state is not None:
        begin_at(simulation, state)
        if word == EQUILIBRIUM and not state.attrs.get("stable", 1):
            simulation.told.append("the equilibrium is unstable: a small push leads away from it")
    return simulation


def start_of_run(model: Model, start: Any, formulation: str = "auto") -> tuple[str, xr.Dataset | None]:
    """Return the start in words and as a Dataset of one instant; None for the drawing."""
    import xarray as xr

    if start is None or (isinstance(start, str) and start == DRAWING):
        return DRAWING, None
    if isinstance(start, str) and start == EQUILIBRIUM:
        found = equilibrium(model, formulation=formulation if formulation in TAKEN else None)
        return EQUILIBRIUM, instant(found)
    if isinstance(start, xr.Dataset):
        return _in_words(start, "a Dataset"), instant(start)
    if isinstance(start, str | os.PathLike):
        if not Path(start).exists():
            text = f"must be one of {', '.join(STARTS)}, a Dataset, or a run directory or result; there is no '{start}'"
            raise InvalidInput([Problem(text, "start")])
        with open_result(start) as data:
            return _in_words(data, str(start)), instant(data)
    text = f"must be one of {', '.join(STARTS)}, a Dataset, or the path of a result; got {short(start)}"
    raise InvalidInput([Problem(text, "start")])


def _in_words(data: xr.Dataset, where: str) -> str:
    """Return which instant of what a start is."""
    title = str(data.attrs.get("title", ""))
    place = str(data.attrs.get("taken_from", where)) + (f" ('{title}')" if title else "")
    times = np.atleast_1d(data["time"].values) if "time" in data.coords else np.zeros(0)
    return f"{place} at t = {float(times[-1]):.10g} s" if len(times) else place


def instant_of(path: str | os.PathLike[str], at: float | None) -> xr.Dataset:
    """Return one recorded instant of a result on disk, its last without `at`; InvalidInput where there is none then."""
    data = open_data(path)
    data.attrs["taken_from"] = str(path)
    if at is None:
        return data
    times = data["time"].values
    k = int(np.argmin(np.abs(times - at))) if len(times) else 0
    if not len(times) or abs(times[k] - at) > 1e-9 * max(1.0, abs(at)):
        near = ", ".join(f"{t:.10g} s" for t in times[max(0, k - 1) : k + 2])
        raise InvalidInput([Problem(f"{path} has no instant at t = {at:.10g} s; take one near: {near}", "--start-at")])
    return data.isel(time=k)


def keep(state: xr.Dataset, path: Path) -> None:
    """Write the state in which a run starts, exactly as it is."""
    write_netcdf(state, path)
