"""Validation errors in plain words: what is wrong, what was got and expected, and the nearest spelling."""

from __future__ import annotations

import difflib
import typing
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from pydantic import AliasChoices, BaseModel, ValidationError
from pydantic.fields import FieldInfo

from fairlead.errors import Problem
from fairlead.units import YES_OR_NO, short

# What a missing field could look like.
EXAMPLES = {
    "name": "name: two-body",
    "bodies": "bodies: {tower: {mass: 5.6e6, inertia: [5.85e9, 5.85e9, 1.12e8]}}",
    "mass": "mass: 5.6e6",
    "inertia": "inertia: [5.85e9, 5.85e9, 1.12e8]",
    "parent": "parent: tower",
    "child": "child: nacelle",
    "body": "body: tower",
    "point": "point: [0, 0, 87.6]",
    "axis": "axis: [0, 0, 1]",
    "axis2": "axis2: [1, 0, 0]",
    "acceleration": "acceleration: 0.1 deg/s**2",
    "duration": "duration: 600 s",
    "dt": "dt: 0.05 s",
    "times": "times: [0, 1, 2]",
    "values": "values: [0, 0.1, 0.3]",
    "stiffness": "stiffness: 6.81e5",
    "Wheel.inertia": "inertia: 0.1",
    "speed": "speed: 1200 rpm",
}
# The plain words for what pydantic calls a type.
KINDS = {
    "dict": "a mapping (field: value)",
    "model": "a mapping (field: value)",
    "list": "a list [...]",
    "tuple": "a list [...]",
    "string": "a text",
    "bool": "true or false",
    "int": "a whole number",
    "float": "a plain number",
}
BOUNDS = {
    "greater_than": ("greater than", "gt"),
    "greater_than_equal": ("at least", "ge"),
    "less_than": ("less than", "lt"),
    "less_than_equal": ("at most", "le"),
}


class WrongField(ValueError):
    """A sentence about one field, raised where the whole element is looked at; `path` leads to the field."""

    def __init__(self, message: str, *path: str | int):
        super().__init__(message)
        self.path = path


@contextmanager
def about(*path: str | int) -> Iterator[None]:
    """Let a ValueError raised inside say that it is about the field at `path`."""
    try:
        yield
    except WrongField:
        raise
    except ValueError as error:
        raise WrongField(str(error), *path) from None


def problems_of(error: ValidationError, root: str = "", word: type[BaseModel] | None = None) -> list[Problem]:
    """Return one `Problem` per pydantic error, in plain words; `word` is the class that was validated."""
    found = []
    for item in error.errors(include_url=False):
        path = ".".join(str(part) for part in (root, *place_of(item)) if part != "")
        found.append(Problem(sentence_of(item, word, in_python=bool(root)), path=path))
    return found


def place_of(item: Any) -> tuple[str | int, ...]:
    """Return where a pydantic error is, without the tags that only say which form was read."""
    loc = list(item["loc"])
    if len(loc) > 2 and loc[0] in ("joints", "loads"):
        del loc[2]  # the `type` of the joint or load
    inner = getattr(item.get("ctx", {}).get("error"), "path", ())
    return (*(part for part in loc if part != "[key]" and not str(part).startswith("<")), *inner)


def sentence_of(item: Any, word: type[BaseModel] | None = None, in_python: bool = False) -> str:
    """Return the sentence for a pydantic error; `word` is the class that was validated.

    Made in Python it may have fields that no file holds.
    """
    kind, context = item["type"], item.get("ctx", {})
    got = f"got {short(item['input'])}" if item["input"] is not None else "got nothing"
    last = item["loc"][-1] if item["loc"] else ""
    if kind == "missing":
        if isinstance(last, int):
            return f"entry {last + 1} is missing"
        return "is required and missing" + _example(words_at(word, item["loc"][:-1]), str(last))
    if kind == "extra_forbidden":
        return f"is not a known field here{did_you_mean(str(last), keys_at(word, item['loc'][:-1], in_python))}"
    if kind == "value_error":
        return str(context["error"])
    if kind in ("union_tag_invalid", "literal_error"):
        tags = _quoted(context.get("expected_tags") or context["expected"])
        return unknown("type" if kind == "union_tag_invalid" else "word", context.get("tag", item["input"]), tags)
    if kind == "union_tag_not_found":
        return f"'type' is required and missing; {got}"
    if kind in BOUNDS:
        text, bound = BOUNDS[kind]
        return f"must be {text} {context[bound]:g}; {got}"
    if kind in ("too_short", "too_long"):
        return _count(kind, context)
    if kind in ("finite_number", "none_required", "string_too_long", "callable_type"):
        return _others(kind, context, got)
    expected = KINDS.get(kind.split("_")[0])
    if expected is None:
        expected = item["msg"].removeprefix("Input should be ")
    return f"expected {expected}; {got}"


def _example(words: list[type[BaseModel]], field: str) -> str:
    """Return the end of a sentence that shows what a missing field could look like, or says what it is."""
    named = [EXAMPLES[f"{one.__name__}.{field}"] for one in words if f"{one.__name__}.{field}" in EXAMPLES]
    example = named[0] if named else EXAMPLES.get(field)
    if example:
        return f"; for example {example}"
    said = {one.description for word in words for name, one in word.model_fields.items() if spelled(name, one) == field}
    return f": {said.pop()}" if len(said) == 1 else ""


def _count(kind: str, context: Any) -> str:
    limit, actual = context["min_length" if kind == "too_short" else "max_length"], context.get("actual_length")
    if limit == 0:
        return "must be left out or empty; this version has nothing to put there"
    most = "least" if kind == "too_short" else "most"
    return f"needs at {most} {limit} {'entry' if limit == 1 else 'entries'}; got {actual}"


def _others(kind: str, context: Any, got: str) -> str:
    return {
        "finite_number": f"expected a finite number; {got}",
        "none_required": f"must be left out; this version has nothing to put there; {got}",
        "string_too_long": f"is longer than {context.get('max_length')} characters",
        "callable_type": "a function can be given from Python only; write an expression instead",
    }[kind]


def _quoted(quoted: str) -> list[str]:
    """Return the words of "'a', 'b' or 'c'"."""
    return quoted.split("'")[1::2]


def unknown(what: str, given: Any, known: Iterable[str]) -> str:
    """Return the sentence for a word that is not one of `known`."""
    known = list(known)
    close = nearest(str(given), known)
    mean = f"; did you mean '{close[0]}'?" if close else ""
    return f"unknown {what} {short(given)}{mean} (one of {', '.join(known)})"


def did_you_mean(given: str, known: Iterable[str]) -> str:
    """Return the end of a sentence that offers the nearest of `known`, or all of them when none is near."""
    known = list(known)
    close = nearest(given, known)
    if close:
        return f"; did you mean '{close[0]}'?"
    return f"; known are {', '.join(known)}" if known else ""


def nearest(given: str, known: Iterable[str], most: int = 1, cutoff: float = 0.6) -> list[str]:
    """Return up to `most` of `known` that are spelt nearly as `given`, capitals not counting."""
    folded = {name.casefold(): name for name in known}
    return [folded[name] for name in difflib.get_close_matches(given[:80].casefold(), folded, n=most, cutoff=cutoff)]


def flag(value: Any) -> Any:
    """Return a boolean as it is; ValueError for everything that only looks like one."""
    if isinstance(value, str) and value.lower() in YES_OR_NO:
        raise ValueError(f"expected true or false, got the word '{value}' (YAML 1.2 reads it as a text)")
    if not isinstance(value, bool):
        raise ValueError(f"expected true or false, got {'nothing' if value is None else short(value)}")
    return value


def keys_at(word: type[BaseModel] | None, loc: Iterable[str | int], in_python: bool = False) -> list[str]:
    """Return the field names, as a file spells them, that are known at `loc` inside `word`."""
    return list(dict.fromkeys(key for one in words_at(word, loc) for key in keys_of(one, in_python)))


def words_at(word: type[BaseModel] | None, loc: Iterable[str | int]) -> list[type[BaseModel]]:
    """Return the classes that may stand at `loc` inside `word`."""
    words = [word] if word is not None else []
    for part in loc:
        tagged = [one for one in words if f"<{one.__name__.lower()}>" == part]
        deeper = [inner for one in words for inner in _words_under(one, part)]
        words = tagged or deeper or words
    return words


def keys_of(word: type[BaseModel], in_python: bool = False) -> list[str]:
    """Return the field names of `word` as a file spells them; in Python also those that no file holds."""
    fields = word.model_fields.items()
    return [spelled(name, field) for name, field in fields if in_python or not field.exclude]


def spelled(name: str, field: FieldInfo) -> str:
    """Return how a file spells the field."""
    alias = field.validation_alias
    return str(alias.choices[0]) if isinstance(alias, AliasChoices) else name


def _words_under(word: type[BaseModel], part: str | int) -> list[type[BaseModel]]:
    for name, field in word.model_fields.items():
        if part in (name, spelled(name, field)):
            return words_in(field.annotation) + [one for extra in field.metadata for one in words_in(extra)]
    return []


def words_in(annotation: Any) -> list[type[BaseModel]]:
    """Return the classes an annotation mentions."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    return [one for inner in typing.get_args(annotation) for one in words_in(inner)]
