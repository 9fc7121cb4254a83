"""The command line: its verbs, each a function in a file of its own name. A new verb is a new file and a name here."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

# In the order of the help.
VERBS = (
    "check",
    "schema",
    "run",
    "kinematics",
    "equilibrium",
    "modes",
    "resume",
    "couple",
    "convert",
    "mbdm",
    "audit",
    "crosscheck",
    "loads",
    "statistics",
    "study",
    "plot",
    "report",
    "warm",
)
PLAIN: dict[str, Any] = {"add_completion": False, "pretty_exceptions_enable": False, "rich_markup_mode": None}


class Commands(Mapping[str, Any]):
    """Commands by verb, each imported when it is asked for."""

    def __getitem__(self, verb: str) -> Any:
        if verb not in VERBS:
            raise KeyError(verb)
        alone = typer.Typer(**PLAIN)
        alone.command(verb)(getattr(importlib.import_module(f"fairlead.cli.verbs.{verb}"), verb))
        return typer.main.get_command(alone)

    def __iter__(self) -> Iterator[str]:
        return iter(VERBS)

    def __len__(self) -> int:
        return len(VERBS)


class Verbs(TyperGroup):
    """The command `fairlead`, which imports only the verb that it runs."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options | {"commands": Commands()})


app = typer.Typer(
    cls=Verbs,
    name="fairlead",
    help="Simulate systems of rigid bodies, from a slider-crank to a floating wind turbine, and audit every run.",
    no_args_is_help=True,
    **PLAIN,
)


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
