"""The six equations of a floating turbine: placing its bodies, and solving for X1 to X6 once momentum is known.

State of Dissertation Chapters 3 and 4: X1 X2 X3 (mass centre G_s of the system, world axes), X4 X5 X6 (1-2-3 angles of
the tower), their rates. How the angular momentum follows from them is each chapter's own.
"""

from __future__ import annotations

import math

from fairlead.core.added_mass import joined, solved, uncoupled
from fairlead.core.arrays import GIMBAL, SINGULAR_MASS
from fairlead.core.codes import ABOUT, CODE
from fairlead.core.inverse import transmit
from fairlead.core.jit.kernel import kernel
from fairlead.core.layout import ATTITUDE, RATES_123, SECOND_ANGLE, THIRD_ANGLE, VELOCITY_123, put_three, three
from fairlead.core.loads.table import settle_added_mass
from fairlead.core.quadrature import work_and_impulse
from fairlead.core.rotation import body_rates, euler123_rates, euler123_remainder, from_euler123
from fairlead.core.trees.kinematics import IDENTITY, ZERO
from fairlead.core.vec import (
    add,
    axpy,
    congruence,
    cross,
    matmul,
    matvec,
    put3,
    put6,
    put9,
    scale,
    solve_sym3,
    sub,
    tmatvec,
    v3,
    v6,
    v9,
)


@kernel
def place_body(i, motion, R, w, x, u, A, W):
    """Fill where body i is, given its motion from a point that is at x, moving with u, in axes that turn with w.

    R maps to world axes. Position Eq. 4.14, velocity Eq. 4.11; a and al without what the unknown accelerations add.
    """
    T, w_i, dw_i, r, dr, ddr = motion
    o = W.bodies[i]
    R_i = matmul(R, T)
    put9(o.R, R_i)
    put6(o.I, congruence(R_i, v6(A.bodies[i].I_BB_D)))
    put3(o.w, matvec(R, add(w, w_i)))
    put3(o.al, matvec(R, add(dw_i, cross(w, w_i))))
    put3(o.x, add(x, matvec(R, r)))
    wr = cross(w, r)
    put3(o.u, add(u, matvec(R, add(dr, wr))))
    put3(o.a, matvec(R, add(add(ddr, scale(2.0, cross(w, dr))), cross(w, wr))))


@kernel
def place_joints(x, A, W):
    """Fill positions from the point x that records count from, and the joints' points and axes: world axes."""
    for i in range(A.bodies.shape[0]):
        put3(W.bodies[i].r, sub(v3(W.bodies[i].x), x))
    for i in range(1, A.bodies.shape[0]):
        b, p = A.bodies[i], W.bodies[i - 1]
        joint = add(v3(p.r), matvec(v9(p.R), v3(b.r_PJ_D)))
        put3(W.bodies[i].joint_x, joint)
        o = W.coordinates[b.first]
        put3(o.x_axis, joint)
        put3(o.axis_W, matvec(v9(p.R), v3(A.coordinates[b.first].axis_D)))


@kernel
def add_accelerations(a, al, x, A, W):
    """Add to every body what the acceleration of the point at x and the tower's angular acceleration bring."""
    for i in range(A.bodies.shape[0]):
        b = W.bodies[i]
        put3(b.a, add(v3(b.a), add(a, cross(al, sub(v3(b.x), x)))))
        put3(b.al, add(v3(b.al), al))


@kernel
def sum_of_loads(x, A, W):
    """Return the sum of all forces, gravity included, and of their moments about the point x, world axes."""
    F, M = ZERO, ZERO
    for i in range(A.bodies.shape[0]):
        b = W.bodies[i]
        f = axpy(A.bodies[i].mass, v3(A.gravity), v3(b.f))
        F = add(F, f)
        M = add(M, add(v3(b.n), cross(sub(v3(b.x), x), f)))
    return F, M


@kernel
def tower_rates(y):
    """Return the angular velocity of the tower in its own axes. Dissertation Eqs. 3.7, 4.5."""
    return body_rates(y[SECOND_ANGLE], y[THIRD_ANGLE], three(y, RATES_123))


@kernel
def place_floating(y, arm, nacelle, rotor, A, W):
    """Place all bodies from the state; `arm` is rho_Gt/Gs and its two derivatives, in tower axes.

    Attitude Eq. 3.13, positions Eq. 4.14 with rho_Gi/Gs = rho_Gi/Gt + rho_Gt/Gs.
    """
    if math.cos(y[SECOND_ANGLE]) < 1e-3:
        W.status[CODE], W.status[ABOUT] = GIMBAL, A.bodies[0].user
    a, b, c = three(y, ATTITUDE)
    T_sI, w, x, u = from_euler123(a, b, c), tower_rates(y), v3(y), three(y, VELOCITY_123)
    place_body(0, from_centre((IDENTITY, ZERO, ZERO, ZERO, ZERO, ZERO), arm), T_sI, w, x, u, A, W)
    place_body(1, from_centre(nacelle, arm), T_sI, w, x, u, A, W)
    if A.bodies.shape[0] > 2:
        place_body(2, from_centre(rotor, arm), T_sI, w, x, u, A, W)
    place_joints(v3(W.bodies[0].x), A, W)
    put3(W.trees[0].G, sub(x, v3(W.bodies[0].x)))
    put3(W.trees[0].dG, sub(u, v3(W.bodies[0].u)))


@kernel
def from_centre(motion, arm):
    """Return a motion counted from another point, G_s or a fixed one, from which G_t is at `arm` (and its rates)."""
    T, w, dw, r, dr, ddr = motion
    return T, w, dw, add(r, arm[0]), add(dr, arm[1]), add(ddr, arm[2])


@kernel
def solve_floating(y, dy, I_s, known, A, W):
    """Solve sum F = m a_Gs and sum M = I_s w' + known (tower axes), and write rates, accelerations and joint forces.

    Eqs. 3.1 and 3.12, 4.1 and 4.13; the angles follow from w' as X'' = T^-1 (w' - RE), MCM paper Eqs. 21-23.
    """
    x, T_sI, mass = v3(y), v9(W.bodies[0].R), A.trees[0].mass
    F, M = sum_of_loads(x, A, W)
    if W.added.shape[0] > 0:
        a, al = with_added_mass(F, sub(M, matvec(T_sI, known)), congruence(T_sI, I_s), mass, x, A, W)
        dw = tmatvec(T_sI, al)
    else:
        a = scale(1.0 / mass, F)
        dw, det = solve_sym3(I_s, sub(tmatvec(T_sI, M), known))
        if not det > 0.0:
            W.status[CODE], W.status[ABOUT] = SINGULAR_MASS, A.bodies[0].user
    for i in range(VELOCITY_123):
        dy[i] = y[VELOCITY_123 + i]
    b, c = y[SECOND_ANGLE], y[THIRD_ANGLE]
    rest = sub(dw, euler123_remainder(b, c, three(y, RATES_123)))
    put_three(dy, VELOCITY_123, a)
    put_three(dy, RATES_123, euler123_rates(b, c, rest))
    add_accelerations(a, matvec(T_sI, dw), x, A, W)
    if W.added.shape[0] > 0:
        settle_added_mass(A, W)
    transmit(0, A.bodies.shape[0], A, W)
    work_and_impulse(dy, ZERO, ZERO, A, W)


@kernel
def with_added_mass(F, M, I, mass, x, A, W):
    """Return both accelerations where added mass couples them (world axes): the 3x3 blocks become one 6x6 about G_s."""
    equations = uncoupled(mass, I, F, M)
    for i in range(A.bodies.shape[0]):
        if A.bodies[i].wet:
            b = W.bodies[i]
            equations = joined(equations, W.added[i], sub(v3(b.x), x), v3(b.a), v3(b.al))
    a, al, regular = solved(equations)
    if not regular:
        W.status[CODE], W.status[ABOUT] = SINGULAR_MASS, A.bodies[0].user
    return a, al


@kernel
def drift_six(y, dy, A):
    """Write the rates of X1 to X6."""
    for i in range(6):
        dy[i] = y[6 + i]
