"""The momentum cloud: six equations of motion for any tree of bodies with driven joints.

MCM paper Eqs. 1-23 and Dissertation Chapter 5, with two departures. The sums P1, Q1, P2, Q2 of Eqs. 14-17 are O(N^2)
in transforms; the same momentum and its rate are gathered here in one outward sweep. And they are gathered in world
axes, where loads and records live, instead of the axes C_s of the base: Eq. 4, dH/dt = M_Gs, is the same in both.

State of a free tree: mass centre of the tree X (3), attitude of the base (quaternion 4 or 1-2-3 angles 3), velocity of
the mass centre (3), angular velocity of the base in its own axes (3) or rates of the angles (3).
"""

from __future__ import annotations

import math

from fairlead.core.arrays import EULER123, GIMBAL, QUATERNION, SINGULAR_MASS
from fairlead.core.compiled import inlined, kernel
from fairlead.core.inverse import transmit, tree_joints
from fairlead.core.kinematics import IDENTITY, ZERO, absolute, accelerate, mass_centre, outward
from fairlead.core.loads.all import load
from fairlead.core.loads.matrices import half, settle_added_mass, unit6
from fairlead.core.motions import move
from fairlead.core.observe import write_record
from fairlead.core.quadrature import work_and_impulse
from fairlead.core.rotation import (
    body_rates,
    euler123_rates,
    euler123_remainder,
    from_euler123,
    from_quaternion,
    quaternion_rate,
)
from fairlead.core.vec import add, axpy, cross, dot, matvec, scale, solve_sym3, sub, symvec, tmatvec, v3, v6, v9


@kernel
def rhs(t, y, dy, A, W):
    """Fill dy, the rate of the state and of the integrals of work and impulse, and W with everything on the way."""
    place_bodies(t, y, A, W)
    solve_motion(t, y, dy, A, W)


@inlined
def place_bodies(t, y, A, W):
    """Place every body: what loads need to know."""
    W.status[0] = 0
    move(t, A, W)
    for tree in range(A.trees.shape[0]):
        place(tree, y, A, W)


@inlined
def solve_motion(t, y, dy, A, W):
    """Apply the loads, solve the six equations of each tree, and pass accelerations and joint forces on."""
    load(t, A, W)
    for tree in range(A.trees.shape[0]):
        if not A.trees[tree].rooted:
            six_equations(tree, y, dy, A, W)
    if W.added.shape[0] > 0:
        settle_added_mass(A, W)
    for tree in range(A.trees.shape[0]):
        transmit(A.trees[tree].first, A.trees[tree].last, A, W)
    f, n = root_wrench(A, W)
    work_and_impulse(dy, f, n, A, W)


@inlined
def root_wrench(A, W):
    """Return the force through joints to the world and its moment about the world's origin."""
    F, M = ZERO, ZERO
    for tree in range(A.trees.shape[0]):
        if A.trees[tree].rooted:
            b = W.bodies[A.trees[tree].first]
            f = v3(b.joint_f)
            F = add(F, f)
            M = add(M, add(v3(b.joint_n), cross(v3(b.joint_x), f)))
    return F, M


@inlined
def place(tree, y, A, W):
    """Outward sweep of one tree, then the base from the tree's mass centre. MCM paper Eqs. 2, 9-12."""
    T = A.trees[tree]
    lo, hi, s = T.first, T.last, T.state
    R, w_B = IDENTITY, ZERO
    if not T.rooted:
        R, w_B = attitude(s, y, A.options[0])
        if A.options[0] == EULER123 and math.cos(y[s + 4]) < 1e-3:
            W.status[0], W.status[1] = GIMBAL, A.bodies[lo].user
    outward(lo, hi, R, matvec(R, w_B), A, W)
    mass_centre(tree, lo, hi, A, W)
    x, u = ZERO, ZERO
    if not T.rooted:
        v = s + (7 if A.options[0] == QUATERNION else 6)
        x = sub((y[s], y[s + 1], y[s + 2]), v3(W.trees[tree].G))
        u = sub((y[v], y[v + 1], y[v + 2]), v3(W.trees[tree].dG))
    absolute(lo, hi, x, u, W)


@kernel
def attitude(s, y, option):
    """Return R_WB and w_WB_B of the base from its state."""
    if option == QUATERNION:
        return from_quaternion(y[s + 3], y[s + 4], y[s + 5], y[s + 6]), (y[s + 10], y[s + 11], y[s + 12])
    rates = (y[s + 9], y[s + 10], y[s + 11])
    return from_euler123(y[s + 3], y[s + 4], y[s + 5]), body_rates(y[s + 4], y[s + 5], rates)


@inlined
def six_equations(tree, y, dy, A, W):
    """Solve M X'' = F and P w' = M_Gs - (dH/dt without w') for the base, and accelerate every body. Eqs. 1, 4, 23."""
    T = A.trees[tree]
    lo, hi = T.first, T.last
    F, M, P = momentum_balance(lo, hi, v3(W.trees[tree].G), T.mass, A, W)
    if W.added.shape[0] > 0:
        a_G, al = coupled(tree, F, M, P, A, W)
    else:
        a_G = scale(1.0 / T.mass, F)
        al, det = solve_sym3(P, M)
        if not det > 0.0:
            W.status[0], W.status[1] = SINGULAR_MASS, A.bodies[lo].user
    a_base = sub(sub(a_G, cross(al, v3(W.trees[tree].G))), v3(W.trees[tree].ddG))
    accelerate(lo, hi, a_base, al, W)
    set_rates(T.state, y, dy, a_G, tmatvec(v9(W.bodies[lo].R), al), A.options[0])


@inlined
def momentum_balance(lo, hi, G, mass, A, W):
    """Return the force, the moment about Gs less the known part of dH/dt, and the inertia P = P1 + P2 about Gs.

    P = sum I_i + m_i (rho^2 1 - rho rho^T);  dH/dt = P w' + sum I_i al_i + w_i x (I_i w_i + h_i) + m_i rho x a_i.
    """
    F, M = scale(mass, v3(A.gravity)), ZERO
    xx, yy, zz, xy, xz, yz = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for i in range(lo, hi):
        m, b = A.bodies[i].mass, W.bodies[i]
        w, I, f = v3(b.w), v6(b.I), v3(b.f)
        rho = sub(v3(b.r), G)
        H = add(symvec(I, w), matvec(v9(b.R), v3(A.bodies[i].h_D)))
        rate = add(symvec(I, v3(b.al)), cross(w, H))
        M = add(M, sub(v3(b.n), rate))
        M = add(M, cross(rho, axpy(-m, v3(b.a), f)))
        F = add(F, f)
        r2 = dot(rho, rho)
        xx += I[0] + m * (r2 - rho[0] * rho[0])
        yy += I[1] + m * (r2 - rho[1] * rho[1])
        zz += I[2] + m * (r2 - rho[2] * rho[2])
        xy += I[3] - m * rho[0] * rho[1]
        xz += I[4] - m * rho[0] * rho[2]
        yz += I[5] - m * rho[1] * rho[2]
    return F, M, (xx, yy, zz, xy, xz, yz)


@inlined
def coupled(tree, F, M, P, A, W):
    """Solve the six equations with added mass on the left: two 3x3 blocks become one 6x6 about Gs."""
    T, o, K = A.trees[tree], W.trees[tree], W.K
    K[:] = 0.0
    for i in range(3):
        K[i, i] = T.mass
        K[i, 6], K[3 + i, 6] = F[i], M[i]
    K[3, 3], K[4, 4], K[5, 5] = P[0], P[1], P[2]
    K[3, 4], K[3, 5], K[4, 5] = P[3], P[4], P[5]
    K[4, 3], K[5, 3], K[5, 4] = P[3], P[4], P[5]
    for i in range(T.first, T.last):
        b = W.bodies[i]
        gather_added_mass(W.added[i], sub(v3(b.r), v3(o.G)), sub(v3(b.a), v3(o.ddG)), v3(b.al), K)
    if not solve6(K):
        W.status[0], W.status[1] = SINGULAR_MASS, A.bodies[T.first].user
    return (K[0, 6], K[1, 6], K[2, 6]), (K[3, 6], K[4, 6], K[5, 6])


@kernel
def gather_added_mass(added, rho, a, al, K):
    """Add Y^T A Y to the left and -Y^T A (bias acceleration) to the right; Y takes (a_Gs, w') to the body."""
    for c in range(7):
        lin, ang = unit6(c)
        lin = add(lin, cross(ang, rho))
        if c == 6:
            lin, ang = scale(-1.0, a), scale(-1.0, al)
        f = half(added, 0, lin, ang)
        n = add(half(added, 3, lin, ang), cross(rho, f))
        for i in range(3):
            K[i, c] += f[i]
            K[3 + i, c] += n[i]


@kernel
def solve6(K):
    """Solve the 6x6 system K[:, :6] x = K[:, 6] in place by elimination with pivoting; False if singular."""
    for c in range(6):
        p = c
        for i in range(c + 1, 6):
            if abs(K[i, c]) > abs(K[p, c]):
                p = i
        if not abs(K[p, c]) > 0.0:
            return False
        if p != c:
            for j in range(7):
                K[c, j], K[p, j] = K[p, j], K[c, j]
        for i in range(6):
            if i != c:
                s = K[i, c] / K[c, c]
                for j in range(c, 7):
                    K[i, j] -= s * K[c, j]
    for i in range(6):
        K[i, 6] /= K[i, i]
    return True


@kernel
def set_rates(s, y, dy, a_G, dw_B, option):
    """Write the rate of a tree's state; in 1-2-3 angles X'' = T^-1 (w' - RE), MCM paper Eqs. 21-23."""
    drift_tree(s, y, dy, option)
    v = s + (7 if option == QUATERNION else 6)
    dy[v], dy[v + 1], dy[v + 2] = a_G
    if option == QUATERNION:
        dy[v + 3], dy[v + 4], dy[v + 5] = dw_B
    else:
        b, c = y[s + 4], y[s + 5]
        rest = sub(dw_B, euler123_remainder(b, c, (y[s + 9], y[s + 10], y[s + 11])))
        dy[v + 3], dy[v + 4], dy[v + 5] = euler123_rates(b, c, rest)


@kernel
def drift_tree(s, y, dy, option):
    """Write the rate of a tree's position and attitude, which needs no forces."""
    if option == QUATERNION:
        dy[s], dy[s + 1], dy[s + 2] = y[s + 7], y[s + 8], y[s + 9]
        w_B = (y[s + 10], y[s + 11], y[s + 12])
        dy[s + 3], dy[s + 4], dy[s + 5], dy[s + 6] = quaternion_rate(y[s + 3], y[s + 4], y[s + 5], y[s + 6], w_B)
    else:
        for i in range(6):
            dy[s + i] = y[s + 6 + i]


@kernel
def drift(y, dy, A):
    """Write the rates of all positions and attitudes."""
    for tree in range(A.trees.shape[0]):
        if not A.trees[tree].rooted:
            drift_tree(A.trees[tree].state, y, dy, A.options[0])


@kernel
def project(t, y, A, W):
    """Bring quaternions back to unit length after a step: a change of the order of the step's own error."""
    if A.options[0] == QUATERNION:
        for tree in range(A.trees.shape[0]):
            if not A.trees[tree].rooted:
                s = A.trees[tree].state + 3
                n = 1.0 / math.sqrt(y[s] * y[s] + y[s + 1] * y[s + 1] + y[s + 2] * y[s + 2] + y[s + 3] * y[s + 3])
                for i in range(4):
                    y[s + i] *= n


@kernel
def begin_step(t, y, A, W):
    """Nothing has to be prepared before a step."""


@kernel
def observe(t, y, A, W, out):
    """Write the record of an instant that `rhs` has just evaluated."""
    tree_joints(A, W)
    write_record(t, y, A, W, out)


@kernel
def before(t, y, A, W):
    """The first half of `rhs`, for loads that live outside."""
    place_bodies(t, y, A, W)


@kernel
def after(t, y, dy, A, W):
    """The second half of `rhs`."""
    solve_motion(t, y, dy, A, W)
