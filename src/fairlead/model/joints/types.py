"""The kinds of joints: what each connects, and the coordinates it leaves."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from fairlead.model.fields import Axis, Length, Name, Position
from fairlead.model.joints.base import Joint
from fairlead.model.messages import WrongField


class Fixed(Joint):
    """No relative motion.

    point: where reactions are recorded; the child's mass centre unless given
    """

    type: Literal["fixed"] = "fixed"
    point: Position | None = None


class Ground(Joint):
    """A body held by the world where it is drawn.

    point: where reactions are recorded; the child's mass centre unless given
    """

    type: Literal["ground"] = "ground"
    parent: Name = "world"
    point: Position | None = None


class Revolute(Joint):
    """Rotation about `axis` through `point`.

    point: a point on the axis
    axis: direction of the axis, positive by the right hand
    """

    coordinates = {"angle": "angle"}
    needs = ("point", "axis")
    type: Literal["revolute"] = "revolute"
    point: Position | None = None
    axis: Axis | None = None


class Prismatic(Joint):
    """Sliding along `axis`.

    point: where reactions are recorded; the child's mass centre unless given
    axis: direction of positive sliding
    """

    coordinates = {"length": "length"}
    needs = ("axis",)
    type: Literal["prismatic"] = "prismatic"
    point: Position | None = None
    axis: Axis | None = None


class Cylindrical(Joint):
    """Rotation about and sliding along `axis` through `point`.

    point: a point on the axis
    axis: direction of positive sliding, and of rotation by the right hand
    """

    coordinates = {"angle": "angle", "length": "length"}
    needs = ("point", "axis")
    type: Literal["cylindrical"] = "cylindrical"
    point: Position | None = None
    axis: Axis | None = None


class _TwoAxes(Joint):
    @model_validator(mode="after")
    def _perpendicular(self) -> _TwoAxes:
        axis, axis2 = getattr(self, "axis", None), getattr(self, "axis2", None)
        along = sum(a * b for a, b in zip(axis, axis2)) if axis and axis2 else 0.0
        if abs(along) > 1e-6:
            raise ValueError(f"'axis' and 'axis2' must be perpendicular; the cosine between them is {along:.3g}")
        return self


class Universal(_TwoAxes):
    """`angle1` about `axis` fixed in the parent, then `angle2` about `axis2` fixed in the child.

    In body axes it is `parent_axis` and `child_axis2` (the two arms of the cross).

    point: where the arms of the cross meet
    axis: arm of the cross that is fixed in the parent
    axis2: arm of the cross that is fixed in the child, perpendicular to `axis`
    """

    coordinates = {"angle1": "angle", "angle2": "angle"}
    needs = ("point",)
    type: Literal["universal"] = "universal"
    point: Position | None = None
    axis: Axis | None = None
    axis2: Axis | None = None

    @model_validator(mode="after")
    def _has_two_arms(self) -> Universal:
        drawn = self.axis is not None and self.axis2 is not None
        by_bodies = self.parent_axis is not None and self.child_axis2 is not None
        if drawn == by_bodies:
            raise ValueError("needs 'axis' and 'axis2', or 'parent_axis' and 'child_axis2' in body axes")
        return self


class Planar(_TwoAxes):
    """Sliding `x` along `axis2` and `y` across it in the parent's plane, then `angle` about the normal `axis`.

    point: a point of the plane
    axis: normal of the plane
    axis2: direction of `x` in the plane
    """

    coordinates = {"x": "length", "y": "length", "angle": "angle"}
    needs = ("point", "axis", "axis2")
    type: Literal["planar"] = "planar"
    point: Position | None = None
    axis: Axis | None = None
    axis2: Axis | None = None


class Spherical(Joint):
    """Rotation about `point`: driven or locked by 1-2-3 angles a, b, c about the drawing's axes.

    point: centre of the rotation
    """

    coordinates = {"a": "angle", "b": "angle", "c": "angle"}
    needs = ("point",)
    type: Literal["spherical"] = "spherical"
    point: Position | None = None


class Free(Joint):
    """All six: sliding x, y, z along the drawing's axes fixed in the parent, then 1-2-3 angles a, b, c.

    point: point of the child whose sliding counts; its mass centre unless given
    """

    coordinates = {"x": "length", "y": "length", "z": "length", "a": "angle", "b": "angle", "c": "angle"}
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

    needs = ("point",)
    type: Literal["revolute-cylindrical"] = "revolute-cylindrical"
    point: Position | None = None
    axis: Axis | None = None
    axis2: Axis | None = None

    @model_validator(mode="after")
    def _has_two_axes(self) -> RevoluteCylindrical:
        drawn = self.axis is not None and self.axis2 is not None
        by_bodies = self.parent_axis is not None and self.child_axis2 is not None
        if drawn == by_bodies:
            raise ValueError("needs 'axis' and 'axis2', or 'parent_axis' and 'child_axis2' in body axes")
        return self


class Distance(Joint):
    """Keeps `point` on the parent and `other_point` on the child at `length`.

    point: point on the parent
    other_point: point on the child
    length: distance that is kept; as drawn unless given
    """

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

    parent: Name = "world"
    point: Position | None = None

    def role(self, name: str) -> str:
        """Return driven or locked: an absolute constraint leaves nothing free."""
        return "driven" if name in self.motion else "locked"


class AbsoluteX(_Absolute):
    """Holds or drives the x coordinate of a point."""

    coordinates = {"x": "length"}
    type: Literal["absolute-x"] = "absolute-x"


class AbsoluteY(_Absolute):
    """Holds or drives the y coordinate of a point."""

    coordinates = {"y": "length"}
    type: Literal["absolute-y"] = "absolute-y"


class AbsoluteZ(_Absolute):
    """Holds or drives the z coordinate of a point."""

    coordinates = {"z": "length"}
    type: Literal["absolute-z"] = "absolute-z"


class AbsoluteOrientation(Joint):
    """Holds the attitude of the child as drawn; it may move."""

    type: Literal["absolute-orientation"] = "absolute-orientation"
    parent: Name = "world"


class RelativeAngle(Joint):
    """Holds or drives one angle between two bodies, which other joints leave free to turn; nothing else is held.

    About `axis`, fixed in the parent: from `parent_axis2` to `child_axis2` as seen along the axis (both in body axes;
    without them the angle is zero as drawn). The child's direction may lean out of the plane across the axis, but not
    point along it.

    axis: direction that the angle is counted about, fixed in the parent
    """

    coordinates = {"angle": "angle"}
    needs = ("axis",)
    type: Literal["relative-angle"] = "relative-angle"
    axis: Axis

    @model_validator(mode="after")
    def _has_both_marks(self) -> RelativeAngle:
        for one, other in (("parent_axis2", "child_axis2"), ("child_axis2", "parent_axis2")):
            if getattr(self, one) is None and getattr(self, other) is not None:
                raise WrongField(f"needs '{one}' beside it: the angle is counted between the two", other)
        return self

    def role(self, name: str) -> str:
        """Return driven or locked: the angle is never left free."""
        return "driven" if name in self.motion else "locked"


# Joints that only constrain: they never carry a body outward in a tree.
CONSTRAINTS = (RevoluteCylindrical, Distance, AbsoluteX, AbsoluteY, AbsoluteZ, AbsoluteOrientation, RelativeAngle)

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
