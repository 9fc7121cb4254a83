"""`simulate` and `accelerations`: a model in, a Dataset out."""

from __future__ import annotations

import time as wall
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np

import fairlead
from fairlead.core import arrays as ca
from fairlead.errors import InvalidInput, NumericalFailure
from fairlead.model.checks.checked import checked
from fairlead.model.compile import Compiled
from fairlead.model.joints.base import is_ball
from fairlead.model.schema import Model
from fairlead.results.dataset import make_dataset, recorded_of, sizes_of
from fairlead.running.formulations.start_kane import reorientations
from fairlead.running.options import run_options, time_in_seconds
from fairlead.running.simulation import Simulation
from fairlead.running.watch import watched

Progress = Callable[[float, float], None]  # time reached, duration


def split_record(rows: Any, compiled: Compiled) -> dict[str, Any]:
    """Return the columns of record rows as one array per variable."""
    sizes, layout = sizes_of(compiled), compiled.arrays.layout
    has = recorded_of(compiled)
    record = {"time": rows[:, 0]}
    for number, name in enumerate(ca.RECORDED):
        if name in has:
            shape = tuple(sizes[dim] for dim in has[name].dims)
            record[name] = rows[:, layout[number] : layout[number + 1]].reshape((len(rows), *shape))
    return record


def continue_signs(rows: Any, before: Any, compiled: Compiled) -> None:
    """Turn quaternions round where they would jump to their negative, which is the same attitude."""
    at = list(ca.RECORDED).index("orientation")
    lo, hi = compiled.arrays.layout[at], compiled.arrays.layout[at + 1]
    q = rows[:, lo:hi].reshape(len(rows), -1, 4)
    last = before[lo:hi].reshape(-1, 4) if before is not None else q[0]
    unwrap_angles(rows, before, compiled)
    jump = np.sign(np.einsum("tbi,tbi->tb", q, np.concatenate([last[None], q[:-1]])))
    q *= np.cumprod(np.where(jump < 0, -1.0, 1.0), axis=0)[:, :, None]
    rows[:, lo:hi] = q.reshape(len(rows), -1)


def unwrap_angles(rows: Any, before: Any, compiled: Compiled) -> None:
    """Let the angles of free rotations run on past half a turn instead of jumping back; others count their turns."""
    start = compiled.arrays.layout[list(ca.RECORDED).index("joint_position")]
    for c, label in enumerate(compiled.index.coordinates):
        name, _, coordinate = label.rpartition(".")
        joint = compiled.model.joints[name]
        if coordinate in joint.ball() and is_ball(joint):
            series = rows[:, start + c]
            whole = series if before is None else np.concatenate([[before[start + c]], series])
            rows[:, start + c] = np.unwrap(whole)[-len(series) :]


def attributes_of(simulation: Simulation, status: str, seconds: float, chunks: Iterable[Any] = ()) -> dict[str, Any]:
    """Return what a Dataset says about its run; `chunks` are the rows of its record."""
    clock = simulation.clock
    found = {
        "title": simulation.compiled.model.name,
        "fairlead_version": fairlead.__version__,
        "model_hash": model_hash(simulation.compiled.model),
        "formulation": simulation.formulation.name,
        "integrator": simulation.integrator,
        "rotation": simulation.rotation,
        "step": clock.dt,
        "duration": clock.end,
        "output_every": clock.every,
        "status": status,
        "wall_time": seconds,
    }
    if simulation.asked == "auto":
        found["formulation_taken"] = f"auto took '{simulation.formulation.name}'"
    if simulation.assembly is not None:
        assembly = simulation.assembly
        moved = (f"{body} {distance:.3g} m {angle:.3g} rad" for body, (distance, angle) in assembly.moved.items())
        found |= {"degrees_of_freedom": assembly.freedoms, "assembly_moved": "; ".join(moved)}
        found |= {"redundant_equations": "; ".join(assembly.redundant)}
        found |= {"reactions_not_unique": "; ".join(assembly.not_unique)}
    if simulation.formulation.slots:
        found["reorientations"] = reorientations(simulation.compiled, simulation.y)
    found |= watched(simulation.compiled, chunks)
    found |= _left_behind(simulation)
    if "tolerance" in simulation.audit:
        found["audit_tolerance"] = float(simulation.audit["tolerance"])
    if simulation.partners:
        found["partners"] = "; ".join(partner.statement for partner in simulation.partners)
        found["held_loads"] = 1  # their forces are constant over each step, which the audit must know
    if simulation.adaptive:
        names = ("evaluations", "rtol", "atol", "rejected_steps", "accepted_steps")
        found |= {name: float(value) for name, value in zip(names, simulation.memory[2:])}
    return found


def _left_behind(simulation: Simulation) -> dict[str, str]:
    """Return what is to be said of curves and tables that were left behind their range, and in how many evaluations."""
    arrays, names = simulation.arrays, simulation.compiled.index.loads
    sentences = {
        "beyond_curve": (arrays.rotors, "the relative wind left the curve, which is held at its ends"),
        "beyond_tables": (
            arrays.sea.morison,
            "members left the tables of the waves, where the exact (slower) sum is taken",
        ),
    }
    found = {}
    for attribute, (loads, sentence) in sentences.items():
        left = {names[row]: int(simulation.work.rows["beyond"][row]) for row in loads["row"]}
        counts = "; ".join(f"{name} {count} evaluations" for name, count in left.items() if count)
        if counts:
            found[attribute] = f"{sentence}: {counts}"
    return found


def model_hash(model: Model) -> str:
    """Return a short hash of a model's words."""
    import hashlib

    return hashlib.sha256(model.model_dump_json().encode()).hexdigest()[:16]


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
) -> Any:
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
    """
    options = run_options(model, locals())
    model = checked(model)
    if out is not None and Path(out).suffix != ".nc":
        from fairlead.running.directory import run_in_directory

        return run_in_directory(model, options, Path(out), progress=progress, overwrite=overwrite)
    from threadpoolctl import threadpool_limits

    from fairlead.running.progress import reporter
    from fairlead.running.room import need_memory

    simulation = Simulation(model, **options)
    need_memory(simulation)
    simulation.prepare()
    started = wall.monotonic()
    chunks: list[Any] = []
    failure = None
    with threadpool_limits(limits=1), reporter(progress, simulation.clock.end, model.name) as report:
        while not simulation.finished:
            try:
                chunks.append(simulation.advance())
            except NumericalFailure as error:
                chunks.append(getattr(error, "rows", np.zeros((0, simulation.buffer.shape[1]))))
                failure = error
                break
            report(simulation.time)
    rows = np.concatenate(chunks)
    if len(rows):
        continue_signs(rows, None, simulation.compiled)
    status = f"failed: {failure}" if failure else "complete"
    data = make_dataset(
        simulation.compiled,
        split_record(rows, simulation.compiled),
        attributes_of(simulation, status, wall.monotonic() - started, [rows]),
    )
    if out is not None:
        from fairlead.results.netcdf import write_netcdf

        write_netcdf(data, Path(out))
    if failure:
        failure.data = data  # type: ignore[attr-defined]  # what was computed is kept
        raise failure
    return data


def kinematics(model: Model, duration: float | str | None = None, dt: float | str | None = None, **options: Any) -> Any:
    """Return the motion of a fully driven mechanism: position by Newton, then velocity and acceleration.

    InvalidInput says which coordinates still may move, when not all are driven.
    """
    given = run_options(model, {**options, "duration": duration, "dt": dt, "formulation": "constrained"})
    simulation = Simulation(model, **given)
    assembly = simulation.assembly
    if assembly is not None and assembly.freedoms:
        raise InvalidInput(
            f"{assembly.freedoms} degrees of freedom are not driven (for instance {', '.join(assembly.independent)}); "
            "give motions to that many joint coordinates, or simulate the dynamics"
        )
    return simulate(model, duration, dt, formulation="constrained", **options)


def accelerations(
    model: Model, time: float | str = 0.0, formulation: str = "auto", rotation: str = "quaternion"
) -> Any:
    """Return the Dataset of one instant of the drawing: accelerations of every body and joint, and joint reactions.

    At a `time` other than zero the base is where it is drawn and driven joints are where their motions put them.
    """
    time = time_in_seconds("time", time)
    simulation = Simulation(model, 1.0, 1.0, formulation=formulation, rotation=rotation, instant=time)
    status = simulation.record_first(time)
    rows = simulation._rows(status, 1)
    data = make_dataset(
        simulation.compiled, split_record(rows, simulation.compiled), attributes_of(simulation, "complete", 0.0)
    )
    return data.isel(time=0)
