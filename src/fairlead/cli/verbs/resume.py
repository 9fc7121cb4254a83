"""A run on disk carried on."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from fairlead.cli.common import conclude, note
from fairlead.cli.options import AsJson, Quiet, Tolerance


def resume(
    directory: Annotated[Path, typer.Argument(help="run directory", show_default=False)],
    tolerance: Tolerance = None,
    csv: Annotated[bool, typer.Option("--csv", help="also write result.csv")] = False,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Carry on a run that was stopped or killed; the result is the same to the last bit."""
    from fairlead.running.directory import resume_directory

    data, warnings = resume_directory(directory)
    for warning in warnings:
        note(warning)
    conclude(data, directory, tolerance, csv, as_json, quiet)
