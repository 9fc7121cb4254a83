"""Assembly: a drawing brought onto its constraints, moving as little of what the user meant as possible."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from fairlead.core import arrays as ca
from fairlead.core.codes import HIGHEST_RANK, POSITION_GAP, RANK
from fairlead.core.layout import ATTITUDE, LENGTH, TURNING, VELOCITY
from fairlead.core.loads.table import load
from fairlead.core.motions import move
from fairlead.core.work import Work, new_work
from fairlead.errors import NumericalFailure
from fairlead.model.compile import Compiled, compile_model
from fairlead.model.fields import WORLD
from fairlead.model.joints.base import is_ball
from fairlead.model.motions import amount_in_si
from fairlead.model.schema import Model
from fairlead.model.topology import is_floating, topology
from fairlead.running.formulations.assembly_findings import gap_left, moved_by_assembly, not_unique, slip_left
from fairlead.running.formulations.drawn_velocities import carried_moving, restore_drawn
from fairlead.running.formulations.refusals import tree_reasons
from fairlead.running.formulations.start import blank_state, starts_with_bases
from fairlead.running.formulations.start_tree import start_tree
from fairlead.running.rounding import rounding

Array = npt.NDArray[np.float64]
CLOSED = 1e-11  # [m, -] of a gap, more only where rounding is more
STRIDE = 0.5  # [rad] that coordinates are moved from the drawing at once


@dataclass
class Assembly:
    """How a drawing was closed: the state, what was moved, and which equations are redundant."""

    y: Array
    freedoms: int
    independent: list[str] = field(default_factory=list)
    redundant: list[str] = field(default_factory=list)
    not_unique: list[str] = field(default_factory=list)  # joints whose reaction the redundancy leaves open
    moved: dict[str, tuple[float, float]] = field(default_factory=dict)  # body -> distance [m], angle [rad]
    lost: dict[str, tuple[float, float]] = field(default_factory=dict)  # of drawn velocities [m/s], [rad/s]


def assemble(compiled: Compiled, work: Work, kernels: Any, time: float = 0.0) -> Assembly:
    """Return the closed state in which a constrained model starts; NumericalFailure names the joint and the gap."""
    from fairlead.core.rotation import to_quaternion

    arrays = compiled.arrays
    work.window[:] = time
    y = blank_state(arrays)
    starts = starts_with_bases(compiled.model, compiled.topology)
    for name, number in compiled.index.tree_order.items():
        s = LENGTH * number
        y[s : s + 3], R, y[s + VELOCITY : s + TURNING], y[s + TURNING : s + LENGTH] = starts[name]
        y[s + ATTITUDE : s + VELOCITY] = to_quaternion(R)
    drawn = y.copy()
    placed = _starts_moved(compiled.model)
    if placed:
        _place_by_joints(y, time, compiled.model)
    elif not tree_reasons(compiled.model, "constrained"):
        _place_by_joints(y, time, compiled.model, velocities_only=True)
    meant = start_values(compiled)
    n = len(work.constraint.y)
    work.constraint.weight[:] = _weights(y, compiled)
    wanted = work.constraint.active.copy()
    for row, constraint in enumerate(arrays.constraints):
        if int(constraint["coordinate"]) in meant:
            work.constraint.active[row] = (
                1  # while assembling, a free coordinate is held at what it is meant to start with
            )

    back = np.zeros(len(arrays.coordinates))  # how far coordinates are held back from where they start

    def look(state: Array) -> None:
        move(time, arrays, work)
        for number, (_, rate) in meant.items():
            work.coordinates[number]["dq"] = rate
        _hold_back(work.coordinates, back)
        work.constraint.y[:] = state[:n]
        kernels.place(arrays, work)

    if n and not placed:
        look(y)
        away = _from_drawing(compiled, work)
        widest = np.abs(away[arrays.coordinates["kind"] == ca.ROTATION]).max(initial=0.0)
        for left in range(int(widest / STRIDE), 0, -1):
            # A long way from the drawing is gone in strides: attitudes have other solutions, which are not meant.
            back[:] = away * (left * STRIDE / widest)
            if work.constraint.D.size:
                look(y)
                kernels.repartition(arrays, work, work.constraint.weight)
                _close_positions(y, n, look, compiled, work, kernels)
            else:
                _project(y, n, look, compiled, work, kernels)
        back[:] = 0.0
    if n and not work.constraint.D.size:
        _project(y, n, look, compiled, work, kernels)
    elif n:
        look(y)
        kernels.repartition(arrays, work, work.constraint.weight)
        _close_positions(y, n, look, compiled, work, kernels)
        look(y)
        kernels.repartition(arrays, work, work.constraint.weight)
        _close_velocities(y, n, look, compiled, work, kernels)
    lost = restore_drawn(y, look, compiled, work) if n else {}
    work.constraint.active[:] = wanted
    work.constraint.weight[:] = 1.0
    work.constraint.rank[HIGHEST_RANK] = 0.0  # the rank so far counted what was only held for the assembly, ...
    work.constraint.stages[:] = 0  # ... and so did the number of equations kept
    work.constraint.choose[0] = 1  # of the equations now active, at the closed state
    work.constraint.worst[POSITION_GAP] = 0.0
    found = _describe(y, look, compiled, work, kernels) if n else Assembly(y, 0)
    found.moved, found.lost = moved_by_assembly(drawn, y, compiled), lost
    _set_turns(y, time, meant, compiled, work, kernels)
    if n and (work.constraint.soft.any() or work.added.size):
        look(y)
        _check_definite(time, y, compiled, work, kernels)
    return found


def _set_turns(
    y: Array, time: float, meant: dict[int, tuple[float, float]], compiled: Compiled, work: Any, kernels: Any
) -> None:
    """Start the counted turns of coordinates at what they are, on the turn they are meant to be."""
    turns = len(compiled.arrays.coordinates)
    if turns:
        y[-turns:] = 0.0
        for number, (start, _) in meant.items():
            y[number - turns] = start
        kernels.before(time, y, compiled.arrays, work)
        y[-turns:] = work.coordinates["q"]


def _starts_moved(model: Model) -> bool:
    """Return whether the joints of trees, drawn in place, say that they start moved or moving.

    With loops the drawing itself is the better start (placing a crank would turn all it carries with it), but for free
    rotations, whose angles have no equations to hold them.
    """
    joints = [joint for joint in model.joints.values() if not is_floating(joint)]
    if topology(model).loops:
        moved = any(is_ball(j) and any(a in j.initial or a in j.rate for a in j.ball()) for j in joints)
    else:
        moved = any(joint.initial or joint.rate or joint.motion for joint in joints)
    return moved and not tree_reasons(model, "constrained")


def _place_by_joints(y: Array, time: float, model: Model, velocities_only: bool = False, given: Any = None) -> None:
    """Place the bodies as the joints of their trees start, loops left open; velocities too where none are drawn.

    Velocities alone where loops leave the places as drawn: free coordinates start at rest on a ground that moves.
    Where a start is given, the trees are where that has their bases and free coordinates.
    """
    from fairlead.core.formulations.articulated import pipeline as articulated
    from fairlead.core.rotation import to_quaternion

    tree = compile_model(model)
    work = new_work(tree.arrays)
    articulated.before(time, start_tree(tree, work, articulated, time, given), tree.arrays, work)
    order = {name: number for number, name in enumerate(model.bodies)}
    drawn = carried_moving(model) and given is None
    for name, number in tree.index.tree_order.items():
        s, body = LENGTH * order[name], work.bodies[number]
        R_WB = body["R"].reshape(3, 3) @ tree.arrays.bodies["R_DB"][number].reshape(3, 3)
        if not velocities_only:
            y[s : s + 3], y[s + ATTITUDE : s + VELOCITY] = body["x"], to_quaternion(tuple(R_WB.ravel()))
        if not drawn:
            y[s + VELOCITY : s + TURNING], y[s + TURNING : s + LENGTH] = body["u"], R_WB.T @ body["w"]


def _check_definite(time: float, y: Array, compiled: Compiled, work: Work, kernels: Any) -> None:
    """Raise NumericalFailure if a rod or point mass may turn without any inertia: some moment then has no answer."""
    load(time, y, np.zeros_like(y), compiled.arrays, work)
    work.bodies["n"] = np.random.default_rng(0).normal(size=(len(work.bodies), 3))
    bad = kernels.accelerations_and_multipliers(compiled.arrays, work)
    if bad >= 0:
        body = compiled.index.bodies[int(compiled.arrays.bodies["user"][bad])]
        raise NumericalFailure(not_definite(body, "as drawn"))


def not_definite(body: str, when: str) -> str:
    """Return the sentence about a body that can move without inertia."""
    return (
        f"the mass matrix of the assembled system is not definite {when}: '{body}' can turn about an axis about which "
        "nothing has inertia; give it inertia there, or hold it by a joint"
    )


def _from_drawing(compiled: Compiled, work: Work) -> Array:
    """Return how far each coordinate is in the drawing from where it starts, angles within half a turn."""
    start = work.coordinates["q"]
    away = np.zeros(len(start))
    for row, phi in zip(compiled.arrays.constraints, work.constraint.phi):
        if row["turn"] >= 0:
            angles = slice(int(row["turn"]), int(row["turn"]) + 3)
            away[angles] = -np.remainder(start[angles] + np.pi, 2 * np.pi) + np.pi
        elif row["active"] and row["coordinate"] >= 0:
            away[row["coordinate"]] = row["sign"] * phi
    return away


def _hold_back(coordinates: Any, back: Array) -> None:
    coordinates["q"] += back
    coordinates["cos"], coordinates["sin"] = np.cos(coordinates["q"]), np.sin(coordinates["q"])


def _project(y: Array, n: int, look: Any, compiled: Compiled, work: Work, kernels: Any) -> None:
    """Close a large system by the smallest change in the sense of its mass."""
    closed = max(CLOSED, rounding(compiled, y))
    for _ in range(60):
        look(y)
        if kernels.position_error(compiled.arrays, work) < closed:
            break
        kernels.shift_positions(compiled.arrays, work)
        y[:n] = work.constraint.y
    else:
        raise gap_left(compiled, work)
    kernels.shift_velocities(compiled.arrays, work)
    y[:n] = work.constraint.y


def start_values(compiled: Compiled) -> dict[int, tuple[float, float]]:
    """Return the initial value and rate of free coordinates that have one, by number."""
    meant = {}
    for number, row in enumerate(compiled.arrays.coordinates):
        label = compiled.index.coordinates[int(row["user"])]
        name, _, coordinate = label.rpartition(".")
        joint = compiled.model.joints[name]
        if joint.role(coordinate) == "free" and (coordinate in joint.initial or coordinate in joint.rate):
            kind = joint.coordinates[coordinate].kind
            start = amount_in_si(joint.initial.get(coordinate, 0.0), kind)
            meant[number] = (start, amount_in_si(joint.rate.get(coordinate, 0.0), kind, 1))
    return meant


def _weights(y: Array, compiled: Compiled) -> Array:
    """Return how readily each coordinate is moved: least those of bodies near the ground or given a velocity.

    A crank on its bearing is what the user meant; the rod that follows from it may be drawn anyhow. A floating base
    stays as it is drawn, however long the arms of what it carries.
    """
    weight = np.ones(7 * len(compiled.index.tree_order))
    depths = _depths(compiled)
    for name, number in compiled.index.tree_order.items():
        moving = np.any(y[LENGTH * number + VELOCITY : LENGTH * number + LENGTH])
        depth = min(depths[name], 4)
        weight[7 * number : 7 * number + 7] = 10.0 ** (2 * depth if depth else -3) * (0.03 if moving else 1.0)
    return weight / weight.max()


def _depths(compiled: Compiled) -> dict[str, int]:
    """Return how many joints lie between each body and the world, or the first body of its group."""
    joints = [joint for joint in compiled.model.joints.values() if not joint.only_constrains]
    depths = {WORLD: 0}
    for start in (WORLD, *compiled.model.bodies):
        depths.setdefault(start, 0)
        grew = True
        while grew:
            grew = False
            for joint in joints:
                for near, far in ((joint.parent, joint.child), (joint.child, joint.parent)):
                    if near in depths and depths[near] + 1 < depths.get(far, 1000):
                        depths[far] = depths[near] + 1
                        grew = True
    return depths


def _close_positions(y: Array, n: int, look: Any, compiled: Compiled, work: Work, kernels: Any) -> None:
    """Newton on the dependent coordinates; if that does not close, on all of them with the smallest change."""
    start, closed = y[:n].copy(), max(CLOSED, rounding(compiled, y))
    for every in (False, True):
        y[:n] = start
        for _ in range(60):
            look(y)
            if kernels.position_error(compiled.arrays, work) < closed:
                return
            residual = _residual(compiled, work)
            kernels.coordinate_jacobian(compiled.arrays, work)
            rank = int(work.constraint.rank[RANK])
            columns = work.constraint.columns if every else work.constraint.columns[:rank]
            step = np.linalg.lstsq(work.constraint.D[:, columns], -residual, rcond=1e-10)[0]
            size = np.abs(step).max(initial=0.0)
            if not np.isfinite(size):
                break
            step *= min(1.0, 1.0 / size) if every else 1.0  # a long way to go is gone in strides
            for column, change in zip(columns, step):
                y[LENGTH * (column // 7) + column % 7] += change
    raise gap_left(compiled, work)


def _residual(compiled: Compiled, work: Work) -> Array:
    lengths = [
        np.sum(work.constraint.y[LENGTH * b + ATTITUDE : LENGTH * b + VELOCITY] ** 2) - 1.0
        for b in range(len(compiled.arrays.bodies))
    ]
    return np.concatenate([np.where(work.constraint.active, work.constraint.phi, 0.0), lengths])


def _close_velocities(y: Array, n: int, look: Any, compiled: Compiled, work: Work, kernels: Any) -> None:
    look(y)
    kernels.correct_velocities(compiled.arrays, work)
    y[:n] = work.constraint.y
    look(y)
    error = kernels.velocity_error(compiled.arrays, work)
    if error > 1e-8 * (1 + np.abs(y[:n]).max()):
        raise slip_left(compiled, work, error)


def _describe(y: Array, look: Any, compiled: Compiled, work: Work, kernels: Any) -> Assembly:
    """Partition the assembled mechanism and say what is redundant and what may move."""
    look(y)
    if not work.constraint.D.size:
        kernels.accelerations_and_multipliers(compiled.arrays, work)
        implied = [
            label
            for label, skip, on in zip(compiled.index.equations, work.constraint.skip, work.constraint.active)
            if skip and on
        ]
        freedoms = 6 * len(compiled.arrays.bodies) - int(work.constraint.active.sum()) + len(implied)
        return Assembly(y, freedoms, [], implied, not_unique(compiled, work) if implied else [])
    kernels.repartition(compiled.arrays, work, work.constraint.weight)
    rank, m = int(work.constraint.rank[RANK]), len(compiled.arrays.constraints)
    kept = set(work.constraint.rows[:rank].tolist())
    redundant = [compiled.index.equations[r] for r in range(m) if work.constraint.active[r] and r not in kept]
    names = {number: name for name, number in compiled.index.tree_order.items()}
    parts = ("x", "y", "z", "e0", "e1", "e2", "e3")
    free = [f"{names[int(c) // 7]}.{parts[int(c) % 7]}" for c in sorted(work.constraint.columns[rank:])]
    return Assembly(y, len(free), free, redundant, not_unique(compiled, work) if redundant else [])
