"""Symmetric matrices between active constraint equations, stored row by row from the first that shares a body.

Equations are ordered so that joints on the same body stand close (`model/joints/equations.py`); factors stay inside
the envelope, so chains and ladders cost in proportion to their length. Rows that only measure are left out: row j,
column k of the active ones is S[start[j] + k] for first[j] <= k <= j.
"""

from __future__ import annotations

from fairlead.core.codes import (
    CHANGED,
    FEWER_KEPT,
    MOST_KEPT,
    MUCH_CHANGE,
    POSITION_GAP,
    SOUND,
    STILL_PIVOT,
    WITH_FRAIL,
    ZERO_PIVOT,
)
from fairlead.core.jit.kernel import inlined, kernel

AS_CHOSEN, IN_ORDER, CAREFULLY, ALL = 0, 1, 2, 3  # which rows an elimination keeps
PUT_OFF = 2  # in C.skip: a doubtful row, whose turn comes last
OPEN = 100.0  # times the square of the worst violation: what it may make of a redundant pivot
UNMOVED = 1e-3  # times that, of what the equation would move if its bodies were free
QUIET = 1e-6  # of its members: a sum that vanishes
DOUBTFUL = 1e-2  # on the system's scale: put off when the choice is made again with care
MANY = 8  # doubtful equations that are taken one by one
ROUNDING = 1e-9  # by which a pivot may seem doubtful or not
UNIT = 2e-15  # what rounding makes of an entry, of the entry itself
SUSPECT = 1e-6  # pivot that may be the rounding of a redundant one, grown by weak ones before it
CLOSED, CLEAR = 1e-9, 1e-8  # violation below which, and smallest pivot above which, those kept are as many as the rank


@kernel
def lay_out(C):
    """Number the active rows and lay out their envelope; return how many there are."""
    bodies = C.lowest.shape[0] - 1
    for b in range(bodies):
        C.lowest[b] = -1
    n, used = 0, 0
    for r in range(C.ends.shape[0]):
        if not C.active[r]:
            C.skip[r] = 1
            continue
        first, q = n, r
        while q >= 0:
            for side in range(2):
                b = C.ends[q, side]
                if b >= 0:
                    if C.lowest[b] < 0:
                        C.lowest[b] = n
                    first = min(first, C.lowest[b])
            q = C.next[q]
        C.live[n] = r
        C.skyline[n, 0], C.skyline[n, 1] = first, used - first
        used += n - first + 1
        n += 1
    C.lowest[bodies] = n
    return n


@kernel
def factorise(S, C, weak, near):
    """Turn S into its factors L D L^T in place, with 1/D on the diagonal, zero for equations that others imply.

    Which equations are kept stays as it is (`C.skip`) until `C.choose` asks for a new choice: a state off the
    constraints by e makes the pivots of redundant equations about e^2, so the choice is made where they are closed. A
    pivot below `weak` of what its equation moves has the choice made again with care; one below `near` may be that of a
    singular position (`quieten`).
    """
    if C.choose[0] == 0:
        smallest = refactorise(S, C, max(C.newton[ZERO_PIVOT], C.newton[STILL_PIVOT]))
        C.weakest[SOUND] = 0.0 if C.stages[FEWER_KEPT] else smallest
        if C.near[0] > 0:
            quieten(S, C)
        return
    C.choose[0] = 0
    least = C.newton[ZERO_PIVOT] + OPEN * C.worst[POSITION_GAP] * C.worst[POSITION_GAP]
    for k in range(S.shape[0]):
        C.T[k] = S[k]
    if eliminate(S, C, IN_ORDER, least, 0) < weak:
        choose_carefully(S, C, least)
    if near > 0.0:
        find_frail(S, C, near)
    note_pivots(S, C)


@kernel
def note_pivots(S, C):
    """Keep the pivots of a choice just made, so that stages can be compared with it."""
    kept, weakest, strict = 0, 1.0, 1.0
    for j in range(C.lowest[-1]):
        at = C.skyline[j, 1] + j
        C.first[j] = 0.0
        if S[at] > 0.0:
            C.first[j] = 1.0 / S[at]
            kept += 1
            part = C.first[j] / max(C.T[at], C.top[0] * C.scale[C.live[j]])
            strict = min(strict, part)
            if not C.frail[j]:
                weakest = min(weakest, part)
    lost = kept < C.stages[MOST_KEPT]
    C.weakest[SOUND], C.weakest[WITH_FRAIL] = (0.0, 0.0) if lost else (weakest, strict)
    C.stages[CHANGED] = C.stages[FEWER_KEPT] = int(lost)
    if C.worst[POSITION_GAP] < CLOSED and strict > CLEAR:
        C.stages[MOST_KEPT] = max(C.stages[MOST_KEPT], kept)


@kernel
def refactorise(S, C, least):
    """Factorise S with the equations that were kept; return the smallest pivot, on the system's scale.

    Rows that are not kept become zero: nothing asks for them.
    """
    smallest, most = 1.0, C.newton[MUCH_CHANGE]
    least_of_frail = 0.0 if C.newton[STILL_PIVOT] == 0.0 else least
    for j in range(C.lowest[-1]):
        first, at, r = C.skyline[j, 0], C.skyline[j, 1], C.live[j]
        if C.skip[r]:
            S[at + first : at + j + 1] = 0.0
            continue
        divide_row(j, S, C)
        whole = S[at + j]
        pivot = whole
        for k in range(first, j):
            part = S[at + k] * S[C.skyline[k, 1] + k]
            pivot -= part * S[at + k]
            S[at + k] = part
        good = not pivot <= (least_of_frail if C.frail[j] else least) * whole
        size = max(whole, C.top[0] * C.scale[r])
        if not pivot >= (least if C.frail[j] else DOUBTFUL) * size:
            smallest = min(smallest, pivot / size if good else 0.0)
            if C.frail[j] or not C.first[j] < most * pivot < most * most * C.first[j]:
                C.stages[CHANGED] = 1
        S[at + j] = 1.0 / pivot if good else 0.0
    return smallest


@inlined
def divide_row(j, S, C):
    """Turn row j of S, before its diagonal, into L times D by the factors above it."""
    first, at = C.skyline[j, 0], C.skyline[j, 1]
    for k in range(first, j):
        here, low = C.skyline[k, 1], max(first, C.skyline[k, 0])
        mine, its = S[at + low : at + k], S[here + low : here + k]
        total = S[at + k]
        for i in range(k - low):
            total -= mine[i] * its[i]
        S[at + k] = total


@kernel
def eliminate(S, C, way, least, start):
    """Factorise S; return the smallest pivot that was kept, on the system's scale, or 1 where there is no choice.

    Rows before `start` are factorised already. Those of equations that are not kept become zero.

    `way` says which rows are kept: those that `C.skip` says (AS_CHOSEN), all (ALL), or those whose pivot is above
    `least` and above its rounding (IN_ORDER), doubtful ones being put off, which ends when they are MANY (CAREFULLY).
    What an equation can move at all is measured by what it would move if its bodies were free (`C.scale`): in a tree
    the diagonal of a redundant one may itself be rounding, and a small diagonal makes a weak equation even if no other
    says the same.

    A pivot D_j = S_jj - sum L_jk^2 D_k has the rounding of S_jj and L_jk^2 times that of each D_k: light bodies make
    entries, and with them rounding, that are large beside the pivots of others.
    """
    smallest, spare, doubtful = 1.0, False, 0
    for j in range(start, C.lowest[-1]):
        first, at, r = C.skyline[j, 0], C.skyline[j, 1], C.live[j]
        if way == AS_CHOSEN and C.skip[r]:
            S[at + first : at + j + 1] = 0.0
            continue
        divide_row(j, S, C)
        whole = S[at + j]
        pivot, lost = whole, UNIT * whole
        for k in range(first, j):
            part = S[at + k] * S[C.skyline[k, 1] + k]
            pivot -= part * S[at + k]
            lost += part * part * C.rounding[k]
            S[at + k] = part
        C.rounding[j] = min(lost, SUSPECT * whole)
        if way in (AS_CHOSEN, ALL):
            good = not pivot <= 0.0
        else:
            size = size_of(j, C)
            good = not (pivot <= max(least * whole, C.rounding[j]) or whole <= UNMOVED * least * C.scale[r])
            C.skip[r] = 0 if good else 1
            if good and pivot < DOUBTFUL * size and way == CAREFULLY:
                good, C.skip[r] = False, PUT_OFF
                doubtful += 1
            if good and pivot < smallest * size:
                smallest = pivot / size
            spare = spare or (not good and whole > DOUBTFUL * size)
        S[at + j] = 1.0 / pivot if good else 0.0
        if doubtful > MANY:
            break
    return smallest if spare or smallest < SUSPECT else 1.0


@inlined
def size_of(j, C):
    """Return the size that a pivot of row j is compared with when equations are chosen: what the equation moves."""
    return max(C.held[j], C.top[0] * C.scale[C.live[j]])


@kernel
def find_frail(S, C, near):
    """Mark kept equations that are almost implied because a singular position is near, at the start of a step.

    A small pivot may also come from bodies of unlike mass; near a singular position what the combination says of
    accelerations vanishes besides (`quieten`).
    """
    C.near[0] = 0
    count = 0
    for j in range(C.lowest[-1]):
        at, r = C.skyline[j, 1], C.live[j]
        size = max(C.scale[r], C.T[at + j])
        C.frail[j] = int(C.skip[r] == 0 and S[at + j] * near * size > 1.0)
        count += C.frail[j]
    if count > 0:
        say_along_combinations(S, C)
        for j in range(C.lowest[-1]):
            C.frail[j] = int(C.frail[j] > 0 and abs(C.b[j]) < QUIET * C.c[j])
            C.near[0] += C.frail[j]
    if C.near[0] > 0:
        quieten(S, C)


@kernel
def say_along_combinations(S, C):
    """Fill C.b with L^-1 bias, J a - gamma of known accelerations along combinations, and C.c with its members."""
    for j in range(C.lowest[-1]):
        first, at, r = C.skyline[j, 0], C.skyline[j, 1], C.live[j]
        total = C.bias[r]
        C.c[j] = abs(total) + abs(C.gamma[r])
        for k in range(first, j):
            part = S[at + k] * C.b[k]
            total -= part
            C.c[j] += abs(part)
        C.b[j] = total


@kernel
def quieten(S, C):
    """Take out of gamma what it says along almost singular combinations of equations, near a singular position.

    There s x = 0 with a small s holds the motion x across the branch: s x'' = -2 s' x' - s'' x. On the branch x and x'
    vanish; what a stage has of them, e, would become x'' = e / s, and explicit steps of that are unstable. So x'' = 0.
    """
    say_along_combinations(S, C)
    for w in range(C.lowest[-1]):
        if C.frail[w]:
            C.gamma[C.live[w]] += C.b[w]
            for i in range(w + 1, C.lowest[-1]):
                if C.skyline[i, 0] <= w:
                    C.gamma[C.live[i]] += S[C.skyline[i, 1] + w] * C.b[w]


@kernel
def choose_carefully(S, C, least):
    """Choose independent equations again, doubtful ones last and the largest first, so that those kept are strong.

    S comes factorised in order, which stays right up to the first that is doubtful. Each of them costs an elimination.
    Many at once are those of a singular position of many loops, where no choice is strong: they are taken in order.
    """
    n = C.lowest[-1]
    C.frail[:] = 0
    start = first_doubtful(S, C)
    for k in range(S.shape[0]):
        C.in_order[k] = S[k]
    restore(S, C, start)
    eliminate(S, C, CAREFULLY, least, start)
    doubtful = 0
    for j in range(n):
        doubtful += int(C.skip[C.live[j]] == PUT_OFF)
    if doubtful > MANY:
        for k in range(S.shape[0]):
            S[k] = C.in_order[k]
        for j in range(n):
            C.skip[C.live[j]] = int(S[C.skyline[j, 1] + j] == 0.0)
        return
    while True:
        best, pick = least, -1
        for j in range(n):
            if C.skip[C.live[j]] == PUT_OFF:
                left = left_of(j, S, C)
                if left > best:
                    best, pick = left, j
        if pick < 0:
            break
        C.skip[C.live[pick]] = 0
        restore(S, C, pick)
        eliminate(S, C, AS_CHOSEN, 0.0, pick)
    for j in range(n):
        if C.skip[C.live[j]] == PUT_OFF:
            C.skip[C.live[j]] = 1


@kernel
def first_doubtful(S, C):
    """Return the first row kept with a doubtful pivot, or the number of rows."""
    for j in range(C.lowest[-1]):
        if S[C.skyline[j, 1] + j] * DOUBTFUL * size_of(j, C) > 1.0 - ROUNDING:
            return j
    return C.lowest[-1]


@kernel
def restore(S, C, start):
    """Fill S from row `start` on as it was before it was factorised."""
    if start < C.lowest[-1]:
        for k in range(C.skyline[start, 1] + C.skyline[start, 0], S.shape[0]):
            S[k] = C.T[k]


@kernel
def left_of(j, S, C):
    """Return what the kept equations leave of the diagonal of row j, on the system's scale."""
    n, c, start = C.lowest[-1], C.c, C.skyline[j, 0]  # nothing before shares a body with it
    for k in range(start, n):
        low, high = min(j, k), max(j, k)
        c[k] = C.T[C.skyline[high, 1] + low] if C.skyline[high, 0] <= low else 0.0
    left = c[j]
    lost = UNIT * left  # to rounding, as in `eliminate`
    for k in range(start, n):
        first, at = max(start, C.skyline[k, 0]), C.skyline[k, 1]
        for i in range(first, k):
            c[k] -= S[at + i] * c[i]
        part = c[k] * S[at + k]
        left -= part * c[k]
        lost += part * part * C.rounding[k]
    return left / size_of(j, C) if left > lost else 0.0


@kernel
def solve(S, x, C):
    """Solve S x = c for c in C.c and write x by rows; skipped and inactive rows get zero."""
    n, c = C.lowest[-1], C.c
    for j in range(n):
        first, at = C.skyline[j, 0], C.skyline[j, 1]
        total, mine, its = c[j], S[at + first : at + j], c[first:j]
        for k in range(j - first):
            total -= mine[k] * its[k]
        c[j] = total
    for j in range(n):
        c[j] *= S[C.skyline[j, 1] + j]
    for j in range(n - 1, -1, -1):
        first, at, value = C.skyline[j, 0], C.skyline[j, 1], c[j]
        mine, its = S[at + first : at + j], c[first:j]
        for k in range(j - first):
            its[k] -= mine[k] * value
    for r in range(C.ends.shape[0]):
        x[r] = 0.0
    for j in range(n):
        x[C.live[j]] = c[j]


@kernel
def multiply(S, x, out, C):
    """Fill out with S x over active rows, for a matrix that has not been factorised."""
    n = C.lowest[-1]
    for r in range(C.ends.shape[0]):
        out[r] = 0.0
    for j in range(n):
        r, first, at = C.live[j], C.skyline[j, 0], C.skyline[j, 1]
        for k in range(first, j):
            out[r] += S[at + k] * x[C.live[k]]
            out[C.live[k]] += S[at + k] * x[r]
        out[r] += S[at + j] * x[r]
