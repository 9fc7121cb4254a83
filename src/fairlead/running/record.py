"""The record of a run: its rows as arrays by variable, and what a result says about the run."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Any

import numpy as np

import fairlead
from fairlead.core.record import columns
from fairlead.model.channel_table import BEYOND_POINTS
from fairlead.model.compile import Compiled
from fairlead.model.joints.base import is_ball
from fairlead.model.schema import Model
from fairlead.results.dataset import recorded_of, sizes_of
from fairlead.running.simulation import Simulation
from fairlead.running.watch import watched


def split_record(rows: Any, compiled: Compiled) -> dict[str, Any]:
    """Return the columns of record rows as one array per variable."""
    sizes, layout = sizes_of(compiled), compiled.arrays.layout
    has = recorded_of(compiled)
    record = {"time": rows[:, 0]}
    for name, variable in has.items():
        shape = tuple(sizes[dim] for dim in variable.dims)
        record[name] = rows[:, columns(layout, name)].reshape((len(rows), *shape))
    return record


def continue_signs(rows: Any, before: Any, compiled: Compiled) -> None:
    """Turn quaternions round where they would jump to their negative, which is the same attitude."""
    at = columns(compiled.arrays.layout, "orientation")
    lo, hi = at.start, at.stop
    q = rows[:, lo:hi].reshape(len(rows), -1, 4)
    last = before[lo:hi].reshape(-1, 4) if before is not None else q[0]
    unwrap_angles(rows, before, compiled)
    jump = np.sign(np.einsum("tbi,tbi->tb", q, np.concatenate([last[None], q[:-1]])))
    q *= np.cumprod(np.where(jump < 0, -1.0, 1.0), axis=0)[:, :, None]
    rows[:, lo:hi] = q.reshape(len(rows), -1)


def unwrap_angles(rows: Any, before: Any, compiled: Compiled) -> None:
    """Let the angles of free rotations run on past half a turn instead of jumping back; others count their turns."""
    start = columns(compiled.arrays.layout, "joint_position").start
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
        if simulation.lost:
            found["drawn_velocities_lost"] = "; ".join(simulation.lost)
        found |= {"redundant_equations": "; ".join(assembly.redundant)}
        found |= {"reactions_not_unique": "; ".join(assembly.not_unique)}
    found |= simulation.formulation.attributes(simulation.compiled, simulation.y)
    found |= watched(simulation.compiled, chunks)
    found |= _left_behind(simulation) | simulation.found()
    found |= _beginning(simulation)
    if "tolerance" in simulation.audit:
        found["audit_tolerance"] = float(simulation.audit["tolerance"])
    if simulation.partners or simulation.coupled:
        partners: list[Any] = [*simulation.partners, *simulation.coupled]
        found["partners"] = "; ".join(partner.statement for partner in partners)
        if iterated := [one.name for one in simulation.coupled if one.word.iterate is not None]:
            found["partners_iterated"] = "; ".join(iterated)
        found["held_loads"] = 1  # their forces are constant over each step, which the audit must know
    if np.any(simulation.arrays.controllers.rows["period"] > 0):
        found["held_loads"] = 1  # what sampled controllers command jumps between recorded instants
    if simulation.adaptive:
        names = ("evaluations", "rtol", "atol", "rejected_steps", "accepted_steps")
        found |= {name: float(value) for name, value in zip(names, simulation.memory[2:])}
    return found


def _beginning(simulation: Simulation) -> dict[str, Any]:
    """Return where a run started, over what time waves and wind were raised, and what statistics leave out."""
    found: dict[str, Any] = {"start": simulation.origin}
    if simulation.told:
        found["start_moved"] = "; ".join(simulation.told)
    if simulation.ramp:
        found["ramp"] = simulation.ramp
    if simulation.discard:
        found["discard"] = simulation.discard
    return found


def _left_behind(simulation: Simulation) -> dict[str, str]:
    """Return the sentences about curves and tables left behind their range, with the number of evaluations."""
    loads, names = simulation.compiled.model.loads, simulation.compiled.index.loads
    rows = simulation.work.rows
    left = [
        (name, int(count), loads[name.split("@")[0]].beyond, f", first at t = {since:.6g} s")
        for name, count, since in zip(names, rows["beyond"], rows["since"])
        if count
    ]
    labels = [simulation.compiled.index.coordinates[int(row["user"])] for row in simulation.arrays.coordinates]
    beyond = simulation.work.coordinates["beyond"]
    left += [(label, int(count), BEYOND_POINTS, "") for label, count in zip(labels, beyond) if count]
    found = {}
    for attribute, sentence in dict.fromkeys(said for _, _, said, _ in left):
        kind = {name: (count, when) for name, count, said, when in left if said[0] == attribute}
        counts = "; ".join(f"{name} {count} evaluations{when}" for name, (count, when) in kind.items())
        found[attribute] = f"{sentence}: {counts}"
    return found


def model_hash(model: Model) -> str:
    """Return a short hash of a model's words."""
    return hashlib.sha256(model.model_dump_json().encode()).hexdigest()[:16]
