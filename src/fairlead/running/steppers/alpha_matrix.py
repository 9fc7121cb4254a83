"""The sparse matrix of an implicit step: tangent of the forces, Jacobian of the constraints, and their factors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
from scipy.sparse import coo_matrix
from scipy.sparse.linalg import splu

from fairlead.core import arrays as ca
from fairlead.model.fields import WORLD
from fairlead.model.joints.base import FORCES

if TYPE_CHECKING:
    from fairlead.running.simulation import Simulation

Array = npt.NDArray[np.float64]
READING = (ca.FORMULA, ca.CHANNEL_TABLE)  # how a force may depend on channels
Whole = npt.NDArray[np.int64]
GIVING = 1e-10


class AlphaRows:
    """The kept constraint equations: where their entries stand in the Jacobian."""

    def __init__(self, simulation: Simulation, kept: Whole) -> None:
        C = simulation.work.constraint
        self.kept, self.size = kept, 6 * len(simulation.arrays.bodies)
        at, side = np.nonzero(C.ends[kept] >= 0)
        self.at, self.row, self.part = at, kept[at], (6 * side)[:, None] + np.arange(6)
        self.body = C.ends[self.row, side]
        self.column = 6 * self.body[:, None] + np.arange(6)

    def entries(self, simulation: Simulation) -> Array:
        """Return the entries, six per equation and body: of displacements (world) and rotations (body axes)."""
        J = simulation.work.constraint.J[self.row[:, None], self.part]
        R = simulation.work.bodies["R"][self.body].reshape(-1, 3, 3)
        return np.concatenate([J[:, :3], np.einsum("pj,pji->pi", J[:, 3:], R)], axis=1)

    def forces(self, entries: Array, multipliers: Array) -> Array:
        """Return J^T times the multipliers."""
        weights = entries * multipliers[self.at][:, None]
        return np.bincount(self.column.ravel(), weights.ravel(), minlength=self.size).astype(np.float64)


class Factors:
    """Factors of [T J^T; J -e], scaled so that both parts are of one size.

    e keeps them finite where an equation is redundant to rounding; Newton's method removes what it leaves open.
    """

    def __init__(self, tangent: Any, rows: AlphaRows, entries: Array) -> None:
        n, m = rows.size, len(rows.kept)
        self.n, self.scale = n, float(np.abs(tangent.diagonal()).max())
        T = tangent.tocoo()
        place = np.repeat(rows.at + n, 6)
        last = np.arange(n, n + m)
        values = np.concatenate([T.data / self.scale, entries.ravel(), entries.ravel(), np.full(m, -GIVING)])
        down = np.concatenate([T.row, place, rows.column.ravel(), last])
        across = np.concatenate([T.col, rows.column.ravel(), place, last])
        self.lu = splu(coo_matrix((values, (down, across)), shape=(n + m, n + m)).tocsc())

    def solve(self, balance: Array, gap: Array) -> tuple[Array, Array]:
        """Return the changes of the increments and of the multipliers."""
        found = self.lu.solve(-np.concatenate([balance / self.scale, gap]))
        return found[: self.n], found[self.n :] * self.scale


class Dependence:
    """Which bodies' motion the loads on a body depend on, and groups of bodies that may be nudged at once."""

    def __init__(self, simulation: Simulation) -> None:
        n = len(simulation.arrays.bodies)
        of = [{b} for b in range(n)]
        for group in _groups(simulation):
            for body in group:
                of[body] |= group
        self.pairs = np.array([(i, b) for i in range(n) for b in sorted(of[i])], dtype=np.int64).reshape(-1, 2)
        self.groups = _colours(of, n)

    def owners(self, group: Whole) -> tuple[Whole, Whole]:
        """Return the bodies that feel a group, and of each the one member that it feels."""
        felt = self.pairs[np.isin(self.pairs[:, 1], group)]
        return felt[:, 0], felt[:, 1]


def has_loads(simulation: Simulation) -> bool:
    """Return whether any force depends on where bodies are or how they move."""
    model = simulation.compiled.model
    inside = any(getattr(joint, field) for joint in model.joints.values() for field in FORCES)
    return bool(model.loads) or inside


def _groups(simulation: Simulation) -> list[set[int]]:
    """Return sets of bodies that one load or one joint couples, and those that formulas read with those they push."""
    index, model, arrays = simulation.compiled.index, simulation.compiled.model, simulation.arrays
    number = index.tree_order
    ends: dict[str, set[int]] = {}
    for label, body in zip(index.loads, index.load_body):
        ends.setdefault(label.split("@")[0], set()).add(number[body])
    joined = [
        {number[body] for body in (joint.parent, joint.child) if body != WORLD} for joint in model.joints.values()
    ]

    def of_coordinate(k: int) -> set[int]:
        joint = model.joints[index.coordinates[int(arrays.coordinates["user"][k])].rpartition(".")[0]]
        return {number[body] for body in (joint.parent, joint.child) if body != WORLD}

    read: set[int] = set()
    for channel in arrays.channels:
        if channel["source"] == ca.OF_BODY:
            read.add(int(channel["number"]))
        elif channel["source"] == ca.OF_COORDINATE:
            read |= of_coordinate(int(channel["number"]))
        elif channel["source"] == ca.OF_LOAD:
            read |= ends[index.loads[int(channel["number"])].split("@")[0]]
    pushed = {int(force["body"]) for force in arrays.loads.forces if np.isin(force["code"], READING).any()}
    for actuator in arrays.actuators:
        if actuator["code"] in READING:
            pushed |= of_coordinate(int(actuator["coordinate"]))
    return [*ends.values(), *joined, *([read | pushed] if read and pushed else [])]


def _colours(of: list[set[int]], n: int) -> list[Whole]:
    """Return groups of bodies no two of which push the same body: one evaluation differentiates by all of them."""
    feels: list[set[int]] = [set() for _ in range(n)]
    for body, others in enumerate(of):
        for other in others:
            feels[other].add(body)
    taken: list[set[int]] = []
    groups: list[list[int]] = []
    for body in range(n):
        for bodies, members in zip(taken, groups):
            if not bodies & feels[body]:
                bodies |= feels[body]
                members.append(body)
                break
        else:
            taken.append(set(feels[body]))
            groups.append([body])
    return [np.array(members, dtype=np.int64) for members in groups]
