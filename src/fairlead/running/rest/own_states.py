"""The memory of a simulation beside places and velocities: states of actuators, drive trains and controllers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from fairlead.core.arrays import TRANSLATION
from fairlead.core.codes import CODE
from fairlead.core.controllers.table import any_due, sample
from fairlead.running.diagnosis import rate_of
from fairlead.running.simulation import Simulation

Array = npt.NDArray[np.float64]


class OwnState(NamedTuple):
    """A state by its place in y, with its name and unit."""

    at: int
    name: str
    unit: str


def own_states(simulation: Simulation) -> list[OwnState]:
    """Return the states of actuators, drive trains, continuous controllers and commanded coordinates, in that order."""
    return [
        *_of_actuators(simulation),
        *_of_generators(simulation),
        *_of_controllers(simulation),
        *_of_commands(simulation),
    ]


def coordinate_names(simulation: Simulation, numbers: Any) -> list[str]:
    """Return the labels of coordinates by their numbers in the arrays."""
    users = simulation.arrays.coordinates["user"][numbers]
    return [simulation.compiled.index.coordinates[int(user)] for user in users]


def begun(simulation: Simulation, time: float, y: Array) -> Array:
    """Return a state in which controllers have begun."""
    new = y.copy()
    if any_due(time, new, simulation.arrays):
        simulation.work.window[:] = time
        rate_of(simulation)(time, new)
        if simulation.work.status[CODE] == 0:
            sample(time, new, simulation.arrays, simulation.work)
    return new


def _of_actuators(simulation: Simulation) -> Iterator[OwnState]:
    rows = simulation.arrays.actuators
    words = ("force of the actuator of ", "rate of the force of the actuator of ")
    for row, label in zip(rows, coordinate_names(simulation, rows["coordinate"])):
        for i in range(int(row["order"])):
            yield OwnState(int(row["state"]) + i, words[i] + label, "N or N m")


def _of_generators(simulation: Simulation) -> Iterator[OwnState]:
    for row in simulation.arrays.loads.generators:
        if row["twist"] >= 0:
            name = simulation.compiled.index.loads[int(row["row"])].partition("@")[0]
            yield OwnState(int(row["twist"]), f"twist of the shaft of {name}", "rad")
            yield OwnState(int(row["twist"]) + 1, f"speed behind the shaft of {name}", "rad/s")


def _of_controllers(simulation: Simulation) -> Iterator[OwnState]:
    index, words = simulation.compiled.index, simulation.compiled.model.controllers
    for row in simulation.arrays.controllers.rows:
        label = index.controllers[int(row["place"])].rpartition(".")[0]
        if row["period"] == 0.0:
            for i, name in enumerate(words[label].state_names()):
                yield OwnState(int(row["state"]) + i, f"{name} of {label}", "SI")


def _of_commands(simulation: Simulation) -> Iterator[OwnState]:
    rows, coordinates = simulation.arrays.commands, simulation.arrays.coordinates
    for row, label in zip(rows, coordinate_names(simulation, rows["coordinate"])):
        one = coordinates[int(row["coordinate"])]
        unit = "m" if one["kind"] == TRANSLATION else "rad"
        yield OwnState(int(one["state"]), label, unit)
        yield OwnState(int(one["rate"]), f"rate of {label}", f"{unit}/s")
