"""The impulse of a lock: velocities after it from the momentum balance, with what is held then as constraints.

    M (v+ - v-) = J^T p,   J v+ = nu

over the velocities of all bodies, J and nu being the rows of the joints' equations after the event (MBDM note Eq. 67
integrated over an instant). Energy changes by p.J (v+ + v-) / 2: joints do no work, since J v = 0 on both sides of the
blow, and what a lock takes is its impulse times half of the rate it ends. Finite forces do nothing in an instant.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from fairlead.core.arrays import COMMANDED
from fairlead.core.constraints.reactions import measure_turns
from fairlead.core.layout import ATTITUDE, LENGTH, TURNING, VELOCITY
from fairlead.core.quadrature import quadratures
from fairlead.core.record import columns
from fairlead.model.schema import Model
from fairlead.running.formulations.assembled_tree import PlacedBodies

Array = npt.NDArray[np.float64]
ZERO = 1e-12  # of the largest singular value: equations that others imply
STILL = 1e-9  # of the velocities: a rate that a motion goes on with is off by rounding alone


class Blow(NamedTuple):
    """The impulses and works of an instant by coordinate (the user's number), and what came from outside."""

    impulse: dict[int, float]  # along each locked or driven coordinate [N s or N m s]
    work: dict[int, float]  # [J]
    external: Array  # (3,) impulse through joints to the world [N s]
    external_angular: Array  # (3,) about the system's mass centre [N m s]


class Placed(PlacedBodies):
    """The bodies of a recorded row under the joints of another model, read as an assembled drawing is."""

    def __init__(self, model: Model, time: float, row: Array, layout: Any) -> None:
        super().__init__(model)
        self.time, arrays = time, self.compiled.arrays
        self.y = np.zeros(arrays.states + quadratures(arrays))
        for number, body in enumerate(arrays.bodies):
            self._put_body(LENGTH * number, int(body["user"]), row, layout)
        commanded = arrays.coordinates[arrays.coordinates["code"] == COMMANDED]
        for name, place in (("joint_position", "state"), ("joint_rate", "rate")):
            self.y[commanded[place]] = row[columns(layout, name)][commanded["user"]]
        turns = len(arrays.coordinates)
        if turns:
            self.y[-turns:] = row[columns(layout, "joint_position")][arrays.coordinates["user"]]
        self._look()

    def _put_body(self, s: int, b: int, row: Array, layout: Any) -> None:
        ends = (0, ATTITUDE, VELOCITY, TURNING, LENGTH)
        names = ("position", "orientation", "velocity", "angular_velocity")
        for name, first, last in zip(names, ends, ends[1:]):
            width, start = last - first, columns(layout, name).start
            self.y[s + first : s + last] = row[start + width * b : start + width * (b + 1)]

    def _look(self) -> None:
        self.work.window[:] = self.time
        self.kernels.before(self.time, self.y, self.compiled.arrays, self.work)
        measure_turns(self.compiled.arrays, self.work)

    def gap(self) -> tuple[float, str]:
        """Return by how much the joints' equations do not hold, and which equation that is."""
        held = np.where(self.work.constraint.active != 0, np.abs(self.work.constraint.phi), 0.0)
        if not len(held):
            return 0.0, ""
        worst = int(np.argmax(held))
        return float(held[worst]), self.compiled.index.equations[worst]

    def strike(self) -> Blow | None:
        """Give the bodies the velocities after the blow; return what it was, or None where nothing changes."""
        C, bodies = self.work.constraint, self.work.bodies
        rows = np.flatnonzero(C.active)
        J, M = self._jacobian(rows), self._masses()
        v = np.concatenate([bodies["u"], bodies["w"]], axis=1).ravel()
        short = C.nu[rows] - J @ v
        if not len(rows) or np.abs(short).max() <= STILL * max(1.0, float(np.abs(v).max())):
            return None
        change, p = _solve(M, J, short)
        found = self._blow(rows, p, J @ (v + 0.5 * change))
        for b, (u, w) in enumerate((v + change).reshape(-1, 2, 3)):
            s, R = LENGTH * b, bodies[b]["R"].reshape(3, 3)
            self.y[s + VELOCITY : s + TURNING], self.y[s + TURNING : s + LENGTH] = u, R.T @ w
        self._look()
        return found

    def _jacobian(self, rows: Any) -> Array:
        J = np.zeros((len(rows), 6 * len(self.work.bodies)))
        for at, r in enumerate(rows):
            for side, end in enumerate("ij"):
                body = int(self.compiled.arrays.constraints[r][end])
                if body >= 0:
                    J[at, 6 * body : 6 * body + 6] += self.work.constraint.J[r, 6 * side : 6 * side + 6]
        return J

    def _masses(self) -> Array:
        """Return mass and inertia (world axes) of every body, one matrix of them all."""
        M = np.zeros((6 * len(self.work.bodies),) * 2)
        for b, (body, found) in enumerate(zip(self.compiled.arrays.bodies, self.work.bodies)):
            xx, yy, zz, xy, xz, yz = found["I"]
            M[6 * b : 6 * b + 3, 6 * b : 6 * b + 3] = body["mass"] * np.eye(3)
            M[6 * b + 3 : 6 * b + 6, 6 * b + 3 : 6 * b + 6] = [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]
        return M

    def _blow(self, rows: Any, p: Array, mean_rate: Array) -> Blow:
        """Return impulses, works and what came from the world; `mean_rate` is J (v+ + v-) / 2."""
        arrays, work = self.compiled.arrays, self.work
        mass = arrays.bodies["mass"]
        centre = mass @ work.bodies["x"] / mass.sum()
        found = Blow({}, {}, np.zeros(3), np.zeros(3))
        for r, impulse, rate in zip(rows, p, mean_rate):
            one = arrays.constraints[r]
            at = int(one["coordinate"]) if one["coordinate"] >= 0 else int(one["turn"])
            if at >= 0:
                user = int(arrays.coordinates["user"][at])
                found.impulse[user] = found.impulse.get(user, 0.0) + impulse * one["sign"]
                found.work[user] = found.work.get(user, 0.0) + impulse * rate
            if one["i"] < 0 or one["j"] < 0:
                body, J = max(int(one["i"]), int(one["j"])), work.constraint.J[r, 6 * (one["i"] < 0) :][:6]
                found.external[:] += impulse * J[:3]
                arm = work.bodies[body]["x"] - centre
                found.external_angular[:] += impulse * (J[3:] + np.cross(arm, J[:3]))
        return found


def _solve(M: Array, J: Array, short: Array) -> tuple[Array, Array]:
    """Return the change of the velocities and the impulses; of impulses that are not unique, the least.

    In units in which masses are about one; bodies without inertia about an axis move as their joints let them.
    """
    n = len(M)
    size = np.sqrt(np.where(np.diag(M) > 0, np.diag(M), 1.0))
    A = M / size / size[:, None]
    B = J / size
    norm = np.linalg.norm(B, axis=1)
    norm[norm == 0] = 1.0
    B = B / norm[:, None]
    whole = np.block([[A, -B.T], [B, np.zeros((len(J), len(J)))]])
    found = np.linalg.lstsq(whole, np.concatenate([np.zeros(n), short / norm]), rcond=ZERO)[0]
    return found[:n] / size, found[n:] / norm
