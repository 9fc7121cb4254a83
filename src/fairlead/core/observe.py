"""The common record: what every formulation leaves behind at a recorded instant, in the user's order and axes."""

from __future__ import annotations

from fairlead.core.codes import POSITION_GAP, VELOCITY_GAP
from fairlead.core.constraints.reactions import measure_rows, measure_turns, unwrap
from fairlead.core.constraints.relations import drive_alone_by_symbol
from fairlead.core.constraints.rows import position_gap, velocity_error
from fairlead.core.environment.waves import elevation_at_origin
from fairlead.core.inverse import energy_and_momentum, transmit, tree_joints
from fairlead.core.jit.by_symbol import NUMBER, by_symbol, when_needed
from fairlead.core.jit.kernel import kernel
from fairlead.core.loads.outputs import OUTPUTS_AT
from fairlead.core.record import AT, FIRST_OUTPUT, OUTPUT_COUNT
from fairlead.core.rotation import to_quaternion
from fairlead.core.vec import matmul, tmatvec, v3, v9

elevation_when_needed = when_needed(elevation_at_origin, NUMBER)


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
    write_controllers(A, W, out)
    write_relations(A, W, out)
    kinetic, potential, p, H = energy_and_momentum(A, W)
    out[at[AT.kinetic_energy]] = kinetic
    out[at[AT.potential_energy]] = potential
    out[at[AT.position_violation]] = W.constraint.worst[POSITION_GAP]
    out[at[AT.velocity_violation]] = W.constraint.worst[VELOCITY_GAP]
    if at[AT.wave_elevation + 1] > at[AT.wave_elevation]:
        out[at[AT.wave_elevation]] = elevation_when_needed(t, A)
    put(out, at[AT.momentum], 0, p)
    put(out, at[AT.angular_momentum], 0, H)


@kernel
def write_bodies(A, W, out):
    at = A.layout
    for i in range(A.bodies.shape[0]):
        b, o = A.bodies[i].user, W.bodies[i]
        R_WB = matmul(v9(o.R), v9(A.bodies[i].R_DB))
        put(out, at[AT.position], b, v3(o.x))
        put(out, at[AT.velocity], b, v3(o.u))
        put(out, at[AT.acceleration], b, v3(o.a))
        put(out, at[AT.angular_velocity], b, tmatvec(R_WB, v3(o.w)))
        put(out, at[AT.angular_acceleration], b, tmatvec(R_WB, v3(o.al)))
        q = to_quaternion(R_WB)
        start = at[AT.orientation] + 4 * b
        out[start], out[start + 1], out[start + 2], out[start + 3] = q


@kernel
def write_joints(A, W, out):
    at = A.layout
    for k in range(A.coordinates.shape[0]):
        c, o = A.coordinates[k].user, W.coordinates[k]
        out[at[AT.joint_position] + c] = o.q
        out[at[AT.joint_rate] + c] = o.dq
        out[at[AT.joint_acceleration] + c] = o.ddq
        out[at[AT.driver_force] + c] = o.drive
    for j in range(W.joints.shape[0]):
        o = W.joints[j]
        put(out, at[AT.joint_point], j, v3(o.x))
        put(out, at[AT.joint_force], j, v3(o.f))
        put(out, at[AT.joint_moment], j, v3(o.n))


@kernel
def write_loads(y, A, W, out):
    at, s = A.layout, A.states
    for k in range(A.rows.shape[0]):
        o = W.rows[k]
        put(out, at[AT.load_force], k, v3(o.f))
        put(out, at[AT.load_moment], k, v3(o.n))
        out[at[AT.load_work] + k] = y[s + k]
        for c in range(OUTPUT_COUNT):
            start, end = at[FIRST_OUTPUT + c], at[FIRST_OUTPUT + c + 1]
            if end > start:  # some load of the model has it
                out[start + k] = W.row_values[k, OUTPUTS_AT + c]
    s += A.rows.shape[0]
    for k in range(A.coordinates.shape[0]):
        out[at[AT.driver_work] + A.coordinates[k].user] = y[s + k]
    s += A.coordinates.shape[0]
    put(out, at[AT.external_impulse], 0, v3(y[s:]))
    put(out, at[AT.external_angular_impulse], 0, v3(y[s + 3 :]))


@kernel
def write_controllers(A, W, out):
    for r in range(A.controllers.rows.shape[0]):
        C = A.controllers.rows[r]
        for i in range(C.outputs):
            out[A.layout[AT.controller_output] + C.place + i] = W.channels[C.channel + i]


@kernel
def write_relations(A, W, out):
    """Write what each relation pushes along its coordinates: -lam df/dq."""
    place, C = A.layout[AT.relation_force], W.constraint
    for i in range(A.relations.shape[0]):
        for r in range(A.relations[i].head, A.relations[i].last):
            out[place] = -C.lam[A.relations[i].head] * C.slope[r]
            place += 1


write_record_by_symbol = by_symbol(write_record)


@kernel
def write_tree_record(t, y, A, W, out):
    """Write one row of the record of trees, whose joint forces are known."""
    W.constraint.worst[POSITION_GAP], W.constraint.worst[VELOCITY_GAP] = position_gap(A, W), velocity_error(A, W)
    measure_rows(A, W)
    unwrap(y, A, W)
    measure_turns(A, W)
    tree_joints(A, W)
    write_record_by_symbol(t, y, A, W, out)


@kernel
def transmit_all(A, W):
    """Fill the wrench through every joint of all trees."""
    for tree in range(A.trees.shape[0]):
        transmit(A.trees[tree].first, A.trees[tree].last, A, W)
    if A.relations.shape[0] > 0:
        drive_alone_by_symbol(A, W)


write_tree_record_by_symbol = by_symbol(write_tree_record)
transmit_all_by_symbol = by_symbol(transmit_all)
measure_turns_by_symbol = by_symbol(measure_turns)
