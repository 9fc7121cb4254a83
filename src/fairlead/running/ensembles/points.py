"""Parameters of a study as points along dimensions: what each point changes, and where the file says so."""

from __future__ import annotations

import csv
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from fairlead.errors import FilesFailure, InvalidInput, Problem
from fairlead.formats.yaml.tree import read_tree
from fairlead.model.messages import did_you_mean, nearest
from fairlead.running.ensembles import words
from fairlead.units import NUMBER_AND_UNIT, short

Place = tuple[str | int, ...]
OWN_COLUMNS = ("case", "realisations")
DIMENSION = re.compile(r"[^/]+")


@dataclass(frozen=True)
class Point:
    """One value of a parameter: its label, what it changes, and its model file if it says one."""

    label: Any
    changes: dict[str, Any] = field(default_factory=dict)
    model: str | None = None
    realisations: int | None = None
    places: dict[str, Place] = field(default_factory=dict)  # of each change, in the study's file


@dataclass(frozen=True)
class Dimension:
    """One parameter of a study."""

    name: str
    points: tuple[Point, ...]
    place: Place

    @property
    def paths(self) -> list[str]:
        """Return the paths that any of its points changes."""
        return list(dict.fromkeys(path for point in self.points for path in point.changes))

    def values(self, path: str) -> list[float] | list[str] | None:
        """Return what its points give a path, nan or nothing where they leave it; None if that is more than a value."""
        found = [point.changes.get(path) for point in self.points]
        if any(isinstance(one, dict | list | tuple) for one in found):
            return None
        if all(one is None or (isinstance(one, int | float) and not isinstance(one, bool)) for one in found):
            return [np.nan if one is None else float(one) for one in found]
        return ["" if one is None else str(one) for one in found]


def dimensions_of(study: words.Study) -> list[Dimension]:
    """Return the parameters of a study as dimensions; InvalidInput says what is wrong with them."""
    found, problems = [], []
    for name, parameter in study.vary.items():
        place = ("vary", name)
        try:
            found.append(Dimension(name, tuple(_points(name, parameter, place, study.seed)), place))
            _distinct(found[-1])
        except InvalidInput as error:
            problems += error.problems
    problems += _clashes(study, found)
    if problems:
        raise InvalidInput(problems)
    return found


def _points(name: str, parameter: Any, place: Place, seed: int) -> Iterator[Point]:
    if isinstance(parameter, words.Models):
        for label, file in parameter.models.items():
            yield Point(label, model=file)
    elif isinstance(parameter, words.Names):
        yield from (Point(label) for label in parameter.names)
    elif isinstance(parameter, words.Paired):
        first = next(iter(parameter.paired))
        labels = _labels(parameter.labels, parameter.paired[first], place)
        for i, label in enumerate(labels):
            changes = {path: values[i] for path, values in parameter.paired.items()}
            yield Point(label, changes, places={path: (*place, "paired", path, i) for path in changes})
    elif isinstance(parameter, words.Grid):
        path = parameter.path or name
        for i, label in enumerate(_labels(parameter.labels, parameter.values, place)):
            yield Point(label, {path: parameter.values[i]}, places={path: (*place, "values", i)})
    elif isinstance(parameter, words.Span):
        path = parameter.path or name
        low, high, unit = _ends(parameter.range, f"vary.{name}.range")
        for value in np.linspace(low, high, parameter.count).tolist():
            given = _with_unit(value, unit)
            yield Point(given, {path: given}, places={path: (*place, "range")})
    elif isinstance(parameter, words.CsvTable):
        yield from _rows(parameter, place)
    else:
        yield from _samples(parameter, name, place, seed)


def _labels(given: tuple[str, ...], values: Any, place: Place) -> list[Any]:
    """Return labels of values: those given, the values themselves if plain and different, or numbers from 1."""
    if given and len(given) != len(values):
        raise _wrong(f"names {len(given)} values, and there are {len(values)}", (*place, "labels"))
    if given:
        return list(given)
    plain = all(isinstance(one, int | float | str) and not isinstance(one, bool) for one in values)
    one_kind = len({isinstance(one, str) for one in values}) == 1
    return list(values) if plain and one_kind and len(set(values)) == len(values) else list(range(1, len(values) + 1))


def _distinct(dimension: Dimension) -> None:
    labels = [point.label for point in dimension.points]
    twice = next((label for label in labels if labels.count(label) > 1), None)
    if twice is not None:
        raise _wrong(f"has two points that are called {short(twice)}", dimension.place)
    if "/" in dimension.name or not dimension.name.strip() or dimension.name in ("realisation", "frequency"):
        raise _wrong("cannot be the name of a parameter; take another", dimension.place)


def _wrong(message: str, place: Place) -> InvalidInput:
    return InvalidInput([Problem(message, ".".join(map(str, place)))])


def _clashes(study: words.Study, dimensions: list[Dimension]) -> list[Problem]:
    """Return a problem for each path, and for the model, that is said twice."""
    said: dict[str, str] = dict.fromkeys(study.set, "set")
    found = []
    models = [one.name for one in dimensions if any(point.model for point in one.points)]
    if len(models) > 1:
        found.append(Problem(f"names models, and so does '{models[0]}'; keep one", f"vary.{models[1]}"))
    if models and study.model is not None:
        found.append(Problem(f"has no effect beside the models of '{models[0]}'; leave it out", "model"))
    if not models and study.model is None:
        found.append(Problem("is required and missing; for example model: models/oc3_hywind.yaml", "model"))
    for one in dimensions:
        for path in one.paths:
            if path in said:
                found.append(Problem(f"'{path}' is said by '{said[path]}' too; keep one", f"vary.{one.name}"))
            said[path] = one.name
    return found


def resolved(value: Any, dimensions: list[Dimension], places: tuple[int, ...], path: str) -> Any:
    """Return a value of one combination: of {by: PARAMETER, values: [...]} the one at that parameter's point."""
    while isinstance(value, dict) and set(value) == {"by", "values"} and isinstance(value["values"], list):
        names = [one.name for one in dimensions]
        if value["by"] not in names:
            raise InvalidInput([Problem(f"goes by '{value['by']}'{did_you_mean(str(value['by']), names)}", path)])
        number = names.index(value["by"])
        wanted = len(dimensions[number].points)
        if len(value["values"]) != wanted:
            text = f"has {len(value['values'])} values by '{value['by']}', which has {wanted} points"
            raise InvalidInput([Problem(text, path)])
        value = value["values"][places[number]]
    return value


# Numbers with units


def _number(value: Any, where: str) -> tuple[float, str]:
    """Return a number and the text of its unit."""
    if isinstance(value, str):
        match = NUMBER_AND_UNIT.match(value)
        if match:
            return float(match.group(1)), (match.group(2) or "").strip()
    elif isinstance(value, int | float) and not isinstance(value, bool):
        return float(value), ""
    raise InvalidInput([Problem(f"expected a number or a text with a unit, got {short(value)}", where)])


def _ends(given: Any, where: str) -> tuple[float, float, str]:
    """Return two numbers and the unit that both have."""
    (low, one), (high, other) = (_number(value, where) for value in given)
    if one != other:
        raise InvalidInput([Problem(f"has two units, '{one}' and '{other}'; write both in one", where)])
    return low, high, one


def _with_unit(value: float, unit: str) -> Any:
    return f"{value!r} {unit}" if unit else value


# Samples


def _samples(parameter: Any, name: str, place: Place, seed: int) -> Iterator[Point]:
    from scipy.stats import norm, qmc

    latin = isinstance(parameter, words.LatinHypercube)
    spreads = parameter.latin_hypercube if latin else parameter.sobol
    kind = "latin-hypercube" if latin else "sobol"
    chance = np.random.Generator(np.random.PCG64(np.random.SeedSequence([seed, zlib.crc32(name.encode())])))
    engine = qmc.LatinHypercube(len(spreads), seed=chance) if latin else qmc.Sobol(len(spreads), seed=chance)
    shares = engine.random(parameter.count)
    columns = {}
    for (path, spread), share in zip(spreads.items(), shares.T):
        where = f"vary.{name}.{kind}.{path}"
        normal = isinstance(spread, dict)
        one, other, unit = _ends((spread["mean"], spread["std"]) if normal else spread, where)
        if normal and not other > 0:
            raise InvalidInput([Problem(f"needs a std greater than zero; got {other:g}", where)])
        values = norm.ppf(share, one, other) if normal else one + (other - one) * share
        columns[path] = [_with_unit(value, unit) for value in values.tolist()]
    for i in range(parameter.count):
        changes = {path: values[i] for path, values in columns.items()}
        yield Point(i + 1, changes, places={path: (*place, kind, path) for path in changes})


# Tables


def _rows(parameter: words.CsvTable, place: Place) -> Iterator[Point]:
    """Give a point for each row of a table."""
    file, at = parameter.table, ".".join(map(str, place))
    head, rows = _read_csv(file)
    strange = [name for name in parameter.columns if name not in head]
    if strange:
        near = nearest(strange[0], head)
        mean = f"; did you mean '{near[0]}'?" if near else f"; it has {', '.join(head)}"
        raise InvalidInput([Problem(f"the table has no column '{strange[0]}'{mean}", f"{at}.columns")])
    problems: list[Problem] = []
    for number, cells in rows:
        changes: dict[str, Any] = {}
        label, count = f"row {number}", None
        if len(cells) > len(head):
            problems.append(Problem(f"has {len(cells)} cells, and the head has {len(head)}", "", file, number, 1))
            continue
        for column, (name, text) in enumerate(zip(head, cells), start=1):
            if not text.strip():
                continue
            value, wrong = _cell(text)
            if name == "case":
                label = text.strip()
            elif wrong:
                problems.append(Problem(wrong, name, file, number, column))
            elif name == "realisations":
                count = value
                if not isinstance(value, int) or isinstance(value, bool) or value < 1:
                    problems.append(
                        Problem(f"must be a whole number, 1 or more; got {short(value)}", name, file, number, column)
                    )
            else:
                changes |= dict.fromkeys(parameter.columns.get(name, (name,)), value)
        yield Point(label, changes, realisations=count, places=dict.fromkeys(changes, (*place, "table")))
    if problems:
        raise InvalidInput(problems)


def _read_csv(file: str) -> tuple[list[str], list[tuple[int, list[str]]]]:
    """Return the head of a table and its rows with their line numbers."""
    try:
        with open(file, encoding="utf-8-sig", newline="") as stream:
            reader = csv.reader(stream, skipinitialspace=True)
            lines = [(reader.line_num, row) for row in reader if any(cell.strip() for cell in row)]
    except OSError as error:
        raise FilesFailure(f"cannot read the table '{file}': {error.strerror}") from None
    except (UnicodeDecodeError, csv.Error) as error:
        raise InvalidInput([Problem(f"is not a CSV file: {error}", "", file)]) from None
    lines = [line for line in lines if not line[1][0].startswith("#")]
    if len(lines) < 2:
        raise InvalidInput([Problem("needs a head and at least one row", "", file, 1, 1)])
    head = [cell.strip() for cell in lines[0][1]]
    twice = next((name for name in head if head.count(name) > 1 or not name), None)
    if twice is not None:
        text = f"has two columns '{twice}'" if twice else "has a column without a head"
        raise InvalidInput([Problem(text, "", file, lines[0][0], 1)])
    return head, lines[1:]


def _cell(text: str) -> tuple[Any, str]:
    """Return what a cell says, read as in a YAML file, or what is wrong with it."""
    tree = read_tree(text.strip())
    if tree.complaints or tree.root is None:
        return None, tree.complaints[0].message
    return tree.root.data(), ""
