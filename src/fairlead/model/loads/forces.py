"""Given forces and moments: numbers, tables of time or of a channel, formulas, or functions from Python."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from pydantic import BeforeValidator, Discriminator, Field, Tag, WithJsonSchema, model_validator

from fairlead.model.channel_table import BEYOND_POINTS, ChannelTable, form_of
from fairlead.model.descriptions import Unit
from fairlead.model.fields import Position, _plain
from fairlead.model.loads.base import Load
from fairlead.model.loads.functions import given_function
from fairlead.model.motions import Expression, Table
from fairlead.units import NUMBER_AND_UNIT, to_si

if TYPE_CHECKING:
    from fairlead.model.loads.compile import LoadRows


def _component(unit: str) -> Any:
    """Return the type of one component of a force or moment: number, table of time or of a channel, or expression."""

    def convert(value: Any) -> Any:
        value = _plain(value)
        if isinstance(value, str) and not NUMBER_AND_UNIT.match(value):
            return {"expression": value}
        return value if isinstance(value, (dict, Expression, Table, ChannelTable)) else to_si(value, unit)

    def which(value: Any) -> str:
        if isinstance(value, dict):
            return form_of(value)
        return f"<{type(value).__name__.lower()}>"

    forms = [{"type": "number"}, {"type": "string"}, {"type": "object"}]
    parts = (
        Annotated[float, Tag("<float>")]
        | Annotated[Expression, Tag("<expression>")]
        | Annotated[Table, Tag("<table>")]
        | Annotated[ChannelTable, Tag("<channeltable>")]
    )
    return Annotated[
        Annotated[parts, Discriminator(which)], BeforeValidator(convert), WithJsonSchema({"anyOf": forms}), Unit(unit)
    ]


def _three(unit: str) -> Any:
    return tuple[_component(unit), _component(unit), _component(unit)]  # type: ignore[misc]


class Force(Load):
    """A force at a point and a moment, in world axes or turning with the body; from Python also a `function`.

    A function gets `(t, motion)` and returns the force and moment (six numbers, world axes, at the mass centre);
    `motion` is a mapping from body name to (position, rotation matrix, velocity, angular velocity), in world axes.
    One compiled by `numba.njit` gets `(t, position, rotation, velocity, angular_velocity)` of its own body, as tuples,
    and returns a tuple of six numbers; the run then stays in compiled code.

    point: where the force acts; at the mass centre unless given
    force: force in x, y, z, each a number, an expression, or a table of time or of a channel
    moment: moment about x, y, z, each a number, an expression, or a table of time or of a channel
    axes: axes of force and moment: those of the world, or of the body and turning with it
    function: Python function that gives force and moment; no file can hold it [N and N m]
    """

    type: Literal["force"] = "force"
    point: Position | None = None
    force: _three("N") | None = None  # type: ignore[valid-type]
    moment: _three("N m") | None = None  # type: ignore[valid-type]
    axes: Literal["world", "body"] = "world"
    function: Annotated[
        Callable[..., Any] | None,
        BeforeValidator(given_function),
        Field(exclude=True),
        WithJsonSchema({"type": "null"}),
    ] = None

    @model_validator(mode="after")
    def _says_something(self) -> Force:
        if self.force is None and self.moment is None and self.function is None:
            raise ValueError("needs a 'force', a 'moment', or both")
        beside = [name for name in ("force", "moment", "point") if getattr(self, name) is not None]
        beside += ["axes"] if self.axes != "world" else []
        if self.function is not None and beside:
            listed = " and ".join(f"'{name}'" for name in beside)
            raise ValueError(
                f"{listed} would have no effect beside a 'function', which gives "
                "all of force and moment at the mass centre in world axes; let the function do it, or add another load"
            )
        return self

    records: ClassVar[str] = "forces"
    beyond: ClassVar[tuple[str, str]] = BEYOND_POINTS

    def compile_into(self, name: str, at: LoadRows) -> None:
        """Add the record of a force, or keep a function."""
        if self.function is not None:
            at.add_function(name, self.function)
        else:
            super().compile_into(name, at)

    def fill(self, row: Any, name: str, at: LoadRows) -> None:
        """Fill its record."""
        row["body"], row["turning"] = at.number(self.body), self.axes == "body"
        row["r_BP_D"] = (0.0, 0.0, 0.0) if self.point is None else at.offset(self.body, self.point)
        given = [*(self.force or (0.0,) * 3), *(self.moment or (0.0,) * 3)]
        paths = [f"loads.{name}.{what}.{i}" for what in ("force", "moment") for i in range(3)]
        for c, (part, path, unit) in enumerate(zip(given, paths, ["N"] * 3 + ["N m"] * 3)):
            if isinstance(part, Expression):
                at.formula(row, c, part.expression, path)
            elif isinstance(part, Table):
                at.table(row, c, part.times, [to_si(value, unit) for value in part.values], path)
            elif isinstance(part, ChannelTable):
                at.channel_table(row, c, part, unit)
            else:
                row["value"][c] = part
