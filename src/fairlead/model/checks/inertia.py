"""Checks of mass properties: can a rigid body have this inertia, and can every free motion be computed?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairlead.model.bodies import Body
from fairlead.model.checks.partial_model import Finding, PartialModel
from fairlead.model.checks.topology import components, listed, root_of
from fairlead.model.fields import WORLD
from fairlead.model.joints.base import Joint
from fairlead.model.joints.geometry import axes_of, rotation_of

SYMMETRY = 1e-9  # of the largest entry
PHYSICAL = 1e-6  # of the largest principal moment
NOTHING = 1e-12  # of what the same mass would have about the farthest axis
MOST_HOLLOW = 50  # bodies looked at behind a joint; beyond, the assembled mass matrix decides
IMPLAUSIBLE = 1e3  # times mass times the extent of the drawing squared

Array = NDArray[np.float64]


def inertias(parts: PartialModel) -> Iterator[Finding]:
    """Find inertia tensors that no rigid body can have."""
    for name, body in parts.bodies.items():
        for message in _wrong_with(body):
            yield Finding(("bodies", name, "inertia"), message)


def _wrong_with(body: Body) -> Iterator[str]:
    tensor = np.array(body.inertia)
    largest = np.abs(tensor).max()
    if largest == 0:
        return
    skew = np.abs(tensor / largest - tensor.T / largest)
    if skew.max() > SYMMETRY:
        i, j = sorted(int(index) for index in np.unravel_index(skew.argmax(), (3, 3)))
        pair = f"row {i + 1} column {j + 1} is {tensor[i, j]:.9g}, row {j + 1} column {i + 1} is {tensor[j, i]:.9g}"
        yield f"is not symmetric: {pair} (tolerance {SYMMETRY:g})"
        return
    low, middle, high = principal_moments(body)
    moments = f"the principal moments are {low:.6g}, {middle:.6g} and {high:.6g} kg m2"
    if low < -PHYSICAL * largest:
        yield f"is not positive semidefinite: {moments}, and {low:.6g} is negative (tolerance {PHYSICAL:g})"
    elif not body.idealised and low + middle - high < -PHYSICAL * high:
        yield (
            f"breaks the triangle inequality: {moments}, and {low:.6g} + {middle:.6g} is less than {high:.6g} "
            f"(tolerance {PHYSICAL:g}); give it about the mass centre, or write 'idealised: true'"
        )


def principal_moments(body: Body) -> tuple[float, float, float]:
    """Return the three principal moments, smallest first [kg m2]."""
    tensor = np.array(body.inertia)
    largest = np.abs(tensor).max() or 1.0
    low, middle, high = np.linalg.eigvalsh((tensor / largest + tensor.T / largest) / 2) * largest
    return float(low), float(middle), float(high)


def plausibility(parts: PartialModel) -> Iterator[Finding]:
    """Find inertias far too large for the mass and the size of the drawing: mostly a wrong unit."""
    extent = _extent(parts)
    for name, body in parts.bodies.items():
        high = principal_moments(body)[2]
        if extent > 0 and high > IMPLAUSIBLE * body.mass * extent**2:
            radius = (high / body.mass) ** 0.5
            message = (
                f"means a radius of gyration of {radius:.3g} m in a drawing of {extent:.3g} m; are the units right?"
            )
            yield Finding(("bodies", name, "inertia"), message, "warning")


def _extent(parts: PartialModel) -> float:
    """Return the diagonal of the box round all points of the drawing [m]."""
    points: list[Any] = [body.position for body in parts.bodies.values()]
    for word in (*parts.joints.values(), *parts.loads.values()):
        points += [getattr(word, field, None) for field in ("point", "anchor", "other_point")]
    drawn = np.array([point for point in points if point is not None])
    return float(np.linalg.norm(np.ptp(drawn, axis=0))) if len(drawn) else 0.0


def motions(parts: PartialModel) -> Iterator[Finding]:
    """Find free rotations that turn nothing with inertia, so that their acceleration cannot be computed."""
    hollow = {name for name, body in parts.bodies.items() if _is_hollow(body)}
    if not hollow or len(parts.bodies) < len(parts.names["bodies"]):
        return  # a body that could not be read may carry the inertia
    near = parts.neighbours()
    for group in components(parts):
        if WORLD not in group and set(group) <= hollow:
            yield from _free_group(parts, group)
    for name, (parent, child) in parts.links().items():
        joint = parts.joints.get(name)
        if joint is None or not any(
            one.kind == "angle" and joint.role(q) == "free" for q, one in joint.coordinates.items()
        ):
            continue
        for side, other in ((child, parent), (parent, child)):
            moved = _behind(near, side, other, name, hollow)
            if moved and _turns_nothing(parts, joint, moved):
                message = f"its free rotation turns {listed(moved)} without any inertia; add inertia or lock it"
                yield Finding(("joints", name), message)
                break


def _free_group(parts: PartialModel, group: list[str]) -> Iterator[Finding]:
    tensor = _about(parts, group, _centre(parts, group))
    moments = np.linalg.eigvalsh(tensor)
    if moments[0] <= NOTHING * moments[2]:
        message = (
            f"the free system of {listed(group)} has no inertia about one axis, so its rotation cannot be computed"
        )
        yield Finding(("bodies", root_of(parts, group), "inertia"), f"{message}; give it three moments above zero")


def _is_hollow(body: Body) -> bool:
    low, _, high = principal_moments(body)
    return -PHYSICAL * high <= low <= NOTHING * high


def _behind(near: dict[str, list[tuple[str, str]]], start: str, other: str, joint: str, hollow: set[str]) -> list[str]:
    """Return the bodies moved on one side of a joint; none if it closes a loop, is held, or has a solid body."""
    found, waiting = {start}, [start]
    while waiting:
        here = waiting.pop()
        if here in (WORLD, other) or here not in hollow or len(found) > MOST_HOLLOW:
            return []
        fresh = {end for by, end in near[here] if by != joint} - found
        found |= fresh
        waiting += fresh
    return [name for name in near if name in found]


def _turns_nothing(parts: PartialModel, joint: Joint, moved: list[str]) -> bool:
    point = getattr(joint, "point", None)
    about = _centre(parts, moved) if point is None or joint.leaves_all() else np.array(point)
    tensor = _about(parts, moved, about)
    size = max(np.trace(tensor), 0.0)
    if joint.ball():
        return bool(np.linalg.eigvalsh(tensor)[0] <= NOTHING * size)
    turns = [axis for axis, one in zip(axes_of(joint), joint.coordinates.values()) if one.kind == "angle"]
    return any(axis @ tensor @ axis <= NOTHING * size for axis in turns)


def _centre(parts: PartialModel, names: list[str]) -> Array:
    mass = np.array([parts.bodies[name].mass for name in names])
    place = np.array([parts.bodies[name].position for name in names])
    return np.asarray(mass @ place / mass.sum())


def _about(parts: PartialModel, names: list[str], point: Array) -> Array:
    """Return the inertia of bodies held together as drawn, about a point, in world axes."""
    total = np.zeros((3, 3))
    for name in names:
        body = parts.bodies[name]
        R_WB = rotation_of(body)
        arm = np.array(body.position) - point
        total += R_WB @ np.array(body.inertia) @ R_WB.T + body.mass * (arm @ arm * np.eye(3) - np.outer(arm, arm))
    return total
