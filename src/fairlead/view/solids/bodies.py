"""The look of each body of a result: its `geometry`, else its hull, else what joints and inertia suggest.

Without geometry a body is drawn from what a result knows: bars between its joints (a plate where they are three or
more in a plane), a block that slides where an axis is all it has, and a box of equal inertia where it floats.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from fairlead.model.joints.geometry import rotation_of
from fairlead.model.shapes import COLOURS
from fairlead.view.solids import pieces
from fairlead.view.solids.mesh_files import read_mesh
from fairlead.view.solids.pieces import Solid

if TYPE_CHECKING:
    import xarray as xr

    from fairlead.model.schema import Model

Array = npt.NDArray[np.float64]
PALETTE = ("#5b8db8", "#d98c5f", "#6fae8b", "#b58fb4", "#c9b458", "#7fa7a8", "#c67b7b", "#8f96c9")
WORLD = "world"


@dataclass
class Look:
    """A body's name, colour and solids in its own axes; whether it was given or guessed; where its joints are on it."""

    name: str
    colour: str
    solids: list[Solid] = field(default_factory=list)
    given: bool = False
    points: list[Array] = field(default_factory=list)


def looks(data: xr.Dataset, model: Model | None = None) -> list[Look]:
    """Return the look of every body of a result, in its order; `model` has the geometry, if any is given."""
    names = [str(name) for name in data["body"].values]
    found = [Look(name, PALETTE[number % len(PALETTE)]) for number, name in enumerate(names)]
    axes = _joints_on_bodies(data, found)
    _springs_on_bodies(model, found)
    size = scale_of(data, found)
    for number, look in enumerate(found):
        body = model.bodies.get(look.name) if model is not None else None
        if model is not None and body is not None and body.geometry:
            look.solids = [_of_shape(shape, body, look) for shape in body.geometry]
            look.given = True
            look.colour = look.solids[0].colour or look.colour
            continue
        hull = _hull(model, look.name)
        look.solids = hull + _guessed(data, number, look, axes[number], size, bool(hull))
    return found


def scale_of(data: xr.Dataset, found: list[Look]) -> float:
    """Return the size of the system [m]: the largest of its extent at the start and of what bodies are by inertia."""
    places = data["position"].values[0] if data["position"].ndim == 3 else data["position"].values
    spread = float(np.linalg.norm(np.ptp(places, axis=0))) if len(places) > 1 else 0.0
    reach = max((float(np.linalg.norm(point)) for look in found for point in look.points), default=0.0)
    wide = [float(equal_box(data, number)[0].max()) for number in range(len(found))]
    links = max(spread, reach)
    return links if links > 0 else max([*wide, 1e-9]) or 1.0


def _joints_on_bodies(data: xr.Dataset, found: list[Look]) -> list[list[Array]]:
    """Give each look the points of its joints in body axes; return the axes along which bodies slide."""
    number = {look.name: row for row, look in enumerate(found)}
    slides: list[list[Array]] = [[] for _ in found]
    if "joint_point" not in data.variables or not data.sizes.get("joint"):
        return slides
    first = data.isel(time=0) if "time" in data["joint_point"].dims else data
    kinds = [str(one) for one in data["joint_type"].values]
    for row, (parent, child) in enumerate(zip(data["joint_parent"].values, data["joint_child"].values)):
        if kinds[row] == "free":
            continue
        if str(parent) in number:
            found[number[str(parent)]].points.append(data["joint_parent_point"].values[row])
        if str(child) in number:
            at = number[str(child)]
            R = matrix(first["orientation"].values[at])
            found[at].points.append(R.T @ (first["joint_point"].values[row] - first["position"].values[at]))
            if kinds[row] in ("prismatic", "cylindrical"):
                slides[at].append(data["joint_child_frame"].values[row][:, 2])
    return slides


def _springs_on_bodies(model: Model | None, found: list[Look]) -> None:
    """Give each look the ends of springs on it, which the body reaches to as it does to its joints."""
    if model is None:
        return
    number = {look.name: look for look in found}
    loads: list[Any] = list(model.loads.values())
    for load in loads:
        ends = [
            (load.body, getattr(load, "point", None)),
            (getattr(load, "other", None), getattr(load, "other_point", None)),
        ]
        for name, point in ends if load.type == "spring" else []:
            if name in number and name in model.bodies and point is not None:
                body = model.bodies[name]
                number[name].points.append(rotation_of(body).T @ (np.array(point) - np.array(body.position)))


def matrix(q: Any) -> Array:
    """Return the rotation matrix of a unit quaternion, scalar first."""
    from fairlead.numeric import unit_rotation_matrix

    return np.asarray(unit_rotation_matrix(np.asarray(q, dtype=float)))


def equal_box(data: xr.Dataset, number: int) -> tuple[Array, Array]:
    """Return sides and axes of the box of a body's mass and inertia: a^2 = 6 (J2 + J3 - J1) / m; zero without mass."""
    mass = float(data["mass"].values[number]) if "mass" in data.variables else 0.0
    inertia = data["inertia"].values[number] if "inertia" in data.variables else np.zeros((3, 3))
    moments, axes = np.linalg.eigh(0.5 * (inertia + inertia.T))
    if np.allclose(inertia, np.diag(np.diag(inertia))):
        moments, axes = np.diag(inertia).copy(), np.eye(3)
    if not mass > 0:
        return np.zeros(3), np.eye(3)
    if np.linalg.det(axes) < 0:
        axes = axes * [1, 1, -1]
    return np.sqrt(np.maximum(6 * (moments.sum() - 2 * moments) / mass, 0.0)), axes


def _guessed(data: xr.Dataset, number: int, look: Look, slides: list[Array], size: float, hulled: bool) -> list[Solid]:
    """Return solids for a body of which no shape is given."""
    thick = 0.035 * size
    points = _distinct([*look.points, np.zeros(3)] if hulled else look.points, 1e-6 * size)
    spread = max((float(np.linalg.norm(a - b)) for a in points for b in points), default=0.0)
    if hulled:
        return [pieces.capsule(np.zeros(3), point, thick) for point in points if np.linalg.norm(point) > thick]
    if spread > 0.02 * size and len(points) >= 2:
        return _linked(points, thick, size)
    if slides:
        return [_block(points[0], slides[0], 3.2 * thick)]
    sides, axes = equal_box(data, number)
    place = points[0] if points else np.zeros(3)
    far = float(np.linalg.norm(place))
    least = np.clip(sides, 1.2 * thick, None)
    most = np.minimum(least, max(2.2 * far, 0.25 * size) if points else np.inf)
    found = [pieces.box(most.tolist()).moved(axes, np.zeros(3))]
    if far > 0.5 * float(most.min()):
        found.append(pieces.capsule(place, np.zeros(3), thick))
    return found


def _linked(points: list[Array], thick: float, size: float) -> list[Solid]:
    """Return a bar between two joints, a plate over several in a plane, bars to their middle otherwise."""
    if len(points) == 2:
        return [pieces.capsule(points[0], points[1], thick)]
    middle = np.mean(points, axis=0)
    _, sizes, ways = np.linalg.svd(np.array(points) - middle)
    if sizes[1] > 0.02 * size and sizes[2] < 0.05 * sizes[1]:
        flat = (np.array(points) - middle) @ ways[:2].T
        order = _convex(flat)
        if len(order) >= 3:
            plate = pieces.plate(np.array([points[i] for i in order]), ways[2], 0.5 * thick)
            if plate.volume() < 0:
                plate = pieces.plate(np.array([points[i] for i in order]), -ways[2], 0.5 * thick)
            return [plate, *(pieces.ball(thick).moved(np.eye(3), point) for point in points)]
    if sizes[1] <= 0.02 * size:  # along one line
        along = [float(np.dot(point - middle, ways[0])) for point in points]
        return [pieces.capsule(points[int(np.argmin(along))], points[int(np.argmax(along))], thick)]
    return [pieces.capsule(middle, point, thick) for point in points if np.linalg.norm(point - middle) > 0]


def _convex(flat: Array) -> list[int]:
    from scipy.spatial import ConvexHull, QhullError

    try:
        return [int(i) for i in ConvexHull(flat).vertices]
    except QhullError:
        return []


def _block(place: Array, along: Array, side: float) -> Solid:
    R = pieces.axes_along(along)
    return pieces.box((side, side, 1.7 * side)).moved(R, place)


def _distinct(points: list[Array], near: float) -> list[Array]:
    kept: list[Array] = []
    for point in points:
        if all(np.linalg.norm(point - other) > near for other in kept):
            kept.append(point)
    return kept


def _hull(model: Model | None, name: str) -> list[Solid]:
    """Return the stacks in the water that loads say a body has, each once, in body axes."""
    if model is None or name not in model.bodies:
        return []
    seen, found = set(), []
    loads: list[Any] = list(model.loads.values())
    for load in loads:
        sections = getattr(load, "sections", None)
        if getattr(load, "body", None) == name and sections and (sections, load.x, load.y) not in seen:
            seen.add((sections, load.x, load.y))
            found.append(_stack(sections, load.x, load.y, model.bodies[name]))
    return found


def _stack(sections: Any, x: float | None, y: float | None, body: Any) -> Solid:
    place, R = np.array(body.position), rotation_of(body)
    at = np.array([place[0] if x is None else x, place[1] if y is None else y, 0.0])
    return pieces.revolved([(z, 0.5 * d) for z, d in sections]).moved(R.T, R.T @ (at - place))


def _of_shape(shape: Any, body: Any, look: Look) -> Solid:
    """Return a shape in the axes of its body."""
    place, R = np.array(body.position), rotation_of(body)
    turn = rotation_of(shape) if getattr(shape, "orientation", None) is not None else R
    at = np.array(place if getattr(shape, "position", None) is None else shape.position)

    def own(point: Any) -> Array:
        return np.asarray(R.T @ (np.asarray(point, dtype=float) - place))

    kind = shape.type
    if kind == "hull":
        solid = _stack(shape.sections, shape.x, shape.y, body)
    elif kind in ("cylinder", "capsule", "cone", "blade"):
        a, b = (own(end) for end in shape.ends)
        if kind == "cylinder":
            solid = pieces.bar(a, b, shape.diameter)
        elif kind == "capsule":
            solid = pieces.capsule(a, b, shape.diameter)
        elif kind == "cone":
            solid = pieces.bar(a, b, *shape.diameters)
        else:
            root = shape.root or 0.5 * max(shape.chord)
            solid = pieces.blade(a, b, R.T @ np.array(shape.edge), shape.chord, root, shape.twist)
    else:
        own_axes = {"box": _box, "sphere": _sphere, "mesh": _mesh}[kind](shape)
        solid = own_axes.moved(R.T @ turn, own(at))
    return replace(solid, colour=COLOURS.get(shape.colour, shape.colour) if shape.colour else look.colour)


def _box(shape: Any) -> Solid:
    return pieces.box(shape.size)


def _sphere(shape: Any) -> Solid:
    return pieces.ball(shape.diameter)


def _mesh(shape: Any) -> Solid:
    solid = read_mesh(shape.file)
    return replace(solid, corners=solid.corners * shape.scale)
