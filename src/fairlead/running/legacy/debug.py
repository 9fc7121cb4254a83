"""Output for the flags Debug and Timer of a legacy case. MBDM note section 7.1.4."""

from __future__ import annotations

import time as wall
from typing import Any

import numpy as np
import numpy.typing as npt

from fairlead.core.codes import RANK
from fairlead.core.layout import LENGTH
from fairlead.core.motions import move
from fairlead.core.work import new_work
from fairlead.formats.mbdm.case import MbdmCase
from fairlead.formats.mbdm.output import state_vectors
from fairlead.formats.mbdm.output_file import OutputFile, clock
from fairlead.running.simulation import Simulation

Array = npt.NDArray[np.float64]
INDEPENDENT = "DEBUG_independet.dat"  # as the original spells it


class Partition:
    """Answers which coordinates section 5 of the note takes as independent, in scratch of its own."""

    def __init__(self, simulation: Simulation) -> None:
        self.simulation, work = simulation, new_work(simulation.arrays)
        m, n = len(simulation.arrays.constraints), len(simulation.arrays.bodies)
        self.work = work._replace(constraint=work.constraint._replace(D=np.zeros((m + n, 7 * n))))
        self.user = simulation.arrays.bodies["user"]

    def independent(self, time: float, q: Array) -> list[int]:
        """Return the places in q (the user's order, from 0) of the independent coordinates at a state."""
        sim, work = self.simulation, self.work
        work.window[:] = time
        move(time, sim.arrays, work)
        for number, user in enumerate(self.user):
            work.constraint.y[LENGTH * number : LENGTH * number + 7] = q[7 * user : 7 * user + 7]
        sim.formulation.kernels.place(sim.arrays, work)
        sim.formulation.kernels.repartition(sim.arrays, work, work.constraint.weight)
        free = work.constraint.columns[int(work.constraint.rank[RANK]) :]
        return sorted(7 * int(self.user[column // 7]) + int(column % 7) for column in free)

    def step_after(self, row: int, data: Any) -> float:
        """Return the time step that a run takes from a row of its record; the last only may be shorter."""
        clock = self.simulation.clock
        now = float(data["time"].values[row])
        number = round(now / clock.dt)
        after = clock.end if number + 1 == clock.steps else clock.t0 + (number + 1) * clock.dt
        return float(clock.dt if number >= clock.steps else after - now)


def independent_file(data: Any, case: MbdmCase, partition: Partition) -> OutputFile:
    """Return DEBUG_independet.dat: per step a line with time and time step, and one each with IDs, q' and q''."""
    times, (q, rate, second) = clock(data, case), state_vectors(data)

    def text(rows: Any) -> str:
        lines = []
        for row in rows:
            ids = partition.independent(float(data["time"].values[row]), q[row])
            lines += [f"{times[row]:.17g} {partition.step_after(row, data):.17g}", " ".join(map(str, ids))]
            lines += [" ".join(f"{vector[row, i]:.17g}" for i in ids) for vector in (rate, second)]
        return "".join(line + "\n" for line in lines)

    return OutputFile(INDEPENDENT, "", np.arange(len(times)), text)


class Stopwatch:
    """Tells how the wall clock of a run was spent; every moment belongs to one kind, so kinds add up to the total."""

    def __init__(self) -> None:
        self.begun = self.last = wall.perf_counter()
        self.spent: dict[str, float] = {}

    def lap(self, kind: str) -> float:
        """Give the time since the last lap to a kind of work, and return it."""
        now = wall.perf_counter()
        seconds, self.last = now - self.last, now
        self.spent[kind] = self.spent.get(kind, 0.0) + seconds
        return seconds

    @property
    def total(self) -> float:
        """Return the time of all laps."""
        return self.last - self.begun


def step_line(case: MbdmCase, simulation: Simulation, steps: int, seconds: float) -> str:
    """Return the line the timer shows after some steps."""
    return f"t = {case.t_start + simulation.time:.6g} s: {_per_step(steps, seconds)}"


def total_lines(case: MbdmCase, steps: int, watch: Stopwatch) -> list[str]:
    """Return the lines the timer shows at the end: the steps, what else took time, and the total of these."""
    spent = {kind: f"{1e3 * seconds:.3f} ms" for kind, seconds in watch.spent.items()}
    spent["steps"] = _per_step(steps, watch.spent.get("steps", 0.0))
    return [*(f"{kind}: {said}" for kind, said in spent.items()), f"{case.name}: {1e3 * watch.total:.3f} ms in all"]


def _per_step(steps: int, seconds: float) -> str:
    return f"{steps} steps in {1e3 * seconds:.3f} ms, {1e3 * seconds / max(1, steps):.4g} ms per step"
