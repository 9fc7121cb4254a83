"""A legacy case run as the original program runs it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import typer


def mbdm(
    source: Annotated[Path, typer.Argument(help="MBDM main file or its folder", show_default=False)],
    checkpoint: Annotated[str, typer.Argument(help="checkpoint to start from, or none", show_default=False)],
    out: Annotated[Path, typer.Option("--out", "-o", help="folder for the files MBDM would write")] = Path("."),
) -> None:
    """Run a legacy case and write its files with the names and columns of MBDM."""
    from fairlead.formats.mbdm.convert import open_case
    from fairlead.results.findings import findings
    from fairlead.running.legacy.case import run_case

    def say(problem: Any) -> None:
        print(problem, file=sys.stderr)

    start = None if checkpoint.lower() == "none" else Path(checkpoint)
    case, remarks = open_case(source)
    for problem in remarks:
        say(problem)
    data, written, _ = run_case(case, out, start, show=print, remark=say)
    print(f"{data.sizes['time']} instants; wrote {len(written)} files in {out}")
    for sentence in findings(data.attrs):
        print(f"note: {sentence}")
