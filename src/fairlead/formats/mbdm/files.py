"""Legacy MBDM files read by key and written back: the main file and its companions.

Each reader returns what the file says, None if it has errors, and all problems in the order of the file.
MBDM note section 7.1.
"""

from __future__ import annotations

import os
from dataclasses import replace
from typing import Any

from fairlead.errors import FilesFailure, InvalidInput, Problem
from fairlead.formats.mbdm import companions as mbdm_companions
from fairlead.formats.mbdm import main as mbdm_main
from fairlead.formats.mbdm.case import MbdmCase, MooringLine, Solvers, TracerGroup
from fairlead.formats.mbdm.text import Reader, TooMany

MAIN = "mbdm"
READERS = {
    "tracers": mbdm_companions.tracers,
    "mooring": mbdm_companions.mooring,
    "parameters": mbdm_companions.parameters,
    "solvers": mbdm_companions.solvers,
}
PathLike = str | os.PathLike[str]


def read_case(path: PathLike) -> MbdmCase:
    """Return the case of a directory or a main file with its companions; InvalidInput lists every problem."""
    case, problems = read_mbdm(path)
    if case is None:
        raise InvalidInput([problem for problem in problems if problem.severity == "error"])
    return case


def read_mbdm(path: PathLike) -> tuple[MbdmCase | None, list[Problem]]:
    """Return the case of a directory or a main file with the companions beside it, None if there are errors."""
    case, problems = read_partly(path)
    return (None if any(problem.severity == "error" for problem in problems) else case), problems


def read_partly(path: PathLike) -> tuple[MbdmCase | None, list[Problem]]:
    """Return a case as far as it could be read, zeros for the rest, and all problems; None if the main file is no text.

    So that what is wrong in one line does not hide what is wrong with others.
    """
    main = main_file(path)
    reader = Reader(main)
    case: MbdmCase | None = _read_from(reader, mbdm_main.main)
    problems, places = reader.problems, reader.places
    read: dict[str, Any] = {}
    for companion, reading in READERS.items():
        file = f"{main}.expert.{companion}"
        if os.path.exists(file):
            reader = Reader(file)
            value = _read_from(reader, reading)
            read |= {} if value is None else {companion: value}
            problems = problems + reader.problems
            places = places | reader.places
    if case is None:
        return None, problems
    case = replace(case, **read, places=places)
    return case, problems + _wrong_bodies(case)


def main_file(path: PathLike) -> str:
    """Return the main file: `path` itself, or the file `mbdm` in it if it is a directory."""
    given = os.fspath(path)
    if not os.path.isdir(given):
        return given
    expected = os.path.join(given, MAIN)
    if os.path.exists(expected):
        return expected
    heads = {name.partition(".expert.")[0] for name in os.listdir(given) if ".expert." in name}
    mains = sorted(name for name in heads if os.path.isfile(os.path.join(given, name)))
    if len(mains) == 1:
        return os.path.join(given, mains[0])
    raise FilesFailure(f"there is no main file '{MAIN}' in '{given}'; if it has another name, name it")


def read_main(path: PathLike) -> tuple[MbdmCase | None, list[Problem]]:
    """Return the case of a main file alone, without its companions."""
    reader = Reader(os.fspath(path))
    case = _guarded(reader, mbdm_main.main)
    return (replace(case, places=reader.places) if case else None), reader.problems


def read_tracers(path: PathLike) -> tuple[tuple[TracerGroup, ...] | None, list[Problem]]:
    """Return the groups of an `mbdm.expert.tracers` file."""
    return _read(path, mbdm_companions.tracers)


def read_mooring(path: PathLike) -> tuple[tuple[MooringLine, ...] | None, list[Problem]]:
    """Return the lines of an `mbdm.expert.mooring` file."""
    return _read(path, mbdm_companions.mooring)


def read_solvers(path: PathLike) -> tuple[Solvers | None, list[Problem]]:
    """Return the partners of an `mbdm.expert.solvers` file."""
    return _read(path, mbdm_companions.solvers)


def _read(path: PathLike, read: Any) -> tuple[Any, list[Problem]]:
    reader = Reader(os.fspath(path))
    return _guarded(reader, read), reader.problems


def _guarded(reader: Reader, read: Any) -> Any:
    """Return the value that `read` makes of a file, None if it has errors."""
    value = _read_from(reader, read)
    return None if reader.failed else value


def _read_from(reader: Reader, read: Any) -> Any:
    """Return the value `read` makes of a file, None if there is none; problems are put in the order of the file."""
    lines = reader.lines()
    value = None
    if not reader.failed:
        try:
            value = read(reader, lines)
        except TooMany:
            pass
    reader.problems.sort(key=lambda problem: (problem.line, problem.column))
    return value


def _wrong_bodies(case: MbdmCase) -> list[Problem]:
    """Return the companions' entries that name a body the main file does not have."""
    named = {f"tracers.{i}.body": group.body for i, group in enumerate(case.tracers, start=1)}
    named |= {f"mooring.{i}.body": line.body for i, line in enumerate(case.mooring, start=1)}
    if case.solvers:
        named |= {"solvers.hmb_body": case.solvers.hmb_body, "solvers.sph_body": case.solvers.sph_body}
    most = len(case.bodies)
    return [
        case.problem(path, f"expected the ID of a body, 1 to {most}; got {body}")
        for path, body in named.items()
        if body > most
    ]
