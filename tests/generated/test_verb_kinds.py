"""Every verb of the command line is whole: its file, its name in the list, its help, its page."""

from __future__ import annotations

import importlib
import pkgutil
import re
from pathlib import Path

import pytest

import fairlead.cli.verbs
from fairlead.cli.app import VERBS, Commands

ROOT = Path(__file__).parents[2]
FILES = [module.name for module in pkgutil.iter_modules(fairlead.cli.verbs.__path__)]
PAGES = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]


@pytest.mark.parametrize("verb", FILES)
def test_a_verb_is_whole(verb: str):
    function = getattr(importlib.import_module(f"fairlead.cli.verbs.{verb}"), verb, None)
    assert callable(function), f"cli/verbs/{verb}.py has no function '{verb}'"
    assert verb in VERBS, f"verb '{verb}' cannot be called: add its name to VERBS in cli/app.py"
    assert function.__doc__, f"verb '{verb}' has no docstring, which is its help"
    for parameter in Commands()[verb].params:
        assert parameter.help, f"verb '{verb}' says nothing of '{parameter.name}': give it a help"
    told = any(re.search(rf"fairlead {verb}\b", page.read_text()) for page in PAGES)
    assert told, f"no page speaks of `fairlead {verb}`: add it to docs"


def test_every_name_has_a_file():
    for verb in VERBS:
        assert verb in FILES, f"VERBS in cli/app.py names '{verb}', but there is no cli/verbs/{verb}.py"
