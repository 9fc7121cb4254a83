"""`resume`: a run directory in, the Dataset of the whole run out."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairlead.running.directory import resume_directory

if TYPE_CHECKING:
    import xarray as xr


def resume(
    path: str | os.PathLike[str],
    *,
    functions: Mapping[str, Callable[..., Any]] | None = None,
    progress: Any = None,
) -> xr.Dataset:
    """Return the result of a run that was stopped or killed, carried on from its checkpoint to the same bits.

    `functions` gives the Python functions of its loads again, by the names of the loads: no file holds them.
    """
    data, notes = resume_directory(Path(path), progress=progress, functions=functions)
    for note in notes:
        warnings.warn(note, stacklevel=2)
    return data
