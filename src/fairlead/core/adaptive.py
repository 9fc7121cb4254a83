"""The stepping loop with step control as a template: an embedded pair, its error, and dense output on the grid."""

from __future__ import annotations

import math

from fairlead.core.arrays import NOT_FINITE, OK, STEP_TOO_SMALL
from fairlead.core.codes import (
    ACCEPTED,
    ATOL,
    CLOSE_STAGES,
    CODE,
    EVALUATIONS,
    LONGEST,
    NEXT_STEP,
    REACHED,
    REJECTED,
    RTOL,
)
from fairlead.core.controllers.table import hold_as, next_sample
from fairlead.core.inverse import energy_and_momentum
from fairlead.core.stages import combine, copy, evaluate, take_stages
from fairlead.core.stepping import look_at, next_kink, output_time, take_samples
from fairlead.core.unbound import begin_step, observe, project, rhs


def attempt(t, h, y, tableau, A, W, S):
    """Fill S.new with the state after a step of h, and S.k with the rates of its stages and at its end."""
    stages = tableau.b.shape[0]
    look_at(t, t + h, W)
    begin_step(t, y, A, W)
    if take_stages(t, h, y, tableau, False, A, W, S) != OK:
        return W.status[CODE]
    combine(y, h, tableau.b, S.k, stages, S.new)
    evaluate(t + h, h, S.new, S.k[stages], A, W, S)
    return W.status[CODE]


def adaptive_steps(i, n, y, clock, tableau, A, W, S, rec, row, memory):
    """Take up to n accepted steps of an embedded pair, recording on the grid by dense output.

    i is the next output step; memory holds time, step, evaluations, rtol, atol, steps rejected and accepted, and the
    longest step allowed. Return (status, i, row).
    """
    stages = tableau.b.shape[0]
    t, h = memory[REACHED], memory[NEXT_STEP]
    for _ in range(n):
        if i > clock.steps:
            break
        done = False
        W.constraint.stages[CLOSE_STAGES] = 0
        while not done:
            h = min(h, clock.end - t, 256.0 * clock.every * clock.dt, memory[LONGEST])
            if t + h >= clock.end - 1e-12 * abs(clock.end):
                h = clock.end - t
            h = next_kink(A.kinks, t, t + h) - t
            if A.controllers.rows.shape[0] > 0:
                h = next_sample(t, t + h, y, A) - t
            if not h > 1e-14 * max(abs(t), 1e-3):
                memory[REACHED], memory[NEXT_STEP] = t, h
                return STEP_TOO_SMALL, i, row
            status = attempt(t, h, y, tableau, A, W, S)
            memory[EVALUATIONS] += stages
            error = math.nan
            if status == OK:
                error = step_error(y, h, tableau, A, S, memory[RTOL], memory[ATOL], energy_and_momentum(A, W)[0])
            if not math.isfinite(error):
                if h < 1e-10 * max(1.0, abs(t)):
                    memory[REACHED], memory[NEXT_STEP] = t, h
                    return (status if status != OK else NOT_FINITE), i, row
                h *= 0.2
                memory[REJECTED] += 1.0
            elif error < 1.0:
                done = True
            else:
                h *= max(0.2, 0.9 * error ** (-1.0 / (tableau.order + 1)))
                memory[REJECTED] += 1.0
        t_next = clock.end if h == clock.end - t else t + h
        due = i <= clock.steps and output_time(i, clock) <= t + h
        if due:
            prepare_dense(t, h, y, tableau, A, W, S)
        project(t_next, S.new, A, W)  # before anything is recorded, which must not change it
        if A.controllers.rows.shape[0] > 0 and W.status[CODE] == OK:
            status = take_samples(t_next, S.new, A, W, S)
            if status != OK:
                memory[REACHED], memory[NEXT_STEP] = t, h
                return status, i, row
        while due and W.status[CODE] == OK:
            t_out = output_time(i, clock)
            interpolate((t_out - t) / h, h, y, tableau, S)
            if A.controllers.rows.shape[0] > 0 and t_next - t_out <= 1e-9 * h + 1e-14 * abs(t_next):
                hold_as(S.new, S.y, A)  # what was sampled at the end of the step holds from there on
            project(t_out, S.y, A, W)
            if W.status[CODE] == OK:
                look_at(t_out, t_out, W)
                rhs(t_out, S.y, S.f[7], A, W)
            if W.status[CODE] == OK:
                observe(t_out, S.y, A, W, rec[row])
                row += 1
                i = min(i + clock.every, clock.steps) if i < clock.steps else clock.steps + 1
                due = i <= clock.steps and output_time(i, clock) <= t + h
        if W.status[CODE] != OK:
            memory[REACHED], memory[NEXT_STEP] = t, h
            return W.status[CODE], i, row
        W.constraint.choose[0] = 1
        copy(S.new, y)
        t = t_next
        factor = 10.0 if error == 0.0 else min(10.0, max(0.2, 0.9 * error ** (-1.0 / (tableau.order + 1))))
        h *= factor
        memory[ACCEPTED] += 1.0
        if row >= rec.shape[0] - 257:
            break
    memory[REACHED], memory[NEXT_STEP] = t, h
    return OK, i, row


def step_error(y, h, tableau, A, S, rtol, atol, energy):
    """Return the scaled error of a step over the formulation's own state and the works (Hairer, Norsett, Wanner II.10).

    A work is measured against the kinetic energy and the largest work, so that one that hardly changes does not rule.
    """
    works = A.states + A.rows.shape[0] + A.coordinates.shape[0]
    for m in range(A.states, works):
        energy = max(energy, abs(y[m]), abs(S.new[m]))
    e5, e3 = 0.0, 0.0
    for m in range(works):
        scale = atol + rtol * (max(abs(y[m]), abs(S.new[m])) if m < A.states else energy)
        s5, s3 = 0.0, 0.0
        for j in range(tableau.e5.shape[0]):
            s5 += tableau.e5[j] * S.k[j, m]
            s3 += tableau.e3[j] * S.k[j, m]
        e5 += (s5 / scale) ** 2
        e3 += (s3 / scale) ** 2
    if e5 == 0.0 and e3 == 0.0:
        return 0.0
    return abs(h) * e5 / math.sqrt((e5 + 0.01 * e3) * max(works, 1))


def prepare_dense(t, h, y, tableau, A, W, S):
    """Fill S.f with what interpolation needs; the 8(5,3) pair takes three more evaluations for it."""
    stages = tableau.b.shape[0]
    n = y.shape[0]
    if tableau.dense.shape[1] == 4:
        return
    for s in range(stages + 1, tableau.a.shape[0]):
        combine(y, h, tableau.a[s], S.k, s, S.y)
        evaluate(t + tableau.c[s] * h, h, S.y, S.k[s], A, W, S)
    for m in range(n):
        delta = S.new[m] - y[m]
        S.f[0, m] = delta
        S.f[1, m] = h * S.k[0, m] - delta
        S.f[2, m] = 2.0 * delta - h * (S.k[stages, m] + S.k[0, m])
        for r in range(4):
            total = 0.0
            for j in range(tableau.dense.shape[1]):
                total += tableau.dense[r, j] * S.k[j, m]
            if r < 3:
                S.f[3 + r, m] = h * total
            else:
                S.f[6, m] = h * total


def interpolate(x, h, y, tableau, S):
    """Fill S.y with the state at the fraction x of the step."""
    if tableau.dense.shape[1] == 4:
        for m in range(y.shape[0]):
            total = 0.0
            for j in range(tableau.dense.shape[0]):
                p = tableau.dense[j]
                total += S.k[j, m] * x * (p[0] + x * (p[1] + x * (p[2] + x * p[3])))
            S.y[m] = y[m] + h * total
        return
    for m in range(y.shape[0]):
        value = 0.0
        for r in range(6, -1, -1):
            value += S.f[r, m]
            value *= x if (6 - r) % 2 == 0 else 1.0 - x
        S.y[m] = y[m] + value
