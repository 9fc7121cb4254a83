"""Forces that a program applies from outside: a load for each body that has been pushed, and rows made wider for it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from fairlead.core import arrays as ca
from fairlead.core.quadrature import quadratures
from fairlead.core.record import NAMES, columns
from fairlead.errors import InvalidInput, Problem
from fairlead.model.compile import Compiled
from fairlead.model.fields import _plain
from fairlead.model.loads.forces import Force
from fairlead.model.schema import Model
from fairlead.running.stepping.set_points import GROUP, put_number
from fairlead.units import short, to_si

Array = npt.NDArray[np.float64]
ZERO = (0.0, 0.0, 0.0)
KEPT = ("load_force", "load_moment", "load_work")  # zero before anything was applied; outputs are undefined


@dataclass
class Held:
    """Forces applied to bodies (force, moment, point) and commands, until a program says otherwise."""

    model: Model
    forces: dict[str, list[Any]] = field(default_factory=dict)
    commands: dict[str, float] = field(default_factory=dict)

    def put(self, compiled: Compiled) -> None:
        """Write it into a compiled model; what is commanded waits where an actuator is not there now."""
        for body, what in self.forces.items():
            put(compiled, self.model, body, *what)
        for label, value in self.commands.items():
            if label.startswith(GROUP):
                put_number(compiled, self.model, label, value)
                continue
            row = actuator(compiled, label)
            if row is not None:
                row["code"], row["value"] = ca.NUMBER, value

    def forget(self, joint: str) -> None:
        """Leave the commands of a joint's actuators to the model again."""
        for label in [one for one in self.commands if one.rpartition(".")[0] == joint]:
            del self.commands[label]


def actuator(compiled: Compiled, label: str) -> Any:
    """Return the record of the actuator of a joint coordinate, None where it has none now."""
    number = compiled.index.coordinates.index(label)
    users = compiled.arrays.coordinates["user"][compiled.arrays.actuators["coordinate"]]
    found = np.flatnonzero(users == number)
    return compiled.arrays.actuators[int(found[0])] if len(found) else None


def with_applied(model: Model, bodies: list[str]) -> Model:
    """Return a model with a load `applied BODY`, zero, behind its own for each of these bodies."""
    changes: dict[str, Any] = {f"loads.{load_name(model, body)}": Force(body=body, force=ZERO) for body in bodies}
    return model.with_(changes) if changes else model


def load_name(model: Model, body: str) -> str:
    """Return the name of the load of what is applied to a body; the model's own names stay theirs."""
    taken = {name.casefold() for name in (*model.loads, *model.bodies, *model.joints)}
    name, number = f"applied {body}", 2
    while name.casefold() in taken:
        name, number = f"applied {body} {number}", number + 1
    return name


def put(compiled: Compiled, model: Model, body: str, force: Any, moment: Any, point: Any) -> None:
    """Write what is applied to a body into its load: world axes, at a drawn point of the body or its mass centre."""
    row = compiled.arrays.loads.forces[_record(compiled, model, body)]
    row["value"] = (*force, *moment)
    arm = np.zeros(3)
    if point is not None:
        tree = int(compiled.arrays.bodies["tree"][compiled.index.tree_order[body]])
        R_WD = compiled.arrays.trees["R_WD"][tree].reshape(3, 3)
        arm = R_WD.T @ (np.asarray(point) - np.array(model.bodies[body].position))
    row["r_BP_D"] = arm


def _record(compiled: Compiled, model: Model, body: str) -> int:
    number = compiled.index.loads.index(load_name(model, body))
    return int(np.flatnonzero(compiled.arrays.loads.forces["row"] == number)[0])


def three(value: Any, name: str, unit: str) -> tuple[float, float, float]:
    """Return three numbers in SI, or zeros for None; InvalidInput says what is wrong with them."""
    if value is None:
        return ZERO
    try:
        x, y, z = (to_si(_plain(one), unit) if isinstance(one, str) else float(one) for one in value)
    except (TypeError, ValueError):
        text = f"must be three numbers or texts with a unit [{unit}]; got {short(value)}"
        raise InvalidInput([Problem(text, name)]) from None
    if not np.isfinite(x + y + z):
        raise InvalidInput([Problem(f"must be three finite numbers; got {short(value)}", name)])
    return x, y, z


def wider_state(y: Array, old: Compiled, new: Compiled) -> Array:
    """Return a state with works of more loads, which have done none; they stand behind those of the others."""
    more = len(new.arrays.rows) - len(old.arrays.rows)
    behind = quadratures(old.arrays) - len(old.arrays.rows)  # how many states are before, events may have changed
    return np.insert(y, len(y) - behind, np.zeros(more))


def wider_rows(rows: Array, old: Compiled, new: Compiled) -> Array:
    """Return rows of the record with room for more loads, which have done nothing."""
    if len(new.arrays.rows) == len(old.arrays.rows):
        return rows
    assert new.index.loads[: len(old.index.loads)] == old.index.loads
    found = np.zeros((len(rows), int(new.arrays.layout[-1])))
    found[:, 0] = rows[:, 0]
    for name in NAMES[1:]:
        before, after = columns(old.arrays.layout, name), columns(new.arrays.layout, name)
        width = before.stop - before.start
        if after.stop - after.start > width and name not in KEPT:
            found[:, after] = np.nan
        found[:, after.start : after.start + width] = rows[:, before]
    return found
