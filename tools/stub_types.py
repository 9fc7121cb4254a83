"""The types of fields as the stub spells them: what a constructor takes, and what a field holds."""

from __future__ import annotations

import re
import types
import typing
from collections.abc import Callable
from functools import lru_cache
from importlib import import_module
from typing import Annotated, Any, Literal, Union

import fairlead
from fairlead.model.descriptions import Unit
from fairlead.model.fields import SchemaModel
from fairlead.model.joints.base import PER_COORDINATE, Joint

# What a constructor takes where the type of the field does not tell it.
TAKES = {
    "Body.inertia": "_Numbers | _Rows | Mapping[str, _Number]",
    "Body.geometry": "_AnyShape | _Fields | Sequence[_AnyShape | _Fields] | None",
    "Blade.chord": "_Number | _Numbers",
    "Matrix.stiffness": "_Numbers | _Rows | None",
    "Matrix.damping": "_Numbers | _Rows | None",
    "Matrix.added_mass": "_Numbers | _Rows | None",
    "SeaLoad.sections": "_Rows",
    "Joint.locked": "bool | str | Sequence[str] | Mapping[str, bool]",
    "RotorThrust.torque": "_Number | _Fields",
    "Actuator.command": "_Number | Expression | Table | _Fields | None",
    "Pid.limits": "_Numbers | None",
    "Pid.start": "_Number",
    "ExpressionController.output": "_Number | Mapping[str, _Number]",
    "ExpressionController.start": "Mapping[str, _Number]",
    "StateFeedback.gains": "_Numbers | Mapping[str, _Numbers]",
    "StateFeedback.limits": "_Numbers | None",
}


def is_word(value: Any) -> bool:
    """Return whether a value is a kind of word."""
    return isinstance(value, type) and issubclass(value, SchemaModel)


def order_of(word: type) -> tuple[int, int, str]:
    """Return what sorts words: bases before what is built on them."""
    home = list(fairlead._WHERE).index(word.__module__) if word.__module__ in fairlead._WHERE else -1
    return len(word.__mro__), home, word.__name__


def named(word: type) -> str:
    """Return the name of a word in the stub; bases that are not public get an underscore."""
    return word.__name__ if word.__name__ in fairlead.__all__ else "_" + word.__name__.lstrip("_")


@lru_cache
def unions() -> dict[frozenset[type], str]:
    """Return the names of the unions of words, such as AnyJoint."""
    found: dict[frozenset[type], str] = {}
    for module in {word.__module__ for word in _subclasses(SchemaModel)}:
        for name, value in vars(import_module(module)).items():
            members = frozenset(members_of(value)) if re.fullmatch("Any[A-Z][a-z]+", name) else frozenset()
            if len(members) > 1:
                found[members] = f"_{name}"
    return found


def _subclasses(word: type) -> set[type]:
    return {one for inner in word.__subclasses__() for one in {inner, *_subclasses(inner)}}


def members_of(annotation: Any) -> list[type]:
    """Return the words that a union is made of."""
    if typing.get_origin(annotation) is Annotated:
        return members_of(annotation.__origin__)
    if typing.get_origin(annotation) in (Union, types.UnionType):
        return [one for inner in typing.get_args(annotation) for one in members_of(inner)]
    return [annotation] if is_word(annotation) else []


def taken_by(word: Any, name: str) -> str:
    """Return what the constructor takes for a field."""
    field = word.model_fields[name]
    for base in word.__mro__:
        if f"{base.__name__}.{name}" in TAKES:
            return TAKES[f"{base.__name__}.{name}"]
    if issubclass(word, Joint) and name in PER_COORDINATE:
        one = takes(typing.get_args(field.annotation)[1]) + (" | _Number" if name == "spring" else "")
        return f"{one} | Mapping[str, {one}]"
    return takes(field.annotation, field.metadata)


def takes(annotation: Any, metadata: Any = ()) -> str:
    """Return what is taken for a value of a type: texts with units, arrays, lists and mappings too."""
    if typing.get_origin(annotation) is Annotated:
        return takes(annotation.__origin__, (*annotation.__metadata__, *metadata))
    origin, inner = typing.get_origin(annotation), typing.get_args(annotation)
    units = tuple(one for one in metadata if isinstance(one, Unit))
    if origin in (Union, types.UnionType):
        return _union(annotation, lambda one: takes(one, units)) + (" | _Fields" if members_of(annotation) else "")
    if annotation is float:
        return "_Number" if units and units[0].text else "_Plain"
    if origin is tuple:
        one = takes(inner[0], units)
        if one in ("_Number", "_Plain"):
            return "_Numbers"
        return "_Rows" if one == "_Numbers" else f"Sequence[{one}]"
    if origin is dict:
        return f"Mapping[str, {takes(inner[1])}]"
    if is_word(annotation):
        public = annotation.__name__ in fairlead.__all__
        return f"{annotation.__name__} | _Fields" if public else "_Fields"
    return "int | integer[Any]" if annotation is int else holds(annotation)


def holds(annotation: Any) -> str:
    """Return the type of a value that a field holds."""
    if typing.get_origin(annotation) is Annotated:
        return holds(annotation.__origin__)
    origin, inner = typing.get_origin(annotation), typing.get_args(annotation)
    if origin in (Union, types.UnionType):
        return _union(annotation, holds)
    if origin is Literal:
        return f"Literal[{', '.join(map(repr, inner))}]"
    if origin in (tuple, dict):
        return f"{origin.__name__}[{', '.join('...' if one is Ellipsis else holds(one) for one in inner)}]"
    if is_word(annotation):
        return named(annotation)
    if annotation in (float, int, str, bool):
        return str(annotation.__name__)
    return "None" if annotation is type(None) else "Any" if annotation is Any else "Callable[..., Any]"


def _union(annotation: Any, one: Callable[[Any], str]) -> str:
    name = unions().get(frozenset(members_of(annotation)), "")
    parts = [name] if name else []
    for inner in typing.get_args(annotation):
        if not (name and members_of(inner)):
            parts += [part for part in one(inner).split(" | ") if part != "_Fields"]
    if {"_Plain", "str"} <= set(parts):
        parts = ["_Number", *(part for part in parts if part not in ("_Plain", "str"))]
    parts.sort(key=lambda part: part == "None")
    return " | ".join(dict.fromkeys(parts))
