"""Tracers, mass centres and mooring lines as Tecplot ASCII files that play as an animation. MBDM note section 7.1.2.

The note names the folder and the zones, not the files: there is one file for each kind, every instant a set of zones
with its SOLUTIONTIME, the same zone at all instants with one STRANDID.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from fairlead.formats.mbdm.case import MbdmCase
from fairlead.formats.mbdm.convert import names_of
from fairlead.formats.mbdm.output_file import OutputFile, attitudes, clock, rows_every, stem_of

Array = npt.NDArray[np.float64]


class Strand(NamedTuple):
    """One zone through time: its title, its shape I, J, K and its points (time, point, variable)."""

    title: str
    shape: tuple[int, int, int]
    points: Array


def tracer_files(data: Any, case: MbdmCase) -> list[OutputFile]:
    """Return the files of tracer groups, mass centres and mooring lines of a case."""
    times = clock(data, case)
    kinds = {"tracers": groups(data, case), "cog": mass_centres(data, case), "mooring": lines(data, case)}
    rows, found = rows_every(data, case, case.save_tracers), []
    for kind, strands in kinds.items():
        if strands:
            head = _head(f"{case.name} {kind}", variables_of(kind))
            text = partial(_zones, times, strands)
            found.append(OutputFile(f"tracers/{stem_of(case)}_{kind}.dat", head, rows, text))
    return found


def variables_of(kind: str) -> list[str]:
    """Return the variables of a kind of file; mass centres carry force and moment."""
    return ["x", "y", "z"] + (["Fx", "Fy", "Fz", "Mx", "My", "Mz"] if kind == "cog" else [])


def groups(data: Any, case: MbdmCase) -> list[Strand]:
    """Return one strand per tracer group; eight tracers are the corners of a cuboid, others a line."""
    names = names_of(case).bodies
    strands = []
    for number, group in enumerate(case.tracers, start=1):
        points = _moved(data, group.body, np.array(group.tracers, dtype=float).reshape(-1, 3))
        count = len(group.tracers)
        shape = (2, 2, 2) if count == 8 else (count, 1, 1)
        if count:
            strands.append(Strand(f"group {number} {names[group.body - 1]}", shape, points))
    return strands


def mass_centres(data: Any, case: MbdmCase) -> list[Strand]:
    """Return one strand per body: its mass centre with the applied force (gravity and loads) and moment, world axes."""
    force = np.tile(data["mass"].values[:, None] * data["gravity"].values, (len(data["time"]), 1, 1))
    moment = np.zeros_like(force)
    bodies = [str(name) for name in data["body"].values]
    for row, name in enumerate(data["load_body"].values):
        body = bodies.index(str(name))
        force[:, body] += data["load_force"].values[:, row]
        moment[:, body] += data["load_moment"].values[:, row]
    points = np.concatenate([data["position"].values, force, moment], axis=-1)
    return [
        Strand(f"CoG {number} {name}", (1, 1, 1), points[:, number - 1 : number])
        for number, name in enumerate(bodies, start=1)
    ]


def lines(data: Any, case: MbdmCase) -> list[Strand]:
    """Return one strand per mooring line, from the anchor to the fairlead."""
    strands = []
    for number, line in enumerate(case.mooring, start=1):
        fairlead = _moved(data, line.body, np.array([line.fairlead], dtype=float))
        anchor = np.broadcast_to(np.array(line.anchor, dtype=float), fairlead.shape)
        strands.append(Strand(f"mooring {number}", (2, 1, 1), np.concatenate([anchor, fairlead], axis=1)))
    return strands


def _moved(data: Any, body: int, points: Array) -> Array:
    """Return points of a body (in its axes) in the world at every instant: r + A s, MBDM note Eq. 3."""
    one = data.isel(body=body - 1)
    return np.asarray(one["position"].values[:, None] + np.einsum("tij,pj->tpi", attitudes(one), points))


def _head(title: str, variables: Iterable[str]) -> str:
    """Return the first lines of a Tecplot ASCII file of point data."""
    names = " ".join(f'"{name}"' for name in variables)
    return f'TITLE = "{_plain(title)}"\nVARIABLES = {names}\n'


def _zones(times: Array, strands: list[Strand], rows: Iterable[int]) -> str:
    """Return the zones of some instants."""
    found = []
    for row in rows:
        for number, (title, (i, j, k), points) in enumerate(strands, start=1):
            found.append(f'ZONE T="{_plain(title)}", I={i}, J={j}, K={k}, DATAPACKING=POINT')
            found.append(f"STRANDID={number}, SOLUTIONTIME={times[row]:.16g}")
            found += [" ".join(f"{value:.16e}" for value in point) for point in points[row]]
    return "".join(line + "\n" for line in found)


def _plain(text: str) -> str:
    return text.replace('"', "'")
