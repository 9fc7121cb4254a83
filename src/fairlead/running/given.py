"""A simulation that begins in a given state: bodies and joints by name, actuators settled, and what had to be moved."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from fairlead.running.diagnosis import rate_of
from fairlead.running.formulations.given import Given
from fairlead.running.simulation import Simulation

if TYPE_CHECKING:
    import xarray as xr

Array = npt.NDArray[np.float64]
ROUNDING = 1e-7  # [m, rad] by which a body that was not meant to move may start elsewhere
NAMED = 4  # bodies named one by one


def state_of(simulation: Simulation, data: xr.Dataset, time: float) -> Array:
    """Return the state of a simulation whose bodies and joints are where a Dataset has them, its last instant."""
    given = Given(data, simulation.compiled)
    return simulation.formulation.start_given(simulation.compiled, simulation.work, time, given)


def begin_at(simulation: Simulation, data: xr.Dataset) -> None:
    """Let a simulation that has not begun start where a Dataset has its bodies and joints.

    Driven joints start where their motions have them, loops are closed, and actuators have followed their commands;
    what that moved is told in the simulation's `told`.
    """
    given = Given(data, simulation.compiled)
    y = simulation.formulation.start_given(simulation.compiled, simulation.work, 0.0, given)
    kept = _begin_from_outputs(simulation, given, y)
    simulation.begin(settled(simulation, 0.0, y))
    simulation.told = given.elsewhere + _moved(simulation, given) + _settled_actuators(simulation)
    simulation.told += _begun_anew(simulation, data, kept)


def settled(simulation: Simulation, time: float, y: Array) -> Array:
    """Return a state whose actuators have followed their commands."""
    actuators = simulation.arrays.actuators
    slow = actuators[actuators["order"] > 0]
    if not len(slow):
        return y
    simulation.work.window[:] = time
    new, dy = y.copy(), rate_of(simulation)(time, y)
    for row in slow:
        s, par = int(row["state"]), row["par"]
        if row["order"] == 1:  # T x' = u - x
            new[s] += par[0] * dy[s]
        else:  # x'' = w^2 (u - x) - 2 z w x'
            new[s] += (dy[s + 1] + 2.0 * par[1] * par[0] * y[s + 1]) / par[0] ** 2
            new[s + 1] = 0.0
    return new


def _settled_actuators(simulation: Simulation) -> list[str]:
    rows = simulation.arrays.actuators
    labels = [
        simulation.compiled.index.coordinates[int(simulation.arrays.coordinates["user"][row["coordinate"]])]
        for row in rows[rows["order"] > 0]
    ]
    if not labels:
        return []
    return [f"actuators with a response start settled at their commands: {', '.join(labels)}"]


def _begin_from_outputs(simulation: Simulation, given: Given, y: Array) -> list[str]:
    """Write into a state the outputs that a Dataset has of controllers that can begin from them; return those."""
    words: dict[str, Any] = simulation.compiled.model.controllers
    labels, found = simulation.compiled.index.controllers, list[str]()
    for row in simulation.arrays.controllers.rows:
        place, count = int(row["place"]), int(row["outputs"])
        name = labels[place].rpartition(".")[0]
        outputs = [given.output(label) for label in labels[place : place + count]]
        if words[name].from_outputs and row["period"] > 0 and np.isfinite(outputs).all():
            y[int(row["held"]) : int(row["held"]) + count] = outputs
            found.append(name)
    return found


def _begun_anew(simulation: Simulation, data: xr.Dataset, kept: list[str]) -> list[str]:
    """Return the sentences about what a result does not hold: states of controllers, and what events had done."""
    fed = [name for name, word in simulation.compiled.model.controllers.items() if word.outputs()]
    anew = [name for name in fed if name not in kept]
    found = [f"controllers begin at the outputs of the start: {', '.join(kept)}"] if kept else []
    found += [f"controllers start anew, with the states of their start: {', '.join(anew)}"] if anew else []
    happened = [one["did"] for one in json.loads(str(data.attrs.get("events", "[]")))]
    return found + ([f"what events did before the start is not carried on: {'; '.join(happened)}"] if happened else [])


def _moved(simulation: Simulation, given: Given) -> list[str]:
    """Return the sentence about bodies that start elsewhere than they are given, the farthest first."""
    compiled, work = simulation.compiled, simulation.work
    simulation.formulation.kernels.before(0.0, simulation.y, compiled.arrays, work)
    found = []
    for name, number in compiled.index.tree_order.items():
        x, R_WB, *_ = given.body(name)
        body = work.bodies[number]
        R = body["R"].reshape(3, 3) @ compiled.arrays.bodies["R_DB"][number].reshape(3, 3)
        away, turned = float(np.linalg.norm(body["x"] - x)), _angle(R @ R_WB.T)
        if away > ROUNDING * max(1.0, float(np.abs(x).max())) or turned > ROUNDING:
            found.append((max(away, turned), f"'{name}' {away:.3g} m, {turned:.3g} rad"))
    if not found:
        return []
    said = [text for _, text in sorted(found, reverse=True)]
    more = f" and {len(said) - NAMED} more" if len(said) > NAMED else ""
    return [f"bodies that this model's joints have elsewhere than the start: {', '.join(said[:NAMED])}{more}"]


def _angle(R: Any) -> float:
    """Return the angle of a rotation matrix, exact for small ones too."""
    sine = 0.5 * float(np.linalg.norm([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]]))
    return float(np.arctan2(sine, 0.5 * (float(np.trace(R)) - 1.0)))
