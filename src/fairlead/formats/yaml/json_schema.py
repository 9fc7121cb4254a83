"""The words of a model file as a JSON Schema, for editors that complete and check while typing."""

from __future__ import annotations

from inspect import cleandoc
from typing import Any

from fairlead.model.joints.base import PER_COORDINATE
from fairlead.model.reading import TYPES, VERSION
from fairlead.model.schema import Model

_COORDINATES = {"type": "array", "items": {"type": "string"}}
_FLAGS = {"type": "object", "additionalProperties": {"type": "boolean"}}


def json_schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of a model file."""
    schema = Model.model_json_schema(by_alias=True, mode="validation")
    version = {"const": VERSION, "description": "version of the words in this file"}
    schema["properties"] = {"fairlead": version, **schema["properties"]}
    schema["required"] = ["fairlead", *schema["required"]]
    definitions = schema["$defs"]
    for kind, word in TYPES["joints"].items():
        _joint(definitions[word.__name__]["properties"], kind, list(word.coordinates))  # type: ignore[attr-defined]
        definitions[word.__name__]["description"] = _said(word)
    for kinds in TYPES.values():
        for word in kinds.values():
            _element(definitions[word.__name__], word)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "Fairlead model", **_untitled(schema)}


def _joint(properties: dict[str, Any], kind: str, coordinates: list[str]) -> None:
    """Let per-coordinate fields take the forms the reader takes: a mapping, or one value for one coordinate."""
    for field in PER_COORDINATE:
        value = properties[field].pop("additionalProperties")
        if field == "spring":
            value = {"anyOf": [value, {"type": "number", "minimum": 0}]}
        mapping = {"type": "object", "properties": dict.fromkeys(coordinates, value), "additionalProperties": False}
        said = {"description": properties[field]["description"]}
        properties[field] = ({"anyOf": [value, mapping]} if len(coordinates) == 1 else mapping) | said
    said = {"description": properties["locked"]["description"]}
    properties["locked"] = {"anyOf": [{"type": "boolean"}, {"type": "string"}, _COORDINATES, _FLAGS]} | said


def _said(word: Any) -> str:
    """Return what a joint is, and what each of its coordinates is."""
    drawn = not word.has_axes()
    said = [f"{name}: {one.said(drawn)}" for name, one in word.coordinates.items()]
    head = cleandoc(word.__doc__ or "")
    return f"{head}\n\nCoordinates: {'; '.join(said)}." if said else head


def _element(definition: dict[str, Any], word: Any) -> None:
    """Ask for the `type`, which tells elements apart in a file, and hide what only Python can give."""
    definition["required"] = ["type", *definition.get("required", [])]
    for name, field in word.model_fields.items():
        if field.exclude:
            definition["properties"].pop(name, None)


def _untitled(schema: Any) -> Any:
    """Return the schema without the titles made from Python names, which say nothing new."""
    if isinstance(schema, dict):
        named = {key: item for key, item in schema.items() if not (key == "title" and isinstance(item, str))}
        return {key: _untitled(item) for key, item in named.items()}
    return [_untitled(item) for item in schema] if isinstance(schema, list) else schema
