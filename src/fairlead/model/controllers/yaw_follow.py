"""Nacelle yaw that follows the wind: planned before the run from the wind alone, or by feedback of where it faces."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from pydantic import Field, model_validator

from fairlead.model.controllers.base import AnyFeedback
from fairlead.model.environment.wind import Angle
from fairlead.model.fields import Name, Time, number
from fairlead.model.messages import WrongField

if TYPE_CHECKING:
    from fairlead.model.controllers.compile import ControllerRows


class YawFollow(AnyFeedback):
    """Nacelle yaw that follows the wind's direction, Dissertation Chapter 2.

    Once the wind has been off by more than `dead_band` for `lag`, the nacelle turns to it: the rate grows to `rate`
        over
    `acceleration_time`, stays, and falls to zero over the same time. The motion is planned before the run from the wind
    alone; with a `body` it is feedback, which sees where that body faces and gives out `rate` and `acceleration`.

    dead_band: how far the wind may be off; 8 deg unless given
    lag: how long it must be off before the nacelle turns
    rate: rate of turning; 0.3 deg/s unless given
    acceleration_time: time to reach the rate, and to stop from it
    average: time over which the direction is averaged; none for 0
    sample: time between two looks at the wind
    facing: direction the drawing faces; along the shaft of its rotor unless given, without a rotor where the wind
        blows to
        at t = 0
    body: body whose heading is seen, such as the nacelle; the motion is planned from the wind alone unless given
    """

    type: Literal["yaw-follow"] = "yaw-follow"
    dead_band: number("rad", ge=0) = 0.13962634015954636  # type: ignore[valid-type]  # 8 deg
    lag: Annotated[Time, Field(ge=0)] = 10.0
    rate: number("rad/s", gt=0) = 0.005235987755982988  # type: ignore[valid-type]  # 0.3 deg/s
    acceleration_time: Annotated[Time, Field(gt=0)] = 10.0
    average: Annotated[Time, Field(ge=0)] = 0.0
    sample: Annotated[Time, Field(gt=0)] = 0.1
    facing: Angle | None = None  # type: ignore[valid-type]
    body: Name | None = None

    records: ClassVar[str] = "yaw_follows"

    @model_validator(mode="after")
    def _looks_in_time(self) -> YawFollow:
        if self.body is not None and self.sample > self.acceleration_time:
            raise WrongField(f"must not be longer than the acceleration_time, {self.acceleration_time:g} s", "sample")
        return self

    def every(self) -> float | None:
        """Return the time between its samples."""
        return self.sample

    def outputs(self) -> tuple[str, ...]:
        """Return the names of its outputs; none where it plans."""
        return () if self.body is None else ("rate", "acceleration")

    def start_states(self) -> tuple[float, ...]:
        """Return since when the wind has been off (-1: it is not), and that it waits."""
        return () if self.body is None else (-1.0, 0.0)

    def continuous(self) -> None:
        """Return nothing: where a machine stays as it is, it does not turn."""
        return

    def fill(self, row: Any, name: str, at: ControllerRows) -> None:
        """Fill its record."""
        model, path = at.at.model, f"controllers.{name}"
        if self.body not in model.bodies:
            at.at.problem(f"there is no body '{self.body}'", f"{path}.body")
            return
        if model.environment is None or model.environment.wind is None:
            at.at.problem("follows the wind, and there is none; give 'environment: {wind: ...}'", path)
            return
        shafts = [getattr(load, "axis", None) for load in model.loads.values() if "wind" in load.needs]
        facing = self.facing
        if facing is None:
            found = [math.atan2(axis[1], axis[0]) for axis in shafts if axis and math.hypot(*axis[:2]) > 0.5]
            if not found:
                at.at.problem("is required where no rotor says where the drawing faces", f"{path}.facing")
                return
            facing = found[0]
        row["body"] = at.at.number(self.body)
        row["face_D"] = at.at.axis(self.body, (math.cos(facing), math.sin(facing), 0.0))
        row["dead_band"], row["lag"], row["rate"] = self.dead_band, self.lag, self.rate
        row["acceleration"], row["average"] = self.rate / self.acceleration_time, self.average
        row["sign"] = at.sign_of_turning(name, self.body)
