"""Legacy MBDM cases run as `./MBDM` does: with its checkpoints, from which a run goes on to the same bits.

A legacy checkpoint holds q and q' in 17 digits. To continue bit by bit from it, the run that writes it must itself go
on from what it wrote: at each checkpoint the state is replaced by what a restart would read.
"""

from __future__ import annotations

import time as wall
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from fairlead.errors import Problem
from fairlead.model.mbdm import to_model
from fairlead.model.mbdm_case import MbdmCase
from fairlead.results.dataset import make_dataset
from fairlead.results.mbdm_checkpoint import checkpoint_of, read_checkpoint, write_checkpoint
from fairlead.results.mbdm_output import body_table, timer_line, write_output
from fairlead.running.legacy_debug import step_line, write_independent
from fairlead.running.options import run_options
from fairlead.running.run import attributes_of, continue_signs, split_record
from fairlead.running.simulation import Simulation

Array = npt.NDArray[np.float64]
STRIDE = 100  # steps between lines of the timer where no output is saved


def run_case(
    case: MbdmCase, folder: Path, checkpoint: Path | None = None, show: Callable[[str], None] | None = None
) -> tuple[Any, list[Path], list[Problem]]:
    """Run a case, from a checkpoint if one is given; return its Dataset, the files written, and warnings.

    `show` gets the lines of the timer, if the case has it on.
    """
    model, problems = to_model(case)
    debug = case.parameters.debug and case.dynamic
    options = {"formulation": "constrained", **({"output_every": 1} if debug else {})}
    simulation = Simulation(model, **run_options(model, options))
    simulation.work.C.newton[:2] = case.accuracy, max(1, case.iterations)
    angles, chunks = None, [simulation.advance()]
    if checkpoint is not None:
        start, warnings = read_checkpoint(checkpoint, case)
        problems = problems + list(warnings)
        set_state(simulation, start.q, start.q_rate)
        simulation.step = start.step if start.step >= 0 else round((start.time - case.t_start) / case.dt)
        angles, chunks = start.angles, [first_row(simulation)]
    written: list[Path] = []
    stride = (case.save_output or STRIDE) if show and case.parameters.timer and case.dynamic else None
    begun = wall.perf_counter()
    every = case.save_checkpoint if case.save_checkpoint > 0 else simulation.clock.steps
    while simulation.step < simulation.clock.steps:
        stop = min((simulation.step // every + 1) * every, simulation.clock.steps)
        while simulation.step < stop:
            before, since = simulation.step, wall.perf_counter()
            chunks += advance_to(simulation, min(stop, simulation.step + stride) if stride else stop)
            if stride and show:
                show(step_line(case, simulation, simulation.step - before, wall.perf_counter() - since))
        state = legacy_state(simulation)
        set_state(simulation, *state)  # the state as it is written, not as it was: q' and w differ in the last bit
        written = [_write(folder, case, simulation, state, angles, chunks)]
    data = _dataset(simulation, chunks, wall.perf_counter() - begun)
    if stride and show:
        show(timer_line(data, case))
    if debug:
        written.append(write_independent(data, case, simulation, folder))
    return data, [*write_output(data, case, folder, angles=angles), *written], problems


def advance_to(simulation: Simulation, step: int) -> list[Array]:
    """Step to a step number and return the rows recorded on the way."""
    rows = []
    while simulation.step < step:
        rows.append(simulation.advance(step - simulation.step))
    return [chunk for chunk in rows if len(chunk)]


def first_row(simulation: Simulation) -> Array:
    """Return the record of the present state."""
    fixed = (simulation.arrays, simulation.work, simulation.stages, simulation.buffer, 0)
    status = simulation.formulation.loops["first"](simulation.time, simulation.y, *fixed)
    return simulation._rows(status, 1)


def legacy_state(simulation: Simulation) -> tuple[Array, Array]:
    """Return q and q' of the bodies in the user's order, as a checkpoint holds them."""
    order = simulation.compiled.index.tree_order
    q, rate = [], []
    for body in simulation.compiled.index.bodies:
        y = simulation.y[13 * order[body] : 13 * order[body] + 13]
        e0, e, w = y[3], y[4:7], y[10:13]
        q.append(y[:7])
        rate.append(np.concatenate([y[7:10], [-0.5 * (e @ w)], 0.5 * (e0 * w + np.cross(e, w))]))  # p' = G^T w / 2
    return np.concatenate(q), np.concatenate(rate)


def set_state(simulation: Simulation, q: Array, rate: Array) -> None:
    """Put q and q' of a checkpoint into the simulation; the integrals of work start again."""
    simulation.y[simulation.arrays.states :] = 0.0
    order = simulation.compiled.index.tree_order
    for number, body in enumerate(simulation.compiled.index.bodies):
        y = simulation.y[13 * order[body] : 13 * order[body] + 13]
        y[:7], y[7:10] = q[7 * number : 7 * number + 7], rate[7 * number : 7 * number + 3]
        p, dp = q[7 * number + 3 : 7 * number + 7], rate[7 * number + 3 : 7 * number + 7]
        y[10:13] = 2 * (p[0] * dp[1:] - dp[0] * p[1:] - np.cross(p[1:], dp[1:]))  # w' = 2 G p', MBDM note Eq. 40


def _dataset(simulation: Simulation, chunks: list[Array], seconds: float = 0.0) -> Any:
    rows = np.concatenate(chunks)
    continue_signs(rows, None, simulation.compiled)
    return make_dataset(
        simulation.compiled,
        split_record(rows, simulation.compiled),
        attributes_of(simulation, "complete", seconds, [rows]),
    )


def _write(
    folder: Path, case: MbdmCase, simulation: Simulation, state: tuple[Array, Array], angles: Any, chunks: list[Array]
) -> Path:
    data = _dataset(simulation, chunks)
    turned = [
        body_table(data, case, body + 1, angles=None if angles is None else angles[body])[-1, 19:22]
        for body in range(len(case.bodies))
    ]
    second = checkpoint_of(data.isel(time=[-1]), case).q_acceleration
    time = case.t_start + simulation.time
    return write_checkpoint(folder, case, time, simulation.step, *state, second, np.array(turned))
