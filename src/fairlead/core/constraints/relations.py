"""Relations between joint coordinates: f(q) = 0 as one equation over all bodies of its coordinates.

Each coordinate has a row that measures it between two bodies, q' = J_k (v, w) and q'' = J_k (a, al) - gamma_k. With the
slopes f_k and curvatures f_kl of f, f' = sum f_k q_k' and f'' = sum f_k q_k'' + sum f_kl q_k' q_l'. So the rows f_k J_k
together are one equation with gamma = sum f_k gamma_k - sum f_kl q_k' q_l', and one multiplier, which stands with the
first of them (the `head`); the others follow it by `next`.
"""

from __future__ import annotations

import math

from fairlead.core.arrays import ANGLE, CONSTANT, FREE
from fairlead.core.expressions.evaluate import evaluate
from fairlead.core.jit.by_symbol import when_needed
from fairlead.core.jit.kernel import inlined, kernel
from fairlead.core.vec import dot, v3


@kernel
def pair_times(J, r, ends, W, field):
    """Return row r of J times the velocities (field 0) or accelerations (field 1) of its own two bodies."""
    total = 0.0
    for side in range(2):
        b = ends[r, side]
        if b >= 0:
            o, at = W.bodies[b], 6 * side
            lin, ang = (v3(o.u), v3(o.w)) if field == 0 else (v3(o.a), v3(o.al))
            total += dot(v3(J[r, at:]), lin) + dot(v3(J[r, at + 3 :]), ang)
    return total


@kernel
def recall_turns(y, A, W):
    """Put measured coordinates of relations where the state has counted them to be, so that their turn is known."""
    at = A.states + A.rows.shape[0] + A.coordinates.shape[0] + 6
    for i in range(A.relations.shape[0]):
        for r in range(A.relations[i].head, A.relations[i].last):
            k = A.constraints[r].of
            if A.coordinates[k].code == CONSTANT:
                W.coordinates[k].q = y[at + k]


@kernel
def relation_rows(A, W):
    """Make one equation of the rows of each relation, which hold what they measure."""
    C = W.constraint
    for i in range(A.relations.shape[0]):
        L = A.relations[i]
        n = L.last - L.head
        for m in range(n):
            r = L.head + m
            c = A.constraints[r]
            q = c.sign * C.phi[r]
            if c.code == ANGLE:
                q += 2.0 * math.pi * math.floor((W.coordinates[c.of].q - q) / (2.0 * math.pi) + 0.5)
            C.values[1 + m] = q
            C.rates[m] = c.sign * pair_times(C.J, r, C.ends, W, 0)
        gamma, p = 0.0, L.program + 1 + n
        for k in range(n):
            for m in range(k, n):
                curvature = evaluate(A.programs, p, C.values, W.stack)
                gamma -= (1.0 if m == k else 2.0) * curvature * C.rates[k] * C.rates[m]
                p += 1
        for m in range(n):
            r = L.head + m
            slope = evaluate(A.programs, L.program + 1 + m, C.values, W.stack)
            C.slope[r] = slope
            slope *= A.constraints[r].sign
            gamma += slope * C.gamma[r]
            for e in range(12):
                C.J[r, e] *= slope
            C.phi[r], C.nu[r], C.gamma[r] = 0.0, 0.0, 0.0
        C.phi[L.head] = evaluate(A.programs, L.program, C.values, W.stack)
        C.gamma[L.head] = gamma


@inlined
def pushing(r, A, W):
    """Return the row that has the multiplier of row r."""
    head = W.constraint.head[r]
    return r if head < 0 else head


@kernel
def chain_product(r, k, C, Y, J):
    """Return the product of two equations over the bodies they share, a row of Y by one of J."""
    total = 0.0
    while r >= 0:
        q = k
        while q >= 0:
            for p in range(2):
                for s in range(2):
                    if C.ends[r, p] >= 0 and C.ends[r, p] == C.ends[q, s]:
                        for m in range(6):
                            total += Y[r, 6 * p + m] * J[q, 6 * s + m]
            q = C.next[q]
        r = C.next[r]
    return total


@kernel
def fill_chains(A, W):
    """Fill the entries of S that relations have a part in."""
    C = W.constraint
    choosing = C.choose[0] != 0
    for j in range(C.lowest[-1]):
        r, first, at = C.live[j], C.skyline[j, 0], C.skyline[j, 1]
        if C.skip[r] and not choosing:
            continue
        for k in range(first, j + 1):
            q = C.live[k]
            if (C.next[r] >= 0 or C.next[q] >= 0) and (choosing or C.skip[q] == 0):
                C.S[at + k] = chain_product(r, q, C, C.Y, C.J)


@kernel
def drive_alone(A, W):
    """Take what relations push along driven coordinates of trees out of what joints carry: the driver's is left."""
    for i in range(A.relations.shape[0]):
        for r in range(A.relations[i].head, A.relations[i].last):
            c = A.constraints[r]
            if A.joints[c.joint].in_tree and A.coordinates[c.of].code != FREE:
                W.coordinates[c.of].drive += W.constraint.lam[c.head] * W.constraint.slope[r]


relation_rows_by_symbol = when_needed(relation_rows)
recall_turns_by_symbol = when_needed(recall_turns)
fill_chains_by_symbol = when_needed(fill_chains)
drive_alone_by_symbol = when_needed(drive_alone)
