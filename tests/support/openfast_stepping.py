"""C5 by our equations and OpenFAST's steps: what its coupling of modules makes of the same machine.

ElastoDyn takes a step by RK4, but knows the loads of the other modules (water, lines, yaw actuator) at the beginning of
the last two steps only and extrapolates them linearly over the new one, F(t + s) = F(t) + s (F(t) - F(t - h)) / h. On a
load that swings with w that is, averaged over the step, F (1 + 5/12 (w h)^2): the yaw spring is that much stiffer.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.interpolate import make_interp_spline

import fairlead as fl
from fairlead.core.record import columns
from fairlead.running.simulation import Simulation
from support import openfast_model as openfast

STEP = 0.0125  # [s] of OpenFAST
EVERY = 40  # steps from one recorded row to the next
TO_POINT = np.array([0, 0, 85.602195])  # from the tower's mass centre to the platform's reference point

Array = Any


class Machine:
    """The model of C5, asked for its loads, and the same machine under given loads, asked for its rates."""

    def __init__(self, length: float) -> None:
        pushed = openfast.yawing(
            yaw=fl.Revolute("tower", "nacelle", tuple(openfast.TOP), (0, 0, 1), actuator=fl.Actuator(1.0))
        )
        given = {"given": fl.Force("tower", point=(0, 0, 0), force=(1.0, 1.0, 1.0), moment=(1.0, 1.0, 1.0))}
        pushed = fl.Model(pushed.name, pushed.bodies, pushed.joints, given)
        self.own, self.pushed = (
            Simulation(model, length, STEP, formulation="articulated") for model in (openfast.yawing(), pushed)
        )
        self.n = int(self.own.arrays.states)
        self.y = self.own.y[: self.n].copy()
        self.tower = self.own.compiled.index.tree_order["tower"]

    def loads(self, t: float, y: Array) -> Array:
        """Return force and moment of water and lines about the reference point, world axes, and the actuator's."""
        W = self.own.work
        self._rate(self.own, t, y)
        force = W.rows["f"].sum(axis=0)
        arm = W.bodies["R"][self.tower].reshape(3, 3) @ TO_POINT
        yaw = W.coordinates[int(self.own.arrays.actuators["coordinate"][0])]
        return np.array([*force, *(W.rows["n"].sum(axis=0) - np.cross(arm, force)), yaw["force"]])

    def rate(self, t: float, y: Array, loads: Array) -> Array:
        """Return the rate of the state under given loads."""
        self.pushed.arrays.loads.forces[0]["value"][:] = loads[:6]
        self.pushed.arrays.actuators[0]["value"] = loads[6]
        return self._rate(self.pushed, t, y)

    def row(self, t: float, y: Array) -> Array:
        """Return the row of the record of a state."""
        self.own.y[: self.n] = y
        assert self.own.record_first(t) == 0
        return self.own.buffer[0].copy()

    def _rate(self, of: Simulation, t: float, y: Array) -> Array:
        whole, rate = np.zeros_like(of.y), np.zeros_like(of.y)
        whole[: self.n] = y
        of.formulation.kernels.rhs(t, whole, rate, of.arrays, of.work)
        return rate[: self.n]


def run(length: float) -> tuple[Machine, Array]:
    """Return the machine and the rows of the record every half second of C5 stepped as OpenFAST does."""
    machine = Machine(length)
    y, rows, h, before = machine.y, [], STEP, None
    for n in range(round(length / h) + 1):
        t = n * h
        now = machine.loads(t, y)
        if n % EVERY == 0:
            rows.append(machine.row(t, y))
        rise = (now - (now if before is None else before)) / h
        before = now
        k1 = machine.rate(t, y, now)
        k2 = machine.rate(t + h / 2, y + h / 2 * k1, now + h / 2 * rise)
        k3 = machine.rate(t + h / 2, y + h / 2 * k2, now + h / 2 * rise)
        k4 = machine.rate(t + h, y + h * k3, now + h * rise)
        y = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    return machine, np.array(rows)


def motions(machine: Machine, rows: Array) -> Array:
    """Return six motions [m, deg] of recorded rows."""
    from fairlead.results.dataset import make_dataset
    from fairlead.running.record import attributes_of, split_record

    compiled = machine.own.compiled
    return openfast.motions(
        make_dataset(compiled, split_record(rows, compiled), attributes_of(machine.own, "complete", 0.0))
    )


def turning(machine: Machine, rows: Array) -> Array:
    """Return time, angular velocity and angular acceleration of the tower in its own axes [s, deg/s, deg/s2]."""
    layout, number = machine.own.arrays.layout, machine.own.compiled.index.bodies.index("tower")
    parts = [rows[:, columns(layout, name)] for name in ("angular_velocity", "angular_acceleration")]
    three = [np.degrees(part.reshape(len(rows), -1, 3)[:, number]) for part in parts]
    return np.column_stack([rows[:, 0], *three])


def rate_over_acceleration(table: Array, begin: float = 10.0) -> Array:
    """Return by how much of itself the rate of each recorded angular velocity is more than the acceleration beside it.

    `table` has time, three velocities, three accelerations; `begin` leaves out what dies away at the start.
    """
    time, found = table[:, 0], []
    for w, dw in zip(table.T[1:4], table.T[4:7]):
        integral = make_interp_spline(time, dw, k=7).antiderivative()(time)
        known = np.column_stack([integral, np.ones_like(time), time])[time >= begin]
        found.append(np.linalg.lstsq(known, w[time >= begin], rcond=None)[0][0] - 1.0)
    return np.array(found)


def recorded_turning() -> Array:
    """Return what OpenFAST recorded of the same."""
    return np.loadtxt(openfast.HERE / "C5_rates.csv", delimiter=",", skiprows=1)
