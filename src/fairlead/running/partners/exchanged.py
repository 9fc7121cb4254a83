"""The table of what was exchanged with a partner: append-only, in memory or in a file that a checkpoint counts."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]
# Name -> columns, unit, meaning. Loads and motions are in world axes, at the point of the partner.
COLUMNS = {
    "time": (1, "s", "instant that the load is for"),
    "force": (3, "N", "force of the partner, world axes"),
    "moment": (3, "N m", "moment of the partner about its point, world axes"),
    "position": (3, "m", "place of the partner's point"),
    "orientation": (4, "1", "unit quaternion of the body, scalar first, body to world"),
    "velocity": (3, "m/s", "velocity of the partner's point, world axes"),
    "angular_velocity": (3, "rad/s", "angular velocity of the body, world axes"),
    "our_work": (1, "J", "work of the partner's load on our side since the start"),
    "partner_work": (1, "J", "work of the loads it gave between the instants it gave them for"),
    "interface_energy": (1, "J", "what the coupling itself created: our work less the partner's"),
}
WIDTH = sum(count for count, _, _ in COLUMNS.values())
HELD = 256  # rows that wait for the file


class Exchanged:
    """The rows of one partner; `count` of them so far."""

    def __init__(self, path: Path | None) -> None:
        self.path, self.count, self.waiting = path, 0, list[Array]()
        if path is not None:
            path.parent.mkdir(parents=True, exist_ok=True)

    def add(self, row: Array) -> None:
        """Append a row."""
        self.waiting.append(row)
        self.count += 1
        if self.path is not None and len(self.waiting) >= HELD:
            self.flush()

    def flush(self) -> None:
        """Bring what waits to the file, behind what is in it already."""
        if self.path is None or not self.waiting:
            return
        rows, self.waiting = np.array(self.waiting, dtype="<f8"), []
        with open(self.path, "r+b" if self.path.exists() else "w+b") as file:
            file.seek((self.count - len(rows)) * WIDTH * 8)
            file.write(rows.tobytes())
            file.truncate()
            file.flush()
            os.fsync(file.fileno())

    def back_to(self, count: int) -> None:
        """Forget what came after so many rows."""
        self.count, self.waiting = count, []

    def rows(self) -> Array:
        """Return all rows."""
        if self.path is None:
            return np.array(self.waiting).reshape(-1, WIDTH)
        self.flush()
        if not self.count:
            return np.zeros((0, WIDTH))
        return np.fromfile(self.path, dtype="<f8", count=self.count * WIDTH).reshape(-1, WIDTH)


def tables_of(simulation: Any) -> dict[str, tuple[tuple[str, ...], Any, dict[str, str]]]:
    """Return the exchanges of all partners as variables of a result, over the dimension `exchange`."""
    rows = [(partner.name, partner.exchanged.rows()) for partner in simulation.coupled]
    if not rows:
        return {}
    whole = np.concatenate([part for _, part in rows])
    names = np.concatenate([np.full(len(part), name, dtype=object) for name, part in rows])
    label = {"long_name": "partner of the exchange"}
    found: dict[str, Any] = {"exchange_partner": (("exchange",), names, label)}
    at = 0
    for name, (count, unit, meaning) in COLUMNS.items():
        values = whole[:, at] if count == 1 else whole[:, at : at + count]
        dims = ("exchange",) if count == 1 else ("exchange", "wxyz" if count == 4 else "xyz")
        found[f"exchange_{name}"] = (dims, values, {"units": unit, "long_name": meaning})
        at += count
    return found
