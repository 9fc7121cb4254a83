"""Morison's equation on stacks of cylinders and cones."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from pydantic import Field, model_validator

from fairlead.model.fields import Count, Flag, Real
from fairlead.model.loads.sections import Stack

if TYPE_CHECKING:
    from fairlead.model.loads.compile import LoadRows


class Morison(Stack):
    """Added mass, wave inertia and drag across a member, per unit length (Dissertation Eq. 3.22).

    The alternatives of `kinematics`, `waterline` and `normal` are what other programs assume.

    ca: coefficient of added mass [-]
    cd: coefficient of drag [-]
    cm: coefficient of wave inertia; 1 + ca unless given [-]
    kinematics: take the waves where the member is, or at the `undisplaced` member
    waterline: wet length up to the instantaneous surface, or to the `still` water of the drawing
    normal: forces across the axis of the body, or across the `fixed` axis of the drawing
    axial_pressure: True adds the dynamic pressure on ends and tapers
    end_ca: added mass along the axis at each wet end, as a multiple of a hemisphere of water [-]
    end_cd: coefficient of drag along the axis at each wet end [-]
    strips: number of Gauss points along the member
    """

    type: Literal["morison"] = "morison"
    ca: Annotated[Real, Field(ge=0)]
    cd: Annotated[Real, Field(ge=0)]
    cm: Annotated[Real, Field(ge=0)] | None = None
    kinematics: Literal["displaced", "undisplaced"] = "displaced"
    waterline: Literal["instantaneous", "still"] = "instantaneous"
    normal: Literal["body", "fixed"] = "body"
    axial_pressure: Flag = False
    end_ca: Annotated[Real, Field(ge=0)] = 0.0
    end_cd: Annotated[Real, Field(ge=0)] = 0.0
    strips: Annotated[Count, Field(ge=1, le=1000)] = 30

    @property
    def added_mass(self) -> float | None:
        """Return something if this load has added mass."""
        return self.ca + self.end_ca or None

    @model_validator(mode="after")
    def _has_a_side(self) -> Morison:
        if not self.segments():
            raise ValueError("needs sections at different heights")
        return self

    records: ClassVar[str] = "morison"
    needs: ClassVar[tuple[str, ...]] = ("water", "waves", "current")
    beyond: ClassVar[tuple[str, str]] = (
        "beyond_tables",
        "members left the tables of the waves, where the exact (slower) sum is taken",
    )

    def fill(self, row: Any, name: str, at: LoadRows) -> None:
        """Fill its record, and say where it feels the waves."""
        super().fill(row, name, at)
        row["x_WO_W"] = origin = self.origin(at)
        row["displaced"], row["instantaneous"] = self.kinematics == "displaced", self.waterline == "instantaneous"
        row["fixed"], row["pressure"] = self.normal == "fixed", self.axial_pressure
        row["ca"], row["cd"], row["cm"] = self.ca, self.cd, 1 + self.ca if self.cm is None else self.cm
        row["end_ca"], row["end_cd"], row["has_A"] = self.end_ca, self.end_cd, self.added_mass is not None
        at.feel_waves(origin, self.segments()[0][0])
