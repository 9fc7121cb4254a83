"""One page of a run, with a scene that moves."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def report(
    runs: Annotated[
        list[Path],
        typer.Argument(help="run directory or NetCDF result; further ones are laid over it", show_default=False),
    ],
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="HTML file to write; default report.html beside the result")
    ] = None,
    model: Annotated[
        Path | None, typer.Option(help="model file with shapes, waves and lines; default that of the run directory")
    ] = None,
    modes: Annotated[
        Path | None, typer.Option(help="file of `fairlead modes MODEL --out`, for modes that move")
    ] = None,
) -> None:
    """Write one HTML page of a run: the audit, a moving scene, histories and the model. It needs no network."""
    from fairlead.results.reading import result_file
    from fairlead.view.reports import report as write

    target = out or result_file(runs[0]).with_name("report.html")
    write(list(runs), target, model=model, modes=modes)
    print(f"wrote {target} ({target.stat().st_size / 1e6:.1f} MB); open it in a browser")
