"""The meaning of each field of a model's words: read from docstrings, shown by help, JSON schema and messages.

The docstring of a word ends with one line per field, `name: sentence`; further lines of a sentence are indented. The
unit comes from the field's type and is added to the sentence.
"""

from __future__ import annotations

import inspect
import re
import types
import typing
from collections.abc import Callable, Iterator
from typing import Annotated, Any, Literal, NamedTuple, Union

from annotated_types import Ge, Gt, Le, Lt
from pydantic import BaseModel
from pydantic.fields import FieldInfo

LINE = re.compile(r"(\w+): (.+)")
BOUNDS = ((Gt, "gt", "above"), (Ge, "ge", "at least"), (Lt, "lt", "below"), (Le, "le", "at most"))
PLAIN = {float: "number", int: "whole number", str: "text", bool: "True or False", type(None): "None", Any: "anything"}


class Unit(NamedTuple):
    """The unit of a number or of each of several, as part of its type."""

    text: str


class OnClass:
    """An attribute of a class that is worked out from the class when it is asked for."""

    def __init__(self, find: Callable[[Any], Any]):
        self.find = find

    def __get__(self, _: Any, word: Any) -> Any:
        return self.find(word)


def own_doc(word: type) -> str:
    """Return the docstring of a class as it stands in the source."""
    return inspect.cleandoc(vars(word).get("__doc__") or "")


def split(doc: str) -> tuple[str, dict[str, str]]:
    """Return what a docstring says of the whole, and the sentence of each field it names."""
    whole: list[str] = []
    sentences: dict[str, str] = {}
    name = ""
    for line in doc.splitlines():
        match = LINE.fullmatch(line)
        if match:
            name = match.group(1)
            sentences[name] = match.group(2)
        elif name and line.startswith(" "):
            sentences[name] += " " + line.strip()
        else:
            name = ""
            whole.append(line)
    return "\n".join(whole).strip(), sentences


def describe(word: type[BaseModel]) -> None:
    """Give each field that the word declares its description; fields of a base have theirs already."""
    whole, sentences = split(own_doc(word))
    fields = word.model_fields
    for name in vars(word).get("__annotations__", ()):
        if name not in fields:
            continue
        if name == "type":
            fields[name].description = "kind: " + whole.split("\n", 1)[0]
        elif name in sentences:
            unit = "" if "[" in sentences[name] else unit_of(fields[name])
            fields[name].description = sentences[name] + (f" [{unit}]" if unit else "")
        else:  # declared anew, with the same meaning
            above = (base.model_fields.get(name) for base in word.__mro__[1:] if issubclass(base, BaseModel))
            fields[name].description = next((one.description for one in above if one and one.description), None)


def described_schema(word: type[BaseModel], schema: dict[str, Any]) -> dict[str, Any]:
    """Return the JSON schema of a word with the descriptions of the word and of its fields."""
    schema["description"] = summary_of(word)
    for name, field in word.model_fields.items():
        key = field.serialization_alias or name  # what a file calls it
        if field.description and key in schema.get("properties", {}):
            schema["properties"][key]["description"] = field.description
    return schema


def summary_of(word: type) -> str:
    """Return what the docstring of a word says of the whole."""
    return split(own_doc(word))[0]


def unit_of(field: FieldInfo) -> str:
    """Return the unit of a field's numbers, nothing where they have none or several."""
    units = {one.text for one in field.metadata if isinstance(one, Unit)} or set(_units(field.annotation))
    return units.pop() if len(units) == 1 else ""


def _units(annotation: Any) -> Iterator[str]:
    """Give the units inside a type; a word inside has its own."""
    if typing.get_origin(annotation) is Annotated:
        yield from (one.text for one in annotation.__metadata__ if isinstance(one, Unit))
        annotation = annotation.__origin__
    for inner in getattr(annotation, "__args__", ()):
        yield from _units(inner)


def kind_of(annotation: Any, metadata: Any = ()) -> str:
    """Return a type in plain words: "number above 0", "three numbers", "list of Wheel"."""
    if typing.get_origin(annotation) is Annotated:
        return kind_of(annotation.__origin__, (*annotation.__metadata__, *metadata))
    return _plain_kind(annotation) + _bounds(metadata)


def _plain_kind(annotation: Any) -> str:
    origin, inner = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is Literal:
        return " or ".join(repr(one) for one in inner)
    if origin in (Union, types.UnionType):
        if set(inner) == {float, str}:
            return "number, or text with a unit"
        return " or ".join(dict.fromkeys(kind_of(one) for one in inner if one is not type(None)))
    if origin is tuple:
        return _several(inner)
    if origin is dict:
        return f"mapping of {kind_of(inner[1])}"
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation.__name__
    return PLAIN.get(annotation, "function")


def _several(inner: tuple[Any, ...]) -> str:
    if inner[-1] is Ellipsis:
        return f"list of {kind_of(inner[0])}"
    if set(inner) == {float}:
        return {2: "two", 3: "three"}.get(len(inner), str(len(inner))) + " numbers"
    return f"list of {len(inner)}, each {kind_of(inner[0])}"


def _bounds(metadata: Any) -> str:
    flat = [inner for one in metadata for inner in (one.metadata if isinstance(one, FieldInfo) else (one,))]
    found = [f"{word} {getattr(one, key):g}" for one in flat for kind, key, word in BOUNDS if isinstance(one, kind)]
    return " " + " and ".join(found) if found else ""


def page_of(word: type[BaseModel]) -> str:
    """Return the help of a word: what it is, then each field with its kind, default and description."""
    lines = [summary_of(word), *getattr(word, "_more", list)()]
    names = fields_of(word)
    if names:
        lines.append("")
    for name in names:
        field = word.model_fields[name]
        default = (
            "" if field.is_required() else ", optional" if field.default is None else f", default {field.default!r}"
        )
        lines.append(f"{name}: {kind_of(field.annotation, field.metadata)}{default}")
        if field.description:
            lines.append(f"    {field.description}")
    return "\n".join(lines)


def fields_of(word: Any) -> list[str]:
    """Return the fields of a word in the order positional values fill them; the `type` is the word itself."""
    return list(word._positional())


def signature_of(word: type[BaseModel]) -> inspect.Signature:
    """Return how a word is called; by name alone where a field with a default comes before one without."""
    fields = [(name, word.model_fields[name]) for name in fields_of(word)]
    needed = [field.is_required() for _, field in fields]
    in_order = needed == sorted(needed, reverse=True)
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD if in_order else inspect.Parameter.KEYWORD_ONLY
    empty = inspect.Parameter.empty
    return inspect.Signature(
        [
            inspect.Parameter(name, kind, default=empty if field.is_required() else field.default)
            for name, field in fields
        ]
    )
