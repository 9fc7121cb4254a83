"""Springs, dampers, stops and actuators of free joint coordinates, from words to arrays."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from fairlead.core import arrays as ca
from fairlead.model.channel_table import ChannelTable
from fairlead.model.controllers.base import output_of
from fairlead.model.joints.base import FORCES, Joint
from fairlead.model.joints.forces import DAMPING, FORCE, STIFFNESS
from fairlead.model.motions import Expression, Table, amount_in_si
from fairlead.model.schema import Model
from fairlead.units import to_si


def compile_joint_forces(
    model: Model, numbers: dict[str, int], rows: Any, pools: Any, length: int
) -> tuple[Any, Any, int]:
    """Return what acts along free coordinates, the actuators, and the length of the state with theirs."""
    sprung, actuators = [], []
    for name, joint in model.joints.items():
        for coordinate, one in joint.coordinates.items():
            kind = one.kind
            label = f"{name}.{coordinate}"
            if label not in numbers or not any(coordinate in getattr(joint, field) for field in FORCES):
                continue
            sprung.append(_passive(joint, coordinate, kind, numbers[label]))
            if coordinate in joint.actuator:
                path = f"joints.{name}.actuator.{coordinate}"
                row = _actuator(joint.actuator[coordinate], FORCE[kind], path, rows, pools)
                row["coordinate"], row["state"] = numbers[label], length
                length += int(row["order"])
                actuators.append(row)
    return _table(sprung, ca.SPRUNG), _table(actuators, ca.ACTUATOR), length


def _table(rows: list[Any], dtype: Any) -> Any:
    return np.array(rows, dtype) if rows else np.zeros(0, dtype)


def _passive(joint: Joint, coordinate: str, kind: str, number: int) -> Any:
    row = np.zeros((), ca.SPRUNG)
    row["coordinate"], row["damping"] = number, to_si(joint.damper.get(coordinate, 0.0), DAMPING[kind])
    row["lower"], row["upper"], row["width"] = -math.inf, math.inf, 1.0
    if coordinate in joint.spring:
        row["stiffness"] = to_si(joint.spring[coordinate].stiffness, STIFFNESS[kind])
        row["rest"] = amount_in_si(joint.spring[coordinate].rest, kind)
    if coordinate in joint.stop:
        stop = joint.stop[coordinate]
        row["hardness"] = to_si(stop.stiffness, STIFFNESS[kind])
        row["absorption"] = to_si(stop.damping, DAMPING[kind])
        row["width"] = amount_in_si(stop.width, kind)
        for end in ("lower", "upper"):
            if getattr(stop, end) is not None:
                row[end] = amount_in_si(getattr(stop, end), kind)
    return row


def _actuator(actuator: Any, unit: str, path: str, rows: Any, pools: Any) -> Any:
    row = np.zeros((), ca.ACTUATOR)
    row["order"], row["limit"] = actuator.order, math.inf if actuator.limit is None else to_si(actuator.limit, unit)
    row["par"] = (actuator.time_constant or actuator.frequency or 0.0, actuator.damping_ratio or 0.0)
    command = actuator.command
    if actuator.controller is not None:
        row["code"] = ca.OUTPUT
        try:
            row["start"] = rows.channel(*output_of(actuator.controller, rows.model.controllers))
        except ValueError as error:
            rows.problem(str(error), f"{path}.controller")
    elif isinstance(command, Expression):
        row["code"] = ca.FORMULA
        row["start"], _ = pools.program(command.expression, rows.channel, f"{path}.command")
    elif isinstance(command, ChannelTable):
        rows.channel_table(row, (), command, unit)
    elif isinstance(command, Table):
        row["code"] = ca.LINEAR_TABLE
        values = [to_si(value, unit) for value in command.values]
        row["start"], row["stop"] = pools.linear_table(command.times, values, float(row["limit"]))
        rows.index.spans.append((f"{path}.command", command.times[0], command.times[-1]))
    else:
        row["code"], row["value"] = ca.NUMBER, to_si(command, unit)
    return row
