"""The articulated recursion: joint coordinates of any tree in O(N), loops closed by multipliers on the cut joints.

Featherstone's recursion about a common point in world axes (`core/trees/recursion.py`); loop equations are solved
through the square root of the mass matrix that the same elimination leaves behind (`core/trees/loops.py`), and the
state is brought back onto them after every step. State: `core/trees/state.py`, the point of a base being its own mass
centre.
"""

from __future__ import annotations

import math

from fairlead.core.arrays import FREE, TRANSLATION
from fairlead.core.codes import ATTITUDE_AS
from fairlead.core.jit.by_symbol import by_symbol, when_needed
from fairlead.core.jit.kernel import bind, inlined, kernel
from fairlead.core.loads.table import load, settle_added_mass
from fairlead.core.observe import transmit_all_by_symbol, write_tree_record_by_symbol
from fairlead.core.quadrature import work_and_impulse
from fairlead.core.trees.joint_forces import joint_forces
from fairlead.core.trees.kinematics import ZERO
from fairlead.core.trees.loops import (
    add_loop_forces,
    close_template,
    factorise_template,
    loop_multipliers,
    loop_residuals,
    loop_wrench,
    project_template,
    push_back,
    push_free_by_symbol,
)
from fairlead.core.trees.placing import look_at_loops, obey_commands, place_trees
from fairlead.core.trees.recursion import (
    backward_base,
    factorise_base,
    forward_base,
    inward,
    solve_base,
    spread,
    supplied,
)
from fairlead.core.trees.state import (
    drift_trees,
    root_wrench,
    set_base_rates,
    set_coordinate_rates,
    shift_state,
)
from fairlead.core.vec import add, axpy, cross, dot, put3, sub, tmatvec, v3, v9


@inlined
def before(t, y, A, W):
    """Place every body: what loads need to know."""
    place_trees(t, y, False, A, W)


@kernel
def obey(y, dy, A, W):
    """Let controllers move their coordinates, and place all bodies once more with the accelerations that gives."""
    obey_commands(y, dy, False, A, W)


obey_by_symbol = when_needed(obey)


@inlined
def after(t, y, dy, A, W):
    """Apply the loads, solve by recursion, close the loops, and pass joint forces on."""
    load(t, y, dy, A, W)
    if A.commands.shape[0] > 0:
        obey_by_symbol(y, dy, A, W)
    joint_forces(t, y, dy, A, W)
    if A.constraints.shape[0] > 0:
        push_free_by_symbol(A, W)
    for tree in range(A.trees.shape[0]):
        recursion(tree, A, W)
    if A.constraints.shape[0] > 0:
        close_accelerations_by_symbol(A, W)
    if W.added.shape[0] > 0:
        settle_added_mass(A, W)
    write_rates(y, dy, A, W)
    pass_forces(A, W)
    f, n = root_wrench(A, W)
    F, N = loop_wrench(A, W)
    work_and_impulse(dy, add(f, F), add(n, N), A, W)


@inlined
def recursion(tree, A, W):
    """Find the accelerations of one tree: inward, at the base, outward."""
    T = A.trees[tree]
    inward(T.first, T.last, A, W)
    lin, ang = ZERO, ZERO
    if not T.rooted:
        lin, ang = solve_base(tree, A, W)
    spread(T.first, T.last, lin, ang, True, A, W)


@inlined
def write_rates(y, dy, A, W):
    for tree in range(A.trees.shape[0]):
        T = A.trees[tree]
        if not T.rooted:
            b = W.bodies[T.first]
            set_base_rates(T.state, y, dy, v3(b.a), tmatvec(v9(b.R), v3(b.al)), A.options[ATTITUDE_AS])
    set_coordinate_rates(y, dy, A, W)


@inlined
def pass_forces(A, W):
    """Fill the forces of drivers and of joints to the world; with loops by the inward pass over all joints.

    Free coordinates have theirs from `spread`.
    """
    if A.constraints.shape[0] > 0:
        transmit_all_by_symbol(A, W)
        return
    for tree in range(A.trees.shape[0]):
        T = A.trees[tree]
        for i in range(T.first, T.last):
            b, o = A.bodies[i], W.bodies[i]
            if b.drives or (T.rooted and i == T.first):
                f, n = supplied(i, W)
                for k in range(b.first, b.last):
                    c = W.coordinates[k]
                    if A.coordinates[k].code != FREE:
                        e = v3(c.axis_W)
                        turning = A.coordinates[k].kind != TRANSLATION
                        c.drive = dot(e, sub(n, cross(v3(c.x_axis), f))) if turning else dot(e, f)
                put3(o.joint_f, f)
                put3(o.joint_n, sub(n, cross(v3(o.joint_x), f)))


@kernel
def climb(i, lin, ang, A, W):
    """Add to z what a push (lin, ang) at the mass centre of body i does along each freedom inboard of it, as Y needs.

    The same elimination as in `inward`, without inertias: y = s . F / sqrt(D), F <- F - U (s . F) / D.
    """
    f, n = lin, add(ang, cross(v3(W.bodies[i].r), lin))
    tree = A.bodies[i].tree
    while i >= 0:
        b = A.bodies[i]
        for k in range(b.last - 1, b.first - 1, -1):
            if A.coordinates[k].code == FREE:
                s = W.free.axes[k]
                push = dot(v3(s.lin), f) + dot(v3(s.ang), n)
                W.free.z[A.coordinates[k].dof] += push * math.sqrt(s.D)
                f, n = axpy(-push * s.D, v3(s.Uf), f), axpy(-push * s.D, v3(s.Un), n)
        i = b.parent
    if not A.trees[tree].rooted:
        K, d = W.free.base[tree], A.trees[tree].dof
        for m in range(3):
            K[m, 6], K[3 + m, 6] = f[m], n[m]
        forward_base(K)
        for m in range(6):
            W.free.z[d + m] += K[m, 6]


@inlined
def through_root(A, W):
    """`climb` has gathered the row through the square root of the mass matrix already."""


factorise_loops = bind(factorise_template, "articulated_factorise_loops", gather=climb, through_root=through_root)
factorise_loops_by_symbol = by_symbol(factorise_loops)


@inlined
def respond(multipliers, add_up, A, W):
    """Move every body as the multipliers push it: -M^-1 J^T lam, added to accelerations or left in W.free.x."""
    push_back(multipliers, A, W)
    for k in range(A.coordinates.shape[0]):
        if A.coordinates[k].code == FREE:
            s = W.free.axes[k]
            s.u = -W.free.z[A.coordinates[k].dof] / math.sqrt(s.D)
    for tree in range(A.trees.shape[0]):
        T = A.trees[tree]
        lin, ang = ZERO, ZERO
        if not T.rooted:
            K = W.free.base[tree]
            for m in range(6):
                K[m, 6] = -W.free.z[T.dof + m]
            lin, ang = backward_base(K)
            if not add_up:
                for m in range(3):
                    W.free.x[T.dof + m], W.free.x[T.dof + 3 + m] = lin[m], ang[m]
        spread(T.first, T.last, lin, ang, add_up, A, W)


@kernel
def close_accelerations(A, W):
    """Find the multipliers of the loop equations and let them push."""
    factorise_loops_by_symbol(A, W)
    loop_multipliers(A, W)
    respond(W.constraint.lam, True, A, W)
    add_loop_forces(A, W)


close_accelerations_by_symbol = when_needed(close_accelerations)


@kernel
def look(t, y, A, W):
    """Place the bodies at (t, y) and return how far the loops are open, in position and velocity."""
    return look_at_loops(t, y, False, A, W)


@kernel
def factorise_here(A, W):
    """Prepare the changes that close loops: inertias as they are placed now."""
    for tree in range(A.trees.shape[0]):
        T = A.trees[tree]
        inward(T.first, T.last, A, W)
        if not T.rooted:
            factorise_base(tree, A, W)
    factorise_loops_by_symbol(A, W)


@kernel
def change(t, y, positions, A, W):
    """Move positions (or rates) of the state by the smallest change, in the sense of the mass, towards the loops."""
    loop_residuals(positions, A, W)
    respond(W.constraint.b, False, A, W)
    shift_state(y, positions, A, W)


close_loops = bind(
    close_template,
    "articulated_close_loops",
    look=by_symbol(look),
    factorise_here=by_symbol(factorise_here),
    change=change,
)
project = bind(project_template, "articulated_project", close_loops=when_needed(close_loops))


drift = drift_trees


@kernel
def observe(t, y, A, W, out):
    """Write the record of an instant that `rhs` has just evaluated."""
    transmit_all_by_symbol(A, W)
    write_tree_record_by_symbol(t, y, A, W, out)
