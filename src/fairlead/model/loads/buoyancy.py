"""Buoyancy of stacks of cylinders and cones."""

from __future__ import annotations

from typing import ClassVar, Literal

from fairlead.model.loads.sections import Stack


class Buoyancy(Stack):
    """Water density times gravity times the volume below the still water, at its centre; exact at any attitude."""

    type: Literal["buoyancy"] = "buoyancy"

    records: ClassVar[str] = "buoyancy"
