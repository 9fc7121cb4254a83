"""Flow solvers behind preCICE as a partner of this process: points of a body move, forces on them come back.

Written for version 3 of preCICE's Python bindings (`pyprecice`), with explicit schemes: each exchange writes the
displacements of the points at an instant, advances, and reads the forces for the same instant.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from fairlead.errors import InvalidInput, PartnerFailure
from fairlead.numeric import unit_rotation_matrix
from fairlead.running.partners.program import Motion, PartnerProgram

Array = npt.NDArray[np.float64]


class PreciceLoads(PartnerProgram):
    """The sum of the forces that preCICE gives on points of a body, about the partner's point.

    `points` are drawn in the world, where the body is drawn; the partner's point is `centre` there. `participant`,
    `mesh`, `forces` and `displacements` are the names in the configuration. Give an instance to fl.couple as program of
    a partner with transport "in-process", all of whose motion is sent.
    """

    def __init__(
        self,
        configuration: str,
        points: Any,
        centre: Any = (0.0, 0.0, 0.0),
        participant: str = "Fairlead",
        mesh: str = "Body",
        forces: str = "Force",
        displacements: str = "Displacement",
        library: Any = None,
    ) -> None:
        super().__init__()
        self.arms = np.asarray(points, dtype=float).reshape(-1, 3) - np.asarray(centre, dtype=float)
        self.centre = np.asarray(centre, dtype=float)
        self.mesh, self.forces, self.displacements = mesh, forces, displacements
        self.solver = (library or _library()).Participant(participant, configuration, 0, 1)
        if self.solver.get_mesh_dimensions(mesh) != 3:
            raise InvalidInput(f"mesh '{mesh}' of preCICE has two dimensions; a body's has three")
        self.ids = self.solver.set_mesh_vertices(mesh, self.arms + self.centre)
        self.turned: Array | None = None  # how the body is turned where the run starts, which is the drawing
        self.last: float | None = None

    def load(self, t: float, motion: Motion) -> Array:
        """Return force and moment about the point; the solvers are advanced to t first."""
        if motion.position is None or motion.orientation is None:
            raise InvalidInput("preCICE needs position and orientation; let the partner be sent them")
        R = unit_rotation_matrix(motion.orientation)
        if self.turned is None:
            self.turned = R
        arms = self.arms @ (R @ self.turned.T).T
        moved = motion.position + arms - self.arms - self.centre
        if self.last is None:
            if self.solver.requires_initial_data():
                self.solver.write_data(self.mesh, self.displacements, self.ids, moved)
            self.solver.initialize()
            self._only_explicit()
        else:
            self._advance(t, moved)
        self.last = t
        forces = np.asarray(self.solver.read_data(self.mesh, self.forces, self.ids, 0.0), dtype=float).reshape(-1, 3)
        return np.concatenate([forces.sum(axis=0), np.cross(arms, forces).sum(axis=0)])

    def _advance(self, t: float, moved: Array) -> None:
        """Let the solvers go to t, in as many steps as their windows make of it."""
        assert self.last is not None
        left = t - self.last
        while left > 1e-9 * (t - self.last):
            if not self.solver.is_coupling_ongoing():
                raise PartnerFailure(f"preCICE has ended before t = {t:.6g} s; make its max-time longer than the run")
            self.solver.write_data(self.mesh, self.displacements, self.ids, moved)
            step = min(left, self.solver.get_max_time_step_size())
            self.solver.advance(step)
            self._only_explicit()
            left -= step

    def _only_explicit(self) -> None:
        if self.solver.requires_writing_checkpoint() or self.solver.requires_reading_checkpoint():
            raise InvalidInput("preCICE asks to repeat its window, as implicit schemes do; use an explicit scheme")

    def stop(self) -> None:
        """Let the solvers end."""
        self.solver.finalize()

    def save(self) -> bytes:
        """Return nothing: what preCICE's solvers hold is theirs to keep."""
        return b""


def _library() -> Any:
    try:
        import precice
    except ImportError:
        raise InvalidInput(
            "preCICE's Python bindings are not installed: install preCICE, then pip install pyprecice"
        ) from None
    return precice
