"""`load`: a model from YAML, from URDF, or from a legacy MBDM case."""

from __future__ import annotations

import json
import os
import warnings
from pathlib import Path

from fairlead.errors import FilesFailure, InvalidInput, Problem
from fairlead.formats.text import MOST_BYTES
from fairlead.formats.yaml.read import load as load_yaml
from fairlead.model.checks.checked import seal
from fairlead.model.files import also_in
from fairlead.model.schema import Model
from fairlead.plain_files import read_plain
from fairlead.results.reading import RUN

YAML = (".yaml", ".yml")
URDF = (".urdf", ".xacro", ".xml")


def load(path: str | Path, *, floating_base: bool = False) -> Model:
    """Return the model in a file: YAML or URDF by its ending, otherwise an MBDM main file or the folder that holds one.

    The root link of a URDF stands on the world unless `floating_base`; what a model cannot say of it is a
    warning, and so is what a legacy file may mean otherwise than it is read.
    """
    path = Path(path)
    if is_urdf(path):
        return _load_urdf(path, floating_base)
    if floating_base:
        raise InvalidInput(f"floating_base is for URDF files; in '{path}' a body without a joint to the world floats")
    if is_legacy(path):
        from fairlead.formats.mbdm.convert import load_with_remarks

        model, problems = load_with_remarks(path)
        _warn(problems)
        return model
    with also_in(_folders_of_run(path)):
        return seal(load_yaml(path))


def _folders_of_run(path: Path) -> set[str]:
    """Return the folders of the files that a run used, whose directory keeps this model; none for another file."""
    try:
        files = json.loads(read_plain(path.parent / RUN, MOST_BYTES))["files"]
        return {os.path.dirname(place) for name in files for place in (name, os.path.realpath(name))}
    except (InvalidInput, FilesFailure, ValueError, KeyError, TypeError):
        return set()


def is_urdf(path: Path) -> bool:
    """Return whether a file is a URDF by its ending."""
    return path.suffix.lower() in URDF and not path.is_dir()


def is_legacy(path: Path) -> bool:
    """Return whether a path is an MBDM main file, by its name or its first key, or a folder, which may hold one."""
    return path.is_dir() or (path.suffix not in YAML and _looks_legacy(path))


def _load_urdf(path: Path, floating_base: bool) -> Model:
    from fairlead.formats.urdf.convert import read_urdf

    model, problems = read_urdf(path, floating_base=floating_base)
    if model is None:
        raise InvalidInput([problem for problem in problems if problem.severity == "error"])
    _warn(problems)
    return model


def _warn(problems: list[Problem]) -> None:
    for problem in problems:
        if problem.severity == "warning":
            warnings.warn(str(problem), stacklevel=3)


def _looks_legacy(path: Path) -> bool:
    """Return whether a file is named as MBDM's main file is, or starts with its first key."""
    if path.name == "mbdm":
        return True
    if path.suffix:
        return False
    try:
        return read_plain(path, MOST_BYTES).lstrip(b"\xef\xbb\xbf \t\r\n")[:5].lower() == b"name:"
    except (InvalidInput, FilesFailure):
        return False
