"""A result as a Dataset, from its file or its run directory, after its checksum held."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairlead.errors import FilesFailure, InvalidInput
from fairlead.results.atomic import read_own
from fairlead.results.checksum import verify

if TYPE_CHECKING:
    import xarray as xr

STUDY = "study.nc"
RESULT, STATUS, RUN = "result.nc", "status.json", "run.json"


def open_result(path: str | os.PathLike[str], *, cache: bool = True, checked: bool = False) -> xr.Dataset:
    """Return the Dataset of a result file or run directory, read as it is used.

    A checksum that does not hold is a FilesFailure; `checked` leaves that out for a file just written.
    """
    import xarray as xr

    file = result_file(path)
    if not checked:
        verify_result(path)
    try:
        return xr.open_dataset(file, engine="h5netcdf", cache=cache)
    except (OSError, ValueError, KeyError, RuntimeError) as error:
        raise FilesFailure(f"{file} cannot be read as NetCDF: {error}") from error


def open_data(data: Any) -> xr.Dataset:
    """Return the Dataset itself, or the one in the run directory or NetCDF file at this path, opened lazily."""
    import xarray as xr

    if isinstance(data, xr.Dataset):
        return data
    if not isinstance(data, str | os.PathLike):
        raise InvalidInput(f"expected a Dataset, a run directory or a file; got {data!r:.60}")
    path = Path(data)
    if not path.exists():
        raise FilesFailure(f"{path}: no such file; give a Dataset, a NetCDF file or a table with a column map.")
    if not path.is_dir() and path.suffix.lower() not in (".nc", ".h5", ".hdf5", ".netcdf"):
        raise InvalidInput(f"{path}: a table needs a column map that says what its columns hold (`columns=`).")
    return open_result(path, cache=False)


def result_file(path: str | os.PathLike[str]) -> Path:
    """Return the NetCDF file of a run directory, or the file itself; FilesFailure says why there is none."""
    if not isinstance(path, str | os.PathLike):
        raise InvalidInput(f"expected a Dataset, a run directory or a file; got {path!r:.60}")
    given = Path(path)
    if not given.exists():
        raise FilesFailure(f"there is no file or run directory '{given}'")
    if not given.is_dir():
        if not given.is_file():
            raise InvalidInput(f"'{given}' is a pipe or a device, not a regular file")
        return given
    found = given / RESULT
    if not found.exists() and (given / STUDY).is_file():
        return given / STUDY
    if found.is_file():
        return found
    if found.is_dir():
        raise FilesFailure(f"{found} is a directory, not a result; move it away and make it again: {_again(given)}")
    if found.is_symlink():
        raise FilesFailure(f"{found} is a link to a file that does not exist; put the file itself in its place")
    if not (given / RUN).exists():
        raise FilesFailure(f"{given} is not a run directory: it has neither {RESULT} nor {RUN}")
    raise FilesFailure(f"{given} has no {RESULT}, since its run did not come to its end; go on with: {_again(given)}")


def verify_result(path: str | os.PathLike[str]) -> bool:
    """Return whether a result carries a checksum, after it held; in a run directory it must be the run's own."""
    given, file = Path(path), result_file(path)
    again = f"; restore it from a copy, or move it away and compute it again: {_again(file.parent)}"
    again = again if (file.parent / RUN).exists() else "; restore it from a copy"
    try:
        found = verify(file)
    except FilesFailure as error:
        raise FilesFailure(f"{error}{again}") from None
    except OSError as error:
        raise FilesFailure(f"cannot read {file}: {error.strerror}") from error
    said = read_status(file.parent) if given.is_dir() or file.name == RESULT else {}
    expected = (said.get("result") or {}).get("sha256", "")
    if said.get("state") == "complete" and expected and found != expected:
        raise FilesFailure(f"{file} is not as the run wrote it: it was changed, replaced or damaged{again}")
    return bool(found)


def read_status(directory: Path) -> dict[str, Any]:
    """Return the content of status.json in a run directory; empty if it is missing or damaged."""
    try:
        found = json.loads(read_own(directory / STATUS))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _again(directory: Path) -> str:
    return f"fairlead resume {directory}"
