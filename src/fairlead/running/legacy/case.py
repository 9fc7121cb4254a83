"""Legacy MBDM cases run as `./MBDM` does: output files that grow, and checkpoints from which a run goes on to the bit.

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

from fairlead.errors import CheckpointUnusable, InvalidInput, NumericalFailure, Problem
from fairlead.formats.mbdm.append import GrowingOutput
from fairlead.formats.mbdm.case import MbdmCase
from fairlead.formats.mbdm.checkpoint import MbdmCheckpoint, read_checkpoint, write_checkpoint
from fairlead.formats.mbdm.convert import refuse_coupled, to_model
from fairlead.formats.mbdm.output import output_files, state_vectors, turned_at_end
from fairlead.formats.mbdm.output_file import steps_in
from fairlead.model.schema import Model
from fairlead.results.dataset import make_dataset
from fairlead.running.legacy.debug import Partition, Stopwatch, independent_file, step_line, total_lines
from fairlead.running.legacy.exchange import packed, unpacked, write_hmb_time
from fairlead.running.legacy.info import not_driven, summary
from fairlead.running.legacy.state import legacy_state, present_row, set_state, with_signs
from fairlead.running.options import run_options
from fairlead.running.partners.coupled import meeting_steps
from fairlead.running.partners.together import rejoin, write_together
from fairlead.running.record import attributes_of, continue_signs, split_record
from fairlead.running.simulation import Simulation

Array = npt.NDArray[np.float64]
STRIDE = 100  # steps between lines of the timer where no output is saved
SECONDS, ROWS = 1.0, 2048  # what waits at most before it is appended to the output files


def run_case(
    case: MbdmCase,
    folder: Path,
    checkpoint: Path | None = None,
    show: Callable[[str], None] | None = None,
    remark: Callable[[Problem], None] | None = None,
) -> tuple[Any, list[Path], list[Problem]]:
    """Run a case, from a checkpoint if one is given; return its Dataset, the files written, and remarks.

    `show` gets the summary of the system before the run, and the lines of the timer if the case has it on; `remark`
    gets the remarks before the run starts.
    """
    refuse_coupled(case)
    model, problems = to_model(case)
    return run_checked(case, model, problems, folder, checkpoint, show, remark)


def run_checked(
    case: MbdmCase,
    model: Model,
    problems: list[Problem],
    folder: Path,
    checkpoint: Path | None = None,
    show: Callable[[str], None] | None = None,
    remark: Callable[[Problem], None] | None = None,
    integrator: str | None = None,
) -> tuple[Any, list[Path], list[Problem]]:
    """Run the model of a case; return its Dataset, the files written, and remarks."""
    watch, start = Stopwatch(), None
    if checkpoint is not None:
        start, warnings = read_checkpoint(checkpoint, case)
        problems = problems + list(warnings)
        if (len(start.sph) or len(start.hmb)) and not model.partners:
            message = "holds exchange vectors of coupled solvers, which are not used"
            problems.append(Problem(message, file=str(checkpoint), severity="warning"))
    if remark:
        for problem in problems:
            remark(problem)
    run = LegacyRun(case, model, Path(folder), start, show, watch, integrator)
    if show:
        show(summary(case, run.simulation))
    run.go()
    return run.data(), run.written, problems


class LegacyRun:
    """A case on its way: `go` steps to the end, appends the output and writes the checkpoints the case asks for."""

    def __init__(
        self,
        case: MbdmCase,
        model: Model,
        folder: Path,
        start: MbdmCheckpoint | None,
        show: Callable[[str], None] | None,
        watch: Stopwatch,
        integrator: str | None = None,
    ) -> None:
        self.case, self.folder, self.watch = case, folder, watch
        flags = case.parameters
        self.show = show if case.dynamic and flags.timer else None
        debug = flags.debug and case.dynamic
        options: dict[str, Any] = {"formulation": "constrained", **({"output_every": 1} if debug else {})}
        options |= {} if integrator is None else {"integrator": integrator}
        self.simulation = Simulation(model, **run_options(model, options))
        self.simulation.gap = case.accuracy
        self.simulation.work.constraint.newton[:2] = case.accuracy, max(1, case.iterations)
        if not case.dynamic:
            not_driven(case, self.simulation)
        self.partition = Partition(self.simulation) if debug else None
        self.angles: Array | None = None
        if start is not None and self.simulation.coupled:  # partners are not to be asked for the start
            self.simulation.started = True
            self._restart(start)
        else:
            self.before = with_signs(self.simulation.advance(), self.simulation)  # the row that the next ones follow
            if start is not None:
                self._restart(start)
        self.first = self.simulation.step
        self.output = GrowingOutput(folder, None if start is None else start.output)
        self.checkpoint: Path | None = None
        self.rows = [self.before]
        self.waiting: list[Array] = []
        self.flushed = wall.perf_counter()

    def _restart(self, start: MbdmCheckpoint) -> None:
        case, clock = self.case, self.simulation.clock
        step = round((start.time - case.t_start) / case.dt)
        if abs(case.t_start + step * case.dt - start.time) > 1e-6 * case.dt:
            raise CheckpointUnusable(
                f"the checkpoint is at t = {start.time:.10g} s, which steps of dt = {case.dt:g} s from t_start = "
                f"{case.t_start:g} s do not meet; choose a dt that does"
            )
        if step >= clock.steps:
            message = f"the checkpoint is at t = {start.time:g} s, so nothing is left to run; choose a later end"
            raise InvalidInput([case.problem("t_end", message)])
        set_state(self.simulation, start.q, start.q_rate)
        self.simulation.step, self.angles = step, start.angles
        for partner in self.simulation.coupled:
            partner.restore(unpacked(getattr(start, partner.name), partner.name))
        rejoin(self.simulation)
        self.before = present_row(self.simulation)

    def go(self) -> None:
        """Step to the end; whatever ends the run, the rows computed so far are in the files."""
        case, simulation = self.case, self.simulation
        simulation.prepare()
        self._append([])
        stride = (case.save_output or STRIDE) if self.show else simulation.clock.steps
        every = case.save_checkpoint or simulation.clock.steps
        meet = meeting_steps(simulation.coupled)
        every = -(-every // meet) * meet  # partners write their states where they are at one instant
        self.watch.lap("start")
        try:
            while simulation.step < simulation.clock.steps:
                due = min((simulation.step // every + 1) * every, simulation.clock.steps)
                while simulation.step < due:
                    self._advance(min(due, (simulation.step // stride + 1) * stride))
                if case.save_checkpoint:
                    self._checkpoint()
        finally:
            self._flush()
            self.output.close()
            self.watch.lap("output files")
        if self.show:
            for line in total_lines(case, simulation.step - self.first, self.watch):
                self.show(line)

    def _advance(self, stop: int) -> None:
        """Step to a step number; show how long it took, and append rows that have waited long enough."""
        simulation, before, seconds = self.simulation, self.simulation.step, 0.0
        while simulation.step < stop:
            self.watch.lap("output files")
            try:
                self.waiting.append(simulation.advance(stop - simulation.step))
            except NumericalFailure as error:
                self.waiting.append(getattr(error, "rows", self.before[:0]))
                raise
            seconds += self.watch.lap("steps")
            if wall.perf_counter() - self.flushed > SECONDS or sum(map(len, self.waiting)) >= ROWS:
                self._flush()
        if self.show:
            self.show(step_line(self.case, simulation, simulation.step - before, seconds))

    def _flush(self) -> None:
        waiting, self.waiting = [rows for rows in self.waiting if len(rows)], []
        self.flushed = wall.perf_counter()
        if waiting:
            self.rows += self._append(waiting)

    def _append(self, waiting: list[Array]) -> list[Array]:
        """Append rows to the output files and return them; the row before them is where their angles start."""
        rows = np.concatenate([self.before, *waiting])
        continue_signs(rows, None, self.simulation.compiled)
        data = self._dataset(rows)
        files = output_files(data, self.case, self.angles)
        if self.partition is not None:
            files.append(independent_file(data, self.case, self.partition))
        self.output.add(files, steps_in(data, self.case))
        self.angles = turned_at_end(data, self.angles)
        self.before = rows[-1:]
        return [rows[1:]]

    def _checkpoint(self) -> None:
        """Write the present state, and go on from it as it is written: q' and w differ in the last bit."""
        self._flush()
        write_together(self.simulation)
        vectors = {partner.name: packed(partner) for partner in self.simulation.coupled}
        state = legacy_state(self.simulation)
        set_state(self.simulation, *state)
        row = present_row(self.simulation)
        data = self._dataset(np.concatenate([self.before, row]))
        self.angles, self.before = turned_at_end(data, self.angles), row
        time, second = self.case.t_start + self.simulation.time, state_vectors(data)[2][-1]
        marks = self.output.marks()
        self.checkpoint = write_checkpoint(
            self.folder, self.case, time, self.simulation.step, *state, second, self.angles, output=marks, **vectors
        )
        if vectors:
            write_hmb_time(self.case, self.folder, time)

    def _dataset(self, rows: Array) -> Any:
        record = split_record(rows, self.simulation.compiled)
        seconds = self.watch.spent.get("steps", 0.0)
        said = attributes_of(self.simulation, "complete", seconds, [rows])
        return make_dataset(self.simulation.compiled, record, said)

    def data(self) -> Any:
        """Return the Dataset of the whole run."""
        return self._dataset(np.concatenate(self.rows))

    @property
    def written(self) -> list[Path]:
        """Return the paths of the files written."""
        return [*self.output.paths, *([self.checkpoint] if self.checkpoint else [])]
