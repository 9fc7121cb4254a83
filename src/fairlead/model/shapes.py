"""Shapes of bodies for pictures: they have no effect on the motion, which follows from mass and inertia alone."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias, get_args

from pydantic import AfterValidator, BeforeValidator, Field, WithJsonSchema, model_validator

from fairlead.model.fields import Axis, Length, Position, SchemaModel, _plain, number
from fairlead.model.files import FilePath
from fairlead.model.loads.sections import Sections
from fairlead.model.messages import WrongField, unknown
from fairlead.model.orientation import Orientation

COLOURS = {
    "white": "#f4f4f2",
    "grey": "#9aa0a6",
    "black": "#2b2d31",
    "red": "#c8442f",
    "orange": "#e08a1e",
    "yellow": "#e8b923",
    "green": "#3f9c6b",
    "blue": "#2f78b7",
    "purple": "#8a63a8",
    "brown": "#8a6243",
}
MESHES = (".stl", ".obj")


def _colour(value: Any) -> Any:
    """Return a colour as `#rrggbb`."""
    if isinstance(value, str) and re.fullmatch("#[0-9a-fA-F]{6}", value):
        return value.lower()
    if isinstance(value, str) and value.lower() in COLOURS:
        return value.lower()
    raise ValueError(f"{unknown('colour', value, COLOURS)} or '#rrggbb'")


def _mesh(name: str) -> str:
    if not name.lower().endswith(MESHES):
        raise ValueError(f"expected an STL or OBJ file ({', '.join(MESHES)}), got '{name[-40:]}'")
    return name


def _one_or_two(value: Any) -> Any:
    """Return one number for both ends, or two, as a pair."""
    value = _plain(value)
    return tuple(value) if isinstance(value, (list, tuple)) else (value, value)


Diameter = number("m", gt=0)
Colour = Annotated[str, BeforeValidator(_colour), WithJsonSchema({"type": "string"})]
Ends = tuple[Position, Position]
_PAIR = {"anyOf": [{"type": "number"}, {"type": "string"}, {"type": "array", "minItems": 2, "maxItems": 2}]}
if TYPE_CHECKING:  # what fields of these types hold
    NotNegative: TypeAlias = float
    Pair: TypeAlias = tuple[float, float]
else:
    NotNegative = number("m", ge=0)
    Pair = Annotated[tuple[NotNegative, NotNegative], BeforeValidator(_one_or_two), WithJsonSchema(_PAIR)]


class Drawn(SchemaModel):
    """Base of shapes. Points are drawn in the world at t = 0 and move with their body; the motion ignores them.

    colour: white, grey, black, red, orange, yellow, green, blue, purple, brown, or `#rrggbb`; chosen unless given
    """

    colour: Colour | None = None

    @classmethod
    def _positional(cls) -> list[str]:
        return [name for name in super()._positional() if name != "colour"] + ["colour"]


class Between(Drawn):
    """Base of shapes between two points.

    ends: the two points, centres of its ends [m]
    """

    ends: Ends

    @model_validator(mode="after")
    def _has_length(self) -> Between:
        if self.ends[0] == self.ends[1]:
            raise WrongField("are one point, so the shape has no length; move one of them", "ends")
        return self


class Box(Drawn):
    """A box.

    size: its three sides along its own axes
    position: its middle in the drawing; the mass centre unless given
    orientation: its axes in the drawing; those of the body unless given
    """

    type: Literal["box"] = "box"
    size: tuple[Diameter, Diameter, Diameter]  # type: ignore[valid-type]
    position: Position | None = None
    orientation: Orientation | None = None


class Sphere(Drawn):
    """A ball.

    diameter: its diameter
    position: its middle in the drawing; the mass centre unless given
    """

    type: Literal["sphere"] = "sphere"
    diameter: Diameter  # type: ignore[valid-type]
    position: Position | None = None


class Cylinder(Between):
    """A round bar between two points.

    diameter: its diameter
    """

    type: Literal["cylinder"] = "cylinder"
    diameter: Diameter  # type: ignore[valid-type]


class Cone(Between):
    """A cone between two points, cut off where its second diameter is not zero.

    diameters: diameters at its two ends [m]
    """

    type: Literal["cone"] = "cone"
    diameters: tuple[NotNegative, NotNegative]


class Capsule(Between):
    """A round bar between two points, with half a ball on each.

    diameter: its diameter
    """

    type: Literal["capsule"] = "capsule"
    diameter: Diameter  # type: ignore[valid-type]


class Hull(Drawn):
    """A stack of cylinders and cones along a vertical line of the drawing, in the words of buoyancy.

    sections: rows of drawn z and diameter from bottom to top, straight between them; the same z twice makes a step [m]
    x: where the vertical line is; through the body's mass centre unless given
    y: where the vertical line is; through the body's mass centre unless given
    """

    type: Literal["hull"] = "hull"
    sections: Sections
    x: Length | None = None
    y: Length | None = None


class Blade(Between):
    """A blade from its root to its tip: round at the root, thin at the tip.

    chord: largest width and width at the tip; one number for both [m]
    edge: direction of the chord at the tip in the drawing
    root: diameter of the root; half of the largest width unless given
    twist: angle by which the widest section is turned against the tip
    """

    type: Literal["blade"] = "blade"
    chord: Pair
    edge: Axis
    root: Diameter | None = None  # type: ignore[valid-type]
    twist: number("rad") = 0.0  # type: ignore[valid-type]


class Mesh(Drawn):
    """A shape from an STL or OBJ file.

    file: STL (text or binary) or OBJ file, sought beside the model file
    scale: metres per unit of the file [-]
    position: where the origin of the file is in the drawing; the mass centre unless given
    orientation: axes of the file in the drawing; those of the body unless given
    """

    type: Literal["mesh"] = "mesh"
    file: Annotated[FilePath, AfterValidator(_mesh)]
    scale: number("", gt=0) = 1.0  # type: ignore[valid-type]
    position: Position | None = None
    orientation: Orientation | None = None


AnyShape = Annotated[
    Box | Sphere | Cylinder | Cone | Capsule | Hull | Blade | Mesh,
    Field(discriminator="type"),
]
SHAPES: dict[str, type[Drawn]] = {kind.model_fields["type"].default: kind for kind in get_args(get_args(AnyShape)[0])}


def _several(value: Any) -> Any:
    """Return one shape or several as several."""
    return (value,) if isinstance(value, dict | Drawn) else tuple(value) if isinstance(value, list) else value


Shapes = Annotated[tuple[AnyShape, ...], BeforeValidator(_several)]
