"""A study from its file or from a dictionary, or everything that is wrong with it, with its place in the file."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from pydantic import ValidationError

from fairlead.errors import InvalidInput, Problem
from fairlead.formats.text import read_text
from fairlead.formats.yaml.tree import Node, Refused, Tree, read_tree
from fairlead.model.checks.all import shown
from fairlead.model.files import beside
from fairlead.model.messages import did_you_mean, keys_of, place_of, sentence_of
from fairlead.running.ensembles import words
from fairlead.running.ensembles.points import Place
from fairlead.units import short

KEY = "fairlead_study"


@dataclass(frozen=True)
class Source:
    """Where a study was read: its file, if it has one, its tree, which knows lines, and a model given in Python."""

    file: str = ""
    root: Node | None = field(default=None, repr=False)
    model: Any = None

    def placed(self, problems: Iterable[Problem]) -> list[Problem]:
        """Return problems with their places in the file; those that have a file already are left as they are."""
        return [self._placed(problem) for problem in problems]

    def _placed(self, problem: Problem) -> Problem:
        if problem.file or self.root is None or not self.file:
            return problem
        place = place_in(self.root, problem.path)
        line, column = self.root.locate_key(place) if place else (0, 0)
        return replace(problem, file=self.file, line=line, column=column)


def place_in(root: Node, path: str) -> Place:
    """Return the keys of the tree that a path shown in a message stands for; keys may have dots in them."""
    place: list[str | int] = []
    node, rest = root, path
    while rest:
        if isinstance(node.value, dict):
            known: list[Any] = [key for key in node.value if rest == key or rest.startswith(f"{key}.")]
            key: Any = max(known, key=len, default=None)
            text = key
        else:
            text = rest.partition(".")[0]
            key = int(text) if text.isdecimal() else None
        inner = node.child(key) if key is not None else None
        if inner is None:
            break
        place.append(key)
        node, rest = inner, rest[len(text) + 1 :]
    return tuple(place)


def read_study(given: Any) -> tuple[words.Study, Source]:
    """Return a study from the path of its file or from a dictionary; InvalidInput lists every problem."""
    if isinstance(given, str | os.PathLike):
        return _of_file(os.fspath(given))
    if isinstance(given, Mapping):
        model = given.get("model")
        in_python = hasattr(model, "with_")
        data = {key: value for key, value in given.items() if not (in_python and key == "model")}
        study, problems = _of_data(data, os.path.join(os.getcwd(), ""), in_python)
        if study is None:
            raise InvalidInput(problems)
        return study, Source(model=model if in_python else None)
    raise InvalidInput(f"expected the path of a study's file or a dictionary with its words, got {short(given)}")


def _of_file(file: str) -> tuple[words.Study, Source]:
    try:
        tree = read_tree(read_text(file))
    except Refused as refused:
        tree = Tree(complaints=[refused.complaint])
    problems = [Problem(wrong.message, shown(wrong.path), file, wrong.line, wrong.column) for wrong in tree.complaints]
    study = None
    if tree.root is not None:
        study, found = _of_data(tree.root.data(), file)
        problems += Source(file, tree.root).placed(found)
    problems.sort(key=lambda problem: (problem.line, problem.column))
    if problems or study is None:
        raise InvalidInput(problems)
    return study, Source(file, tree.root)


def _of_data(data: Any, file: str, in_python: bool = False) -> tuple[words.Study | None, list[Problem]]:
    """Return a study from plain data and what is wrong with it."""
    if not isinstance(data, dict):
        fields = ", ".join(keys_of(words.Study))
        return None, [Problem(f"expected a mapping with '{KEY}: {words.VERSION}' and {fields}; got {short(data)}")]
    problems = _version(data)
    known = [KEY, *keys_of(words.Study)]
    problems += [
        Problem(f"is not a known field here{did_you_mean(key, known)}", key) for key in data if key not in known
    ]
    given = {key: value for key, value in data.items() if key in known and key != KEY}
    if in_python:
        given["model"] = "given in Python"
    study = None
    try:
        with beside(file, anywhere=True):  # a study's models and tables lie where their user has them
            study = words.Study.model_validate(given)
    except ValidationError as error:
        for item in error.errors(include_url=False):
            path = ".".join(str(part) for part in _kept(given, place_of(item), item["type"]))
            problems.append(Problem(sentence_of(item, words.Study), path))
    return (study if not problems else None), problems


def _version(data: dict[str, Any]) -> list[Problem]:
    if KEY not in data:
        hint = "; this is a model file: fairlead run runs it" if "fairlead" in data else ""
        return [Problem(f"'{KEY}: {words.VERSION}' is missing; a study's file says in it which words it uses{hint}")]
    if data[KEY] != words.VERSION or isinstance(data[KEY], bool):
        return [Problem(f"unknown version {short(data[KEY])}; this version reads '{KEY}: {words.VERSION}'", KEY)]
    return []


def _kept(data: Any, path: tuple[str | int, ...], kind: str) -> tuple[str | int, ...]:
    """Return a path without the parts that reading put in; a missing field keeps its name."""
    kept: list[str | int] = []
    for part in path:
        inside = isinstance(data, dict) and part in data
        if inside or (isinstance(data, list | tuple) and isinstance(part, int) and part < len(data)):
            kept.append(part)
            data = data[part]
    return (*kept, path[-1]) if kind == "missing" and path else tuple(kept)
