"""Every field of every word has a sentence, and help, JSON schema and messages show it."""

from __future__ import annotations

import pydoc
from collections.abc import Iterator
from typing import Any

import pytest

import fairlead as fl
from fairlead.formats.yaml.json_schema import json_schema
from fairlead.model.descriptions import own_doc, split, unit_of
from fairlead.model.fields import SchemaModel

UNDESCRIBED: list[str] = []  # may never grow


def words(word: type[SchemaModel] = SchemaModel) -> Iterator[type[SchemaModel]]:
    for name in fl.__all__:
        getattr(fl, name)  # loads its module
    for inner in word.__subclasses__():
        if inner.__module__.startswith("fairlead."):
            yield inner
            yield from words(inner)


def test_every_field_has_a_description():
    missing = {
        f"{word.__name__}.{name}"
        for word in words()
        for name, field in word.model_fields.items()
        if not (field.description or "").strip()
    }
    assert sorted(missing) == UNDESCRIBED


def test_every_sentence_is_about_a_field():
    for word in words():
        _, sentences = split(own_doc(word))
        assert set(sentences) <= set(word.model_fields), word.__name__


def test_a_field_with_a_unit_says_it():
    for word in words():
        for name, field in word.model_fields.items():
            if unit_of(field):
                assert f"[{unit_of(field)}]" in field.description, f"{word.__name__}.{name}"


def test_every_property_of_the_json_schema_is_described():
    schema = json_schema()
    for name, definition in {"": schema, **schema["$defs"]}.items():
        for key, value in definition.get("properties", {}).items():
            assert value.get("description"), f"{name}.{key}"
    body = schema["$defs"]["Body"]
    assert body["properties"]["mass"]["description"] == "mass of the body [kg]"
    assert body["description"] == "A rigid body drawn in the world at t = 0."
    assert schema["$defs"]["Rate"]["properties"]["rate"]["description"].startswith("the rate")


def help_of(word: Any) -> str:
    return pydoc.render_doc(word, renderer=pydoc.plaintext)


def test_help_shows_fields_with_kind_default_unit_and_sentence():
    text = help_of(fl.Revolute)
    assert "Rotation about `axis` through `point`." in text
    assert "point: three numbers, optional\n |      a point on the axis [m]" in text
    assert "Coordinate: angle [rad]" in text
    assert "parent: text\n |      body it starts from, or `world`" in text  # a field of the base
    text = help_of(fl.Body)
    assert "mass: number above 0\n |      mass of the body [kg]" in text
    assert "position: three numbers, default (0.0, 0.0, 0.0)\n |      mass centre in the drawing [m]" in text


@pytest.mark.parametrize("name", [name for name in fl.__all__ if hasattr(getattr(fl, name), "model_fields")])
def test_help_shows_nothing_of_the_machinery(name: str):
    text = help_of(getattr(fl, name))
    for noise in ("model_", "__pydantic", "parse_obj", "Annotated", "BeforeValidator", "__init__"):
        assert noise not in text.replace("`model_copy`", ""), noise


def test_a_missing_field_is_described_where_there_is_no_example():
    with pytest.raises(fl.InvalidInput, match=r"RegularWave.height: is required and missing: crest to trough \[m\]"):
        fl.RegularWave(period=8)
    with pytest.raises(fl.InvalidInput, match=r"Body.mass: is required and missing; for example mass"):
        fl.Body(inertia=(1, 1, 1))
