"""A model run together with other programs that compute loads on its bodies."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

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
    overwrite: Annotated[bool, typer.Option("--overwrite", help="replace an earlier run of that name")] = False,
    changes: Changes = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Run a model together with its partners: starts them, exchanges loads and motion, keeps checkpoints together.

    Exit 7 if a partner fails; what was computed is kept, and the run goes on from its checkpoint.
    """
    from fairlead.running.partners.couple import couple as run_coupled

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
