"""A picture of a result."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def plot(
    file: Annotated[Path, typer.Argument(help="run directory, study or NetCDF result", show_default=False)],
    out: Annotated[Path | None, typer.Option("--out", "-o", help="picture to write; default beside the result")] = None,
    against: Annotated[str | None, typer.Option(help="of a study: the parameter along the axis")] = None,
    what: Annotated[list[str] | None, typer.Argument(help="what to draw, for example position:tower")] = None,
) -> None:
    """Draw the motion, or the statistics of a study, as a PNG picture."""
    from fairlead.results.reading import result_file
    from fairlead.view.plots import plot as draw

    target = out or result_file(file).with_suffix(".png")
    draw(file, target, what=what or None, against=against)
    print(f"drew {target}")
