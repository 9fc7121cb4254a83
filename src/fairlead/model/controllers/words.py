"""Planned controllers: what moves joints by what the wind does, known before a run."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from fairlead.model.controllers.base import Controller
from fairlead.model.environment.wind import Angle
from fairlead.model.fields import Time, number


class YawFollow(Controller):
    """Nacelle yaw that follows the wind's direction, Dissertation Chapter 2.

    Once the wind has been off by more than `dead_band` for `lag`, the nacelle turns to it: the rate grows to `rate`
        over
    `acceleration_time`, stays, and falls to zero over the same time.

    dead_band: how far the wind may be off; 8 deg unless given
    lag: how long it must be off before the nacelle turns
    rate: rate of turning; 0.3 deg/s unless given
    acceleration_time: time to reach the rate, and to stop from it
    average: time over which the direction is averaged; none for 0
    sample: time between two looks at the wind
    facing: direction the drawing faces; along the shaft of its rotor unless given, without a rotor where the wind
        blows to
        at t = 0
    """

    type: Literal["yaw-follow"] = "yaw-follow"
    dead_band: number("rad", ge=0) = 0.13962634015954636  # type: ignore[valid-type]  # 8 deg
    lag: Annotated[Time, Field(ge=0)] = 10.0
    rate: number("rad/s", gt=0) = 0.005235987755982988  # type: ignore[valid-type]  # 0.3 deg/s
    acceleration_time: Annotated[Time, Field(gt=0)] = 10.0
    average: Annotated[Time, Field(ge=0)] = 0.0
    sample: Annotated[Time, Field(gt=0)] = 0.1
    facing: Angle | None = None  # type: ignore[valid-type]
