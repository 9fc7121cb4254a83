"""The model: bodies, joints, loads and how to run them, as one frozen record."""

from __future__ import annotations

import html
from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field, model_validator

from fairlead.model.bodies import Body
from fairlead.model.controllers.table import AnyController
from fairlead.model.environment.environment import Environment
from fairlead.model.events import Event
from fairlead.model.fields import WORLD, Name, WholeFile, vector
from fairlead.model.joints.types import AnyJoint
from fairlead.model.loads.table import AnyLoad
from fairlead.model.partners import Partner
from fairlead.model.relations.words import Relation
from fairlead.model.run import Run

GRAVITY = (0.0, 0.0, -9.80665)


class Model(WholeFile):
    """Everything that is to be simulated.

    name: name of the model
    bodies: rigid bodies by name
    joints: joints between bodies, or to the `world`, by name
    loads: forces and moments on bodies by name
    gravity: acceleration of gravity in world axes
    environment: water, waves, current and wind; none unless given
    controllers: what commands joints and actuators, by name
    relations: equations between joint coordinates, by name: gears, screws, differentials
    events: what changes while it runs, by name, in the order in which things at one instant happen
    partners: other programs that compute loads, by name; `fairlead couple` runs the model with them
    run: how to run the model; duration and step may be given when it is run instead
    base: base body of the cloud; the first that floats or is joined to the world unless given
    """

    name: Name
    bodies: Annotated[dict[Name, Body], Field(min_length=1)]
    joints: dict[Name, AnyJoint] = {}
    loads: dict[Name, AnyLoad] = {}
    gravity: vector("m/s**2") = GRAVITY  # type: ignore[valid-type]
    environment: Environment | None = None
    controllers: dict[Name, AnyController] = {}
    relations: dict[Name, Relation] = {}
    events: dict[Name, Event] = {}
    partners: dict[Name, Partner] = {}
    run: Run | None = None
    base: Name | None = None

    @model_validator(mode="after")
    def _names_are_unique(self) -> Model:
        taken: dict[str, str] = {WORLD: "the reserved name of the ground"}
        for what, group in (
            ("body", self.bodies),
            ("joint", self.joints),
            ("load", self.loads),
            ("partner", self.partners),
        ):
            for name in group:
                if name.casefold() in taken:
                    raise ValueError(f"the name '{name}' of a {what} is already {taken[name.casefold()]}")
                taken[name.casefold()] = f"the name of a {what} (capitals do not count)"
        return self

    def __repr__(self) -> str:
        from fairlead.model.summary import as_text  # it needs this class

        try:
            return as_text(self)
        except (AttributeError, TypeError, ValueError):  # a copy may hold anything; the prompt must survive it
            return f"Model {self.name!r}, changed without being read; fl.check says what is wrong with it"

    def _repr_html_(self) -> str:
        from fairlead.model.summary import as_html

        try:
            return as_html(self)
        except (AttributeError, TypeError, ValueError):
            return f"<pre>{html.escape(repr(self))}</pre>"

    def with_(self, changes: Mapping[str, Any]) -> Model:
        """Return a new, validated model with `changes`: values by their path in the file, `bodies.tower.mass`.

        A value is a number, a text with a unit, a list, a mapping or a word (`fl.Body(...)`); None takes a field or an
        element out. Lists go by number from 0. This model stays as it is.
        """
        from fairlead.model.vary import varied  # with NumPy and every check, which words alone do not need

        return varied(self, changes)
