"""The common record: what every formulation leaves behind at a recorded instant, in the user's order and axes."""

from __future__ import annotations

from fairlead.core import arrays
from fairlead.core.constraints.reactions import measure_rows, measure_turns, unwrap
from fairlead.core.environment.waves import elevation
from fairlead.core.inverse import energy_and_momentum, transmit, tree_joints
from fairlead.core.jit.by_symbol import apart
from fairlead.core.jit.kernel import kernel
from fairlead.core.rotation import to_quaternion
from fairlead.core.vec import matmul, tmatvec, v3, v9

# The place of each variable in the layout, as constants the kernels see.
(
    POSITION,
    VELOCITY,
    ACCELERATION,
    ORIENTATION,
    ANGULAR_VELOCITY,
    ANGULAR_ACCELERATION,
    JOINT_POSITION,
    JOINT_RATE,
    JOINT_ACCELERATION,
    DRIVER_FORCE,
    JOINT_POINT,
    JOINT_FORCE,
    JOINT_MOMENT,
    LOAD_FORCE,
    LOAD_MOMENT,
    TENSION,
    LOAD_WORK,
    DRIVER_WORK,
    IMPULSE,
    ANGULAR_IMPULSE,
    MOMENTUM,
    ANGULAR_MOMENTUM,
    KINETIC,
    POTENTIAL,
    POSITION_VIOLATION,
    VELOCITY_VIOLATION,
    WAVE_ELEVATION,
    THRUST,
    POWER,
    HUB_WIND,
    RELATIVE_WIND,
) = range(1, len(arrays.RECORDED))


@kernel
def put(out, start, i, a):
    """Write a vector as the i-th of a variable that starts at `start`."""
    out[start + 3 * i] = a[0]
    out[start + 3 * i + 1] = a[1]
    out[start + 3 * i + 2] = a[2]


@kernel
def write_record(t, y, A, W, out):
    """Write one row of the record from an evaluation that has just filled W."""
    at = A.layout
    out[0] = t
    write_bodies(A, W, out)
    write_joints(A, W, out)
    write_loads(y, A, W, out)
    kinetic, potential, p, H = energy_and_momentum(A, W)
    out[at[KINETIC]] = kinetic
    out[at[POTENTIAL]] = potential
    out[at[POSITION_VIOLATION]] = W.C.worst[0]
    out[at[VELOCITY_VIOLATION]] = W.C.worst[1]
    if at[WAVE_ELEVATION + 1] > at[WAVE_ELEVATION]:
        out[at[WAVE_ELEVATION]] = elevation(t, 0.0, A)
    put(out, at[MOMENTUM], 0, p)
    put(out, at[ANGULAR_MOMENTUM], 0, H)


@kernel
def write_bodies(A, W, out):
    at = A.layout
    for i in range(A.bodies.shape[0]):
        b, o = A.bodies[i].user, W.bodies[i]
        R_WB = matmul(v9(o.R), v9(A.bodies[i].R_DB))
        put(out, at[POSITION], b, v3(o.x))
        put(out, at[VELOCITY], b, v3(o.u))
        put(out, at[ACCELERATION], b, v3(o.a))
        put(out, at[ANGULAR_VELOCITY], b, tmatvec(R_WB, v3(o.w)))
        put(out, at[ANGULAR_ACCELERATION], b, tmatvec(R_WB, v3(o.al)))
        q = to_quaternion(R_WB)
        start = at[ORIENTATION] + 4 * b
        out[start], out[start + 1], out[start + 2], out[start + 3] = q


@kernel
def write_joints(A, W, out):
    at = A.layout
    for k in range(A.coordinates.shape[0]):
        c, o = A.coordinates[k].user, W.coordinates[k]
        out[at[JOINT_POSITION] + c] = o.q
        out[at[JOINT_RATE] + c] = o.dq
        out[at[JOINT_ACCELERATION] + c] = o.ddq
        out[at[DRIVER_FORCE] + c] = o.drive
    for j in range(W.joints.shape[0]):
        o = W.joints[j]
        put(out, at[JOINT_POINT], j, v3(o.x))
        put(out, at[JOINT_FORCE], j, v3(o.f))
        put(out, at[JOINT_MOMENT], j, v3(o.n))


@kernel
def write_loads(y, A, W, out):
    at, s = A.layout, A.states
    for k in range(A.rows.shape[0]):
        o = W.rows[k]
        put(out, at[LOAD_FORCE], k, v3(o.f))
        put(out, at[LOAD_MOMENT], k, v3(o.n))
        out[at[TENSION] + k] = o.tension
        out[at[LOAD_WORK] + k] = y[s + k]
        if A.rotors.shape[0] > 0:
            out[at[THRUST] + k] = o.thrust
            out[at[POWER] + k] = o.power
            out[at[HUB_WIND] + k] = o.hub_wind
            out[at[RELATIVE_WIND] + k] = o.relative_wind
    s += A.rows.shape[0]
    for k in range(A.coordinates.shape[0]):
        out[at[DRIVER_WORK] + A.coordinates[k].user] = y[s + k]
    s += A.coordinates.shape[0]
    put(out, at[IMPULSE], 0, v3(y[s:]))
    put(out, at[ANGULAR_IMPULSE], 0, v3(y[s + 3 :]))


write_record_apart = apart(write_record)


@kernel
def write_tree_record(t, y, A, W, out):
    """Write one row of the record of trees, whose joint forces are known."""
    measure_rows(A, W)
    unwrap(y, A, W)
    measure_turns(A, W)
    tree_joints(A, W)
    write_record_apart(t, y, A, W, out)


@kernel
def transmit_all(A, W):
    """Fill the wrench through every joint of all trees."""
    for tree in range(A.trees.shape[0]):
        transmit(A.trees[tree].first, A.trees[tree].last, A, W)


write_tree_record_apart = apart(write_tree_record)
transmit_all_apart = apart(transmit_all)
measure_turns_apart = apart(measure_turns)
