"""Freedoms of a simulation about a state: their names, moved states, accelerations, and directions that loops leave."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.linalg import qr

from fairlead.core import arrays as ca
from fairlead.core.codes import CODE
from fairlead.errors import InvalidInput, NumericalFailure
from fairlead.model.loads.generator import Generator
from fairlead.model.relations.compile import rows_of
from fairlead.running.diagnosis import cause_at, rate_of
from fairlead.running.formulations.table import FORMULATIONS
from fairlead.running.given import settled
from fairlead.running.rest.charts import Line, Turn, parts_of
from fairlead.running.rest.own_states import coordinate_names, own_states
from fairlead.running.simulation import Simulation
from fairlead.running.steppers.outside import OutsideLoads

Array = npt.NDArray[np.float64]
TAKEN = tuple(name for name, way in FORMULATIONS.items() if way.charted)
DEPENDENT = 1e-9  # of the largest singular value of the loop equations: an equation that others imply


class Freedoms:
    """The degrees of freedom of a simulation at one time. Lengths are counted in units of `size`, angles in radians."""

    def __init__(self, simulation: Simulation, time: float) -> None:
        if simulation.formulation.name not in TAKEN:
            raise InvalidInput(f"formulation '{simulation.formulation.name}' cannot do this; use {', '.join(TAKEN)}")
        self.simulation, self.time = simulation, time
        self.parts = parts_of(simulation.compiled)
        self.names = [name for part in self.parts for name in part.names]
        lengths = np.array([part.length for part in self.parts for _ in part.names], dtype=bool)
        self.units = np.where(lengths, "m", "rad")
        self.scale = np.where(lengths, self.size, 1.0)
        self._rate = rate_of(simulation)
        self._loops = len(simulation.arrays.constraints) > 0
        self.turning = turning_angles(simulation.arrays)
        self._refused: tuple[Array, Array] | None = None  # the last state that has no finite rates, and those
        self.own = own_states(simulation)
        self.spinning = spinning_parts(simulation, self.parts)
        self.azimuths = 1  # angles of what turns steadily over which accelerations are averaged
        simulation.work.window[:] = time

    @cached_property
    def size(self) -> float:
        """Return the length [m] that counts as large: the largest radius of gyration or arm of a joint."""
        bodies = self.simulation.arrays.bodies
        with np.errstate(divide="ignore", invalid="ignore"):
            radii = np.sqrt(bodies["I_BB_D"][:, :3].sum(axis=1) / (2 * bodies["mass"]))
        arms = [np.linalg.norm(bodies[name], axis=1) for name in ("r_PJ_D", "r_JB_D")]
        found = max([float(values[np.isfinite(values)].max(initial=0.0)) for values in (radii, *arms)])
        return found if found > 0 else 1.0

    @property
    def turning_rate(self) -> float:
        """Return the rate [rad/s] of the joint that turns fastest, of those that turn steadily."""
        return float(np.abs(self.simulation.arrays.coef[self.turning + 1, 0]).max(initial=0.0))

    def moved(self, y: Array, change: Array, velocities: Array | None = None) -> Array:
        """Return a state moved by `change` along the freedoms (scaled), with `velocities` added, loops closed again."""
        new, at = y.copy(), 0
        steps = change * self.scale
        speeds = self.velocities(y) + (0.0 if velocities is None else velocities) * self.scale
        for part in self.parts:
            n = len(part.names)
            if isinstance(part, Turn):
                part.turn(new, steps[at : at + n])
                part.put_velocity(new, speeds[at : at + n])
            else:
                new[part.value] += steps[at]
                new[part.rate] = speeds[at]
            at += n
        return self.closed(new)

    def closed(self, y: Array) -> Array:
        """Return a state brought onto its loops and drivers; nan where that fails."""
        if not self._loops:
            return y
        sim = self.simulation
        new = y.copy()
        sim.formulation.kernels.project(self.time, new, sim.arrays, sim.work)
        if sim.work.status[CODE] != ca.OK:
            new[:] = np.nan
        return new

    def at_rest(self, y: Array) -> Array:
        """Return a state without velocities, but for those that drivers give, and with actuators at their commands."""
        new = y.copy()
        for part in self.parts:
            new[[part.rate] if isinstance(part, Line) else list(part.rates)] = 0.0
        return self.settled(self.closed(new))

    def settled(self, y: Array) -> Array:
        """Return a state whose actuators have followed their commands."""
        return settled(self.simulation, self.time, y)

    def difference(self, y: Array, before: Array) -> tuple[Array, Array]:
        """Return how a state differs from another along the freedoms (scaled): in position and in velocity."""
        change = [
            part.between(y, before) if isinstance(part, Turn) else np.array([y[part.value] - before[part.value]])
            for part in self.parts
        ]
        return self._joined(change), (self.velocities(y) - self.velocities(before)) / self.scale

    def velocities(self, y: Array) -> Array:
        """Return the velocity along each freedom, in SI."""
        return self._along(y, y)

    def accelerations(self, y: Array) -> Array:
        """Return the acceleration along each freedom (scaled), averaged over `azimuths` angles of what turns."""
        if self.azimuths == 1:
            return self.rates(y)[0]
        return np.asarray(self.around(y, self.azimuths).mean(axis=0))

    def around(self, y: Array, count: int) -> Array:
        """Return the accelerations (count, n) with everything that turns steadily at equally spaced angles.

        The mean of N of them is exact for what varies with less than N times the angle.
        """
        return np.array([self.rates(y)[0] for _ in self.turned(count)])

    def turned(self, count: int) -> Iterator[float]:
        """Yield equally spaced angles, one revolution, with all joints that turn steadily moved on.

        Joints of one speed by the angle itself, in the sense in which they turn, since their phases stay as they are;
        those of other speeds by multiples prime to the count, so that over the revolution no two keep in step.
        """
        coef = self.simulation.arrays.coef
        kept, rates = coef[self.turning, 0].copy(), coef[self.turning + 1, 0]
        speeds = list(dict.fromkeys(f"{abs(rate):.9e}" for rate in rates))
        multiples = [n for n in range(1, count + 1) if math.gcd(n, count) == 1]
        strides = [multiples[speeds.index(f"{abs(rate):.9e}") % len(multiples)] for rate in rates]
        try:
            for turn in 2 * np.pi * np.arange(count) / count:
                coef[self.turning, 0] = kept + turn * np.sign(rates) * strides
                yield float(turn)
        finally:
            coef[self.turning, 0] = kept

    def loops_turn(self, y: Array) -> bool:
        """Return whether loops move with what turns, so that no state is the steady one."""
        return self._loops and not all(np.allclose(self.closed(y), y, rtol=0, atol=1e-9) for _ in self.turned(5))

    def rotating(self) -> list[str]:
        """Return the freedoms of joints that are carried round by something that turns steadily."""
        sim, found = self.simulation, list[str]()
        arrays = sim.arrays
        turns = [row["code"] == ca.POLYNOMIAL and int(row["start"]) in self.turning for row in arrays.coordinates]
        carried = np.zeros(len(arrays.bodies), dtype=bool)
        for number, body in enumerate(arrays.bodies):  # outward, so a parent comes before its children
            carried[number] = body["parent"] >= 0 and carried[body["parent"]]
            for k in range(int(body["first"]), int(body["last"])):
                if carried[number] and arrays.coordinates[k]["code"] == ca.FREE:
                    found.append(sim.compiled.index.coordinates[int(arrays.coordinates[k]["user"])])
                carried[number] |= turns[k]
        return found

    def rates(self, y: Array) -> tuple[Array, Array]:
        """Return the acceleration along each freedom (scaled) and the rate of the whole state."""
        if not np.isfinite(y).all():
            return np.full(len(self.names), np.nan), np.full_like(y, np.nan)
        dy = self._rate(self.time, y)
        if self.simulation.work.status[CODE] != ca.OK:
            dy[:] = np.nan
        if not math.isfinite(dy.sum()):
            self._refused = y.copy(), dy.copy()
        return self._along(y, dy) / self.scale, dy

    def no_solution(self, where: str, advice: str = "") -> NumericalFailure:
        """Return the failure of equations that have no solution, with what is undefined there, and advice."""
        cause = ""
        if self._refused is not None:
            (y, dy), outside = self._refused, self.simulation.outside
            if isinstance(outside, OutsideLoads):
                outside.undefined = None
            self._rate(self.time, y)  # which leaves what it found
            cause = cause_at(self.simulation, self.time, y, dy)
        said = (f": {cause}" if cause else "") + (f"; {advice}" if advice else "")
        return NumericalFailure(f"the equations of motion have no solution {where}{said}")

    def _along(self, y: Array, rates: Array) -> Array:
        found = [
            part.velocity(y, rates) if isinstance(part, Turn) else np.array([rates[part.rate]]) for part in self.parts
        ]
        return np.concatenate(found) if found else np.zeros(0)

    def _joined(self, pieces: list[Array]) -> Array:
        return (np.concatenate(pieces) if pieces else np.zeros(0)) / self.scale

    def carried(self, y: Array) -> tuple[Array, Array]:
        """Return how bodies move with each freedom (scaled): (6 N, n), linear then angular, and the loop equations J.

        Velocities are linear in the freedoms, so unit velocities give the exact Jacobians.
        """
        sim, n = self.simulation, len(self.names)
        still = self._seen(self._with_velocities(y, np.zeros(n)))
        moving = [self._seen(self._with_velocities(y, one)) - still for one in np.diag(self.scale)]
        bodies = np.array(moving).T if n else np.zeros((6 * len(sim.arrays.bodies), 0))
        work, rows = sim.work.constraint, sim.arrays.constraints
        J = np.zeros((len(rows), n))
        for r in range(len(rows)):
            for q in rows_of(rows, r) if work.active[r] else ():
                for side, body in enumerate((int(rows["i"][q]), int(rows["j"][q]))):
                    if body >= 0:
                        J[r] += work.J[q, 6 * side : 6 * side + 6] @ bodies[6 * body : 6 * body + 6]
        return bodies, J

    def _with_velocities(self, y: Array, velocities: Array) -> Array:
        new, at = y.copy(), 0
        for part in self.parts:
            if isinstance(part, Turn):
                part.put_velocity(new, velocities[at : at + 3])
            else:
                new[part.rate] = velocities[at]
            at += len(part.names)
        return new

    def _seen(self, y: Array) -> Array:
        sim = self.simulation
        sim.formulation.kernels.before(self.time, y, sim.arrays, sim.work)
        return np.concatenate([sim.work.bodies["u"], sim.work.bodies["w"]], axis=1).ravel()

    def masses(self, bodies: Array) -> Array:
        """Return the mass matrix of the freedoms (scaled), without added mass, of the motion that `carried` gives."""
        sim, total = self.simulation, np.zeros((len(self.names), len(self.names)))
        for number, body in enumerate(sim.arrays.bodies):
            R = sim.work.bodies["R"][number].reshape(3, 3)
            xx, yy, zz, xy, xz, yz = body["I_BB_D"]
            inertia = R @ np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ R.T
            lin, ang = bodies[6 * number : 6 * number + 3], bodies[6 * number + 3 : 6 * number + 6]
            total += body["mass"] * lin.T @ lin + ang.T @ inertia @ ang
        return total

    def independent(self, J: Array) -> tuple[list[int], Array]:
        """Return which freedoms say the motion that loops leave, and how all freedoms follow them: d = N d[chosen]."""
        n = len(self.names)
        if not len(J):
            return list(range(n)), np.eye(n)
        _, values, right = np.linalg.svd(J)
        rank = int((values > DEPENDENT * values.max(initial=0.0)).sum())
        null = right[rank:].T
        if not null.shape[1]:
            return [], np.zeros((n, 0))
        order = qr(null.T, mode="r", pivoting=True)[1][: null.shape[1]]
        chosen = sorted(int(one) for one in order)
        return chosen, null @ np.linalg.inv(null[chosen])


def spinning_parts(simulation: Simulation, parts: list[Line | Turn]) -> list[int]:
    """Return the numbers of the parts that are joints under a generator, which turn freely to a steady rate."""
    arrays, model = simulation.arrays, simulation.compiled.model
    braked = {load.braked_joint(model) for load in model.loads.values() if isinstance(load, Generator)}
    names = {f"{joint}.angle" for joint in braked if joint is not None}
    sprung = {int(row["coordinate"]) for row in arrays.sprung if row["stiffness"] != 0.0}
    held = set(coordinate_names(simulation, sorted(sprung)))
    return [n for n, part in enumerate(parts) if isinstance(part, Line) and part.name in names - held]


def turning_angles(arrays: Any) -> npt.NDArray[np.int64]:
    """Return where `coef` holds the angles of joints that turn at a constant rate."""
    found = [
        int(row["start"])
        for row in arrays.coordinates
        if row["code"] == ca.POLYNOMIAL
        and row["kind"] == ca.ROTATION
        and row["stop"] - row["start"] == 2
        and arrays.coef[row["start"] + 1, 0] != 0.0
    ]
    return np.array(found, dtype=np.int64)
