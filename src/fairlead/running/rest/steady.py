"""The search for the steady state of a machine under feedback: places, speeds of what spins, controllers' states.

Implicit Euler with a step that grows without end (pseudo-transient continuation, Kelley and Keyes, SIAM J. Numer. Anal.
35 (1998)): at first it follows the machine in time, what is faster than a step damped out; in the end it is Newton's
method, which an unstable state does not disturb. Joints that spin freely under a generator keep their angle out: their
accelerations are averaged over a revolution and their rates are unknowns.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from fairlead.errors import NumericalFailure
from fairlead.running.rest.charts import Line
from fairlead.running.rest.freedoms import Freedoms
from fairlead.running.rest.own_states import begun
from fairlead.running.rest.search import AZIMUTHS, NO_STIFFNESS, Report, Rest
from fairlead.running.rest.tangent import derivative

Array = npt.NDArray[Any]
FEW = 3  # angles of what spins while the step is still growing
FIRST, GROWS, LONG = 0.5, 1.6, 1e7  # [s] step, how it grows, and where it is Newton's
MOST_STEPS, DONE, ROUNDING = 150, 1e-10, 1e-6  # of a step: the end, and where rounding may be the end
NEAR = 1e-5  # of a step: Newton finds the rest of the way
LONGEST = 0.3  # step of places (radians and sizes)
MOTION = ("m", "rad", "m/s", "rad/s")  # units of commanded coordinates and shafts, which must stand still
STILL = 1e-6  # [per s] of those: one that runs away looks still beside where it has come to
GROWTH = 1e-5  # [1/s] of a mode: what differences may leave of none


def find_steady(freedoms: Freedoms, y: Array, report: Report = lambda line: None) -> Rest:
    """Return the steady state that is reached from a state."""
    y = begun(freedoms.simulation, freedoms.time, freedoms.settled(_slowed(freedoms, y)))
    y, steps, J, n = _march(freedoms, y, FEW, FIRST, report)
    y, more, J, n = _march(freedoms, y, AZIMUTHS, LONG, report)
    around = _around(freedoms, y, AZIMUTHS)
    changes = around.mean(axis=0)[len(freedoms.names) :]
    if any(one.unit in MOTION and abs(rate) > STILL for one, rate in zip(freedoms.own, changes)):
        raise NumericalFailure(_sentence(freedoms, y, AZIMUTHS, [one.at for one in freedoms.own]))
    stable = bool(np.linalg.eigvals(J).real.max(initial=-1.0) < GROWTH)
    spread = float(np.abs(around - around.mean(axis=0)).max(initial=0.0)) if len(freedoms.spinning) else 0.0
    return Rest(
        y,
        steps + more,
        "pseudo-transient continuation",
        _free(freedoms, J, n),
        stable,
        around.mean(axis=0)[: len(freedoms.names)],
        bool(len(freedoms.spinning)),
        spread,
    )


def _slowed(freedoms: Freedoms, y: Array) -> Array:
    """Return a state in which nothing moves but what spins."""
    rates = {freedoms.parts[number].rate: y[freedoms.parts[number].rate] for number in freedoms.spinning}  # type: ignore[union-attr]
    new = freedoms.at_rest(y)
    for at, rate in rates.items():
        new[at] = rate
    return new


def _march(freedoms: Freedoms, y: Array, count: int, step: float, report: Report) -> tuple[Array, int, Array, int]:
    """Return the state reached, the steps, the last derivative and how many places are unknown."""
    own = [one.at for one in freedoms.own]
    best, since = np.inf, 0
    for number in range(MOST_STEPS):
        chosen, N = freedoms.independent(freedoms.carried(y)[1])
        spins = _spins(freedoms)
        places = [k for k, one in enumerate(chosen) if one not in spins]

        def rates(x: Array, y: Array = y, chosen: Any = chosen, N: Any = N, places: Any = places) -> Array:
            return _rates(freedoms, _moved(freedoms, y, x, chosen, N, places, own), chosen, places, own, count)

        size = len(places) + len(chosen) + len(own)
        residual = rates(np.zeros(size))
        J = derivative(rates, size, 1, bent=range(len(places), len(places) + len(chosen)))
        if not np.isfinite(J).all() or not np.isfinite(residual).all():
            raise NumericalFailure("the equations of motion have no solution on the way to the steady state")
        move = np.linalg.lstsq(np.eye(size) / step - J, residual, rcond=1e-14)[0]
        move *= min(1.0, LONGEST / max(float(np.abs(move[: len(places)]).max(initial=0.0)), 1e-300))
        y = _moved(freedoms, y, move, chosen, N, places, own)
        most = _largest(move, len(places) + len(chosen), y[own])
        report(f"step {number + 1}: {step:.1e} s, moved {most:.2e}")
        since = 0 if most < 0.5 * best else since + 1
        best = min(best, most)
        if step >= LONG and (most < DONE or (most < ROUNDING and since > 3)):
            return y, number + 1, J, len(places)
        step = LONG if most < NEAR else min(step * GROWS, LONG)
    raise NumericalFailure(_sentence(freedoms, y, count, own))


def _moved(
    freedoms: Freedoms, y: Array, x: Array, chosen: list[int], N: Array, places: list[int], own: list[int]
) -> Array:
    """Return a state moved by x: places but those of what spins, velocities, own states."""
    change, n = np.zeros(len(chosen)), len(places)
    change[places] = x[:n]
    new = freedoms.moved(y, N @ change, N @ x[n : n + len(chosen)])
    new[own] += x[n + len(chosen) :]
    return new


def _rates(freedoms: Freedoms, y: Array, chosen: list[int], places: list[int], own: list[int], count: int) -> Array:
    """Return the rates of all unknowns (scaled), averaged over the angles of what spins."""
    mean = _around(freedoms, y, count).mean(axis=0)
    speeds = (freedoms.velocities(y) / freedoms.scale)[chosen]
    return np.concatenate([speeds[places], mean[: len(freedoms.names)][chosen], mean[len(freedoms.names) :]])


def _around(freedoms: Freedoms, y: Array, count: int) -> Array:
    """Return accelerations of all freedoms and rates of own states at equally spaced angles of what spins."""
    own, found = [one.at for one in freedoms.own], []
    for turn in 2 * np.pi * np.arange(count) / count if freedoms.spinning else [0.0]:
        new = y.copy()
        for number in freedoms.spinning:
            new[freedoms.parts[number].value] += turn
        pull, dy = freedoms.rates(new)
        found.append(np.concatenate([pull, dy[own]]))
    return np.array(found)


def _spins(freedoms: Freedoms) -> set[int]:
    """Return the numbers of the freedoms that spin."""
    at, found = 0, set()
    for number, part in enumerate(freedoms.parts):
        if number in freedoms.spinning and isinstance(part, Line):
            found.add(at)
        at += len(part.names)
    return found


def _largest(move: Array, motions: int, own: Array) -> float:
    """Return the largest part of a step: of places and speeds as they are, of own states by their size."""
    apart = np.abs(move[motions:]) / np.maximum(np.abs(own), 1.0)
    return float(max(np.abs(move[:motions]).max(initial=0.0), apart.max(initial=0.0)))


def _free(freedoms: Freedoms, J: Array, n: int) -> list[str]:
    """Return a freedom for each direction of the places in which nothing drives the machine back."""
    spins = _spins(freedoms)
    names = [name for number, name in enumerate(freedoms.names) if number not in spins]
    if n != len(names) or not n:
        return []
    _, values, right = np.linalg.svd(J[n:, :n])
    loose = values <= NO_STIFFNESS**0.5 * values.max(initial=0.0)
    return [names[int(np.argmax(np.abs(way)))] for way in right[loose]]


def _sentence(freedoms: Freedoms, y: Array, count: int, own: list[int]) -> str:
    """Return the sentence about a search that found no steady state."""
    mean = _around(freedoms, y, count).mean(axis=0)
    pulls, changes = mean[: len(freedoms.names)], mean[len(freedoms.names) :]
    left = []
    if len(pulls):
        worst = int(np.nanargmax(np.abs(pulls))) if np.isfinite(pulls).any() else 0
        pull = pulls[worst] * freedoms.scale[worst]
        left.append(f"{freedoms.names[worst]} is still accelerated by {pull:.3g} {freedoms.units[worst]}/s2")
    if len(own):
        most = int(np.nanargmax(np.abs(changes))) if np.isfinite(changes).any() else 0
        left.append(f"the {freedoms.own[most].name} changes by {changes[most]:.3g} per second")
    text = f"no steady state was found in {MOST_STEPS} steps: {', and '.join(left)}"
    return text + "; give a start nearer to it, or see each step with --verbose"
