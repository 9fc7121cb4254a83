"""How often a member was where the tables of the waves do not reach: there the exact sum takes over, right but slow."""

from __future__ import annotations

from typing import Any

import numpy as np

from fairlead.core import arrays as ca
from fairlead.core.loads.waves import STEEPEST, STILL
from fairlead.model.compile import Compiled
from fairlead.model.compile_sea import origin_of
from fairlead.model.geometry import rotation_of
from fairlead.model.sea_loads import Morison


class LeftTables:
    """Counts, per Morison load, the recorded instants at which it is not looked up in the tables."""

    def __init__(self, compiled: Compiled) -> None:
        self.compiled = compiled
        loads = {name: load for name, load in compiled.model.loads.items() if isinstance(load, Morison)}
        tabled = bool(compiled.arrays.sea.water["tabled"][0])
        self.loads = {n: load for n, load in loads.items() if tabled and load.kinematics == "displaced"}
        self.counts = np.zeros(len(self.loads))

    def count(self, rows: Any) -> None:
        """Take in recorded rows."""
        for number, load in enumerate(self.loads.values()):
            self.counts[number] += np.count_nonzero(self._outside(rows, load))

    def sentence(self) -> str:
        """Return what is to be said, nothing if no member ever left."""
        left = {name: int(count) for name, count in zip(self.loads, self.counts) if count}
        counts = "; ".join(f"{name} {count} recorded instants" for name, count in left.items())
        return f"members left the tables of the waves, where the exact (slower) sum is taken: {counts}" if left else ""

    def _outside(self, rows: Any, load: Morison) -> Any:
        """Return at which rows the axis s0 + s1 l, z0 + z1 l of a load is outside, as the kernel `fill_levels` has it.

        Tables end with members that lean too much, and where the axis passes a level beyond its stations.
        """
        x, R = self._pose(rows, load.body)
        body = self.compiled.model.bodies[load.body]
        R_WB = rotation_of(body)  # as drawn
        O = x + R @ (R_WB.T @ (np.array(origin_of(load, self.compiled.model)) - np.array(body.position)))
        e = R @ R_WB.T[:, 2]
        water, levels = self.compiled.arrays.sea.water[0], self.compiled.arrays.sea.levels
        towards = np.array([water["cos"], water["sin"], 0.0])
        s0, s1, z0, z1 = O @ towards, e @ towards, O[:, 2], e[:, 2]
        steep = z1 > STEEPEST
        lowest = np.minimum(z0 + z1 * load.segments()[0][0], 0.0)
        last = ((1.0 - lowest * water["per_scale"]) ** 0.25 - 1.0) * water["per_dx"] + STILL
        last = last.astype(int) + 4
        at = s0[:, None] + (s1 / np.where(steep, z1, 1.0))[:, None] * (levels["z"] - z0[:, None])
        place = (at - levels["s"]) * levels["per_ds"]
        beyond = ~((place >= 1.0) & (place < levels["count"] - 2))
        needed = np.arange(len(levels)) < last[:, None]
        return ~steep | (last > len(levels)) | (beyond & needed).any(axis=1)

    def _pose(self, rows: Any, name: str) -> tuple[Any, Any]:
        """Return mass centre and attitude of a body at each row."""
        layout, recorded = self.compiled.arrays.layout, list(ca.RECORDED)
        number = self.compiled.index.bodies.index(name)
        first = {what: layout[recorded.index(what)] for what in ("position", "orientation")}
        x = rows[:, first["position"] + 3 * number : first["position"] + 3 * number + 3]
        w, a, b, c = rows[:, first["orientation"] + 4 * number : first["orientation"] + 4 * number + 4].T
        R = [
            [1 - 2 * (b * b + c * c), 2 * (a * b - w * c), 2 * (a * c + w * b)],
            [2 * (a * b + w * c), 1 - 2 * (a * a + c * c), 2 * (b * c - w * a)],
            [2 * (a * c - w * b), 2 * (b * c + w * a), 1 - 2 * (a * a + b * b)],
        ]
        return x, np.moveaxis(np.array(R), -1, 0)
