"""Helpers that verbs share: reading what they are given, and saying what was understood and done."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import typer


@contextmanager
def placed_in(file: Path) -> Iterator[None]:
    """Give problems that come up when a run starts their place in the model file."""
    from fairlead.errors import InvalidInput
    from fairlead.formats.load import YAML
    from fairlead.formats.yaml.read import located_in

    try:
        yield
    except InvalidInput as error:
        if file.suffix not in YAML:
            raise
        raise InvalidInput(located_in(file, error.problems)) from None


def loaded(file: Path, changes: list[str] | None = None, **options: Any) -> Any:
    """Return the model in a file with `changes` (PATH=VALUE) made, after saying what of the file it cannot hold."""
    import warnings

    from fairlead.formats.load import load

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", UserWarning)
        model = load(file, **options)
    for warning in caught:
        print(warning.message, file=sys.stderr)
    return changed(model, file, changes) if changes else model


def changed(model: Any, file: Path, changes: list[str]) -> Any:
    """Return a model with what `--set PATH=VALUE` says; files named in values are sought beside the model's file."""
    from fairlead.formats.yaml.settings import settings
    from fairlead.model.files import beside

    with beside(file, anywhere=True):
        return model.with_(settings(changes))


def note(sentence: str) -> None:
    """Print what the user should know, beside the answer."""
    print(f"note: {sentence}", file=sys.stderr)


def told(data: Any, as_json: bool, figures: Callable[[Any], Any], table: Callable[[Any], str]) -> None:
    """Print an answer: its figures as JSON, or its notes and its table."""
    if as_json:
        print(json.dumps(figures(data), indent=2))
        return
    for sentence in filter(None, data.attrs["notes"].split("; ")):
        note(sentence)
    print(table(data))


def must_be_new(path: Path | None, option: str) -> None:
    """Refuse a file that exists, before anything is computed."""
    from fairlead.errors import FilesFailure

    if path is not None and path.exists():
        raise FilesFailure(f"{path} exists; choose another file with {option}")


def seconds(text: str | None, name: str) -> float | None:
    from fairlead.errors import InvalidInput, Problem
    from fairlead.units import to_si

    if text is None:
        return None
    try:
        return float(text)
    except ValueError:
        pass
    try:
        return to_si(text, "s")
    except ValueError as error:
        raise InvalidInput([Problem(str(error), path=f"--{name}")]) from None


def count(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"


def conclude(data: Any, directory: Path, tolerance: float | None, csv: bool, as_json: bool, quiet: bool) -> None:
    """Audit the result, keep the figures beside it, and say how it went."""
    from fairlead.auditing.audit import audit as audit_data
    from fairlead.results.findings import findings
    from fairlead.results.summaries.key_figures import key_figures
    from fairlead.running.files import write_json

    found = audit_data(data, tolerance=tolerance)
    known = findings(data.attrs)
    write_json(directory / "audit.json", found.to_dict())
    if csv:
        from fairlead.results.netcdf import write_csv

        write_csv(data, directory / "result.csv")
    if as_json:
        print(
            json.dumps({"result": str(directory / "result.nc"), "findings": known, "audit": found.to_dict()}, indent=2)
        )
    elif not quiet or not found.passed:
        seconds = float(data.attrs["wall_time"])
        speed = f"{float(data['time'][-1]) / seconds:,.0f} times real time" if seconds > 0 else ""
        print(f"{data.sizes['time']} instants in {directory / 'result.nc'} ({seconds:.2f} s, {speed})\n")
        for sentence in key_figures(data):
            print(sentence)
        for sentence in known:
            print(f"note: {sentence}")
        print("\n" + found.table())
        print(f"\n{directory}: {', '.join(sorted(path.name for path in directory.iterdir()))}")
        print(f"next: fairlead report {directory}\n      fairlead plot {directory}")
    data.close()
    if not found.passed:
        raise typer.Exit(1)
