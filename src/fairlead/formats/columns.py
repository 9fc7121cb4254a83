"""Chosen columns of a result as CSV with a row of units, or as Parquet: both read back to the same numbers."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from fairlead.errors import InvalidInput
from fairlead.results.atomic import atomically
from fairlead.results.summaries.series import Series, series_of

if TYPE_CHECKING:
    import xarray as xr

ENDINGS = (".csv", ".parquet")


def columns_of(data: xr.Dataset, names: Iterable[str] | None = None) -> dict[str, Series]:
    """Return the time and the series of these names, all channels unless given, in SI."""
    time = Series(data["time"].values.astype(float), "s", "time")
    return {"time": time} | series_of(data, None if names is None else list(names))


def write_columns(data: xr.Dataset, path: str | Path, names: Iterable[str] | None = None) -> int:
    """Write columns of a result as CSV or Parquet, by the ending of the path; return how many there are."""
    target = Path(path)
    found = columns_of(data, names)
    write = {".csv": _csv, ".parquet": _parquet}.get(target.suffix.lower())
    if write is None:
        raise InvalidInput(f"columns are written as {' or '.join(ENDINGS)}; got '{target.name}'")
    atomically(target, lambda file: write(file, found))
    return len(found)


def _csv(file: Path, found: dict[str, Series]) -> None:
    """Write names, units, then a row per instant, every number in as many digits as bring it back."""
    with open(file, "w", newline="", encoding="utf-8") as stream:
        rows = csv.writer(stream)
        rows.writerow(found)
        rows.writerow(f"[{one.units}]" for one in found.values())
        columns = [[repr(float(value)) for value in one.values] for one in found.values()]
        rows.writerows(zip(*columns))


def _parquet(file: Path, found: dict[str, Series]) -> None:
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise InvalidInput("Parquet needs pyarrow: pip install 'fairlead[parquet]'") from None
    fields = []
    for name, one in found.items():
        said = {"units": one.units, "long_name": one.long_name, "openfast_name": one.openfast_name}
        fields.append(pa.field(name, pa.float64(), metadata={key: value for key, value in said.items() if value}))
    table = pa.table([pa.array(one.values) for one in found.values()], schema=pa.schema(fields))
    pq.write_table(table, file)
