"""The search for rest: Newton on the accelerations of a system without velocities, and relaxation where that fails."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.linalg import qr

from fairlead.errors import NumericalFailure
from fairlead.running.rest.freedoms import Freedoms
from fairlead.running.rest.tangent import derivative

Array = npt.NDArray[Any]
Report = Callable[[str], None]
LONGEST = 0.3  # step of Newton, in radians and in sizes of the system
SHORT, SHORTEST = 1e-7, 1e-11  # steps after which rounding may end the search, and that end it
MOST_STEPS, MOST_HALVINGS, ROUNDS = 60, 14, 3
PATIENCE = 15  # steps of Newton that do not halve what is left: it goes round and round, and relaxation is sooner there
RELAXING_STEPS, STRIDE = 2000, 0.5  # of relaxation, each so much over the highest frequency
NO_STIFFNESS = 1e-12  # of the largest stiffness: none
WEAK, EXACT = 1e-3, 3  # of the largest: one central difference may err by as much; sizes of differences that tell
SHAKEN = 1e-8  # of the square of the rate of what turns: stiffness that an unbalanced rotor may leave on average
BALANCED = 1e-8  # of the acceleration that gravity, what turns, or the stiffness of the direction itself would give
ROUNDING = 1e-15  # of that which the largest stiffness would give
AZIMUTHS = 24  # angles of a turning joint over which accelerations are averaged
EVEN = 1e-6  # of gravity: accelerations that differ by less from angle to angle are first taken at one
NEAR = 1e-5  # movement over which a tangent hardly changes
KEPT = 0.1  # a step that leaves so little of the residual keeps its tangent for the next


@dataclass
class Rest:
    """A state of rest and how it was found."""

    y: Array
    iterations: int
    method: str
    free: list[str]  # directions without restoring force
    stable: bool
    accelerations: Array  # that are left, along each freedom (scaled)
    averaged: bool = False  # over a revolution of what turns
    uneven: float = 0.0  # the largest difference of an acceleration (scaled) from its average


@dataclass
class Look:
    """The system at a state: its independent freedoms, residual accelerations and stiffness, both scaled by mass."""

    y: Array
    chosen: list[int]
    N: Array  # all freedoms from the chosen ones
    back: Array  # from mass-scaled to chosen freedoms
    forward: Array
    residual: Array
    stiffness: Array  # derivative of the residual
    left: Array
    values: Array
    right: Array
    floor: float  # stiffness below which there is none
    weight: Array  # root of each freedom's mass

    @property
    def free(self) -> Array:
        """Return which singular directions have no restoring force."""
        return self.values <= self.floor

    def pull(self, freedoms: Freedoms, y: Array) -> Array:
        """Return the residual at another state, scaled as here."""
        return np.asarray(self.forward @ freedoms.accelerations(y)[self.chosen])

    def names(self, freedoms: Freedoms, which: Array) -> list[str]:
        """Return the freedoms that say the directions `which`, one each."""
        ways = (self.N @ self.back @ self.right[which].T) * self.weight[:, None]
        if not ways.shape[1]:
            return []
        order = qr(ways.T, mode="r", pivoting=True)[1][: ways.shape[1]]
        return [freedoms.names[int(one)] for one in sorted(order)]


def find_rest(freedoms: Freedoms, y: Array, report: Report = lambda line: None) -> Rest:
    """Return the state of rest that Newton's method reaches from a state, by relaxation first where it does not.

    Where joints turn steadily it is the state whose accelerations, averaged over a revolution, are none.
    """
    y = freedoms.at_rest(y)
    averaged = bool(len(freedoms.turning)) and not freedoms.loops_turn(y)
    freedoms.azimuths = 1
    if averaged and _spread(freedoms.around(y, 5)) > EVEN * _gravity(freedoms):
        freedoms.azimuths = AZIMUTHS
    y, done, method, look, closed = _sought(freedoms, y, report)
    if closed and averaged and freedoms.azimuths == 1:  # what is left of the average, with the tangent of one angle
        freedoms.azimuths = AZIMUTHS
        report(f"averaged over {AZIMUTHS} angles of what turns:")
        y, more, look, closed = _newton(freedoms, y, report, replace(look, residual=look.pull(freedoms, y)))
        done += more
    if not closed or _unbalanced(freedoms, look, look.free):
        raise NumericalFailure(_sentence(freedoms, look, done))
    stable = _is_stable(look)
    around = freedoms.around(y, freedoms.azimuths)
    free = look.names(freedoms, np.flatnonzero(look.free))
    return Rest(y, done, method, free, stable, around.mean(axis=0), averaged, _spread(around))


def _is_stable(look: Look) -> bool:
    """Return whether every direction is driven back or left alone; with added mass the stiffness is not symmetric."""
    return bool(np.linalg.eigvals(look.stiffness).real.max(initial=-1.0) <= look.floor)


def _spread(around: Array) -> float:
    """Return the largest difference of an acceleration (scaled) from its average over a revolution."""
    return float(np.abs(around - around.mean(axis=0)).max(initial=0.0))


def _sought(freedoms: Freedoms, y: Array, report: Report) -> tuple[Array, int, str, Look, bool]:
    """Return the state reached by Newton, by relaxation first where that fails; steps, method, system, if it rests."""
    done, method = 0, "newton"
    for round_ in range(ROUNDS):
        if round_:
            y, method = _relaxed(freedoms, y, report), "relaxation, then newton"
        y, steps, look, closed = _newton(freedoms, y, report)
        done += steps
        if closed:
            break
    return y, done, method, look, closed


def look_at(freedoms: Freedoms, y: Array, levels: int = 1) -> Look:
    """Return residual and stiffness of the system at a state without velocities; more exactly if some of it is weak."""
    bodies, J = freedoms.carried(y)
    chosen, N = freedoms.independent(J)
    masses = freedoms.masses(bodies)
    M = N.T @ masses @ N
    try:
        root = np.linalg.cholesky(M)
    except np.linalg.LinAlgError:  # bodies without inertia of their own about some axis
        root = np.eye(len(chosen))
    forward, back = root.T, np.linalg.inv(root.T)

    def pushed(z: Array) -> Array:
        return freedoms.accelerations(freedoms.settled(freedoms.moved(y, N @ z)))[chosen]

    residual = forward @ freedoms.accelerations(y)[chosen]
    K = forward @ derivative(pushed, len(chosen), levels) @ back if chosen else np.zeros((0, 0))
    if not np.isfinite(K).all():
        raise freedoms.no_solution("near the state from which rest is sought")
    left, values, right = np.linalg.svd(K)
    if levels < EXACT and float(values.min(initial=np.inf)) <= WEAK * float(values.max(initial=0.0)):
        return look_at(freedoms, y, EXACT)
    weight = np.sqrt(np.maximum(np.diag(masses), 1e-300))
    top = float(values.max(initial=0.0))
    floor = NO_STIFFNESS * top + 1e-9 * _gravity(freedoms) + 1e-12
    if top <= SHAKEN * freedoms.turning_rate**2:  # nothing but what an unbalanced rotor leaves on average
        floor = max(floor, top)
    return Look(y, chosen, N, back, forward, residual, K, left, values, right, floor, weight)


def _newton(freedoms: Freedoms, y: Array, report: Report, look: Look | None = None) -> tuple[Array, int, Look, bool]:
    """Return the state reached, the steps taken, the system there and whether it rests.

    A tangent is kept while full steps with it leave little; `look` is one to begin with.
    """
    look, since = (look_at(freedoms, y), 0.0) if look is None else (look, NEAR)
    least, waited = np.inf, 0
    for step in range(MOST_STEPS):
        way = _direction(freedoms, look)
        most = float(np.abs(look.N @ look.back @ way).max(initial=0.0))
        way *= min(1.0, LONGEST / most) if most > 0 else 1.0
        before = float(np.linalg.norm(look.residual))
        y, part, residual = _along(freedoms, look, way)
        if part == 0.0 and since > 0.0:
            look, since = look_at(freedoms, y), 0.0
            continue
        most = part * min(most, LONGEST)
        after, worst = float(np.linalg.norm(residual)), float(np.abs(look.back @ residual).max(initial=0.0))
        kept = ", tangent kept" if since > 0.0 else ""
        report(f"step {step + 1}: moved {most:.2e}, part {part:g}, residual acceleration {worst:.2e}{kept}")
        if part == 0.0:
            return y, step + 1, look, not _unbalanced(freedoms, look, look.values > -1.0)
        keeps, since = part == 1.0 and after <= KEPT * before, since + most
        done = most < SHORTEST or (most < SHORT and after >= 0.3 * before)
        if (done and since <= 2 * NEAR) or (keeps and not done):
            look = replace(look, y=y, residual=residual)
        else:
            look, since = look_at(freedoms, y), 0.0
        if done:
            return y, step + 1, look, True
        least, waited = (after, 0) if after < 0.5 * least else (least, waited + 1)
        if waited > PATIENCE:
            return y, step + 1, look, False
    return y, MOST_STEPS, look, False


def _direction(freedoms: Freedoms, look: Look) -> Array:
    """Return the step towards rest, mass-scaled: Newton's where all is stable, else downhill along what is not.

    Directions without stiffness are held, unless something pushes along them.
    """
    loose = look.free
    pushes = look.left.T @ look.residual
    if _is_stable(look) and not _unbalanced(freedoms, look, loose):
        steps = np.where(loose, 0.0, -pushes / np.where(loose, 1.0, look.values))
        return np.asarray(look.right.T @ steps)
    values, vectors = np.linalg.eigh(0.5 * (look.stiffness + look.stiffness.T))
    size = np.maximum(np.abs(values), max(1e-3 * float(np.abs(values).max(initial=0.0)), look.floor))
    return np.asarray(vectors @ ((vectors.T @ look.residual) / size))


def _along(freedoms: Freedoms, look: Look, way: Array) -> tuple[Array, float, Array]:
    """Return the state after a part of a step that lessens the residual or still goes downhill, that part, and what is
    left.
    """
    part, before, slope = 1.0, float(np.linalg.norm(look.residual)), float(look.residual @ way)
    for _ in range(MOST_HALVINGS):
        y = freedoms.at_rest(freedoms.moved(look.y, look.N @ (look.back @ (part * way))))
        residual = look.pull(freedoms, y)
        if np.isfinite(residual).all():
            less = float(np.linalg.norm(residual)) < (1.0 - 1e-4 * part) * before
            downhill = slope > 0.0 and float(residual @ way) >= -0.5 * slope
            if less or downhill or before == 0.0:
                return y, part, residual
        part *= 0.5
    return look.y, 0.0, look.residual


def _relaxed(freedoms: Freedoms, y: Array, report: Report) -> Array:
    """Return the state after time steps from rest whose motion is stopped at each peak of its kinetic energy."""
    top = float(look_at(freedoms, y).values.max(initial=0.0))
    dt = STRIDE / np.sqrt(top) if top > 0 else 0.1
    speed, least = np.zeros(len(freedoms.names)), np.inf
    for step in range(RELAXING_STEPS):
        pull = freedoms.accelerations(y)
        if not np.isfinite(pull).all():
            raise freedoms.no_solution("on the way to rest", "give a nearer start")
        least = min(least, float(np.abs(pull).max(initial=0.0)))
        if speed @ pull < 0.0:
            speed[:] = 0.0
        speed += dt * pull
        dt_now = min(dt, LONGEST / max(float(np.abs(speed).max(initial=0.0)), 1e-300))
        y = freedoms.at_rest(freedoms.moved(y, dt_now * speed))
        if step % 500 == 0:
            report(f"relaxation {step}: residual acceleration {float(np.abs(pull).max(initial=0.0)):.2e}")
    return y


def _gravity(freedoms: Freedoms) -> float:
    return float(np.linalg.norm(freedoms.simulation.arrays.gravity)) / freedoms.size


def _unbalanced(freedoms: Freedoms, look: Look, which: Array) -> bool:
    """Return whether an acceleration is left along some of the singular directions."""
    pushes = np.where(which, np.abs(look.left.T @ look.residual), 0.0)
    left = pushes * np.abs(look.back @ look.left).max(axis=0, initial=0.0)
    least = BALANCED * (_gravity(freedoms) + freedoms.turning_rate**2) + 1e-10
    least += ROUNDING * float(look.values.max(initial=0.0))
    return bool((left > least + BALANCED * look.values).any())


def _sentence(freedoms: Freedoms, look: Look, steps: int) -> str:
    """Return the sentence about a search that found no rest."""
    pulls = freedoms.accelerations(look.y)
    worst = int(np.nanargmax(np.abs(pulls))) if np.isfinite(pulls).any() else 0
    left = f"{pulls[worst] * freedoms.scale[worst]:.3g} {freedoms.units[worst]}/s2"
    if _unbalanced(freedoms, look, look.free):
        return (
            f"nothing holds {freedoms.names[worst]}, which is accelerated by {left}, so there is no rest; "
            "add what holds it (a spring, a line, a stop) or lock it"
        )
    return (
        f"no rest was found in {steps} steps: {freedoms.names[worst]} is still accelerated by {left}; "
        "give a start nearer to rest, or see each step with --verbose"
    )
