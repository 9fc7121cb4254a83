"""Generalised-alpha for constrained systems: implicit, second order, index 3, damped at high frequency.

After Chung and Hulbert, on the rotation group as Bruels, Cardona and Arnold write it: the increment of a step is a
displacement in world axes and a rotation vector in body axes, so no attitude is singular. Unknowns of a step are the
increments and the multipliers; the positions satisfy the constraints, the velocities follow to second order.

The matrix is sparse and its factors serve over many steps, for as long as Newton converges well with them. Mass,
gyroscopic terms and constraints are exact in it; tangents of the loads are differences, a few for all bodies at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
from scipy.sparse import coo_matrix

from fairlead.core import arrays as ca
from fairlead.core.codes import CODE
from fairlead.core.layout import LENGTH, VELOCITY
from fairlead.errors import NumericalFailure
from fairlead.running.advice import not_converged
from fairlead.running.rounding import rounding
from fairlead.running.steppers.alpha_matrix import AlphaRows, Dependence, Factors, has_loads
from fairlead.running.steppers.outside import failed_function

if TYPE_CHECKING:
    from fairlead.running.simulation import Simulation

Array = npt.NDArray[np.float64]
DAMPING = 0.8  # spectral radius at infinite frequency
ROWS, MOST_ITERATIONS, SMALL = 256, 30, 1e-11
PATIENCE = 8  # Newton steps with the same factors
CONTRACTION = 0.3  # of a Newton step by the next, at most, for old factors to be kept
NUDGE = 1e-7  # of the size of a body's state, for differences


class AlphaSteps:
    """Steps a constrained simulation by the generalised-alpha method."""

    def __init__(self, simulation: Simulation, damping: float = DAMPING) -> None:
        self.sim, self.n = simulation, len(simulation.arrays.bodies)
        am, af = (2 * damping - 1) / (damping + 1), damping / (damping + 1)
        self.am, self.af, self.gamma = am, af, 0.5 + af - am
        self.beta = 0.25 * (self.gamma + 0.5) ** 2
        self.rigid = _masses(simulation.arrays)
        self.depends = Dependence(simulation) if has_loads(simulation) else None
        self.kept, self.multipliers = np.zeros(0, dtype=np.int64), np.zeros(0)  # of the last evaluation of Eq. 67
        self.rows, self.h = AlphaRows(simulation, self.kept), 0.0
        self.factors: Factors | None = None
        self.rate = np.zeros(6 * self.n)  # accelerations of the last step
        self.algorithmic = np.zeros(6 * self.n)
        self.begun = False
        self.after = np.zeros(0)  # the rate at the end of the last step
        self.factorised = 0  # how often

    def memory(self) -> Array:
        """Return the values a resumed run needs beyond the state; a chunk starts with new factors."""
        return np.concatenate([[float(self.begun)], self.rate, self.algorithmic])

    def restore(self, memory: Array) -> None:
        """Continue from `memory()`."""
        self.begun = bool(memory[0])
        self.rate[:], self.algorithmic[:] = np.split(memory[1:], 2)

    def advance(self, most: int | None = None, fresh: bool = True) -> Any:
        """Return the rows of the next chunk of steps; one that is not `fresh` goes on with the factors of the last."""
        sim, rows = self.sim, 0
        target = min(sim.clock.steps, sim.step + (most or ROWS))
        if fresh:
            self.factors, self.after = None, self._evaluate(sim.time)
        before = self.after
        while sim.step < target and rows < ROWS:
            try:
                before = self._step(before)
            except NumericalFailure as error:
                error.rows = sim.buffer[:rows].copy()  # type: ignore[attr-defined]  # what was computed is kept
                raise
            if sim.work.status[CODE] != ca.OK:  # of the evaluation at the end of the step: a line without a solution
                return sim._rows(int(sim.work.status[CODE]), rows)
            self.after = before
            if sim.step % sim.clock.every == 0 or sim.step == sim.clock.steps:
                sim.formulation.kernels.observe(sim.time, sim.y, sim.arrays, sim.work, sim.buffer[rows])
                rows += 1
        return sim._rows(ca.OK, rows)

    def _evaluate(self, t: float) -> Array:
        """Return the rate of the state at (t, y), from Eq. 67."""
        dy = np.zeros_like(self.sim.y)
        self.sim.work.window[:] = t
        self.sim.formulation.kernels.rhs(t, self.sim.y, dy, self.sim.arrays, self.sim.work)
        C = self.sim.work.constraint
        self.kept, self.multipliers = np.flatnonzero(C.active == 1), C.lam.copy()
        return dy

    def _step(self, before: Array) -> Array:
        """Take one step from where the rate is `before`; return the rate at its end."""
        sim, n = self.sim, self.n
        t, last = sim.time, sim.step + 1 == sim.clock.steps
        h = sim.clock.end - t if last else sim.clock.dt
        if not self.begun:
            self.rate = _velocities(before, n)
            self.algorithmic, self.begun = self.rate.copy(), True
        self._keep(self.kept, h)
        y0, v0, a0, rate0 = sim.y[: LENGTH * n].copy(), _velocities(sim.y, n), self.algorithmic, self.rate
        a = (self.af * rate0 - self.am * a0) / (1 - self.am)
        v = v0 + h * (1 - self.gamma) * a0 + h * self.gamma * a
        step = h * v0 + h * h * (0.5 - self.beta) * a0 + h * h * self.beta * a
        found = self._newton(y0, step, v, h, patience=PATIENCE) if self.factors else None
        if found is None:
            self.factors = None
            found = self._newton(y0, step, v, h, patience=MOST_ITERATIONS)
        if found is None:
            raise failed_function(sim) or NumericalFailure(not_converged(sim, h))
        y, self.rate = found
        self.algorithmic = ((1 - self.af) * self.rate + self.af * rate0 - self.am * a0) / (1 - self.am)
        return self._accept(y, before, h)

    def _newton(self, y0: Array, step: Array, v: Array, h: float, patience: int) -> tuple[Array, Array] | None:
        """Return state and accelerations at the end of a step from its predictor; None if that does not converge.

        With little patience, factors of an earlier step are tried and given up as soon as they do not serve.
        """
        sim, n, t = self.sim, self.n, self.sim.time + h
        stiff, damped = (1 - self.am) / (h * h * self.beta * (1 - self.af)), self.gamma / (h * self.beta)
        least = rounding(sim.compiled, y0)
        rate, multipliers, last = np.zeros(6 * n), self.multipliers[self.rows.kept], np.inf
        for iteration in range(patience):
            y = _moved(y0, step, v, n)
            force, mass = self._forces(t, y)
            entries, gap = self.rows.entries(sim), sim.work.constraint.phi[self.rows.kept].copy()
            if self.factors is None or iteration % PATIENCE == PATIENCE - 1:
                try:
                    self.factors = Factors(self._tangent(t, y, mass, stiff, damped, force), self.rows, entries)
                except RuntimeError:  # a matrix that is singular, as one with a nan is
                    return None
                self.factorised += 1
            inertia = np.einsum("bij,bj->bi", mass, rate.reshape(n, 6)).ravel()
            change, more = self.factors.solve(inertia - force + self.rows.forces(entries, multipliers), gap)
            step, v, rate = step + change, v + damped * change, rate + stiff * change
            multipliers = multipliers + more
            size = np.abs(change).max(initial=0.0)
            if not np.isfinite(size) or (patience == PATIENCE and size > CONTRACTION * last):
                return None
            enough = max(SMALL * (1.0 + np.abs(step).max(initial=0.0)), least)
            if size < enough and np.abs(gap).max(initial=0.0) < max(SMALL, least):
                return _moved(y0, step, v, n), rate
            last = size
        return None

    def _keep(self, kept: Any, h: float) -> None:
        """Take the equations of this step; factors of others, or of another step size, do not serve."""
        if not np.array_equal(kept, self.rows.kept):
            self.rows, self.factors = AlphaRows(self.sim, kept), None
        if abs(h - self.h) > 1e-9 * h:
            self.h, self.factors = h, None

    def _accept(self, y: Array, before: Array, h: float) -> Array:
        sim = self.sim
        sim.y[: len(y)] = y
        sim.step += 1
        after = self._evaluate(sim.time)
        tail = len(y)
        # Works and impulses by the trapezium, of the method's own order.
        sim.y[tail:] += 0.5 * h * (before[tail:] + after[tail:])
        return after

    def _forces(self, t: float, y: Array) -> tuple[Array, Array]:
        """Return forces (world) and moments (body axes) at a state, and the mass matrices (n, 6, 6) of its bodies."""
        sim, n, work = self.sim, self.n, self.sim.work
        work.window[:] = t
        whole = np.concatenate([y, sim.y[len(y) :]])
        sim.formulation.kernels.apply_loads(t, whole, np.zeros_like(whole), sim.arrays, work)
        R = work.bodies["R"].reshape(n, 3, 3)
        w = y.reshape(n, 13)[:, 10:]
        spin = np.einsum("bij,bj->bi", self.rigid[:, 3:, 3:], w) + sim.arrays.bodies["h_D"]
        turn = np.einsum("bji,bj->bi", R, work.bodies["n"]) - np.cross(w, spin)
        push = work.bodies["f"] + sim.arrays.bodies["mass"][:, None] * sim.arrays.gravity
        mass = self.rigid
        if work.added.size:  # moments and rotations to body axes
            X = np.zeros((n, 6, 6))
            X[:, :3, :3], X[:, 3:, 3:] = np.eye(3), R
            mass = mass + np.einsum("bki,bkl,blj->bij", X, work.added, X)
        return np.concatenate([push, turn], axis=1).ravel(), mass

    def _tangent(self, t: float, y: Array, mass: Array, stiff: float, damped: float, force: Array) -> Any:
        """Return M/(h^2 ...) + C/(h ...) + K: masses and gyroscopic terms exact, loads by differences."""
        n, w = self.n, y.reshape(self.n, 13)[:, 10:]
        inertia = self.rigid[:, 3:, 3:]
        blocks = stiff * mass
        spin = np.einsum("bij,bj->bi", inertia, w) + self.sim.arrays.bodies["h_D"]
        blocks[:, 3:, 3:] += damped * (_tilde(w) @ inertia - _tilde(spin))
        at = np.arange(6 * n).reshape(n, 6)
        down, across = np.broadcast_arrays(at[:, :, None], at[:, None, :])
        parts = [(down.ravel(), across.ravel(), blocks.ravel())]
        if self.depends is not None:
            parts += self._load_tangents(t, y, damped, force)
        rows, columns, values = (np.concatenate(part) for part in zip(*parts))
        return coo_matrix((values, (rows, columns)), shape=(6 * n, 6 * n)).tocsr()

    def _load_tangents(self, t: float, y: Array, damped: float, force: Array) -> list[tuple[Any, Any, Any]]:
        """Return entries of -dF/dq - damped dF/dv, of loads alone: gyroscopic moments are exact elsewhere."""
        n, parts = self.n, []
        v = _velocities(y, n)
        size = NUDGE * (1.0 + np.abs(y.reshape(n, 13)).max(axis=1))
        steady = force.reshape(n, 6) + self._gyroscopic(y)
        for group in self.depends.groups if self.depends else ():
            feel, moved = self.depends.owners(group) if self.depends else (group, group)
            for k in range(6):
                nudge = np.zeros((n, 6))
                nudge[group, k] = size[group]
                for weight, state in (
                    (1.0, _moved(y, nudge.ravel(), v, n)),
                    (damped, _moved(y, np.zeros(6 * n), v + nudge.ravel(), n)),
                ):
                    changed = self._forces(t, state)[0].reshape(n, 6) + self._gyroscopic(state)
                    slope = -weight * (changed - steady)[feel] / size[moved][:, None]
                    if slope.any():
                        rows = 6 * feel[:, None] + np.arange(6)
                        parts.append((rows.ravel(), np.repeat(6 * moved + k, 6), slope.ravel()))
        return parts

    def _gyroscopic(self, y: Array) -> Array:
        """Return w x (I w + h) of every body as six-vectors, body axes."""
        w = y.reshape(self.n, 13)[:, 10:]
        spin = np.einsum("bij,bj->bi", self.rigid[:, 3:, 3:], w) + self.sim.arrays.bodies["h_D"]
        return np.concatenate([np.zeros((self.n, 3)), np.cross(w, spin)], axis=1)


def _tilde(a: Array) -> Array:
    """Return the matrices (n, 3, 3) of the cross products with vectors (n, 3)."""
    out = np.zeros((len(a), 3, 3))
    out[:, 2, 1], out[:, 0, 2], out[:, 1, 0] = a.T
    return out - out.transpose(0, 2, 1)


def _masses(arrays: ca.Arrays) -> Array:
    """Return the mass matrices (n, 6, 6): mass in world axes, inertia in body axes."""
    whole = np.zeros((len(arrays.bodies), 6, 6))
    for matrix, body in zip(whole, arrays.bodies):
        xx, yy, zz, xy, xz, yz = body["I_BB_D"]
        matrix[:3, :3] = np.eye(3) * body["mass"]
        matrix[3:, 3:] = [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]
    return whole


def _velocities(y: Array, n: int) -> Array:
    """Return the velocities of a state, or its accelerations from a rate, six per body."""
    return y[: LENGTH * n].reshape(n, LENGTH)[:, VELOCITY:].ravel().copy()


def _moved(y: Array, step: Array, v: Array, n: int) -> Array:
    """Return the state after a displacement (world axes) and a rotation vector (body axes), with velocity v."""
    out = y.copy().reshape(n, 13)
    steps = step.reshape(n, 6)
    out[:, :3] += steps[:, :3]
    angle = np.linalg.norm(steps[:, 3:], axis=1, keepdims=True)
    c, s = np.cos(angle / 2), 0.5 * np.sinc(angle / 2 / np.pi)
    p, q = y.reshape(n, 13)[:, 3:7], np.concatenate([c, s * steps[:, 3:]], axis=1)
    out[:, 3:4] = p[:, :1] * q[:, :1] - np.sum(p[:, 1:] * q[:, 1:], axis=1, keepdims=True)
    out[:, 4:7] = p[:, :1] * q[:, 1:] + q[:, :1] * p[:, 1:] + np.cross(p[:, 1:], q[:, 1:])
    out[:, 3:7] /= np.linalg.norm(out[:, 3:7], axis=1, keepdims=True)
    out[:, 7:] = v.reshape(n, 6)
    return out.ravel()
