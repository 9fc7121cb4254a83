"""Loads from words to arrays: named rows of forces and moments, the records kernels read, the channels of formulas."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from fairlead.core import arrays as ca
from fairlead.core.jit.by_address import callable_at, is_compiled_function
from fairlead.core.loads.buoyancy import SEGMENT
from fairlead.core.loads.outputs import OUTPUTS
from fairlead.core.loads.table import RECORDS, Loads
from fairlead.errors import FairleadError, Problem
from fairlead.model.channel_table import ChannelTable, channel_of, points_in_si
from fairlead.model.fields import WORLD
from fairlead.model.joints.geometry import Array
from fairlead.model.loads.moordyn_file import read_moordyn
from fairlead.model.motions import Rate, amount_in_si
from fairlead.model.readable import channel_unit, look_up
from fairlead.model.schema import Model

NEAR = 10.0  # [m] within this of the still water nodes stand densest
_called_at = lru_cache(maxsize=64)(callable_at)  # compiling takes a moment, and a study asks again and again


class LoadRows:
    """Answers loads where things are in the arrays, and gathers what they compile to."""

    def __init__(
        self, model: Model, bodies: Any, trees: Any, coordinates: dict[str, int], index: Any, pools: Any
    ) -> None:
        self.model, self.index, self.coordinate_at, self.bodies, self.pools = model, index, coordinates, bodies, pools
        self.R_WD = {name: trees["R_WD"][bodies["tree"][i]].reshape(3, 3) for name, i in index.tree_order.items()}
        self.row_of: dict[str, int] = {}
        self.records: dict[str, list[Any]] = {kind: [] for kind in RECORDS}
        self.channels: list[tuple[int, int, int]] = [(ca.TIME, 0, 0)]
        self.controller_at: dict[str, int] = {}  # first channel of each controller: outputs, then states
        for number, (name, one) in enumerate(model.controllers.items()):
            parts = (*one.outputs(), *one.readable_states())
            self.controller_at[name] = len(self.channels)
            self.channels += [(ca.OF_CONTROLLER, number, part) for part in range(len(parts) + one.asks())]
        self.segments: list[tuple[Any, ...]] = []
        self.nodes: list[tuple[float, float]] = []
        self.memory: list[float] = []  # what loads remember, the first of the memory in the state
        self.lent: dict[int, float] = {}  # inertia behind a gear, by coordinate
        self.in_waves: list[tuple[float, float, float]] = []  # drawn x, y and lowest z of what feels them

    def number(self, body: str | None) -> int:
        """Return the number of a body in the arrays, -1 for the world."""
        return -1 if body is None or body == WORLD else self.index.tree_order[body]

    def offset(self, body: str | None, point: Any) -> Array:
        """Return a drawn point from the body's mass centre in D, or as it is for the world."""
        if body is None or body == WORLD:
            return np.array(point, dtype=float)
        return np.asarray(self.R_WD[body].T @ (np.array(point) - np.array(self.model.bodies[body].position)))

    def axis(self, body: str | None, axis: Any) -> Array:
        """Return a drawn axis in the D of a body, or of the world; zero where there is none."""
        if axis is None:
            return np.zeros(3)
        return np.array(axis) if body is None or body == WORLD else np.asarray(self.R_WD[body].T @ np.array(axis))

    def problem(self, message: str, path: str) -> None:
        """Keep a mistake for the end."""
        self.pools.problems.append(Problem(message, path))

    def name_rows(self, name: str, ends: Sequence[str], labels: Sequence[str] = ()) -> None:
        """Name the rows of a load, one per body it acts on; it acts from outside unless between two bodies."""
        self.row_of[name] = len(self.index.loads)
        between = len(ends) == 2 and not labels
        self.index.loads += labels or ([name] if len(ends) == 1 else [f"{name}@{body}" for body in ends])
        self.index.load_body += ends
        self.index.load_internal += [int(between)] * len(ends)

    def name_partner(self, name: str, body: str, file: str) -> None:
        """Name a row for each coupled point of a MoorDyn file, after its number where there are several."""
        try:
            about = read_moordyn(file)
        except FairleadError as error:
            self.problem(str(error), f"loads.{name}.file")
            return
        if about.too_large():
            self.problem(about.too_large(), f"loads.{name}.file")
        labels = [name] if len(about.points) == 1 else [f"{name}@{number}" for number in about.points]
        self.name_rows(name, [body] * len(labels), labels)
        first = self.row_of[name]
        self.index.partners[name] = (list(range(first, first + len(labels))), about)

    def name_coupled(self, name: str, partner: Any) -> None:
        """Name the row of a partner's load, and that of its added mass on our side; its load is filled from outside."""
        added = partner.added_mass is not None
        labels = [name, f"{name}@added mass"] if added else [name]
        self.name_rows(name, [partner.body] * len(labels), labels)
        if added:
            record = self.new_record("matrices", name)
            point = self.model.bodies[partner.body].position if partner.point is None else partner.point
            record["row"] += 1
            record["body"], record["has_A"], record["A"] = self.number(partner.body), 1, partner.added_mass
            record["r_BP_D"], record["x_WP_W"] = self.offset(partner.body, point), point

    def new_record(self, kind: str, name: str) -> Any:
        """Return a record of a kind for a load to fill."""
        record = np.zeros((), RECORDS[kind])
        record["row"] = self.row_of[name]
        self.records[kind].append(record)
        return record

    def add_function(self, name: str, function: Any) -> None:
        """Keep a function: a compiled one by its address for the kernels, another to be asked in Python."""
        body = self.number(self.index.load_body[self.row_of[name]])
        if not is_compiled_function(function):
            self.index.outside[self.row_of[name]] = function
            return
        turned = not np.allclose(self.bodies["R_DB"][body], np.eye(3).ravel(), 0, 1e-14)
        try:
            address, kept = _called_at(function, turned)
        except ValueError as error:
            self.problem(f"the compiled function {error}", f"loads.{name}.function")
            return
        self.index.kept.append(kept)
        record = self.new_record("functions", name)
        record["body"], record["address"] = body, address

    def program(self, signal: float | str, path: str) -> int:
        """Keep a formula, a channel or a number as a program and return its number."""
        number, _ = self.pools.program(signal if isinstance(signal, str) else repr(signal), self.channel, path)
        return int(number)

    def remember(self, start: Sequence[float]) -> int:
        """Return where numbers stand that a load remembers, which start as given, counted from the first of them."""
        self.memory += start
        return len(self.memory) - len(start)

    def joint_rate(self, joint: Any) -> float:
        """Return the rate with which a joint of one coordinate starts."""
        (coordinate,) = joint.coordinates
        kind = joint.coordinates[coordinate].kind
        motion = joint.motion.get(coordinate)
        rate = motion.value if isinstance(motion, Rate) else joint.rate.get(coordinate, 0.0)
        return amount_in_si(rate, kind, 1)

    def lend_inertia(self, joint: str, inertia: float) -> None:
        """Let the only coordinate of a joint feel what turns with it through a gear."""
        number = self.coordinate_at[f"{joint}.angle"]
        self.lent[number] = self.lent.get(number, 0.0) + inertia

    def formula(self, row: Any, c: int, text: str, path: str) -> None:
        """Let component c of a record be a formula."""
        row["code"][c] = ca.FORMULA
        row["start"][c], _ = self.pools.program(text, self.channel, path)

    def table(self, row: Any, c: int, times: Sequence[float], values: Sequence[float], path: str) -> None:
        """Let component c of a record be a table of time."""
        row["code"][c] = ca.LINEAR_TABLE
        row["start"][c], row["stop"][c] = self.pools.linear_table(times, values)
        self.index.spans.append((path, times[0], times[-1]))

    def channel_table(self, row: Any, c: Any, table: ChannelTable, unit: str) -> None:
        """Let component c of a record be a table of a channel; mistakes in it were told by the checks."""
        row["code"][c] = ca.CHANNEL_TABLE
        row["channel"][c] = channel_of(table, self.channel)
        x, values = points_in_si(table, channel_unit(table, self.model), unit)
        row["start"][c], row["stop"][c] = self.pools.pieces(x, [[value] for value in values])

    def segments_of(self, stack: Sequence[tuple[float, float, float, float]], strips: int) -> tuple[int, int]:
        """Keep a stack's segments, each with its share of the Gauss nodes but at least three; return first and last."""
        start = len(self.segments)
        shares = np.array([_share(low, high) for low, high, _, _ in stack])
        for (low, high, r_low, r_high), share in zip(stack, shares / shares.sum()):
            first = len(self.nodes)
            if strips:
                x, w = np.polynomial.legendre.leggauss(max(3, round(strips * float(share))))
                self.nodes += list(zip(((x + 1) / 2).tolist(), (w / 2).tolist()))
            self.segments.append((first, len(self.nodes), low, high, r_low, r_high))
        return start, len(self.segments)

    def feel_waves(self, place: Any, lowest: float) -> None:
        """Let tables of the waves reach a place of the drawing and down to a height."""
        self.in_waves.append((place[0], place[1], lowest))

    def channel(self, name: str, quantity: str) -> int:
        """Return the number of a channel, adding it if new; ValueError with the choices if there is none."""
        found = self._find(name, quantity)
        if found not in self.channels:
            self.channels.append(found)
        return self.channels.index(found)

    def _find(self, name: str, quantity: str) -> tuple[int, int, int]:
        model = self.model
        group, part, number = look_up(name, quantity, model.bodies, model.joints, model.loads, model.controllers)
        if group == "bodies":
            return ca.OF_BODY, self.index.tree_order[name], number
        if group == "loads":
            return ca.OF_LOAD, self.row_of[name], OUTPUTS.index(quantity)
        if group == "controllers":
            return ca.OF_CONTROLLER, list(model.controllers).index(name), number
        return ca.OF_COORDINATE, self.coordinate_at[f"{name}.{part}"], number


def _share(low: float, high: float) -> float:
    """Return how many nodes a segment needs beside others: waves change over a length that grows with depth."""
    return float(np.sign(high) * math.log1p(abs(high) / NEAR) - np.sign(low) * math.log1p(abs(low) / NEAR))


def compile_loads(
    model: Model, bodies: Any, trees: Any, coordinates: dict[str, int], index: Any, pools: Any
) -> tuple[Any, Any, LoadRows]:
    """Return the records of all loads, the rows of forces and moments, and what knows channels and segments."""
    at = LoadRows(model, bodies, trees, coordinates, index, pools)
    for name, load in model.loads.items():
        load.name_rows(name, at)
    for name, partner in model.partners.items():
        at.name_coupled(name, partner)
    for name, load in model.loads.items():
        if name in at.row_of:
            load.compile_into(name, at)
    records: Any = Loads(**{kind: np.array(rows, RECORDS[kind]) for kind, rows in at.records.items()})
    rows = np.zeros(len(index.loads), ca.ROW)
    for row, body, internal in zip(rows, index.load_body, index.load_internal):
        row["body"], row["external"] = index.tree_order[body], 1 - internal
    for spring in records.springs:
        rows["spring"][spring["row"] : spring["row"] + (2 if spring["far"] >= 0 else 1)] = 1
    for table in records:
        if "has_A" in table.dtype.names:
            bodies["wet"][table["body"][table["has_A"] == 1]] = 1
    return records, rows, at


def place_memory(loads: Any, at: LoadRows, coordinates: list[Any], length: int) -> None:
    """Tell loads where in the state what they remember begins, and coordinates what turns with them."""
    loads.generators["energy"] += length
    loads.generators["twist"] += np.where(loads.generators["twist"] >= 0, length, 0)
    for number, inertia in at.lent.items():
        coordinates[number]["inertia"] += inertia


def stack_arrays(at: LoadRows) -> dict[str, Any]:
    """Return the segments of all stacks and their Gauss nodes."""
    return {
        "segments": np.array(at.segments, SEGMENT) if at.segments else np.zeros(0, SEGMENT),
        "nodes": np.array(at.nodes, dtype=float).reshape(-1, 2),
    }
