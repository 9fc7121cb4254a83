"""Generalised-alpha for constrained systems: implicit, second order, index 3, damped at high frequency.

After Chung and Hulbert, on the rotation group as Bruels, Cardona and Arnold write it: the increment of a step is a
displacement in world axes and a rotation vector in body axes, so no attitude is singular. Unknowns of a step are the
increments and the multipliers; the positions satisfy the constraints, the velocities follow to second order.
Tangents of the loads are differences; everything else is exact.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from fairlead.core import arrays as ca
from fairlead.core.loads.all import load
from fairlead.core.motions import move
from fairlead.errors import NumericalFailure

if TYPE_CHECKING:
    from fairlead.running.simulation import Simulation

Array = npt.NDArray[np.float64]
DAMPING = 0.8  # spectral radius at infinite frequency
ROWS, MOST_ITERATIONS, SMALL = 256, 25, 1e-11
DENSE = 240  # unknowns; beyond, the matrix is factorised as a sparse one


class AlphaSteps:
    """Steps a constrained simulation by the generalised-alpha method."""

    def __init__(self, simulation: Simulation, damping: float = DAMPING) -> None:
        self.sim, self.n = simulation, len(simulation.arrays.bodies)
        am, af = (2 * damping - 1) / (damping + 1), damping / (damping + 1)
        self.am, self.af, self.gamma = am, af, 0.5 + af - am
        self.beta = 0.25 * (self.gamma + 0.5) ** 2
        self.mass = _masses(simulation.arrays)
        self.rate = np.zeros(6 * self.n)  # accelerations of the last step
        self.algorithmic = np.zeros(6 * self.n)
        self.begun = False

    def memory(self) -> Array:
        """Return what a resumed run needs beyond the state."""
        return np.concatenate([[float(self.begun)], self.rate, self.algorithmic])

    def restore(self, memory: Array) -> None:
        """Continue from `memory()`."""
        self.begun = bool(memory[0])
        self.rate[:], self.algorithmic[:] = np.split(memory[1:], 2)

    def advance(self, most: int | None = None) -> Any:
        """Return the rows of the next chunk of steps."""
        sim, rows = self.sim, 0
        target = min(sim.clock.steps, sim.step + (most or ROWS))
        while sim.step < target and rows < ROWS:
            self._step()
            if sim.step % sim.clock.every == 0 or sim.step == sim.clock.steps:
                self._evaluate(sim.time)
                sim.formulation.kernels.observe(sim.time, sim.y, sim.arrays, sim.work, sim.buffer[rows])
                rows += 1
        return sim._rows(ca.OK, rows)

    def _evaluate(self, t: float) -> Array:
        """Return the rate of the state at (t, y), from Eq. 67."""
        dy = np.zeros_like(self.sim.y)
        self.sim.work.window[:] = t
        self.sim.formulation.kernels.rhs(t, self.sim.y, dy, self.sim.arrays, self.sim.work)
        return dy

    def _step(self) -> None:
        sim, n = self.sim, self.n
        t, last = sim.time, sim.step + 1 == sim.clock.steps
        h = sim.clock.end - t if last else sim.clock.dt
        before = self._evaluate(t)
        if not self.begun:
            self.rate = _six(before, n)[1]
            self.algorithmic, self.begun = self.rate.copy(), True
        kept = np.flatnonzero((sim.work.C.active == 1) & (sim.work.C.skip == 0))
        multipliers = sim.work.C.lam[kept].copy()
        y0, v0, a0, rate0 = sim.y[: 13 * n].copy(), _six(sim.y, n)[1], self.algorithmic, self.rate
        rate = np.zeros(6 * n)
        a = (self.af * rate0 - self.am * a0) / (1 - self.am)
        v = v0 + h * (1 - self.gamma) * a0 + h * self.gamma * a
        step = h * v0 + h * h * (0.5 - self.beta) * a0 + h * h * self.beta * a
        stiff, damped = (1 - self.am) / (h * h * self.beta * (1 - self.af)), self.gamma / (h * self.beta)
        tangent = None
        for iteration in range(MOST_ITERATIONS):
            y = _moved(y0, step, v, n)
            force, jacobian, gap = self._forces(t + h, y, kept)
            residual = np.concatenate([self.mass @ rate - force + jacobian.T @ multipliers, gap])
            if tangent is None or iteration % 6 == 5:
                tangent = self._tangent(t + h, y, kept, stiff, damped, force)
            change = self._solve(tangent, jacobian, residual)
            step, v, rate = step + change[: 6 * n], v + damped * change[: 6 * n], rate + stiff * change[: 6 * n]
            multipliers = multipliers + change[6 * n :]
            scale = 1.0 + np.abs(step).max(initial=0.0)
            if not np.isfinite(change).all():
                break
            if np.abs(change[: 6 * n]).max(initial=0.0) < SMALL * scale and np.abs(gap).max(initial=0.0) < SMALL:
                return self._accept(y0, step, v, rate, a0, rate0, before, h)
        raise NumericalFailure(
            f"the implicit step did not converge at t = {t:.6g} s; reduce dt, or check the loads for jumps"
        )

    def _accept(
        self, y0: Array, step: Array, v: Array, rate: Array, a0: Array, rate0: Array, before: Array, h: float
    ) -> None:
        sim, n = self.sim, self.n
        self.algorithmic = ((1 - self.af) * rate + self.af * rate0 - self.am * a0) / (1 - self.am)
        self.rate = rate
        sim.y[: 13 * n] = _moved(y0, step, v, n)
        sim.step += 1
        after = self._evaluate(sim.time)
        tail = sim.arrays.states
        # Works and impulses by the trapezium, of the method's own order.
        sim.y[tail:] += 0.5 * h * (before[tail:] + after[tail:])

    def _forces(self, t: float, y: Array, kept: Any) -> tuple[Array, Array, Array]:
        """Return forces (world) and moments (body axes), the Jacobian of the kept equations, and their values."""
        sim, n, C = self.sim, self.n, self.sim.work.C
        sim.work.window[:] = t
        move(t, sim.arrays, sim.work)
        C.y[:] = y
        sim.formulation.kernels.place(sim.arrays, sim.work)
        load(t, sim.arrays, sim.work)
        R = sim.work.bodies["R"].reshape(n, 3, 3)
        w = y.reshape(n, 13)[:, 10:]
        inertia = self.mass.reshape(n, 6, n, 6)[np.arange(n), 3:, np.arange(n), 3:]
        spin = np.einsum("bij,bj->bi", inertia, w) + sim.arrays.bodies["h_D"]
        turn = np.einsum("bji,bj->bi", R, sim.work.bodies["n"]) - np.cross(w, spin)
        push = sim.work.bodies["f"] + sim.arrays.bodies["mass"][:, None] * sim.arrays.gravity
        force = np.concatenate([push, turn], axis=1).ravel()
        jacobian = np.zeros((len(kept), 6 * n))
        for at, r in enumerate(kept):
            for side, b in enumerate((sim.arrays.constraints[r]["i"], sim.arrays.constraints[r]["j"])):
                if b >= 0:
                    J = C.J[r, 6 * side : 6 * side + 6]
                    jacobian[at, 6 * b : 6 * b + 3] += J[:3]
                    jacobian[at, 6 * b + 3 : 6 * b + 6] += J[3:] @ R[b]
        return force, jacobian, C.phi[kept].copy()

    def _tangent(self, t: float, y: Array, kept: Any, stiff: float, damped: float, force: Array) -> Array:
        """Return M/(h^2 ...) + C/(h ...) + K, the tangents of the forces by differences."""
        n, tangent = self.n, self.mass * stiff
        for k in range(6 * n):
            b = k // 6
            for velocity, weight in ((True, damped), (False, 1.0)):
                if not velocity and not len(self.sim.arrays.rows):
                    continue  # without loads the forces do not depend on where the bodies are
                nudge = np.zeros(6 * n)
                size = 1e-7 * (1.0 + np.abs(y[13 * b : 13 * b + 13]).max())
                nudge[k] = size
                _, v = _six(y, n)
                moved = _moved(y, np.zeros(6 * n), v + nudge, n) if velocity else _moved(y, nudge, v, n)
                changed, _, _ = self._forces(t, moved, kept)
                tangent[:, k] -= weight * (changed - force) / size
        return tangent

    def _solve(self, tangent: Array, jacobian: Array, residual: Array) -> Array:
        scale = np.abs(np.diag(tangent)).max()
        m = len(jacobian)
        if len(residual) <= DENSE:
            whole = np.block([[tangent / scale, jacobian.T], [jacobian, np.zeros((m, m))]])
            found = np.linalg.solve(
                whole, -np.concatenate([residual[: len(tangent)] / scale, residual[len(tangent) :]])
            )
        else:
            from scipy.sparse import bmat, csc_matrix
            from scipy.sparse.linalg import splu

            whole = bmat([[csc_matrix(tangent / scale), csc_matrix(jacobian.T)], [csc_matrix(jacobian), None]]).tocsc()
            found = splu(whole).solve(-np.concatenate([residual[: len(tangent)] / scale, residual[len(tangent) :]]))
        found[len(tangent) :] *= scale
        return found


def _masses(arrays: ca.Arrays) -> Array:
    """Return the mass matrix: mass in world axes, inertia in body axes."""
    n = len(arrays.bodies)
    whole = np.zeros((6 * n, 6 * n))
    for b, body in enumerate(arrays.bodies):
        xx, yy, zz, xy, xz, yz = body["I_BB_D"]
        whole[6 * b : 6 * b + 3, 6 * b : 6 * b + 3] = np.eye(3) * body["mass"]
        whole[6 * b + 3 : 6 * b + 6, 6 * b + 3 : 6 * b + 6] = [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]
    return whole


def _six(y: Array, n: int) -> tuple[Array, Array]:
    """Return positions and velocities of a state (or rates of both) as rows of six per body."""
    rows = y[: 13 * n].reshape(n, 13)
    return rows[:, :7].copy(), rows[:, 7:].ravel().copy()


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
