"""One output file of a legacy case: its name, the rows of a result it holds, and how it is written."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from fairlead.errors import FilesFailure, InvalidInput
from fairlead.formats.mbdm.angles import matrix_of_quaternion
from fairlead.formats.mbdm.case import MbdmCase
from fairlead.results.netcdf import atomically

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class OutputFile:
    """A file of a case: its name in the folder, its first lines, the rows of a result it holds, and their text."""

    name: str
    head: str
    rows: npt.NDArray[np.int64]
    text: Callable[[npt.NDArray[np.int64]], str]


def stem_of(case: MbdmCase) -> str:
    """Return the name of a case as file names begin with it; what could lead to another folder becomes '_'."""
    return re.sub(r"[^\w.\- ]", "_", case.name)


def steps_in(data: Any, case: MbdmCase) -> npt.NDArray[np.int64]:
    """Return the step number of each row of a result."""
    return np.rint(data["time"].values / float(data.attrs.get("step", case.dt))).astype(np.int64)


def rows_every(data: Any, case: MbdmCase, every: int) -> npt.NDArray[np.int64]:
    """Return the rows of a result at every so many steps; InvalidInput if the result does not hold them all."""
    steps = data["time"].values / float(data.attrs.get("step", case.dt))
    whole = steps_in(data, case)
    rows = np.flatnonzero((whole % every == 0) & (np.abs(steps - whole) < 1e-6 * (1 + np.abs(steps))))
    if len(whole) and len(np.unique(whole[rows])) != whole.max() // every - (whole.min() - 1) // every:
        raise InvalidInput(
            f"the result does not hold every {every}th step, as the case asks; run it with output_every={every}"
        )
    return rows


def clock(data: Any, case: MbdmCase) -> Array:
    """Return the times of a result on the clock of the case, which starts at t_start."""
    return np.asarray(case.t_start + data["time"].values)


def attitudes(data: Any) -> Array:
    """Return the matrices A (time, body, 3, 3) from body to world components."""
    return matrix_of_quaternion(data["orientation"].values)


def write_text(path: Path, text: str) -> None:
    """Write a text file, all or nothing."""
    make_folder(path.parent)
    atomically(path, lambda temporary: temporary.write_text(text, encoding="utf-8"))


def make_folder(folder: Path) -> None:
    """Make a folder if it is not there."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FilesFailure(f"cannot create {folder}: {error.strerror}") from error
