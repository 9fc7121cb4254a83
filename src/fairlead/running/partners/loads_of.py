"""Loads of a model as a partner program: `python -m fairlead.running.partners.loads_of MODEL BODY LOAD ...`.

What one run computes at once, two programs compute together: for tests of the coupling, and as an example of a partner.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from fairlead.core import arrays as ca
from fairlead.core.codes import CODE
from fairlead.core.layout import ATTITUDE, VELOCITY
from fairlead.model.schema import Model
from fairlead.numeric import unit_rotation_matrix
from fairlead.running.partners.program import Motion, PartnerProgram
from fairlead.running.simulation import Simulation


class LoadsOf(PartnerProgram):
    """A partner with some loads of a model on one body, about its mass centre; loads with added mass are refused."""

    def __init__(self, model: Model, body: str, loads: list[str], name: str = "", **about: Any) -> None:
        super().__init__(name=name, **about)
        alone = Model(
            name=f"loads on {body}",
            bodies={body: model.bodies[body]},
            loads={load: model.loads[load] for load in loads},
            gravity=model.gravity,
            environment=model.environment,
        )
        self.simulation = Simulation(alone, duration=1.0, dt=1.0, formulation="constrained", instant=0.0)
        if self.simulation.arrays.bodies["wet"].any():
            raise ValueError(
                "a load with added mass needs accelerations, which partners are not sent; leave it with the run"
            )
        self.y = self.simulation.y.copy()
        self.rate = np.zeros_like(self.y)
        self.R_DB = self.simulation.arrays.bodies["R_DB"][0].reshape(3, 3)

    def load(self, t: float, motion: Motion) -> Any:
        """Return force and moment of the loads at a motion."""
        sim = self.simulation
        assert motion.position is not None and motion.orientation is not None
        assert motion.velocity is not None and motion.angular_velocity is not None
        R_WB = unit_rotation_matrix(motion.orientation)
        self.y[:3], self.y[ATTITUDE:VELOCITY] = motion.position, motion.orientation
        self.y[VELOCITY : VELOCITY + 3] = motion.velocity
        self.y[VELOCITY + 3 : VELOCITY + 6] = R_WB.T @ motion.angular_velocity
        sim.work.window[:] = t
        sim.formulation.kernels.rhs(t, self.y, self.rate, sim.arrays, sim.work)
        if sim.work.status[CODE] != ca.OK:
            raise ValueError(f"the loads cannot be found at t = {t:g} s")
        rows = sim.work.rows
        return np.concatenate([rows["f"].sum(axis=0), rows["n"].sum(axis=0)])


def main(words: list[str]) -> int:
    """Serve the loads that the command line names."""
    if len(words) < 3:
        print("usage: python -m fairlead.running.partners.loads_of MODEL BODY LOAD ...", file=sys.stderr)
        return 2
    from fairlead.formats.load import load

    return LoadsOf(load(words[0]), words[1], words[2:]).run()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
