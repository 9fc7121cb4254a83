"""A joint as data: the coordinates it leaves and the equations it holds. All else about a kind follows from them.

A joint has a frame on both its bodies, which coincide in the drawing. Its columns are 0: `axis2` or, without one, a
perpendicular of the axis; 1: the third direction; 2: `axis`. A joint without an axis has the axes of the drawing.
Coordinates are listed in kinematic order, parent to child: slides first, then turns.

Trees read their axes here, `equations.py` makes constraint rows of the words, `kane_slots.py` finds the six slots, the
JSON schema says what each coordinate is, and a result names them for inverse dynamics (`results/joint_places.py`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

PARENT, CHILD, WORLD_AXES, BALL = "parent", "child", "world", "ball"  # where the axis of a coordinate is fixed
COLUMNS = ("`axis2`", "the third direction", "`axis`")
LETTERS = ("x", "y", "z")
ALL_BUT_COORDINATES = "all but its coordinates"  # what a joint holds that does not only constrain


@dataclass(frozen=True)
class Coordinate:
    """One coordinate: an angle or a length, the side its axis is fixed in and the column of the joint's frame there."""

    kind: str  # angle or length
    side: str  # PARENT, CHILD, WORLD_AXES, or BALL: one of three 1-2-3 angles, a quaternion where all are free
    column: int

    @property
    def label(self) -> str:
        """Return the coordinate's axis as a result names it, such as 'slide parent 0'."""
        return f"{'turn' if self.kind == 'angle' else 'slide'} {self.side} {self.column}"

    def said(self, drawn: bool) -> str:
        """Return the coordinate in words; `drawn` says that the joint has the axes of the drawing."""
        axis = f"the drawing's {LETTERS[self.column]}" if drawn else COLUMNS[self.column]
        if self.side == BALL:
            return f"turn about {axis}, one of 1-2-3 angles [rad]"
        motion = "turn about" if self.kind == "angle" else "slide along"
        where = "fixed in the world" if self.side == WORLD_AXES else f"fixed in the {self.side}"
        return f"{motion} {axis}, {where} [{'rad' if self.kind == 'angle' else 'm'}]"


def slide(side: str, column: int) -> Coordinate:
    """Return a length along a column of the joint's frame."""
    return Coordinate("length", side, column)


def turn(side: str, column: int) -> Coordinate:
    """Return an angle about a column of the joint's frame."""
    return Coordinate("angle", side, column)


def ball() -> dict[str, Coordinate]:
    """Return the three angles of a free rotation: 1-2-3 about the frame's columns where driven or locked."""
    return {name: Coordinate("angle", BALL, column) for column, name in enumerate("abc")}


@dataclass(frozen=True)
class Equation:
    """A thing that a joint holds: a word that `equations.py` makes rows of."""

    word: str
    rows: int
    column: int = 2
    coordinate: str = ""  # the coordinate it prescribes by itself, so that this is never free
    about: str = ""  # for messages
    arm: bool = False  # it is about `axis2` as an axis of the child

    @property
    def label(self) -> str:
        """Return the equation as a result names it, such as 'along 0'."""
        return f"{self.word} {self.column}"


def meet() -> Equation:
    """Return that the two points coincide."""
    return Equation("meet", 3)


def parallel(column: int = 2) -> Equation:
    """Return that a column of the child stays parallel to that of the parent."""
    return Equation("parallel", 2, column)


def unturned(column: int = 2) -> Equation:
    """Return that the child does not turn about a column, which is parallel to the parent's."""
    return Equation("unturned", 1, column)


def along(column: int) -> Equation:
    """Return that the child's point does not move along a column of the parent."""
    return Equation("along", 1, column)


def square(about: str) -> Equation:
    """Return that the parent's `axis` and the child's `axis2` stay perpendicular."""
    return Equation("square", 1, about=about, arm=True)


def on_child_axis() -> Equation:
    """Return that the parent's point stays on the child's `axis2`."""
    return Equation("on_child_axis", 2, arm=True)


def attitude() -> Equation:
    """Return that the child does not turn in the parent."""
    return Equation("attitude", 3)


def apart() -> Equation:
    """Return that the distance of the two points stays."""
    return Equation("apart", 1)


def at_world(column: int, coordinate: str) -> Equation:
    """Return that a world coordinate of the child's point is what `coordinate` says."""
    return Equation("at_world", 1, column, coordinate)


def facing(coordinate: str) -> Equation:
    """Return that the child's `axis2`, seen along the parent's `axis`, is turned by `coordinate`."""
    return Equation("facing", 1, coordinate=coordinate, arm=True)


def contradictions(
    kind: str, coordinates: Mapping[str, Coordinate], equations: tuple[Equation, ...], only_constrains: bool
) -> list[str]:
    """Return what in a description contradicts itself, so that formulations would follow it differently."""
    found = _out_of_order(coordinates)
    rows = sum(equation.rows for equation in equations)
    own = {equation.coordinate for equation in equations if equation.coordinate}
    if only_constrains and not equations:
        found.append("it only constrains but has no equations, so it holds nothing")
    if only_constrains and own != set(coordinates):
        found.append("it only constrains, so each of its coordinates must be that of an equation")
    if not only_constrains and not coordinates and rows != 6:
        found.append(
            f"it has {rows} equations but no coordinates, so trees cannot carry a body by it; list what it leaves, or "
            "say `only_constrains = True`"
        )
    if not only_constrains and coordinates and equations and rows + len(coordinates) != 6:
        found.append(f"coordinates ({len(coordinates)}) and equations ({rows}) must together be 6")
    return [f"joint '{kind}': {text}" for text in found]


def _out_of_order(coordinates: Mapping[str, Coordinate]) -> list[str]:
    """Return which coordinates have an axis that is not fixed where the description says."""
    found = []
    turned: dict[str, Coordinate] = {}
    for name, one in coordinates.items():
        before = [other for other, past in turned.items() if (past.side, past.column) != (one.side, one.column)]
        if one.side in (PARENT, WORLD_AXES) and before:
            found.append(
                f"coordinate '{name}' has an axis fixed in the {one.side} but stands behind '{before[0]}', which turns "
                "it; list it first"
            )
        if one.side == CHILD and (one.kind != "angle" or one.column != 0 or not turned):
            found.append(f"coordinate '{name}' is fixed in the child: only a turn about `axis2` behind another may be")
        if one.kind == "angle":
            turned[name] = one
    return found


def without_equations(kind: str, coordinates: Mapping[str, Coordinate], equations: tuple[Equation, ...]) -> list[str]:
    """Return that a joint cannot be written as constraint equations, if nobody said which."""
    if equations or len(coordinates) == 6:
        return []
    return [f"joint '{kind}' has coordinates but no equations: constrained cannot take it, nor can it close loops"]
