"""One model through every formulation that can take it."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from fairlead.cli.common import loaded, seconds
from fairlead.cli.options import AsJson, Changes, Floating, ModelFile


def crosscheck(
    file: ModelFile,
    duration: Annotated[str | None, typer.Option(help="simulated time, for example '5 s'")] = None,
    dt: Annotated[str | None, typer.Option(help="step of the record, for example '0.05 s'")] = None,
    tolerance: Annotated[float, typer.Option(help="largest relative difference allowed")] = 1e-6,
    integrator: Annotated[str, typer.Option(help="the same for all")] = "dop853",
    rtol: Annotated[
        float | None,
        typer.Option(help="relative tolerance of an adaptive integrator; default 1e-12", show_default=False),
    ] = None,
    patience: Annotated[float, typer.Option(help="seconds after which a formulation is given up")] = 60.0,
    floating_base: Floating = False,
    changes: Changes = None,
    as_json: AsJson = False,
) -> None:
    """Run a model through every formulation that can take it and compare the records; exit 1 if they differ."""
    from fairlead.running.crosscheck import crosscheck as compare

    span = (seconds(duration, "duration"), seconds(dt, "dt"))
    model = loaded(file, changes, floating_base=floating_base)
    found = compare(model, *span, tolerance=tolerance, integrator=integrator, rtol=rtol, patience=patience)
    print(json.dumps(found.to_dict(), indent=2) if as_json else found.table())
    if not found.passed:
        raise typer.Exit(1)
