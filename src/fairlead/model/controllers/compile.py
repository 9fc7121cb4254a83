"""Controllers and the coordinates that they command, from words to arrays."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from fairlead.core import arrays as ca
from fairlead.core.controllers.commands import ACCELERATION, COMMAND, POSITION, RATE
from fairlead.core.controllers.table import CONTROLLER, RECORDS, Controllers
from fairlead.model.controllers.base import AnyFeedback, evaluation_order, output_of
from fairlead.model.loads.compile import LoadRows
from fairlead.model.motions import Controlled
from fairlead.model.schema import Model
from fairlead.model.topology import topology

FOLLOWS = {"position": POSITION, "rate": RATE, "acceleration": ACCELERATION}


class ControllerRows:
    """Keeps what controllers compile to."""

    def __init__(self, at: LoadRows) -> None:
        self.at = at

    def program(self, signal: float | str, name: str, *path: str | int) -> int:
        """Keep a formula, a channel or a number as a program and return its number."""
        place = ".".join(str(part) for part in ("controllers", name, *path))
        text = signal if isinstance(signal, str) else repr(signal)
        number, _ = self.at.pools.program(text, self.at.channel, place)
        return int(number)

    def sign_of_turning(self, name: str, body: str) -> float:
        """Return -1 where the joint that a controller commands grows as a body turns from +y towards +x, else 1."""
        for joint in self.at.model.joints.values():
            for motion in joint.motion.values():
                if isinstance(motion, Controlled) and motion.controller.partition(".")[0] == name:
                    axis = getattr(joint, "axis", None)
                    up = 1.0 if axis is None or axis[2] >= 0.0 else -1.0
                    return up * (1.0 if _moves_with_child(self.at.model, joint, body) else -1.0)
        return 1.0

    def numbers(self, values: Sequence[float]) -> int:
        """Keep numbers one after another and return where they start."""
        start, _ = self.at.pools.pieces([0.0] * len(values), [[value] for value in values])
        return int(start)


def _moves_with_child(model: Model, joint: Any, body: str) -> bool:
    """Return whether a body is on the side of a joint's child."""
    for tree in topology(model).trees:
        for edge in tree.edges.values():
            if model.joints[edge.joint] is joint:
                carried = {edge.outboard}
                for one in tree.bodies:  # outward, so a carrier comes before what it carries
                    if one in tree.edges and tree.edges[one].inboard in carried:
                        carried.add(one)
                return (body in carried) != edge.flipped
    return True


def compile_controllers(model: Model, at: LoadRows, coordinates: list[Any], length: int) -> tuple[dict[str, Any], int]:
    """Return the arrays of controllers and commanded coordinates, and the length of the state with what they remember.

    Commanded coordinates, which are among `coordinates`, are told where in the state they stand.
    """
    keep, first = ControllerRows(at), length
    rows: dict[str, Any] = {}
    records: dict[str, list[Any]] = {kind: [] for kind in RECORDS}
    memory: list[float] = [*at.memory]
    place = 0
    for name, word in model.controllers.items():
        if not isinstance(word, AnyFeedback) or not word.outputs():
            continue
        record, row = np.zeros((), RECORDS[word.records]), np.zeros((), CONTROLLER)
        word.fill(record, name, keep)
        row["kind"], row["record"] = list(RECORDS).index(word.records), len(records[word.records])
        records[word.records].append(record)
        row["channel"], row["place"], row["period"] = at.controller_at[name], place, word.every() or 0.0
        row["outputs"], row["shown"] = len(word.outputs()), len(word.readable_states())
        held = len(word.outputs()) if word.every() is not None else 0
        row["memory"], row["held"] = first + len(memory), first + len(memory) + 1
        row["state"] = row["held"] + held
        memory += [0.0, *word.start_outputs()[:held], *word.start_states()]
        row["stop"] = first + len(memory)
        rows[name], place = row, place + len(word.outputs())
    commands = _commands(model, at, coordinates, first, memory)
    order, _ = evaluation_order(model.controllers)
    found = {kind: np.array(values, RECORDS[kind]) for kind, values in records.items()}
    table = np.array([rows[name] for name in order], CONTROLLER)
    arrays = {
        "controllers": Controllers(**{"rows": table, **found}),
        "commands": commands,
        "memory": np.array(memory, float),
    }
    return arrays, first + len(memory)


def _commands(model: Model, at: LoadRows, coordinates: list[Any], first: int, memory: list[float]) -> Any:
    """Return the rows of commanded coordinates; what they start with goes behind the memory of controllers."""
    rows = []
    for number, coordinate in enumerate(coordinates):
        if coordinate["code"] != ca.COMMANDED:
            continue
        name, _, part = at.index.coordinates[int(coordinate["user"])].rpartition(".")
        motion, kind = model.joints[name].motion[part], model.joints[name].coordinates[part].kind
        assert isinstance(motion, Controlled)
        row, amounts = np.zeros((), COMMAND), motion.in_si(kind)
        row["coordinate"], row["follows"] = number, FOLLOWS[motion.follows]
        row["channel"] = at.channel(*output_of(motion.controller, model.controllers))
        row["T"], row["gain"] = motion.time_constant or 0.0, 0.0
        if motion.follows == "position" and motion.frequency is not None:
            row["T"] = 1.0 / (2.0 * motion.damping_ratio * motion.frequency)
            row["gain"] = motion.frequency / (2.0 * motion.damping_ratio)
        row["lower"], row["upper"] = amounts.get("lower", -math.inf), amounts.get("upper", math.inf)
        row["rate"] = amounts.get("rate_limit", math.inf)
        row["acceleration"] = amounts.get("acceleration_limit", math.inf)
        coordinate["state"], coordinate["rate"] = first + len(memory), first + len(memory) + 1
        memory += [amounts["start"], amounts["start_rate"]]
        rows.append(row)
    return np.array(rows, COMMAND)
