"""Quantities that formulas may read, of bodies, joints, loads and controllers, by name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fairlead.model.bodies import Body
from fairlead.model.channel_table import ChannelTable, channel_of
from fairlead.model.controllers.base import Controller
from fairlead.model.expressions import nearest
from fairlead.model.joints.base import Joint
from fairlead.model.loads.base import Load
from fairlead.model.motions import SI
from fairlead.model.topology import is_floating

BODY_QUANTITIES = ("x", "y", "z", "vx", "vy", "vz", "wx", "wy", "wz", "roll", "pitch", "yaw")
BODY_UNITS = ("m", "m/s", "rad/s", "rad")  # of three quantities each


def look_up(
    name: str,
    quantity: str,
    bodies: Mapping[str, Body],
    joints: Mapping[str, Joint],
    loads: Mapping[str, Load],
    controllers: Mapping[str, Controller],
) -> tuple[str, str, int]:
    """Return the group of a name, what of it is read (of a joint: the coordinate) and the number of the quantity.

    ValueError says what there is if there is no such thing.
    """
    if name in bodies:
        _known(quantity, BODY_QUANTITIES, f"body '{name}'")
        return "bodies", quantity, BODY_QUANTITIES.index(quantity)
    if name in joints:
        return "joints", *_of_joint(name, quantity, joints[name])
    if name in loads:
        parts = tuple(loads[name].outputs) if loads[name].records else ()  # no kernel: known once per step only
        if not parts:
            raise ValueError(f"load '{name}' has no channels to read here; springs have 'tension'")
        _known(quantity, parts, f"load '{name}'")
        return "loads", quantity, parts.index(quantity)
    if name in controllers:
        parts = (*controllers[name].outputs(), *controllers[name].readable_states())
        if not parts:
            raise ValueError(f"controller '{name}' only plans a motion and has no channels to read; read its joint")
        _known(quantity, parts, f"controller '{name}'")
        return "controllers", quantity, parts.index(quantity)
    known = nearest(name, [*bodies, *joints, *loads, *controllers])
    raise ValueError(f"there is no body, joint, load or controller '{name}'{known}")


def channel_unit(table: ChannelTable, parts: Any) -> str:
    """Return the SI unit of the channel that a table is of, among what `parts` has; controllers' have none."""
    units: list[str] = []

    def resolve(name: str, quantity: str) -> int:
        group, part, number = look_up(name, quantity, parts.bodies, parts.joints, parts.loads, parts.controllers or {})
        if group == "bodies":
            units.append(BODY_UNITS[number // 3])
        elif group == "loads":
            units.append(parts.loads[name].outputs[quantity].units)
        elif group == "controllers":
            units.append("1")
        else:
            units.append(SI[parts.joints[name].coordinates[part].kind] + "/s" * number)
        return 1

    channel_of(table, resolve)
    return units[0]


def _of_joint(name: str, quantity: str, joint: Joint) -> tuple[str, int]:
    """Return the coordinate that is read, and 0 for its value or 1 for its rate."""
    coordinates = list(joint.coordinates)
    parts = {coordinate: (coordinate, 0) for coordinate in coordinates}
    parts |= {f"{coordinate}_rate": (coordinate, 1) for coordinate in coordinates}
    if len(coordinates) == 1:
        parts["rate"] = (coordinates[0], 1)
    _known(quantity, tuple(parts), f"joint '{name}'")
    if is_floating(joint):
        raise ValueError(f"joint '{name}' only says that its body floats; read the body's own x, y, z or angles")
    return parts[quantity]


def _known(quantity: str, choices: tuple[str, ...], whose: str) -> None:
    if quantity not in choices:
        raise ValueError(
            f"{whose} has no quantity '{quantity}'{nearest(quantity, choices)}; it has {', '.join(choices)}"
        )
