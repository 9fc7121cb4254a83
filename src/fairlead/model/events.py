"""Events: what changes in a model while it runs, at a time or when a formula passes zero."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BeforeValidator, Field, WithJsonSchema, model_validator

from fairlead.model.fields import SchemaModel, Time
from fairlead.model.messages import WrongField
from fairlead.model.writing import to_data

NAMING = ("release", "lock", "cut", "add")  # actions that name joints, coordinates or loads
ACTIONS = (*NAMING, "set", "stop")


def _several(value: Any) -> Any:
    return (value,) if isinstance(value, str) else value


def _plain_values(value: Any) -> Any:
    """Return the values of `set` as a file holds them."""
    if not isinstance(value, dict):
        return value
    return {path: to_data(item) if isinstance(item, SchemaModel) else item for path, item in value.items()}


_NAMES = {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]}
Names = Annotated[tuple[str, ...], BeforeValidator(_several), WithJsonSchema(_NAMES)]
Values = Annotated[dict[str, Any], BeforeValidator(_plain_values), WithJsonSchema({"type": "object"})]


class Event(SchemaModel):
    """Something that happens at a time, or when a formula passes zero: parts are released, locked, cut, added or set.

    at: time at which it happens
    when: formula that it happens at the zero of, found to rounding; it reads t and the channels of forces
    rising: True for a formula that grows through zero, False for one that falls; either unless given
    again: whether it happens at every zero of `when`; at the first alone unless given
    release: joints or joint coordinates that become free with the position and rate they have, or loads that are cut
    lock: joints or joint coordinates whose rate goes to zero by an impulse, and which stay where they are
    cut: loads that end
    add: loads that begin; until then they are not there
    set: new values by their path in the file: of motions, actuators, springs, dampers and stops of joints, and of loads
    stop: whether the run ends here
    """

    at: Annotated[Time, Field(ge=0)] | None = None
    when: Annotated[str, Field(max_length=4000)] | None = None
    rising: bool | None = None
    again: bool = False
    release: Names = ()
    lock: Names = ()
    cut: Names = ()
    add: Names = ()
    set: Values = {}
    stop: bool = False

    @model_validator(mode="after")
    def _happens(self) -> Event:
        if (self.at is None) == (self.when is None):
            raise ValueError("needs either 'at', a time, or 'when', a formula that passes zero")
        for name in ("rising", "again"):
            if self.when is None and getattr(self, name) not in (None, type(self).model_fields[name].default):
                raise WrongField("is of events with 'when'; leave it out", name)
        if not any(getattr(self, action) for action in ACTIONS):
            raise ValueError(f"does nothing; give one of {', '.join(ACTIONS)}")
        return self
