"""Stepping loops as templates: each formulation binds its own rhs, drift and project (`core/jit/kernel.bind`).

Where loads live in Python, the same templates run as Python around the compiled halves of rhs (`interpreted` there).
Here are those of a fixed step and what all loops share; step control is in `core/adaptive.py`.

Time is t0 + i dt, never a running sum; only the last step may be shorter. A recorded instant is evaluated anyway, so
its rate serves as the first stage of the next step: the same bits, one evaluation saved.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from fairlead.core.arrays import NOT_FINITE, OK
from fairlead.core.codes import BEGIN, CLOSE_STAGES, CODE, END
from fairlead.core.controllers.table import any_due, next_sample, sample
from fairlead.core.jit.kernel import kernel
from fairlead.core.stages import combine, copy, take_stages
from fairlead.core.unbound import begin_step, drift, observe, project, rhs


class Clock(NamedTuple):
    """When to step and when to record."""

    t0: float
    dt: float
    end: float
    steps: int  # the last one may be shorter
    every: int  # record every so many steps


class Tableau(NamedTuple):
    """An explicit Runge-Kutta method as data; the extra stages and D or P give dense output."""

    a: np.ndarray  # (stages + extra, stages + extra)
    b: np.ndarray  # (stages,)
    c: np.ndarray
    e5: np.ndarray  # (stages + 1,) error weights; empty for a fixed step
    e3: np.ndarray
    dense: np.ndarray  # (n, 4) of a 5(4) pair, or (4, n) of 8(5,3)
    order: int  # of the error estimate


class Stages(NamedTuple):
    """Scratch of a stepping loop."""

    k: np.ndarray  # (stages + extra + 1, n)
    y: np.ndarray  # (n,)
    new: np.ndarray  # (n,)
    f: np.ndarray  # (8, n) seven rows of dense output and one of scratch


def new_stages(tableau: Tableau, n: int) -> Stages:
    """Return scratch for a method and a state length."""
    return Stages(np.zeros((len(tableau.a) + 1, n)), np.zeros(n), np.zeros(n), np.zeros((8, n)))


@kernel
def is_finite(y):
    for m in range(y.shape[0]):  # noqa: SIM110
        if not math.isfinite(y[m]):
            return False
    return True


@kernel
def next_kink(kinks, t, t_next):
    """Return where a stretch from t towards t_next must end so that no kink lies inside it."""
    for k in range(kinks.shape[0]):
        if t < kinks[k] < t_next and kinks[k] - t > 1e-9 * (t_next - t) and t_next - kinks[k] > 1e-9 * (t_next - t):
            return kinks[k]
    return t_next


@kernel
def look_at(t, t_next, W):
    """Say which stretch of time the evaluations to come belong to: at a kink, its side counts."""
    W.window[BEGIN] = t
    W.window[END] = t_next


def output_time(i, clock):
    """Return the time of output step i on the grid of the fixed step."""
    return clock.end if i >= clock.steps else clock.t0 + i * clock.dt


def take_samples(t, y, A, W, S):
    """Sample the controllers that are due at t, from an evaluation there; return a status."""
    if not any_due(t, y, A):
        return OK
    look_at(t, t, W)
    rhs(t, y, S.f[7], A, W)
    if W.status[CODE] != OK:
        return W.status[CODE]
    sample(t, y, A, W)
    return OK if is_finite(y) else NOT_FINITE


def first_record(t, y, A, W, S, rec, row):
    """Record the state y at time t, where controllers begin; return a status."""
    if A.controllers.rows.shape[0] > 0:
        copy(y, S.y)
        status = take_samples(t, S.y, A, W, S)
        if status != OK:
            return status
        copy(S.y, y)
    look_at(t, t, W)
    rhs(t, y, S.k[0], A, W)
    if W.status[CODE] != OK:
        return W.status[CODE]
    observe(t, y, A, W, rec[row])
    return W.status[CODE]


def rk_stretch(t, t_next, y, tableau, A, W, S, known):
    """Fill S.y with the state after one stretch without kinks; return a status."""
    h = t_next - t
    look_at(t, t_next, W)
    begin_step(t, y, A, W)
    W.constraint.stages[CLOSE_STAGES] = 0
    if take_stages(t, h, y, tableau, known, A, W, S) != OK:
        return W.status[CODE]
    combine(y, h, tableau.b, S.k, tableau.b.shape[0], S.y)
    project(t_next, S.y, A, W)
    if W.status[CODE] != OK:
        return W.status[CODE]
    if not is_finite(S.y):
        return NOT_FINITE
    return take_samples(t_next, S.y, A, W, S) if A.controllers.rows.shape[0] > 0 else OK


def rk_steps(i, n, y, clock, tableau, A, W, S, rec, row):
    """Take n fixed steps from step number i with an explicit Runge-Kutta method; return (status, steps done, row)."""
    known = False  # whether k[0] holds the rate at the start of the step
    for _ in range(n):
        t = clock.t0 + i * clock.dt
        t_next = clock.end if i + 1 == clock.steps else clock.t0 + (i + 1) * clock.dt
        while t < t_next:
            stop = next_kink(A.kinks, t, t_next)
            if A.controllers.rows.shape[0] > 0:
                stop = next_sample(t, stop, y, A)
            status = rk_stretch(t, stop, y, tableau, A, W, S, known)
            if status != OK:
                return status, i, row
            copy(S.y, y)
            t, known = stop, False
        i += 1
        known = i % clock.every == 0 or i == clock.steps
        if known:
            look_at(t_next, t_next, W)
            rhs(t_next, y, S.k[0], A, W)
            if W.status[CODE] != OK:
                return W.status[CODE], i, row
            observe(t_next, y, A, W, rec[row])
            row += 1
    return OK, i, row


def symplectic_stretch(t, h, t_next, y, A, W, S):
    """Fill S.y with the state after one stretch of symplectic Euler without kinks; return a status.

    Velocities with the old forces, then positions with the new velocities.
    """
    look_at(t, t_next, W)
    begin_step(t, y, A, W)
    rhs(t, y, S.k[0], A, W)
    if W.status[CODE] != OK:
        return W.status[CODE]
    for m in range(y.shape[0]):
        S.k[1, m] = 0.0
    drift(y, S.k[1], A)
    for m in range(y.shape[0]):
        S.y[m] = y[m] + h * (S.k[0, m] - S.k[1, m])
    drift(S.y, S.k[1], A)
    for m in range(y.shape[0]):
        S.y[m] += h * S.k[1, m]
    project(t_next, S.y, A, W)
    if W.status[CODE] != OK:
        return W.status[CODE]
    if not is_finite(S.y):
        return NOT_FINITE
    return take_samples(t_next, S.y, A, W, S) if A.controllers.rows.shape[0] > 0 else OK


def symplectic_steps(i, n, y, clock, tableau, A, W, S, rec, row):
    """Take n steps of symplectic Euler from step number i; return (status, steps done, row)."""
    for _ in range(n):
        t = clock.t0 + i * clock.dt
        t_next = clock.end if i + 1 == clock.steps else clock.t0 + (i + 1) * clock.dt
        whole = i + 1 < clock.steps and next_kink(A.kinks, t, t_next) == t_next
        if A.controllers.rows.shape[0] > 0:
            whole = whole and next_sample(t, t_next, y, A) == t_next
        while t < t_next:
            stop = next_kink(A.kinks, t, t_next)
            if A.controllers.rows.shape[0] > 0:
                stop = next_sample(t, stop, y, A)
            h = clock.dt if whole else stop - t
            status = symplectic_stretch(t, h, stop, y, A, W, S)
            if status != OK:
                return status, i, row
            copy(S.y, y)
            t = stop
        i += 1
        if i % clock.every == 0 or i == clock.steps:
            look_at(t_next, t_next, W)
            rhs(t_next, y, S.k[0], A, W)
            if W.status[CODE] != OK:
                return W.status[CODE], i, row
            observe(t_next, y, A, W, rec[row])
            row += 1
    return OK, i, row
