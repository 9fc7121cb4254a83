"""Which joints separate the system when they are cut, which lie in loops, and the loads through the former.

A cut joint leaves two parts; the momentum of the part without the world gives the load through it (MCM paper Eqs. 24
and 25, Dissertation C.4). Joints that no single cut separates lie in loops and are left to `internal_loops`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fairlead.inverse_dynamics.motion import Motion
from fairlead.inverse_dynamics.read import Record


@dataclass(frozen=True)
class Cut:
    """A joint that separates the system: the bodies of one part, which does not hold the world."""

    joint: int
    bodies: np.ndarray
    sign: float  # +1 if the child is among them, -1 if the parent is


@dataclass(frozen=True)
class Loop:
    """Joints that belong to loops through common bodies, and those bodies."""

    joints: np.ndarray
    bodies: np.ndarray


def cuts_and_loops(record: Record, carrying: np.ndarray) -> tuple[list[Cut], list[Loop]]:
    """Return the cuts and the loops of the joints that carry anything unknown."""
    edges = edges_of(record, carrying)
    cuts, looped = [], []
    for joint, (parent, child) in edges.items():
        near = reach(edges, child, without=joint)
        if parent in near:
            looped.append(joint)
            continue
        far = reach(edges, parent, without=joint)
        # Without the world on either side both parts give the same; the lighter one with less rounding.
        lighter = sum(record.mass[b] for b in near if b >= 0) <= sum(record.mass[b] for b in far if b >= 0)
        take_near = -1 in far or (-1 not in near and lighter)
        cuts.append(Cut(joint, np.array(sorted(near if take_near else far)), 1.0 if take_near else -1.0))
    return cuts, _loops({joint: edges[joint] for joint in looped})


def edges_of(record: Record, carrying: np.ndarray) -> dict[int, tuple[int, int]]:
    """Return parent and child (-1 is the world) of each joint that carries anything unknown."""
    return {int(j): (int(record.parent[j]), int(record.child[j])) for j in np.flatnonzero(carrying)}


def reach(edges: dict[int, tuple[int, int]], start: int, without: int = -1) -> set[int]:
    """Return the bodies (-1 is the world) that are connected with `start` by joints other than `without`."""
    beside: dict[int, list[int]] = {}
    for joint, (parent, child) in edges.items():
        if joint != without:
            beside.setdefault(parent, []).append(child)
            beside.setdefault(child, []).append(parent)
    found, waiting = {start}, [start]
    while waiting:
        for body in beside.get(waiting.pop(), []):
            if body not in found:
                found.add(body)
                waiting.append(body)
    return found


def _loops(edges: dict[int, tuple[int, int]]) -> list[Loop]:
    """Return the parts that hang together by joints in loops; the world does not tie its neighbours together."""
    loops, left = [], dict(edges)
    while left:
        start = max(next(iter(left.values())))  # a body, not the world
        inside = {joint: ends for joint, ends in left.items() if min(ends) >= 0}
        bodies = reach(inside, start)
        joints = [joint for joint, ends in left.items() if bodies & (set(ends) - {-1})]
        left = {joint: ends for joint, ends in left.items() if joint not in joints}
        loops.append(Loop(np.array(joints), np.array(sorted(bodies))))
    return loops


def through_cut(cut: Cut, motion: Motion, f_W: np.ndarray, n_W: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return force and moment (k, n, 3) on the child at the joint from what the part's bodies demand.

    F_J = sum (m a - F),  M_J = sum (rate of H - M + r_JB x (m a - F))      (MCM paper Eqs. 24, 25, moments about J)
    """
    f, n = f_W[:, :, cut.bodies], n_W[:, :, cut.bodies]
    r_JB_W = motion.r_WB_W[:, cut.bodies] - motion.r_WJ_W[:, [cut.joint]]
    return cut.sign * f.sum(2), cut.sign * (n + np.cross(r_JB_W, f)).sum(2)


def noise_through_cut(cut: Cut, motion: Motion, f: np.ndarray, n: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the sizes (n) of errors in force and moment from those (n, B) in what the bodies demand."""
    arm = np.linalg.norm(motion.r_WB_W[:, cut.bodies] - motion.r_WJ_W[:, [cut.joint]], axis=-1)
    return f[:, cut.bodies].sum(1), (n[:, cut.bodies] + arm * f[:, cut.bodies]).sum(1)
