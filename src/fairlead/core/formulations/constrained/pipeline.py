"""Constrained absolute coordinates: seven per body, multipliers, coordinate partitioning. MBDM note sections 2-5.

Every body has position, Euler parameters, velocity and angular velocity (own axes) in the state. At each evaluation the
dependent coordinates are brought onto the constraints by Newton's method with the independent ones held (Eq. 72), the
dependent velocities follow (Eq. 71b), and accelerations and multipliers solve Eq. 67: M a + J^T lam = F, J a = gamma.
"""

from __future__ import annotations

import math

from fairlead.core.arrays import EULER_PARAMETERS, PARTITION_EVERY_STEP, PROJECTION, SINGULAR_MASS
from fairlead.core.codes import ABOUT, CLOSING, CODE, MEASURED, POSITION_GAP, UNKNOWNS, VELOCITY_GAP
from fairlead.core.constraints.reactions import measure_rows, measure_turns, push_free, reactions, unwrap, world_wrench
from fairlead.core.constraints.relations import recall_turns_by_symbol
from fairlead.core.constraints.rows import velocity_error
from fairlead.core.controllers.commands import drift_commanded, follow_commands_by_symbol, read_commanded_by_symbol
from fairlead.core.formulations.constrained.closing import (
    close,
    correct_velocities,
    norm2,
    partition_serves,
    place,
    position_error,
    repartition,
    shift_positions,
    shift_velocities,
)
from fairlead.core.formulations.constrained.parameters import accelerations_by_parameters
from fairlead.core.formulations.constrained.partition import coordinate_jacobian
from fairlead.core.formulations.constrained.redundant import least_norm
from fairlead.core.formulations.constrained.schur import accelerations_and_multipliers
from fairlead.core.jit.kernel import inlined, kernel
from fairlead.core.layout import ATTITUDE, LENGTH, TURNING, VELOCITY, four, put_four, three
from fairlead.core.loads.table import load, settle_added_mass
from fairlead.core.motions import move
from fairlead.core.observe import write_record_by_symbol
from fairlead.core.quadrature import work_and_impulse
from fairlead.core.rotation import quaternion_rate
from fairlead.core.trees.joint_forces import joint_forces
from fairlead.core.vec import put3, tmatvec, v3, v9

# What the assembly of a drawing uses of this formulation.
ASSEMBLY = (coordinate_jacobian, correct_velocities, repartition, shift_positions, shift_velocities)


@inlined
def move_all(t, y, A, W):
    """Fill driven coordinates from the time, and commanded ones from the state."""
    move(t, A, W)
    if A.commands.shape[0] > 0:
        read_commanded_by_symbol(y, A, W)
    if A.relations.shape[0] > 0:
        recall_turns_by_symbol(y, A, W)


@kernel
def before(t, y, A, W):
    """Move the drivers and bring the state onto the constraints: what loads need to know."""
    W.status[CODE] = 0
    move_all(t, y, A, W)
    for k in range(W.constraint.y.shape[0]):
        W.constraint.y[k] = y[k]
    if A.options[CLOSING] != PROJECTION:
        close(A, W)
    else:  # only whole steps are projected: a stage moved off its place would cost the order
        place(A, W)
        if W.constraint.choose[0]:
            W.constraint.worst[POSITION_GAP] = position_error(A, W)
    measure(y, A, W)


@kernel
def apply_loads(t, y, dy, A, W):
    """Place the bodies as the state y has them and apply all loads: what an implicit step needs to know."""
    move_all(t, y, A, W)
    for k in range(W.constraint.y.shape[0]):
        W.constraint.y[k] = y[k]
    place(A, W)
    measure(y, A, W)
    load(t, y, dy, A, W)
    joint_forces(t, y, dy, A, W)
    push_free(A, W)


@kernel
def measure(y, A, W):
    """Fill free coordinates as the motion has them, balls where something reads them."""
    measure_rows(A, W)
    unwrap(y, A, W)
    if A.options[MEASURED]:
        measure_turns(A, W)


@kernel
def after(t, y, dy, A, W):
    """Apply the loads, solve for accelerations and multipliers, and write rates, reactions and power."""
    load(t, y, dy, A, W)
    if A.commands.shape[0] > 0:
        follow_commands_by_symbol(dy, A, W)
        place(A, W)  # once more: the rows know the commanded accelerations now
    joint_forces(t, y, dy, A, W)
    push_free(A, W)
    if A.options[UNKNOWNS] == EULER_PARAMETERS:
        bad = accelerations_by_parameters(A, W)
    else:
        bad = accelerations_and_multipliers(A, W)
    if bad >= 0:
        W.status[CODE], W.status[ABOUT] = SINGULAR_MASS, A.bodies[bad].user
    if W.added.shape[0] > 0:
        settle_added_mass(A, W)
    for b in range(A.bodies.shape[0]):
        s, o = LENGTH * b, W.bodies[b]
        w_B = three(W.constraint.y, s + TURNING)
        q = quaternion_rate(*four(W.constraint.y, s + ATTITUDE), w_B)
        put3(dy[s:], v3(o.u))
        put_four(dy, s + ATTITUDE, q)
        put3(dy[s + VELOCITY :], v3(o.a))
        put3(dy[s + TURNING :], tmatvec(v9(o.R), v3(o.al)))
    reactions(A, W)
    f, n = world_wrench(A, W)
    work_and_impulse(dy, f, n, A, W)


@kernel
def begin_step(t, y, A, W):
    """Partition the coordinates anew, at every step or when the last partition no longer serves. MBDM note sec. 5."""
    if W.constraint.y.shape[0] == 0 or A.options[CLOSING] == PROJECTION:
        return
    move_all(t, y, A, W)
    for k in range(W.constraint.y.shape[0]):
        W.constraint.y[k] = y[k]
    place(A, W)
    if A.options[CLOSING] == PARTITION_EVERY_STEP or not partition_serves(A, W):
        repartition(A, W, W.constraint.weight)


@kernel
def project(t, y, A, W):
    """Bring the state onto the constraints after a step."""
    W.status[CODE] = 0
    move_all(t, y, A, W)
    for k in range(W.constraint.y.shape[0]):
        W.constraint.y[k] = y[k]
    close(A, W)
    W.constraint.choose[0] = 1  # at the next evaluation: the state is closed
    for b in range(A.bodies.shape[0]):
        n = 1.0 / math.sqrt(norm2(W.constraint.y, b))
        for i in range(4):
            W.constraint.y[LENGTH * b + ATTITUDE + i] *= n
    for k in range(W.constraint.y.shape[0]):
        y[k] = W.constraint.y[k]


@kernel
def drift(y, dy, A):
    """Write the rates of all positions and attitudes."""
    for b in range(A.bodies.shape[0]):
        s = LENGTH * b
        put3(dy[s:], three(y, s + VELOCITY))
        q = quaternion_rate(*four(y, s + ATTITUDE), three(y, s + TURNING))
        put_four(dy, s + ATTITUDE, q)
    drift_commanded(y, dy, A)


@kernel
def observe(t, y, A, W, out):
    """Write the record of an instant that `rhs` has just evaluated; undetermined reactions are those of least norm."""
    W.constraint.worst[POSITION_GAP], W.constraint.worst[VELOCITY_GAP] = position_error(A, W), velocity_error(A, W)
    measure_rows(A, W)
    measure_turns(A, W)
    unwrap(y, A, W)
    redundant = False
    for r in range(A.constraints.shape[0]):
        redundant = redundant or (W.constraint.active[r] and W.constraint.skip[r])
    if redundant:
        least_norm(A, W)
        reactions(A, W)
    write_record_by_symbol(t, y, A, W, out)
