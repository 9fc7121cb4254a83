"""Joints: what connects two bodies, and the coordinates it leaves.

`coordinates` lists each coordinate with its kind in kinematic order, parent to child. The drawing is q = 0; positive
is the child relative to the parent, right-handed about the axis or along it.
"""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field, model_validator

from fairlead.model.motions import Amount, AnyMotion, amount_in_si
from fairlead.model.sentences import WrongField, about, flag
from fairlead.model.words import Axis, Name, Position, Real, Word, _plain

PER_COORDINATE = ("motion", "rate", "initial", "spring", "damper")


class JointSpring(Word):
    """A spring on a free joint coordinate: force or moment -stiffness (q - rest)."""

    stiffness: Annotated[Real, Field(ge=0)]
    rest: Amount = 0.0


class Joint(Word):
    """Base of joints. Per-coordinate fields hold a mapping by coordinate; one-coordinate joints take a single value."""

    coordinates: ClassVar[dict[str, str]] = {}

    parent: Name
    child: Name
    motion: dict[str, AnyMotion] = {}
    rate: dict[str, Amount] = {}
    initial: dict[str, Amount] = {}
    locked: tuple[str, ...] = ()
    spring: dict[str, JointSpring] = {}
    damper: dict[str, Annotated[Real, Field(ge=0)]] = {}

    @model_validator(mode="before")
    @classmethod
    def _by_coordinate(cls, data: Any) -> Any:
        """Bring single values of one-coordinate joints and the forms of `locked` to mappings by coordinate."""
        if not isinstance(data, dict):
            return data
        data = dict(data)
        for field in PER_COORDINATE:
            if field in data:
                data[field] = cls._mapped(field, _plain(data[field]))
        if "locked" in data:
            data["locked"] = cls._locked(data["locked"])
        return data

    @classmethod
    def _mapped(cls, field: str, value: Any) -> Any:
        if value is None or value == {}:
            return {}
        names = list(cls.coordinates)
        if len(names) == 1 and not (isinstance(value, dict) and names[0] in value):
            return {names[0]: _spring(field, value)}
        if isinstance(value, dict):
            return {str(key): _spring(field, item) for key, item in value.items()}
        if not names:
            raise WrongField(f"this joint has no coordinates, so '{field}' has nothing to act on", field)
        raise WrongField(f"'{field}' needs a mapping by coordinate ({', '.join(names)})", field)

    @classmethod
    def _locked(cls, value: Any) -> Any:
        if isinstance(value, bool):
            return tuple(cls.coordinates) if value else ()
        if isinstance(value, str):
            return (value,)
        if isinstance(value, dict):
            with about("locked"):
                return tuple(name for name, yes in value.items() if flag(yes))
        return value

    @model_validator(mode="after")
    def _coordinates_exist_and_agree(self) -> Joint:
        names = set(self.coordinates)
        for field in (*PER_COORDINATE, "locked"):
            for name in getattr(self, field):
                if name not in names:
                    has = f"has {', '.join(self.coordinates)}" if names else "has no coordinates"
                    raise WrongField(f"'{field}' names the coordinate '{name}', but this joint {has}", field)
        for name, kind in self.coordinates.items():
            self._one_role(name)
            if name in self.motion:
                with about("motion", name):
                    self.motion[name].in_si(kind)
                    _table_in_si(self.motion[name], kind)
            for power, field in enumerate(("initial", "rate")):
                if name in getattr(self, field):
                    with about(field, name):
                        amount_in_si(getattr(self, field)[name], kind, power)
        return self

    def _one_role(self, name: str) -> None:
        if name in self.motion and name in self.locked:
            raise ValueError(f"coordinate '{name}' is both driven and locked; keep one")
        taken = "driven" if name in self.motion else "locked" if name in self.locked else ""
        for field in ("rate", "spring", "damper") + (("initial",) if taken == "driven" else ()):
            if taken and name in getattr(self, field):
                raise ValueError(f"coordinate '{name}' is {taken}, so '{field}' has no effect; remove one of them")

    @classmethod
    def _positional(cls) -> list[str]:
        first = [name for name in ("parent", "child", "point", "axis", "axis2") if name in cls.model_fields]
        return first + [name for name in super()._positional() if name not in first]

    def role(self, name: str) -> str:
        """Return whether coordinate `name` is driven, locked or free."""
        return "driven" if name in self.motion else "locked" if name in self.locked else "free"


def _spring(field: str, value: Any) -> Any:
    if field == "spring" and isinstance(value, (int, float)) and not isinstance(value, bool):
        return {"stiffness": value}
    return value


def _table_in_si(motion: Any, kind: str) -> None:
    for value in getattr(motion, "values", ()):
        amount_in_si(value, kind)


class Fixed(Joint):
    """No relative motion."""

    type: Literal["fixed"] = "fixed"
    point: Position | None = None


class Ground(Joint):
    """A body held by the world where it is drawn."""

    type: Literal["ground"] = "ground"
    parent: Name = "world"
    point: Position | None = None


class Revolute(Joint):
    """Rotation about `axis` through `point`."""

    coordinates = {"angle": "angle"}
    type: Literal["revolute"] = "revolute"
    point: Position
    axis: Axis


class Prismatic(Joint):
    """Sliding along `axis`."""

    coordinates = {"length": "length"}
    type: Literal["prismatic"] = "prismatic"
    point: Position | None = None
    axis: Axis


class Cylindrical(Joint):
    """Rotation about and sliding along `axis` through `point`."""

    coordinates = {"angle": "angle", "length": "length"}
    type: Literal["cylindrical"] = "cylindrical"
    point: Position
    axis: Axis


class _TwoAxes(Joint):
    @model_validator(mode="after")
    def _perpendicular(self) -> _TwoAxes:
        along = sum(a * b for a, b in zip(self.axis, self.axis2))  # type: ignore[attr-defined]
        if abs(along) > 1e-6:
            raise ValueError(f"'axis' and 'axis2' must be perpendicular; the cosine between them is {along:.3g}")
        return self


class Universal(_TwoAxes):
    """`angle1` about `axis` fixed in the parent, then `angle2` about `axis2` fixed in the child."""

    coordinates = {"angle1": "angle", "angle2": "angle"}
    type: Literal["universal"] = "universal"
    point: Position
    axis: Axis
    axis2: Axis


class Planar(_TwoAxes):
    """Sliding `x` along `axis2` and `y` across it in the parent's plane, then `angle` about the normal `axis`."""

    coordinates = {"x": "length", "y": "length", "angle": "angle"}
    type: Literal["planar"] = "planar"
    point: Position
    axis: Axis
    axis2: Axis


class Spherical(Joint):
    """Rotation about `point`: driven or locked by 1-2-3 angles a, b, c about the drawing's axes."""

    coordinates = {"a": "angle", "b": "angle", "c": "angle"}
    type: Literal["spherical"] = "spherical"
    point: Position


class Free(Joint):
    """All six: sliding x, y, z along the drawing's axes fixed in the parent, then 1-2-3 angles a, b, c."""

    coordinates = {"x": "length", "y": "length", "z": "length", "a": "angle", "b": "angle", "c": "angle"}
    type: Literal["free"] = "free"
    point: Position | None = None


AnyJoint = Annotated[
    Fixed | Ground | Revolute | Prismatic | Cylindrical | Universal | Planar | Spherical | Free,
    Field(discriminator="type"),
]
