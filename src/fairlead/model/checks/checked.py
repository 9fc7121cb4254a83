"""A model from Python checked exactly as a file is: everything that takes a model takes it through `checked`.

A constructor validates what it is given, a plain copy (`model_copy`) and a changed mapping do not, and only a file is
held against its other parts (names, drawing, inertia). So a model is turned back into the data of a file, read, and
compared with what it holds. One that has been read is recognised by the identity of everything in it.
"""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING, Any, TypeGuard

from fairlead.errors import InvalidInput, Problem
from fairlead.model.checks.all import shown
from fairlead.model.checks.partial_model import Finding, Path
from fairlead.model.fields import SchemaModel, WholeFile, _plain
from fairlead.model.reading import VERSION, read_data
from fairlead.units import short

if TYPE_CHECKING:
    from fairlead.model.schema import Model


class _Seal:
    """The content of a model when it was read, and the model that was read from it (None: the same one)."""

    def __init__(self, model: Model, read: Model) -> None:
        key = id(model)
        seals = _SEALS  # at the end of the interpreter globals are gone before the last models are
        self.model = weakref.ref(model, lambda _: seals.pop(key, None))
        self.held = _held(model)
        self.read = None if read is model else read


_SEALS: dict[int, _Seal] = {}


def checked(model: Any) -> Model:
    """Return `model` as it is read from a file of the same words; InvalidInput lists every problem, as `load` does."""
    known = _recognised(model)
    if known is not None:
        return known
    read, found = examined(model)
    if read is None:
        raise InvalidInput([Problem(one.message, shown(one.path)) for one in found if one.severity == "error"])
    return read


def examined(model: Any) -> tuple[Model | None, list[Finding]]:
    """Return a model as read from a file of the same words, None if that has errors, and all that was found."""
    if not _is_model(model):
        return None, [Finding((), f"expected a model, got {short(model)}; read a file with fl.load first")]
    read, found = read_data({"fairlead": VERSION, **as_given(model)}, type(model))
    if read is None:
        return None, found
    odd = None if _equal(model, read) else _first_difference(model, read, ())
    if odd is not None:
        path, value = odd
        return None, [*found, Finding(path, _not_read(path, value))]
    seal(model, read)
    seal(read)
    return read, found


def seal(model: Model, read: Model | None = None) -> Model:
    """Return `model` after noting that it has been read, so that it is not read again while it holds the same."""
    _SEALS[id(model)] = _Seal(model, model if read is None else read)
    return model


def as_given(value: Any) -> Any:
    """Return a word as the mapping a file would hold, with whatever it holds, known field or not."""
    if isinstance(value, SchemaModel):
        fields = type(value).model_fields
        names = {name: field.serialization_alias or name for name, field in fields.items()}
        return {names.get(name, name): as_given(item) for name, item in value.__dict__.items()}
    if isinstance(value, dict):
        return {key: as_given(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [as_given(item) for item in value]
    return value


def _is_model(value: Any) -> TypeGuard[Model]:
    """Return whether a value is a model; files of other kinds hold no bodies."""
    return isinstance(value, WholeFile) and "bodies" in type(value).model_fields


def _recognised(model: Any) -> Model | None:
    """Return the model that was read from a model earlier, if it still holds the same objects."""
    known = _SEALS.get(id(model))
    if known is None or known.model() is not model or not _is_model(model):
        return None
    held = _held(model)
    same = len(held) == len(known.held) and all(one is other for one, other in zip(held, known.held))
    return (known.read or model) if same else None


def _held(model: Model) -> list[Any]:
    """Return everything inside a model that could be exchanged, in order; texts and numbers in tuples cannot."""
    found: list[Any] = []
    waiting: list[Any] = list(model.__dict__.values())
    while waiting:
        value = waiting.pop()
        found.append(value)
        if isinstance(value, SchemaModel):
            waiting.extend(value.__dict__.values())
        elif isinstance(value, dict):
            found.extend(value)
            waiting.extend(value.values())
        elif isinstance(value, list) or (isinstance(value, tuple) and value and not isinstance(value[0], float | str)):
            waiting.extend(value)
    return found


def _equal(model: Model, read: Model) -> bool:
    """Return whether two models are equal, as far as that is quickly said."""
    try:
        return bool(model == read)
    except ValueError:  # arrays in a copy have no one truth
        return False


def _first_difference(given: Any, read: Any, path: Path) -> tuple[Path, Any] | None:
    """Return where a model holds something else than what is read from it, and what it holds there; None if nowhere."""
    given = _plain(given)
    if isinstance(read, SchemaModel):
        if type(given) is not type(read):
            return path, given
        given, read = given.__dict__, read.__dict__
    if isinstance(read, dict) and isinstance(given, dict) and list(given) == list(read):
        pairs = [(given[key], item, (*path, key)) for key, item in read.items()]
    elif isinstance(read, tuple | list) and isinstance(given, tuple | list) and len(given) == len(read):
        pairs = [(one, item, (*path, row)) for row, (one, item) in enumerate(zip(given, read))]
    else:
        return None if (type(given) is type(read) and given == read) or _same_number(given, read) else (path, given)
    found = (_first_difference(*pair) for pair in pairs)
    return next((one for one in found if one is not None), None)


def _same_number(given: Any, read: Any) -> bool:
    return isinstance(read, float) and isinstance(given, int) and not isinstance(given, bool) and given == read


def _not_read(path: Path, value: Any) -> str:
    return (
        f"holds {short(value)} as it was put into a copy, which reads nothing; "
        f"vary a model with model.with_({{'{shown(path)}': ...}}), or build it anew"
    )
