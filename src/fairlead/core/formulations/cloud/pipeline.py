"""The momentum cloud: six equations of motion for any tree of bodies, and one more per free joint coordinate.

MCM paper Eqs. 1-23 and Dissertation Chapter 5, with two departures. The sums P1, Q1, P2, Q2 of Eqs. 14-17 are O(N^2)
in transforms; the same momentum and its rate are gathered here in one outward sweep. And they are gathered in world
axes, where loads and records live, instead of the axes C_s of the base: Eq. 4, dH/dt = M_Gs, is the same in both. Free
coordinates and loops add control and constraint equations (section 6, `core/trees/dense.py`); with everything driven
the six stand alone. State: `core/trees/state.py`, the point of a base being the mass centre X of its tree.
"""

from __future__ import annotations

from fairlead.core.added_mass import joined, solved, uncoupled
from fairlead.core.arrays import QUATERNION, SINGULAR_MASS
from fairlead.core.codes import ABOUT, ATTITUDE_AS, CODE, COUPLED
from fairlead.core.constraints.relations import drive_alone_by_symbol
from fairlead.core.inverse import transmit
from fairlead.core.jit.by_symbol import by_symbol, when_needed
from fairlead.core.jit.kernel import bind, inlined, kernel
from fairlead.core.loads.table import load, settle_added_mass
from fairlead.core.quadrature import work_and_impulse
from fairlead.core.trees.dense import (
    back_substitution,
    carry,
    equations,
    factorise_constraints,
    factorise_equations,
    forward_substitution,
    pushed,
)
from fairlead.core.trees.joint_forces import joint_forces
from fairlead.core.trees.kinematics import ZERO, accelerate
from fairlead.core.trees.loops import (
    add_loop_forces,
    close_template,
    loop_multipliers,
    loop_residuals,
    loop_wrench,
    project_template,
    push_free_by_symbol,
)
from fairlead.core.trees.placing import look_at_loops, obey_commands, place_trees
from fairlead.core.trees.recursion import coordinate_axes
from fairlead.core.trees.state import (
    drift_trees,
    root_wrench,
    set_base_rates,
    set_coordinate_rates,
    shift_state,
)
from fairlead.core.vec import add, axpy, cross, dot, matvec, put3, scale, solve_sym3, sub, symvec, tmatvec, v3, v6, v9


@inlined
def before(t, y, A, W):
    """Place every body: what loads need to know."""
    place_trees(t, y, True, A, W)


@kernel
def obey(y, dy, A, W):
    """Let controllers move their coordinates, and place all bodies once more with the accelerations that gives."""
    obey_commands(y, dy, True, A, W)


obey_by_symbol = when_needed(obey)


@inlined
def after(t, y, dy, A, W):
    """Apply the loads, solve the equations of motion, and pass accelerations and joint forces on."""
    load(t, y, dy, A, W)
    if A.commands.shape[0] > 0:
        obey_by_symbol(y, dy, A, W)
    if A.options[COUPLED]:
        joint_forces(t, y, dy, A, W)
        coupled_equations_by_symbol(y, dy, A, W)
    else:
        for tree in range(A.trees.shape[0]):
            if not A.trees[tree].rooted:
                six_equations(tree, y, dy, A, W)
    if W.added.shape[0] > 0:
        settle_added_mass(A, W)
    for tree in range(A.trees.shape[0]):
        transmit(A.trees[tree].first, A.trees[tree].last, A, W)
    if A.relations.shape[0] > 0:
        drive_alone_by_symbol(A, W)
    f, n = root_wrench(A, W)
    F, N = loop_wrench(A, W)
    work_and_impulse(dy, add(f, F), add(n, N), A, W)


@kernel
def coupled_equations(y, dy, A, W):
    """Solve the six equations of every tree together with those of free coordinates and loops."""
    if A.constraints.shape[0] > 0:
        push_free_by_symbol(A, W)
    coordinate_axes(A, W)
    equations(A, W)
    factorise_equations(A, W)
    forward_substitution(W.free.M, W.free.x)
    back_substitution(W.free.M, W.free.x)
    carry(A, W)
    if A.constraints.shape[0] > 0:
        factorise_constraints(A, W)
        loop_multipliers(A, W)
        pushed(W.constraint.lam, A, W)
        carry(A, W)
        add_loop_forces(A, W)
    for tree in range(A.trees.shape[0]):
        T = A.trees[tree]
        if not T.rooted:
            al = v3(W.bodies[T.first].al)
            set_base_rates(
                T.state,
                y,
                dy,
                centre_acceleration(tree, A, W),
                tmatvec(v9(W.bodies[T.first].R), al),
                A.options[ATTITUDE_AS],
            )
    set_coordinate_rates(y, dy, A, W)


coupled_equations_by_symbol = when_needed(coupled_equations)


@kernel
def centre_acceleration(tree, A, W):
    """Return the acceleration of a tree's mass centre."""
    T, a = A.trees[tree], ZERO
    for i in range(T.first, T.last):
        a = axpy(A.bodies[i].mass, v3(W.bodies[i].a), a)
    return scale(1.0 / T.mass, a)


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
            W.status[CODE], W.status[ABOUT] = SINGULAR_MASS, A.bodies[lo].user
    a_base = sub(sub(a_G, cross(al, v3(W.trees[tree].G))), v3(W.trees[tree].ddG))
    accelerate(lo, hi, a_base, al, W)
    set_base_rates(T.state, y, dy, a_G, tmatvec(v9(W.bodies[lo].R), al), A.options[ATTITUDE_AS])


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
    T, o = A.trees[tree], W.trees[tree]
    equations = uncoupled(T.mass, P, F, M)
    for i in range(T.first, T.last):
        if A.bodies[i].wet:
            b = W.bodies[i]
            rho, known = sub(v3(b.r), v3(o.G)), sub(v3(b.a), v3(o.ddG))
            equations = joined(equations, W.added[i], rho, known, v3(b.al))
    a_G, al, regular = solved(equations)
    if not regular:
        W.status[CODE], W.status[ABOUT] = SINGULAR_MASS, A.bodies[T.first].user
    return a_G, al


@kernel
def look(t, y, A, W):
    """Place the bodies at (t, y) and return how far the loops are open, in position and velocity."""
    return look_at_loops(t, y, True, A, W)


look_by_symbol = by_symbol(look)


@kernel
def change(t, y, positions, A, W):
    """Move positions (or rates) of the state by the smallest change, in the sense of the mass, towards the loops.

    The change is that of the bases' own mass centres, so the state holds those while it is made.
    """
    loop_residuals(positions, A, W)
    pushed(W.constraint.b, A, W)
    hold_bases(y, A, W, -1.0)
    shift_state(y, positions, A, W)
    look_by_symbol(t, y, A, W)
    hold_bases(y, A, W, 1.0)


@kernel
def hold_bases(y, A, W, sign):
    """Move the point of each base's state from its tree's mass centre to its own (sign -1), or back."""
    for tree in range(A.trees.shape[0]):
        T = A.trees[tree]
        if not T.rooted:
            v = T.state + (7 if A.options[ATTITUDE_AS] == QUATERNION else 6)
            put3(y[T.state :], axpy(sign, v3(W.trees[tree].G), v3(y[T.state :])))
            put3(y[v:], axpy(sign, v3(W.trees[tree].dG), v3(y[v:])))


@kernel
def factorise_here(A, W):
    """Prepare the changes that close loops: inertias as they are placed now."""
    coordinate_axes(A, W)
    equations(A, W)
    factorise_equations(A, W)
    factorise_constraints(A, W)


close_loops = bind(
    close_template, "cloud_close_loops", look=look_by_symbol, factorise_here=by_symbol(factorise_here), change=change
)
project = bind(project_template, "cloud_project", close_loops=when_needed(close_loops))
drift = drift_trees
