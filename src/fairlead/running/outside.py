"""Loads that live in Python: evaluated at every stage, so the order of the integrator holds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from fairlead.core import arrays as ca
from fairlead.errors import FairleadError, NumericalFailure

if TYPE_CHECKING:
    from fairlead.running.simulation import Simulation

ROWS = 256


class OutsideSteps:
    """Steps a simulation in Python around its compiled evaluation."""

    def __init__(self, simulation: Simulation) -> None:
        self.simulation = simulation
        self.kernels = simulation.formulation.kernels
        self.project, self.write = self.kernels.project, self.kernels.observe

    def fill(self, t: float, y: Any) -> None:
        """Place the bodies at (t, y) and put what each callable answers into its load row."""
        sim = self.simulation
        self.kernels.before(t, y, sim.arrays, sim.work)
        motion = self._motion()
        for row, function in sim.compiled.index.outside.items():
            name = sim.compiled.index.loads[row]
            try:
                wrench = np.asarray(function(t, motion), dtype=float).reshape(-1)
            except FairleadError:
                raise
            except Exception as error:
                raise NumericalFailure(f"the function of load '{name}' failed at t = {t:.6g} s: {error!r}") from error
            if wrench.shape != (6,) or not np.isfinite(wrench).all():
                raise NumericalFailure(
                    f"the function of load '{name}' gave {wrench!r} at t = {t:.6g} s; it must give six finite numbers "
                    "(force and moment at the mass centre, world axes)"
                )
            sim.work.rows[row]["f"], sim.work.rows[row]["n"] = wrench[:3], wrench[3:]
        for partner in sim.partners:
            for row, tension in partner.tensions().items():
                sim.work.rows[row]["tension"] = tension

    def _motion(self) -> dict[str, Any]:
        sim = self.simulation
        found = {}
        for name, i in sim.compiled.index.tree_order.items():
            body = sim.work.bodies[i]
            R_WB = body["R"].reshape(3, 3) @ sim.arrays.bodies["R_DB"][i].reshape(3, 3)
            found[name] = (body["x"].copy(), R_WB, body["u"].copy(), body["w"].copy())
        return found

    def rate(self, t: float, y: Any, dy: Any) -> None:
        """Fill dy at (t, y)."""
        self.fill(t, y)
        self.kernels.after(t, y, dy, self.simulation.arrays, self.simulation.work)

    def advance(self) -> Any:
        """Return the rows of the next chunk of Runge-Kutta steps."""
        sim, rows = self.simulation, 0
        while sim.step < sim.clock.steps and rows < ROWS:
            try:
                self._step()
            except NumericalFailure as error:
                error.rows = sim.buffer[:rows].copy()  # type: ignore[attr-defined]  # what was computed is kept
                raise
            if sim.step % sim.clock.every == 0 or sim.step == sim.clock.steps:
                sim.work.window[:] = sim.time
                self.rate(sim.time, sim.y, sim.stages.k[0])
                self.write(sim.time, sim.y, sim.arrays, sim.work, sim.buffer[rows])
                rows += 1
            if sim.work.status[0] != ca.OK or not np.isfinite(sim.y).all():
                return sim._rows(int(sim.work.status[0]) or ca.NOT_FINITE, rows)
        return sim._rows(ca.OK, rows)

    def _step(self) -> None:
        sim, table, k = self.simulation, self.simulation.tableau, self.simulation.stages.k
        t = sim.time
        last = sim.step + 1 == sim.clock.steps
        h = sim.clock.end - t if last else sim.clock.dt
        sim.work.window[:] = t, t + h
        if sim.partners:
            self.kernels.before(t, sim.y, sim.arrays, sim.work)
            for partner in sim.partners:
                partner.advance(t, t + h, self._motion())
        self.kernels.begin_step(t, sim.y, sim.arrays, sim.work)
        for s in range(len(table.b)):
            stage = sim.y.copy()
            for j in range(s):
                stage += h * table.a[s, j] * k[j]
            self.rate(t + table.c[s] * h, stage, k[s])
        for j, weight in enumerate(table.b):
            sim.y += h * weight * k[j]
        for partner in sim.partners:
            partner.accept()
        sim.step += 1
        self.project(sim.time, sim.y, sim.arrays, sim.work)
