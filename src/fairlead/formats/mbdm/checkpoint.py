"""Checkpoints in the layout of the original MBDM program, with a sidecar that says whether they can be trusted.

MBDM note section 9: a line with the time, one each for q, q' and q'', three integrated angles per body, and the
exchange vectors of SPH and HMB where solvers are coupled. Numbers have 17 digits, so they read back to the same bits.
The sidecar `<checkpoint>.json` holds what the layout has no place for: step, checksum, version, a hash of the system,
and where the output files stood.
"""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

import fairlead
from fairlead.errors import CheckpointUnusable, InvalidInput, Problem
from fairlead.formats.mbdm.case import MbdmCase
from fairlead.formats.mbdm.output_file import make_folder, stem_of
from fairlead.plain_files import Unreadable, read_plain
from fairlead.results.netcdf import atomically

Array = npt.NDArray[np.float64]
FORMAT = 1
FOLDER = "MBDM_checkpoint"
MOST_BYTES = 64_000_000
NONE = np.zeros(0)
EXCHANGE = ("sph", "hmb")  # the order in which the note stores exchange vectors


@dataclass(frozen=True, eq=False)
class MbdmCheckpoint:
    """The state of a legacy run: time, step (-1 if unknown), q, q', q'', angles (body, xyz), exchange vectors."""

    time: float
    step: int
    q: Array
    q_rate: Array
    q_acceleration: Array
    angles: Array
    sph: Array = field(default_factory=lambda: NONE)
    hmb: Array = field(default_factory=lambda: NONE)
    output: dict[str, Any] = field(default_factory=dict)  # per output file: bytes, sha256 and last step then in it


def checkpoint_path(folder: str | os.PathLike[str], case: MbdmCase) -> Path:
    """Return where the checkpoint of a case stands in its execution folder."""
    return Path(folder) / FOLDER / f"{stem_of(case)}_checkpoint"


def old_path(path: Path) -> Path:
    """Return where the checkpoint before is kept."""
    return path.with_name(path.name + "_old")


def system_hash(case: MbdmCase) -> str:
    """Return a short hash of the bodies, joints and mooring of a case; times and saving may change on a restart."""
    return hashlib.sha256(repr((case.bodies, case.joints, case.mooring)).encode()).hexdigest()[:16]


def write_checkpoint(
    path: str | os.PathLike[str],
    case: MbdmCase,
    time: float,
    step: int,
    q: Array,
    q_rate: Array,
    q_acceleration: Array,
    angles: Array,
    *,
    sph: Array = NONE,
    hmb: Array = NONE,
    output: dict[str, Any] | None = None,
) -> Path:
    """Write the checkpoint of a case into its execution folder `path`, keep the one before as `_old`, return its path.

    At every instant one of the two is whole: the old one is a copy, made before the new one replaces the last.
    `output` says where the output files stand (`GrowingOutput.marks`), so that a restart can go on there.
    """
    state = MbdmCheckpoint(time, step, q, q_rate, q_acceleration, np.reshape(angles, (-1, 3)), sph, hmb)
    bodies = len(case.bodies)
    shapes = {"q": 7 * bodies, "q_rate": 7 * bodies, "q_acceleration": 7 * bodies, "angles": 3 * bodies}
    for name, size in shapes.items():
        values = np.asarray(getattr(state, name), dtype=float)
        if values.size != size or not np.isfinite(values).all():
            raise InvalidInput(f"a checkpoint of {bodies} bodies needs {size} finite numbers for '{name}'")
    content = _layout(state).encode()
    about = {
        "format": FORMAT,
        "fairlead": fairlead.__version__,
        "case": case.name,
        "system": system_hash(case),
        "bodies": bodies,
        "step": int(step),
        "exchange": [name for name in EXCHANGE if len(getattr(state, name))],
        "bytes": len(content),
        "sha256": hashlib.sha256(content).hexdigest(),
        "output": output or {},
    }
    target = checkpoint_path(path, case)
    make_folder(target.parent)
    if target.exists():
        for before, kept in ((target, old_path(target)), (sidecar(target), sidecar(old_path(target)))):
            if before.exists():
                _write(kept, before.read_bytes())
    _write(sidecar(target), (json.dumps(about, indent=2) + "\n").encode())
    _write(target, content)
    return target


def sidecar(path: Path) -> Path:
    """Return the sidecar of a checkpoint."""
    return path.with_name(path.name + ".json")


def _write(path: Path, content: bytes) -> None:
    atomically(path, lambda temporary: temporary.write_bytes(content))


def _layout(state: MbdmCheckpoint) -> str:
    rows = [[state.time], state.q, state.q_rate, state.q_acceleration, *state.angles]
    rows += [vector for vector in (getattr(state, name) for name in EXCHANGE) if len(vector)]
    return "".join(" ".join(f"{float(value):.17g}" for value in row) + "\n" for row in rows)


def read_checkpoint(path: str | os.PathLike[str], case: MbdmCase | None = None) -> tuple[MbdmCheckpoint, list[Problem]]:
    """Return a checkpoint file and warnings about it; CheckpointUnusable says what is wrong and offers `_old`.

    With a case the checkpoint must be one of its system. A file without a sidecar comes from the original program and
    is taken with a warning.
    """
    file = Path(path)
    try:
        return _read(file, case)
    except CheckpointUnusable as error:
        old = old_path(file)
        try:
            earlier, _ = _read(old, case)
        except CheckpointUnusable:
            raise error from None
        offer = f"the one before, {old.name}, is whole and at t = {earlier.time:g} s: read that instead"
        raise CheckpointUnusable(f"{error}; {offer}") from None


def _read(file: Path, case: MbdmCase | None) -> tuple[MbdmCheckpoint, list[Problem]]:
    content = _bytes(file)
    warnings: list[Problem] = []
    about: dict[str, Any] = {}
    if sidecar(file).exists():
        about = _trusted(file, content, case)
    else:
        text = "has no sidecar, so nothing says that it is whole and of this case; taken as the original program's"
        warnings.append(Problem(text, file=str(file), severity="warning"))
    return _parse(file.name, content, case, about), warnings


def _bytes(file: Path) -> bytes:
    try:
        return read_plain(file, MOST_BYTES)
    except Unreadable as error:
        raise CheckpointUnusable(f"{file.name} cannot be read: {error.reason}") from None
    except InvalidInput as error:
        raise CheckpointUnusable(f"it is no checkpoint: {error}") from None


def _trusted(file: Path, content: bytes, case: MbdmCase | None) -> dict[str, Any]:
    """Return the content of the sidecar after it was found to belong to the checkpoint."""
    try:
        about = json.loads(_bytes(sidecar(file)))
        version, length, digest, system = (about[key] for key in ("format", "bytes", "sha256", "system"))
    except (ValueError, KeyError, TypeError):
        raise CheckpointUnusable(f"{sidecar(file).name} is damaged, so {file.name} cannot be trusted") from None
    if version != FORMAT:
        by = f"Fairlead {about.get('fairlead', '?')}"
        raise CheckpointUnusable(f"{file.name} has format {version} (of {by}); this version reads {FORMAT}")
    if len(content) < length:
        raise CheckpointUnusable(f"{file.name} is cut off: it has {len(content)} of {length} bytes")
    if hashlib.sha256(content).hexdigest() != digest:
        raise CheckpointUnusable(f"{file.name} is damaged: its checksum does not hold")
    if case is not None and system != system_hash(case):
        its = about.get("case", "?")
        other = "it had other bodies, joints or lines then" if its == case.name else f"not of '{case.name}'"
        raise CheckpointUnusable(f"{file.name} is of another system ('{its}'), {other}")
    return dict(about)


def _parse(name: str, content: bytes, case: MbdmCase | None, about: dict[str, Any]) -> MbdmCheckpoint:
    try:
        rows = [np.array(line.split(), dtype=float) for line in content.decode("ascii").splitlines() if line.strip()]
    except ValueError:
        raise CheckpointUnusable(f"{name} is not a checkpoint: it holds something else than numbers") from None
    if len(rows) < 5 or len(rows[0]) != 1 or not all(np.isfinite(row).all() for row in rows):
        raise CheckpointUnusable(f"{name} is not a whole checkpoint: time, q, q', q'' and angles, all finite")
    count = len(case.bodies) if case is not None else int(about.get("bodies", len(rows[1]) // 7))
    if count == 0 or any(len(row) != 7 * count for row in rows[1:4]):
        sizes = ", ".join(str(len(row)) for row in rows[1:4])
        raise CheckpointUnusable(f"{name} holds {sizes} numbers for q, q', q''; {count} bodies need {7 * count} each")
    rest = np.concatenate(rows[4:])
    if len(rest) < 3 * count:
        raise CheckpointUnusable(f"{name} is cut off: {len(rest)} of {3 * count} integrated angles")
    time, (q, q_rate, q_acceleration), step = float(rows[0][0]), rows[1:4], int(about.get("step", -1))
    exchange = _exchange(rows[4:], 3 * count, about.get("exchange") or _partners(case))
    angles = rest[: 3 * count].reshape(count, 3)
    output = dict(about.get("output") or {})
    return MbdmCheckpoint(time, step, q, q_rate, q_acceleration, angles, **exchange, output=output)


def _partners(case: MbdmCase | None) -> list[str]:
    """Return the partners a case is coupled with, in the order of their vectors."""
    coupling = case.solvers.coupling if case is not None and case.solvers is not None else 0
    return {1: ["hmb"], 2: ["sph"]}.get(coupling, list(EXCHANGE))


def _exchange(rows: list[Array], angles: int, names: list[str]) -> dict[str, Array]:
    """Return the exchange vectors: the lines after the angles, however these are broken into lines."""
    while angles > 0:
        angles -= len(rows[0])
        rows = rows[1:]
    return dict(zip(names, rows))
