"""The matrices of the Kane notes for their own eight-body system, block by block against differences of positions.

A partial velocity is the derivative of a position by a relative coordinate (x' = y, Kane notes Eq. 44), and a partial
angular velocity the same of an attitude: positions and attitudes know nothing of the recursions under test.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import fairlead as fl
from fairlead.running.simulation import Simulation

LOWER = {"B2": "B1", "B3": "B2", "B4": "B3", "B5": "B2", "B6": "B1", "B7": "B1", "B8": "B7"}
EXAMPLE = Path(__file__).parents[2] / "examples" / "eight_body_kane.yaml"
N = 8
STEP = 1e-3


class System:
    """The eight bodies with all 48 relative coordinates free, in a random state."""

    def __init__(self, seed):
        drawn = fl.load(EXAMPLE)
        rng = np.random.default_rng(seed)
        joints = {
            f"J{k}": fl.Free(parent, child, initial={c: float(rng.uniform(-1, 1)) for c in "xyzabc"})
            for k, (child, parent) in enumerate(LOWER.items(), start=2)
        }
        model = fl.Model("eight", drawn.bodies, joints, gravity=(1.0, -2.0, -9.0))
        self.sim = Simulation(model, 1.0, 1.0, formulation="kane", instant=0.0)
        self.slots = self.sim.arrays.slots
        # In the order of the notes: the angles of all bodies, then their translations.
        self.state = np.concatenate([self.slots["state"][:, :3].ravel(), self.slots["state"][:, 3:].ravel()])
        self.rate = np.concatenate([self.slots["rate"][:, :3].ravel(), self.slots["rate"][:, 3:].ravel()])
        self.x, self.y = rng.uniform(-0.8, 0.8, 6 * N), rng.normal(size=6 * N)

    def at(self, x, y=None):
        """Evaluate at relative coordinates x and speeds y."""
        state = self.sim.y.copy()
        state[self.state], state[self.rate] = x, self.y if y is None else y
        self.rates = np.zeros_like(state)
        self.sim.formulation.kernels.rhs(0.0, state, self.rates, self.sim.arrays, self.sim.work)
        return self.sim.work

    def places(self, x):
        """Positions of mass centres and of origins, and attitudes, at x."""
        work = self.at(x)
        return (
            work.bodies["x"].copy(),
            work.kane.bodies["x_O"].copy(),
            work.bodies["R"].reshape(N, 3, 3).copy(),
        )

    def matrices(self, x):
        kane = self.at(x).kane
        return {name: getattr(kane, name).copy() for name in ("w", "dw", "vO", "dvO", "vG", "dvG")}


def differentiate(function, x, along):
    """Derivative of a tuple of arrays along a direction: central, of sixth order."""
    weights = {1: 3 / 4, 2: -3 / 20, 3: 1 / 60}
    total = None
    for k, weight in weights.items():
        up, down = function(x + k * STEP * along), function(x - k * STEP * along)
        change = [weight * (a - b) / STEP for a, b in zip(up, down)]
        total = change if total is None else [a + b for a, b in zip(total, change)]
    return total


# Sixth order at STEP = 1e-3, lengths and angles of order 1-10: truncation below 1e-15, rounding 1e-15 / STEP = 1e-12.
TOLERANCE = 1e-11


@pytest.fixture(scope="module", params=[1, 2, 3])
def system(request):
    return System(request.param)


def inboard(system):
    """Which bodies each has inboard of it, itself included, by the connection array."""
    lower = system.slots["lower"]
    chains = []
    for K in range(N):
        chain = []
        while K >= 0:
            chain.append(K)
            K = int(lower[K])
        chains.append(chain)
    return chains


def test_connection_array_is_that_of_the_notes(system):
    order = {number: name for name, number in system.sim.compiled.index.tree_order.items()}
    found = {order[K]: order[int(J)] for K, J in enumerate(system.slots["lower"]) if J >= 0}
    assert found == LOWER


def test_partial_velocities_are_derivatives_of_places(system):
    matrices = system.matrices(system.x)
    lower = system.slots["lower"]
    _, _, R = system.places(system.x)
    for p in range(6 * N):
        unit = np.eye(6 * N)[p]
        dx, dO, dR = differentiate(system.places, system.x, unit)
        for K in range(N):
            block = f"body {K + 1}, {'angles' if p < 3 * N else 'translations'} of body {p % (3 * N) // 3 + 1}"
            R_J = R[lower[K]] if lower[K] >= 0 else np.eye(3)
            assert np.allclose(matrices["vG"][K][:, p], R[K].T @ dx[K], rtol=0, atol=TOLERANCE), block
            assert np.allclose(matrices["vO"][K][:, p], R_J.T @ dO[K], rtol=0, atol=TOLERANCE), block
            S = R[K].T @ dR[K]  # the skew matrix of the partial angular velocity in body axes
            w = np.array([S[2, 1], S[0, 2], S[1, 0]])
            found = matrices["w"][K][:, p] if p < 3 * N else np.zeros(3)  # [w,y2] = 0
            assert np.allclose(found, w, rtol=0, atol=TOLERANCE), block


def test_blocks_of_bodies_not_inboard_are_zero(system):
    matrices = system.matrices(system.x)
    for K, chain in enumerate(inboard(system)):
        for other in set(range(N)) - set(chain):
            for name in matrices:
                columns = [3 * other + i for i in range(3)]
                if name not in ("w", "dw"):
                    columns += [3 * (N + other) + i for i in range(3)]
                assert not matrices[name][K][:, columns].any(), (name, K + 1, other + 1)


def test_rates_of_the_matrices_are_their_time_derivatives(system):
    names = ("w", "vO", "vG")
    matrices = system.matrices(system.x)
    found = differentiate(
        lambda x: [system.matrices(x)[name] for name in names], system.x, system.y
    )  # speeds of order 3 times lengths of order 10: STEP is good for 1e-10 here
    for name, rate in zip(names, found):
        for K in range(N):
            assert np.allclose(matrices[f"d{name}"][K], rate[K], rtol=0, atol=1e-10), (name, K + 1)


def test_mass_matrix_is_symmetric_definite_and_gives_the_kinetic_energy(system):
    work = system.at(system.x)
    M = work.kane.A.copy()
    assert np.abs(M - M.T).max() < 1e-14 * np.abs(M).max()  # two orders of summing the same products
    assert np.linalg.eigvalsh(M).min() > 0
    mass = system.sim.arrays.bodies["mass"]
    moments = np.einsum("k,ki,ki->", mass, work.bodies["u"], work.bodies["u"])
    for b in work.bodies:
        xx, yy, zz, xy, xz, yz = b["I"]
        moments += b["w"] @ np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ b["w"]
    assert system.y @ M @ system.y == pytest.approx(moments, rel=1e-13)


def test_accelerations_are_derivatives_of_velocities(system):
    work = system.at(system.x)
    a, al = work.bodies["a"].copy(), work.bodies["al"].copy()
    rates = system.rates[system.rate].copy()

    def velocities(s):
        t = float(s[0])
        found = system.at(system.x + t * system.y + 0.5 * t * t * rates, system.y + t * rates)
        return found.bodies["u"].copy(), found.bodies["w"].copy()

    du, dw = differentiate(velocities, np.zeros(1), np.ones(1))
    size = np.abs(a).max()  # speeds grow with the accelerations, of order 100: 1e-12 of them per STEP
    assert np.allclose(du, a, rtol=0, atol=1e-10 * size)
    assert np.allclose(dw, al, rtol=0, atol=1e-10 * size)
