"""Loops in trees: the cut joints' equations J a = gamma, solved through the square root of the tree's mass matrix.

With M = L L^T the rows Y = J L^-T give J M^-1 J^T = Y Y^T, the same envelope-sparse system as in `constrained`; its
multipliers push the bodies with -J^T lam. Row r of Y touches only the degrees of freedom on the way from its two bodies
to their bases (`loop_columns`). How L is had is the formulation's own: by recursion or from the matrix itself.
"""

from __future__ import annotations

from fairlead.core.arrays import NOT_CLOSED
from fairlead.core.codes import ABOUT, CODE, GAP_ACCEPTED, NEWTON_STEPS, POSITION_GAP, STILL_PIVOT
from fairlead.core.constraints.envelope import factorise, solve
from fairlead.core.constraints.reactions import measure_rows, push_free, reactions, unwrap, world_wrench
from fairlead.core.constraints.relations import pushing
from fairlead.core.constraints.rows import constraint_rows, position_gap, row_times, velocity_error
from fairlead.core.jit.by_symbol import WRENCH, when_needed
from fairlead.core.jit.kernel import inlined, kernel
from fairlead.core.trees.state import unit_quaternions
from fairlead.core.vec import axpy, dot, put3, v3

POSITION_TOLERANCE, VELOCITY_TOLERANCE, MOST_STEPS = 1e-13, 1e-12, 20
WEAK = 1e-2  # pivot below which another choice of equations may be stronger
NEAR = 1e-3  # of what the equation would move if its bodies were free: may be that of a singular position
TAME = 1e-8  # s^2: a projection would make rounding e of x' = e / s^2, where the motion itself has far less
SLIPPING = 1e-9  # [m/s, rad/s] a velocity left over by equations that were not kept


@kernel
def lay_out_loops(A, C):
    """Number the active rows and lay out the envelope over them; return how many there are.

    C.b holds meanwhile how many active rows stand before each row.
    """
    n, used = 0, 0
    for r in range(A.constraints.shape[0]):
        C.b[r] = n
        if not C.active[r]:
            C.skip[r] = 1
            continue
        first = int(C.b[A.envelope[r, 0]])
        C.live[n] = r
        C.skyline[n, 0], C.skyline[n, 1] = first, used - first
        used += n - first + 1
        n += 1
    C.lowest[-1] = n
    return n


@kernel
def fill_loop_matrix(A, W):
    """Fill S = Y Y^T inside its envelope and factorise it; equations that others imply are skipped."""
    C = W.constraint
    choosing = C.choose[0] != 0
    if choosing:
        lay_out_loops(A, C)
    for j in range(C.lowest[-1]):
        first, row = C.skyline[j, 0], C.skyline[j, 1]
        if C.skip[C.live[j]] and not choosing:
            continue
        for k in range(first, j + 1):
            if choosing or C.skip[C.live[k]] == 0:
                C.S[row + k] = product_of_rows(C.live[j], C.live[k], A, W.free.Y)
            else:
                C.S[row + k] = 0.0
    if choosing:
        C.top[0] = 0.0
        for j in range(C.lowest[-1]):
            r = C.live[j]
            C.held[j] = C.S[C.skyline[j, 1] + j]
            C.scale[r] = moved_if_free(r, A, W)
            if C.scale[r] > 0.0:
                C.top[0] = max(C.top[0], C.S[C.skyline[j, 1] + j] / C.scale[r])
    factorise(C.S, C, WEAK, NEAR)


@kernel
def moved_if_free(r, A, W):
    """Return J M^-1 J^T of row r as if its bodies were free, at least: with the sum of the moments of inertia."""
    total = 0.0
    while r >= 0:
        for side in range(2):
            i = A.constraints[r].i if side == 0 else A.constraints[r].j
            if i >= 0:
                b, J = A.bodies[i], W.constraint.J[r, 6 * side :]
                moments = b.I_BB_D[0] + b.I_BB_D[1] + b.I_BB_D[2]
                if b.mass > 0.0:
                    total += dot(v3(J), v3(J)) / b.mass
                if moments > 0.0:
                    total += dot(v3(J[3:]), v3(J[3:])) / moments
        r = A.constraints[r].next
    return total


@kernel
def product_of_rows(r, k, A, Y):
    """Return the product of two rows of Y over the degrees of freedom they share."""
    at, columns = A.loop_at, A.loop_columns
    p, q, total = at[r], at[k], 0.0
    while p < at[r + 1] and q < at[k + 1]:
        if columns[p] == columns[q]:
            total += Y[p] * Y[q]
            p += 1
            q += 1
        elif columns[p] < columns[q]:
            p += 1
        else:
            q += 1
    return total


@kernel
def push_back(multipliers, A, W):
    """Fill z = Y^T multipliers: what they push along each degree of freedom, through the square root."""
    z = W.free.z
    z[:] = 0.0
    for r in range(A.constraints.shape[0]):
        if not W.constraint.skip[r]:
            for p in range(A.loop_at[r], A.loop_at[r + 1]):
                z[A.loop_columns[p]] += W.free.Y[p] * multipliers[r]


@kernel
def keep_row(r, A, W):
    """Move a row that was gathered in z to its place in Y, leaving z empty."""
    for p in range(A.loop_at[r], A.loop_at[r + 1]):
        c = A.loop_columns[p]
        W.free.Y[p] = W.free.z[c]
        W.free.z[c] = 0.0


@kernel
def loop_multipliers(A, W):
    """Solve Y Y^T lam = J a - gamma for the accelerations the bodies have without the loops."""
    C = W.constraint
    for j in range(C.lowest[-1]):
        r = C.live[j]
        C.c[j] = row_times(C.J, r, A.constraints[r], W, 1) - C.gamma[r]
    solve(C.S, C.lam, C)


@kernel
def add_loop_forces(A, W):
    """Add what the multipliers do to the loads of each body: -J^T lam (MBDM note Eq. 65).

    A relation pushes along joints: those of the tree pass that inward like the force of a driver.
    """
    for r in range(A.constraints.shape[0]):
        c, p = A.constraints[r], pushing(r, A, W)
        if W.constraint.skip[p] or not W.constraint.active[p] or (c.head >= 0 and A.joints[c.joint].in_tree):
            continue
        lam = W.constraint.lam[p]
        for side in range(2):
            i = c.i if side == 0 else c.j
            if i >= 0:
                b, J = W.bodies[i], W.constraint.J[r, 6 * side :]
                put3(b.f, axpy(-lam, v3(J), v3(b.f)))
                put3(b.n, axpy(-lam, v3(J[3:]), v3(b.n)))


@kernel
def say_of_known(A, W):
    """Fill what the rows say of the accelerations that are known before they are solved: J a - gamma."""
    C = W.constraint
    for r in range(A.constraints.shape[0]):
        if C.active[r]:
            C.bias[r] = row_times(C.J, r, A.constraints[r], W, 1) - C.gamma[r]


@kernel
def loop_errors(A, W):
    """Fill the rows; return how far they are violated: the largest violation of positions and of velocities."""
    constraint_rows(A, W)
    say_of_known(A, W)
    gap, slip = position_gap(A, W), velocity_error(A, W)
    W.constraint.worst[POSITION_GAP] = gap
    return gap, slip


@kernel
def loop_residuals(positions, A, W):
    """Solve for the multipliers of a change that closes positions (or velocities), with the factors at hand."""
    C = W.constraint
    for j in range(C.lowest[-1]):
        r = C.live[j]
        C.c[j] = C.phi[r] if positions else row_times(C.J, r, A.constraints[r], W, 0) - C.nu[r]
    solve(C.S, C.b, C)


@kernel
def loop_reactions(A, W):
    """Fill the wrench of each loop joint and return what those to the world bring in."""
    reactions(A, W)
    return world_wrench(A, W)


loop_reactions_by_symbol = when_needed(loop_reactions, WRENCH)


@kernel
def loop_rows(y, A, W):
    """Fill the loop equations of placed bodies and what they measure."""
    constraint_rows(A, W)
    if W.constraint.choose[0]:
        W.constraint.worst[POSITION_GAP] = position_gap(A, W)
    if W.constraint.choose[0] or W.constraint.near[0]:
        say_of_known(A, W)
    measure_rows(A, W)
    unwrap(y, A, W)


@inlined
def loop_wrench(A, W):
    """Fill the wrench of each loop joint and return the force of those to the world, moment about its origin."""
    F, N = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    if A.constraints.shape[0] > 0:
        F, N = loop_reactions_by_symbol(A, W)
    return F, N


loop_rows_by_symbol = when_needed(loop_rows)
push_free_by_symbol = when_needed(push_free)


def close_loops(t, y, A, W):  # replaced when bound
    raise NotImplementedError


def look(t, y, A, W):  # replaced when bound
    raise NotImplementedError


def factorise_here(A, W):  # replaced when bound
    raise NotImplementedError


def change(t, y, positions, A, W):  # replaced when bound
    raise NotImplementedError


def gather(i, lin, ang, A, W):  # replaced when bound
    raise NotImplementedError


def through_root(A, W):  # replaced when bound
    raise NotImplementedError


def factorise_template(A, W):
    """Fill and factorise Y Y^T of the loop equations, Y = J L^-T, gathering what each row pushes in z."""
    W.free.z[:] = 0.0
    for r in range(A.constraints.shape[0]):
        if not W.constraint.active[r]:
            continue
        q = r
        while q >= 0:
            c, J = A.constraints[q], W.constraint.J[q]
            if c.i >= 0:
                gather(c.i, v3(J), v3(J[3:]), A, W)
            if c.j >= 0:
                gather(c.j, v3(J[6:]), v3(J[9:]), A, W)
            q = c.next
        through_root(A, W)
        keep_row(r, A, W)
    fill_loop_matrix(A, W)


def project_template(t, y, A, W):
    """Bring quaternions to unit length and the state back onto the loops after a step."""
    unit_quaternions(y, A)
    if A.constraints.shape[0] > 0:
        close_loops(t, y, A, W)


def close_template(t, y, A, W):
    """Bring the state back onto the loops after a step.

    The factors of the first look serve all corrections, which are of the order of the step's own error. Equations that
    were not kept are looked at too: where one stays open, the choice is made again.
    """
    W.status[CODE], W.constraint.newton[STILL_PIVOT] = 0, TAME
    gap, slip = look(t, y, A, W)
    if gap > POSITION_TOLERANCE or slip > VELOCITY_TOLERANCE:
        factorise_here(A, W)
    steps = 0
    while gap > POSITION_TOLERANCE and steps < MOST_STEPS:
        change(t, y, True, A, W)
        before = gap
        gap, slip = look(t, y, A, W)
        steps += 1
        if gap > 0.1 * before:
            if gap < W.constraint.newton[GAP_ACCEPTED]:
                break
            if gap > 0.5 * before:
                W.constraint.choose[0], W.constraint.newton[STILL_PIVOT] = 1, 0.0
            factorise_here(A, W)
    if not gap <= W.constraint.newton[GAP_ACCEPTED]:
        W.status[CODE], W.status[ABOUT] = NOT_CLOSED, 0
    if slip > VELOCITY_TOLERANCE:
        change(t, y, False, A, W)
        gap, slip = look(t, y, A, W)
    if slip > SLIPPING:
        W.constraint.choose[0], W.constraint.newton[STILL_PIVOT] = 1, 0.0
        factorise_here(A, W)
        change(t, y, False, A, W)
        look(t, y, A, W)
    W.constraint.worst[NEWTON_STEPS], W.constraint.newton[STILL_PIVOT] = steps, 0.0
    W.constraint.choose[0] = 1  # at the next evaluation: the state is closed
