"""Columns of a foreign table by name, as SI numbers, with sentences that name file, row and column."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from fairlead.errors import FilesFailure, InvalidInput, Problem
from fairlead.plain_files import read_lines, read_plain
from fairlead.units import factor, to_si

LARGEST_MAP = 1_000_000  # [bytes] of a column map
FEWEST_ROWS = 5
FULL_DIGITS = 15


def read_map(columns: Mapping[str, Any] | str | Path) -> dict[str, Any]:
    """Return the column map itself, or the one in a YAML file."""
    if isinstance(columns, Mapping):
        return dict(columns)
    from ruamel.yaml import YAML
    from ruamel.yaml.error import YAMLError

    path = Path(columns)
    try:
        plain = YAML(typ="safe", pure=True).load("\n".join(read_lines(path, "utf-8", LARGEST_MAP)))
    except FilesFailure as error:
        raise FilesFailure(f"{path}: the column map cannot be read ({error}).") from None
    except YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = mark.line + 1 if mark else 0
        raise InvalidInput([Problem(str(getattr(error, "problem", error)), file=str(path), line=line)]) from None
    if not isinstance(plain, dict):
        raise InvalidInput(f"{path}: a column map is a mapping with `time` and `bodies`.")
    return plain


class Table:
    """The columns of a CSV file, a NetCDF file or a Dataset; `take` gives them as SI arrays."""

    def __init__(self, source: Any):
        import xarray as xr

        self.digits: dict[str, int] | None = None
        self.name = "table" if isinstance(source, xr.Dataset) else str(source)
        if isinstance(source, xr.Dataset):
            self.columns = self._from_dataset(source)
        elif Path(source).suffix.lower() in (".nc", ".h5", ".hdf5", ".netcdf"):
            from fairlead.results.reading import open_data

            self.columns = self._from_dataset(open_data(source))
        else:
            self.columns = self._from_csv(Path(source))
        self.rows = len(next(iter(self.columns.values()))) if self.columns else 0
        if self.rows < FEWEST_ROWS:
            raise self.wrong(f"has {self.rows} rows of data; an audit of a table needs at least {FEWEST_ROWS}.")

    def wrong(self, message: str, *, line: int = 0, path: str = "") -> InvalidInput:
        """Return the error to raise, with the file's name before the sentence."""
        return InvalidInput([Problem(message, file=self.name, line=line, path=path)])

    def _from_dataset(self, data: Any) -> dict[str, np.ndarray]:
        sizes = [data[name].sizes[data[name].dims[0]] for name in data.variables if data[name].ndim == 1]
        rows = max(sizes, default=0)
        flat = {name: data[name] for name in data.variables if data[name].ndim == 1 and data[name].size == rows}
        return {str(n): np.asarray(v.values, dtype=float) for n, v in flat.items() if v.dtype.kind in "iuf"}

    def _from_csv(self, path: Path) -> dict[str, np.ndarray]:
        try:
            text = read_plain(path).decode("utf-8-sig")
            mark = max(",;\t", key=text[:4096].count)
            lines = [
                (reader_line, row)
                for reader_line, row in _rows(csv.reader(io.StringIO(text, newline=""), delimiter=mark))
            ]
        except FilesFailure:
            if path.exists():
                raise
            raise FilesFailure(f"{path}: no such file.") from None
        except (UnicodeDecodeError, csv.Error) as error:
            raise FilesFailure(f"{path}: the table cannot be read ({error}).") from None
        if not lines:
            raise self.wrong("is empty; the first line names the columns.")
        names = [name.strip() for name in lines[0][1]]
        twice = [name for name in names if names.count(name) > 1]
        if twice:
            raise self.wrong(f"column '{twice[0]}' is named twice.", line=lines[0][0])
        values = np.empty((len(lines) - 1, len(names)))
        for at, (line, row) in enumerate(lines[1:]):
            if len(row) != len(names):
                raise self.wrong(f"has {len(row)} cells where the first line names {len(names)} columns.", line=line)
            try:
                values[at] = row
            except ValueError:
                values[at] = [_number(cell) for cell in row]
        self.lines = [line for line, _ in lines[1:]]
        self.cells = [row for _, row in lines[1:]]
        some = self.cells[:: max(1, len(self.cells) // 500)]
        self.digits = {name: max((_digits(row[at]) for row in some), default=0) for at, name in enumerate(names)}
        return {name: values[:, at] for at, name in enumerate(names)}

    def take(self, names: Any, count: int, unit: str, path: str) -> np.ndarray:
        """Return `count` columns in SI, (rows, count): a list of names or {columns: names, unit: ...}."""
        given = None
        if isinstance(names, Mapping):
            given, names = names.get("unit"), names.get("columns")
        names = [names] if isinstance(names, str) else names
        if not isinstance(names, list | tuple) or len(names) != count or not all(isinstance(n, str) for n in names):
            raise self.wrong(f"expected {count} column name{'s' * (count > 1)}, got {names!r}.", path=path)
        absent = [name for name in names if name not in self.columns]
        if absent:
            raise self.wrong(f"there is no column '{absent[0]}'; columns are {', '.join(self.columns)}.", path=path)
        values = np.stack([self.columns[name] for name in names], axis=1)
        self._refuse_text(values, list(names))
        return values * self._factor(given, unit, path)

    def resolution(self, names: Any, unit: str, path: str) -> float:
        """Return half a unit of the last printed digit of these columns in SI; 0 for full precision.

        The digits are those of the longest cell of a column and count for its largest value, which is right for
        fixed, scientific and shortest notation; a table with 15 digits anywhere is taken as exact, and so is a column
        that does not change.
        """
        if self.digits is None or max(self.digits.values()) >= FULL_DIGITS:
            return 0.0
        given = names.get("unit") if isinstance(names, Mapping) else None
        names = names.get("columns") if isinstance(names, Mapping) else names
        worst = 0.0
        for name in [names] if isinstance(names, str) else names:
            values = self.columns[name]
            if np.ptp(values) > 0:
                worst = max(worst, 0.5 * 10.0 ** (np.floor(np.log10(np.abs(values).max())) + 1 - self.digits[name]))
        return float(worst * self._factor(given, unit, path))

    def _factor(self, given: Any, unit: str, path: str) -> float:
        try:
            return 1.0 if given is None else factor(str(given), unit)
        except ValueError as error:
            raise self.wrong(f"{error}.", path=path) from None

    def _refuse_text(self, values: np.ndarray, names: list[str]) -> None:
        """Raise for the first cell that is not a number (an explicit nan or inf is left for the audit to find)."""
        cells = getattr(self, "cells", None)
        if cells is None or np.all(np.isfinite(values)):
            return
        all_names = list(self.columns)
        for row, column in np.argwhere(~np.isfinite(values)):
            text = cells[row][all_names.index(names[column])].strip()
            if text.lower().lstrip("+-") not in ("nan", "inf", "infinity"):
                raise self.wrong(
                    f"column '{names[column]}', row {row + 1}: '{text}' is not a number.", line=self.lines[row]
                )

    def numbers(self, values: Any, unit: str, path: str) -> np.ndarray:
        """Return constants of the map as SI floats; texts carry their unit."""
        try:
            flat = [to_si(value, unit) for value in np.ravel(np.asarray(values, dtype=object))]
        except ValueError as error:
            raise self.wrong(f"{error}.", path=path) from None
        return np.array(flat).reshape(np.shape(np.asarray(values, dtype=object)))


def _rows(reader: Any) -> Any:
    for row in reader:
        if row and any(cell.strip() for cell in row) and not row[0].lstrip().startswith("#"):
            yield reader.line_num, row


def _digits(cell: str) -> int:
    """Return the significant digits printed in a cell."""
    mantissa = cell.strip().lower().split("e")[0].lstrip("+-").replace(".", "").lstrip("0")
    return len(mantissa)


def _number(cell: str) -> float:
    try:
        return float(cell)
    except ValueError:
        return float("nan")


def refuse_unknown(table: Table, given: Any, words: tuple[str, ...], path: str) -> None:
    """Raise if `given` is no mapping, or has a word that is none of `words`."""
    if not isinstance(given, Mapping):
        raise table.wrong(f"expected a mapping with {', '.join(words)}, got {given!r}.", path=path)
    strange = [key for key in given if key not in words]
    if strange:
        raise table.wrong(
            f"'{strange[0]}' is not a word of the column map; words here are {', '.join(words)}.", path=path
        )
