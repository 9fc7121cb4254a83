"""The linearised model: matrices about a state, in the freedoms that loops leave and the states of actuators."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from fairlead.core.arrays import NUMBER
from fairlead.errors import InvalidInput
from fairlead.running.rest.charts import Turn
from fairlead.running.rest.freedoms import Freedoms
from fairlead.running.rest.tangent import derivative

Array = npt.NDArray[np.float64]


@dataclass
class Linear:
    """x' = A x + B u about a state: x are positions, velocities and states of actuators, in SI."""

    A: Array
    B: Array
    states: list[str]
    state_units: list[str]
    inputs: list[str]
    freedoms: list[str]  # all of them
    units: list[str]
    follow: Array  # displacements of all freedoms from x
    follow_rates: Array  # and their velocities
    mass: Array  # of each freedom, to compare their motions by
    chosen: list[int]  # the freedoms that are states
    carried: Array  # motion of bodies (6 N, freedoms), linear then angular, from that of all freedoms


def linearised(freedoms: Freedoms, y: Array, inputs: list[str] | None) -> Linear:
    """Return the linearised model about a state; `inputs` are coordinates with an actuator, all of them unless given.

    About a state that turns steadily, attitudes are those beside the turning one, in axes that do not turn.
    """
    bodies, J = freedoms.carried(y)
    chosen, N = freedoms.independent(J)
    mass = np.diag(freedoms.masses(bodies)) / freedoms.scale**2
    own = [one.at for one in freedoms.own]
    n, m = len(chosen), len(own)
    w0 = _turning(freedoms, y)

    def seen(x: Array) -> Array:
        """Return positions and velocities reached, and rates, for a displacement of the state (all scaled)."""
        moved = freedoms.moved(y, N @ x[:n], N @ x[n : 2 * n])
        moved[own] = y[own] + x[2 * n :]
        change, speed = freedoms.difference(moved, y)
        pull, dy = freedoms.rates(moved)
        return np.concatenate([change, speed, x[2 * n :], speed + w0 @ change, pull, dy[own]])

    found = derivative(seen, 2 * n + m, bent=range(n, 2 * n))  # drag bends where nothing flows
    if not np.isfinite(found).all():
        raise freedoms.no_solution("near the state, so that the model cannot be linearised there")
    f = len(freedoms.names)
    rows = [*chosen, *(f + one for one in chosen), *range(2 * f, 2 * f + m)]
    reached, rates = found[: 2 * f + m], found[2 * f + m :]
    back = np.linalg.inv(reached[rows])  # closing loops of a moving system may change velocities along the way
    scale = np.concatenate([freedoms.scale[chosen], freedoms.scale[chosen], np.ones(m)])
    A = scale[:, None] * (rates[rows] @ back) / scale
    names = [freedoms.names[one] for one in chosen]
    units = [str(freedoms.units[one]) for one in chosen]
    labels, B = _inputs(freedoms, y, rows, scale, inputs)
    follow = freedoms.scale[:, None] * (reached @ back)[:f] / scale
    follow_rates = freedoms.scale[:, None] * (reached @ back)[f : 2 * f] / scale
    return Linear(
        A,
        B,
        [*names, *(f"rate of {name}" for name in names), *(one.name for one in freedoms.own)],
        [*units, *(f"{unit}/s" for unit in units), *(one.unit for one in freedoms.own)],
        labels,
        freedoms.names,
        [str(unit) for unit in freedoms.units],
        follow,
        follow_rates,
        mass,
        chosen,
        bodies / freedoms.scale,
    )


def _turning(freedoms: Freedoms, y: Array) -> Array:
    """Return w0 x of all attitudes as a matrix: d' = dw + w0 x d beside a turning reference."""
    total, at, speeds = np.zeros((len(freedoms.names),) * 2), 0, freedoms.velocities(y)
    for part in freedoms.parts:
        if isinstance(part, Turn):
            w = part.axes @ speeds[at : at + 3]
            total[at : at + 3, at : at + 3] = part.axes.T @ np.cross(w, part.axes.T).T
        at += len(part.names)
    return total


def _actuated(freedoms: Freedoms) -> list[str]:
    """Return the coordinate of each actuator."""
    simulation = freedoms.simulation
    users = simulation.arrays.coordinates["user"][simulation.arrays.actuators["coordinate"]]
    return [simulation.compiled.index.coordinates[int(user)] for user in users]


def _inputs(
    freedoms: Freedoms, y: Array, rows: list[int], scale: Array, asked: list[str] | None
) -> tuple[list[str], Array]:
    """Return the inputs and what a unit of each adds to the rates: a force on top of the actuator's command.

    Rates are linear in commands, so one difference is exact; an actuator's `limit` is left out.
    """
    known = _actuated(freedoms)
    labels = known if asked is None else list(asked)
    unknown = [label for label in labels if label not in known]
    if unknown:
        have = f"one of {', '.join(known)}" if known else "none: the model has no actuators"
        raise InvalidInput(f"input '{unknown[0]}' is not a coordinate with an actuator; there is {have}")
    own, actuators = [one.at for one in freedoms.own], freedoms.simulation.arrays.actuators
    f, columns = len(freedoms.names), []
    for label in labels:
        number = known.index(label)
        kept, answers = actuators[number].copy(), []
        for value in (1.0, -1.0):
            actuators[number]["code"], actuators[number]["value"] = NUMBER, value
            actuators[number]["limit"] = np.inf
            pull, dy = freedoms.rates(y)
            answers.append(np.concatenate([np.zeros(f), pull, dy[own]]))
        actuators[number] = kept
        columns.append(0.5 * (answers[0] - answers[1])[rows] * scale)
    return labels, np.array(columns).T if columns else np.zeros((len(rows), 0))
