"""The audit of a result or of a foreign table."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from fairlead.cli.options import AsJson, Tolerance


def audit(
    file: Annotated[
        Path, typer.Argument(help="run directory, NetCDF result, or a table with --columns", show_default=False)
    ],
    columns: Annotated[Path | None, typer.Option(help="YAML map of the columns of a foreign table")] = None,
    tolerance: Tolerance = None,
    as_json: AsJson = False,
) -> None:
    """Check momentum, energy and kinematics of a result or of any simulator's table; exit 1 if a check fails."""
    from fairlead.formats.foreign.questions import audit as audit_data

    found = audit_data(file, tolerance=tolerance, columns=columns)
    print(json.dumps(found.to_dict(), indent=2) if as_json else found.table())
    if not found.passed:
        raise typer.Exit(1)
