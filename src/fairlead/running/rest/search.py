"""The search for rest: Newton on the accelerations of a system without velocities, and relaxation where that fails."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
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
RELAXING_STEPS, STRIDE = 2000, 0.5  # of relaxation, each so much over the highest frequency
NO_STIFFNESS = 1e-8  # of the largest stiffness: none
BALANCED = 1e-8  # of the accelerations that gravity or the stiffness would give


@dataclass
class Rest:
    """A state of rest and how it was found."""

    y: Array
    iterations: int
    method: str
    free: list[str]  # directions without restoring force
    stable: bool
    accelerations: Array  # that are left, along each freedom (scaled)


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

    def names(self, freedoms: Freedoms, which: Array) -> list[str]:
        """Return the freedoms that say the directions `which`, one each."""
        ways = (self.N @ self.back @ self.right[which].T) * self.weight[:, None]
        if not ways.shape[1]:
            return []
        order = qr(ways.T, mode="r", pivoting=True)[1][: ways.shape[1]]
        return [freedoms.names[int(one)] for one in sorted(order)]


def find_rest(freedoms: Freedoms, y: Array, report: Report = lambda line: None) -> Rest:
    """Return the state of rest that Newton's method reaches from a state, by relaxation first where it does not."""
    y, done, method = freedoms.at_rest(y), 0, "newton"
    for round_ in range(ROUNDS):
        if round_:
            y, method = _relaxed(freedoms, y, report), "relaxation, then newton"
        y, steps, look, closed = _newton(freedoms, y, report)
        done += steps
        if closed:
            break
    else:
        raise NumericalFailure(_sentence(freedoms, look, done))
    loose = look.free
    if _unbalanced(freedoms, look, loose):
        raise NumericalFailure(_sentence(freedoms, look, done))
    stable = bool(np.linalg.eigvals(look.stiffness).real.max(initial=-1.0) <= look.floor)
    left = freedoms.accelerations(y)
    return Rest(y, done, method, look.names(freedoms, np.flatnonzero(loose)), stable, left)


def look_at(freedoms: Freedoms, y: Array, levels: int = 1) -> Look:
    """Return residual and stiffness of the system at a state without velocities."""
    bodies, J = freedoms.carried(y)
    chosen, N = freedoms.independent(J)
    M = N.T @ freedoms.masses(bodies) @ N
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
        raise NumericalFailure("the equations of motion have no solution near the state from which rest is sought")
    left, values, right = np.linalg.svd(K)
    weight = np.sqrt(np.maximum(np.diag(freedoms.masses(bodies)), 1e-300))
    floor = NO_STIFFNESS * float(values.max(initial=0.0)) + 1e-9 * _gravity(freedoms) + 1e-12
    return Look(y, chosen, N, back, forward, residual, K, left, values, right, floor, weight)


def _newton(freedoms: Freedoms, y: Array, report: Report) -> tuple[Array, int, Look, bool]:
    """Return the state reached, the steps taken, the system there and whether it rests."""
    look = look_at(freedoms, y)
    for step in range(MOST_STEPS):
        way = _direction(freedoms, look)
        most = float(np.abs(look.N @ look.back @ way).max(initial=0.0))
        way *= min(1.0, LONGEST / most) if most > 0 else 1.0
        before = float(np.linalg.norm(look.residual))
        y, part = _along(freedoms, look, way)
        most = part * min(most, LONGEST)
        new = look_at(freedoms, y, 1)
        after = float(np.linalg.norm(new.residual))
        worst = float(np.abs(freedoms.accelerations(y)).max(initial=0.0))
        report(f"step {step + 1}: moved {most:.2e}, part {part:g}, residual acceleration {worst:.2e}")
        if part == 0.0:
            return y, step + 1, look, not _unbalanced(freedoms, look, look.values > -1.0)
        look = new
        if most < SHORTEST or (most < SHORT and after >= 0.3 * before):
            return y, step + 1, look, True
    return y, MOST_STEPS, look, False


def _direction(freedoms: Freedoms, look: Look) -> Array:
    """Return the step towards rest, mass-scaled: Newton's where all is stable, else downhill along what is not.

    Directions without stiffness are held, unless something pushes along them.
    """
    values, vectors = np.linalg.eigh(0.5 * (look.stiffness + look.stiffness.T))
    loose = look.free
    pushes = look.left.T @ look.residual
    if (values <= look.floor).all() and not _unbalanced(freedoms, look, loose):
        steps = np.where(loose, 0.0, -pushes / np.where(loose, 1.0, look.values))
        return np.asarray(look.right.T @ steps)
    size = np.maximum(np.abs(values), max(1e-3 * float(np.abs(values).max(initial=0.0)), look.floor))
    return np.asarray(vectors @ ((vectors.T @ look.residual) / size))


def _along(freedoms: Freedoms, look: Look, way: Array) -> tuple[Array, float]:
    """Return the state after a part of a step that lessens the residual or still goes downhill, and that part."""
    part, before, slope = 1.0, float(np.linalg.norm(look.residual)), float(look.residual @ way)
    for _ in range(MOST_HALVINGS):
        y = freedoms.at_rest(freedoms.moved(look.y, look.N @ (look.back @ (part * way))))
        residual = look.forward @ freedoms.accelerations(y)[look.chosen]
        if np.isfinite(residual).all():
            less = float(np.linalg.norm(residual)) < (1.0 - 1e-4 * part) * before
            downhill = slope > 0.0 and float(residual @ way) >= -0.5 * slope
            if less or downhill or before == 0.0:
                return y, part
        part *= 0.5
    return look.y, 0.0


def _relaxed(freedoms: Freedoms, y: Array, report: Report) -> Array:
    """Return the state after time steps from rest whose motion is stopped at each peak of its kinetic energy."""
    top = float(look_at(freedoms, y).values.max(initial=0.0))
    dt = STRIDE / np.sqrt(top) if top > 0 else 0.1
    speed, least = np.zeros(len(freedoms.names)), np.inf
    for step in range(RELAXING_STEPS):
        pull = freedoms.accelerations(y)
        if not np.isfinite(pull).all():
            raise NumericalFailure("the equations of motion have no solution on the way to rest; give a nearer start")
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
    pushes = np.where(which, look.left.T @ look.residual, 0.0)
    left = np.abs(look.back @ (look.left @ pushes)).max(initial=0.0)
    return bool(left > BALANCED * (_gravity(freedoms) + float(look.values.max(initial=0.0))) + 1e-10)


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
