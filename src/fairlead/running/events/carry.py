"""The state of a run carried over an event: from the variant before it to the one after it, by what each number is."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from fairlead.core.codes import LOOSE
from fairlead.core.layout import LENGTH
from fairlead.core.quadrature import quadratures
from fairlead.errors import NumericalFailure
from fairlead.running.events.blow import Blow, Placed
from fairlead.running.formulations.start_tree import start_tree
from fairlead.running.given import settled
from fairlead.running.simulation import Simulation

Array = npt.NDArray[np.float64]
UNKNOWN = "what a blow does to the added mass of water is not known"
JUMP = 1e-8  # [m, rad] by which a motion may miss where its coordinate is


def carried(old: Simulation, new: Simulation, row: Array, placed: Placed | None) -> tuple[Array, Blow | None]:
    """Return the state after an event and the blow that it was; `row` is the record just before it.

    Without `placed` no joint coordinate changes its role, and positions and velocities stay as they are.
    """
    arrays, before = new.arrays, old.arrays
    y = np.zeros(arrays.states + quadratures(arrays))
    own, own_before = (int(a.states) - int(a.actuators["order"].sum()) - len(a.memory) for a in (arrays, before))
    memory = old.y[before.states - len(before.memory) : before.states]
    blow = None
    if placed is None:
        y[:own] = old.y[:own_before]
    else:
        gap, where = placed.gap()
        if gap > max(JUMP, old.gap):
            raise NumericalFailure(
                f"the motion set does not go on from where joint '{where.split(':')[0]}' is (off by {gap:.3g}); "
                "let it start there"
            )
        blow = placed.strike()
        if blow is not None and arrays.bodies["wet"].any():
            raise NumericalFailure(f"it is a blow, and {UNKNOWN}; let the motion set go on at the rate that it finds")
        y[:own] = _own_state(placed, new, memory)[:own]
    y[arrays.states - len(memory) : arrays.states] = memory
    _carry_actuators(y, old, new)
    _carry_integrals(y, old, new, blow)
    return y, blow


def _own_state(placed: Placed, new: Simulation, memory: Array) -> Array:
    """Return the state of a formulation whose bodies are placed; feedback has its memory, commanded joints in it."""
    if int(new.arrays.options[LOOSE]):
        return placed.y[: LENGTH * len(new.arrays.bodies)]
    of_centre = new.formulation.of_centre
    compiled = replace(new.compiled, arrays=new.arrays._replace(memory=memory))
    return start_tree(compiled, new.work, new.formulation.kernels, placed.time, placed, of_centre=of_centre)  # type: ignore[arg-type]


def _carry_actuators(y: Array, old: Simulation, new: Simulation) -> None:
    """Keep the states of actuators that are there before and after, of the same response; new ones are settled."""
    then = {(int(row["coordinate"]), int(row["order"])): int(row["state"]) for row in old.arrays.actuators}
    at_command = settled(new, old.time, y)
    for row in new.arrays.actuators:
        order, state = int(row["order"]), int(row["state"])
        start = then.get((int(row["coordinate"]), order))
        y[state : state + order] = at_command[state : state + order] if start is None else old.y[start : start + order]


def _carry_integrals(y: Array, old: Simulation, new: Simulation, blow: Blow | None) -> None:
    """Keep works, impulses and counted turns, and add what the blow did."""
    arrays = new.arrays
    s, rest = int(arrays.states), old.y[int(old.arrays.states) :]
    y[s : s + len(rest)] = rest
    if blow is None:
        return
    s += len(arrays.rows)
    for number, user in enumerate(arrays.coordinates["user"]):
        y[s + number] += blow.work.get(int(user), 0.0)
    s += len(arrays.coordinates)
    y[s : s + 3] += blow.external
    y[s + 3 : s + 6] += blow.external_angular


def without(compiled: Any, off: tuple[str, ...]) -> Any:
    """Return a compiled model in which some loads do nothing: their rows stay, and no kernel fills them."""
    rows = rows_of(compiled, off)
    loads = type(compiled.arrays.loads)(*(kind[~np.isin(kind["row"], rows)] for kind in compiled.arrays.loads))
    for row in rows:
        compiled.index.outside.pop(row, None)
    return replace(compiled, arrays=compiled.arrays._replace(loads=loads))


def rows_of(compiled: Any, loads: tuple[str, ...]) -> list[int]:
    """Return the rows of forces and moments of some loads."""
    return [row for row, label in enumerate(compiled.index.loads) if label.split("@")[0] in loads]
