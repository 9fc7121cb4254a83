"""The model: bodies, joints, loads and how to run them, as one frozen record."""

from __future__ import annotations

import html
from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field, WithJsonSchema, model_validator

from fairlead.model.controllers import AnyController
from fairlead.model.environment import Environment
from fairlead.model.joints import AnyJoint
from fairlead.model.loads import AnyLoad
from fairlead.model.run_words import FORMULATIONS
from fairlead.model.sentences import about, unknown
from fairlead.model.shown import diagonal
from fairlead.model.time_grid import grid_of
from fairlead.model.units import short, to_si
from fairlead.model.words import (
    WORLD,
    AngularVelocity,
    Axis,
    Count,
    Data,
    Flag,
    Mass,
    Name,
    Position,
    Real,
    Time,
    Velocity,
    Word,
    _plain,
    number,
    vector,
)

GRAVITY = (0.0, 0.0, -9.80665)
MOMENTS = ("xx", "yy", "zz")
PRODUCTS = {"xy": (0, 1), "xz": (0, 2), "yz": (1, 2)}


def _tensor(value: Any) -> Any:
    """Return three moments, a mapping of tensor components or 3x3 rows as 3x3 rows [kg m2]."""
    value = _plain(value)
    rows = [[0.0] * 3 for _ in range(3)]
    if isinstance(value, dict):
        if set(value) - set(MOMENTS) - set(PRODUCTS) or not set(MOMENTS) <= set(value):
            raise ValueError(f"as a mapping inertia needs xx, yy, zz and may have xy, xz, yz; got {short(list(value))}")
        for i, name in enumerate(MOMENTS):
            with about(name):
                rows[i][i] = to_si(value[name], "kg m**2")
        for name, (i, j) in PRODUCTS.items():
            with about(name):
                rows[i][j] = rows[j][i] = to_si(value.get(name, 0.0), "kg m**2")
    elif isinstance(value, (list, tuple)) and len(value) == 3:
        nested = [isinstance(item, (list, tuple)) for item in value]
        if any(nested) and not (all(nested) and all(len(row) == 3 for row in value)):
            raise ValueError("inertia needs three moments, a mapping xx, yy, zz (xy, xz, yz), or three rows of three")
        for i, item in enumerate(value):
            with about(i):
                if nested[0]:
                    rows[i] = [to_si(entry, "kg m**2") for entry in item]
                else:
                    rows[i][i] = to_si(item, "kg m**2")
    else:
        raise ValueError("inertia needs three moments, a mapping xx, yy, zz (xy, xz, yz), or three rows of three")
    return tuple(tuple(row) for row in rows)


_INERTIA = {"anyOf": [{"type": "array", "minItems": 3, "maxItems": 3}, {"type": "object"}]}
Inertia = Annotated[tuple[tuple[float, float, float], ...], BeforeValidator(_tensor), WithJsonSchema(_INERTIA)]
Row = tuple[Real, Real, Real]


class Orientation(Word):
    """Body axes in the drawing, in one of three forms.

    euler123: angles of R = Rx Ry Rz, body to world
    quaternion: unit quaternion, scalar first, body to world
    matrix: rotation matrix in three rows, body to world
    """

    euler123: vector("rad") | None = None  # type: ignore[valid-type]
    quaternion: tuple[Real, Real, Real, Real] | None = None
    matrix: tuple[Row, Row, Row] | None = None

    @model_validator(mode="before")
    @classmethod
    def _as_lists(cls, data: Any) -> Any:
        return {key: _plain(value) for key, value in data.items()} if isinstance(data, dict) else data

    @model_validator(mode="after")
    def _one_form(self) -> Orientation:
        given = [name for name in ("euler123", "quaternion", "matrix") if getattr(self, name) is not None]
        if len(given) != 1:
            raise ValueError("give one of 'euler123', 'quaternion' or 'matrix'")
        if self.quaternion is not None:
            norm = sum(item * item for item in self.quaternion) ** 0.5
            if abs(norm - 1) > 1e-6:
                raise ValueError(f"the quaternion must have length 1 (scalar first); its length is {norm:.9g}")
        if self.matrix is not None:
            _check_rotation(self.matrix)
        return self


def _check_rotation(rows: tuple[Row, Row, Row]) -> None:
    (a, b, c), (d, e, f), (g, h, i) = rows
    determinant = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)
    worst = max(abs(sum(p * q for p, q in zip(rows[m], rows[n])) - (m == n)) for m in range(3) for n in range(3))
    if worst > 1e-6 or determinant < 0:
        raise ValueError(
            f"the matrix is not a rotation: determinant {determinant:.6g}, worst row product off by {worst:.2g}"
        )


class Wheel(Word):
    """A wheel that stores momentum axis * inertia * speed relative to its body; its locked inertia is in the body's.

    axis: direction of the spin in body axes
    inertia: moment of inertia about the axis
    speed: rate of spin relative to the body
    """

    axis: Axis
    inertia: number("kg m**2", ge=0)  # type: ignore[valid-type]
    speed: number("rad/s")  # type: ignore[valid-type]


class Body(Word):
    """A rigid body drawn in the world at t = 0.

    mass: mass of the body
    inertia: inertia about the mass centre in body axes: three moments, a mapping xx, yy, zz (xy, xz, yz are tensor
        components), or 3x3 rows [kg m**2]
    position: mass centre in the drawing
    orientation: body axes in the drawing; those of the world unless given
    velocity: velocity of the mass centre at t = 0 in world axes, for bodies that float
    angular_velocity: angular velocity at t = 0 in body axes, for bodies that float
    wheels: wheels that spin in the body and store momentum
    geometry: what other programs want to know of its shape; nothing here reads it
    idealised: allow moments no rigid body has (rods, point masses, parts of another program's tensors)
    """

    mass: Mass
    inertia: Inertia
    position: Position = (0.0, 0.0, 0.0)
    orientation: Orientation | None = None
    velocity: Velocity = (0.0, 0.0, 0.0)
    angular_velocity: AngularVelocity = (0.0, 0.0, 0.0)
    wheels: tuple[Wheel, ...] = ()
    geometry: dict[str, Data] | None = None
    idealised: Flag = False

    def _shown(self, name: str, value: Any) -> Any:
        return diagonal(value) if name == "inertia" else value


def _formulation(name: str) -> str:
    if name not in FORMULATIONS:
        raise ValueError(unknown("formulation", name, FORMULATIONS))
    return name


class RunAudit(Word):
    """How the audit of a run judges.

    tolerance: relative tolerance of every check; 1e-6 unless given
    """

    tolerance: Annotated[Real, Field(gt=0, lt=1)] | None = None


class Run(Word):
    """How `fairlead run` runs the model; every word may be overridden on the command line.

    Without `dt` the method is adaptive and 1000 instants are recorded, or one every `interval`.

    duration: time to simulate
    dt: step; the method is adaptive unless given
    formulation: how the equations of motion are derived; `auto` chooses by the joints of the model
    integrator: method of the time steps; rk4 with `dt`, dop853 without
    rotation: coordinates of a floating base's attitude; `euler123` stops at its singular attitude
    output_every: record every so-many-th step
    rtol: relative tolerance of adaptive methods; 1e-9 unless given
    atol: absolute tolerance of adaptive methods, in SI units; 1e-12 unless given
    unknowns: unknowns of the rotations in `constrained`
    closing: how `constrained` keeps loops closed
    audit: how the audit judges the run
    interval: time between recorded instants, a whole number of steps where `dt` is given
    """

    duration: Annotated[Time, Field(gt=0)]
    dt: Annotated[Time, Field(gt=0)] | None = None
    formulation: Annotated[str, AfterValidator(_formulation)] = "auto"
    integrator: Literal["rk4", "symplectic-euler", "rk45", "dop853", "generalised-alpha"] | None = None
    rotation: Literal["quaternion", "euler123"] = "quaternion"
    output_every: Annotated[Count, Field(ge=1)] | None = None
    rtol: Annotated[Real, Field(gt=0)] | None = None
    atol: Annotated[Real, Field(gt=0)] | None = None
    unknowns: Literal["omega", "euler-parameters"] = "omega"
    closing: Literal["auto", "partition", "partition-every-step", "projection"] = "auto"
    audit: RunAudit | None = None
    interval: Annotated[Time, Field(gt=0)] | None = None

    @model_validator(mode="after")
    def _times_agree(self) -> Run:
        grid_of(self.duration, self.dt, self.output_every, self.interval)
        return self


class Model(Word):
    """Everything that is to be simulated.

    name: name of the model
    bodies: rigid bodies by name
    joints: joints between bodies, or to the `world`, by name
    loads: forces and moments on bodies by name
    gravity: acceleration of gravity in world axes
    environment: water, waves, current and wind; none unless given
    controllers: what commands joints, by name
    run: how to run the model; duration and step may be given when it is run instead
    base: base body of the cloud; the first that floats or is joined to the world unless given
    """

    name: Name
    bodies: Annotated[dict[Name, Body], Field(min_length=1)]
    joints: dict[Name, AnyJoint] = {}
    loads: dict[Name, AnyLoad] = {}
    gravity: vector("m/s**2") = GRAVITY  # type: ignore[valid-type]
    environment: Environment | None = None
    controllers: dict[Name, AnyController] = {}  # type: ignore[valid-type]
    run: Run | None = None
    base: Name | None = None

    @model_validator(mode="after")
    def _names_are_unique(self) -> Model:
        taken: dict[str, str] = {WORLD: "the reserved name of the ground"}
        for what, group in (("body", self.bodies), ("joint", self.joints), ("load", self.loads)):
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
        from fairlead.model.vary import varied  # it reads, which needs this class

        return varied(self, changes)
