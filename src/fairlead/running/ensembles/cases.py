"""The cases of a study: every combination of its parameters, each with its seeds, its content hash and its command."""

from __future__ import annotations

import hashlib
import json
import os
import shlex
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import BaseModel

import fairlead
from fairlead.core.jit.cache import source_hash
from fairlead.errors import FairleadError, InvalidInput, Problem
from fairlead.formats.load import load
from fairlead.formats.yaml.write import flow
from fairlead.model.checks.checked import checked
from fairlead.model.files import also_in, beside, content_hash, files_of
from fairlead.model.messages import did_you_mean, spelled
from fairlead.model.schema import Model
from fairlead.model.writing import to_data
from fairlead.running.ensembles import words
from fairlead.running.ensembles.points import Dimension, Place, dimensions_of, resolved
from fairlead.running.ensembles.read import Source
from fairlead.running.options import NAMES, run_options

FLAGS: tuple[str, ...] = ("duration", "dt", "integrator", "formulation", "unknowns", "closing", "rotation")
FLAGS += ("output_every", "interval")
FLAGS += ("rtol", "atol", "start", "ramp", "discard")


@dataclass(frozen=True)
class Base:
    """A model that is varied: as it was read, or why it cannot be."""

    file: str
    model: Model | None = field(repr=False)
    data: dict[str, Any] = field(repr=False)
    digest: str
    missing: str = ""


@dataclass(frozen=True)
class Case:
    """One run of a study: its place along each dimension, what it changes, and the hash of all that decides it."""

    place: dict[str, int]
    labels: dict[str, Any]
    base: Base = field(repr=False)
    changes: dict[str, Any]
    records: str  # the same for cases whose waves and wind are the same
    digest: str

    @property
    def name(self) -> str:
        """Return what the case is called in messages."""
        return ", ".join(f"{name} {label}" for name, label in self.labels.items()) or "the only case"


@dataclass(frozen=True)
class Plan:
    """A study with everything worked out: its dimensions, its cases, and the options of every run."""

    study: words.Study
    name: str
    dimensions: list[Dimension]
    realisations: int
    cases: list[Case] = field(repr=False)
    options: dict[str, Any]
    source: Source = field(repr=False)

    @property
    def wanted(self) -> dict[str, Any]:
        """Return what is wanted of each run, as plain data."""
        study = self.study
        return {
            "statistics": {name: list(given) for name, given in study.statistics.items()},
            "segment": study.segment,
            "keep": study.keep,
            "decimate": study.decimate if study.keep == "decimated" else None,
        }

    def only(self, points: list[str]) -> Plan:
        """Return the plan with the cases at some points alone, each said as PARAMETER=LABEL; the others wait."""
        cases = self.cases
        names = [*(one.name for one in self.dimensions), "realisation"]
        for text in points:
            name, _, label = text.partition("=")
            if name not in names:
                raise InvalidInput([Problem(f"there is no parameter '{name}'{did_you_mean(name, names)}", "--only")])
            labels = [str(case.labels.get(name, 1)) for case in self.cases]
            if label not in labels:
                known = did_you_mean(label, dict.fromkeys(labels))
                raise InvalidInput([Problem(f"'{name}' has no point '{label}'{known}", "--only")])
            cases = [case for case in cases if str(case.labels.get(name, 1)) == label]
        return replace(self, cases=cases)

    def command(self, case: Case) -> str:
        """Return the command that runs a case alone."""
        parts = ["fairlead", "run", _from_here(case.base.file)]
        for name in FLAGS:
            if name in self.options:
                parts += [f"--{name.replace('_', '-')}", _said(self.options[name])]
        audit = self.options.get("audit")
        if isinstance(audit, dict) and "tolerance" in audit:
            parts += ["--tolerance", _said(audit["tolerance"])]
        for path, value in case.changes.items():
            parts += ["--set", f"{path}={flow(value)}"]
        return shlex.join(parts)


def _whole_names(path: str, value: Any, file: str) -> Any:
    """Return a value with the files that it names sought beside the study's file, so that they are found anywhere."""
    if isinstance(value, dict):
        return {key: _whole_names(key, inner, file) for key, inner in value.items()}
    if path.rpartition(".")[2] == "file" and isinstance(value, str) and value:
        return os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(file)) if file else os.getcwd(), value))
    return value


def _from_here(file: str) -> str:
    """Return a file's path from the folder one is in, where that is no longer."""
    try:
        return min(file, os.path.relpath(file), key=len)
    except ValueError:  # another drive
        return file


def _said(value: Any) -> str:
    return repr(value) if isinstance(value, float) else str(value)


def plan_of(study: words.Study, source: Source) -> Plan:
    """Return a study with its cases worked out and checked; InvalidInput lists every problem, with its place."""
    try:
        dimensions = dimensions_of(study)
        problems = [
            Problem(f"is no option of a run; there are {', '.join(NAMES)}", f"run.{one}")
            for one in study.run
            if one not in NAMES
        ]
        if problems:
            raise InvalidInput(problems)
        return _planned(study, source, dimensions)
    except InvalidInput as error:
        raise InvalidInput(source.placed(error.problems)) from None


def _planned(study: words.Study, source: Source, dimensions: list[Dimension]) -> Plan:
    bases = _Bases(source)
    name = study.name or (Path(source.file).stem if source.file else "study")
    options = dict(study.run)
    checks = _Checks(study, source, options)
    cases: list[Case] = []
    counts = []
    for places in product(*(range(len(one.points)) for one in dimensions)):
        points = [one.points[i] for one, i in zip(dimensions, places)]
        base = bases.of(next((point.model for point in points if point.model), study.model or ""))
        changes = dict(study.set)
        origins: dict[str, Place] = {path: ("set", path) for path in changes}
        for point in points:
            changes |= point.changes
            origins |= point.places
        changes = {
            path: _whole_names(path, checks.value(value, dimensions, places, origins[path]), source.file)
            for path, value in changes.items()
        }
        count = next((point.realisations for point in points if point.realisations), study.realisations)
        seeds = checks.seeds(base, changes, origins, count)
        counts.append(count or 1)
        place = {one.name: i for one, i in zip(dimensions, places)}
        labels = {one.name: point.label for one, point in zip(dimensions, points)}
        sea = {path: value for path, value in changes.items() if path.startswith("environment.")}
        for realisation in range(count or 1):
            seeded = _seeds(study.seed, sea, realisation, seeds)
            repeated = {"realisation": realisation + 1} if (count or 1) > 1 else {}
            cases.append(
                _case(study, options, {**place, "realisation": realisation}, labels | repeated, base, changes | seeded)
            )
    if checks.problems:
        raise InvalidInput(checks.problems)
    if all(base.missing for base in bases.known.values()):
        load(next(iter(bases.known)))  # raises the error that says what is missing
    found = Plan(study, name, dimensions, max(counts), cases, options, source)
    return found


class _Bases:
    """Models by their files, each read once."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.known: dict[str, Base] = {}

    def of(self, file: str) -> Base:
        """Return the model of a file; one that is not there fails its cases and not the others."""
        if file not in self.known:
            self.known[file] = self._read(file)
        return self.known[file]

    def _read(self, file: str) -> Base:
        model = self.source.model
        try:
            if model is None:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore", UserWarning)
                    model = load(file)
        except InvalidInput:
            raise
        except FairleadError as error:
            return Base(file, None, {}, digest_of_data(["missing", file]), str(error))
        model = checked(model)
        data = to_data(model)
        return Base(file if self.source.model is None else "MODEL", model, data, digest_of_data(data))


class _Checks:
    """Holds every distinct combination of a study against its model; `problems` gathers what is wrong."""

    def __init__(self, study: words.Study, source: Source, options: dict[str, Any]) -> None:
        self.study, self.source, self.options = study, source, options
        self.problems: list[Problem] = []

    def value(self, value: Any, dimensions: list[Dimension], places: tuple[int, ...], origin: Place) -> Any:
        """Return a value of one combination, which may go by where another parameter is."""
        try:
            return resolved(value, dimensions, places, ".".join(map(str, origin)))
        except InvalidInput as error:
            self._add(error.problems)
            return None

    def seeds(self, base: Base, changes: dict[str, Any], places: dict[str, Place], count: int | None) -> list[str]:
        """Return the paths of the seeds that realisations of a combination change."""
        if base.model is None:
            return []
        try:
            with beside(self.source.file or "x", anywhere=not self.source.file), also_in([os.path.dirname(base.file)]):
                model = base.model.with_(changes) if changes else base.model
        except InvalidInput as error:
            self._add([_at(problem, places) for problem in error.problems])
            return []
        try:
            run_options(model, self.options)
        except InvalidInput as error:
            mine = set(self.options)
            self._add([_of_run(problem, mine) for problem in error.problems])
            return []
        if count is None:
            return []
        known = list(seed_paths(model))
        strange = [path for path in self.study.seeds if path in changes]
        if strange:
            self._add([Problem(f"'{strange[0]}' is varied or set, so realisations cannot change it", "seeds")])
        found = list(self.study.seeds) or [path for path in known if path not in changes]
        if count > 1 and not found:
            text = "need a seed that they can change, and the model has none; give 'seeds', or leave realisations out"
            self._add([Problem(text, "realisations")])
        if self.study.seeds:
            try:
                model.with_(dict.fromkeys(found, 1))
            except InvalidInput as error:
                self._add([Problem(f"{problem.path} {problem.message}", "seeds") for problem in error.problems])
        return found

    def _add(self, problems: list[Problem]) -> None:
        self.problems += [problem for problem in problems if problem not in self.problems]


def _at(problem: Problem, places: dict[str, Place]) -> Problem:
    """Return a problem of a varied model at the value of the study that is to blame, as far as that is known."""
    for path in sorted(places, key=len, reverse=True):
        if problem.path == path or problem.path.startswith(f"{path}.") or path.startswith(f"{problem.path}."):
            message = problem.message if problem.path == path else f"{problem.path} {problem.message}"
            return Problem(message, ".".join(map(str, places[path])))
    place = next(iter(places.values()), ())
    return Problem(f"{problem.path}: {problem.message}", str(place[0]) if place else "")


def _of_run(problem: Problem, given: set[str]) -> Problem:
    name = problem.path.partition(".")[0]
    return Problem(problem.message, f"run.{problem.path}" if name in given else problem.path)


def seed_paths(word: Any, path: str = "environment") -> Iterator[str]:
    """Give the paths of all seeds of a model's environment."""
    if isinstance(word, Model):
        word = word.environment
    if isinstance(word, BaseModel):
        for name, info in type(word).model_fields.items():
            if name == "seed":
                yield f"{path}.seed"
            else:
                yield from seed_paths(getattr(word, name), f"{path}.{spelled(name, info)}")
    elif isinstance(word, tuple | list) and word and isinstance(word[0], BaseModel):
        for i, one in enumerate(word):
            yield from seed_paths(one, f"{path}.{i}")


def _seeds(seed: int, sea: dict[str, Any], realisation: int, paths: list[str]) -> dict[str, Any]:
    """Return the seeds of a realisation, from the study's seed, the sea and the number of the realisation.

    They do not know what else is varied, so hulls and strategies meet the same waves and wind.
    """
    if not paths:
        return {}
    number = int(digest_of_data(sea)[:16], 16)
    drawn = np.random.SeedSequence([seed, number, realisation]).generate_state(len(paths))
    return {path: int(one) for path, one in zip(paths, drawn)}


def _case(
    study: words.Study,
    options: dict[str, Any],
    place: dict[str, int],
    labels: dict[str, Any],
    base: Base,
    changes: dict[str, Any],
) -> Case:
    sea = {path: value for path, value in changes.items() if path.startswith("environment.")}
    decides = {
        "model": base.digest,
        "changes": changes,
        "options": options,
        "statistics": {name: list(given) for name, given in study.statistics.items()},
        "segment": study.segment,
        "keep": [study.keep, study.decimate if study.keep == "decimated" else None],
        "version": [fairlead.__version__, source_hash()],
        "files": _files(base, changes),
    }
    digest = digest_of_data(decides)
    wet = base.model is not None and base.model.environment is not None  # else there is nothing to share
    return Case(place, labels, base, changes, digest_of_data([base.digest, sea]) if wet else digest, digest)


def _files(base: Base, changes: dict[str, Any]) -> list[str]:
    """Return hashes of what the files hold that a model and its changes name."""
    named = [] if base.model is None else sorted(files_of(base.model))
    named += sorted(str(value) for path, value in changes.items() if path.endswith(".file"))
    return [_content(file) for file in named]


def _content(file: str) -> str:
    try:
        found = os.stat(file)
    except OSError:
        return ""
    return _content_at(file, found.st_mtime_ns, found.st_size)


@lru_cache(maxsize=1024)
def _content_at(file: str, changed: int, size: int) -> str:
    return content_hash(file)


def digest_of_data(data: Any) -> str:
    """Return a hash of plain data, whatever the order of its keys."""
    return hashlib.sha256(json.dumps(data, sort_keys=True, default=str).encode()).hexdigest()[:32]
