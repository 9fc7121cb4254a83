"""Pictures of results and of a model's tree."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def plot(
    file: Annotated[
        Path, typer.Argument(help="run directory, study or NetCDF result; with --tree a model", show_default=False)
    ],
    what: Annotated[list[str] | None, typer.Argument(help="what to draw, for example pitch or position:tower")] = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="picture to write: .png, .svg or .pdf; default beside the result")
    ] = None,
    over: Annotated[
        list[Path] | None, typer.Option("--with", help="a further result to lay over the first, repeated")
    ] = None,
    difference: Annotated[
        bool, typer.Option("--difference", help="subtract the first result from those of --with")
    ] = False,
    against: Annotated[
        str | None, typer.Option(help="channel to draw over instead of time; of a study the parameter along the axis")
    ] = None,
    spectrum: Annotated[bool, typer.Option("--spectrum", help="spectral densities instead of histories")] = False,
    phase: Annotated[
        bool, typer.Option("--phase", help="rates over coordinates: pin.angle, position:a:z, pitch")
    ] = False,
    animate: Annotated[Path | None, typer.Option(help="a .gif of the moving bodies instead")] = None,
    tree: Annotated[bool, typer.Option("--tree", help="the tree of a model and its loops instead")] = False,
) -> None:
    """Draw a result: histories, one channel against another, several runs, a study, spectra, phase, a film."""
    from fairlead.results.reading import open_result, result_file
    from fairlead.view.plots import draw_tree
    from fairlead.view.plots import plot as draw

    if tree:
        from fairlead.cli.common import loaded

        target = out or file.with_suffix(".png")
        draw_tree(loaded(file), target)
    elif animate is not None:
        from fairlead.view.movie import animate as move
        from fairlead.view.reports import model_of

        target = animate
        move(open_result(file), target, model_of(file))
    else:
        target = out or result_file(file).with_suffix(".png")
        runs = [file, *over] if over else file
        draw(runs, target, what or None, against=against, difference=difference, spectrum=spectrum, phase=phase)
    print(f"drew {target}")
