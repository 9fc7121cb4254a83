"""A model run together with other programs that compute loads on its bodies."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from fairlead.cli.common import conclude, loaded, note, placed_in, seconds
from fairlead.cli.options import AsJson, Changes, Quiet, Tolerance
from fairlead.cli.verbs.run import Out, remark
from fairlead.model.run_words import FORMULATIONS

STEPPED = ("rk4", "symplectic-euler")


def couple(
    file: Annotated[Path, typer.Argument(help="model file with partners, or an MBDM case", show_default=False)],
    checkpoint: Annotated[
        Path | None, typer.Argument(help="run directory (of a case: checkpoint) to go on from", show_default=False)
    ] = None,
    out: Out = None,
    duration: Annotated[str | None, typer.Option(help="simulated time, for example '600 s'")] = None,
    dt: Annotated[str | None, typer.Option(help="step; that of a partner which has one unless given")] = None,
    integrator: Annotated[str | None, typer.Option(help=f"one of {', '.join(STEPPED)}")] = None,
    formulation: Annotated[str | None, typer.Option(help=f"one of {', '.join(FORMULATIONS)}")] = None,
    output_every: Annotated[int | None, typer.Option(help="record every so many steps")] = None,
    ramp: Annotated[str | None, typer.Option(help="time over which waves and wind are raised, e.g. '20 s'")] = None,
    tolerance: Tolerance = None,
    accept_mismatch: Annotated[
        bool, typer.Option("--accept-mismatch", help="go on though the state of a partner is not the one it wrote then")
    ] = False,
    transport: Annotated[
        str | None, typer.Option(help="of a case: socket or mpi; mpi under mpiexec unless given", show_default=False)
    ] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="replace an earlier run of that name")] = False,
    changes: Changes = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Run a model together with its partners: starts them, exchanges loads and motion, keeps checkpoints together.

    Exit 7 if a partner fails; what was computed is kept, and the run goes on from its checkpoint.
    """
    from fairlead.formats.load import is_legacy
    from fairlead.running.partners.couple import couple as run_coupled

    if is_legacy(file):
        return _case(file, checkpoint, out, transport, accept_mismatch)
    model = loaded(file, changes)
    given = {
        "duration": seconds(duration, "duration"),
        "dt": seconds(dt, "dt"),
        "integrator": integrator,
        "formulation": formulation,
        "output_every": output_every,
        "ramp": seconds(ramp, "ramp"),
        "audit": None if tolerance is None else {"tolerance": tolerance},
    }
    directory = checkpoint or out or Path(f"{file.stem}.run")
    if not (quiet or as_json):
        remark(model)
    with placed_in(file):
        data = run_coupled(
            model,
            out=directory,
            overwrite=overwrite,
            folder=file.resolve().parent,
            resume=checkpoint is not None,
            accept_mismatch=accept_mismatch,
            say=note,
            **given,  # type: ignore[arg-type]
        )
    conclude(data, directory, tolerance, False, as_json, quiet)


def _case(source: Path, checkpoint: Path | None, out: Path | None, transport: str | None, accept: bool) -> None:
    """Run a legacy case with HMB and SPH and write its files."""
    from fairlead.errors import InvalidInput, Problem
    from fairlead.formats.mbdm.convert import open_case
    from fairlead.results.findings import findings
    from fairlead.running.legacy.coupled import couple_case

    def say(problem: Any) -> None:
        print(problem, file=sys.stderr)

    transport = transport or ("mpi" if {"PMI_RANK", "OMPI_COMM_WORLD_RANK"} & os.environ.keys() else "socket")
    if transport not in ("socket", "mpi"):
        raise InvalidInput([Problem(f"must be socket or mpi; got '{transport}'", "--transport")])
    start = None if checkpoint is None or str(checkpoint).lower() == "none" else checkpoint
    case, remarks = open_case(source, coupled=True)
    for problem in remarks:
        say(problem)
    folder = source if source.is_dir() else source.parent
    place = out or Path(".")
    data, written = couple_case(case, folder, place, start, transport, print, say, accept)
    print(f"{data.sizes['time']} instants; wrote {len(written)} files in {place}")
    for sentence in findings(data.attrs):
        print(f"note: {sentence}")
