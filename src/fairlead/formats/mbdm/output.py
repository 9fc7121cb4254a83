"""The output files of the original MBDM program, written from a result and the case it came from.

MBDM note section 9, Tables 20 and 21. IDs count from 1 in the order of the case, which is the order of the result.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from fairlead.errors import InvalidInput, NumericalFailure
from fairlead.formats.mbdm.angles import angles_of_matrix, matrix_of_angles
from fairlead.formats.mbdm.case import MbdmCase
from fairlead.formats.mbdm.convert import names_of
from fairlead.formats.mbdm.output_file import OutputFile, attitudes, clock, rows_every, stem_of, write_text
from fairlead.formats.mbdm.tracers import tracer_files

Array = npt.NDArray[np.float64]
# Table 21: the 28 columns of a body's file.
BODY_COLUMNS = [
    "t",
    *("x", "y", "z", "vx", "vy", "vz", "ax", "ay", "az"),
    *("Eangx", "Eangy", "Eangz", "LCSomegax", "LCSomegay", "LCSomegaz", "LCSepsx", "LCSepsy", "LCSepsz"),
    *("angx", "angy", "angz", "omegax", "omegay", "omegaz", "epsx", "epsy", "epsz"),
]
# Table 20: the matrix from body to world components, row by row.
MATRIX_COLUMNS = ["t", *(f"a{row}{column}" for row in "123" for column in "123")]
# The note gives no columns for mooring files: force and moment about the mass centre, world axes.
LINE_COLUMNS = ["t", "Fx", "Fy", "Fz", "Mx", "My", "Mz"]
REPRODUCED = 1e-9  # the angles must give the matrix back, as the original program checks before it saves


def write_output(
    data: Any, case: MbdmCase, folder: str | os.PathLike[str], *, angles: Array | None = None
) -> list[Path]:
    """Write every output file the case asks for into `folder` and return their paths.

    `angles` are the integrated angles (body, xyz) to start from, where a run continues a checkpoint.
    """
    paths = []
    for file in output_files(data, case, angles):
        paths.append(Path(folder) / file.name)
        write_text(paths[-1], file.head + file.text(file.rows))
    return paths


def output_files(data: Any, case: MbdmCase, angles: Array | None = None) -> list[OutputFile]:
    """Return the files a case asks for, with the rows that a result (or a stretch of it) gives them."""
    check_bodies(data, case)
    files: list[OutputFile] = []
    if case.save_output:
        rows, stem = rows_every(data, case, case.save_output), stem_of(case)
        for number in range(1, len(case.bodies) + 1):
            table = body_table(data, case, number, angles=None if angles is None else angles[number - 1])
            files.append(_table_file(f"{stem}_body_{number}.dat", BODY_COLUMNS, rows, table))
            if case.parameters.store_a_matrix:
                table = matrix_table(data, case, number)
                files.append(_table_file(f"{stem}_body_{number}_Amat.dat", MATRIX_COLUMNS, rows, table))
        for number in range(1, len(case.mooring) + 1):
            table = line_table(data, case, number)
            files.append(_table_file(f"{stem}_mooring_{number}.dat", LINE_COLUMNS, rows, table))
        if case.parameters.debug and case.dynamic:
            files.append(OutputFile("DEBUG_state.dat", "", rows, partial(debug_state, data, case)))
    if case.save_tracers and (case.tracers or case.mooring):
        files += tracer_files(data, case)
    return files


def _table_file(name: str, columns: Iterable[str], rows: npt.NDArray[np.int64], table: Array) -> OutputFile:
    def text(chosen: npt.NDArray[np.int64]) -> str:
        return "".join(" ".join([f"{value:.16e}" for value in row]) + "\n" for row in table[chosen].tolist())

    return OutputFile(name, f"# {' '.join(columns)}\n", rows, text)


def check_bodies(data: Any, case: MbdmCase) -> None:
    """Raise InvalidInput if a result is not one of this case."""
    have, want = [str(name) for name in data["body"].values], list(names_of(case).bodies)
    if have != want:
        raise InvalidInput(f"the result is not of case '{case.name}': it has bodies {have}, the case {want}")


def body_table(data: Any, case: MbdmCase, number: int, *, angles: Array | None = None) -> Array:
    """Return the 28 columns of Table 21 for the body with ID `number`, one row per recorded instant."""
    one = data.isel(body=number - 1)
    t, A = clock(data, case), attitudes(one)
    w_B, e_B = one["angular_velocity"].values, one["angular_acceleration"].values
    w_W, e_W = np.einsum("tij,tj->ti", A, w_B), np.einsum("tij,tj->ti", A, e_B)
    euler = angles_of_matrix(A)
    off = np.abs(matrix_of_angles(euler) - A).max(initial=0.0)
    if not off < REPRODUCED:
        raise NumericalFailure(f"the angles of body {number} do not give its matrix back (off by {off:.2g})")
    turned = integrated_angles(data["time"].values, w_W, e_W, angles)
    columns = [t[:, None], one["position"].values, one["velocity"].values, one["acceleration"].values, euler]
    return np.hstack([*columns, w_B, e_B, turned, w_W, e_W])


def turned_at_end(data: Any, angles: Array | None = None) -> Array:
    """Return the integrated angles (body, xyz) of the last row of a result that starts with `angles`."""
    A, t = attitudes(data), data["time"].values
    w, e = (np.einsum("tbij,tbj->tbi", A, data[f"angular_{name}"].values) for name in ("velocity", "acceleration"))
    starts = [None] * w.shape[1] if angles is None else list(angles)
    return np.array([integrated_angles(t, w[:, b], e[:, b], start)[-1] for b, start in enumerate(starts)])


def integrated_angles(t: Array, w_W: Array, e_W: Array, start: Array | None = None) -> Array:
    """Return the integral of the angular velocity in world axes, from `start` or zero.

    Between records the velocity is the cubic with the recorded values and slopes; the error is of fourth order.
    """
    h = np.diff(t)[:, None]
    steps = h / 2 * (w_W[1:] + w_W[:-1]) + h**2 / 12 * (e_W[:-1] - e_W[1:])
    first = np.zeros((1, 3)) if start is None else np.asarray(start, dtype=float).reshape(1, 3)
    return np.cumsum(np.vstack([first, steps]), axis=0)[: len(t)]


def matrix_table(data: Any, case: MbdmCase, number: int) -> Array:
    """Return the ten columns of Table 20 for the body with ID `number`."""
    A = attitudes(data.isel(body=number - 1))
    return np.hstack([clock(data, case)[:, None], A.reshape(len(A), 9)])


def line_table(data: Any, case: MbdmCase, number: int) -> Array:
    """Return time, force and moment (about the mass centre, world axes) of the mooring line with ID `number`."""
    name = names_of(case).lines[number - 1]
    if name not in data["load"].values:
        raise InvalidInput(f"the result has no load '{name}', which is mooring line {number} of the case")
    one = data.sel(load=name)
    return np.hstack([clock(data, case)[:, None], one["load_force"].values, one["load_moment"].values])


def state_vectors(data: Any) -> tuple[Array, Array, Array]:
    """Return q, q' and q'' (time, 7 per body): place and Euler parameters of every body. MBDM note Eqs. 29, 30, 40."""
    p, w, e = (data[name].values for name in ("orientation", "angular_velocity", "angular_acceleration"))
    rate = _times(p, w) / 2
    second = (_times(rate, w) + _times(p, e)) / 2
    parts = (("position", p), ("velocity", rate), ("acceleration", second))
    q, qd, qdd = (np.concatenate([data[name].values, turn], axis=-1).reshape(len(p), -1) for name, turn in parts)
    return q, qd, qdd


def _times(p: Array, w: Array) -> Array:
    """Return the quaternion product p (0, w)."""
    e0, e = p[..., :1], p[..., 1:]
    scalar = -np.sum(e * w, axis=-1, keepdims=True)
    return np.concatenate([scalar, e0 * w + np.cross(e, w)], axis=-1)


def debug_state(data: Any, case: MbdmCase, rows: Iterable[int]) -> str:
    """Return rows of DEBUG_state.dat: a line with the time and one for each of q, q' and q''. Section 7.1.4."""
    t, vectors = clock(data, case), state_vectors(data)
    lines = []
    for row in rows:
        lines += [f"{t[row]:.17g}", *(" ".join(f"{value:.17g}" for value in vector[row]) for vector in vectors)]
    return "".join(line + "\n" for line in lines)


def timer_line(data: Any, case: MbdmCase) -> str:
    """Return the line the timer shows on screen: the wall clock of the run and of a step."""
    seconds = float(data.attrs.get("wall_time", float("nan")))
    stretch = float(data["time"].values[-1] - data["time"].values[0])
    steps = max(1, round(stretch / float(data.attrs.get("step", case.dt))))
    return f"{case.name}: {steps} steps in {seconds:.3f} s, {seconds / steps * 1e3:.4g} ms per step"
