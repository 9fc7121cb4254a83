"""The motion of a fully driven mechanism."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from fairlead.cli.common import loaded, must_be_new, seconds
from fairlead.cli.options import Changes, ModelFile


def kinematics(
    file: ModelFile,
    out: Annotated[Path | None, typer.Option("--out", "-o", help="NetCDF file to write; default NAME.nc")] = None,
    duration: Annotated[str | None, typer.Option(help="simulated time, for example '2 s'")] = None,
    dt: Annotated[str | None, typer.Option(help="step, for example '0.01 s'")] = None,
    changes: Changes = None,
    csv: Annotated[bool, typer.Option("--csv", help="also write a table beside it")] = False,
) -> None:
    """Move a fully driven mechanism: position, velocity and acceleration; says what is not driven if it is not."""
    from fairlead.results.findings import findings
    from fairlead.results.netcdf import write_csv, write_netcdf
    from fairlead.running.run import kinematics as move

    target = out or Path(f"{file.stem}.nc")
    must_be_new(target, "--out")
    data = move(loaded(file, changes), seconds(duration, "duration"), seconds(dt, "dt"))
    write_netcdf(data, target)
    if csv:
        write_csv(data, target.with_suffix(".csv"))
    worst = float(data["position_violation"].max())
    print(f"{data.sizes['time']} instants in {target}; constraints hold to {worst:.1e} (m or 1)")
    for sentence in findings(data.attrs):
        print(f"note: {sentence}")
