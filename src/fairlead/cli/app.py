"""The command line: its verbs, each a function in a file of its own name. A new verb is a new file and a name here."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

# In the order of the help, each with what one types.
VERBS = {
    "examples": "fairlead examples run four-bar",
    "new": "fairlead new spar --kind floating",
    "check": "fairlead check model.yaml",
    "schema": "fairlead schema > fairlead.schema.json",
    "run": "fairlead run model.yaml --duration '60 s' --set environment.waves.height=4",
    "kinematics": "fairlead kinematics examples/slider_crank_kinematic.yaml",
    "equilibrium": "fairlead equilibrium models/oc3_hywind.yaml",
    "modes": "fairlead modes models/oc3_hywind.yaml --animate modes.gif",
    "resume": "fairlead resume model.run",
    "couple": "fairlead couple model.yaml",
    "convert": "fairlead convert model.run table.csv --columns pitch,heave",
    "mbdm": "fairlead mbdm case.in",
    "audit": "fairlead audit model.run",
    "crosscheck": "fairlead crosscheck model.yaml",
    "loads": "fairlead loads model.run --joint yaw",
    "statistics": "fairlead statistics model.run --discard '60 s'",
    "study": "fairlead study study.yaml",
    "plot": "fairlead plot model.run pitch --with other.run --difference",
    "report": "fairlead report model.run",
    "warm": "fairlead warm articulated",
}
PLAIN: dict[str, Any] = {"add_completion": False, "pretty_exceptions_enable": False, "rich_markup_mode": None}


class Commands(Mapping[str, Any]):
    """Commands by verb, each imported when it is asked for."""

    def __getitem__(self, verb: str) -> Any:
        if verb not in VERBS:
            raise KeyError(verb)
        alone = typer.Typer(**PLAIN)
        alone.command(verb, epilog=f"For example: {VERBS[verb]}")(
            getattr(importlib.import_module(f"fairlead.cli.verbs.{verb}"), verb)
        )
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
    epilog="Begin with: fairlead examples run four-bar, then fairlead report four-bar.run",
    **PLAIN | {"add_completion": True},
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
