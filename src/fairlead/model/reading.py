"""A model, or what else a whole file holds, from the file's plain data, or everything that is wrong with the data."""

from __future__ import annotations

import typing
from collections.abc import Sequence
from functools import cache
from typing import Annotated, Any, Generic, TypeVar

from pydantic import BaseModel, Field, TypeAdapter, ValidationError

from fairlead.model.bodies import Body
from fairlead.model.checks.all import findings
from fairlead.model.checks.partial_model import GROUPS, Finding, PartialModel, Path
from fairlead.model.fields import Name, WholeFile
from fairlead.model.joints.types import AnyJoint
from fairlead.model.loads.table import AnyLoad
from fairlead.model.messages import did_you_mean, keys_of, place_of, sentence_of, unknown, words_in
from fairlead.units import short

VERSION = 1
MOST_PROBLEMS = 1000  # no reader wants more, and a hostile file could make millions


def _by_type(union: Any) -> dict[str, type[BaseModel]]:
    """Return the classes of a union of words by what their `type` says."""
    return {word.model_fields["type"].default: word for word in typing.get_args(typing.get_args(union)[0])}


TYPES = {"joints": _by_type(AnyJoint), "loads": _by_type(AnyLoad)}
Whole = TypeVar("Whole", bound=WholeFile)
_NAME: TypeAdapter[str] = TypeAdapter(Name)


@cache
def _adapter(whole: type[WholeFile], field: str) -> TypeAdapter[Any]:
    """Return the reader of one field of a whole file by itself."""
    info = whole.model_fields[field]
    annotation: Any = Annotated[(info.annotation, Field(), *info.metadata)]
    return TypeAdapter(annotation)


def read_data(data: Any, whole: type[Whole], complained: Sequence[Path] = ()) -> tuple[Whole | None, list[Finding]]:
    """Return the `whole` of a file's plain data, None if it has errors, and everything that was found in it."""
    reading = _Reading(data, whole, list(complained))
    return reading.read(), reading.found


class _Reading(Generic[Whole]):
    """Turns the data of a file into the parts of a model; `found` gathers what is wrong."""

    def __init__(self, data: Any, whole: type[Whole], complained: list[Path]):
        self.data = data
        self.whole = whole
        self.groups = [group for group in GROUPS if group in whole.model_fields]
        self.complained = complained
        self.found: list[Finding] = []
        self.parts = PartialModel()
        self.fields: dict[str, Any] = {}

    def read(self) -> Whole | None:
        """Return the content of the file if everything could be read."""
        data = self.data
        if not isinstance(data, dict):
            known = ", ".join(keys_of(self.whole))
            self._add((), f"expected a mapping with 'fairlead: {VERSION}' and the fields {known}; got {short(data)}")
            return None
        self._version(data)
        for key in data:
            if key != "fairlead" and key not in self.whole.model_fields:
                hint = did_you_mean(key, ["fairlead", *keys_of(self.whole)])
                self._add((key,), f"is not a known field here{hint}", key=True)
        for group in self.groups:
            if data.get(group) is not None:
                self._group(group, data[group])
        for field in self.whole.model_fields:
            self._field(field, data)
        if self.groups:
            self._check(data)
        if self.complained or any(found.severity == "error" for found in self.found):
            return None
        groups = {group: getattr(self.parts, group) for group in self.groups}
        return self.whole.model_validate(self.fields | groups)

    def _check(self, data: dict[str, Any]) -> None:
        """Hold the parts of a model against one another."""
        self.parts.base = self.fields.get("base")
        self.parts.environment, self.parts.gravity = self.fields.get("environment"), self.fields.get("gravity")
        self.parts.dry = data.get("environment") is None
        self.parts.controllers = self.fields.get("controllers") if data.get("controllers") else {}
        self.parts.events = self.fields.get("events") or {}
        self.parts.partners = self.fields.get("partners") or {}
        self.parts.relations = self.fields.get("relations") or {}
        self.parts.end = getattr(self.fields.get("run"), "duration", None)
        environment = self.fields.get("environment")
        self.parts.windy = (
            bool(environment and environment.wind) if environment or not data.get("environment") else None
        )
        self.found += findings(self.parts)

    def _add(self, path: Path, message: str, *, key: bool = False) -> None:
        """Note what is wrong at `path`, unless the place has been complained about already."""
        if not any(complaint[: len(path)] == path for complaint in self.complained if path):
            self.found.append(Finding(path, message, key=key))

    def _version(self, data: dict[str, Any]) -> None:
        if "fairlead" not in data:
            self._add(
                (), f"'fairlead: {VERSION}' is missing; a model file says in it which version of the words it uses"
            )
        elif data["fairlead"] != VERSION or isinstance(data["fairlead"], bool):
            hint = f"this version reads 'fairlead: {VERSION}'"
            newer = isinstance(data["fairlead"], int) and data["fairlead"] > VERSION
            more = "; a newer Fairlead may read the file" if newer else ""
            self._add(("fairlead",), f"unknown version {short(data['fairlead'])}; {hint}{more}")

    def _group(self, group: str, data: Any) -> None:
        if not isinstance(data, dict):
            self._add((group,), f"expected a mapping from names to {group}; got {short(data)}")
            return
        self.parts.names[group] = list(data)
        for name, element in data.items():
            if len(self.found) > MOST_PROBLEMS:
                return
            self._valid(_NAME, None, name, (group, name))
            word = self._word(group, name, element)
            if not isinstance(element, dict):
                continue
            if group == "joints":
                self.parts.name_ends(name, element)
            elif group == "loads":
                self.parts.name_bodies(name, element)
            if word is not None:
                value = self._valid(TypeAdapter(word), word, element, (group, name))
                if value is not None:
                    getattr(self.parts, group)[name] = value

    def _word(self, group: str, name: str, element: Any) -> type[BaseModel] | None:
        """Return the class of an element; what a joint or load is stands in its `type`."""
        if not isinstance(element, dict):
            got = "nothing" if element is None else short(element)
            self._add((group, name), f"expected a mapping with the fields of a {GROUPS[group]}; got {got}")
            return None
        if group == "bodies":
            return Body
        types = TYPES[group]
        if "type" not in element:
            self._add((group, name, "type"), f"is required and missing (one of {', '.join(types)})")
            return None
        kind = element["type"]
        if not isinstance(kind, str) or kind not in types:
            self._add((group, name, "type"), unknown("type", kind, types))
            return None
        return types[kind]

    def _field(self, name: str, data: dict[str, Any]) -> None:
        """Read one field that is not a group of elements."""
        field = self.whole.model_fields[name]
        if name not in data or (name in GROUPS and data[name] is None):
            if field.is_required():
                self._add((name,), sentence_of({"type": "missing", "loc": (name,), "input": None}, self.whole))
        elif name in GROUPS:
            if data[name] == {} and field.is_required():
                self._add((name,), f"needs at least one {GROUPS[name]}")
        else:
            word = next(iter(words_in(field.annotation)), None)
            self.fields[name] = self._valid(_adapter(self.whole, name), word, data[name], (name,))

    def _valid(self, adapter: TypeAdapter[Any], word: type[BaseModel] | None, data: Any, path: Path) -> Any:
        """Return `data` in the type of `adapter`, or None after noting each thing that is wrong."""
        try:
            return adapter.validate_python(data)
        except ValidationError as error:
            for item in error.errors(include_url=False)[:MOST_PROBLEMS]:
                place = self._follow((*path, *place_of(item)), item["type"])
                self._add(place, sentence_of(item, word), key=item["type"] == "extra_forbidden")
        return None

    def _follow(self, path: Path, kind: str) -> Path:
        """Return `path` without the parts that reading put in, such as the only coordinate of a joint."""
        place = self.data
        kept: list[str | int] = []
        for part in path:
            if _holds(place, part):
                kept.append(part)
                place = place[part]
        return (*kept, path[-1]) if kind == "missing" else tuple(kept)


def _holds(place: Any, part: str | int) -> bool:
    """Return whether a mapping or list has something under a key or an index."""
    if isinstance(place, dict):
        return part in place
    return isinstance(place, list | tuple) and isinstance(part, int) and part < len(place)
