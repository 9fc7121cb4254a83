"""Everything that is wrong with a model file."""

from __future__ import annotations

import json
import sys

import typer

from fairlead.cli.common import count, loaded, placed_in
from fairlead.cli.options import AsJson, Changes, ModelFile


def check(file: ModelFile, changes: Changes = None, as_json: AsJson = False) -> None:
    """Say everything that is wrong with a model file, without running it."""
    from fairlead.running.check import check as check_model

    problems = check_model(file)
    if changes and not any(problem.severity == "error" for problem in problems):
        with placed_in(file):
            problems = check_model(loaded(file, changes))
    errors = [problem for problem in problems if problem.severity == "error"]
    if as_json:
        print(json.dumps([vars(problem) for problem in problems], indent=2))
    else:
        for problem in problems:
            print(problem, file=sys.stderr if problem in errors else sys.stdout)
        if not errors:
            print(f"{file}: good" + (f", {count(len(problems), 'remark', 'remarks')}" if problems else ""))
    if errors:
        raise typer.Exit(3)
