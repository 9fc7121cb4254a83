"""Whether a step is too large for an explicit method: the fastest rate of a model, and how far a method follows it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from fairlead.running.diagnosis import rate_of

if TYPE_CHECKING:
    from fairlead.running.simulation import Simulation

Array = npt.NDArray[np.float64]
TURNS = 20  # of the power method: two halves, the second of which is measured


def largest_step(simulation: Simulation, t: float, y: Array) -> float:
    """Return the step above which every small error grows at (t, y); infinite where nothing is found."""
    if simulation.adaptive or simulation.integrator == "generalised-alpha":
        return np.inf
    rate = fastest_rate(simulation, t, y)
    return reach(simulation.integrator, simulation.tableau) / rate if rate > 0 else np.inf


def fastest_rate(simulation: Simulation, t: float, y: Array) -> float:
    """Return the modulus [1/s] of the largest eigenvalue of dy'/dy, by the power method on differences of rates.

    Growth is taken over an even number of turns: of an oscillation x'' = -w^2 x single turns grow by 1 and by w^2.
    """
    evaluate, n = rate_of(simulation), int(simulation.arrays.states)
    if n == 0:  # all is driven: there is no state in which an error could grow
        return 0.0
    size = 1e-7 * np.maximum(np.abs(y[:n]), 1.0)
    way, logs = np.random.default_rng(1).normal(size=n), []
    with np.errstate(all="ignore"):
        simulation.work.window[:] = t
        base = evaluate(t, y)[:n].copy()
        way /= np.abs(way / size).max()
        for _ in range(2 * TURNS):
            moved = y.copy()
            moved[:n] += way
            change = evaluate(t, moved)[:n] - base
            grown = float(np.abs(change / size).max(initial=0.0))
            if not (np.isfinite(grown) and grown > 0):
                return 0.0
            logs.append(np.log(grown))
            way = change / grown
    return float(np.exp(np.mean(logs[TURNS:])))


def reach(name: str, tableau: Any) -> float:
    """Return the largest |z| = |rate| dt at which an explicit method still damps some mode that decays or oscillates.

    R(z) = 1 + z b^T (1 - z A)^-1 1 (Hairer and Wanner II, IV.2); beyond, |R| > 1 on the whole half circle. Symplectic
    Euler follows an oscillation up to |z| = 2.
    """
    if name == "symplectic-euler":
        return 2.0
    stages = len(tableau.b)
    A, one = tableau.a[:stages, :stages], np.ones(stages)
    angles = np.exp(1j * np.linspace(0.5 * np.pi, np.pi, 61))
    for size in np.arange(0.5, 20.0, 0.05):
        grows = [abs(1 + z * (tableau.b @ np.linalg.solve(np.eye(stages) - z * A, one))) > 1 for z in size * angles]
        if all(grows):
            return float(size)
    return np.inf
