"""MoorDyn behind the protocol: `python mooring.py LINES.txt`, the dynamic lines of a floater in a process of their own.

The coupled points of the file are those of the drawing, counted from the world's origin, which is the partner's point:
`point: [0, 0, 0]`. Needs the extra `moordyn`.
"""

import sys

import moordyn
import numpy as np

import fairlead as fl
from fairlead.model.loads.moordyn_file import read_moordyn


class Lines(fl.PartnerProgram):
    """The lines of one file; between two exchanges their ends go on with the velocity they had."""

    def __init__(self, file):
        super().__init__()
        self.arms = np.array(list(read_moordyn(file).points.values()))
        self.system = moordyn.Create(file)
        moordyn.SetVerbosity(self.system, moordyn.LEVEL_NONE)
        self.last = None  # time, places and velocities of the points at the last exchange

    def load(self, t, motion):
        q = motion.orientation
        w, v = q[0], q[1:]
        R = (w * w - v @ v) * np.eye(3) + 2 * np.outer(v, v) + 2 * w * np.cross(np.eye(3), -v)
        arms = self.arms @ R.T
        x, u = motion.position + arms, motion.velocity + np.cross(motion.angular_velocity, arms)
        if self.last is None:
            moordyn.Init(self.system, x.ravel().tolist(), u.ravel().tolist())
            self.last = (t, x, u)
            forces = moordyn.Step(self.system, x.ravel().tolist(), u.ravel().tolist(), t, 0.0)
        else:
            t0, x0, u0 = self.last
            forces = moordyn.Step(self.system, x0.ravel().tolist(), u0.ravel().tolist(), t0, t - t0)
            self.last = (t, x, u)
        f = np.array(forces).reshape(-1, 3)
        return np.concatenate([f.sum(axis=0), np.cross(arms, f).sum(axis=0)])

    def save(self):
        if self.last is None:
            return b""
        t, x, u = self.last
        return np.concatenate([[t], x.ravel(), u.ravel()]).tobytes() + bytes(moordyn.Serialize(self.system))

    def restore(self, state):
        if not state:
            return
        size = self.arms.size
        numbers = np.frombuffer(state[: 8 * (1 + 2 * size)])
        self.last = (float(numbers[0]), *(part.reshape(-1, 3) for part in np.split(numbers[1:], 2)))
        start = getattr(moordyn, "Init_NoIC", moordyn.Init)
        start(self.system, [0.0] * size, [0.0] * size)
        moordyn.Deserialize(self.system, state[8 * (1 + 2 * size) :])


if __name__ == "__main__":
    sys.exit(Lines(sys.argv[1]).run())
