"""`simulate` and `accelerations`: a model in, a Dataset out."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairlead.errors import FilesFailure, InvalidInput, Problem
from fairlead.model.checks.checked import checked
from fairlead.model.run_words import ROTATIONS
from fairlead.model.schema import Model
from fairlead.results.dataset import make_dataset
from fairlead.results.netcdf import write_netcdf
from fairlead.running.directory import run_in_directory
from fairlead.running.events.run import simulation_of
from fairlead.running.loop import MemorySink, run_through
from fairlead.running.no_effect import effective
from fairlead.running.options import run_options, time_in_seconds
from fairlead.running.partners.exchanged import tables_of
from fairlead.running.ramp import DRAWING
from fairlead.running.record import attributes_of, split_record
from fairlead.running.room import need_memory
from fairlead.running.simulation import Simulation
from fairlead.running.starting import started

if TYPE_CHECKING:
    import xarray as xr

Progress = Callable[[float, float], None]  # time reached, duration


def simulate(
    model: Model,
    duration: float | str | None = None,
    dt: float | str | None = None,
    *,
    formulation: str | None = None,
    integrator: str | None = None,
    output_every: int | None = None,
    interval: float | str | None = None,
    out: str | Path | None = None,
    overwrite: bool = False,
    progress: bool | Progress | None = None,
    rotation: str | None = None,
    rtol: float | None = None,
    atol: float | None = None,
    unknowns: str | None = None,
    closing: str | None = None,
    audit: dict[str, float] | None = None,
    start: xr.Dataset | str | Path | None = None,
    ramp: float | str | None = None,
    discard: float | str | None = None,
) -> xr.Dataset:
    """Return the motion of `model` as an xarray Dataset; what is not given comes from the model's `run`.

    Times are seconds or texts with a unit ('5 s', '1 ms'). With `dt` the method is rk4 in steps of that size; without
    it dop853 chooses its steps by tolerances (rtol 1e-9) and 1000 instants are recorded. `output_every` records every
    so many of these instants; `interval` is the time between recorded instants instead.
    `out` names a new run directory (written as the run goes, resumable) or a `.nc` file (written at the end); without
    it nothing is written. `progress` is a bar by default where there is a terminal, False for none, or a callable.
    `unknowns` of the constrained formulation are "omega" (MBDM note Eq. 67) or "euler-parameters" (Eq. 69);
    `closing` is by "projection" (default) or by coordinate "partition" (section 5), chosen anew when its conditioning
    asks for it, or with "partition-every-step". `audit` is {"tolerance": ...}: what `fl.audit` judges this result by
    unless told otherwise; it is kept in the attribute `audit_tolerance`.
    `start` is "drawing" (default), "equilibrium", a Dataset (its last instant) or the path of a result: bodies and
    joint coordinates start where that has them, by their names. `ramp` is the time over which waves and wind are raised
    smoothly at the start (from an equilibrium: waves and turbulence); statistics leave out what is before `discard`.
    """
    options = run_options(model, locals())
    if overwrite and out is None:
        raise InvalidInput(
            [Problem("has no effect without out, the run directory to replace; give that too", "overwrite")]
        )
    model = checked(model)
    if out is not None and Path(out).suffix != ".nc":
        return run_in_directory(model, options, Path(out), progress=progress, overwrite=overwrite)
    simulation, _ = started(model, options)
    need_memory(simulation)
    _tell(simulation)
    sink = MemorySink(simulation)
    ending = run_through(simulation, sink, progress)
    rows = sink.rows()
    attributes = attributes_of(simulation, ending.status, ending.seconds, [rows])
    data = make_dataset(simulation.compiled, split_record(rows, simulation.compiled), attributes)
    data = data.assign(tables_of(simulation))
    if out is not None:
        _write(data, Path(out))
    if ending.failure:
        ending.failure.data = data  # type: ignore[attr-defined]  # what was computed is kept
        raise ending.failure
    return data


def _tell(simulation: Simulation) -> None:
    """Warn of what of the drawing could not be used, and of what a start could not be."""
    for note in simulation.notes:
        warnings.warn(note, stacklevel=3)


def _write(data: Any, path: Path) -> None:
    """Write a result; where that fails, the error carries what was computed as `data`."""
    try:
        write_netcdf(data, path)
    except FilesFailure as error:
        error.data = data  # type: ignore[attr-defined]
        raise


def kinematics(
    model: Model, duration: float | str | None = None, dt: float | str | None = None, **options: Any
) -> xr.Dataset:
    """Return the motion of a fully driven mechanism: position by Newton, then velocity and acceleration.

    InvalidInput says which coordinates still may move, when not all are driven.
    """
    if options.pop("formulation", None) not in (None, "auto", "constrained"):
        raise InvalidInput([Problem("is 'constrained' where all motion is driven; leave it out", "formulation")])
    given = run_options(model, {**options, "duration": duration, "dt": dt, "formulation": "constrained"})
    if options.get("start", DRAWING) != DRAWING:
        raise InvalidInput([Problem("has no effect where all motion is driven; leave it out", "start")])
    simulation = Simulation(model, **given | {"start": DRAWING})
    assembly = simulation.assembly
    if assembly is not None and assembly.freedoms:
        raise InvalidInput(
            f"{assembly.freedoms} degrees of freedom are not driven (for instance {', '.join(assembly.independent)}); "
            "give motions to that many joint coordinates, or simulate the dynamics"
        )
    return simulate(model, duration, dt, formulation="constrained", **options | {"start": DRAWING})


def accelerations(
    model: Model, time: float | str = 0.0, formulation: str = "auto", rotation: str = "quaternion"
) -> xr.Dataset:
    """Return the Dataset of one instant of the drawing: accelerations of every body and joint, and joint reactions.

    At a `time` other than zero the base is where it is drawn and driven joints are where their motions put them.
    """
    time = time_in_seconds("time", time)
    if rotation in ROTATIONS and rotation != "quaternion":
        effective(checked(model), {"formulation": formulation, "rotation": rotation, "dt": 1.0}, {"rotation"}, set())
    options = {"formulation": formulation, "rotation": rotation, "instant": time}
    simulation = simulation_of(model, duration=1.0, dt=1.0, **options)
    _tell(simulation)
    status = simulation.record_first(time)
    rows = simulation._rows(status, 1)
    data = make_dataset(
        simulation.compiled, split_record(rows, simulation.compiled), attributes_of(simulation, "complete", 0.0)
    )
    return data.isel(time=0)
