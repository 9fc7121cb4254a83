"""The base of every model word, and the number types words are made of."""

from __future__ import annotations

import math
import re
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, WithJsonSchema

from fairlead.errors import InvalidInput, Problem
from fairlead.model.units import to_si

NAME = re.compile(r"[A-Za-z][A-Za-z0-9_\- ]*")
WORLD = "world"


class Word(BaseModel):
    """A frozen piece of a model; its fields may be given by position or by name."""

    model_config = ConfigDict(frozen=True, extra="forbid", validate_by_name=True, validate_by_alias=True)

    def __init__(self, *args: Any, **fields: Any) -> None:
        names = self._positional()
        if len(args) > len(names):
            raise TypeError(f"{type(self).__name__} takes at most {len(names)} positional values ({', '.join(names)})")
        given = dict(zip(names, args))
        twice = sorted(given.keys() & fields.keys())
        if twice:
            raise TypeError(f"{type(self).__name__} got '{twice[0]}' by position and by name")
        try:
            super().__init__(**given, **fields)
        except ValidationError as error:
            raise InvalidInput(problems_of(error, type(self).__name__)) from None

    @classmethod
    def _positional(cls) -> list[str]:
        """Return the fields in the order positional values fill them."""
        return [name for name in cls.model_fields if name != "type"]

    __init__.__pydantic_base_init__ = True  # type: ignore[attr-defined]  # files are validated without passing here


def problems_of(error: ValidationError, root: str = "") -> list[Problem]:
    """Return one `Problem` per pydantic error, in plain words."""
    found = []
    for item in error.errors(include_url=False):
        path = ".".join(str(part) for part in (root, *item["loc"]) if part != "")
        found.append(Problem(sentence_of(item), path=path))
    return found


def sentence_of(item: Any) -> str:
    """Return what a pydantic error says, in one sentence."""
    kind, message = item["type"], item["msg"]
    if kind == "missing":
        return "is required and missing"
    if kind == "extra_forbidden":
        return "is not a known field here"
    message = message.removeprefix("Value error, ").removeprefix("Input should be ")
    if kind == "value_error":
        return message
    return f"should be {message}; got {_short(item['input'])}"


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def _check_name(name: str) -> str:
    if len(name) > 64 or not NAME.fullmatch(name):
        raise ValueError(f"name {name[:80]!r} is not allowed: a letter, then letters, digits, '_', '-' and spaces, up to 64")
    return name


Name = Annotated[str, AfterValidator(_check_name)]


def _plain(value: Any) -> Any:
    """Return numpy arrays and scalars as lists and numbers."""
    return value.tolist() if hasattr(value, "tolist") else value


def number(unit: str) -> Any:
    """Return the type of a number in `unit`, given plainly or as a text with a unit."""
    schema = {"anyOf": [{"type": "number"}, {"type": "string"}], "description": f"[{unit}]" if unit else "[-]"}
    return Annotated[float, BeforeValidator(lambda value: to_si(_plain(value), unit)), WithJsonSchema(schema)]


def vector(unit: str, *, unit_length: bool = False) -> Any:
    """Return the type of three numbers in `unit`; with `unit_length` they are normalised and may not vanish."""

    def three(value: Any) -> tuple[float, ...]:
        value = _plain(value)
        if not isinstance(value, (list, tuple)) or len(value) != 3:
            raise ValueError(f"expected three numbers [x, y, z]{f' in {unit}' if unit else ''}, got {_short(value)}")
        numbers = tuple(to_si(item, unit) for item in value)
        if not unit_length:
            return numbers
        length = math.sqrt(sum(item * item for item in numbers))
        if length < 1e-12:
            raise ValueError("an axis of zero length has no direction; give three numbers that are not all zero")
        return tuple(item / length for item in numbers)

    items = {"anyOf": [{"type": "number"}, {"type": "string"}]}
    schema = {"type": "array", "items": items, "minItems": 3, "maxItems": 3, "description": f"[{unit}]" if unit else "axis"}
    return Annotated[tuple[float, float, float], BeforeValidator(three), WithJsonSchema(schema)]


Mass = Annotated[number("kg"), Field(gt=0)]
Length = number("m")
Time = number("s")
Position = vector("m")
Velocity = vector("m/s")
AngularVelocity = vector("rad/s")
Axis = vector("", unit_length=True)
