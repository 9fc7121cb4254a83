"""Shipped models by name: where each is, and its first line.

In an installed package they lie in this folder, in a checkout in `examples` and `models` beside `src`.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

from fairlead.errors import InvalidInput, Problem
from fairlead.model.messages import did_you_mean

FOLDERS = ("examples", "models")


class Shipped(NamedTuple):
    """A model that comes with Fairlead."""

    name: str
    file: Path
    about: str


def shipped() -> dict[str, Shipped]:
    """Return every shipped model by its name, the examples first."""
    found = {}
    for folder in FOLDERS:
        for file in sorted(place(folder).glob("*.yaml")):
            name = plain(file.stem)
            found[name] = Shipped(name, file, _first_line(file))
    return found


def place(folder: str) -> Path:
    """Return where the files of a folder are."""
    inside = Path(__file__).parent / folder
    return inside if inside.is_dir() else Path(__file__).parents[3] / folder


def plain(name: str) -> str:
    """Return a name as it is listed: words between hyphens, without the number that puts files in order."""
    return re.sub(r"^\d+-", "", name.strip().casefold().removesuffix(".yaml").replace("_", "-").replace(" ", "-"))


def named(name: str) -> Shipped:
    """Return a shipped model by its name, with - or _ between its words; InvalidInput names the nearest."""
    known = shipped()
    if plain(name) not in known:
        raise InvalidInput([Problem(f"there is no shipped model '{name[:60]}'{did_you_mean(plain(name), known)}")])
    return known[plain(name)]


def needed_by(model: Shipped) -> list[Path]:
    """Return the files that a model needs beside it."""
    text = model.file.read_text(encoding="utf-8")
    names = re.findall(r"\bfile: *[\"']?([^\s,}\"']+)", text)
    return [model.file.parent / name for name in names if (model.file.parent / name).is_file()]


def _first_line(file: Path) -> str:
    with open(file, encoding="utf-8") as lines:
        first = next(lines, "")
    return first.lstrip("# ").strip()
