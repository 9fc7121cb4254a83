"""The answer of a study: a Dataset with its own dimensions, and the same as a table with a row per case."""

from __future__ import annotations

import csv
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

import fairlead
from fairlead.errors import InvalidInput
from fairlead.results.atomic import atomically
from fairlead.results.summaries.words import attributes_of
from fairlead.running.ensembles.cases import Plan
from fairlead.running.ensembles.words import SPECTRUM

if TYPE_CHECKING:
    import xarray as xr

REALISATION, OUTCOME = "realisation", "outcome"


def variable_name(channel: str, word: str) -> str:
    """Return what a statistic of a channel is called in the Dataset: `pitch_mean`, `tension_line_3_max`."""
    return f"{re.sub(r'[^A-Za-z0-9.]+', '_', channel)}_{word}"


def answer_of(plan: Plan, done: dict[str, dict[str, Any]], failed: dict[str, dict[str, Any]]) -> xr.Dataset:
    """Return the statistics of all cases over the dimensions of their study; nan where a case has none."""
    import xarray as xr

    names = [*(one.name for one in plan.dimensions), REALISATION]
    shape = (*(len(one.points) for one in plan.dimensions), plan.realisations)
    places = [tuple(case.place[name] for name in names) for case in plan.cases]
    found = xr.Dataset(coords=_coordinates(plan), attrs=_attributes(plan))
    for channel, words in plan.study.statistics.items():
        units = next((one["units"][channel] for one in done.values() if channel in one["units"]), "")
        for word in words:
            if word == SPECTRUM:
                found = _with_spectrum(found, plan, done, channel, units, names, shape, places)
                continue
            values = np.full(shape, np.nan)
            for case, place in zip(plan.cases, places):
                if case.digest in done:
                    values[place] = done[case.digest]["values"][channel][word]
            said = attributes_of(word, units) if units else {}
            found[variable_name(channel, word)] = (names, values, {**said, "channel": channel, "statistic": word})
    audit, outcome = np.full(shape, np.nan), np.full(shape, "none", dtype=object)
    for case, place in zip(plan.cases, places):
        if case.digest in done:
            audit[place], outcome[place] = float(done[case.digest]["audit"]["passed"]), "done"
        else:
            outcome[place] = "failed" if case.digest in failed else "waiting"
    found["audit_passed"] = (names, audit, {"units": "1", "long_name": "1 where the audit of the run passed"})
    found[OUTCOME] = (names, outcome, {"long_name": "what became of the case; none where the study has no such case"})
    return _with_seeds(found, plan, names, shape, places)


def _coordinates(plan: Plan) -> dict[str, Any]:
    """Return the labels along each dimension, and beside them what each point gives the paths it changes."""
    found: dict[str, Any] = {}
    for one in plan.dimensions:
        labels = [point.label for point in one.points]
        numbers = all(isinstance(label, int | float) for label in labels)
        found[one.name] = np.array(labels, dtype=float) if numbers else np.array(list(map(str, labels)), dtype=object)
        for path in one.paths:
            if path != one.name:
                values = one.values(path)
                if values is None:
                    continue
                kind: Any = object if isinstance(values[0], str) else float
                found[re.sub(r"[/ ]", "_", path)] = (one.name, np.array(values, dtype=kind))
        files = [point.model for point in one.points if point.model]
        if files:
            found[f"{one.name}_file"] = (one.name, np.array([Path(file).name for file in files], dtype=object))
    found[REALISATION] = np.arange(1, plan.realisations + 1)
    return found


def _attributes(plan: Plan) -> dict[str, Any]:
    said: dict[str, Any] = {"title": plan.name, "fairlead_version": fairlead.__version__, "fairlead_study": 1}
    said |= {"seed": plan.study.seed, "keep": plan.study.keep}
    return said | {f"run_{name}": str(value) for name, value in plan.options.items()}


def _with_seeds(found: xr.Dataset, plan: Plan, names: list[str], shape: Any, places: list[Any]) -> xr.Dataset:
    """Return the Dataset with the seeds that realisations changed."""
    varied = set(plan.study.set) | {path for one in plan.dimensions for path in one.paths}
    paths = dict.fromkeys(path for case in plan.cases for path in case.changes if path not in varied)
    for path in paths:
        seeds = np.full(shape, -1, dtype=np.int64)
        for case, place in zip(plan.cases, places):
            seeds[place] = case.changes.get(path, -1)
        found[path] = (names, seeds, {"long_name": f"seed of the realisation at {path}"})
    return found


def _with_spectrum(
    found: xr.Dataset, plan: Plan, done: Any, channel: str, units: str, names: list[str], shape: Any, places: list[Any]
) -> xr.Dataset:
    """Return the Dataset with the spectra of a channel; InvalidInput where runs have different frequencies."""
    spectra = {digest: one["spectra"][channel] for digest, one in done.items() if channel in one["spectra"]}
    if not spectra:
        return found
    frequency = next(iter(spectra.values()))["frequency"]
    if any(one["frequency"] != frequency for one in spectra.values()):
        raise InvalidInput(
            "spectra of runs with different steps or durations have no common frequencies; leave 'spectrum' out"
        )
    values = np.full((*shape, len(frequency)), np.nan)
    for case, place in zip(plan.cases, places):
        if case.digest in spectra:
            values[place] = spectra[case.digest]["density"]
    found = found.assign_coords(frequency=("frequency", frequency, {"units": "Hz", "long_name": "frequency"}))
    said = {
        "units": f"({units})2/Hz",
        "long_name": "one-sided spectral density",
        "channel": channel,
        "statistic": SPECTRUM,
    }
    found[variable_name(channel, SPECTRUM)] = ([*names, "frequency"], values, said)
    return found


# Tables


def rows_of(data: xr.Dataset) -> tuple[list[str], list[list[Any]]]:
    """Return a Dataset of a study as a tidy table: a row per case, its parameters first, then its statistics."""
    dims = [str(dim) for dim in data[OUTCOME].dims]
    beside = [str(name) for name in data.coords if name not in data.dims]
    values = [str(name) for name in data.data_vars if data[name].dims == data[OUTCOME].dims]
    head = [*dims, *beside, *values]
    rows = []
    for place in np.ndindex(*data[OUTCOME].shape):
        if data[OUTCOME].values[place] == "none":
            continue
        at = dict(zip(dims, place))
        labels = [data[dim].values[at[dim]] for dim in dims]
        others = [data[name].values[tuple(at[str(dim)] for dim in data[name].dims)] for name in beside]
        rows.append([*labels, *others, *(data[name].values[place] for name in values)])
    return head, rows


def write_tables(data: xr.Dataset, directory: Path) -> list[Path]:
    """Write the table as CSV, and as Parquet where pyarrow is installed; return the files."""
    head, rows = rows_of(data)

    def write(temporary: Path) -> None:
        with open(temporary, "w", newline="", encoding="utf-8") as stream:
            writer = csv.writer(stream, lineterminator="\n")
            writer.writerow(head)
            writer.writerows([[_text(value) for value in row] for row in rows])

    files = [directory / "study.csv"]
    atomically(files[0], write)
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        return files
    columns = {name: pyarrow.array([_plain(row[i]) for row in rows]) for i, name in enumerate(head)}
    files.append(directory / "study.parquet")
    atomically(files[1], lambda temporary: pyarrow.parquet.write_table(pyarrow.table(columns), temporary))
    return files


def _plain(value: Any) -> Any:
    return value.item() if hasattr(value, "item") else value


def _text(value: Any) -> str:
    value = _plain(value)
    return repr(value) if isinstance(value, float) else str(value)
