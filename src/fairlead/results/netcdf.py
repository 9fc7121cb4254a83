"""NetCDF files with a checksum, written whole or not at all, from a Dataset or from a stream of record rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from fairlead.errors import FilesFailure
from fairlead.model.compile import Compiled
from fairlead.results.atomic import atomically
from fairlead.results.checksum import seal
from fairlead.results.dataset import (
    constants_of,
    coordinates_of,
    derived_of,
    recorded_of,
    sizes_of,
    variable_attributes,
)
from fairlead.results.variables import CONSTANT, DERIVED, LABELS

Beside = Mapping[str, tuple[tuple[str, ...], Any, dict[str, str]]]  # dimensions, values, attributes
OVERHEAD = 200_000  # [bytes] of names, attributes and constants of a file, about


def write_netcdf(data: Any, path: Path) -> None:
    """Write a Dataset to `path`, all or nothing."""

    def write(temporary: Path) -> None:
        data.to_netcdf(temporary, engine="h5netcdf")
        seal(temporary)

    atomically(path, write, int(data.nbytes) + OVERHEAD)


def stream_netcdf(
    compiled: Compiled,
    rows: int,
    records: Iterable[dict[str, Any]],
    attributes: dict[str, Any],
    path: Path,
    beside: Beside | None = None,
) -> None:
    """Write records chunk by chunk, so that memory stays flat however long the run was; `beside` is written whole."""

    def write(temporary: Path) -> None:
        _stream(compiled, rows, records, attributes, temporary, beside or {})
        seal(temporary)

    sizes = {"time": rows, **sizes_of(compiled)}
    rows_of = {**recorded_of(compiled), **DERIVED}.values()
    columns = 1 + sum(int(np.prod([sizes[dim] for dim in row.dims])) for row in rows_of)
    more = sum(values.size for _, values, _ in (beside or {}).values())
    atomically(path, write, 8 * (rows * columns + more) + OVERHEAD)


def gathered(records: Iterable[dict[str, Any]], rows: int = 2048) -> Iterator[dict[str, Any]]:
    """Yield records joined to at least so many rows: writing a variable costs a millisecond however short it is."""
    waiting: list[dict[str, Any]] = []
    for record in records:
        waiting.append(record)
        if sum(len(one["time"]) for one in waiting) >= rows:
            yield {name: np.concatenate([one[name] for one in waiting]) for name in record}
            waiting = []
    if waiting:
        yield {name: np.concatenate([one[name] for one in waiting]) for name in waiting[0]}


def _stream(
    compiled: Compiled,
    rows: int,
    records: Iterable[dict[str, Any]],
    attributes: dict[str, Any],
    path: Path,
    beside: Beside,
) -> None:
    import h5netcdf

    file = h5netcdf.File(path, "w")
    try:
        _fill(file, compiled, rows, records, attributes)
        _add(file, beside)
        file.close()
    except BaseException:
        file._closed = True  # else it is closed once more when it is forgotten, and HDF5 falls over a full disk then
        raise


def _fill(
    file: Any, compiled: Compiled, rows: int, records: Iterable[dict[str, Any]], attributes: dict[str, Any]
) -> None:
    """Write names, constants and then all rows, chunk by chunk."""
    import h5py

    file.dimensions = {"time": rows, **sizes_of(compiled)}
    file.attrs.update(attributes)
    file.attrs["coordinates"] = " ".join(LABELS)  # read back as labels, not as data
    for name, (dim, values) in coordinates_of(compiled).items():
        text = values.dtype.kind in "OU"
        variable = file.create_variable(name, (dim,), h5py.string_dtype() if text else values.dtype)
        if len(values):
            variable[...] = values.astype(object) if text else values
        if name in LABELS:
            variable.attrs["long_name"] = LABELS[name][1]
    for name, values in constants_of(compiled).items():
        variable = file.create_variable(name, CONSTANT[name].dims, "f8", data=values)
        variable.attrs.update(variable_attributes(CONSTANT[name]))
    series = {"time": file.create_variable("time", ("time",), "f8")}
    series["time"].attrs.update({"units": "s", "long_name": "time"})
    for name, row in {**recorded_of(compiled), **DERIVED}.items():
        series[name] = file.create_variable(name, ("time", *row.dims), "f8", fillvalue=np.nan)
        series[name].attrs.update(variable_attributes(row))
    at = 0
    for record in gathered(records):
        record = record | derived_of(record)
        count = len(record["time"])
        for name, variable in series.items():
            if record[name].size:
                variable[at : at + count] = record[name]
        at += count
    if at != rows:  # the rest would be read as undefined numbers
        raise FilesFailure(f"{at} of {rows} rows of the result were there")


def _add(file: Any, beside: Beside) -> None:
    """Write variables that are not over time, and the dimensions they bring."""
    import h5py

    for name, (dims, values, attributes) in beside.items():
        for dim, size in zip(dims, values.shape):
            if dim not in file.dimensions:
                file.dimensions[dim] = size
        text = values.dtype.kind == "O"
        variable = file.create_variable(name, dims, h5py.string_dtype() if text else "f8")
        if values.size:
            variable[...] = values
        variable.attrs.update(attributes)


def write_csv(data: Any, path: Path) -> None:
    """Write every time series of a Dataset as columns `variable:label:component`, all or nothing."""
    columns, names = [data["time"].values], ["time"]
    for name, variable in data.data_vars.items():
        if variable.dims[:1] != ("time",):
            continue
        labels = [data[dim].values for dim in variable.dims[1:]]
        for place in np.ndindex(*variable.shape[1:]):
            names.append(":".join([str(name), *(str(label[i]) for label, i in zip(labels, place))]))
            columns.append(variable.values[(slice(None), *place)])

    def write(temporary: Path) -> None:
        np.savetxt(temporary, np.column_stack(columns), delimiter=",", header=",".join(names), comments="", fmt="%.17g")

    atomically(path, write)
