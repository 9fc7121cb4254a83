"""Legacy MBDM files written from a case, in the spelling of the MBDM note; they read back to the same case."""

from __future__ import annotations

import contextlib
import os
import re
import tempfile
from pathlib import Path

from fairlead.errors import FilesFailure, InvalidInput
from fairlead.formats.mbdm.case import MbdmBody, MbdmCase, MbdmJoint, MooringLine, Parameters, Solvers, TracerGroup
from fairlead.formats.mbdm.keys import BODY, GROUP, GROUPS, HEAD, JOINT, LINE, LINES, PARAMETERS, SOLVERS

_ODD = re.compile(r"(?:^|\s)(?:#|!|%|//)|[^\S ]|^$|^\s|\s$")


def write_mbdm(case: MbdmCase, folder: str | os.PathLike[str], main: str = "mbdm") -> list[Path]:
    """Write the main file and the companions a case needs, each whole or not at all, and return their paths."""
    texts = {main: main_text(case)}
    if case.tracers:
        texts[f"{main}.expert.tracers"] = tracers_text(case.tracers)
    if case.mooring:
        texts[f"{main}.expert.mooring"] = mooring_text(case.mooring)
    if case.parameters != Parameters():
        texts[f"{main}.expert.parameters"] = parameters_text(case.parameters)
    if case.solvers is not None:
        texts[f"{main}.expert.solvers"] = solvers_text(case.solvers)
    paths = []
    for name, text in texts.items():
        paths.append(Path(folder) / name)
        _replace(paths[-1], text)
    return paths


def main_text(case: MbdmCase) -> str:
    """Return the main file of a case."""
    values = {
        "name": _words(case.name),
        "dynamic": str(int(case.dynamic)),
        "bodies": str(len(case.bodies)),
        "joints": str(len(case.joints)),
        "iterations": str(case.iterations),
        "save_output": str(case.save_output),
        "save_checkpoint": str(case.save_checkpoint),
        "save_tracers": str(case.save_tracers),
    }
    values |= {name: number(getattr(case, name)) for name in ("t_start", "t_end", "dt", "accuracy")}
    parts = ["\n".join(f"{spelling}: {values[name]}" for name, spelling in HEAD.fields.items())]
    parts += [_body(body, i) for i, body in enumerate(case.bodies, start=1)]
    parts += [_joint(joint, i) for i, joint in enumerate(case.joints, start=1)]
    return "\n\n".join(parts) + "\n"


def _body(body: MbdmBody, number_of: int) -> str:
    rows = {f"i{i}": vector(row) for i, row in enumerate(body.inertia, start=1)}
    values = {"name": _words(body.name), "mass": number(body.mass)} | rows
    values |= {name: vector(getattr(body, name)) for name in ("angles", "r", "v", "omega")}
    return "\n".join([f"Body {number_of}", *(f"{key}: {values[name]}" for name, key in BODY.fields.items())])


def _joint(joint: MbdmJoint, number_of: int) -> str:
    values = {"type": joint.type, "bodies": f"{joint.bodies[0]}, {joint.bodies[1]}", "dist": number(joint.dist)}
    values |= {name: vector(getattr(joint, name)) for name in ("p1", "q1", "r1", "p2", "q2", "r2")}
    return "\n".join([f"Joint {number_of}", *(f"{key}: {values[name]}" for name, key in JOINT.fields.items())])


def tracers_text(groups: tuple[TracerGroup, ...]) -> str:
    """Return an `mbdm.expert.tracers` file."""
    keys = GROUP.fields
    parts = [f"{GROUPS.fields['groups']}: {len(groups)}"]
    for i, group in enumerate(groups, start=1):
        lines = [f"{keys['group']}: {i}", f"{keys['body']}: {group.body}", f"{keys['count']}: {len(group.tracers)}"]
        parts.append("\n".join(lines + [f"{keys['tracers']}: {vector(point)}" for point in group.tracers]))
    return "\n\n".join(parts) + "\n"


def mooring_text(lines: tuple[MooringLine, ...]) -> str:
    """Return an `mbdm.expert.mooring` file."""
    parts = [f"{LINES.fields['lines']}: {len(lines)}"]
    for line in lines:
        if ":" in line.name or not re.match(r"[^\W\d]", line.name):
            raise InvalidInput(f"the name of a mooring line starts with a letter and has no colon; got {line.name!r}")
        values = {"body": str(line.body)}
        values |= {name: vector(getattr(line, name)) for name in ("anchor", "fairlead", "correction")}
        values |= {name: number(getattr(line, name)) for name in ("length", "stiffness", "damping")}
        parts.append("\n".join([_words(line.name), *(f"{key}: {values[name]}" for name, key in LINE.fields.items())]))
    return "\n\n".join(parts) + "\n"


def parameters_text(parameters: Parameters) -> str:
    """Return an `mbdm.expert.parameters` file."""
    return "".join(f"{key} : {int(getattr(parameters, name))}\n" for name, key in PARAMETERS.fields.items())


def solvers_text(solvers: Solvers) -> str:
    """Return an `mbdm.expert.solvers` file, with its dummy lines."""
    lines = []
    for name, key in SOLVERS.fields.items():
        value = getattr(solvers, name)
        rule = {"rpm": "_____", "spoolup": "======", "coupling_start": "======"}.get(name)
        lines += [rule] if rule else []
        lines.append(f"{key}: {_words(value) if isinstance(value, str) else number(value)}")
    return "\n".join(lines) + "\n"


def number(value: float) -> str:
    """Return the shortest spelling of a number that reads back to the same bits."""
    short = f"{value:g}"
    return short if float(short) == value else repr(float(value))


def vector(values: tuple[float, ...]) -> str:
    """Return numbers with commas between them."""
    return ", ".join(number(value) for value in values)


def _words(text: str) -> str:
    if _ODD.search(text):
        raise InvalidInput(
            f"a legacy file cannot hold the text {text!r}: one line, no '#', '!', '%' or '//' after a space"
        )
    return text


def _replace(path: Path, text: str) -> None:
    """Write a file under a temporary name and rename it."""
    temporary = ""
    try:
        handle, temporary = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        with open(handle, "w", encoding="utf-8", newline="\n") as stream:
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
    except OSError as error:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise FilesFailure(f"cannot write '{path}': {error.strerror}") from None
