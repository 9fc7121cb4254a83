"""Kernels compiled ahead of their first use."""

from __future__ import annotations

from typing import Annotated

import typer

from fairlead.cli.options import Quiet
from fairlead.model.run_words import FORMULATIONS


def warm(
    formulations: Annotated[
        list[str] | None,
        typer.Argument(help=f"of {', '.join(FORMULATIONS[1:])}; all unless given", show_default=False),
    ] = None,
    quiet: Quiet = False,
) -> None:
    """Compile the kernels now, once per installation, so that no run has to wait for them."""
    from fairlead.running.warm import warm as compile_all

    compile_all(formulations, (lambda line: None) if quiet else print)
