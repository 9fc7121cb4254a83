"""The reference has every word, verb and function, each with its meaning, and is what the code says."""

from __future__ import annotations

import typing
from pathlib import Path

import fairlead as fl
import make_reference
from fairlead.cli.app import VERBS
from fairlead.formats.yaml.json_schema import json_schema
from fairlead.model.controllers.table import KINDS as CONTROLLERS
from fairlead.model.fields import SchemaModel
from fairlead.model.joints.types import AnyJoint
from fairlead.model.loads.table import LOADS
from fairlead.model.run import Run

ROOT = Path(__file__).parents[2]


def text(name: str) -> str:
    return (ROOT / "docs" / "reference" / f"{name}.md").read_text("utf-8")


def test_the_reference_is_current():
    for name, page in make_reference.pages().items():
        assert text(name) == page, f"docs/reference/{name}.md is not what the code says: run `make reference`"


def test_it_has_every_kind_option_verb_and_function():
    for kind in typing.get_args(typing.get_args(AnyJoint)[0]):
        assert f"## `{kind.kind()}`" in text("joints")
    for name in LOADS:
        assert f"## `{name}`" in text("loads")
    for kind in CONTROLLERS:
        assert f"## `{kind.model_fields['type'].default}`" in text("controllers")
    for name in Run.model_fields:
        assert f"| `{name}` |" in text("run")
    for verb in VERBS:
        assert f"## `fairlead {verb}`" in text("verbs")
    everything = "".join(text(name) for name in make_reference.pages())
    for name in fl.__all__:
        value = getattr(fl, name)
        word = isinstance(value, type) and issubclass(value, SchemaModel)
        assert (f"fl.{name}`" if word else f"## `fl.{name}`") in everything, name


def test_every_word_of_the_schema_has_a_place_and_a_meaning():
    pages = [text(name) for name in make_reference.pages()]
    for name, definition in json_schema()["$defs"].items():
        for key, field in definition.get("properties", {}).items():
            assert field.get("description"), f"{name}.{key} has no description"
            if key != "type":
                assert any(f"`{key}`" in page for page in pages), f"{name}.{key} is on no page"
    for page in pages:
        for line in page.splitlines():
            if line.startswith("| `") and " | " in line:
                assert line.rstrip(" |").count("|") >= 2 and not line.rstrip().endswith("|  |"), line
