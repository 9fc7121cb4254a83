"""The base of every model word, and the number types words are made of."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, WithJsonSchema

from fairlead.errors import InvalidInput
from fairlead.model.descriptions import OnClass, Unit, describe, described_schema, page_of, signature_of
from fairlead.model.messages import about, flag, problems_of
from fairlead.model.shown import Shown, is_public, same
from fairlead.units import short, to_si

NAME = re.compile(r"[A-Za-z][A-Za-z0-9_\- ]*")
WORLD = "world"


if TYPE_CHECKING:
    from pydantic._internal._model_construction import ModelMetaclass as _Meta
else:
    _Meta = type(BaseModel)


class _Quiet(_Meta):
    # Lists only what a word itself has, so that help and completion are not buried under pydantic's machinery.

    @property
    def __doc__(cls) -> str:  # type: ignore[override]
        return page_of(cls)  # type: ignore[arg-type]

    def __dir__(cls) -> list[str]:
        ours = [base for base in cls.__mro__ if not base.__module__.startswith(("pydantic", "builtins"))]
        own = {name for base in ours for name in vars(base)}
        return sorted(name for name in own if not name.startswith("_") and name != "model_config")


class SchemaModel(BaseModel, metaclass=_Quiet):
    """A frozen piece of a model; its fields may be given by position or by name.

    The docstring of each kind ends with one line per field, `name: sentence`. They are the fields' descriptions, in
    `help`, in the JSON schema and in messages.
    """

    model_config = ConfigDict(
        frozen=True, extra="forbid", validate_by_name=True, validate_by_alias=True, allow_inf_nan=False
    )

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
            raise InvalidInput(problems_of(error, type(self).__name__, type(self))) from None

    @classmethod
    def _positional(cls) -> list[str]:
        """Return the fields in the order positional values fill them."""
        return [name for name in cls.model_fields if name != "type"]

    __init__.__pydantic_base_init__ = True  # type: ignore[attr-defined]  # files are validated without passing here

    @classmethod
    def __pydantic_init_subclass__(cls, **_: Any) -> None:
        describe(cls)
        cls.__signature__ = OnClass(signature_of)  # type: ignore[assignment]

    @classmethod
    def __get_pydantic_json_schema__(cls, core: Any, handler: Any) -> Any:
        return described_schema(cls, handler.resolve_ref_schema(handler(core)))

    def __dir__(self) -> Iterable[str]:
        return sorted({*type(self).model_fields, *dir(type(self))})

    def __repr_name__(self) -> str:
        return ("fl." if is_public(type(self)) else "") + type(self).__name__

    def __repr_args__(self) -> Iterable[tuple[str, Any]]:
        for name in self._positional():
            value, field = getattr(self, name, None), type(self).model_fields[name]
            if field.is_required() or not same(value, field.default):
                yield name, Shown(self._shown(name, value))

    def _shown(self, name: str, value: Any) -> Any:
        """Return a field in the form it is shown in, which the constructor takes."""
        return value

    def __str__(self) -> str:
        return repr(self)


class WholeFile(SchemaModel):
    """Everything one file holds; reading, checking and varying need not know more of it than its fields."""


def _check_name(name: str) -> str:
    if len(name) > 64 or not NAME.fullmatch(name):
        shown = ascii(name[:64]) + ("..." if len(name) > 64 else "")  # look-alike letters and overrides become visible
        raise ValueError(f"name {shown} is not allowed: a letter, then letters, digits, '_', '-' and spaces, up to 64")
    return name


Name = Annotated[str, AfterValidator(_check_name)]


def _plain(value: Any) -> Any:
    """Return numpy arrays and scalars as lists and numbers."""
    return value.tolist() if hasattr(value, "tolist") else value


def number(unit: str, *, gt: float | None = None, ge: float | None = None) -> Any:
    """Return the type of a number in `unit`, given plainly or as a text with a unit, above a bound."""
    schema = {"anyOf": [{"type": "number"}, {"type": "string"}]}
    convert = BeforeValidator(lambda value: to_si(_plain(value), unit))
    return Annotated[float, convert, Field(gt=gt, ge=ge), WithJsonSchema(schema), Unit(unit)]


def _entry(row: int, item: Any, unit: str) -> float:
    with about(row):
        return to_si(item, unit)


def vector(unit: str, *, unit_length: bool = False) -> Any:
    """Return the type of three numbers in `unit`; with `unit_length` they are normalised and may not vanish."""

    def three(value: Any) -> tuple[float, ...]:
        value = _plain(value)
        if not isinstance(value, (list, tuple)) or len(value) != 3:
            raise ValueError(f"expected three numbers [x, y, z]{f' in {unit}' if unit else ''}, got {short(value)}")
        numbers = tuple(_entry(row, item, unit) for row, item in enumerate(value))
        if not unit_length:
            return numbers
        length = math.hypot(*numbers)
        if length < 1e-12 or math.isinf(length):
            raise ValueError("an axis of zero length has no direction; give three numbers that are not all zero")
        if abs(length - 1) < 1e-15:
            return numbers  # normalised before: the same bits come back from a saved file
        return tuple(item / length for item in numbers)

    items = {"anyOf": [{"type": "number"}, {"type": "string"}]}
    schema = {"type": "array", "items": items, "minItems": 3, "maxItems": 3}
    return Annotated[tuple[float, float, float], BeforeValidator(three), WithJsonSchema(schema), Unit(unit)]


def _count(value: Any) -> Any:
    value = _plain(value)
    if isinstance(value, bool) or not isinstance(value, int):
        raise ValueError(f"expected a whole number, got {short(value)}")
    return value


def _data(value: Any) -> Any:
    """Return `value` as the plain data a file can hold: mappings with texts as keys, lists, texts, finite numbers."""
    value = _plain(value)
    if isinstance(value, dict):
        return {str(key): _data(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_data(item) for item in value]
    if value is None or isinstance(value, (str, bool)):
        return value
    if isinstance(value, (int, float)) and math.isfinite(to_si(value, "")):
        return value
    raise ValueError(f"expected texts, numbers, lists or mappings, got {short(value)}")


Flag = Annotated[bool, BeforeValidator(flag)]
Count = Annotated[int, BeforeValidator(_count)]
Data = Annotated[Any, BeforeValidator(_data)]
if TYPE_CHECKING:  # what fields of these types hold
    Real: TypeAlias = float
    Mass: TypeAlias = float
    Length: TypeAlias = float
    Time: TypeAlias = float
    Position: TypeAlias = tuple[float, float, float]
    Velocity: TypeAlias = tuple[float, float, float]
    AngularVelocity: TypeAlias = tuple[float, float, float]
    Axis: TypeAlias = tuple[float, float, float]
else:
    Real = number("")
    Mass = number("kg", gt=0)
    Length = number("m")
    Time = number("s")
    Position = vector("m")
    Velocity = vector("m/s")
    AngularVelocity = vector("rad/s")
    Axis = vector("", unit_length=True)
