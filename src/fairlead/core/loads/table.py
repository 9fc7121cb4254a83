"""All loads of a model at one instant, and what they sum to on each body.

A kind of load is two files of one name: its record type and kernel beside this file, its word and what that compiles to
in `model/loads`. Here it has a row in RECORDS and stands in the list of calls, which reads as the method.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from fairlead.core.controllers.table import controllers_by_symbol, show_all
from fairlead.core.jit.by_symbol import by_symbol, when_needed
from fairlead.core.jit.kernel import inlined, kernel
from fairlead.core.loads.buoyancy import BUOYANCY, buoyancy
from fairlead.core.loads.forces import FORCE, fill_channels_of_loads, fill_channels_of_motion, forces
from fairlead.core.loads.functions import FUNCTION, functions
from fairlead.core.loads.generator import GENERATOR, generators, measure_generators
from fairlead.core.loads.matrices import MATRIX, matrices, settle_matrices
from fairlead.core.loads.mooring import LINE, lines
from fairlead.core.loads.morison import MORISON, morison, settle_morison
from fairlead.core.loads.rotational_springs import ROTATIONAL, rotational_springs
from fairlead.core.loads.rotor import ROTOR, rotors
from fairlead.core.loads.rotor_table import TABLE_ROTOR, table_rotors
from fairlead.core.loads.springs import SPRING, springs
from fairlead.core.vec import add, put3, v3

RECORDS = {  # what each kind is made of; its field `row` says which row of forces, moments and outputs it fills
    "springs": SPRING,
    "rotational_springs": ROTATIONAL,
    "matrices": MATRIX,
    "buoyancy": BUOYANCY,
    "morison": MORISON,
    "lines": LINE,
    "rotors": ROTOR,
    "functions": FUNCTION,
    "forces": FORCE,
    "table_rotors": TABLE_ROTOR,
    "generators": GENERATOR,
}
Loads: Any = NamedTuple("Loads", [(name, np.ndarray) for name in RECORDS])
ZERO = (0.0, 0.0, 0.0)


@kernel
def other_loads(t, y, dy, A, W):
    """Fill the rows of every load but straight springs, the channels formulas read, and what controllers give out."""
    clear_added_mass(A, W)
    rotational_springs(A, W)
    matrices(A, W)
    buoyancy(A, W)
    morison(t, A, W)
    lines(A, W)
    rotors(t, A, W)
    functions(t, A, W)
    reading = A.loads.forces.shape[0] + A.loads.table_rotors.shape[0] + A.loads.generators.shape[0]
    if A.channels.shape[0] > 1 or reading > 0:
        with_formulas(t, y, dy, A, W)


@kernel
def with_formulas(t, y, dy, A, W):
    """Fill channels, outputs of controllers, and the rows of loads that read them."""
    fill_channels_of_motion(A, W)
    show_all(y, A, W)
    turbines = A.loads.table_rotors.shape[0] + A.loads.generators.shape[0] > 0
    if turbines:
        table_rotors_by_symbol(0, t, A, W)
        measure_generators(y, A, W)
    fill_channels_of_loads(A, W)
    if A.controllers.rows.shape[0] > 0:
        controllers_by_symbol(y, dy, A, W)
    if turbines:
        table_rotors_by_symbol(1, t, A, W)
        generators(y, dy, A, W)
        fill_channels_of_loads(A, W)
    forces(t, A, W)


table_rotors_by_symbol = when_needed(table_rotors)


@kernel
def clear_added_mass(A, W):
    for i in range(W.added.shape[0]):
        if A.bodies[i].wet:
            W.added[i, :, :] = 0.0


@inlined
def settle_added_mass(A, W):
    """Complete the rows of loads with added mass, now that the accelerations are known."""
    settle_matrices(A, W)
    settle_morison(A, W)


other_loads_by_symbol = by_symbol(other_loads)


@inlined
def load(t, y, dy, A, W):
    """Fill every load row and the sums f, n on each body; rows of outside loads keep what was put there.

    Controllers read the state y and write the rates of what they remember into dy.

    Straight springs are the commonest load and stay with the caller; the others are called where there are any.
    """
    for i in range(A.bodies.shape[0]):
        put3(W.bodies[i].f, ZERO)
        put3(W.bodies[i].n, ZERO)
    W.channels[0] = t  # always: actuators have formulas too, and one of the time alone reads no other channel
    filled = springs(A, W)
    if A.rows.shape[0] > filled or A.channels.shape[0] > 1:
        other_loads_by_symbol(t, y, dy, A, W)
        for k in range(A.rows.shape[0]):
            if not A.rows[k].spring:
                row, b = W.rows[k], W.bodies[A.rows[k].body]
                put3(b.f, add(v3(b.f), v3(row.f)))
                put3(b.n, add(v3(b.n), v3(row.n)))
