"""The kinds of joints: what each connects, and the coordinates it leaves."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from fairlead.model.fields import Axis, Length, Name, Position
from fairlead.model.joints.base import Joint
from fairlead.model.joints.description import (
    CHILD,
    PARENT,
    WORLD_AXES,
    along,
    apart,
    at_world,
    attitude,
    ball,
    facing,
    meet,
    on_child_axis,
    parallel,
    slide,
    square,
    turn,
    unturned,
)
from fairlead.model.messages import WrongField


class Fixed(Joint):
    """No relative motion.

    point: where reactions are recorded; the child's mass centre unless given
    """

    equations = (meet(), attitude())
    type: Literal["fixed"] = "fixed"
    point: Position | None = None


class Ground(Joint):
    """A body held by the world where it is drawn.

    point: where reactions are recorded; the child's mass centre unless given
    """

    equations = (meet(), attitude())
    type: Literal["ground"] = "ground"
    parent: Name = "world"
    point: Position | None = None


class Revolute(Joint):
    """Rotation about `axis` through `point`.

    point: a point on the axis
    axis: direction of the axis, positive by the right hand
    """

    coordinates = {"angle": turn(PARENT, 2)}
    equations = (meet(), parallel())
    needs = ("point", "axis")
    type: Literal["revolute"] = "revolute"
    point: Position | None = None
    axis: Axis | None = None


class Prismatic(Joint):
    """Sliding along `axis`.

    point: where reactions are recorded; the child's mass centre unless given
    axis: direction of positive sliding
    """

    coordinates = {"length": slide(PARENT, 2)}
    equations = (parallel(), along(0), along(1), unturned())
    needs = ("axis",)
    type: Literal["prismatic"] = "prismatic"
    point: Position | None = None
    axis: Axis | None = None


class Cylindrical(Joint):
    """Rotation about and sliding along `axis` through `point`.

    point: a point on the axis
    axis: direction of positive sliding, and of rotation by the right hand
    """

    coordinates = {"angle": turn(PARENT, 2), "length": slide(PARENT, 2)}
    equations = (parallel(), along(0), along(1))
    needs = ("point", "axis")
    type: Literal["cylindrical"] = "cylindrical"
    point: Position | None = None
    axis: Axis | None = None


class Universal(Joint):
    """`angle1` about `axis` fixed in the parent, then `angle2` about `axis2` fixed in the child.

    In body axes it is `parent_axis` and `child_axis2` (the two arms of the cross).

    point: where the arms of the cross meet
    axis: arm of the cross that is fixed in the parent
    axis2: arm of the cross that is fixed in the child, perpendicular to `axis`
    """

    coordinates = {"angle1": turn(PARENT, 2), "angle2": turn(CHILD, 0)}
    equations = (meet(), square("the cross"))
    needs = ("point",)
    type: Literal["universal"] = "universal"
    point: Position | None = None
    axis: Axis | None = None
    axis2: Axis | None = None


class Planar(Joint):
    """Sliding `x` along `axis2` and `y` across it in the parent's plane, then `angle` about the normal `axis`.

    point: a point of the plane
    axis: normal of the plane
    axis2: direction of `x` in the plane
    """

    coordinates = {"x": slide(PARENT, 0), "y": slide(PARENT, 1), "angle": turn(PARENT, 2)}
    equations = (parallel(), along(2))
    needs = ("point", "axis", "axis2")
    type: Literal["planar"] = "planar"
    point: Position | None = None
    axis: Axis | None = None
    axis2: Axis | None = None


class Spherical(Joint):
    """Rotation about `point`: driven or locked by 1-2-3 angles a, b, c about the drawing's axes.

    point: centre of the rotation
    """

    coordinates = ball()
    equations = (meet(),)
    needs = ("point",)
    type: Literal["spherical"] = "spherical"
    point: Position | None = None


class Free(Joint):
    """All six: sliding x, y, z along the drawing's axes fixed in the parent, then 1-2-3 angles a, b, c.

    point: point of the child whose sliding counts; its mass centre unless given
    """

    coordinates = {"x": slide(PARENT, 0), "y": slide(PARENT, 1), "z": slide(PARENT, 2)} | ball()
    type: Literal["free"] = "free"
    point: Position | None = None


class RevoluteCylindrical(Joint):
    """A coupler that turns about `axis` on the parent and turns and slides along `axis2` on the child.

    The two axes stay perpendicular and the child's passes through the parent's point. In body axes: `parent_axis`
    and `child_axis2`.

    point: point on the parent that the child's axis passes through
    axis: axis of turning on the parent
    axis2: axis of turning and sliding on the child, perpendicular to `axis`
    """

    equations = (square("the coupler"), on_child_axis())
    only_constrains = True
    needs = ("point",)
    type: Literal["revolute-cylindrical"] = "revolute-cylindrical"
    point: Position | None = None
    axis: Axis | None = None
    axis2: Axis | None = None


class Distance(Joint):
    """Keeps `point` on the parent and `other_point` on the child at `length`.

    point: point on the parent
    other_point: point on the child
    length: distance that is kept; as drawn unless given
    """

    equations = (apart(),)
    only_constrains = True
    needs = ("point",)
    type: Literal["distance"] = "distance"
    point: Position | None = None
    other_point: Position | None = None
    length: Annotated[Length, Field(gt=0)] | None = None

    @model_validator(mode="after")
    def _has_two_points(self) -> Distance:
        if self.point is not None and self.other_point is None:
            raise WrongField("is required and missing: the point on the child", "other_point")
        if self.point is not None and self.length is None and self.point == self.other_point:
            raise WrongField("its two points coincide, so the distance they keep has no direction", "other_point")
        return self


class _Absolute(Joint):
    """A point of the child held at its drawn world coordinate, or driven from it by `motion`.

    point: point of the child that is held; its mass centre unless given
    """

    only_constrains = True
    parent: Name = "world"
    point: Position | None = None


class AbsoluteX(_Absolute):
    """Holds or drives the x coordinate of a point."""

    coordinates = {"x": slide(WORLD_AXES, 0)}
    equations = (at_world(0, "x"),)
    type: Literal["absolute-x"] = "absolute-x"


class AbsoluteY(_Absolute):
    """Holds or drives the y coordinate of a point."""

    coordinates = {"y": slide(WORLD_AXES, 1)}
    equations = (at_world(1, "y"),)
    type: Literal["absolute-y"] = "absolute-y"


class AbsoluteZ(_Absolute):
    """Holds or drives the z coordinate of a point."""

    coordinates = {"z": slide(WORLD_AXES, 2)}
    equations = (at_world(2, "z"),)
    type: Literal["absolute-z"] = "absolute-z"


class AbsoluteOrientation(Joint):
    """Holds the attitude of the child as drawn; it may move."""

    equations = (attitude(),)
    only_constrains = True
    type: Literal["absolute-orientation"] = "absolute-orientation"
    parent: Name = "world"


class RelativeAngle(Joint):
    """Holds or drives one angle between two bodies, which other joints leave free to turn; nothing else is held.

    About `axis`, fixed in the parent: from `parent_axis2` to `child_axis2` as seen along the axis (both in body axes;
    without them the angle is zero as drawn). The child's direction may lean out of the plane across the axis, but not
    point along it.

    axis: direction that the angle is counted about, fixed in the parent
    """

    coordinates = {"angle": turn(PARENT, 2)}
    equations = (facing("angle"),)
    only_constrains = True
    needs = ("axis",)
    type: Literal["relative-angle"] = "relative-angle"
    axis: Axis

    @model_validator(mode="after")
    def _has_both_marks(self) -> RelativeAngle:
        for one, other in (("parent_axis2", "child_axis2"), ("child_axis2", "parent_axis2")):
            if getattr(self, one) is None and getattr(self, other) is not None:
                raise WrongField(f"needs '{one}' beside it: the angle is counted between the two", other)
        return self


AnyJoint = Annotated[
    Fixed
    | Ground
    | Revolute
    | Prismatic
    | Cylindrical
    | Universal
    | Planar
    | Spherical
    | Free
    | RevoluteCylindrical
    | Distance
    | AbsoluteX
    | AbsoluteY
    | AbsoluteZ
    | AbsoluteOrientation
    | RelativeAngle,
    Field(discriminator="type"),
]
