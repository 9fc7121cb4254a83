"""The adapter for preCICE against a stand-in with the calls of pyprecice 3; the library itself is in no registry."""

from __future__ import annotations

import numpy as np
import pytest

import fairlead as fl
from fairlead.running.partners.precice_adapter import PreciceLoads

STIFFNESS = 800.0
POINTS = [(1.0, 0.0, 0.0), (-1.0, 0.0, 0.0), (0.0, 1.0, 0.5), (0.0, -1.0, 0.5)]


class Participant:
    """Solvers that hold each point by a spring, of windows of 0.02 s; it counts what it is asked."""

    implicit = False

    def __init__(self, name, configuration, rank, size):
        self.time, self.displaced, self.ended = 0.0, np.zeros((4, 3)), False
        assert (name, rank, size) == ("Fairlead", 0, 1)

    def get_mesh_dimensions(self, mesh):
        return 3

    def set_mesh_vertices(self, mesh, positions):
        assert np.asarray(positions) == pytest.approx(np.array(POINTS))
        return list(range(len(positions)))

    def requires_initial_data(self):
        return True

    def write_data(self, mesh, data, ids, values):
        assert (mesh, data) == ("Body", "Displacement")
        self.displaced = np.array(values)

    def initialize(self):
        self.force = -STIFFNESS * self.displaced

    def is_coupling_ongoing(self):
        return self.time < 1.0 - 1e-9

    def get_max_time_step_size(self):
        return 0.02 - self.time % 0.02 if self.time % 0.02 > 1e-9 and 0.02 - self.time % 0.02 > 1e-9 else 0.02

    def advance(self, step):
        self.time += step
        self.force = -STIFFNESS * self.displaced

    def requires_writing_checkpoint(self):
        return self.implicit

    def requires_reading_checkpoint(self):
        return False

    def read_data(self, mesh, data, ids, relative):
        assert (data, relative) == ("Force", 0.0)
        return self.force

    def finalize(self):
        self.ended = True


class Library:
    Participant = Participant


def model() -> fl.Model:
    body = fl.Body(10.0, (2, 3, 4), velocity=(0, 0, 0.5), angular_velocity=(0.3, 0.2, 0.1))
    return fl.Model(
        "box", {"box": body}, partners={"flow": fl.Partner("box", transport="in-process")}, gravity=(0, 0, 0)
    )


def test_forces_on_points_are_the_load_of_the_body():
    solver = PreciceLoads("config.xml", POINTS, library=Library)
    data = fl.couple(model(), 1.0, 0.01, programs={"flow": solver}, progress=False)
    assert solver.solver.ended and solver.solver.time == pytest.approx(1.0)

    def springs(t, motion):
        w, *v = motion.orientation
        arms = np.array([p + 2 * w * np.cross(v, p) + 2 * np.cross(v, np.cross(v, p)) for p in np.array(POINTS)])
        force = -STIFFNESS * (motion.position + arms - np.array(POINTS))
        return [*force.sum(axis=0), *np.cross(arms, force).sum(axis=0)]

    other = fl.couple(model(), 1.0, 0.01, programs={"flow": springs}, progress=False)
    for name in ("position", "orientation"):
        assert np.abs(data[name].values - other[name].values).max() < 1e-12
    assert np.ptp(data["position"].values[:, 0, 2]) > 0.02


def test_implicit_schemes_and_a_short_time_are_refused(monkeypatch: pytest.MonkeyPatch):
    solver = PreciceLoads("config.xml", POINTS, library=Library)
    with pytest.raises(fl.PartnerFailure, match="max-time longer"):
        fl.couple(model(), 2.0, 0.01, programs={"flow": solver}, progress=False)
    monkeypatch.setattr(Participant, "implicit", True)
    with pytest.raises(fl.InvalidInput, match="explicit scheme"):
        fl.couple(model(), 1.0, 0.01, programs={"flow": PreciceLoads("config.xml", POINTS, library=Library)})


def test_without_the_library_it_is_said():
    with pytest.raises(fl.InvalidInput, match="pip install pyprecice"):
        PreciceLoads("config.xml", POINTS)
