"""The models that come with Fairlead: listed, copied and run by name."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Annotated

import typer

ACTIONS = ("list", "copy", "run", "show")


def examples(
    action: Annotated[str, typer.Argument(help="list, copy, run or show")] = "list",
    names: Annotated[list[str] | None, typer.Argument(help="names, with - or _", show_default=False)] = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="folder to copy into, or run directory to create")
    ] = None,
) -> None:
    """List the models that come with Fairlead, copy some here, show one, or run one."""
    from fairlead.errors import InvalidInput, Problem
    from fairlead.model.messages import unknown
    from fairlead.shipped.names import named, shipped

    if action not in ACTIONS:
        raise InvalidInput([Problem(unknown("action", action, ACTIONS))])
    if action == "list":
        found = shipped()
        wide = max(map(len, found))
        for one in found.values():
            print(f"{one.name:{wide}}  {one.about}")
        print("\nnext: fairlead examples run four-bar        (or: copy, show)")
        return
    if not names:
        raise InvalidInput([Problem(f"which one? for example fairlead examples {action} four-bar")])
    chosen = [named(name) for name in names]
    if action == "show":
        for one in chosen:
            print(one.file.read_text(encoding="utf-8"), end="")
    elif action == "copy":
        for one in chosen:
            for file in _copied(one, out or Path()):
                print(f"copied {file}")
    else:
        _run([one.file for one in chosen], out)


def _copied(one: object, folder: Path) -> list[Path]:
    from fairlead.errors import FilesFailure
    from fairlead.shipped.names import Shipped, needed_by

    assert isinstance(one, Shipped)
    folder.mkdir(parents=True, exist_ok=True)
    made = []
    for file in (one.file, *needed_by(one)):
        target = folder / file.name
        if target.exists():
            raise FilesFailure(f"{target} exists; copy into another folder with --out")
        shutil.copyfile(file, target)
        made.append(target)
    return made


def _run(files: list[Path], out: Path | None) -> None:
    from fairlead.cli.verbs.run import run
    from fairlead.errors import InvalidInput, Problem
    from fairlead.shipped.names import plain

    if out is not None and len(files) > 1:
        raise InvalidInput([Problem("is for one run; leave it out", "--out")])
    for file in files:
        run(file, out or Path(f"{plain(file.stem)}.run"))
