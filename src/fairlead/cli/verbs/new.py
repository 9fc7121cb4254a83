"""A commented model to begin with."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def new(
    name: Annotated[str, typer.Argument(help="name of the model; its file is NAME.yaml", show_default=False)],
    kind: Annotated[str, typer.Option(help="mechanism, spacecraft, robot or floating")] = "mechanism",
) -> None:
    """Write a small commented model that runs, to change into one's own."""
    from fairlead.errors import FilesFailure, InvalidInput, Problem
    from fairlead.model.fields import NAME
    from fairlead.model.messages import unknown
    from fairlead.results.atomic import atomically
    from fairlead.shipped.drafts import DRAFTS

    if kind not in DRAFTS:
        raise InvalidInput([Problem(unknown("kind", kind, DRAFTS), "--kind")])
    called = name.removesuffix(".yaml")
    if not NAME.fullmatch(called) or len(called) > 64:
        raise InvalidInput(
            [Problem(f"'{called[:64]}' is no name: a letter, then letters, digits, '_', '-' and spaces")]
        )
    target = Path(f"{called}.yaml")
    if target.exists():
        raise FilesFailure(f"{target} exists; choose another name")
    content = DRAFTS[kind].replace("NAME", called).encode("utf-8")
    atomically(target, lambda file: file.write_bytes(content))
    print(
        f"wrote {target}\nnext: fairlead run '{target}'"
        if " " in called
        else f"wrote {target}\nnext: fairlead run {target}"
    )
