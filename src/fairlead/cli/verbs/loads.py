"""Internal loads from a recorded motion."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from fairlead.cli.common import must_be_new
from fairlead.cli.options import AsJson


def loads(
    file: Annotated[
        Path, typer.Argument(help="run directory, NetCDF result, or a table with --columns", show_default=False)
    ],
    joint: Annotated[str | None, typer.Option(help="one joint; default all", show_default=False)] = None,
    axes: Annotated[str, typer.Option(help="world, parent or child")] = "world",
    route: Annotated[
        str | None, typer.Option(help="accelerations recorded or differentiated", show_default=False)
    ] = None,
    columns: Annotated[Path | None, typer.Option(help="YAML map of the columns of a foreign table")] = None,
    out: Annotated[Path | None, typer.Option("--out", "-o", help="write the series: .nc, or .csv")] = None,
    as_json: AsJson = False,
) -> None:
    """Find the force and moment through joints from the motion alone, and what is not determined by rigid bodies."""
    from fairlead.errors import InvalidInput, Problem
    from fairlead.formats.foreign.questions import internal_loads
    from fairlead.inverse_dynamics.table import figures, table
    from fairlead.results.netcdf import write_csv, write_netcdf

    must_be_new(out, "--out")
    if out is not None and out.suffix not in (".nc", ".csv"):
        raise InvalidInput([Problem(f"must end in .nc or .csv; got '{out}'", path="--out")])
    found = internal_loads(file, joint, axes, route=route, columns=columns)
    if out is not None:
        (write_csv if out.suffix == ".csv" else write_netcdf)(found, out)
    print(json.dumps(figures(found), indent=2) if as_json else table(found))
