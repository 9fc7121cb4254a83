"""Kane's equations with relative coordinates and 1-2-3 angles: six per body, each free, locked or driven.

Kane notes Eqs. 1-44 (`core/formulations/kane/kinematics.py`, `core/formulations/kane/equations.py`), all 6 N rows of
[A] {y'} = {f}; the rows of free speeds are solved, those of driven ones give the drivers' forces. State: each free
relative coordinate and its rate; of a rotation that is free as a whole (a ball, a floating base) also the quaternion
of its reference attitude, which only moves between steps, and how often it did.
"""

from __future__ import annotations

import math

from fairlead.core.codes import CODE, MEASURED
from fairlead.core.constraints.reactions import measure_turns
from fairlead.core.formulations.kane.equations import accelerate_bodies, driver_forces, form_equations, solve_speeds
from fairlead.core.formulations.kane.kinematics import angle_partials, outward_kane, read_slots, relative_transformation
from fairlead.core.jit.kernel import inlined, kernel
from fairlead.core.loads.table import load, settle_added_mass
from fairlead.core.motions import move
from fairlead.core.observe import transmit_all_by_symbol
from fairlead.core.quadrature import work_and_impulse
from fairlead.core.rotation import from_quaternion, to_quaternion
from fairlead.core.trees.joint_forces import joint_forces
from fairlead.core.trees.state import root_wrench
from fairlead.core.vec import matmul, matvec, transpose

TURN_AT = 0.5  # cosine of the second angle below which the reference attitude moves: well before P becomes singular


@inlined
def before(t, y, A, W):
    """Place every body: what loads need to know."""
    W.status[CODE] = 0
    move(t, A, W)
    read_slots(y, A, W)
    outward_kane(y, A, W)
    if A.options[MEASURED]:
        measure_turns(A, W)


@inlined
def after(t, y, dy, A, W):
    """Apply the loads, form and solve the equations, and pass accelerations and joint forces on."""
    load(t, y, dy, A, W)
    joint_forces(t, y, dy, A, W)
    form_equations(A, W)
    solve_speeds(A, W)
    accelerate_bodies(A, W)
    if W.added.shape[0] > 0:
        settle_added_mass(A, W)
    write_rates(y, dy, A, W)
    transmit_all_by_symbol(A, W)
    driver_forces(A, W)
    f, n = root_wrench(A, W)
    work_and_impulse(dy, f, n, A, W)


@inlined
def write_rates(y, dy, A, W):
    """Write the rates of the state: {x'} = {y} (Kane notes Eq. 44) and {y'}."""
    drift(y, dy, A)
    for K in range(A.slots.shape[0]):
        s = A.slots[K]
        for i in range(6):
            if s.dof[i] >= 0:
                dy[s.rate[i]] = W.free.x[s.dof[i]]


@kernel
def drift(y, dy, A):
    """Write the rates of all relative coordinates; reference attitudes rest."""
    for K in range(A.slots.shape[0]):
        s = A.slots[K]
        for i in range(6):
            if s.dof[i] >= 0:
                dy[s.state[i]] = y[s.rate[i]]
        if s.reference >= 0:
            for m in range(5):
                dy[s.reference + m] = 0.0


@kernel
def project(t, y, A, W):
    """After a step, move the reference attitude of each free rotation whose angles come near their singularity."""
    for K in range(A.slots.shape[0]):
        s = A.slots[K]
        if s.reference >= 0 and abs(math.cos(y[s.state[1]])) < TURN_AT:
            reorient(s, y)


@kernel
def reorient(s, y):
    """Take the present rotation into the reference: angles become zero, their rates the relative angular velocity."""
    k = s.reference
    a, b, c = y[s.state[0]], y[s.state[1]], y[s.state[2]]
    turn = transpose(relative_transformation(a, b, c))
    q = to_quaternion(matmul(from_quaternion(y[k], y[k + 1], y[k + 2], y[k + 3]), turn))
    w = matvec(angle_partials(b, c), (y[s.rate[0]], y[s.rate[1]], y[s.rate[2]]))
    for i in range(4):
        y[k + i] = q[i]
    y[k + 4] += 1.0
    for i in range(3):
        y[s.state[i]], y[s.rate[i]] = 0.0, w[i]
