"""`with_`: a model with some values exchanged, each named by its path in the file.

A path is the keys of the file joined by dots, lists by number from 0: `bodies.tower.mass`, `loads.line 1.length`,
`bodies.hub.wheels.0.speed`. Names have no dots.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from fairlead.errors import InvalidInput, Problem
from fairlead.model.bodies import MOMENTS, PRODUCTS, Body
from fairlead.model.checks.all import shown
from fairlead.model.checks.checked import as_given, checked, seal
from fairlead.model.fields import SchemaModel, WholeFile
from fairlead.model.joints.base import PER_COORDINATE
from fairlead.model.loads.functions import placed_functions
from fairlead.model.messages import did_you_mean, keys_at
from fairlead.model.reading import TYPES, VERSION, read_data
from fairlead.model.writing import to_data
from fairlead.units import short

if TYPE_CHECKING:
    from fairlead.model.schema import Model

NAMED = {
    "bodies": "body",
    "joints": "joint",
    "loads": "load",
    "controllers": "controller",
    "relations": "relation",
    "events": "event",
}
_PART = re.compile(r"`([^`]+)`(?:\.|$)|([^.`]+)(?:\.|$)")


class _Wrong(Exception):
    """A mistake in a path, at the part that is wrong."""

    def __init__(self, message: str, path: tuple[str, ...]):
        super().__init__(message)
        self.path = path


def varied(model: Model, changes: Mapping[str, Any]) -> Model:
    """Return a new, validated model with `changes` by path; None takes a field or an element out."""
    if not isinstance(changes, Mapping):
        raise InvalidInput(f"expected a mapping from paths to values, such as {{'run.dt': 0.01}}; got {short(changes)}")
    whole = type(model)
    data = {"fairlead": VERSION, **_file_form(checked(model))}
    problems = []
    for path, value in changes.items():
        try:
            _put(data, whole, parts_of(path), as_given(value))
        except _Wrong as wrong:
            problems.append(Problem(str(wrong), shown(wrong.path)))
    if problems:
        raise InvalidInput(problems)
    read, found = read_data(data, whole)
    if read is None:
        raise InvalidInput([Problem(one.message, shown(one.path)) for one in found if one.severity == "error"])
    return seal(read)


def parts_of(path: Any) -> tuple[str, ...]:
    """Return the parts of a path; back quotes hold a part with dots together."""
    parts, at = [], 0
    while isinstance(path, str) and at < len(path):
        match = _PART.match(path, at)
        if match is None:
            break
        parts.append(match.group(1) or match.group(2))
        at = match.end()
    if not isinstance(path, str) or not parts or at < len(path) or path.endswith("."):
        raise _Wrong(f"{short(path)} is not a path; write keys joined by dots, such as bodies.tower.mass", ())
    return tuple(parts)


def _file_form(word: SchemaModel) -> dict[str, Any]:
    """Return a model as the data of its file, with the functions that only Python can give."""
    data = to_data(word)
    for (group, name), function in placed_functions(word).items():
        data[group][name]["function"] = function
    return data


def _put(data: dict[str, Any], whole: type[WholeFile], parts: tuple[str, ...], value: Any) -> None:
    """Set what stands at a path of the data of a file."""
    place: Any = data
    for depth in range(len(parts) - 1):
        key = _key(place, whole, parts, depth, make=True)
        place[key] = _opened(place[key], data, parts, depth)
        place = place[key]
    key = _key(place, whole, parts, len(parts) - 1, make=value is not None)
    if value is not None:
        place[key] = value
    elif isinstance(place, list):
        raise _Wrong("is an entry of a list, which cannot be taken out; set the whole list", parts)
    else:
        place.pop(key, None)


def _key(place: Any, whole: type[WholeFile], parts: tuple[str, ...], depth: int, *, make: bool) -> str | int:
    """Return the key or index that a part of a path means; where nothing is there yet, room is made if it may be."""
    part, path, last = parts[depth], parts[: depth + 1], depth == len(parts) - 1
    if isinstance(place, list):
        if not part.isdecimal() or int(part) >= len(place):
            raise _Wrong(f"there is no entry '{part}': the list has {len(place)}, counted from 0", path[:-1])
        return int(part)
    if not isinstance(place, dict):
        raise _Wrong(f"is {short(place)}, which has no parts", path[:-1])
    if part in place:
        return part
    if depth == 1 and parts[0] in NAMED:
        if not (last and make):  # a whole element may be added
            raise _Wrong(f"there is no {NAMED[parts[0]]} of that name{did_you_mean(part, place)}", path)
        return part
    known = [name for name in keys_at(whole, path[:-1]) if name != "fairlead"]
    if depth == 0 or not (last and make):  # what a known place takes is said by the reader
        if part not in known and not _is_coordinate(path):
            raise _Wrong(f"is not a known field here{did_you_mean(part, known)}", path)
        if not last:
            place[part] = _not_said(whole, path, parts[depth + 1])
    return part


def _not_said(whole: type[WholeFile], path: tuple[str, ...], inner: str) -> Any:
    """Return the content of a field that the file leaves out: an empty mapping, or a list by its default."""
    if not inner.isdecimal():
        return {}
    words: dict[int, type[SchemaModel]] = {1: whole} | ({3: Body} if path[0] == "bodies" else {})
    field = words[len(path)].model_fields.get(path[-1]) if len(path) in words else None
    if field is None or not isinstance(field.default, tuple):
        raise _Wrong("is not given, so it has no entries; set the whole list", path)
    return list(field.default)


def _is_coordinate(path: tuple[str, ...]) -> bool:
    return len(path) == 4 and path[0] == "joints" and path[2] in PER_COORDINATE


def _opened(value: Any, data: dict[str, Any], parts: tuple[str, ...], depth: int) -> Any:
    """Return a value in the long form that the next part of the path needs; files hold the shortest."""
    inner, rest = parts[depth + 1], parts[depth + 1 :]
    if parts[0] == "bodies" and parts[2 : depth + 1] == ("inertia",):
        return _tensor(value, rest)
    if parts[0] == "joints" and depth == 2 and parts[2] in PER_COORDINATE:
        coordinates = list(TYPES["joints"][data["joints"][parts[1]]["type"]].coordinates)  # type: ignore[attr-defined]
        if coordinates == [inner] and not (isinstance(value, dict) and inner in value):
            return {inner: value}
    if parts[0] == "joints" and parts[2:3] == ("spring",) and isinstance(value, float | str):
        return {"stiffness": value}
    flat = isinstance(value, list) and len(value) == 6 and not any(isinstance(row, list) for row in value)
    if parts[0] == "loads" and depth == 2 and flat and len(rest) == 2 and parts[2] != "preload":
        return [[item if i == j else 0.0 for j in range(6)] for i, item in enumerate(value)]
    return value


def _tensor(value: Any, rest: tuple[str, ...]) -> Any:
    """Return an inertia as a mapping, as its three moments or as rows, whichever the rest of a path names."""
    if isinstance(value, list) and not isinstance(value[0], list):
        mapping = dict(zip(MOMENTS, value))
    elif isinstance(value, list):
        mapping = {name: value[i][i] for i, name in enumerate(MOMENTS)}
        mapping |= {name: value[i][j] for name, (i, j) in PRODUCTS.items()}
        if any(value[i][j] != value[j][i] for i, j in PRODUCTS.values()):
            return value
    else:
        mapping = dict(value)
    if not rest[0].isdecimal():
        return mapping
    if len(rest) == 1 and not any(mapping.get(name) for name in PRODUCTS):
        return [mapping[name] for name in MOMENTS]
    rows = [[0.0] * 3 for _ in range(3)]
    for i, name in enumerate(MOMENTS):
        rows[i][i] = mapping[name]
    for name, (i, j) in PRODUCTS.items():
        rows[i][j] = rows[j][i] = mapping.get(name, 0.0)
    return rows
