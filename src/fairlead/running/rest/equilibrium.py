"""`equilibrium`: a model in, the Dataset of its state of rest out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from fairlead.errors import InvalidInput, NumericalFailure
from fairlead.model.checks.checked import checked
from fairlead.model.schema import Model
from fairlead.results.dataset import make_dataset
from fairlead.running.given import state_of
from fairlead.running.options import time_in_seconds
from fairlead.running.record import attributes_of, model_hash, split_record
from fairlead.running.rest.freedoms import Freedoms
from fairlead.running.rest.held import held_still
from fairlead.running.rest.search import AZIMUTHS, Report, Rest, find_rest
from fairlead.running.rest.steady import find_steady
from fairlead.running.simulation import Simulation

if TYPE_CHECKING:
    import xarray as xr

Array = npt.NDArray[np.float64]
UNEVEN = 1e-6  # [m/s2] that is left at single angles: not worth a word


def equilibrium(
    model: Model, time: float | str = 0.0, start: xr.Dataset | None = None, formulation: str | None = None
) -> xr.Dataset:
    """Return the Dataset of one instant at which a model rests, as `accelerations` gives it.

    The search starts from the drawing, or from the last instant of the Dataset `start`. Driven joints are held where
    they are at `time`; those that turn at a constant rate go on turning. Waves are left out and turbulent wind is its
    mean; the attribute `notes` says so. `residual_force` and `residual_moment` are what is left unbalanced per body.
    Where joints turn, it is the accelerations averaged over a revolution that are none; `notes` says what is left at
    single angles. Directions without restoring force stay as they start and are named in the attribute
    `free_directions`; `sought_from` and `stable` say which of several states of rest it is. NumericalFailure says what
    is still accelerated where no rest is found.
    """
    return rest_of(model, time, start, formulation)[1]


def rest_of(
    model: Model,
    time: float | str = 0.0,
    start: xr.Dataset | None = None,
    formulation: str | None = None,
    report: Report = lambda line: None,
) -> tuple[Freedoms, xr.Dataset]:
    """Return the freedoms of the model that rests, their simulation at rest, and the Dataset; `report` hears steps."""
    model, at = checked(model), time_in_seconds("time", time)
    still, notes = held_still(model, at)
    simulation = Simulation(still, 1.0, 1.0, formulation=formulation or "auto", instant=at)
    freedoms = Freedoms(simulation, at)
    generators = len(simulation.arrays.loads.generators) > 0
    if (len(freedoms.turning) or generators) and simulation.formulation.loose:
        other = "lets every body stand alone, so what turns beside what rests is not known; use cloud or articulated"
        raise InvalidInput(f"formulation '{simulation.formulation.name}' {other}")
    y = simulation.y if start is None else state_of(simulation, start, at)
    fed_back = bool(freedoms.spinning) or any(one.outputs() for one in still.controllers.values())
    found = (find_steady if fed_back else find_rest)(freedoms, y, report)
    notes += _spinning(freedoms, found) if fed_back else _turning(freedoms, found)
    origin = "the drawing" if start is None else "the given state"
    if not found.stable:
        notes.append(
            f"this rest is unstable: a small push leads away from it; it is the one the search from {origin} met"
        )
    simulation.y[:] = found.y
    data = instant_of(simulation, at)
    data.attrs.pop("start", None)  # of a run; where the search began is `sought_from`
    data.attrs |= {
        "model_hash": model_hash(model),
        "free_directions": "; ".join(found.free),
        "iterations": found.iterations,
        "method": found.method,
        "stable": int(found.stable),
        "sought_from": origin,
        "notes": "; ".join(notes),
    }
    return freedoms, data.assign(_residuals(freedoms, found))


def instant_of(simulation: Simulation, time: float) -> xr.Dataset:
    """Return the Dataset of a simulation's state at a time."""
    status = simulation.record_first(time)
    rows = simulation._rows(status, 1)
    if not len(rows):
        raise NumericalFailure("the state at rest could not be recorded; try another formulation")
    compiled = simulation.compiled
    data: xr.Dataset = make_dataset(compiled, split_record(rows, compiled), attributes_of(simulation, "complete", 0.0))
    return data.isel(time=0)


def _turning(freedoms: Freedoms, found: Rest) -> list[str]:
    """Return the sentence on what was averaged over a revolution, if anything turns."""
    if not len(freedoms.turning):
        return []
    if not found.averaged:
        return ["taken at the angle of the time: loops move with what turns, so nothing is steady"]
    text = f"balanced on average over {AZIMUTHS} angles of a revolution (exact for harmonics below {AZIMUTHS})"
    if found.uneven * freedoms.size > UNEVEN:
        worst = f"{found.uneven * freedoms.size:.2g} m/s2 (or {found.uneven:.2g} rad/s2)"
        text += f"; at single angles up to {worst} is left, so a run that starts here is shaken once it turns"
    return [text]


def _spinning(freedoms: Freedoms, found: Rest) -> list[str]:
    """Return the sentences on what turns freely, at the rate at which it stays."""
    notes = []
    for number in freedoms.spinning:
        part = freedoms.parts[number]
        rate = float(freedoms.velocities(found.y)[freedoms.names.index(part.names[0])])
        notes.append(f"'{part.names[0]}' goes on turning at its steady rate, {rate:.6g} rad/s")
    if found.averaged:
        notes.append(f"balanced on average over {AZIMUTHS} angles of a revolution")
        if found.uneven * freedoms.size > UNEVEN:
            notes.append(f"at single angles up to {found.uneven * freedoms.size:.2g} m/s2 is left")
    return notes


def _residuals(freedoms: Freedoms, found: Rest) -> dict[str, Any]:
    """Return mass times the acceleration that is left of each body, and the same of its rotation, in world axes."""
    simulation = freedoms.simulation
    bodies, _ = freedoms.carried(found.y)
    left = (bodies @ found.accelerations).reshape(-1, 6)
    order = [simulation.compiled.index.tree_order[name] for name in simulation.compiled.index.bodies]
    force = simulation.arrays.bodies["mass"][:, None] * left[:, :3]
    moment = np.zeros_like(force)
    for number, body in enumerate(simulation.arrays.bodies):
        R = simulation.work.bodies["R"][number].reshape(3, 3)
        xx, yy, zz, xy, xz, yz = body["I_BB_D"]
        moment[number] = R @ np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ R.T @ left[number, 3:]
    said = "not balanced: mass times the acceleration that is left, world axes"
    turned = "not balanced: inertia times the angular acceleration that is left, world axes"
    return {
        "residual_force": (("body", "xyz"), force[order], {"units": "N", "long_name": said}),
        "residual_moment": (("body", "xyz"), moment[order], {"units": "N m", "long_name": turned}),
    }
