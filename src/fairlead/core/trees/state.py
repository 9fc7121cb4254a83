"""The state of trees: bases with their attitude, free joint coordinates and free balls.

Of a free base: a point (3), its attitude (quaternion 4 or 1-2-3 angles 3), the point's velocity (3), and its angular
velocity in its own axes (3) or the rates of the angles (3). Behind the bases stand the values of free coordinates (of
a ball the quaternion from the inboard to the outboard body), then their rates (of a ball in the child's axes).
"""

from __future__ import annotations

import math

from fairlead.core.arrays import BALL, BALL_REST, EULER123, FREE, GIMBAL, QUATERNION, ROTATION
from fairlead.core.codes import ABOUT, ATTITUDE_AS, CODE
from fairlead.core.controllers.commands import drift_commanded, read_commanded_by_symbol
from fairlead.core.jit.kernel import inlined, kernel
from fairlead.core.layout import (
    ATTITUDE,
    RATES_123,
    SECOND_ANGLE,
    THIRD_ANGLE,
    TURNING,
    VELOCITY,
    VELOCITY_123,
    put_four,
    put_three,
    three,
    velocity_at,
)
from fairlead.core.motions import move_one
from fairlead.core.rotation import (
    body_rates,
    euler123_rates,
    euler123_remainder,
    from_euler123,
    from_quaternion,
    quaternion_rate,
)
from fairlead.core.trees.kinematics import IDENTITY, ZERO, from_centre, mass_centre, outward
from fairlead.core.vec import add, axpy, cross, matvec, put9, sub, tmatvec, v3, v9


@inlined
def matrix_at(y, s):
    """Return the matrix of the quaternion at s."""
    return from_quaternion(y[s], y[s + 1], y[s + 2], y[s + 3])


@inlined
def rate_at(y, s, w_B):
    """Return the rate of the quaternion at s."""
    return quaternion_rate(y[s], y[s + 1], y[s + 2], y[s + 3], w_B)


@inlined
def read_one(k, y, A, W):
    c = A.coordinates[k]
    o, s = W.coordinates[k], c.state
    o.dq, o.ddq = y[c.rate], 0.0
    if c.kind == BALL:
        put9(W.free.balls[c.ball], matrix_at(y, s))
    elif c.kind != BALL_REST:
        o.q = y[s]
        if c.kind == ROTATION:
            o.cos, o.sin = math.cos(o.q), math.sin(o.q)


@inlined
def set_coordinates(t, y, A, W):
    """Fill every coordinate: driven ones from the time, free and commanded ones from the state."""
    for k in range(A.coordinates.shape[0]):
        if A.coordinates[k].code == FREE:
            read_one(k, y, A, W)
        else:
            move_one(t, k, A, W)
    if A.commands.shape[0] > 0:
        read_commanded_by_symbol(y, A, W)


@inlined
def place_tree(tree, y, of_centre, A, W):
    """Outward sweep of one tree from its base; the base's point is its own mass centre or, `of_centre`, the tree's.

    MCM paper Eqs. 2, 9-12.
    """
    T = A.trees[tree]
    lo, hi, s = T.first, T.last, T.state
    R, w_B, x, u = IDENTITY, ZERO, v3(T.x_O), ZERO
    if not T.rooted:
        R, w_B = attitude(s, y, A.options[ATTITUDE_AS])
        if A.options[ATTITUDE_AS] == EULER123 and math.cos(y[s + SECOND_ANGLE]) < 1e-3:
            W.status[CODE], W.status[ABOUT] = GIMBAL, A.bodies[lo].user
        x, u = three(y, s), three(y, velocity_at(s, A.options[ATTITUDE_AS]))
    outward(lo, hi, R, matvec(R, w_B), x, u, A, W)
    if of_centre:
        mass_centre(tree, lo, hi, A, W)
        if not T.rooted:
            from_centre(tree, lo, hi, W)


@kernel
def attitude(s, y, option):
    """Return R_WB and w_WB_B of the base from its state."""
    if option == QUATERNION:
        return matrix_at(y, s + ATTITUDE), three(y, s + TURNING)
    a, b, c = three(y, s + ATTITUDE)
    return from_euler123(a, b, c), body_rates(b, c, three(y, s + RATES_123))


@kernel
def set_base_rates(s, y, dy, a, dw_B, option):
    """Write the rate of a base's state; in 1-2-3 angles X'' = T^-1 (w' - RE), MCM paper Eqs. 21-23."""
    drift_base(s, y, dy, option)
    put_three(dy, velocity_at(s, option), a)
    if option == QUATERNION:
        put_three(dy, s + TURNING, dw_B)
    else:
        b, c = y[s + SECOND_ANGLE], y[s + THIRD_ANGLE]
        rest = sub(dw_B, euler123_remainder(b, c, three(y, s + RATES_123)))
        put_three(dy, s + RATES_123, euler123_rates(b, c, rest))


@inlined
def set_coordinate_rates(y, dy, A, W):
    """Write the rates of free coordinates from their accelerations."""
    for k in range(A.coordinates.shape[0]):
        c = A.coordinates[k]
        if c.code == FREE:
            dy[c.rate] = W.coordinates[k].ddq
            drift_coordinate(k, y, dy, A)


@kernel
def drift_base(s, y, dy, option):
    """Write the rate of a base's position and attitude, which needs no forces."""
    if option == QUATERNION:
        put_three(dy, s, three(y, s + VELOCITY))
        put_four(dy, s + ATTITUDE, rate_at(y, s + ATTITUDE, three(y, s + TURNING)))
    else:
        for i in range(VELOCITY_123):
            dy[s + i] = y[s + VELOCITY_123 + i]


@kernel
def drift_coordinates(y, dy, A):
    """Write the rates of free coordinates' values."""
    for k in range(A.coordinates.shape[0]):
        if A.coordinates[k].code == FREE:
            drift_coordinate(k, y, dy, A)


@inlined
def drift_coordinate(k, y, dy, A):
    c = A.coordinates[k]
    if c.kind == BALL:
        put_four(dy, c.state, ball_rate(k, y, A))
    elif c.kind != BALL_REST:
        dy[c.state] = y[c.rate]


@kernel
def ball_rate(k, y, A):
    """Return the rate of a ball's quaternion; its rates are about axes of the joint's child, be it outboard or not."""
    c = A.coordinates[k]
    s, w = c.state, ZERO
    for m in range(k, k + 3):
        w = axpy(y[A.coordinates[m].rate], v3(A.coordinates[m].axis_D), w)
    if c.flip:
        w = tmatvec(matrix_at(y, s), w)
    return rate_at(y, s, w)


@kernel
def drift_trees(y, dy, A):
    """Write the rates of all positions and attitudes."""
    for tree in range(A.trees.shape[0]):
        if not A.trees[tree].rooted:
            drift_base(A.trees[tree].state, y, dy, A.options[ATTITUDE_AS])
    drift_coordinates(y, dy, A)
    drift_commanded(y, dy, A)


@kernel
def unit(y, s):
    """Bring a quaternion to unit length."""
    n = 1.0 / math.sqrt(y[s] * y[s] + y[s + 1] * y[s + 1] + y[s + 2] * y[s + 2] + y[s + 3] * y[s + 3])
    for i in range(s, s + 4):
        y[i] *= n


@kernel
def unit_quaternions(y, A):
    """Bring all quaternions back to unit length after a step: a change of the order of the step's own error."""
    if A.options[ATTITUDE_AS] == QUATERNION:
        for tree in range(A.trees.shape[0]):
            if not A.trees[tree].rooted:
                unit(y, A.trees[tree].state + ATTITUDE)
    for k in range(A.coordinates.shape[0]):
        if A.coordinates[k].kind == BALL:
            unit(y, A.coordinates[k].state)


@inlined
def root_wrench(A, W):
    """Return the force through tree joints to the world and its moment about the world's origin."""
    F, M = ZERO, ZERO
    for tree in range(A.trees.shape[0]):
        T = A.trees[tree]
        if T.rooted:
            b = W.bodies[T.first]
            f = v3(b.joint_f)
            F = add(F, f)
            M = add(M, add(v3(b.joint_n), cross(add(v3(T.x_O), v3(b.joint_x)), f)))
    return F, M


@kernel
def turn_quaternion(y, s, turn, before):
    """Turn a quaternion by a small rotation vector, given in the axes before it or behind it."""
    w, x, z, u = y[s], y[s + 1], y[s + 2], y[s + 3]
    a, b, c = 0.5 * turn[0], 0.5 * turn[1], 0.5 * turn[2]
    sign = 1.0 if before else -1.0
    y[s] = w - a * x - b * z - c * u
    y[s + 1] = x + a * w + sign * (b * u - c * z)
    y[s + 2] = z + b * w + sign * (c * x - a * u)
    y[s + 3] = u + c * w + sign * (a * z - b * x)
    unit(y, s)


@kernel
def euler_from(turn, angles):
    """Return 1-2-3 angles changed by a small rotation in body axes."""
    change = euler123_rates(angles[1], angles[2], turn)
    return (angles[0] + change[0], angles[1] + change[1], angles[2] + change[2])


@kernel
def shift_state(y, positions, A, W):
    """Change positions (or else rates) of the state by W.free.x, given by degree of freedom: a base's about its centre.

    A base's shift is that of its own mass centre in world axes, its turn a rotation vector in world axes.
    """
    x = W.free.x
    for tree in range(A.trees.shape[0]):
        T = A.trees[tree]
        if T.rooted:
            continue
        s, d = T.state, T.dof
        turn = tmatvec(v9(W.bodies[T.first].R), (x[d + 3], x[d + 4], x[d + 5]))
        at = s if positions else velocity_at(s, A.options[ATTITUDE_AS])
        for i in range(3):
            y[at + i] += x[d + i]
        if A.options[ATTITUDE_AS] == QUATERNION:
            if positions:
                turn_quaternion(y, s + ATTITUDE, turn, False)
            else:
                for i in range(3):
                    y[s + TURNING + i] += turn[i]
        elif positions:
            put_three(y, s + ATTITUDE, euler_from(turn, three(y, s + ATTITUDE)))
        else:
            change = euler123_rates(y[s + SECOND_ANGLE], y[s + THIRD_ANGLE], turn)
            put_three(y, s + RATES_123, add(three(y, s + RATES_123), change))
    for k in range(A.coordinates.shape[0]):
        c = A.coordinates[k]
        if c.code != FREE:
            continue
        if not positions:
            y[c.rate] += x[c.dof]
        elif c.kind == BALL:
            turn = ZERO
            for m in range(k, k + 3):
                turn = axpy(x[A.coordinates[m].dof], v3(A.coordinates[m].axis_D), turn)
            turn_quaternion(y, c.state, turn, c.flip == 1)
        elif c.kind != BALL_REST:
            y[c.state] += x[c.dof]
