"""Arguments and options that several verbs take, in the same words."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

ModelFile = Annotated[Path, typer.Argument(help="model file (YAML, URDF, or an MBDM case)", show_default=False)]
AsJson = Annotated[bool, typer.Option("--json", help="print figures as JSON")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="print only problems")]
Floating = Annotated[bool, typer.Option("--floating-base", help="let the root link of a URDF float")]
Changes = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="PATH=VALUE", help="set a value of the model, for example run.duration='60 s'"),
]
Tolerance = Annotated[
    float | None,
    typer.Option(help="relative tolerance of the audit; default: that of the run, else 1e-6", show_default=False),
]
