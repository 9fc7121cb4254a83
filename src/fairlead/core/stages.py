"""The stages of a step as templates, bound like the stepping loops: where they fall, or closed first (docs/theory.md).

Closed stages and rates as limits are for steps near singular positions and for steps in which kept equations of loops
come to say the same as others; everywhere else a stage is one evaluation.
"""

from __future__ import annotations

import math

from fairlead.core.arrays import OK
from fairlead.core.codes import CHANGED, CLOSE_STAGES, CODE, SOUND, WITH_FRAIL
from fairlead.core.jit.kernel import kernel
from fairlead.core.unbound import begin_step, drift, project, rhs

TIGHT = 1e-6  # s^2: below, x'' has rounding e as 2e / s^3 beyond 1e-6 of what it is
BESIDE = 4e-3  # s at which both that (1e-8) and the limit's own error, of order s^4, are small


@kernel
def copy(source, target):
    for m in range(source.shape[0]):
        target[m] = source[m]


@kernel
def combine(y, h, weights, k, count, out):
    """Fill out with y + h sum of weights[j] k[j] over the first `count` stages, in this order."""
    first = 0
    while first < count and weights[first] == 0.0:
        first += 1
    if first == count:
        copy(y, out)
        return
    w, rates = h * weights[first], k[first]
    for m in range(y.shape[0]):
        out[m] = y[m] + w * rates[m]
    for j in range(first + 1, count):
        if weights[j] != 0.0:
            w, rates = h * weights[j], k[j]
            for m in range(y.shape[0]):
                out[m] += w * rates[m]


def rate_around(t, h, dy, A, W, S):
    """Fill dy with the rate at the state S.f[0] as the limit of those beside it; return whether that could be done.

    In a singular position the equations hold the motion x across its branch by s x = 0 with s = 0: what is left of them
    by rounding, e, makes x'' of 2 s'^2 e / s^3. Beside it they are strong, and the rate is smooth along any
    smooth way through the position on the branch: f(0) = (4 (f(d) + f(-d)) - (f(2d) + f(-2d))) / 6 + O(d^4).
    """
    for m in range(S.y.shape[0]):
        S.f[1, m], S.f[4, m] = 0.0, 0.0
    drift(S.f[0], S.f[1], A)
    d, found = 0.5 * h, False
    for _ in range(6):  # the way to where s is about BESIDE
        if not rate_beside(t, d, A, W, S):
            return False
        s = math.sqrt(W.constraint.weakest[WITH_FRAIL])
        found = 0.5 * BESIDE < s < 2.0 * BESIDE
        if found:
            break
        d *= min(16.0, BESIDE / s) if s > 0.0 else 16.0
    if not found:
        return False
    for k in range(4):
        if not rate_beside(t, (d, -d, 2.0 * d, -2.0 * d)[k], A, W, S) or W.constraint.weakest[WITH_FRAIL] < TIGHT:
            return False
        weight = 4.0 / 6.0 if k < 2 else -1.0 / 6.0
        for m in range(S.y.shape[0]):
            S.f[4, m] += weight * S.f[3, m]
    copy(S.f[4], dy)
    return True


def rate_beside(t, d, A, W, S):
    """Fill S.f[3] with the rate where the motion from S.f[0] would be after the time d; return whether it closes."""
    for m in range(S.y.shape[0]):
        S.f[2, m] = S.f[0, m] + d * S.f[1, m]
    begin_step(t + d, S.f[2], A, W)
    project(t + d, S.f[2], A, W)
    if W.status[CODE] != OK:
        return False
    rhs(t + d, S.f[2], S.f[3], A, W)
    return W.status[CODE] == OK


def evaluate(t, h, y, dy, A, W, S):
    """Fill dy with the rate at a stage of a step of h: as it stands or, where the constraints say so, closed first.

    The rate at the closed state is a smooth function of y that agrees with the other one on the constraints, so a
    method keeps its order; and it does not depend on which of several redundant equations are kept.
    """
    if W.constraint.stages[CLOSE_STAGES] == 0:
        rhs(t, y, dy, A, W)
        return
    copy(y, S.f[0])
    project(t, y, A, W)
    closed = W.status[CODE] == OK
    if closed:
        rhs(t, y, dy, A, W)
        if W.constraint.weakest[SOUND] > TIGHT:
            return
    if not rate_around(t, h, dy, A, W, S):
        if not closed:
            copy(S.f[0], y)
        rhs(t, y, dy, A, W)


def take_stages(t, h, y, tableau, known, A, W, S):
    """Fill S.k with the rates of the stages of a step; return a status.

    Stages are evaluated off the constraints, where they fall. Where kept equations turn out to change much within the
    step (they come to say the same as others, or a singular position is near), it begins anew with closed stages.
    """
    s = 1 if known else 0
    while s < tableau.b.shape[0]:
        combine(y, h, tableau.a[s], S.k, s, S.y)
        evaluate(t + tableau.c[s] * h, h, S.y, S.k[s], A, W, S)
        if W.status[CODE] != OK:
            return W.status[CODE]
        s += 1
        if W.constraint.stages[CHANGED] > 0 and W.constraint.stages[CLOSE_STAGES] == 0:
            W.constraint.stages[CLOSE_STAGES], s = 1, 0
    return OK
