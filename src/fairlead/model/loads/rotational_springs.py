"""Rotational springs and dampers, to the world or between bodies."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Literal

from fairlead.model.fields import Axis, Name, number
from fairlead.model.loads.base import TwoEnds

if TYPE_CHECKING:
    from fairlead.model.loads.compile import LoadRows


class RotationalSpring(TwoEnds):
    """Moment -stiffness phi - damping w on the body, phi the rotation vector from the drawn relative attitude.

    other: body that the rotation is relative to; the world unless given
    stiffness: moment per rotation
    damping: moment per rate of rotation
    axis: axis along which alone the moment acts, turning with `other`; all three unless given
    """

    type: Literal["rotational-spring"] = "rotational-spring"
    other: Name | None = None
    stiffness: number("N m/rad", ge=0) = 0.0  # type: ignore[valid-type]
    damping: number("N m s/rad", ge=0) = 0.0  # type: ignore[valid-type]
    axis: Axis | None = None

    records: ClassVar[str] = "rotational_springs"

    def fill(self, row: Any, name: str, at: LoadRows) -> None:
        """Fill its record."""
        row["near"], row["far"] = at.number(self.body), at.number(self.other)
        row["axis_D"] = at.axis(self.other, self.axis)
        row["stiffness"], row["damping"] = self.stiffness, self.damping
