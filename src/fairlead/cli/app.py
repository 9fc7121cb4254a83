"""The command line: its verbs, each a function in a file of its own name. A new verb is a new file and a row here."""

from __future__ import annotations

from typing import Annotated

import typer

from fairlead.cli.verbs import (
    audit,
    check,
    convert,
    crosscheck,
    equilibrium,
    kinematics,
    loads,
    mbdm,
    modes,
    plot,
    resume,
    run,
    schema,
    statistics,
    warm,
)

# In the order of the help.
VERBS = (
    check.check,
    schema.schema,
    run.run,
    kinematics.kinematics,
    equilibrium.equilibrium,
    modes.modes,
    resume.resume,
    convert.convert,
    mbdm.mbdm,
    audit.audit,
    crosscheck.crosscheck,
    loads.loads,
    statistics.statistics,
    plot.plot,
    warm.warm,
)

app = typer.Typer(
    name="fairlead",
    help="Simulate systems of rigid bodies, from a slider-crank to a floating wind turbine, and audit every run.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
for verb in VERBS:
    app.command()(verb)


def _version(value: bool) -> None:
    if value:
        import fairlead

        print(f"fairlead {fairlead.__version__}")
        raise typer.Exit()


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="print the version")
    ] = False,
) -> None:
    pass
