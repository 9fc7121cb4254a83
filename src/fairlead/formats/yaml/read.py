"""A model from a YAML file, or every problem of the file at once, each with its line."""

from __future__ import annotations

import os

from fairlead.errors import FilesFailure, InvalidInput, Problem
from fairlead.formats.text import read_text
from fairlead.formats.yaml.tree import Node, Refused, Tree, read_tree
from fairlead.model.checks.all import shown
from fairlead.model.checks.partial_model import GROUPS, Finding, Path
from fairlead.model.files import beside
from fairlead.model.reading import read_data
from fairlead.model.schema import Model


def load(path: str | os.PathLike[str]) -> Model:
    """Return the model of a YAML file; InvalidInput lists every problem of the file."""
    model, problems = read_yaml(path)
    if model is None:
        raise InvalidInput([problem for problem in problems if problem.severity == "error"])
    return model


def read_yaml(path: str | os.PathLike[str]) -> tuple[Model | None, list[Problem]]:
    """Return the model of a YAML file, None if it has errors, and all problems in the order of the file."""
    file = os.fspath(path)
    try:
        tree = read_tree(read_text(file))
    except Refused as refused:
        tree = Tree(complaints=[refused.complaint])
    problems = [Problem(wrong.message, shown(wrong.path), file, wrong.line, wrong.column) for wrong in tree.complaints]
    model = None
    if tree.root is not None:
        with beside(file):
            model, found = read_data(tree.root.data(), Model, [wrong.path for wrong in tree.complaints])
        problems += [_located(one, tree.root, file) for one in found]
    problems.sort(key=lambda problem: (problem.line, problem.column))
    return (None if any(problem.severity == "error" for problem in problems) else model), problems


def located_in(path: str | os.PathLike[str], problems: list[Problem]) -> list[Problem]:
    """Return problems that name a field of a YAML file with its place in the file; others as they are."""
    try:
        root = read_tree(read_text(os.fspath(path))).root
    except (Refused, FilesFailure):
        return problems
    return [_placed(problem, root, os.fspath(path)) for problem in problems]


def _placed(problem: Problem, root: Node | None, file: str) -> Problem:
    parts: Path = tuple(int(part) if part.isdigit() else part for part in problem.path.split("."))
    if problem.file or root is None or not problem.path or root.child(parts[0]) is None:
        return problem
    return Problem(problem.message, problem.path, file, *root.locate(parts), problem.severity)


def _located(found: Finding, root: Node, file: str) -> Problem:
    about_key = found.key or (len(found.path) == 2 and found.path[0] in GROUPS)  # an element is where its name stands
    line, column = root.locate_key(found.path) if about_key else root.locate(found.path)
    message = found.message + (f" (it is in line {root.locate_key(found.also)[0]})" if found.also else "")
    return Problem(message, shown(found.path), file, line, column, found.severity)
