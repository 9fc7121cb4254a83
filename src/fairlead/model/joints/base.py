"""The base of all joints: two ends, and per coordinate a role, a motion or what acts along it.

`coordinates` and `equations` describe a kind of joint (`description.py`). The drawing is q = 0; positive is the child
relative to the parent, right-handed about the axis or along it.
"""

from __future__ import annotations

from typing import Any, ClassVar

from pydantic import model_validator

from fairlead.model.channel_table import ChannelTable
from fairlead.model.fields import Axis, Name, Position, SchemaModel, _plain
from fairlead.model.joints.description import BALL, Coordinate, Equation, contradictions
from fairlead.model.joints.forces import DAMPING, FORCE, STIFFNESS, Actuator, JointSpring, NotNegative, Stop
from fairlead.model.messages import WrongField, about, flag
from fairlead.model.motions import SI, Amount, AnyMotion, Expression, Table, amount_in_si
from fairlead.units import to_si

PER_COORDINATE = ("motion", "rate", "initial", "spring", "damper", "stop", "actuator", "limits")
FORCES = ("spring", "damper", "stop", "actuator")  # what acts along a free coordinate


class Joint(SchemaModel):
    """Base of joints. Per-coordinate fields hold a mapping by coordinate; one-coordinate joints take a single value.

    A coordinate is free unless it has a `motion` or is `locked`. Points and axes are drawn in the world at t = 0, or
    given in the axes of both bodies (`parent_...` and `child_...`, points from the mass centre); then the assembly
    closes the joint.

    parent: body it starts from, or `world`
    child: body it carries; positive motion is the child's relative to the parent
    motion: motion of each driven coordinate
    rate: rate of a free coordinate at t = 0 [rad/s or m/s]
    initial: value at t = 0 of a free or locked coordinate; zero is the drawing [rad or m]
    locked: coordinates that keep their value: True for all, a name, several names, or a mapping to True or False
    spring: spring on a free coordinate; a plain number is its stiffness [N m/rad or N/m]
    damper: damping of a free coordinate [N m s/rad or N s/m]
    stop: smooth stop of a free coordinate
    actuator: force or moment under command on a free coordinate
    limits: lower and upper end of a coordinate's range, which is checked and carries no force [rad or m]
    parent_point: point of the joint in the parent's axes
    parent_axis: first axis of the joint in the parent's axes
    parent_axis2: second axis of the joint in the parent's axes
    child_point: point of the joint in the child's axes
    child_axis: first axis of the joint in the child's axes
    child_axis2: second axis of the joint in the child's axes
    """

    coordinates: ClassVar[dict[str, Coordinate]] = {}
    equations: ClassVar[tuple[Equation, ...]] = ()
    only_constrains: ClassVar[bool] = False  # it never carries a body outward in a tree and leaves no coordinate free
    needs: ClassVar[tuple[str, ...]] = ()  # places and directions without which the joint has no meaning

    parent: Name
    child: Name
    motion: dict[str, AnyMotion] = {}
    rate: dict[str, Amount] = {}
    initial: dict[str, Amount] = {}
    locked: tuple[str, ...] = ()
    spring: dict[str, JointSpring] = {}
    damper: dict[str, NotNegative] = {}
    stop: dict[str, Stop] = {}
    actuator: dict[str, Actuator] = {}
    limits: dict[str, tuple[Amount, Amount]] = {}  # lower and upper end of the range; they carry no force
    parent_point: Position | None = None
    parent_axis: Axis | None = None
    parent_axis2: Axis | None = None
    child_point: Position | None = None
    child_axis: Axis | None = None
    child_axis2: Axis | None = None

    @classmethod
    def __pydantic_init_subclass__(cls, **_: Any) -> None:
        """Hold that the description of a kind of joint does not contradict itself."""
        super().__pydantic_init_subclass__(**_)
        wrong = contradictions(cls.kind(), cls.coordinates, cls.equations, cls.only_constrains)
        if wrong and "type" in cls.model_fields:  # else it is a base of others
            raise TypeError("; ".join(wrong))

    @classmethod
    def kind(cls) -> str:
        """Return the type as files name it."""
        return str(cls.model_fields["type"].default) if "type" in cls.model_fields else cls.__name__

    @classmethod
    def arm(cls) -> bool:
        """Return whether `axis2` is an axis of the child, as the second arm of a cross is."""
        crossed = any(one.side == "child" for one in cls.coordinates.values())
        return crossed or any(equation.arm for equation in cls.equations)

    @classmethod
    def has_axes(cls) -> bool:
        """Return whether the joint has axes of its own; if not, those of the drawing are meant."""
        return "axis" in cls.model_fields

    @classmethod
    def leaves_all(cls) -> bool:
        """Return whether the joint leaves all six freedoms."""
        return len(cls.coordinates) == 6

    @classmethod
    def ball(cls) -> tuple[str, ...]:
        """Return the names of the three angles of a rotation that may be free as a whole; none for other joints."""
        return tuple(name for name, one in cls.coordinates.items() if one.side == BALL)

    @model_validator(mode="after")
    def _is_placed(self) -> Joint:
        """Hold that each place or direction the joint needs is drawn, or given in the axes of both bodies."""
        for what in ("point", "axis", "axis2"):
            drawn = getattr(self, what, None) is not None
            ends = [getattr(self, f"{side}_{what}") is not None for side in ("parent", "child")]
            if drawn and any(ends):
                raise WrongField(f"is drawn and also given in body axes; keep '{what}' or the two of the bodies", what)
            if any(ends) and not all(ends) and what in self.needs:
                raise WrongField("is required: the other body's is given", f"{'child' if ends[0] else 'parent'}_{what}")
            if what in self.needs and not drawn and not any(ends):
                raise WrongField(f"is required and missing (or 'parent_{what}' and 'child_{what}' in body axes)", what)
        return self

    @model_validator(mode="after")
    def _has_two_axes(self) -> Joint:
        """Hold that two drawn axes are perpendicular, and that the two arms of a cross are given."""
        axis, axis2 = getattr(self, "axis", None), getattr(self, "axis2", None)
        cosine = sum(a * b for a, b in zip(axis, axis2)) if axis and axis2 and self.coordinates else 0.0
        if abs(cosine) > 1e-6:
            raise ValueError(f"'axis' and 'axis2' must be perpendicular; the cosine between them is {cosine:.3g}")
        if self.arm() and "axis2" in type(self).model_fields:
            by_bodies = self.parent_axis is not None and self.child_axis2 is not None
            if (axis is not None and axis2 is not None) == by_bodies:
                raise ValueError("needs 'axis' and 'axis2', or 'parent_axis' and 'child_axis2' in body axes")
        return self

    @property
    def by_bodies(self) -> bool:
        """Return whether the joint is given in body axes, so that an assembly step must close it."""
        return any(
            getattr(self, f"{side}_{what}") is not None for side in ("parent", "child") for what in ("point", "axis")
        )

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
        for name, one in self.coordinates.items():
            kind = one.kind
            self._one_role(name)
            if name in self.motion:
                with about("motion", name):
                    self.motion[name].in_si(kind)
                    _table_in_si(self.motion[name], kind)
            self._forces_in_si(name, kind)
            for power, field in enumerate(("initial", "rate")):
                if name in getattr(self, field):
                    with about(field, name):
                        amount_in_si(getattr(self, field)[name], kind, power)
        return self

    def _forces_in_si(self, name: str, kind: str) -> None:
        """Hold that amounts of a coordinate's spring, stop and limits are of its kind, and that they make sense."""
        if name in self.spring:
            with about("spring", name):
                to_si(self.spring[name].stiffness, STIFFNESS[kind])
                amount_in_si(self.spring[name].rest, kind)
        if name in self.damper:
            with about("damper", name):
                to_si(self.damper[name], DAMPING[kind])
        if name in self.actuator:
            self._actuator_in_si(name, FORCE[kind])
        if name in self.stop:
            with about("stop", name):
                to_si(self.stop[name].stiffness, STIFFNESS[kind])
                to_si(self.stop[name].damping, DAMPING[kind])
                ends = [getattr(self.stop[name], end) for end in ("lower", "upper")]
                _growing([amount_in_si(end, kind) for end in ends if end is not None])
                if not amount_in_si(self.stop[name].width, kind) > 0:
                    raise ValueError("'width' must be positive")
        if name in self.limits:
            with about("limits", name):
                _growing([amount_in_si(end, kind) for end in self.limits[name]])
        if name in self.ball() and (name in self.spring or name in self.stop) and is_ball(self):
            field = "spring" if name in self.spring else "stop"
            raise WrongField(
                "acts on one angle of a free rotation, which has none without a singularity; use a load of type "
                "rotational-spring between the two bodies",
                field,
            )

    def _actuator_in_si(self, name: str, unit: str) -> None:
        command = self.actuator[name].command
        known_later = isinstance(command, Expression | ChannelTable | None)
        values = command.values if isinstance(command, Table) else () if known_later else (command,)
        with about("actuator", name, "command"):
            for value in values:
                to_si(value, unit)
        if self.actuator[name].limit is not None:
            with about("actuator", name, "limit"):
                to_si(self.actuator[name].limit, unit)

    def _one_role(self, name: str) -> None:
        if name in self.motion and name in self.locked:
            raise ValueError(f"coordinate '{name}' is both driven and locked; keep one")
        taken = "driven" if name in self.motion else "locked" if name in self.locked else ""
        for field in ("rate", *FORCES) + (("initial",) if taken == "driven" else ()):
            if taken and name in getattr(self, field):
                raise ValueError(f"coordinate '{name}' is {taken}, so '{field}' has no effect; remove one of them")

    @classmethod
    def _positional(cls) -> list[str]:
        first = [name for name in ("parent", "child", "point", "axis", "axis2") if name in cls.model_fields]
        return first + [name for name in super()._positional() if name not in first]

    def _shown(self, name: str, value: Any) -> Any:
        if len(self.coordinates) != 1 or name not in (*PER_COORDINATE, "locked") or set(value) != set(self.coordinates):
            return value
        return True if name == "locked" else next(iter(value.values()))

    @classmethod
    def _more(cls) -> list[str]:
        """Return the lines of help that are about the coordinates."""
        if not cls.coordinates:
            return ["", "It leaves no coordinates, so there is nothing for fields per coordinate to act on."]
        named = ", ".join(f"{name} [{SI[one.kind]}]" for name, one in cls.coordinates.items())
        if len(cls.coordinates) == 1:
            return ["", f"Coordinate: {named}; where a mapping by coordinate is asked, its one value will do."]
        return ["", f"Coordinates: {named}; free unless driven by `motion` or `locked`."]

    def role(self, name: str) -> str:
        """Return whether coordinate `name` is driven, locked or free."""
        if name in self.motion:
            return "driven"
        return "locked" if self.only_constrains or name in self.locked else "free"


def _growing(ends: list[float]) -> None:
    if len(ends) == 2 and not ends[0] < ends[1]:
        raise ValueError(f"the lower end must be below the upper one; got {ends[0]:g} and {ends[1]:g}")


def is_ball(joint: Joint) -> bool:
    """Return whether a joint's three angles are all free, so that its rotation is a quaternion without singularity."""
    return bool(joint.ball()) and all(joint.role(angle) == "free" for angle in joint.ball())


def _spring(field: str, value: Any) -> Any:
    if field == "spring" and isinstance(value, (int, float, str)) and not isinstance(value, bool):
        return {"stiffness": value}
    return value


def _table_in_si(motion: Any, kind: str) -> None:
    for value in getattr(motion, "values", ()):
        amount_in_si(value, kind)
