"""What the flags Debug and Timer of a legacy case ask for. MBDM note section 7.1.4."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from fairlead.core.motions import move
from fairlead.core.work import new_work
from fairlead.model.mbdm_case import MbdmCase
from fairlead.results.mbdm_output import clock, state_vectors, write_text
from fairlead.running.simulation import Simulation

Array = npt.NDArray[np.float64]
INDEPENDENT = "DEBUG_independet.dat"  # as the original spells it


class Partition:
    """Answers which coordinates section 5 of the note takes as independent, in scratch of its own."""

    def __init__(self, simulation: Simulation) -> None:
        self.simulation, work = simulation, new_work(simulation.arrays)
        m, n = len(simulation.arrays.constraints), len(simulation.arrays.bodies)
        self.work = work._replace(C=work.C._replace(D=np.zeros((m + n, 7 * n))))
        self.user = simulation.arrays.bodies["user"]

    def independent(self, time: float, q: Array) -> list[int]:
        """Return the places in q (the user's order, from 0) of the independent coordinates at a state."""
        sim, work = self.simulation, self.work
        work.window[:] = time
        move(time, sim.arrays, work)
        for number, user in enumerate(self.user):
            work.C.y[13 * number : 13 * number + 7] = q[7 * user : 7 * user + 7]
        sim.formulation.kernels.place(sim.arrays, work)
        sim.formulation.kernels.repartition(sim.arrays, work, work.C.weight)
        free = work.C.columns[int(work.C.rank[0]) :]
        return sorted(7 * int(self.user[column // 7]) + int(column % 7) for column in free)


def write_independent(data: Any, case: MbdmCase, simulation: Simulation, folder: Path) -> Path:
    """Write per step a line with time and time step, and one each with the IDs, rates and second derivatives."""
    times, (q, rate, second) = clock(data, case), state_vectors(data)
    partition, lines = Partition(simulation), []
    steps = np.diff(data["time"].values, append=data["time"].values[-1:] + case.dt)
    for row, time in enumerate(data["time"].values):
        ids = partition.independent(float(time), q[row])
        lines += [f"{times[row]:.17g} {steps[row]:.17g}", " ".join(map(str, ids))]
        lines += [" ".join(f"{vector[row, i]:.17g}" for i in ids) for vector in (rate, second)]
    write_text(folder / INDEPENDENT, "\n".join(lines) + "\n")
    return folder / INDEPENDENT


def step_line(case: MbdmCase, simulation: Simulation, steps: int, seconds: float) -> str:
    """Return what the timer shows after some steps."""
    time = case.t_start + simulation.time
    return f"t = {time:.6g} s: {steps} steps in {1e3 * seconds:.4g} ms, {1e3 * seconds / steps:.4g} ms per step"
